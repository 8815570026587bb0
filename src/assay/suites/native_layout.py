"""A suite written over the files that it came from: folders, names and what has not changed stay as they were.

    files = native.read_files(Path("my-suite"))
    write_over(suite, files, Path("again"))

Files whose items are the same are the same bytes. In others only the items that changed are written anew, with the
comments around them kept; where that cannot be done (lists in brackets, an item that a template makes) all items of
that file are. What stands in the folder afterwards is read again: if it were another suite, the suite would be written
as `native_writer.write_into` does.
"""

import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from assay.errors import BadFile, BadSuite
from assay.suites import native
from assay.suites.native_text import FixedText, ItemsText
from assay.suites.native_writer import (
    LONGEST_NAME,
    dump,
    item_entry,
    items_file,
    manifest,
    shared,
    write_into,
)
from assay.suites.suite import Item, Rule, Suite
from assay.text import slug
from assay.yaml_nodes import parse


def write_over(suite: Suite, files: Mapping[str, str], folder: Path, *, anew: bool = False) -> None:
    """Write a suite without judgements into an empty folder.

    With `anew` nothing but the names of folders and files is kept, not even comments.
    """
    try:
        if files:
            _FileLayout.of(files, folder).write(suite, anew=anew)
            if _same(native.read(folder), suite):
                return
    except BadFile:
        # The files are those of a suite once read; but this may be another Assay than the one that took them.
        pass
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    write_into(suite, folder)


def _same(one: Suite, other: Suite) -> bool:
    """Whether two suites are equal but for the order of items and what stands at rules and decides nothing."""
    found, wanted = (sorted(map(_nameless, suite.items), key=lambda item: item.id) for suite in (one, other))
    return replace(one, items=()) == replace(other, items=()) and found == wanted


def _nameless(item: Item) -> Item:
    return replace(item, rules=tuple(replace(rule, by="", on="", closed=False) for rule in item.rules))


@dataclass(frozen=True, slots=True)
class _FileLayout:
    """Files of a suite in a folder, and the suite that they are."""

    folder: Path
    suite: Suite
    plain: bool
    homes: Mapping[str, Path]
    """Item id -> the file that it stands in."""
    above: native.Above
    """What `suite.yaml` says for all items."""

    @classmethod
    def of(cls, files: Mapping[str, str], folder: Path) -> "_FileLayout":
        """The files, written into a folder."""
        for name, text in files.items():
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                raise BadSuite(name, "a name that leads out of the suite")
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
        suite = native.read(folder)
        homes = {item.id: Path(item.place.rpartition(":")[0]) for item in suite.items}
        above = native.NOTHING_ABOVE.at(parse(folder / native.MANIFEST))
        return cls(folder, suite, native.has_plain_ids(folder), homes, above)

    def write(self, suite: Suite, *, anew: bool) -> None:
        if anew:
            replace(self, above=shared(suite.items))._write_suite(suite, anew=True)
        else:
            self._write_suite(suite, anew=False)

    def _write_suite(self, suite: Suite, *, anew: bool) -> None:
        now, was = (manifest(one, plain=self.plain, above=self.above) for one in (suite, self.suite))
        if anew or now != was:
            _write(self.folder / native.MANIFEST, dump(now))
        files: dict[Path, list[Item]] = {file: [] for file in self.homes.values()}
        for item in suite.items:
            files.setdefault(self._home(item, files), []).append(item)
        for file, items in files.items():
            if not items:
                file.unlink()
            elif anew or not file.exists():
                self._write_anew(file, items)
            else:
                self._write_changes(file, items)

    def _home(self, item: Item, files: Mapping[Path, list[Item]]) -> Path:
        """The file for an item: its own, else that of its phenomenon, else a new one beside others of its category."""
        if item.id in self.homes:
            return self.homes[item.id]
        if not self.plain:
            stem = item.id.partition("/")[0]
            return next((file for file in files if file.stem == stem), self._new(item, stem))
        alike = [other.id for other in self.suite.items if _row(other) == _row(item)]
        return self.homes[alike[-1]] if alike else self._new(item, slug(item.phenomenon)[:LONGEST_NAME])

    def _new(self, item: Item, stem: str) -> Path:
        return category_folder(self.suite, self.folder, item.category) / f"{stem}.yaml"

    def _write_anew(self, file: Path, items: list[Item]) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, items_file(items[0].category, "" if self.plain else file.stem, items, self.above))

    def _write_changes(self, file: Path, items: list[Item]) -> None:
        were = {item.id: item for item in self.suite.items if self.homes[item.id] == file}
        now = {item.id: _with_names(item, were.get(item.id)) for item in items}
        if were == now:
            return
        text = ItemsText(file, file.read_bytes().decode("utf-8"))
        if text.root.text("category") != items[0].category:
            self._write_anew(file, list(now.values()))
            return
        try:
            for name, was in were.items():
                if name not in now:
                    text.remove(self._local(name, file))
                elif now[name] != was:
                    text.change(self._local(name, file), self._entry(text, was), self._entry(text, now[name]))
            for name, item in now.items():
                if name not in were:
                    text.append(self._entry(text, item))
        except FixedText:
            self._write_anew(file, list(now.values()))
        else:
            _write(file, text.changed())

    def _local(self, name: str, file: Path) -> str:
        return name if self.plain else name.removeprefix(f"{file.stem}/")

    def _entry(self, text: ItemsText, item: Item) -> dict[str, object]:
        named = text.root.text("phenomenon", "") != item.phenomenon
        above = self.above.at(text.root)
        return item_entry(item, "" if self.plain else text.path.stem, named=named, above=above)


def category_folder(suite: Suite, folder: Path, category: str) -> Path:
    """Where most items of a category are; a folder that is named after it where there are none."""
    places = Counter(Path(item.place.rpartition(":")[0]).parent for item in suite.items if item.category == category)
    return max(places, key=lambda place: places[place]) if places else folder / slug(category)[:LONGEST_NAME]


def _row(item: Item) -> tuple[str, str]:
    return item.category, item.phenomenon


def _with_names(item: Item, was: Item | None) -> Item:
    """The item with what stood at its rules: names and dates, but for judgements, which are in a file of their own."""
    if was is None:
        return item
    named = {(rule.check, rule.note): rule for rule in was.rules if rule.kind != "exact"}

    def name(rule: Rule) -> Rule:
        return rule if rule.by or rule.closed else named.get((rule.check, rule.note), rule)

    return replace(item, rules=tuple(map(name, item.rules)))


def _write(file: Path, text: str) -> None:
    file.write_bytes(text.encode())
