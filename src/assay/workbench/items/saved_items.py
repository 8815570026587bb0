"""Writing items that are others now, as one revision, with what their rules say of their texts.

foretold = foretell(visit, snapshot, {"words/schloss": item})     # in another process
with visit.changing() as change:
    write_items(change, foretold, comment="tests of words/schloss")
"""

from collections.abc import Mapping
from dataclasses import dataclass

from assay.suites import Item
from assay.workbench.db.outputs import judge_again, texts_of
from assay.workbench.db.revisions import SuiteChange, save_change
from assay.workbench.db.ruled import Ruled, Rulings, ruled_as, rules_hash
from assay.workbench.items.rule_trial import ItemTexts
from assay.workbench.reader import Change
from assay.workbench.snapshot import Snapshot
from assay.workbench.visit import Visit


@dataclass(frozen=True, slots=True)
class ForetoldItems:
    """Items as they are to be, the versions that they were made from, and what their rules say of their texts."""

    items: Mapping[str, Item]
    bases: Mapping[str, int]
    rulings: Rulings


def foretell(
    visit: Visit, snapshot: Snapshot, items: Mapping[str, Item], bases: Mapping[str, int] | None = None
) -> ForetoldItems:
    """Judge the texts of items by the rules that they are to have; not within a transaction."""
    changed = {
        name: item
        for name, item in items.items()
        if rules_hash(item) != rules_hash(snapshot.items[snapshot.place(name)])
    }
    texts = {name: snapshot.texts_at(snapshot.place(name)) for name in changed}
    wanted = [ItemTexts(item, tuple((text.id, text.value) for text in texts[name])) for name, item in changed.items()]
    findings = visit.judge_items(wanted) if wanted else {}
    known: dict[tuple[str, str], Ruled] = {}
    for name, item in changed.items():
        hashed = rules_hash(item)
        known |= {(hashed, text.value): ruled_as(item, findings[text.id], hashed) for text in texts[name]}
    current = {name: snapshot.version_ids[snapshot.place(name)] for name in items}
    return ForetoldItems(items, current | dict(bases or {}), Rulings(known))


def write_items(change: Change, foretold: ForetoldItems, *, comment: str) -> int:
    """Save the items as one revision; returns its number."""
    snapshot = change.snapshot
    ids = {name: snapshot.stored.item_ids[snapshot.place(name)] for name in foretold.items}
    edits = {ids[name]: (item, foretold.bases[name]) for name, item in foretold.items.items()}
    number = save_change(change.db, snapshot.stored.id, SuiteChange(edits), change.user, comment)
    judge_texts(change, {ids[name]: item for name, item in foretold.items.items()}, foretold.rulings)
    change.read_again()
    return number


def judge_texts(change: Change, items: Mapping[int, Item], rulings: Rulings) -> None:
    """Write what the rules of items, by their ids, say of texts that were judged by others."""
    rows = [row for row in texts_of(change.db, list(items)) if row.ruled.judged_with != rules_hash(items[row.item_id])]
    judge_again(change.db, rows, items, rulings)
