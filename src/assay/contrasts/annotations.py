"""Trees and links for a run: everything of the source, and of the translations only the lines with a keyword.

    tools = Tools.load(ToolNames("udpipe:en.udpipe", "udpipe:cs.udpipe", "eflomal"), "en-cs", systems)
    with Cache(folder) as cache, open_executor("local", jobs=2) as executor:
        annotations = annotate(contrasts, lines, written, tools, cache=cache, executor=executor)
    judge_contrasts(contrasts, annotations.sources, annotations.translations)

`{system}` in the name of a parser or aligner stands for the system whose files are read.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import TypeVar, cast

from assay.contrasts.aligners.base import Aligner, Learner, TextPair, load_aligner
from assay.contrasts.aligners.pharaoh import Pharaoh
from assay.contrasts.cache import Cache, CacheAnswer, differs
from assay.contrasts.expectations import Translation, keyword_places
from assay.contrasts.parsers.base import Parser, load_parser
from assay.contrasts.records import Contrasts
from assay.contrasts.trees import Links, Tree
from assay.errors import BadOption
from assay.languages import split_pair
from assay.outputs import System
from assay.parallel import HERE, Executor
from assay.progress import OpenProgress, no_progress
from assay.text import is_missing, normalise

T = TypeVar("T")
V = TypeVar("V")

Place = tuple[int, int]
"""A translation: the number of its system, and the line, from 0."""

SYSTEM = "{system}"


@dataclass(frozen=True, slots=True)
class WrittenTranslation:
    """The output of a system, or a reference: a text for each line of the source."""

    system: System
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class ToolNames:
    """Parsers and aligner as a user names them."""

    source_parser: str
    target_parser: str
    aligner: str


@dataclass(frozen=True)
class Tools:
    """Parsers and aligners, loaded; those of the translations by the name of the system."""

    source: Parser
    targets: Mapping[str, Parser]
    aligners: Mapping[str, Aligner]

    @classmethod
    def load(cls, names: ToolNames, langpair: str, systems: Iterable[str], *, any_language: bool = False) -> "Tools":
        """The tools for a language pair; a parser for another language is refused, unless with `any_language`."""
        # `xx` without a hyphen gives an empty target, for which no language is checked.
        source, target = split_pair(langpair)
        if SYSTEM in names.source_parser:
            raise BadOption(f"{names.source_parser!r}: the source has no system; name one parser for it")
        parsers: dict[str, Parser] = {}
        aligners: dict[str, Aligner] = {}
        targets, linkers = {}, {}
        for system in systems:
            parser, aligner = (spec.replace(SYSTEM, system) for spec in (names.target_parser, names.aligner))
            # Without `{system}` in its name a tool is loaded once for all systems.
            if parser not in parsers:
                parsers[parser] = load_parser(parser, language=target, any_language=any_language)
            if aligner not in aligners:
                aligners[aligner] = load_aligner(aligner)
            targets[system], linkers[system] = parsers[parser], aligners[aligner]
        return cls(load_parser(names.source_parser, language=source, any_language=any_language), targets, linkers)

    def learner(self) -> Learner:
        """The aligner of all systems, as one that can learn."""
        one = next(iter(self.aligners.values()))
        # What is learnt must come from one pool, so from one aligner.
        if len(set(map(id, self.aligners.values()))) > 1 or not hasattr(one, "learn"):
            raise BadOption(f"{one.name} learns nothing that could be written; use eflomal or systran for all systems")
        return cast(Learner, one)

    @property
    def signatures(self) -> dict[str, str]:
        """The signatures of all tools: what trees and links depend on."""
        return {
            "source parser": self.source.signature,
            "target parser": _joined(parser.signature for parser in self.targets.values()),
            "aligner": _joined(aligner.signature for aligner in self.aligners.values()),
        }


def _joined(signatures: Iterable[str]) -> str:
    """One signature for several tools: the name of the first, their number, and a hash over all of them."""
    found = sorted(set(signatures))
    if len(found) == 1:
        return found[0]
    return f"{found[0].partition('|')[0]}|files:{len(found)}[{sha256(repr(found).encode()).hexdigest()[:12]}]"


@dataclass(frozen=True, slots=True)
class AnnotationEffort:
    """How much work a run took. `needed` are the lines that have a keyword; `distinct` counts what was looked at,
    `parsed` and `aligned` what of that was neither in the cache nor in a file."""

    sentences: int
    needed: int
    systems: int
    source_distinct: int
    source_parsed: int
    target_distinct: int
    target_parsed: int
    pairs_distinct: int
    pairs_aligned: int

    @property
    def share_needed(self) -> float | None:
        """Share of the sentences that have a keyword; translations of others are not parsed."""
        return self.needed / self.sentences if self.sentences else None


@dataclass(frozen=True, slots=True)
class Annotations:
    """Trees and links for `judge_contrasts`, and the effort of making them."""

    sources: dict[int, Tree]
    keywords: Mapping[str, Sequence[tuple[int, int]]]
    """Construction -> line and word of its keywords, both from 0."""
    translations: list[Translation]
    effort: AnnotationEffort


def annotate(
    contrasts: Contrasts,
    lines: Sequence[str],
    written: Sequence[WrittenTranslation],
    tools: Tools,
    *,
    cache: Cache,
    executor: Executor = HERE,
    open_progress: OpenProgress = no_progress,
    every_line: bool = False,
    realign: bool = False,
    twice: bool = False,
    left_out: Container[int] = (),
) -> Annotations:
    """Parse the source, then the translations of the lines that have a keyword (or of all), and link their words.

    With `realign` links that are known are made again. With `twice` there are two alignments, where the aligner draws
    at random: how far they differ is how far links can be trusted. Lines that are `left_out` are looked at only where
    links are learnt from all lines together.
    """
    with open_progress("parsing the source", len(set(lines))) as progress:
        parsed = cache.trees(tools.source, lines, executor=executor, progress=progress, later=tools.targets.values())
    sources = dict(enumerate(parsed.values))
    # Parsing is what a run spends its time on, and most sentences have no keyword.
    keywords = keyword_places(contrasts, sources)
    needed = list(sources) if every_line else sorted({line for places in keywords.values() for line, _ in places})
    aligners = [tools.aligners[one.system.name] for one in written]
    runs = (1, 2) if twice and all(map(differs, aligners)) else (1,)
    if not realign and not any(cache.needs_pool(one, contrasts.langpair, runs) for one in aligners):
        looked_at = [line for line in needed if line not in left_out]
    else:
        looked_at = needed
    wanted = [[line for line in looked_at if not is_missing(normalise(one.texts[line]))] for one in written]

    def parse(parser: Parser, places: list[Place]) -> CacheAnswer[Tree]:
        texts = [written[number].texts[line] for number, line in places]
        with open_progress("parsing translations", len(set(texts))) as progress:
            return cache.trees(parser, texts, executor=executor, progress=progress)

    trees, targets = _together([tools.targets[one.system.name] for one in written], wanted, parse)

    def align(aligner: Aligner, places: list[Place], run: int = 1) -> CacheAnswer[Links]:
        pairs = [
            TextPair(sources[line], trees[number][line], written[number].system.name, line) for number, line in places
        ]
        with open_progress("aligning" if run == 1 else "aligning again", len(pairs)) as progress:
            return cache.links(
                aligner,
                pairs,
                langpair=contrasts.langpair,
                executor=executor,
                progress=progress,
                realign=realign,
                run=run,
            )

    for aligner, one in zip(aligners, written, strict=True):
        # Links from a file are for whole files; one of another length would link the wrong lines.
        if isinstance(aligner, Pharaoh):
            aligner.check(one.system.name, len(one.texts))
    links, pairs = _together(aligners, wanted, align)
    # All or none: intervals are of all translations together.
    other = _together(aligners, wanted, partial(align, run=2))[0] if 2 in runs else None
    effort = AnnotationEffort(
        sentences=len(lines),
        needed=len(needed),
        systems=len(written),
        source_distinct=parsed.distinct,
        source_parsed=parsed.new,
        target_distinct=sum(found.distinct for found in targets),
        target_parsed=sum(found.new for found in targets),
        pairs_distinct=sum(found.distinct for found in pairs),
        pairs_aligned=sum(found.new for found in pairs),
    )
    translations = [
        Translation(one.system, one.texts, own, linked, other[number] if other is not None else None)
        for number, (one, own, linked) in enumerate(zip(written, trees, links, strict=True))
    ]
    return Annotations(sources, keywords, translations, effort)


def pool(annotations: Annotations) -> list[TextPair]:
    """The pairs of all systems, for an aligner to learn from."""
    return [
        TextPair(annotations.sources[line], tree, translation.system.name, line)
        for translation in annotations.translations
        for line, tree in translation.trees.items()
    ]


def _together(
    tools: Sequence[T], lines: Sequence[Sequence[int]], work: Callable[[T, list[Place]], CacheAnswer[V]]
) -> tuple[list[dict[int, V]], list[CacheAnswer[V]]]:
    """Line -> tree or links for each system, and what each tool has found.

    Systems that share a tool go to it together, so that what they have in common is done once.
    """
    results: list[dict[int, V]] = [{} for _ in tools]
    founds = []
    # By identity: tools need be neither hashable nor comparable.
    for tool in {id(tool): tool for tool in tools}.values():
        places = [(number, line) for number, own in enumerate(tools) if own is tool for line in lines[number]]
        founds.append(work(tool, places))
        for (number, line), value in zip(places, founds[-1].values, strict=True):
            results[number][line] = value
    return results, founds
