"""An item that is added to a native suite: the right file, an id like its neighbours', all comments kept.

    added = prepare(Path("my-suite"), ItemDraft("Er war auf dem Schloss.", phenomenon="Lexical ambiguity"))
    added.write()

What is not right is refused before anything is written.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import BadFile, BadOption, UnknownName
from assay.files import exists, make_folder, writing
from assay.suites import native
from assay.suites.native_layout import category_folder
from assay.suites.native_text import ItemsText, ManifestText
from assay.suites.native_writer import LONGEST_NAME, dump, item_entry
from assay.suites.prompts import PROMPT_KEYS
from assay.suites.suite import NO_EXAMPLES, Examples, Item, Polarity, Rule, Suite
from assay.text import normalise, slug
from assay.yaml_nodes import parse, parse_text


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """What is known of a new item. The category may be left out where the phenomenon stands in one only.

    Without a prompt or a context of its own (None) it has those of its file or suite; an empty one is none.
    """

    source: str
    phenomenon: str
    category: str = ""
    id: str = ""
    tests: str = ""
    passing: Sequence[str] = ()
    failing: Sequence[str] = ()
    examples: Examples = NO_EXAMPLES
    prompt: str | None = None
    context: str | None = None

    def item(self, item_id: str, category: str) -> Item:
        """The item, without prompt and context; its rules are regular expressions."""
        both: tuple[tuple[Polarity, Sequence[str]], ...] = (("pass", self.passing), ("fail", self.failing))
        rules = tuple(Rule(polarity, "regex", value) for polarity, values in both for value in values)
        return Item(item_id, category, self.phenomenon, self.source, rules, self.tests, self.examples)

    def texts(self) -> tuple[str, ...]:
        """All that somebody typed."""
        words = (self.source, self.phenomenon, self.category, self.id, self.tests)
        told = (self.prompt or "", self.context or "")
        return (*words, *told, *self.passing, *self.failing, *self.examples.passing, *self.examples.failing)


@dataclass(frozen=True, slots=True)
class Addition:
    """A suite with the new item, and the files to write, `suite.yaml` first: alone it would still be right."""

    suite: Suite
    item: Item
    files: Mapping[Path, str]

    def write(self) -> None:
        """Write the files, each whole or not at all."""
        for path in self.files:
            make_folder(path.parent)
        for path, text in self.files.items():
            with writing(path) as stream:
                stream.write(text)

    def missing(self) -> list[str]:
        """What a finished item has and this one has not."""
        item = self.item
        found = {
            "what it tests (--tests)": item.tests,
            "a pass rule (--pass)": any(rule.polarity == "pass" for rule in item.rules),
            "a fail rule (--fail)": any(rule.polarity == "fail" for rule in item.rules),
            "a right translation (--pass-example)": item.examples.passing,
            "a wrong translation (--fail-example)": item.examples.failing,
        }
        return [what for what, there in found.items() if not there]


def prepare(folder: Path, draft: ItemDraft, *, description: str | None = None) -> Addition:
    """An item, ready to be written. With a description its phenomenon is a new one."""
    if not exists(folder / native.MANIFEST):
        raise BadFile(folder, "no suite.yaml in this folder", cure="name a suite's folder, or: assay suite new")
    _check(draft)
    suite = native.read(folder, may_be_empty=True)
    files: dict[Path, str] = {}
    if description is None:
        category = _category(suite, draft)
    else:
        category = draft.category or _missing_category(suite)
        suite = _with_phenomenon(suite, category, draft.phenomenon, description)
        manifest = ManifestText(folder / native.MANIFEST, _text(folder / native.MANIFEST))
        manifest.append(category, draft.phenomenon, description)
        files[manifest.path] = manifest.changed()
    item = draft.item("", category)
    path = _home(suite, folder, item)
    text = ItemsText(path, _text(path)) if exists(path) else None
    said = native.Above(suite.langpair).at(parse(folder / native.MANIFEST))
    above = said.at(text.root) if text else said
    own = {key: getattr(draft, key) for key in PROMPT_KEYS if getattr(draft, key) is not None}
    item = replace(item, **{**above.told, **own}, rules=native.with_defaults(item.rules, above.defaults))
    _check_source(suite, item)
    plain = native.has_plain_ids(folder)
    item = replace(item, id=_id(suite, path, text.ids if text else (), draft, plain=plain))
    files[path] = _appended(path, text, item, above, plain=plain)
    # Read again from what is to be written: this is the item as everybody else will see it, with its line.
    found = list(native.read_items(parse_text(path, files[path]), suite.taxonomy, said))
    item = replace(found[[_local(entry.id) for entry in found].index(_local(item.id, plain=plain))], id=item.id)
    return Addition(replace(suite, items=(*suite.items, item)), item, files)


def _check(draft: ItemDraft) -> None:
    if not draft.source.strip():
        raise BadOption("the source is blank; write the sentence to translate behind --source")
    if draft.id and re.search(r"\s", draft.id):
        raise BadOption(f"the id {draft.id!r} has white space; write it like this: schloss-1")
    for text in draft.texts():
        if not text.isprintable() and re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]", text):
            raise BadOption(f"{text[:40]!r} has a character that no file can hold; type it again")


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8")


def _category(suite: Suite, draft: ItemDraft) -> str:
    """The category that is meant."""
    if draft.category and draft.category not in suite.taxonomy:
        unknown = UnknownName("category", draft.category, suite.taxonomy)
        raise BadOption(f"{unknown} (a new one comes with a new phenomenon: --new 'What that is.')")
    known = [pair for pair in suite.phenomena if draft.category in ("", pair[0])]
    homes = [category for category, name in known if name == draft.phenomenon]
    if not homes:
        unknown = UnknownName("phenomenon", draft.phenomenon, [name for _, name in known])
        raise BadOption(f"{unknown} (a new one needs its description: --new 'What it is.')")
    if len(homes) > 1:
        raise BadOption(f"{draft.phenomenon!r} stands in several categories; add --category: {', '.join(homes)}")
    return homes[0]


def _missing_category(suite: Suite) -> str:
    raise BadOption(f"a new phenomenon needs --category; there are: {', '.join(suite.taxonomy)}")


def _with_phenomenon(suite: Suite, category: str, phenomenon: str, description: str) -> Suite:
    names = suite.taxonomy.get(category, {})
    if phenomenon in names:
        raise BadOption(f"the phenomenon {phenomenon!r} is there already; leave out --new")
    return replace(suite, taxonomy={**suite.taxonomy, category: {**names, phenomenon: description}})


def _check_source(suite: Suite, item: Item) -> None:
    for other in suite.items:
        same = (other.phenomenon, other.prompt, other.context) == (item.phenomenon, item.prompt, item.context)
        if same and normalise(other.source) == normalise(item.source):
            raise BadOption(f"{other.place}: {other.id} has this source already; change that item, or the source")


def _home(suite: Suite, folder: Path, item: Item) -> Path:
    """The file of the phenomenon's last item; a new one where it has none."""
    alike = [other for other in suite.items if (other.category, other.phenomenon) == (item.category, item.phenomenon)]
    if alike:
        return Path(alike[-1].place.rpartition(":")[0])
    stem = slug(item.phenomenon)[:LONGEST_NAME]
    taken = {Path(other.place.rpartition(":")[0]).stem for other in suite.items}
    if stem in taken:
        stem = f"{slug(item.category)}-{stem}"[:LONGEST_NAME]
    return category_folder(suite, folder, item.category) / f"{stem}.yaml"


def _id(suite: Suite, path: Path, neighbours: Sequence[str], draft: ItemDraft, *, plain: bool) -> str:
    stem = "" if plain else f"{path.stem}/"
    taken = {other.id.removeprefix(stem) for other in suite.items if other.id.startswith(stem)}
    if draft.id in taken:
        raise BadOption(f"{suite.item(stem + draft.id).place}: the id {draft.id!r} is taken; choose another")
    return stem + (draft.id or like(neighbours or _elsewhere(suite, plain=plain), draft.source, taken))


def _elsewhere(suite: Suite, *, plain: bool) -> list[str]:
    return [_local(item.id, plain=plain) for item in suite.items]


def _local(item_id: str, *, plain: bool = False) -> str:
    return item_id if plain else item_id.partition("/")[2]


def like(neighbours: Sequence[str], source: str, taken: Collection[str]) -> str:
    """An id like these: the next number where they are numbered, else a word of the source.

    >>> like(["pos-001", "pos-002"], "Es regnet.", [])
    'pos-003'
    >>> like(["schloss-1", "bank-1"], "Die Kiefer ist alt.", [])
    'kiefer-1'
    """
    numbered = [re.fullmatch(r"(.*?)(\d+)", name) for name in neighbours]
    ends = [found for found in numbered if found]
    all_numbered = bool(neighbours) and len(ends) == len(neighbours)
    if all_numbered and len({found[1] for found in ends}) == 1 and (len(ends) > 1 or ends[0][1] == ""):
        number = max(int(found[2]) for found in ends) + 1
        while (name := f"{ends[0][1]}{number:0{len(ends[-1][2])}}") in taken:
            number += 1
        return name
    # The longest word says most; of words without Latin letters nothing is left of a slug but `x`.
    words = [slug(word) for word in re.findall(r"\w+", source)]
    word = max((word for word in words if word != "x"), key=len, default="item")
    number = 1 if all_numbered else 0
    while (name := f"{word}-{number}" if number else word) in taken:
        number = max(number + 1, 2)
    return name


def _appended(path: Path, text: ItemsText | None, item: Item, above: native.Above, *, plain: bool) -> str:
    default = text.root.text("phenomenon", "") if text else item.phenomenon
    entry = item_entry(item, "" if plain else path.stem, named=default != item.phenomenon, above=above)
    if text is None:
        text = ItemsText(path, dump({"category": item.category, "phenomenon": item.phenomenon}))
    text.append(entry)
    return text.changed()
