"""Scores of metrics: the journal that survives interruptions, and the files of others."""

import math
import struct
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores
from assay.challenge.files.scores import ScoreHeader, ScoreJournal, read_scores
from assay.challenge.files.sets import write_challenge
from assay.challenge.files.wmt25_scores import WMT25_COLUMNS
from assay.errors import BadFile, BadOption
from tests.challenge.challenges import GARDEN, KIEFER, REGEN, blinded

FIVE = ChallengeSet("five", "de-en", tuple(ChallengeItem(f"Ü {k}", "s", "r", f"a{k}", f"b{k}", 1) for k in range(5)))
HEADER = ScoreHeader("chrF", "baseline", True, "nrefs:1|case:mixed", GARDEN.hash)
FIVE_HEADER = replace(HEADER, set_hash=FIVE.hash)


def scores(file: Path | str, challenge: ChallengeSet = GARDEN, *lower: str) -> list[MetricScores]:
    return read_scores(str(file), challenge, lower_is_better=lower, groups={})


def values(file: Path | str, challenge: ChallengeSet = GARDEN) -> list[list[float]]:
    (found,) = scores(file, challenge)
    return [[float(score) for score in row] for row in found.values]


def file_with(folder: Path, text: str, name: str = "mine.txt") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8", newline="")
    return file


def bits(rows: list[tuple[float, float]]) -> list[bytes]:
    return [struct.pack("dd", *row) for row in rows]


floats = st.one_of(st.floats(allow_nan=False, allow_infinity=False), st.just(math.nan))
five_rows = st.lists(st.tuples(floats, floats), min_size=5, max_size=5)


# --- the journal


def test_a_score_file_is_a_table_below_a_line_that_says_what_it_is(tmp_path: Path) -> None:
    with ScoreJournal(tmp_path / "chrF.tsv", GARDEN, HEADER) as journal:
        journal.append([(0.1, 2 / 3), (math.nan, np.float64(1e22))])
    header, *table = (tmp_path / "chrF.tsv").read_text("utf-8").splitlines()
    assert header == (
        '# {"metric": "chrF", "group": "baseline", "higher_is_better": true,'
        f' "signature": "nrefs:1|case:mixed", "set_hash": "{GARDEN.hash}"}}'
    )
    assert table == ["id\thyp-1\thyp-2", "c1\t0.1\t0.6666666666666666", "c2\tNaN\t1e+22"]
    (found,) = scores(tmp_path / "chrF.tsv")
    expected = (HEADER.metric, HEADER.group, HEADER.higher_is_better, HEADER.signature)
    assert (found.name, found.group, found.higher_is_better, found.signature) == expected


@settings(max_examples=40)
@given(rows=five_rows)
def test_scores_come_back_to_the_bit(rows: list[tuple[float, float]]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "scores.tsv"
        with ScoreJournal(file, FIVE, FIVE_HEADER) as journal:
            journal.append(rows)
        assert bits([(row[0], row[1]) for row in values(file, FIVE)]) == bits(rows)
        with ScoreJournal(file, FIVE, FIVE_HEADER) as journal:
            assert (journal.done, bits(journal.rows)) == (5, bits(rows))
            assert journal.values.shape == (5, 2)


@settings(max_examples=60)
@given(rows=five_rows, cut=st.floats(0, 1), step=st.integers(1, 5))
@example(rows=[(0.25, 0.5)] * 5, cut=0.0, step=2)
@example(rows=[(0.25, 0.5)] * 5, cut=1.0, step=2)
def test_a_run_cut_at_any_byte_is_finished_as_if_nothing_had_been(
    rows: list[tuple[float, float]], cut: float, step: int
) -> None:
    with TemporaryDirectory() as folder:
        whole, torn = Path(folder) / "whole.tsv", Path(folder) / "torn.tsv"
        with ScoreJournal(whole, FIVE, FIVE_HEADER) as journal:
            journal.append(rows)
        expected = whole.read_bytes()
        torn.write_bytes(expected[: round(cut * len(expected))])
        with ScoreJournal(torn, FIVE, FIVE_HEADER) as journal:
            assert bits(journal.rows) == bits(rows[: journal.done])
            while journal.done < 5:
                journal.append(rows[journal.done : journal.done + step])
        assert torn.read_bytes() == expected


def test_every_cut_keeps_the_complete_lines(tmp_path: Path) -> None:
    rows = [(0.25, 0.5)] * 5
    with ScoreJournal(tmp_path / "whole.tsv", FIVE, FIVE_HEADER) as journal:
        journal.append(rows)
    content = (tmp_path / "whole.tsv").read_bytes()
    for cut in range(len(content) + 1):
        torn = tmp_path / "torn.tsv"
        torn.write_bytes(content[:cut])
        with ScoreJournal(torn, FIVE, FIVE_HEADER) as journal:
            assert journal.done == max(0, content[:cut].count(b"\n") - 2)
            journal.append(rows[journal.done :])
        assert torn.read_bytes() == content


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"set_hash": "0" * 12}, "scores of another challenge set .hash 0+, not .*; score this set into another"),
        ({"signature": "other"}, "scores with another signature: other, not nrefs.*; score anew with --again, or"),
        ({"metric": "BLEU"}, "scores with another metric: BLEU, not chrF"),
    ],
)
def test_scores_of_something_else_are_not_continued(tmp_path: Path, change: dict[str, object], problem: str) -> None:
    file = file_with(tmp_path, f"{replace(HEADER, **change)}c1\t1\t2\n")  # type: ignore[arg-type]
    before = file.read_bytes()
    with pytest.raises(BadFile, match=problem):
        ScoreJournal(file, GARDEN, HEADER)
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("my notes\n", "not a score file of Assay; delete it or write elsewhere"),
        ("my notes", "not a score file of Assay"),
        ("# {\nid\thyp-1\thyp-2\n", ":1: the first line is broken"),
        ('# {"metric": "x"}\nid\thyp-1\thyp-2\n', ":1: 'group' is None; one of baseline, reference-based, qe"),
        (f"{HEADER}c2\t1\t2\n", ":3: 'c2.*' stands where challenge item 'c1' is expected"),
        (f"{HEADER}c1\t1\t2\nc2\t1\t2\nc3\t1\t2\n", ":5: .* stands where the end is expected"),
        (f"{HEADER}c1\t1\n", ":3: 'c1.*' stands where"),
        (f"{HEADER}c1\tx\t2\n", ":3: 'x' is not a number"),
        (b"\xff\n", "not a score file"),
    ],
)
def test_what_is_not_a_score_file_is_left_alone(tmp_path: Path, content: str | bytes, problem: str) -> None:
    file = tmp_path / "scores.tsv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = file.read_bytes()
    with pytest.raises(BadFile, match=problem):
        ScoreJournal(file, GARDEN, HEADER)
    assert file.read_bytes() == before


@pytest.mark.parametrize("change", [{"set_hash": "0" * 12}, {"signature": "other"}, {"metric": "BLEU"}, {}])
@pytest.mark.parametrize("end", [None, -1, -8, -20])
def test_a_file_without_scores_is_as_good_as_none(tmp_path: Path, change: dict[str, object], end: int | None) -> None:
    """A run that failed at once leaves nothing in the way of the next; nor does the file of a killed one."""
    with ScoreJournal(tmp_path / "new.tsv", GARDEN, HEADER):
        pass
    assert not (tmp_path / "new.tsv").exists()
    file = file_with(tmp_path, str(replace(HEADER, **change))[:end])  # type: ignore[arg-type]
    with ScoreJournal(file, GARDEN, HEADER) as journal:
        assert journal.kept == 0
        journal.append([(1.0, 2.0)])
    assert file.read_text("utf-8") == f"{HEADER}c1\t1.0\t2.0\n"


def test_another_group_or_direction_is_written_down_and_the_scores_are_kept(tmp_path: Path) -> None:
    changed = replace(HEADER, group="qe", higher_is_better=False)
    file = file_with(tmp_path, f"{HEADER}c1\t1.0\t2.0\n")
    with ScoreJournal(file, GARDEN, changed) as journal:
        assert (journal.kept, journal.rows) == (1, [(1.0, 2.0)])
        journal.append([(3.0, 4.0)])
    assert file.read_text("utf-8") == f"{changed}c1\t1.0\t2.0\nc2\t3.0\t4.0\n"


def test_lines_that_windows_has_ended_are_continued(tmp_path: Path) -> None:
    file = file_with(tmp_path, f"{HEADER}c1\t1.0\t2.0\n".replace("\n", "\r\n"))
    with ScoreJournal(file, GARDEN, HEADER) as journal:
        journal.append([(3.0, 4.0)])
    assert file.read_text("utf-8") == f"{HEADER}c1\t1.0\t2.0\nc2\t3.0\t4.0\n"


def test_scoring_again_replaces_scores_when_there_are_new_ones(tmp_path: Path) -> None:
    before = f"{replace(HEADER, signature='old')}c1\t1.0\t2.0\n"
    file = file_with(tmp_path, before)
    with ScoreJournal(file, GARDEN, HEADER, again=True) as journal:
        assert journal.rows == []
    assert file.read_text("utf-8") == before
    with ScoreJournal(file, GARDEN, HEADER, again=True) as journal:
        journal.append([(3.0, 4.0)])
    assert file.read_text("utf-8") == f"{HEADER}c1\t3.0\t4.0\n"
    with pytest.raises(BadFile, match="not a score file of Assay"):
        ScoreJournal(file_with(tmp_path, "my notes\n"), GARDEN, HEADER, again=True)


def test_a_place_where_no_journal_can_be_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"there is no folder .*none; make it first"):
        ScoreJournal(tmp_path / "none" / "x.tsv", GARDEN, HEADER)
    with pytest.raises(BadFile, match="cannot be written"):
        ScoreJournal(tmp_path, GARDEN, HEADER)
    with pytest.raises(BadOption, match="cannot be compressed"):
        ScoreJournal(tmp_path / "x.gz", GARDEN, HEADER)


def test_an_unfinished_file_is_no_result(tmp_path: Path) -> None:
    with ScoreJournal(tmp_path / "x.tsv", GARDEN, HEADER) as journal:
        journal.append([(1.0, 2.0)])
    half = file_with(tmp_path, (tmp_path / "x.tsv").read_text("utf-8") + "c2\t1.0\t2", "half.tsv")
    for file in (tmp_path / "x.tsv", half):
        with pytest.raises(BadFile, match="scores of 1 of 2 challenge items; run `assay challenge score` again"):
            scores(file)


def test_scores_of_another_set_are_refused(tmp_path: Path) -> None:
    with ScoreJournal(tmp_path / "x.tsv", GARDEN, HEADER) as journal:
        journal.append([(1.0, 2.0), (3.0, 4.0)])
    with pytest.raises(BadFile, match="scores of another challenge set"):
        scores(tmp_path / "x.tsv", replace(GARDEN, items=(REGEN, KIEFER)))
    assert values(tmp_path / "x.tsv", blinded(GARDEN)) == [[1, 2], [3, 4]]


# --- names, groups, directions


def test_names_groups_and_directions(tmp_path: Path) -> None:
    file = file_with(tmp_path, "1 2\n3 4\n", "TER.txt")
    (plain,) = scores(file)
    assert (plain.name, plain.group, plain.higher_is_better) == ("TER", "reference-based", True)
    (named,) = read_scores(f"mine={file}", GARDEN, lower_is_better=["mine"], groups={"mine": "qe", "TER": "baseline"})
    assert (named.name, named.group, named.higher_is_better) == ("mine", "qe", False)


# --- plain columns


@pytest.mark.parametrize("text", ["1\t2\n3\t4\n", "1 2\n3 4", "1\n3\n2\n4\n", " 1 \r\n3\r\n2\r\n4\r\n"])
def test_columns_of_numbers(tmp_path: Path, text: str) -> None:
    assert values(file_with(tmp_path, text)) == [[1, 2], [3, 4]]


@pytest.mark.parametrize("text", ["\t1\nnan\tNone\n", "NaN 1\n\n", "nan\n\n1\nNaN\n"])
def test_no_score_is_not_a_number(tmp_path: Path, text: str) -> None:
    assert str(values(file_with(tmp_path, text))) == "[[nan, 1.0], [nan, nan]]"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("1\n2\n3\n", ": 3 lines where 4 are expected; write hyp-1 and hyp-2 on 2 lines, or 4 lines"),
        ("1 2\n1 2\n1 2\n", ": 3 lines where 2 are expected"),
        ("1 2\n1\n", ":2: 1 cells; write two numbers on every line, or one"),
        ("1 2 3\n1 2 3\n", ":1: 3 cells"),
        ("1 2\n1 x\n", ":2: 'x' is not a number; write NaN"),
        ("1 2\n1 1_0\n", ":2: '1_0' is not a number"),
        ("1 2\n1 0,5\n", ":2: '0,5' is not a number; write a point instead of the comma: 0.5$"),
        ("0,5\n0,7\n0,5\n0,7\n", ":1: '0,5' is not a number; write a point instead of the comma"),
        ("0.5,0.7\n0.5,0.7\n0.5\n0.7\n", ":1: '0.5,0.7' is not a number; separate numbers with a tab or a space$"),
        ("hyp-1\thyp-2\n1\t2\n3\t4\n", ":1: 'hyp-1 hyp-2' is no score; leave the header line out$"),
        ("score\n1\n2\n3\n4\n", ":1: 'score' is no score; leave the header line out$"),
        ("", "the file is empty"),
    ],
)
def test_columns_that_do_not_fit_are_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        scores(file_with(tmp_path, text))


# --- mt-metrics-eval


@pytest.mark.parametrize(
    ("name", "metric", "group"),
    [
        ("BLEU-refA.seg.score", "BLEU", "reference-based"),
        ("COMET-22-refA.seg.score", "COMET-22", "reference-based"),
        ("COMETKiwi-src.seg.score", "COMETKiwi", "qe"),
        ("plain.seg.score", "plain", "reference-based"),
    ],
)
def test_blocks_of_systems(tmp_path: Path, name: str, metric: str, group: str) -> None:
    file = file_with(tmp_path, "refA\t9\nrefA\t9\nhyp-2\t2\nhyp-2\tNone\nhyp-1 1\nhyp-1 3\n", name)
    (found,) = scores(file)
    assert (found.name, found.group) == (metric, group)
    assert str(found.values.tolist()) == "[[1.0, 2.0], [3.0, nan]]"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("x-refA.seg.score", "hyp-1 1\nhyp-1 2\nhyp-2 1\n", ": 1 scores of hyp-2 where 2 are expected"),
        ("x-refA.seg.score", "A 1\nA 2\n", ": 0 scores of hyp-1 where 2 are expected"),
        ("x-refA.seg.score", "hyp-1 1 2\n", ":1: not SYSTEM and SCORE"),
        ("x-refA.seg.score", "hyp-1 x\n", ":1: 'x' is not a number"),
        ("x-refA.sys.score", "hyp-1 1\nhyp-2 2\n", "not scores of segments; name the file that ends in .seg.score"),
    ],
)
def test_blocks_that_do_not_fit_are_named(tmp_path: Path, name: str, text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        scores(file_with(tmp_path, text, name))


# --- WMT25


def wmt25(*rows: tuple[str, str, str, str], extra: str = "overall", set_id: str = "garden") -> str:
    """A scored TSV; rows are (system, source, hypothesis, score)."""
    lines = ["\t".join((*WMT25_COLUMNS, extra))]
    for number, (system, source, text, score) in enumerate(rows):
        cells = ["doc", str(number), "de", "en", set_id, system, source, text, "NaN", "challenge", "ESA", score]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


ROWS = [
    ("hyp-1", KIEFER.source, KIEFER.first, "1"),
    ("hyp-1", REGEN.source, REGEN.first, "3"),
    ("hyp-2", KIEFER.source, KIEFER.second, "2"),
    ("hyp-2", REGEN.source, REGEN.second, "NaN"),
]


@pytest.mark.parametrize("extra", ["overall", "score", "my_metric"])
def test_a_scored_table_of_wmt25(tmp_path: Path, extra: str) -> None:
    file = file_with(tmp_path, wmt25(*ROWS, extra=extra), "my_metric.tsv")
    (found,) = scores(file)
    assert found.name == "my_metric"
    assert str(found.values.tolist()) == "[[1.0, 2.0], [3.0, nan]]"


def test_rows_of_other_sets_pairs_and_systems_are_skipped(tmp_path: Path) -> None:
    other = wmt25(("hyp-1", "x", "y", "9"), set_id="other").split("\n")[1]
    french = wmt25(("hyp-1", "x", "y", "9")).split("\n")[1].replace("\tde\ten\t", "\tde\tfr\t")
    human = wmt25(("refA", "x", "y", "9")).split("\n")[1]
    file = file_with(tmp_path, wmt25(*ROWS) + f"{other}\n{french}\n{human}\n", "m.tsv")
    assert str(values(file)) == "[[1.0, 2.0], [3.0, nan]]"
    with pytest.raises(BadFile, match="no set 'gardens'; did you mean garden"):
        scores(file, replace(GARDEN, name="gardens"))


def test_the_rows_of_a_pair_are_found_by_what_their_codes_mean(tmp_path: Path) -> None:
    rows = wmt25(*ROWS).replace("\tde\ten\t", "\tdeu_Latn\teng_Latn\t")
    french = wmt25(("hyp-1", "x", "y", "9")).split("\n")[1].replace("\tde\ten\t", "\tdeu_Latn\tfra_Latn\t")
    assert str(values(file_with(tmp_path, f"{rows}{french}\n", "m.tsv"))) == "[[1.0, 2.0], [3.0, nan]]"
    british = french.replace("fra_Latn", "en_GB")
    file = file_with(tmp_path, f"{rows}{british}\n", "m.tsv")
    with pytest.raises(BadFile, match="may be those of de-en: deu_Latn-en_GB, deu_Latn-eng_Latn; leave in the file"):
        scores(file)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (wmt25(*ROWS[:3]), ": 1 scores of hyp-2 where 2 are expected"),
        (wmt25(*ROWS, ROWS[0]), ": 3 scores of hyp-1 where 2 are expected"),
        (wmt25(ROWS[1], ROWS[0], *ROWS[2:]), ":2: scores of other texts: not those of challenge item 'c1'; check"),
        (wmt25(*ROWS).replace("\tNaN\n", "\thigh\n"), ":5: 'high' is not a number"),
        (wmt25(*ROWS, extra="method2\tx").replace("\t1\n", "\t1\t1\n"), ":1: several columns may hold the score"),
        ("\t".join(WMT25_COLUMNS) + "\n", ":1: no column with scores; name it 'overall' or 'score'"),
    ],
)
def test_a_table_of_wmt25_that_does_not_fit_is_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        scores(file_with(tmp_path, text, "m.tsv"))


# --- ACES


def scored(folder: Path, *columns: tuple[str, ...]) -> str:
    """The set as an ACES table with further columns."""
    write_challenge(GARDEN, folder / "aces.tsv", "aces")
    lines = (folder / "aces.tsv").read_text("utf-8").splitlines()
    return "".join("\t".join((line, *cells)) + "\n" for line, *cells in zip(lines, *columns, strict=True))


def test_a_scored_aces_table_has_several_metrics(tmp_path: Path) -> None:
    text = scored(
        tmp_path, ("BLEU-good", "1", "3"), ("BLEU-bad", "2", "4"), ("x-y-bad", "", "0"), ("x-y-good", "5", "6")
    )
    file = file_with(tmp_path, text, "scored.tsv")
    # The first item's second translation is the good one.
    for challenge in (GARDEN, blinded(GARDEN)):
        found = {metric.name: str(metric.values.tolist()) for metric in scores(file, challenge)}
        assert found == {"BLEU": "[[2.0, 1.0], [3.0, 4.0]]", "x-y": "[[nan, 5.0], [6.0, 0.0]]"}
    with pytest.raises(BadOption, match="holds the scores of 2 metrics; give it without mine="):
        scores(f"mine={file}")


def test_a_table_that_pandas_quoted_has_the_same_texts(tmp_path: Path) -> None:
    text = scored(tmp_path, ("m-good", "1", "3"), ("m-bad", "2", "4")).replace(
        KIEFER.right, '"His ""jaw"" is hurting."'
    )
    assert values(file_with(tmp_path, text, "scored.tsv")) == [[2, 1], [3, 4]]


def test_scores_alone_follow_the_labels(tmp_path: Path) -> None:
    file = file_with(tmp_path, "m-good\tm-bad\n1\t2\n3\t4\n", "scored.tsv")
    assert values(file) == [[2, 1], [3, 4]]
    with pytest.raises(BadFile, match=":2: the set is blind"):
        scores(file, blinded(GARDEN))


def test_an_aces_table_that_does_not_fit_is_named(tmp_path: Path) -> None:
    text = scored(tmp_path, ("m-good", "1", "3"), ("m-bad", "2", "4"))
    for changed, problem in {
        text.replace("It rains.", "It pours."): ":3: scores of other texts: not those of challenge item 'c2'",
        "".join(text.splitlines(keepends=True)[:2]): ": 1 rows where 2 are expected",
        text.replace("\t3\t4\n", "\t3\tx\n"): ":3: 'x' is not a number",
        text.replace("m-good", "m"): ":1: no scores; they stand in columns METRIC-good and METRIC-bad",
    }.items():
        with pytest.raises(BadFile, match=problem):
            scores(file_with(tmp_path, changed, "scored.tsv"))
