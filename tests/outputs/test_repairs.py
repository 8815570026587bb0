"""Files as spreadsheets and old machines leave them: refused by name, or repaired where that is asked for."""

from pathlib import Path

import pytest

from assay.errors import UnpairedFile
from assay.outputs.load import load_outputs
from assay.outputs.repairs import broken_cells, unquoted
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins."), an_item("b", 'Sag "zwei".'), an_item("c", "Drei vier."))
# As WMT25's Icelandic suite was handed in: a byte order mark, carriage returns alone, empty lines, cells of CSV.
SENT = '\ufeffEins.\r\r"Sag ""zwei""."\r"Drei\rvier."\r'
BACK = "one\nsay two\nthree\nfour\n"


def files(folder: Path, sent: str, back: str) -> tuple[Path, Path]:
    (folder / "sent.txt").write_bytes(sent.encode())
    (folder / "sys.txt").write_bytes(back.encode())
    return folder / "sent.txt", folder / "sys.txt"


def test_what_is_repaired_is_said(tmp_path: Path) -> None:
    sent, back = files(tmp_path, SENT, BACK)
    said: list[str] = []
    outputs = load_outputs(SUITE, back, source=sent, repair=True, tell=said.append)
    assert {SUITE.items[place].id: outputs.text(place, 0) for place in outputs.found.tolist()} == {
        "a": "one",
        "b": "say two",
    }
    assert said == [
        f"repaired {sent}: {what}"
        for what in (
            "the byte order mark is no part of the first line",
            "5 bare carriage returns taken as line ends",
            "1 empty line left out, as in the outputs",
            "quotes of CSV taken off 1 line",
            "1 quoted cell of CSV over several lines, which were translated in pieces, left out",
        )
    ]


def test_without_repair_the_error_names_it(tmp_path: Path) -> None:
    sent, back = files(tmp_path, SENT, BACK)
    with pytest.raises(UnpairedFile, match=r"sent\.txt: 5 bare carriage returns and no other line ends; --repair"):
        load_outputs(SUITE, back, source=sent)


@pytest.mark.parametrize(
    ("sent", "back", "problem"),
    [
        ("Eins.\nDrei vier.\n", "one\rthree", r"sys\.txt: 1 bare carriage return and no other line ends; --repair"),
        ("Eins.\n\nDrei vier.\n", "one\nthree\n", r"sys\.txt:3: 2 lines, but .* 1 line of that is empty, --repair"),
    ],
    ids=["carriage returns in outputs", "empty source lines that did not come back"],
)
def test_what_the_error_names_is_repaired_on_request(tmp_path: Path, sent: str, back: str, problem: str) -> None:
    source, system = files(tmp_path, sent, back)
    with pytest.raises(UnpairedFile, match=problem):
        load_outputs(SUITE, system, source=source)
    outputs = load_outputs(SUITE, system, source=source, repair=True)
    assert [outputs.text(place, 0) for place in (0, 2)] == ["one", "three"]


def test_a_file_in_order_is_left_as_it_is(tmp_path: Path) -> None:
    sent, back = files(tmp_path, "Eins.\n\nDrei vier.\n", "one\n\r\nthree \n")
    said: list[str] = []
    outputs = load_outputs(SUITE, back, source=sent, repair=True, tell=said.append)
    assert ([outputs.text(place, 0) for place in (0, 2)], said) == (["one", "three "], [])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('"Eins."', "Eins."),
        ('"Sag ""zwei""."', 'Sag "zwei".'),
        ('"Ja", sagte er, "nein"', '"Ja", sagte er, "nein"'),
        ('"', '"'),
        ("Eins.", "Eins."),
    ],
)
def test_quotes_of_a_cell(line: str, expected: str) -> None:
    assert unquoted(line) == expected


def test_cells_over_several_lines() -> None:
    assert broken_cells(["a", '"b', "c", 'd"', '"e"', 'f "', '"g', 'h"']) == [range(1, 4), range(6, 8)]
