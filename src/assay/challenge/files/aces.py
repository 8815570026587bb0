"""ACES and Span-ACES, as TSV or as the released JSONL, and sets in the same form: HW-TSC's, WMT22's and WMT23's.

    cases = read(Path("ACES.tsv"))

`source`, `good-translation`, `incorrect-translation`, `reference`, `phenomena` and `langpair`; Span-ACES adds `ID`,
`incorrect-translation-annotated` and `annotation-method`. TSV has no quoting. Assay's own files have further columns,
which programs for ACES ignore; with them nothing is lost.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assay.challenge.case import Case, CaseSet
from assay.challenge.challenge_set import HYPOTHESES
from assay.challenge.files import case_rows, records
from assay.challenge.pairs import LEVELS, cases_of, pairs_of
from assay.errors import BadFile
from assay.files import read_text
from assay.json_lines import Fields
from assay.text import fold
from assay.tsv import header_of, plain_rows

GOOD, BAD = "good-translation", "incorrect-translation"
ANNOTATED = "incorrect-translation-annotated"
COLUMNS = ("source", GOOD, BAD, "reference", "phenomena")
OWN_COLUMNS = ("id", "correct", "item", "reference-systems", "good-systems", "incorrect-systems", *records.ABOUT)

_DIRECTION = "translation-direction"
"""What the files of WMT22 and WMT23 call the language pair."""

_TAG = re.compile(r"<(/?)v>")

_TOP_LEVEL = {
    "addition": "addition",
    "omission": "omission",
    "copy-source": "untranslated",
    "untranslated-": "untranslated",
    "do-not-translate": "do not translate",
    "hyponym-replacement": "overtranslation",
    "hypernym-replacement": "undertranslation",
    "antonym-replacement": "real-world knowledge",
    "commonsense-": "real-world knowledge",
    "real-world-knowledge-": "real-world knowledge",
    "similar-language-": "wrong language",
    "punctuation:": "punctuation",
    "ambiguous-translation-": "mistranslation",
    "anaphoric_": "mistranslation",
    "coreference-based-on-commonsense": "mistranslation",
    "hallucination-": "mistranslation",
    "lexical-overlap": "mistranslation",
    "modal_verb:": "mistranslation",
    "nonsense": "mistranslation",
    "ordering-mismatch": "mistranslation",
    "overly-literal-": "mistranslation",
    "pleonastic_it:": "mistranslation",
    "xnli-": "mistranslation",
}
"""The ten categories of ACES (Amrhein et al. 2022) by its labels, or by how these begin."""


def top_level(label: str) -> str:
    """The category of one of ACES's labels; empty for other labels."""
    if label in _TOP_LEVEL:
        return _TOP_LEVEL[label]
    starts = (start for start in _TOP_LEVEL if start[-1] in "-_:" and label.startswith(start))
    return next((_TOP_LEVEL[start] for start in starts), "")


def is_aces(text: str) -> bool:
    """Whether a text is an ACES table, scored or not."""
    return {GOOD, BAD} & set(header_of(text)) != set()


def is_aces_record(record: Mapping[str, object]) -> bool:
    """Whether an object of a JSONL file is one of ACES."""
    return GOOD in record and BAD in record


def metrics_in(header: list[str]) -> list[str]:
    """The metrics with both columns, `METRIC-good` and `METRIC-bad`."""
    return [name[:-5] for name in header if name.endswith("-good") and f"{name[:-5]}-bad" in header]


# Reading -------------------------------------------------------------------------------------------------------------


def read(path: Path) -> CaseSet:
    """The set in a TSV file. A column name that stands twice is `source-2` the second time."""
    text = read_text(path)
    header = header_of(text)
    own = set(OWN_COLUMNS) <= set(header)
    rows = plain_rows(path, text, may_be_quoted=not own or bool(metrics_in(header)), doubled=True)
    return read_objects(path, [Fields(path, line, dict(record)) for line, record in rows], header=header)


def read_objects(path: Path, rows: list[Fields], header: Iterable[str] = ()) -> CaseSet:
    """The set in the rows of a TSV file, which has a header, or of a JSONL file."""
    names = {*header} or {key for row in rows for key in row.record}
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise BadFile(path, f"no column {missing[0]!r}", line=1, cure=f"an ACES file has {', '.join(COLUMNS)}")
    # A file that Assay wrote has its ids and systems; a foreign one has ids of its own or gets line numbers.
    if set(OWN_COLUMNS) <= names:
        found = [_own_row(row) for row in rows]
    else:
        identity = next((name for name in ("ID", "id") if _tells_apart(rows, name)), "")
        found = [_foreign_row(row, number, identity) for number, row in enumerate(rows, 1)]
    return case_rows.cases_from_rows(path, found, name=records.name_in(path), langpair=records.langpair_in(path))


def _tells_apart(rows: list[Fields], name: str) -> bool:
    ids = {str(row.record.get(name) or "").strip() for row in rows}
    return len(ids) == len(rows) and "" not in ids


def _foreign_row(fields: Fields, number: int, identity: str) -> Fields:
    record = fields.record
    texts = [records.fold_foreign(records.text_of(fields, name)) for name in ("source", "reference", GOOD, BAD)]
    row: dict[str, Any] = dict(zip(records.TEXTS, texts, strict=True))
    row |= {"id": str(record[identity]).strip() if identity else str(number), "correct": 1}
    row["langpair"] = str(record.get("langpair") or record.get(_DIRECTION) or "").strip()
    label = fold(records.text_of(fields, "phenomena"))
    row |= _levels(label.split(LEVELS) if LEVELS in label else _labels(label))
    taken = {*COLUMNS, "langpair", identity}
    row |= {name: value for name, value in record.items() if name not in taken}
    return Fields(fields.path, fields.line, _without_tags(row | _spans(record, BAD, "hyp-2"), "hyp-2"))


def _labels(label: str) -> list[str]:
    """The levels of a label without separators: ACES has ten categories, other sets have what they write."""
    category = top_level(label)
    return [category, label] if category else [label]


def _levels(labels: list[str]) -> dict[str, Any]:
    return dict(zip(case_rows.level_names(len(labels)), labels, strict=True))


def _spans(record: Mapping[str, Any], text: str, hypothesis: str) -> dict[str, Any]:
    """The error spans of a text, where the text with its tags is that text."""
    annotated = record.get(ANNOTATED)
    if not isinstance(annotated, str) or not isinstance(record[text], str):
        return {}
    spans, start = [], 0
    length = 0
    # White space is folded before characters are counted, as it is in the text itself.
    pieces = _TAG.split(records.fold_foreign(annotated))
    # Every second piece is what stood between the tag's brackets: a slash or nothing.
    for piece, tag in zip(pieces[::2], [*pieces[1::2], None], strict=True):
        length += len(piece)
        if tag == "":
            start = length
        elif tag == "/":
            spans.append({"start": start, "end": length})
    plain = "".join(pieces[::2])
    return {f"{hypothesis}-spans": spans} if spans and plain == records.fold_foreign(record[text]) else {}


def _without_tags(row: dict[str, Any], hypothesis: str) -> dict[str, Any]:
    """A row without the text with tags where that says the same as the spans."""
    spans = row.get(f"{hypothesis}-spans")
    if isinstance(spans, list) and isinstance(row.get(ANNOTATED), str):
        known = [span for span in spans if isinstance(span, dict)]
        places = [(span.get("start"), span.get("end")) for span in known]
        # Spans that are none are named later, with their line.
        if not spans or not all(isinstance(end, int) for place in places for end in place):
            return row
        if row[ANNOTATED].split() == _annotated(fold(str(row[hypothesis])), places).split():
            return {key: value for key, value in row.items() if key != ANNOTATED}
    return row


def _own_row(fields: Fields) -> Fields:
    record = fields.record
    cells = {
        name: value for name, value in record.items() if name not in (*COLUMNS, "good-systems", "incorrect-systems")
    }
    row = dict(case_rows.from_cells(fields.path, fields.line, cells).record) if _is_table(record) else dict(cells)
    right, wrong = ("hyp-2", "hyp-1") if str(record.get("correct")).strip() == "2" else ("hyp-1", "hyp-2")
    for name, key in (("source", "source"), ("reference", "reference"), (right, GOOD), (wrong, BAD)):
        row[name] = records.text_of(fields, key)
    for name, key in ((right, "good-systems"), (wrong, "incorrect-systems"), ("reference", "reference-systems")):
        row[f"{name}-systems"] = _names(record.get(key, []))
    phenomena = records.text_of(fields, "phenomena")
    row |= _levels(phenomena.split(LEVELS) if LEVELS in phenomena else _labels(phenomena))
    found = Fields(fields.path, fields.line, _without_tags(row, wrong))
    if records.correct_of(found) is None:
        found.fail("'correct' is empty", "write 1 or 2: which of hyp-1 and hyp-2 is right")
    return found


def _is_table(record: Mapping[str, object]) -> bool:
    return all(isinstance(value, str) for value in record.values())


def _names(cell: object) -> object:
    return records.split_names(cell) if isinstance(cell, str) else cell


# Writing -------------------------------------------------------------------------------------------------------------


def losses(cases: CaseSet) -> Iterator[str]:
    """What an ACES file cannot hold."""
    others = sum(not _is_pair(case) for case in cases.cases)
    if others:
        yield (
            f"{others:,} of {len(cases):,} challenge items are not one pair of a better and a worse hypothesis, "
            "of which the pairs are written and nothing else"
        )
    if any(LEVELS in label for case in cases.cases for label in case.labels):
        yield f"labels with {LEVELS.strip()!r} in them"
    yield from case_rows.losses_in_rows(cases, tsv=True)


def _is_pair(case: Case) -> bool:
    names = tuple(hypothesis.name for hypothesis in case.hypotheses)
    return names == HYPOTHESES and len(case.relations) == 1 and len(case.better_pairs()) == 1


def lines(cases: CaseSet, *, as_objects: bool) -> Iterator[str]:
    """The lines of a file, TSV or JSONL; of a set that is more than pairs, its pairs."""
    if not all(map(_is_pair, cases.cases)):
        cases = cases_of(replace(pairs_of(cases), origin=None))
    rows = [_row(case, record) for case, record in zip(cases.cases, case_rows.case_records(cases), strict=True)]
    if as_objects:
        yield from map(records.json_line, rows)
        return
    further = {key for case in cases.cases for key, _ in case.further}
    rows = [{case_rows.column(key, value, further): value for key, value in row.items()} for row in rows]
    header = list(dict.fromkeys((*COLUMNS, *OWN_COLUMNS, *(key for row in rows for key in row))))
    yield "\t".join(header) + "\n"
    for row in rows:
        yield "\t".join(_cell(name, row[name]) if name in row else "" for name in header) + "\n"


def _cell(name: str, value: object) -> str:
    written = str(case_rows.cell(name, value))
    # Folded, since the format has no quoting: a tab or newline in a cell would break the row.
    return written if name == "phenomena" else fold(written)


_ELSEWHERE = re.compile(
    r"source|reference|hypotheses|hyp-[12]|relations|category|phenomenon|level-\d+|hyp-[12]-systems"
)
"""Fields of Assay's records that the columns of ACES hold."""


def _row(case: Case, record: Mapping[str, object]) -> dict[str, object]:
    better, worse = case.better_pairs()[0]
    by_name = {hypothesis.name: hypothesis for hypothesis in case.hypotheses}
    good, bad = by_name[better], by_name[worse]
    row: dict[str, object] = {
        "source": case.source,
        GOOD: good.text,
        BAD: bad.text,
        "reference": case.reference,
        "phenomena": _phenomena(case),
        "id": case.id,
        "correct": HYPOTHESES.index(better) + 1,
        "item": case.item,
        "reference-systems": list(case.references[0].systems) if case.references else [],
        "good-systems": list(good.systems),
        "incorrect-systems": list(bad.systems),
    }
    rest = {key: value for key, value in record.items() if not _ELSEWHERE.fullmatch(key)}
    if bad.spans and ANNOTATED not in rest:
        row[ANNOTATED] = _annotated(bad.text, [(span.start, span.end) for span in bad.spans])
    return row | rest


def _phenomena(case: Case) -> str:
    """The label as ACES has it, where it is one of its own."""
    labels = [fold(label) for label in case.labels]
    if len(labels) == 1 or (len(labels) == 2 and labels[0] and labels[0] == top_level(labels[1])):
        return labels[-1]
    return LEVELS.join(labels or ["", ""])


def _annotated(text: str, spans: Sequence[tuple[Any, Any]]) -> str:
    pieces, at = [], 0
    for start, end in sorted(spans):
        pieces += [text[at:start], "<v>", text[start:end], "</v>"]
        at = end
    return "".join([*pieces, text[at:]])
