"""Campaign files: source, outputs and systems of one event in one place."""

from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption, BadSuite, UnknownName
from assay.outputs.campaign import read
from assay.outputs.load import load_outputs
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", "Zwei."))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign's folder with a source and three systems."""
    (tmp_path / "out").mkdir()
    (tmp_path / "src.de").write_text("Zwei.\nEins.\n", encoding="utf-8")
    for name in ("A", "B", "C"):
        (tmp_path / "out" / f"x.de-en.hyp.{name}.en").write_text(f"two {name}\none {name}\n", encoding="utf-8")
    return tmp_path


def campaign(folder: Path, text: str) -> Path:
    file = folder / "wmt.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_campaign_names_source_outputs_and_systems(folder: Path) -> None:
    file = campaign(
        folder,
        "campaign: W1\nsource: src.de\noutputs: ['out/*.hyp.*.en']\n"
        "aliases: {B: Bee}\nexclude: [C]\nsystems: {Bee: {group: online, constrained: no}}\n",
    )
    outputs = load_outputs(SUITE, file)
    assert [(system.name, system.campaign) for system in outputs.systems] == [("A", "W1"), ("Bee", "W1")]
    assert outputs.systems[1].metadata == {"group": "online", "constrained": "no"}
    assert [outputs.text(item, 1) for item in (0, 1)] == ["one B", "two B"]


def test_outputs_may_be_named_one_by_one(folder: Path) -> None:
    file = campaign(
        folder, "campaign: W1\nsource: src.de\noutputs: [mine=out/x.de-en.hyp.A.en, out/x.de-en.hyp.B.en]\n"
    )
    assert [system.name for system in load_outputs(SUITE, file).systems] == ["mine", "B"]


def test_a_file_that_two_patterns_find_is_read_once(folder: Path) -> None:
    file = campaign(folder, "campaign: W1\nsource: src.de\noutputs: [out/*.A.en, 'out/*.en']\n")
    assert [system.name for system in load_outputs(SUITE, file).systems] == ["A", "B", "C"]


def test_a_pattern_may_start_at_the_root(folder: Path) -> None:
    file = campaign(folder, f"campaign: W1\nsource: {folder}/src.de\noutputs: ['{folder}/out/*.en']\n")
    assert [system.name for system in load_outputs(SUITE, file).systems] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("campaign: W1\n", ":1: 'outputs' is missing"),
        ("outputs: ['out/*.en']\nsource: src.de\n", ":1: 'campaign' is missing"),
        ("campaign: W1\noutputs:\n  - 'nothing/*.en'\n", ":3: no file fits 'nothing/*.en'"),
        ("campaign: W1\noutput: ['out/*.en']\n", ":2: unknown key 'output'; did you mean 'outputs'?"),
        ("campaign: W1\noutputs: out\n", ":2: a list (- …) is expected here"),
        ("campaign: W1\noutputs: [\n", ":3: not valid YAML"),
        ("campaign: W1\noutputs: ['a**b']\n", ":2: "),
        ("campaign: W1\noutputs: ['=x']\n", ":2: "),
    ],
)
def test_a_slip_is_named_by_line(folder: Path, text: str, problem: str) -> None:
    file = campaign(folder, text)
    with pytest.raises(BadSuite) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}{problem}")


@pytest.mark.parametrize("line", ["aliases: {Z: Zed}", "exclude: [Z]", "systems: {Z: {group: x}}"])
def test_a_system_that_is_not_there_is_a_slip(folder: Path, line: str) -> None:
    with pytest.raises(UnknownName, match="no system 'Z'; there are: A, B, C"):
        load_outputs(SUITE, campaign(folder, f"campaign: W1\nsource: src.de\noutputs: ['out/*.en']\n{line}\n"))


def test_two_systems_with_one_alias_are_refused(folder: Path) -> None:
    text = "campaign: W1\nsource: src.de\noutputs: ['out/*.en']\naliases: {A: C}\n"
    with pytest.raises(BadOption, match=r"system 'C' .* is given twice"):
        load_outputs(SUITE, campaign(folder, text))


def test_an_output_file_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"out/none\.en: there is no such file"):
        load_outputs(SUITE, campaign(folder, "campaign: W1\nsource: src.de\noutputs: [out/none.en]\n"))


def test_a_campaign_file_names_everything_itself(folder: Path) -> None:
    file = campaign(folder, "campaign: W1\nsource: src.de\noutputs: ['out/*.en']\n")
    with pytest.raises(BadOption, match=r"A\.en stands beside a campaign file"):
        load_outputs(SUITE, [file, folder / "out" / "x.de-en.hyp.A.en"])
    with pytest.raises(BadOption, match="is a campaign file; name source and campaign in it"):
        load_outputs(SUITE, file, source="src.de")
    with pytest.raises(BadOption, match="is a campaign file; name source and campaign in it"):
        load_outputs(SUITE, file, campaign="W2")


def test_several_campaigns_stand_side_by_side(folder: Path) -> None:
    first = campaign(folder, "campaign: W1\nsource: src.de\noutputs: ['out/*.A.en']\n")
    second = folder / "later.yaml"
    second.write_text("campaign: W2\nsource: src.de\noutputs: ['out/*.[AB].en']\n", encoding="utf-8")
    systems = load_outputs(SUITE, [first, second]).systems
    assert [(system.name, system.campaign) for system in systems] == [("A", "W1"), ("A", "W2"), ("B", "W2")]


def test_the_same_campaign_twice_is_refused(folder: Path) -> None:
    file = campaign(folder, "campaign: W1\nsource: src.de\noutputs: ['out/*.en']\n")
    with pytest.raises(BadOption, match=r"system 'A' \(campaign W1\) is given twice"):
        load_outputs(SUITE, [file, file])
