"""Use case: measure what suggestions are worth, on texts whose verdict is known.

    texts = exam(inputs, ExamTexts())
    measure(texts, answer(texts.questions, run), run.suggester)     # for `calibration_report`

Each text is left out of what is known about it. What counts is how suggestions do on texts like those that wait for a
linguist: the default are texts that would wait if nobody had judged them.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal, get_args

from assay.errors import BadFile, BadOption, UnknownName
from assay.evaluation import judge_files
from assay.outputs import Inputs
from assay.result import Signature, exact_name
from assay.suggest.calibration import Calibration, Trial, calibrate
from assay.suggest.run import VERDICTS, Answers, DecidedText, Knowledge, decided_texts
from assay.suggest.suggester import Question, Suggester
from assay.suites import Polarity, Suite
from assay.text import NORMALISATION, normalise
from assay.verdicts import Verdict, VerdictTable, judge_texts
from assay.verdicts.events import read_events
from assay.verdicts.judgements import Event, settle_events

On = Literal["undecided", "new", "exact", "decided"]
ON: Final[tuple[On, ...]] = get_args(On)
"""Texts to test: those that are undecided without judgements and exact rules; of these the ones that a single system
wrote, from what the others wrote; all that a judgement or an exact rule decides; or all that the rules decide."""

PARTS: Final = 5
"""So many parts of the undecided texts are hidden in turn, so that twins do not always help each other."""


@dataclass(frozen=True, slots=True)
class ExamTexts:
    """Which texts are tested. `judgements` is a file of the workbench's export: only what was judged blind counts."""

    on: On | None = None
    number: int | None = None
    seed: int = 1
    judgements: Path | None = None


@dataclass(frozen=True, slots=True)
class Exam:
    """Texts with a verdict, and the questions they make without it. `basis` says in words which they are.

    `new` is the harder exam beside the usual one: what suggestions are worth on a system of which nothing was judged.
    """

    suite: Suite
    decided: list[DecidedText]
    questions: list[Question]
    basis: str
    new: "Exam | None" = None


def exam(inputs: Inputs, sample: ExamTexts, *, systems: Sequence[str] = (), exclude: Sequence[str] = ()) -> Exam:
    """The texts that a suggester is tested on, each left out of what is known.

    Known are the other texts that systems wrote; a text that is the only one of its item is not tested, unless it is
    one that waited: having nothing to say about it is then part of the result.
    """
    table = judge_files(inputs, systems=systems, exclude=exclude, keep_all=True)
    decided = decided_texts(table)
    tested, basis = _tested(table, decided, sample)
    if basis == _BASIS["undecided"]:
        pairs = list(_in_parts(table.suite, decided, tested))
    elif basis == _BASIS["new"]:
        pairs = list(_left_out(table, decided, tested))
    else:
        known = Knowledge(table.suite, decided, with_suite=False)
        questions = [known.question(table.suite.items[one.place], one.text) for one in tested]
        pairs = [pair for pair in zip(tested, questions, strict=True) if pair[1].known]
    if not pairs and basis == _BASIS["new"]:
        raise BadOption("no text to test suggestions on: none that only judgements decide is of one system alone")
    if not pairs:
        raise BadOption("no text to test suggestions on: no item has two texts with a verdict")
    new = list(_left_out(table, decided, tested)) if basis == _BASIS["undecided"] and sample.number is None else []
    if sample.number is not None and sample.number < len(pairs):
        chosen = sorted(random.Random(sample.seed).sample(range(len(pairs)), sample.number))
        pairs = [pairs[place] for place in chosen]
        basis += f", a sample of {sample.number:,} (seed {sample.seed})"
    return Exam(
        table.suite,
        [one for one, _ in pairs],
        [one for _, one in pairs],
        basis,
        Exam(table.suite, [one for one, _ in new], [one for _, one in new], _BASIS["new"]) if new else None,
    )


def _left_out(
    table: VerdictTable, decided: Sequence[DecidedText], tested: Sequence[DecidedText]
) -> Iterator[tuple[DecidedText, Question]]:
    """Questions about what a single system wrote, from what all others wrote, system by system.

    In five parts most texts have neighbours that their own system's rivals wrote and somebody judged, and half of them
    are what everybody writes. What a new system brings is what nobody wrote before.
    """
    wanted = {(one.place, one.text): one for one in tested}
    writers: dict[DecidedText, set[int]] = {}
    for place in sorted({one.place for one in tested}):
        for column, code in enumerate(table.outputs.codes[place].tolist()):
            one = wanted.get((place, normalise(table.outputs.texts[code]))) if code >= 0 else None
            if one:
                writers.setdefault(one, set()).add(column)
    columns = range(len(table.outputs.systems))
    for column in columns if len(columns) > 1 else ():
        part = {one: None for one in tested if writers.get(one) == {column}}
        if part:
            known = Knowledge(table.suite, [one for one in decided if one not in part], with_suite=False)
            for one in part:
                yield one, known.question(table.suite.items[one.place], one.text)


def _in_parts(
    suite: Suite, decided: Sequence[DecidedText], tested: Sequence[DecidedText]
) -> Iterator[tuple[DecidedText, Question]]:
    """Questions about a part of the texts from all others."""
    parts: list[set[DecidedText]] = [set() for _ in range(PARTS)]
    for one in tested:
        parts[int(_hash((suite.items[one.place].id, one.text)), 16) % PARTS].add(one)
    for part in parts:
        known = Knowledge(suite, [one for one in decided if one not in part], with_suite=False)
        for one in tested:
            if one in part:
                yield one, known.question(suite.items[one.place], one.text)


def measure(texts: Exam, answers: Answers, suggester: Suggester) -> Calibration:
    """Suggested verdicts beside the known ones, in the order of the suite's categories."""
    trials = [
        Trial(question.item, question.text, one.verdict, suggestion)
        for one, question, suggestion in zip(texts.decided, texts.questions, answers.suggestions, strict=True)
    ]
    suite = texts.suite
    ranks = {category: rank for rank, category in enumerate(suite.taxonomy)}
    calibration = calibrate(sorted(trials, key=lambda trial: ranks[trial.item.category]))
    return replace(
        calibration,
        title=f"{suite.name} ({suite.langpair})",
        suggester=suggester.name,
        basis=texts.basis,
        signature=_signature(texts, suggester),
        parameters=suggester.parameters,
    )


def _signature(texts: Exam, suggester: Suggester) -> Signature:
    """What the numbers depend on: suite, texts with their verdicts, suggester with its parameters."""
    suite = texts.suite
    decided = [(suite.items[one.place].id, one.text, int(one.verdict)) for one in texts.decided]
    return Signature.of(
        {
            **suite.signature_fields,
            "norm": NORMALISATION,
            "suggester": exact_suggester(suggester),
            "texts": _hash(decided),
        }
    )


def exact_suggester(suggester: Suggester) -> str:
    """The name of a suggester with all that its suggestions depend on."""
    return exact_name(suggester.name, _hash(sorted(suggester.parameters.items())))


def _hash(value: object) -> str:
    return sha256(repr(value).encode(errors="backslashreplace")).hexdigest()[:12]


_BASIS: Final[Mapping[On, str]] = {
    "undecided": "distinct texts that are undecided without judgements and exact rules, from all others in five parts",
    "new": "texts of a single system that are undecided without judgements and exact rules, from those of all others",
    "exact": "distinct texts that a judgement or an exact rule decides",
    "decided": "distinct texts that the rules decide",
}


def _tested(table: VerdictTable, decided: list[DecidedText], sample: ExamTexts) -> tuple[list[DecidedText], str]:
    if sample.judgements is not None:
        if sample.on is not None:
            raise BadOption("--judgements names the texts itself; leave --on out")
        return _blind(table.suite, sample.judgements), "texts that were judged blind"
    exact = [one for one in decided if one.is_exact]
    on = sample.on or ("undecided" if exact else "decided")
    if on not in ON:
        raise UnknownName("kind of texts", on, ON)
    if on == "decided":
        return decided, _BASIS[on]
    if not exact:
        raise BadOption("no output is decided by a judgement or an exact rule; use --on decided")
    return (exact if on == "exact" else would_wait(table, exact)), _BASIS[on]


def would_wait(table: VerdictTable, exact: Sequence[DecidedText]) -> list[DecidedText]:
    """Those that no other rule decides."""
    items = [replace(item, rules=tuple(rule for rule in item.rules if rule.kind != "exact")) for item in table.suite]
    bare = replace(table.suite, items=tuple(items))
    waiting = {
        (owner, normalise(text))
        for owner, text, finding in zip(
            table.outputs.owners.tolist(), table.outputs.texts, judge_texts(bare, table.outputs), strict=True
        )
        if finding is None or finding.verdict == Verdict.WARNING
    }
    return [one for one in exact if (one.place, one.text) in waiting]


def _blind(suite: Suite, path: Path) -> list[DecidedText]:
    """What blind judgements come to; those that were made with a suggestion or other hints in sight do not count."""
    events: dict[tuple[str, str], list[Event]] = {}
    for line in read_events(path):
        if line.event.blind or line.event.kind == "undo":
            events.setdefault((line.item, normalise(line.text)), []).append(line.event)
    strange = {item for item, _ in events} - suite.positions.keys()
    if strange:
        raise BadFile(path, f"no item {min(strange)!r} in the suite", cure="check that suite and file belong together")
    settled: Mapping[tuple[str, str], Polarity | None] = {
        key: settle_events(found).verdict for key, found in events.items()
    }
    found = [
        DecidedText(suite.positions[item], text, VERDICTS[verdict], True, True)
        for (item, text), verdict in settled.items()
        if verdict is not None
    ]
    if not found:
        raise BadFile(path, "no judgement in it was made blind", cure="leave --judgements out")
    return found
