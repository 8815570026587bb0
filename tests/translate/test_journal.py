"""The journal of answers: what is confirmed is there, and nothing else."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.translate.engine import Answer, PromptedSentence
from assay.translate.journal import (
    Origin,
    TranslationJournal,
    journalled_texts,
    known_sentences,
    other_journals,
)

ORIGIN = Origin("apertium", "en-es", {"mode": "eng-spa"})
OTHER = Origin("apertium", "en-es", {"mode": "eng-spa", "unknown": "mark"})
ONE, TWO = (
    ("One.", Answer("Uno.")),
    ("Two.", Answer("Dos.", raw='"Dos."', cleaned=("quotes",), tokens=3, cost=0.5)),
)


def write(folder: Path, *answers: tuple[str, Answer], origin: Origin = ORIGIN) -> Path:
    with TranslationJournal(folder, "mine", origin) as journal:
        journal.add(answers)
        return journal.path


def read(folder: Path, origin: Origin = ORIGIN) -> dict[str, str]:
    with TranslationJournal(folder, "mine", origin) as journal:
        return journal.texts


def test_answers_are_there_again(tmp_path: Path) -> None:
    write(tmp_path, ONE)
    write(tmp_path, TWO)
    assert read(tmp_path) == {"One.": "Uno.", "Two.": "Dos."}
    assert known_sentences(tmp_path, "mine", ORIGIN) == {"One.", "Two."}


def test_answers_to_one_source_with_several_prompts_stay_apart(tmp_path: Path) -> None:
    formal, river = PromptedSentence("One.", "Be formal.", ""), PromptedSentence("One.", "", "At the river.")
    path = write(tmp_path, ONE, (formal, Answer("Una.")), (river, Answer("Orilla.")))
    assert read(tmp_path) == {"One.": "Uno.", formal: "Una.", river: "Orilla."}
    assert known_sentences(tmp_path, "mine", ORIGIN) == {"One.", formal, river}
    assert journalled_texts(tmp_path, "mine") == {"One.": {"Uno.", "Una.", "Orilla."}}
    path.write_text(path.read_text("utf-8").replace("Be formal.", "Be brief."), encoding="utf-8")
    with pytest.raises(BadFile, match=r":3: the key does not belong to this sentence and engine"):
        read(tmp_path)


def test_a_line_says_what_the_engine_wrote_and_what_was_cut_away(tmp_path: Path) -> None:
    path = write(tmp_path, TWO)
    record = json.loads(path.read_text("utf-8").splitlines()[1])
    assert {name: record[name] for name in record if name not in ("at", "key")} == {
        "source": "Two.",
        "text": "Dos.",
        "raw": '"Dos."',
        "cleaned": ["quotes"],
        "tokens": 3,
        "cost": 0.5,
    }


def test_a_half_written_last_line_is_dropped(tmp_path: Path) -> None:
    path = write(tmp_path, ONE, TWO)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        complete = whole[:length].count(b"\n")
        expected = dict([("One.", "Uno."), ("Two.", "Dos.")][: max(0, complete - 1)])
        assert known_sentences(tmp_path, "mine", ORIGIN) == set(expected)
        assert read(tmp_path) == expected
        write(tmp_path, TWO)
        assert read(tmp_path) == expected | {"Two.": "Dos."}


def test_other_parameters_have_another_journal(tmp_path: Path) -> None:
    first = write(tmp_path, ONE)
    assert read(tmp_path, OTHER) == {}
    assert other_journals(tmp_path, "mine", OTHER) == [first]
    assert other_journals(tmp_path, "min", OTHER) == []
    assert read(tmp_path) == {"One.": "Uno."}


@pytest.mark.parametrize("other", [OTHER, replace(ORIGIN, pair="en-gl"), replace(ORIGIN, engine="cmd")])
def test_every_part_of_the_origin_counts(other: Origin) -> None:
    assert other.hash != ORIGIN.hash
    assert other.key("One.") != ORIGIN.key("One.")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "not a line of a journal"),
        ("[1]", "not a line of a journal"),
        ('{"key": "x", "source": "One.", "text": "Tres."}', "the key does not belong"),
        (json.dumps({"key": ORIGIN.key("A"), "source": "A", "text": 1}), "'text' is 1"),
        (json.dumps({"key": ORIGIN.key("A"), "source": "A", "text": "B", "cost": "x"}), "'cost' is 'x'"),
    ],
)
def test_a_damaged_journal_is_named_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, ONE)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
    with pytest.raises(BadFile, match=rf":3: {message}"):
        read(tmp_path)


def test_a_journal_of_something_else_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, ONE)
    path.write_text(str(OTHER), encoding="utf-8")
    with pytest.raises(BadFile, match=":1: the journal of another engine"):
        read(tmp_path)


def test_two_runs_at_once_are_refused(tmp_path: Path) -> None:
    with TranslationJournal(tmp_path, "mine", ORIGIN), pytest.raises(BadFile, match="another run is writing it"):
        read(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no folder"):
        read(tmp_path / "nowhere")


TEXTS = st.text(max_size=30)


@given(
    st.lists(
        st.tuples(
            TEXTS,
            st.builds(
                Answer,
                TEXTS,
                raw=TEXTS,
                cleaned=st.lists(TEXTS, max_size=2).map(tuple),
                tokens=st.none() | st.integers(0, 10**6),
                cost=st.none() | st.floats(0, 100),
                details=st.dictionaries(TEXTS, TEXTS, max_size=2),
            ),
        ),
        max_size=5,
    )
)
def test_any_text_comes_back(answers: list[tuple[str, Answer]]) -> None:
    with TemporaryDirectory() as folder:
        write(Path(folder), *answers)
        assert read(Path(folder)) == {source: answer.text for source, answer in answers}


def test_what_all_journals_of_a_system_hold(tmp_path: Path) -> None:
    """Whatever its parameters; those of another system are not asked."""
    for number, origin in enumerate((ORIGIN, replace(ORIGIN, pair="de-fr"))):
        with TranslationJournal(tmp_path, "mine", origin) as journal:
            journal.add([("One.", Answer(f"Answer {number}.")), ("Two.", Answer("Deux."))])
    with TranslationJournal(tmp_path, "other", ORIGIN) as journal:
        journal.add([("One.", Answer("Another's."))])
    assert journalled_texts(tmp_path, "mine") == {"One.": {"Answer 0.", "Answer 1."}, "Two.": {"Deux."}}
