"""How many outputs of each system are missing, or no translations.

found = UnusableOutputs.of(table)
found.counts()["missing"]           # one number per system
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.outputs.unusable import UNUSABLE, unusable_texts
from assay.verdicts import VerdictTable, missing_outputs

UnusableKind = Literal["missing", "untranslated", "refused", "looping"]
KINDS: tuple[UnusableKind, ...] = ("missing", *UNUSABLE)


@dataclass(frozen=True, slots=True)
class UnusableOutputs:
    """`codes` has items found × systems: 0 where an output can be used, otherwise 1 + the place of its kind."""

    codes: NDArray[np.int8]

    @classmethod
    def of(cls, table: VerdictTable, order: Sequence[int] | None = None) -> "UnusableOutputs":
        """Of all outputs of a verdict table; its columns in this order, or as they are."""
        texts = unusable_texts(table.suite, table.outputs)
        missing = np.int8(1)
        codes = table.outputs.laid_out(np.where(texts > 0, texts + 1, 0).astype(np.int8), table.items, missing=missing)
        codes[missing_outputs(table)] = missing
        return cls(codes if order is None else codes[:, list(order)])

    def counts(self) -> dict[UnusableKind, list[int]]:
        """Kind -> how many each system has; without kinds that nobody has."""
        found = {kind: (self.codes == code).sum(axis=0).tolist() for code, kind in enumerate(KINDS, start=1)}
        return {kind: numbers for kind, numbers in found.items() if any(numbers)}
