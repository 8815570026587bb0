"""Editing rules: what would change, saving, restoring, proposals."""

from collections.abc import Sequence
from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import Field

from assay.suggest.proposals import Proposal
from assay.suggest.wider_rules import How
from assay.suites import Polarity, Rule
from assay.workbench.admission.client_watch import WATCHED
from assay.workbench.api import shapes
from assay.workbench.api.items import Version
from assay.workbench.api.request import SUITE, AnnotatorSuiteVisit, ItemId, problems
from assay.workbench.items import rule_edits
from assay.workbench.items.item_page import Inspection, preview_with_siblings
from assay.workbench.items.reverted_revision import RevertedRevision, revert_revision
from assay.workbench.items.widened_items import (
    Scope,
    WiderOffer,
    loose_change,
    offer_wider,
    read_change,
    survey_wider,
    take_wider,
)

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
    """How many outputs of all systems go from one verdict to another, and how many texts these are."""

    before: shapes.VerdictWord
    after: shapes.VerdictWord
    outputs: shapes.Count
    texts: shapes.Count


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
            {"before": move[0], "after": move[1], "outputs": number, "texts": found.moved[move]}
            for move, number in found.moves.items()
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


# Wider rules


class Effect(shapes.Shape):
    """What a change does in a scope. `refused` are items in which it would contradict what is decided.

    `alike` and `unlike` are decided texts that differ from another one in what it would ignore, by their verdict.
    """

    scope: Scope
    rules: shapes.Count
    items: shapes.Count
    texts: shapes.Count
    outputs: shapes.Count
    refused: shapes.Count
    alike: shapes.Count
    unlike: shapes.Count
    stopped: bool


class WideningOffer(shapes.Shape):
    """A change of a rule that was found in `item`, how it is wider, and what it does, smallest scope first.

    For a change to all rules `old` and `new` are empty.
    """

    item: str
    how: tuple[How, ...] = shapes.at("change", "how")
    old: Rule = shapes.at("change", "old")
    new: Rule = shapes.at("change", "new")
    effects: list[Effect]


class Widening(shapes.RequestBody):
    """A change to make: `how` alone for all rules of a polarity, or also the rule `old` that becomes `new`.

    `item` is where it was found; `category` and `phenomenon` narrow down a change to all rules.
    """

    how: list[How] = Field(min_length=1, max_length=5)
    polarity: Polarity
    scope: Scope
    item: Annotated[str, Field(max_length=1000)] = ""
    old: shapes.NewRule | None = None
    new: shapes.NewRule | None = None
    category: shapes.Short = ""
    phenomenon: shapes.Short = ""


class TakenWidening(shapes.Shape):
    revision: int
    polarity: Polarity
    effect: Effect


class Revert(shapes.RequestBody):
    revision: shapes.Id


TextQuery = Annotated[int, Query(ge=0, le=shapes.LARGEST)]
shapes.answered(RevertedRevision)


@router.get(
    f"{SUITE}/widening",
    response_model=WideningOffer | None,
    summary="A wider rule that would have known a judged text",
    responses=problems(503),
    dependencies=WATCHED,
)
def offer(visit: AnnotatorSuiteVisit, text_id: TextQuery) -> WiderOffer | None:
    """The smallest change of an existing rule; null where there is none that contradicts nothing and decides a text."""
    return offer_wider(visit, text_id)


@router.get(
    f"{SUITE}/widening/survey",
    response_model=WideningOffer | None,
    summary="What it would do to widen all rules",
    responses=problems(503),
    dependencies=WATCHED,
)
def survey(
    visit: AnnotatorSuiteVisit,
    how: Annotated[list[Literal["case", "stop"]], Query(min_length=1, max_length=2)],
    polarity: Polarity = "pass",
    category: shapes.Short = "",
    phenomenon: shapes.Short = "",
) -> WiderOffer | None:
    """Rules of a polarity ignore case, a final stop, or both; null where that decides nothing."""
    return survey_wider(visit, how, polarity, category=category, phenomenon=phenomenon)


@router.post(
    f"{SUITE}/widening", status_code=201, summary="Widen rules", responses=problems(409, 503), dependencies=WATCHED
)
def widen(visit: AnnotatorSuiteVisit, given: Widening) -> TakenWidening:
    """One revision, however many rules it changes; items in which it would contradict something stay as they are."""
    change = loose_change(given.how, given.polarity)
    if given.old and given.new:
        with visit.reading() as reader:
            change = read_change(reader, given.old.made(), given.new.made(), given.how)
    where = {"item": given.item, "category": given.category, "phenomenon": given.phenomenon}
    return TakenWidening.made_of(take_wider(visit, change, given.scope, **where))


@router.post(
    f"{SUITE}/revert",
    response_model=RevertedRevision,
    summary="Revert a revision",
    responses=problems(409, 503),
    dependencies=WATCHED,
)
def revert(visit: AnnotatorSuiteVisit, given: Revert) -> RevertedRevision:
    """Make all items that a revision changed as they were, where nobody changed them since: a new revision."""
    return revert_revision(visit, given.revision)
