"""Suggestions for what waits, what they are worth, and a suggester behind pages."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption
from assay.outputs import Inputs
from assay.suggest.calibration_report import headline
from assay.suggest.exam import ExamTexts, exam, measure
from assay.suggest.llm import load_suggester
from assay.suggest.nearest import Nearest
from assay.suggest.run import Run, answer, plan, waiting
from assay.suggest.suggester import Known, Question, Suggestion
from assay.suites import Examples, Item, Rule, Suite, native_writer
from assay.text import normalise
from assay.translate import Limits
from assay.translate.engine import Refused
from assay.verdicts import Verdict
from assay.workbench.queue.suggester_pool import AT_ONCE, CachedSuggester, Opinion, Opinions
from tests.translate.protocols import Fault
from tests.translate.server import MtServer

PASS, FAIL = Verdict.PASS, Verdict.FAIL
SAID = '{"verdict": "fail", "confidence": 0.7, "reason": "so it seems"}'


def item(name: str, source: str, *rules: Rule, **more: object) -> Item:
    return Item(name, "Ambiguity", "Lexical ambiguity", source, rules, **more)  # type: ignore[arg-type]


LOCK = (Rule("pass", "contains", "lock"), Rule("fail", "contains", "castle"))
ITEMS = (
    item("klemmt", "Das Schloss klemmt.", *LOCK, examples=Examples(("The padlock is stuck.",), ())),
    item("rostet", "Das Schloss rostet.", *LOCK, Rule("pass", "exact", "The latch rusts.")),
    item("geheim", "Das Schloss ist geheim.", *LOCK, held_out=True),
)
SUITE = Suite("little", "de-en", ITEMS, {"Ambiguity": {"Lexical ambiguity": "A word with several senses."}})
OUTPUTS = {
    "a": ["The lock is stuck.", "The lock rusts.", "The lock is secret."],
    "b": ["The castle is stuck.", "The castle rusts.", "The palace is secret."],
    "c": ["The latch is stuck.", "The latch rusts.", "The castle is secret."],
}


@pytest.fixture
def inputs(tmp_path: Path) -> Inputs:
    """Three systems; `The latch is stuck.` and `The palace is secret.` wait for a linguist."""
    native_writer.write(SUITE, tmp_path / "suite")
    for name, lines in OUTPUTS.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Inputs(str(tmp_path / "suite"), [str(tmp_path / f"{name}.txt") for name in OUTPUTS])


def model(server: MtServer, folder: Path, **more: object) -> Run:
    """A run that asks the server."""
    return Run(load_suggester(server.spec("openai"), "de-en"), folder / "journal", **more)  # type: ignore[arg-type]


class TestWaiting:
    def test_questions_know_the_item_and_the_others_of_the_phenomenon(self, inputs: Inputs) -> None:
        texts = waiting(inputs)
        assert {task.text for task in texts.tasks} == {"The latch is stuck.", "The palace is secret."}
        found = next(question for question in texts.questions if question.item.id == "klemmt")
        assert set(found.known) == {
            Known("The lock is stuck.", PASS),
            Known("The castle is stuck.", FAIL),
            Known("The padlock is stuck.", PASS),
        }
        assert found.description == "A word with several senses."
        assert Known("The latch rusts.", PASS, True) in found.related.known
        assert not {known.text for known in found.known} & {known.text for known in found.related.known}

    def test_the_queue_can_be_cut(self, inputs: Inputs) -> None:
        assert len(waiting(inputs, limit=1).tasks) == 1
        assert waiting(inputs, systems=["a"]).tasks == []


class TestAsking:
    def test_a_second_run_asks_nothing(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer(answer=lambda _: SAID) as server:
            questions = waiting(inputs).questions
            first = answer(questions, model(server, tmp_path))
            assert first.suggestions == [Suggestion(FAIL, 0.7, "so it seems")] * 2
            again = answer(questions, model(server, tmp_path))
            assert len(server.requests) == 2
        assert again.suggestions == first.suggestions
        assert (again.reused, again.collected and again.collected.requests) == (2, 0)

    def test_a_question_with_another_judged_text_is_another_question(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer(answer=lambda _: SAID) as server:
            questions = waiting(inputs, limit=1).questions
            answer(questions, model(server, tmp_path))
            changed = [replace(one, known=(*one.known, Known("The bolt is stuck.", PASS))) for one in questions]
            answer(changed, model(server, tmp_path))
            assert len(server.requests) == 2

    def test_what_makes_no_sense_is_no_suggestion(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer(answer=lambda _: "I would say that it passes.") as server:
            found = answer(waiting(inputs).questions, model(server, tmp_path))
        assert found.suggestions == [None, None]
        assert found.collected
        assert found.collected.answered == 2

    def test_a_budget_stops_it_and_keeps_what_came(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer(answer=lambda _: SAID) as server:
            found = answer(waiting(inputs).questions, model(server, tmp_path, limits=Limits(max_requests=1)))
            assert len(server.requests) == 1
        assert [one is None for one in found.suggestions].count(False) == 1
        assert found.collected
        assert found.collected.stop == "budget"

    def test_a_refusal_is_told_and_nothing_is_suggested(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer() as server:
            server.next(Fault.REFUSED)
            found = answer(waiting(inputs, limit=1).questions, model(server, tmp_path))
        assert found.suggestions == [None]
        assert found.collected
        assert found.collected.stop == "refused"

    def test_a_plan_asks_nobody(self, inputs: Inputs, tmp_path: Path) -> None:
        with MtServer() as server:
            run = model(server, tmp_path)
            found = plan(waiting(inputs).questions, run)
            assert found
            assert (found.sentences, found.requests, found.leaves) == (2, 2, False)
            assert not server.requests
            assert not run.journal.exists()
            run.suggester.close()
        assert plan([], Run(Nearest(), tmp_path)) is None

    def test_held_out_items_stay_here(self, inputs: Inputs, tmp_path: Path) -> None:
        class Elsewhere(Nearest):
            is_local = False

        questions = waiting(inputs).questions
        held = [question.item.held_out for question in questions]
        kept = answer(questions, Run(Elsewhere(), tmp_path))
        assert [found is None for found in kept.suggestions] == held
        assert kept.held_back == 1
        sent = answer(questions, Run(Elsewhere(), tmp_path, sends_held_out=True))
        assert sent.held_back == 0
        assert None not in sent.suggestions


class Oracle(Nearest):
    """Knows the rule: what says castle or palace fails. Remembers what it was shown."""

    name = "oracle"

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Question] = []

    def suggest(self, question: Question) -> Suggestion:
        self.asked.append(question)
        return Suggestion(FAIL if "castle" in question.text else PASS, 0.9, "")


class TestCalibrating:
    def test_every_decided_text_is_left_out_in_turn(self, inputs: Inputs, tmp_path: Path) -> None:
        texts, oracle = exam(inputs, ExamTexts("decided")), Oracle()
        measured = measure(texts, answer(texts.questions, Run(oracle, tmp_path)), oracle)
        assert [normalise(one.text) for one in oracle.asked] == [
            "The lock is stuck.",
            "The lock rusts.",
            "The lock is secret.",
            "The castle is stuck.",
            "The castle rusts.",
            "The latch rusts.",
            "The castle is secret.",
        ]
        assert all(one.text not in {known.text for known in one.known} for one in oracle.asked)
        row = measured.whole
        assert (row.texts, row.right, row.kappa, row.confusion) == (7, 7, 1.0, (4, 0, 0, 3))

    def test_texts_that_would_wait_go_first_where_there_are_any(self, inputs: Inputs) -> None:
        texts = exam(inputs, ExamTexts())
        assert [one.text for one in texts.decided] == ["The latch rusts."]
        assert texts.basis.startswith("distinct texts that are undecided without judgements and exact rules")
        exact = exam(inputs, ExamTexts("exact"))
        assert [one.text for one in exact.decided] == ["The latch rusts."]
        assert exact.basis == "distinct texts that a judgement or an exact rule decides"

    def test_what_one_system_alone_wrote_is_suggested_from_what_the_others_wrote(
        self, inputs: Inputs, tmp_path: Path
    ) -> None:
        """As if that system were new: its text is known to nobody, nor is anything else that only it wrote."""
        new = exam(inputs, ExamTexts()).new
        assert new
        assert [one.text for one in new.decided] == ["The latch rusts."]
        assert {one.text for one in new.questions[0].known} == {"The lock rusts.", "The castle rusts."}
        assert [one.text for one in exam(inputs, ExamTexts("new")).decided] == ["The latch rusts."]
        oracle = Oracle()
        whole, part = (
            measure(texts, answer(texts.questions, Run(oracle, tmp_path)), oracle)
            for texts in (exam(inputs, ExamTexts()), new)
        )
        both = replace(whole, new=part)
        said = "New systems: of 1 text that one system alone wrote, suggested from what the others wrote, 100.0 % right"
        assert any(str(note).startswith(said) for note in both.notes())
        assert said in headline(both)
        assert both.to_dict()["new"]["basis"].startswith("texts of a single system")
        assert "new" not in whole.to_dict()

    def test_where_another_system_wrote_it_too_there_is_nothing_new(self, inputs: Inputs, tmp_path: Path) -> None:
        (tmp_path / "d.txt").write_text("\n".join(OUTPUTS["c"]) + "\n", encoding="utf-8")
        twice = replace(inputs, outputs=[*inputs.outputs, str(tmp_path / "d.txt")])
        assert exam(twice, ExamTexts()).new is None
        with pytest.raises(BadOption, match="is of one system alone"):
            exam(twice, ExamTexts("new"))

    def test_without_any_all_decided_texts_count(self, inputs: Inputs) -> None:
        assert len(exam(inputs, ExamTexts(), systems=["a", "b"]).decided) == 4
        with pytest.raises(BadOption, match="--on decided"):
            exam(inputs, ExamTexts("exact"), systems=["a", "b"])

    def test_a_sample_is_drawn_by_its_seed(self, inputs: Inputs) -> None:
        one, same, other = (exam(inputs, ExamTexts("decided", 3, seed)).decided for seed in (1, 1, 4))
        assert one == same
        assert len(one) == len(other) == 3
        assert one != other

    def test_only_blind_judgements_of_a_history_are_tested(self, inputs: Inputs, tmp_path: Path) -> None:
        def line(text: str, verdict: str, blind: bool, kind: str = "judgement", **more: object) -> str:
            import json

            event = {"item": "klemmt", "text": text, "by": "Anna", "kind": kind, "verdict": verdict, "comment": ""}
            return json.dumps({**event, "blind": blind, "seen": [], "on": "2026-01-01", "created": "x", **more})

        path = tmp_path / "judgements.jsonl"
        path.write_text(
            "\n".join(
                [
                    line("The latch is stuck.", "fail", True),
                    line("The castle is stuck.", "pass", False),
                    line("The lock is stuck.", "pass", True),
                    line("The lock is stuck.", None, False, "undo", undoes=3),  # type: ignore[arg-type]
                ]
            ),
            encoding="utf-8",
        )
        texts = exam(inputs, ExamTexts(judgements=path))
        assert [(one.text, one.verdict) for one in texts.decided] == [("The latch is stuck.", FAIL)]
        path.write_text(line("The castle is stuck.", "pass", False), encoding="utf-8")
        with pytest.raises(BadFile, match="no judgement in it was made blind"):
            exam(inputs, ExamTexts(judgements=path))

    def test_one_text_alone_cannot_be_tested(self, inputs: Inputs) -> None:
        with pytest.raises(BadOption, match="no item has two texts"):
            exam(inputs, ExamTexts("decided"), systems=["a"])

    def test_the_offline_suggester_is_worth_what_the_benchmark_says(self, data: Path, tmp_path: Path) -> None:
        """`python benchmarks/suggestions.py`, en-de: 88.5 %, of the surest 94.0 %; a sample is within two points."""
        outputs = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.en-de.hyp.*.de"))
        inputs = Inputs(
            str(data / "dfki" / "items.en-de.json"),
            list(map(str, outputs)),
            str(data / "wmt21" / "sources" / "newstest2021.en-de.src.en"),
        )
        texts, nearest = exam(inputs, ExamTexts("undecided", 1500)), Nearest("en-de")
        measured = measure(texts, answer(texts.questions, Run(nearest, tmp_path)), nearest)
        assert measured.whole.accuracy == pytest.approx(0.885, abs=0.02)
        assert measured.surest() == pytest.approx(0.94, abs=0.02)
        assert measured.error is not None
        assert measured.error < 0.05


class Slow(Nearest):
    """Answers when it is let go; says how often it was asked."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__()
        self.go = threading.Event()
        self.calls = 0
        self.error = error
        self.parameters: Mapping[str, str] = {}

    def suggest(self, question: Question) -> Suggestion | None:
        self.calls += 1
        self.go.wait(20)
        if self.error:
            raise self.error
        return Suggestion(PASS, 0.8, "at last")


def asked(text: str = "The latch is stuck.", **more: object) -> Question:
    return Question(replace(ITEMS[0], **more), text)  # type: ignore[arg-type]


class TestPages:
    def test_a_page_does_not_wait_and_the_next_one_has_the_answer(self) -> None:
        slow = Slow()
        asking = CachedSuggester(slow, patience=0.01)
        assert asking.suggest(asked()).state == "waiting"
        slow.go.set()
        patient = CachedSuggester(slow, patience=20)
        patient._answers = asking._answers
        assert patient.suggest(asked()) == Opinion("ready", Suggestion(PASS, 0.8, "at last"))
        assert slow.calls == 1
        asking.close()

    def test_only_a_few_questions_are_under_way_at_once(self) -> None:
        slow = Slow()
        asking = CachedSuggester(slow, patience=0.0)
        states = {asking.suggest(asked(f"text {number}")).state for number in range(3 * AT_ONCE)}
        assert states == {"waiting"}
        assert len(asking._answers) == AT_ONCE
        slow.go.set()

    def test_a_failure_is_told_and_not_repeated_at_once(self) -> None:
        slow = Slow(Refused("the key was refused"))
        slow.go.set()
        asking = CachedSuggester(slow, patience=20)
        assert asking.suggest(asked()) == Opinion("failed", None, "the key was refused")
        assert asking.suggest(asked()).state == "failed"
        assert slow.calls == 1

    def test_held_out_items_are_not_shown_to_others(self) -> None:
        slow = Slow()
        slow.is_local = False
        assert CachedSuggester(slow).suggest(asked(held_out=True)).state == "held_out"
        assert slow.calls == 0

    def test_one_suggester_for_every_language_pair(self) -> None:
        with MtServer(answer=lambda _: SAID) as server:
            opinions = Opinions(server.spec("openai"), patience=20)
            assert opinions.of("de-en").suggest(asked()) == Opinion("ready", Suggestion(FAIL, 0.7, "so it seems"))
            assert opinions.of("en-ru").suggest(asked()).state == "ready"
            assert opinions.of("de-en").suggest(asked()).state == "ready"
            assert [request.body["messages"][0]["content"].count("Russian") for request in server.requests] == [0, 1]
            opinions.close()

    def test_a_mistake_is_told_at_the_start(self) -> None:
        with pytest.raises(BadOption, match="no suggester 'nerest'"):
            Opinions("nerest")
