"""Links: from Pharaoh files, and from eflomal as a program that may be missing, fail or write nonsense."""

import stat
import sys
from pathlib import Path

import pytest

from assay.contrasts.aligners.base import ALIGNERS, TextPair, WordView, load_aligner, options, view
from assay.contrasts.aligners.pharaoh import Pharaoh
from assay.contrasts.trees import Token, Tree
from assay.errors import AssayError, BadFile, BadOption, MissingExtra, UnknownName, UnpairedFile
from tests.contrasts.building import links, tree

CZECH = tree(
    "Chce chtít VERB _ 0 root\n= abych 2\n a aby SCONJ _ 4 mark\n bych být AUX _ 4 aux\n šel jít VERB _ 1 ccomp"
)


def flat(text: str) -> Tree:
    return Tree(tuple(Token(word, word, "X", "", {}, -1, "root") for word in text.split()), text)


def pair(source: str, target: str, system: str = "A", line: int = 0) -> TextPair:
    return TextPair(flat(source), flat(target), system, line)


# What is seen of a pair


def test_the_beginnings_of_lower_cased_surface_tokens() -> None:
    assert WordView().seen(TextPair(flat("Wonderful PLACES"), CZECH)) == (
        ("wonder", "places"),
        ("chce", "abych", "šel"),
    )


def test_lemmas_of_a_multiword_token_stand_together() -> None:
    assert view("x", {"words": "lemmas"}).seen(TextPair(flat("He"), CZECH)) == (("he",), ("chtít", "abybýt", "jít"))


def test_tokens_that_would_break_a_line_of_words() -> None:
    odd = Tree((), "", (0,), ("10\u00a0000", "|||", "\u00ad", ""))
    assert WordView(source=0).seen(TextPair(odd, flat("x")))[0] == ("10000", "¦", "\u00ad", "_")


def test_options() -> None:
    assert view("x", {"source": "0", "target": "3"}) == WordView("forms", 0, 3)
    assert options("x", "priors=a b.txt, source=4", ("priors", "source")) == {"priors": "a b.txt", "source": "4"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("sauce=6", "no option of eflomal 'sauce'; did you mean source"),
        ("source", "the option source has no value"),
        ("source=six", "source=six is not a number of letters"),
        ("words=stems", "words=stems is neither forms nor lemmas"),
        ("priors=nowhere", "^nowhere: there are no such priors"),
    ],
)
def test_options_that_make_no_sense(given: str, problem: str) -> None:
    with pytest.raises(AssayError, match=problem):
        load_aligner(f"eflomal:{given}")


def test_an_aligner_that_nobody_has() -> None:
    with pytest.raises(UnknownName, match="no aligner 'eflomall'; did you mean eflomal"):
        load_aligner("eflomall")
    with pytest.raises(BadOption, match="names no aligner"):
        load_aligner(":x")


def test_every_registered_aligner_has_a_factory() -> None:
    assert {"eflomal", "pharaoh", "systran"} <= set(ALIGNERS.names)
    assert all(callable(ALIGNERS.get(name)) for name in ALIGNERS.names)


# Pharaoh


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "Online-B.1.align").write_text("0-0 1-1\n\n1-0\n")
    (tmp_path / "Online-B").write_text("0-1\n")
    return tmp_path


def test_each_system_has_its_file(folder: Path) -> None:
    aligner = load_aligner(f"pharaoh:{folder}")
    found = aligner.align(
        [pair("a b", "x y", "Online-B.1", 2), pair("a b", "x y", "Online-B"), pair("a", "x", "Online-B.1", 1)]
    )
    assert found == [links("1-0"), links("0-1"), frozenset()]
    assert aligner.scope == "file"


def test_links_count_surface_tokens(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-2\n")
    assert load_aligner(f"pharaoh:{tmp_path / 'links'}").align([TextPair(flat("go"), CZECH)]) == [links("0-2")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            "0-0 2-1",
            r":1: the link 2-1 is out of range: the source has 2 tokens; links count the tokens of the trees from 0",
        ),
        ("1-2", r":1: the link 1-2 is out of range: the target has 2 tokens"),
        ("0-0 1", r":1: '1' is not a link; links look like this: 0-0 1-2"),
        ("0-0 -1-1", r":1: '-1-1' is not a link"),
    ],
)
def test_bad_links(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "links").write_text(line + "\n")
    with pytest.raises(BadFile, match=problem):
        load_aligner(f"pharaoh:{tmp_path / 'links'}").align([pair("a b", "x y")])


def test_too_few_lines_of_links(folder: Path) -> None:
    aligner = load_aligner(f"pharaoh:{folder}")
    with pytest.raises(UnpairedFile, match="Online-B: 1 lines, but line 8 is needed"):
        aligner.align([pair("a", "x", "Online-B", 7)])
    assert isinstance(aligner, Pharaoh)
    aligner.check("Online-B.1", 3)
    with pytest.raises(UnpairedFile, match=r"Online-B.1.align: 3 lines of links for 2,037 sentence pairs; align"):
        aligner.check("Online-B.1", 2037)


def test_a_system_without_links(folder: Path) -> None:
    with pytest.raises(BadFile, match=r"no links for the system Lan-Bridge; add a file Lan-Bridge.align"):
        load_aligner(f"pharaoh:{folder}").align([pair("a", "x", "Lan-Bridge")])


def test_one_file_for_two_systems(tmp_path: Path) -> None:
    (tmp_path / "links").write_text("0-0\n")
    with pytest.raises(BadOption, match=r"has the links of one system, and there are more \(A, B\); give a folder"):
        load_aligner(f"pharaoh:{tmp_path / 'links'}").align([pair("a", "x", "A"), pair("a", "x", "B")])


def test_places_without_links(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no file in this folder"):
        load_aligner(f"pharaoh:{tmp_path}")
    with pytest.raises(BadFile, match="there is no such file or folder"):
        load_aligner(f"pharaoh:{tmp_path / 'x'}")
    with pytest.raises(BadOption, match="pharaoh names no file"):
        load_aligner("pharaoh")


# eflomal: stand-ins for its programs, which take the same arguments

DIAGONAL = """
import sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
pairs = [(s.split(), t.split()) for s, t in zip(open(given["-s"]), open(given["-t"]))]
for name, extra in (("-f", 1), ("-r", 2)):  # both directions have the diagonal, and one link each of their own
    with open(given[name], "w") as out:
        for s, t in pairs:
            both = [(i, i) for i in range(min(len(s), len(t)))]
            print(*(f"{i}-{j}" for i, j in [*both, (0, len(t) + extra)]), file=out)
"""

PRIORS = """
import sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(given["-p"], "w") as out:
    print(len(open(given["-s"]).readlines()), open(given["-f"]).readline().strip(), file=out)
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for programs; the real ones are out of sight."""
    real = sys.executable
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.setenv("PATH", str(folder))
    for name, program in (("eflomal-align", DIAGONAL), ("eflomal-makepriors", PRIORS)):
        write_program(folder / name, f"#!{real}\n{program}")
    return folder


def write_program(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_links_are_those_of_both_directions(programs: Path) -> None:
    aligner = load_aligner("eflomal")
    found = aligner.align(
        [pair("a b c", "x y"), pair("a", ""), pair("", "x"), pair("a b", "x y z"), pair("A b C", "x y")]
    )
    assert found == [links("0-0 1-1"), frozenset(), frozenset(), links("0-0 1-1"), links("0-0 1-1")]


def test_equal_pairs_are_given_to_eflomal_once(programs: Path, tmp_path: Path) -> None:
    aligner = ALIGNERS.get("eflomal")("")
    aligner.learn([pair("Going", "x"), pair("going", "x"), pair("a b", "y z")], tmp_path / "priors")  # type: ignore[attr-defined]
    assert (tmp_path / "priors").read_text().split()[0] == "2"


def test_pairs_after_a_pool_take_fewer_iterations(programs: Path) -> None:
    aligner = ALIGNERS.get("eflomal")("")
    real = (programs / "eflomal-align").read_text().splitlines()[0]
    write_program(programs / "eflomal-align", f"{real}\nimport sys\nassert '--length' in sys.argv\n{DIAGONAL}")
    assert aligner.align_from(b"learnt", [pair("a b", "x y")]) == [links("0-0 1-1")]  # type: ignore[attr-defined]
    with pytest.raises(AssayError, match="AssertionError"):
        aligner.align([pair("a b", "x y")])


def test_priors_belong_to_the_signature(programs: Path, tmp_path: Path) -> None:
    plain = load_aligner("eflomal")
    assert plain.signature.endswith("|words:forms|source:6|target:5|priors:none|links:intersection")
    signatures = {plain.signature, load_aligner("eflomal:source=0").signature}
    for content in ("one", "two"):
        (tmp_path / "my.priors").write_text(content)
        signatures.add(load_aligner(f"eflomal:priors={tmp_path / 'my.priors'}").signature)
    assert len(signatures) == 4


def test_nothing_to_align(programs: Path, tmp_path: Path) -> None:
    aligner = ALIGNERS.get("eflomal")("")
    assert aligner.align([]) == []
    assert aligner.align([pair("", "x")]) == [frozenset()]
    with pytest.raises(AssayError, match="no sentence pairs with words on both sides"):
        aligner.learn([pair("", "x")], tmp_path / "priors")  # type: ignore[attr-defined]


def test_sentences_beyond_what_eflomal_takes_have_no_links(programs: Path) -> None:
    found = load_aligner("eflomal").align([pair("a " * 1001, "x"), pair("a", "x")])
    assert found == [frozenset(), links("0-0")]


def test_eflomal_is_not_installed(programs: Path) -> None:
    (programs / "eflomal-align").unlink()
    with pytest.raises(
        MissingExtra, match=r"its program eflomal-align\) needs .* pip install 'assay-mt\[eflomal\]' .* gcc"
    ):
        load_aligner("eflomal")


def test_eflomal_crashes(programs: Path) -> None:
    aligner = load_aligner("eflomal")
    write_program(programs / "eflomal-align", "#!/bin/sh\necho first >&2\necho out of memory >&2\nexit 3\n")
    with pytest.raises(AssayError, match=r"^eflomal-align failed with exit code 3: out of memory$"):
        aligner.align([pair("a", "x")])


def test_eflomal_is_killed(programs: Path) -> None:
    aligner = load_aligner("eflomal")
    write_program(programs / "eflomal-align", "#!/bin/sh\nkill -9 $$\n")
    with pytest.raises(AssayError, match=r"^eflomal-align was killed by SIGKILL$"):
        aligner.align([pair("a", "x")])


def test_eflomal_writes_the_wrong_number_of_lines(programs: Path) -> None:
    aligner = load_aligner("eflomal")
    write_program(programs / "eflomal-align", "#!/bin/sh\necho 0-0 > forward\necho 0-0 > reverse\n")
    with pytest.raises(AssayError, match="wrote 1 lines of forward links for 2 sentence pairs"):
        aligner.align([pair("a", "x"), pair("b", "y")])
    write_program(programs / "eflomal-align", "#!/bin/sh\n")
    with pytest.raises(AssayError, match="wrote no forward links"):
        aligner.align([pair("a", "x")])


def test_systran_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assay.contrasts.aligners.systran.find_spec", lambda module: None)
    with pytest.raises(MissingExtra, match=r"the aligner systran needs .* pip install 'assay-mt\[systran\]'"):
        load_aligner("systran")
