"""WMT XML: several systems in one file, segments known by document and number."""

from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption, UnpairedFile
from assay.outputs.load import load_outputs
from assay.outputs.wmt_xml import read_sources
from tests.suites.building import a_suite, an_item

SUITE = a_suite(an_item("a", "Eins & zwei."), an_item("b", "Drei."))

SOURCES = """\
<?xml version="1.0" encoding="UTF-8"?>
<dataset id="garden">
  <collection id="c">
    <doc id="d1" origlang="de"><src lang="de">
      <p><seg id="1">Eins &amp; zwei.</seg></p><p><seg id="2">Fremd.</seg></p></src>{d1}</doc>
  </collection>
  <doc id="d2" origlang="de"><src lang="de"><p><seg id="1">Drei.</seg></p></src>{d2}</doc>
</dataset>
"""

HYPS = SOURCES.format(
    d1="""<ref lang="en"><p><seg id="1">Reference.</seg></p></ref>
      <hyp lang="en" system="A"><p><seg id="1">One &lt;b&gt; two.</seg></p><p><seg id="2">Other.</seg></p></hyp>
      <hyp lang="en" system="B"><p><seg id="1">1 &amp; 2.</seg></p></hyp>""",
    d2="""<hyp lang="en" system="A"><p><seg id="1">NO TRANSLATION AVAILABLE</seg></p></hyp>""",
)


def file_with(tmp_path: Path, text: str, name: str = "all.xml") -> Path:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return file


def test_every_system_of_a_file_is_read_and_a_skipped_segment_is_empty(tmp_path: Path) -> None:
    outputs = load_outputs(SUITE, file_with(tmp_path, HYPS), campaign="WMT")
    assert [(system.name, system.campaign) for system in outputs.systems] == [("A", "WMT"), ("B", "WMT")]
    assert [[outputs.text(item, system) for item in (0, 1)] for system in (0, 1)] == [
        ["One <b> two.", "NO TRANSLATION AVAILABLE"],
        ["1 & 2.", ""],
    ]


def test_sources_may_stand_in_another_file(tmp_path: Path) -> None:
    source = file_with(tmp_path, SOURCES.format(d1="", d2=""), "src.xml")
    hyp = file_with(
        tmp_path,
        '<dataset><doc id="d2"><hyp system="A"><p><seg id="1">Three.</seg></p></hyp></doc></dataset>',
        "hyp.xml",
    )
    outputs = load_outputs(SUITE, hyp, source=source)
    assert [outputs.text(item, 0) for item in (0, 1)] == ["", "Three."]


def test_a_system_without_a_name_is_named_by_its_file_or_by_hand(tmp_path: Path) -> None:
    file = file_with(
        tmp_path,
        HYPS.replace(' system="A"', "")
        .replace(' system="B"', "")
        .replace('<hyp lang="en"><p><seg id="1">1 &amp; 2.</seg></p></hyp>', ""),
    )
    assert [system.name for system in load_outputs(SUITE, file).systems] == ["all"]
    assert [system.name for system in load_outputs(SUITE, f"mine={file}").systems] == ["mine"]


def test_one_name_for_several_systems_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"all\.xml holds 2 systems"):
        load_outputs(SUITE, f"mine={file_with(tmp_path, HYPS)}")


def test_sources_are_known_by_document_and_segment(tmp_path: Path) -> None:
    assert read_sources(file_with(tmp_path, SOURCES.format(d1="", d2=""))) == {
        "d1/1": "Eins & zwei.",
        "d1/2": "Fremd.",
        "d2/1": "Drei.",
    }


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<dataset>\n<doc id='d'>\n</dataset>", ":3: broken XML"),
        ("no xml", ":1: broken XML"),
        ("<dataset/>", ": no doc element"),
        ("<dataset><doc/></dataset>", ": a doc element without an id"),
        ("<dataset><doc id='d'/><doc id='d'/></dataset>", ": the document 'd' stands twice"),
        ("<dataset><doc id='d'><src><seg id='1'>x</seg></src></doc></dataset>", ": no hyp element"),
        (
            "<dataset><doc id='d'><hyp><seg id='1'>x</seg><seg id='1'>y</seg></hyp></doc></dataset>",
            ": the segment 'd/1' stands twice",
        ),
        (
            "<dataset><doc id='d'><src><seg id='1'>x</seg></src><hyp system='A'><seg id='1'>x</seg></hyp>"
            "<hyp system='A'><seg id='1'>x</seg></hyp></doc></dataset>",
            ": system 'A' stands twice in document 'd'",
        ),
        (
            "<dataset><doc id='d'><src><seg id='1'>x</seg></src>"
            "<hyp system='A'><seg id='2'>x</seg></hyp></doc></dataset>",
            ": no source for segment 'd/2' of system 'A'",
        ),
        ("<?xml version='1.0' encoding='klingon'?><dataset/>", ":"),
    ],
)
def test_a_slip_is_named(tmp_path: Path, text: str, problem: str) -> None:
    file = file_with(tmp_path, text)
    with pytest.raises(BadFile) as caught:
        load_outputs(SUITE, file)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_a_file_that_shares_no_source_with_the_suite_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnpairedFile, match=r"all\.xml: none of the suite's 2 sources"):
        load_outputs(SUITE, file_with(tmp_path, HYPS.replace("Eins", "Sechs").replace("Drei", "Sieben")))


def test_a_utf_8_file_that_declares_another_encoding_is_still_utf_8(tmp_path: Path) -> None:
    """As iconv leaves it: the bytes are UTF-8, the declaration is old."""
    file = file_with(tmp_path, HYPS.replace("UTF-8", "ISO-8859-1").replace("Other.", "Käse."))
    suite = a_suite(an_item("f", "Fremd."))
    assert load_outputs(suite, file).text(0, 0) == "Käse."
