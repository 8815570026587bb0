"""Writing suites: every save is a revision, every changed item gets a new version.

Ids of items, versions, rules and texts are given out under the lock, so that thousands are written at once.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import Connection, Row, Table, func, insert, select, update

from assay.errors import BadOption, Overtaken
from assay.records import INTERNAL
from assay.suites import SAID_KEYS, Item, Rule, Suite
from assay.workbench.db.bulk import insert_rows, update_rows
from assay.workbench.db.clock import now
from assay.workbench.db.database import lock, next_change
from assay.workbench.db.ruled import rules_hash
from assay.workbench.db.schema import items, revisions, rules, suites, users, version_rules, versions
from assay.workbench.db.suites import every_item
from assay.workbench.files.history_records import Revision
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
    places = {item.id: place for place, item in enumerate(plain)}
    suite_id = db.execute(select(suites.c.id).where(suites.c.name == suite.name)).scalar()
    if suite_id is None:
        suite_id = add_suite(db, suite.name, suite.langpair, created=now())
    known, last, heading = every_item(db, suite_id), _last_revision(db, suite_id), heading_of(suite)
    changed = [item for item in plain if item.id in known and known[item.id][1:] != (item, False)]
    new = [item for item in plain if item.id not in known]
    gone = [item for _, item, removed in known.values() if item.id not in places and not removed]
    order = list(places) == [key for key, (_, _, removed) in known.items() if not removed]
    # As text, since a taxonomy in another order is another one.
    same = last is not None and json.dumps(last.heading) == json.dumps(heading)
    if same and order and not changed and not new and not gone:
        return Saved(suite_id, None, 0, 0, 0)
    revision_id, number = new_revision(db, suite_id, user, comment, heading)
    ids = {key: item_id for key, (item_id, _, _) in known.items()}
    ids |= add_items(db, suite_id, {item.id: places[item.id] for item in new})
    made = {ids[item.id]: item for item in (*changed, *new, *gone)}
    _write_versions(db, revision_id, made, user, removed={ids[item.id] for item in gone})
    if known:
        update_rows(db, items, ("position",), ((place, ids[key]) for key, place in places.items()))
    db.execute(
        update(suites).where(suites.c.id == suite_id).values(langpair=suite.langpair, outputs_changed=next_change(db))
    )
    return Saved(suite_id, number, len(new), len(changed), len(gone))


def add_suite(db: Connection, name: str, langpair: str, *, created: str) -> int:
    """A suite with nothing in it yet; returns its id."""
    made = insert(suites).values(
        name=name,
        langpair=langpair,
        questions={},
        imported={},
        revision_id=None,
        outputs_changed=0,
        created=created,
        hidden="",
    )
    return int(db.execute(made.returning(suites.c.id)).scalar_one())


def save_items(
    db: Connection, suite_id: int, edits: Mapping[int, tuple[Item, int]], user: User, comment: str
) -> dict[int, int]:
    """New versions of some items: item id -> (item, the version it was made from). Returns the ids of the versions.

    Where somebody else has saved one of them meanwhile, nothing is changed.
    """
    lock(db)
    _check_bases(db, edits)
    revision_id, _ = new_revision(db, suite_id, user, comment)
    made = {item_id: without_settled(item) for item_id, (item, _) in edits.items()}
    return _write_versions(db, revision_id, made, user)


@dataclass(frozen=True, slots=True)
class SuiteChange:
    """What a revision changes: items that are others now, items that go, items that come, the heading.

    The first two are by id, each with the version that the change was made from.
    """

    edits: Mapping[int, tuple[Item, int]] = field(default_factory=dict)
    gone: Mapping[int, tuple[Item, int]] = field(default_factory=dict)
    new: Sequence[Item] = ()
    heading: Mapping[str, Any] | None = None


def save_change(db: Connection, suite_id: int, change: SuiteChange, user: User, comment: str) -> int:
    """A revision of a suite; returns its number. Where somebody else was quicker, nothing is changed."""
    lock(db)
    _check_bases(db, {**change.edits, **change.gone})
    check_names("", (item.id for item in change.new))
    revision_id, number = new_revision(db, suite_id, user, comment, change.heading)
    known = dict(db.execute(select(items.c.key, items.c.id).where(items.c.suite_id == suite_id)).all())
    last = db.execute(select(func.max(items.c.position)).where(items.c.suite_id == suite_id)).scalar() or 0
    fresh = [item.id for item in change.new if item.id not in known]
    known |= add_items(db, suite_id, {name: last + place for place, name in enumerate(fresh, 1)})
    made = {item_id: item for item_id, (item, _) in (*change.edits.items(), *change.gone.items())}
    made |= {known[item.id]: item for item in change.new}
    made = {item_id: without_settled(item) for item_id, item in made.items()}
    _write_versions(db, revision_id, made, user, removed=set(change.gone))
    if change.gone or change.new or change.heading:
        db.execute(update(suites).where(suites.c.id == suite_id).values(outputs_changed=next_change(db)))
    return number


def _check_bases(db: Connection, edits: Mapping[int, tuple[Item, int]]) -> None:
    """Refuse what was made from a version that is no longer the newest."""
    current = dict(db.execute(select(items.c.id, items.c.version_id).where(items.c.id.in_(edits))).all())
    for item_id, (item, base) in edits.items():
        if current.get(item_id) != base:
            raise Overtaken(f"{_editor(db, current.get(item_id))} changed {item.id} while you were editing it")


def heading_at(db: Connection, suite_id: int, number: int) -> dict[str, Any]:
    """A suite without its items, as a revision left it; nothing where there was none of that number."""
    query = select(revisions.c.heading).where(revisions.c.suite_id == suite_id, revisions.c.number == number)
    return dict(db.execute(query).scalar() or {})


def new_revision(
    db: Connection, suite_id: int, user: User, comment: str, heading: Mapping[str, Any] | None = None
) -> tuple[int, int]:
    """The next revision, which need not change any item, with the heading of the last one if none is given.

    Returns its id and its number.
    """
    last = _last_revision(db, suite_id)
    number = last.number + 1 if last else 1
    revision = Revision(number, user.name, now(), comment, heading or (last.heading if last else {}))
    return add_revision(db, suite_id, revision, user.id), number


def add_revision(db: Connection, suite_id: int, revision: Revision, user_id: int) -> int:
    """A revision as it is, which is then the one that holds; returns its id."""
    made = insert(revisions).values(
        suite_id=suite_id,
        number=revision.number,
        user_id=user_id,
        created=revision.created,
        comment=revision.comment,
        heading=dict(revision.heading),
    )
    revision_id = int(db.execute(made.returning(revisions.c.id)).scalar_one())
    db.execute(update(suites).where(suites.c.id == suite_id).values(revision_id=revision_id))
    return revision_id


def _last_revision(db: Connection, suite_id: int) -> Row[Any] | None:
    query = select(revisions).where(revisions.c.suite_id == suite_id).order_by(revisions.c.number.desc())
    return db.execute(query.limit(1)).first()


def add_items(db: Connection, suite_id: int, places: Mapping[str, int]) -> dict[str, int]:
    """Items, without a version yet, at their places in the suite; returns their ids."""
    ids = {key: item_id for item_id, key in enumerate(places, next_id(db, items))}
    insert_rows(db, items, ((ids[key], suite_id, key, place, None, 0) for key, place in places.items()))
    return ids


@dataclass(frozen=True, slots=True)
class NewVersion:
    """An item as a revision leaves it; `authors` has the user id and the date of each rule that is new to the item."""

    item_id: int
    revision_id: int
    item: Item
    removed: bool
    authors: Sequence[tuple[int, str]]


def _write_versions(
    db: Connection, revision_id: int, made: Mapping[int, Item], user: User, *, removed: Collection[int] = ()
) -> dict[int, int]:
    author = (user.id, now())
    return add_versions(
        db,
        [
            NewVersion(item_id, revision_id, item, item_id in removed, [author] * len(item.rules))
            for item_id, item in made.items()
        ],
    )


def add_versions(db: Connection, new: Sequence[NewVersion]) -> dict[int, int]:
    """Versions in their order; rules that an item has had before keep their author and date.

    Returns the id of the newest version of each item.
    """
    if not new:
        return {}
    known = _known_rules(db, {version.item_id for version in new})
    rule_id = next_id(db, rules)
    newest: dict[int, int] = {}
    version_rows, rule_rows, links = [], [], []
    for version_id, version in enumerate(new, next_id(db, versions)):
        item_id, item = version.item_id, version.item
        newest[item_id] = version_id
        words = (item.category, item.phenomenon, item.source, item.tests, item.notes)
        lists = (item.tags, (item.examples.passing, item.examples.failing))
        state = (item.held_out, version.removed, rules_hash(item))
        told = (item.prompt, item.context)
        group = (item.group, item.renderings, item.rubric, item.independent, _kept_labels(item))
        more = (item.source_of, item.tier)
        version_rows.append((version_id, item_id, version.revision_id, *words, *lists, *state, *told, *group, *more))
        for place, (rule, author) in enumerate(zip(item.rules, version.authors, strict=True)):
            cells = (rule.polarity, rule.kind, rule.value, rule.flags, rule.note)
            if (item_id, (*cells, rule.scope)) not in known:
                known[item_id, (*cells, rule.scope)] = rule_id
                rule_rows.append((rule_id, item_id, *cells, *author, rule.scope))
                rule_id += 1
            links.append((version_id, place, known[item_id, (*cells, rule.scope)]))
    insert_rows(db, versions, version_rows)
    insert_rows(db, rules, rule_rows)
    insert_rows(db, version_rules, links)
    change = next_change(db)
    update_rows(db, items, ("version_id", "changed"), ((new_id, change, key) for key, new_id in newest.items()))
    return newest


def _known_rules(db: Connection, item_ids: Collection[int]) -> dict[tuple[int, tuple[str, ...]], int]:
    """(item id, polarity, kind, value, flags, note and scope) -> rule id."""
    query = select(rules).order_by(rules.c.id)
    query = query.where(rules.c.item_id.in_(item_ids)) if len(item_ids) < 500 else query
    return {
        (row.item_id, (row.polarity, row.kind, row.value, row.flags, row.note, row.scope)): row.id
        for row in db.execute(query)
        if row.item_id in item_ids
    }


def _kept_labels(item: Item) -> list[Any]:
    """The labels of an item, with what the database needs of their rules."""
    return [[label.name, [_kept_label_rule(rule) for rule in label.rules]] for label in item.labels]


def _kept_label_rule(rule: Rule) -> list[str]:
    # A scope only where there is one: labels were kept before rules had any.
    return [rule.kind, rule.value, rule.flags, rule.note, *([rule.scope] if rule.scope else [])]


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
        # Only where it is said, so that headings of suites that do not say it stay what they were.
        **({"equal_sources": suite.equal_sources} if suite.equal_sources != "error" else {}),
        **({"guidelines": told} if (told := [[*names, text] for names, text in suite.guidelines.items()]) else {}),
        **{
            key: [[*names, said] for names, said in found.items()]
            for key in SAID_KEYS
            if (found := getattr(suite, key))
        },
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
    """The item without judgements. Other rules that have a name, or are closed, keep that only in the file."""
    if not any(rule.by or rule.closed for rule in item.rules):
        return item
    kept = (rule for rule in item.rules if not (rule.by and rule.kind == "exact"))
    return replace(item, rules=tuple(replace(rule, by="", on="", closed=False) for rule in kept))


def _editor(db: Connection, version_id: int | None) -> str:
    """Who made a version."""
    query = select(users.c.name).select_from(versions).join(revisions).join(users).where(versions.c.id == version_id)
    return db.execute(query).scalar() or "somebody"
