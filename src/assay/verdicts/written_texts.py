"""The distinct texts of a verdict table: each normalised text of an item once, with all systems that wrote it.

    texts = written_texts(table)
    texts.verdicts[texts.numbers]       # items found × systems, as in the table; mind -1, where an output is missing

A linguist judges texts, not outputs: whoever samples or predicts judgements works with these.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from assay.text import normalise
from assay.verdicts.findings import Findings
from assay.verdicts.verdict import MISSING, Verdict, VerdictTable


@dataclass(frozen=True)
class WrittenTexts:
    """Text t belongs to row `rows[t]` of the verdict table; `numbers` are rows × systems, -1 where nothing was written.

    `judged` are those that exact rules alone decide: somebody looked at the very text.
    """

    table: VerdictTable
    rows: NDArray[np.intp]
    texts: list[str]
    verdicts: NDArray[np.int8]
    judged: NDArray[np.bool_]
    numbers: NDArray[np.intp]

    @property
    def undecided(self) -> NDArray[np.bool_]:
        """The texts that wait for a judgement."""
        return np.asarray(self.verdicts == Verdict.WARNING)

    def outputs_of(self) -> NDArray[np.intp]:
        """How many systems wrote each text."""
        return np.bincount(self.numbers[self.numbers >= 0], minlength=len(self.texts))

    def places(self) -> dict[tuple[str, str], int]:
        """(item id, text) -> its number."""
        return self._places

    @cached_property
    def _places(self) -> dict[tuple[str, str], int]:
        ids = [self.table.suite.items[position].id for position in self.table.items.tolist()]
        return {(ids[row], text): place for place, (row, text) in enumerate(zip(self.rows, self.texts, strict=True))}


def written_texts(table: VerdictTable) -> WrittenTexts:
    """The texts in the order of items, and within an item of the systems that wrote them first."""
    outputs, known_verdicts, is_judged, missing = table.outputs, *_glance(table)
    numbers = np.full(table.verdicts.shape, -1, dtype=np.intp)
    texts: list[str] = []
    rows, verdicts, judged = [], [], []
    for row, codes in enumerate(outputs.codes[table.items].tolist()):
        known: dict[str, int] = {}
        placed = {-1: -1}
        # Each text once, however many systems wrote it.
        for code in dict.fromkeys(codes):
            if code < 0 or missing[code]:
                placed[code] = -1
                continue
            # Texts of an item that differ in nothing but what is normalised are the same text.
            text = normalise(outputs.texts[code])
            place = placed[code] = known.setdefault(text, len(texts))
            if place == len(texts):
                rows.append(row)
                texts.append(text)
                verdicts.append(known_verdicts[code])
                judged.append(is_judged[code])
        numbers[row] = [placed[code] for code in codes]
    return WrittenTexts(
        table,
        np.array(rows, dtype=np.intp),
        texts,
        np.array(verdicts, dtype=np.int8),
        np.array(judged, dtype=np.bool_),
        numbers,
    )


def _glance(table: VerdictTable) -> tuple[list[int], list[bool], list[bool]]:
    """Of each text of the outputs its verdict, whether somebody judged it, and whether there is nothing to judge."""
    findings = table.findings
    if isinstance(findings, Findings):
        missing = findings.with_reason("missing") | ~findings.found
        return findings.verdicts.tolist(), findings.judged.tolist(), missing.tolist()
    found = [finding or MISSING for finding in findings]
    return (
        [one.verdict.value for one in found],
        [one.is_judged for one in found],
        [one.reason == "missing" for one in found],
    )
