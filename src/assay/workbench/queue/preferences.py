"""Use cases around what an annotator set: the keys, what to show before judging, what to leave for later.

preferences = preferences_of(user)
preferences = set_keys(db, user, {"pass": "j", "fail": "k"})
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from assay.errors import BadOption, UnknownName
from assay.workbench.db.people import change_user, get_user
from assay.workbench.people.roles import User

KEYS: Final = {
    "pass": "p",
    "fail": "f",
    "skip": "s",
    "undo": "u",
    "rules": "r",
    "comment": "c",
    "tag": "t",
    "later": "n",
    "systems": "v",
    "suggestion": "g",
    "keys": "?",
}
"""Action -> its key, where the annotator did not choose another."""

ACTIONS: Final = {
    "pass": "the text is right",
    "fail": "the text is wrong",
    "skip": "leave this text for later",
    "undo": "take back what you did last",
    "rules": "open the item and its rules",
    "comment": "write a comment",
    "tag": "go to the tags, and from one to the next",
    "later": "leave this phenomenon for later",
    "systems": "show or hide who wrote the text",
    "suggestion": "show or hide the suggestion",
    "keys": "show or hide this list",
}

FIXED_KEYS: Final = {
    "J": "the next row, or ↓",
    "K": "the row before, or ↑",
    "Shift": "with the key for right or wrong: all rows that are left",
    "Enter": "accept a list as it stands",
    "X": "take a text out of its list, or its other spellings out of a row",
    "D": "ask an adjudicator about the judged text on top",
    "/": "open the filters; Enter applies them",
}
"""Keys that nobody chooses; where somebody chose one of them for an action, the action has it."""

SHOWN: Final = ("systems", "suggestion")
"""What can be shown before the judgement is made."""

LATER_AT_MOST: Final = 500

Phenomenon = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Preferences:
    """What an annotator set. `later` has, per suite, the phenomena that were left for later, in that order."""

    keys: Mapping[str, str]
    show: tuple[str, ...]
    later: Mapping[str, tuple[Phenomenon, ...]]


def preferences_of(user: User) -> Preferences:
    """What somebody set, as of when this request began."""
    return _read(user.settings)


def set_keys(db: Connection, user: User, keys: Mapping[str, str]) -> Preferences:
    """Choose keys for some actions; the others keep theirs."""
    for action in keys:
        if action not in KEYS:
            raise UnknownName("action", action, KEYS)
    return _change(db, user, "keys", lambda now: _checked(now.keys, keys))


def reset_keys(db: Connection, user: User) -> Preferences:
    """The keys that everybody starts with."""
    return _change(db, user, "keys", lambda now: {})


def set_shown(db: Connection, user: User, what: str, *, on: bool) -> Preferences:
    """Show or hide something before the judgement is made."""
    if what not in SHOWN:
        raise UnknownName("switch", what, SHOWN)
    return _change(db, user, "show", lambda now: [name for name in SHOWN if (on if name == what else name in now.show)])


def leave(db: Connection, user: User, suite: str, phenomenon: Phenomenon) -> Preferences:
    """Put a phenomenon behind all others."""

    def later(now: Preferences) -> dict[str, Any]:
        kept = [found for found in now.later.get(suite, ()) if found != phenomenon]
        return {**now.later, suite: [*kept, phenomenon][-LATER_AT_MOST:]}

    return _change(db, user, "later", later)


def bring_back(db: Connection, user: User, suite: str) -> Preferences:
    """Put all phenomena back where they were."""
    return _change(db, user, "later", lambda now: {name: left for name, left in now.later.items() if name != suite})


def _change(db: Connection, user: User, name: str, value: Callable[[Preferences], Any]) -> Preferences:
    # Read afresh in the transaction that writes: another window may have set something since.
    known = get_user(db, user.name).settings
    settings = {**known, name: value(_read(known))}
    return _read(change_user(db, user.name, settings=settings).settings)


def _read(settings: Mapping[str, Any]) -> Preferences:
    """Whatever the database has there, as far as it can be used."""
    chosen = settings.get("keys", {})
    later = {
        suite: tuple((category, phenomenon) for category, phenomenon in found)
        for suite, found in settings.get("later", {}).items()
    }
    keys = {action: chosen.get(action, key) for action, key in KEYS.items()}
    return Preferences(keys, tuple(name for name in SHOWN if name in settings.get("show", ())), later)


def _checked(now: Mapping[str, str], wanted: Mapping[str, str]) -> dict[str, str]:
    """One printable character each, no two alike; digits are those of the scale."""
    keys = dict(now) | {action: key.strip().lower() for action, key in wanted.items()}
    taken: dict[str, str] = {}
    for action, key in keys.items():
        if len(key) != 1 or not key.isprintable():
            raise BadOption(f"the key for {action} is {key!r}; choose one letter or sign")
        if key.isdigit():
            raise BadOption(f"the key for {action} is {key!r}; digits are kept for the scale of acceptability")
        if key in taken:
            raise BadOption(f"{taken[key]} and {action} have the same key {key!r}")
        taken[key] = action
    return keys
