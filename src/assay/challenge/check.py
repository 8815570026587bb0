"""What is wrong with a challenge set, or gives its answers away, before anybody scores it.

    for found in check_set(cases):
        print(found.level, found.code, found.count, found.message)

Errors make numbers meaningless: a right and a wrong translation that are the same text. Warnings are what a reader of
the numbers should know: that the longer translation is right in nine pairs of ten, for example.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Literal

from assay.challenge.case import Case, CaseSet, Hypothesis
from assay.challenge.closeness import similarity
from assay.challenge.files.aces import ANNOTATED
from assay.challenge.script import doubts
from assay.languages import split_pair
from assay.text import normalise

FEWEST_PAIRS = 10
"""Fewer pairs than these say nothing about giveaways."""
GIVEAWAY = 0.8
"""A side that wins so often is a giveaway; the other side wins in the rest."""
_MOST_WRONG = 0.5
"""Where more texts than these are in another language, the direction is wrong and not the text."""
_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SetFinding:
    """What was found, in how many of `total`: challenge items, or pairs of hypotheses where the message says so."""

    code: str
    level: Literal["error", "warning"]
    count: int
    total: int
    message: str
    examples: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON of a check."""
        return asdict(self) | {"examples": list(self.examples)}


def check_set(cases: CaseSet) -> list[SetFinding]:
    """All that can be found in one set, errors first."""
    found = [
        *_texts(cases.cases),
        *_pairs(cases.cases),
        *_sources(cases.cases),
        *_languages(cases.cases),
        *_statements(cases.cases),
        *_giveaways(cases.cases),
    ]
    return sorted(found, key=lambda finding: finding.level)


def check_together(sets: Mapping[str, CaseSet]) -> list[SetFinding]:
    """Sources that several sets have: what one of them is tuned on is no test in another."""
    places: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, cases in sets.items():
        for case in cases.cases:
            places[case.langpair, normalise(case.source)].add(name)
    shared = [(source, names) for (_, source), names in places.items() if source and len(names) > 1]
    if not shared:
        return []
    pairs = sorted({" and ".join(sorted(names)) for _, names in shared})
    return [
        SetFinding("splits", "error", len(shared), len(places), f"sources that are in {', '.join(pairs[:3])}",
                   tuple(source[:60] for source, _ in shared[:_EXAMPLES]))
    ]  # fmt: skip


def _finding(
    code: str, level: Literal["error", "warning"], found: Sequence[Case], total: int, message: str
) -> Iterator[SetFinding]:
    """A finding about cases, if there are any."""
    if found:
        yield SetFinding(code, level, len(found), total, message, tuple(case.id for case in found[:_EXAMPLES]))


# Texts ---------------------------------------------------------------------------------------------------------------


def _texts(cases: Sequence[Case]) -> Iterator[SetFinding]:
    total = len(cases)
    bare = [case for case in cases if not case.reference]
    if len(bare) == total:
        yield from _finding("reference", "warning", bare, total, "no references: only metrics without one can score it")
    else:
        yield from _finding("reference", "error", bare, total, "without a reference, which others have")
    yield from _finding("source", "warning", [case for case in cases if not case.source], total, "with an empty source")
    empty = [case for case in cases if not all(found.text for found in case.hypotheses)]
    yield from _finding("hypothesis", "warning", empty, total, "with an empty hypothesis")
    annotated = [case for case in cases if ANNOTATED in dict(case.further)]
    yield from _finding(
        "spans", "warning", annotated, total, "whose text with error tags is another than the hypothesis"
    )


def _sources(cases: Sequence[Case]) -> Iterator[SetFinding]:
    """Cases that stand there twice, and sources in several parts of a set."""
    total = len(cases)
    same = _groups(
        cases, lambda case: (*_source(case), case.reference, *sorted(found.text for found in case.hypotheses))
    )
    doubled = [case for group in same for case in group[1:]]
    yield from _finding("doubled", "error", doubled, total, "the same source, reference and hypotheses once more")
    splits = [
        group[0]
        for group in _groups([case for case in cases if _split(case)], _source)
        if len({_split(case) for case in group}) > 1
    ]
    yield from _finding("splits", "error", splits, total, "sources that are in several splits")


def _source(case: Case) -> tuple[str, ...]:
    return case.langpair, normalise(case.source)


def _split(case: Case) -> str:
    return str(dict(case.further).get("split", ""))


def _groups(cases: Iterable[Case], key: Callable[[Case], tuple[str, ...]]) -> list[list[Case]]:
    """Cases with equal keys, where there are several."""
    found: dict[tuple[str, ...], list[Case]] = defaultdict(list)
    for case in cases:
        found[key(case)].append(case)
    return [group for group in found.values() if len(group) > 1]


# Pairs ---------------------------------------------------------------------------------------------------------------


def _better(case: Case) -> list[tuple[Hypothesis, Hypothesis]]:
    by_name = {found.name: found for found in case.hypotheses}
    return [(by_name[better], by_name[worse]) for better, worse in case.better_pairs()]


def _pairs(cases: Sequence[Case]) -> Iterator[SetFinding]:
    """Hypotheses that are the same text, or the reference."""
    total = len(cases)
    identical = [case for case in cases if any(one.text == other.text for one, other in _better(case))]
    yield from _finding("identical", "error", identical, total, "whose better and worse hypothesis are the same text")
    known = {case.id for case in identical}
    twice = [
        case
        for case in cases
        if case.id not in known and any(a.text == b.text for a, b in combinations(case.hypotheses, 2))
    ]
    yield from _finding("same", "warning", twice, total, "with two hypotheses that are the same text")
    yield from _finding(
        "both-ways",
        "error",
        list(_both_ways(cases)),
        total,
        "whose better text is the worse one of another with its source",
    )
    worse = [case for case in cases if case.reference and any(b.text == case.reference for _, b in _better(case))]
    yield from _finding("worse-reference", "error", worse, total, "whose worse hypothesis is the reference")
    known = {case.id for case in worse}
    equal = [case for case in cases if case.id not in known and _is_reference(case)]
    yield from _finding("is-reference", "warning", equal, total, "with a hypothesis that is the reference")


def _is_reference(case: Case) -> bool:
    return any(
        found.text and found.text == reference.text for found in case.hypotheses for reference in case.references
    )


def _both_ways(cases: Sequence[Case]) -> Iterator[Case]:
    worse: dict[tuple[tuple[str, ...], str], set[str]] = defaultdict(set)
    for case in cases:
        for _, bad in _better(case):
            worse[_source(case), bad.text].add(case.id)
    for case in cases:
        if any(worse.get((_source(case), good.text), set()) - {case.id} for good, _ in _better(case)):
            yield case


def _statements(cases: Sequence[Case]) -> Iterator[SetFinding]:
    """Cases that say nothing where others do, and relations that people's scores contradict."""
    total = len(cases)
    silent = [case for case in cases if not case.relations and not any(found.human for found in case.hypotheses)]
    if len(silent) < total:
        yield from _finding(
            "nothing-said", "warning", silent, total, "that say nothing about their hypotheses, as others do"
        )
    against = [case for case in cases if any(_is_lower(good, bad) for good, bad in _better(case))]
    yield from _finding("human", "warning", against, total, "whose better hypothesis has a lower human score")


def _is_lower(good: Hypothesis, bad: Hypothesis) -> bool:
    scores = dict(bad.human)
    return any(kind in scores and score < scores[kind] for kind, score in good.human)


# Languages -----------------------------------------------------------------------------------------------------------


def _languages(cases: Sequence[Case]) -> Iterator[SetFinding]:
    """Sources, references and better hypotheses that are not in the language that the set claims."""
    parts: dict[str, list[tuple[Case, bool]]] = defaultdict(list)
    for case in cases:
        source, target = split_pair(case.langpair)
        if not source or not target:
            continue
        parts["source"].append((case, doubts(case.source, source)))
        parts["reference"] += [(case, doubts(case.reference, target))] if case.reference else []
        good = {found.text for found, _ in _better(case)}
        parts["better hypothesis"] += [(case, any(doubts(text, target) for text in good))] if good else []
    for part, checked in parts.items():
        found = [case for case, is_doubted in checked if is_doubted]
        wrong = len(found) > _MOST_WRONG * len(checked)
        message = f"whose {part} is not in the language of the set" + (
            ", which has the wrong direction" if wrong else ""
        )
        yield from _finding("language", "error" if wrong else "warning", found, len(checked), message)


# Giveaways -----------------------------------------------------------------------------------------------------------


def _giveaways(cases: Sequence[Case]) -> Iterator[SetFinding]:
    """Labels, and the whole set, in which length or what is left of the source tells the better hypothesis."""
    near = similarity()
    measures: dict[str, tuple[str, str, Callable[[Case, str], float]]] = {
        "length": ("the longer hypothesis", "the shorter hypothesis", lambda _, text: len(text)),
        "copy": (
            "the hypothesis that is more like the source",
            "the hypothesis that is less like the source",
            lambda case, text: near(case.source, text),
        ),
    }
    for code, (more, less, measure) in measures.items():
        wins: dict[str, Counter[int]] = defaultdict(Counter)
        for case in cases:
            for good, bad in _better(case):
                difference = measure(case, good.text) - measure(case, bad.text)
                sign = (difference > 0) - (difference < 0)
                for label in {"", case.labels[-1] if case.labels else ""}:
                    wins[label][sign] += 1
        for label, counts in wins.items():
            yield from _giveaway(code, f" of {label}" if label else "", counts, {1: more, -1: less})


def _giveaway(code: str, label: str, counts: Counter[int], sides: Mapping[int, str]) -> Iterator[SetFinding]:
    total = counts.total()
    for sign, side in sides.items():
        if total >= FEWEST_PAIRS and counts[sign] >= GIVEAWAY * total:
            share = counts[sign] / total
            yield SetFinding(
                code, "warning", counts[sign], total, f"{side} is better in {share:.0%} of the pairs{label}"
            )
