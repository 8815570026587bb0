"""The audit trail of a server: every deed of its kinds is in it, and only admins read it."""

from pathlib import Path

import pytest
from httpx import Client

from assay.workbench.people import credentials
from assay.workbench.state import State
from tests.conftest import Run
from tests.starter import SUITE
from tests.workbench.web.clients import PASSWORD, browser, log_in, program, token_of
from tests.workbench.web.little_server import QUICK


def trail(state: State, **query: object) -> list[tuple[str, str, str]]:
    """(who, kind, what), the newest first."""
    answer = program(state, "admin").get("/api/v1/audit", params=query)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return [(entry["by"], entry["kind"], entry["what"]) for entry in answer.json()["entries"]]


def test_log_ins_and_failures(state: State, anonymous: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(credentials, "_hasher", lambda: QUICK)
    anonymous.post("/login", data={"name": "viewer", "password": "wrong"})
    anonymous.post("/api/v1/session", json={"name": "correct horse", "password": "viewer"})
    token = anonymous.post("/api/v1/session", json={"name": "viewer", "password": PASSWORD}).json()["token"]
    browser(state, headers={"Authorization": f"Bearer {token}"}).delete("/api/v1/session")
    assert trail(state)[:4] == [
        ("viewer", "log-out", ""),
        ("viewer", "log-in", ""),
        ("", "failed log-in", ""),
        ("viewer", "failed log-in", ""),
    ]


def test_a_password_in_the_wrong_field_is_nowhere(state: State, caplog: pytest.LogCaptureFixture) -> None:
    browser(state).post("/login", data={"name": "my secret", "password": "x"})
    assert "my secret" not in caplog.text
    assert not any("my secret" in str(entry) for entry in trail(state))


def test_accounts(state: State) -> None:
    admin = program(state, "admin")
    admin.post("/api/v1/people", json={"name": "zoe", "role": "viewer", "password": PASSWORD})
    change = {"role": "annotator", "password": "battery staple", "active": False}
    assert admin.patch("/api/v1/people/zoe", json=change).status_code == 200
    assert trail(state)[:4] == [
        ("admin", "access", "zoe is kept out"),
        ("admin", "password", "zoe has a new one; their sessions ended"),
        ("admin", "role", "zoe is annotator now"),
        ("admin", "account", "zoe made, viewer"),
    ]
    assert trail(state, by="admin", kind="account") == [("admin", "account", "zoe made, viewer")]


def test_a_wrong_current_password(state: State) -> None:
    given = {"current": "wrong horse", "new": "battery staple"}
    assert program(state, "viewer").put("/api/v1/me/password", json=given).status_code == 400
    assert trail(state)[0] == ("viewer", "failed log-in", "the current password, to change it")


def test_files_that_come_and_go(state: State) -> None:
    viewer = log_in(state, "viewer")
    assert viewer.get("/results/download/verdicts.tsv").status_code == 200
    viewer.get(f"/api/v1/suites/{SUITE.name}/download?file=results.csv")
    files = [("files", ("literal.txt", "x\n" * len(SUITE)))]
    sent = program(state, "admin").post(f"/api/v1/suites/{SUITE.name}/outputs", files=files)
    assert sent.status_code == 201, sent.text
    came, second, first = trail(state)[:3]
    assert came[:2] == ("admin", "import")
    assert "systems added: literal" in came[2]
    assert [first[:2], second[:2]] == [("viewer", "export")] * 2
    assert first[2].endswith("verdicts.tsv")
    assert second[2].endswith("results.csv")


def test_the_page(state: State) -> None:
    admin = log_in(state, "admin")
    admin.post("/people/add", data={"name": "<i>", "role": "viewer", "password": PASSWORD}, headers=token_of(admin))
    page = admin.get("/audit", params={"kind": "account"})
    assert page.status_code == 200
    assert "&lt;i&gt; made, viewer" in page.text
    assert "127.0.0.1" in page.text
    assert 'href="/audit"' in admin.get("/people").text
    assert admin.get("/audit", params={"kind": "nonsense"}).status_code == 404
    assert admin.get("/audit", params={"by": "nobody at all"}).status_code == 404


@pytest.mark.parametrize("role", ["viewer", "annotator", "adjudicator"])
def test_it_is_for_admins(state: State, role: str) -> None:
    assert program(state, role).get("/audit").status_code == 403
    assert program(state, role).get("/api/v1/audit").status_code == 403
    assert 'href="/audit"' not in log_in(state, role).get("/people").text


def test_what_commands_do_is_in_it(assay: Run, tmp_path: Path) -> None:
    from assay.workbench.db.audit import entries
    from assay.workbench.db.database import Store

    assay("import", "de-en")
    assay("user", "add", "eve", "--role", "admin", stdin="correct horse\n")
    assay("user", "change", "eve", "--password", stdin="battery staple\n")
    assay("export", "-o", "out")
    store = Store.open(str(tmp_path / "assay.db"))
    with store.reading() as db:
        found = entries(db, limit=10)
    store.close()
    assert [entry.kind for entry in found] == ["export", "password", "account", "import"]
    assert {entry.address for entry in found} == {"command line"}
    assert found[0].what == "assay-de-en to out"
