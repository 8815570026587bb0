"""The registry of formats: what it says is so, and one entry is enough for a further format."""

import subprocess
import sys
from collections.abc import Callable
from types import ModuleType
from typing import get_args

import pytest
from click.testing import CliRunner

from assay.challenge import report as challenge_report
from assay.cli.app import app
from assay.contrasts import report as contrast_report
from assay.errors import BadOption
from assay.reports import render, render_table
from assay.reports import rule_age as ageing_report
from assay.reports.formats import FORMATS, ReportFormat, ResultKind, names, renderer, suffixes, taking
from assay.reports.table import Table, accuracy_table
from assay.translate.submission_page import render as render_submission
from assay.translate.submission_report import SubmissionReport
from tests.challenge.measured import FOUR, scored
from tests.contrasts.test_tables import run
from tests.evaluation.tables import SMALL, drawn
from tests.evaluation.test_rule_age import ageing

KINDS: tuple[ResultKind, ...] = get_args(ResultKind)

SUBMISSION = SubmissionReport("Online-A", "a.txt", "de-en", 3, 3)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_result_has_formats_with_suffixes_of_their_own(kind: ResultKind) -> None:
    assert len(suffixes(kind)) == len(names(kind)) > 0


@pytest.mark.parametrize("entry", FORMATS.values(), ids=list(FORMATS))
def test_what_an_entry_names_is_there(entry: ReportFormat) -> None:
    assert set(entry.takes) <= set(KINDS)
    assert entry.suffix.startswith(".")
    assert all(callable(renderer(home)) for home in (entry.table, entry.evaluation) if home)


MADE: dict[ResultKind, Callable[[str], str | bytes]] = {
    "evaluation": lambda name: render(drawn(SMALL), name),
    "scores": lambda name: render(drawn(SMALL), name, scores={"BLEU": {"A": 30.0, "B": 20.0}}),
    "table": lambda name: render_table(accuracy_table(drawn(SMALL)), name),
    "ageing": lambda name: ageing_report.render(ageing(), name),
    "challenge": lambda name: challenge_report.render(scored(FOUR), name),
    "contrasts": lambda name: contrast_report.render(run(), name),
    "submission": lambda name: render_submission(SUBMISSION, name),
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind in MADE for name in names(kind)])
def test_every_format_that_takes_a_result_is_made_from_it(kind: ResultKind, name: str) -> None:
    made = MADE[kind](name)
    assert made
    # A figure is bytes in every format.
    assert isinstance(made, bytes) == (FORMATS[name].is_binary or name in names("figure"))


def test_others_are_refused_with_those_there_are() -> None:
    with pytest.raises(BadOption, match="this table cannot be written as json; choose one of table, mark"):
        MADE["table"]("json")
    with pytest.raises(BadOption, match="scores cannot be written as csv; choose one of table, markdown, latex, json"):
        MADE["scores"]("csv")
    with pytest.raises(BadOption, match="a challenge report cannot be written as parquet; choose one of table, mark"):
        MADE["challenge"]("parquet")


@pytest.fixture
def wiki(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format that nobody else knows of: a module and an entry."""
    module = ModuleType("wiki_format")

    def render_wiki(table: Table) -> str:
        return f"== {table.title} ==\n"

    module.__dict__["render"] = render_wiki
    monkeypatch.setitem(sys.modules, "wiki_format", module)
    entry = ReportFormat("wiki", ".wiki", "text/x-wiki", "Wiki", FORMATS["latex"].takes, table="wiki_format:render")
    monkeypatch.setitem(FORMATS, "wiki", entry)


@pytest.mark.usefixtures("wiki")
class TestOneMoreFormat:
    @pytest.mark.parametrize("kind", ["evaluation", "scores", "table", "ageing", "challenge", "contrasts"])
    def test_is_there_for_all_that_is_shown_as_tables(self, kind: ResultKind) -> None:
        assert str(MADE[kind]("wiki")).startswith("== ")

    def test_is_found_by_its_suffix(self) -> None:
        assert suffixes("years")[".wiki"] == "wiki"


def test_the_choices_of_commands_are_those_of_the_registry() -> None:
    page = CliRunner().invoke(app, ["compare", "--help"]).output
    assert f"[{'|'.join(names('comparison'))}]" in page


def test_a_command_that_shows_another_result_on_request_has_its_formats_too() -> None:
    page = CliRunner().invoke(app, ["years", "--help"]).output
    assert f"[{'|'.join(dict.fromkeys((*names('years'), *names('ageing'))))}]" in page


def test_only_figures_and_parquet_need_more_than_what_is_always_installed() -> None:
    assert {entry.name for entry in FORMATS.values() if entry.needs} == {"parquet", *names("figure")}
    assert [entry.name for entry in taking("evaluation") if entry.is_screen] == ["table"]


@pytest.mark.parametrize(
    "command", [["evaluate", "--help"], ["evaluate", "de-en", "nothing.tsv"], ["report", "--help"]]
)
def test_what_makes_no_page_does_not_load_what_makes_pages(command: list[str]) -> None:
    code = (
        "import sys; from assay.cli import main; sys.argv[1:] = " + repr(command) + "\n"
        "try: main()\nexcept SystemExit: print('jinja2' in sys.modules, 'markupsafe' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "False False", done.stderr
