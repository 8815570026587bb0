"""Use cases: take systems, campaigns and suites out of sight, bring them back, delete them for good.

    hide(store, admin, Whole("assay-de-en", campaign="WMT22", system="Garbage"))
    bring_back(store, admin, Whole("assay-de-en", campaign="WMT22", system="Garbage"))

What is hidden counts nowhere and is kept as it is, with what people said of its texts. Only what is hidden can be
deleted, by whoever types its name.
"""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.text import plural
from assay.workbench.db.audit import record
from assay.workbench.db.database import Store
from assay.workbench.db.hidings import (
    HiddenSuite,
    HiddenSystem,
    any_suite,
    delete_suite,
    delete_systems,
    hidden_suites,
    hidden_systems,
    hide_suite,
    hide_systems,
)
from assay.workbench.db.outputs import StoredSystem, list_systems
from assay.workbench.db.suites import suite_names
from assay.workbench.people.roles import User


@dataclass(frozen=True, slots=True)
class Whole:
    """A suite, all systems of a campaign in it, or one system; None where it is not about one."""

    suite: str
    campaign: str | None = None
    system: str | None = None

    @property
    def is_suite(self) -> bool:
        """Whether it is the suite itself."""
        return self.campaign is None and self.system is None

    @property
    def name(self) -> str:
        """The name that has to be typed before it is deleted."""
        return self.system if self.system is not None else self.campaign or self.suite

    def command(self) -> str:
        """The command that hides it."""
        options = (("--campaign", self.campaign), ("--system", self.system))
        given = [part for name, value in options if value is not None for part in (name, value)]
        return shlex.join(["assay", "hide", self.suite, *given])

    def __str__(self) -> str:
        if self.is_suite:
            return self.suite
        if self.system is None:
            return f"{self.campaign or 'outputs without a campaign'} of {self.suite}"
        return f"{self.system}{f' ({self.campaign})' if self.campaign else ''} of {self.suite}"


@dataclass(frozen=True, slots=True)
class Hidden:
    """What is hidden: suites, and systems of one suite that is not."""

    suites: Sequence[HiddenSuite]
    systems: Sequence[HiddenSystem]


def hidden_lines(store: Store) -> list[str]:
    """Everything that is hidden, a line each."""
    with store.reading() as db:
        suites = [f"{found.name}\tsuite\t{found.by}\t{found.hidden[:10]}" for found in hidden_suites(db)]
        systems = [
            f"{Whole(name, found.system.campaign, found.system.name)}\tsystem\t{found.by}\t{found.hidden[:10]}"
            for name in suite_names(db)
            for found in list_hidden(db, name).systems
        ]
    return [*suites, *systems] or ["nothing is hidden"]


def list_hidden(db: Connection, suite: str = "") -> Hidden:
    """What is hidden now."""
    known = any_suite(db, suite) if suite else None
    if suite and known is None:
        raise UnknownName("suite", suite, suite_names(db))
    return Hidden(hidden_suites(db), hidden_systems(db, known[0]) if known else ())


def hide(store: Store, user: User, what: Whole) -> int:
    """Hide a suite, or systems; returns how many systems, 0 for a suite. What is hidden already stays so."""
    return _turn(store, user, what, hidden=True)


def bring_back(store: Store, user: User, what: Whole) -> int:
    """Bring back what was hidden."""
    return _turn(store, user, what, hidden=False)


def _turn(store: Store, user: User, what: Whole, *, hidden: bool) -> int:
    user.need("admin")
    verb = "hidden" if hidden else "brought back"
    with store.writing() as db:
        suite_id, is_hidden = _suite(db, what.suite)
        if what.is_suite:
            if is_hidden == hidden:
                raise BadOption(f"{what} is {'hidden already' if hidden else 'not hidden'}")
            hide_suite(db, suite_id, user, hidden=hidden)
            record(db, user.name, "hide", f"{what} {verb}")
            return 0
        found = [stored for stored in _systems(db, suite_id, what) if bool(stored.hidden) != hidden]
        if not found:
            raise BadOption(f"{what} is {'hidden already' if hidden else 'not hidden'}")
        hide_systems(db, suite_id, [stored.id for stored in found], user, hidden=hidden)
        record(db, user.name, "hide", f"{what} {verb}: {_names(found)}")
        return len(found)


def delete_for_good(store: Store, user: User, what: Whole, typed: str) -> int:
    """Delete what is hidden; returns how many systems, 0 for a suite. Nobody can bring it back."""
    user.need("admin")
    if typed != what.name:
        raise BadOption(f"type the name {what.name!r} to delete it; nothing was changed")
    with store.writing() as db:
        suite_id, is_hidden = _suite(db, what.suite)
        if what.is_suite:
            if not is_hidden:
                raise BadOption(f"{what} is not hidden; hide it first, and delete it once nobody misses it")
            delete_suite(db, suite_id)
            record(db, user.name, "delete", f"{what} with everything in it")
            return 0
        found = _systems(db, suite_id, what)
        shown = [stored for stored in found if not stored.hidden]
        if shown:
            raise BadOption(f"{_names(shown)}: not hidden; hide it first, and delete it once nobody misses it")
        delete_systems(db, suite_id, [stored.id for stored in found])
        record(db, user.name, "delete", f"{what}: {_names(found)}")
        return len(found)


def _suite(db: Connection, name: str) -> tuple[int, bool]:
    found = any_suite(db, name)
    if found is None:
        raise UnknownName("suite", name, [*suite_names(db), *(hidden.name for hidden in hidden_suites(db))])
    return found


def _systems(db: Connection, suite_id: int, what: Whole) -> list[StoredSystem]:
    """The systems that are meant, hidden or not."""
    every = list_systems(db, suite_id, hidden=True)
    campaigns = list(dict.fromkeys(stored.system.campaign for stored in every))
    if what.campaign is not None and what.campaign not in campaigns:
        raise UnknownName("campaign", what.campaign, campaigns)
    of_campaign = [stored for stored in every if what.campaign in (None, stored.system.campaign)]
    if what.system is None:
        return of_campaign
    found = [stored for stored in of_campaign if stored.system.name == what.system]
    if not found:
        raise UnknownName("system", what.system, [stored.system.name for stored in of_campaign])
    if len(found) > 1:
        names = ", ".join(stored.system.campaign or "no campaign" for stored in found)
        raise BadOption(f"{what.system} is in {plural(len(found), 'campaign')} ({names}); name one")
    return found


def _names(found: Sequence[StoredSystem]) -> str:
    names = [stored.system.name for stored in found]
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
