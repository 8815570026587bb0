"""A suite for other programs: what stands in the folders, without the programs themselves (tests/heavy runs those)."""

import json
from collections.abc import Callable
from dataclasses import replace
from math import isnan
from pathlib import Path
from typing import Any

import pytest
import yaml

from assay.bridges import TARGETS, SuiteScorer, export_suite, read_rows
from assay.bridges.rows import task_name
from assay.errors import BadFile, BadOption, UnknownName
from assay.suites import Examples, Rule, Suite, load_suite
from tests.conftest import Refused, Run
from tests.suites.building import a_suite, an_item, listing

ROOT = Path(__file__).parent.parent.parent

JAW = an_item("f/jaw", "Der Kiefer schmerzt.", Rule("pass", "regex", r"\bjaw\b"), Rule("fail", "contains", "pine"))
SECRET = replace(an_item("f/secret", "Geheim."), held_out=True)
TOLD = replace(
    an_item("f/told", "Es gießt."),
    prompt="Say it in {target_language}, as a {{sailor}} would:\n{source}",
    context="On deck.",
)
SUITE = replace(
    a_suite(JAW, SECRET, TOLD),
    canary="garden-canary-7",
    licence="CC BY 4.0",
    version="1.2",
    authors=("Ada", "Ben"),
    description="Sentences from a garden.",
)


@pytest.fixture
def exported(tmp_path: Path) -> Callable[..., Path]:
    """A folder for a target; `exported("hf", suite)`."""

    def export(target: str, suite: Suite = SUITE, **choices: bool) -> Path:
        export_suite(suite, target, tmp_path / target, **choices)
        return tmp_path / target

    return export


# What models are asked


@pytest.mark.parametrize("target", ["inspect", "lm-eval"])
def test_a_task_asks_what_assay_translate_asks_and_prompts_of_items_as_they_are(
    exported: Callable[..., Path], target: str
) -> None:
    plain, told = read_rows(exported(target) / "items.jsonl")
    assert plain == {
        "id": "f/jaw",
        "category": "Ambiguity",
        "phenomenon": "Ambiguity / Lexical ambiguity",
        "input": "Translate the following text from German to English. Answer with the translation only, without "
        "quotation marks, notes or explanations.\n\nDer Kiefer schmerzt.",
        "canary": "garden-canary-7",
    }
    assert told["input"] == (
        "Context, not to be translated:\nOn deck.\n\nSay it in English, as a {{sailor}} would:\nEs gießt."
    )


@pytest.mark.parametrize("target", ["inspect", "lm-eval"])
def test_the_rules_that_score_are_those_of_the_suite(exported: Callable[..., Path], target: str) -> None:
    suite = load_suite("en-cs")
    assert load_suite(exported(target, suite) / "suite").exact_name == suite.exact_name


# Held-out items


@pytest.mark.parametrize("target", TARGETS)
def test_held_out_items_stay_at_home_unless_they_are_asked_for(tmp_path: Path, target: str) -> None:
    done = export_suite(SUITE, target, tmp_path / "without")
    assert (done.items, done.held_out) == (2, 1)
    assert "secret" not in str(listing(tmp_path / "without"))
    done = export_suite(SUITE, target, tmp_path / "with", held_out=True)
    assert (done.items, done.held_out) == (3, 0)
    assert "secret" in str(listing(tmp_path / "with"))


def test_a_row_whose_items_are_all_held_out_is_no_row(exported: Callable[..., Path]) -> None:
    suite = a_suite(JAW, replace(SECRET, phenomenon="Secrets"))
    assert load_suite(exported("inspect", suite) / "suite").phenomena == [("Ambiguity", "Lexical ambiguity")]


def test_a_suite_that_is_held_out_as_a_whole(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match="garden: all 1 items are held out; add --held-out to export them"):
        export_suite(a_suite(SECRET), "hf", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


# Scores


@pytest.fixture
def scorer(exported: Callable[..., Path]) -> SuiteScorer:
    return SuiteScorer(exported("inspect") / "suite")


@pytest.mark.parametrize(
    ("answer", "value", "explanation"),
    [
        ("His jaw hurts.", 1.0, r"pass (pass:regex:\bjaw\b)"),
        ("The pine hurts.", 0.0, "fail (fail:contains:pine)"),
        ("Sure! Here is the translation:\n\nHis jaw hurts.", 1.0, r"pass (pass:regex:\bjaw\b)"),
    ],
)
def test_the_score_is_the_verdict(scorer: SuiteScorer, answer: str, value: float, explanation: str) -> None:
    found = scorer.score("f/jaw", answer)
    assert (found.value, found.is_warning, found.explanation) == (value, False, explanation)


@pytest.mark.parametrize(
    ("answer", "explanation"),
    [
        ("His chin hurts.", "warning (no_match)"),
        ("", "warning (missing)"),
        ("The pine jaw.", r"warning (pass:regex:\bjaw\b & fail:contains:pine)"),
    ],
)
def test_a_warning_has_no_score(scorer: SuiteScorer, answer: str, explanation: str) -> None:
    found = scorer.score("f/jaw", answer)
    assert isnan(found.value)
    assert (found.is_warning, found.explanation) == (True, explanation)


def test_what_is_judged_is_the_translation_alone(scorer: SuiteScorer) -> None:
    assert scorer.score("f/jaw", "Sure! Here is the translation:\n\nHis jaw hurts.").text == "His jaw hurts."


def test_an_item_that_is_not_there(scorer: SuiteScorer) -> None:
    with pytest.raises(UnknownName, match="no item 'f/jew'; did you mean f/jaw"):
        scorer.score("f/jew", "so")


# lm-evaluation-harness


class PlainLoader(yaml.SafeLoader):
    """YAML with lm-eval's `!function`, which stands for itself here."""


PlainLoader.add_constructor("!function", lambda loader, node: f"!{node.value}")


def test_the_metrics_of_a_task_are_those_of_all_rows(exported: Callable[..., Path]) -> None:
    items = (replace(JAW, phenomenon="Tense, mood"), replace(TOLD, category="Verbs: all", phenomenon="Voice"))
    folder = exported("lm-eval", replace(a_suite(*items), name='The "garden"'))
    task = yaml.load((folder / "the_garden.yaml").read_text(encoding="utf-8"), Loader=PlainLoader)
    assert (task["task"], task["doc_to_text"], task["custom_dataset"]) == ("the_garden", "input", "!task.dataset")
    assert [metric["metric"] for metric in task["metric_list"] if metric["higher_is_better"]] == [
        "accuracy",
        "accuracy: Ambiguity",
        "accuracy: Verbs: all",
        "accuracy: Ambiguity / Tense; mood",
        "accuracy: Verbs: all / Voice",
    ]
    assert [metric["metric"] for metric in task["metric_list"]][5:7] == ["warnings", "warnings: Ambiguity"]


def test_names_of_tasks() -> None:
    assert task_name(load_suite("de-en")) == "assay_de_en"


# Hugging Face


def card(folder: Path) -> dict[str, Any]:
    """The metadata that the Hub reads."""
    _, metadata, text = (folder / "README.md").read_text(encoding="utf-8").split("---\n", 2)
    assert text.startswith("\n# garden\n")
    found: dict[str, Any] = yaml.safe_load(metadata)
    return found


def test_the_card_says_what_the_hub_asks_for(exported: Callable[..., Path]) -> None:
    folder = exported("hf")
    found = card(folder)
    features = found.pop("dataset_info")["features"]
    assert found == {
        "pretty_name": "garden",
        "language": ["de", "en"],
        "license": "cc-by-4.0",
        "multilinguality": ["translation"],
        "annotations_creators": ["expert-generated"],
        "size_categories": ["n<1K"],
        "task_categories": ["translation"],
        "tags": ["machine-translation", "test-suite", "linguistic-phenomena"],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": "data/test.jsonl"}]}],
    }
    (first, *_) = read_rows(folder / "data" / "test.jsonl")
    assert [feature["name"] for feature in features] == list(first)


def test_a_row_has_all_that_is_known_about_an_item(exported: Callable[..., Path]) -> None:
    item = replace(JAW, tests="Jaw.", examples=Examples(("His jaw.",), ("A pine.",)), tags=("body",))
    (row,) = read_rows(exported("hf", replace(SUITE, items=(item,))) / "data" / "test.jsonl")
    assert row == {
        "id": "f/jaw",
        "category": "Ambiguity",
        "phenomenon": "Lexical ambiguity",
        "source": "Der Kiefer schmerzt.",
        "prompt": "",
        "context": "",
        "tests": "Jaw.",
        "canary": "garden-canary-7",
        "rules": [
            {"polarity": "pass", "kind": "regex", "value": r"\bjaw\b", "flags": ""},
            {"polarity": "fail", "kind": "contains", "value": "pine", "flags": ""},
        ],
        "pass_examples": ["His jaw."],
        "fail_examples": ["A pine."],
        "tags": ["body"],
    }


@pytest.mark.parametrize(
    ("pair", "languages", "variants"),
    [
        ("de-en", ["de", "en"], None),
        ("deu_Latn-ces_Latn", ["de", "cs"], None),
        ("it-de_CH", ["it", "de"], ["it", "de-CH"]),
        ("eng_Latn-zho_Hans", ["en", "zh"], ["en", "zh-Hans"]),
        ("hsb-de", ["hsb", "de"], None),
        ("pt_BR-pt_PT", ["pt"], ["pt-BR", "pt-PT"]),
    ],
)
def test_languages_as_the_hub_wants_them(
    exported: Callable[..., Path], pair: str, languages: list[str], variants: list[str] | None
) -> None:
    found = card(exported("hf", replace(SUITE, langpair=pair)))
    assert (found["language"], found.get("language_bcp47")) == (languages, variants)


@pytest.mark.parametrize(
    ("licence", "said"),
    [
        ("CC-BY-4.0", {"license": "cc-by-4.0"}),
        ("Apache 2.0", {"license": "apache-2.0"}),
        ("", {"license": "unknown"}),
        ("Ask us, please", {"license": "other", "license_name": "ask-us-please"}),
    ],
)
def test_licences_as_the_hub_wants_them(exported: Callable[..., Path], licence: str, said: dict[str, str]) -> None:
    found = card(exported("hf", replace(SUITE, licence=licence)))
    assert {name: value for name, value in found.items() if name.startswith("license")} == said


@pytest.mark.parametrize("target", TARGETS)
def test_every_folder_names_its_canary(exported: Callable[..., Path], target: str) -> None:
    folder = exported(target)
    assert "Canary: `garden-canary-7`" in (folder / "README.md").read_text(encoding="utf-8")
    data = next(folder.rglob("*.jsonl"))
    assert {row["canary"] for row in read_rows(data)} == {"garden-canary-7"}


# The command


def test_the_command_says_what_to_do_next(assay: Run, tmp_path: Path) -> None:
    done = assay("suite", "export", "en-cs", "--for", "lm-eval", "-o", "out")
    assert done.stdout == (
        f"out: {len(load_suite('en-cs'))} items; use it: lm_eval --include_path out --tasks assay_en_cs --model hf "
        "--model_args pretrained=MODEL --apply_chat_template\n"
    )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "README.md",
        "assay_en_cs.yaml",
        "items.jsonl",
        "suite",
        "task.py",
    ]


def test_a_folder_with_something_in_it_is_left_alone(refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").touch()
    for target in TARGETS:
        assert refused("suite", "export", "en-cs", "--for", target, "-o", "out") == (
            "out: the folder is not empty; choose another name or add --force"
        )


def test_a_suite_that_cannot_be_read_leaves_nothing_behind(refused: Refused) -> None:
    assert refused("suite", "export", "en-cz", "--for", "hf", "-o", "out").startswith(
        "no suite or file 'en-cz'; did you mean"
    )


def test_an_export_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("assay.bridges.hugging_face.write_text", full)
    with pytest.raises(BadFile, match=r"out: cannot be written \(No space left on device\)"):
        export_suite(SUITE, "hf", tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_unknown_targets_are_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no target 'inspekt'; did you mean inspect"):
        export_suite(SUITE, "inspekt", tmp_path / "out")


def test_every_target_is_documented() -> None:
    page = (ROOT / "docs" / "howto" / "other-programs.md").read_text(encoding="utf-8")
    assert [name for name in TARGETS if f"--for {name}" not in page] == []


def test_the_rows_of_a_task_are_lines_of_json(exported: Callable[..., Path]) -> None:
    lines = (exported("inspect") / "items.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["f/jaw", "f/told"]
