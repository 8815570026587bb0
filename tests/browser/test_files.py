"""Files in a real browser: previews of uploads, what is hidden, downloads, the first start."""

import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import assay
from assay.outputs import Collector, Outputs
from assay.suites import Suite, load_suite
from assay.workbench.files.export import export
from assay.workbench.results.results import ResultOptions, evaluate_snapshot
from tests.browser.conftest import Served, Visit
from tests.browser.workbench import NAME, SENSES, Workbench, senses
from tests.workbench.test_life_of_a_database import contents_of
from tests.workbench.uploads import RENDERINGS
from tests.workbench.work_tables import table_of

DECIDED = "Fair items of WMT23"


def garbage(folder: Path) -> Path:
    """A file with as many lines as the suite has items, which have nothing to do with them."""
    path = folder / "garbage.txt"
    path.write_text("".join(f"Quite another sentence, number {number}.\n" for number in range(len(SENSES))), "utf-8")
    return path


@pytest.fixture
def page(served: Served, visit: Visit) -> Page:
    bench = served(people={"eve": "admin", "vera": "viewer"})
    return visit(bench, "/files", user="eve")


def send(page: Page, file: Path, campaign: str = "WMT22") -> None:
    page.get_by_label("Output files").set_input_files(file)
    page.get_by_label("Campaign", exact=True).fill(campaign)
    page.get_by_role("button", name="Upload outputs").click()


# Uploads


def test_an_upload_is_shown_before_it_is_saved(served: Served, visit: Visit, tmp_path: Path) -> None:
    """Doubtful's twelve outputs of WMT22 are warnings, so no item is fair there; the garbage's are twelve more."""
    bench = served()
    page = visit(bench, "/files")
    send(page, garbage(tmp_path))
    report = page.locator("#report")
    expect(report.get_by_role("heading", name=f"Not saved yet: {NAME}")).to_be_visible()
    expect(report).to_contain_text("1 new system, 100.0 % warnings")
    expect(report).to_contain_text(f"Texts to judge: {2 * len(SENSES)} → {3 * len(SENSES)}")
    expect(report).to_contain_text("Looks like another suite, another language or another order of lines: garbage")
    assert len(bench.snapshot().systems) == 6
    page.keyboard.press("Tab")  # from the report, which has the focus
    while page.evaluate("document.activeElement.innerText") != "Cancel":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(report).to_contain_text("Cancelled. Nothing was saved, and the files are gone.")
    assert len(bench.snapshot().systems) == 6
    send(page, garbage(tmp_path))
    report.get_by_role("button", name="Save").click()
    expect(report).to_contain_text("1 system added")
    assert len(bench.snapshot().systems) == 7


def test_a_right_file_raises_no_doubt(served: Served, visit: Visit, tmp_path: Path) -> None:
    bench = served()
    (tmp_path / "good.txt").write_text("".join(f"The {line[2]} is old.\n" for line in SENSES), "utf-8")
    page = visit(bench, "/files")
    send(page, tmp_path / "good.txt", "WMT23")
    expect(page.locator("#report")).to_contain_text(f"{DECIDED}: {len(SENSES)} of {len(SENSES)}, a new campaign")
    expect(page.locator("#report")).not_to_contain_text("Looks like")


# Hidden


def test_a_system_is_hidden_brought_back_and_deleted(served: Served, visit: Visit) -> None:
    bench = served()
    page = visit(bench, "/files")
    page.get_by_role("button", name="Hide Doubtful (WMT22)").press("Enter")
    expect(page.locator("#turned")).to_contain_text("Doubtful (WMT22) of senses: hidden.")
    assert [stored.system.name for stored in bench.snapshot().systems if stored.system.campaign == "WMT22"] == ["Right"]
    assert evaluate_snapshot(bench.snapshot(), ResultOptions(("WMT22",))).averages()[0].items == len(SENSES)
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#turned")).to_contain_text("brought back.")
    assert len(bench.snapshot().systems) == 6
    page.get_by_role("button", name="Hide all systems of WMT22").click()
    hidden = page.locator("section").filter(has=page.get_by_role("heading", name="Hidden"))
    expect(hidden.get_by_role("row")).to_have_count(4)
    page.get_by_role("button", name="Bring back all systems of WMT22").click()
    expect(page.locator("#turned")).to_contain_text("WMT22 of senses: 2 systems brought back.")
    assert len(bench.snapshot().systems) == 6
    page.get_by_role("button", name="Hide all systems of WMT22").click()
    row = hidden.get_by_role("row").filter(has_text="Doubtful")
    row.get_by_text("delete for good").click()
    row.get_by_role("textbox").fill("doubtful")
    row.get_by_role("button", name="Delete Doubtful for good").click()
    expect(page.locator("#problem")).to_contain_text("type the name 'Doubtful' to delete it")
    row.get_by_role("textbox").fill("Doubtful")
    row.get_by_role("button", name="Delete Doubtful for good").click()
    expect(page.locator("#turned")).to_contain_text("deleted for good.")
    page.get_by_role("button", name="Bring back Right (WMT22)").click()
    expect(hidden).to_have_count(0)
    page.goto(bench.url + "/history?kind=hiding")
    expect(page.locator("tbody tr").first).to_contain_text("brought back")


def test_a_suite_is_hidden_and_comes_back(served: Served, visit: Visit) -> None:
    bench = served()
    page = visit(bench, "/files")
    page.get_by_role("button", name=f"Hide the suite {NAME}").click()
    expect(page.get_by_text("The database has no suite that is not hidden.")).to_be_visible()
    page.goto(bench.url + "/queue?suite=" + NAME)
    expect(page.get_by_text("the database has no suite yet")).to_be_visible()
    page.goto(bench.url + "/files")
    page.get_by_role("button", name=f"Bring back the suite {NAME}").click()
    expect(page.get_by_role("heading", name=f"Systems of {NAME}")).to_be_visible()
    assert len(bench.snapshot().systems) == 6


# Downloads


def test_everything_is_downloaded_as_the_command_writes_it(served: Served, visit: Visit, tmp_path: Path) -> None:
    bench = served()
    page = visit(bench, "/files")
    with page.expect_download() as started:
        page.get_by_role("link", name="Everything (.zip)").click()
    with zipfile.ZipFile(started.value.path()) as archive:
        archive.extractall(tmp_path)
    export(bench.store, NAME, tmp_path / "out")
    assert contents_of(tmp_path / NAME) == contents_of(tmp_path / "out")


@pytest.mark.parametrize(
    ("path", "link", "head"),
    [
        ("/effort", "people (TSV)", "by"),
        ("/effort", "warnings (TSV)", "campaign"),
        ("/agreement", "TSV", "first"),
        ("/history", "Download (TSV)", "created"),
    ],
)
def test_tables_are_downloaded(workbench: Workbench, visit: Visit, path: str, link: str, head: str) -> None:
    page = visit(workbench, path)
    with page.expect_download() as started:
        page.get_by_role("link", name=link).click()
    rows = table_of(Path(started.value.path()))
    assert rows[0][0] == head


# The first start


def nothing() -> tuple[Suite, Outputs]:
    suite = senses()[0]
    return suite, Collector(suite).outputs()


def test_a_bundled_suite_is_loaded_from_an_empty_start_page(served: Served, visit: Visit) -> None:
    bench = served(nothing())
    page = visit(bench, "/files")
    page.get_by_role("button", name=f"Hide the suite {NAME}").click()
    expect(page.get_by_text("The database has no suite that is not hidden.")).to_be_visible()
    page.goto(bench.url + "/")
    expect(page.get_by_role("heading", name="Suites that come with Assay")).to_be_visible()
    expect(page.get_by_role("button", name="Load assay-de-en with demo outputs")).to_be_visible()
    page.get_by_role("button", name="Load assay-en-cs alone").press("Enter")
    expect(page).to_have_url(re.compile(r"/items\?suite=assay-en-cs"), timeout=60_000)
    assert len(bench.snapshot("assay-en-cs").items) == len(load_suite("en-cs"))


def test_a_viewer_gets_no_links_to_what_they_may_not_do(served: Served, visit: Visit) -> None:
    bench = served(people={"vera": "viewer"})
    page = visit(bench, "/", user="vera")
    for path in ("/", "/results", "/agreement", "/effort", "/files", "/item/senses/schloss"):
        page.goto(bench.url + path)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.locator("a[href*='/queue']")).to_have_count(0)
    page.goto(bench.url + "/queue")
    expect(page.get_by_text("this needs the role annotator")).to_be_visible()
    expect(page.get_by_role("navigation", name="Pages").get_by_role("link", name="Results")).to_be_visible()


# From the results


def test_a_cell_leads_to_the_queue_and_to_the_texts_of_others(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/results/cell?campaign=WMT21&policy=own&column=Doubtful&category=False+friends")
    page.get_by_role("button", name="other systems").first.press("Enter")
    others = page.locator(".others").first
    expect(others.locator(".sentence")).to_have_count(3)
    expect(others).to_contain_text("Right (WMT21, WMT22)")
    page.get_by_role("link", name="Judge these warnings").press("Enter")
    expect(page).to_have_url(re.compile(r"/queue\?.*category=False\+friends.*system=Doubtful.*campaign=WMT21"))


def test_a_number_of_years_leads_to_its_items(workbench: Workbench, visit: Visit) -> None:
    page = visit(workbench, "/years?policy=strict")
    page.get_by_role("row").filter(has_text="False friends").get_by_role("link").first.press("Enter")
    expect(page.locator("#panel").get_by_role("heading", level=2)).to_contain_text("Right")
    expect(page.locator("#panel .item")).to_have_count(4)


# For others


def test_submissions_are_checked_and_a_set_is_built(workbench: Workbench, visit: Visit, tmp_path: Path) -> None:
    (tmp_path / "Short.txt").write_text("one line\n", "utf-8")
    page = visit(workbench, "/collect")
    page.get_by_label("Files of participants").set_input_files(tmp_path / "Short.txt")
    page.get_by_role("button", name="Check").press("Enter")
    expect(page.locator("#report")).to_contain_text(f"1 of {len(SENSES)} texts")
    (tmp_path / "renderings.tsv").write_text(RENDERINGS, "utf-8")
    page.goto(workbench.url + "/contrasts")
    page.get_by_label("Renderings").set_input_files(tmp_path / "renderings.tsv")
    page.get_by_role("button", name="Show the profile").press("Enter")
    expect(page.locator("#report")).to_contain_text("A chooses noun more often than the translator (refA)")
    page.goto(workbench.url + "/challenge")
    page.get_by_role("button", name="Build and download").press("Enter")
    expect(page.get_by_text("no item gives a challenge item")).to_be_visible()  # nobody has two right texts


def test_a_run_of_contrasts_by_keyboard(workbench: Workbench, visit: Visit) -> None:
    """Files apart, which a browser asks the system for."""
    sample = Path(assay.__file__).parent / "contrasts" / "bundled" / "sample"
    page = visit(workbench, "/contrasts")
    expect(page.locator("#annotations-hint")).to_contain_text("assay serve --contrasts-models FOLDER")
    page.get_by_label("Source", exact=True).set_input_files(sample / "source.txt")
    page.get_by_label("Translations", exact=True).set_input_files([sample / "free.txt", sample / "literal.txt"])
    page.get_by_label("Human translations").set_input_files(sample / "reference.txt")
    named = [sample / f"{name}.conllu" for name in ("source", "free", "literal", "reference")]
    links = [sample / f"{name}.links" for name in ("free", "literal", "reference")]
    page.get_by_label("Contrasts", exact=True).focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Source", exact=True)).to_be_focused()
    page.get_by_label("Trees and links").set_input_files([*named, *links])
    page.get_by_role("button", name="Make the profile").press("Enter")
    expect(page.locator("#run-progress, #run .told")).to_be_visible()
    expect(page.locator("#run .told")).to_be_focused(timeout=30_000)
    expect(page.locator("#run table").first).to_contain_text("literal")
    page.locator("#run summary", has_text="Examples").first.press("Enter")
    page.locator("#run summary", has_text="Trees of").first.press("Enter")
    picture = page.locator("#run details.trees img").first
    expect(picture).to_be_visible()
    page.wait_for_function("image => image.complete && image.naturalWidth > 100", arg=picture.element_handle())
    # It is there when the page is opened again.
    page.goto(workbench.url + "/contrasts")
    expect(page.locator("#run table").first).to_contain_text("literal")
