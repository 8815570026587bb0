"""Use cases: test translations with contrasts, and find sentences for such tests in a corpus.

run = run_contrasts(inputs, cache=Path("cache"), policy="own")
run.evaluation.rows("phenomenon")
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Unpack

from assay.contrasts import bundled
from assay.contrasts.annotations import Annotations, ToolNames, Tools, WrittenTranslation, annotate, pool
from assay.contrasts.cache import Cache
from assay.contrasts.contrast_run import ALL, ContrastRun, count_run
from assay.contrasts.expectations import AnyChosenClass, ChosenClass, Expectation, SourceRule, Translation
from assay.contrasts.files import conllu, pharaoh
from assay.contrasts.files.definitions import read
from assay.contrasts.judge import find, judge_contrasts
from assay.contrasts.parsers.base import load_parser
from assay.contrasts.profile import ContrastProfile
from assay.contrasts.profile_numbers import profile
from assay.contrasts.records import Contrasts
from assay.contrasts.renderings import is_reference, renderings, with_subtypes
from assay.contrasts.subsets import absent, check_in_source, read_subset, restrict
from assay.contrasts.trees import Tree
from assay.errors import BadFile, BadOption, UnknownName, UnpairedFile
from assay.evaluation import Choices, evaluate
from assay.files import exists, read_texts, suffix
from assay.languages import split_pair
from assay.outputs import NamedFile, System, duplicate_message
from assay.parallel import ALONE, Executor, Workers
from assay.progress import OpenProgress, Progress, no_progress
from assay.suites import Suite
from assay.text import is_missing, normalise

BLOCK = 500
"""Lines of a corpus that are parsed at a time until as many sentences are found as are wanted."""


@dataclass(frozen=True)
class ContrastInputs:
    """Contrasts, texts, parsers and aligner as named by the user."""

    contrasts: str
    source: Path
    outputs: Sequence[str]
    tools: ToolNames
    references: Sequence[str] = ()
    expect: str = "source"
    any_language: bool = False
    subsets: Mapping[str, Path] = field(default_factory=dict)
    learn: Path | None = None
    """Where to write what the aligner learns from all pairs."""
    realign: bool = False
    """Whether pairs whose links are known are aligned again."""

    def files(self) -> list[Path]:
        """The files that are read; those that a tool's name stands for are not among them."""
        texts = [NamedFile.parse(argument).path for argument in (*self.outputs, *self.references)]
        return [Path(self.contrasts), self.source, *texts, *self.subsets.values()]


def load_contrasts(name: str) -> Contrasts:
    """Contrasts by a bundled name (`en-cs`) or from a YAML file."""
    path, known = Path(name), bundled()
    if not exists(path):
        if name in known:
            return read(known[name])
        if path.parent == Path() and not path.suffix:
            raise UnknownName("contrasts or file", name, known)
        raise BadFile(path, "there is no such file", cure=f"bundled contrasts: {', '.join(known)}")
    if path.is_dir():
        raise BadFile(path, "a folder where a file of contrasts is expected")
    return read(path)


@dataclass(frozen=True, slots=True)
class PreparedRun:
    """Everything that a run judges: contrasts, tools, and their trees and links."""

    contrasts: Contrasts
    tools: Tools
    annotations: Annotations


def prepare(
    inputs: ContrastInputs,
    *,
    cache: Path | None,
    executor: Executor,
    open_progress: OpenProgress = no_progress,
    side_by_side: bool = False,
) -> PreparedRun:
    """Read, parse and align; names and files are checked before the first sentence is parsed.

    With `side_by_side` there are two alignments, and only lines that every reference has are looked at, unless it takes
    more to learn from.
    """
    contrasts = load_contrasts(inputs.contrasts)
    lines = read_texts(inputs.source)
    written = [
        _written(argument, len(lines), inputs.source, reference=reference)
        for reference, arguments in ((False, inputs.outputs), (True, inputs.references))
        for argument in arguments
    ]
    systems = [one.system for one in written]
    for system in systems:
        if systems.count(system) > 1:
            raise BadOption(duplicate_message(system))
    _check_expectation(inputs)
    tools = Tools.load(
        inputs.tools, contrasts.langpair, [system.name for system in systems], any_language=inputs.any_language
    )
    # Asked for now: an aligner that cannot learn is an error before hours of parsing, not after.
    learner = tools.learner() if inputs.learn is not None else None
    with Cache(cache) as known:
        annotations = annotate(
            contrasts,
            lines,
            written,
            tools,
            cache=known,
            executor=executor,
            open_progress=open_progress,
            realign=inputs.realign,
            twice=side_by_side,
            left_out=_gaps(written) if side_by_side and learner is None else (),
        )
    if learner is not None and inputs.learn is not None:
        learner.learn(pool(annotations), inputs.learn)
    return PreparedRun(contrasts, tools, annotations)


def _gaps(written: Sequence[WrittenTranslation]) -> set[int]:
    """The lines that a human translation lacks."""
    people = [one.texts for one in written if is_reference(one.system)]
    return {line for texts in people for line, text in enumerate(texts) if is_missing(normalise(text))}


def _written(argument: str, lines: int, source: Path, *, reference: bool) -> WrittenTranslation:
    file = NamedFile.parse(argument)
    if suffix(file.path) in (".xml", ".tsv", ".jsonl", ".json", ".csv", ".yaml", ".yml", ".conllu"):
        raise BadFile(file.path, "not plain text", cure="contrasts take texts with a line per sentence of the source")
    name = reference_name(file) if reference else file.system_name
    texts = read_texts(file.path)
    if len(texts) != lines:
        raise UnpairedFile(
            file.path,
            f"{len(texts):,} lines, but {source} has {lines:,}",
            line=min(len(texts), lines) + 1,
            cure="outputs must be line-parallel to the source file",
        )
    return WrittenTranslation(System(name, "", {"group": "reference"} if reference else {}, str(file.path)), texts)


def reference_name(file: NamedFile) -> str:
    """The given name, or the one in the file's name: `*.ref.B.cs` is refB."""
    # The naming of WMT's references: newstest2021.en-cs.ref.B.cs.
    match = re.search(r"\.ref\.(.+?)\.[^.]+(\.gz)?$", file.path.name)
    return file.name or (f"ref{match[1]}" if match else file.system_name)


# Expectations


def _check_expectation(inputs: ContrastInputs) -> None:
    """Refuse, before anything is parsed, an expectation that does not exist or lacks its files."""
    kind, _, name = inputs.expect.partition(":")
    if kind in ("reference", "references"):
        known = [reference_name(NamedFile.parse(argument)) for argument in inputs.references]
        if not known:
            raise BadOption(f"--expect {inputs.expect} needs the reference: --reference [NAME=]FILE")
        if kind == "references" and name:
            raise BadOption(f"--expect {inputs.expect!r}: for one of them write reference:{name}, for all references")
        # An empty name is fine as long as there is just one reference.
        if kind == "reference" and name not in known and (name or len(known) > 1):
            raise UnknownName("reference", name, known)
    elif kind == "gold":
        if len(name.split(",")) != 2:
            raise BadOption(f"--expect {inputs.expect!r} is not gold:TREES,LINKS (a CoNLL-U and a Pharaoh file)")
        for file in map(Path, name.split(",")):
            if not exists(file):
                raise BadFile(file, "there is no such file")
    elif inputs.expect != "source":
        raise BadOption(f"--expect {inputs.expect!r} is not source, reference:NAME, references or gold:TREES,LINKS")


def expectation(inputs: ContrastInputs, prepared: PreparedRun) -> Expectation:
    """The expectation that the user chose; `_check_expectation` has made sure that it exists."""
    kind, _, name = inputs.expect.partition(":")
    if kind == "source":
        return SourceRule(prepared.contrasts)
    if kind == "gold":
        trees, links = map(Path, name.split(","))
        return ChosenClass(prepared.contrasts, _gold(trees, links, prepared), kind="gold")
    references = [one for one in prepared.annotations.translations if one.system.metadata.get("group") == "reference"]
    if kind == "references":
        return AnyChosenClass(prepared.contrasts, references)
    chosen = next(one for one in references if name in ("", one.system.name))
    return ChosenClass(prepared.contrasts, chosen)


def _gold(trees: Path, links: Path, prepared: PreparedRun) -> Translation:
    sources = prepared.annotations.sources
    found = dict(conllu.read(trees))
    if found and max(found) >= len(sources):
        raise UnpairedFile(trees, f"a tree for line {max(found) + 1:,}, but the source has {len(sources):,} lines")
    sizes = {line: (len(sources[line].surface_forms), len(tree.surface_forms)) for line, tree in found.items()}
    linked = pharaoh.read(links, lines=len(sources), sizes=sizes)
    return Translation(System(trees.stem), [tree.text for tree in found.values()], found, linked)


# Running


def run_contrasts(
    inputs: ContrastInputs,
    *,
    cache: Path | None,
    workers: Workers = ALONE,
    open_progress: OpenProgress = no_progress,
    progress: Progress | None = None,
    **choices: Unpack[Choices],
) -> ContrastRun:
    """Judge translations by contrasts and count, over all keywords and over the named subsets of them.

    `workers` parse, align, and make the draws of the test.
    """
    subsets = [read_subset(name, path) for name, path in inputs.subsets.items()]
    with workers.open() as executor:
        prepared = prepare(inputs, cache=cache, executor=executor, open_progress=open_progress)
        for subset in subsets:
            check_in_source(subset, prepared.annotations.sources)
        expected = expectation(inputs, prepared)
        judged = judge_contrasts(
            prepared.contrasts, prepared.annotations.sources, prepared.annotations.translations, expectation=expected
        )
        parts = {subset.name: restrict(judged, subset) for subset in subsets}
        evaluations = {
            name: evaluate(
                part.suite, part.outputs, findings=part.findings, executor=executor, progress=progress, **choices
            )
            for name, part in (parts | {ALL: judged}).items()
        }
    return count_run(
        evaluations,
        prepared.contrasts,
        expectation=expected.name,
        tools=prepared.tools.signatures,
        effort=prepared.annotations.effort,
        absent={subset.name: absent(subset, judged) for subset in subsets},
    )


def profile_contrasts(
    inputs: ContrastInputs,
    *,
    cache: Path | None,
    workers: Workers = ALONE,
    open_progress: OpenProgress = no_progress,
    groups: Mapping[str, Sequence[str]] | None = None,
    subtypes: bool = False,
    seed: int = 1,
) -> ContrastProfile:
    """What translations make of the constructions, beside the references; also of each of their `subtypes`."""
    with workers.open() as executor:
        prepared = prepare(inputs, cache=cache, executor=executor, open_progress=open_progress, side_by_side=True)
    annotations = prepared.annotations
    found = renderings(prepared.contrasts, annotations.sources, annotations.translations, keywords=annotations.keywords)
    return profile(
        with_subtypes(found) if subtypes else found,
        tools=prepared.tools.signatures,
        effort=annotations.effort,
        groups=groups,
        seed=seed,
    )


# Finding


def find_sentences(
    name: str,
    construction: str,
    corpus: Path,
    *,
    parser: str | None = None,
    limit: int | None = None,
    cache: Path | None = None,
    workers: Workers = ALONE,
    open_progress: OpenProgress = no_progress,
    any_language: bool = False,
) -> Suite:
    """The sentences of a corpus that have a construction, or fit a contrast, as a suite with the keyword marked."""
    contrasts = load_contrasts(name)
    known = (*contrasts.constructions, *contrasts.contrasts)
    if construction not in known:
        raise UnknownName("construction or contrast", construction, known)
    if suffix(corpus) == ".conllu":
        if parser is not None:
            raise BadOption(f"{corpus} has trees already; leave --parser out")
        suite = find(contrasts, dict(conllu.read(corpus)), construction)
    else:
        if parser is None:
            raise BadOption(f"{corpus} is a text; name a parser with --parser, or give a .conllu file")
        lines = read_texts(corpus)
        loaded = load_parser(parser, language=split_pair(contrasts.langpair)[0], any_language=any_language)
        sources: dict[int, Tree] = {}
        found = 0
        # Without a limit everything is parsed anyway, and one large block is spread best over the workers.
        size = BLOCK if limit is not None else max(len(lines), 1)
        with Cache(cache) as kept, workers.open() as executor, open_progress("parsing", len(set(lines))) as progress:
            for start in range(0, len(lines), size):
                some = kept.trees(loaded, lines[start : start + size], executor=executor, progress=progress).values
                block = dict(enumerate(some, start=start))
                sources |= block
                # Counted block by block; the suite itself is made once, at the end, from all blocks.
                found += len(find(contrasts, block, construction))
                if limit is not None and found >= limit:
                    break
        suite = find(contrasts, sources, construction)
    if not suite.items:
        raise BadOption(f"{corpus}: no sentence has {construction}")
    return replace(suite, items=suite.items[:limit])
