"""Use cases of whoever edits rules: what would change, saving, versions, siblings.

    preview = preview_rules(visit.try_rules, snapshot, "lexical-ambiguity/schloss", rules)
    save_rules(visit, RuleEdit("lexical-ambiguity/schloss", rules, base=17))

Rules that somebody typed are neither compiled nor tried in this process, only in one that may fail (`Try`); what that
found out is also what is written when they are saved.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from assay.errors import BadOption, UnknownName
from assay.suites import KINDS, POLARITIES, Item, Rule
from assay.suites.kinds import is_kind, kind_names
from assay.text import plural
from assay.verdicts import TIME_LIMIT, Finding, Verdict
from assay.workbench.db.outputs import judge_again, texts_of
from assay.workbench.db.revisions import save_items
from assay.workbench.db.ruled import Rulings, ruled_as, rules_hash
from assay.workbench.db.suites import ItemVersion, item_versions
from assay.workbench.files.history_records import without_folder
from assay.workbench.items.rule_trial import RuleProblem, RuleTrace, RuleTrial, RuleTrials, TriedRules
from assay.workbench.people.roles import User
from assay.workbench.reader import Change, Reader
from assay.workbench.sandbox import NotFinished
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.visit import Visit

LONGEST_RULE = 10_000
LONGEST_SCOPE = 200
MOST_RULES = 1_000

FORESIGHT_SECONDS: Final = 5.0
"""How long all rules together may take on all texts of an item, and of the siblings that get the same change."""

Move = tuple[Verdict, Verdict]

Try = Callable[[RuleTrials], list[TriedRules]]
"""Tries rules on texts, as `try_rules` does; that of a visit does it in another process."""


class BadRule(BadOption):
    """A rule that cannot be used: what is wrong with it, and the position (from 0) where that is known."""

    def __init__(self, rule: str, problem: str, position: int | None = None) -> None:
        place = f" at position {position}" if position is not None else ""
        super().__init__(f"{rule} {problem}{place}")
        self.problem, self.position = problem + place, position


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A text whose verdict would change, or whose judgement the rules would contradict."""

    text: SnapshotText
    finding: Finding
    systems: int


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What new rules would do to an item.

    `moves` counts outputs of all systems and campaigns by (verdict now, verdict then); settled texts keep theirs.
    `moved` counts the texts that these outputs are.
    `contradicted` are judged texts of which the new rules say the opposite; `broken` examples of the item that would
    no longer be judged as they should. `problems` are rules that do not compile; the others are tried without them.
    `slow` are rules that run out of time, and `stopped` says that all of them together did, or that the trial failed
    for the reason in `failure`: in either case nothing else is known. `findings` has what the new rules say of each
    text, `traces` where each of them matches.
    """

    item: Item
    traces: Sequence[RuleTrace]
    moves: Mapping[Move, int] = field(default_factory=dict)
    changed: Sequence[ChangedText] = ()
    contradicted: Sequence[ChangedText] = ()
    broken: Sequence[str] = ()
    findings: Mapping[int, Finding] = field(default_factory=dict)
    slow: Sequence[Rule] = ()
    stopped: bool = False
    failure: str = ""
    problems: Mapping[Rule, BadRule] = field(default_factory=dict)

    @property
    def moved(self) -> dict[Move, int]:
        """Distinct texts by (verdict now, verdict then)."""
        counts = Counter((entry.text.finding.verdict, entry.finding.verdict) for entry in self.changed)
        return {move: counts[move] for move in self.moves}

    @property
    def known(self) -> bool:
        """Whether the rules were tried to the end."""
        return not self.slow and not self.stopped

    def need_rules(self) -> None:
        """Raise what is wrong with the first rule that cannot be used."""
        if self.problems:
            raise next(iter(self.problems.values()))

    @property
    def summary(self) -> str:
        """`warning → pass 7 outputs (3 texts) · pass → warning 1 output (1 text) · contradicts 1 judgement`."""
        if self.slow:
            return f"{len(self.slow)} rule{'s take' if len(self.slow) > 1 else ' takes'} too long"
        if self.failure:
            return self.failure
        if self.stopped:
            return f"stopped after {FORESIGHT_SECONDS:g} s: the rules together take too long"
        parts = say_moves(self.moves, self.moved)
        if self.contradicted:
            number = len(self.contradicted)
            parts.append(f"contradicts {number} judgement{'s' if number > 1 else ''}")
        if self.broken:
            parts.append(f"breaks {len(self.broken)} example{'s' if len(self.broken) > 1 else ''}")
        return " · ".join(parts) or "changes no verdict"


def say_moves(outputs: Mapping[Move, int], texts: Mapping[Move, int]) -> list[str]:
    """`warning → pass 7 outputs (3 texts)`."""
    return [
        f"{old} → {new} {plural(number, 'output')} ({plural(texts[old, new], 'text')})"
        for (old, new), number in outputs.items()
    ]


@dataclass(frozen=True, slots=True)
class RuleEdit:
    """New rules of an item, made from its version `base`; `siblings` get the same change."""

    item: str
    rules: tuple[Rule, ...]
    base: int
    comment: str = ""
    siblings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedEdit:
    """An edit that was tried: what it would do to the item, and to the siblings that get the same change."""

    edit: RuleEdit
    previews: Mapping[str, RulePreview]

    @property
    def foresight(self) -> RulePreview:
        return self.previews[self.edit.item]


def make_rule(polarity: str, kind: str, value: str, flags: str = "", note: str = "", scope: str = "") -> Rule:
    """A rule from what somebody typed; says what is wrong with it, unless one has to compile it to know."""
    if polarity not in POLARITIES:
        raise UnknownName("polarity", polarity, POLARITIES)
    if kind not in KINDS and not is_kind(kind):
        raise UnknownName("kind of rule", kind, kind_names())
    if not value.strip():
        raise BadRule("a rule", "is empty; write something or remove it")
    if len(value) > LONGEST_RULE:
        raise BadRule("a rule", f"has {len(value):,} characters; at most {LONGEST_RULE:,} are allowed")
    if flags not in ("", "i") or (flags and kind != "regex"):
        raise BadRule("a rule", f"has the flags {flags!r}; a regex may have i (ignore case), other rules have none")
    if len(scope) > LONGEST_SCOPE:
        raise BadRule("a rule", f"has a scope of {len(scope):,} characters; at most {LONGEST_SCOPE:,} are allowed")
    return Rule(polarity, kind, value, flags, note, scope=scope.strip())


def preview_rules(ask: Try, snapshot: Snapshot, item_id: str, rules: Sequence[Rule]) -> RulePreview:
    """The exact consequences of giving an item these rules, over all systems and campaigns."""
    return preview_items(ask, snapshot, {item_id: rules})[item_id]


def preview_items(ask: Try, snapshot: Snapshot, wanted: Mapping[str, Sequence[Rule]]) -> dict[str, RulePreview]:
    """The same for several items, which share the time."""
    places = {name: snapshot.place(name) for name in wanted}
    trials = tuple(
        RuleTrial(
            _with_rules(snapshot, places[name], rules),
            tuple((text.id, text.value) for text in snapshot.texts_at(places[name])),
        )
        for name, rules in wanted.items()
    )
    try:
        tried = ask(RuleTrials(trials, FORESIGHT_SECONDS))
    except NotFinished as error:
        return {
            name: RulePreview(_with_rules(snapshot, places[name], rules), (), stopped=True, failure=str(error))
            for name, rules in wanted.items()
        }
    return {
        name: _preview(snapshot, places[name], tuple(rules), found)
        for (name, rules), found in zip(wanted.items(), tried, strict=True)
    }


def _with_rules(snapshot: Snapshot, place: int, rules: Sequence[Rule]) -> Item:
    return replace(snapshot.items[place], rules=tuple(rules))


def _preview(snapshot: Snapshot, place: int, rules: tuple[Rule, ...], tried: TriedRules) -> RulePreview:
    item = _with_rules(snapshot, place, rules)
    problems = {rules[number]: _bad_rule(rules[number], problem) for number, problem in tried.problems.items()}
    if tried.stopped:
        return RulePreview(item, tried.traces, stopped=True, problems=problems)
    slow = [found.rule for found in tried.traces if found.slow]
    if slow:
        return RulePreview(item, tried.traces, slow=slow, problems=problems)
    moves, changed, contradicted = _moves(snapshot, place, tried.findings)
    return RulePreview(
        item, tried.traces, moves, changed, contradicted, tried.broken, tried.findings, problems=problems
    )


def _bad_rule(rule: Rule, problem: RuleProblem) -> BadRule:
    return BadRule(f"the {rule.polarity} rule {rule.value!r}", f"does not compile: {problem.message}", problem.position)


def _moves(
    snapshot: Snapshot, place: int, findings: Mapping[int, Finding]
) -> tuple[dict[Move, int], list[ChangedText], list[ChangedText]]:
    """(outputs by verdict now and then, texts that change, judged texts that are contradicted)."""
    written = snapshot.written_at(place)
    moves: Counter[Move] = Counter()
    changed, contradicted = [], []
    for text_id, finding in findings.items():
        text = snapshot.texts[text_id]
        entry = ChangedText(text, finding, written.count(text_id))
        if text.settlement:
            if text.decided and finding.verdict not in (text.finding.verdict, Verdict.WARNING):
                contradicted.append(entry)
        elif finding.verdict != text.finding.verdict:
            moves[text.finding.verdict, finding.verdict] += entry.systems
            changed.append(entry)
    ordered = sorted(((move, count) for move, count in moves.items() if count), key=lambda entry: -entry[1])
    return dict(ordered), changed, contradicted


def siblings(snapshot: Snapshot, item_id: str, rules: Sequence[Rule]) -> list[tuple[Item, tuple[Rule, ...]]]:
    """Items of the same phenomenon that could get the same change, with the rules they would have.

    Where the change takes rules away, siblings are the items that have the very same rules.
    """
    item = snapshot.items[snapshot.place(item_id)]
    gone, new = difference(item.rules, tuple(rules))
    if not gone and not new:
        return []
    found = []
    for other in snapshot.items:
        if other.id == item.id or (other.category, other.phenomenon) != (item.category, item.phenomenon):
            continue
        changed = apply(other.rules, gone, new)
        if changed != other.rules and all(rule in other.rules for rule in gone):
            found.append((other, changed))
    return found


def difference(before: Sequence[Rule], after: Sequence[Rule]) -> tuple[list[Rule], list[Rule]]:
    """(rules that are gone, rules that are new)."""
    return [rule for rule in before if rule not in after], [rule for rule in after if rule not in before]


def apply(rules: Sequence[Rule], gone: Sequence[Rule], new: Sequence[Rule]) -> tuple[Rule, ...]:
    """Make a change to other rules; what is there already is not added again."""
    kept = tuple(rule for rule in rules if rule not in gone)
    return in_order((*kept, *(rule for rule in new if rule not in kept)))


def in_order(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Pass rules before fail rules, as files have them."""
    return tuple(sorted(rules, key=lambda rule: rule.polarity == "fail"))


def check_edit(user: User, ask: Try, snapshot: Snapshot, edit: RuleEdit) -> CheckedEdit:
    """Try the rules of an edit, and refuse what cannot be saved, before anything is locked."""
    user.need("annotator")
    if len(edit.rules) > MOST_RULES:
        raise BadOption(f"an item has at most {MOST_RULES:,} rules")
    edit = replace(edit, rules=in_order(edit.rules))
    wanted = {item.id: rules for item, rules in siblings(snapshot, edit.item, edit.rules) if item.id in edit.siblings}
    previews = preview_items(ask, snapshot, {edit.item: edit.rules, **wanted})
    for name, found in previews.items():
        found.need_rules()
        if found.slow:
            problem = f"takes more than {TIME_LIMIT} s on a text of {name}; make it simpler, with fewer repeats"
            raise BadRule(f"the {found.slow[0].polarity} rule {found.slow[0].value!r}", problem)
        if found.failure:
            raise BadOption(found.failure)
        if found.stopped:
            siblings_too = f" and {len(wanted)} siblings" if wanted else ""
            raise BadOption(
                f"the rules together take more than {FORESIGHT_SECONDS:g} s on the texts of {edit.item}{siblings_too}; "
                "make them simpler, or give fewer siblings the change"
            )
    return CheckedEdit(edit, previews)


def save_rules(visit: Visit, edit: RuleEdit) -> list[ItemVersion]:
    """Save an item's rules, and those of the siblings named, as one revision; returns all versions of the item."""
    with visit.reading() as reader:
        user, snapshot = reader.user, reader.snapshot
    checked = check_edit(user, visit.try_rules, snapshot, edit)
    with visit.changing() as change:
        return write_rules(change, checked)


def restore_rules(visit: Visit, item_id: str, version: int) -> list[ItemVersion]:
    """Make an earlier version's rules those of the item again, as a new version."""
    with visit.reading() as reader:
        edit = restoring(reader, item_id, version)
    return save_rules(visit, edit)


def write_rules(change: Change, checked: CheckedEdit) -> list[ItemVersion]:
    """Write rules that were tried, and what they say of the texts of their items."""
    db, snapshot, edit = change.db, change.snapshot, checked.edit
    place = snapshot.place(edit.item)
    if edit.base == snapshot.version_ids[place] and edit.rules == snapshot.items[place].rules:
        raise BadOption("nothing was changed")
    offered = {item.id: rules for item, rules in siblings(snapshot, edit.item, edit.rules)}
    for name in edit.siblings:
        if name not in offered:
            raise UnknownName("sibling", name, offered)
    wanted = {edit.item: edit.rules} | {name: offered[name] for name in edit.siblings}
    edits = {}
    for name, rules in wanted.items():
        at = snapshot.place(name)
        base = edit.base if name == edit.item else snapshot.version_ids[at]
        edits[snapshot.stored.item_ids[at]] = (replace(snapshot.items[at], rules=rules), base)
    save_items(db, snapshot.stored.id, edits, change.user, edit.comment or f"rules of {edit.item}")
    items = {item_id: item for item_id, (item, _) in edits.items()}
    judge_again(db, texts_of(db, list(edits)), items, _rulings(change, checked))
    change.read_again()
    return versions_of(change, edit.item)


def _rulings(change: Change, checked: CheckedEdit) -> Rulings:
    """What the trial found out. Texts that came since are judged here, by rules that were tried on all others."""
    known = {}
    for found in checked.previews.values():
        hashed = rules_hash(found.item)
        for text_id, finding in found.findings.items():
            text = change.snapshot.texts.get(text_id)
            if text is not None:
                known[hashed, text.value] = ruled_as(found.item, finding, hashed)
    return Rulings(known)


def versions_of(reader: Reader, item_id: str) -> list[ItemVersion]:
    """All versions of an item, the newest first. Where files lay on whose server is nobody's business."""
    snapshot = reader.snapshot
    found = item_versions(reader.db, snapshot.stored.item_ids[snapshot.place(item_id)])
    return [replace(version, comment=without_folder(version.comment)) for version in found]


def restoring(reader: Reader, item_id: str, version: int) -> RuleEdit:
    """The edit that makes an earlier version's rules those of the item again."""
    known = {found.id: found for found in versions_of(reader, item_id)}
    if version not in known:
        raise UnknownName("version", str(version), map(str, known))
    newest = max(known)
    return RuleEdit(item_id, known[version].item.rules, newest, f"revision {known[version].revision} restored")
