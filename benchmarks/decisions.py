"""How many decisions the queue takes, how long each takes the server, and how often a twin is not one.

    python benchmarks/decisions.py                     # WMT21 and WMT22, de-en and en-de
    python benchmarks/decisions.py --pair de-en --quick

Keys are pressed as a linguist would: Enter on a list of twins, the verdict of the smaller part of a card's rows one by
one, then Shift and the other verdict for all that are left. What a text is worth nobody knows, so the script takes what
the suggester says of it before the work begins; no rule is written. Twins are replayed on known verdicts: a text that
only its own exact rule decides is hidden, and its twin is asked. Times are those of the processor, with the collector
set as the server sets it.
"""

import argparse
import gc
import os
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent))

import campaign
from measure import Figure, show

import assay
from assay.prediction import TwinForms, about_form, agreement, twins_agree, twins_of
from assay.workbench.cli.serve import COLLECTED
from assay.workbench.db.database import Store
from assay.workbench.db.suites import suite_names
from assay.workbench.files.importer import Import
from assay.workbench.people.credentials import local_user
from assay.workbench.people.roles import User
from assay.workbench.queue.filters import Filters
from assay.workbench.queue.judgements import AnnotatorAnswer, judge
from assay.workbench.queue.neighbours import advise
from assay.workbench.queue.next_text import next_text
from assay.workbench.queue.queue_page import NO_DRAFT, QueuePage, QueueSession, open_card
from assay.workbench.queue.twins import known_texts
from assay.workbench.snapshot import Snapshot
from assay.workbench.state import State
from assay.workbench.visit import Admission, Visit

DATA = Path(os.environ.get("ASSAY_DATA", campaign.ROOT.parent / "shared" / "data"))
SETTLED = {"de-en": 1400, "en-de": 1400}
"""Most decisions that settle all texts of both years."""
FAIR = {"de-en": 350, "en-de": 250}
"""Most decisions until nine of ten items that can count do so in the fair comparison of WMT21."""

Found = TypeVar("Found")


class Bench:
    """A database with a language pair's campaigns, and somebody at its queue."""

    def __init__(self, folder: Path, pair: str, years: Sequence[str]) -> None:
        self.store = Store.create(str(folder / f"{pair}-{'-'.join(years)}.db"))
        self.user: User = local_user(self.store)
        source, target = pair.split("-")
        suite = assay.load_suite(DATA / "dfki" / f"items.{pair}.json")
        for year in years:
            outputs = assay.load_outputs(
                suite,
                sorted((DATA / year / "system-outputs").glob(f"*.{pair}.hyp.*.{target}")),
                source=next(iter((DATA / year / "sources").glob(f"*.{pair}.src.{source}"))),
                campaign=year.upper(),
            )
            Import(suite, outputs, "import").run(self.store, self.user)
        self.state = State(self.store)
        with self.store.reading() as db:
            self.name = suite_names(db)[0]
        self.times: list[float] = []
        self.list_times: list[tuple[int, float]] = []

    @property
    def snapshot(self) -> Snapshot:
        return self.state.snapshots.get(self.name)

    def session(self, filters: Filters) -> QueueSession:
        return QueueSession(Visit(self.state, lambda db: Admission(self.user, self.name)), filters)

    def timed(self, act: Callable[[], Found]) -> Found:
        begin = time.process_time()
        done = act()
        self.times.append(time.process_time() - begin)
        return done


def work(bench: Bench, truth: dict[int, str], filters: Filters) -> Iterator[QueuePage]:
    """Decide after decision, until nothing waits; the page after each."""
    page = bench.session(filters).open()
    while page.card:
        card = page.card
        here = bench.session(filters)
        if card.unit.kind != "card":
            texts = card.unit.text_ids
            page = bench.timed(lambda: here.judge_list(texts, None, out=(), known=card.known))  # noqa: B023
            bench.list_times.append((len(texts), bench.times.pop()))
            yield page
            continue
        said = Counter(truth.get(row.text.id, "fail") for row in card.rows)
        most = said.most_common(1)[0][0]
        first = next((row for row in card.rows if truth.get(row.text.id, "fail") != most), None)
        rows = [first.row.all] if first else [row.row.all for row in card.rows]
        verdict = ("fail" if most == "pass" else "pass") if first else most
        page = bench.timed(
            lambda: here.judge_rows(rows, verdict, draft=NO_DRAFT, seen=(), known=card.known)  # type: ignore[arg-type]  # noqa: B023
        )
        yield page


def fair(snapshot: Snapshot, name: str) -> tuple[int, int]:
    """Items that count in the fair comparison of a campaign, and those that could."""
    counted = reachable = 0
    for place in range(len(snapshot.items)):
        written = snapshot.written_at(place)
        texts = [snapshot.texts.get(written[column]) for column in snapshot.kept[name]]
        if all(text is not None and (text.decided or text.waits) for text in texts):
            reachable += 1
            counted += all(text is not None and text.decided for text in texts)
    return counted, reachable


def truth_of(snapshot: Snapshot) -> dict[int, str]:
    found = {task.text_id: advise(snapshot, snapshot.text(task.text_id)) for task in snapshot.undisputed}
    return {text_id: said.verdict if said else "fail" for text_id, said in found.items()}


def single_texts(bench: Bench, truth: dict[int, str], number: int = 40) -> list[float]:
    """Seconds of a judgement of one text and the next one, as the page had them one by one."""
    times = []
    for _ in range(number):
        visit = Visit(bench.state, lambda db: Admission(bench.user, bench.name))
        with visit.reading() as reader:
            offer = next_text(reader, bench.state.leases)
            assert offer
        begin = time.process_time()
        with visit.changing() as change:
            outcome = judge(change, AnnotatorAnswer(offer.task.text_id, truth[offer.task.text_id]))  # type: ignore[arg-type]
            again = next_text(change, bench.state.leases)
            assert again
            open_card(change, again, show=())
        # The page told it afterwards.
        change.suggestion_before(outcome.text)
        times.append(time.process_time() - begin)
    return times


def replay(snapshot: Snapshot) -> tuple[int, int]:
    """Texts that only their own exact rule decides and that have a twin, and those whose twin says otherwise."""
    forms, items = TwinForms(snapshot.stored.suite.langpair), snapshot.items
    known = [known_texts(snapshot, place) for place in range(len(items))]
    counts = [agreement((form, twin.verdict) for form, twin in found) for found in known]
    by_phenomenon: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        by_phenomenon.setdefault((item.category, item.phenomenon), []).append(place)
    asked = wrong = 0
    for place, item in enumerate(items):
        others = [counts[other] for other in by_phenomenon[item.category, item.phenomenon] if other != place]
        agree = twins_agree(sum(same for same, _ in others), sum(both for _, both in others))
        if about_form(item.category, item.phenomenon) or not agree:
            continue
        for text in snapshot.texts_at(place):
            if not text.judged:
                continue
            rest = [
                (key, form, twin.verdict) for key, (form, twin) in enumerate(known[place]) if twin.value != text.value
            ]
            found = twins_of({0: forms.of(text.value)}, rest)
            if found:
                asked += 1
                wrong += known[place][found[0]][1].verdict != text.finding.verdict
    return asked, wrong


def measure(folder: Path, pair: str, *, quick: bool) -> Iterator[Figure]:
    both = Bench(folder, pair, ("wmt21", "wmt22"))
    asked, wrong = replay(both.snapshot)
    yield Figure(f"{pair}: twins that are none, of {asked:,} replayed", 100 * wrong / asked, 1, "%")
    if not quick:
        truth = truth_of(both.snapshot)
        number, decisions = len(both.snapshot.undisputed), sum(1 for _ in work(both, truth, Filters()))
        yield Figure(f"{pair}: decisions that settle all {number:,} texts of both years", decisions, SETTLED[pair], "")
    year = Bench(folder, pair, ("wmt21",))
    truth = truth_of(year.snapshot)
    (folder / "alone").mkdir()
    alone = single_texts(Bench(folder / "alone", pair, ("wmt21",)), truth)
    _, reachable = fair(year.snapshot, "WMT21")
    decisions = 0
    for _ in work(year, truth, Filters()):
        decisions += 1
        if fair(year.snapshot, "WMT21")[0] >= 0.9 * reachable:
            break
    yield Figure(f"{pair}: decisions to 90 % of {reachable:,} items, WMT21", decisions, FAIR[pair], "")
    median = 1000 * statistics.median(alone)
    yield Figure(f"{pair}: server time of a decision, median", 1000 * statistics.median(year.times), median, "ms")
    lists = [(size, seconds) for size, seconds in (*both.list_times, *year.list_times) if size >= 100]
    if lists:
        size, seconds = max(lists, key=lambda found: found[1])
        yield Figure(f"{pair}: server time of a list of {size} twins, at most", 1000 * seconds, 300, "ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pair", choices=("de-en", "en-de"))
    parser.add_argument("--quick", action="store_true", help="leave out both years together")
    given = parser.parse_args()
    if not (DATA / "wmt21").is_dir():
        raise SystemExit(f"{DATA} has no campaigns; name another folder with ASSAY_DATA")
    gc.freeze()
    gc.set_threshold(*COLLECTED)
    for pair in [given.pair] if given.pair else ["de-en", "en-de"]:
        with tempfile.TemporaryDirectory() as folder:
            show(measure(Path(folder), pair, quick=given.quick))


if __name__ == "__main__":
    main()
