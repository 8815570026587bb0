"""Write docs/suites/NAME.md for every bundled suite: its phenomena, each with an example.

    python scripts/suite_pages.py

A test checks that the pages fit the suites.
"""

from pathlib import Path

from assay.suites import Item, Suite, bundled, bundled_outputs, load_suite

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
        + (f" Outputs of {outputs} made-up systems come with it (`assay demo {name}`)." if outputs else ""),
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
    for category, names in suite.taxonomy.items():
        lines += ["", f"## {category}"]
        for phenomenon, description in names.items():
            lines += ["", *_phenomenon(suite, category, phenomenon, description)]
    return "\n".join(lines) + "\n"


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
