"""Use case: the whole appendix of a paper from one command.

A folder with every table (Markdown, LaTeX, CSV), every figure (SVG, PNG, PDF), an interactive page, a spreadsheet, the
verdicts, a METHODS paragraph with the signature, and an index page. Several campaigns get a folder each, and the
tables that compare them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Unpack

from assay.errors import BadOption, UnknownName
from assay.evaluation import Choices, Evaluation, evaluate
from assay.evaluation.groups import Scores, groups
from assay.evaluation.items import analyse_suite
from assay.evaluation.years import YearCell, Years, over_years
from assay.files import writing, writing_folder
from assay.outputs import Inputs, Outputs
from assay.parallel import ALONE, Executor, Workers
from assay.progress import Announce
from assay.reports import data, html, index, latex, render_table
from assay.reports import years as years_report
from assay.reports.analysis import examples_table, groups_table, items_table, standings_table, wins_table
from assay.reports.figures.curves import phenomenon_series, sorted_phenomena
from assay.reports.figures.dots import dot_plot
from assay.reports.figures.figure import Figure, provenance, write_figures
from assay.reports.figures.heat import heat_map
from assay.reports.figures.scatter import ItemPoint, difficulty
from assay.reports.figures.years import SlopePoint, slopes
from assay.reports.formats import taking
from assay.reports.methods import methods
from assay.reports.table import Table, accuracy_table
from assay.suites import Suite
from assay.text import slug
from assay.verdicts import leave_out, select
from assay.verdicts.files import write_verdicts

SHOWN_ITEMS = 50
"""Items in the table of the appendix; items.csv has them all."""


@dataclass(frozen=True, slots=True)
class AppendixOptions:
    """What the report should hold beyond what it always holds."""

    scores: Scores | None = None
    examples: Sequence[str] = ()
    figures: bool = True


@dataclass(frozen=True, slots=True)
class _Given:
    """What is evaluated, how, and by whom."""

    suite: Suite
    outputs: Outputs
    choices: Choices
    executor: Executor


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
    **choices: Unpack[Choices],
) -> list[str]:
    """Write the report folder; returns the names of its files. `workers` judge the outputs and make draws."""
    suite, outputs = inputs.load()
    chosen = leave_out(select(outputs, systems or None), exclude)
    if not chosen.systems:
        raise BadOption("all systems are excluded")
    campaigns = list(dict.fromkeys(system.campaign for system in chosen.systems))
    tell = step or (lambda name: None)
    with writing_folder(folder, force=force) as target, workers.open() as executor:
        given = _Given(suite, chosen, choices, executor)
        if len(campaigns) == 1:
            _campaign(given, target, wanted, tell)
        else:
            _campaigns(given, campaigns, target, wanted, tell)
        return sorted(str(path.relative_to(target)) for path in target.rglob("*") if path.is_file())


def _campaigns(given: _Given, campaigns: list[str], target: Path, wanted: AppendixOptions, tell: Announce) -> None:
    """A folder for each campaign, and what compares them."""
    suite, outputs = given.suite, given.outputs
    folders = {campaign: slug(campaign) for campaign in campaigns}
    if len(set(folders.values())) < len(folders) or "years" in folders.values():
        raise BadOption(f"the campaigns {', '.join(campaigns)} need names that make different folder names")
    found = over_years(suite, outputs, executor=given.executor, **given.choices)
    for campaign, name in folders.items():
        columns = [number for number, system in enumerate(outputs.systems) if system.campaign == campaign]
        (target / name).mkdir()
        mine = replace(wanted, scores=_scores_of(wanted.scores, outputs, columns))
        _campaign(replace(given, outputs=outputs.select(columns)), target / name, mine, tell)
    tables = {
        "years": years_report.years_table(found),
        "years-phenomena": years_report.years_table(found, "both"),
        **{
            f"difference-{slug(first)}-{slug(second)}": years_report.difference_table(found, first, second)
            for first, second in pairwise(campaigns)
            if found.pairs(first, second)
        },
    }
    entries = tuple(_write_tables(tables, target, tell))
    drawn = list(_year_figures(found)) if wanted.figures else []
    write_figures(drawn, target / "figures", step=tell)
    (target / "years.json").write_text(data.result_json(found, "both"), encoding="utf-8")
    sections = [
        index.IndexSection(
            "Campaigns",
            tuple(index.IndexEntry(campaign, (f"{name}/index.html",)) for campaign, name in folders.items()),
        ),
        index.IndexSection("Over the years", (*entries, index.IndexEntry("data", ("years.json",)))),
        index.IndexSection("Figures", pictures=_pictures(drawn)),
    ]
    lead = f"{suite.langpair}, {len(suite):,} items. Signature: {found.signature}"
    (target / "index.html").write_text(
        index.render(f"{suite.name}: {', '.join(campaigns)}", lead, sections), encoding="utf-8"
    )


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


def _campaign(given: _Given, target: Path, wanted: AppendixOptions, tell: Announce) -> None:
    """The report of one campaign."""
    evaluation = evaluate(given.suite, given.outputs, executor=given.executor, **given.choices)
    tell("tables")
    tables = dict(_tables(evaluation, wanted))
    entries = tuple(_write_tables(tables, target, tell))
    drawn = list(_figures(evaluation)) if wanted.figures else []
    write_figures(drawn, target / "figures", step=tell)
    tell("page")
    svgs = {figure.title: (target / "figures" / f"{figure.name}.svg").read_text("utf-8") for figure in drawn}
    extras = [table for name, table in tables.items() if name not in ("categories", "phenomena", "items")]
    (target / "report.html").write_text(html.render_html(evaluation, figures=svgs, extras=extras), encoding="utf-8")
    (target / "results.json").write_text(data.render_json(evaluation), encoding="utf-8")
    (target / "results.csv").write_text(data.render_csv(evaluation), encoding="utf-8")
    tell("spreadsheet")
    from assay.reports import xlsx

    (target / "results.xlsx").write_bytes(
        xlsx.render(evaluation, [replace(table, title=name) for name, table in tables.items()])
    )
    with writing(target / "verdicts.tsv") as stream:
        write_verdicts(evaluation.table, stream, jsonl=False)
    every = items_table(analyse_suite(evaluation), evaluation.suite)
    (target / "items.csv").write_text(data.table_csv(every), encoding="utf-8")
    (target / "METHODS.md").write_text(methods(evaluation), encoding="utf-8")
    appendix = latex.render_many(list(tables.values()), f"{given.suite.name}: appendix")
    (target / "appendix.tex").write_text(appendix, encoding="utf-8")
    _write_index(evaluation, target, entries, _pictures(drawn))


def _write_index(
    evaluation: Evaluation,
    target: Path,
    entries: tuple[index.IndexEntry, ...],
    pictures: tuple[tuple[str, str], ...],
) -> None:
    sections = [
        index.IndexSection(
            "Read",
            (
                index.IndexEntry("interactive page with every item and output", ("report.html",)),
                index.IndexEntry("paragraph for the methods section", ("METHODS.md",)),
                index.IndexEntry("all tables as a LaTeX document", ("appendix.tex",)),
                index.IndexEntry("data", ("results.json", "results.csv", "results.xlsx", "verdicts.tsv", "items.csv")),
            ),
        ),
        index.IndexSection("Tables", entries),
        index.IndexSection("Figures", pictures=pictures),
    ]
    suite = evaluation.suite
    campaigns = {system.campaign for system in evaluation.systems} - {""}
    title = f"{suite.name}" + (f": {', '.join(sorted(campaigns))}" if campaigns else "")
    lead = (
        f"{suite.langpair}, {len(evaluation.systems)} systems, {evaluation.items_counted:,} of {len(suite):,} items "
        f"count. Signature: {evaluation.signature}"
    )
    (target / "index.html").write_text(index.render(title, lead, sections), encoding="utf-8")


def _tables(evaluation: Evaluation, wanted: AppendixOptions) -> Iterator[tuple[str, Table]]:
    """Name -> table, everything that the appendix holds."""
    yield "categories", accuracy_table(evaluation, "category", wanted.scores)
    yield "phenomena", accuracy_table(evaluation, "both", wanted.scores)
    yield "categories-won", wins_table(evaluation)
    yield "undecided", standings_table(evaluation)
    yield "items", items_table(analyse_suite(evaluation), evaluation.suite, SHOWN_ITEMS)
    if groups(evaluation):
        yield "groups", groups_table(evaluation)
    yield "examples", examples_table(evaluation, wanted.examples or _hardest(evaluation))


def _hardest(evaluation: Evaluation, number: int = 3) -> list[str]:
    """The phenomena with the lowest mean accuracy."""
    rows = [row for row in evaluation.rows("phenomenon") if row.phenomenon and row.average is not None]
    return [row.phenomenon or "" for row in sorted(rows, key=lambda row: row.average or 0)[:number]]


def _write_tables(tables: dict[str, Table], target: Path, tell: Announce) -> Iterator[index.IndexEntry]:
    (target / "tables").mkdir(exist_ok=True)
    for name, table in tables.items():
        tell(name)
        files = []
        for kind in taking("table"):
            if kind.is_screen:
                continue
            labelled = kind.name == "latex"
            text = latex.render(table, label=f"tab:assay-{name}") if labelled else render_table(table, kind.name)
            files.append(f"tables/{name}{kind.suffix}")
            (target / files[-1]).write_text(text, encoding="utf-8")
        yield index.IndexEntry(name.replace("-", " "), tuple(files))


def _figures(evaluation: Evaluation) -> Iterator[Figure]:
    yield heat_map(evaluation)
    yield dot_plot(evaluation)
    yield sorted_phenomena(phenomenon_series(evaluation), provenance=provenance(evaluation))
    points = [
        ItemPoint(entry.item.id, entry.item.category, entry.difficulty, entry.discrimination)
        for entry in analyse_suite(evaluation).items
    ]
    yield difficulty(points, provenance=provenance(evaluation))


def _year_figures(years: Years) -> Iterator[Figure]:
    row = next(row for row in years.rows() if row.level == "category_macro")
    own = len(years.columns) - len(years.campaigns)

    def point(cell: YearCell, name: str) -> Iterator[SlopePoint]:
        if cell.accuracy is not None:
            yield SlopePoint(name, years.campaigns.index(cell.system.campaign), cell.accuracy, cell.low, cell.high)

    points = [made for cell in row.cells[:own] for made in point(cell, cell.system.name)]
    best = [made for cell in row.cells[own:] for made in point(cell, "best")]
    yield slopes(points, best=best, campaigns=years.campaigns, provenance=provenance(years.evaluation))


def _pictures(figures: Sequence[Figure]) -> tuple[tuple[str, str], ...]:
    """What the index shows of the figures."""
    return tuple((f"figures/{figure.name}.svg", f"{figure.title}. {figure.caption}") for figure in figures)
