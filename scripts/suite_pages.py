"""Write docs/suites/NAME.md for every bundled suite: its phenomena, each with an example, and a datasheet.

    python scripts/suite_pages.py

A test checks that the pages fit the suites.
"""

from collections import Counter
from pathlib import Path
from textwrap import fill

from assay.suites import Item, Suite, bundled, bundled_outputs, load_suite
from assay.text import normalise
from assay.verdicts.scope import sentences as split

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "suites"


def page(name: str) -> str:
    """The page of one suite."""
    suite = load_suite(name)
    outputs = len(bundled_outputs(name))
    lines = [
        f"# {suite.name}",
        "",
        suite.description,
        "",
        f"{len(suite):,} items, {len(suite.phenomena)} phenomena in {len(suite.taxonomy)} categories; version "
        f"{suite.version}, {suite.licence}."
        + (f" Outputs of {outputs} demo systems come with it (`assay demo {name}`)." if outputs else ""),
        "",
        f"Every command takes the name `{name}`: `assay suite stats {name}`, `assay suite sources {name}`.",
        "This page is made from the suite by `python scripts/suite_pages.py`. For each phenomenon it shows the first",
        "item, with a right (✓) and a wrong (✗) translation.",
        "",
        "| category | phenomena | items |",
        "| --- | ---: | ---: |",
    ]
    for category, names in suite.taxonomy.items():
        items = sum(item.category == category for item in suite)
        lines.append(f"| {category} | {len(names)} | {items} |")
    lines += ["", "What it is made of and for: the [datasheet](#datasheet)."]
    for category, names in suite.taxonomy.items():
        lines += ["", f"## {category}"]
        for phenomenon, description in names.items():
            lines += ["", *_phenomenon(suite, category, phenomenon, description)]
    lines += ["", *_datasheet(name, suite, outputs)]
    return "\n".join(lines) + "\n"


def _datasheet(name: str, suite: Suite, outputs: int) -> list[str]:
    """The questions of Gebru et al. 2021; numbers are counted from the suite."""
    sections = {
        "Motivation": _motivation(suite),
        "Composition": _composition(suite),
        "Collection": COLLECTION,
        "Preprocessing": PREPROCESSING,
        "Uses": USES,
        "Distribution": _distribution(name, suite, outputs),
        "Maintenance": MAINTENANCE,
    }
    lines = ["## Datasheet", "", "After the questions of Gebru et al., *Datasheets for datasets* (2021)."]
    for title, texts in sections.items():
        lines += ["", f"### {title}", "", *map(_wrapped, texts)]
    return lines


COLLECTION = [
    "Contributors wrote the sources, rules and examples for this suite; none was taken from other suites, test sets, "
    "books or the web. Nobody's personal data is in it: names and people are made up, but for public places, works and "
    "figures. Right and wrong translations are examples written for it, not outputs of systems."
]
PREPROCESSING = [
    "None of the sources was cleaned or sampled. Rules see texts "
    "[normalised](../reference/counting.md#judging-one-text); the files hold them as they were written."
]
USES = [
    "For: finding out which phenomena a system of this direction gets right, comparing systems and versions, "
    "regression tests, and writing rules and judgements of one's own on top of it. Items of the entry tier are a "
    "regression test for engines and small models, too easy to rank large language models.",
    "",
    "Not for: a number for the quality of a system in general, since sentences were chosen for what they test and not "
    "for how often they occur; training, since the examples are the answers. A suite whose canary or sentences are in "
    "the training data of a system tells nothing about it.",
]
MAINTENANCE = [
    "By the contributors of Assay. Changes are listed in `CHANGELOG.md` beside the suites; ids are not used again. "
    "[Run the bundled suites](../howto/run-suites.md) says how to send judgements and corrections."
]


def _wrapped(text: str) -> str:
    """A paragraph in lines; a row of a table stays one."""
    return text if text.startswith("|") else fill(text, 120, break_on_hyphens=False, break_long_words=False)


def _motivation(suite: Suite) -> list[str]:
    return [
        f"{suite.description} Each item tests one phenomenon in a sentence or a short text, with rules that tell right "
        "from wrong renderings of that point alone, so that results say *what* a system can and cannot translate."
    ]


def _composition(suite: Suite) -> list[str]:
    sentences = Counter(min(len(split(normalise(item.source))), 3) for item in suite.asked)
    words = sorted(len(item.source.split()) for item in suite.asked)
    rules = sum(len(item.rules) for item in suite)
    lines = [
        f"{len(suite):,} items in {len(suite.phenomena)} phenomena; {sentences[1]:,} sources of one sentence, "
        f"{sentences[2]:,} of two, {sentences[3]:,} of more; "
        f"{words[0]} to {words[-1]} words, median {words[len(words) // 2]}.",
        f"{rules:,} rules, {sum(len(item.examples.passing) for item in suite):,} right and "
        f"{sum(len(item.examples.failing) for item in suite):,} wrong examples; "
        f"{sum(item.held_out for item in suite):,} items are held out.",
        "",
        "| | items |",
        "| --- | ---: |",
    ]
    lines += [f"| {tier} tier | {sum(item.tier == tier for item in suite)} |" for tier in suite.tiers]
    alone = sum(not item.group for item in suite)
    paired = sum(bool(item.group) and item.independent for item in suite)
    lines += [f"| in groups that are right together | {paired} |"] if paired else []
    scenes = {item.group for item in suite if item.group and not item.independent}
    lines += [f"| of {len(scenes)} scenes (not independent) | {len(suite) - alone - paired} |"] if scenes else []
    for tag in ("domain", "register"):
        found = Counter(word.partition(":")[2] for item in suite for word in item.tags if word.startswith(f"{tag}:"))
        lines += [f"| {tag}: {value} | {number} |" for value, number in sorted(found.items())]
        if not found:
            lines.append(f"| {tag}: not tagged | {len(suite)} |")
    return [*lines, "", "Items per phenomenon stand behind its name above."]


def _distribution(name: str, suite: Suite, outputs: int) -> list[str]:
    demo = f" Outputs of {outputs} demo systems are beside it, made for examples." if outputs else ""
    return [
        f"With Assay, in `src/assay/suites/bundled/{name}`, under {suite.licence}; version {suite.version}.{demo}",
        f"`suite.yaml` has a canary string by which training data can be searched: `{suite.canary}`.",
    ]


def _phenomenon(suite: Suite, category: str, phenomenon: str, description: str) -> list[str]:
    items = [item for item in suite if (item.category, item.phenomenon) == (category, phenomenon)]
    first: Item = items[0]
    return [
        f"**{phenomenon}** ({len(items)}). {description}",
        "",
        f"> {first.source}\\",
        f"> ✓ {first.examples.passing[0]}\\",
        f"> ✗ {first.examples.failing[-1]}\\",
        f"> {first.tests}",
    ]


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in bundled():
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")


if __name__ == "__main__":
    main()
