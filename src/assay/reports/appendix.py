"""Use case: the whole appendix of a paper from one command.

A folder with every table (Markdown, LaTeX, CSV), every figure (SVG, PNG, PDF), an interactive page, a spreadsheet, the
verdicts, a METHODS paragraph with the signature, and an index page. Several campaigns get a folder each, and the
tables that compare them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Unpack

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation, evaluate, find_draw
from assay.evaluation.answer import ResultAnswer, answer_of
from assay.evaluation.groups import Scores, groups
from assay.evaluation.items import SuiteAnalysis, analyse_suite
from assay.evaluation.years import YearCell, Years, over_years
from assay.files import writing, writing_folder
from assay.outputs import Inputs, Outputs
from assay.parallel import ALONE, Executor, Workers
from assay.progress import Announce
from assay.reports import data, html, latex, render_table
from assay.reports import years as years_report
from assay.reports.analysis import groups_table, items_table, standings_table, wins_table
from assay.reports.examples import examples_table
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.dots import dot_plot
from assay.reports.figures.figure import Figure, provenance, write_figures
from assay.reports.figures.heat import heat_map
from assay.reports.figures.scatter import ItemPoint, difficulty
from assay.reports.figures.shares import label_bars
from assay.reports.figures.years import SlopePoint, slopes
from assay.reports.formats import taking
from assay.reports.html_templates import fill
from assay.reports.labels import labels_table
from assay.reports.methods import methods
from assay.reports.table import PaperName, Table, accuracy_table, campaigns_of
from assay.suites import Suite
from assay.text import slug
from assay.verdicts import leave_out, select
from assay.verdicts.draw import Draw
from assay.verdicts.files import write_verdicts

SHOWN_ITEMS = 50
"""Items in the table of the appendix; items.csv has them all."""


@dataclass(frozen=True, slots=True)
class AppendixOptions:
    """What the report should hold beyond what it always holds."""

    scores: Scores | None = None
    examples: Sequence[str] = ()
    figures: bool = True


def write_appendix(
    inputs: Inputs,
    folder: Path,
    wanted: AppendixOptions,
    *,
    systems: Sequence[str] = (),
    exclude: Sequence[str] = (),
    force: bool = False,
    workers: Workers = ALONE,
    step: Announce | None = None,
    draw: Path | None = None,
    **choices: Unpack[Choices],
) -> list[str]:
    """Write the report folder; returns the names of its files. `workers` judge the outputs and make draws.

    `draw` is the file of the draw for policy estimate, by default that of the suite.
    """
    drawn = find_draw(inputs, draw, choices.get("policy", "fair"))
    suite, outputs = inputs.load()
    chosen = leave_out(select(outputs, systems or None), exclude)
    if not chosen.systems:
        raise BadOption("all systems are excluded")
    campaigns = list(dict.fromkeys(system.campaign for system in chosen.systems))
    with writing_folder(folder, force=force) as target, workers.open() as executor:
        appendix = _Appendix(suite, chosen, choices, executor, wanted, target, step or (lambda name: None), drawn)
        if len(campaigns) == 1:
            appendix.write_campaign()
        else:
            appendix.write_campaigns(campaigns)
        return sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())


@dataclass(frozen=True)
class _Appendix:
    """A report that is being written: what is evaluated, how and by whom, and where it goes."""

    suite: Suite
    outputs: Outputs
    choices: Choices
    executor: Executor
    wanted: AppendixOptions
    folder: Path
    tell: Announce
    draw: Draw | None

    def write_campaigns(self, campaigns: list[str]) -> None:
        """A folder for each campaign, and what compares them."""
        suite, outputs = self.suite, self.outputs
        folders = {campaign: slug(campaign) for campaign in campaigns}
        if len(set(folders.values())) < len(folders) or "years" in folders.values():
            raise BadOption(f"the campaigns {', '.join(campaigns)} need names that make different folder names")
        found = over_years(suite, outputs, executor=self.executor, draw=self.draw, **self.choices)
        sections: dict[str, Sequence[Table]] = {}
        for campaign, name in folders.items():
            columns = [number for number, system in enumerate(outputs.systems) if system.campaign == campaign]
            (self.folder / name).mkdir()
            mine = replace(self.wanted, scores=_scores_of(self.wanted.scores, outputs, columns))
            part = replace(self, outputs=outputs.select(columns), folder=self.folder / name, wanted=mine)
            sections[campaign] = part.write_campaign()
        tables = {
            "years": years_report.years_table(found),
            "years-phenomena": years_report.years_table(found, "both"),
            **{
                f"difference-{slug(first)}-{slug(second)}": years_report.difference_table(found, first, second)
                for first, second in pairwise(campaigns)
                if found.pairs(first, second)
            },
        }
        written = self._write_tables(tables)
        drawn = self._draw(_year_figures(found))
        self._write("years.json", data.result_json(found, "both"))
        sections["Over the years"] = list(tables.values())
        self._write("appendix.tex", latex.render_sections(sections, self._title(campaigns)))
        links = {
            "Read": {"all tables of all campaigns as a LaTeX document": ["appendix.tex"]},
            "Campaigns": {campaign: [f"{name}/index.html"] for campaign, name in folders.items()},
            "Over the years": {**written, "data": ["years.json"]},
        }
        lead = f"{suite.langpair}, {len(suite):,} items. Signature: {found.signature}"
        self._write_index(f"{suite.name}: {', '.join(campaigns)}", lead, links, drawn)

    def _title(self, campaigns: Sequence[str]) -> str:
        """The heading of a LaTeX document."""
        return PaperName.of("", "Appendix", self.suite, campaigns).caption

    def write_campaign(self) -> Sequence[Table]:
        """The report of one campaign; returns its tables as a paper has them."""
        evaluation = evaluate(self.suite, self.outputs, executor=self.executor, draw=self.draw, **self.choices)
        analysis = analyse_suite(evaluation)
        self.tell("tables")
        tables = dict(_tables(evaluation, analysis, self.wanted))
        written = self._write_tables(tables)
        drawn = self._draw(_figures(evaluation, analysis))
        self.tell("page")
        svgs = {figure.title: (self.folder / "figures" / f"{figure.name}.svg").read_text("utf-8") for figure in drawn}
        extras = [table for name, table in tables.items() if name not in ("categories", "phenomena", "items")]
        self._write("report.html", html.render_html(evaluation, figures=svgs, extras=extras))
        self._write("results.json", data.render_json(evaluation))
        self._write("results.csv", data.render_csv(evaluation))
        self.tell("spreadsheet")
        from assay.reports import xlsx

        titled = [replace(table, title=name) for name, table in tables.items()]
        (self.folder / "results.xlsx").write_bytes(xlsx.render(evaluation, titled))
        with writing(self.folder / "verdicts.tsv") as stream:
            write_verdicts(evaluation.table, stream, jsonl=False)
        self._write("items.csv", data.table_csv(items_table(analysis, evaluation)))
        self._write("METHODS.md", methods(evaluation))
        printed = [_in_print(name, table) for name, table in tables.items()]
        self._write("appendix.tex", latex.render_many(printed, self._title(campaigns_of(evaluation))))
        sections = {
            "Read": {
                "interactive page with every item and output": ["report.html"],
                "paragraph for the methods section": ["METHODS.md"],
                "all tables as a LaTeX document": ["appendix.tex"],
                "data": ["results.json", "results.csv", "results.xlsx", "verdicts.tsv", "items.csv"],
            },
            "Tables": written,
        }
        campaigns = {system.campaign for system in evaluation.systems} - {""}
        title = f"{self.suite.name}" + (f": {', '.join(sorted(campaigns))}" if campaigns else "")
        lead = (
            f"{self.suite.langpair}, {len(evaluation.systems)} systems, {evaluation.items_counted:,} of "
            f"{len(self.suite):,} items count. Signature: {evaluation.signature}"
        )
        self._write_index(title, lead, sections, drawn, answer_of(evaluation, with_examples=False))
        return printed

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def _write_tables(self, tables: Mapping[str, Table]) -> dict[str, list[str]]:
        """What each table is called -> its files."""
        (self.folder / "tables").mkdir(exist_ok=True)
        written: dict[str, list[str]] = {}
        for name, table in tables.items():
            self.tell(name)
            files = written[name.replace("-", " ")] = []
            for kind in taking("table"):
                if kind.is_screen:
                    continue
                text = render_table(table, kind.name)
                files.append(f"tables/{name}{kind.suffix}")
                self._write(files[-1], text)
        return written

    def _draw(self, figures: Iterator[Figure]) -> list[Figure]:
        """The figures, drawn in every format, if they are wanted."""
        drawn = list(figures) if self.wanted.figures else []
        write_figures(drawn, self.folder / "figures", step=self.tell)
        return drawn

    def _write_index(
        self,
        title: str,
        lead: str,
        sections: Mapping[str, object],
        drawn: Sequence[Figure],
        answer: ResultAnswer | None = None,
    ) -> None:
        """The page with the answer, links to everything (heading -> what it is -> its files), and the figures."""
        pictures = [(f"figures/{figure.name}.svg", f"{figure.title}. {figure.caption}") for figure in drawn]
        page = fill(
            "reports/index.html",
            title=title,
            lead=lead,
            answer=answer,
            sections=sections,
            pictures=pictures,
            short=_short,
        )
        self._write("index.html", page)


def _short(file: str) -> str:
    """`md` for a table in several formats, the whole name for a single file."""
    name = file.rpartition("/")[2]
    return name.rpartition(".")[2] if "/" in file else name


def _scores_of(scores: Scores | None, outputs: Outputs, columns: Sequence[int]) -> Scores | None:
    """The scores of a campaign's own systems; every system that has a score must be in some campaign."""
    if not scores:
        return None
    known = {system.name for system in outputs.systems}
    for values in scores.values():
        for name in values:
            if name not in known:
                raise UnknownName("system", name, known)
    mine = {outputs.systems[column].name for column in columns}
    chosen = {
        score: {name: value for name, value in values.items() if name in mine} for score, values in scores.items()
    }
    return {score: values for score, values in chosen.items() if values} or None


def _tables(evaluation: Evaluation, analysis: SuiteAnalysis, wanted: AppendixOptions) -> Iterator[tuple[str, Table]]:
    """Name -> table, everything that the appendix holds."""
    yield "categories", accuracy_table(evaluation, "category", wanted.scores)
    yield "phenomena", accuracy_table(evaluation, "both", wanted.scores)
    yield "categories-won", wins_table(evaluation)
    yield "undecided", standings_table(evaluation)
    yield "items", items_table(analysis, evaluation, SHOWN_ITEMS)
    if groups(evaluation):
        yield "groups", groups_table(evaluation)
    if evaluation.labels:
        yield "labels", labels_table(evaluation)
    yield "examples", examples_table(evaluation, wanted.examples or _hardest(evaluation))


def _in_print(name: str, table: Table) -> Table:
    """The table without what would fill pages: of phenomena with few items nearly all systems lead."""
    if name != "undecided":
        return table
    return replace(table, rows=tuple(row for row in table.rows if row.kind != "phenomenon"))


def _hardest(evaluation: Evaluation, number: int = 3) -> list[str]:
    """The phenomena with the lowest mean accuracy."""
    rows = [row for row in evaluation.rows("phenomenon") if row.phenomenon and row.average is not None]
    return [row.phenomenon or "" for row in sorted(rows, key=lambda row: row.average or 0)[:number]]


def _figures(evaluation: Evaluation, analysis: SuiteAnalysis) -> Iterator[Figure]:
    yield heat_map(evaluation)
    yield dot_plot(evaluation)
    yield sorted_phenomena(phenomenon_series(evaluation), provenance=provenance(evaluation))
    points = [
        ItemPoint(entry.item.id, entry.item.category, entry.difficulty, entry.discrimination)
        for entry in analysis.items
    ]
    yield difficulty(points, provenance=provenance(evaluation))
    if evaluation.labels:
        yield label_bars(evaluation)


def _year_figures(years: Years) -> Iterator[Figure]:
    row = next(row for row in years.rows() if row.level == "category_macro")

    def point(cell: YearCell, name: str) -> Iterator[SlopePoint]:
        if cell.accuracy is not None:
            yield SlopePoint(name, years.campaigns.index(cell.system.campaign), cell.accuracy, cell.low, cell.high)

    points = [made for cell in row.cells[: years.own] for made in point(cell, cell.system.name)]
    best = [made for cell in row.cells[years.own :] for made in point(cell, "best")]
    yield slopes(points, best=best, campaigns=years.campaigns, provenance=provenance(years.evaluation))
