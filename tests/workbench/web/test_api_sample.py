"""The sample in the API: who may draw it, its order, and the estimate from it."""

import pytest

from assay.workbench.db.database import Store
from tests.workbench.web.little_server import SUITE, Workbench

HERE = f"/suites/{SUITE}"


@pytest.fixture
def workbench(sqlite_store: Store) -> Workbench:
    return Workbench(sqlite_store)


def test_a_sample_from_the_draw_to_the_estimate(workbench: Workbench) -> None:
    anna, boss = workbench.as_("anna"), workbench.as_("boss")
    assert anna.get(f"{HERE}/sample") == {"sample": None, "new": 5}
    assert anna.get(f"{HERE}/tasks", sample=True) == {"total": 0, "tasks": []}
    asked = f"{HERE}/results?policy=estimate&campaign=*"
    assert "there is no sample" in anna.ask("GET", asked, status=400)["detail"]
    anna.post(f"{HERE}/sample", None, 403)
    drawn = boss.post(f"{HERE}/sample", None)["sample"]
    assert (drawn["seed"], drawn["by"], drawn["campaigns"], drawn["waiting"]) == (1, "boss", ["WMT21", "WMT22"], 5)
    assert "go on with it" in boss.post(f"{HERE}/sample", None, 400)["detail"]
    (entry,) = boss.get("/audit", kind="draw")["entries"]
    assert (entry["by"], entry["what"]) == (
        "boss",
        f"{SUITE} (WMT21, WMT22): 5 undecided texts of 4 systems, seed 1",
    )
    order = [task["text_id"] for task in anna.get(f"{HERE}/tasks", sample=True)["tasks"]]
    for place, text_id in enumerate(order[:-1]):
        if place == 3:
            assert "3 of 5 undecided texts" in anna.ask("GET", asked, status=400)["detail"]
        offer = anna.get(f"{HERE}/queue", sample=True)["offer"]
        assert (offer["task"]["text_id"], offer["systems"], offer["seen"]) == (text_id, None, [])
        anna.post(f"{HERE}/judgements", {"text_id": text_id, "verdict": "pass"}, 201)
    assert anna.get(f"{HERE}/sample")["sample"]["judged"] == 4
    found = anna.ask("GET", asked, status=200)
    assert (found["estimate"]["judged"], found["estimate"]["undecided"]) == (4, 5)
    micro = next(row for row in found["rows"] if row["level"] == "micro")
    assert all(cell["low"] <= cell["low_here"] <= cell["accuracy"] <= cell["high_here"] for cell in micro["cells"])


@pytest.mark.parametrize("others", [{"category": "Idioms"}, {"again": True}, {"reason": "no_match"}])
def test_no_filter_goes_with_it(workbench: Workbench, others: dict[str, object]) -> None:
    detail = workbench.as_("anna").get(f"{HERE}/tasks", 400, sample=True, **others)["detail"]
    assert detail == "a sample is judged in its own order: no filter goes with it but a campaign"
