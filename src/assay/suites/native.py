"""The native suite: a folder with `suite.yaml` and one YAML file per phenomenon.

    suite = read(Path("suites/de-en"))

`docs/reference/suite-format.md` describes it; `schemas/suite.json` and `schemas/items.json` check it in editors.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from assay.errors import BadSuite
from assay.files import read_bytes
from assay.languages import BadLanguage, read_pair
from assay.suites import groups, templates
from assay.suites.prompts import NO_PROMPTS, PROMPT_KEYS
from assay.suites.suite import KINDS, POLARITIES, EqualSources, Examples, Item, Kind, Label, Polarity, Rule, Suite
from assay.yaml_nodes import YamlNode, parse

MANIFEST = "suite.yaml"
GROUP_KEYS = ("group", "independent")
"""What may stand at the top of a file for all of its templates, and in an item or a template: the nearest counts."""
JUDGEMENTS = "judgements.yaml"

ITEM_KEYS = (
    "id",
    "phenomenon",
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
)


def read(path: Path, *, may_be_empty: bool = False) -> Suite:
    """Read a suite folder (or the `suite.yaml` in it). It must have items, or there is little that one could do."""
    folder = path.parent if path.name == MANIFEST else path
    manifest = parse(folder / MANIFEST)
    taxonomy = _read_taxonomy(manifest)
    told = read_prompts(manifest)
    # Items in a file that is silently skipped would be missed by nobody; better an error.
    for stray in _seen(folder, "*.yml"):
        raise BadSuite(stray, "not read: a suite's files end in .yaml", cure="rename it")
    plain = _is_plain(manifest)
    files: dict[str, Path] = {}
    found: list[Item] = []
    homes: dict[str, str] = {}
    for file in _seen(folder, "*.yaml"):
        if file in (folder / MANIFEST, folder / JUDGEMENTS):
            continue
        # Ids begin with the file's stem, so a stem must be unique in the suite, whatever folder its file is in.
        if file.stem in files:
            raise BadSuite(
                file, f"the file name {file.stem!r} stands twice (also {files[file.stem]})", cure="rename one"
            )
        files[file.stem] = file
        items = list(read_items(parse(file), taxonomy, told))
        items = [_with_plain_id(item, homes) for item in items] if plain else items
        homes |= {item.id: file.stem for item in items}
        found += items
    if not found and not may_be_empty:
        raise BadSuite(folder, "the suite has no items", cure="add a YAML file per phenomenon")
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
        langpair=_read_langpair(manifest),
        items=tuple(ordered),
        taxonomy=taxonomy,
        version=manifest.text("version", ""),
        licence=manifest.text("licence", ""),
        authors=manifest.texts("authors"),
        description=manifest.text("description", ""),
        canary=manifest.text("canary", ""),
        equal_sources=_read_equal_sources(manifest),
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
        "categories",
    )
    if "categories" not in fields:
        manifest.fail("'categories' is missing", "list categories and their phenomena")
    return {
        category: {name: text.value() for name, text in names.fields().items()}
        for category, names in fields["categories"].fields().items()
    }


def read_prompts(node: YamlNode, above: Mapping[str, str] = NO_PROMPTS) -> dict[str, str]:
    """Prompt and context as they hold from a node on down: its own, else those above. An empty one is none."""
    fields = node.fields()
    return {key: _told(fields[key], key) if key in fields else above[key] for key in PROMPT_KEYS}


def _told(node: YamlNode, key: str) -> str:
    if not node.is_text:
        node.fail(f"{key!r} is no text", f"write one text, several lines behind {key}: |")
    return node.value()


def read_items(
    root: YamlNode, taxonomy: Mapping[str, Mapping[str, str]], told: Mapping[str, str] = NO_PROMPTS
) -> Iterator[Item]:
    """The items of one file, each id once; `told` is what `suite.yaml` says to language models about all items."""
    fields = root.only("category", "phenomenon", *PROMPT_KEYS, *GROUP_KEYS, "items", "templates", "slots")
    category = root.text("category")
    if category not in taxonomy:
        fields["category"].fail(
            f"unknown category {category!r}", f"add it to {MANIFEST} or use one of: {', '.join(taxonomy)}"
        )
    known = taxonomy[category]
    seen: dict[str, int] = {}
    for item in _expand(root, category, known, read_prompts(root, told)):
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


def _expand(root: YamlNode, category: str, known: Mapping[str, str], told: Mapping[str, str]) -> Iterator[Item]:
    fields = root.fields()
    default = root.text("phenomenon", "")
    for entry in fields["items"].sequence() if "items" in fields else ():
        entry.only(*ITEM_KEYS)
        phenomenon = _phenomenon(root, entry, default, known)
        yield _item(entry, entry.text("id"), category, phenomenon, read_prompts(entry, told), {})
    _check_top(fields)
    if "templates" in fields and "slots" not in fields:
        fields["templates"].fail("templates need slots", "add slots: to this file")
    slots = templates.read_slots(fields["slots"]) if "slots" in fields else {}
    for entry in fields["templates"].sequence() if "templates" in fields else ():
        entry.only(*ITEM_KEYS, "only")
        entry.take(fields, GROUP_KEYS)
        phenomenon = _phenomenon(root, entry, default, known)
        written = [key for key in read_prompts(entry) if key in entry.fields()]
        for keys, choice in templates.choices(entry, slots):
            # The defaults above are no part of the template: braces in them are no slots.
            own = {key: templates.fill_prompt(entry.fields()[key], choice) for key in written}
            yield _item(entry, f"{entry.text('id')}/{keys}", category, phenomenon, {**told, **own}, choice)


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
    told: Mapping[str, str],
    choice: templates.Choice,
) -> Item:
    fields = entry.fields()
    if not item_id.strip() or any(character.isspace() for character in item_id):
        entry.fail(f"the id {item_id!r} is blank or has white space", "write it like this: schloss-1")
    source = templates.fill(fields["source"], choice) if "source" in fields else ""
    if not source.strip():
        entry.fail(f"item {item_id!r} has no source text")
    return Item(
        id=f"{entry.path.stem}/{item_id}",
        category=category,
        phenomenon=phenomenon,
        source=source,
        rules=tuple(rule for polarity in POLARITIES for rule in _rules(entry, polarity, choice)),
        tests=templates.fill(fields["tests"], choice) if "tests" in fields else "",
        examples=_examples(entry, choice),
        # `entry.texts` first, since it takes an empty `tags:` as no tags, which `sequence` would refuse.
        tags=tuple(templates.fill(tag, choice) for tag in fields["tags"].sequence()) if entry.texts("tags") else (),
        notes=templates.fill(fields["notes"], choice) if "notes" in fields else "",
        held_out=entry.flag("held_out"),
        prompt=told["prompt"],
        context=told["context"],
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


def _rules(entry: YamlNode, polarity: Polarity, choice: templates.Choice) -> Iterator[Rule]:
    return _listed_rules(entry.fields().get(polarity), polarity, choice)


def _listed_rules(field: YamlNode | None, polarity: Polarity, choice: templates.Choice) -> Iterator[Rule]:
    # `pass:` with nothing behind it is an empty text to YAML, and no rules.
    if field is None or (field.is_text and not field.value()):
        return
    for node in field.sequence():
        # A bare text is the short form of a regex rule, by far the most common kind.
        if node.is_text:
            yield Rule(polarity, "regex", templates.fill(node, choice, rule=True))
        else:
            yield _rule(node, polarity, choice)


def _rule(node: YamlNode, polarity: Polarity, choice: templates.Choice) -> Rule:
    fields = node.only(*KINDS, "flags", "note", "by", "on")
    kinds: list[Kind] = [kind for kind in KINDS if kind in fields]
    if len(kinds) != 1:
        node.fail(f"a rule has exactly one of {', '.join(KINDS)}; this one has {len(kinds)}")
    kind = kinds[0]
    flags = node.text("flags", "")
    if flags not in ("", "i"):
        fields["flags"].fail(f"unknown flags {flags!r}", "the only flag is i (ignore case)")
    if flags and kind != "regex":
        fields["flags"].fail("flags belong to regex rules")
    return Rule(
        polarity,
        kind,
        # Only a regex may be cut into groups; in the other kinds brackets would be part of the text.
        templates.fill(fields[kind], choice, rule=kind == "regex"),
        flags,
        node.text("note", ""),
        node.text("by", ""),
        node.text("on", ""),
    )
