"""Campaign files: YAML that names a campaign, its source file, its outputs and what is known about its systems.

    campaign: WMT21
    source: sources/newstest2021.de-en.src.de
    outputs: ["system-outputs/newstest2021.de-en.hyp.*.en"]
    aliases: {VolcTrans-GLAT: VolcTrans}
    exclude: [UF]
    systems:
      Online-A: {group: online, constrained: "no"}

Paths are relative to the file. `aliases` renames systems, `exclude` leaves them out, `map` leads from others' ids to
items.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from assay.errors import BadOption, UnknownName
from assay.outputs.submission import NamedFile
from assay.yaml_nodes import YamlNode, parse


@dataclass(frozen=True)
class Campaign:
    """What a campaign file says."""

    name: str
    source: Path | None
    outputs: tuple[NamedFile, ...]
    aliases: Mapping[str, str]
    exclude: frozenset[str]
    metadata: Mapping[str, Mapping[str, str]]
    path: Path
    id_map: Path | None = None

    def check_names(self, systems: set[str]) -> None:
        """Refuse an alias, exclusion or description of a system that is not there: its name is misspelt."""
        for name in (*self.aliases, *self.exclude):
            if name not in systems:
                raise UnknownName("system", name, systems)
        # `aliases` and `exclude` use the names in the files, `systems` those of the reports.
        renamed = {self.aliases.get(name, name) for name in systems}
        for name in self.metadata:
            if name not in renamed:
                raise UnknownName("system", name, renamed)


def read(path: Path) -> Campaign:
    """Read a campaign file."""
    root = parse(path)
    fields = root.only("campaign", "source", "map", "outputs", "aliases", "exclude", "systems")
    if "outputs" not in fields:
        root.fail("'outputs' is missing", "list output files or patterns")
    outputs = [file for entry in fields["outputs"].sequence() for file in _expand(path.parent, entry)]
    if not outputs:
        fields["outputs"].fail("no outputs", "list output files or patterns")
    source, id_map = root.text("source", ""), root.text("map", "")
    return Campaign(
        name=root.text("campaign"),
        source=path.parent / source if source else None,
        # Two patterns may find the same file; it is read once.
        outputs=tuple(dict.fromkeys(outputs)),
        aliases=_texts(fields.get("aliases")),
        exclude=frozenset(root.texts("exclude")),
        metadata={name: _texts(about) for name, about in fields["systems"].fields().items()}
        if "systems" in fields
        else {},
        path=path,
        id_map=path.parent / id_map if id_map else None,
    )


def _texts(node: YamlNode | None) -> dict[str, str]:
    return {name: text.value() for name, text in node.fields().items()} if node else {}


def _expand(folder: Path, entry: YamlNode) -> list[NamedFile]:
    pattern = entry.value()
    if not has_magic(pattern):
        try:
            file = NamedFile.parse(pattern)
        except BadOption as error:
            entry.fail(str(error))
        return [NamedFile(folder / file.path, file.name)]
    # Sorted: the order of the file system is not that of another machine, and columns follow it.
    found = sorted(glob(pattern, root_dir=folder, recursive=True))  # noqa: PTH207 (Path.glob refuses absolute patterns)
    if not found:
        entry.fail(f"no file fits {pattern!r}", f"it is looked for in {folder}")
    return [NamedFile(folder / name) for name in found]
