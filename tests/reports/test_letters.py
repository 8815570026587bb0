"""Texts of figures as outlines: as wide as the font says, at their place, whatever a viewer has."""

import re
from xml.etree import ElementTree

import pytest

from assay.reports.figures.letters import face, outlined, text_width

SVG = "{http://www.w3.org/2000/svg}"


def picture(text: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20">{text}</svg>'


def test_width_is_the_sum_of_the_letters() -> None:
    # Liberation Sans has the widths of Arial: 1139 of 2048 units for a figure, 569 for a full stop.
    assert text_width("100.0", 2048) == 4 * 1139 + 569
    assert text_width("100.0", 10) == pytest.approx(10 * (4 * 1139 + 569) / 2048)


def test_pairs_are_moved_together() -> None:
    assert text_width("11", 2048) == 2 * 1139 - 152
    assert text_width("11", 2048, bold=True) == 2 * 1139 - 113


def test_a_letter_without_an_outline_is_taken_to_be_wide() -> None:
    assert text_width("译", 10) == 10


@pytest.mark.parametrize(("anchor", "start"), [("start", 40.0), ("middle", 40 - 5.56), ("end", 40 - 11.12)])
def test_a_text_becomes_outlines_at_its_place(anchor: str, start: float) -> None:
    text = f'<text text-anchor="{anchor}" transform="translate(40,9)" font-size="10px" fill="#1a1a1a">08</text>'
    root = ElementTree.fromstring(outlined(picture(text)))
    assert root.find(f".//{SVG}text") is None
    group = root.find(f"{SVG}g")
    assert group is not None
    assert (group.get("aria-label"), group.get("fill")) == ("08", "#1a1a1a")
    moves = re.findall(r"translate\(([-\d.]+),", group.get("transform", ""))
    assert sum(map(float, moves)) == pytest.approx(start, abs=0.01)
    assert [use.get("x") for use in group] == ["0", "1139"]
    assert {path.get("id") for path in root.iter(f"{SVG}path")} == {"letter-30", "letter-38"}


def test_lines_stand_below_each_other() -> None:
    text = '<text font-size="10" y="5"><tspan>a</tspan><tspan x="0" dy="12">b &amp; c</tspan></text>'
    groups = ElementTree.fromstring(outlined(picture(text))).findall(f"{SVG}g")
    assert [(group.get("data-text"), "5.00)" in group.get("transform", "")) for group in groups] == [
        ("a", True),
        ("b & c", False),
    ]
    assert ",17.00)" in groups[1].get("transform", "")


def test_what_cannot_be_drawn_stays_a_text() -> None:
    text = '<text font-size="10" fill="black">译 a</text>'
    assert outlined(picture(text)) == picture(text)


def test_marks_in_a_text_stay_marks() -> None:
    text = '<text aria-label="a &lt;b&gt;" font-size="10">&lt;/g&gt;&quot;</text>'
    group = ElementTree.fromstring(outlined(picture(text))).find(f"{SVG}g")
    assert group is not None
    assert (group.get("data-text"), group.get("aria-label")) == ('</g>"', "a <b>")


def test_letters_of_the_languages_of_the_suites_are_there() -> None:
    words = "Größe, žluťoučký kůň, Ёлка, съешь, Łódź, ñandú, İstanbul, Ψυχή – „so“ … ▲▼ 100 % −3 † ½"
    for bold in (False, True):
        assert set(words) <= set(face(bold=bold).letters)
