"""Editing rules: what would change, saving, restoring, proposals."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from assay.suggest.proposals import Proposal
from assay.suites import Rule
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.api import shapes
from assay.workbench.api.items import Version
from assay.workbench.api.request import SUITE, AnnotatorSuiteVisit, ItemId, problems
from assay.workbench.items import rule_edits
from assay.workbench.items.item_page import Inspection, preview_with_siblings

router = APIRouter(tags=["rules"], responses=problems(401, 403, 404))
shapes.answered(Proposal)


class Edit(shapes.NewRules):
    """New rules of an item, made from its version `base`; the items `siblings` get the same change."""

    base: shapes.Id
    comment: shapes.Comment = ""
    siblings: list[Annotated[str, Field(max_length=1000)]] = Field(default=[], max_length=1000)


class Restore(shapes.RequestBody):
    version: shapes.Id


class Chosen(shapes.RequestBody):
    """Ids of texts that a proposed rule has to tell apart: those that are right, and those that are wrong."""

    right: list[shapes.Id] = Field(default=[], max_length=1000)
    wrong: list[shapes.Id] = Field(default=[], max_length=1000)


class Move(shapes.Shape):
    """How many outputs of all systems go from one verdict to another."""

    before: shapes.VerdictWord
    after: shapes.VerdictWord
    outputs: shapes.Count


class PreviewedChange(shapes.Shape):
    """A text that `systems` wrote: its verdict now, and what the new rules say of it."""

    text_id: int = shapes.at("text", "id")
    text: str = shapes.at("text", "value")
    before: shapes.VerdictWord = shapes.at("text", "finding", "verdict")
    after: shapes.FindingAnswer = shapes.at("finding")
    systems: shapes.Count


class Sibling(shapes.Shape):
    """An item that could get the same change, and the rules it would have."""

    id: str
    source: str
    rules: Sequence[Rule]


class RulePreviewAnswer(shapes.Shape):
    """What new rules would do.

    `contradicted` are judged texts of which they say the opposite, `broken` examples of the item that would no longer
    be judged as they should. `slow` are rules that take too long, and `stopped` says that all of them together do, or
    take too much memory: in either case nothing else is known, and saving is refused.
    """

    summary: str
    moves: list[Move]
    changed: list[PreviewedChange]
    contradicted: list[PreviewedChange]
    broken: list[str]
    slow: Sequence[Rule]
    stopped: bool
    siblings: list[Sibling]


@router.post(
    f"{SUITE}/item/preview", summary="What new rules would change", responses=problems(503), dependencies=WATCHED
)
def preview(visit: AnnotatorSuiteVisit, item: ItemId, given: shapes.NewRules) -> RulePreviewAnswer:
    """The exact consequences over all systems and campaigns. Nothing is saved.

    The rules are tried in a process of their own; where they take too much memory or time, `summary` says so.
    Whoever reads this has seen how the texts were judged that the rules contradict.
    """
    rules = given.made()
    found, siblings = preview_with_siblings(visit, item, rules)
    return RulePreviewAnswer.made_of(
        found,
        moves=[
            {"before": before, "after": after, "outputs": number} for (before, after), number in found.moves.items()
        ],
        siblings=[Sibling.made_of(other, rules=changed) for other, changed in siblings],
    )


@router.put(f"{SUITE}/item/rules", summary="Save rules", responses=problems(409, 503), dependencies=WATCHED)
def save(visit: AnnotatorSuiteVisit, item: ItemId, given: Edit) -> list[Version]:
    """Save an item's rules as a new version; answers with all versions, the newest first.

    `base` is the version that the rules were made from. Where somebody has saved another one since, the answer is 409.
    """
    edit = rule_edits.RuleEdit(item, tuple(given.made()), given.base, given.comment, tuple(given.siblings))
    return [Version.of(found) for found in rule_edits.save_rules(visit, edit)]


@router.post(f"{SUITE}/item/restore", summary="Restore a version", responses=problems(409, 503), dependencies=WATCHED)
def restore(visit: AnnotatorSuiteVisit, item: ItemId, given: Restore) -> list[Version]:
    """Make the rules of an earlier version those of the item again, as a new version."""
    return [Version.of(found) for found in rule_edits.restore_rules(visit, item, given.version)]


@router.post(
    f"{SUITE}/item/proposals",
    response_model=list[Proposal],
    summary="Rules that tell texts apart",
    responses=problems(503),
    dependencies=WATCHED,
)
def propose(visit: AnnotatorSuiteVisit, item: ItemId, given: Chosen) -> Sequence[Proposal]:
    """Candidates to accept or edit, the best first; empty where nothing tells the texts apart. Nothing is saved."""
    return Inspection(visit, item).propose_for(given.right, given.wrong)
