"""Groups of items: what a file says of them, and what cannot be.

    {"group": "verbs/nurse-1", "independent": True, "renderings": "differ"} = read(entry, {})
    members(suite.items)                    # {"verbs/nurse-1": [4, 5]}

Items of a group are right only together (a minimal pair), unless they are not independent: then they share their
material and are one observation. A name holds in its file, as ids do; in a template `{slot}` is the key of the value.
"""

from collections.abc import Iterable
from typing import TypedDict

from assay.errors import BadSuite
from assay.suites import templates
from assay.suites.suite import Item, Renderings
from assay.yaml_nodes import YamlNode


class GroupFields(TypedDict):
    """The fields of an item that are about its group."""

    group: str
    independent: bool
    renderings: Renderings


def read(entry: YamlNode, choice: templates.Choice) -> GroupFields:
    """What an item or a template says about its group."""
    fields = entry.fields()
    name = templates.fill_keys(fields["group"], choice) if "group" in fields else ""
    if any(character.isspace() for character in name):
        fields["group"].fail(f"the group {name!r} has white space", "write it like this: nurse-1")
    independent = entry.text("independent", "true").lower()
    if independent not in ("true", "false"):
        fields["independent"].fail(f"'independent' is true or false, not {independent!r}")
    for key in ("independent", "renderings"):
        if key in fields and not name:
            fields[key].fail(f"{key!r} without a group", "name the group that it is about, or remove it")
    renderings = entry.text("renderings", "")
    if "renderings" in fields and renderings not in ("same", "differ"):
        fields["renderings"].fail(f"renderings is {renderings!r}", "write same or differ")
    if renderings and independent == "false":
        fields["renderings"].fail("renderings of a group with independent: false", "remove one of the two")
    return {
        "group": f"{entry.path.stem}/{name}" if name else "",
        "independent": independent == "true",
        "renderings": "same" if renderings == "same" else "differ" if renderings else "",
    }


def members(items: Iterable[Item], *, independent: bool | None = None) -> dict[str, list[int]]:
    """Group -> places of its items; all groups, or only those that are right together, or only the others."""
    found: dict[str, list[int]] = {}
    for place, item in enumerate(items):
        if item.group and independent in (None, item.independent):
            found.setdefault(item.group, []).append(place)
    return found


def check(items: list[Item]) -> None:
    """Members of a group must not contradict each other."""
    for name, places in members(items).items():
        found = [items[place] for place in places]
        first = found[0]
        said = next((item for item in found if item.renderings), first)
        for item in found:
            if item.independent != first.independent:
                raise _contradiction(item, first, name, "independent")
            if item.renderings not in ("", said.renderings):
                raise _contradiction(item, said, name, "renderings")


def _contradiction(item: Item, other: Item, group: str, key: str) -> BadSuite:
    # From the right: a Windows path has a colon of its own.
    file, _, line = item.place.rpartition(":")
    return BadSuite(
        file or item.place,
        f"item {item.id!r} and item {other.id!r} of the group {group!r} contradict each other: {key}",
        line=int(line) if line.isdigit() else None,
        cure="write the same in both, or use two groups",
    )
