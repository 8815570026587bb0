"""Profiles of metrics: blind spots, what answers depend on, and the pages that show them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from assay.challenge.accuracy import MetricEvaluation, evaluate_metrics
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores
from assay.challenge.cli import challenge as command
from assay.challenge.files.sets import write_challenge
from assay.challenge.profile import profile_of
from assay.challenge.report.profile_card import card_file, card_pages, render_profile
from assay.errors import BadOption, UnknownName

KINDS = ("Negation", "Tense", "Word")
PER_KIND = 20


def items() -> tuple[ChallengeItem, ...]:
    """20 sources of each phenomenon, two challenge items each: the same pair with two references. The correct one is
    longer in every second source."""
    found = []
    for kind in KINDS:
        for source in range(PER_KIND):
            for number in range(2):
                longer = source % 2 == 0
                found.append(
                    ChallengeItem(
                        f"{kind}{source}#{number}",
                        f"Quelle {kind} {source}",
                        f"reference {number}",
                        "it is right" + (" and long" if longer else ""),
                        "it is wrong" + ("" if longer else " and long"),
                        1,
                        f"{kind}{source}",
                        "Grammar",
                        kind,
                        second_systems=("Online-A (wmt22)",) if source < 5 else ("GPT (wmt22)", "Online-B (wmt22)"),
                    )
                )
    return tuple(found)


SET = ChallengeSet("test", "de-en", items())


def scores(name: str, right: np.ndarray, group: str = "baseline") -> MetricScores:
    values = np.where(right[:, None], (1.0, 0.0), (0.0, 1.0))
    return MetricScores(name, values, group, signature=f"{name}|1")  # type: ignore[arg-type]


def evaluation() -> MetricEvaluation:
    """`blind` is wrong in all of Negation but one source, and right elsewhere with every first reference."""
    kinds = np.array([item.phenomenon for item in SET.items])
    first = np.array([item.id.endswith("#0") for item in SET.items])
    one = np.array([item.item == "Negation0" for item in SET.items])
    longer = np.array([len(item.first) > len(item.second) for item in SET.items])
    return evaluate_metrics(
        SET,
        [
            scores("blind", np.where(kinds == "Negation", one, first)),
            scores("good", np.ones(len(SET), dtype=bool)),
            scores("fair", kinds != "Word"),
            scores("quality", kinds == "Word", "qe"),
            scores("length", longer, "control"),
        ],
        draws=200,
    )


EVALUATION = evaluation()
BLIND = profile_of(EVALUATION, "blind")


def test_blind_spots_are_below_the_mean_of_the_group() -> None:
    spot, other = BLIND.blind_spots
    assert other.row.phenomenon == "Tense"
    # 2 of 40 challenge items; the others of its group, good and fair, have all.
    assert (spot.row.phenomenon, spot.row.size, spot.row.sources) == ("Negation", 40, 20)
    assert (spot.row.accuracy, spot.row.group_mean) == (2 / 40, 1.0)
    assert spot.row.difference == pytest.approx(-0.95)
    assert BLIND.against == ("good", "fair")
    # 19 of 20 sources point one way. All but two of 10,001 sign flips are less extreme, times three for Holm.
    assert spot.row.p is not None
    assert spot.row.p < 0.001
    # In Word it has one of two right and its group has half, in Tense 0.5 against 1.
    word = next(row for row in BLIND.rows if row.phenomenon == "Word")
    assert (word.accuracy, word.group_mean, word.p) == (0.5, 0.5, 1)
    assert [row.phenomenon for row in profile_of(EVALUATION, "good").strengths] == ["Word", "Negation", "Tense"]


def test_examples_are_wrong_and_of_different_sources() -> None:
    examples = BLIND.blind_spots[0].examples
    assert len({item.source for item in examples}) == len(examples) == 3
    assert not any(item.item == "Negation0" for item in examples)


def test_alone_in_its_group_it_is_held_against_all_others() -> None:
    assert set(profile_of(EVALUATION, "quality").against) == {"good", "fair", "blind"}
    only = evaluate_metrics(SET, [scores("m", np.ones(len(SET), dtype=bool))], draws=50)
    profile = profile_of(only, "m")
    assert profile.against == ()
    assert profile.overall.difference is None
    assert not profile.blind_spots


def test_references() -> None:
    robust = BLIND.robustness
    assert robust is not None
    # 60 pairs of two references: Negation0 is right with both, 19 of Negation with none, 40 with the first.
    assert (robust.pairs, robust.sources, robust.references) == (60, 60, 2)
    assert (robust.always, robust.sometimes, robust.never) == (1, 40, 19)


def test_references_of_another_set() -> None:
    first = [place for place, item in enumerate(SET.items) if item.id.endswith("#0")]
    alone = replace(SET, items=tuple(SET.items[place] for place in first))
    other = replace(alone, items=tuple(replace(item, reference="another") for item in alone.items))
    right, wrong = np.ones(len(alone), dtype=bool), np.zeros(len(alone), dtype=bool)
    one = evaluate_metrics(alone, [scores("m", right)], draws=20)
    assert profile_of(one, "m").robustness is None
    two = evaluate_metrics(other, [scores("m", wrong)], draws=20)
    robust = profile_of(one, "m", same_pairs=[two]).robustness
    assert robust is not None
    assert (robust.pairs, robust.sometimes) == (60, 60)


def test_length_is_balanced() -> None:
    length = next(balance for balance in profile_of(EVALUATION, "length").balanced if balance.what == "length")
    # Right where the correct one is longer, and nowhere else.
    assert (length.more.accuracy, length.less.accuracy, length.balanced) == (1, 0, 0.5)
    assert (length.more.sources, length.less.sources) == (30, 30)
    good = profile_of(EVALUATION, "good").balanced[0]
    assert (good.balanced, good.low, good.high) == (1, 1, 1)


def test_who_made_the_error() -> None:
    makers = {"Online-A (wmt22)": "online", "Online-B (wmt22)": "online", "GPT (wmt22)": "LLM"}
    parts = {part.name: part for part in profile_of(EVALUATION, "fair", makers=makers).by_maker}
    # Texts of GPT and Online-B count for both.
    assert (parts["LLM"].size, parts["online"].size) == (90, 120)
    assert parts["LLM"].accuracy == pytest.approx(2 / 3)
    assert (parts["LLM"].sources, parts["LLM"].low is None) == (45, False)


def test_whom_it_agrees_with() -> None:
    others = {pair.second if pair.first == "blind" else pair.first for pair in BLIND.agreement}
    assert others == {"good", "fair", "quality"}
    # good alone is right on Word's second references; nobody but quality misses Tense and Negation.
    assert (profile_of(EVALUATION, "good").alone_right, profile_of(EVALUATION, "good").alone_wrong) == (0, 0)


def test_a_metric_that_is_not_there() -> None:
    with pytest.raises(UnknownName, match=r"no metric 'blnd'; did you mean .*blind"):
        profile_of(EVALUATION, "blnd")


def test_text_and_markdown_have_numbers_sources_and_tests() -> None:
    text = render_profile([BLIND], "table")
    assert (
        "Negation: 5.0 %, 95.0 points below its group (100.0 %); 40 challenge items from 20 sources, p <0.001" in text
    )
    assert "right with some references" in text
    markdown = render_profile([BLIND, BLIND], "markdown")
    assert markdown.count("## Blind spots") == 2
    with pytest.raises(BadOption, match="cannot be written as csv"):
        render_profile([BLIND], "csv")


def test_json() -> None:
    (document,) = json.loads(render_profile([BLIND], "json"))
    assert document["blind_spots"][0]["row"]["sources"] == 20
    assert len(document["blind_spots"][0]["examples"]) == 3
    assert [average["level"] for average in document["averages"]] == ["micro", "category_macro", "phenomenon_macro"]


def test_cards() -> None:
    pages = card_pages({name: [profile_of(EVALUATION, name)] for name in ("blind", "good")})
    assert [*pages] == ["index.html", "blind.html", "good.html"]
    assert '<a href="blind.html">blind</a>' in pages["index.html"]
    assert "95.0 points below its group" in pages["blind.html"]
    assert 'href="index.html"' in pages["blind.html"]
    assert "<script" not in pages["blind.html"]
    assert card_file("a/b:c") == "a_b_c.html"
    assert card_file("CHRF", ["chrf.html"]) == "CHRF-2.html"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_challenge(SET, tmp_path / "set.tsv", None)
    (tmp_path / "scores").mkdir()
    for given in EVALUATION.metrics:
        lines = [f"{first} {second}" for first, second in given.values.tolist()]
        (tmp_path / "scores" / f"{given.name}.txt").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_the_command(files: Path) -> None:
    arguments = ["profile", "blind", str(files / "set.tsv"), str(files / "scores")]
    shown = CliRunner().invoke(command, [*arguments, "--group", "quality=qe", "--group", "length=control"])
    assert shown.exit_code == 0, shown.output
    assert "Blind spots on test (de-en): 2" in shown.output
    written = CliRunner().invoke(command, [*arguments, "-o", str(files / "card.html")])
    assert "blind on 1 set" in written.output
    assert (files / "card.html").read_text().startswith("<!DOCTYPE html>")


def test_the_command_for_all(files: Path) -> None:
    arguments = ["profile", "all", str(files / "set.tsv"), str(files / "scores")]
    (files / "campaign.yaml").write_text(
        "campaign: wmt22\noutputs: [x.txt]\nsystems:\n  GPT: {group: LLM}\n  Online-A: {group: online}\n"
    )
    (files / "x.txt").write_text("a\n")
    said = CliRunner().invoke(
        command, [*arguments, "--systems", str(files / "campaign.yaml"), "-o", str(files / "cards")]
    )
    assert said.exit_code == 0, said.output
    assert "index.html: 5 cards, 1 set" in said.output
    assert "who wrote the incorrect translation" in (files / "cards" / "blind.html").read_text().lower()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["blind", "set.tsv"], "has no scores"),
        (["all", "set.tsv", "scores"], "need a folder"),
        (["blind", "set.tsv", "scores", "-o", "card.pdf"], "written as"),
        (["blnd", "set.tsv", "scores"], "did you mean"),
    ],
)
def test_mistakes(files: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    result = CliRunner().invoke(command, ["profile", *arguments])
    assert message in str(result.exception)
