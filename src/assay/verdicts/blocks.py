"""Judging in blocks of items, by whatever executor: the same findings as in one go.

    with open_executor("local", jobs=2) as executor:
        findings = judge_texts(suite, outputs, executor)

A block holds what is needed to judge it, and nothing else has to be on the machine that does.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from assay.outputs import Outputs
from assay.parallel import HERE, Executor
from assay.progress import Progress
from assay.suites import Item, Suite
from assay.verdicts.findings import Findings, Packed, pack
from assay.verdicts.judge import RuleJudge
from assay.verdicts.patience import Patience

BLOCK = 8192
"""Texts of a block at least, so that its work outweighs its way; the texts of an item stay together."""

_BY_TEXT = frozenset({"regex", "exact", "contains"})
"""Kinds of rules that look at the text and nothing else."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some items with their rules only, and the texts of one after the other; `sizes` says how many each has.

    The blocks of one `run` share their patience with slow rules.
    """

    run: str
    items: tuple[Item, ...]
    sizes: tuple[int, ...]
    texts: tuple[str, ...]


def judge_block(block: Block) -> Packed:
    """What the texts of a block are worth."""
    judge, texts = RuleJudge(block.items, _patience(block.run)), iter(block.texts)
    return pack(
        judge.numbers(item.id, text)
        for item, size in zip(block.items, block.sizes, strict=True)
        for text in islice(texts, size)
    )


@lru_cache(maxsize=8)  # a worker of a cluster serves several commands, one after the other
def _patience(run: str) -> Patience:
    return Patience()


def judge_texts(
    suite: Suite, outputs: Outputs, executor: Executor = HERE, *, progress: Progress | None = None
) -> Findings:
    """The finding for each distinct text that a system wrote; None for texts of systems not in `outputs`.

    `progress` is told how many more texts are judged.
    """
    codes, counts = _written(outputs, len(suite))
    bounds = _bounds(counts)
    blocks = _blocks(suite, outputs, codes, counts, whole=executor is HERE)

    def pieces() -> Iterator[tuple[NDArray[np.int32], Packed]]:
        end = 0
        with closing(executor.map(judge_block, blocks)) as working:
            for (first, last), packed in zip(bounds, working, strict=True):
                start, end = end, end + int(counts[first:last].sum())
                yield codes[start:end], packed
                if progress is not None:
                    progress(end - start)

    return Findings(suite, outputs, pieces())


def _written(outputs: Outputs, items: int) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The codes of the texts that at least one of the systems wrote, item by item; how many each item has."""
    used = np.zeros(len(outputs.texts) + 1, dtype=bool)
    for codes in outputs.codes:
        used[codes] = True  # what is missing has the code -1, which is the last place
    codes = np.flatnonzero(used[:-1]).astype(np.int32)
    owners = outputs.owners[codes]
    if (owners[1:] < owners[:-1]).any():
        codes = codes[np.argsort(owners, kind="stable")]
    return codes, np.bincount(owners, minlength=items)


def _bounds(counts: NDArray[np.intp]) -> list[tuple[int, int]]:
    """[first, last) items of each block. Items without a text are in one too: their rules are checked like all."""
    bounds, first, texts = [], 0, 0
    for place, count in enumerate(counts.tolist(), start=1):
        texts += count
        if texts >= BLOCK or place == len(counts):
            bounds.append((first, place))
            first, texts = place, 0
    return bounds


def _blocks(
    suite: Suite, outputs: Outputs, codes: NDArray[np.int32], counts: NDArray[np.intp], *, whole: bool
) -> Iterator[Block]:
    """The blocks, with `whole` items where they stay in this process."""
    end, run = 0, os.urandom(8).hex()
    for first, last in _bounds(counts):
        sizes = tuple(counts[first:last].tolist())
        start, end = end, end + sum(sizes)
        items = suite.items[first:last] if whole else tuple(map(_rules_only, suite.items[first:last]))
        yield Block(run, items, sizes, tuple(outputs.texts[code] for code in codes[start:end].tolist()))


def _rules_only(item: Item) -> Item:
    """The item without what its judge does not look at."""
    if all(rule.kind in _BY_TEXT and not rule.scope for rule in item.rules):
        return Item(item.id, "", "", "", item.rules, place=item.place)
    return Item(
        item.id,
        "",
        "",
        item.source,
        item.rules,
        prompt=item.prompt,
        context=item.context,
        langpair=item.langpair,
        place=item.place,
    )
