"""Challenge sets in every format, read and written; and the key of a blind set.

    cases = read_cases(Path("garden.jsonl"))            everything that a file says
    challenge = read_challenge(Path("garden.jsonl"))    the pairs that accuracy is counted on
    write_cases(cases, Path("garden.aces.tsv"), "aces")

Assay's own files are TSV and JSONL with the fields of `records` and `case_rows`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, get_args

from assay.challenge.case import CaseSet
from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, MetricScores
from assay.challenge.files import aces, case_rows, demetr, mtme, records, wmt25
from assay.challenge.pairs import cases_of, pairs_of, scorable
from assay.errors import BadFile, BadOption
from assay.files import exists, read_text, suffix, writing
from assay.json_lines import Fields, read_fields
from assay.tsv import Record, TsvWriter, header_of, read_tsv

SetFormat = Literal["tsv", "jsonl", "aces", "wmt25", "mt-metrics-eval", "demetr"]
SET_FORMATS: tuple[SetFormat, ...] = get_args(SetFormat)

KEY_COLUMNS = ("id", *records.LABELS, "set", "signature", "hash")


# Reading -------------------------------------------------------------------------------------------------------------


def read_challenge(path: Path) -> ChallengeSet:
    """The pairs of a set in any format: a table, a folder, or one of the parallel files of a set."""
    found = _read(path)
    if isinstance(found, ChallengeSet):
        return found
    challenge = pairs_of(found)
    if not challenge.items:
        raise BadFile(
            path,
            "nothing says which hypothesis is better than another",
            cure="say it with assay challenge convert --ladder or --rank-by; human scores are for assay challenge meta",
        )
    return challenge


def read_cases(path: Path) -> CaseSet:
    """Everything that a set in any format says."""
    found = _read(path, pairs=False)
    return cases_of(found) if isinstance(found, ChallengeSet) else found


def read_scorable(path: Path) -> tuple[ChallengeSet, int]:
    """What metrics score of a set: its pairs, or each hypothesis of a set that is more than pairs.

    And how many of its sources have further references, which metrics do not get.
    """
    found = _read(path)
    if isinstance(found, ChallengeSet):
        return found, 0
    return scorable(found), sum(len(case.references) > 1 for case in found.cases)


def _read(path: Path, *, pairs: bool = True) -> ChallengeSet | CaseSet:
    """The set in a file or folder; as pairs, if wanted, where it is nothing else and that is quicker."""
    if exists(path) and path.is_dir():
        if (path / "sources").is_dir():
            return mtme.read(path)
        return demetr.read(path) if demetr.is_folder(path) else wmt25.read(path)
    # Names first: the parallel files of WMT25 and mt-metrics-eval end in .txt, and any one of them stands for the set.
    if wmt25.NAME.fullmatch(path.name):
        return wmt25.read(path)
    if path.parent.name == "sources" and path.suffix == ".txt":
        return mtme.read(path.parent.parent, path.stem)
    kind = suffix(path).lower()
    if kind == ".jsonl":
        return _read_objects(path, pairs=pairs)
    if kind == ".tsv":
        return _read_table(path, pairs=pairs)
    if kind == ".json":
        return demetr.read(path)
    if not exists(path):
        raise BadFile(path, "there is no such file or folder")
    raise BadFile(
        path,
        "not a challenge set",
        cure="one is a .tsv, .jsonl or .json file, a folder with sources/, or files SET.de-en.src.txt and so on",
    )


class _MoreThanPairs(Exception):
    """A row that a set of pairs does not have."""


def _read_objects(path: Path, *, pairs: bool) -> ChallengeSet | CaseSet:
    first = next(read_fields(path), None)
    if first is not None and aces.is_aces_record(first.record):
        return aces.read_objects(path, list(read_fields(path)))
    keys: set[str] = set()
    try:
        # One row after the other, since a set may have hundreds of thousands.
        challenge = _set_from_rows(path, _plain_rows(read_fields(path), keys))
    except _MoreThanPairs:
        return _cases_from_rows(path, read_fields(path))
    return challenge if pairs or not case_rows.has_further(keys) else _cases_from_rows(path, read_fields(path))


def _plain_rows(rows: Iterable[Fields], keys: set[str]) -> Iterator[Fields]:
    """The rows of a set of pairs, whose keys are noted."""
    for row in rows:
        new = row.record.keys() - keys
        if case_rows.is_rich(new):
            raise _MoreThanPairs
        keys |= new
        yield row


def _read_table(path: Path, *, pairs: bool) -> ChallengeSet | CaseSet:
    text = read_text(path)
    if aces.is_aces(text):
        return aces.read(path)
    header = header_of(text)
    rich = case_rows.is_rich(header)
    if not rich:
        challenge = _set_from_rows(path, _tsv_rows(path, read_tsv(path)))
        if pairs or not case_rows.has_further(header):
            return challenge
    return _cases_from_rows(path, (case_rows.from_cells(path, line, record) for line, record in read_tsv(path)))


def _cases_from_rows(path: Path, rows: Iterable[Fields]) -> CaseSet:
    return case_rows.cases_from_rows(path, rows, name=records.name_in(path), langpair=records.langpair_in(path))


def _set_from_rows(path: Path, rows: Iterable[Fields]) -> ChallengeSet:
    return records.set_from_rows(path, rows, name=records.name_in(path), langpair=records.langpair_in(path))


def _tsv_rows(path: Path, rows: Iterable[Record], needed: tuple[str, ...] = ("id", *records.TEXTS)) -> Iterator[Fields]:
    for line, record in rows:
        missing = [name for name in needed if name not in record]
        if missing:
            raise BadFile(path, f"no column {missing[0]!r}", line=1, cure=f"name the columns {', '.join(needed)}")
        systems = {name: records.split_names(record[name]) for name in records.SYSTEMS if name in record}
        yield Fields(path, line, {**record, **systems})


# Writing -------------------------------------------------------------------------------------------------------------


def write_challenge(
    challenge: ChallengeSet, path: Path, format: SetFormat | None = None, *, force: bool = False
) -> list[Path]:
    """Write a set, whole or not at all, and return its files; a blind set does not tell which translation is right.

    `path` is a file, for `mt-metrics-eval` a folder, for `wmt25` a folder or `FOLDER/SET.de-en`. What stands there is
    replaced if it is a file; several files, or a folder with something in it, only with `force`.
    """
    kind = check_format(path, format, blind=challenge.is_blind)
    if challenge.items and kind in ("aces", "demetr"):
        _refuse_losses(losses(cases_of(challenge), kind), path)
    return _write(challenge, None, path, format, force=force)


def write_cases(
    cases: CaseSet,
    path: Path,
    format: SetFormat | None = None,
    *,
    force: bool = False,
    lossy: bool = False,
    scores: Sequence[MetricScores] = (),
) -> list[Path]:
    """Write a set as `write_challenge` does. What a format cannot hold is an error that lists it, unless `lossy`.

    `scores` of metrics go into an mt-metrics-eval tree.
    """
    if not lossy:
        _refuse_losses(losses(cases, check_format(path, format, blind=False)), path)
    pairs = pairs_of(cases)
    # Of a blind set of pairs only texts are written; cases without relations may have more that is known.
    written = _without_labels(pairs) if pairs.is_blind else pairs
    if not scores and pairs.origin is None and cases_of(written) == replace(cases, unread=()):
        return _write(pairs, None, path, format, force=force)
    return _write(pairs, cases, path, format, force=force, scores=scores)


def _refuse_losses(lost: Sequence[str], path: Path) -> None:
    if lost:
        raise BadOption(
            f"{path}: would be lost: {'; '.join(lost)}; write jsonl, or convert with --lossy", longest=1_000
        )


def losses(cases: CaseSet, format: SetFormat) -> list[str]:
    """What a format cannot hold, in words."""
    found = [f"what is in {name}" for name in cases.unread]
    if format in ("tsv", "jsonl", "wmt25", "mt-metrics-eval"):
        found += case_rows.losses_in_rows(cases, tsv=format == "tsv")
    found += aces.losses(cases) if format == "aces" else []
    return found + (demetr.losses(cases) if format == "demetr" else [])


def _write(
    pairs: ChallengeSet,
    cases: CaseSet | None,
    path: Path,
    format: SetFormat | None,
    *,
    force: bool,
    scores: Sequence[MetricScores] = (),
) -> list[Path]:
    """Write cases or, where these are None, pairs."""
    if not (pairs.items if cases is None else cases.cases):
        raise BadOption(f"{path}: the challenge set has no items; nothing to write")
    # A set that says nothing is as blind as one whose labels are hidden.
    kind = check_format(path, format, blind=pairs.is_blind or not pairs.items)
    rest = _rest(pairs) if cases is None else partial(case_rows.case_records, texts=False)
    whole = cases if cases is not None else cases_of(_without_labels(pairs) if pairs.is_blind else pairs)
    if kind == "wmt25":
        return wmt25.write(whole, path, rest(whole), force=force)
    if kind == "mt-metrics-eval":
        return mtme.write(whole, path, rest, force=force, scores=scores)
    with writing(path) as stream:
        if kind == "aces":
            stream.writelines(aces.lines(whole, as_objects=suffix(path) == ".jsonl"))
        elif kind == "demetr":
            stream.write(demetr.text_of(whole))
        elif kind == "jsonl":
            stream.writelines(
                map(records.json_line, _records(pairs) if cases is None else case_rows.case_records(cases))
            )
        else:
            TsvWriter(stream).writerows(_table(pairs) if cases is None else case_rows.case_table(cases))
    return [path]


def _rest(pairs: ChallengeSet) -> mtme.Rest:
    """What parallel files do not hold of pairs."""
    return lambda _: records.metadata_of(pairs)


def _without_labels(challenge: ChallengeSet) -> ChallengeSet:
    items = tuple(
        ChallengeItem(item.id, item.source, item.reference, item.first, item.second, langpair=item.langpair)
        for item in challenge.items
    )
    return replace(challenge, items=items)


def check_format(path: Path, format: SetFormat | None, *, blind: bool) -> SetFormat:
    """The format to write, as asked for or by the suffix; an ACES file cannot be blind."""
    if format in ("aces", "demetr") and blind:
        others = ", ".join(known for known in SET_FORMATS if known not in ("aces", "demetr"))
        what = "an ACES file" if format == "aces" else "a DEMETR file"
        raise BadOption(f"{path}: {what} says which translation is right; write a blind set as one of {others}")
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


def _table(challenge: ChallengeSet) -> Iterator[Iterable[object]]:
    rows = _records(challenge)
    yield rows[0]
    yield from map(_cells, rows)


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
    rows = [
        replace(row, record=row.record | no_texts) for row in _tsv_rows(path, read_tsv(path), ("id", "correct", "hash"))
    ]
    challenge = _set_from_rows(path, rows)
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
    return replace(
        known,
        source=item.source,
        reference=item.reference,
        first=item.first,
        second=item.second,
        langpair=item.langpair,
    )
