"""Suites by name and path, and the sources they give to translators."""

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from assay.errors import BadFile, BadOption, UnknownName
from assay.outputs import load_outputs
from assay.outputs.sources import source_line, write_sources
from assay.suites.load import bundled, bundled_outputs, format_of, load_suite, losses, save_suite
from assay.suites.suite import Rule, Suite
from assay.tsv import TsvWriter, read_tsv
from tests.suites.building import KIEFER, a_suite, an_item, listing, suite_folder


def test_bundled_suites_are_known_by_name() -> None:
    assert "de-en" in bundled()
    assert load_suite("de-en") == load_suite(bundled()["de-en"])
    assert {path.stem for path in bundled_outputs("de-en")} == {"average", "careful", "literal"}


def test_a_path_wins_over_a_bundled_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite_folder(tmp_path / "de-en", {"kiefer.yaml": KIEFER})
    monkeypatch.chdir(tmp_path)
    assert load_suite("de-en").name == "garden"


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        ("de-eng", UnknownName, "no suite or file 'de-eng'; did you mean de-en?"),
        ("nowhere.json", BadFile, "nowhere.json: there is no such file"),
        ("no/where", BadFile, "no/where: there is no such file"),
        ("x" * 300, (BadFile, UnknownName), "x"),
        ("empty", BadFile, "empty/suite.yaml: there is no such file"),
        ("full", BadFile, "full: the folder has no suite.yaml"),
        ("notes.docx", BadFile, "notes.docx: not a suite"),
    ],
)
def test_what_is_no_suite_is_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    error: type[Exception] | tuple[type[Exception], ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file.txt").touch()
    (tmp_path / "notes.docx").write_text("x", encoding="utf-8")
    with pytest.raises(error) as caught:
        load_suite(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("items.json", "dfki"),
        ("items.JSON.gz", "dfki"),
        ("sample.tsv", "sample"),
        ("sample.csv", "sample"),
        ("new-folder", "native"),
        ("new-folder/suite.yaml", "native"),
        ("garden-1.0", "native"),
    ],
)
def test_the_name_tells_the_format(tmp_path: Path, path: str, kind: str) -> None:
    assert format_of(tmp_path / path) == kind


RICH = a_suite(an_item("f/a", "Eins.", Rule("pass", "regex", "one", "i")))


def test_a_poorer_format_needs_lossy(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"items\.json: this format cannot hold 1 × flags"):
        save_suite(RICH, tmp_path / "items.json")
    assert listing(tmp_path) == {}
    save_suite(RICH, tmp_path / "items.json", lossy=True)
    assert load_suite(tmp_path / "items.json").items[0].rules == (Rule("pass", "regex", "(?i:one)"),)


def test_the_native_format_loses_nothing(tmp_path: Path) -> None:
    assert losses(RICH, tmp_path / "new") == []
    assert losses(RICH, tmp_path / "new.tsv") == [
        "1 × flags (written into the regex)",
        "1 × ids (rows are numbered)",
        "1 × regex and contains rules",
    ]


@pytest.mark.parametrize("name", ["items.json", "sample.tsv", "sample.csv", "items.json.gz"])
def test_a_suite_is_read_from_what_it_was_written_to(tmp_path: Path, name: str) -> None:
    suite = a_suite(an_item("0001", "Eins.", Rule("pass", "exact", "One.")))
    save_suite(suite, tmp_path / name)
    assert load_suite(tmp_path / name).items == suite.items


# Sources for translators, and their translations back


def translated(suite: Suite, sources: Path, target: Path) -> None:
    """A system's output in the format of its source file, `<source>` in angle brackets as translation."""
    kind = sources.suffix
    if kind == ".tsv":
        with target.open("w", encoding="utf-8", newline="") as stream:
            writer = TsvWriter(stream)
            writer.writerow(["item", "text"])
            writer.writerows([row["item"], f"<{row['source']}>"] for _, row in read_tsv(sources))
    elif kind == ".jsonl":
        records = [json.loads(line) for line in sources.read_text(encoding="utf-8").split("\n") if line]
        target.write_text(
            "".join(
                json.dumps({"doc_id": record["doc_id"], "hypothesis": f"<{record['src_text']}>"}) + "\n"
                for record in records
            ),
            encoding="utf-8",
        )
    elif kind == ".xml":
        tree = ElementTree.parse(sources)
        for doc in tree.iter("doc"):
            segment = doc.find("src/p/seg")
            assert segment is not None
            hyp = ElementTree.SubElement(doc, "hyp", {"system": "sys"})
            ElementTree.SubElement(ElementTree.SubElement(hyp, "p"), "seg", {"id": "1"}).text = f"<{segment.text}>"
        tree.write(target, encoding="utf-8")
    else:
        lines = sources.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        target.write_text("".join(f"<{line}>\n" for line in lines), encoding="utf-8")


SUITES = {
    "bundled": load_suite("de-en"),
    "awkward": a_suite(
        an_item("f/b", 'Er sagte: "A & B < C".'),
        an_item("f/a", "Mit\tTabulator und 'Anführung'."),
        an_item("f/c", "Zwei\nZeilen."),
        an_item("f/d", '"Ganz zitiert"'),
        an_item("f/e", "Zeilen\u2028trenner und 🧀."),
    ),
}


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("kind", ["txt", "tsv", "xml", "jsonl"])
def test_translated_sources_are_paired_with_every_item(tmp_path: Path, name: str, kind: str) -> None:
    suite = SUITES[name]
    write_sources(suite, tmp_path / f"sources.{kind}")
    translated(suite, tmp_path / f"sources.{kind}", tmp_path / f"sys.{kind}")
    outputs = load_outputs(suite, tmp_path / f"sys.{kind}")
    assert [system.name for system in outputs.systems] == ["sys"]
    expected = [source_line(item.source) if kind == "txt" else item.source for item in suite]
    assert [outputs.text(place, 0) for place in range(len(suite))] == [f"<{text}>" for text in expected]


def test_prompts_go_out_with_the_sources(tmp_path: Path) -> None:
    told = replace(an_item("f/b", "Eins."), prompt="In {target_language}: {2}.", context="A {context}.")
    write_sources(a_suite(an_item("f/a", "Eins."), told), tmp_path / "sources.jsonl")
    plain, prompted = map(json.loads, (tmp_path / "sources.jsonl").read_text("utf-8").splitlines())
    assert list(plain) == ["doc_id", "domain", "src_lang", "tgt_lang", "src_text"]
    assert (prompted["prompt_instruction"], prompted["context"]) == ("In English: {2}.", "A {context}.")


@pytest.mark.parametrize("kind", ["txt", "xml", "jsonl"])
def test_a_written_source_file_serves_as_source(tmp_path: Path, kind: str) -> None:
    suite = a_suite(*(item for item in SUITES["awkward"] if "\n" not in item.source))
    write_sources(suite, tmp_path / f"sources.{kind}")
    (tmp_path / "sys.out").write_text("x\n" * len(suite), encoding="utf-8")
    outputs = load_outputs(suite, tmp_path / "sys.out", source=tmp_path / f"sources.{kind}")
    assert outputs.found.tolist() == list(range(len(suite)))


@pytest.mark.parametrize(
    ("source", "line"), [("Eins.", "Eins."), (" Eins.\n", "Eins."), ("Eins.\nZwei.", "Eins. Zwei."), ("a\r\nb", "a b")]
)
def test_a_source_is_one_line_of_text(source: str, line: str) -> None:
    assert source_line(source) == line
