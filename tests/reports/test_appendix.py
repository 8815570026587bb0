"""The appendix: every file is there, the formats agree on the numbers, and a failure leaves nothing behind."""

import csv
import json
import re
from pathlib import Path

import pytest

from assay.errors import BadFile, BadOption, UnknownName
from assay.outputs import Inputs
from assay.reports.appendix import AppendixOptions, write_appendix
from assay.suites import bundled_outputs, load_suite
from tests.suites.building import listing, suite_folder

FILES = [str(path) for path in bundled_outputs("de-en")]
BUNDLED = Inputs("de-en", FILES)
NAMED = f"assay-de-en {load_suite('de-en').version}"
PLAIN = AppendixOptions(figures=False)

ALWAYS = {
    *("METHODS.md", "appendix.tex", "index.html", "report.html"),
    *("results.csv", "results.json", "results.xlsx", "verdicts.tsv"),
}
TABLES = ("categories", "phenomena", "categories-won", "undecided", "items", "examples")
FIGURES = ("heat-map", "dot-plot", "sorted-phenomena", "difficulty")

Rows = dict[str, list[str]]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of the three made-up systems, with scores."""
    folder = tmp_path_factory.mktemp("whole") / "report"
    scores = {"BLEU": {"average": 28.5, "careful": 33.25, "literal": 17.0}}
    write_appendix(BUNDLED, folder, AppendixOptions(scores=scores))
    return folder


def campaign(folder: Path, name: str, *outputs: str, more: str = "") -> str:
    """A campaign file with outputs NAME=FILE of the bundled ones."""
    listed = ", ".join(f"{entry.partition('=')[0]}={_bundled(entry.partition('=')[2])}" for entry in outputs)
    path = folder / f"{name}.yaml"
    path.write_text(f"campaign: {name}\noutputs: [{listed}]\n{more}", encoding="utf-8")
    return str(path)


def _bundled(stem: str) -> str:
    return next(path for path in FILES if Path(path).stem == stem)


def csv_rows(path: Path) -> Rows:
    with path.open(encoding="utf-8", newline="") as stream:
        return {cells[0]: cells[1:] for cells in csv.reader(stream)}


def markdown_rows(path: Path) -> Rows:
    lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.startswith("| ")]
    rows = [re.sub(r"[*†▲▼\\]|&nbsp;", "", line).strip("| ").split(" | ") for line in lines]
    return {label.strip(): [cell.strip() for cell in cells] for label, *cells in rows if label.strip("- :")}


def latex_rows(path: Path) -> Rows:
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"\\phantom\{.*?\{\}\}|\\textdagger\{\}|\\phantom\{[^{}]*\}", "", text)
    text = re.sub(r"\\textbf\{([^{}]*)\}", r"\1", text)
    rows = [line.partition(r" \\")[0].split(" & ") for line in text.split("\n") if re.search(r" \\\\\*?$", line)]
    return {label.strip(): [cell.strip().replace("--", "–") for cell in cells] for label, *cells in rows}


def printed(value: str, *, share: bool) -> str:
    """How a number of the CSV looks in print."""
    if value == "":
        return "–"
    return f"{100 * float(value):.1f}" if share else value


class TestFolder:
    def test_everything_is_there(self, report: Path) -> None:
        tables = {f"tables/{name}.{suffix}" for name in TABLES for suffix in ("md", "tex", "csv")}
        figures = {f"figures/{name}.{suffix}" for name in FIGURES for suffix in ("svg", "png", "pdf")}
        found = {name for name, content in listing(report).items() if content is not None}
        assert ALWAYS | tables | figures <= found
        assert all(content != b"" for content in listing(report).values())

    def test_the_files_written_are_returned(self, tmp_path: Path) -> None:
        written = write_appendix(BUNDLED, tmp_path / "report", PLAIN)
        assert set(written) == {name for name, content in listing(tmp_path / "report").items() if content is not None}

    def test_without_figures_there_are_none(self, tmp_path: Path) -> None:
        write_appendix(BUNDLED, tmp_path / "report", PLAIN)
        assert not (tmp_path / "report" / "figures").exists()
        assert "<img" not in (tmp_path / "report" / "index.html").read_text(encoding="utf-8")

    def test_the_index_opens_with_the_answer(self, report: Path) -> None:
        page = (report / "index.html").read_text(encoding="utf-8")
        assert "<strong>Missing outputs, of " in page
        assert page.index("Missing outputs, of ") < page.index(" leads; ") < page.index("<h2>Read</h2>")

    def test_every_link_of_the_index_leads_somewhere(self, report: Path) -> None:
        page = (report / "index.html").read_text(encoding="utf-8")
        links = re.findall(r'(?:href|src)="([^"]*)"', page)
        assert [link for link in links if not (report / link).is_file()] == []
        # And all files can be reached, but for figures in other formats than the one shown.
        files = {name for name, content in listing(report).items() if content is not None}
        assert {name for name in files if not name.endswith((".png", ".pdf"))} == {*links, "index.html"}

    def test_methods_names_the_signature_and_the_numbers(self, report: Path) -> None:
        text = (report / "METHODS.md").read_text(encoding="utf-8")
        results = json.loads((report / "results.json").read_text(encoding="utf-8"))
        assert text.endswith(f"\nSignature: `{results['signature']}`\n")
        assert f"We evaluated {len(results['columns'])} systems" in text
        assert f"{results['items']['counted']:,} items (" in text

    def test_the_latex_appendix_has_every_table(self, report: Path) -> None:
        text = (report / "appendix.tex").read_text(encoding="utf-8")
        assert text.startswith(r"\documentclass")
        assert len(re.findall(r"\\caption[{\[]", text)) == len(TABLES)

    def test_choices_reach_every_file(self, tmp_path: Path) -> None:
        folder = tmp_path / "report"
        write_appendix(BUNDLED, folder, PLAIN, exclude=["literal"], policy="strict", test="mcnemar", draws=100)
        assert set(json.loads((folder / "results.json").read_text(encoding="utf-8"))["columns"]) == {
            "average",
            "careful",
        }
        for name in ("METHODS.md", "index.html", "report.html", "tables/categories.md"):
            assert "policy:strict|test:mcnemar" in (folder / name).read_text(encoding="utf-8"), name
        for name in ("appendix.tex", "tables/categories.tex"):
            assert "policy strict" in (folder / name).read_text(encoding="utf-8"), name


class TestNumbers:
    @pytest.mark.parametrize("name", ["categories", "phenomena"])
    def test_markdown_and_csv_agree(self, report: Path, name: str) -> None:
        exact, shown = csv_rows(report / "tables" / f"{name}.csv"), markdown_rows(report / "tables" / f"{name}.md")
        header, *labels = exact
        assert shown[header] == exact[header] == ["items", "careful", "average", "literal", "mean", "ρ BLEU"]
        assert set(shown) == set(exact)
        for label in labels:
            if label != "BLEU":
                assert shown[label][0].replace(",", "") == exact[label][0]
                assert shown[label][1:5] == [printed(value, share=True) for value in exact[label][1:5]], label

    def test_latex_and_markdown_agree(self, report: Path) -> None:
        for name in ("categories", "categories-won"):
            shown, typeset = (
                markdown_rows(report / "tables" / f"{name}.md"),
                latex_rows(report / "tables" / f"{name}.tex"),
            )
            labels = {label.replace("&", r"\&"): label for label in shown}
            assert set(labels) <= set(typeset)
            for escaped, label in labels.items():
                # Dashes are not set alike.
                numbers = [cell for cell in shown[label] if re.fullmatch(r"[\d.,]+", cell)]
                assert [cell for cell in typeset[escaped] if re.fullmatch(r"[\d.,]+", cell)] == numbers, label

    def test_tables_and_json_agree(self, report: Path) -> None:
        exact = csv_rows(report / "tables" / "categories.csv")
        results = json.loads((report / "results.json").read_text(encoding="utf-8"))
        rows = {row["category"]: row for row in results["rows"] if row["level"] == "category"}
        assert len(rows) == 16
        for category, row in rows.items():
            assert [float(value) for value in exact[category][1:4]] == [cell["accuracy"] for cell in row["cells"]]

    def test_outside_scores_stand_under_the_systems(self, report: Path) -> None:
        assert csv_rows(report / "tables" / "categories.csv")["BLEU"][1:4] == ["33.25", "28.5", "17.0"]
        # Three systems in the same order: ρ is 1, without an interval under four.
        assert markdown_rows(report / "tables" / "categories.md")["micro-average"][-1] == "1.00"

    def test_each_category_is_won_by_its_best(self, report: Path) -> None:
        results = json.loads((report / "results.json").read_text(encoding="utf-8"))
        rows = [row for row in results["rows"] if row["level"] == "category"]
        for label, values in csv_rows(report / "tables" / "categories-won.csv").items():
            if label != "system":
                mine = [(row, cell) for row in rows for cell in row["cells"] if cell["system"] == label]
                best = sum(cell["accuracy"] == max(one["accuracy"] for one in row["cells"]) for row, cell in mine)
                assert values == [str(best), str(sum(cell["first_cluster"] for _, cell in mine))]

    def test_a_text_with_a_bar_does_not_break_the_markdown(self, tmp_path: Path) -> None:
        items = "category: Negation\nphenomenon: Negation\nitems:\n  - {id: bar, source: Kein | Strich., pass: [bar]}\n"
        (tmp_path / "one.txt").write_text("a bar | or none\n", encoding="utf-8")
        suite = suite_folder(tmp_path / "garden", {"negation.yaml": items})
        write_appendix(Inputs(str(suite), [str(tmp_path / "one.txt")]), tmp_path / "report", PLAIN)
        for path in sorted((tmp_path / "report" / "tables").glob("*.md")):
            lines = [line for line in path.read_text(encoding="utf-8").split("\n") if line.startswith("|")]
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1, path.name


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaigns")
    first = campaign(folder, "W24", "Alpha=literal", "Beta=average", more="systems: {Alpha: {group: online}}\n")
    second = campaign(folder, "W25", "Alpha=average", "Gamma=careful")
    write_appendix(Inputs("de-en", [first, second]), folder / "report", AppendixOptions())
    return folder / "report"


class TestCampaigns:
    def test_each_has_a_folder_with_everything(self, campaigns: Path) -> None:
        for name in ("w24", "w25"):
            assert {path.name for path in (campaigns / name).iterdir()} >= ALWAYS
        assert (campaigns / "w24" / "tables" / "groups.md").is_file()
        assert not (campaigns / "w25" / "tables" / "groups.md").exists()  # it describes no systems

    def test_what_compares_them_stands_above(self, campaigns: Path) -> None:
        assert csv_rows(campaigns / "tables" / "years.csv")["category"] == [
            *("items", "Alpha W24", "Alpha W25", "best W24", "best W25"),
        ]
        data = json.loads((campaigns / "years.json").read_text(encoding="utf-8"))
        assert (data["campaigns"], data["best"], data["returning"]) == (
            ["W24", "W25"],
            {"W24": "Beta", "W25": "Gamma"},
            ["Alpha"],
        )
        for suffix in ("svg", "png", "pdf"):
            assert (campaigns / "figures" / f"slopes.{suffix}").stat().st_size

    def test_differences_are_those_of_the_accuracies(self, campaigns: Path) -> None:
        years = csv_rows(campaigns / "tables" / "years.csv")
        for label, values in csv_rows(campaigns / "tables" / "difference-w24-w25.csv").items():
            if label != "category":
                before, after = float(years[label][1]), float(years[label][2])
                assert [float(value) for value in values[1:]] == pytest.approx([after - before] * 2)

    def test_every_link_leads_somewhere(self, campaigns: Path) -> None:
        for page in campaigns.rglob("index.html"):
            links = re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8"))
            assert links
            assert [link for link in links if not (page.parent / link).is_file()] == []

    def test_scores_may_name_systems_of_any_campaign(self, tmp_path: Path) -> None:
        files = [campaign(tmp_path, "W24", "Alpha=literal", "Beta=average"), campaign(tmp_path, "W25", "Alpha=average")]
        scores = {"BLEU": {"Alpha": 20.0, "Beta": 25.0}}
        write_appendix(Inputs("de-en", files), tmp_path / "report", AppendixOptions(scores, figures=False))
        assert csv_rows(tmp_path / "report" / "w24" / "tables" / "categories.csv")["BLEU"][1:3] == ["25.0", "20.0"]

    def test_identical_systems_can_be_merged(self, tmp_path: Path) -> None:
        # Beta of W24 and Alpha of W25 have the same file.
        files = [campaign(tmp_path, "W24", "Alpha=literal", "Beta=average"), campaign(tmp_path, "W25", "Alpha=average")]
        write_appendix(Inputs("de-en", files), tmp_path / "report", PLAIN, merge_identical=True)
        assert (tmp_path / "report" / "tables" / "years.md").is_file()

    @pytest.mark.parametrize(("first", "second"), [("W 24", "w-24"), ("W24", "Years")])
    def test_names_that_make_the_same_folder_are_refused(self, tmp_path: Path, first: str, second: str) -> None:
        files = [campaign(tmp_path, first, "A=literal"), campaign(tmp_path, second, "A=average")]
        before = listing(tmp_path)
        with pytest.raises(BadOption, match="need names that make different folder names"):
            write_appendix(Inputs("de-en", files), tmp_path / "report", PLAIN)
        assert listing(tmp_path) == before


class TestPaper:
    """What goes into a paper says which campaign and direction it is about, and tells nobody what to do."""

    def test_one_document_has_all_campaigns_and_the_years(self, campaigns: Path) -> None:
        text = (campaigns / "appendix.tex").read_text("utf-8")
        headings = re.findall(r"\\(?:sub)?section\*\{([^{}]*)", text)
        assert headings[1:] == ["W24", "W25", "Over the years"]
        single = sum(len(captions(campaigns / name / "appendix.tex")) for name in ("w24", "w25"))
        assert len(captions(campaigns / "appendix.tex")) == single + 3  # years, years by phenomenon, the difference

    def test_captions_name_campaign_and_direction(self, campaigns: Path) -> None:
        for year in ("W24", "W25"):
            for caption in captions(campaigns / year.lower() / "appendix.tex"):
                assert f": {year} German\\textendash{{}}English, test suite assay-de-en" in caption
        assert captions(campaigns / "tables" / "years.tex") == [
            f"Accuracy in per cent by category: W24, W25 German\\textendash{{}}English, test suite {NAMED}"
        ]

    def test_no_two_tables_have_the_same_label(self, campaigns: Path) -> None:
        labels = re.findall(r"\\label\{(.*?)\}", (campaigns / "appendix.tex").read_text("utf-8"))
        assert len(labels) == len(set(labels)) == len(captions(campaigns / "appendix.tex"))
        assert {"tab:assay-w24-de-en-categories", "tab:assay-w25-de-en-categories"} <= set(labels)
        assert "tab:assay-w24-to-w25-de-en-difference" in labels

    def test_a_table_has_the_label_that_it_has_in_the_appendix(self, campaigns: Path) -> None:
        text = (campaigns / "w24" / "tables" / "phenomena.tex").read_text("utf-8")
        assert r"\label{tab:assay-w24-de-en-phenomena}" in text

    def test_without_a_campaign_the_direction_alone_is_named(self, report: Path) -> None:
        text = (report / "tables" / "categories.tex").read_text("utf-8")
        assert r"\label{tab:assay-de-en-categories}" in text
        assert captions(report / "tables" / "categories.tex") == [
            f"Accuracy in per cent by category: German\\textendash{{}}English, test suite {NAMED}"
        ]

    def test_notes_for_those_who_judge_stay_out_of_it(self, report: Path) -> None:
        markdown = (report / "tables" / "categories.md").read_text("utf-8")
        texts = [(report / name).read_text("utf-8") for name in ("appendix.tex", "tables/categories.tex")]
        for words in ("Bold or", "Judgements would free items"):
            assert words in markdown
            assert not any(words in text for text in texts)
        assert all("Bold: first cluster" in text and "Signature:" in text for text in texts)
        assert not any(re.search(r"assay (warnings|judge|explain|items)", text) for text in texts)

    def test_the_methods_name_the_campaign(self, campaigns: Path) -> None:
        assert " systems of W24 with the test suite" in (campaigns / "w24" / "METHODS.md").read_text("utf-8")


def captions(path: Path) -> list[str]:
    return re.findall(
        r"\\caption\{(.*)\}\\label",
        re.sub(r"\\caption\[.*\]\{\\normalfont\\normalsize ", r"\\caption{", path.read_text("utf-8")),
    )


class TestNothingIsLeft:
    @pytest.mark.parametrize(
        "wanted",
        [AppendixOptions(examples=["Rhyme"], figures=False), AppendixOptions({"BLEU": {"nobody": 1.0}}, figures=False)],
        ids=["unknown phenomenon", "unknown system"],
    )
    def test_of_a_report_that_cannot_be_made(self, tmp_path: Path, wanted: AppendixOptions) -> None:
        with pytest.raises(UnknownName):
            write_appendix(BUNDLED, tmp_path / "above" / "report", wanted)
        assert listing(tmp_path) == {}

    @pytest.mark.parametrize("stage", ["tables", "undecided", "page", "spreadsheet"])
    def test_of_a_report_that_is_interrupted(self, tmp_path: Path, stage: str) -> None:
        def interrupt(name: str) -> None:
            if name == stage:
                raise KeyboardInterrupt

        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "old.txt").write_text("old", encoding="utf-8")
        with pytest.raises(KeyboardInterrupt):
            write_appendix(BUNDLED, tmp_path / "report", PLAIN, force=True, step=interrupt)
        assert listing(tmp_path) == {"report": None, "report/old.txt": b"old"}

    def test_a_folder_that_is_not_empty_needs_force(self, tmp_path: Path) -> None:
        (tmp_path / "report").mkdir()
        (tmp_path / "report" / "old.txt").write_text("old", encoding="utf-8")
        with pytest.raises(BadFile, match=r"the folder is not empty; .*--force"):
            write_appendix(BUNDLED, tmp_path / "report", PLAIN)
        assert listing(tmp_path) == {"report": None, "report/old.txt": b"old"}
        write_appendix(BUNDLED, tmp_path / "report", PLAIN, force=True)
        assert not (tmp_path / "report" / "old.txt").exists()
        assert (tmp_path / "report" / "index.html").is_file()

    def test_an_empty_folder_does_not(self, tmp_path: Path) -> None:
        (tmp_path / "report").mkdir()
        write_appendix(BUNDLED, tmp_path / "report", PLAIN)
        assert (tmp_path / "report" / "index.html").is_file()

    def test_the_same_files_give_the_same_report(self, tmp_path: Path) -> None:
        for name in ("one", "two"):
            write_appendix(BUNDLED, tmp_path / name, PLAIN, test="bootstrap", draws=200)
        one, two = listing(tmp_path / "one"), listing(tmp_path / "two")
        assert {name for name in one if one[name] != two[name]} <= {"results.xlsx"}  # a spreadsheet is dated
