"""Use cases of the item page: its texts and rules, what typed rules would do, saving, versions, siblings.

inspection = Inspection(visit, "lexical-ambiguity/schloss")
inspection.preview([Typed("r0", "pass", "regex", r"\block\b")]).foresight.summary
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.errors import Overtaken, UnknownName
from assay.suggest.exchanges import Exchanges
from assay.suggest.proposals import Proposal, SiblingTexts, common_words
from assay.suites import POLARITIES, Item, Polarity, Rule
from assay.text import plural
from assay.verdicts import Verdict
from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import events_of_texts
from assay.workbench.db.suites import ItemVersion
from assay.workbench.items import rule_edits
from assay.workbench.items.rule_edits import (
    Move,
    RuleEdit,
    RulePreview,
    difference,
    in_order,
    preview_items,
    preview_rules,
    say_moves,
    siblings,
)
from assay.workbench.items.rule_rows import RuleRow, Typed, judged_row, needed, read_rules, rows_of, typed_rule
from assay.workbench.items.rule_trial import SortedTexts
from assay.workbench.queue.judgements import AnnotatorAnswer, judge, withdraw
from assay.workbench.queue.questions import known_tags, scale
from assay.workbench.queue.queue_page import NO_DRAFT, Draft
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import Mark, TextView, guideline_of, marks, tested
from assay.workbench.visit import Visit

GROUPS: Final = ("warning", "pass", "fail")
SHOWN_SIBLINGS: Final = 200


@dataclass(frozen=True, slots=True)
class PreviewedText:
    """A text under the typed rules: marks, and the verdict where it would be another one."""

    id: int
    value: str
    marks: Sequence[Mark]
    verdict: str
    contradicted: bool


@dataclass(frozen=True, slots=True)
class EditPreview:
    """What the typed rules would do; `foresight` is None while one of them cannot be used.

    `stopped` says why nothing is known where all of them together take too long.
    """

    rows: Sequence[RuleRow]
    texts: Sequence[PreviewedText]
    foresight: RulePreview | None
    problems: int
    changed: bool
    siblings: int
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class SiblingPreview:
    """An item that could get the same change, and what it would do there."""

    item: Item
    foresight: RulePreview


@dataclass(frozen=True, slots=True)
class EditConflict:
    """Somebody saved the item meanwhile: their version, what it changed, and the typed change made to it."""

    version: ItemVersion
    gone: Sequence[Rule]
    new: Sequence[Rule]
    rows: Sequence[RuleRow]


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """Two versions of an item; `foresight` says what restoring the older one would do, None where it holds now."""

    old: ItemVersion
    new: ItemVersion
    gone: Sequence[Rule]
    added: Sequence[Rule]
    kept: int
    reordered: bool
    foresight: RulePreview | None


@dataclass(frozen=True, slots=True)
class ItemHistoryLine:
    """One line of the item's history: a judgement (with its text) or a version."""

    created: str
    by: str
    words: str
    text: str = ""
    comment: str = ""
    undone: bool = False


@dataclass(frozen=True, slots=True)
class ItemPage:
    """What the item page shows. `base` is the version that edits are made from, `missing` who wrote nothing."""

    item: Item
    tested: str
    base: int
    rows: Sequence[RuleRow]
    groups: Mapping[str, Sequence[TextView]]
    missing: Sequence[str]
    previous: str | None
    following: str | None
    waiting: str | None
    versions: Sequence[ItemVersion]
    tags: Mapping[str, str]
    scale: int | None
    guideline: str | None = None
    told: str = ""
    meanwhile: Sequence[Event] = ()
    members: Sequence[Item] = ()
    """The other items of its group."""
    judged: int = 0

    @property
    def texts(self) -> int:
        return sum(len(found) for found in self.groups.values())


@dataclass(frozen=True)
class Inspection:
    """Somebody at the page of an item. `shown` is whether they said that it may end their blindness.

    Every page, and every part of one that says more of its texts, asks where they did not; what was to be changed is
    then not changed.
    """

    visit: Visit
    item: str
    shown: bool = False

    def open(self) -> ItemPage:
        """The page. Whoever sees it has seen who wrote the texts and how they were judged."""
        with self.visit.reading() as reader:
            if reader.user.may("annotator"):
                self.visit.state.rules.warm()  # whoever may edit the rules soon does
            return self._page(reader)

    def _page(self, reader: Reader, told: str = "", meanwhile: Sequence[Event] = (), judged: int = 0) -> ItemPage:
        page = open_item(reader, self.item, told, meanwhile, judged)
        reader.ask_first(shown=self.shown)
        return page

    # Rules

    def preview(self, typed: Sequence[Typed]) -> EditPreview:
        """What the typed rules would do; the marks follow also while one of them cannot be used."""
        rules, problems = read_rules(typed)
        snapshot, foresight = show_preview(
            self.visit,
            self.item,
            in_order([rule for rule in rules.values() if rule is not None]),
            shown=self.shown,
        )
        problems |= {
            row: foresight.problems[rule] for row, rule in rules.items() if rule and rule in foresight.problems
        }
        usable = tuple(rule for rule in foresight.item.rules if rule not in foresight.problems)
        place = snapshot.place(self.item)
        now = tuple(rule for rule in snapshot.items[place].rules if not rule.is_blank)
        broken = len(problems) + len(foresight.slow)
        return EditPreview(
            rows=[judged_row(entry, rules[entry.row], problems.get(entry.row), foresight, snapshot) for entry in typed],
            texts=_then(snapshot, place, foresight),
            foresight=None if broken or foresight.stopped else foresight,
            problems=broken,
            changed=usable != now,
            siblings=0 if broken or foresight.stopped else len(siblings(snapshot, self.item, usable)),
            stopped=foresight.summary if foresight.stopped else "",
        )

    def siblings(self, typed: Sequence[Typed]) -> list[SiblingPreview]:
        """The items that could get the same change, each with what it would do there; those that change come first."""
        with self.visit.reading() as reader:
            snapshot = reader.snapshot
        offered = siblings(snapshot, self.item, needed(typed))[:SHOWN_SIBLINGS]
        previews = preview_items(self.visit.try_rules, snapshot, {item.id: rules for item, rules in offered})
        for preview in previews.values():
            preview.need_rules()
        found = [SiblingPreview(item, previews[item.id]) for item, _ in offered]
        return sorted(found, key=lambda sibling: not sibling.foresight.changed)

    def save(
        self, typed: Sequence[Typed], *, base: int, comment: str = "", also: Sequence[str] = ()
    ) -> ItemPage | EditConflict:
        """Save the typed rules as a new version, and the same change to the siblings named."""
        with self.visit.reading() as reader:
            user, snapshot = reader.user, reader.snapshot
        rules = needed(typed)
        edit = RuleEdit(self.item, tuple(rules), base, comment.strip(), tuple(also))
        checked = rule_edits.check_edit(user, self.visit.try_rules, snapshot, edit)
        with self.visit.changing() as change:
            try:
                versions = rule_edits.write_rules(change, checked)
            except Overtaken:
                return self._conflict(change, rules, base)
            told = f"Saved as revision {versions[0].revision}: {checked.foresight.summary}."
            if also:
                others = [preview for name, preview in checked.previews.items() if name != self.item]
                told += f" {plural(len(also), 'sibling')} got the same change: {sum_up(others)}."
            return self._page(change, told)

    def _conflict(self, reader: Reader, rules: Sequence[Rule], base: int) -> EditConflict:
        versions = rule_edits.versions_of(reader, self.item)
        known = {version.id: version for version in versions}
        before, theirs = known[base].item.rules if base in known else (), versions[0]
        merged = rule_edits.apply(theirs.item.rules, *difference(before, rules))
        gone, new = difference(before, theirs.item.rules)
        return EditConflict(
            theirs, gone, new, [RuleRow(typed_rule(number, rule), None, None) for number, rule in enumerate(merged)]
        )

    def compare(self, old: int, new: int) -> VersionComparison:
        """What changed between two versions."""
        with self.visit.reading() as reader:
            snapshot, versions = reader.snapshot, rule_edits.versions_of(reader, self.item)
        known = {version.id: version for version in versions}
        for number in (old, new):
            if number not in known:
                raise UnknownName("version", str(number), map(str, known))
        first, second = known[min(old, new)], known[max(old, new)]
        gone, added = difference(first.item.rules, second.item.rules)
        kept = [rule for rule in first.item.rules if rule not in gone]
        same = first.item.rules == versions[0].item.rules
        return VersionComparison(
            old=first,
            new=second,
            gone=gone,
            added=added,
            kept=len(kept),
            reordered=kept != [rule for rule in second.item.rules if rule not in added],
            foresight=None if same else preview_rules(self.visit.try_rules, snapshot, self.item, first.item.rules),
        )

    def restore(self, version: int) -> ItemPage:
        """Make an earlier version's rules those of the item again."""
        with self.visit.reading() as reader:
            user, snapshot = reader.user, reader.snapshot
            edit = rule_edits.restoring(reader, self.item, version)
        checked = rule_edits.check_edit(user, self.visit.try_rules, snapshot, edit)
        with self.visit.changing() as change:
            newest = rule_edits.write_rules(change, checked)[0]
            return self._page(change, f"Saved as revision {newest.revision}: {newest.comment}.")

    # Texts

    def judge(self, text_id: int, verdict: Polarity, *, known: int = 0, draft: Draft = NO_DRAFT) -> ItemPage:
        """Judge a text where everything is to be seen."""
        answer = AnnotatorAnswer(
            text_id,
            verdict,
            draft.comment,
            draft.acceptability,
            draft.tags,
            seen=("systems", "judgements"),
            known=known,
        )
        with self.visit.changing() as change:
            outcome = judge(change, answer)
            settlement = outcome.text.settlement
            holding = {event.id for event in settlement.votes.values()} if settlement else set()
            meanwhile = [event for event in outcome.meanwhile if event.id in holding]
            return self._page(change, meanwhile=meanwhile, judged=text_id)

    def withdraw(self, text_id: int) -> ItemPage:
        """Take back one's own judgement of a text."""
        with self.visit.changing() as change:
            vote = withdraw(change, text_id)
            told = "Your judgement is taken back." if vote else "You have not judged this text."
            return self._page(change, told)

    def propose(self, ticks: Sequence[str]) -> Sequence[Proposal]:
        """Rules that tell the texts ticked as right from those ticked as wrong: `right:17`, `wrong:18`.

        What else is decided of the item counts too, and what is decided of all others is held against them.
        """
        with self.visit.reading() as reader:
            snapshot = reader.snapshot
            rest = {str(text.id): text for text in item_texts(reader, self.item)}
        said: dict[str, list[str]] = {"right": [], "wrong": []}
        for tick in ticks:
            side, _, text_id = tick.partition(":")
            if side in said and text_id in rest:
                said[side].append(rest.pop(text_id).value)
        item = snapshot.items[snapshot.place(self.item)]
        ticked = {*said["right"], *said["wrong"]}
        if not ticked:
            return []
        known = _decided(item, rest.values())
        right, wrong = (
            (*said[side], *(text for text, verdict in known.items() if verdict == polarity and text not in ticked))
            for side, polarity in zip(("right", "wrong"), POLARITIES, strict=True)
        )
        waiting = tuple(text.value for text in rest.values() if text.waits)
        return self.visit.propose_rules(SortedTexts(right, wrong, waiting, contrast_of(snapshot, item)))

    def propose_for(self, right: Sequence[int], wrong: Sequence[int]) -> Sequence[Proposal]:
        """The same for ids of texts, all of which the item has to have."""
        with self.visit.reading() as reader:
            known = [text.id for text in item_texts(reader, self.item)]
        for text_id in (*right, *wrong):
            if text_id not in known:
                raise UnknownName("text", str(text_id), map(str, known))
        return self.propose([*(f"right:{text_id}" for text_id in right), *(f"wrong:{text_id}" for text_id in wrong)])

    def history(self) -> list[ItemHistoryLine]:
        """Judgements of the item's texts and its versions, the newest first. Whoever looks has seen them."""
        with self.visit.reading() as reader:
            snapshot = reader.snapshot
            lines = [
                ItemHistoryLine(version.created, version.by, f"revision {version.revision}", comment=version.comment)
                for version in rule_edits.versions_of(reader, self.item)
            ]
            texts = snapshot.texts_at(snapshot.place(self.item))
            by_text = events_of_texts(reader.db, [text.id for text in texts])
            for text in texts:
                events = reader.events(by_text.get(text.id, ()))
                undone = {event.undoes for event in events}
                lines += [_line(event, text.value, undone=event.id in undone) for event in events]
            reader.ask_first(shown=self.shown)
        return sorted(lines, key=lambda line: line.created, reverse=True)


def contrast_of(snapshot: Snapshot, item: Item) -> SiblingTexts:
    """What is decided of the other items of a phenomenon, and the words that stand everywhere."""
    decided: dict[str, list[str]] = {"pass": [], "fail": []}
    for place, other in enumerate(snapshot.items):
        if other.id != item.id and (other.category, other.phenomenon) == (item.category, item.phenomenon):
            for text in snapshot.texts_at(place):
                if text.decided:
                    decided[str(text.finding.verdict)].append(text.value)
    common = common_words(snapshot.folded[place].split("\n") for place in range(len(snapshot.items)))
    every = [_decided(other, snapshot.texts_at(place)) for place, other in enumerate(snapshot.items)]
    exchanges = Exchanges(every, snapshot.place(item.id))
    return SiblingTexts(tuple(decided["pass"]), tuple(decided["fail"]), common, exchanges)


def _decided(item: Item, texts: Iterable[SnapshotText]) -> dict[str, Polarity]:
    """What is known of an item: exact rules, examples, and what is decided of these texts."""
    known: dict[str, Polarity] = {rule.value: rule.polarity for rule in item.rules if rule.kind == "exact"}
    known |= {text: polarity for polarity, found in item.examples.by_polarity() for text in found}
    return known | {
        text.value: "pass" if text.finding.verdict == Verdict.PASS else "fail" for text in texts if text.decided
    }


def sum_up(previews: Sequence[RulePreview]) -> str:
    """What a change does to several items together: `warning → fail 7 outputs (5 texts)`."""
    outputs: Counter[Move] = Counter()
    texts: Counter[Move] = Counter()
    for preview in previews:
        outputs.update(preview.moves)
        texts.update(preview.moved)
    parts = say_moves(outputs, texts)
    against = sum(len(preview.contradicted) for preview in previews)
    return (
        " · ".join(parts + ([f"contradicts {plural(against, 'judgement')}"] if against else [])) or "changes no verdict"
    )


def open_item(
    reader: Reader, item_id: str, told: str = "", meanwhile: Sequence[Event] = (), judged: int = 0
) -> ItemPage:
    """The page of an item; `judged` is a text that was judged just now."""
    snapshot = reader.snapshot
    place = snapshot.place(item_id)
    versions = rule_edits.versions_of(reader, item_id)
    item, texts = snapshot.items[place], snapshot.texts_at(place)
    views = [reader.show(text) for text in texts]
    missing = [view for view, text in zip(views, texts, strict=True) if text.finding.reason == "missing"]
    shown = [view for view, text in zip(views, texts, strict=True) if text.finding.reason != "missing"]
    shown.sort(key=lambda view: -view.written)
    authors = dict(zip(versions[0].item.rules, versions[0].authors, strict=True)) if versions else {}
    return ItemPage(
        item=item,
        tested=tested(snapshot, item),
        base=snapshot.version_ids[place],
        rows=rows_of(item.rules, snapshot, place, authors),
        groups={verdict: [view for view in shown if view.verdict == verdict] for verdict in GROUPS},
        missing=[name for view in missing for name in view.systems],
        previous=snapshot.items[place - 1].id if place else None,
        following=snapshot.items[place + 1].id if place + 1 < len(snapshot.items) else None,
        waiting=_next_waiting(snapshot, place),
        versions=versions,
        tags=known_tags(snapshot),
        scale=scale(snapshot),
        guideline=guideline_of(snapshot, item),
        told=told,
        meanwhile=meanwhile,
        members=[other for other in snapshot.items if item.group and other.group == item.group and other is not item],
        judged=judged,
    )


def item_texts(reader: Reader, item_id: str) -> list[SnapshotText]:
    """The texts of an item; who wrote and judged them is for the reader to tell."""
    return reader.snapshot.texts_at(reader.snapshot.place(item_id))


def show_preview(
    visit: Visit, item_id: str, rules: Sequence[Rule], *, shown: bool = True
) -> tuple[Snapshot, RulePreview]:
    """What new rules would do to an item. Where they contradict a judgement, that tells what somebody said."""
    with visit.reading() as reader:
        snapshot = reader.snapshot
    # Between two transactions: a trial may take seconds, and others need the connection.
    found = preview_rules(visit.try_rules, snapshot, item_id, rules)
    if found.contradicted:
        with visit.reading() as reader:
            for entry in found.contradicted:
                reader.votes(entry.text)
            reader.ask_first(shown=shown)
    return snapshot, found


def preview_with_siblings(
    visit: Visit, item_id: str, rules: Sequence[Rule]
) -> tuple[RulePreview, list[tuple[Item, tuple[Rule, ...]]]]:
    """The same, and the items that could get the same change, each with the rules that it would have."""
    snapshot, found = show_preview(visit, item_id, rules)
    found.need_rules()
    return found, siblings(snapshot, item_id, rules) if found.known else []


def _then(snapshot: Snapshot, place: int, foresight: RulePreview) -> list[PreviewedText]:
    """Each text of the item with the marks of the typed rules."""
    changed = {entry.text.id: str(entry.finding.verdict) for entry in foresight.changed}
    contradicted = {entry.text.id for entry in foresight.contradicted}
    found = []
    for text_id in snapshot.by_item[place]:
        value = snapshot.texts[text_id].value
        if snapshot.texts[text_id].finding.reason == "missing":
            continue
        if text_id in foresight.findings:
            spans = marks(foresight.findings[text_id], value)
        else:
            spans = [
                (*trace.spans[text_id], trace.rule.polarity)
                for trace in foresight.traces
                if text_id in trace.spans and trace.rule.kind != "exact"
            ]
        found.append(PreviewedText(text_id, value, spans, changed.get(text_id, ""), text_id in contradicted))
    return found


def _next_waiting(snapshot: Snapshot, place: int) -> str | None:
    """The next item that has a text to judge, around the end of the suite."""
    places = sorted({task.place for task in snapshot.undisputed} - {place})
    after = [other for other in places if other > place] or places
    return snapshot.items[after[0]].id if after else None


def _line(event: Event, text: str, *, undone: bool) -> ItemHistoryLine:
    words = {
        "skip": "skipped",
        "question": "asked about it",
        "undo": "took back a judgement",
        "adjudication": f"decided {event.verdict}",
    }
    said = words.get(event.kind, f"judged {event.verdict}" + (" (from a file)" if event.kind == "import" else ""))
    return ItemHistoryLine(event.created, event.by, said, text, event.comment, undone)
