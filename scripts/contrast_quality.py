"""Measure how far the bundled English–Czech contrasts can be trusted; the tables of docs/reference/contrasts.md.

    python scripts/contrast_quality.py selection DATA    # keywords found on automatic trees, against gold trees (PUD)
    python scripts/contrast_quality.py classes DATA      # Czech classes on automatic trees, against gold trees (PUD)
    python scripts/contrast_quality.py references DATA   # two human translations of the same source (WMT21, WMT22)
    python scripts/contrast_quality.py stability DATA    # two runs of the aligner (WMT22, references and systems)
    python scripts/contrast_quality.py alignments DATA   # a profile with each of its two alignments (WMT22, refC)
    python scripts/contrast_quality.py reading DATA      # keywords drawn at random, with their sentences, to be read
    python scripts/contrast_quality.py verdicts DATA     # verdicts drawn at random (WMT22), to be read

DATA has the folders pud, udpipe, wmt21 and wmt22. Trees are kept in --cache. The aligner learns from all sentences with
an instance together (PUD and all translations of both years), or from all sentences (--everything), and always runs
anew, because eflomal draws at random.
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from assay.contrasts import ClassFinder, Occurrence, Patterns, SourceRule, bundled, find, lines_needed
from assay.contrasts.aligners.base import Aligner, TextPair, load_aligner
from assay.contrasts.annotations import ToolNames
from assay.contrasts.cache import Cache
from assay.contrasts.files import conllu
from assay.contrasts.files.definitions import read
from assay.contrasts.parsers.base import load_parser
from assay.contrasts.profile import ConstructionProfile, ContrastProfile
from assay.contrasts.profile_numbers import profile
from assay.contrasts.renderings import RenderingTable
from assay.contrasts.run import ContrastInputs, profile_contrasts
from assay.contrasts.spans import surface_spans
from assay.contrasts.trees import Links, Tree
from assay.files import read_lines
from assay.stats.proportions import wilson
from assay.text import is_missing

CONTRASTS = read(bundled()["en-cs"])
ENGLISH = "english-ewt-9k"
CZECH = ("czech-mix", "czech-bysa")
LABELS = tuple(dict.fromkeys(known.label for known in CONTRASTS.classes))

NO_SUITES = ("news", "literary", "social", "speech")
"""Domains of WMT24 that are not those of test suites."""

Span = tuple[int, int]
Key = tuple[int, int]
"""Line and word of a keyword, from 0."""


class Corpus(NamedTuple):
    """Trees of a source and of its translations (references first); `lines` counts also those without trees."""

    lines: int
    sources: dict[int, Tree]
    targets: dict[str, dict[int, Tree]]


AllLinks = dict[str, dict[str, dict[int, Links]]]
"""Corpus -> translation -> line -> links."""


@dataclass(frozen=True)
class Tools:
    """The data, and what parses and aligns it."""

    data: Path
    cache: Cache
    aligner: Aligner
    everything: bool = False
    """Also the sentences without an instance: more for the aligner to learn from."""

    def parse(self, model: str, lines: Sequence[str]) -> list[Tree]:
        """Trees of lines by a model in DATA/udpipe."""
        return self.cache.trees(load_parser(f"udpipe:{self.data / 'udpipe' / model}.udpipe"), lines).values

    def gold(self, language: str) -> dict[int, Tree]:
        """The gold trees of PUD."""
        return dict(conllu.read(self.data / "pud" / f"{language}_pud-ud-test.conllu"))

    def pud(self) -> Corpus:
        """PUD with its gold trees."""
        english, czech = self.gold("en"), self.gold("cs")
        needed = self._needed(english)
        return Corpus(
            len(english), {line: english[line] for line in needed}, {"gold": {line: czech[line] for line in needed}}
        )

    def wmt(self, year: str) -> Corpus:
        """The lines of a year that all references have, with automatic trees."""
        source, texts = self._texts(year)
        trees = dict(enumerate(self.parse(ENGLISH, source)))
        needed = self._needed(trees)
        targets = {
            name: dict(zip(needed, self.parse(CZECH[0], [lines[line] for line in needed]), strict=True))
            for name, lines in texts.items()
        }
        return Corpus(len(source), {line: trees[line] for line in needed}, targets)

    def _needed(self, sources: Mapping[int, Tree]) -> list[int]:
        return list(sources) if self.everything else lines_needed(CONTRASTS, sources)

    def _texts(self, year: str) -> tuple[list[str], dict[str, list[str]]]:
        folder = self.data / year
        paths = [*sorted(folder.glob("references/*.en-cs.*")), *sorted(folder.glob("system-outputs/*.en-cs.*"))]
        texts = {path.name.removesuffix(".cs").partition("en-cs.")[2]: read_lines(path) for path in paths}
        (source,) = (read_lines(path) for path in folder.glob("sources/*.en-cs.*"))
        missing = {
            line
            for name, lines in texts.items()
            if name.startswith("ref.")
            for line, text in enumerate(lines)
            if is_missing(text)
        }
        kept = [line for line in range(len(source)) if line not in missing]
        return [source[line] for line in kept], {name: [lines[line] for line in kept] for name, lines in texts.items()}

    def source(self, year: str) -> list[str]:
        """The source of a year; of WMT24 without the lines of test suites."""
        if year != "wmt24":
            return self._texts(year)[0]
        lines = read_lines(self.data / year / "sources" / "en-cs.txt.gz")
        known = map(json.loads, read_lines(self.data / year / "metadata" / "en-cs.jsonl.gz"))
        return [line for line, record in zip(lines, known, strict=True) if record["domain"] in NO_SUITES]

    def corpora(self) -> dict[str, Corpus]:
        """Everything that is aligned together."""
        return {"pud": self.pud(), "wmt21": self.wmt("wmt21"), "wmt22": self.wmt("wmt22")}

    def align(self, corpora: Mapping[str, Corpus]) -> AllLinks:
        """Links of all corpora and translations, learnt from one pool."""
        keys = [
            (name, system, line)
            for name, corpus in corpora.items()
            for system, trees in corpus.targets.items()
            for line in trees
        ]
        pairs = [
            TextPair(corpora[name].sources[line], corpora[name].targets[system][line], f"{name}/{system}", line)
            for name, system, line in keys
        ]
        found: AllLinks = {name: {system: {} for system in corpus.targets} for name, corpus in corpora.items()}
        for (name, system, line), links in zip(keys, self.aligner.align(pairs), strict=True):
            found[name][system][line] = links
        return found


# Selection


def selection(tools: Tools) -> Iterator[str]:
    """Keywords on automatic trees of PUD against those on gold trees, by their place in the text."""
    gold = tools.gold("en")
    automatic = dict(zip(gold, tools.parse(ENGLISH, [tree.text for tree in gold.values()]), strict=True))
    rows: list[list[object]] = []
    for name in (*CONTRASTS.constructions, *CONTRASTS.contrasts):
        right, found = _keywords(gold, name), _keywords(automatic, name)
        rows.append(
            [
                name,
                len(right),
                len(found),
                _share(len(right & found), len(found)),
                _share(len(right & found), len(right)),
            ]
        )
    yield from table(["keyword of", "gold", "found", "precision", "recall"], rows)


def _keywords(sources: Mapping[int, Tree], name: str) -> set[tuple[int, Span]]:
    """Lines and places in the text of the keywords of a construction, or of a contrast by its source rule."""
    if name in CONTRASTS.constructions:
        patterns = Patterns.of(CONTRASTS.constructions[name])
        words = [(line, word) for line, tree in sources.items() for word in patterns.places(tree)]
    else:
        words = [
            (each.line, each.word) for each in SourceRule(CONTRASTS).occurrences(sources) if each.contrast.name == name
        ]
    return {(line, span) for line, word in words if (span := _span(sources[line], word))}


def _span(tree: Tree, word: int) -> Span | None:
    return surface_spans(tree.surface_forms, tree.text)[tree.surface[word]]


# Classes


def classes(tools: Tools) -> Iterator[str]:
    """Classes on automatic Czech trees of PUD against gold trees, for the keywords of the gold English trees.

    Links are made on the gold words and carried over to the automatic trees by their place in the text: what differs
    is parsing alone.
    """
    corpora = tools.corpora()
    (links,) = tools.align(corpora)["pud"].values()
    english, czech = corpora["pud"].sources, corpora["pud"].targets["gold"]
    gold = _labels(english, czech, links)
    yield f"{len(gold)} keywords, {sum(map(bool, gold.values()))} with a class"
    rows: list[list[object]] = []
    pairs: dict[str, Counter[tuple[str, str]]] = {}
    for model in CZECH:
        automatic = dict(zip(czech, tools.parse(model, [tree.text for tree in czech.values()]), strict=True))
        carried = {line: _carry(links[line], tree, automatic[line]) for line, tree in czech.items()}
        labels = _labels(english, automatic, carried)
        pairs[model] = Counter((gold[key], labels[key]) for key in gold if gold[key] and labels[key])
        both, same = pairs[model].total(), sum(pairs[model][label, label] for label in LABELS)
        rows.append([model, both, same, _share(same, both)])
    yield from table(["model", "known in both", "same class", "agreement"], rows)
    yield from table(
        [f"gold; columns: {CZECH[0]}", *LABELS],
        [[one, *(pairs[CZECH[0]][one, other] for other in LABELS)] for one in LABELS],
    )


def _labels(sources: Mapping[int, Tree], targets: Mapping[int, Tree], links: Mapping[int, Links]) -> dict[Key, str]:
    """The class of what stands for each keyword, empty where that is unknown."""
    finder = ClassFinder(CONTRASTS.classes)
    return {
        (line, word): finder.find(sources[line], word, targets[line], links[line]).label
        for patterns in map(Patterns.of, CONTRASTS.constructions.values())
        for line in links
        for word in patterns.places(sources[line])
    }


def _carry(links: Links, gold: Tree, automatic: Tree) -> Links:
    """Links to the words of one tree as links to those of another that stand at the same place in the text."""
    places = {span: place for place, span in enumerate(surface_spans(automatic.surface_forms, automatic.text)) if span}
    spans = surface_spans(gold.surface_forms, gold.text)
    return frozenset((left, places[span]) for left, right in links if (span := spans[right]) in places)


# References


def references(tools: Tools) -> Iterator[str]:
    """How often two human translations of a keyword have the same class, and a good one by the source rule."""
    corpora = tools.corpora()
    links = tools.align(corpora)
    for year in ("wmt21", "wmt22"):
        corpus = corpora[year]
        names = [name for name in corpus.targets if name.startswith("ref.")]
        labels = [_labels(corpus.sources, corpus.targets[name], links[year][name]) for name in names]
        yield f"\n{year}: {corpus.lines} lines, {len(lines_needed(CONTRASTS, corpus.sources))} with an instance"
        heads = ["keyword of", "keywords", "known in both", "same class"]
        heads += [f"{name}: {what}" for name in names for what in ("good", "unknown")]
        yield from table(heads, _reference_rows(corpus.sources, labels))


def _reference_rows(sources: Mapping[int, Tree], labels: Sequence[Mapping[Key, str]]) -> Iterator[list[object]]:
    for name, construction in CONTRASTS.constructions.items():
        patterns = Patterns.of(construction)
        keys = [(line, word) for line, tree in sources.items() for word in patterns.places(tree)]
        unknown = (_percent(sum(not own[key] for key in keys), len(keys)) for own in labels)
        yield [name, len(keys), *_same(keys, labels), *(cell for share in unknown for cell in ("–", share))]
    occurrences = SourceRule(CONTRASTS).occurrences(sources)
    for contrast in CONTRASTS.contrasts.values():
        keys = [(each.line, each.word) for each in occurrences if each.contrast == contrast]
        shares: list[str] = []
        for own in labels:
            known = [own[key] for key in keys if own[key]]
            shares.append(_share(sum(label in contrast.good for label in known), len(known)))
            shares.append(_percent(len(keys) - len(known), len(keys)))
        yield [contrast.name, len(keys), *_same(keys, labels), *shares]


def _same(keys: Iterable[Key], labels: Sequence[Mapping[Key, str]]) -> tuple[int, str]:
    """How many keywords have a known class in both, and the share of those with the same."""
    first, second = labels
    both = [(first[key], second[key]) for key in keys if first[key] and second[key]]
    return len(both), _share(sum(one == other for one, other in both), len(both))


# Stability


def stability(tools: Tools) -> Iterator[str]:
    """How far links, verdicts and shares of WMT22 move between two runs of the aligner over the same pool."""
    corpora = tools.corpora()
    corpus, occurrences = corpora["wmt22"], SourceRule(CONTRASTS).occurrences(corpora["wmt22"].sources)
    runs = [tools.align(corpora)["wmt22"] for _ in range(2)]
    first, second = (
        {(name, line, *link) for name, own in run.items() for line, some in own.items() for link in some}
        for run in runs
    )
    yield f"{sum(map(len, corpus.targets.values()))} pairs, {len(first)} and {len(second)} links"
    yield f"links of both runs: {_percent(len(first & second), len(first | second))} of all"
    verdicts = [_verdicts(occurrences, corpus, run) for run in runs]
    rows: list[list[object]] = []
    total = Counter[str]()
    for name in corpus.targets:
        moved = Counter(_movement(one, other) for one, other in zip(*(run[name] for run in verdicts), strict=True))
        total += moved
        rows.append([name, *(cell for run in verdicts for cell in _counts(run[name])), moved["known"], moved["turned"]])
    heads = ["system", "good", "unknown", "good, 2nd run", "unknown, 2nd run", "known in one run only", "turned"]
    yield from table(heads, rows)
    everything = total.total()
    yield (
        f"of {everything} verdicts {_percent(total['known'], everything)} are known in one run only, "
        f"{_percent(total['turned'], everything)} turn"
    )


def _verdicts(
    occurrences: Iterable[Occurrence], corpus: Corpus, links: Mapping[str, Mapping[int, Links]]
) -> dict[str, list[str]]:
    """System -> good, bad or nothing for each occurrence."""
    finder = ClassFinder(CONTRASTS.classes)
    found: dict[str, list[str]] = {name: [] for name in corpus.targets}
    for each in occurrences:
        line, word, contrast = each.line, each.word, each.contrast
        for name, trees in corpus.targets.items():
            label = finder.find(corpus.sources[line], word, trees[line], links[name][line]).label
            found[name].append("" if not label else "good" if label in contrast.good else "bad")
    return found


def _movement(one: str, other: str) -> str:
    return "same" if one == other else "turned" if one and other else "known"


def _counts(verdicts: Sequence[str]) -> tuple[str, str]:
    good, unknown = verdicts.count("good"), verdicts.count("")
    return _percent(good, len(verdicts) - unknown), _percent(unknown, len(verdicts))


# Alignments


def alignments(tools: Tools) -> Iterator[str]:
    """How far the profile of WMT22 en-cs beside refC depends on which of its two alignments is taken."""
    data = tools.data / "wmt22"
    english, czech = (f"udpipe:{tools.data / 'udpipe' / model}.udpipe" for model in (ENGLISH, CZECH[0]))
    inputs = ContrastInputs(
        "en-cs",
        data / "sources" / "generaltest2022.en-cs.src.en",
        [str(path) for path in sorted(data.glob("system-outputs/*.en-cs.*"))],
        ToolNames(english, czech, tools.aligner.name),
        references=[str(data / "references" / "generaltest2022.en-cs.ref.C.cs")],
    )
    both = profile_contrasts(inputs, cache=tools.cache.path.parent if tools.cache.path else None)
    first, second = (_counted_once(both, again=again) for again in (False, True))
    rows = [
        _two_alignments(*four)
        for four in zip(
            both.renderings.tables, both.constructions, first.constructions, second.constructions, strict=True
        )
    ]
    heads = ["keyword of", "same in both", "known in both, another", "largest change of a share"]
    heads += ["wider shares", "wider distances", "marks: first, second, both"]
    yield from table(heads, rows)


def _counted_once(both: ContrastProfile, *, again: bool) -> ContrastProfile:
    """The profile that one of the two alignments alone would have given."""
    tables = tuple(
        replace(table, codes=table.again if again and table.again is not None else table.codes, again=None)
        for table in both.renderings.tables
    )
    return profile(replace(both.renderings, tables=tables), tools=both.tools, effort=both.effort)


def _two_alignments(
    codes: RenderingTable, both: ConstructionProfile, first: ConstructionProfile, second: ConstructionProfile
) -> list[object]:
    again = codes.codes if codes.again is None else codes.again
    known = (codes.codes >= 0) & (again >= 0)
    other = {row.label: dict(zip(second.renderings, row.shares, strict=True)) for row in second.rows}
    changes = [
        abs((share.share.value or 0) - (other[row.label][name].share.value or 0))
        for row in first.rows
        for name, share in zip(first.renderings, row.shares, strict=True)
        if name in other[row.label]
    ]
    marks = [
        sum(bool(share.differs) for row in one.of_kind("system") for share in row.shares)
        for one in (first, second, both)
    ]
    return [
        codes.construction.name,
        f"{100 * (codes.codes == again).mean():.1f} %",
        f"{100 * (codes.codes != again)[known].mean():.1f} %",
        f"{100 * max(changes):.1f} points",
        *(f"{100 * (_width(both, of) / _width(first, of) - 1):.1f} %" for of in ("shares", "distance")),
        ", ".join(map(str, marks)),
    ]


def _width(found: ConstructionProfile, of: str) -> float:
    """The mean width of intervals."""
    numbers = [share.share for row in found.rows for share in row.shares] if of == "shares" else []
    numbers = numbers or [row.distance for row in found.rows]
    widths = [one.high - one.low for one in numbers if one.high is not None and one.low is not None]
    return sum(widths) / len(widths)


# Reading


def reading(tools: Tools, given: argparse.Namespace) -> Iterator[str]:
    """Keywords on automatic trees of a WMT source, drawn at random, to be read by a person."""
    contrasts = read(bundled()[given.pair])
    sources = dict(enumerate(tools.parse(ENGLISH, tools.source(given.year))))
    known = read_lines(given.without) if given.without else []
    read_before = {line.partition("\t")[0] for line in known}
    for name in given.of or contrasts.constructions:
        items = [item for item in find(contrasts, sources, name) if item.id not in read_before]
        drawn = random.Random(given.seed).sample(items, min(given.count, len(items)))
        yield f"\n{name}: {len(drawn)} of {len(items)}"
        for item in drawn:
            line, word = (int(number) - 1 for number in item.id.split(":"))
            yield f"{item.id}\t{_marked(sources[line], word)}"


def verdicts(tools: Tools, given: argparse.Namespace) -> Iterator[str]:
    """Verdicts on WMT22 that are not unknown, drawn at random, to be read by a person."""
    corpora = tools.corpora()
    corpus, links = corpora["wmt22"], tools.align(corpora)["wmt22"]
    finder, generator, count = ClassFinder(CONTRASTS.classes), random.Random(given.seed), 0
    occurrences, names = SourceRule(CONTRASTS).occurrences(corpus.sources), list(corpus.targets)
    while count < given.count:
        each, name = generator.choice(occurrences), generator.choice(names)
        line, word, contrast = each.line, each.word, each.contrast
        source, target = corpus.sources[line], corpus.targets[name][line]
        found = finder.find(source, word, target, links[name][line])
        if found.word is not None and found.label:
            count += 1
            verdict = "good" if found.label in contrast.good else "bad"
            head = f"{contrast.name}, {found.label}, {verdict}"
            yield f"{head}: {_marked(source, word)}\n    {_marked(target, found.word)}"


def _marked(tree: Tree, word: int) -> str:
    words, place = list(tree.surface_forms), tree.surface[word]
    words[place] = f"[[{words[place]}]]"
    return " ".join(words)


# Tables


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield ""
    yield "| " + " | ".join(heads) + " |"
    yield "| --- |" + " ---: |" * (len(heads) - 1)
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"
    yield ""


def _share(part: int, whole: int) -> str:
    """A share with its interval."""
    if not whole:
        return "–"
    low, high = (float(bound) for bound in wilson(part, whole))
    return f"{part / whole:.2f} [{low:.2f}, {high:.2f}]"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "–"


MEASURES = {
    "selection": selection,
    "classes": classes,
    "references": references,
    "stability": stability,
    "alignments": alignments,
}
READINGS = {"reading": reading, "verdicts": verdicts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=(*MEASURES, *READINGS))
    parser.add_argument("data", type=Path)
    parser.add_argument("--cache", type=Path, default=None, help="folder of trees; without it they are parsed anew")
    parser.add_argument("--aligner", default="eflomal")
    parser.add_argument("--everything", action="store_true", help="align the sentences without an instance, too")
    reader = parser.add_argument_group("reading")
    reader.add_argument("--pair", default="en-cs", choices=bundled(), help="whose constructions")
    reader.add_argument("--year", default="wmt21", choices=("wmt21", "wmt22", "wmt24"))
    reader.add_argument(
        "--of", nargs="*", help="constructions, or contrasts by their source rules [default: the former]"
    )
    reader.add_argument("--count", type=int, default=50, help="keywords of each")
    reader.add_argument("--seed", type=int, default=6)
    reader.add_argument("--without", type=Path, help="what an earlier reading has drawn: none of these keywords again")
    given = parser.parse_args()
    with Cache(given.cache) as cache:
        tools = Tools(given.data, cache, load_aligner(given.aligner), given.everything)
        measured = READINGS[given.what](tools, given) if given.what in READINGS else MEASURES[given.what](tools)
        for line in measured:
            print(line)


if __name__ == "__main__":
    main()
