"""What all files of challenge sets share: the fields of a challenge item, and the checks when they are read.

    set_from_rows(path, rows, name="garden", langpair="de-en")     rows of any format -> ChallengeSet

A row is an object with the fields of Assay's JSONL; the readers of other formats make their lines into such rows.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assay.challenge.case import SEVERAL_PAIRS
from assay.challenge.challenge_set import HYPOTHESES, ChallengeItem, ChallengeSet
from assay.errors import BadFile
from assay.files import bare_name, exists, read_lines, writing_folder
from assay.json_lines import Fields, records, text_field
from assay.languages import pair_in
from assay.text import fold

TEXTS = ("source", "reference", *HYPOTHESES)
SYSTEMS = ("reference-systems", *(f"{name}-systems" for name in HYPOTHESES))
LABELS = ("correct", "item", "category", "phenomenon", *SYSTEMS)
"""Fields that an open set has and a blind one has not."""
ABOUT = ("set", "langpair", "signature")
"""Fields of the set, and the language pair: in every row, so that any selection of rows is still a complete file."""

Record = dict[str, object]


def texts_of(item: ChallengeItem) -> dict[str, str]:
    return dict(zip(TEXTS, (item.source, item.reference, item.first, item.second), strict=True))


def labels_of(item: ChallengeItem) -> Record:
    systems = (list(names) for names in (item.reference_systems, item.first_systems, item.second_systems))
    return dict(zip(LABELS, (item.correct, item.item, item.category, item.phenomenon, *systems), strict=True))


def about(challenge: ChallengeSet, item: ChallengeItem) -> dict[str, str]:
    return dict(zip(ABOUT, (challenge.name, item.langpair or challenge.langpair, challenge.signature), strict=True))


def metadata_of(challenge: ChallengeSet) -> list[Record]:
    """Everything but the texts of every item; of a blind set only the ids and what belongs to the set."""
    blind = challenge.is_blind
    return [{"id": item.id, **({} if blind else labels_of(item)), **about(challenge, item)} for item in challenge.items]


def json_line(record: Mapping[str, object]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def join_names(systems: object) -> str:
    r"""Names of systems in one cell: `A; B (wmt21)`; a semicolon in a name is written `\;`."""
    names = systems if isinstance(systems, list) else []
    return "; ".join(re.sub(r"([\\;])", r"\\\1", fold(name)) for name in names)


def split_names(cell: str) -> list[str]:
    """The names in a cell that `join_names` wrote."""
    # A backslash with whatever follows it, any other character but a semicolon, or a backslash at the very end.
    parts = (part.strip() for part in re.findall(r"(?:\\.|[^\\;]|\\$)+", cell))
    return [re.sub(r"\\(.)", r"\1", part) for part in parts if part]


def fold_foreign(text: str) -> str:
    r"""Folded, and without the ` \n ` that stands for a newline in files of shared tasks."""
    return " ".join(word for word in text.split() if word != r"\n")


def langpair_in(path: Path) -> str:
    """`…de-en…` in the file's name; empty where it has none."""
    return pair_in(path.name)


def name_in(path: Path) -> str:
    """The file's name up to its suffix, and without the language pair behind a dot."""
    stem = bare_name(path).rpartition(".")[0] or path.name
    return stem.removesuffix(f".{langpair_in(path)}") or stem


def set_from_rows(path: Path, rows: Iterable[Fields], *, name: str, langpair: str) -> ChallengeSet:
    """The set made of the rows of a file; `name` and `langpair` are for rows that do not have them."""
    items: dict[str, ChallengeItem] = {}
    stated: dict[str, str] = {}
    pairs: list[str] = []
    for fields in rows:
        item = item_of(fields)
        if item.id in items:
            fields.fail(f"the id {item.id!r} stands twice", "give every challenge item an id of its own")
        # Every row repeats the set's fields; rows of two sets would be scored as one.
        mine = {key: text_of(fields, key) for key in ABOUT if fields.record.get(key) is not None}
        pairs.append(mine.pop("langpair", langpair))
        if items and mine != stated:
            fields.fail("a challenge item of another set than those before it", "put every set into a file of its own")
        # All or none: half a key would make a set that is neither open nor blind.
        if items and (item.correct is None) != (next(iter(items.values())).correct is None):
            fields.fail("'correct' is empty for some challenge items and not for others", "fill it in, or leave it out")
        items[item.id], stated = item, mine
    if not items:
        raise BadFile(path, "no challenge items")
    common, found = pairs[0], tuple(items.values())
    if len({*pairs}) > 1:
        common, found = SEVERAL_PAIRS, tuple(map(_with_pair, found, pairs))
    return ChallengeSet(stated.get("set", name), common, found, stated.get("signature", ""))


def _with_pair(item: ChallengeItem, langpair: str) -> ChallengeItem:
    return replace(item, langpair=langpair)


def item_of(fields: Fields) -> ChallengeItem:
    """The challenge item of a row; only the id and the texts are required."""
    identity = fold(text_of(fields, "id"))
    if not identity:
        fields.fail("'id' is empty", "give every challenge item an id of its own")
    source, reference, first, second = (fold(text_of(fields, key)) for key in TEXTS)
    labels = ("item", "category", "phenomenon")
    item, category, phenomenon = (text_of(fields, key) if fields.record.get(key) else "" for key in labels)
    by, first_by, second_by = (fields.texts(key) for key in SYSTEMS)
    labelled = (correct_of(fields), item, category, phenomenon)
    return ChallengeItem(identity, source, reference, first, second, *labelled, by, first_by, second_by)


def correct_of(fields: Fields) -> Literal[1, 2] | None:
    """Which hypothesis is right; None where the row does not say."""
    value = fields.record.get("correct")
    written = "" if value is None else str(value).strip()
    if written not in ("", "1", "2"):
        fields.fail(f"'correct' is {value!r}", "write 1 or 2: which of hyp-1 and hyp-2 is right")
    return None if not written else 1 if written == "1" else 2


def text_of(fields: Fields, key: str) -> str:
    return text_field(fields.path, fields.line, fields.record, key)


def read_metadata(path: Path) -> list[Fields]:
    """Objects with ids, one per line; empty where there is no such file, or one of another format."""
    if not exists(path):
        return []
    first = next((line for line in read_lines(path) if line.strip()), "")
    try:
        head = json.loads(first)
    except (ValueError, RecursionError):
        return []
    if not isinstance(head, dict) or "id" not in head:
        return []
    return [Fields(path, line, record) for line, record in records(path)]


def write_folder(path: Path, files: Mapping[str, str], *, force: bool) -> list[Path]:
    """Write a folder of text files, whole or not at all; `files` are named by their paths in it."""
    # Encoded before the folder is made, so that a text that cannot be written leaves nothing behind.
    contents = {name: _encoded(path / name, text) for name, text in files.items()}
    with writing_folder(path, force=force) as folder:
        for name, content in contents.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    return [path / name for name in files]


def _encoded(path: Path, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadFile(path, "cannot be written: a text holds half a character") from None
