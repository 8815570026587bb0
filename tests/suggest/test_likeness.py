"""Suggestions follow what is known, say how sure they are, and are right as often as they say."""

import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.suggest.likeness import NearestSuggestion, Related, nearest, suggest
from assay.suggest.suggester import Known
from assay.text import normalise, word_diff
from assay.verdicts import Verdict, judge_texts

LOCKS = ("The lock is stuck.", "The lock on the gate is stuck.", "The padlock is stuck.")
CASTLES = ("The castle is stuck.", "The castle on the gate is stuck.", "The palace is stuck.")


def known(passing: Iterable[str] = LOCKS, failing: Iterable[str] = CASTLES) -> list[Known]:
    return [
        *(Known(text, Verdict.PASS) for text in passing),
        *(Known(text, Verdict.FAIL) for text in failing),
    ]


def suggested(text: str, known: list[Known], related: Related | None = None) -> NearestSuggestion:
    suggestion = suggest(text, known, related)
    assert suggestion is not None
    return suggestion


class TestSuggest:
    @pytest.mark.parametrize(
        ("text", "verdict"),
        [
            ("The lock is jammed.", Verdict.PASS),
            ("The castle is jammed.", Verdict.FAIL),
            ("On the gate, the lock is stuck.", Verdict.PASS),
            ("On the gate, the castle is stuck.", Verdict.FAIL),
            ("The padlocks are stuck.", Verdict.PASS),
        ],
    )
    def test_the_word_that_tells_decides(self, text: str, verdict: Verdict) -> None:
        assert suggested(text, known()).verdict == verdict

    def test_a_telling_word_outweighs_the_nearest_text(self) -> None:
        texts = known(
            ["He had eaten.", "She had slept well.", "They had gone home early."],
            ["He ate.", "She slept well.", "They went home early yesterday evening."],
        )
        suggestion = suggested("They had gone home early yesterday evening.", texts)
        assert suggestion.verdict == Verdict.PASS
        assert suggestion.nearest == Known("They went home early yesterday evening.", Verdict.FAIL)
        assert suggestion.differing == ("had gone", "went")
        assert suggestion.reason == "nearest judged text is a fail, differs in: had gone | went"

    def test_the_reason_names_what_differs(self) -> None:
        suggestion = suggested("The latch is stuck.", known(["The lock is stuck."], []))
        assert suggestion.reason == "nearest judged text differs in: latch | lock"
        assert suggested("The lock is stuck", known(["The lock is stuck."], [])).reason.endswith("differs in: – | .")
        assert suggested("The lock is stuck .", known(["The lock is stuck."], [])).reason.endswith("in spacing only")

    def test_words_apart_are_told_apart(self) -> None:
        suggestion = suggested("The bolt is so jammed.", known(["The lock is so stuck."], []))
        assert suggestion.differing == ("bolt … jammed", "lock … stuck")

    def test_a_judged_text_keeps_its_verdict(self) -> None:
        suggestion = suggested(" The  castle is stuck. ", known())
        assert (suggestion.verdict, suggestion.confidence) == (Verdict.FAIL, 1.0)
        assert suggestion.nearest.text == "The castle is stuck."
        assert suggestion.reason == "this very text was judged"

    def test_a_text_that_was_judged_both_ways_is_open(self) -> None:
        assert suggested("The key.", known(["The key."], ["The key."])).confidence < 0.8

    @pytest.mark.parametrize(
        ("text", "texts"),
        [
            ("The lock.", []),
            ("The lock.", [Known("The lock is stuck.", Verdict.WARNING)]),
            ("The lock.", [Known("####", Verdict.FAIL), Known(" ", Verdict.PASS)]),
            ("NO TRANSLATION AVAILABLE", known()),
            ("", known()),
        ],
    )
    def test_nothing_is_said_about_nothing(self, text: str, texts: list[Known]) -> None:
        assert suggest(text, texts) is None

    def test_texts_are_compared_normalised(self) -> None:
        texts = known(["It\u2019s  the lock."], [])
        assert suggested("It's the lock.", texts).confidence == 1.0
        assert suggested("It`s the bolt.", texts).nearest.text == "It's the lock."

    def test_more_that_agree_make_surer(self) -> None:
        few, many = known(LOCKS[:1], CASTLES[:1]), known()
        text = "The lock in the wall is stuck."
        assert suggested(text, few).confidence < suggested(text, many).confidence < 1

    def test_other_items_of_the_phenomenon_tell_what_one_item_cannot(self) -> None:
        related = Related(
            known(
                ["He had eaten.", "She had slept.", "We had gone.", "They had sung."],
                ["He has eaten.", "She slept.", "We have gone.", "They have sung."],
            )
        )
        texts = known(["You had read."], [])
        assert suggested("You have read.", texts).verdict == Verdict.PASS
        assert suggested("You have read.", texts, related).verdict == Verdict.FAIL
        assert suggested("You had been reading.", texts, related).verdict == Verdict.PASS

    def test_related_texts_that_were_taken_away_twice_do_no_harm(self) -> None:
        related = Related(known())
        related.passes, related.fails = 1, 1
        assert 0.5 <= suggested("The bolt is jammed.", known(), related).confidence < 1

    @given(st.text(max_size=30), st.lists(st.builds(Known, st.text(max_size=30), st.sampled_from(Verdict)), max_size=6))
    def test_any_texts_will_do(self, text: str, texts: list[Known]) -> None:
        suggestion = suggest(text, texts, Related(texts))
        if suggestion is not None:
            assert suggestion.verdict in (Verdict.PASS, Verdict.FAIL)
            assert 0.5 <= suggestion.confidence <= 1
            assert suggestion.nearest in [Known(normalise(one.text), one.verdict) for one in texts]
            assert "\n" not in suggestion.reason

    def test_it_is_the_same_in_every_process(self) -> None:
        code = (
            "from tests.suggest.test_likeness import *;"
            "print(suggest('The lock of the palace is stuck.', known(), Related(known())))"
        )
        runs = [
            subprocess.run(
                [sys.executable, "-c", code],
                capture_output=True,
                encoding="utf-8",
                cwd=Path(__file__).parents[2],
                env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
                check=True,
            )
            for seed in ("1", "2")
        ]
        assert runs[0].stdout == runs[1].stdout != ""

    def test_it_is_quick(self) -> None:
        """About 4 ms where nothing else runs; the limit leaves room for slow machines."""
        text = " ".join(f"word{number}" for number in range(25))
        texts = known((f"{text[:-9]} {number}" for number in range(20)), (f"{text} {number}" for number in range(20)))
        seconds = []
        for _ in range(5):
            start = time.process_time()
            suggest(text, texts)
            seconds.append(time.process_time() - start)
        assert min(seconds) < 0.03


class TestNearest:
    def test_the_most_alike_come_first_with_what_differs(self) -> None:
        first, second = nearest("The bolt on the gate is stuck.", known(), 2)
        assert first.known == Known("The lock on the gate is stuck.", Verdict.PASS)
        assert [first.known.text[start:end] for start, end in first.marks] == ["lock"]
        assert second.known.text == "The castle on the gate is stuck."
        assert 0 < second.similarity <= first.similarity < 1

    def test_marks_are_of_the_normalised_text(self) -> None:
        [near] = nearest("It's the bolt.", known(["It\u2019s   the lock."], []), 5)
        assert near.known.text == "It's the lock."
        assert near.marks == ((9, 13),)

    def test_the_same_text_is_fully_alike(self) -> None:
        near = nearest("The lock is stuck.", known(), 1)[0]
        assert (near.similarity, near.marks) == (1.0, ())

    def test_nothing_known_is_near_to_nothing(self) -> None:
        assert nearest("The lock.", [], 3) == []
        assert nearest("The lock.", known(), 0) == []


class TestWordDiff:
    @pytest.mark.parametrize(
        ("a", "b", "differ"),
        [
            ("the lock", "the lock", ([], [])),
            ("the lock", "the bolt", (["lock"], ["bolt"])),
            ("the old lock", "the lock", (["old"], [])),
            ("You landed", "You landed.", ([], ["."])),
            ("he wasn't there", "he was there", (["wasn't"], ["was"])),
            ("Er rief mich gestern an.", "Er hat mich gestern angerufen.", (["rief", "an"], ["hat", "angerufen"])),
            ("Старый замок сломан", "Старый дворец сломан", (["замок"], ["дворец"])),
            ("a b c", "", (["a b c"], [])),
        ],
    )
    def test_the_words_that_differ(self, a: str, b: str, differ: tuple[list[str], list[str]]) -> None:
        marks_a, marks_b = word_diff(a, b)
        assert ([a[start:end] for start, end in marks_a], [b[start:end] for start, end in marks_b]) == differ

    @given(*[st.lists(st.sampled_from(["a", "b", "c", "über", "не", "."]), max_size=8).map(" ".join)] * 2)
    def test_what_is_not_marked_is_the_same(self, a: str, b: str) -> None:
        def unmarked(text: str, marks: Iterable[tuple[int, int]]) -> list[str]:
            for start, end in reversed(list(marks)):
                text = text[:start] + text[end:]
            return text.split()

        marks_a, marks_b = word_diff(a, b)
        assert unmarked(a, marks_a) == unmarked(b, marks_b)


@pytest.fixture(scope="module")
def judged(data: Path) -> list[tuple[str, list[Known]]]:
    """The phenomenon of each item of WMT21 en-de, and its texts with a verdict."""
    suite = assay.load_suite(data / "dfki" / "items.en-de.json")
    files = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.en-de.hyp.*.de"))
    outputs = assay.load_outputs(suite, files, source=data / "wmt21" / "sources" / "newstest2021.en-de.src.en")
    findings = judge_texts(suite, outputs)
    verdicts: dict[int, dict[str, Verdict]] = {}
    for owner, text, finding in zip(outputs.owners.tolist(), outputs.texts, findings, strict=True):
        if finding and finding.verdict != Verdict.WARNING:
            verdicts.setdefault(owner, {})[normalise(text)] = finding.verdict
    return [
        (suite.items[owner].phenomenon, [Known(*pair) for pair in texts.items()]) for owner, texts in verdicts.items()
    ]


@pytest.mark.parametrize(("related", "of_all", "of_surest"), [(False, 0.79, 0.84), (True, 0.87, 0.92)])
def test_suggestions_on_real_texts_are_mostly_right(
    judged: list[tuple[str, list[Known]]], related: bool, of_all: float, of_surest: float
) -> None:
    """Every fourth item, each text left out in turn. The coefficients were fitted to de-en, not to these texts."""
    results = []
    for place in range(0, len(judged), 4):
        phenomenon, texts = judged[place]
        siblings = (more for other, (name, more) in enumerate(judged) if name == phenomenon and other != place)
        counted = Related(one for more in siblings for one in more) if related else None
        for left_out in texts if len(texts) > 1 else []:
            suggestion = suggested(left_out.text, [one for one in texts if one is not left_out], counted)
            results.append((suggestion.confidence, suggestion.verdict == left_out.verdict))
    results.sort(reverse=True)
    surest = results[: round(0.8 * len(results))]
    right = sum(right for _, right in results) / len(results)
    assert right > of_all
    assert sum(right for _, right in surest) / len(surest) > of_surest
    assert sum(confidence for confidence, _ in results) / len(results) == pytest.approx(right, abs=0.04)


def test_a_text_without_end_does_not_hold_everybody_up() -> None:
    """A system that repeats itself for pages; comparing them whole took half a minute."""
    endless = "the same words over and over " * 12_000
    marks, others = word_diff(endless + "a", "b " + endless)
    assert marks or others
    assert suggest(endless, [Known(endless + "pass", Verdict.PASS), Known("fail", Verdict.FAIL)]) is not None
