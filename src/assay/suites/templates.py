"""Templates: items of a paradigm written once and expanded over the values of their slots.

    templates:
      - id: perfect
        phenomenon: Transitive - perfect
        source: '{Who.de} {who.haben} {what.de} gekauft.'
        tests: The perfect is past in English.
        pass: ['\\b({who.en}|{Who.en})( have|''ve)? bought {what.en}\\b']
        fail: ['\\b(buy|buys|will buy)\\b']
        examples: {pass: ['{Who.en} bought {what.en}.'], fail: ['{Who.en} buy {what.en}.']}
    slots:
      who:
        ich: {de: ich, haben: habe, en: I}
        wir: {de: wir, haben: haben, en: we}
      what:
        brot: {de: das Brot, en: the bread}

`{slot.form}` is replaced by that form of the slot's value, `{slot}` by the value's text where it is a plain
text, and a capital first letter (`{Who.de}`) capitalises it. In rules the form is a piece of regular
expression and is put in a group. A template is expanded over the product of the slots it mentions, or only
over the combinations in its `only` list (`only: ['ich brot', 'wir brot']`). The item's id is
`template/value-value`, in the order of `slots`. In the name of a group `{slot}` is the key of the value.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod

from assay.suites.prompts import PLACES, PROMPT_KEYS
from assay.yaml_nodes import YamlNode

# {2,3}, \p{Lu} and \N{DASH} are pieces of regular expressions, not slots.
# The brace first, which `re` finds quickly; most texts have few.
_REFERENCE = re.compile(r"\{(?<!\\[pPN]\{)([A-Za-z_]\w*)(?:\.(\w+))?\}")


@dataclass(frozen=True, slots=True)
class SlotValue:
    """One value of a slot: its key and its forms (`""` is the plain text)."""

    key: str
    forms: Mapping[str, str]


Slots = Mapping[str, tuple[SlotValue, ...]]
Choice = Mapping[str, SlotValue]


def read_slots(node: YamlNode) -> dict[str, tuple[SlotValue, ...]]:
    """The `slots:` of a template file."""
    slots = {}
    for name, slot in node.fields().items():
        # Lower case, because `{Who}` means the slot `who` with a capital.
        if not re.fullmatch(r"[a-z_]\w*", name):
            slot.fail(f"the slot name {name!r} must be lower-case letters, digits and _")
        values = []
        for key, value in slot.fields().items():
            if value.is_mapping:
                forms = {form: text.value() for form, text in value.fields().items()}
            else:
                forms = {"": value.value()}
            values.append(SlotValue(key, forms))
        if not values:
            slot.fail(f"the slot {name!r} has no values")
        slots[name] = tuple(values)
    return slots


MOST_ITEMS = 10_000
"""A template that makes more is a mistake, and could fill the memory."""


def mentioned(template: YamlNode, slots: Slots) -> list[str]:
    """The slots that a template's texts mention, in the order of `slots`."""
    names = set()
    for key, field in template.fields().items():
        # The name of a group makes no items: it may stand above all templates of a file.
        for text in _texts(field) if key != "group" else ():
            for match in _REFERENCE.finditer(text.value()):
                # Only the first letter is lowered: `{wHO}` stays an unknown slot.
                name = match[1] if match[1] in slots else match[1][0].lower() + match[1][1:]
                if name in slots:
                    names.add(name)
                elif key not in PROMPT_KEYS or match[0][1:-1] not in PLACES:
                    text.fail(f"no slot {match[1]!r}", f"there are: {', '.join(slots)}")
    return [name for name in slots if name in names]


def _texts(node: YamlNode) -> Iterator[YamlNode]:
    """All texts below a node."""
    if node.is_text:
        yield node
        return
    children = node.fields().values() if node.is_mapping else node.sequence()
    for child in children:
        yield from _texts(child)


def choices(template: YamlNode, slots: Slots) -> Iterator[tuple[str, Choice]]:
    """(`template/value-value`, slot -> value) for every expansion."""
    names = mentioned(template, slots)
    if not names:
        template.fail("the template mentions no slot", "write a plain item under items: instead")
    for values in _combinations(template, names, slots):
        yield "-".join(value.key for value in values), dict(zip(names, values, strict=True))


def _combinations(template: YamlNode, names: list[str], slots: Slots) -> Iterable[tuple[SlotValue, ...]]:
    """The values of every expansion, in the order of the slots: all of them, or those that `only` lists."""
    only = template.fields().get("only")
    if only is not None:
        return _listed(only, names, slots)
    if prod(len(slots[name]) for name in names) > MOST_ITEMS:
        template.fail(f"the template makes more than {MOST_ITEMS:,} items", "choose combinations with only:")
    return product(*(slots[name] for name in names))


def _listed(only: YamlNode, names: list[str], slots: Slots) -> list[tuple[SlotValue, ...]]:
    # Found by name: running through the product could take years, however short the list.
    known = [{value.key: (place, value) for place, value in enumerate(slots[name])} for name in names]
    listed: dict[tuple[int, ...], tuple[SlotValue, ...]] = {}
    for entry in only.sequence():
        keys = entry.value().split()
        if len(keys) != len(names) or any(key not in values for key, values in zip(keys, known, strict=True)):
            entry.fail(f"{entry.value()!r} is not a combination of values", f"one of each: {', '.join(names)}")
        places, values = zip(*(values[key] for key, values in zip(keys, known, strict=True)), strict=True)
        if places in listed:
            entry.fail(f"the combination {entry.value()!r} stands twice")
        listed[places] = values
    # In the order of the product, whatever the order of the list.
    return [listed[places] for places in sorted(listed)]


def fill(text: YamlNode, choice: Choice, *, rule: bool = False) -> str:
    """The text with its slots filled in; in a rule each form becomes a group."""
    written = text.value()
    # Without slots braces are what they are, so items outside templates may contain `{word}`.
    if not choice or "{" not in written:
        return written

    def replace(match: re.Match[str]) -> str:
        name, form = match[1], match[2] or ""
        capital = name not in choice
        value = choice[name[0].lower() + name[1:] if capital else name]
        if form not in value.forms:
            problem = f"no form {form!r}" if form else "only named forms"
            text.fail(f"the value {value.key!r} has {problem}", f"there are: {', '.join(value.forms)}")
        filled = value.forms[form]
        if capital:
            filled = filled[:1].upper() + filled[1:]
        # Grouped, so that a form such as `a|b` stays one piece of the pattern around it.
        return f"(?:{filled})" if rule else filled

    return _REFERENCE.sub(replace, written)


def fill_prompt(text: YamlNode, choice: Choice) -> str:
    """The text with its slots filled in; the places of a prompt, which are filled when it is sent, stay."""
    kept = {place: SlotValue(place, {"": f"{{{place}}}"}) for place in PLACES}
    return fill(text, {**kept, **choice})


def fill_keys(text: YamlNode, choice: Choice) -> str:
    """The text with the keys of the chosen values in the place of their slots."""
    for match in _REFERENCE.finditer(text.value()) if choice else ():
        if match[1] not in choice or match[2]:
            text.fail(f"no slot {match[0][1:-1]!r} of the template", f"there are: {', '.join(choice)}")
    return fill(text, {name: SlotValue(value.key, {"": value.key}) for name, value in choice.items()})
