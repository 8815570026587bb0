"""More texts than memory should hold: the same outputs as in memory, from temporary files."""

import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, BadOption
from assay.outputs.outputs import Collector, Outputs, System
from assay.outputs.text_files import TextFile
from assay.suites import Item, Suite, taxonomy_of

ITEMS = tuple(Item(f"i{number}", "C", "P", f"Satz {number}.") for number in range(150))
"""Three parts of a merge."""

SUITE = Suite("garden", "de-en", ITEMS, taxonomy_of(ITEMS))

TEXTS = st.text(st.characters(codec=None), max_size=5)
"""Half characters too."""

PIECES = st.lists(
    st.tuples(st.sampled_from("ABCD"), st.dictionaries(st.integers(0, len(ITEMS) - 1), TEXTS, max_size=8)), max_size=8
)


def collected(pieces: list[tuple[str, dict[int, str]]], held: int) -> Outputs:
    """Parts of systems, as far as they are for items that the system has no text for."""
    collector, known = Collector(SUITE, held=held), dict[str, dict[int, str]]()
    for name, piece in pieces:
        new = {item: text for item, text in piece.items() if item not in known.get(name, {})}
        collector.add(System(name), positions=list(new), texts=list(new.values()), part=int(name in known))
        known[name] = known.get(name, {}) | new
    outputs = collector.outputs()
    assert {
        system.name: {
            item: outputs.text(item, column) for item in np.flatnonzero(outputs.codes[:, column] >= 0).tolist()
        }
        for column, system in enumerate(outputs.systems)
    } == known
    return outputs


@given(PIECES, st.integers(0, 400))
def test_a_file_holds_the_same_as_memory(pieces: list[tuple[str, dict[int, str]]], held: int) -> None:
    in_memory, in_file = collected(pieces, 10**9), collected(pieces, held)
    assert in_file.systems == in_memory.systems
    assert sorted(zip(in_file.owners.tolist(), in_file.texts, strict=True)) == sorted(
        zip(in_memory.owners.tolist(), in_memory.texts, strict=True)
    )
    assert [in_file.texts[code] for code in in_file.codes[in_file.codes >= 0]] == [
        in_memory.texts[code] for code in in_memory.codes[in_memory.codes >= 0]
    ]


def test_texts_of_an_item_stand_together() -> None:
    collector = Collector(SUITE, held=300)
    for number in range(20):
        collector.add(System(f"S{number}"), positions=range(150), texts=[f"{number % 3} {i % 2}" for i in range(150)])
    outputs = collector.outputs()
    assert isinstance(outputs.texts, TextFile)
    assert outputs.owners.tolist() == [item for item in range(150) for _ in range(3)]


def test_texts_are_read_in_any_order() -> None:
    texts = TextFile()
    expected = [f"text {number} ä" for number in range(5000)]
    texts.extend(expected[:3000])
    assert texts[2999] == expected[2999]
    texts.extend(expected[3000:])
    assert len(texts) == 5000
    assert list(texts) == expected
    assert [texts[number] for number in range(4999, -1, -487)] == expected[::-1][::487]
    assert texts[-1] == expected[-1]
    assert texts[10:4000:700] == expected[10:4000:700]
    with pytest.raises(IndexError):
        texts[5000]


def test_another_process_gets_a_file_of_its_own() -> None:
    texts = TextFile()
    texts.extend(f"text {number} \ud800" for number in range(3000))
    again = pickle.loads(pickle.dumps(texts))
    assert isinstance(again, TextFile)
    assert list(again) == list(texts)


def test_a_part_must_not_repeat_an_item() -> None:
    collector = Collector(SUITE, held=0)
    collector.add(System("A", file="a.parquet"), positions=[0, 1], texts=["x", "y"])
    collector.add(System("A", file="a.parquet"), positions=[2], texts=["z"], part=1)
    with pytest.raises(BadOption, match=r"a\.parquet: item 'i1' stands twice for system 'A'"):
        collector.add(System("A", file="a.parquet"), positions=[1], texts=["x"], part=2)


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    """One line, and nothing more when the process ends: what did not fit is not written again."""
    program = (
        "import resource, signal\n"
        "from assay.outputs.text_files import TextFile\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))\n"
        "TextFile().extend(['x' * 100] * 1000)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith("(File too large); make room there, or name another folder in TMPDIR\n")
    assert done.stderr.count("Traceback") == 1


def test_no_room_for_temporary_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(AssayError, match=r"nowhere: a temporary file cannot be written \(No such file or directory\)"):
        Collector(SUITE, held=0).add(System("A"), positions=[0], texts=["x"])
