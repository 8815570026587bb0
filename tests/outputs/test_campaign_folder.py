"""Folders of outputs as WMT's years leave them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, BadFile
from assay.outputs.load import load_outputs
from assay.suites import Suite
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", "Zwei."))


def fill(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        data = text.encode()
        file.write_bytes(gzip.compress(data) if file.suffix == ".gz" else data)
    return folder


def read(folder: Path, suite: Suite = SUITE, **options: Any) -> tuple[dict[str, list[str]], list[str]]:
    """System -> texts of the items; and what was said."""
    said: list[str] = []
    outputs = load_outputs(suite, folder, tell=said.append, **options)
    found = {
        system.name: [outputs.text(place, column) for place in range(len(suite))]
        for column, system in enumerate(outputs.systems)
    }
    return found, [line.replace(str(folder), "WMT") for line in said]


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_the_years_with_roles_in_their_names(tmp_path: Path) -> None:
    folder = fill(
        tmp_path / "wmt21",
        {
            "sources/newstest2021.de-en.src.de": "Zwei.\nEins.\n",
            "sources/newstest2021.en-de.src.en": "One.\n",
            "references/newstest2021.de-en.ref.A.en": "Two.\nOne.\n",
            "system-outputs/newstest2021.de-en.hyp.Online-A.en": "two\none\n",
            "system-outputs/newstest2021.de-en.hyp.Online-B.en": "2\n1\n",
            "system-outputs/newstest2021.en-de.hyp.Online-A.de": "eins\n",
            "README.md": "About these files.\n",
        },
    )
    found, said = read(folder)
    assert found == {"Online-A": ["one", "two"], "Online-B": ["1", "2"]}
    assert said == [
        "WMT: sources sources/newstest2021.de-en.src.de; 2 files of outputs in system-outputs/; "
        "left aside: other directions (2 files), references (1 file), other kinds (1 file)"
    ]
    assert {system.campaign for system in load_outputs(SUITE, folder).systems} == {"wmt21"}


def test_2024_packed(tmp_path: Path) -> None:
    folder = fill(
        tmp_path,
        {
            "sources/de-en.txt.gz": "CANARY 1\nEins.\nZwei.\nEins.\n",
            "metadata/de-en.jsonl.gz": lines(
                {"docid": "canary"}, {"docid": "news"}, {"docid": "tsuite_de-en_g_1"}, {"docid": "tsuite_de-en_g_2"}
            ),
            "references/de-en.refA.txt.gz": "CANARY 1\nOne.\nTwo.\nOne.\n",
            "system-outputs/de-en/A.txt.gz": "CANARY 1\nnews\ntwo\none\n",
            "system-outputs/de-cs/A.txt.gz": "CANARY 1\njedna\n",
        },
    )
    assert read(folder) == (
        {"A": ["one", "two"]},
        [
            "WMT: sources sources/de-en.txt.gz; 1 file of outputs in system-outputs/de-en/; "
            "left aside: other directions (1 file), references (1 file)"
        ],
    )


def test_2025_what_was_handed_in_and_what_came_back(tmp_path: Path) -> None:
    folder = fill(
        tmp_path, {"Terms.txt": "Zwei.\nEins.\n", "submissions/A.txt": "two\none\n", "submissions/B.txt": "2\n1\n"}
    )
    found, said = read(folder)
    assert found == {"A": ["one", "two"], "B": ["1", "2"]}
    assert said == ["WMT: sources Terms.txt; 2 files of outputs in submissions/"]


def test_the_source_is_the_file_with_the_suites_sources(tmp_path: Path) -> None:
    folder = fill(tmp_path, {"x.txt": "two\none\n", "y.txt": "Zwei.\nEins.\n", "z.txt": "2\n1\n"})
    found, said = read(folder)
    assert found == {"x": ["one", "two"], "z": ["1", "2"]}
    assert said == ["WMT: sources y.txt; 2 files of outputs in the folder itself"]


def test_2026_jsonl(tmp_path: Path) -> None:
    blind = [
        {"doc_id": f"{n}-{code}", "source_doc": source, "tgt_lang": code, "instruction": "Translate."}
        for n, source in enumerate(["Eins.", "Zwei."])
        for code in ("en_GB", "ko_KR")
    ]
    answers = [{"doc_id": one["doc_id"], "tgt_lang": one["tgt_lang"], "hypothesis": one["doc_id"]} for one in blind]
    folder = fill(tmp_path, {"blind.jsonl.gz": lines(*blind), "outputs/m.jsonl.gz": lines(*reversed(answers))})
    found, said = read(folder)
    assert found == {"m": ["0-en_GB", "1-en_GB"]}
    assert said == [
        "WMT: sources blind.jsonl.gz; 1 file of outputs in outputs/",
        "WMT/outputs/m.jsonl.gz: in another order than the source file; put right by doc_id",
    ]


def test_a_map_beside_the_outputs_is_used_where_it_fits(tmp_path: Path) -> None:
    suite = a_suite(an_item("a", "Eins."), an_item("b", "Eins."))
    own = {"suite": suite.name, "hash": suite.hash, "ids": {"x": "b", "y": "a"}}
    folder = fill(
        tmp_path,
        {
            "garden.map.json": json.dumps(own),
            "other.map.json": json.dumps({"suite": "other", "hash": "1", "ids": {"x": "z"}}),
            "A.jsonl": lines({"doc_id": "x", "hypothesis": "one"}, {"doc_id": "y", "hypothesis": "two"}),
        },
    )
    found, said = read(folder, suite)
    assert found == {"A": ["two", "one"]}
    assert said == [
        "WMT: no source file; map garden.map.json; 1 file of outputs in the folder itself; "
        "left aside: maps of other suites (1 file)"
    ]


def test_what_assay_collected_is_read_by_its_campaign_file(tmp_path: Path) -> None:
    folder = fill(
        tmp_path, {"campaign.yaml": "campaign: spring\noutputs: [A.txt]\n", "A.txt": "one\ntwo\n", "B.txt": "x\n"}
    )
    assert read(folder) == ({"A": ["one", "two"]}, ["WMT: taken as campaign.yaml in it says"])


def test_folders_are_campaigns(tmp_path: Path) -> None:
    for year in ("wmt21", "wmt22"):
        fill(tmp_path / year, {"sources/s.txt": "Eins.\nZwei.\n", "outputs/A.txt": "one\ntwo\n"})
    outputs = load_outputs(SUITE, [tmp_path / "wmt21", tmp_path / "wmt22"])
    assert [(system.name, system.campaign) for system in outputs.systems] == [("A", "wmt21"), ("A", "wmt22")]


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({}, "no outputs in this folder; name the files"),
        ({"README.md": "x"}, r"no outputs among its files \(1 of other kinds\)"),
        (
            {"s.src.de": "Eins.\nZwei.\n", "a/A.txt": "1\n2\n", "b/A.txt": "1\n2\n"},
            "two files for the system 'A': a/A.txt and b/A.txt; move one away",
        ),
        ({"x.src.de": "Eins.\n", "y.src.de": "Zwei.\n", "A.txt": "1\n"}, "x.src.de and y.src.de both have the suite's"),
        (
            {"x.src.de": "x\n", "y.src.de": "y\n", "A.txt": "1\n"},
            "none of the suite's 2 sources is in its 2 source files",
        ),
    ],
)
def test_folders_that_are_no_campaign_are_refused(tmp_path: Path, files: dict[str, str], problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read(fill(tmp_path, files))


def test_a_broken_file_is_named_and_not_left_aside(tmp_path: Path) -> None:
    folder = fill(tmp_path, {"s.src.de": "Eins.\nZwei.\n", "A.jsonl": '{"doc_id": "1", "hypo'})
    with pytest.raises(BadFile, match=r"A\.jsonl:1: broken JSON"):
        read(folder)


def test_files_and_folders_are_not_mixed(tmp_path: Path) -> None:
    fill(tmp_path, {"w/s.src.de": "Eins.\nZwei.\n", "w/A.txt": "1\n2\n", "B.txt": "1\n2\n"})
    with pytest.raises(AssayError, match="stands beside a folder"):
        load_outputs(SUITE, [tmp_path / "w", tmp_path / "B.txt"])
