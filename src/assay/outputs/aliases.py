"""Alias files: other names for categories, phenomena and systems.

categories: {"Named entitiy & terminology": "Named entity & terminology"}
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assay.errors import BadOption, UnknownName
from assay.outputs.outputs import Outputs
from assay.suites import Suite, taxonomy_of
from assay.yaml_nodes import parse


def read_aliases(path: Path) -> dict[str, dict[str, str]]:
    """An alias file: YAML with `categories:`, `phenomena:` and `systems:`, each old name: new name."""
    fields = parse(path).only("categories", "phenomena", "systems")
    return {level: {old: new.value() for old, new in names.fields().items()} for level, names in fields.items()}


def rename(suite: Suite, aliases: Mapping[str, Mapping[str, str]]) -> Suite:
    """The suite with categories and phenomena renamed; an alias for a name that is not there is an error."""
    categories, phenomena = aliases.get("categories", {}), aliases.get("phenomena", {})
    # An alias for nothing is most likely misspelt, and would leave two rows where one was meant.
    for name in categories:
        if name not in suite.taxonomy:
            raise UnknownName("category", name, suite.taxonomy)
    known = {phenomenon for _, phenomenon in suite.phenomena}
    for name in phenomena:
        if name not in known:
            raise UnknownName("phenomenon", name, known)
    items = tuple(
        replace(
            item,
            category=categories.get(item.category, item.category),
            phenomenon=phenomena.get(item.phenomenon, item.phenomenon),
        )
        for item in suite.items
    )
    taxonomy: dict[str, dict[str, str]] = {}
    for category, names in suite.taxonomy.items():
        # Two categories may get the same name, and are joined; the description of the first is kept.
        renamed = taxonomy.setdefault(categories.get(category, category), {})
        for phenomenon, description in names.items():
            renamed.setdefault(phenomena.get(phenomenon, phenomenon), description)
    # Every item's place must be in the taxonomy, also where renaming has made a pair of names that was not there.
    for category, names in taxonomy_of(items).items():
        for phenomenon in names:
            taxonomy.setdefault(category, {}).setdefault(phenomenon, "")
    return replace(suite, items=items, taxonomy=taxonomy)


def rename_systems(outputs: Outputs, aliases: Mapping[str, Mapping[str, str]]) -> Outputs:
    """The outputs with systems renamed; an alias for a name that is not there is an error."""
    names = aliases.get("systems", {})
    known = {system.name for system in outputs.systems}
    for name in names:
        if name not in known:
            raise UnknownName("system", name, known)
    systems = tuple(replace(system, name=names.get(system.name, system.name)) for system in outputs.systems)
    for system in systems:
        if systems.count(system) > 1:
            raise BadOption(f"the aliases give the name {system.name!r} to two systems of one campaign")
    return replace(outputs, systems=systems)
