"""The sentences above a table, case by case."""

from dataclasses import replace

import pytest

from assay.evaluation import Evaluation, evaluate
from assay.evaluation.answer import answer_of, answer_of_comparison
from assay.evaluation.comparison import Comparison, compare
from assay.evaluation.estimate import EstimateBasis, Need
from assay.outputs import Collector, Outputs, System
from assay.suites import Suite
from tests.evaluation.tables import Drawing, drawn, suite_and_outputs


def first(evaluation: Evaluation) -> str:
    return answer_of(evaluation).sentences[0]


def rest(evaluation: Evaluation) -> str:
    return "\n".join(answer_of(evaluation).sentences[1:])


class TestOneSystem:
    def test_how_much_is_right_and_how_sure_that_is(self) -> None:
        found = drawn({"Ambiguity/Word": {"A": "PPPPPPPPF"}, "MWE/Idiom": {"A": "F"}})
        assert first(found) == "A on drawn: 80.0 % right (95 % interval 49.0 to 94.3), 8 of 10 items."

    def test_what_is_undecided_bounds_it(self) -> None:
        found = drawn({"Ambiguity/Word": {"A": "PPPPPPFF??"}})
        assert "Undecided: 2 of 10 (20.0 %); between 60.0 and 80.0 % are right" in rest(found)

    def test_weak_and_strong_rows_of_some_size(self) -> None:
        found = drawn({"MWE/Idiom": {"A": "PFFFF"}, "MWE/Verb": {"A": "PPPPP"}, "Ambiguity/Word": {"A": "FF"}})
        assert "Weakest: Idiom 20.0 % (1 of 5)." in rest(found)
        assert "Strongest: Verb 100.0 % (5 of 5)." in rest(found)

    def test_nothing_is_weak_where_all_is_right(self) -> None:
        assert "Weakest" not in rest(drawn({"MWE/Idiom": {"A": "PPPPP"}}))

    def test_nothing_is_decided(self) -> None:
        assert (
            first(drawn({"MWE/Idiom": {"A": "???"}})) == "A on drawn: nothing is decided; all 3 outputs are warnings."
        )

    def test_items_that_are_not_in_the_file(self) -> None:
        suite, outputs = suite_and_outputs({"MWE/Idiom": {"A": "PPPPP"}})
        codes = outputs.codes.copy()
        codes[3:] = -1
        found = evaluate(suite, Outputs(outputs.systems, outputs.texts, outputs.owners, codes))
        assert "2 of the suite's 5 items are not in the file." in rest(found)

    def test_failures_are_shown_with_what_would_have_been_right(self) -> None:
        answer = answer_of(drawn({"MWE/Idiom": {"A": "PFFFFF"}}))
        assert len(answer.examples) == 3
        assert answer.failures == 5
        shown = answer.examples[0]
        assert (shown.text, shown.span, shown.right, shown.systems) == ("wrong 1", (0, 5), "right", ("A",))


class TestSeveralSystems:
    def test_a_leader(self) -> None:
        found = drawn({"MWE/Idiom": {"A": "P" * 20, "B": "PF" * 10, "C": "F" * 20}})
        assert first(found) == (
            "A (100.0) leads; B (50.0) and C (0.0) are significantly worse (category macro-average, per cent)."
        )

    def test_leaders_that_cannot_be_told_apart(self) -> None:
        found = drawn({"MWE/Idiom": {"A": "P" * 20, "B": "P" * 19 + "F", "C": "F" * 20}})
        assert first(found).startswith("A (100.0) and B (95.0) lead and cannot be told apart; C (0.0) is significantly")

    def test_nobody_leads(self) -> None:
        found = drawn({"MWE/Idiom": {"A": "PPPF", "B": "PPFP"}})
        assert first(found).startswith("No system is significantly better than another: A (75.0) and B (75.0)")

    def test_many_are_counted(self) -> None:
        systems = {f"S{number:02}": "P" * 20 for number in range(9)} | {"Z": "F" * 20}
        assert first(drawn({"MWE/Idiom": systems})).startswith(
            "S00 (100.0), S01 (100.0), S02 (100.0), S03 (100.0), S04 (100.0) and 4 more lead"
        )

    def test_what_counts(self) -> None:
        drawing: Drawing = {"MWE/Idiom": {"A": "PPP?P", "B": "PPPP-"}}
        assert (
            "3 of 5 items are decided for all systems, 1 waits for a judgement (assay warnings), 1 lacks an output."
            in (rest(drawn(drawing)))
        )
        assert "All 5 items count, and undecided ones as wrong." in rest(drawn(drawing, policy="strict"))
        assert "5 of 5 items are decided for at least one system." in rest(drawn(drawing, policy="own"))

    def test_nothing_can_be_compared(self) -> None:
        found = drawn({"MWE/Idiom": {"A": "P?", "B": "?P"}})
        assert first(found) == "No item is decided for all 2 systems; nothing can be compared."

    def test_where_they_differ_most_with_an_example_of_each(self) -> None:
        answer = answer_of(
            drawn(
                {
                    "MWE/Idiom": {"A": "P" * 10, "B": "F" * 10},
                    "Ambiguity/Word": {"A": "P" * 10, "B": "FFFFFPPPPP"},
                    "Negation/Not": {"A": "P" * 10, "B": "P" * 10},
                }
            )
        )
        assert "They differ most in MWE (A 100.0, B 0.0); Ambiguity (A 100.0, B 50.0)." in answer.sentences
        assert [(shown.item.id, shown.systems) for shown in answer.examples] == [
            ("idiom-1", ("B",)),
            ("word-1", ("B",)),
        ]

    def test_examples_can_be_left_out(self) -> None:
        assert answer_of(drawn({"MWE/Idiom": {"A": "PF", "B": "FP"}}), with_examples=False).examples == ()


class TestAlarms:
    def test_missing_outputs_come_before_any_number(self) -> None:
        assert answer_of(drawn({"MWE/Idiom": {"A": "PP--"}})).alarms == ("Missing outputs: 2 of 4 (50.0 %).",)
        found = drawn({"MWE/Idiom": {"A": "PP--", "B": "-PPP", "C": "PPPP"}})
        assert answer_of(found).alarms == ("Missing outputs, of 4: A 2 and B 1.",)

    def test_each_kind_has_its_sentence(self) -> None:
        suite, _ = suite_and_outputs({"MWE/Idiom": {"A": "PPPP"}})
        items = tuple(replace(item, source=f"Dieser lange Satz {item.id} wird übersetzt.") for item in suite.items)
        suite = replace(suite, items=items)
        texts = [items[0].source, "I'm sorry, but I can't help with that.", "so so so so so", "right"]
        assert answer_of(evaluate(suite, _outputs(suite, texts))).alarms == (
            "Untranslated, the source once more: 1 of 4 (25.0 %).",
            "Refused, no translation but an excuse: 1 of 4 (25.0 %).",
            "Looping, the same words again and again: 1 of 4 (25.0 %).",
        )

    def test_a_system_that_was_left_out(self) -> None:
        suite, outputs = suite_and_outputs({"MWE/Idiom": {"A": "P" * 60, "B": "-" * 60}})
        alarms = answer_of(evaluate(suite, outputs)).alarms
        assert alarms == ("B was left out: 1 distinct text for 60 items: it did not translate the suite.",)


def _outputs(suite: Suite, texts: list[str]) -> Outputs:
    collector = Collector(suite)
    collector.add(System("A"), positions=range(len(texts)), texts=texts)
    return collector.outputs()


def compared(first: str, second: str) -> Comparison:
    return compare(*suite_and_outputs({"MWE/Idiom": {"old": first, "new": second}}))


class TestTwoSystems:
    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("P" * 20, "P" * 12 + "F" * 8, "new is worse than old: 8 items lost, 0 gained, p = 0.004; worst in MWE"),
            ("P" * 12 + "F" * 8, "P" * 20, "new is better than old: 0 items lost, 8 gained, p = 0.004; best in MWE"),
            ("PPPPF", "PPPFP", "new and old cannot be told apart: 1 item lost, 1 gained, p = 0.750."),
        ],
    )
    def test_who_is_better(self, old: str, new: str, said: str) -> None:
        assert answer_of_comparison(compared(old, new)).sentences[0].startswith(said)

    def test_what_is_neither_lost_nor_gained(self) -> None:
        answer = answer_of_comparison(compared("PPPPP", "PP?--"))
        assert "Not among these: pass → undecided 1, newly missing 2 of 5 items." in answer.sentences
        assert answer.alarms == ("Missing outputs, of 5: new 2.",)


def needing(*needs: Need) -> str:
    """What the answer says of systems that need so many more judgements to be told apart."""
    basis = EstimateBasis("1@0", 10, 20, 0, "nearest-2", 0.01, needs)
    evaluation = replace(drawn({"Ambiguity/Word": {"A": "PPPP", "B": "PPPF"}}), basis=basis)
    return answer_of(evaluation).sentences[2]


class TestWhatMoreJudgementsWouldTell:
    def test_nobody_is_near_the_leader(self) -> None:
        assert needing() == "The leader is certain."

    def test_one_is(self) -> None:
        assert needing(Need("A", "B", 87)) == "A and B would need about 90 more judgements to be told apart."

    def test_judging_cannot_tell(self) -> None:
        assert needing(Need("A", "B", None)) == "B cannot be told apart from A by judging."

    def test_several_are(self) -> None:
        assert needing(Need("A", "B", 1234), Need("A", "C", None), Need("A", "D", 7)) == (
            "To be told apart from A it takes about so many more judgements: D 7 and B 1,300; "
            "C cannot be told apart from A by judging."
        )
