"""Who did what to a suite: judgements, revisions, imports, draws, as one line of deeds."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Connection, func, literal, select, union_all

from assay.verdicts.judgements import Event
from assay.workbench.db.judgements import event_of, every_event, in_suite
from assay.workbench.db.schema import (
    campaigns,
    draw_texts,
    draws,
    items,
    judgements,
    revisions,
    systems,
    texts,
    users,
    versions,
)

Kind = Literal["judgement", "skip", "undo", "adjudication", "import", "edit", "outputs", "draw"]


@dataclass(frozen=True, slots=True)
class HistoryRef:
    """Something that somebody did to a suite: where it is kept, and under which id.

    `kind` is that of an event, or `edit` (a revision), `outputs` (systems of one campaign, imported together), or
    `draw` (a sample drawn).
    """

    kind: Kind
    id: int
    by: str
    created: str


def deeds(
    db: Connection, suite_id: int, *, by: str = "", kind: str = "", limit: int = 50, skip: int = 0
) -> list[HistoryRef]:
    """What was done to a suite, the newest first; of one person, or of one kind."""
    judged = in_suite(suite_id).with_only_columns(
        judgements.c.kind, judgements.c.id, users.c.name, judgements.c.created
    )
    edited = (
        select(literal("edit").label("kind"), revisions.c.id, users.c.name, revisions.c.created)
        .join(users, users.c.id == revisions.c.user_id)
        .where(revisions.c.suite_id == suite_id)
    )
    minute = func.substr(systems.c.imported, 1, 16)
    brought = (
        select(
            literal("outputs").label("kind"),
            func.min(systems.c.id).label("id"),
            users.c.name,
            func.max(systems.c.imported).label("created"),
        )
        .join(users, users.c.id == systems.c.user_id)
        .where(systems.c.suite_id == suite_id)
        .group_by(systems.c.campaign_id, users.c.name, minute)
    )
    drawn = (
        select(literal("draw").label("kind"), draws.c.id, users.c.name, draws.c.created)
        .join(users, users.c.id == draws.c.user_id)
        .where(draws.c.suite_id == suite_id)
    )
    done = union_all(judged.order_by(None), edited, brought, drawn).subquery()
    query = select(done).order_by(done.c.created.desc(), done.c.kind, done.c.id.desc()).limit(limit).offset(skip)
    if by:
        query = query.where(done.c.name == by)
    if kind:
        query = query.where(done.c.kind == kind)
    return [HistoryRef(*row) for row in db.execute(query)]


@dataclass(frozen=True, slots=True)
class JudgedText:
    """An event with the text and the item that it belongs to, and whether it was taken back."""

    event: Event
    item: str
    text: str
    undone: bool


def judged(db: Connection, event_ids: Collection[int]) -> dict[int, JudgedText]:
    """Event id -> the event and its text; also of the events that these take back."""
    query = every_event().add_columns(items.c.key, texts.c.value).join(texts).join(items)
    taken = select(judgements.c.undoes).where(judgements.c.id.in_(event_ids), judgements.c.undoes.is_not(None))
    rows = db.execute(query.where(judgements.c.id.in_(event_ids) | judgements.c.id.in_(taken))).all()
    known = [row.event_id for row in rows]
    undone = set(db.execute(select(judgements.c.undoes).where(judgements.c.undoes.in_(known))).scalars())
    return {row.event_id: JudgedText(event_of(row), row.key, row.value, row.event_id in undone) for row in rows}


@dataclass(frozen=True, slots=True)
class RevisionMade:
    """A revision: its number, what its author wrote, and the first of the items that it changed."""

    number: int
    comment: str
    changed: int
    items: tuple[str, ...]


def edited(db: Connection, revision_ids: Collection[int], most: int = 5) -> dict[int, RevisionMade]:
    """Revision id -> what it changed."""
    rank = func.row_number().over(partition_by=versions.c.revision_id, order_by=versions.c.id).label("rank")
    ranked = (
        select(versions.c.revision_id, items.c.key, rank)
        .select_from(versions.join(items))
        .where(versions.c.revision_id.in_(revision_ids))
        .subquery()
    )
    counts = select(ranked.c.revision_id, func.max(ranked.c.rank)).group_by(ranked.c.revision_id)
    numbers: dict[int, int] = dict(db.execute(counts).all())
    named: dict[int, list[str]] = {}
    chosen = select(ranked.c.revision_id, ranked.c.key).where(ranked.c.rank <= most).order_by(ranked.c.rank)
    for revision_id, key in db.execute(chosen):
        named.setdefault(revision_id, []).append(key)
    rows = db.execute(select(revisions).where(revisions.c.id.in_(revision_ids)))
    return {
        row.id: RevisionMade(row.number, row.comment, numbers.get(row.id, 0), tuple(named.get(row.id, ())))
        for row in rows
    }


@dataclass(frozen=True, slots=True)
class SystemsImported:
    """Systems of one campaign whose outputs were imported together."""

    campaign: str
    systems: tuple[str, ...]


def brought(db: Connection, suite_id: int) -> dict[int, SystemsImported]:
    """The id of the first system of each import -> the systems that came with it."""
    minute = func.substr(systems.c.imported, 1, 16).label("minute")
    query = (
        select(systems.c.id, systems.c.name, systems.c.user_id, campaigns.c.name.label("campaign"), minute)
        .join(campaigns, campaigns.c.id == systems.c.campaign_id)
        .where(systems.c.suite_id == suite_id)
        .order_by(systems.c.id)
    )
    together: dict[tuple[str, str, int], list[Any]] = {}
    for row in db.execute(query):
        together.setdefault((row.campaign, row.minute, row.user_id), []).append(row)
    return {rows[0].id: SystemsImported(key[0], tuple(row.name for row in rows)) for key, rows in together.items()}


@dataclass(frozen=True, slots=True)
class SampleDrawn:
    """A draw: its seed, the campaigns it is of, how many systems, and how many texts were undecided."""

    seed: int
    campaigns: tuple[str, ...]
    systems: int
    texts: int


def drawn(db: Connection, draw_ids: Collection[int]) -> dict[int, SampleDrawn]:
    """Draw id -> what was drawn."""
    number = select(func.count()).where(draw_texts.c.draw_id == draws.c.id).scalar_subquery()
    query = select(draws, number.label("texts")).where(draws.c.id.in_(draw_ids))
    return {
        row.id: SampleDrawn(row.seed, tuple(row.campaigns), len(row.systems), row.texts) for row in db.execute(query)
    }
