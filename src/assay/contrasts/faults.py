"""Renderings that are called faults: how often each translation has them, and how often people agreed.

    for found in fault_counts(renderings):
        print(found.fault.name, found.precision.share, [count.share for count in found.counts])

A rendering is a fault where nearly all other translations of the same keyword have another one; so a fault is relative
to what is compared, and people are held to it as systems are. How often it is one in truth is known only from reading:
without that, and below `TRUSTED`, it is called unusual.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.contrasts.counts import GoodShare, share
from assay.contrasts.patterns import Patterns
from assay.contrasts.records import ALIGNED, Fault
from assay.contrasts.renderings import Renderings, RenderingTable
from assay.errors import BadFile
from assay.tsv import read_tsv

TRUSTED = 0.7
"""Precision from which on a rendering is called a fault."""

OTHERS = 5
"""Known renderings of others that it takes to say what most do."""

VERDICTS = ("fault", "clumsy", "fine")


@dataclass(frozen=True, slots=True)
class FaultCounts:
    """How many known renderings of each translation are a fault; `precision` is of those that people have read."""

    fault: Fault
    counts: tuple[GoodShare, ...]
    precision: GoodShare

    @property
    def word(self) -> str:
        """What it may be called."""
        precision = self.precision.value
        return "fault" if precision is not None and precision >= TRUSTED else "unusual"

    @property
    def trust(self) -> str:
        """How far it can be trusted, in words."""
        found = self.precision
        if found.value is None or found.low is None or found.high is None:
            return "nobody has read any of them, so it is not known how many are wrong"
        interval = f"{100 * found.low:.0f}–{100 * found.high:.0f} %"
        return f"of {found.total} that were read {found.good} were faults ({100 * found.value:.0f} %, 95 % {interval})"


def fault_counts(found: Renderings) -> Iterator[FaultCounts]:
    """Every declared fault of the constructions that were found."""
    for fault in found.contrasts.faults:
        for table in found.tables:
            if table.construction.name == fault.construction:
                places = fault_places(found, table, fault)
                known = (table.codes >= 0).sum(axis=0)
                counts = tuple(share(int(count), int(of)) for count, of in zip(places.sum(axis=0), known, strict=True))
                yield FaultCounts(fault, counts, precision(fault))


def fault_places(
    renderings: Renderings, table: RenderingTable, fault: Fault
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Keywords × translations: whether the rendering is this fault."""
    known = table.codes >= 0
    most = np.isin(table.codes, [table.names.index(name) for name in fault.most if name in table.names])
    own = np.isin(table.codes, [table.names.index(name) for name in fault.renderings if name in table.names])
    # All translations but the one that is looked at.
    others = known.sum(1, keepdims=True) - known
    agreeing = most.sum(1, keepdims=True) - most
    found: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = (
        own & (others >= OTHERS) & (agreeing >= fault.share * others)
    )
    patterns = Patterns(fault.one_of, fault.none_of, keyword=ALIGNED)
    for row, column in np.argwhere(found):
        tree = renderings.translations[column].trees.get(int(table.lines[row]))
        # A rendering without a word is that of a keyword with links to function words only.
        word = int(table.targets[row, column])
        found[row, column] = tree is None or word < 0 or patterns.matches(tree, word)
    return found


def precision(fault: Fault) -> GoodShare:
    """How many of the read ones are faults; nothing where nobody has read any."""
    if not fault.read:
        return share(0, 0)
    path = Path(fault.read)
    verdicts = []
    for line, record in read_tsv(path):
        if record.get("fault") != fault.name:
            continue
        verdict = record.get("verdict", "")
        if verdict not in VERDICTS:
            raise BadFile(path, f"{verdict!r} is no verdict", line=line, cure=f"write one of {', '.join(VERDICTS)}")
        verdicts.append(verdict)
    return share(verdicts.count("fault"), len(verdicts))
