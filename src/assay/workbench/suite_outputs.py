"""What systems wrote for a suite of the database, which only an import changes."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from assay.errors import UnknownName
from assay.lru import LruCache
from assay.outputs import Outputs
from assay.prediction import TwinForm
from assay.suggest import Related
from assay.verdicts import keep_translated
from assay.workbench.db.draws import StoredDraw
from assay.workbench.db.judgements import OwnWork
from assay.workbench.db.outputs import OutputRow, StoredSystem
from assay.workbench.figures import Figures
from assay.workbench.snapshot_text import SnapshotText

MOST_COUNTS: Final = 50
"""Choices of filters of which the texts that ever waited are kept."""

MOST_PEOPLE: Final = 500
"""Annotators whose last work is kept in memory."""


@dataclass(frozen=True, slots=True)
class PhenomenonCount:
    """The verdicts of a phenomenon, and the texts of each of its items, as they were at one moment.

    What is left without the verdicts of an item at that moment (`by_place`, counted when somebody asks) owes nothing to
    the item.
    """

    every: Related
    texts: Mapping[int, Sequence[SnapshotText]]
    by_place: dict[int, Related] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class SuiteOutputs:
    """What systems wrote for a suite, and what else only an import changes; successive snapshots share it.

    `places` has the place of each item id; `by_item` lists the text ids of each item. `texts` are as they were when
    they were read: their values and first verdicts stay. `code_texts` says which text each code of `outputs` stands
    for; `text_of_code` is the same as an array, with -1 for the code -1. `draws` are the samples of them that are in
    use, the newest first.
    """

    change: int
    places: Mapping[int, int]
    systems: Sequence[StoredSystem]
    texts: Mapping[int, SnapshotText]
    by_item: Sequence[Sequence[int]]
    outputs: Outputs
    code_texts: Sequence[int]
    text_of_code: NDArray[np.int64]
    draws: Sequence[StoredDraw] = ()
    ever_waited: LruCache[Hashable, frozenset[int]] = field(default_factory=lambda: LruCache(MOST_COUNTS))
    """Filters of the queue -> the texts that fit them and waited when they were first seen."""
    counts: dict[tuple[str, str], PhenomenonCount] = field(default_factory=dict)
    """Category and phenomenon -> its verdicts, of which at most `STALE` texts have changed since."""
    forms: dict[int, TwinForm] = field(default_factory=dict)
    """Text id -> what it has in common with its twins, as far as somebody has asked."""
    twin_counts: dict[tuple[str, str], Mapping[int, tuple[int, int]]] = field(default_factory=dict)
    """Category and phenomenon -> of each of its items, how many groups of decided twins have one verdict, and both."""
    same_sources: dict[int, Mapping[int, tuple[int, ...]]] = field(default_factory=dict)
    """Revision -> place of an item -> the places of others with the same source."""
    doubts: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """Text id -> what looks wrong about it, as far as somebody has asked."""
    own_work: LruCache[int, OwnWork] = field(default_factory=lambda: LruCache(MOST_PEOPLE))
    """User id -> what they did last, and skipped, as far as somebody has asked."""
    figures: Figures = field(default_factory=Figures)
    """What is worked out from all judgements of the suite."""

    @cached_property
    def campaigns(self) -> list[str]:
        """Names of the campaigns, in the order of their first import."""
        return list(dict.fromkeys(stored.system.campaign for stored in self.systems))

    def columns(self, campaigns: Sequence[str] | None = None) -> list[int]:
        """The columns of the systems of some campaigns, or of all."""
        for name in campaigns or ():
            if name not in self.campaigns:
                raise UnknownName("campaign", name, self.campaigns)
        return [
            column for column, stored in enumerate(self.systems) if not campaigns or stored.system.campaign in campaigns
        ]

    @cached_property
    def kept(self) -> dict[str, list[int]]:
        """Campaign -> the columns of its systems that translated the suite."""
        found = {}
        for campaign in self.campaigns:
            columns = self.columns([campaign])
            chosen = self.outputs.select(columns)
            kept = keep_translated(chosen, chosen.found)[0].systems
            found[campaign] = [column for column in columns if self.outputs.systems[column] in kept]
        return found

    @cached_property
    def texts_of(self) -> dict[str, frozenset[int]]:
        """Campaign -> the texts that its systems wrote which translated the suite."""
        return {
            campaign: frozenset(self.text_of_code[self.outputs.codes[:, columns]].ravel().tolist()) - {-1}
            for campaign, columns in self.kept.items()
        }

    @cached_property
    def folded(self) -> list[str]:
        """The outputs of each item in small letters, one after the other, to look for words in."""
        return ["\n".join(self.texts[text_id].value for text_id in ids).casefold() for ids in self.by_item]


def pair_outputs(
    change: int,
    places: Mapping[int, int],
    systems: Sequence[StoredSystem],
    texts: Mapping[int, SnapshotText],
    rows: Sequence[OutputRow],
    draws: Sequence[StoredDraw] = (),
) -> SuiteOutputs:
    """Rows of outputs (system id, item id, text id, raw) as one record."""
    by_item: list[list[int]] = [[] for _ in places]
    for text in texts.values():
        by_item[text.place].append(text.id)
    columns = {system.id: column for column, system in enumerate(systems)}
    codes = np.full((len(places), len(systems)), -1, dtype=np.int32)
    seen: dict[tuple[int, str | None], int] = {}
    written: list[str] = []
    owners: list[int] = []
    code_texts: list[int] = []
    for system_id, item_id, text_id, raw in rows:
        place = places.get(item_id)
        if place is None:
            continue
        code = seen.get((text_id, raw))
        if code is None:
            code = seen[text_id, raw] = len(written)
            written.append(texts[text_id].value if raw is None else raw)
            owners.append(place)
            code_texts.append(text_id)
        codes[place, columns[system_id]] = code
    named = tuple(stored.system for stored in systems)
    text_of_code = np.array([*code_texts, -1], dtype=np.int64)
    return SuiteOutputs(
        change=change,
        places=places,
        systems=systems,
        texts=texts,
        by_item=by_item,
        outputs=Outputs(named, tuple(written), np.array(owners, dtype=np.int32), codes, text_of_code[:-1]),
        code_texts=code_texts,
        text_of_code=text_of_code,
        draws=draws,
    )
