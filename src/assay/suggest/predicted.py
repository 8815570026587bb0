"""What a suggester says as advice for predictions: a language model, or any other plugin, as one sign among others.

    adviser = SuggesterAdviser("openai:model=qwen3,base_url=http://localhost:8000/v1", Path("assay-suggestions"))
    Predictor(adviser)(texts, judged)           # a Prediction named nearest-2+qwen3#…

A suggester is asked about every text of a sample, judged or not, and is told of no judgement of that sample: neither
that on the text itself, which would be the end of all honesty, nor those on others. So its answers stay what they are
while people judge, and a language model is asked once. How much an answer is worth the judgements tell
(`assay.prediction.model`).
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadOption
from assay.lru import LruCache
from assay.prediction import Advice, Predictor
from assay.progress import OpenProgress, no_progress
from assay.suggest.exam import exact_suggester
from assay.suggest.llm import ModelSuggester, load_suggester
from assay.suggest.run import Answers, DecidedText, Knowledge, Run, answer, answers_kept
from assay.suggest.suggester import Question, Suggester
from assay.suites import Item
from assay.text import normalise, plural
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts

JOURNAL = Path("assay-suggestions")
"""Where answers of language models are kept, as by `assay suggest`."""

_NEVER_SURE = 0.01
"""An answer lies so far from 0 and 1, whatever a model says of itself."""

_KEPT = 8

Mask = NDArray[np.bool_]


def _silent(line: str) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class SuggesterAdviser:
    """Asks a suggester, named as for `assay suggest`. Where it does not `ask`, only answers of the journal are taken.

    `tell` gets lines about what was left out.
    """

    spec: str
    journal: Path = JOURNAL
    asks: bool = True
    open_progress: OpenProgress = no_progress
    tell: Callable[[str], None] = _silent
    kept: LruCache[Hashable, Advice] = field(default_factory=lambda: LruCache(_KEPT), repr=False, compare=False)

    def __post_init__(self) -> None:
        # A mistake in the name, an option or the key is told before anything is judged.
        load_suggester(self.spec, "de-en").close()

    def __call__(self, texts: WrittenTexts, judged: Mask) -> Advice:
        wanted = texts.undecided | judged
        return self.kept.get(_key(texts, wanted), lambda: self._advice(texts, wanted))

    def _advice(self, texts: WrittenTexts, wanted: Mask) -> Advice:
        suggester = load_suggester(self.spec, texts.table.suite.langpair)
        odds = np.zeros(len(wanted))
        places = np.flatnonzero(wanted).tolist()
        questions = _questions(texts, wanted)
        for place, found in zip(places, self._answers(suggester, questions).suggestions, strict=True):
            if found is not None:
                share = min(max(found.confidence, _NEVER_SURE), 1 - _NEVER_SURE)
                odds[place] = log(share / (1 - share)) * (1 if found.verdict == Verdict.PASS else -1)
        return Advice(odds, exact_suggester(suggester))

    def _answers(self, suggester: Suggester, questions: Sequence[Question]) -> Answers:
        run = Run(suggester, self.journal)
        if not self.asks and isinstance(suggester, ModelSuggester):
            kept, missing = answers_kept(suggester, questions, run)
            if missing:
                raise BadOption(
                    f"{suggester.name} was not asked about {plural(missing, 'text')} yet; export the suite and ask, in "
                    "the folder in which the server was started: assay evaluate SUITE OUTPUT… --policy estimate "
                    "--predictor SPEC"
                )
            return kept
        with self.open_progress(suggester.name, len(questions)) as progress:
            answers = answer(questions, replace(run, progress=progress))
        if answers.held_back:
            self.tell(f"{plural(answers.held_back, 'text')} of held-out items not sent to {suggester.name}")
        collected = answers.collected
        if collected and collected.stop == "interrupted":
            raise KeyboardInterrupt
        if collected and collected.answered < collected.asked:
            why = collected.reason or next(iter(collected.failures.values()), "no answer")
            # An estimate that depends on which requests failed could never be made again.
            raise BadOption(
                f"{suggester.name} has answered {collected.answered:,} of {plural(collected.asked, 'question')} "
                f"({why}); run the command again, answers are kept in {self.journal}"
            )
        return answers


def suggester_predictor(
    spec: str, *, open_progress: OpenProgress = no_progress, tell: Callable[[str], None] = _silent
) -> Predictor:
    """The predictor that a user names as `assay suggest` names suggesters."""
    return Predictor(SuggesterAdviser(spec, open_progress=open_progress, tell=tell))


def _questions(texts: WrittenTexts, wanted: Mask) -> list[Question]:
    """The wanted texts with what is known of others: what rules decide, and judgements outside of the sample."""
    suite, rows = texts.table.suite, texts.table.items[texts.rows].tolist()
    drawn: dict[int, set[str]] = {}
    for place in np.flatnonzero(wanted).tolist():
        drawn.setdefault(rows[place], set()).add(texts.texts[place])
    items = {place: _without(suite.items[place], known) for place, known in drawn.items()}
    bare = suite.with_items(items)
    decided = [
        DecidedText(place, text, Verdict(verdict), bool(exact), bool(exact))
        for place, text, verdict, exact, asked in zip(
            rows, texts.texts, texts.verdicts.tolist(), texts.judged, wanted, strict=True
        )
        if not asked and verdict != Verdict.WARNING
    ]
    known = Knowledge(bare, decided, with_suite=True)
    return [known.question(items[rows[place]], texts.texts[place]) for place in np.flatnonzero(wanted).tolist()]


def _without(item: Item, texts: set[str]) -> Item:
    """An item without judgements of these texts: a plugin may read the rules of what it is asked about."""
    rules = tuple(rule for rule in item.rules if rule.kind != "exact" or normalise(rule.value) not in texts)
    return replace(item, rules=rules) if len(rules) < len(item.rules) else item


def _key(texts: WrittenTexts, wanted: Mask) -> Hashable:
    """What answers depend on; the same before and after a text of the sample is judged."""
    table = texts.table
    items = (table.suite.items[place] for place in table.items.tolist())
    known = np.where(wanted, Verdict.WARNING, texts.verdicts).astype(np.int8)
    about = tuple((one.id, one.category, one.phenomenon, one.source, one.tests, one.examples) for one in items)
    return table.suite.langpair, about, texts.rows.tobytes(), tuple(texts.texts), known.tobytes(), wanted.tobytes()
