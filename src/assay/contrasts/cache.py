"""Trees and links, kept by content: what was parsed or aligned once is looked up the next time.

    with Cache(Path(".assay-cache")) as cache:
        trees = cache.trees(parser, lines).values
        links = cache.links(aligner, pairs).values

A tree is kept under the parser's signature (versions, content of the model) and the line. Links of an aligner that
looks at each pair alone are kept under its signature and the words it sees. One that learns from all pairs together,
and can go on from there (eflomal), is asked once: links that are known stay as they are, and those of further systems
are made from what the first large pool taught, which is kept too. Where an aligner cannot do that, links are also kept
under the words of the whole pool, so that one system more is another pool, and everything is aligned again.

The cache is one SQLite file. Every block of lines or pairs is written in a transaction as soon as its turn has come: a
run that is killed, or whose cluster dies, loses the blocks under way, and several runs may share a cache.
"""

import json
import os
import sqlite3
import sys
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from struct import error as StructError  # noqa: N812
from struct import iter_unpack, pack
from types import TracebackType
from typing import Generic, Self, TypeVar, cast

from assay.contrasts.aligners.base import SMALL_POOL, Aligner, PairAligner, PriorAligner, TextPair, Words
from assay.contrasts.parsers.base import Parser, load_model
from assay.contrasts.trees import Links, Token, Tree, features
from assay.errors import AssayError, BadFile
from assay.parallel import HERE, Executor
from assay.progress import Progress

T = TypeVar("T")

FILE = "contrasts-1.sqlite"
"""The number changes with the way trees and links are written."""

BLOCK = 50
"""Lines that a worker parses at a time."""

PAIRS = 1000
"""Pairs that a worker aligns at a time, where each is linked alone."""

PATIENCE = 60.0
"""Seconds to wait for another run that is writing."""


@dataclass(frozen=True, slots=True)
class CacheAnswer(Generic[T]):
    """The trees of lines, or the links of pairs, in their order; how many were distinct, and how many of those `new`,
    since they were neither in the cache nor in a file."""

    values: list[T]
    distinct: int
    new: int


def default_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """The folder of this user for what can be made again."""
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "assay"


class Cache:
    """Trees and links in a folder, which is made where it is missing; None keeps them in memory only."""

    def __init__(self, folder: Path | None) -> None:
        self.path = folder / FILE if folder else None
        with self._telling():
            if folder:
                folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(self.path or ":memory:", timeout=PATIENCE)
            try:
                for table in ("trees", "links", "priors"):
                    self._database.execute(
                        f"CREATE TABLE IF NOT EXISTS {table} (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
                    )
                self._database.commit()
            except BaseException:
                self._database.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def trees(
        self,
        parser: Parser,
        lines: Sequence[str],
        *,
        executor: Executor = HERE,
        progress: Progress | None = None,
        later: Iterable[Parser] = (),
    ) -> CacheAnswer[Tree]:
        """The tree of each line; those that are not known are parsed by the executor. `progress` is told of lines.

        Where one is not known, the models of the parsers that come `later` are read too: a damaged one is an error
        before hours of parsing, not after.
        """
        distinct = list(dict.fromkeys(lines))
        if not parser.computes:
            found = dict(zip(distinct, parser.parse(distinct), strict=True))
            return CacheAnswer([found[line] for line in lines], len(distinct), 0)
        keys = {line: _digest(parser.signature, line) for line in distinct}
        kept = self._get("trees", keys.values())
        known = {
            line: tree
            for line, key in keys.items()
            if key in kept and (tree := _sound(partial(unpack_tree, line=line), kept[key])) is not None
        }
        missing = [line for line in distinct if line not in known]
        for needed in (parser, *later) if missing else ():
            load_model(needed)
        blocks = _slices(missing, BLOCK)
        with closing(executor.map(partial(_parse, parser), blocks)) as working:
            for block, packed in zip(blocks, working, strict=True):
                self._put("trees", {keys[line]: tree for line, tree in zip(block, packed, strict=True)})
                known |= {line: unpack_tree(tree, line) for line, tree in zip(block, packed, strict=True)}
                if progress is not None:
                    progress(len(block))
        return CacheAnswer([known[line] for line in lines], len(distinct), len(missing))

    def links(
        self,
        aligner: Aligner,
        pairs: Sequence[TextPair],
        *,
        langpair: str = "",
        executor: Executor = HERE,
        progress: Progress | None = None,
        realign: bool = False,
        run: int = 1,
    ) -> CacheAnswer[Links]:
        """The links of each pair. Known ones stay, and new ones are made from what an earlier pool taught; where an
        aligner cannot do that and links depend on the pool, all are known or all are made.

        A pool cannot be cut, so it stays in this process; pairs that are linked alone are given to the executor. With
        `realign` nothing that is known counts. Where `differs` says that the aligner draws at random, each `run` has
        links of its own.
        """
        if aligner.scope == "file":
            return CacheAnswer(_align(aligner, pairs), len(pairs), 0)
        seen = [_written(*aligner.seen(pair)) for pair in pairs]
        keeps = differs(aligner)
        pool = _pool(run) if keeps else _digest(*sorted(set(seen))).hex() if aligner.scope == "pool" else ""
        keys = [_digest(aligner.signature, pool, words) for words in seen]
        # Key -> the first pair that has it, since of equal keys the last one written stays.
        first = dict(zip(reversed(keys), reversed(pairs), strict=True))
        kept = self._get("links", first) if not realign else {}
        known = {key: found for key, value in kept.items() if (found := _sound(unpack_links, value)) is not None}
        missing = [key for key in first if key not in known]
        # Links of two alignments of one pool are never mixed: an aligner need not give the same ones twice.
        if missing and aligner.scope == "pool" and not keeps:
            missing = list(first)
        if missing and keeps:
            learner = cast(PriorAligner, aligner)
            known |= self._further_links(learner, first, missing, langpair, realign=realign, run=run)
            if progress is not None:
                progress(len(missing))
            return CacheAnswer([known[key] for key in keys], len(first), len(missing))
        with closing(_linked(aligner, {key: first[key] for key in missing}, executor)) as working:
            for block, links in working:
                made = dict(zip(block, links, strict=True))
                self._put("links", {key: pack_links(found) for key, found in made.items()})
                known.update(made)
                if progress is not None:
                    progress(len(block))
        return CacheAnswer([known[key] for key in keys], len(first), len(missing))

    def needs_pool(self, aligner: Aligner, langpair: str, runs: Iterable[int]) -> bool:
        """Whether links have to be learnt from all pairs together, since there is nothing yet to make them from."""
        if not differs(aligner):
            return aligner.scope == "pool"
        places = {_priors_place(aligner, langpair, run) for run in runs}
        return places != self._get("priors", places).keys()

    def _further_links(
        self,
        aligner: PriorAligner,
        first: Mapping[bytes, TextPair],
        missing: Sequence[bytes],
        langpair: str,
        *,
        realign: bool,
        run: int,
    ) -> dict[bytes, Links]:
        """Links of pairs that are not known yet, from what an earlier pool taught, if there was one."""
        place = _priors_place(aligner, langpair, run)
        kept = self._get("priors", [place]).get(place, b"") if not realign else b""
        learnt = _sound(zlib.decompress, kept) if kept else None
        if learnt:
            links = aligner.align_from(learnt, [first[key] for key in missing])
            made = dict(zip(missing, _checked(aligner, links, len(missing)), strict=True))
        else:
            # With the known pairs, for what they teach; their own links stay what they are.
            links, priors = aligner.train(list(first.values()))
            linked = dict(zip(first, _checked(aligner, links, len(first)), strict=True))
            made = {key: linked[key] for key in missing}
            if len(first) >= SMALL_POOL:
                self._put("priors", {place: zlib.compress(priors)})
        self._put("links", {key: pack_links(found) for key, found in made.items()})
        return made

    def _get(self, table: str, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        found: dict[bytes, bytes] = {}
        with self._telling():
            for some in _slices(list(keys), 500):  # older builds of SQLite take 999 parameters at most
                marks = ",".join("?" * len(some))
                found.update(self._database.execute(f"SELECT key, value FROM {table} WHERE key IN ({marks})", some))
        return found

    def _put(self, table: str, values: Mapping[bytes, bytes]) -> None:
        # Also what is there is replaced: it may be damaged, or the links of an earlier alignment, see `links`.
        with self._telling(), self._database:
            self._database.executemany(f"INSERT OR REPLACE INTO {table} VALUES (?, ?)", values.items())

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """What goes wrong with the file, in words for a user."""
        try:
            yield
        # The last where a damaged file makes SQLite complain in bytes that are no text.
        except (OSError, sqlite3.Error, UnicodeDecodeError) as error:
            path = self.path or ":memory:"
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise BadFile(
                path, f"the cache cannot be used ({reason})", cure="delete it, or name another folder with --cache"
            ) from error


def differs(aligner: Aligner) -> bool:
    """Whether a second run is another one: it learns from a pool, by chance, and what it learnt is kept."""
    return aligner.scope == "pool" and hasattr(aligner, "train")


def _pool(run: int) -> str:
    return "any" if run == 1 else f"any, run {run}"


def _priors_place(aligner: Aligner, langpair: str, run: int) -> bytes:
    # The first run has the keys of a time when there was no second one.
    return _digest(aligner.signature, langpair, *([_pool(run)] if run > 1 else []))


def _sound(unpack_value: Callable[[bytes], T], data: bytes) -> T | None:
    """What was kept; None where it is damaged, so that it is made again."""
    try:
        return unpack_value(data)
    except (zlib.error, StructError, LookupError, TypeError, ValueError, AttributeError):
        return None


def _parse(parser: Parser, lines: Sequence[str]) -> list[bytes]:
    """Trees as they are kept: packing is work for all cores too."""
    trees = parser.parse(lines)
    if len(trees) != len(lines):
        raise AssayError(f"the parser {parser.name} gave {len(trees)} trees for {len(lines)} lines")
    return [pack_tree(tree) for tree in trees]


def _linked(
    aligner: Aligner, pairs: Mapping[bytes, TextPair], executor: Executor
) -> Generator[tuple[Sequence[bytes], list[Links]], None, None]:
    """The links of pairs, with their keys, block by block."""
    if aligner.scope == "pool":
        if pairs:
            yield list(pairs), _align(aligner, list(pairs.values()))
        return
    blocks = _slices(list(pairs), PAIRS)
    given = ([aligner.seen(pairs[key]) for key in block] for block in blocks)
    with closing(executor.map(partial(_link, cast(PairAligner, aligner)), given)) as working:
        yield from zip(blocks, working, strict=True)


def _align(aligner: Aligner, pairs: Sequence[TextPair]) -> list[Links]:
    return _checked(aligner, aligner.align(pairs), len(pairs))


def _link(aligner: PairAligner, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
    return _checked(aligner, aligner.link(seen), len(seen))


def _checked(aligner: Aligner, links: list[Links], pairs: int) -> list[Links]:
    if len(links) != pairs:
        raise AssayError(f"the aligner {aligner.name} gave the links of {len(links):,} pairs for {pairs:,}")
    return links


def _slices(values: Sequence[T], size: int) -> list[Sequence[T]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def _written(source: Words, target: Words) -> str:
    """The words of a pair as JSON."""
    return f"[{_side(source)}, {_side(target)}]"


@lru_cache(maxsize=100_000)
def _side(words: Words) -> str:
    # A sentence has as many translations as there are systems, and each pair is asked for in two alignments.
    return json.dumps(words, ensure_ascii=False)


def _digest(*parts: str) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        # The length before each part: ("ab", "c") and ("a", "bc") are not the same.
        data = part.encode()
        digest.update(len(data).to_bytes(8))
        digest.update(data)
    return digest.digest()


def pack_tree(tree: Tree) -> bytes:
    """A tree as it is kept, without its line: columns as JSON, compressed."""
    rows = [
        (word.form, word.lemma, word.upos, word.xpos, _feature_column(word.feats), word.head, word.deprel)
        for word in tree.tokens
    ]
    columns: list[object] = [*zip(*rows, strict=True)] if rows else []
    # Mostly every word is written as it stands, and the two columns would say nothing new.
    if len(tree.surface_forms) != len(tree.tokens) or any(
        form != token.form for form, token in zip(tree.surface_forms, tree.tokens, strict=True)
    ):
        columns += [tree.surface, tree.surface_forms]
    return zlib.compress(json.dumps(columns, ensure_ascii=False, separators=(",", ":")).encode(), 1)


def unpack_tree(data: bytes, line: str) -> Tree:
    """The tree of a line, as it was."""
    columns = json.loads(zlib.decompress(data))
    if not columns:
        return Tree((), line)
    # Seven columns of words, and two of surface forms where these differ.
    forms, lemmas, upos, xpos, feats, heads, relations = columns[:7]
    tokens = tuple(map(Token, forms, lemmas, upos, xpos, map(features, feats), heads, relations))
    surface, surface_forms = map(tuple, columns[7:] or (range(len(tokens)), forms))
    return Tree(tokens, line, surface, surface_forms)


def _feature_column(feats: Mapping[str, str]) -> str:
    return "|".join(f"{name}={value}" for name, value in feats.items())


def pack_links(links: Links) -> bytes:
    """Links as they are kept: four bytes for each number."""
    numbers = [number for link in sorted(links) for number in link]
    return pack(f"<{len(numbers)}I", *numbers)


def unpack_links(data: bytes) -> Links:
    """The links, as they were."""
    return frozenset(cast(Iterator[tuple[int, int]], iter_unpack("<II", data)))
