"""Small suites for tests, built by hand or written as YAML."""

from pathlib import Path

from assay.suites.suite import Item, Rule, Suite, taxonomy_of

MANIFEST = """\
name: garden
langpair: de-en
version: 1.10
licence: CC-BY-4.0
authors: [Ada, Ben]
description: Sentences from a garden.
canary: garden-canary-7
categories:
  Ambiguity:
    Lexical ambiguity: A word with several senses.
    Structural ambiguity: Two readings of one structure.
  Negation:
    Negation: Something is not the case.
"""

KIEFER = """\
category: Ambiguity
phenomenon: Lexical ambiguity
items:
  - id: kiefer
    source: Der Kiefer tut ihm beim Kauen weh.
    pass: ['\\bjaw\\b']
"""


def an_item(item_id: str, source: str = "Es regnet.", *rules: Rule) -> Item:
    return Item(item_id, "Ambiguity", "Lexical ambiguity", source, rules)


def a_suite(*items: Item, langpair: str = "de-en") -> Suite:
    return Suite("garden", langpair, items, taxonomy_of(items))


def suite_folder(folder: Path, files: dict[str, str], manifest: str = MANIFEST) -> Path:
    """A suite folder with this manifest and these files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "suite.yaml").write_text(manifest, encoding="utf-8")
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def listing(folder: Path) -> dict[str, bytes | None]:
    """Every path under a folder with what is in it."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
