"""What all files of challenge sets share: the fields of a challenge item, and the checks when they are read.

    set_from_rows(path, rows, name="garden", langpair="de-en")     rows of any format -> ChallengeSet

A row is an object with the fields of Assay's JSONL; the readers of other formats make their lines into such rows.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Literal

from assay.challenge.challenge_set import HYPOTHESES, ChallengeItem, ChallengeSet
from assay.errors import BadFile
from assay.files import bare_name, exists, read_lines, read_text, read_texts, writing_folder
from assay.json_lines import Fields, records, text_field
from assay.languages import pair_in
from assay.text import fold

TEXTS = ("source", "reference", *HYPOTHESES)
SYSTEMS = ("reference-systems", *(f"{name}-systems" for name in HYPOTHESES))
LABELS = ("correct", "item", "category", "phenomenon", *SYSTEMS)
"""Fields that an open set has and a blind one has not."""
ABOUT = ("set", "langpair", "signature")
"""Fields of the set. They stand in every row, so that any selection of rows is still a complete file."""

Record = dict[str, object]


def texts_of(item: ChallengeItem) -> dict[str, str]:
    return dict(zip(TEXTS, (item.source, item.reference, item.first, item.second), strict=True))


def labels_of(item: ChallengeItem) -> Record:
    systems = (list(names) for names in (item.reference_systems, item.first_systems, item.second_systems))
    return dict(zip(LABELS, (item.correct, item.item, item.category, item.phenomenon, *systems), strict=True))


def about(challenge: ChallengeSet) -> dict[str, str]:
    return dict(zip(ABOUT, (challenge.name, challenge.langpair, challenge.signature), strict=True))


def metadata_of(challenge: ChallengeSet) -> list[Record]:
    """Everything but the texts of every item; of a blind set only the ids and what belongs to the set."""
    common, blind = about(challenge), challenge.is_blind
    return [{"id": item.id, **({} if blind else labels_of(item)), **common} for item in challenge.items]


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
    for fields in rows:
        item = item_of(fields)
        if item.id in items:
            fields.fail(f"the id {item.id!r} stands twice", "give every challenge item an id of its own")
        # Every row repeats the set's fields; rows of two sets would be scored as one.
        mine = {key: _text(fields, key) for key in ABOUT if fields.record.get(key) is not None}
        if items and mine != stated:
            fields.fail("a challenge item of another set than those before it", "put every set into a file of its own")
        # All or none: half a key would make a set that is neither open nor blind.
        if items and (item.correct is None) != (next(iter(items.values())).correct is None):
            fields.fail("'correct' is empty for some challenge items and not for others", "fill it in, or leave it out")
        items[item.id], stated = item, mine
    if not items:
        raise BadFile(path, "no challenge items")
    return ChallengeSet(
        stated.get("set", name), stated.get("langpair", langpair), tuple(items.values()), stated.get("signature", "")
    )


def item_of(fields: Fields) -> ChallengeItem:
    """The challenge item of a row; only the id and the texts are required."""
    identity = fold(_text(fields, "id"))
    if not identity:
        fields.fail("'id' is empty", "give every challenge item an id of its own")
    source, reference, first, second = (fold(_text(fields, key)) for key in TEXTS)
    labels = ("item", "category", "phenomenon")
    item, category, phenomenon = (_text(fields, key) if fields.record.get(key) else "" for key in labels)
    systems = [fields.texts(key) for key in SYSTEMS]
    return ChallengeItem(
        identity, source, reference, first, second, correct_of(fields), item, category, phenomenon, *systems
    )


def correct_of(fields: Fields) -> Literal[1, 2] | None:
    """Which hypothesis is right; None where the row does not say."""
    value = fields.record.get("correct")
    written = "" if value is None else str(value).strip()
    if written not in ("", "1", "2"):
        fields.fail(f"'correct' is {value!r}", "write 1 or 2: which of hyp-1 and hyp-2 is right")
    return None if not written else 1 if written == "1" else 2


def _text(fields: Fields, key: str) -> str:
    return text_field(fields.path, fields.line, fields.record, key)


def parallel_rows(files: Mapping[str, Path], metadata: Path, *, labels: Path | None = None) -> Iterator[Fields]:
    """Rows of a set whose texts are in parallel files, named by field; without a file of references there are none.

    Only Assay's own metadata are read; without them the ids are the line numbers. `labels` names the file
    that says which hypothesis is right, where that is not in the metadata.
    """
    lines = {field: read_texts(file) for field, file in files.items() if field != "reference" or exists(file)}
    known = read_metadata(metadata)
    count = len(lines["source"])
    lengths = {files[field]: len(found) for field, found in lines.items()} | ({metadata: len(known)} if known else {})
    for file, length in lengths.items():
        if length != count:
            raise BadFile(
                file,
                f"{length} lines where {files['source'].name} has {count}",
                cure="the files of a set are parallel: a line for each challenge item",
            )
    correct = _labels(labels, count) if labels and exists(labels) else None
    for number in range(count):
        texts = {field: found[number] for field, found in lines.items()}
        # With metadata the files are Assay's own, and nothing stands for a newline.
        texts = {"reference": ""} | (texts if known else {field: fold_foreign(text) for field, text in texts.items()})
        start = known[number] if known else Fields(files["source"], number + 1, {"id": str(number + 1)})
        yield replace(start, record=start.record | texts | ({"correct": correct[number]} if correct else {}))


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


def _labels(path: Path, count: int) -> list[int]:
    """1 or 2 for each line: the hypothesis with the higher score is right."""
    from assay.challenge.files.score_columns import read_blocks

    scores = read_blocks(path, read_text(path), count)
    for number, (first, second) in enumerate(scores, start=1):
        # Neither smaller nor greater: equal, or NaN.
        if not (first < second or first > second):
            raise BadFile(path, f"does not say which translation of challenge item {number} is right")
    return [1 if first > second else 2 for first, second in scores]


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
