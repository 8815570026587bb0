"""What participants hand in, read as far as it can be: a broken file is told in words and stops nobody.

    for returned in read_participant_file(NamedFile.parse("Online-A.txt"), sending):
        returned.texts          # a text or None for each line that was sent
        returned.faults         # ["not UTF-8 …"]

Text files are line-parallel to what was sent; XML and JSONL are joined by their ids.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import AssayError, BadFile
from assay.files import STDIN, exists, read_text, split_lines, suffix
from assay.json_lines import records, text_field
from assay.limits import check_text
from assay.outputs import NamedFile, wmt_xml
from assay.outputs.decoys import SentSources

OTHERS = frozenset(
    {".csv", ".doc", ".docx", ".html", ".json", ".md", ".ods", ".pdf", ".tar", ".tsv", ".xls", ".xlsx", ".yaml",
     ".yml", ".zip"}
)  # fmt: skip
"""Files that are no plain text, whatever is in them; text files may have any other suffix (`.en`)."""


@dataclass(frozen=True)
class ParticipantFile:
    """One system's texts. `lines` are those of a text file, whose number may be wrong; None for other formats.

    `faults` make the file unfit for use, `notes` do not.
    """

    name: str
    path: Path
    texts: Sequence[str | None]
    lines: Sequence[str] | None = None
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def read_participant_file(given: NamedFile, sending: SentSources) -> list[ParticipantFile]:
    """The systems in one file. Only a file that is not there is an error."""
    # Reading raises the error that names the file; it is the caller's mistake, and not the participant's.
    if given.path != STDIN and (not exists(given.path) or given.path.is_dir()):
        read_text(given.path)
    kind = suffix(given.path)
    try:
        if kind == ".xml":
            return list(_xml(given, sending))
        if kind == ".jsonl":
            return [_jsonl(given, sending)]
        if kind in OTHERS:
            return [_unread(given, sending, f"a {kind} file is no submission; hand in plain text, .xml or .jsonl")]
        return [_text(given, sending)]
    except AssayError as error:
        return [_unread(given, sending, _bare(error, given.path))]


def _unread(given: NamedFile, sending: SentSources, fault: str) -> ParticipantFile:
    return ParticipantFile(given.system_name, given.path, [None] * len(sending.lines), faults=(fault,))


def _bare(error: AssayError, path: Path) -> str:
    """A message without the folders of this machine."""
    return re.sub(
        rf"^{re.escape(str(path))}(:(\d+))?: ", lambda found: f"line {found[2]}: " if found[2] else "", str(error)
    )


def _text(given: NamedFile, sending: SentSources) -> ParticipantFile:
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    try:
        text = read_text(given.path)
    except BadFile as error:
        text, encoding = _decoded(given.path)
        if not encoding:
            raise
        faults = (f"{_bare(error, given.path)} (it looks like {encoding})",)
    if "\ufffd" in text:
        notes = (f"{text.count(chr(0xFFFD)):,} characters were lost in a conversion (U+FFFD)",)
    lines = split_lines(text)
    for number, line in enumerate(lines, start=1):
        check_text(given.path, line, line=number)
    texts: list[str | None] = [*lines[: len(sending.lines)]]
    texts += [None] * (len(sending.lines) - len(texts))
    return ParticipantFile(given.system_name, given.path, texts, lines, faults, notes)


def _decoded(path: Path) -> tuple[str, str]:
    """The text of a file that is not UTF-8, and the encoding it seems to have; two empty texts for another trouble."""
    data = path.read_bytes() if path != STDIN and suffix(path) == path.suffix.lower() else b""
    try:
        data.decode()
    except UnicodeDecodeError:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16", "replace"), "UTF-16"
        # Windows-1252 has a few bytes that stand for nothing; Latin-1 takes every byte, and so never fails.
        try:
            return data.decode("cp1252"), "Windows-1252 or Latin-1"
        except UnicodeDecodeError:
            return data.decode("latin-1"), "another 8-bit encoding"
    return "", ""


def _xml(given: NamedFile, sending: SentSources) -> Iterator[ParticipantFile]:
    # Under "/1": every text is the first and only segment of a document of its own (see decoys._xml).
    keys = {f"{sent.id}/1": sent.source for sent in sending.lines}
    for found in wmt_xml.read(given, "", keys):
        texts, strange = _by_source(sending, found.keys, found.texts)
        yield ParticipantFile(found.system.name, given.path, texts, faults=_unknown(strange, "source"))


def _by_source(
    sending: SentSources, sources: Sequence[str], texts: Sequence[str]
) -> tuple[list[str | None], list[str]]:
    """Texts in the order of what was sent: the k-th of those with a source for the k-th line that has it."""
    waiting: dict[str, list[str]] = {}
    for source, text in zip(sources, texts, strict=True):
        waiting.setdefault(source.strip(), []).append(text)
    found: list[str | None] = []
    for sent in sending.lines:
        mine = waiting.get(sent.source.strip())
        found.append(mine.pop(0) if mine else None)
    return found, [source for source, rest in waiting.items() if rest]


def _jsonl(given: NamedFile, sending: SentSources) -> ParticipantFile:
    texts: dict[str, str] = {}
    twice: list[str] = []
    for line, record in records(given.path):
        doc_id = text_field(given.path, line, record, "doc_id")
        if doc_id in texts:
            twice.append(doc_id)
            continue
        empty = record.get("hypothesis") is None and "hypothesis" in record
        texts[doc_id] = "" if empty else text_field(given.path, line, record, "hypothesis")
    strange = [doc_id for doc_id in texts if doc_id not in {sent.id for sent in sending.lines}]
    faults = [*_unknown(strange, "doc_id"), *(f"the doc_id {doc_id!r} stands twice" for doc_id in twice[:3])]
    by_id: Mapping[str, str] = texts
    return ParticipantFile(
        given.system_name, given.path, [by_id.get(sent.id) for sent in sending.lines], faults=tuple(faults)
    )


def _unknown(strange: Sequence[str], what: str) -> tuple[str, ...]:
    if not strange:
        return ()
    more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
    return (f"the {what} {strange[0]!r}{more} was not sent",)
