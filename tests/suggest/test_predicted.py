"""A suggester has a say in predictions, and is told nothing of how the texts of a sample were judged."""

import csv
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.errors import BadOption, UnknownName
from assay.evaluation.evaluation import judge_outputs
from assay.prediction import PREDICTOR, Predictor
from assay.suggest import predicted
from assay.suggest.nearest import Nearest
from assay.suggest.predicted import SuggesterAdviser
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


def texts_of(folder: Path, judgement: str = "pass") -> WrittenTexts:
    """One item; "lock" passes, "castle" fails, the latch was judged, and the bolt waits."""
    judged = Rule("pass" if judgement == "pass" else "fail", "exact", TEXTS[2], by="anna")
    rules = (Rule("pass", "contains", "lock"), Rule("fail", "contains", "castle"), judged)
    item = Item("klemmt", "Ambiguity", "Lexical ambiguity", "Das Schloss klemmt.", rules)
    suite = Suite("senses", "de-en", (item,), {"Ambiguity": {"Lexical ambiguity": ""}})
    files = []
    for number, text in enumerate(TEXTS):
        files.append(folder / f"system{number}.tsv")
        with files[-1].open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, delimiter="\t").writerows([["item", "text"], [item.id, text]])
    return written_texts(judge_outputs(suite, assay.load_outputs(suite, files), keep_all=True)[0])


def sample_of(texts: WrittenTexts) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    return np.array([text == TEXTS[2] for text in texts.texts])


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> StandIn:
    found = StandIn()
    monkeypatch.setattr(predicted, "load_suggester", lambda spec, langpair: found)
    return found


def test_answers_are_log_odds_and_silence_is_nothing(tmp_path: Path, stand_in: StandIn) -> None:
    texts = texts_of(tmp_path)
    advice = SuggesterAdviser("stand-in")(texts, sample_of(texts))
    # Sure to 0.8 that it fails: log (0.2 / 0.8).
    assert advice.odds == pytest.approx([0, 0, np.log(0.25), 0])
    assert advice.name.startswith("stand-in#")
    assert Predictor(SuggesterAdviser("stand-in"))(texts, sample_of(texts)).name == f"{PREDICTOR}+{advice.name}"


def test_nobody_is_told_how_a_text_of_the_sample_was_judged(tmp_path: Path, stand_in: StandIn) -> None:
    """Neither among known texts nor in the rules of the item, and that of no other text of the sample either."""
    texts = texts_of(tmp_path)
    SuggesterAdviser("stand-in")(texts, sample_of(texts))
    assert [question.text for question in stand_in.asked] == [TEXTS[2], TEXTS[3]]
    for question in stand_in.asked:
        assert {known.text for known in question.known} == set(TEXTS[:2])
        assert not [rule for rule in question.item.rules if normalise(rule.value) == TEXTS[2]]


def test_the_other_judgement_makes_the_same_advice(tmp_path: Path, stand_in: StandIn) -> None:
    advices = []
    for judgement in ("pass", "fail"):
        texts = texts_of(tmp_path, judgement)
        advices.append(SuggesterAdviser("nearest")(texts, sample_of(texts)))
    assert advices[0].odds.tolist() == advices[1].odds.tolist()


def test_a_text_that_is_judged_later_is_not_asked_about_again(tmp_path: Path, stand_in: StandIn) -> None:
    adviser, texts = SuggesterAdviser("stand-in"), texts_of(tmp_path)
    adviser(texts, sample_of(texts))
    adviser(texts, sample_of(texts) & False | texts.judged)
    assert len(stand_in.asked) == 2


def test_mistakes_are_told_before_anything_is_read() -> None:
    with pytest.raises(UnknownName, match="no suggester 'neerest'; did you mean nearest"):
        SuggesterAdviser("neerest")
    with pytest.raises(BadOption, match="names no suggester"):
        SuggesterAdviser("mine=nearest")


def test_a_server_takes_what_was_answered_before_and_says_what_was_not(tmp_path: Path) -> None:
    adviser = SuggesterAdviser("openai:model=qwen3,base_url=http://localhost:9/v1", tmp_path / "journal", asks=False)
    texts = texts_of(tmp_path)
    with pytest.raises(BadOption, match=r"qwen3 was not asked about 2 texts yet; .* assay evaluate"):
        adviser(texts, sample_of(texts))
    assert not (tmp_path / "journal").exists()
