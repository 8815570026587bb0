"""Maps of ids: which text of somebody else's file belongs to which item.

    {"suite": "legal", "hash": "0a5f6c2a9b10", "texts": 484, "ids": {"03655-de_CH": "terms/contumace"}}

or TSV with the columns `id` and `item`, and `line` where the texts are plain lines. Their ids are the `doc_id` of
JSONL, `doc/seg` of XML, and the number of a line, from 1, in plain text, or the document it stands in. A text may
belong to several items (a list, or several rows). Several ids of one item are its parts, in the order of the map. Texts
that the map does not have are those of others: of other suites, or decoys. `texts`, which may be left out, is how many
there are with these.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.errors import BadFile, UnpairedFile
from assay.files import bare_name, read_text, suffix
from assay.json_lines import parse_json
from assay.suites import Suite
from assay.tsv import read_tsv


@dataclass(frozen=True, slots=True)
class IdMap:
    """Their ids -> ids of items; `lines` has the numbers of lines in place of ids, for texts that have none.

    A map that `is_given` by the user must fit; one that was found beside the outputs may be of others. `texts` is how
    many texts there are, where the map says so: without it nobody would see that lines were lost.
    """

    path: Path
    ids: Mapping[str, tuple[str, ...]]
    lines: Mapping[str, tuple[str, ...]]
    is_given: bool = True
    texts: int | None = None


def is_map(path: Path) -> bool:
    """Whether a file is a map by its name: `map.json`, `NAME.map.tsv`, … ."""
    return f".{bare_name(path).lower()}".endswith((".map.json", ".map.tsv"))


def read_map(path: Path, suite: Suite, *, is_given: bool = True) -> IdMap:
    """A map, which must be one of this suite."""
    name, digest, ids, lines, texts = _read_table(path) if suffix(path) == ".tsv" else _read_json(path)
    if not ids:
        raise BadFile(path, "the map has no ids")
    cure = f"give the map that was written for {suite.name}"
    strange = [item for items in ids.values() for item in items if item not in suite.positions]
    # Rules change while outputs are away, and the hash with them; as long as the ids are there it is the same suite.
    if digest != suite.hash and (strange or name not in ("", suite.name)):
        if name == suite.name:
            raise UnpairedFile(path, f"no item {strange[0]!r} in suite {suite.name}", cure=cure)
        known = f" (hash {digest}, not {suite.hash})" if digest else ""
        lost = f"; no item {strange[0]!r} here" if strange else ""
        raise UnpairedFile(path, f"a map of another suite, {name or 'without a name'}{known}{lost}", cure=cure)
    return IdMap(path, ids, lines, is_given, texts)


_Ids = dict[str, tuple[str, ...]]
_Content = tuple[str, str, _Ids, _Ids, int | None]
"""Name and hash of the suite, ids, numbers of lines, number of texts."""


def _read_json(path: Path) -> _Content:
    data = parse_json(path, read_text(path))
    given = data.get("ids") if isinstance(data, dict) else None
    ids: _Ids = {}
    for name, items in given.items() if isinstance(given, dict) else ():
        ids[name] = (items,) if isinstance(items, str) else tuple(items) if isinstance(items, list) else ()
    if not ids or not all(items and all(isinstance(item, str) for item in items) for items in ids.values()):
        raise BadFile(path, "not a map of ids", cure='a map is {"suite": …, "hash": …, "ids": {their id: item id}}')
    texts = data.get("texts")
    # Not isinstance: True is an int to Python.
    if texts is not None and (type(texts) is not int or texts < len(ids)):
        raise BadFile(path, f"'texts' is {texts!r}, with {len(ids):,} ids", cure="it is how many texts the file has")
    return str(data.get("suite") or ""), str(data.get("hash") or ""), ids, ids, texts


def _read_table(path: Path) -> _Content:
    ids: _Ids = {}
    lines: _Ids = {}
    for _, record in read_tsv(path):
        if "id" not in record or "item" not in record:
            raise BadFile(path, "no columns 'id' and 'item'", line=1, cure="name them so: their id, and the item's")
        # A row without an item is a decoy.
        if record["item"]:
            ids[record["id"]] = (*ids.get(record["id"], ()), record["item"])
            line = record.get("line", record["id"])
            lines[line] = (*lines.get(line, ()), record["item"])
    return "", "", ids, lines, None
