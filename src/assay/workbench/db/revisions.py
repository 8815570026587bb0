"""Writing suites: every save is a revision, every changed item gets a new version.

Ids of items, versions, rules and texts are given out under the lock, so that thousands are written at once.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, Table, func, insert, select, update

from assay.errors import BadOption, Overtaken
from assay.records import INTERNAL
from assay.suites import Item, Rule, Suite
from assay.workbench.db.bulk import insert_rows, update_rows
from assay.workbench.db.clock import now
from assay.workbench.db.database import lock, next_change
from assay.workbench.db.schema import items, revisions, rules, suites, users, version_rules, versions
from assay.workbench.db.suites import every_item, rules_hash
from assay.workbench.people.roles import User

LONGEST_NAME: Final = 200
LONGEST_ID: Final = 500


@dataclass(frozen=True, slots=True)
class Saved:
    """What saving a suite did; `revision` is None where nothing had changed."""

    suite_id: int = field(metadata=INTERNAL)
    revision: int | None
    added: int
    changed: int
    removed: int


def next_id(db: Connection, table: Table) -> int:
    """The first free id; only under the lock."""
    return int(db.execute(select(func.coalesce(func.max(table.c.id), 0) + 1)).scalar_one())


def save_suite(db: Connection, suite: Suite, user: User, comment: str) -> Saved:
    """A new suite, or a new revision of the one with this name. Settled judgements are left aside."""
    lock(db)
    check_names(suite.name, (item.id for item in suite.items))
    plain = [without_settled(item) for item in suite.items]
    row = db.execute(select(suites).where(suites.c.name == suite.name)).first()
    if row is None:
        suite_id = add_suite(db, suite.name, suite.langpair, created=now())
        known: dict[str, tuple[int, Item, bool]] = {}
        old_heading = None
    else:
        suite_id = row.id
        known = every_item(db, suite_id)
        old_heading = db.execute(select(revisions.c.heading).where(revisions.c.id == row.revision_id)).scalar_one()
    changed = [item for item in plain if item.id in known and known[item.id][1:] != (item, False)]
    new = [item for item in plain if item.id not in known]
    given = {item.id for item in plain}
    gone = [item for _, item, removed in known.values() if item.id not in given and not removed]
    heading = heading_of(suite)
    order = [item.id for item in plain] == [key for key, (_, _, removed) in known.items() if not removed]
    # As text, since a taxonomy in another order is another one.
    same = old_heading is not None and json.dumps(old_heading) == json.dumps(heading)
    if same and order and not changed and not new and not gone:
        return Saved(suite_id, None, 0, 0, 0)
    revision_id, number = _new_revision(db, suite_id, user, comment, heading)
    ids = {key: item_id for key, (item_id, _, _) in known.items()}
    ids |= _add_items(db, suite_id, new, {item.id: place for place, item in enumerate(plain)})
    _write_versions(db, revision_id, [(ids[item.id], item) for item in (*changed, *new)], user)
    _write_versions(db, revision_id, [(ids[item.id], item) for item in gone], user, removed=True)
    if old_heading is not None:
        _order(db, {ids[item.id]: place for place, item in enumerate(plain)})
    db.execute(
        update(suites).where(suites.c.id == suite_id).values(langpair=suite.langpair, outputs_changed=next_change(db))
    )
    return Saved(suite_id, number, len(new), len(changed), len(gone))


def add_suite(db: Connection, name: str, langpair: str, *, created: str) -> int:
    """A suite with nothing in it yet; returns its id."""
    made = insert(suites).values(
        name=name, langpair=langpair, questions={}, imported={}, revision_id=None, outputs_changed=0, created=created
    )
    return int(db.execute(made.returning(suites.c.id)).scalar_one())


def save_items(
    db: Connection, suite_id: int, edits: Mapping[int, tuple[Item, int]], user: User, comment: str
) -> dict[int, int]:
    """New versions of some items: item id -> (item, the version it was made from). Returns the ids of the versions.

    Where somebody else has saved one of them meanwhile, nothing is changed.
    """
    lock(db)
    current = dict(db.execute(select(items.c.id, items.c.version_id).where(items.c.id.in_(edits))).all())
    for item_id, (item, base) in edits.items():
        if current.get(item_id) != base:
            raise Overtaken(f"{_editor(db, current.get(item_id))} changed {item.id} while you were editing it")
    heading = db.execute(
        select(revisions.c.heading).join(suites, suites.c.revision_id == revisions.c.id).where(suites.c.id == suite_id)
    ).scalar_one()
    revision_id, _ = _new_revision(db, suite_id, user, comment, heading)
    pairs = [(item_id, without_settled(item)) for item_id, (item, _) in edits.items()]
    return _write_versions(db, revision_id, pairs, user)


def note_revision(db: Connection, suite_id: int, user: User, comment: str) -> None:
    """A revision that changes no item, to be seen in the history."""
    heading = db.execute(
        select(revisions.c.heading).join(suites, suites.c.revision_id == revisions.c.id).where(suites.c.id == suite_id)
    ).scalar_one()
    _new_revision(db, suite_id, user, comment, heading)


def _new_revision(
    db: Connection, suite_id: int, user: User, comment: str, heading: Mapping[str, Any]
) -> tuple[int, int]:
    last = db.execute(select(func.max(revisions.c.number)).where(revisions.c.suite_id == suite_id)).scalar() or 0
    revision_id = int(
        db.execute(
            insert(revisions)
            .values(
                suite_id=suite_id,
                number=last + 1,
                user_id=user.id,
                created=now(),
                comment=comment,
                heading=dict(heading),
            )
            .returning(revisions.c.id)
        ).scalar_one()
    )
    db.execute(update(suites).where(suites.c.id == suite_id).values(revision_id=revision_id))
    return revision_id, last + 1


def _add_items(db: Connection, suite_id: int, new: Sequence[Item], places: Mapping[str, int]) -> dict[str, int]:
    first = next_id(db, items)
    ids = {item.id: first + number for number, item in enumerate(new)}
    names = ("id", "suite_id", "key", "position", "changed")
    insert_rows(db, items, names, ((ids[item.id], suite_id, item.id, places[item.id], 0) for item in new))
    return ids


def _write_versions(
    db: Connection, revision_id: int, pairs: Sequence[tuple[int, Item]], user: User, *, removed: bool = False
) -> dict[int, int]:
    """A version of each item; rules that the item has had before keep their author and date."""
    if not pairs:
        return {}
    known = _known_rules(db, [item_id for item_id, _ in pairs])
    version_id, rule_id, created = next_id(db, versions), next_id(db, rules), now()
    made: dict[int, int] = {}
    version_rows, rule_rows, links = [], [], []
    for item_id, item in pairs:
        made[item_id] = version_id
        version_rows.append(version_row(version_id, item_id, revision_id, item, removed=removed))
        for place, rule in enumerate(item.rules):
            key = (item_id, rule_cells(rule))
            if key not in known:
                known[key] = rule_id
                rule_rows.append((rule_id, item_id, *rule_cells(rule), user.id, created))
                rule_id += 1
            links.append((version_id, place, known[key]))
        version_id += 1
    insert_rows(db, versions, VERSION_COLUMNS, version_rows)
    insert_rows(db, rules, RULE_COLUMNS, rule_rows)
    insert_rows(db, version_rules, ("version_id", "position", "rule_id"), links)
    change = next_change(db)
    update_rows(db, items, ("version_id", "changed"), ((version, change, item_id) for item_id, version in made.items()))
    return made


VERSION_COLUMNS: Final = (
    "id",
    "item_id",
    "revision_id",
    "category",
    "phenomenon",
    "source",
    "tests",
    "notes",
    "tags",
    "examples",
    "held_out",
    "removed",
    "rules_hash",
)
RULE_COLUMNS: Final = ("id", "item_id", "polarity", "kind", "value", "flags", "note", "user_id", "created")


def rule_cells(rule: Rule) -> tuple[str, str, str, str, str]:
    """What a row of `rules` keeps of the rule itself, in the order of `RULE_COLUMNS`; authors and dates stand apart."""
    return (*rule.check, rule.note)


def version_row(version_id: int, item_id: int, revision_id: int, item: Item, *, removed: bool) -> tuple[Any, ...]:
    """A row of `versions`, in the order of `VERSION_COLUMNS`."""
    return (
        version_id,
        item_id,
        revision_id,
        item.category,
        item.phenomenon,
        item.source,
        item.tests,
        item.notes,
        item.tags,
        (item.examples.passing, item.examples.failing),
        item.held_out,
        removed,
        rules_hash(item.rules),
    )


def _known_rules(db: Connection, item_ids: Sequence[int]) -> dict[tuple[int, Any], int]:
    """(item id, polarity, kind, value, flags and note) -> rule id."""
    if not db.execute(select(func.count()).select_from(rules)).scalar_one():
        return {}
    wanted = set(item_ids)
    query = select(rules).order_by(rules.c.id)
    query = query.where(rules.c.item_id.in_(item_ids)) if len(wanted) < 500 else query
    found = {}
    for row in db.execute(query):
        if row.item_id in wanted:
            found[row.item_id, (row.polarity, row.kind, row.value, row.flags, row.note)] = row.id
    return found


def _order(db: Connection, places: Mapping[int, int]) -> None:
    update_rows(db, items, ("position",), ((place, item_id) for item_id, place in places.items()))


def heading_of(suite: Suite) -> dict[str, Any]:
    """A suite without its items, as a revision keeps it."""
    return {
        "name": suite.name,
        "langpair": suite.langpair,
        "version": suite.version,
        "licence": suite.licence,
        "authors": list(suite.authors),
        "description": suite.description,
        "canary": suite.canary,
        "taxonomy": {category: dict(names) for category, names in suite.taxonomy.items()},
    }


def check_names(suite: str, item_ids: Iterable[str]) -> None:
    """Refuse names that are longer than an index holds."""
    if len(suite) > LONGEST_NAME:
        raise BadOption(f"the suite's name has {len(suite):,} characters; at most {LONGEST_NAME} are kept")
    for name in item_ids:
        if len(name) > LONGEST_ID:
            raise BadOption(
                f"the id of the item {name[:40]!r}… has {len(name):,} characters; at most {LONGEST_ID} are kept"
            )


def without_settled(item: Item) -> Item:
    """The item without judgements. Other rules that have a name keep it only in the file."""
    if not any(rule.by for rule in item.rules):
        return item
    kept = (rule for rule in item.rules if not (rule.by and rule.kind == "exact"))
    return replace(item, rules=tuple(replace(rule, by="", on="") for rule in kept))


def _editor(db: Connection, version_id: int | None) -> str:
    """Who made a version."""
    query = (
        select(users.c.name)
        .join(revisions, revisions.c.user_id == users.c.id)
        .join(versions, versions.c.revision_id == revisions.c.id)
        .where(versions.c.id == version_id)
    )
    return db.execute(query).scalar() or "somebody"
