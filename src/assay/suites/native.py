"""The native suite: a folder with `suite.yaml` and one YAML file per phenomenon.

    suite = read(Path("suites/de-en"))

`docs/reference/suite-format.md` describes it; `schemas/suite.json` and `schemas/items.json` check it in editors.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from assay.errors import BadSuite, UnknownName
from assay.files import read_bytes
from assay.languages import BadLanguage, read_pair
from assay.suites import groups, templates
from assay.suites.kinds import SEPARATOR, get_kind, is_kind, kind_names
from assay.suites.prompts import NO_PROMPTS, PROMPT_KEYS
from assay.suites.suite import (
    KINDS,
    POLARITIES,
    SAID_KEYS,
    EqualSources,
    Examples,
    Item,
    Label,
    Polarity,
    Rule,
    Suite,
    Tier,
)
from assay.yaml_nodes import YamlNode, parse

MANIFEST = "suite.yaml"
GROUP_KEYS = ("group", "independent")
"""What may stand at the top of a file for all of its templates, and in an item or a template: the nearest counts."""
JUDGEMENTS = "judgements.yaml"
PROBES = "probes.yaml"
"""Texts that must not pass, which `assay lint --probe` tries."""

ITEM_KEYS = (
    "id",
    "phenomenon",
    "tier",
    "source",
    "prompt",
    "context",
    "group",
    "independent",
    "renderings",
    "tests",
    "rubric",
    "pass",
    "fail",
    "labels",
    "examples",
    "tags",
    "notes",
    "held_out",
    "source_of",
    "defaults",
)

RULE_KEYS = ("flags", "note", "by", "on", "in", "closed")
"""What may stand in a rule beside its kind."""

BARE_KINDS = ("copy", "refusal", "language")
"""Kinds that need no argument: among defaults their bare name is a rule."""

Defaults = tuple[Rule, ...]
"""Rules that an item has beside its own: those of `suite.yaml`, of its file, or those that it names itself."""


def read(path: Path, *, may_be_empty: bool = False) -> Suite:
    """Read a suite folder (or the `suite.yaml` in it). It must have items, or there is little that one could do."""
    folder = path.parent if path.name == MANIFEST else path
    manifest = parse(folder / MANIFEST)
    taxonomy = _read_taxonomy(manifest)
    above = Above(_read_langpair(manifest), read_prompts(manifest), read_defaults(manifest))
    # Items in a file that is silently skipped would be missed by nobody; better an error.
    for stray in _seen(folder, "*.yml"):
        raise BadSuite(stray, "not read: a suite's files end in .yaml", cure="rename it")
    plain = _is_plain(manifest)
    files: dict[str, Path] = {}
    found: list[Item] = []
    homes: dict[str, str] = {}
    for file in _seen(folder, "*.yaml"):
        if file in (folder / MANIFEST, folder / JUDGEMENTS, folder / PROBES):
            continue
        # Ids begin with the file's stem, so a stem must be unique in the suite, whatever folder its file is in.
        if file.stem in files:
            raise BadSuite(
                file, f"the file name {file.stem!r} stands twice (also {files[file.stem]})", cure="rename one"
            )
        files[file.stem] = file
        items = list(read_items(parse(file), taxonomy, above))
        items = [_with_plain_id(item, homes) for item in items] if plain else items
        homes |= {item.id: file.stem for item in items}
        found += items
    if not found and not may_be_empty:
        raise BadSuite(folder, "the suite has no items", cure="add a YAML file per phenomenon")
    found = _with_sources(found)
    groups.check(found)
    if (folder / JUDGEMENTS).exists():
        found = _with_judgements(folder, found)
    # By taxonomy, then by file, then as written (sorting is stable): how files are spread over folders decides nothing.
    rank = {
        pair: number
        for number, pair in enumerate(
            (category, phenomenon) for category, names in taxonomy.items() for phenomenon in names
        )
    }
    ordered = sorted(found, key=lambda item: (rank[item.category, item.phenomenon], homes[item.id]))
    return Suite(
        name=manifest.text("name"),
        langpair=above.langpair,
        items=tuple(ordered),
        taxonomy=taxonomy,
        version=manifest.text("version", ""),
        licence=manifest.text("licence", ""),
        authors=manifest.texts("authors"),
        description=manifest.text("description", ""),
        canary=manifest.text("canary", ""),
        equal_sources=_read_equal_sources(manifest),
        guidelines=_read_guidelines(manifest),
        twins=_read_said(manifest, "twins"),
        lexical=_read_said(manifest, "lexical"),
        negation=_read_said(manifest, "negation"),
        path=str(path),
    )


def _read_equal_sources(manifest: YamlNode) -> EqualSources:
    found = manifest.text("equal_sources", "error")
    if found not in ("error", "ids"):
        manifest.fields()["equal_sources"].fail(
            f"equal_sources is {found!r}", "write error, or ids (lines in the order of ids)"
        )
    return "ids" if found == "ids" else "error"


def _seen(folder: Path, pattern: str) -> Iterator[Path]:
    """Files of a suite, sorted. Hidden folders are none of it: `.github` and `.vscode` hold YAML of others."""
    for file in sorted(folder.rglob(pattern)):
        if not any(part.startswith(".") for part in file.relative_to(folder).parts[:-1]):
            yield file


def read_files(path: Path) -> dict[str, str]:
    """The files that a suite is written in, but for judgements: path below its folder -> text, byte order mark and all.

    Empty for a suite of another format.
    """
    folder = path.parent if path.name == MANIFEST else path
    if not (folder / MANIFEST).is_file():
        return {}
    files = (file for file in _seen(folder, "*.yaml") if file != folder / JUDGEMENTS)
    return {file.relative_to(folder).as_posix(): read_bytes(file).decode("utf-8") for file in files}


def has_plain_ids(folder: Path) -> bool:
    """Whether the ids of a suite are as they stand in its files, without the name of the file."""
    return _is_plain(parse(folder / MANIFEST))


def _is_plain(manifest: YamlNode) -> bool:
    ids = manifest.text("ids", "file")
    if ids not in ("file", "plain"):
        manifest.fields()["ids"].fail(f"ids is {ids!r}", "write file (ids are file-stem/id) or plain (as they stand)")
    return ids == "plain"


def _with_plain_id(item: Item, homes: Mapping[str, str]) -> Item:
    """The item with its id as it stands in the file, which must be unique in the suite."""
    plain = item.id.partition("/")[2]
    if plain in homes:
        # From the right: a Windows path has a colon of its own.
        file, _, line = item.place.rpartition(":")
        raise BadSuite(
            file, f"the id {plain!r} stands in {homes[plain]}.yaml too", line=int(line), cure="plain ids are unique"
        )
    return replace(item, id=plain, group=item.group.partition("/")[2])


def _with_judgements(folder: Path, items: list[Item]) -> list[Item]:
    known = {item.id for item in items}
    judged = read_judgements(folder, known)
    return [replace(item, rules=(*item.rules, *judged.get(item.id, ()))) for item in items]


def read_judgements(folder: Path, known: Container[str] | None = None) -> dict[str, list[Rule]]:
    """Item id -> its settled judgements as rules. An item may stand once, and must be in `known` if that is given."""
    found: dict[str, list[Rule]] = {}
    for entry in parse(folder / JUDGEMENTS).sequence():
        entry.only("item", *POLARITIES)
        item = entry.text("item")
        if known is not None and item not in known:
            entry.fail(f"no item {item!r} in the suite", "remove the entry or correct the id")
        if item in found:
            entry.fail(f"the item {item!r} stands twice", "join the two")
        found[item] = [rule for polarity in POLARITIES for rule in _rules(entry, polarity, {})]
    return found


def _read_langpair(manifest: YamlNode) -> str:
    langpair = manifest.text("langpair")
    try:
        read_pair(langpair)
    except BadLanguage as error:
        manifest.fields()["langpair"].fail(error.problem, error.cure)
    return langpair


def _read_taxonomy(manifest: YamlNode) -> dict[str, dict[str, str]]:
    fields = manifest.only(
        "name",
        "langpair",
        "version",
        "licence",
        "authors",
        "description",
        "canary",
        "ids",
        "equal_sources",
        *PROMPT_KEYS,
        "defaults",
        "categories",
    )
    if "categories" not in fields:
        manifest.fail("'categories' is missing", "list categories and their phenomena")
    return {
        category: {name: _description(text) for name, text in names.fields().items()}
        for category, names in fields["categories"].fields().items()
    }


def _description(phenomenon: YamlNode) -> str:
    """What a phenomenon is: a text, or beside other things that are said of it."""
    if not phenomenon.is_mapping:
        return phenomenon.value()
    phenomenon.only("description", "guideline", *SAID_KEYS)
    return phenomenon.text("description", "")


def _read_guidelines(manifest: YamlNode) -> dict[tuple[str, str], str]:
    """The phenomena of which it is said how strictly they are judged."""
    found = {}
    for category, names in manifest.fields()["categories"].fields().items():
        for name, node in names.fields().items():
            if node.is_mapping and node.text("guideline", "").strip():
                found[category, name] = node.text("guideline")
    return found


def _read_said(manifest: YamlNode, key: str) -> dict[tuple[str, str], bool]:
    """The phenomena of which it is said whether their texts have twins, are lexical, or may be negated."""
    found = {}
    for category, names in manifest.fields()["categories"].fields().items():
        for name, node in names.fields().items():
            if node.is_mapping and key in node.fields():
                found[category, name] = node.flag(key)
    return found


def read_prompts(node: YamlNode, above: Mapping[str, str] = NO_PROMPTS) -> dict[str, str]:
    """Prompt and context as they hold from a node on down: its own, else those above. An empty one is none."""
    fields = node.fields()
    return {key: _told(fields[key], key) if key in fields else above[key] for key in PROMPT_KEYS}


def _told(node: YamlNode, key: str) -> str:
    if not node.is_text:
        node.fail(f"{key!r} is no text", f"write one text, several lines behind {key}: |")
    return node.value()


@dataclass(frozen=True, slots=True)
class Above:
    """What holds from above: the languages, what language models are told, default rules and the tier."""

    langpair: str = ""
    told: Mapping[str, str] = field(default_factory=lambda: NO_PROMPTS)
    defaults: Defaults = ()
    tier: Tier = "entry"

    def at(self, node: YamlNode) -> "Above":
        """The same with what a node says itself."""
        prompts, defaults = read_prompts(node, self.told), read_defaults(node, self.defaults)
        return Above(self.langpair, prompts, defaults, _read_tier(node, self.tier))


def _read_tier(node: YamlNode, above: Tier) -> Tier:
    """The tier as it holds from a node on down: its own, else that above."""
    found = node.text("tier", above)
    if found not in ("entry", "context"):
        node.fields()["tier"].fail(f"tier is {found!r}", "write entry or context")
    return "context" if found == "context" else "entry"


def read_defaults(node: YamlNode, above: Defaults = ()) -> Defaults:
    """Default rules as they hold from a node on down: its own, else those above. Empty ones are none."""
    field = node.fields().get("defaults")
    if field is None:
        return above
    if field.is_text:
        if field.value() not in ("", "none"):
            field.fail(f"defaults are {field.value()!r}", "write none, or rules under pass: and fail:")
        return ()
    field.only(*POLARITIES)
    return tuple(rule for polarity in POLARITIES for rule in _rules(field, polarity, {}, is_default=True))


def _with_sources(items: list[Item]) -> list[Item]:
    """Items with `source_of` get source, prompt and context of the item that it names."""
    if not any(item.source_of for item in items):
        return items
    known = {item.id: item for item in items}
    return [_shared(item, known) if item.source_of else item for item in items]


def _shared(item: Item, known: Mapping[str, Item]) -> Item:
    """An item with what it has from another; `source_of` may leave out the name of its own file."""
    seen, first = [item.id], item
    while first.source_of:
        stem = first.id.partition("/")[0]
        name = next((name for name in (first.source_of, f"{stem}/{first.source_of}") if name in known), "")
        if not name:
            local = [name.removeprefix(f"{stem}/") for name in known if name.startswith(f"{stem}/")]
            strange = UnknownName("item", first.source_of, [*local, *(name for name in known if "/" not in name)])
            _refuse(first, str(strange), "source_of names an item of this file, or with file-stem/id one of another")
        if name in seen:
            _refuse(item, f"source_of goes round: {' → '.join((*seen, name))}", "give one of them its source")
        seen.append(name)
        first = known[name]
    return replace(item, source=first.source, prompt=first.prompt, context=first.context, source_of=first.id)


def _refuse(item: Item, problem: str, cure: str) -> NoReturn:
    # From the right: a Windows path has a colon of its own.
    file, _, line = item.place.rpartition(":")
    raise BadSuite(file, f"item {item.id!r}: {problem}", line=int(line), cure=cure)


NOTHING_ABOVE = Above()


def read_items(
    root: YamlNode, taxonomy: Mapping[str, Mapping[str, str]], above: Above = NOTHING_ABOVE
) -> Iterator[Item]:
    """The items of one file, each id once; `above` is what `suite.yaml` says about all items."""
    above_items = ("category", "phenomenon", "tier", *PROMPT_KEYS, *GROUP_KEYS, "defaults")
    fields = root.only(*above_items, "items", "templates", "slots")
    category = root.text("category")
    if category not in taxonomy:
        fields["category"].fail(
            f"unknown category {category!r}", f"add it to {MANIFEST} or use one of: {', '.join(taxonomy)}"
        )
    known = taxonomy[category]
    seen: dict[str, int] = {}
    for item in _expand(root, category, known, above.at(root)):
        line = int(item.place.rpartition(":")[2])
        if item.id in seen:
            raise BadSuite(
                root.path,
                f"the id {item.id.partition('/')[2]!r} stands twice (also line {seen[item.id]})",
                line=line,
                cure="give each item its own id",
            )
        seen[item.id] = line
        yield item
    if not seen:
        for key in PROMPT_KEYS:
            if key in fields:
                fields[key].fail(f"a {key} without items", "write them under items:, or remove the file")
        root.fail("the file has no items", "write them under items:")


def _expand(root: YamlNode, category: str, known: Mapping[str, str], above: Above) -> Iterator[Item]:
    fields = root.fields()
    default = root.text("phenomenon", "")
    for entry in fields["items"].sequence() if "items" in fields else ():
        entry.only(*ITEM_KEYS)
        phenomenon = _phenomenon(root, entry, default, known)
        yield _item(entry, entry.text("id"), category, phenomenon, above.at(entry), {})
    _check_top(fields)
    if "templates" in fields and "slots" not in fields:
        fields["templates"].fail("templates need slots", "add slots: to this file")
    slots = templates.read_slots(fields["slots"]) if "slots" in fields else {}
    for entry in fields["templates"].sequence() if "templates" in fields else ():
        entry.only(*ITEM_KEYS, "only")
        entry.take(fields, GROUP_KEYS)
        phenomenon = _phenomenon(root, entry, default, known)
        written = [key for key in read_prompts(entry) if key in entry.fields()]
        defaults, tier = read_defaults(entry, above.defaults), _read_tier(entry, above.tier)
        for keys, choice in templates.choices(entry, slots):
            # The defaults above are no part of the template: braces in them are no slots.
            own = {key: templates.fill_prompt(entry.fields()[key], choice) for key in written}
            there = Above(above.langpair, {**above.told, **own}, defaults, tier)
            yield _item(entry, f"{entry.text('id')}/{keys}", category, phenomenon, there, choice)


def _check_top(fields: Mapping[str, YamlNode]) -> None:
    """What stands at the top for templates needs some."""
    for key in GROUP_KEYS:
        if key in fields and "templates" not in fields:
            fields[key].fail(f"{key} at the top of a file is for templates", "write it in the items")


def _phenomenon(root: YamlNode, entry: YamlNode, default: str, known: Mapping[str, str]) -> str:
    name = entry.text("phenomenon", default)
    if not name:
        entry.fail("'phenomenon' is missing", "name it at the top of the file or in the item")
    if name not in known:
        node = entry.fields().get("phenomenon") or root.fields()["phenomenon"]
        node.fail(f"unknown phenomenon {name!r}", f"add it to {MANIFEST} or use one of: {', '.join(known)}")
    return name


def _item(
    entry: YamlNode,
    item_id: str,
    category: str,
    phenomenon: str,
    above: Above,
    choice: templates.Choice,
) -> Item:
    fields = entry.fields()
    if not item_id.strip() or any(character.isspace() for character in item_id):
        entry.fail(f"the id {item_id!r} is blank or has white space", "write it like this: schloss-1")
    source = templates.fill(fields["source"], choice) if "source" in fields else ""
    source_of = templates.fill(fields["source_of"], choice) if "source_of" in fields else ""
    if source_of:
        for key in ("source", *PROMPT_KEYS):
            if key in fields:
                fields[key].fail(f"item {item_id!r} has source_of, and a {key} of its own", "take one of the two away")
    elif not source.strip():
        entry.fail(f"item {item_id!r} has no source text")
    own = [rule for polarity in POLARITIES for rule in _rules(entry, polarity, choice)]
    return Item(
        id=f"{entry.path.stem}/{item_id}",
        category=category,
        phenomenon=phenomenon,
        source=source,
        # An item that only asks which rendering a text has is not judged, by defaults neither.
        rules=with_defaults(own, above.defaults if own or "labels" not in fields else ()),
        tests=templates.fill(fields["tests"], choice) if "tests" in fields else "",
        examples=_examples(entry, choice),
        # `entry.texts` first, since it takes an empty `tags:` as no tags, which `sequence` would refuse.
        tags=tuple(templates.fill(tag, choice) for tag in fields["tags"].sequence()) if entry.texts("tags") else (),
        notes=templates.fill(fields["notes"], choice) if "notes" in fields else "",
        held_out=entry.flag("held_out"),
        prompt=above.told["prompt"],
        context=above.told["context"],
        source_of=source_of,
        tier=above.tier,
        langpair=above.langpair,
        labels=_labels(entry, choice),
        rubric=templates.fill(fields["rubric"], choice) if "rubric" in fields else "",
        **groups.read(entry, choice),
        place=f"{entry.path}:{entry.line}",
    )


def _examples(entry: YamlNode, choice: templates.Choice) -> Examples:
    field = entry.fields().get("examples")
    if field is None:
        return Examples()
    field.only(*POLARITIES)
    passing, failing = (
        tuple(
            templates.fill(text, choice)
            for text in (field.fields()[polarity].sequence() if polarity in field.fields() else ())
        )
        for polarity in POLARITIES
    )
    return Examples(passing, failing)


def _labels(entry: YamlNode, choice: templates.Choice) -> tuple[Label, ...]:
    field = entry.fields().get("labels")
    if field is None:
        return ()
    names = field.fields()
    if len(names) < 2:
        field.fail("labels tell two or more renderings apart", "write another, or rules under pass: and fail:")
    found = []
    for name, node in names.items():
        rules = tuple(_listed_rules(node, "pass", choice))
        if not name.strip() or not rules:
            node.fail(f"the label {name!r} has no {'rules' if name.strip() else 'name'}", "write one, or remove it")
        for rule in rules:
            if rule.by or rule.on:
                node.fail(f"a rule of the label {name!r} has an author or a date", "those are of judgements")
        found.append(Label(name, rules))
    return tuple(found)


def with_defaults(own: Sequence[Rule], defaults: Defaults) -> tuple[Rule, ...]:
    """An item's own rules and then those from above, passes before fails; what it has itself is not added."""
    if not defaults:
        return tuple(own)
    known = {rule.check for rule in own}
    every = [*own, *(rule for rule in defaults if rule.check not in known)]
    return tuple(rule for polarity in POLARITIES for rule in every if rule.polarity == polarity)


def _rules(
    entry: YamlNode, polarity: Polarity, choice: templates.Choice, *, is_default: bool = False
) -> Iterator[Rule]:
    return _listed_rules(entry.fields().get(polarity), polarity, choice, is_default=is_default)


def _listed_rules(
    field: YamlNode | None, polarity: Polarity, choice: templates.Choice, *, is_default: bool = False
) -> Iterator[Rule]:
    """The rules of a list. Among defaults, the bare name of a kind that needs no argument is that kind."""
    # `pass:` with nothing behind it is an empty text to YAML, and no rules.
    if field is None or (field.is_text and not field.value()):
        return
    for node in field.sequence():
        # A bare text is the short form of a regex rule, by far the most common kind.
        if node.is_text and is_default and node.value() in BARE_KINDS:
            yield Rule(polarity, node.value(), get_kind(node.value()).default)
        elif node.is_text:
            yield Rule(polarity, "regex", templates.fill(node, choice, rule=True))
        else:
            yield _rule(node, polarity, choice)


def _rule(node: YamlNode, polarity: Polarity, choice: templates.Choice) -> Rule:
    kind = _kind(node)
    fields = node.fields()
    flags = node.text("flags", "")
    if flags not in ("", "i"):
        fields["flags"].fail(f"unknown flags {flags!r}", "the only flag is i (ignore case)")
    if flags and kind != "regex":
        fields["flags"].fail("flags belong to regex rules")
    return Rule(
        polarity,
        kind,
        # Only a regex may be cut into groups; in the other kinds brackets would be part of the text.
        _argument(fields[kind], kind, choice),
        flags,
        node.text("note", ""),
        node.text("by", ""),
        node.text("on", ""),
        templates.fill(fields["in"], choice) if "in" in fields else "",
        _is_closed(node, polarity, kind),
    )


def _is_closed(node: YamlNode, polarity: Polarity, kind: str) -> bool:
    """Whether a fail rule names all words there are; of other rules that would say nothing."""
    closed = node.flag("closed")
    if closed and (polarity != "fail" or kind != "regex"):
        node.fields()["closed"].fail("closed belongs to regex rules under fail:", "remove it")
    return closed


def _kind(node: YamlNode) -> str:
    """The kind of a rule: the one of its keys that is none of `RULE_KEYS`."""
    named = [name for name in node.fields() if name not in RULE_KEYS]
    for name in named:
        # The kinds of others are looked for only where a name is none of ours, since that takes a while.
        if name not in KINDS and not is_kind(name):
            node.only(*kind_names(), *RULE_KEYS)
    if len(named) != 1:
        node.fail(f"a rule has exactly one of {', '.join(KINDS)}; this one has {len(named)}")
    return named[0]


def _argument(node: YamlNode, name: str, choice: templates.Choice) -> str:
    """The argument of a rule as one text; a list where the kind has parts."""
    if name in ("regex", "exact", "contains"):
        return templates.fill(node, choice, rule=name == "regex")
    kind = get_kind(name)
    if node.is_text:
        value = templates.fill(node, choice)
        if not value.strip() and not kind.default:
            node.fail(f"a {name} rule needs an argument", f"write {kind.hint}")
        return value if value.strip() else kind.default
    if not kind.is_list:
        node.fail(f"a {name} rule has one argument", f"write {kind.hint}")
    parts = [templates.fill(part, choice) for part in node.sequence()]
    for part in parts:
        if SEPARATOR in part or not part.strip():
            node.fail(f"{part!r} cannot be a part of a list", f"parts are not blank and have no {SEPARATOR.strip()}")
    if not parts:
        node.fail(f"a {name} rule needs an argument", f"write {kind.hint}")
    return SEPARATOR.join(parts)
