"""Word links in Pharaoh's format."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.files.pharaoh import read
from assay.contrasts.trees import Links
from assay.errors import BadFile, UnpairedFile


def written(folder: Path, text: str) -> Path:
    file = folder / "sys.align"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_line_is_a_set_of_links(tmp_path: Path) -> None:
    assert read(written(tmp_path, "0-0 1-2 1-1\n\n2-0\n")) == [{(0, 0), (1, 2), (1, 1)}, set(), {(2, 0)}]


@pytest.mark.parametrize("token", ["0", "0-", "a-1", "0:1", "0-1-2", "-1-0", "0–1", "¹-0", "0-1234567890"])
def test_what_is_not_a_link_is_named_by_line(tmp_path: Path, token: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(written(tmp_path, f"0-0\n1-1 {token}\n"))
    assert str(caught.value) == f"{tmp_path / 'sys.align'}:2: {token!r} is not a link; links look like this: 0-0 1-2"


def test_the_number_of_lines_must_fit(tmp_path: Path) -> None:
    file = written(tmp_path, "0-0\n0-0\n")
    assert len(read(file, lines=2)) == 2
    with pytest.raises(UnpairedFile, match="2 lines, and the source has 3; one line of links per sentence pair"):
        read(file, lines=3)


@pytest.mark.parametrize(
    ("sizes", "problem"), [((2, 3), ""), ((1, 3), "the source has 1 tokens"), ((2, 2), "the target has 2 tokens")]
)
def test_a_link_must_be_within_the_tokens(tmp_path: Path, sizes: tuple[int, int], problem: str) -> None:
    file = written(tmp_path, "9-9\n0-0 1-2\n")
    if not problem:
        assert read(file, sizes={1: sizes})[1] == {(0, 0), (1, 2)}
        return
    with pytest.raises(BadFile) as caught:
        read(file, sizes={1: sizes})
    assert str(caught.value).startswith(f"{file}:2: the link 1-2 is out of range: {problem}; ")


LINKS = st.frozensets(st.tuples(st.integers(0, 60), st.integers(0, 60)), max_size=8)


@given(st.lists(LINKS, min_size=1, max_size=5))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, lines: list[Links]) -> None:
    text = "".join(" ".join(f"{source}-{target}" for source, target in sorted(line)) + "\n" for line in lines)
    assert read(written(tmp_path_factory.getbasetemp(), text)) == lines
