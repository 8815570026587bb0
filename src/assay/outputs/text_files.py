"""More texts than memory should hold, in temporary files that vanish with the process.

spool = Spool(items=5500)
spool.add(texts, owners, codes, columns)  # a batch
texts, owners, codes = spool.merge(systems=1000)
"""

import pickle
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise
from os import pread
from typing import IO, Any, BinaryIO, cast, overload
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError

Ints = NDArray[np.int32]

ITEMS = 64
"""Items of a part: the distinct texts of so many items are in memory together when batches are merged."""

_BLOCK = 1024
_BLOCKS_KEPT = 8


def pack(text: str) -> bytes:
    """A text as the file has it; half characters, which some systems write, survive."""
    return text.encode("utf-8", "surrogatepass")


class TextFile(Sequence[str]):
    """A sequence of texts in a temporary file. Reading is quickest in order: some thousand texts are kept."""

    def __init__(self) -> None:
        self._file = _file(self)
        self._lengths = array("i")
        self._starts = [0]
        """Where each block of texts starts in the file."""
        self._end = 0
        self._kept: OrderedDict[int, list[str]] = OrderedDict()

    def extend(self, texts: Iterable[str]) -> None:
        """Add texts."""
        self.extend_packed([pack(text) for text in texts])

    def extend_packed(self, packed: Sequence[bytes]) -> None:
        """Add texts that are bytes already."""
        ends = list(accumulate(map(len, packed), initial=self._end))
        # A block starts where the one before is full.
        self._starts += ends[_BLOCK - len(self._lengths) % _BLOCK :: _BLOCK]
        self._lengths.extend(map(len, packed))
        self._end = ends[-1]
        self._kept.clear()
        with _space():
            self._file.write(b"".join(packed))
            self._file.flush()

    def __reduce__(self) -> tuple[Any, ...]:
        # In another process it is another temporary file, which `extend` fills.
        return TextFile, (), None, iter(self)

    def __len__(self) -> int:
        return len(self._lengths)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        numbers = range(len(self))[index]
        if isinstance(numbers, int):
            return self._block(numbers // _BLOCK)[numbers % _BLOCK]
        return [self._block(number // _BLOCK)[number % _BLOCK] for number in numbers]

    def __iter__(self) -> Iterator[str]:
        for number in range(0, len(self), _BLOCK):
            yield from self._block(number // _BLOCK)

    def _block(self, number: int) -> list[str]:
        if number in self._kept:
            return self._kept[number]
        lengths = self._lengths[number * _BLOCK : (number + 1) * _BLOCK]
        data = pread(self._file.fileno(), sum(lengths), self._starts[number])
        texts, start = [], 0
        for length in lengths:
            texts.append(data[start : start + length].decode("utf-8", "surrogatepass"))
            start += length
        if len(self._kept) >= _BLOCKS_KEPT:
            self._kept.popitem(last=False)
        self._kept[number] = texts
        return texts


@dataclass(frozen=True, slots=True)
class _Batch:
    """The systems of a batch, and where its parts are in the file: part -> (start, length)."""

    columns: list[int]
    parts: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Part:
    """Some items of a batch: distinct texts, whose they are, and codes as places in these texts; items × columns.

    Texts are bytes, as in the file that they end in: on their way they are compared, and never read.
    """

    texts: list[bytes]
    owners: Ints
    codes: Ints


class Spool:
    """Batches of outputs on their way to `Outputs`: distinct within a batch at first, and over all in the end."""

    def __init__(self, items: int) -> None:
        self._items = items
        self._file = _file(self)
        self._batches: list[_Batch] = []

    def add(self, texts: Sequence[str], owners: Ints, codes: Ints, columns: list[int]) -> None:
        """A batch: `codes[i, k]` is the place in `texts` of what system `columns[k]` wrote for item i, or -1."""
        order = np.argsort(owners, kind="stable")
        renumbered = np.empty(len(order) + 1, dtype=np.int32)
        renumbered[order] = np.arange(len(order), dtype=np.int32)
        renumbered[-1] = -1
        bounds = np.searchsorted(owners[order], np.arange(0, self._items + ITEMS, ITEMS)).tolist()
        parts = {}
        with _space():
            for number, (start, end) in enumerate(pairwise(bounds)):
                if start == end:
                    continue
                first, chosen = number * ITEMS, order[start:end]
                places = renumbered[codes[first : first + ITEMS]]
                part = _Part(
                    [pack(texts[place]) for place in chosen.tolist()],
                    owners[chosen] - first,
                    np.where(places >= 0, places - start, -1).astype(np.int32),
                )
                data = pickle.dumps(part, protocol=pickle.HIGHEST_PROTOCOL)
                parts[number] = (self._file.tell(), len(data))
                self._file.write(data)
            self._file.flush()
        self._batches.append(_Batch(columns, parts))

    def merge(self, systems: int) -> tuple[TextFile, Ints, Ints]:
        """Texts, owners and codes of `Outputs`; the texts of an item stand together."""
        texts, owners = TextFile(), array("i")
        codes = np.full((self._items, systems), -1, dtype=np.int32)
        for number, first in enumerate(range(0, self._items, ITEMS)):
            batches = [batch for batch in self._batches if number in batch.parts]
            parts = [self._read(batch.parts[number]) for batch in batches]
            seen: list[dict[bytes, int]] = [{} for _ in range(min(ITEMS, self._items - first))]
            places = [
                np.fromiter(
                    (
                        known.setdefault(text, len(known))
                        for known, text in zip([seen[owner] for owner in part.owners.tolist()], part.texts, strict=True)
                    ),
                    np.int32,
                    len(part.texts),
                )
                for part in parts
            ]
            starts = len(texts) + np.cumsum([0, *(len(known) for known in seen[:-1])], dtype=np.int64)
            for batch, part, found in zip(batches, parts, places, strict=True):
                final = np.append(starts[part.owners] + found, -1).astype(np.int32)
                block = codes[first : first + ITEMS]
                block[:, batch.columns] = np.where(part.codes >= 0, final[part.codes], block[:, batch.columns])
            for place, known in enumerate(seen, start=first):
                owners.extend([place] * len(known))
            texts.extend_packed([text for known in seen for text in known])
        return texts, np.frombuffer(owners, dtype=np.intc).astype(np.int32, copy=False), codes

    def _read(self, place: tuple[int, int]) -> _Part:
        start, length = place
        part: _Part = pickle.loads(pread(self._file.fileno(), length, start))
        return part


def _file(owner: object) -> BinaryIO:
    """A temporary file that has no name, and is closed when its owner is gone."""
    # Few evaluations are so large that they need one.
    import tempfile

    with _space():
        file = tempfile.TemporaryFile()  # noqa: SIM115
    finalize(owner, _close, file)
    return cast(BinaryIO, file)


def _close(file: "IO[bytes]") -> None:
    with suppress(OSError):  # it would write what did not fit
        file.close()


@contextmanager
def _space() -> Iterator[None]:
    """Temporary files need room."""
    try:
        yield
    except OSError as error:
        import tempfile

        place = f"{tempfile.tempdir}: " if tempfile.tempdir else ""
        raise AssayError(
            f"{place}a temporary file cannot be written ({error.strerror}); "
            "make room there, or name another folder in TMPDIR"
        ) from None
