"""Challenge sets: out in every format and back, the key of a blind set, and what is wrong with bad files."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.files.sets import (
    SET_FORMATS,
    SetFormat,
    files_of,
    read_challenge,
    unblind,
    write_challenge,
    writing_key,
)
from assay.errors import BadFile, BadOption
from assay.files import read_lines
from tests.challenge.challenges import GARDEN, KIEFER, REGEN, blinded, challenge_sets
from tests.suites.building import listing

OPEN_FORMATS: list[SetFormat] = [kind for kind in SET_FORMATS if kind != "demetr"]
"""All formats that hold any set of pairs; DEMETR's has no place for systems."""
BLIND_FORMATS: list[SetFormat] = [kind for kind in OPEN_FORMATS if kind != "aces"]
NAMES: dict[SetFormat, str] = {"tsv": "set.tsv", "jsonl": "set.jsonl.gz", "aces": "aces.tsv"}


def write_key(challenge: ChallengeSet, path: Path) -> None:
    with writing_key(challenge, path):
        pass


def there_and_back(challenge: ChallengeSet, folder: Path, format: SetFormat) -> ChallengeSet:
    place = folder / NAMES.get(format, format)
    write_challenge(challenge, place, format)
    return read_challenge(place)


@pytest.mark.parametrize("format", OPEN_FORMATS)
@settings(max_examples=40)
@given(challenge=challenge_sets())
def test_an_open_set_comes_back(format: SetFormat, challenge: ChallengeSet) -> None:
    with TemporaryDirectory() as folder:
        assert there_and_back(challenge, Path(folder), format) == challenge


@pytest.mark.parametrize("format", BLIND_FORMATS)
@settings(max_examples=40)
@given(challenge=challenge_sets().map(blinded))
def test_a_blind_set_comes_back(format: SetFormat, challenge: ChallengeSet) -> None:
    with TemporaryDirectory() as folder:
        assert there_and_back(challenge, Path(folder), format) == challenge


@settings(max_examples=40)
@given(challenge=challenge_sets())
def test_a_key_opens_its_blind_set(challenge: ChallengeSet) -> None:
    with TemporaryDirectory() as folder:
        key = Path(folder) / "key.tsv"
        write_key(challenge, key)
        assert unblind(blinded(challenge), key) == challenge


@pytest.mark.parametrize("format", BLIND_FORMATS)
def test_a_blind_set_tells_nothing(tmp_path: Path, format: SetFormat) -> None:
    half_known = replace(GARDEN, items=(replace(KIEFER, correct=None), REGEN))
    written = write_challenge(half_known, tmp_path / NAMES.get(format, "set").removesuffix(".gz"), format)
    text = "\n".join(file.read_text("utf-8") for file in written)
    for secret in ("correct", "kiefer", "regen", "Ambiguity", "Negation", "wmt21", "systems", "verdict"):
        assert secret not in text + str(written)


def test_an_aces_file_cannot_be_blind(tmp_path: Path) -> None:
    with pytest.raises(
        BadOption, match=r"an ACES file says which translation is right; .* tsv, jsonl, wmt25, mt-metrics-eval$"
    ):
        write_challenge(blinded(GARDEN), tmp_path / "set.tsv", "aces")
    assert listing(tmp_path) == {}


def test_an_own_table_is_plain_tsv_with_the_set_in_every_row(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "set.tsv")
    with (tmp_path / "set.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, dialect="excel-tab"))
    assert [row["set"] + row["langpair"] for row in rows] == ["gardende-en"] * 2
    assert rows[0]["hyp-2"] == 'His "jaw" is hurting.'
    assert (rows[0]["correct"], rows[0]["reference-systems"], rows[0]["hyp-1-systems"]) == (
        "2",
        "A; B (wmt21)",
        r"C\; D",
    )


def test_some_rows_of_a_table_are_a_set(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "set.tsv")
    lines = (tmp_path / "set.tsv").read_text("utf-8").splitlines(keepends=True)
    (tmp_path / "part.tsv").write_text(lines[0] + lines[2], encoding="utf-8")
    assert read_challenge(tmp_path / "part.tsv") == replace(GARDEN, items=(REGEN,))


def test_ids_and_texts_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "mine.cs-en.tsv"
    file.write_text("hyp-1\thyp-2\tsource\treference\tid\na  b\tc\tx\ty\t7\n", encoding="utf-8")
    found = read_challenge(file)
    assert (found.name, found.langpair, found.is_blind, found.items[0].first) == ("mine", "cs-en", True, "a b")


def test_wmt25_files(tmp_path: Path) -> None:
    written = write_challenge(GARDEN, tmp_path / "out", "wmt25")
    parts = ("src.txt", "ref.txt", "hyp-1.txt", "hyp-2.txt", "meta.txt", "more.jsonl")
    assert [file.name for file in written] == [f"garden.de-en.{part}" for part in parts]
    assert read_lines(written[3]) == ['His "jaw" is hurting.', "It rains."]
    assert read_lines(written[4]) == ["Lexical_ambiguity\tc1", "Negation\tc2"]
    assert json.loads(read_lines(written[5])[0])["item"] == "kiefer"
    for file in written:
        assert read_challenge(file) == GARDEN


def test_a_wmt25_set_may_stand_beside_others(tmp_path: Path) -> None:
    (tmp_path / "other.txt").touch()
    write_challenge(GARDEN, tmp_path / "trees.de-en", "wmt25")
    assert read_challenge(tmp_path / "trees.de-en.ref.txt") == GARDEN
    before = listing(tmp_path)
    with pytest.raises(BadFile, match=r"trees\.de-en\.src\.txt: is there already"):
        write_challenge(blinded(GARDEN), tmp_path / "trees.de-en", "wmt25")
    broken = replace(GARDEN, items=(KIEFER, replace(REGEN, second="\ud800")))
    with pytest.raises(BadFile, match=r"hyp-2\.txt: cannot be written"):
        write_challenge(broken, tmp_path / "trees.de-en", "wmt25", force=True)
    assert listing(tmp_path) == before
    write_challenge(blinded(GARDEN), tmp_path / "trees.de-en", "wmt25", force=True)
    write_challenge(GARDEN, tmp_path / "more.de-en", "wmt25")
    with pytest.raises(BadFile, match=r"2 sets are here; name one of them: .*more\.de-en\.src\.txt"):
        read_challenge(tmp_path)


def test_wmt25_files_of_others(tmp_path: Path) -> None:
    texts = {"src": "Eins \\n zwei\n", "hyp-1": "one\ttwo\n", "hyp-2": '"two"\n', "meta": "anything\n"}
    for part, text in texts.items():
        (tmp_path / f"x.de-en.{part}.txt").write_text(text, encoding="utf-8")
    item = read_challenge(tmp_path).items[0]
    assert item == ChallengeItem("1", "Eins zwei", "", "one two", '"two"')


def test_an_mt_metrics_eval_tree(tmp_path: Path) -> None:
    write_challenge(GARDEN, tmp_path / "out", "mt-metrics-eval")
    files = {name: content.decode() for name, content in listing(tmp_path / "out").items() if content is not None}
    assert sorted(files) == [
        "documents/de-en.docs",
        "human-scores/de-en.verdict.seg.score",
        "metadata/de-en.jsonl",
        "references/de-en.refA.txt",
        "sources/de-en.txt",
        "system-outputs/de-en/hyp-1.txt",
        "system-outputs/de-en/hyp-2.txt",
    ]
    assert files["documents/de-en.docs"] == "Lexical_ambiguity\tc1\nNegation\tc2\n"
    assert files["human-scores/de-en.verdict.seg.score"] == "hyp-1\t0\nhyp-1\t1\nhyp-2\t1\nhyp-2\t0\n"
    assert read_challenge(tmp_path / "out" / "sources" / "de-en.txt") == GARDEN


def test_a_tree_of_others(tmp_path: Path) -> None:
    for name, text in {
        "sources/de-en.txt": "Eins\nZwei\n",
        "references/de-en.refB.txt": "One\nTwo\n",
        "system-outputs/de-en/hyp-1.txt": "one\ntree\n",
        "system-outputs/de-en/hyp-2.txt": "on\ntwo\n",
        "human-scores/de-en.verdict.seg.score": "hyp-2 0.2\nhyp-2 7\nhyp-1 0.4\nhyp-1 -1\n",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = read_challenge(tmp_path)
    assert [(item.id, item.reference, item.right) for item in found.items] == [("1", "One", "one"), ("2", "Two", "two")]
    (tmp_path / "sources" / "en-de.txt").write_text("One\n")
    with pytest.raises(BadFile, match=r"2 language pairs; name one of them: .*sources/de-en\.txt"):
        read_challenge(tmp_path)
    (tmp_path / "human-scores" / "de-en.verdict.seg.score").write_text("hyp-1 1\nhyp-1 1\nhyp-2 1\nhyp-2 0\n")
    with pytest.raises(BadFile, match="does not say which translation of challenge item 1 is right"):
        read_challenge(tmp_path / "sources" / "de-en.txt")


@pytest.mark.parametrize("format", ["wmt25", "mt-metrics-eval"])
def test_a_folder_is_written_whole_or_not_at_all(tmp_path: Path, format: SetFormat) -> None:
    broken = replace(GARDEN, items=(KIEFER, replace(REGEN, second="\ud800")))
    with pytest.raises(BadFile, match=r"out/.*hyp-2\.txt: cannot be written: a text holds half a character"):
        write_challenge(broken, tmp_path / "out", format)
    with pytest.raises(BadOption, match="the files are named after the language pair"):
        write_challenge(replace(GARDEN, langpair="../x-y"), tmp_path / "out", format)
    assert listing(tmp_path) == {}
    write_challenge(GARDEN, tmp_path / "out", format)
    with pytest.raises(BadFile, match="the folder is not empty"):
        write_challenge(GARDEN, tmp_path / "out", format)
    write_challenge(GARDEN, tmp_path / "out", format, force=True)


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="'a/b' cannot name a file"):
        write_challenge(replace(GARDEN, name="a/b"), tmp_path / "out", "wmt25")
    with pytest.raises(BadOption, match=r"the name does not tell the format; choose one of tsv, jsonl, aces, wmt25"):
        write_challenge(GARDEN, tmp_path / "out")
    with pytest.raises(BadOption, match="no items"):
        write_challenge(replace(GARDEN, items=()), tmp_path / "out.tsv")
    with pytest.raises(BadOption, match="correct translations are known"):
        write_key(blinded(GARDEN), tmp_path / "key.tsv")
    assert listing(tmp_path) == {}


HEAD = "id\tsource\treference\thyp-1\thyp-2\tcorrect\n"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.tsv", "id\tsource\thyp-1\thyp-2\n1\ta\tb\tc\n", r"a\.tsv:1: no column 'reference'; name the columns id,"),
        ("a.tsv", HEAD, "no challenge items"),
        ("a.tsv", HEAD + "1\ta\tb\tc\td\t1\n1\ta\tb\tc\td\t1\n", r":3: the id '1' stands twice"),
        ("a.tsv", HEAD + " \ta\tb\tc\td\t1\n", r":2: 'id' is empty"),
        ("a.tsv", HEAD + "1\ta\tb\tc\td\t3\n", r":2: 'correct' is '3'; write 1 or 2"),
        ("a.tsv", HEAD + "1\ta\tb\tc\td\t1\n2\ta\tb\tc\td\t\n", r":3: 'correct' is empty for some"),
        ("a.tsv", HEAD.replace("correct", "set") + "1\ta\tb\tc\td\tx\n2\ta\tb\tc\td\ty\n", r":3: .* of another set"),
        ("a.tsv", HEAD + "1\ta\n", ":2: 2 cells under 6 columns"),
        ("a.tsv", "", "the file is empty"),
        ("a.tsv", HEAD.encode() + b"1\t\xff\tb\tc\td\t1\n", ":2: not UTF-8"),
        ("a.jsonl", '{"id": 1, "source": "a", "reference": "b", "hyp-1": "c"}\n', ":1: 'hyp-2' is missing"),
        ("a.jsonl", "{}\n", ":1: 'id' is missing"),
        ("a.jsonl", "[1]\n", ":1: not a JSON object"),
        ("a.jsonl", '{"id": "\\ud800"}\n', ":1: 'id' holds half a character"),
        (
            "a.jsonl",
            '{"id": 1, "source": "", "reference": "", "hyp-1": "", "hyp-2": "", "correct": true}\n',
            ":1: 'correct' is True",
        ),
        (
            "a.jsonl",
            '{"id": 1, "source": "", "reference": "", "hyp-1": "", "hyp-2": "", "hyp-1-systems": "A"}\n',
            ":1: 'hyp-1-systems' is 'A', not a list of texts",
        ),
        ("a.txt", "x\n", "not a challenge set; one is"),
        ("x.de-en.src.txt", "x\n", r"x\.de-en\.hyp-1\.txt: there is no such file"),
    ],
)
def test_a_bad_file_is_named_with_line_and_cure(tmp_path: Path, name: str, content: str | bytes, problem: str) -> None:
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadFile, match=problem):
        read_challenge(file)


@pytest.mark.parametrize("format", OPEN_FORMATS)
def test_the_files_of_a_set_are_those_that_were_written(tmp_path: Path, format: SetFormat) -> None:
    place = tmp_path / "out" / NAMES.get(format, format)
    place.parent.mkdir()
    written = write_challenge(GARDEN, place, format)
    assert {*written} <= {*files_of(place)}
    if place.is_dir():
        sources = next(file for file in written if "src" in file.name or file.parent.name == "sources")
        assert {*written} <= {*files_of(sources)}


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    for path, problem in {
        tmp_path / "no.tsv": "no such file",
        tmp_path / "no": "no such file or folder",
        tmp_path / ("x" * 300): "no such file or folder",
        tmp_path: "no challenge set in this folder",
    }.items():
        with pytest.raises(BadFile, match=problem):
            read_challenge(path)


@pytest.mark.parametrize(
    ("part", "text", "problem"),
    [
        (
            "hyp-2",
            "a\nb\nc\n",
            r"hyp-2\.txt: 3 lines where garden\.de-en\.src\.txt has 2; the files of a set are parallel",
        ),
        ("ref", "a\n", r"ref\.txt: 1 lines where"),
        ("more", '{"id": "1"}\n', r"more\.jsonl: 1 lines where"),
        ("more", '{"id": "1"}\n{"id": "1"}\n', r"more\.jsonl:2: the id '1' stands twice"),
        ("more", '{"id": "1"}\nx\n', r"more\.jsonl:2: broken JSON"),
    ],
)
def test_files_that_are_not_parallel_are_named(tmp_path: Path, part: str, text: str, problem: str) -> None:
    write_challenge(GARDEN, tmp_path / "out", "wmt25")
    suffix = "jsonl" if part == "more" else "txt"
    (tmp_path / "out" / f"garden.de-en.{part}.{suffix}").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        read_challenge(tmp_path / "out")


@pytest.mark.parametrize(
    ("gone", "problem"),
    [
        ("hyp-1", r"system-outputs/de-en/hyp-1\.txt: there is no such file; keep the tree as it was written"),
        ("hyp-2", r"verdict\.seg\.score:3: no hypothesis 'hyp-2'; did you mean hyp-1"),
    ],
)
def test_a_system_of_a_tree_that_is_gone_is_named(tmp_path: Path, gone: str, problem: str) -> None:
    write_challenge(GARDEN, tmp_path / "out", "mt-metrics-eval")
    (tmp_path / "out" / "system-outputs" / "de-en" / f"{gone}.txt").unlink()
    with pytest.raises(BadFile, match=problem):
        read_challenge(tmp_path / "out")


def test_a_key_holds_labels_and_no_texts(tmp_path: Path) -> None:
    write_key(GARDEN, tmp_path / "key.tsv")
    text = (tmp_path / "key.tsv").read_text("utf-8")
    assert "jaw" not in text
    assert GARDEN.hash in text
    assert unblind(blinded(GARDEN), tmp_path / "key.tsv") == GARDEN


def test_a_key_is_there_only_if_its_set_is(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "file").touch()
    write_key(GARDEN, tmp_path / "key.tsv")
    before = (tmp_path / "key.tsv").read_bytes()
    with pytest.raises(BadFile, match="not empty"), writing_key(replace(GARDEN, signature=""), tmp_path / "key.tsv"):
        write_challenge(blinded(GARDEN), tmp_path / "tree", "mt-metrics-eval")
    assert (tmp_path / "key.tsv").read_bytes() == before
    assert sorted(listing(tmp_path)) == ["key.tsv", "tree", "tree/file"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("c2\t1", "c2\t0", ":3: 'correct' is '0'"),
        ("c2\t1", "c3\t1", "no line for challenge item 'c2'"),
        ("c2\t1", "c1\t1", ":3: the id 'c1' stands twice"),
        (GARDEN.hash, "0" * 12, f"the key of another set .hash 0+, not {GARDEN.hash}"),
        ("\thash", "\tcrc", ":1: no column 'hash'"),
    ],
)
def test_a_key_that_does_not_fit_is_refused(tmp_path: Path, old: str, new: str, problem: str) -> None:
    file = tmp_path / "key.tsv"
    write_key(GARDEN, file)
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        unblind(blinded(GARDEN), file)


def test_a_key_with_a_line_too_many_or_of_two_sets_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "key.tsv"
    write_key(GARDEN, file)
    lines = read_lines(file)
    file.write_text("\n".join([*lines, lines[-1].replace("c2", "c9")]), encoding="utf-8")
    with pytest.raises(BadFile, match="the set has no challenge item 'c9'"):
        unblind(blinded(GARDEN), file)
    file.write_text("\n".join([*lines[:-1], lines[-1].replace(GARDEN.hash, "0" * 12)]), encoding="utf-8")
    with pytest.raises(BadFile, match=":3: of the key of another set"):
        unblind(blinded(GARDEN), file)


def test_the_key_of_a_set_in_another_order_is_refused(tmp_path: Path) -> None:
    write_key(GARDEN, tmp_path / "key.tsv")
    with pytest.raises(BadFile, match="the key of another set"):
        unblind(blinded(replace(GARDEN, items=(REGEN, KIEFER))), tmp_path / "key.tsv")
