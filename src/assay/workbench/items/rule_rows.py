"""Rules as they stand in the editor of the item page, and what there is to say beside each.

rules, problems = read_rules([Typed("r0", "pass", "regex", "(lock", "x")])
problems["r0"].problem      # "has the flags 'x'; a regex may have i (ignore case), other rules have none"
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from assay.errors import BadOption
from assay.suites import Rule
from assay.suites.kinds import get_kind, is_kind
from assay.workbench.items.rule_edits import BadRule, RulePreview, make_rule
from assay.workbench.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Typed:
    """A rule as it stands in the editor; `row` names its place there."""

    row: str
    polarity: str
    kind: str
    value: str
    flags: str = ""
    note: str = ""
    scope: str = ""


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule in the editor, and what there is to say beside it.

    `decides` counts the texts whose verdict rests on it, `matches` those in which it is found; both None where it
    cannot be used. `problem` says why, `position` where in the rule.
    """

    typed: Typed
    decides: int | None
    matches: int | None
    problem: str = ""
    position: int | None = None
    by: str = ""
    on: str = ""


def typed_rule(number: int, rule: Rule) -> Typed:
    """A rule as the editor shows it."""
    return Typed(f"r{number}", rule.polarity, rule.kind, rule.value, rule.flags, rule.note, rule.scope)


def read_rules(typed: Iterable[Typed]) -> tuple[dict[str, Rule | None], dict[str, BadRule]]:
    """Row -> the rule, None where it is empty or wrong; row -> what is wrong. Patterns are not compiled here."""
    rules: dict[str, Rule | None] = {}
    problems: dict[str, BadRule] = {}
    for entry in typed:
        if entry.row in rules:
            raise BadOption(f"two rules stand in the row {entry.row!r}; load the page again")
        rules[entry.row] = None
        value = entry.value if entry.value.strip() or not is_kind(entry.kind) else get_kind(entry.kind).default
        if not value.strip():
            continue
        flags = entry.flags if entry.kind == "regex" else ""
        try:
            rules[entry.row] = make_rule(
                entry.polarity, entry.kind, value, flags, entry.note.strip(), entry.scope.strip()
            )
        except BadRule as problem:
            problems[entry.row] = problem
    return rules, problems


def needed(typed: Iterable[Typed]) -> list[Rule]:
    """The rules, or what is wrong with the first that cannot be tried. Empty ones are left out."""
    rules, problems = read_rules(typed)
    if problems:
        raise next(iter(problems.values()))
    return [rule for rule in rules.values() if rule is not None]


def rows_of(
    rules: Sequence[Rule], snapshot: Snapshot, place: int, authors: Mapping[Rule, tuple[str, str]]
) -> list[RuleRow]:
    texts = snapshot.texts_at(place)
    rows = []
    for number, rule in enumerate(rules):
        decides = sum(any(found.rule == rule for found in text.finding.evidence) for text in texts)
        by, on = authors.get(rule, ("", ""))
        rows.append(RuleRow(typed_rule(number, rule), decides, None, by=by, on=on[:10]))
    return rows


def judged_row(
    typed: Typed, rule: Rule | None, problem: BadRule | None, foresight: RulePreview, snapshot: Snapshot
) -> RuleRow:
    if problem is not None:
        return RuleRow(typed, None, None, problem.problem, problem.position)
    if rule is None:
        return RuleRow(typed, None, None, "empty: left out when you save")
    if rule in foresight.slow:
        return RuleRow(typed, None, None, "takes too long; make it simpler, with fewer repeats")
    if foresight.stopped:
        return RuleRow(typed, None, None, "not tried on all texts")
    found = next((trace for trace in foresight.traces if trace.rule == rule), None)
    decides = [
        text_id
        for text_id, finding in foresight.findings.items()
        if any(evidence.rule == rule for evidence in finding.evidence) and not snapshot.texts[text_id].settlement
    ]
    return RuleRow(typed, len(decides), len([key for key in found.spans if key > 0]) if found else None)
