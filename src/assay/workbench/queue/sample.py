"""Use cases of the sample: what is undecided is judged in an order in which every beginning is a valid sample.

visits.change(admin, "assay-de-en", draw_sample)
sample_of(snapshot).judged      # of the beginning, which carries weight
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from assay.errors import BadOption
from assay.text import plural
from assay.verdicts.draw import Draw, new_draw
from assay.workbench.db.audit import record
from assay.workbench.db.draws import StoredDraw, add_draw, next_seed
from assay.workbench.files.history_records import PastDraw
from assay.workbench.reader import Change, Reader
from assay.workbench.snapshot import Snapshot, WaitingText


@dataclass(frozen=True, slots=True)
class SampleState:
    """What has become of a draw.

    `judged` and `skipped` are of its beginning, which carries weight; `ahead` were judged behind a text that waits.
    `waiting` are all that wait, `disputed` those of them that an adjudicator has to decide.
    """

    seed: int
    by: str
    created: str
    campaigns: tuple[str, ...]
    judged: int
    skipped: int
    ahead: int
    waiting: int
    disputed: int


def sample_of(snapshot: Snapshot, campaign: str | None = None) -> SampleState | None:
    """How far the newest draw is judged, of all that it has or of a campaign; None where there is none."""
    stored = _stored(snapshot, campaign)
    if stored is None:
        return None
    judged = skipped = ahead = waiting = disputed = 0
    tasks, texts = {task.text_id: task for task in snapshot.tasks}, snapshot.texts
    # Every page of the queue asks: most texts wait, and nothing else is to be known of these.
    for text_id in _drawn(snapshot, stored, campaign):
        task = tasks.get(text_id)
        if task and not waiting and texts[text_id].unanswered:
            skipped += 1
        elif task:
            waiting += 1
            disputed += task.disputed
        elif texts[text_id].judged:
            judged, ahead = (judged, ahead + 1) if waiting else (judged + 1, ahead)
        # Others were decided by a rule, and left the draw.
    about = stored.draw.seed, stored.by, stored.created, stored.campaigns
    return SampleState(*about, judged, skipped, ahead, waiting, disputed)


@dataclass(frozen=True, slots=True)
class ShownSample:
    """How far the newest draw is judged, None where there is none; `new` texts wait and are not in it."""

    sample: SampleState | None
    new: int


def show_sample(reader: Reader, campaign: str | None = None) -> ShownSample:
    """Numbers alone: nobody learns anything of a text."""
    return ShownSample(sample_of(reader.snapshot, campaign), new_texts(reader.snapshot, campaign))


def sample_tasks(snapshot: Snapshot, campaign: str | None = None) -> list[WaitingText]:
    """The texts of the newest draw that an annotator can decide, in its order."""
    stored = _stored(snapshot, campaign)
    if stored is None:
        return []
    tasks = {task.text_id: task for task in snapshot.undisputed}
    return [tasks[text_id] for text_id in _drawn(snapshot, stored, campaign) if text_id in tasks]


def new_texts(snapshot: Snapshot, campaign: str | None = None) -> int:
    """How many texts wait that the draw does not have: with new outputs, or a rule taken back, it takes a new one."""
    stored = _stored(snapshot, campaign)
    return _new(snapshot, stored, [campaign] if campaign is not None else snapshot.campaigns)


def drawn_of(snapshot: Snapshot, campaigns: Sequence[str] | None) -> Draw:
    """The draw from which some campaigns, or all, are estimated."""
    wanted = snapshot.campaigns if campaigns is None else campaigns
    stored = snapshot.draw_of(wanted)
    new = _new(snapshot, stored, wanted)
    if stored is None and not new:
        raise BadOption("no text is undecided; there is nothing to estimate")
    if stored is None:
        raise BadOption(f"there is no sample of {plural(new, 'undecided text')} yet; an admin draws it: Queue, Sample")
    if new:
        raise BadOption(
            f"{plural(new, 'undecided text')} not in the sample, from new outputs or changed rules; an admin draws "
            "anew: Queue, Sample"
        )
    return snapshot.with_skips(stored)


def _new(snapshot: Snapshot, stored: StoredDraw | None, campaigns: Collection[str]) -> int:
    drawn, wanted = set(stored.text_ids) if stored else (), _written(snapshot, campaigns)
    return sum(task.text_id in wanted and task.text_id not in drawn for task in snapshot.tasks)


def draw_sample(change: Change, campaign: str | None = None) -> None:
    """Draw what is undecided in a campaign, or in all."""
    change.user.need("admin")
    snapshot = change.snapshot
    campaigns = [campaign] if campaign is not None else snapshot.campaigns
    snapshot.written.columns(campaigns)
    if not new_texts(snapshot, campaign):
        raise BadOption(
            "the sample that was drawn has all undecided texts; go on with it"
            if _stored(snapshot, campaign)
            else "no text is undecided; there is nothing to sample"
        )
    draw = new_draw(snapshot.written_texts(campaigns), seed=next_seed(change.db, snapshot.stored.id))
    ids = {(snapshot.items[text.place].id, text.value): text.id for text in snapshot.texts.values()}
    texts = tuple((text.item, text.text, text.size) for text in draw.texts)
    past = PastDraw(change.user.name, "", draw.seed, tuple(campaigns), draw.systems, texts)
    add_draw(change.db, snapshot.stored.id, change.user, past, [ids[item, text] for item, text, _ in texts])
    record(change.db, change.user.name, "draw", _told(snapshot.stored.suite.name, draw, campaigns))
    change.read_again()


def _told(suite: str, draw: Draw, campaigns: Sequence[str]) -> str:
    """A draw in the audit trail."""
    where = f" ({', '.join(campaigns)})" if any(campaigns) else ""
    systems = plural(len(draw.systems), "system")
    return f"{suite}{where}: {plural(len(draw.texts), 'undecided text')} of {systems}, seed {draw.seed}"


def _stored(snapshot: Snapshot, campaign: str | None) -> StoredDraw | None:
    return snapshot.draw_of([campaign] if campaign is not None else ())


def _drawn(snapshot: Snapshot, stored: StoredDraw, campaign: str | None) -> list[int]:
    """The texts of a draw that somebody (of a campaign) still writes, in its order."""
    written = _written(snapshot, [campaign] if campaign is not None else stored.campaigns)
    return [text_id for text_id in stored.text_ids if text_id in written]


def _written(snapshot: Snapshot, campaigns: Collection[str]) -> frozenset[int]:
    found = [snapshot.written.texts_of.get(campaign, frozenset()) for campaign in dict.fromkeys(campaigns)]
    return found[0] if len(found) == 1 else frozenset().union(*found)
