"""Use case: take back a revision as a whole, however many items it changed.

done = revert_revision(visit, 12)
done.revision, done.kept           # the new revision; items that somebody changed since, which stay as they are

Nothing is deleted: what comes back is a new revision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.errors import BadOption
from assay.workbench.db.revisions import SuiteChange, heading_at, save_change
from assay.workbench.db.suites import PastStep, revision_of, steps_of
from assay.workbench.items.saved_items import foretell, judge_texts
from assay.workbench.visit import Visit


@dataclass(frozen=True, slots=True)
class RevertedRevision:
    """The revision that takes back another one; `kept` are items that were changed again since."""

    revision: int
    reverted: int
    items: int
    kept: Sequence[str]


def revert_revision(visit: Visit, number: int) -> RevertedRevision:
    """Make all items that a revision changed as they were before it, where nobody has changed them since."""
    with visit.reading() as reader:
        reader.user.need("annotator")
        snapshot, suite_id = reader.snapshot, reader.snapshot.stored.id
        last = revision_of(reader.db, suite_id)
        if not 1 <= number <= last:
            raise BadOption(f"there is no revision {number}; the last one is {last}")
        if number == 1:
            raise BadOption("the first revision is where the suite comes from; there is nothing before it")
        steps = steps_of(reader.db, suite_id, number)
        heading, before = (heading_at(reader.db, suite_id, found) for found in (number, number - 1))
        told = before if heading != before and heading == heading_at(reader.db, suite_id, last) else None
    ready = [step for step in steps if step.is_newest]
    if not ready and told is None:
        raise BadOption("all items of this revision were changed again since; nothing was changed")
    # Rules that were there before are tried again: systems may have come since.
    items = {
        step.before.item.id: step.before.item
        for step in ready
        if step.before and not step.before.removed and not step.after.removed
    }
    foretold = foretell(visit, snapshot, items)
    with visit.changing() as change:
        done = save_change(change.db, suite_id, _change(ready, told), change.user, f"revision {number} reverted")
        back = {step.item_id: step.before.item for step in ready if step.before and not step.before.removed}
        judge_texts(change, back, foretold.rulings)
        change.read_again()
    visit.state.wider.forget()
    kept = [step.after.item.id for step in steps if not step.is_newest]
    return RevertedRevision(done, number, len(ready), kept)


def _change(ready: Sequence[PastStep], heading: Mapping[str, Any] | None) -> SuiteChange:
    edits, gone, new = {}, {}, []
    for step in ready:
        before = step.before if step.before and not step.before.removed else None
        if before and not step.after.removed:
            edits[step.item_id] = (before.item, step.after.id)
        elif before:
            new.append(before.item)
        elif not step.after.removed:
            gone[step.item_id] = (step.after.item, step.after.id)
    return SuiteChange(edits, gone, new, heading)
