"""Writing a native suite folder. Templates have been expanded by then, so their items are written one by one."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from assay.errors import BadSuite
from assay.files import writing_folder
from assay.languages import BadLanguage, read_pair
from assay.suites.native import MANIFEST
from assay.suites.prompts import NO_PROMPTS, PROMPT_KEYS
from assay.suites.suite import POLARITIES, Item, Rule, Suite
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
    told = NO_PROMPTS | shared_prompts(suite.items)
    (folder / MANIFEST).write_text(dump(manifest(suite, plain=plain, told=told)), encoding="utf-8")
    for (category, stem), items in files.items():
        file = folder / slug(category)[:LONGEST_NAME] / f"{stem}.yaml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(items_file(category, "" if plain else stem, items, told), encoding="utf-8")


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


def _written_prompts(prompts: Mapping[str, str], told: Mapping[str, str]) -> dict[str, str]:
    """Those that are not the same as above; an empty one switches that off."""
    return {key: _ToldText(text) for key, text in prompts.items() if text != told[key]}


def manifest(suite: Suite, *, plain: bool, told: Mapping[str, str] = NO_PROMPTS) -> dict[str, Any]:
    """`suite.yaml`; `plain` where ids do not name their file. `told` are prompt and context for all items."""
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
        **_written_prompts(told, NO_PROMPTS),
        "categories": {category: dict(names) for category, names in suite.taxonomy.items()},
    }


def items_file(category: str, stem: str, items: list[Item], told: Mapping[str, str]) -> str:
    """A file with items; without a stem their ids are written as they stand. `told` are the prompts of `suite.yaml`."""
    phenomena = {item.phenomenon for item in items}
    head = {"category": category}
    if len(phenomena) == 1:
        head["phenomenon"] = items[0].phenomenon
    own = _written_prompts(shared_prompts(items), told)
    head |= own
    # Dumped one by one and joined with a blank line between, which PyYAML cannot do, for people who edit the file.
    entries = [dump([item_entry(item, stem, named=len(phenomena) > 1, told={**told, **own})]) for item in items]
    return dump(head) + "items:\n" + "\n".join(entries)


def item_entry(item: Item, stem: str, *, named: bool, told: Mapping[str, str] = NO_PROMPTS) -> dict[str, Any]:
    """An item as it stands in a file; `named` with its phenomenon, where the file has several.

    `told` are prompt and context that it has without writing them.
    """
    prompts = _written_prompts({key: getattr(item, key) for key in PROMPT_KEYS}, told)
    fields: dict[str, Any] = {
        "id": item.id.removeprefix(f"{stem}/") if stem else item.id,
        "phenomenon": item.phenomenon if named else "",
        "source": item.source,
        **prompts,
        "group": item.group.removeprefix(f"{stem}/") if stem else item.group,
        "independent": "" if item.independent else False,
        "renderings": item.renderings,
        "tests": item.tests,
        "rubric": _ToldText(item.rubric),
        **{polarity: [rule_entry(rule) for rule in item.rules if rule.polarity == polarity] for polarity in POLARITIES},
        "labels": {label.name: [rule_entry(rule) for rule in label.rules] for label in item.labels},
        "examples": {polarity: list(texts) for polarity, texts in item.examples.by_polarity() if texts},
        "tags": list(item.tags),
        "notes": item.notes,
        "held_out": item.held_out or "",
    }
    # Absent and empty are the same to the reader, so empty fields only lengthen the file; but not for prompts.
    return {name: value for name, value in fields.items() if value or value is False or name in prompts}


def rule_entry(rule: Rule) -> str | dict[str, str]:
    """A rule as it stands in a file."""
    extras = {name: getattr(rule, name) for name in ("flags", "note", "by", "on") if getattr(rule, name)}
    if rule.kind == "regex" and not extras:
        return rule.value
    return {rule.kind: rule.value, **extras}


def dump(data: Any) -> str:
    """YAML as the files of a suite have it."""
    # The width is larger than any text: PyYAML would fold long patterns over several lines.
    return yaml.dump(data, Dumper=Dumper, allow_unicode=True, sort_keys=False, width=2**16)
