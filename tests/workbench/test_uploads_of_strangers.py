"""Uploads that would hang a server, fill its memory or crash it: one line, nothing written, the next one is read."""

import gzip
import io
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from assay.errors import AssayError
from assay.workbench.db.database import Store
from assay.workbench.db.people import add_user
from assay.workbench.db.suites import suite_names
from assay.workbench.files.archives import Upload, UploadLimits
from assay.workbench.files.uploads import UploadReport, upload_outputs, upload_suite
from assay.workbench.sandbox import OutOfMemory, OutOfTime, Sandbox
from assay.workbench.state import State
from tests.workbench.uploads import upload, zipped
from tests.workbench.visits import Visits

NAME = "tiny"
HEAD = "name: tiny\nlangpair: de-en\nversion: '1'\nlicence: CC0\ncategories: {Words: {Senses: x}}\n"
ITEMS = "category: Words\nphenomenon: Senses\n"
RUNAWAY = "(a|aa)+$"


def item(number: int, pattern: str = "lock") -> str:
    return f"  - {{id: item-{number}, source: Wort {number}, pass: ['{pattern}']}}\n"


def suite(more: str) -> Upload:
    """A zipped suite with one file of items."""
    return zipped("suite.zip", {"suite.yaml": HEAD, "senses.yaml": ITEMS + more})


class Uploader:
    """An admin who uploads to an empty database."""

    def __init__(self, store: Store, sandbox: Sandbox | None = None) -> None:
        self.store = store
        state = State(store, uploads=sandbox) if sandbox else State(store)
        with store.writing() as db:
            admin = add_user(db, "eve", "admin")
        self.visit = Visits(store, state).visit(admin, NAME)

    def suite(self, *uploads: Upload, limits: UploadLimits | None = None) -> UploadReport:
        return upload_suite(self.visit, uploads, limits=limits or UploadLimits())

    def outputs(self, *uploads: Upload) -> UploadReport:
        return upload_outputs(self.visit, uploads)

    def refused(self, send: Callable[[], Any]) -> str:
        """The message, which names nothing of the server."""
        before = self.contents()
        with pytest.raises(AssayError) as caught:
            send()
        message = str(caught.value)
        assert "assay-upload" not in message
        assert "\n" not in message
        assert self.contents() == before
        return message

    def contents(self) -> list[tuple[str, int]]:
        with self.store.reading() as db:
            names = suite_names(db)
        return [(name, len(self.visit.state.snapshots.get(name).texts)) for name in names]


@pytest.fixture
def uploader(sqlite_store: Store) -> Uploader:
    return Uploader(sqlite_store)


@pytest.fixture
def stocked(uploader: Uploader) -> Uploader:
    uploader.suite(suite("items:\n" + item(1) + item(2)))
    return uploader


def in_parquet(texts: list[str]) -> bytes:
    packed = io.BytesIO()
    names = [f"senses/item-{number}" for number, _ in enumerate(texts, start=1)]
    parquet.write_table(pa.table({"item": names, "text": texts}), packed, compression="zstd")
    return packed.getvalue()


# Suites


def test_a_template_that_lists_few_of_very_many(uploader: Uploader) -> None:
    slots = "".join(f"  s{slot}: {{{', '.join(f'v{value}: w{value}' for value in range(40))}}}\n" for slot in range(6))
    source = " ".join(f"{{s{slot}}}" for slot in range(6))
    template = f"  - id: t\n    source: '{source}'\n    pass: [x]\n    only: [v1 v2 v3 v4 v5 v6]\n"
    assert uploader.suite(suite(f"slots:\n{slots}templates:\n{template}")).imported.saved.added == 1
    message = uploader.refused(
        lambda: uploader.suite(suite(f"slots:\n{slots}templates:\n" + template.partition("    only")[0]))
    )
    assert "the template makes more than 10,000 items" in message


def test_aliases_that_multiply(uploader: Uploader) -> None:
    laughs = ["      - &a0 [x, x, x, x, x, x, x, x, x, x]\n"]
    laughs += [f"      - &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n" for level in range(1, 9)]
    template = "slots:\n  s0: {a: b}\ntemplates:\n  - id: t\n    source: '{s0}'\n    pass:\n" + "".join(laughs)
    assert "its aliases stand for too much" in uploader.refused(lambda: uploader.suite(suite(template)))


def test_nesting_without_end(uploader: Uploader) -> None:
    message = uploader.refused(lambda: uploader.suite(suite("a: " + "[" * 50_000)))
    assert message.startswith("suite.zip/senses.yaml:3: nested deeper than 100 levels")


def test_a_rule_that_compiles_to_gigabytes(uploader: Uploader) -> None:
    message = uploader.refused(lambda: uploader.suite(suite("items:\n" + item(1, "(?:ab?ab?ab?ab?){1000000}"))))
    assert "its counted repeats make it too large" in message


@pytest.mark.parametrize(
    ("content", "problem"), [(b"", "the file is empty"), (b"\xff\xfe", "not UTF-8"), (b"# nothing", "nothing but")]
)
def test_a_yaml_file_that_is_none_is_named_as_the_sender_names_it(
    uploader: Uploader, content: bytes, problem: str
) -> None:
    message = uploader.refused(lambda: uploader.suite(zipped("my.zip", {"suite.yaml": content})))
    assert message.startswith("my.zip/suite.yaml:")
    assert problem in message


# Outputs


def test_a_parquet_file_with_one_text_of_many_megabytes(stocked: Uploader) -> None:
    bomb = in_parquet(["x" * 50_000_000, "y"])
    assert len(bomb) < 50_000
    message = stocked.refused(lambda: stocked.outputs(upload("sys.parquet", bomb)))
    assert "has 50,000,000 characters, at most 100,000 are read" in message


def test_a_parquet_file(stocked: Uploader) -> None:
    report = stocked.outputs(upload("sys.parquet", in_parquet(["a lock", "a castle"])))
    assert report.imported.texts == 2


def test_a_text_that_is_too_long(stocked: Uploader) -> None:
    message = stocked.refused(lambda: stocked.outputs(upload("sys.txt", "x" * 100_001 + "\ny\n")))
    assert message.startswith("sys.txt: the text of item 'senses/item-1' has 100,001 characters")


def test_gzip_and_zip_are_counted_before_they_are_unpacked(uploader: Uploader) -> None:
    limits = UploadLimits(size=1024**2)
    packed = gzip.compress(b"0" * 10_000_000)
    assert "more than 1 MB, unpacked" in uploader.refused(
        lambda: uploader.suite(upload("a.json.gz", packed), limits=limits)
    )
    bomb = {"suite.yaml": b"0" * 10_000_000}
    assert "more than 1 MB, unpacked" in uploader.refused(lambda: uploader.suite(zipped("a.zip", bomb), limits=limits))


# Limits of the child


@pytest.fixture
def hurried(sqlite_store: Store) -> Iterator[Callable[..., Uploader]]:
    """Makes desks whose children have little memory or time."""
    made: list[Sandbox] = []

    def make(**limits: Any) -> Uploader:
        given: dict[str, Any] = {"subject": "the files", "advice": "import them with: assay import"} | limits
        made.append(Sandbox("assay.workbench.files.sent_files", **given))
        return Uploader(sqlite_store, made[-1])

    yield make
    for sandbox in made:
        sandbox.close()


def test_an_upload_without_end(hurried: Callable[..., Uploader]) -> None:
    """Slow rules of many items: each is given up in time, all of them are not."""
    uploader = hurried(seconds=1, megabytes=1024)
    many = range(1, 21)
    uploader.suite(suite("items:\n" + "".join(item(number, f"{RUNAWAY[:-1]}{number}$") for number in many)))
    # With the numbers, since what a text lacks is not searched for.
    slow = upload("sys.txt", "".join(f"{'a' * 200}!{number}\n" for number in many))
    with pytest.raises(OutOfTime, match="the files take more than 1 s; import them with: assay import"):
        uploader.outputs(slow)
    assert uploader.contents() == [(NAME, 0)]
    assert uploader.outputs(upload("sys.txt", "b\n" * len(many))).imported.outputs == len(many)


def test_an_upload_that_takes_all_memory(hurried: Callable[..., Uploader]) -> None:
    uploader = hurried(seconds=60, megabytes=32)
    uploader.suite(suite("items:\n" + item(1) + item(2)))
    with pytest.raises(OutOfMemory, match="the files take more than 32 MB of memory; import them with: assay import"):
        uploader.outputs(upload("sys.txt", "x" * 50_000_000))
    assert uploader.contents() == [(NAME, 0)]


def test_texts_of_the_database_are_judged_by_uploaded_rules_elsewhere(stocked: Uploader) -> None:
    """Also those that the upload does not bring."""
    stocked.outputs(upload("sys.txt", "a lock\na castle\n"))
    stocked.suite(suite("items:\n" + item(1, "castle") + item(2, "castle")))
    snapshot = stocked.visit.state.snapshots.get(NAME)
    assert [str(text.finding.verdict) for text in snapshot.texts.values()] == ["warning", "pass"]


class Unlocked(Sandbox):
    """One that is asked only while everybody can write."""

    store: Store

    def run(self, function: Any, argument: Any, **more: Any) -> Any:
        # Another connection of another process, as it were: it would not wait for its turn, but be told.
        with self.store.engine.connect().execution_options(assay_writing=True) as db, db.begin():
            self.asked = [*getattr(self, "asked", []), function.__name__]
        return super().run(function, argument, **more)


def test_nothing_is_judged_while_nobody_else_can_write(sqlite_store: Store) -> None:
    sandbox = Unlocked("assay.workbench.files.sent_files", subject="the files", seconds=60, megabytes=1024)
    sandbox.store = sqlite_store
    uploader = Uploader(sqlite_store, sandbox)
    uploader.suite(suite("items:\n" + item(1) + item(2)))
    uploader.outputs(upload("sys.txt", "a lock\na castle\n"))
    uploader.suite(suite("items:\n" + item(1, "castle") + item(2, "castle")))
    sandbox.close()
    assert sandbox.asked == ["read_sent", "read_sent", "read_sent", "rule_texts"]
    verdicts = [str(text.finding.verdict) for text in uploader.visit.state.snapshots.get(NAME).texts.values()]
    assert verdicts == ["warning", "pass"]


def test_more_texts_than_are_kept_in_memory_come_back_whole(stocked: Uploader) -> None:
    """They are in a temporary file of the child, and then in one of the server."""
    lines = [f"senses/item-1\tsys-{number}\t{number} {'x' * 90_000}\n" for number in range(120)]
    report = stocked.outputs(upload("many.tsv", "item\tsystem\ttext\n" + "".join(lines)))
    assert (report.imported.outputs, report.imported.texts) == (120, 120)
