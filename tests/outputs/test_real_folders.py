"""Real folders of WMT, where they are at hand: every suite in them is found as a whole, or refused with its reason."""

import gzip
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assay.errors import UnpairedFile
from assay.outputs import Outputs, load_outputs
from assay.suites import Item, Suite, load_suite
from tests.suites.building import a_suite, an_item


def lines(file: Path) -> list[Any]:
    with gzip.open(file, "rt", encoding="utf-8") as stream:
        return [json.loads(line) if file.name.endswith(".jsonl.gz") else line.rstrip("\n") for line in stream]


def folder(data: Path, name: str) -> Path:
    if not (data / name).is_dir():
        pytest.skip(f"no {name} at {data}")
    return data / name


def blind_suite(place: Path, langpair: str, target: str) -> Suite:
    """All items of a target language, with ids that say nothing."""
    chosen = [record for record in lines(place / "blind.jsonl.gz") if record["tgt_lang"] == target]
    items: list[Item] = [
        replace(an_item(f"i{number}", record["source_doc"]), prompt=record["instruction"])
        for number, record in enumerate(chosen)
    ]
    return a_suite(*items, langpair=langpair)


@pytest.mark.parametrize(("langpair", "target"), [("it-de_CH", "de_CH"), ("it-de_AT", "de_AT"), ("en-is", "is")])
def test_suites_of_2026_are_told_apart_by_target_and_prompt(data: Path, langpair: str, target: str) -> None:
    place = folder(data, "wmt26")
    suite = blind_suite(place, langpair, target)
    outputs = load_outputs(suite, place)
    answers = {record["doc_id"]: record["hypothesis"] for record in lines(place / "outputs" / "gpt-4o-mini.jsonl.gz")}
    asked = [record["doc_id"] for record in lines(place / "blind.jsonl.gz") if record["tgt_lang"] == target]
    column = [system.name for system in outputs.systems].index("gpt-4o-mini")
    assert [outputs.text(place, column) for place in range(len(suite))] == [answers[doc_id] for doc_id in asked]


def test_texts_of_2026_that_nothing_tells_apart_are_refused(data: Path) -> None:
    place = folder(data, "wmt26")
    with pytest.raises(UnpairedFile, match="whose translations differ"):
        load_outputs(blind_suite(place, "en-ko_KR", "ko_KR"), place)


@pytest.mark.parametrize("name", ["gender-res", "pia", "speech"])
def test_suites_of_2024_are_found_in_their_documents(data: Path, name: str) -> None:
    place = folder(data, "wmt24")
    sources = lines(place / "sources" / "en-cs.txt.gz")
    documents = [record["docid"] for record in lines(place / "metadata" / "en-cs.jsonl.gz")]
    chosen = [line for line, document in enumerate(documents) if document.startswith(f"tsuite_en-cs_{name}_")]
    suite = a_suite(*(an_item(f"i{line}", sources[line]) for line in chosen), langpair="en-cs")
    outputs = load_outputs(suite, place)
    assert (len(outputs.found), len(outputs.systems)) == (len(suite), 14)
    texts = lines(place / "system-outputs" / "en-cs" / "IKUN.txt.gz")
    column = [system.name for system in outputs.systems].index("IKUN")
    assert [outputs.text(item, column) for item in range(len(suite))] == [texts[line] for line in chosen]


def test_the_icelandic_terms_of_2025_are_read_with_repairs(data: Path) -> None:
    place = folder(data, "wmt25-eea")
    cells = eea_cells((place / "EEA_Terminology.txt").read_bytes().decode("utf-8-sig").split("\r"))
    suite = a_suite(*(an_item(f"i{number}", cell) for number, cell in enumerate(cells)), langpair="en-is")
    with pytest.raises(UnpairedFile, match="365 bare carriage returns and no other line ends; --repair"):
        load_outputs(suite, place)
    said: list[str] = []
    outputs: Outputs = load_outputs(suite, place, repair=True, tell=said.append)
    assert (len(suite), len(outputs.found), len(outputs.systems)) == (299, 256, 8)
    assert [line.partition("txt: ")[2] for line in said[1:]] == [
        "the byte order mark is no part of the first line",
        "365 bare carriage returns taken as line ends",
        "14 empty lines left out, as in the outputs",
        "43 quoted cells of CSV over several lines, which were translated in pieces, left out",
    ]


def eea_cells(lines: list[str]) -> list[str]:
    """One source for each item: what stands in quotes goes over several lines."""
    cells: list[str] = []
    is_open = False
    for line in lines:
        if is_open:
            cells[-1] += f" {line}"
        elif line.strip():
            cells.append(line)
        is_open ^= line.count('"') % 2 == 1
    return [cell.replace('"', "").strip() for cell in cells]


@pytest.mark.parametrize(("year", "found", "systems"), [("wmt21", 2748, 19), ("wmt22", 2767, 9)])
def test_earlier_years_are_folders_too(data: Path, year: str, found: int, systems: int) -> None:
    outputs = load_outputs(load_suite(data / "dfki" / "items.de-en.json"), folder(data, year))
    assert (len(outputs.found), len(outputs.systems)) == (found, systems)
    assert outputs.by_order == 180
