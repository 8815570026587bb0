"""Names of systems, as users give them."""

from pathlib import Path

import pytest

from assay.errors import BadOption
from assay.outputs.submission import NamedFile


@pytest.mark.parametrize(
    ("argument", "path", "name"),
    [
        ("newstest2021.de-en.hyp.Online-A.en", "newstest2021.de-en.hyp.Online-A.en", "Online-A"),
        ("out/newstest2021.de-en.hyp.Online-A.en.gz", "out/newstest2021.de-en.hyp.Online-A.en.gz", "Online-A"),
        ("generaltest2023.en-de.hyp.GPT4-5shot.de", "generaltest2023.en-de.hyp.GPT4-5shot.de", "GPT4-5shot"),
        ("newstest2021.de-en.hyp.Tower-v2.5.en", "newstest2021.de-en.hyp.Tower-v2.5.en", "Tower-v2.5"),
        ("system-outputs/en-de/SYSTEM.txt", "system-outputs/en-de/SYSTEM.txt", "SYSTEM"),
        ("SYSTEM.txt.gz", "SYSTEM.txt.gz", "SYSTEM"),
        ("SYSTEM", "SYSTEM", "SYSTEM"),
        ("a.b.tsv", "a.b.tsv", "a.b"),
        ("new=model.txt", "model.txt", "new"),
        ("new model=out/a=b.txt", "out/a=b.txt", "new model"),
        ("new=../x/newstest2021.de-en.hyp.A.en", "../x/newstest2021.de-en.hyp.A.en", "new"),
        ("runs/lr=0.1/out.txt", "runs/lr=0.1/out.txt", "out"),
        ("./lr=0.1.txt", "lr=0.1.txt", "lr=0.1"),
        ("-", "-", "stdin"),
        ("new=-", "-", "new"),
    ],
)
def test_a_system_is_named_by_its_file_or_by_hand(argument: str, path: str, name: str) -> None:
    given = NamedFile.parse(argument)
    assert (given.path, given.system_name) == (Path(path), name)


def test_a_file_that_is_there_is_taken_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "beam=5.txt").touch()
    assert NamedFile.parse("beam=5.txt") == NamedFile(Path("beam=5.txt"))
    assert NamedFile.parse("beam=5.txt").system_name == "beam=5"


@pytest.mark.parametrize("argument", ["=model.txt", "new="])
def test_half_a_name_is_refused(argument: str) -> None:
    with pytest.raises(BadOption, match="is not NAME=FILE"):
        NamedFile.parse(argument)


def test_a_name_that_is_too_long_for_a_file_is_no_crash() -> None:
    assert NamedFile.parse("new=" + "x" * 5000).name == "new"
