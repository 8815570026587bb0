"""Use cases of the item page: its texts and rules, what typed rules would do, saving, versions, siblings.

inspection = Inspection(desk, user, "assay-de-en", "lexical-ambiguity/schloss")
inspection.preview([Typed("r0", "pass", "regex", r"\block\b")]).foresight.summary
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from assay.errors import Overtaken, UnknownName
from assay.suggest.proposals import Proposal
from assay.suites import Item, Polarity, Rule
from assay.verdicts import Event
from assay.workbench.db.judgements import events_of
from assay.workbench.db.suites import ItemVersion
from assay.workbench.items import rule_edits
from assay.workbench.items.rule_edits import RuleEdit, RulePreview, difference, in_order, preview_rules, siblings
from assay.workbench.items.rule_rows import RuleRow, Typed, judged_row, needed, read_rules, rows_of, typed_rule
from assay.workbench.people.roles import User
from assay.workbench.queue.desk import AnnotatorAnswer, Desk, known_tags, scale, undisputed
from assay.workbench.queue.neighbours import proposals
from assay.workbench.queue.queue_page import NO_DRAFT, Draft
from assay.workbench.snapshot import Snapshot
from assay.workbench.text_view import Mark, TextView, holding, languages, marks, show_text, tested

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

    suite: str
    item: Item
    source: str
    target: str
    tested: str
    base: int
    rows: Sequence[RuleRow]
    groups: Mapping[str, Sequence[TextView]]
    missing: Sequence[str]
    previous: str | None
    following: str | None
    waiting: str | None
    editable: bool
    user: str
    versions: Sequence[ItemVersion]
    tags: Mapping[str, str]
    scale: int | None
    told: str = ""
    meanwhile: Sequence[Event] = ()

    @property
    def texts(self) -> int:
        return sum(len(found) for found in self.groups.values())


@dataclass(frozen=True)
class Inspection:
    """Somebody at the page of an item."""

    desk: Desk
    user: User
    suite: str
    item: str

    @property
    def board(self) -> Snapshot:
        return self.desk.boards.get(self.suite)

    @property
    def target(self) -> str:
        """The language of the texts."""
        return languages(self.board)[1]

    def open(self, told: str = "", meanwhile: Sequence[Event] = ()) -> ItemPage:
        """The page. Whoever sees it has seen who wrote the texts and how they were judged."""
        versions = rule_edits.versions_of(self.desk.store, self.desk.boards, self.suite, self.item)
        board = self.board
        place = board.place(self.item)
        item, texts = board.items[place], [board.texts[text_id] for text_id in board.by_item[place]]
        self.desk.reveal(self.user, (text.id for text in texts), "systems")
        judged = (text.id for text in texts if text.settlement and holding(text.settlement))
        self.desk.reveal(self.user, judged, "judgements")
        shown = [show_text(board, text) for text in texts if text.finding.reason != "missing"]
        missing = [show_text(board, text) for text in texts if text.finding.reason == "missing"]
        shown.sort(key=lambda text: -text.written)
        authors = dict(zip(versions[0].item.rules, versions[0].authors, strict=True)) if versions else {}
        source, target = languages(board)
        return ItemPage(
            suite=self.suite,
            item=item,
            source=source,
            target=target,
            tested=tested(board, item),
            base=board.version_ids[place],
            rows=rows_of(item.rules, board, place, authors),
            groups={verdict: [text for text in shown if text.verdict == verdict] for verdict in GROUPS},
            missing=[name for text in missing for name in text.systems],
            previous=board.items[place - 1].id if place else None,
            following=board.items[place + 1].id if place + 1 < len(board.items) else None,
            waiting=_next_waiting(board, place),
            editable=self.user.may("annotator"),
            user=self.user.name,
            versions=versions,
            tags=known_tags(board),
            scale=scale(board),
            told=told,
            meanwhile=meanwhile,
        )

    # Rules

    def preview(self, typed: Sequence[Typed]) -> EditPreview:
        """What the typed rules would do; the marks follow also while one of them cannot be used."""
        board = self.board
        rules, problems = read_rules(typed)
        usable = in_order([rule for rule in rules.values() if rule is not None])
        foresight = preview_rules(board, self.item, usable)
        now = tuple(rule for rule in board.items[board.place(self.item)].rules if not rule.is_blank)
        broken = len(problems) + len(foresight.slow)
        return EditPreview(
            rows=[judged_row(entry, rules[entry.row], problems.get(entry.row), foresight, board) for entry in typed],
            texts=_then(board, board.place(self.item), foresight),
            foresight=None if broken or foresight.stopped else foresight,
            problems=broken,
            changed=usable != now,
            siblings=0 if broken or foresight.stopped else len(siblings(board, self.item, usable)),
            stopped=foresight.summary if foresight.stopped else "",
        )

    def siblings(self, typed: Sequence[Typed]) -> list[SiblingPreview]:
        """The items that could get the same change, each with what it would do there."""
        board = self.board
        offered = siblings(board, self.item, needed(typed))[:SHOWN_SIBLINGS]
        until = rule_edits.deadline()
        return [SiblingPreview(item, preview_rules(board, item.id, rules, until=until)) for item, rules in offered]

    def save(
        self, typed: Sequence[Typed], *, base: int, comment: str = "", also: Sequence[str] = ()
    ) -> ItemPage | EditConflict:
        """Save the typed rules as a new version, and the same change to the siblings named."""
        rules = needed(typed)
        foresight = preview_rules(self.board, self.item, rules)
        edit = RuleEdit(self.item, tuple(rules), base, comment.strip(), tuple(also))
        desk = self.desk
        try:
            versions = rule_edits.save_rules(desk.store, desk.boards, self.suite, self.user, edit)
        except Overtaken:
            return self._conflict(rules, base)
        told = f"Saved as revision {versions[0].revision}: {foresight.summary}."
        if also:
            told += f" {len(also)} sibling{'s' if len(also) > 1 else ''} got the same change."
        return self.open(told)

    def _conflict(self, rules: Sequence[Rule], base: int) -> EditConflict:
        versions = rule_edits.versions_of(self.desk.store, self.desk.boards, self.suite, self.item)
        known = {version.id: version for version in versions}
        before, theirs = known[base].item.rules if base in known else (), versions[0]
        merged = rule_edits.apply(theirs.item.rules, *difference(before, rules))
        gone, new = difference(before, theirs.item.rules)
        return EditConflict(
            theirs, gone, new, [RuleRow(typed_rule(number, rule), None, None) for number, rule in enumerate(merged)]
        )

    def compare(self, old: int, new: int) -> VersionComparison:
        """What changed between two versions."""
        versions = rule_edits.versions_of(self.desk.store, self.desk.boards, self.suite, self.item)
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
            foresight=None if same else preview_rules(self.board, self.item, first.item.rules),
        )

    def restore(self, version: int) -> ItemPage:
        """Make an earlier version's rules those of the item again."""
        desk = self.desk
        versions = rule_edits.restore(
            desk.store, desk.boards, self.suite, self.user, item_id=self.item, version=version
        )
        return self.open(f"Saved as revision {versions[0].revision}: {versions[0].comment}.")

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
        outcome = self.desk.judge(self.user, self.suite, answer)
        holding = {event.id for event in outcome.text.settlement.votes.values()} if outcome.text.settlement else set()
        return self.open(meanwhile=[event for event in outcome.meanwhile if event.id in holding])

    def withdraw(self, text_id: int) -> ItemPage:
        """Take back one's own judgement of a text."""
        vote = self.desk.withdraw(self.user, self.suite, text_id)
        return self.open("Your judgement is taken back." if vote else "You have not judged this text.")

    def propose(self, ticks: Sequence[str]) -> Sequence[Proposal]:
        """Rules that tell the texts ticked as right from those ticked as wrong: `right:17`, `wrong:18`."""
        board = self.board
        place = board.place(self.item)
        rest = {str(text_id): board.texts[text_id].value for text_id in board.by_item[place]}
        said: dict[str, list[str]] = {"right": [], "wrong": []}
        for tick in ticks:
            side, _, text_id = tick.partition(":")
            if side in said and text_id in rest:
                said[side].append(rest.pop(text_id))
        return proposals(said["right"], said["wrong"], list(rest.values()))

    def history(self) -> list[ItemHistoryLine]:
        """Judgements of the item's texts and its versions, the newest first. Whoever looks has seen them."""
        board = self.board
        place = board.place(self.item)
        deeds = [
            ItemHistoryLine(version.created, version.by, f"revision {version.revision}", comment=version.comment)
            for version in rule_edits.versions_of(self.desk.store, self.desk.boards, self.suite, self.item)
        ]
        told = []
        with self.desk.store.reading() as db:
            for text_id in board.by_item[place]:
                events = events_of(db, text_id)
                undone = {event.undoes for event in events}
                deeds += [_deed(event, board.texts[text_id].value, undone=event.id in undone) for event in events]
                if any(event.verdict and event.by != self.user.name for event in events):
                    told.append(text_id)
        self.desk.reveal(self.user, told, "judgements")
        return sorted(deeds, key=lambda deed: deed.created, reverse=True)


def _then(board: Snapshot, place: int, foresight: RulePreview) -> list[PreviewedText]:
    """Each text of the item with the marks of the typed rules."""
    changed = {entry.text.id: str(entry.finding.verdict) for entry in foresight.changed}
    contradicted = {entry.text.id for entry in foresight.contradicted}
    found = []
    for text_id in board.by_item[place]:
        value = board.texts[text_id].value
        if board.texts[text_id].finding.reason == "missing":
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


def _next_waiting(board: Snapshot, place: int) -> str | None:
    """The next item that has a text to judge, around the end of the suite."""
    places = sorted({task.place for task in undisputed(board)} - {place})
    after = [other for other in places if other > place] or places
    return board.items[after[0]].id if after else None


def _deed(event: Event, text: str, *, undone: bool) -> ItemHistoryLine:
    words = {"skip": "skipped", "undo": "took back a judgement", "adjudication": f"decided {event.verdict}"}
    said = words.get(event.kind, f"judged {event.verdict}" + (" (from a file)" if event.kind == "import" else ""))
    return ItemHistoryLine(event.created, event.by, said, text, event.comment, undone)
