"""Contrasts: what a profile costs once it has run, matching aligned pairs on one core, a second run whose trees and
links are in the cache, and the cost of having lines parsed by others.

    python benchmarks/contrasts.py

Real sentences where they are, in the folder that ASSAY_DATA names: the parallel treebanks of PUD, and the outputs of
WMT22 with UDPipe models. Otherwise the bundled sample, repeated. Words are linked by their place, but for the profile:
it is the command itself, with eflomal, and takes five minutes the first time.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from campaign import ROOT
from measure import Figure, show

from assay.contrasts import bundled
from assay.contrasts.aligners.base import Scope, TextPair, Words
from assay.contrasts.annotations import Tools, WrittenTranslation, annotate
from assay.contrasts.cache import BLOCK, Cache, pack_tree
from assay.contrasts.expectations import Translation
from assay.contrasts.files import conllu
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import judge_contrasts
from assay.contrasts.parsers.base import Parser, load_parser
from assay.contrasts.trees import Links, Tree
from assay.evaluation import evaluate
from assay.files import read_lines
from assay.outputs import System
from assay.parallel import open_executor

DATA = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
REAL = (DATA / "wmt22").is_dir() and (DATA / "udpipe").is_dir()
SAMPLE = bundled()["en-cs"].parent / "sample"
PAIRS, SENTENCES, OUTPUTS = 1_000, 2_000, 12


def diagonal(source: Tree, target: Tree) -> Links:
    """The n-th word with the n-th."""
    return frozenset((place, place) for place in range(min(len(source.surface_forms), len(target.surface_forms))))


@dataclass(frozen=True)
class Diagonal:
    """An aligner that costs nothing."""

    name: str = "diagonal"
    signature: str = "diagonal"
    scope: Scope = "pool"

    def seen(self, pair: TextPair) -> tuple[Words, Words]:
        """The forms."""
        return pair.source.surface_forms, pair.target.surface_forms

    def align(self, pairs: Sequence[TextPair]) -> list[Links]:
        """Links by place."""
        return [diagonal(pair.source, pair.target) for pair in pairs]


@dataclass(frozen=True)
class Numbered:
    """A parser of the sample's sentences, each with a number behind it that makes it another text."""

    trees: dict[str, Tree] = field(repr=False)
    name: str = "numbered"
    signature: str = "numbered"
    language: str = ""
    computes: bool = True

    def parse(self, lines: Sequence[str]) -> list[Tree]:
        """The tree of the sentence before the number."""
        return [self.trees[line.rpartition(" ")[0]] for line in lines]


class Material(NamedTuple):
    """A source, its translations, and what parses them."""

    lines: list[str]
    written: list[WrittenTranslation]
    source: Parser
    target: Parser


def profiles(folder: Path) -> Iterator[Figure]:
    """A profile of ten systems and two translators of WMT22 en-cs that has run: again, one system more, and one
    construction more. Processor time of the command with all that it starts, since a busy machine makes wall time say
    little."""
    if not REAL or find_spec("eflomal") is None:
        print("profiles: not measured; they take the data of WMT22, UDPipe models and eflomal")
        return
    *others, last = sorted((DATA / "wmt22").glob("*/generaltest2022.en-cs.hyp.*.cs"))
    more = folder / "more.yaml"
    text = bundled()["en-cs"].read_text(encoding="utf-8").replace("\ntarget:\n", EXISTENTIAL)
    more.write_text(text.replace("    read: en-cs.read.tsv\n", ""), encoding="utf-8")
    print(f"the first run, of {len(others)} systems: {profile_seconds(folder, 'en-cs', others):.1f} s of processor")
    system = profile_seconds(folder, "en-cs", [*others, last])
    again = profile_seconds(folder, "en-cs", [*others, last])
    construction = profile_seconds(folder, str(more), [*others, last])
    size = f"{len(others) + 1} systems, processor time"
    yield Figure(f"a profile again, {size}", again, 10, "s")
    yield Figure(f"a profile with one system more, {size}", system, 10, "s")
    yield Figure(f"a profile with one construction more, {size}", construction, 10, "s")


EXISTENTIAL = """
  existential:
    description: The subject of there is.
    any:
      - - {RIGHT_ID: kw, RIGHT_ATTRS: {DEP: nsubj}}
        - {LEFT_ID: kw, REL_OP: "<", RIGHT_ID: gov, RIGHT_ATTRS: {}}
        - {LEFT_ID: gov, REL_OP: ">", RIGHT_ID: there, RIGHT_ATTRS: {DEP: expl, LOWER: there}}

target:
"""


def profile_seconds(folder: Path, contrasts: str, systems: Sequence[Path]) -> float:
    """Processor time of the command; trees and links are kept in the folder."""
    references = sorted((DATA / "wmt22").glob("*/generaltest2022.en-cs.ref.*.cs"))
    source = DATA / "wmt22" / "sources" / "generaltest2022.en-cs.src.en"
    english, czech = (f"udpipe:{DATA / 'udpipe' / name}.udpipe" for name in ("english-ewt-9k", "czech-mix"))
    command: list[str | Path] = [sys.executable, "-m", "assay", "contrasts", "profile", contrasts, *systems]
    command += ["--source", source, *(part for path in references for part in ("--reference", path))]
    command += ["--source-parser", english, "--target-parser", czech, "--aligner", "eflomal"]
    command += ["--cache", folder, "-o", folder / "profile.json"]
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def matching() -> Iterator[Figure]:
    """All contrasts on 1,000 pairs."""
    pud = DATA / "pud"
    places = (pud / "en_pud-ud-test.conllu", pud / "cs_pud-ud-test.conllu")
    if not pud.is_dir():
        places = (SAMPLE / "source.conllu", SAMPLE / "reference.conllu")
    sources, targets = (
        dict(enumerate(islice(cycle([tree for _, tree in conllu.read(place)]), PAIRS))) for place in places
    )
    links = [diagonal(sources[line], targets[line]) for line in sources]
    translation = Translation(System("gold"), [tree.text for tree in targets.values()], targets, links)
    contrasts = read(bundled()["en-cs"])
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        judged = judge_contrasts(contrasts, sources, [translation])
        seconds.append(time.perf_counter() - begin)
    print(f"{places[0].parent.name}: {len(contrasts.contrasts)} contrasts, {len(judged.suite)} keywords")
    yield Figure(f"matching {PAIRS:,} aligned pairs with all contrasts, one core", min(seconds), 2, "s")


def second_run(folder: Path) -> Iterator[Figure]:
    """12 outputs of 2,000 sentences: the first run parses, the second looks up."""
    found = wmt() if REAL else sample()
    contrasts = read(bundled()["en-cs"])
    names = [one.system.name for one in found.written]
    tools = Tools(found.source, dict.fromkeys(names, found.target), dict.fromkeys(names, Diagonal()))
    for number in (1, 2):
        begin = time.perf_counter()
        with Cache(folder) as cache, open_executor() as engine:
            gathered = annotate(contrasts, found.lines, found.written, tools, cache=cache, executor=engine)
        judged = judge_contrasts(contrasts, gathered.sources, gathered.translations)
        rows = evaluate(judged.suite, judged.outputs, findings=judged.findings, policy="own", keep_all=True).rows()
        seconds = time.perf_counter() - begin
        effort = gathered.effort
        print(
            f"run {number}: {seconds:.1f} s, {len(rows)} rows; parsed {effort.source_parsed:,} and "
            f"{effort.target_parsed:,} sentences, aligned {effort.pairs_aligned:,} pairs"
        )
    size = f"{effort.systems} outputs × {effort.sentences:,} sentences"
    yield Figure(f"second run on cached trees and links, {size}", seconds, 20, "s")
    yield Figure("share of the sentences whose translations are parsed", 100 * (effort.share_needed or 0), 100, "%")


class Answered:
    """An engine whose workers are done: what is left is the work of the calling process."""

    def __init__(self, work: Callable[[Any], Any], blocks: Iterable[Any]) -> None:
        self.seconds = 0.0
        self.answers: list[bytes] = []
        for block in blocks:
            begin = time.process_time()
            self.answers.append(pickle.dumps(work(block)))
            self.seconds += time.process_time() - begin

    def map(
        self,
        function: Callable[[Any], Any],
        blocks: Iterable[Any],
        *,
        progress: Callable[[int], None] | None = None,
        one_per_machine: bool = False,
    ) -> Generator[Any, None, None]:
        """Pack the block as if it were sent, and unpack the answer."""
        for block, answer in zip(blocks, self.answers, strict=True):
            pickle.dumps(block)
            yield pickle.loads(answer)


def transfer(folder: Path) -> Iterator[Figure]:
    """What a block of lines costs a worker, and what it costs the calling process; the sample has no real parser."""
    if not REAL:
        return
    found = wmt()
    lines = list(dict.fromkeys(found.lines))[: 20 * BLOCK]
    found.source.parse(lines[:1])  # a model is loaded once

    def work(block: Sequence[str]) -> list[bytes]:
        return [pack_tree(tree) for tree in found.source.parse(block)]

    engine = Answered(work, [lines[start : start + BLOCK] for start in range(0, len(lines), BLOCK)])
    begin = time.process_time()
    with Cache(folder) as cache:
        cache.trees(found.source, lines, executor=engine)
    here, blocks = time.process_time() - begin, len(engine.answers)
    print(
        f"a block of {BLOCK} lines: {1000 * engine.seconds / blocks:.0f} ms to parse, {1000 * here / blocks:.1f} ms in "
        f"the calling process; {sum(map(len, engine.answers)) / blocks / 1000:.0f} kB come back"
    )
    yield Figure("calling process against worker, for a block of lines", 100 * here / engine.seconds, 10, "%")


def wmt() -> Material:
    """The first 2,000 sentences of WMT22 en-cs, its ten systems and two references."""
    files = sorted((DATA / "wmt22").glob("*/generaltest2022.en-cs.*.cs"))
    written = [WrittenTranslation(System(path.name), read_lines(path)[:SENTENCES]) for path in files]
    lines = read_lines(DATA / "wmt22" / "sources" / "generaltest2022.en-cs.src.en")[:SENTENCES]
    source, target = (DATA / "udpipe" / name for name in ("english-ewt-9k.udpipe", "czech-mix.udpipe"))
    return Material(lines, written, load_parser(f"udpipe:{source}"), load_parser(f"udpipe:{target}"))


def sample() -> Material:
    """The bundled sample, repeated with numbers."""
    trees = {path.stem: [tree for _, tree in conllu.read(path)] for path in SAMPLE.glob("*.conllu")}

    def numbered(name: str, extra: str = "") -> list[str]:
        return [f"{tree.text} {extra}{number}" for number, tree in enumerate(islice(cycle(trees[name]), SENTENCES))]

    systems = islice(cycle(name for name in sorted(trees) if name != "source"), OUTPUTS)
    written = [WrittenTranslation(System(f"{name}-{k}"), numbered(name, f"{k}.")) for k, name in enumerate(systems)]
    parser = Numbered({tree.text: tree for known in trees.values() for tree in known})
    return Material(numbered("source"), written, parser, parser)


def contrasts(folder: Path) -> Iterator[Figure]:
    """Profiles that have run, matching alone, a second run with everything in the cache, and what it costs to have
    blocks parsed elsewhere."""
    # The first: what it parses need not be parsed for the second run.
    yield from profiles(folder)
    yield from matching()
    yield from second_run(folder)
    yield from transfer(folder / "transfer")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(show(list(contrasts(Path(temporary)))))
