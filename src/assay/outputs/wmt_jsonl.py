"""WMT25–26 JSONL: test sets, and systems' files (`doc_id`, `hypothesis`, more).

| | texts | prompts | languages |
| --- | --- | --- | --- |
| released set | `src_text` | `prompt_instruction` | `src_lang`, `tgt_lang` |
| blind set, 2026 | `source_doc` | `instruction` | `tgt_lang` only, many in one file |
| a system's file | `hypothesis`; `translation` in raw files | | `tgt_lang`, or none |

Texts are documents and may hold newlines. A document is paired with the item whose source it is. Where a
document has several lines and the translation has as many, its lines are paired one by one too, so that an
item that is one line of a document is found.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assay.errors import BadFile, UnpairedFile
from assay.files import writing
from assay.json_lines import records, text_field
from assay.languages import BadLanguage, check_code, fits, split_pair
from assay.outputs.outputs import System
from assay.outputs.source_texts import Source
from assay.outputs.submission import NamedFile, Submission
from assay.suites import Suite
from assay.suites.prompts import fill, language_places

# The name of the released set first, then that of the blind set, then what others write.
SOURCES = ("src_text", "source_doc")
PROMPTS = ("prompt_instruction", "instruction", "prompt")
HYPOTHESES = ("hypothesis", "translation")
CONTEXTS = ("context",)


def is_submission(record: Mapping[str, Any]) -> bool:
    """Whether a record is of a system's file in this format."""
    return "doc_id" in record and _named(record, HYPOTHESES) is not None


def is_test_set(record: Mapping[str, Any]) -> bool:
    """Whether a record is of a test set in this format."""
    return "doc_id" in record and not is_submission(record) and _named(record, SOURCES) is not None


def _named(record: Mapping[str, Any], names: Sequence[str]) -> str | None:
    return next((name for name in names if name in record), None)


@dataclass
class DocumentSet:
    """The texts of a test set; `fitting` are the places of those in the suite's direction."""

    ids: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    """Target languages as they are written; empty where a text has none."""
    fitting: list[int] = field(default_factory=list)


def read_test_set(path: Path, langpair: str = "") -> DocumentSet:
    """Read a test set. A suite without a language pair takes all of it."""
    found = DocumentSet()
    direction = _Direction(path, langpair)
    seen: set[str] = set()
    for line, record in records(path):
        name = _named(record, SOURCES)
        if name is None:
            raise BadFile(path, "no source text", line=line, cure=f"name it {' or '.join(map(repr, SOURCES))}")
        doc_id = text_field(path, line, record, "doc_id")
        if direction.takes(line, record, doc_id):
            if doc_id in seen:
                raise BadFile(path, f"the doc_id {doc_id!r} stands twice", line=line)
            seen.add(doc_id)
            found.fitting.append(len(found.ids))
        found.ids.append(doc_id)
        found.sources.append(_text(path, line, record, name))
        found.prompts.append(_text(path, line, record, _named(record, PROMPTS)))
        found.contexts.append(_text(path, line, record, _named(record, CONTEXTS)))
        found.targets.append(_codes(record, doc_id)[1])
    direction.check(bool(found.fitting))
    found.prompts = found.prompts if any(found.prompts) else []
    found.contexts = found.contexts if any(found.contexts) else []
    return found


def _text(path: Path, line: int, record: Mapping[str, Any], name: str | None) -> str:
    """A field as text. Systems that failed on a document write null: a missing output, not a broken file."""
    return text_field(path, line, record, name) if name and record[name] is not None else ""


class _Direction:
    """Chooses the records of a suite's direction, and remembers which others there are."""

    def __init__(self, path: Path, langpair: str) -> None:
        self._path = path
        self._langpair = langpair
        self._wanted = split_pair(langpair)
        # A file has thousands of records and a few dozen codes.
        self._known: dict[tuple[str, str], bool] = {}

    def takes(self, line: int, record: Mapping[str, Any], doc_id: str) -> bool:
        codes = _codes(record, doc_id)
        if codes not in self._known:
            for code in filter(None, codes):
                try:
                    check_code(code)
                except BadLanguage as error:
                    raise BadFile(self._path, error.problem, line=line, cure=error.cure) from None
            self._known[codes] = all(
                not code or not wanted or fits(code, wanted) for code, wanted in zip(codes, self._wanted, strict=True)
            )
        return self._known[codes]

    def check(self, found: bool) -> None:
        """Refuse a file that has nothing in the suite's direction."""
        if not found:
            there = sorted({f"{source}-{target}" if source else target for source, target in self._known})
            more = " …" if len(there) > 8 else ""
            raise UnpairedFile(
                self._path,
                f"no text in the direction {self._langpair}; there are {', '.join(there[:8])}{more}"
                if there
                else "no documents",
                cure="check that suite and file belong together",
            )


def _codes(record: Mapping[str, Any], doc_id: str) -> tuple[str, str]:
    """Source and target language of a document, as far as the file says."""
    source, target = (str(record.get(name) or "") for name in ("src_lang", "tgt_lang"))
    # WMT26_###_domain_###_ces_Latn_###_deu_Latn_###_edu00733
    parts = doc_id.split("_###_")
    return (source or parts[2], target or parts[3]) if len(parts) == 5 else (source, target)


def read(file: NamedFile, campaign: str, source: Source | None, langpair: str = "") -> Submission:
    """One system's file. Without sources, of its own or in a source file, the doc_ids are taken as item ids."""
    path = file.path
    answers = dict(_answers(path, langpair))
    if not answers:
        raise BadFile(path, "no outputs")
    system = System(file.system_name, campaign, file=str(path))
    texts = [answer.text for answer in answers.values()]
    if source is not None and source.ids:
        return _beside_source(system, path, answers, source)
    if not any(answer.source for answer in answers.values()):
        return Submission(system, texts, "item", list(answers), path)
    return Submission(
        system,
        texts,
        "source",
        [answer.source for answer in answers.values()],
        path,
        ids=list(answers),
        prompts=_if_any([answer.prompt for answer in answers.values()]),
        contexts=_if_any([answer.context for answer in answers.values()]),
        document_lines=_lines((answer.source, answer.text, doc_id) for doc_id, answer in answers.items()),
    )


@dataclass(frozen=True, slots=True)
class _Answer:
    """What a system wrote for a document, and what its file says about the document."""

    line: int
    text: str
    source: str
    prompt: str
    context: str


def _answers(path: Path, langpair: str) -> Iterator[tuple[str, _Answer]]:
    direction = _Direction(path, langpair)
    seen: set[str] = set()
    for line, record in records(path):
        doc_id = text_field(path, line, record, "doc_id")
        if not direction.takes(line, record, doc_id):
            continue
        if doc_id in seen:
            raise BadFile(path, f"the doc_id {doc_id!r} stands twice", line=line)
        seen.add(doc_id)
        name = _named(record, HYPOTHESES)
        if name is None:
            raise BadFile(path, "'hypothesis' is missing", line=line)
        text, source, prompt, context = (
            _text(path, line, record, key)
            for key in (name, *(_named(record, names) for names in (SOURCES, PROMPTS, CONTEXTS)))
        )
        yield doc_id, _Answer(line, text, source, prompt, context)
    direction.check(bool(seen))


def _beside_source(system: System, path: Path, answers: Mapping[str, _Answer], source: Source) -> Submission:
    """Texts in the order of the source file, whatever order they were returned in."""
    places = source.places
    strange = answers.keys() - places.keys()
    if strange:
        more = f" and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        raise BadFile(path, f"no source for doc_id {min(strange)!r}{more}", cure="check that --source is its test set")
    texts = [""] * len(source.lines)
    for doc_id, answer in answers.items():
        place = places[doc_id]
        if answer.source and answer.source.strip() != source.lines[place].strip():
            raise BadFile(
                path,
                f"doc_id {doc_id!r} has another source here than in {source.path}",
                line=answer.line,
                cure="its doc_ids and texts do not belong together; ask for the file again",
            )
        texts[place] = answer.text
    order = [places[doc_id] for doc_id in answers]
    return Submission(
        system,
        texts,
        "order",
        (),
        path,
        document_lines=_lines((source.lines[place], texts[place], doc_id) for doc_id, place in places.items()),
        note="in another order than the source file; put right by doc_id" if order != sorted(order) else "",
    )


def _if_any(texts: list[str]) -> Sequence[str]:
    return texts if any(texts) else ()


def _lines(documents: Iterator[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """(source line, line of the text, document) of documents that have as many lines in both languages."""
    found: list[tuple[str, str, str]] = []
    for source, text, doc_id in documents:
        if "\n" not in source:
            continue
        source_lines, lines = source.strip().split("\n"), text.strip().split("\n")
        # With another number of lines nobody can say which belongs to which, so only the whole document is paired.
        if 1 < len(source_lines) == len(lines):
            found += [(one, other, doc_id) for one, other in zip(source_lines, lines, strict=True)]
    return found


def write_sources(suite: Suite, path: Path) -> None:
    """The suite's sources as a test set to be translated, one document per item."""
    source, target = split_pair(suite.langpair)
    names = language_places(source, target)
    with writing(path) as stream:
        for item in suite.items:
            record = {
                "doc_id": item.id,
                "domain": f"testsuite-{suite.name}",
                "src_lang": source,
                "tgt_lang": target,
                "src_text": item.source,
            }
            if item.prompt:
                record["prompt_instruction"] = fill(item.prompt, names)
            if item.context:
                record["context"] = item.context
            stream.write(json.dumps(record, ensure_ascii=False) + "\n")
