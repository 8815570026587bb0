"""The audit trail in the database: what is kept, and how much of it."""

import logging

import pytest

from assay.workbench.db import audit
from assay.workbench.db.audit import asking_from, entries, logged_in_from, record
from assay.workbench.db.database import Store


def kinds(store: Store) -> list[str]:
    with store.reading() as db:
        return [entry.kind for entry in entries(db, limit=1000)]


def test_who_did_what_from_where_the_newest_first(store: Store) -> None:
    asking_from.set("192.0.2.1")
    with store.writing() as db:
        record(db, "anna", "log-in")
        record(db, "anna", "role", "ben is admin now")
    with store.reading() as db:
        last, first = entries(db, limit=10)
        assert (first.by, first.kind, first.what, first.address) == ("anna", "log-in", "", "192.0.2.1")
        assert (last.what, last.created > first.created) == ("ben is admin now", True)
        assert logged_in_from(db) == [("anna", "192.0.2.1")]
        assert [entry.kind for entry in entries(db, kind="role", limit=10)] == ["role"]
        assert entries(db, by="ben", limit=10) == []
        assert [entry.kind for entry in entries(db, limit=1, skip=1)] == ["log-in"]


def test_an_entry_goes_with_what_it_tells_about(store: Store) -> None:
    def fail() -> None:
        with store.writing() as db:
            record(db, "anna", "export", "all of it")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert kinds(store) == []


def test_failures_push_nothing_else_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "MOST_FAILED", 5)
    monkeypatch.setattr(audit, "MOST", 7)
    monkeypatch.setattr(audit, "TRIMMED_EVERY", 1)
    with store.writing() as db:
        for number in range(10):
            record(db, "anna", "export", str(number))
        for _ in range(20):
            record(db, "", "failed log-in")
    assert kinds(store) == ["failed log-in"] * 5 + ["export"] * 7
    with store.reading() as db:
        assert [entry.what for entry in entries(db, kind="export", limit=10)] == ["9", "8", "7", "6", "5", "4", "3"]


def test_the_log_has_a_line_each_and_no_more(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    asking_from.set("192.0.2.1")
    with caplog.at_level(logging.INFO, "assay.workbench"), store.writing() as db:
        record(db, "an\nna", "export", "a\nb\x1b[2J" + "c" * 1000)
        record(db, "", "failed log-in")
    export, failure = (found.getMessage() for found in caplog.records)
    assert export.startswith("export: an na: a b\\x1b[2J")
    assert "\n" not in export
    assert len(export) < 400
    assert failure == "failed log-in: an unknown name (192.0.2.1)"
