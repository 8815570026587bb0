"""Uploads: what is read, what is refused, and that nothing is written when something is wrong."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import ANY

import pytest

from assay.errors import AssayError, BadOption, NotAllowed, UnknownName
from assay.outputs.sources import write_sources
from assay.suites import save_suite
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.db.suites import list_suites
from assay.workbench.files.archives import Upload, UploadLimits
from assay.workbench.files.export import export
from assay.workbench.files.importer import Import
from assay.workbench.files.pending_uploads import PendingUploads
from assay.workbench.files.uploads import (
    UploadReport,
    preview,
    read_outputs,
    save_upload,
    show_upload,
    upload_outputs,
    upload_suite,
)
from assay.workbench.items.rule_edits import RuleEdit
from assay.workbench.people.roles import User
from assay.workbench.queue.judgements import AnnotatorAnswer
from assay.workbench.visit import Visit
from assay.workbench.work.effort import gains
from tests.starter import FOLDER, SUITE
from tests.workbench.uploads import upload, zipped
from tests.workbench.visits import Visits

NAME = SUITE.name


def suite_files() -> dict[str, bytes]:
    folder = FOLDER / "de-en"
    return {f"my-suite/{path.relative_to(folder)}": path.read_bytes() for path in sorted(folder.rglob("*.yaml"))}


def outputs(system: str) -> bytes:
    return (FOLDER / "outputs" / f"{system}.tsv").read_bytes()


class Bench:
    """A database, its admin, and the two uploads."""

    def __init__(self, store: Store) -> None:
        self.store, self.visits = store, Visits(store)
        self.snapshots = self.visits.state.snapshots
        with store.writing() as db:
            self.admin: User = add_user(db, "eve", "admin")

    def suite(self, *uploads: Upload, force: bool = False, limits: UploadLimits | None = None) -> UploadReport:
        return upload_suite(self.visit(), uploads, force=force, limits=limits or UploadLimits())

    def outputs(
        self, *uploads: Upload, source: Upload | None = None, campaign: str = "", force: bool = False
    ) -> UploadReport:
        return upload_outputs(self.visit(), uploads, source=source, campaign=campaign, force=force)

    def visit(self, user: User | None = None) -> Visit:
        return self.visits.visit(user or self.admin, NAME)

    def contents(self) -> tuple[list[str], int]:
        with self.store.reading() as db:
            suites = [entry.name for entry in list_suites(db)]
        return suites, len(self.snapshots.get(NAME).systems) if NAME in suites else 0


@pytest.fixture
def bench(sqlite_store: Store) -> Bench:
    return Bench(sqlite_store)


@pytest.fixture
def with_suite(bench: Bench) -> Bench:
    bench.suite(zipped("suite.zip", suite_files()))
    return bench


# Before it is saved


def test_a_preview_says_what_saving_would_do_and_does_nothing(with_suite: Bench) -> None:
    visit = with_suite.visit()
    read = read_outputs(visit, [upload("careful.tsv", outputs("careful"))], campaign="WMT21")
    shown, key = show_upload(visit, read, force=False)
    assert with_suite.contents() == ([NAME], 0)
    report = save_upload(visit, key)
    assert report.imported == shown.imported
    assert [found.entry for found in shown.systems] == [replace(found, imported=ANY) for found in report.paired]
    (campaign,) = shown.campaigns
    assert (campaign.before, campaign.after.name) == (None, "WMT21")
    assert campaign.after == gains(with_suite.snapshots.get(NAME))[0]
    with pytest.raises(BadOption, match="not kept any more; nothing was saved, send the files again"):
        save_upload(visit, key)


def test_outputs_in_another_order_look_like_those_of_another_suite(with_suite: Bench) -> None:
    head, *lines = outputs("careful").decode().splitlines()
    cells = [line.split("\t") for line in lines]
    turned = [[*row[:-1], cells[place - 7][-1]] for place, row in enumerate(cells)]
    mixed = "\n".join([head, *("\t".join(row) for row in turned)]) + "\n"
    with_suite.outputs(upload("literal.tsv", outputs("literal")))
    for content, wanted in ((outputs("careful").decode(), False), (mixed, True)):
        read = read_outputs(with_suite.visit(), [upload("careful.tsv", content)])
        (system,) = preview(with_suite.visit(), read, force=False).systems
        assert system.elsewhere is wanted


def test_what_is_not_saved_is_forgotten(with_suite: Bench) -> None:
    now = 0.0
    kept = PendingUploads(seconds=900, clock=lambda: now)
    read = read_outputs(with_suite.visit(), [upload("careful.tsv", outputs("careful"))])
    ben = replace(with_suite.admin, id=99, name="ben")
    first = kept.put(with_suite.admin, read, force=False)
    with pytest.raises(BadOption, match="not kept any more"):
        kept.take(ben, first)
    second = kept.put(with_suite.admin, read, force=False)
    assert kept.keys() == [second]
    kept.drop(ben)
    assert kept.keys() == [second]
    now = 900.0
    assert kept.keys() == []


def test_no_archive_is_unpacked_beyond_the_largest_upload(with_suite: Bench) -> None:
    """A megabyte of nothing is a thousand bytes in a zip file."""
    with_suite.visits.state.max_upload = 2**20
    with pytest.raises(BadOption, match="more than 1 MB, unpacked"):
        with_suite.outputs(zipped("bomb.zip", {"a.txt": b"0" * (2**20 + 1)}))
    assert with_suite.contents() == ([NAME], 0)


# What is read


def test_a_zipped_suite_folder(bench: Bench) -> None:
    report = bench.suite(zipped("suite.zip", suite_files() | {"__MACOSX/my-suite/._suite.yaml": "x"}))
    assert (report.imported.suite, report.imported.saved.added) == (NAME, len(SUITE))
    assert [item.id for item in bench.snapshots.get(NAME).items] == [item.id for item in SUITE.items]


def test_a_suite_folder_whose_files_are_at_the_top_of_the_archive(bench: Bench) -> None:
    files = {name.removeprefix("my-suite/"): content for name, content in suite_files().items()}
    assert bench.suite(zipped("suite.zip", files)).imported.saved.added == len(SUITE)


@pytest.mark.parametrize("name", ["mine.json", "mine.json.gz", "mine.tsv"])
def test_a_suite_in_one_file(bench: Bench, tmp_path: Path, name: str) -> None:
    save_suite(SUITE, tmp_path / name, lossy=True)
    report = bench.suite(upload(name, (tmp_path / name).read_bytes()))
    assert report.imported.saved.added > 0


def test_an_exported_folder_brings_outputs_and_judgements(
    with_suite: Bench, sqlite_store: Store, tmp_path: Path
) -> None:
    with_suite.outputs(upload("careful.tsv", outputs("careful")), campaign="WMT21")
    visits = Visits(sqlite_store)
    text = next(iter(with_suite.snapshots.get(NAME).texts.values()))
    visits.judge(with_suite.admin, NAME, AnnotatorAnswer(text.id, "fail", "so I say"))
    export(sqlite_store, NAME, tmp_path / "out")
    packed = {f"out/{path.relative_to(tmp_path / 'out')}": path.read_bytes() for path in _files(tmp_path / "out")}
    other = Bench(Store.create(str(tmp_path / "other.db")))
    report = other.suite(zipped("out.zip", packed))
    assert (report.imported.judgements, [found.system.name for found in report.paired]) == (1, ["careful"])
    assert report.paired[0].system.file == "careful.tsv"
    other.store.close()


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file()]


def test_outputs_are_paired_and_reported(with_suite: Bench) -> None:
    report = with_suite.outputs(upload("careful.tsv", outputs("careful")), upload("literal.tsv", outputs("literal")))
    assert [system.name for system in report.imported.systems] == ["careful", "literal"]
    assert report.imported.outputs == 2 * len(SUITE)
    assert report.imported.not_found == 0
    snapshot = with_suite.snapshots.get(NAME)
    warnings = {found.system.name: found.warnings for found in snapshot.evaluate(keep_all=True).summaries}
    assert {found.system.name: found.warnings for found in report.paired} == warnings
    assert [found.outputs for found in report.paired] == [len(SUITE)] * 2
    assert [stored.system.file for stored in snapshot.systems] == ["careful.tsv", "literal.tsv"]


def test_plain_text_with_the_source_file_of_a_campaign(with_suite: Bench, tmp_path: Path) -> None:
    write_sources(SUITE, tmp_path / "source.txt")
    sources = (tmp_path / "source.txt").read_text(encoding="utf-8").splitlines()
    chosen = sources[:50]
    texts = "".join(f"text {number}\n" for number in range(50))
    report = with_suite.outputs(
        upload("news.hyp.Online-A.en", texts), source=upload("news.src.de", "\n".join(chosen)), campaign="WMT21"
    )
    (paired,) = report.paired
    assert (paired.system.name, paired.system.campaign) == ("Online-A", "WMT21")
    assert report.imported.not_found == len(SUITE) - paired.outputs
    assert paired.outputs >= 50


CAMPAIGN = "campaign: WMT99\noutputs: ['outputs/*.tsv']\nsystems:\n  careful: {group: online}\n"


def test_a_campaign_file_with_its_files_in_an_archive(with_suite: Bench) -> None:
    files: dict[str, bytes | str] = {
        "wmt/campaign.yaml": CAMPAIGN,
        "wmt/outputs/careful.tsv": outputs("careful"),
        "wmt/README.txt": "Hello.",
    }
    report = with_suite.outputs(zipped("wmt.zip", files))
    (system,) = report.imported.systems
    assert (system.name, system.campaign, system.file) == ("careful", "WMT99", "wmt.zip/wmt/outputs/careful.tsv")
    assert dict(system.metadata) == {"group": "online"}
    assert report.unused == ["wmt.zip/wmt/README.txt"]


def test_outputs_that_are_there_already_are_replaced_only_when_asked_for(with_suite: Bench) -> None:
    with_suite.outputs(upload("mine.tsv", outputs("careful").replace(b"careful", b"mine")))
    again = with_suite.outputs(upload("mine.tsv", outputs("careful").replace(b"careful", b"mine")))
    assert [system.name for system in again.imported.unchanged] == ["mine"]
    changed = upload("mine.tsv", outputs("literal").replace(b"literal", b"mine"))
    with pytest.raises(BadOption, match="in the database already"):
        with_suite.outputs(changed)
    changed.stream.seek(0)
    assert [system.name for system in with_suite.outputs(changed, force=True).imported.replaced] == ["mine"]


def test_outputs_leave_rules_alone_and_a_later_import_of_the_old_file_too(
    with_suite: Bench, sqlite_store: Store
) -> None:
    snapshot = with_suite.snapshots.get(NAME)
    first = snapshot.items[0]
    edit = RuleEdit(first.id, first.rules[:1], snapshot.version_ids[0])
    Visits(sqlite_store).save_rules(with_suite.admin, NAME, edit)
    with_suite.outputs(upload("careful.tsv", outputs("careful")))
    with_suite.suite(zipped("suite.zip", suite_files()))
    assert with_suite.snapshots.get(NAME).items[0].rules == first.rules[:1]


# What is refused


@pytest.mark.parametrize("named", ["/etc/passwd", "../../../etc/passwd", "X=/etc/passwd", "a/../../b", "/*"])
@pytest.mark.parametrize("field", ["outputs", "source"])
def test_a_campaign_file_names_only_what_was_sent(with_suite: Bench, field: str, named: str) -> None:
    given = {"outputs": "[a.tsv]", "source": "a.txt"} | {field: f"['{named}']" if field == "outputs" else f"'{named}'"}
    campaign = f"campaign: X\noutputs: {given['outputs']}\nsource: {given['source']}\n"
    with pytest.raises(BadOption, match=r"^campaign.yaml:\d: .* leads out of the upload"):
        with_suite.outputs(upload("campaign.yaml", campaign), upload("a.tsv", outputs("careful")))


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"short.txt": "one line\n"}, r"^short.txt:2: 1 lines for 94 items"),
        ({"a.tsv": "item\tsystem\ttext\nnone/such\ta\tHello\n"}, r"^a.tsv: no item 'none/such'"),
        ({"a.txt": b"\xff\xfe"}, r"^a.txt:1: not UTF-8"),
        ({"a.pdf.zip": b"x"}, r"^a.pdf.zip: the zip file is damaged"),
        ({"a.json": "{}"}, r"^a.json: a .json file holds no outputs"),
        ({"c.yaml": "campaign: X\noutputs: [missing.tsv]\n"}, r"^missing.tsv: there is no such file"),
        ({"c.yaml": "campaign: X\noutputs: ['*.nothing']\n"}, r"no file fits '\*.nothing'; it is looked for in the up"),
        ({"empty.zip": {}}, "no outputs were sent"),
    ],
)
def test_bad_outputs_are_named_as_the_sender_names_them(
    with_suite: Bench, files: dict[str, bytes | str | dict[str, bytes]], problem: str
) -> None:
    sent = [zipped(name, text) if isinstance(text, dict) else upload(name, text) for name, text in files.items()]
    with pytest.raises(AssayError, match=problem) as caught:
        with_suite.outputs(upload("good.tsv", outputs("careful")), *sent) if "empty.zip" not in files else (
            with_suite.outputs(*sent)
        )
    assert "assay-upload" not in str(caught.value)
    assert with_suite.contents() == ([NAME], 0)


@pytest.mark.parametrize(
    ("files", "problem"),
    [
        ({"a.txt": "x", "b.txt": "y"}, "no suite.yaml among the files"),
        ({"a.txt": "x"}, "a.txt: not a suite"),
        ({"a.json": "{"}, "a.json:1: broken JSON"),
        ({"a.json": "[" * 100_000}, "a.json: broken JSON"),
        ({"suite.yaml": "name: x\n"}, "suite.yaml:1: 'categories' is missing"),
        ({"a.zip": {"a/suite.yaml": "x", "b/suite.yaml": "x"}}, "a.zip/b/suite.yaml: a second suite"),
        ({"a.zip": {"suite.yaml": "[" * 1000}}, r"^a.zip/suite.yaml:1: nested deeper"),
    ],
)
def test_bad_suites(bench: Bench, files: dict[str, str | dict[str, str]], problem: str) -> None:
    sent = [zipped(name, text) if isinstance(text, dict) else upload(name, text) for name, text in files.items()]
    with pytest.raises(AssayError, match=problem) as caught:
        bench.suite(*sent)
    assert "assay-upload" not in str(caught.value)
    assert bench.contents() == ([], 0)


def test_nothing_is_written_when_one_of_several_files_is_wrong(with_suite: Bench) -> None:
    good = upload("careful.tsv", outputs("careful"))
    with pytest.raises(AssayError):
        with_suite.outputs(good, upload("short.txt", "x\n"))
    assert with_suite.contents() == ([NAME], 0)


def test_only_admins_upload(bench: Bench, sqlite_store: Store) -> None:
    with sqlite_store.writing() as db:
        ben = add_user(db, "ben", "adjudicator")
    with pytest.raises(NotAllowed):
        upload_suite(bench.visit(ben), [zipped("suite.zip", suite_files())])
    Import(SUITE, None, "test").run(sqlite_store, bench.admin)
    with pytest.raises(NotAllowed):
        upload_outputs(bench.visit(ben), [upload("careful.tsv", outputs("careful"))])


def test_outputs_for_a_suite_that_is_not_there(bench: Bench) -> None:
    with pytest.raises(UnknownName, match="suite"):
        bench.outputs(upload("careful.tsv", outputs("careful")))
