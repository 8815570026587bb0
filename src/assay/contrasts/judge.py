"""Verdicts of contrasts, in the same model as those of rules: an item is one occurrence of a keyword.

    judged = judge_contrasts(contrasts, sources, translations, expectation=SourceRule(contrasts))
    evaluate(judged.suite, judged.outputs, findings=judged.findings, policy="own")

A good class is a pass, a bad one a fail, and an unknown one a warning. The suite's version names the expectation and
the hash of the contrasts, so that both stand in every signature.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from assay.contrasts.classes import ClassFinder, FoundClass
from assay.contrasts.expectations import Expectation, Occurrence, SourceRule, Translation
from assay.contrasts.patterns import Patterns
from assay.contrasts.records import Contrast, Contrasts
from assay.contrasts.spans import surface_spans
from assay.contrasts.trees import Tree
from assay.errors import BadOption, UnknownName
from assay.outputs import Collector, Outputs
from assay.suites import Item, Polarity, Rule, Suite
from assay.text import is_missing, normalise
from assay.verdicts import MISSING, Evidence, Finding, Verdict

_VERDICTS: Mapping[Polarity, Verdict] = {"pass": Verdict.PASS, "fail": Verdict.FAIL}


@dataclass(frozen=True, slots=True)
class JudgedContrasts:
    """The arguments of `evaluate`; `occurrences[i]` is the keyword of item i."""

    suite: Suite
    outputs: Outputs
    findings: list[Finding | None]
    occurrences: list[Occurrence]


def judge_contrasts(
    contrasts: Contrasts,
    sources: Mapping[int, Tree],
    translations: Sequence[Translation],
    *,
    expectation: Expectation | None = None,
) -> JudgedContrasts:
    """Judge translations of a source whose trees are given by line, from 0.

    Without `expectation` the source rules decide. Where several systems wrote the same text for a line, it is
    judged once, by the tree and links of the first.
    """
    expectation = expectation or SourceRule(contrasts)
    occurrences = sorted(expectation.occurrences(sources), key=lambda occurrence: (occurrence.line, occurrence.word))
    if not occurrences:
        raise BadOption(f"no sentence has an instance of a contrast (expectation: {expectation.name})")
    suite = _suite(contrasts, sources, occurrences, expectation.name)
    collector = Collector(suite)
    for translation in translations:
        texts = [translation.texts[occurrence.line] for occurrence in occurrences]
        collector.add(translation.system, positions=range(len(texts)), texts=texts)
    outputs = collector.outputs()
    return JudgedContrasts(
        suite, outputs, _findings(contrasts, sources, translations, occurrences, outputs), occurrences
    )


def _findings(
    contrasts: Contrasts,
    sources: Mapping[int, Tree],
    translations: Sequence[Translation],
    occurrences: list[Occurrence],
    outputs: Outputs,
) -> list[Finding | None]:
    finder = ClassFinder(contrasts.classes)
    findings: list[Finding | None] = [None] * len(outputs.texts)
    for codes, occurrence in zip(outputs.codes.tolist(), occurrences, strict=True):
        for code, translation in zip(codes, translations, strict=True):
            if findings[code] is None:
                findings[code] = judge_occurrence(finder, sources[occurrence.line], occurrence, translation)
    return findings


def judge_occurrence(finder: ClassFinder, source: Tree, occurrence: Occurrence, translation: Translation) -> Finding:
    """The verdict on a translation for one keyword, and why."""
    line = occurrence.line
    text = normalise(translation.texts[line])
    if is_missing(text):
        return MISSING
    # Only lines with a keyword are parsed; a gold or reference expectation can find one in a line that was not.
    if line not in translation.trees:
        raise BadOption(f"{translation.system.name}: there is no tree for line {line + 1}; parse it, or the whole file")
    tree = translation.trees[line]
    found = finder.find(source, occurrence.word, tree, translation.links[line])
    return finding(found, occurrence.contrast, tree, text)


def finding(found: FoundClass, contrast: Contrast, tree: Tree, text: str) -> Finding:
    """The verdict on a class. Its evidence is the class, at the word that has it in the normalised text."""
    polarity: Polarity | None = (
        "pass" if found.label in contrast.good else "fail" if found.label in contrast.bad else None
    )
    # A class that the contrast names neither good nor bad is as unknown as no class.
    if found.word is None or polarity is None:
        return Finding(Verdict.WARNING, found.reason or "no_class")
    # Parsers may split or respell tokens; one that is not in the text gets an empty span.
    spans = surface_spans([normalise(form) for form in tree.surface_forms], text)
    start, end = spans[tree.surface[found.word]] or (0, 0)
    return Finding(_VERDICTS[polarity], "", (Evidence(Rule(polarity, "class", found.label), start, end),))


def find(contrasts: Contrasts, sources: Mapping[int, Tree], name: str) -> Suite:
    """All keywords of a construction, or of a contrast by its source rule, as a suite whose items have no rules yet."""
    if name in contrasts.contrasts:
        contrast = contrasts.contrasts[name]
        only = SourceRule(_alone(contrasts, contrast)).occurrences(sources)
    elif name in contrasts.constructions:
        construction = contrasts.constructions[name]
        contrast = Contrast(name, name, (), (), category=name, tests=construction.description)
        patterns = Patterns.of(construction)
        only = [Occurrence(line, word, contrast) for line, tree in sources.items() for word in patterns.places(tree)]
    else:
        raise UnknownName("construction or contrast", name, [*contrasts.constructions, *contrasts.contrasts])
    found = sorted(only, key=lambda occurrence: (occurrence.line, occurrence.word))
    return _suite(_alone(contrasts, contrast), sources, found, "source")


def _alone(contrasts: Contrasts, contrast: Contrast) -> Contrasts:
    return replace(contrasts, contrasts={contrast.name: contrast})


def _suite(
    contrasts: Contrasts, sources: Mapping[int, Tree], occurrences: Sequence[Occurrence], expectation: str
) -> Suite:
    taxonomy: dict[str, dict[str, str]] = {}
    for contrast in contrasts.contrasts.values():
        taxonomy.setdefault(contrast.category, {})[contrast.name] = contrast.tests
    return Suite(
        name=contrasts.name,
        langpair=contrasts.langpair,
        items=tuple(_item(sources[occurrence.line], occurrence) for occurrence in occurrences),
        taxonomy=taxonomy,
        version="/".join(part for part in (contrasts.version, expectation, contrasts.hash) if part),
        licence=contrasts.licence,
        description=contrasts.description,
        path=contrasts.path,
    )


def _item(tree: Tree, occurrence: Occurrence) -> Item:
    word, contrast = occurrence.word, occurrence.contrast
    tests = f"word {word + 1}, “{tree.tokens[word].form}”" + (f": {contrast.tests}" if contrast.tests else "")
    return Item(
        id=occurrence.id,
        category=contrast.category,
        phenomenon=contrast.name,
        source=tree.text or " ".join(tree.surface_forms),
        tests=tests,
    )
