"""The to-do file as a campaign of Pearmut: out to the annotators and back."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.errors import BadFile, BadOption
from assay.outputs import System
from assay.suites import Rule
from assay.verdicts.judgements import Judgement
from assay.verdicts.pearmut import read_annotations, write_campaign
from assay.verdicts.queue import Task
from assay.verdicts.todo import write_todo
from tests.conftest import Refused, Run
from tests.suites.building import KIEFER, an_item, suite_folder

JAW = an_item("f/a", "Der Kiefer schmerzt.", Rule("pass", "regex", r"\bjaw\b"), Rule("fail", "contains", "pine"))
TASKS = [
    Task(JAW, "The pine jaw hurts.", "contradiction", (System("Acme"),), 2),
    Task(JAW, "The mandible hurts.", "no_match", (System("Best"),), 2),
    Task(an_item("f/b"), "It pours.", "no_match", (System("Acme"),), 1),
]


def campaign(tmp_path: Path, tasks: list[Task] = TASKS, *annotators: str) -> dict[str, Any]:
    write_campaign(tasks, tmp_path / "round-1.json", annotators)
    found: dict[str, Any] = json.loads((tmp_path / "round-1.json").read_text(encoding="utf-8"))
    return found


def segments(found: dict[str, Any]) -> list[dict[str, Any]]:
    """What one annotator sees, document by document."""
    return [segment for document in found["data"][0] for segment in document]


def test_an_item_is_a_document_with_its_undecided_texts_beside_each_other(tmp_path: Path) -> None:
    found = campaign(tmp_path)
    assert found["campaign_id"] == "round-1"
    assert found["info"]["sliders"] == [{"name": "verdict", "min": 0, "max": 2, "step": 1}]
    first, second = segments(found)
    assert (first["item_id"], first["src"]) == ("f/a", "Der Kiefer schmerzt.")
    assert first["tgt"] == {"text-1": "The pine jaw hurts.", "text-2": "The mandible hurts."}
    assert second["tgt"] == {"text-1": "It pours."}


def test_the_campaign_does_not_say_who_wrote_a_text(tmp_path: Path) -> None:
    campaign(tmp_path)
    assert "Acme" not in (tmp_path / "round-1.json").read_text(encoding="utf-8")


def test_words_that_rules_matched_are_marked_beforehand(tmp_path: Path) -> None:
    (first, second) = segments(campaign(tmp_path))
    # "The pine jaw hurts.": pine is 4 to 7, jaw 9 to 11; the last character is part of a span.
    assert first["error_spans"] == {
        "text-1": [
            {"start_i": 4, "end_i": 7, "severity": "major", "category": None},
            {"start_i": 9, "end_i": 11, "severity": "neutral", "category": None},
        ]
    }
    assert "error_spans" not in second


def test_spans_are_counted_as_browsers_count(tmp_path: Path) -> None:
    (segment,) = segments(campaign(tmp_path, [replace(TASKS[0], text="𝄞 pine, jaw")]))
    assert [(span["start_i"], span["end_i"]) for span in segment["error_spans"]["text-1"]] == [(3, 6), (9, 11)]


def test_of_spans_that_overlap_the_one_that_speaks_for_wrong_is_marked(tmp_path: Path) -> None:
    both = an_item("f/a", "Es regnet.", Rule("pass", "contains", "rain"), Rule("fail", "contains", "It rain"))
    (segment,) = segments(campaign(tmp_path, [Task(both, "It rains.", "contradiction", (), 1)]))
    assert [(span["start_i"], span["end_i"], span["severity"]) for span in segment["error_spans"]["text-1"]] == [
        (0, 6, "major")
    ]


def test_what_is_told_about_an_item_stands_above_it_as_text(tmp_path: Path) -> None:
    told = replace(JAW, tests="Jaw, not <pine>.", context="At the dentist's.\nHe groans.", prompt="Be brief.")
    (segment,) = segments(campaign(tmp_path, [replace(TASKS[0], item=told)]))
    assert segment["instructions"] == (
        "<b>Lexical ambiguity</b> (Ambiguity)<br>Tests: Jaw, not &lt;pine&gt;.<br>"
        "Context: At the dentist&#x27;s.<br>He groans.<br>Prompt: Be brief."
    )


def test_html_of_a_system_is_not_run_in_the_browser_of_an_annotator(tmp_path: Path) -> None:
    """Pearmut shows texts letter by letter, but for those that begin with the tag of a picture."""
    text = "<img src=x onerror=alert(1)> pine jaw"
    (segment,) = segments(campaign(tmp_path, [replace(TASKS[0], text=text)]))
    assert segment["tgt"]["text-1"] == f" {text}"
    shown = segment["tgt"]["text-1"]
    spans = segment["error_spans"]["text-1"]
    assert [shown[span["start_i"] : span["end_i"] + 1] for span in spans] == ["pine", "jaw"]
    taken = read_annotations(annotations(tmp_path, answered(segment, [2])), ["f/a"])
    assert taken.judgements[0].text == text


def test_annotators_share_the_items_in_the_order_of_the_queue(tmp_path: Path) -> None:
    tasks = [Task(an_item(f"f/{name}"), "So.", "no_match", (), 1) for name in "abc"]
    found = campaign(tmp_path, tasks, "anna", "ben")
    assert found["info"]["users"] == ["anna", "ben"]
    assert [[document[0]["item_id"] for document in share] for share in found["data"]] == [["f/a", "f/c"], ["f/b"]]
    with pytest.raises(BadOption, match="--annotators: 2 people for 1 items; name fewer"):
        write_campaign(tasks[:1], tmp_path / "round-2.json", ["anna", "ben"])
    assert not (tmp_path / "round-2.json").exists()


def test_the_suffix_makes_a_to_do_file_a_campaign(tmp_path: Path) -> None:
    write_todo(TASKS, tmp_path / "round-1.json")
    assert campaign(tmp_path) == json.loads((tmp_path / "round-1.json").read_text(encoding="utf-8"))


# Back


def answered(
    segment: dict[str, Any], places: list[int | None], by: str = "anna", number: int | str = 0, comment: str = ""
) -> dict[str, Any]:
    """An answer of the log, as Pearmut 1.1 writes it: the slider of each text at its place."""
    answers: dict[str, Any] = {
        name: {"score": None, "sliders": {"verdict": place}, "error_spans": [], "textfield": comment or None}
        for name, place in zip(segment["tgt"], places, strict=True)
    }
    actions = [{"time": 1763200000.5, "action": "load"}, {"time": 1763300000.0, "action": "submit"}]
    return {"annotation": [answers], "actions": actions, "item": [segment], "user_id": by, "item_i": number}


def annotations(tmp_path: Path, *log: Any) -> Path:
    """What the dashboard downloads."""
    file = tmp_path / "annotations.json"
    file.write_text(json.dumps({"round-1": log}), encoding="utf-8")
    return file


def test_what_was_answered_comes_back_with_who_and_when(tmp_path: Path) -> None:
    first, second = segments(campaign(tmp_path))
    file = annotations(tmp_path, answered(first, [0, 2], comment=" sure "), answered(second, [1], number=1))
    taken = read_annotations(file, ["f/a", "f/b"])
    assert taken.judgements == (
        Judgement("f/a", "The pine jaw hurts.", "fail", "anna", "2025-11-16", "sure"),
        Judgement("f/a", "The mandible hurts.", "pass", "anna", "2025-11-16", "sure"),
    )


def test_the_log_itself_can_be_taken_as_well(tmp_path: Path) -> None:
    first, _ = segments(campaign(tmp_path))
    file = tmp_path / "round-1.jsonl"
    file.write_text(json.dumps(answered(first, [0, None])) + "\n", encoding="utf-8")
    assert [found.text for found in read_annotations(file, ["f/a"]).judgements] == ["The pine jaw hurts."]


def test_the_last_answer_of_a_person_counts(tmp_path: Path) -> None:
    first, _ = segments(campaign(tmp_path))
    file = annotations(tmp_path, answered(first, [0, 0]), answered(first, [2, 1]))
    assert [found.verdict for found in read_annotations(file, ["f/a"]).judgements] == ["pass"]


@pytest.mark.parametrize("reset", [{}, {"item_i": 0}])
def test_what_was_reset_does_not_count(tmp_path: Path, reset: dict[str, int]) -> None:
    first, _ = segments(campaign(tmp_path))
    mark = {"user_id": "anna", "annotation": "__RESET__", **reset}
    file = annotations(tmp_path, answered(first, [0, 0]), answered(first, [2, 2], "ben"), mark)
    taken = read_annotations(file, ["f/a"])
    assert {found.by for found in taken.judgements} == {"ben"}


def test_people_who_agree_are_both_named_and_a_dispute_stays_open(tmp_path: Path) -> None:
    first, _ = segments(campaign(tmp_path))
    file = annotations(tmp_path, answered(first, [0, 2]), answered(first, [0, 0], "ben"))
    taken = read_annotations(file, ["f/a"])
    assert [(found.text, found.verdict, found.by) for found in taken.judgements] == [
        ("The pine jaw hurts.", "fail", "anna, ben")
    ]
    assert taken.disputed == (("f/a", "The mandible hurts."),)


def test_tutorials_that_somebody_added_are_passed_over(tmp_path: Path) -> None:
    first, _ = segments(campaign(tmp_path))
    tutorial = {
        "annotation": ["native"],
        "item": [{"text": "?", "form": "string"}],
        "user_id": "a",
        "item_i": "welcome_0",
    }
    assert len(read_annotations(annotations(tmp_path, tutorial, answered(first, [0, 2])), ["f/a"]).judgements) == 2


SEGMENT: dict[str, Any] = {"item_id": "f/a", "tgt": {"text-1": "So."}}
GOOD = answered(SEGMENT, [2])


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("so", "campaign 'round-1', answer 1: not an object; take the annotations of a campaign that assay warnings"),
        (GOOD | {"user_id": 7}, "campaign 'round-1', answer 1: 'user_id' is 7, not a name; take"),
        (GOOD | {"item_i": [0]}, "campaign 'round-1', answer 1: 'item_i' is [0], not a number; take"),
        (GOOD | {"user_id": "\ud800"}, "campaign 'round-1', answer 1: a text holds half a character; write"),
        (GOOD | {"item": {}}, "campaign 'round-1', answer 1: 'item' is {}, not a list; take"),
        (GOOD | {"annotation": []}, "campaign 'round-1', answer 1: 0 answers to 1 segments; take"),
        (GOOD | {"item": ["so"]}, "campaign 'round-1', answer 1: no answers to the texts of an item; take"),
        (
            GOOD | {"item": [SEGMENT | {"item_id": "f/z"}]},
            "campaign 'round-1', answer 1: no item 'f/z' in the suite; check that suite and file belong together",
        ),
        (
            GOOD | {"annotation": [{"text-9": GOOD["annotation"][0]["text-1"]}]},
            "campaign 'round-1', answer 1: item 'f/a': an answer without a text ('text-9'); take",
        ),
        (
            GOOD | {"annotation": [{"text-1": {"score": 70}}]},
            "campaign 'round-1', answer 1: item 'f/a': an answer without the slider 'verdict'; take",
        ),
        (
            answered(SEGMENT, [7]),
            "campaign 'round-1', answer 1: item 'f/a': the slider 'verdict' is at 7, not at 0, 1 or 2; take",
        ),
    ],
)
def test_a_slip_is_named_by_campaign_and_answer(tmp_path: Path, entry: Any, problem: str) -> None:
    file = annotations(tmp_path, entry)
    with pytest.raises(BadFile) as caught:
        read_annotations(file, ["f/a"])
    assert str(caught.value).startswith(f"{file}: {problem}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"round-1": [\n{', ":2: broken JSON: "),
        ("[]", ": not the annotations of Pearmut; take the annotations of a campaign that assay warnings wrote"),
        ("", ": the file is empty"),
        ('{"campaign_id": "a", "data": []}', ": this is a campaign, without answers; download its annotations"),
    ],
)
def test_a_file_that_is_something_else(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "annotations.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        read_annotations(file, ["f/a"])
    assert str(caught.value).startswith(f"{file}{problem}")


# As a command


def test_out_and_back_on_the_command_line(assay: Run, refused: Refused, tmp_path: Path) -> None:
    suite_folder(tmp_path / "garden", {"ambiguity/lexical-ambiguity.yaml": KIEFER})
    for name, text in {"A": "His mandible hurts.", "B": "His chin hurts."}.items():
        (tmp_path / f"{name}.txt").write_text(f"{text}\n", encoding="utf-8")
    done = assay("warnings", "garden", "A.txt", "B.txt", "-o", "round-1.json", "--annotators", "anna")
    assert done.stdout == "round-1.json: 2 texts to judge, 0 of which free an item\n"
    (segment,) = segments(json.loads((tmp_path / "round-1.json").read_text(encoding="utf-8")))
    right, wrong = answered(segment, [2, 0]), answered(segment, [2, 2], "ben")
    annotations(tmp_path, right, wrong)
    assert refused("judge", "garden", "annotations.json", "-o", "garden", "--by", "Anna") == (
        "annotations.json: anna, ben judged; leave --by out, they are named in the file"
    )
    done = assay("judge", "garden", "annotations.json", "-o", "garden")
    texts = list(segment["tgt"].values())
    assert done.stdout == (
        f"garden: 1 judgement added\n  people disagree on 1 text, left open: lexical-ambiguity/kiefer: {texts[1]}\n"
    )
    written = (tmp_path / "garden" / "judgements.yaml").read_text(encoding="utf-8")
    assert f"exact: {texts[0]}" in written
    assert "by: anna, ben" in written
    assert "2025-11-16" in written


@pytest.mark.parametrize(
    ("file", "names", "problem"),
    [
        ("todo.tsv", "anna", "--annotators is for campaigns of Pearmut; write to a .json file, not to todo.tsv"),
        ("todo.json", "an na", "--annotators: 'an na' cannot stand in an address; use letters, digits, - and _"),
        ("todo.json", "anna,anna", "--annotators: a name stands twice; leave one out"),
    ],
)
def test_annotators_that_cannot_be(refused: Refused, tmp_path: Path, file: str, names: str, problem: str) -> None:
    suite_folder(tmp_path / "garden", {"ambiguity/lexical-ambiguity.yaml": KIEFER})
    (tmp_path / "A.txt").write_text("His chin hurts.\n", encoding="utf-8")
    assert refused("warnings", "garden", "A.txt", "-o", file, "--annotators", names) == problem
