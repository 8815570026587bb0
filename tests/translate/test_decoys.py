"""Sources go out mixed with decoys and come back through the map, in every format."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile, BadOption
from assay.outputs import NamedFile
from assay.outputs.decoys import SentSources, in_suite_order, mix, read_decoys, read_map, write_map, write_sending
from assay.outputs.sources import read_source
from assay.suites import Item, Suite
from assay.translate.submissions import read_participant_file

SOURCES = ["Der Ball rollt.", "Das Schloss klemmt.", "Der Ball rollt.", "Zwei\nZeilen & <mehr>."]
SUITE = Suite(
    "little", "de-en", tuple(Item(f"i{n}", "C", "P", source) for n, source in enumerate(SOURCES)), {"C": {"P": ""}}
)
DECOYS = [f"Nachricht {number}." for number in range(20)]


def mixed(share: float | None = 0.5, seed: int = 1) -> SentSources:
    return mix(SUITE, DECOYS, share=share, chance=Random(seed))


class TestMixing:
    def test_every_source_stands_once_and_knows_its_items(self) -> None:
        sending = mixed()
        items = {sent.source: sent.items for sent in sending.lines if sent.items}
        assert items == {SOURCES[0]: ("i0", "i2"), SOURCES[1]: ("i1",), SOURCES[3]: ("i3",)}

    def test_decoys_make_up_their_share(self) -> None:
        assert (mixed().decoys, len(mixed().lines)) == (3, 6)
        assert (mixed(0.75).decoys, len(mixed(0.75).lines)) == (9, 12)
        assert mixed(None).decoys == 20

    def test_the_seed_decides(self) -> None:
        assert mixed() == mixed()
        assert mixed() != mixed(seed=2)

    def test_ids_tell_nothing(self) -> None:
        assert [sent.id for sent in mixed().lines] == [f"s000{number}" for number in range(1, 7)]

    def test_a_decoy_that_is_a_source_is_left_out(self) -> None:
        sending = mix(SUITE, [*SOURCES, "Zwei Zeilen & <mehr>."], share=None, chance=Random(1))
        assert sending.decoys == 0

    @pytest.mark.parametrize("share", [0.0, 1.0, 1.5, 0.9])
    def test_shares_that_cannot_be(self, share: float) -> None:
        with pytest.raises(BadOption, match="decoys"):
            mixed(share)

    def test_decoys_of_a_file_are_taken_once(self, tmp_path: Path) -> None:
        (tmp_path / "d.txt").write_text("Eins.\n\n Zwei. \nEins.\n", encoding="utf-8")
        assert read_decoys(tmp_path / "d.txt") == ["Eins.", "Zwei."]


class TestMap:
    def test_there_and_back(self, tmp_path: Path) -> None:
        write_map(mixed(), tmp_path / "map.tsv")
        assert read_map(tmp_path / "map.tsv", SUITE) == mixed()

    @given(
        sources=st.lists(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), min_size=1, unique=True),
        seed=st.integers(),
    )
    def test_any_source_survives(self, sources: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
        items = tuple(Item(f"i{n}", "C", "P", source) for n, source in enumerate(sources))
        suite = Suite("s", "de-en", items, {"C": {"P": ""}})
        sending = mix(suite, DECOYS, share=None, chance=Random(seed))
        path = tmp_path_factory.mktemp("map") / "map.tsv"
        write_map(sending, path)
        assert read_map(path, suite) == sending

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("item\t", "thing\t", "map.tsv:1: no column 'item'"),
            ("i1", "i9", "no item 'i9' in the suite"),
            ("Das Schloss klemmt.", "Das Schloss rostet.", "the source of item 'i1' has changed since"),
            ("\n2\t", "\n3\t", "line '3' is out of order"),
        ],
    )
    def test_a_map_of_something_else(self, tmp_path: Path, old: str, new: str, message: str) -> None:
        path = tmp_path / "map.tsv"
        write_map(mixed(), path)
        path.write_text(path.read_text("utf-8").replace(old, new, 1), encoding="utf-8")
        with pytest.raises(BadFile, match=message):
            read_map(path, SUITE)


def translated(source: str) -> str:
    return " ".join(source.split()).upper()


def hand_in(sent: Path, returned: Path) -> None:
    """What a participant does with the file: all sources in capitals."""
    if sent.suffix == ".txt":
        lines = sent.read_text("utf-8").splitlines()
        returned.write_text("".join(translated(line) + "\n" for line in lines), encoding="utf-8")
    elif sent.suffix == ".jsonl":
        import json

        records = [json.loads(line) for line in sent.read_text("utf-8").splitlines()]
        made = [{"doc_id": one["doc_id"], "hypothesis": translated(one["src_text"])} for one in reversed(records)]
        returned.write_text("\n".join(json.dumps(one) for one in made), encoding="utf-8")
    else:
        from xml.etree import ElementTree

        tree = ElementTree.parse(sent)
        for doc in tree.iter("doc"):
            hyp = ElementTree.SubElement(doc, "hyp", system="Mine", lang="en")
            for seg in doc.findall("src/p/seg"):
                ElementTree.SubElement(ElementTree.SubElement(hyp, "p"), "seg", id="1").text = translated(
                    seg.text or ""
                )
        tree.write(returned, encoding="utf-8")


@pytest.mark.parametrize("suffix", [".txt", ".xml", ".jsonl"])
@pytest.mark.parametrize("sending", [mixed(), in_suite_order(SUITE)], ids=["mixed", "in order"])
def test_every_text_comes_back_to_its_line(tmp_path: Path, suffix: str, sending: SentSources) -> None:
    sent, returned = tmp_path / f"sent{suffix}", tmp_path / f"Mine{suffix}"
    write_sending(sending, SUITE, sent)
    hand_in(sent, returned)
    [found] = read_participant_file(NamedFile(returned), sending)
    assert found.name == "Mine"
    assert found.texts == [translated(source) for source in sending.sources]
    assert not found.faults


@pytest.mark.parametrize("suffix", [".txt", ".xml", ".jsonl"])
def test_what_is_sent_are_sources_as_others_read_them(tmp_path: Path, suffix: str) -> None:
    write_sending(mixed(), SUITE, tmp_path / f"sent{suffix}")
    lines = [" ".join(line.split()) for line in read_source(tmp_path / f"sent{suffix}").lines]
    assert lines == [" ".join(source.split()) for source in mixed().sources]
    text = (tmp_path / f"sent{suffix}").read_text("utf-8")
    assert "little" not in text
    assert "i1" not in text


class TestBrokenFiles:
    def read(self, path: Path, content: bytes) -> tuple[object, ...]:
        path.write_bytes(content)
        [found] = read_participant_file(NamedFile(path), mixed())
        return found.faults

    def test_latin_1(self, tmp_path: Path) -> None:
        [fault] = self.read(tmp_path / "a.txt", "Zürich\n".encode("latin-1"))
        assert fault == (
            "line 1: not UTF-8 (byte 0xfc); convert the file to UTF-8, for example with iconv "
            "(it looks like Windows-1252 or Latin-1)"
        )

    def test_utf_16(self, tmp_path: Path) -> None:
        assert "it looks like UTF-16" in str(self.read(tmp_path / "a.txt", "Zürich\n".encode("utf-16")))

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("a.txt", b"", "the file is empty"),
            ("a.tsv", b"item\ttext\n", "a .tsv file is no submission"),
            ("a.xml", b"<dataset>", "broken XML"),
            ("a.xml", b"<dataset><doc id='x'/></dataset>", "no hyp element"),
            ("a.jsonl", b"{", "line 1: broken JSON"),
            ("a.jsonl", b'{"doc_id": "s0001"}', "'hypothesis' is missing"),
            ("a.jsonl", b'{"doc_id": "x", "hypothesis": "X"}', "the doc_id 'x' was not sent"),
            ("a.jsonl", b'{"doc_id": "s0001", "hypothesis": "X"}\n' * 2, "the doc_id 's0001' stands twice"),
        ],
    )
    def test_is_told_and_no_error(self, tmp_path: Path, name: str, content: bytes, message: str) -> None:
        assert message in str(self.read(tmp_path / name, content))

    def test_a_file_that_is_not_there_is_one(self, tmp_path: Path) -> None:
        with pytest.raises(BadFile, match="there is no such file"):
            read_participant_file(NamedFile(tmp_path / "a.txt"), mixed())
