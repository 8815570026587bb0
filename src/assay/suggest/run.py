"""Use case: suggest verdicts on texts that wait for a linguist.

    run = Run(load_suggester("nearest", "de-en"), journal=Path("assay-suggestions"))
    texts = waiting(inputs)
    answer(texts.questions, run).suggestions    # [Suggestion(PASS, 0.86, "nearest judged text differs in: …"), None, …]

Answers of a language model go into a journal under the whole prompt; a second run asks for nothing that is there.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from assay.evaluation import judge_files
from assay.files import make_folder
from assay.outputs import Inputs
from assay.progress import Progress
from assay.suggest.likeness import nearest
from assay.suggest.llm import SHOWN, ModelSuggester, prompt
from assay.suggest.suggester import Known, Question, Relatives, Suggester, Suggestion
from assay.suites import Item, Polarity, Suite
from assay.text import is_missing, normalise
from assay.translate import Collected, Limits, Plan, check_budget, collect, plan_of
from assay.translate.journal import Origin, TranslationJournal, known_answers, known_sentences
from assay.verdicts import Finding, Verdict, VerdictTable
from assay.verdicts.queue import Task, queue

VERDICTS: Final[dict[Polarity, Verdict]] = {"pass": Verdict.PASS, "fail": Verdict.FAIL}


@dataclass(frozen=True)
class Run:
    """How suggestions are made. Journal, limits and `sends_held_out` matter where a language model is asked."""

    suggester: Suggester
    journal: Path
    limits: Limits = field(default_factory=Limits)
    sends_held_out: bool = False
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """Suggestions in the order of the questions. `collected` is None where no model was asked."""

    suggestions: list[Suggestion | None]
    collected: Collected | None = None
    held_back: int = 0
    reused: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """Texts that wait for a linguist with the questions they make."""

    tasks: list[Task]
    questions: list[Question]


# Suggesting ----------------------------------------------------------------------------------------------------------


def waiting(
    inputs: Inputs,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    keep_all: bool = False,
    limit: int | None = None,
) -> Waiting:
    """The texts without a verdict, in the order of the queue, `limit` at most."""
    table = judge_files(inputs, systems=systems, exclude=exclude, keep_all=keep_all)
    tasks = queue(table)[:limit]
    known = Knowledge(table.suite, decided_texts(table), with_suite=True)
    return Waiting(tasks, [known.question(task.item, task.text) for task in tasks])


def answer(questions: Sequence[Question], run: Run) -> Answers:
    """A suggestion for each question, where there is one."""
    with closing(run.suggester):
        if isinstance(run.suggester, ModelSuggester):
            return _asked(run.suggester, questions, run)
        found: list[Suggestion | None] = []
        for question in questions:
            found.append(run.suggester.suggest(question) if _may_be_sent(question.item, run) else None)
            if run.progress:
                run.progress(1)
        return Answers(found, held_back=held_back(questions, run))


def answers_kept(model: ModelSuggester, questions: Sequence[Question], run: Run) -> tuple[Answers, int]:
    """What the journal has of a language model's answers, and how many questions it has none for; nobody is asked."""
    prompts = _prompts(questions, run)
    known = known_answers(run.journal, model.name, _origin(model))
    found: list[Suggestion | None] = [None] * len(questions)
    for text, places in prompts.items():
        for place in places if text in known else ():
            found[place] = model.read(questions[place], known[text])
    missing = sum(text not in known for text in prompts)
    return Answers(found, None, held_back(questions, run), len(prompts) - missing), missing


def plan(questions: Sequence[Question], run: Run) -> Plan | None:
    """What asking would take; None where nobody is asked."""
    if not isinstance(run.suggester, ModelSuggester):
        return None
    known = known_sentences(run.journal, run.suggester.name, _origin(run.suggester))
    return plan_of(run.suggester, [text for text in _prompts(questions, run) if text not in known], run.limits)


def held_back(questions: Sequence[Question], run: Run) -> int:
    """How many questions are about held-out items, which must not leave this machine."""
    return sum(not _may_be_sent(question.item, run) for question in questions)


def _asked(model: ModelSuggester, questions: Sequence[Question], run: Run) -> Answers:
    prompts = _prompts(questions, run)
    # Before the folder is made: a run that is refused leaves nothing behind.
    check_budget(model, list(prompts), run.limits)
    make_folder(run.journal, cure="choose another with --journal")
    with TranslationJournal(run.journal, model.name, _origin(model)) as journal:
        wanted = [text for text in prompts if text not in journal.texts]
        collected = collect(
            model,
            wanted,
            keep=journal.add,
            limits=run.limits,
            progress=run.progress,
        )
        found: list[Suggestion | None] = [None] * len(questions)
        for text, places in prompts.items():
            for place in places if text in journal.texts else ():
                found[place] = model.read(questions[place], journal.texts[text])
    return Answers(found, collected, held_back(questions, run), len(prompts) - len(wanted))


def _prompts(questions: Sequence[Question], run: Run) -> dict[str, list[int]]:
    """Prompt -> the questions that make it; a model is shown the judged texts that are nearest."""
    found: dict[str, list[int]] = {}
    for place, question in enumerate(questions):
        if _may_be_sent(question.item, run):
            found.setdefault(prompt(nearest_first(question)), []).append(place)
    return found


def nearest_first(question: Question) -> Question:
    """The question with fewer judged texts: of each verdict the `SHOWN` that are most like the text."""
    sides = [[known for known in question.known if known.verdict == verdict] for verdict in VERDICTS.values()]
    near = [one.known for side in sides for one in nearest(question.text, side, SHOWN)]
    return replace(question, known=tuple(near))


def _may_be_sent(item: Item, run: Run) -> bool:
    return run.suggester.is_local or run.sends_held_out or not item.held_out


def _origin(model: ModelSuggester) -> Origin:
    return Origin(model.name, f"{model.pair.source}-{model.pair.target}", model.parameters)


# What is known -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DecidedText:
    """A distinct text of an item with its verdict; `is_exact` where a judgement or an exact rule gives it.

    `is_judged` where no rule of another kind does: without it the text would wait for a linguist.
    """

    place: int
    text: str
    verdict: Verdict
    is_exact: bool
    is_judged: bool

    @property
    def known(self) -> Known:
        """The same, as a suggester gets it."""
        return Known(self.text, self.verdict, self.is_judged)


def decided_texts(table: VerdictTable) -> list[DecidedText]:
    """What systems wrote and rules decide, in the order of the outputs."""
    found: dict[tuple[int, str], Finding] = {}
    owners = table.outputs.owners.tolist()
    for owner, text, finding in zip(owners, table.outputs.texts, table.findings, strict=True):
        if finding is not None and finding.verdict != Verdict.WARNING:
            # Texts that differ in spaces and apostrophes only are one text; what is said of the first of them counts.
            found.setdefault((owner, normalise(text)), finding)
    return [
        DecidedText(place, text, finding.verdict, finding.evidence[0].rule.kind == "exact", finding.is_judged)
        for (place, text), finding in found.items()
    ]


class Knowledge:
    """The known texts of a suite, by item and by phenomenon.

    Those of another item with the same source are not used: its texts would be those of the item itself.
    """

    def __init__(self, suite: Suite, decided: Iterable[DecidedText], *, with_suite: bool) -> None:
        self.suite = suite
        self._written: dict[int, dict[str, Known]] = {}
        for one in decided:
            self._written.setdefault(one.place, {})[one.text] = one.known
        self._own = dict(self._written)
        if with_suite:
            # What systems wrote and rules decided goes before the item's own examples, if the same text is in both.
            self._own = {
                place: {**written_down(item), **self._written.get(place, {})} for place, item in enumerate(suite)
            }
        self._relatives: dict[tuple[str, str, str], Relatives] = {}
        self._every: dict[tuple[str, str], Relatives] = {}
        self._by_phenomenon: dict[tuple[str, str], list[int]] = {}
        self._judged: Counter[tuple[str, str, Verdict]] = Counter()
        """Category, normalised source or empty, verdict -> how many texts were judged so."""
        for place, texts in self._written.items():
            item = suite.items[place]
            self._by_phenomenon.setdefault((item.category, item.phenomenon), []).append(place)
            for verdict in (one.verdict for one in texts.values() if one.is_judged):
                self._judged.update([(item.category, "", verdict), (item.category, normalise(item.source), verdict)])

    def question(self, item: Item, text: str) -> Question:
        """What is known about a text, without the text itself."""
        own = self._own.get(self.suite.positions[item.id], {})
        text = normalise(text)
        return Question(
            item,
            text,
            tuple(one for one in own.values() if one.text != text),
            self.suite.taxonomy[item.category][item.phenomenon],
            self._related(item),
        )

    def _related(self, item: Item) -> Relatives:
        source = normalise(item.source)
        phenomenon = (item.category, item.phenomenon)
        if (*phenomenon, source) not in self._relatives:
            sides: tuple[list[Known], list[Known]] = ([], [])
            for place in self._by_phenomenon.get(phenomenon, ()):
                is_same = normalise(self.suite.items[place].source) == source
                sides[is_same].extend(self._written[place].values())
            passes, fails = (
                self._judged[item.category, "", verdict] - self._judged[item.category, source, verdict]
                for verdict in VERDICTS.values()
            )
            share = (passes + 1) / (passes + fails + 2)
            every = self._every.setdefault(phenomenon, Relatives((*sides[0], *sides[1])))
            self._relatives[*phenomenon, source] = Relatives(tuple(sides[0]), share, every, tuple(sides[1]))
        return self._relatives[*phenomenon, source]


def written_down(item: Item) -> dict[str, Known]:
    """Texts that the item itself says are right or wrong: exact rules and examples."""
    found = [Known(normalise(text), Verdict.PASS) for text in item.examples.passing]
    found += [Known(normalise(text), Verdict.FAIL) for text in item.examples.failing]
    found += [
        Known(normalise(rule.value), VERDICTS[rule.polarity], True) for rule in item.rules if rule.kind == "exact"
    ]
    return {one.text: one for one in found if not is_missing(one.text)}
