"""The challenge sets of WMT25 as they were handed in and the scores that came back; skipped where there are none."""

import math
from pathlib import Path

import pytest

from assay.challenge.accuracy import evaluate_metrics
from assay.challenge.convert import Additions, convert_file
from assay.challenge.files.scores import ScoreHeader, ScoreJournal, hash_of, read_case_scores, read_scores
from assay.challenge.files.sets import SetFormat, read_cases, read_challenge, read_scorable
from assay.challenge.metric import load_metric
from assay.challenge.score import score
from assay.challenge.usable import usable_by
from assay.errors import AssayError


@pytest.fixture
def real(data: Path) -> Path:
    if not (data / "wmt25-challenge").is_dir():
        pytest.skip("no challenge sets of WMT25")
    return data / "wmt25-challenge"


SETS = {
    # Set or file: challenge items, hypotheses each, challenge items with a reference; counted with wc and grep.
    "SSA-MTE": (1192, 1, 1192),
    "condrift": (334, 4, 0),
    "mslc-a": (32, 6, 32),
    "mslc-b1": (18, 2, 18),
    "mslc-b/mslc-b.cs-en.src.txt": (80, 1, 80),
    "mslc-b/mslc-b.cs-en_GB.src.txt": (80, 1, 80),
    "mslc-b/mslc-b.cs-en_US.src.txt": (80, 1, 80),
    "mslc-b/mslc-b.ja-zh_CN.src.txt": (80, 1, 40),
}


def scored(place: Path, name: str, folder: Path) -> Path:
    metric, (challenge, _) = load_metric(name), read_scorable(place)
    header = ScoreHeader(name, metric.group, metric.higher_is_better, metric.signature, hash_of(challenge))
    with ScoreJournal(folder / f"{name}.tsv", challenge, header) as journal:
        usable, kept = usable_by(metric, challenge, journal)
        score(usable, metric, kept)
    return folder / f"{name}.tsv"


@pytest.mark.parametrize("name", SETS)
def test_a_real_set_is_read_scored_and_written_again(real: Path, tmp_path: Path, name: str) -> None:
    place = real / "1-submitted" / name
    cases = read_cases(place)
    items, hypotheses, references = SETS[name]
    assert (len(cases), {len(case.hypotheses) for case in cases.cases}) == (items, {hypotheses})
    assert sum(bool(case.references) for case in cases.cases) == references
    assert all(case.document and case.labels for case in cases.cases)
    if not references:
        with pytest.raises(AssayError, match="chrF needs a reference, and the challenge item '1:hyp-1' has none"):
            scored(place, "chrF", tmp_path)
    file = scored(place, "chrF" if references else "copy", tmp_path)
    (found,) = read_case_scores(str(file), cases, lower_is_better=(), groups={})
    missing = sum(math.isnan(value) for value in found.values.tolist())
    assert (len(found.values), missing) == (items * hypotheses, (items - references) * hypotheses if references else 0)
    kinds: list[SetFormat] = ["wmt25", "mt-metrics-eval"]
    for kind in kinds:
        convert_file(place, tmp_path / cases.name / kind, format=kind)
        assert read_cases(tmp_path / cases.name / kind).cases == cases.cases


def test_a_real_set_with_several_language_pairs_is_one(real: Path) -> None:
    cases = read_cases(real / "1-submitted" / "mslc-b")
    assert (len(cases), cases.langpair) == (4 * 80, "mul-mul")
    bleu = real / "4-to_return" / "mslc-b" / "baseline" / "BLEU.tsv"
    (found,) = read_case_scores(str(bleu), cases, lower_is_better=(), groups={})
    assert len(found.values) == 320


@pytest.mark.parametrize("name", [name for name in SETS if name.startswith("mslc")])
def test_all_returned_scores_find_their_hypotheses(real: Path, tmp_path: Path, name: str) -> None:
    cases = read_cases(real / "1-submitted" / name)
    files = sorted((real / "4-to_return" / cases.name).glob("*/*.tsv"))
    # UvA-MT scored one direction of mslc-b and no other.
    files = [file for file in files if file.stem != "UvA-MT" or cases.langpair == "ja-zh_CN"]
    found = {file.stem: read_case_scores(str(file), cases, lower_is_better=(), groups={})[0] for file in files}
    assert len(found) == (20 if cases.langpair == "ja-zh_CN" else 19)
    assert {metric.group for name, metric in found.items() if name in ("BLEU", "chrF")} == {"baseline"}
    # The organisers' chrF is Assay's; they give 0 where there is no reference, and write four decimals.
    (own,) = read_case_scores(
        str(scored(real / "1-submitted" / name, "chrF", tmp_path)), cases, lower_is_better=(), groups={}
    )
    both = zip(own.values.tolist(), found["chrF"].values.tolist(), strict=True)
    assert max(abs(mine - theirs) for mine, theirs in both if not math.isnan(mine)) < 1e-4


def test_a_ladder_makes_a_report_of_a_real_set(real: Path, tmp_path: Path) -> None:
    """mslc-a is of systems of rising quality; a metric is right where it says so."""
    ladder = " > ".join(f"hyp-{number}" for number in range(6, 0, -1))
    convert_file(real / "1-submitted" / "mslc-a", tmp_path / "a.jsonl", Additions(ladder=ladder))
    challenge = read_challenge(tmp_path / "a.jsonl")
    files = [real / "4-to_return" / "mslc-a" / "baseline" / f"{name}.tsv" for name in ("chrF", "sentinel-src")]
    scores = [found for file in files for found in read_scores(str(file), challenge, lower_is_better=(), groups={})]
    evaluation = evaluate_metrics(challenge, scores)
    assert len(challenge) == 32 * 15
    chrf = read_case_scores(str(files[0]), read_cases(tmp_path / "a.jsonl"), lower_is_better=(), groups={})[0].values
    right = sum(
        chrf[6 * case + better] > chrf[6 * case + worse]
        for case in range(32)
        for better in range(6)
        for worse in range(better)
    )
    cells = {cell.metric: cell for cell in evaluation.averages()[0].cells}
    assert cells["chrF"].correct == right
    # A metric that looks at the source alone gives every hypothesis of it the same score.
    assert (cells["sentinel-src"].ties or 0) > 460
