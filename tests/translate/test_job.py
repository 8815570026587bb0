"""What a system is asked for: each sentence once, with what items tell about it where the engine can be told."""

from dataclasses import dataclass, replace

from assay.suites import Item, Suite, taxonomy_of
from assay.translate.engine import PromptedSentence
from assay.translate.job import Job
from tests.translate.fakes import FakeEngine

PLAIN = Item("plain", "C", "P", "A bank.")
RIVER = replace(PLAIN, id="river", prompt="Of rivers.")
AGAIN = replace(RIVER, id="again")
MONEY = replace(PLAIN, id="money", context="A price.")


@dataclass
class FakeModel(FakeEngine):
    """An engine that can be told something."""

    takes_prompts: bool = True


def job(engine: FakeEngine, *items: Item) -> Job:
    return Job(Suite("little", "en-es", items, taxonomy_of(items)), "fake", engine, items, "fake")


def test_a_source_is_asked_for_once_with_each_prompt() -> None:
    told = PromptedSentence("A bank.", "Of rivers.", "")
    made = job(FakeModel(), PLAIN, RIVER, AGAIN, MONEY)
    assert made.sentences == ["A bank.", told, PromptedSentence("A bank.", "", "A price.")]
    assert made.open_sentences({told}) == ["A bank.", made.sentences[2]]
    assert made.untold == 0


def test_an_engine_that_cannot_be_told_is_asked_for_the_source_alone() -> None:
    made = job(FakeEngine(), PLAIN, RIVER, AGAIN, MONEY)
    assert made.sentences == ["A bank."]
    assert made.untold == 3


def test_a_held_out_source_stays_whatever_is_told_about_it() -> None:
    made = job(FakeModel(is_local=False), PLAIN, replace(RIVER, held_out=True), Item("other", "C", "P", "A bench."))
    assert made.open_sentences(()) == ["A bench."]
    assert made.held_back(()) == ["A bank.", PromptedSentence("A bank.", "Of rivers.", "")]
