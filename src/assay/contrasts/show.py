"""Use case: show one sentence with its tree, the trees of its translations, links and verdict; or try a pattern on it.

    pairs = show_sentence(inputs, "12:5", cache=folder)
    print(terminal(pairs[0]))

The sentence is given by its number, by the id of a keyword (`12:5`), or as a text.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.contrasts.annotations import ToolNames, Tools, WrittenTranslation, annotate
from assay.contrasts.cache import Cache
from assay.contrasts.classes import ClassFinder, FoundClass
from assay.contrasts.expectations import Instances, Occurrence, SourceRule, Translation
from assay.contrasts.files.definitions import read_construction
from assay.contrasts.parsers.base import load_parser
from assay.contrasts.patterns import Patterns, SubtypeFinder
from assay.contrasts.records import Construction, Contrast, Contrasts, Node
from assay.contrasts.run import ContrastInputs, PreparedRun, expectation, load_contrasts, prepare
from assay.contrasts.tree_view import SentencePair
from assay.contrasts.trees import Tree
from assay.errors import BadFile, BadOption, UnknownName
from assay.files import STDIN, exists, read_texts
from assay.languages import split_pair
from assay.outputs import System
from assay.parallel import ALONE, Workers
from assay.progress import OpenProgress, no_progress

_REASONS = {
    "no_link": "it has no link",
    "function_word": "it is linked to function words only",
    "no_class": "no class of the contrast fits",
}


@dataclass(frozen=True, slots=True)
class ShownKeyword:
    """A keyword to show: why it is one, the contrast that it tests, and word -> node of the pattern."""

    word: int
    why: str
    contrast: Contrast | None
    nodes: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """A line of the source with its tree, the translations that are shown, and the pattern that is tried on it."""

    contrasts: Contrasts
    line: int
    tree: Tree
    translations: Sequence[Translation]
    tried: Construction | None
    word: int | None = None
    """The only keyword to show, where the user named one."""
    expected: Sequence[Occurrence] | None = None
    """The keywords that are tested; None: those of the source rules."""

    def keywords(self) -> list[ShownKeyword]:
        """The keywords of the sentence, or of the pattern."""
        if self.tried is not None:
            return list(_tried(self.tree, self.tried))
        expected = SourceRule(self.contrasts).occurrences({0: self.tree}) if self.expected is None else self.expected
        return list(_tested(self.contrasts, self.tree, {one.word: one.contrast for one in expected}))


def show_sentence(
    inputs: ContrastInputs,
    sentence: str,
    *,
    systems: Sequence[str] = (),
    pattern: str | None = None,
    cache: Path | None,
    workers: Workers = ALONE,
    open_progress: OpenProgress = no_progress,
) -> list[SentencePair]:
    """A line of the source: a pair for each of its keywords and each of the named systems, or the first system."""
    tried = read_pattern(pattern) if pattern is not None else None
    lines = read_texts(inputs.source)
    line, word = _place(sentence, lines, inputs.source)
    if not inputs.outputs and not inputs.references:
        contrasts = load_contrasts(inputs.contrasts)
        parser = inputs.tools.source_parser
        tree = _parse(parser, lines[line], contrasts, cache, any_language=inputs.any_language)
        return _pairs(ShownSentence(contrasts, line, tree, (), tried, word))
    with workers.open() as executor:
        prepared = prepare(inputs, cache=cache, executor=executor, open_progress=open_progress)
    tree = prepared.annotations.sources[line]
    expected = expectation(inputs, prepared).occurrences({line: tree}) if tried is None else []
    translations = _chosen(prepared.annotations.translations, systems)
    return _pairs(ShownSentence(prepared.contrasts, line, tree, translations, tried, word, expected))


def pair_of(prepared: PreparedRun, keyword: str, system: str) -> SentencePair:
    """A keyword (`12:5`) of a run, with its translation by a system."""
    sentence, word = (int(part) - 1 for part in keyword.split(":"))
    annotations = prepared.annotations
    translations = _chosen(annotations.translations, [system])
    shown = ShownSentence(prepared.contrasts, sentence, annotations.sources[sentence], translations, None, word)
    return _pairs(shown)[0]


def show_text(
    name: str,
    text: str,
    tools: ToolNames,
    *,
    translation: str = "",
    pattern: str | None = None,
    cache: Path | None,
    any_language: bool = False,
) -> list[SentencePair]:
    """A sentence that is typed in, with its translation where there is one."""
    tried = read_pattern(pattern) if pattern is not None else None
    contrasts = load_contrasts(name)
    if not translation:
        tree = _parse(tools.source_parser, text, contrasts, cache, any_language=any_language)
        return _pairs(ShownSentence(contrasts, 0, tree, (), tried))
    written = [WrittenTranslation(System("translation"), [translation])]
    loaded = Tools.load(tools, contrasts.langpair, ["translation"], any_language=any_language)
    with Cache(cache) as known:
        # every_line: a sentence without a keyword is shown with its translation, too.
        found = annotate(contrasts, [text], written, loaded, cache=known, every_line=True)
    return _pairs(ShownSentence(contrasts, 0, found.sources[0], found.translations, tried))


def _parse(parser: str, text: str, contrasts: Contrasts, cache: Path | None, *, any_language: bool) -> Tree:
    loaded = load_parser(parser, language=split_pair(contrasts.langpair)[0], any_language=any_language)
    with Cache(cache) as known:
        return known.trees(loaded, [text]).values[0]


def _place(sentence: str, lines: Sequence[str], source: Path) -> tuple[int, int | None]:
    """The line, from 0, and the word if the sentence is named by the id of a keyword."""
    match = re.fullmatch(r"(\d{1,9})(?::(\d{1,9}))?", sentence.strip(), re.ASCII)
    if match:
        number = int(match[1])
        if not 1 <= number <= len(lines):
            raise BadOption(f"there is no sentence {number}; {source} has {len(lines):,}")
        return number - 1, int(match[2]) - 1 if match[2] else None
    wanted = sentence.split()
    for place, line in enumerate(lines):
        if line.split() == wanted:
            return place, None
    raise BadOption(
        f"{source} has no line {sentence[:60]!r}; give its number, or leave --source out to type a sentence"
    )


def _chosen(translations: Sequence[Translation], systems: Sequence[str]) -> list[Translation]:
    by_name = {translation.system.name: translation for translation in translations}
    for name in systems:
        if name not in by_name:
            raise UnknownName("system", name, by_name)
    return [by_name[name] for name in systems] or [translations[0]]


# Keywords


def _tested(contrasts: Contrasts, tree: Tree, chosen: dict[int, Contrast]) -> Iterator[ShownKeyword]:
    for place, names in Instances(contrasts)(tree):
        contrast = chosen.get(place)
        construction = contrasts.constructions[contrast.construction if contrast else names[0]]
        patterns = Patterns.of(construction)
        nodes = {found: node for node, found in (patterns.bind(tree, place) or {}).items()}
        kinds = [_with_subtype(contrasts.constructions[name], tree, place) for name in names]
        why = f"keyword {place + 1} “{tree.tokens[place].form}”, {', '.join(kinds)}"
        if contrast is None:
            yield ShownKeyword(place, f"{why}: no contrast says what is expected of it", None, nodes)
        else:
            yield ShownKeyword(place, f"{why}: {contrast.name}, good is {', '.join(contrast.good)}", contrast, nodes)


def _with_subtype(construction: Construction, tree: Tree, place: int) -> str:
    subtype = SubtypeFinder(construction).find(tree, place)
    return f"{construction.name} ({subtype})" if subtype else construction.name


def _tried(tree: Tree, tried: Construction) -> Iterator[ShownKeyword]:
    patterns = Patterns.of(tried)
    for place in patterns.places(tree):
        bound = patterns.bind(tree, place) or {}
        shown = ", ".join(f"{node} = {found + 1} {tree.tokens[found].form}" for node, found in bound.items())
        yield ShownKeyword(place, f"the pattern fits: {shown}", None, {found: node for node, found in bound.items()})


# Pairs


def _pairs(shown: ShownSentence) -> list[SentencePair]:
    """A pair for each translation and keyword; one without a keyword where there is none."""
    if shown.word is not None and not 0 <= shown.word < len(shown.tree):
        raise BadOption(f"there is no word {shown.word + 1}; the sentence has {len(shown.tree)}")
    title = f"{shown.contrasts.name} ({shown.contrasts.langpair}), sentence {shown.line + 1}"
    # The first pair is the source alone; it is shown only where there is no translation.
    bare = [SentencePair(shown.tree, title=title)]
    for translation in shown.translations:
        tree = translation.trees.get(shown.line)
        links = translation.links[shown.line] if tree is not None else frozenset()
        bare.append(SentencePair(shown.tree, tree, links, title=title, system=translation.system.name))
    known = shown.keywords()
    keywords = [keyword for keyword in known if shown.word in (None, keyword.word)]
    if not keywords:
        return [replace(pair, remarks=list(_nothing(shown, known))) for pair in bare[1:] or bare]
    finder = ClassFinder(shown.contrasts.classes)
    return [_judged(pair, keyword, finder) for pair in bare[1:] or bare for keyword in keywords]


def _judged(pair: SentencePair, keyword: ShownKeyword, finder: ClassFinder) -> SentencePair:
    pair = replace(pair, keyword=keyword.word, nodes=keyword.nodes, remarks=[keyword.why])
    if pair.target is None:
        return replace(pair, remarks=[keyword.why, "there is no translation"]) if pair.system else pair
    found = finder.find(pair.source, keyword.word, pair.target, pair.links)
    if found.word is None:
        return replace(pair, remarks=[keyword.why, f"unknown: {_REASONS[found.reason]}"])
    seen = f"aligned word {found.word + 1} “{pair.target.tokens[found.word].form}”"
    return replace(pair, word=found.word, remarks=[keyword.why, f"{seen}: {_verdict(found, keyword.contrast)}"])


def _verdict(found: FoundClass, contrast: Contrast | None) -> str:
    if not found.label:
        return f"unknown, {_REASONS['no_class']}"
    known = f"class {found.label}" + (f" ({found.name})" if found.name != found.label else "")
    if contrast is None:
        return known
    if found.label in contrast.good:
        return f"{known}, good (pass)"
    return f"{known}, bad (fail)" if found.label in contrast.bad else f"{known}, unknown: neither good nor bad"


def _nothing(shown: ShownSentence, keywords: Sequence[ShownKeyword]) -> Iterator[str]:
    """Why there is no keyword; for a pattern that is tried, which words each of its nodes fits alone."""
    tree, tried = shown.tree, shown.tried
    if shown.word is not None and keywords:
        ids = ", ".join(f"{shown.line + 1}:{one.word + 1} {tree.tokens[one.word].form}" for one in keywords)
        yield f"word {shown.word + 1} “{tree.tokens[shown.word].form}” is no keyword; those of the sentence are: {ids}"
        return
    if tried is None:
        yield "no word is a keyword of the contrasts"
        return
    # Tried once more without `none`, to tell a pattern that does not fit from one that is forbidden.
    kept = Patterns(tried.one_of, keyword=tried.keyword).places(tree)
    if kept:
        yield f"a pattern under `none` forbids what fits: {_words(tree, kept)}"
        return
    yield "no word fits; what the nodes fit when each is taken alone:"
    for number, pattern in enumerate(tried.one_of, start=1):
        for node in pattern:
            alone = Patterns([(Node(node.id, node.conditions),)], keyword=node.id)
            yield f"  pattern {number}, {node.id}: {_words(tree, alone.places(tree))}"


def _words(tree: Tree, places: Sequence[int]) -> str:
    if len(places) == len(tree):
        return "every word"
    return ", ".join(f"{place + 1} {tree.tokens[place].form}" for place in places) or "no word"


def read_pattern(pattern: str) -> Construction:
    """A construction in YAML: a file, `-` for standard input, or the YAML itself."""
    path = Path(pattern)
    if path == STDIN or ("\n" not in pattern and exists(path)):
        return read_construction(path)
    # A construction has `any:`; without it this was meant as a file name.
    if not re.search(r"\bany\s*:", pattern):
        raise BadFile(
            pattern[:80], "there is no such file", cure="name one, or write YAML: '{any: [[{RIGHT_ID: kw, …}]]}'"
        )
    # Through a file, since the reader takes paths; its name is replaced in messages.
    with TemporaryDirectory(prefix="assay-") as folder:
        file = Path(folder) / "pattern.yaml"
        file.write_text(pattern, encoding="utf-8")
        try:
            return read_construction(file)
        except BadFile as error:
            raise BadOption(str(error).replace(str(file), "--pattern")) from None
