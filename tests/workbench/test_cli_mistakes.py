"""Databases, files and names that `assay init`, `import`, `export`, `user` and `serve` refuse."""

import json
import os
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.workbench.db.database import Store
from tests.conftest import Run
from tests.databases import Server
from tests.starter import AVERAGE, LITERAL, OUTPUTS, STARTER, SUITE
from tests.suites.building import listing
from tests.workbench.little import contents

NAME = "assay-de-en"
PASSWORD = "correct horse\n"


Refused = Callable[..., str]


@pytest.fixture
def refused(assay: Run, tmp_path: Path) -> Refused:
    """Runs a command that must be refused in one line with exit code 2 and leave the folder as it was."""

    def run(*arguments: str | Path, stdin: str = "", **environment: str) -> str:
        before = listing(tmp_path)
        done = assay(*arguments, code=2, stdin=stdin, **environment)
        assert done.stderr.startswith("assay: ")
        assert done.stderr.count("\n") == 1, done.stderr
        assert done.stdout == ""
        assert listing(tmp_path) == before
        return done.stderr.removeprefix("assay: ").removesuffix("\n")

    return run


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("init",),
    ("import", STARTER),
    ("export",),
    ("user", "list"),
    ("user", "add", "anna"),
    ("serve", "--port", "0"),
)
commands = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
some_commands = pytest.mark.parametrize("command", [COMMANDS[1], COMMANDS[5]], ids=" ".join)


class TestDatabases:
    @some_commands
    def test_a_file_of_somebody_else(self, refused: Refused, tmp_path: Path, command: tuple[str, ...]) -> None:
        (tmp_path / "notes.txt").write_text("Milk, eggs, bread.", encoding="utf-8")
        message = refused(*command, "--db", "notes.txt", stdin=PASSWORD)
        assert message == "notes.txt: this is not a database; name another file with --db"

    @some_commands
    def test_a_database_of_somebody_else(self, refused: Refused, tmp_path: Path, command: tuple[str, ...]) -> None:
        connection = sqlite3.connect(tmp_path / "photos.db")
        connection.execute("CREATE TABLE photos (name TEXT)")
        connection.commit()
        connection.close()
        message = refused(*command, "--db", "photos.db", stdin=PASSWORD)
        assert message == "photos.db: this database was not made by Assay; name another file with --db"

    @some_commands
    def test_a_folder(self, refused: Refused, tmp_path: Path, command: tuple[str, ...]) -> None:
        (tmp_path / "folder").mkdir()
        message = refused(*command, ASSAY_DB="folder", stdin=PASSWORD)
        assert message == "folder: this is a folder; name a file, like assay.db"

    @some_commands
    def test_no_folder(self, refused: Refused, command: tuple[str, ...]) -> None:
        message = refused(*command, "--db", "nowhere/assay.db", stdin=PASSWORD)
        assert message in (
            "nowhere/assay.db: the folder nowhere does not exist; make it first",
            "nowhere/assay.db: there is no database; make one with: assay init",
        )

    @commands
    def test_a_newer_one(self, refused: Refused, tmp_path: Path, command: tuple[str, ...]) -> None:
        Store.create(str(tmp_path / "assay.db")).close()
        connection = sqlite3.connect(tmp_path / "assay.db")
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
        connection.close()
        message = refused(*command, stdin=PASSWORD)
        assert message == "assay.db: the database was made by a newer Assay; update Assay: pip install -U assay-mt"

    @commands
    def test_a_postgresql_out_of_reach(self, refused: Refused, command: tuple[str, ...]) -> None:
        message = refused(*command, "--db", "postgresql://assay@127.0.0.1:1/assay", stdin=PASSWORD)
        assert message.startswith("postgresql+psycopg://assay@127.0.0.1:1/assay: cannot be opened (")
        assert message.endswith("; check the address, and that the server is running")

    @pytest.mark.parametrize("command", [("export",), ("user", "list"), ("user", "change", "anna", "--active")])
    def test_none_at_all(self, refused: Refused, command: tuple[str, ...]) -> None:
        assert refused(*command) == "assay.db: there is no database; make one with: assay init"

    def test_a_name_that_no_file_can_have(self, refused: Refused) -> None:
        assert "cannot be read (File name too long)" in refused("init", "--db", "x" * 300)

    def test_an_empty_postgresql_is_filled_only_when_asked(
        self, refused: Refused, assay: Run, postgresql: Server
    ) -> None:
        with postgresql.database() as address:
            assert refused("import", STARTER, "--db", address).endswith("is empty; fill it with: assay init")
            assay("init", "--db", address)
            assay("import", STARTER, "--db", address)

    def test_a_full_disk(self, assay: Run, tmp_path: Path) -> None:
        """Files may grow to 200 kB here; the import needs more."""
        assay("init")
        store = Store.open(str(tmp_path / "assay.db"))
        before = contents(store)
        done = subprocess.run(
            [sys.executable, "-m", "assay", "import", STARTER, *map(str, OUTPUTS)],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000)),
            check=False,
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert done.stderr.endswith(
            "nothing was changed; check that it may be written, the disk has room and the file is whole\n"
        )
        del before["users"]
        assert before.items() <= contents(store).items()
        store.close()
        assay("import", STARTER, *OUTPUTS)


class TestMistakes:
    def test_a_suite_that_is_not_there(self, refused: Refused) -> None:
        assert refused("import", "de-eng").startswith("no suite or file 'de-eng'; did you mean de-en")
        assert refused("import", "x" * 300).startswith("no suite or file 'xxx")

    def test_misaligned_outputs(self, refused: Refused, assay: Run, tmp_path: Path) -> None:
        (tmp_path / "x.txt").write_text("one line\n", encoding="utf-8")
        message = "x.txt:2: 1 lines for 94 items; give one line per item in suite order (assay suite sources), or the "
        assert refused("import", STARTER, AVERAGE, "x.txt").startswith(message)
        assay("import", STARTER, LITERAL)
        assert refused("import", STARTER, AVERAGE, "x.txt").startswith(message)
        assert refused("import", NAME, AVERAGE, "x.txt").startswith(message)

    @pytest.mark.parametrize("text", ["The key\0is here", "half \ud83d of it"])
    def test_characters_that_no_database_keeps(
        self, refused: Refused, assay: Run, tmp_path: Path, address: str, text: str
    ) -> None:
        assay("init", "--db", address)
        record = {"item": SUITE.items[0].id, "system": "X", "text": text}
        (tmp_path / "x.jsonl").write_text(json.dumps(record), encoding="utf-8")
        store = Store.open(address)
        before = contents(store)
        done = assay("import", STARTER, AVERAGE, "x.jsonl", "--db", address, code=2)
        assert re.fullmatch(
            r"assay: ('The key\\x00is here' has U\+0000 in it, which a database cannot keep; .*"
            r"|x.jsonl:1: 'text' holds half a character; .*)\n",
            done.stderr,
        )
        after = contents(store)
        store.close()
        assert {**after, "users": []} == {**before, "users": []}

    def test_an_exported_folder_brings_its_own_outputs(self, refused: Refused, assay: Run) -> None:
        assay("import", STARTER)
        assay("export", "-o", "out")
        message = "out is an exported folder and brings its own outputs; import others by themselves"
        assert refused("import", "out", AVERAGE) == message
        assert refused("import", "out", "--campaign", "2025") == message

    @pytest.mark.parametrize(
        ("file", "content", "message"),
        [
            ("judgements.jsonl", "{", "out/judgements.jsonl:1: broken JSON"),
            ("judgements.jsonl", '{"item": "a"}', "out/judgements.jsonl:1: 'text' is None, not a text"),
            ("questions.yaml", "acceptability: 50\n", "out/questions.yaml:1: the scale has 2 to 7 steps"),
            ("questions.yaml", "tags: {critical: x}\n", "out/questions.yaml:1: every suite has the tag 'critical'"),
            ("questions.yaml", "scale: 5\n", "out/questions.yaml:1: unknown key 'scale'"),
            ("outputs/c.yaml", "campaign: x\noutputs: [no.tsv]\n", "out/outputs/no.tsv: there is no such file"),
        ],
    )
    def test_an_exported_folder_that_somebody_broke(
        self, refused: Refused, assay: Run, tmp_path: Path, file: str, content: str, message: str
    ) -> None:
        assay("import", STARTER)
        assay("export", "-o", "out")
        (tmp_path / "out" / "outputs").mkdir()
        (tmp_path / "out" / file).write_text(content, encoding="utf-8")
        assert refused("import", "out").startswith(message)

    def test_people(self, refused: Refused, assay: Run) -> None:
        assert refused("user", "add", "anna", stdin="short\n") == "the password has 5 characters; use at least 8"
        assay("user", "add", "anna", "--role", "admin", stdin=PASSWORD)
        assert refused("user", "add", "anna", stdin=PASSWORD) == "there is a user 'anna' already"
        assert refused("user", "change", "ana", "--active") == "no user 'ana'; did you mean anna?"
        assert refused("user", "add", " ben", stdin=PASSWORD).startswith("' ben' is no user name; it has 1 to 200")
        for change in (("--role", "viewer"), ("--inactive",)):
            message = refused("user", "change", "anna", *change)
            assert message == "anna is the last admin who can log in; make another one first"

    def test_a_name_in_another_encoding(self, refused: Refused, assay: Run) -> None:
        assay("init")
        message = refused("user", "add", os.fsdecode(b"Andr\xe9"), "--role", "admin", stdin=PASSWORD)
        assert message.startswith(r"'Andr\udce9' has U+DCE9 in it, which a database cannot keep")
