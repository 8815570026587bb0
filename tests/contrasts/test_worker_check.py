"""A parser or an aligner that was sent to another machine is the same there, or it does not work there."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from assay.contrasts.parsers.base import load_parser
from assay.contrasts.worker_check import check_here
from assay.errors import BadFile
from assay.parallel import Misfit
from tests.contrasts.tiny_model import train


class Made(NamedTuple):
    """What a factory makes."""

    signature: str


def making(signature: str) -> Callable[[str], Made]:
    return lambda option: Made(signature)


def test_the_same_is_looked_at_once_in_a_process() -> None:
    made: list[str] = []

    def factory(option: str) -> Made:
        made.append(option)
        return Made("x|x:1|model:m[a]")

    for _ in range(2):
        check_here(factory, "m", "x|x:1|model:m[a]")
    assert made == ["m"]


@pytest.mark.parametrize(
    ("option", "found", "problem"),
    [
        ("/m", "x|x:1|model:m[b]", "/m: model:m[b] instead of model:m[a]"),
        ("", "x|x:2|model:m[b]", "x:2 instead of x:1, model:m[b] instead of model:m[a]"),
        ("", "x|x:1", "nothing instead of model:m[a]"),
    ],
)
def test_what_is_another_one_here(option: str, found: str, problem: str) -> None:
    with pytest.raises(
        Misfit, match=f": not what the calling machine has: {re.escape(problem)}; give all workers the same"
    ):
        check_here(making(found), option, "x|x:1|model:m[a]")


def test_what_cannot_be_made_here_is_told_without_a_cure_for_the_calling_machine() -> None:
    def factory(option: str) -> Made:
        raise BadFile(option, "there is no such model", cure="fetch it")

    with pytest.raises(Misfit, match=r"calling machine has: /m: there is no such model; give all"):
        check_here(factory, "/m", "x|1")


def test_a_model_file_that_is_another_one_when_it_is_to_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ufal.udpipe")
    monkeypatch.chdir(tmp_path)
    path = train(tmp_path / "czech-tiny.udpipe")
    sent = pickle.dumps(load_parser("udpipe:czech-tiny.udpipe"))
    path.write_bytes(path.read_bytes() + b"\0")
    monkeypatch.chdir("/")
    with pytest.raises(Misfit, match=rf" {path}: model:czech-tiny\[\w+\] instead of model:czech-tiny\[\w+\];"):
        pickle.loads(sent).parse(["Chce."])
    path.unlink()
    with pytest.raises(Misfit, match=rf" {path}: there is no such UDPipe model;"):
        pickle.loads(sent).parse(["Chce."])
