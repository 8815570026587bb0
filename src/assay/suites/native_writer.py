"""Writing a native suite folder. Templates have been expanded by then, so their items are written one by one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

import yaml

from assay.errors import BadSuite
from assay.files import writing_folder
from assay.languages import BadLanguage, read_pair
from assay.suites.kinds import SEPARATOR, get_kind, is_kind
from assay.suites.native import BARE_KINDS, MANIFEST, NOTHING_ABOVE, Above, Defaults
from assay.suites.prompts import NO_PROMPTS, PROMPT_KEYS
from assay.suites.suite import POLARITIES, SAID_KEYS, Item, Polarity, Rule, Suite
from assay.text import slug
from assay.yaml_nodes import Dumper

Files = dict[tuple[str, str], list[Item]]
"""(category, file stem) -> items."""

# File systems allow 255 bytes; a number and `.yaml` still have to fit behind the name.
LONGEST_NAME = 100


def write(suite: Suite, path: Path, *, force: bool = False) -> None:
    """Write a suite as a folder; the folder appears whole or not at all."""
    with writing_folder(path, force=force) as folder:
        write_into(suite, folder)


def write_into(suite: Suite, folder: Path) -> None:
    """Write a suite into an empty folder. Ids that do not name their file are written as they stand."""
    files, plain = _files(suite)
    _check(suite, folder, files)
    above = shared(suite.items)
    (folder / MANIFEST).write_text(dump(manifest(suite, plain=plain, above=above)), encoding="utf-8")
    for (category, stem), items in files.items():
        file = folder / slug(category)[:LONGEST_NAME] / f"{stem}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(items_file(category, "" if plain else stem, items, above), encoding="utf-8")


def _check(suite: Suite, path: Path, files: Files) -> None:
    """Refuse what the reader would refuse."""
    try:
        read_pair(suite.langpair)
    except BadLanguage:
        raise BadSuite(
            suite.path or path,
            f"the language pair is {suite.langpair or 'not known'}",
            cure="a native suite needs one like de-en: add a column direction, or put it into the file's name",
        ) from None
    # A suite of another format may have ids that are impossible or ambiguous once they are tied to a file.
    for (_, stem), items in files.items():
        local = [item.id.removeprefix(f"{stem}/") for item in items]
        for item, name in zip(items, local, strict=True):
            if not name or any(character.isspace() for character in name):
                raise BadSuite(item.place or path, f"the id {item.id!r} is blank or has white space", cure="rename it")
            if local.count(name) > 1:
                raise BadSuite(
                    item.place or path, f"the id {name!r} would stand twice in {stem}.yaml", cure="rename it"
                )


def _files(suite: Suite) -> tuple[Files, bool]:
    """(category, file stem) -> items, and whether the suite needs `ids: plain` because its ids do not name files."""
    homes = {item.id: item.id.partition("/")[0] for item in suite.items if "/" in item.id}
    shared = {(stem, suite.item(item_id).category) for item_id, stem in homes.items()}
    fits = all(0 < len(stem) <= LONGEST_NAME and stem == Path(stem).name for stem in homes.values())
    astray = any(item.group and item.group.partition("/")[0] != homes.get(item.id) for item in suite.items)
    # Plain where an id has no `/`, names an impossible file, one stem would serve two categories (a file has one), or a
    # group is not named after the file of its items.
    plain = not fits or astray or len(homes) < len(suite.items) or len(shared) > len({stem for stem, _ in shared})
    if plain:
        stems = _stems(suite.phenomena)
        homes = {item.id: stems[item.category, item.phenomenon] for item in suite.items}
    files: Files = {}
    for item in suite.items:
        files.setdefault((item.category, homes[item.id]), []).append(item)
    return files, plain


def _stems(phenomena: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """A file stem for each phenomenon, no two the same."""
    stems: dict[tuple[str, str], str] = {}
    for category, phenomenon in phenomena:
        stem = slug(phenomenon)[:LONGEST_NAME]
        # The category in front is tried first, since `verbs-other` says more than `other-2`.
        if stem in stems.values():
            stem = f"{slug(category)}-{stem}"[:LONGEST_NAME]
        base, number = stem, 2
        while stem in stems.values():
            stem, number = f"{base}-{number}", number + 1
        stems[category, phenomenon] = stem
    return stems


class _ToldText(str):
    """A prompt or a context: one of several lines is written line by line, as people write it."""


def _write_told(dumper: yaml.SafeDumper, text: _ToldText) -> yaml.ScalarNode:
    # Only the plainest; with blanks at its ends, or breaks that only YAML knows, a block is hard to read and to change.
    is_block = "\n" in text.strip() and not re.search(r"\A\s|\n\n\Z|[\x85\u2028\u2029]", text)
    style = "|" if is_block else '"' if "\x85" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)


Dumper.add_representer(_ToldText, _write_told)


def shared_prompts(items: Sequence[Item]) -> dict[str, str]:
    """Prompt and context that several items, all of these, have in common."""
    found = {}
    for key in PROMPT_KEYS:
        values = {getattr(item, key) for item in items}
        if len(items) > 1 and len(values) == 1:
            found[key] = values.pop()
    return found


def shared(items: Sequence[Item]) -> Above:
    """What several items, all of these, have in common and need not say themselves."""
    return Above(told=NO_PROMPTS | shared_prompts(items), defaults=shared_defaults(items))


def shared_defaults(items: Sequence[Item]) -> Defaults:
    """The rules at the end of each item that all of these have; of kinds that are written as defaults."""
    if len(items) < 2:
        return ()
    found: list[Rule] = []
    for polarity in POLARITIES:
        ends = [_unsettled(item, polarity)[::-1] for item in items]
        alike = list(takewhile(_is_shared, zip(*ends, strict=False)))
        found += [rules[0] for rules in alike[::-1]]
    return tuple(found)


def _is_shared(rules: Sequence[Rule]) -> bool:
    # Regular expressions that all items have are the items' own: suites without defaults are written as they were.
    return rules[0].kind not in ("regex", "exact", "contains") and len(set(rules)) == 1


def _unsettled(item: Item, polarity: Polarity) -> list[Rule]:
    return [rule for rule in item.rules if rule.polarity == polarity and not rule.by]


def has_defaults(item: Item, defaults: Defaults) -> bool:
    """Whether an item's rules end with these, so that it need not write them."""
    for polarity in POLARITIES:
        wanted = [rule for rule in defaults if rule.polarity == polarity]
        rules = _unsettled(item, polarity)
        # The reader adds no rule that an item has already: one that has it twice has to write both.
        doubled = {rule.check for rule in rules[: -len(wanted)]} & {rule.check for rule in wanted} if wanted else set()
        if wanted and (rules[-len(wanted) :] != wanted or doubled):
            return False
    return True


def _defaults_entry(defaults: Defaults) -> dict[str, Any] | str:
    """Default rules as they stand in a file; kinds without an argument by their bare names."""
    entries = {polarity: [_bare(rule) for rule in defaults if rule.polarity == polarity] for polarity in POLARITIES}
    return {polarity: rules for polarity, rules in entries.items() if rules} or "none"


def _bare(rule: Rule) -> str | dict[str, Any]:
    entry = rule_entry(rule)
    is_bare = rule.kind in BARE_KINDS and entry == {rule.kind: get_kind(rule.kind).default}
    return rule.kind if is_bare else entry


def _written_prompts(prompts: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    """Those that are not the same as above; an empty one switches that off."""
    return {key: _ToldText(text) for key, text in prompts.items() if text != told[key]}


def manifest(suite: Suite, *, plain: bool, above: Above = NOTHING_ABOVE) -> dict[str, Any]:
    """`suite.yaml`; `plain` where ids do not name their file. `above` is what it says for all items."""
    fields = {
        "name": suite.name,
        "langpair": suite.langpair,
        "version": suite.version,
        "licence": suite.licence,
        "authors": list(suite.authors),
        "description": suite.description,
        "canary": suite.canary,
        "ids": "plain" if plain else "",
        "equal_sources": suite.equal_sources if suite.equal_sources != "error" else "",
    }
    return {
        **{name: value for name, value in fields.items() if value},
        **_written_prompts(above.told, NO_PROMPTS),
        **({"defaults": _defaults_entry(above.defaults)} if above.defaults else {}),
        "categories": {
            category: {name: _phenomenon(suite, category, name) for name in names}
            for category, names in suite.taxonomy.items()
        },
    }


def _phenomenon(suite: Suite, category: str, name: str) -> str | dict[str, Any]:
    """What a phenomenon is; more of it only where more is said."""
    described = suite.taxonomy[category][name]
    guideline = suite.guidelines.get((category, name))
    more: dict[str, Any] = {"guideline": _ToldText(guideline)} if guideline else {}
    said = {key: getattr(suite, key).get((category, name)) for key in SAID_KEYS}
    more |= {key: value for key, value in said.items() if value is not None}
    return {**({"description": described} if described else {}), **more} if more else described


def items_file(category: str, stem: str, items: list[Item], above: Above) -> str:
    """A file with items; without a stem their ids are written as they stand. `above` is what `suite.yaml` says."""
    phenomena = {item.phenomenon for item in items}
    head: dict[str, Any] = {"category": category}
    if len(phenomena) == 1:
        head["phenomenon"] = items[0].phenomenon
    tier = items[0].tier if len({item.tier for item in items}) == 1 else above.tier
    head |= {"tier": tier} if tier != above.tier else {}
    own = _written_prompts(shared_prompts(items), above.told)
    head |= own
    defaults = above.defaults
    if not all(has_defaults(item, defaults) for item in items) or not defaults:
        defaults = shared_defaults(items)
        head |= {"defaults": _defaults_entry(defaults)} if defaults != above.defaults else {}
    here = Above(told={**above.told, **own}, defaults=defaults, tier=tier)
    # Dumped one by one and joined with a blank line between, which PyYAML cannot do, for people who edit the file.
    entries = [dump([item_entry(item, stem, named=len(phenomena) > 1, above=here)]) for item in items]
    return dump(head) + "items:\n" + "\n".join(entries)


def item_entry(item: Item, stem: str, *, named: bool, above: Above = NOTHING_ABOVE) -> dict[str, Any]:
    """An item as it stands in a file; `named` with its phenomenon, where the file has several.

    `above` is what it has without writing it.
    """
    prompts = _written_prompts({key: getattr(item, key) for key in PROMPT_KEYS}, above.told)
    ends = has_defaults(item, above.defaults)
    fields: dict[str, Any] = {
        "id": item.id.removeprefix(f"{stem}/") if stem else item.id,
        "phenomenon": item.phenomenon if named else "",
        "tier": item.tier if item.tier != above.tier else "",
        # What it has from another item is written there.
        "source": "" if item.source_of else item.source,
        **({} if item.source_of else prompts),
        "group": item.group.removeprefix(f"{stem}/") if stem else item.group,
        "independent": "" if item.independent else False,
        "renderings": item.renderings,
        "tests": item.tests,
        "rubric": _ToldText(item.rubric),
        **{
            polarity: [rule_entry(rule) for rule in _own(item, polarity, above.defaults if ends else ())]
            for polarity in POLARITIES
        },
        "labels": {label.name: [rule_entry(rule) for rule in label.rules] for label in item.labels},
        "examples": {polarity: list(texts) for polarity, texts in item.examples.by_polarity() if texts},
        "tags": list(item.tags),
        "notes": item.notes,
        "held_out": item.held_out or "",
        "source_of": item.source_of,
        "defaults": "" if ends else "none",
    }
    # Absent and empty are the same to the reader, so empty fields only lengthen the file; but not for prompts.
    return {name: value for name, value in fields.items() if value or value is False or name in prompts}


def _own(item: Item, polarity: Polarity, defaults: Defaults) -> list[Rule]:
    """The rules of a polarity that an item writes itself."""
    rules = [rule for rule in item.rules if rule.polarity == polarity]
    number = sum(rule.polarity == polarity for rule in defaults)
    left_out = set(map(id, _unsettled(item, polarity)[-number:])) if number else set()
    return [rule for rule in rules if id(rule) not in left_out]


def rule_entry(rule: Rule) -> str | dict[str, Any]:
    """A rule as it stands in a file."""
    extras: dict[str, Any] = {
        name: getattr(rule, name) for name in ("flags", "note", "by", "on") if getattr(rule, name)
    }
    if rule.scope:
        extras["in"] = rule.scope
    if rule.closed:
        extras["closed"] = True
    if rule.kind == "regex" and not extras:
        return rule.value
    return {rule.kind: _argument(rule), **extras}


def _argument(rule: Rule) -> str | list[str]:
    """A list where the argument has parts."""
    parts = rule.value.split(SEPARATOR)
    is_list = len(parts) > 1 and is_kind(rule.kind) and get_kind(rule.kind).is_list
    # "2 of: Haus | Hof" reads better as it is.
    return parts if is_list and all(map(str.strip, parts)) and " of" not in parts[0] else rule.value


def dump(data: Any) -> str:
    """YAML as the files of a suite have it."""
    # The width is larger than any text: PyYAML would fold long patterns over several lines.
    return yaml.dump(data, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=2**16)
