"""What was parsed or aligned once is looked up; what it depends on decides whether it is the same."""

import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.aligners.base import SMALL_POOL, Scope, TextPair, Words
from assay.contrasts.cache import (
    BLOCK,
    FILE,
    PAIRS,
    Cache,
    CacheAnswer,
    default_folder,
    differs,
    pack_links,
    pack_tree,
    unpack_links,
    unpack_tree,
)
from assay.contrasts.trees import Links, Token, Tree
from assay.errors import AssayError, BadFile
from assay.parallel.processes import ProcessExecutor
from tests.contrasts.building import tree


def flat(line: str) -> Tree:
    return Tree(tuple(Token(word, word, "X", "", {"Len": str(len(word))}, -1, "root") for word in line.split()), line)


@dataclass(frozen=True)
class Splitter:
    """A parser that splits at white space, remembers what it was given, and cannot parse "bad"."""

    signature: str = "splitter|1"
    computes: bool = True
    given: list[str] = field(default_factory=list)
    name: str = "splitter"
    language: str = ""

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        self.given.extend(lines)
        if "bad" in lines:
            raise AssayError("cannot parse this")
        return [flat(line) for line in lines]


@dataclass(frozen=True)
class Numbering:
    """An aligner whose links tell in which run of it they were made."""

    scope: Scope = "pool"
    signature: str = "numbering|1"
    runs: list[int] = field(default_factory=list)
    name: str = "numbering"

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        return pair.source.surface_forms, pair.target.surface_forms

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        return self.link([self.seen(pair) for pair in pairs])

    def link(self, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
        self.runs.append(len(seen))
        return [frozenset({(0, len(self.runs))}) for _ in seen]


def pair(source: str, target: str, system: str = "A") -> TextPair:
    return TextPair(flat(source), flat(target), system)


def runs(links: Sequence[Links]) -> list[int]:
    return [number for found in links for _, number in found]


# Trees


def test_every_distinct_line_is_parsed_once(tmp_path: Path) -> None:
    parser = Splitter()
    with Cache(tmp_path) as cache:
        first = cache.trees(parser, ["a b", "c", "a b", ""])
        assert (first.distinct, first.new) == (3, 3)
        assert first.values == [flat("a b"), flat("c"), flat("a b"), flat("")]
    with Cache(tmp_path) as cache:
        second = cache.trees(parser, ["c", "d", "a b"])
        assert (second.distinct, second.new) == (3, 1)
        assert second.values == [flat("c"), flat("d"), flat("a b")]
    assert parser.given == ["a b", "c", "", "d"]


def test_another_model_parses_again(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        cache.trees(Splitter(), ["a"])
        assert cache.trees(Splitter("splitter|2"), ["a"]).new == 1


@dataclass(frozen=True)
class Modelled(Splitter):
    """The same with a model; `given` tells when it was read."""

    def load(self) -> None:
        self.given.append("model")


def test_models_are_read_for_lines_that_are_new(tmp_path: Path) -> None:
    parser, later = Modelled(), Modelled()
    with Cache(tmp_path) as cache:
        cache.trees(parser, ["a"], later=[later])
        cache.trees(parser, ["a"], later=[later])
    # That of the other one too: where it is damaged, nothing is parsed in vain.
    assert (parser.given, later.given) == (["model", "a"], ["model"])


def test_trees_that_stand_in_a_file_are_not_kept(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        reader = Splitter(computes=False)
        assert cache.trees(reader, ["a", "a"]).values == [flat("a")] * 2
        assert cache.trees(reader, ["a"]).new == 0
    assert reader.given == ["a", "a"]


def test_two_processes_parse_in_blocks_and_tell_of_it(tmp_path: Path) -> None:
    lines = [f"line {number}" for number in range(2 * BLOCK + 7)]
    told: list[int] = []
    with Cache(tmp_path) as cache:
        parsed = cache.trees(Splitter(), lines, executor=ProcessExecutor(2), progress=told.append)
    assert parsed.values == [flat(line) for line in lines]
    assert told == [BLOCK, BLOCK, 7]


def test_what_was_parsed_before_a_failure_is_kept(tmp_path: Path) -> None:
    lines = [*(f"line {number}" for number in range(BLOCK)), "bad"]
    with Cache(tmp_path) as cache, pytest.raises(AssayError, match="cannot parse this"):
        cache.trees(Splitter(), lines)
    with Cache(tmp_path) as cache:
        assert cache.trees(Splitter(), lines[:-1]).new == 0


KILLED = """
import os, signal, sys
from pathlib import Path
from assay.contrasts.cache import BLOCK, Cache
from tests.contrasts.test_cache import Splitter

class Suicide(Splitter):
    def parse(self, lines):
        if "line 60" in lines:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().parse(lines)

Cache(Path(sys.argv[1])).trees(Suicide(), [f"line {number}" for number in range(2 * BLOCK)])
"""


def test_a_run_that_is_killed_leaves_a_sound_cache(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, tmp_path], env={**os.environ, "PYTHONPATH": str(Path.cwd())})
    assert done.returncode == -9
    with Cache(tmp_path) as cache:
        parsed = cache.trees(Splitter(), [f"line {number}" for number in range(2 * BLOCK)])
    assert parsed.new == BLOCK


def test_two_runs_share_a_cache(tmp_path: Path) -> None:
    with Cache(tmp_path) as one, Cache(tmp_path) as other:
        one.trees(Splitter(), ["a", "b"])
        assert other.trees(Splitter(), ["b", "c"]).new == 1
        assert one.trees(Splitter(), ["a", "b", "c"]).new == 0


def test_no_folder_keeps_nothing() -> None:
    with Cache(None) as cache:
        cache.trees(Splitter(), ["a"])
        assert cache.trees(Splitter(), ["a"]).new == 0
    with Cache(None) as cache:
        assert cache.trees(Splitter(), ["a"]).new == 1


def test_a_parser_that_loses_lines() -> None:
    class Lossy(Splitter):
        def parse(self, lines: Sequence[str]) -> list[Tree]:
            return super().parse(lines)[1:]

    with Cache(None) as cache, pytest.raises(AssayError, match="the parser splitter gave 1 trees for 2 lines"):
        cache.trees(Lossy(), ["a", "b"])


def test_a_file_that_is_not_a_cache(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("something else, and longer than the head of a database " * 20)
    with pytest.raises(
        BadFile, match=r"the cache cannot be used \(file is not a database\); delete it, or name another"
    ):
        Cache(tmp_path)


def test_a_file_with_damage_that_is_no_text(tmp_path: Path) -> None:
    """SQLite names in its message what it could not read in the schema."""
    with Cache(tmp_path) as cache:
        cache.trees(Splitter(), ["a"])
    content = (tmp_path / FILE).read_bytes()
    (tmp_path / FILE).write_bytes(content.replace(b"CREATE TABLE trees", b"CREATE TABLE \xff\xfe\xfd\xfc\xfb"))
    with pytest.raises(BadFile, match=r"the cache cannot be used \(.*\); delete it, or name another"):
        Cache(tmp_path)


@pytest.mark.parametrize("damage", [b"", b"\0", b"\xff" * 40, b"x\x9c\x03\x00\x00\x00\x00\x01", zlib.compress(b"[1]")])
def test_what_is_damaged_is_made_again(tmp_path: Path, damage: bytes) -> None:
    parser, aligner = Splitter(), Numbering("pair")
    for new in (1, 0):
        with Cache(tmp_path) as cache:
            assert cache.trees(parser, ["a"]).new == new
            assert cache.links(aligner, [pair("a", "x")]).new == new
    with closing(sqlite3.connect(tmp_path / FILE)) as database, database:
        database.execute("UPDATE trees SET value = ?", (damage,))
        database.execute("UPDATE links SET value = ?", (damage + b"\0" if len(damage) % 4 == 0 else damage,))
    for new in (1, 0):
        with Cache(tmp_path) as cache:
            trees, links = cache.trees(parser, ["a"]), cache.links(aligner, [pair("a", "x")])
            assert (trees.values, trees.new, links.new) == ([flat("a")], new, new)


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match=r"the cache cannot be used \(Not a directory\)"):
        Cache(tmp_path / "file" / "cache")


def test_the_cache_of_a_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert default_folder({"XDG_CACHE_HOME": "/big"}) == Path("/big/assay")
    assert default_folder({}) == Path.home() / ".cache" / "assay"


# Links


def test_the_same_pool_in_any_order_has_its_links(tmp_path: Path) -> None:
    aligner, pairs = Numbering(), [pair("a", "x", "A"), pair("a", "x", "B"), pair("b", "y", "A")]
    with Cache(tmp_path) as cache:
        first = cache.links(aligner, pairs)
        assert (runs(first.values), first.distinct, first.new) == ([1, 1, 1], 2, 2)
        again = cache.links(aligner, [pair("b", "y", "C"), pair("a", "x", "C")])
        assert (runs(again.values), again.new) == ([1, 1], 0)
    assert aligner.runs == [2]


def test_another_pool_is_aligned_as_a_whole(tmp_path: Path) -> None:
    aligner = Numbering()
    with Cache(tmp_path) as cache:
        cache.links(aligner, [pair("a", "x")])
        more = cache.links(aligner, [pair("a", "x"), pair("b", "y")])
        assert (runs(more.values), more.new) == ([2, 2], 2)
        assert runs(cache.links(aligner, [pair("a", "x")]).values) == [1]


def test_an_aligner_of_single_pairs_gets_only_new_ones(tmp_path: Path) -> None:
    aligner = Numbering("pair")
    with Cache(tmp_path) as cache:
        cache.links(aligner, [pair("a", "x")])
        more = cache.links(aligner, [pair("a", "x"), pair("b", "y")])
    assert (runs(more.values), more.new) == ([1, 2], 1)


@dataclass(frozen=True)
class Placed(Numbering):
    """An aligner of single pairs that links the first words, and tells in which process."""

    scope: Scope = "pair"

    def link(self, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
        return [frozenset({(0, os.getpid())}) for _ in seen]


def test_single_pairs_are_aligned_in_blocks_by_other_processes() -> None:
    pairs = [pair(f"a {number}", "x") for number in range(PAIRS + 3)]
    told: list[int] = []
    with Cache(None) as cache:
        found = cache.links(Placed(), pairs, executor=ProcessExecutor(2), progress=told.append)
        assert cache.links(Placed(), pairs).new == 0
    assert told == [PAIRS, 3]
    assert os.getpid() not in runs(found.values)


def test_a_pool_is_aligned_in_one_piece_by_this_process() -> None:
    pairs = [pair(f"a {number}", "x") for number in range(PAIRS + 3)]
    told: list[int] = []
    with Cache(None) as cache:
        found = cache.links(Placed("pool"), pairs, executor=ProcessExecutor(2), progress=told.append)
    assert told == [PAIRS + 3]
    assert set(runs(found.values)) == {os.getpid()}


def test_links_before_a_failure_are_kept(tmp_path: Path) -> None:
    class Failing(Placed):
        def link(self, seen: Sequence[tuple[Words, Words]]) -> list[Links]:
            if len(seen) < PAIRS:
                raise AssayError("cannot align this")
            return super().link(seen)

    pairs = [pair(f"a {number}", "x") for number in range(PAIRS + 3)]
    with Cache(tmp_path) as cache, pytest.raises(AssayError, match="cannot align this"):
        cache.links(Failing(), pairs)
    with Cache(tmp_path) as cache:
        assert cache.links(Placed(), pairs).new == 3


@dataclass(frozen=True)
class Learning(Numbering):
    """The same, and it can go on from what a pool has taught it."""

    def train(self, pairs: Sequence[TextPair]) -> tuple[list[Links], bytes]:
        return self.align(pairs), f"taught in run {len(self.runs)}".encode()

    def align_from(self, priors: bytes, pairs: Sequence[TextPair]) -> list[Links]:
        return [frozenset({(0, 100 + int(priors[-1:]))}) for _ in pairs]


def test_pairs_that_come_later_are_linked_from_what_the_first_pool_taught(tmp_path: Path) -> None:
    aligner, pool = Learning(), [pair(f"a{number}", "x") for number in range(SMALL_POOL)]
    with Cache(tmp_path) as cache:
        cache.links(aligner, pool)
        found = cache.links(aligner, [pool[0], pair("new", "x")])
    assert (found.new, runs(found.values)) == (1, [1, 101])


def test_a_second_run_has_links_and_lessons_of_its_own(tmp_path: Path) -> None:
    aligner, pool = Learning(), [pair(f"a{number}", "x") for number in range(SMALL_POOL)]
    more = [pool[0], pair("new", "x")]
    with Cache(tmp_path) as cache:
        cache.links(aligner, pool)
        assert cache.links(aligner, pool, run=2).new == SMALL_POOL
        assert runs(cache.links(aligner, more, run=2).values) == [2, 102]
        assert runs(cache.links(aligner, more).values) == [1, 101]
        assert cache.links(aligner, more, run=2).new == 0
    assert aligner.runs == [SMALL_POOL] * 2


def test_a_pool_is_needed_until_one_has_taught_every_run(tmp_path: Path) -> None:
    aligner, pool = Learning(), [pair(f"a{number}", "x") for number in range(SMALL_POOL)]
    with Cache(tmp_path) as cache:
        assert cache.needs_pool(aligner, "en-cs", [1])
        cache.links(aligner, pool, langpair="en-cs")
        assert not cache.needs_pool(aligner, "en-cs", [1])
        assert cache.needs_pool(aligner, "en-cs", [1, 2])
        assert cache.needs_pool(aligner, "en-de", [1])
        # It learns every time, or never.
        assert cache.needs_pool(Numbering("pool"), "en-cs", [1])
        assert not cache.needs_pool(Numbering("pair"), "en-cs", [1])


def test_aligners_that_cannot_differ_are_not_asked_twice() -> None:
    assert differs(Learning())
    assert not differs(Learning("pair"))
    assert not differs(Numbering())


def test_links_of_files_are_read_every_time(tmp_path: Path) -> None:
    aligner = Numbering("file")
    with Cache(tmp_path) as cache:
        cache.links(aligner, [pair("a", "x", "A"), pair("a", "x", "B")])
        assert runs(cache.links(aligner, [pair("a", "x")]).values) == [2]
    assert aligner.runs == [2, 1]


def test_other_options_align_again(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        cache.links(Numbering(), [pair("a", "x")])
        assert cache.links(Numbering(signature="numbering|2"), [pair("a", "x")]).new == 1


def test_words_are_not_confused_with_their_neighbours(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        aligner = Numbering("pair")
        cache.links(aligner, [pair("a b", "x")])
        assert cache.links(aligner, [pair("ab", "x"), pair("a", "b x")]).new == 2


def test_no_pairs() -> None:
    with Cache(None) as cache:
        assert cache.links(Numbering(), []) == CacheAnswer([], 0, 0)


# How they are written

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
names = st.text("ABCabc[]", min_size=1, max_size=4)
tokens = st.builds(
    Token, texts, texts, texts, texts, st.dictionaries(names, names, max_size=3), st.integers(-1, 5), texts
)


@given(st.lists(tokens, max_size=5), texts)
def test_trees_come_back_as_they_were(words: list[Token], line: str) -> None:
    kept = Tree(tuple(words), line)
    assert unpack_tree(pack_tree(kept), line) == kept


def test_multiword_tokens_come_back() -> None:
    kept = tree("= aby 2\n a aby SCONJ _ 3 mark\n by být AUX _ 3 aux Mood=Cnd\n šel jít VERB _ 0 root", "aby šel")
    assert unpack_tree(pack_tree(kept), "aby šel") == kept
    spaced = Tree((Token("10 000", "10000", "NUM", "", {}, -1, "root"),), "10 000", (0,), ("10000",))
    assert unpack_tree(pack_tree(spaced), "10 000") == spaced


@given(st.frozensets(st.tuples(st.integers(0, 70_000), st.integers(0, 70_000)), max_size=8))
def test_links_come_back_as_they_were(links: Links) -> None:
    assert unpack_links(pack_links(links)) == links


def test_a_tree_takes_little_room(tmp_path: Path) -> None:
    with Cache(tmp_path) as cache:
        cache.trees(Splitter(), ["the quick brown fox jumps over the lazy dog and runs away from it"])
    database = sqlite3.connect(tmp_path / FILE)
    (size,) = database.execute("SELECT length(value) FROM trees").fetchone()
    database.close()
    assert size < 300
