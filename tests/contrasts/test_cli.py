"""`assay contrasts …` as users run it."""

import csv
import json
import shlex
from pathlib import Path

import pytest

from assay.contrasts.run_files import copy_sample
from tests.conftest import Run

TOOLS = (
    *("--source-parser", "conllu:demo/source.conllu"),
    *("--target-parser", "conllu:demo/{system}.conllu"),
    *("--aligner", "pharaoh:demo/{system}.links"),
)
FILES = ("--source", "demo/source.txt", "demo/average.txt", "demo/literal.txt", "--reference", "demo/reference.txt")
CONTRASTS = """
name: mine
langpair: en-cs
source:
  gerund: {any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}]]}
target:
  - {name: finite, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {MORPH: {IS_SUPERSET: [VerbForm=Fin]}}}]]}
  - {name: other, any: [[{RIGHT_ID: a, RIGHT_ATTRS: {}}]]}
contrasts:
  gerund-finite: {source: gerund, good: [finite]}
"""


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """The bundled sample in the folder `demo`."""
    copy_sample(tmp_path / "demo")
    return tmp_path / "demo"


@pytest.fixture
def cached(assay: Run, tmp_path: Path) -> Run:
    """The command with a cache folder of its own."""

    def run(*arguments: str | Path, **options: object) -> object:
        return assay("contrasts", *arguments, XDG_CACHE_HOME=str(tmp_path / "cache"), **options)

    return run  # type: ignore[return-value]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))


class TestRun:
    def test_the_demo_prints_a_command_that_says_the_same(self, assay: Run, tmp_path: Path) -> None:
        printed = assay("contrasts", "demo").stdout
        assert (tmp_path / "assay-contrasts-demo" / "report.html").is_file()
        again = next(line for line in printed.splitlines() if line.startswith("the same:"))
        command = shlex.split(again.partition("assay ")[2])
        assert assay(*command, XDG_CACHE_HOME=str(tmp_path)).stdout in printed

    def test_tables_verdicts_and_figures(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        cached(
            "run",
            "en-cs",
            "--as-published",
            *FILES,
            *TOOLS,
            "-o",
            "r.json",
            "--verdicts",
            "v.tsv",
            "--figures",
            "figures",
        )
        report = json.loads((tmp_path / "r.json").read_text("utf-8"))
        assert report["contrasts"]["expectation"] == "source"
        assert len(rows(tmp_path / "v.tsv")) == 3 * report["subsets"][0]["items"]
        assert (tmp_path / "figures" / "bars-by-system.pdf").stat().st_size > 1000

    def test_what_is_exported_works_everywhere(self, cached: Run, assay: Run, demo: Path, tmp_path: Path) -> None:
        cached("run", "en-cs", "--as-published", *FILES, *TOOLS, "--export", "out", "--verdicts", "v.tsv")
        given = ("out/suite", "out/outputs/campaign.yaml")
        assay("evaluate", *given, "--policy", "own", "--verdicts", "w.tsv")
        keys = ("item", "system", "verdict")
        found, again = (
            {tuple(row[key] for key in keys) for row in rows(tmp_path / name)} for name in ("v.tsv", "w.tsv")
        )
        assert found == again
        assert "challenge item" in assay("challenge", "build", *given, "-o", "set.tsv").stdout
        assay("init", "--db", "a.db")
        assert "23 items added" in assay("import", *given, "--db", "a.db").stdout
        assert (
            "out: the folder is not empty"
            in cached("run", "en-cs", "--as-published", *FILES, *TOOLS, "--export", "out", code=2).stderr
        )

    def test_only_what_an_export_wrote_is_replaced(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        thesis = tmp_path / "mine" / "thesis.tex"
        thesis.parent.mkdir()
        thesis.write_text("years of work", "utf-8")
        command = ("run", "en-cs", "--as-published", *FILES, *TOOLS, "-o", "r.md", "--export")
        refused = cached(*command, "mine", "--force", code=2)
        assert "mine: the folder has something else in it" in refused.stderr
        assert thesis.read_text("utf-8") == "years of work"
        assert not (tmp_path / "r.md").exists()
        cached(*command, "out")
        (tmp_path / "out" / "suite" / "old").write_text("", "utf-8")
        cached(*command, "out", "--force")
        assert not (tmp_path / "out" / "suite" / "old").exists()
        inside = (*command, "out", "--force", "--verdicts", "out/v.tsv")
        assert "out/v.tsv is in the folder out, which is replaced" in cached(*inside, code=2).stderr

    def test_find_replaces_suites_only(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        command = ("find", "en-cs", "gerund", "demo/source.conllu", "--force", "-o")
        assert "demo: the folder has something else in it" in cached(*command, "demo", code=2).stderr
        assert (demo / "source.txt").is_file()
        cached(*command, "suite")
        cached(*command, "suite")

    def test_the_demo_writes_over_nothing_of_yours(self, assay: Run, tmp_path: Path) -> None:
        assay("contrasts", "demo", "-o", "demo")
        assay("contrasts", "demo", "-o", "demo")  # its own files, again
        notes = tmp_path / "mine" / "README.md"
        notes.parent.mkdir()
        notes.write_text("mine", "utf-8")
        refused = assay("contrasts", "demo", "-o", "mine", code=2)
        assert "mine/README.md: is not the demo's; choose another folder with -o, or add --force" in refused.stderr
        assert [path.name for path in notes.parent.iterdir()] == ["README.md"]
        notes.rename(notes.with_name("report.html"))
        assert "mine/report.html: is not the demo's" in assay("contrasts", "demo", "-o", "mine", code=2).stderr
        assay("contrasts", "demo", "-o", "mine", "--force")

    def test_a_file_of_contrasts(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        (tmp_path / "mine.yaml").write_text(CONTRASTS, "utf-8")
        assert (
            "gerund-finite" in cached("run", "mine.yaml", "--as-published", *FILES, *TOOLS, "--policy", "strict").stdout
        )

    def test_a_subset_beside_all(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        cached("find", "en-cs", "gerund", "demo/source.conllu", "--limit", "5", "-o", "refined")
        printed = cached("run", "en-cs", "--as-published", *FILES, *TOOLS, "--subset", "refined=refined").stdout
        assert "refined ──" in printed


class TestShow:
    def test_terminal_picture_and_page(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        shown = cached("show", "en-cs", "1", *FILES, *TOOLS, "--system", "literal").stdout
        assert "├─┬─reading ◀" in shown
        assert "bad (fail)" in shown
        cached("show", "en-cs", "1", *FILES, *TOOLS, "-o", "pair.svg")
        cached("show", "en-cs", "1", *FILES, *TOOLS, "-o", "pair.html")
        assert (tmp_path / "pair.svg").read_text("utf-8").startswith("<svg")
        assert "<svg" in (tmp_path / "pair.html").read_text("utf-8")

    def test_a_word_that_is_no_keyword_names_those_that_are(self, cached: Run, demo: Path) -> None:
        shown = cached("show", "en-cs", "1:1", *FILES, *TOOLS).stdout
        assert "word 1 “Anna” is no keyword; those of the sentence are: 1:6 reading" in shown
        assert "there is no word 99" in cached("show", "en-cs", "1:99", *FILES, *TOOLS, code=2).stderr

    def test_a_pattern_from_standard_input(self, cached: Run, demo: Path) -> None:
        pattern = "any:\n- - RIGHT_ID: kw\n    RIGHT_ATTRS: {TAG: VBG}\n"
        tool = TOOLS[:2]
        shown = cached("show", "en-cs", "Thank you for coming.", *tool, "--pattern", "-", stdin=pattern).stdout
        assert "the pattern fits: kw = 4 coming" in shown


class TestLists:
    def test_contrasts_and_what_they_test(self, assay: Run) -> None:
        assert "control-subjunctive  The infinitive becomes a clause with aby" in assay("contrasts", "list").stdout

    def test_models_with_their_licences(self, assay: Run) -> None:
        printed = assay("contrasts", "models", "--language", "cs").stdout
        assert "CC BY-NC-SA" in printed
        assert "german" not in printed
        assert "no model 'czech'" in assay("contrasts", "models", "--fetch", "czech", code=2).stderr


BROKEN = {
    "columns": (("VERB\tVBD\t", "VERB\t"), "source.conllu:4: sentence 1 (source-1): 9 columns, not 10"),
    "cycle": (("5\tcase", "3\tcase"), "source.conllu:5: sentence 1 (source-1): the heads of 'by' lead back to it"),
    "head": (("5\tcase", "99\tcase"), "the head of 'by' is 99, which is not there"),
    "no head": (("5\tcase", "_\tcase"), "the word 'by' has no head"),
}


class TestBadInput:
    """One line that names the place, exit code 2, nothing written."""

    def refused(self, cached: Run, tmp_path: Path, *arguments: str, message: str) -> None:
        before = sorted(tmp_path.iterdir())
        done = cached("run", "en-cs", "--as-published", *arguments, "-o", "report.md", code=2)
        assert message in done.stderr
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""
        assert [path for path in sorted(tmp_path.iterdir()) if path.name != "cache"] == before

    @pytest.mark.parametrize("kind", BROKEN)
    def test_broken_trees(self, cached: Run, demo: Path, tmp_path: Path, kind: str) -> None:
        (old, new), message = BROKEN[kind]
        path = demo / "source.conllu"
        path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
        self.refused(cached, tmp_path, *FILES, *TOOLS, message=message)

    def test_links_that_do_not_fit_the_tokens(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        path = demo / "average.links"
        lines = path.read_text("utf-8").split("\n")
        path.write_text("\n".join(["0-0 1-99", *lines[1:]]), "utf-8")
        message = "average.links:1: the link 1-99 is out of range: the target has 9 tokens"
        self.refused(cached, tmp_path, *FILES, *TOOLS, message=message)

    def test_links_of_another_file(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        path = demo / "average.links"
        path.write_text(path.read_text("utf-8") + "0-0\n", "utf-8")
        self.refused(cached, tmp_path, *FILES, *TOOLS, message="31 lines of links for 30 sentence pairs")

    def test_a_model_for_another_language(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        from tests.contrasts.tiny_model import train

        train(demo / "german-gsd.udpipe")
        tools = (*TOOLS[:2], "--target-parser", "udpipe:demo/german-gsd.udpipe", *TOOLS[4:])
        self.refused(cached, tmp_path, *FILES, *tools, message="is for the language de, but the text is in cs")
        self.refused(
            cached, tmp_path, *FILES, *tools, "--force", message="use this one all the same with --any-language"
        )

    def test_a_missing_extra_names_its_command(self, cached: Run, demo: Path, tmp_path: Path) -> None:
        from importlib.util import find_spec

        if find_spec("natasha") is not None:
            pytest.skip("natasha is installed")
        tools = ("--source-parser", "natasha", *TOOLS[2:])
        self.refused(cached, tmp_path, *FILES, *tools, message="pip install 'assay-mt[natasha]'")

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("TAG: VBG", "TAGG: VBG", "mine.yaml:5: unknown key 'TAGG'; did you mean 'TAG'?"),
            ("{TAG: VBG}}", "{TAG: VBG}}, {RIGHT_ID: far}", "mine.yaml:5: the node 'far' is not connected"),
            ("good: [finite]", "good: [finit]", "unknown class 'finit'; did you mean 'finite'?"),
        ],
    )
    def test_a_slip_in_the_contrasts(
        self, cached: Run, demo: Path, tmp_path: Path, old: str, new: str, message: str
    ) -> None:
        (tmp_path / "mine.yaml").write_text(CONTRASTS.replace(old, new), "utf-8")
        done = cached("run", "mine.yaml", "--as-published", *FILES, *TOOLS, "-o", "report.md", code=2)
        assert message in done.stderr
        assert not (tmp_path / "report.md").exists()

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--subset", "refined"), "is not NAME=FILE"),
            (("--subset", "all=demo/source.txt"), "choose another name"),
            (("--verdicts", "v.csv"), "verdicts are written as .tsv, .jsonl"),
            (("--format", "xlsx"), "a workbook needs a file"),
            (("--export", "demo/source.txt"), "is read in this run"),
            (("--figures", "demo/free.txt"), "a file stands where a folder is to be written"),
            (("--format", "html", "-o", "demo"), "a folder stands where a file is to be written"),
            (("--learn", "priors"), "pharaoh learns nothing that could be written"),
        ],
    )
    def test_options(self, cached: Run, demo: Path, arguments: tuple[str, ...], message: str) -> None:
        assert message in cached("run", "en-cs", "--as-published", *FILES, *TOOLS, *arguments, code=2).stderr

    def test_nothing_to_run(self, cached: Run, demo: Path) -> None:
        assert (
            "no outputs given"
            in cached("run", "en-cs", "--as-published", "--source", "demo/source.txt", *TOOLS, code=2).stderr
        )
