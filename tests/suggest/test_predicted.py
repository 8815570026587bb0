"""A suggester as predictor: its answers become chances, and no text is predicted from its own verdict."""

import csv
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.evaluation.evaluation import judge_outputs
from assay.suggest.nearest import Nearest
from assay.suggest.predicted import predicted
from assay.suggest.run import Run
from assay.suggest.suggester import Question, Suggestion
from assay.suites import Item, Rule, Suite
from assay.text import normalise
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts, written_texts

TEXTS = ("The lock is stuck.", "The castle is stuck.", "The latch is stuck.", "The bolt is stuck.")


class StandIn(Nearest):
    """Stands for a language model: sure of latches, silent about everything else."""

    name = "stand-in"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Question] = []

    def suggest(self, question: Question) -> Suggestion | None:
        self.asked.append(question)
        return Suggestion(Verdict.FAIL, 0.8, "") if "latch" in question.text else None


@pytest.fixture
def texts(tmp_path: Path) -> WrittenTexts:
    """One item; "lock" passes, "castle" fails, the latch was judged right, and the bolt waits."""
    rules = (Rule("pass", "contains", "lock"), Rule("fail", "contains", "castle"), Rule("pass", "exact", TEXTS[2]))
    item = Item("klemmt", "Ambiguity", "Lexical ambiguity", "Das Schloss klemmt.", rules)
    suite = Suite("senses", "de-en", (item,), {"Ambiguity": {"Lexical ambiguity": ""}})
    files = []
    for number, text in enumerate(TEXTS):
        files.append(tmp_path / f"system{number}.tsv")
        with files[-1].open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, delimiter="\t").writerows([["item", "text"], [item.id, text]])
    return written_texts(judge_outputs(suite, assay.load_outputs(suite, files), keep_all=True)[0])


def test_answers_become_chances_and_silence_the_rate_of_what_was_judged(texts: WrittenTexts, tmp_path: Path) -> None:
    stand_in = StandIn()
    judged = np.array([text == TEXTS[2] for text in texts.texts])
    prediction = predicted(texts, judged, Run(stand_in, tmp_path))
    assert prediction.shares[TEXTS.index("The latch is stuck.")] == pytest.approx(0.2)
    assert prediction.shares[TEXTS.index("The bolt is stuck.")] == pytest.approx(1.5 / 2)
    assert prediction.name.startswith("stand-in#")


def test_nobody_is_told_the_verdict_on_the_text(texts: WrittenTexts, tmp_path: Path) -> None:
    stand_in = StandIn()
    predicted(texts, np.array([text == TEXTS[2] for text in texts.texts]), Run(stand_in, tmp_path))
    assert [question.text for question in stand_in.asked] == [TEXTS[2], TEXTS[3]]
    for question in stand_in.asked:
        assert normalise(question.text) not in {known.text for known in question.known}
    assert {known.text for known in stand_in.asked[1].known} == set(TEXTS[:3])
