"""WMT challenge sets as they are handed in: parallel files `SET.S-T.{src,ref,hyp-1,…,hyp-N,meta}.txt`.

    cases = read(Path("garden.de-en.src.txt"))

`meta` has the columns domain and document. Assay writes what these files cannot hold into `SET.S-T.more.jsonl`, which
the organisers' programs leave aside, and reads it where it is there.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from assay.challenge.case import Case, CaseSet
from assay.challenge.files import case_rows, records
from assay.errors import BadFile, BadOption
from assay.files import exists, read_lines, read_texts, writing
from assay.json_lines import Fields

# Wider than our own pairs: WMT25 has names like `en-ar_EG` and `cs-de_DE`.
_PAIR = r"[^./\s-]+-[^./\s]+"
NAME = re.compile(
    rf"(?P<stem>(?P<set>[^/]+)\.(?P<langpair>{_PAIR}))\.(?:(?:src|ref|hyp-?\d+|meta)\.txt|meta\.tsv|more\.jsonl)"
)
_HYPOTHESIS = re.compile(r"hyp-?(\d+)")

HEADER = re.compile(r"doc[_-]?id", re.IGNORECASE)
"""How the second column of `meta` is called where the file has a header."""


def read(path: Path) -> CaseSet:
    """The set that a file belongs to, or the only one of a folder, with all its language pairs."""
    if not path.is_dir():
        return _read_pair(path)
    found = [match for file in sorted(path.iterdir()) if (match := NAME.fullmatch(file.name))]
    stems = sorted({match["stem"] for match in found})
    if not stems:
        raise BadFile(path, "no challenge set in this folder", cure="one has files SET.de-en.src.txt, or sources/")
    if len({match["set"] for match in found}) > 1:
        raise BadFile(path, f"{len(stems)} sets are here", cure=f"name one of them: {path / stems[0]}.src.txt")
    parts = [_read_pair(path / f"{stem}.src.txt") for stem in stems]
    if len(parts) == 1:
        return parts[0]
    # Line numbers begin anew in the files of each pair.
    cases = tuple(replace(case, id=f"{part.langpair}/{case.id}") for part in parts for case in part.cases)
    return CaseSet(parts[0].name, cases, parts[0].signature)


def _read_pair(path: Path) -> CaseSet:
    """The set of one language pair that a file belongs to."""
    match = NAME.fullmatch(path.name)
    if match is None:
        raise BadFile(path, "not a file of a WMT25 challenge set", cure="it is called SET.de-en.src.txt or the like")
    stem = path.parent / match["stem"]
    files = {"source": _part(stem, "src"), "reference": _part(stem, "ref"), **_hypotheses(stem)}
    rows = parallel_rows(files, known=_known(stem), metadata=_metadata_file(stem))
    return case_rows.cases_from_rows(files["source"], rows, name=match["set"], langpair=match["langpair"])


def _part(stem: Path, part: str, suffix: str = "txt") -> Path:
    return stem.with_name(f"{stem.name}.{part}.{suffix}")


def _hypotheses(stem: Path) -> dict[str, Path]:
    """Hypothesis -> its file, which is called hyp-1 or hyp1."""
    found: dict[int, Path] = {}
    for file in sorted(stem.parent.glob(f"{_quoted(stem.name)}.hyp*.txt")):
        match = _HYPOTHESIS.fullmatch(file.name[len(stem.name) + 1 : -4])
        if match is not None and found.setdefault(int(match[1]), file) != file:
            raise BadFile(file, f"the same hypothesis as {found[int(match[1])].name}", cure="delete one of the two")
    for number in range(1, max(found, default=1) + 1):
        if number not in found:
            raise BadFile(
                _part(stem, f"hyp-{number}"), "there is no such file", cure="number the hypotheses without a gap"
            )
    return {f"hyp-{number}": found[number] for number in sorted(found)}


def _quoted(name: str) -> str:
    """A name whose brackets and stars mean themselves to `glob`."""
    return re.sub(r"([*?[])", r"[\1]", name)


def _metadata_file(stem: Path) -> Path:
    plain, table = _part(stem, "meta"), _part(stem, "meta", "tsv")
    return table if exists(table) and not exists(plain) else plain


def _known(stem: Path) -> list[Fields]:
    """What Assay knows of the set; before 0.5 that was in `meta`."""
    return records.read_metadata(_part(stem, "more", "jsonl")) or records.read_metadata(_part(stem, "meta"))


def parallel_rows(files: Mapping[str, Path], *, known: list[Fields], metadata: Path) -> Iterator[Fields]:
    """Rows of a set whose texts are in parallel files, named by field; without a file of references there are none.

    `known` are Assay's own records; without them the ids are the line numbers, and `metadata` is looked at.
    """
    lines = {field: read_texts(file) for field, file in files.items() if not _is_reference(field) or exists(file)}
    count = len(lines["source"])
    lengths = {files[field]: len(found) for field, found in lines.items()} | (
        {known[0].path: len(known)} if known else {}
    )
    for file, length in lengths.items():
        if length != count:
            raise not_parallel(file, length, files["source"], count)
    foreign = [] if known or not exists(metadata) else _foreign_metadata(metadata, files["source"], count)
    for number in range(count):
        texts = {field: found[number] for field, found in lines.items()}
        if known:
            yield Fields(known[number].path, known[number].line, known[number].record | texts)
            continue
        # With records of its own the files are Assay's, and nothing stands for a newline.
        folded = {field: records.fold_foreign(text) for field, text in texts.items()}
        start = foreign[number] if foreign else {}
        yield Fields(files["source"], number + 1, {"id": str(number + 1), **start, **folded})


def _is_reference(field: str) -> bool:
    return field.startswith("reference")


def not_parallel(file: Path, length: int, sources: Path, count: int) -> BadFile:
    """The error of a file with more or fewer lines than the sources."""
    return BadFile(
        file,
        f"{length} lines where {sources.name} has {count}",
        cure="the files of a set are parallel: a line for each challenge item",
    )


def _foreign_metadata(path: Path, sources: Path, count: int) -> list[dict[str, str]]:
    """Domain and document of each line; a line of another kind is kept as it is."""
    lines = read_lines(path)
    cells = [line.split("\t") for line in lines]
    # Some sets have the names of the columns above them, and none of the organisers' programs is sure of that.
    if len(lines) == count + 1 and len(cells[0]) == 2 and HEADER.fullmatch(cells[0][1].strip()):
        cells, lines = cells[1:], lines[1:]
    if len(lines) != count:
        raise not_parallel(path, len(lines), sources, count)
    if all(len(row) == 2 for row in cells):
        return [{"category": domain.strip(), "document": document.strip()} for domain, document in cells]
    return [{"meta": line} for line in lines]


# Writing -------------------------------------------------------------------------------------------------------------


def write(cases: CaseSet, path: Path, rest: list[records.Record], *, force: bool) -> list[Path]:
    """Write a new folder or, if `path` ends in the language pair, files into its folder, which may hold others.

    `rest` are the records of what the other files do not hold.
    """
    check_langpair(cases, path)
    check_parallel(cases, path)
    if path.name.endswith(f".{cases.langpair}"):
        return _write_parallel(_files(cases, path.name, rest), path, force=force)
    files = _files(cases, f"{file_name(cases.name, path)}.{cases.langpair}", rest)
    return records.write_folder(path, files, force=force)


def file_name(name: str, path: Path) -> str:
    """What a set is called in the names of files: organisers split these at their dots."""
    if not NAME.fullmatch(f"{name}.de-en.src.txt"):
        raise BadOption(f"{path}: the set's name {name!r} cannot name a file; add --name NAME")
    return name.replace(".", "_")


def check_langpair(cases: CaseSet, path: Path) -> None:
    """Refuse a language pair that cannot be part of a file's name."""
    pairs = sorted({case.langpair for case in cases.cases})
    if len(pairs) > 1:
        raise BadOption(
            f"{path}: the files are of one direction, and the set has {len(pairs)}, {pairs[0]} and {pairs[1]} for "
            "example; write it as tsv or jsonl, or one of them with --langpair"
        )
    if not re.fullmatch(_PAIR, cases.langpair):
        raise BadOption(
            f"{path}: the files are named after the language pair, and that of the set is {cases.langpair!r};"
            " write it as tsv or jsonl, or name it with --langpair"
        )


def check_parallel(cases: CaseSet, path: Path) -> None:
    """Refuse cases with different numbers of hypotheses."""
    numbers = sorted({len(case.hypotheses) for case in cases.cases})
    if len(numbers) > 1:
        raise BadOption(
            f"{path}: the files are parallel, and challenge items have from {numbers[0]} to {numbers[-1]} hypotheses; "
            "write the set as tsv or jsonl"
        )


def parallel_files(stem: Path) -> list[Path]:
    """The files of a set that is written to, or read from, `FOLDER/SET.de-en`."""
    there = [file for file in stem.parent.glob(f"{_quoted(stem.name)}.*") if NAME.fullmatch(file.name)]
    usual = [_part(stem, part) for part in ("src", "ref", "hyp-1", "hyp-2", "meta")]
    return [*dict.fromkeys([*usual, _part(stem, "more", "jsonl"), *there])]


def _write_parallel(texts: Mapping[str, str], stem: Path, *, force: bool) -> list[Path]:
    files = {stem.parent / name: text for name, text in texts.items()}
    there = [file for file in parallel_files(stem) if file.exists()]
    if there and not force:
        raise BadFile(there[0], "is there already", cure="choose another name or add --force")
    # Each file takes its place when the stack ends, so that an error in any of them leaves all old files.
    with ExitStack() as together:
        for file, text in files.items():
            together.enter_context(writing(file)).write(text)
    # A hypothesis of the set that was there before would be taken for one of this set.
    for file in there:
        if file not in files:
            file.unlink()
    return list(files)


def _files(cases: CaseSet, stem: str, rest: list[records.Record]) -> dict[str, str]:
    """File name -> text."""
    parts = {
        "src": [case.source for case in cases.cases],
        "ref": [case.reference for case in cases.cases],
        **{
            f"hyp-{place + 1}": [case.hypotheses[place].text for case in cases.cases]
            for place in range(len(cases.cases[0].hypotheses))
        },
        "meta": [
            f"{_word(case.labels[-1] if case.labels else '') or 'challenge'}\t{_document(case)}" for case in cases.cases
        ],
    }
    # A set without references has no file of them.
    if not any(case.references for case in cases.cases):
        del parts["ref"]
    files = {f"{stem}.{part}.txt": "".join(f"{line}\n" for line in lines) for part, lines in parts.items()}
    return files | {f"{stem}.more.jsonl": "".join(map(records.json_line, rest))}


def _document(case: Case) -> str:
    return _word(case.document) or _word(case.id)


def _word(label: str) -> str:
    """A name without white space and quotes, which would mean something to the readers of tables."""
    return "_".join(label.replace('"', "'").split())
