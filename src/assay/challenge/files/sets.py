"""Challenge sets in every format, read and written; and the key of a blind set.

    challenge = read_challenge(Path("garden.tsv"))
    write_challenge(challenge, Path("garden.aces.tsv"), "aces")

Assay's own files are TSV and JSONL with the fields of `records`.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.files import aces, mtme, records, wmt25
from assay.errors import BadFile, BadOption
from assay.files import exists, read_text, suffix, writing
from assay.json_lines import Fields, read_fields
from assay.tsv import TsvWriter, read_tsv

SetFormat = Literal["tsv", "jsonl", "aces", "wmt25", "mt-metrics-eval"]
SET_FORMATS: tuple[SetFormat, ...] = get_args(SetFormat)

KEY_COLUMNS = ("id", *records.LABELS, "set", "signature", "hash")


def read_challenge(path: Path) -> ChallengeSet:
    """A set in any format: a table, a folder, or one of the parallel files of a set."""
    if exists(path) and path.is_dir():
        if (path / "sources").is_dir():
            return mtme.read(path)
        return wmt25.read(path)
    # Names first: the parallel files of WMT25 and mt-metrics-eval end in .txt, and any one of them stands for the set.
    if wmt25.NAME.fullmatch(path.name):
        return wmt25.read(path)
    if path.parent.name == "sources" and path.suffix == ".txt":
        return mtme.read(path.parent.parent, path.stem)
    kind = suffix(path)
    if kind == ".jsonl":
        return _set_from_rows(path, read_fields(path))
    if kind == ".tsv":
        return aces.read(path) if aces.is_aces(read_text(path)) else _set_from_rows(path, _tsv_rows(path))
    if not exists(path):
        raise BadFile(path, "there is no such file or folder")
    raise BadFile(
        path,
        "not a challenge set",
        cure="one is a .tsv or .jsonl file, a folder with sources/, or files SET.de-en.src.txt and so on",
    )


def _set_from_rows(path: Path, rows: Iterator[Fields]) -> ChallengeSet:
    return records.set_from_rows(path, rows, name=records.name_in(path), langpair=records.langpair_in(path))


def _tsv_rows(path: Path, needed: tuple[str, ...] = ("id", *records.TEXTS)) -> Iterator[Fields]:
    for line, record in read_tsv(path):
        missing = [name for name in needed if name not in record]
        if missing:
            raise BadFile(path, f"no column {missing[0]!r}", line=1, cure=f"name the columns {', '.join(needed)}")
        systems = {name: records.split_names(record[name]) for name in records.SYSTEMS if name in record}
        yield Fields(path, line, {**record, **systems})


def write_challenge(
    challenge: ChallengeSet, path: Path, format: SetFormat | None = None, *, force: bool = False
) -> list[Path]:
    """Write a set, whole or not at all, and return its files; a blind set does not tell which translation is right.

    `path` is a file, for `mt-metrics-eval` a folder, for `wmt25` a folder or `FOLDER/SET.de-en`. What stands there is
    replaced if it is a file; several files, or a folder with something in it, only with `force`.
    """
    if not challenge.items:
        raise BadOption(f"{path}: the challenge set has no items; nothing to write")
    kind = check_format(path, format, blind=challenge.is_blind)
    if kind == "wmt25":
        return wmt25.write(challenge, path, force=force)
    if kind == "mt-metrics-eval":
        return mtme.write(challenge, path, force=force)
    writers: dict[SetFormat, Callable[[ChallengeSet, Path], None]] = {
        "tsv": _write_tsv,
        "jsonl": _write_jsonl,
        "aces": aces.write,
    }
    writers[kind](challenge, path)
    return [path]


def check_format(path: Path, format: SetFormat | None, *, blind: bool) -> SetFormat:
    """The format to write, as asked for or by the suffix; an ACES file cannot be blind."""
    if format == "aces" and blind:
        others = ", ".join(known for known in SET_FORMATS if known != "aces")
        raise BadOption(f"{path}: an ACES file says which translation is right; write a blind set as one of {others}")
    if format is not None:
        return format
    kind = suffix(path)
    if kind == ".tsv":
        return "tsv"
    if kind == ".jsonl":
        return "jsonl"
    raise BadOption(f"{path}: the name does not tell the format; choose one of {', '.join(SET_FORMATS)}")


def _records(challenge: ChallengeSet) -> list[records.Record]:
    metadata = records.metadata_of(challenge)
    return [
        {"id": item.id, **records.texts_of(item), **rest} for item, rest in zip(challenge.items, metadata, strict=True)
    ]


def _write_jsonl(challenge: ChallengeSet, path: Path) -> None:
    with writing(path) as stream:
        stream.writelines(map(records.json_line, _records(challenge)))


def _write_tsv(challenge: ChallengeSet, path: Path) -> None:
    rows = _records(challenge)
    with writing(path) as stream:
        writer = TsvWriter(stream)
        writer.writerow(rows[0])
        writer.writerows(map(_cells, rows))


def _cells(record: Mapping[str, object]) -> list[object]:
    return [records.join_names(value) if name in records.SYSTEMS else value for name, value in record.items()]


def files_of(path: Path) -> list[Path]:
    """The files of a set that is read from, or would be written to, this path."""
    if exists(path) and path.is_dir():
        # All of them, since a folder is replaced as a whole.
        return [path, *(file for file in path.rglob("*") if file.is_file())]
    if path.parent.name == "sources" and path.suffix == ".txt":
        return files_of(path.parent.parent)
    match = wmt25.NAME.fullmatch(path.name)
    return [path, *wmt25.parallel_files(path.with_name(match["stem"]) if match else path)]


@contextmanager
def writing_key(challenge: ChallengeSet, path: Path) -> Iterator[None]:
    """Write the key of a blind set, with everything that the set does not tell, if the block ends well.

    `challenge` is the open set, in the order of the blind one.
    """
    if challenge.is_blind or not challenge.items:
        raise BadOption(f"{path}: a key is written of a set whose correct translations are known")
    with writing(path, private=True) as stream:
        writer = TsvWriter(stream)
        writer.writerow(KEY_COLUMNS)
        for metadata in records.metadata_of(challenge):
            record = metadata | {"hash": challenge.hash}
            writer.writerow(_cells({name: record[name] for name in KEY_COLUMNS}))
        # A full disk is noticed here, before the set is written.
        stream.flush()
        yield


def _key_rows(path: Path) -> tuple[ChallengeSet, str]:
    """The key as a set without texts, and the hash of the set it belongs to."""
    # A key is a set without texts, so the same reader and checks serve for it.
    no_texts = dict.fromkeys(records.TEXTS, "")
    rows = [replace(row, record=row.record | no_texts) for row in _tsv_rows(path, ("id", "correct", "hash"))]
    challenge = _set_from_rows(path, iter(rows))
    if challenge.is_blind:
        rows[0].fail("'correct' is empty", "write 1 or 2: which of hyp-1 and hyp-2 is right")
    other = next((row for row in rows if row.record["hash"] != rows[0].record["hash"]), None)
    if other is not None:
        other.fail("of the key of another set than the lines before", "put every key into a file of its own")
    return challenge, str(rows[0].record["hash"])


def unblind(challenge: ChallengeSet, key: Path) -> ChallengeSet:
    """A blind set with what its key says; a key of another set is an error."""
    known, fingerprint = _key_rows(key)
    if fingerprint != challenge.hash:
        raise BadFile(
            key,
            f"the key of another set (hash {fingerprint}, not {challenge.hash})",
            cure="texts and their order must be those the key was written with",
        )
    labels = {item.id: item for item in known.items}
    missing = next((item.id for item in challenge.items if item.id not in labels), None)
    if missing is not None:
        raise BadFile(key, f"no line for challenge item {missing!r}", cure="use the key as it was written")
    strange = labels.keys() - {item.id for item in challenge.items}
    if strange:
        raise BadFile(key, f"the set has no challenge item {min(strange)!r}", cure="use the key as it was written")
    items = tuple(_labelled(item, labels[item.id]) for item in challenge.items)
    return replace(challenge, items=items, signature=challenge.signature or known.signature)


def _labelled(item: ChallengeItem, known: ChallengeItem) -> ChallengeItem:
    return replace(known, source=item.source, reference=item.reference, first=item.first, second=item.second)
