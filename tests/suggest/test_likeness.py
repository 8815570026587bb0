"""Suggestions follow what is known, say how sure they are, and are right as often as they say."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.suggest import likeness
from assay.suggest.likeness import NearestSuggestion, Related, nearest, suggest
from assay.suggest.suggester import Known, Question, Relatives
from assay.text import normalise, word_diff
from assay.verdicts import Verdict, judge_texts

LOCKS = ("The lock is stuck.", "The lock on the gate is stuck.", "The padlock is stuck.")
CASTLES = ("The castle is stuck.", "The castle on the gate is stuck.", "The palace is stuck.")


def known(passing: Iterable[str] = LOCKS, failing: Iterable[str] = CASTLES) -> list[Known]:
    return [
        *(Known(text, Verdict.PASS, True) for text in passing),
        *(Known(text, Verdict.FAIL, True) for text in failing),
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
        assert suggestion.nearest == Known("They went home early yesterday evening.", Verdict.FAIL, True)
        assert suggestion.differing == ("had gone", "went")
        assert suggestion.reason == "nearest judged text is a fail, differs in: had gone | went"

    def test_the_reason_names_what_differs(self) -> None:
        suggestion = suggested("The latch is stuck.", known(["The lock is stuck."], []))
        assert suggestion.reason == "nearest judged text differs in: latch | lock"
        twin = suggested("the lock is stuck", known(["The lock is stuck."], []))
        assert twin.reason == "judged text differs in case, punctuation or spelling only: the | The … ."

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
        related = Related(known()).changed(less=Related([*known(), *known(["The bolt."], [])]), share=0.5)
        assert 0.5 <= suggested("The bolt is jammed.", known(), related).confidence < 1

    @given(
        st.text(max_size=30),
        st.lists(st.builds(Known, st.text(max_size=30), st.sampled_from(Verdict), st.booleans()), max_size=6),
    )
    def test_any_texts_will_do(self, text: str, texts: list[Known]) -> None:
        suggestion = suggest(text, texts, Related(texts))
        if suggestion is not None:
            assert suggestion.verdict in (Verdict.PASS, Verdict.FAIL)
            assert 0.5 <= suggestion.confidence <= 1
            assert suggestion.nearest in [replace(one, text=normalise(one.text)) for one in texts]
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


TWINS = [
    ("You run.", "you run"),
    ("Karl hates beer and Otto wine.", "Karl hates beer and otto wine"),
    ("I would send her an invitation.", "I'd send her an invitation."),
    ("It is not far, they are here.", "It isn't far they're here"),
    ("We cannot realise the colour!", "We can't realize the color."),
]


class TestTwins:
    @pytest.mark.parametrize(("one", "other"), TWINS)
    @pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL])
    def test_a_twin_has_the_verdict_whatever_else_is_known(self, one: str, other: str, verdict: Verdict) -> None:
        opposite = Verdict.FAIL if verdict == Verdict.PASS else Verdict.PASS
        related = Related([Known(f"{other} {number}", opposite, True) for number in range(20)])
        for text, twin in ((one, other), (other, one)):
            suggestion = suggested(text, [Known(twin, verdict), Known(f"Yes, {text}", opposite, True)], related)
            assert (suggestion.verdict, suggestion.nearest.text) == (verdict, twin)
            assert suggestion.confidence >= 0.9

    @given(
        st.lists(st.sampled_from(["the", "Lock", "is", "not", "Stuck", "here"]), min_size=1, max_size=8).map(" ".join),
        st.sampled_from([str.upper, str.lower, str.title, str.capitalize]),
        st.sampled_from(["", ".", "!", " .", "…"]),
        st.sampled_from([Verdict.PASS, Verdict.FAIL]),
    )
    def test_case_and_final_marks_never_matter(
        self, text: str, change: Callable[[str], str], mark: str, verdict: Verdict
    ) -> None:
        suggestion = suggested(change(text) + mark, [Known(text, verdict), *known()])
        assert suggestion.verdict == verdict

    @pytest.mark.parametrize(("text", "other"), [("You run?", "You run."), ("Tim-Gemüse", "Tim Gemüse")])
    def test_questions_and_hyphens_make_other_texts(self, text: str, other: str) -> None:
        assert "only" not in suggested(text, [Known(other, Verdict.PASS)]).reason

    def test_capitals_tell_where_nouns_have_them(self) -> None:
        texts = [Known("Ich werfe den Ball.", Verdict.PASS)]
        assert "only" not in suggested("Ich werfe den ball.", texts, Related(cased=True)).reason
        assert "only" in suggested("ich werfe den Ball", texts, Related(cased=True)).reason

    def test_where_twins_were_judged_differently_they_tell_nothing(self) -> None:
        """Quotation marks: the phenomenon itself is about what twins differ in."""
        pairs = [(f'"Go {number}!" he said.', f"Go {number}, he said.") for number in range(6)]
        related = Related(known([one for one, _ in pairs], [other for _, other in pairs]))
        suggestion = suggested("Go home, he said.", [Known('"Go home!" he said.', Verdict.PASS)], related)
        assert suggestion.verdict == Verdict.FAIL


class TestKnownMistakes:
    """What a linguist found in forty judgements."""

    def test_bare_gerunds_fail_after_six_of_them_failed(self) -> None:
        passing = ["I sleep.", "I am sleeping.", "I laugh.", "I'm writing a letter.", "I read a book.", "I run."]
        failing = ["Sleeping.", "Laughing.", "Writing a letter.", "Reading a book.", "Running.", "Drinking water."]
        related = Related([*(Known(text, Verdict.PASS) for text in passing), *known([], failing)])
        own = [Known(text, Verdict.PASS) for text in ("I eat an apple.", "I'm eating an apple.")]
        suggestion = suggested("Eating an apple.", own, related)
        assert suggestion.verdict == Verdict.FAIL
        assert suggestion.confidence > 0.8

    def test_nothing_is_said_of_a_text_that_is_like_none(self) -> None:
        texts = known(["The hinges of the door squeaked when opening."], ["The fishing rods of the door squeaked."])
        assert suggest("The staff were very friendly and helpful.", texts) is None

    def test_who_wrote_a_text_is_not_asked(self) -> None:
        """A suggestion is made for people who must not know: what it is made of holds texts and verdicts alone."""
        assert {field.name for field in fields(Known)} == {"text", "verdict", "is_judged"}
        assert {field.name for field in fields(Question)} == {"item", "text", "known", "description", "related"}
        assert {field.name for field in fields(Relatives)} == {"known", "share", "every", "left_out"}


class TestNearest:
    def test_the_most_alike_come_first_with_what_differs(self) -> None:
        first, second = nearest("The bolt on the gate is stuck.", known(), 2)
        assert first.known == Known("The lock on the gate is stuck.", Verdict.PASS, True)
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
    texts: dict[int, dict[str, Known]] = {}
    for owner, text, finding in zip(outputs.owners.tolist(), outputs.texts, findings, strict=True):
        if finding and finding.verdict != Verdict.WARNING:
            one = Known(normalise(text), finding.verdict, finding.is_judged)
            texts.setdefault(owner, {})[one.text] = one
    return [(suite.items[owner].phenomenon, list(found.values())) for owner, found in texts.items()]


def test_suggestions_on_real_texts_are_right_as_often_as_they_say(judged: list[tuple[str, list[Known]]]) -> None:
    """Every fourth item, each judged text left out in turn. Across years and directions: benchmarks/suggestions.py."""
    results = []
    for place in range(0, len(judged), 4):
        phenomenon, texts = judged[place]
        siblings = (more for other, (name, more) in enumerate(judged) if name == phenomenon and other != place)
        counted = Related((one for more in siblings for one in more), cased=True, share=0.8)
        for left_out in [one for one in texts if one.is_judged]:
            suggestion = suggest(left_out.text, [one for one in texts if one is not left_out], counted)
            if suggestion:
                results.append((suggestion.confidence, suggestion.verdict == left_out.verdict))
    results.sort(reverse=True)
    surest = results[: round(0.8 * len(results))]
    right = sum(right for _, right in results) / len(results)
    assert len(results) > 1000
    assert right > 0.86
    assert sum(right for _, right in surest) / len(surest) > 0.92
    assert sum(confidence for confidence, _ in results) / len(results) == pytest.approx(right, abs=0.03)


def test_a_text_without_end_does_not_hold_everybody_up() -> None:
    """A system that repeats itself for pages; comparing them whole took half a minute."""
    endless = "the same words over and over " * 12_000
    marks, others = word_diff(endless + "a", "b " + endless)
    assert marks or others
    assert suggest(endless, [Known(endless + "pass", Verdict.PASS), Known("fail", Verdict.FAIL)]) is not None


def test_ngrams_of_long_texts_are_not_kept() -> None:
    likeness._kept_grams.cache_clear()
    for text in ("The lock.", "The lock. " * 100):
        assert likeness._grams(text) == likeness._find_grams(text)
    assert likeness._kept_grams.cache_info().currsize == 1
