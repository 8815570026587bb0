"""Which pages show who wrote a text and how it was judged: whoever saw one does not judge blind afterwards."""

from collections.abc import Iterator

import pytest
from sqlalchemy import delete

from assay.workbench.db import schema
from assay.workbench.db.database import Store
from assay.workbench.db.people import get_user
from assay.workbench.state import State
from tests.workbench.visits import Visits
from tests.workbench.web.clients import log_in
from tests.workbench.web.little_server import HORSES, IDIOM, OSTRICH, SUITE, fill, judge_some

BOTH = ("systems", "judgements")
HERE = f"/api/v1/suites/{SUITE}"
PAIR = "first=A (WMT21)&second=B (WMT21)"
CELL = "column=B&campaign=WMT21"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    """Anna and Ben agree on the ostrich and disagree on the horses; the next person is to judge both."""
    store = Store.create(str(tmp_path_factory.mktemp("reveals") / "assay.db"))
    fill(store)
    judge_some(store)
    yield State(store)
    store.close()


@pytest.fixture
def state(filled: State) -> State:
    """Nobody has seen anything before."""
    with filled.store.writing() as db:
        db.execute(delete(schema.seen))
    return filled


def seen(state: State, path: str, text: str) -> tuple[str, ...]:
    """What Ada has seen of a text after a page, as another server knows it."""
    asked = f"{path}{'&' if '?' in path else '?'}suite={SUITE}" if not path.startswith("/api") else path
    answer = log_in(state, "ada").get(asked)
    assert answer.status_code == 200, f"{path}: {answer.text[:500]}"
    visits = Visits(state.store)
    with state.store.reading() as db:
        ada = get_user(db, "ada")
    text_id = next(found.id for found in visits.snapshot(SUITE).texts.values() if found.value == text)
    return visits.revealed(ada, text_id)


@pytest.mark.parametrize(
    ("path", "text", "wanted"),
    [
        (f"/item/{IDIOM}?shown=true", HORSES, BOTH),
        (f"/items/history?item={IDIOM}&shown=true", HORSES, ("judgements",)),
        (f"/results/cell?{CELL}&category=Idioms&shown=true", HORSES, BOTH),
        ("/results/download/verdicts.tsv?shown=true", OSTRICH, BOTH),
        (f"/compare?{PAIR}&shown=true", OSTRICH, BOTH),
        (f"/compare/items?{PAIR}&side=lost&shown=true", OSTRICH, BOTH),
        (f"/compare/download/comparison.csv?{PAIR}&shown=true", OSTRICH, BOTH),
        ("/history?shown=true", OSTRICH, ("judgements",)),
        ("/history/history.tsv?shown=true", OSTRICH, ("judgements",)),
        ("/agreement?first=anna&second=ben&shown=true", HORSES, ("judgements",)),
        # Ada is an adjudicator, who is not asked here.
        ("/disputes", HORSES, ("judgements",)),
        # These ask first.
        (f"/item/{IDIOM}", HORSES, ()),
        (f"/items/history?item={IDIOM}", HORSES, ()),
        (f"/results/cell?{CELL}&category=Idioms", HORSES, ()),
        ("/results/download/verdicts.tsv", OSTRICH, ()),
        (f"/compare?{PAIR}", OSTRICH, ()),
        (f"/compare/items?{PAIR}&side=lost", OSTRICH, ()),
        (f"/compare/download/comparison.csv?{PAIR}", OSTRICH, ()),
        ("/history", OSTRICH, ()),
        ("/history?kind=undo", "The key is in the latch.", ("systems", "suggestion")),
        ("/agreement?first=anna&second=ben", HORSES, ()),
        ("/history/history.tsv", OSTRICH, ()),
        (f"{HERE}/item?id={IDIOM}", HORSES, BOTH),
        (f"{HERE}/verdicts?category=Idioms&campaign=WMT21", HORSES, BOTH),
        (f"{HERE}/download?file=verdicts.jsonl", OSTRICH, BOTH),
        (f"{HERE}/comparison?{PAIR}", OSTRICH, BOTH),
        (f"{HERE}/history", OSTRICH, ("judgements",)),
        (f"{HERE}/differences?first=anna&second=ben", HORSES, ("judgements",)),
    ],
)
def test_what_a_page_gives_away_is_kept(state: State, path: str, text: str, wanted: tuple[str, ...]) -> None:
    assert seen(state, path, text) == wanted


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/results", HORSES),
        ("/years", HORSES),
        ("/effort", HORSES),
        ("/agreement", HORSES),
        ("/items", HORSES),
        ("/queue?again=true", HORSES),
        (f"/item/{IDIOM}?shown=true", OSTRICH),
        (f"/results/cell?{CELL}&category=Idioms", OSTRICH),
        (f"/compare?{PAIR}&shown=true", HORSES),
        (f"/compare/items?{PAIR}&side=gained&shown=true", OSTRICH),
        (f"{HERE}/comparison?{PAIR}", HORSES),
        (f"{HERE}/results", HORSES),
        (f"{HERE}/verdicts?category=Idioms&campaign=WMT21", OSTRICH),
        (f"{HERE}/queue", HORSES),
    ],
)
def test_other_pages_give_nothing_away(state: State, path: str, text: str) -> None:
    assert seen(state, path, text) == ()
