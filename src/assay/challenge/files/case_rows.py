"""Cases as rows of Assay's TSV and JSONL: the fields of `records`, and those of sets that are more than pairs.

    cases = cases_from_rows(path, rows, name="garden", langpair="de-en")
    case_records(cases)             the objects of a JSONL file

Hypotheses are `hyp-1` to `hyp-N`; `hyp-2-name`, `hyp-2-human` and `hyp-2-spans` are about the second. What is not known
by name is kept as it is. In TSV everything is text: lists and objects are JSON, and a further field whose value is no
text has `:json` behind its name.
"""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.challenge.case import Case, CaseSet, ErrorSpan, Further, Hypothesis, Ladder, Reference
from assay.challenge.challenge_set import HYPOTHESES
from assay.challenge.files import records
from assay.errors import BadFile, BadOption
from assay.json_lines import Fields, parse_json
from assay.text import fold
from assay.tsv import defused

_HYPOTHESIS = re.compile(r"hyp-(\d+)")
_REFERENCE = re.compile(r"reference(?:-(\d+))?")
_LEVEL = re.compile(r"level-(\d+)")
_RICH = re.compile(
    r"hyp-([3-9]|\d\d+)|hyp-\d+-(name|human|spans)|reference-(\d+|(\d+-)?name|\d+-systems)|level-\d+|relations|document"
    r"|hypotheses"
)
_KNOWN = re.compile(
    r"id|source|correct|item|category|phenomenon|set|langpair|signature|relations|document|hypotheses|level-\d+"
    r"|(hyp-\d+|reference(-\d+)?)(-name|-systems|-human|-spans)?"
)
_JSON = ":json"


def is_rich(keys: Iterable[str]) -> bool:
    """Whether fields are those of a set that is more than pairs of hypotheses."""
    return any(map(_RICH.fullmatch, keys))


def has_further(keys: Iterable[str]) -> bool:
    """Whether there are fields that mean nothing here and are kept."""
    return not all(map(_KNOWN.fullmatch, keys))


def reference_name(place: int) -> str:
    """What a reference is called where nothing is said."""
    return "reference" if place == 0 else f"reference-{place + 1}"


# Reading -------------------------------------------------------------------------------------------------------------


def cases_from_rows(
    path: Path, rows: Iterable[Fields], *, name: str, langpair: str, unread: tuple[str, ...] = ()
) -> CaseSet:
    """The set made of the rows of a file; `name` and `langpair` are for rows that do not have them."""
    cases: dict[str, Case] = {}
    stated: tuple[str, str] | None = None
    for fields in rows:
        case = case_of(fields, langpair)
        if case.id in cases:
            fields.fail(f"the id {case.id!r} stands twice", "give every challenge item an id of its own")
        mine = (_optional(fields, "set") or name, _optional(fields, "signature"))
        if stated is not None and mine != stated:
            fields.fail("a challenge item of another set than those before it", "put every set into a file of its own")
        cases[case.id], stated = case, mine
    if stated is None:
        raise BadFile(path, "no challenge items")
    return CaseSet(stated[0], tuple(cases.values()), stated[1], unread)


def case_of(fields: Fields, langpair: str) -> Case:
    """The case of a row; only the id, the source and one hypothesis are required."""
    identity = fold(records.text_of(fields, "id"))
    if not identity:
        fields.fail("'id' is empty", "give every challenge item an id of its own")
    case = Case(
        identity,
        fold(records.text_of(fields, "source")),
        _hypotheses(fields),
        _references(fields),
        _relations(fields),
        _optional(fields, "langpair") or langpair,
        _labels(fields),
        _optional(fields, "item"),
        _optional(fields, "document"),
        _further(fields),
    )
    if case.problem:
        fields.fail(case.problem, "correct the relations, or the names of the hypotheses")
    return case


def _further(fields: Fields) -> Further:
    """Fields that mean nothing here, by name; an empty cell of a column that other rows fill is as good as none."""
    kept = ((key, value) for key, value in fields.record.items() if not _KNOWN.fullmatch(key))
    return tuple(sorted(((key, value) for key, value in kept if value not in ("", None)), key=lambda pair: pair[0]))


def _optional(fields: Fields, key: str) -> str:
    return records.text_of(fields, key) if fields.record.get(key) not in (None, "") else ""


def _hypotheses(fields: Fields) -> tuple[Hypothesis, ...]:
    there = sorted(int(match[1]) for key in fields.record if (match := _HYPOTHESIS.fullmatch(key)))
    wanted = fields.record.get("hypotheses")
    count = len(there) if wanted in (None, "") else _count(fields, wanted)
    if there[:count] != [*range(1, count + 1)] or not count:
        missing = next(number for number in range(1, count + 2) if number not in there)
        fields.fail(f"'hyp-{missing}' is missing", "name the hypotheses hyp-1, hyp-2 and so on")
    return tuple(_hypothesis(fields, f"hyp-{number}") for number in there[:count])


def _count(fields: Fields, wanted: object) -> int:
    if not re.fullmatch(r"\d{1,4}", str(wanted)):
        fields.fail(f"'hypotheses' is {wanted!r}", "write the number of hypotheses")
    return int(str(wanted))


def _hypothesis(fields: Fields, key: str) -> Hypothesis:
    return Hypothesis(
        _optional(fields, f"{key}-name") or key,
        fold(records.text_of(fields, key)),
        fields.texts(f"{key}-systems"),
        _human(fields, f"{key}-human"),
        _spans(fields, key),
    )


def _human(fields: Fields, key: str) -> tuple[tuple[str, float], ...]:
    scores = fields.table(key).record
    for kind, value in scores.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            fields.fail(f"the human score {kind!r} in {key!r} is {value!r}", "write a number, or leave it out")
    return tuple(sorted((kind, float(value)) for kind, value in scores.items()))


def _spans(fields: Fields, key: str) -> tuple[ErrorSpan, ...]:
    length = len(fold(records.text_of(fields, key)))
    found = []
    for span in fields.tables(f"{key}-spans"):
        start, end = span.count("start"), span.count("end")
        if not start <= end <= length:
            fields.fail(
                f"an error span of {key!r} reaches from {start} to {end} of {length} characters",
                "count characters of the text, with single spaces, from 0",
            )
        found.append(ErrorSpan(start, end, span.text("severity", ""), span.text("category", "")))
    return tuple(found)


def _references(fields: Fields) -> tuple[Reference, ...]:
    there = sorted(int(match[1] or 1) for key in fields.record if (match := _REFERENCE.fullmatch(key)))
    found = []
    for number in there:
        key = reference_name(number - 1)
        text, systems = fold(_optional(fields, key)), fields.texts(f"{key}-systems")
        if text or systems:
            found.append(Reference(_optional(fields, f"{key}-name") or key, text, systems))
    return tuple(found)


def _relations(fields: Fields) -> tuple[Ladder, ...]:
    right = records.correct_of(fields)
    stated = fields.texts("relations")
    if right is not None and stated:
        fields.fail("both 'correct' and 'relations' are there", "say in one of them which hypothesis is better")
    if right is not None:
        return (Ladder(((HYPOTHESES[right - 1],), (HYPOTHESES[2 - right],))),)
    try:
        return tuple(map(Ladder.parse, stated))
    except BadOption as error:
        fields.fail(str(error))


def _labels(fields: Fields) -> tuple[str, ...]:
    there = [key for key in fields.record if _LEVEL.fullmatch(key) and fields.record[key] is not None]
    names = level_names(2 + len(there))
    labels = [_optional(fields, key) for key in names if key in fields.record]
    if sorted(there) != sorted(names[2:]):
        fields.fail(
            f"the levels are {', '.join(sorted(there))}", "count them from level-3, behind category and phenomenon"
        )
    return tuple(labels) if any(labels) else ()


def from_cells(path: Path, line: int, record: Mapping[str, str]) -> Fields:
    """A row of a TSV file as an object of a JSONL file would be."""
    row: dict[str, Any] = {}
    rich = is_rich(record)
    for name, cell in record.items():
        if name.endswith("-systems") and _KNOWN.fullmatch(name):
            row[name] = records.split_names(cell)
        elif name == "relations":
            row[name] = [part.strip() for part in cell.split(";") if part.strip()]
        elif name.endswith(("-human", "-spans")) and _KNOWN.fullmatch(name):
            if cell.strip():
                row[name] = parse_json(path, cell, line=line)
        elif name.endswith(_JSON):
            if cell.strip():
                row[name.removesuffix(_JSON)] = parse_json(path, cell, line=line)
        # Rows of sets with more levels, or fewer, than others have empty cells there.
        elif cell or (_KNOWN.fullmatch(name) and not (rich and _is_level(name))):
            row[name] = cell
    return Fields(path, line, row)


def _is_level(name: str) -> bool:
    return name in ("category", "phenomenon") or _LEVEL.fullmatch(name) is not None


# Writing -------------------------------------------------------------------------------------------------------------


def case_records(cases: CaseSet, *, texts: bool = True) -> list[records.Record]:
    """The objects of a JSONL file; without `texts` what the parallel files of a set do not hold."""
    return [_record(case, cases, texts=texts) for case in cases.cases]


def _record(case: Case, cases: CaseSet, *, texts: bool) -> records.Record:
    # The number tells this form from plain pairs, and in TSV an empty hypothesis from none.
    row: records.Record = {"id": case.id, "hypotheses": len(case.hypotheses)}
    if texts:
        row["source"] = case.source
    for place, reference in enumerate(case.references):
        if texts or place:
            row[reference_name(place)] = reference.text
    if texts:
        row |= {f"hyp-{number}": hypothesis.text for number, hypothesis in enumerate(case.hypotheses, 1)}
    if case.relations:
        row["relations"] = [str(ladder) for ladder in case.relations]
    row |= {"item": case.item} if case.item else {}
    row |= dict(zip(level_names(len(case.labels)), case.labels, strict=True))
    row |= {"document": case.document} if case.document else {}
    for place, reference in enumerate(case.references):
        key = reference_name(place)
        row |= {f"{key}-name": reference.name} if reference.name != key else {}
        row |= {f"{key}-systems": list(reference.systems)} if reference.systems else {}
    for number, hypothesis in enumerate(case.hypotheses, 1):
        row |= _about_hypothesis(f"hyp-{number}", hypothesis)
    row |= {"set": cases.name, "langpair": case.langpair, "signature": cases.signature}
    return row | dict(case.further)


def level_names(count: int) -> list[str]:
    """The fields of so many levels of labels."""
    return ["category", "phenomenon", *(f"level-{number}" for number in range(3, count + 1))][:count]


def _about_hypothesis(key: str, hypothesis: Hypothesis) -> records.Record:
    row: records.Record = {}
    row |= {f"{key}-name": hypothesis.name} if hypothesis.name != key else {}
    row |= {f"{key}-systems": list(hypothesis.systems)} if hypothesis.systems else {}
    row |= {f"{key}-human": dict(hypothesis.human)} if hypothesis.human else {}
    if hypothesis.spans:
        row[f"{key}-spans"] = [
            {"start": span.start, "end": span.end, "severity": span.severity, "category": span.category}
            for span in hypothesis.spans
        ]
    return row


def case_table(cases: CaseSet) -> Iterator[Sequence[object]]:
    """The rows of a TSV file, its header first."""
    rows = case_records(cases)
    further = {key for case in cases.cases for key, _ in case.further}
    rows = [{column(key, value, further): value for key, value in row.items()} for row in rows]
    # Names in the order of the row that has most of them first, so that hyp-3 stands behind hyp-2.
    header = list(dict.fromkeys(key for row in sorted(rows, key=len, reverse=True) for key in row))
    yield header
    for row in rows:
        yield [cell(key, row[key]) if key in row else "" for key in header]


def column(key: str, value: object, further: set[str]) -> str:
    """The column of a field: one that is kept and holds no text has JSON in it."""
    return f"{key}{_JSON}" if key in further and not isinstance(value, str) else key


def cell(key: str, value: object) -> object:
    """A field as text."""
    if key.endswith("-systems") and isinstance(value, list):
        return records.join_names(value)
    if key == "relations" and isinstance(value, list):
        return "; ".join(value)
    return value if isinstance(value, str | int) and not key.endswith(_JSON) else json.dumps(value, ensure_ascii=False)


def losses_in_rows(cases: CaseSet, *, tsv: bool) -> Iterator[str]:
    """What TSV or JSONL cannot hold."""
    names = {key for case in cases.cases for key, _ in case.further}
    clash = {key for key in names if _KNOWN.fullmatch(key) or (tsv and (key.endswith(_JSON) or defused(key) != key))}
    if clash:
        yield f"the further column {min(clash)!r}, whose name means something else here"
    if tsv and any(";" in name for case in cases.cases for ladder in case.relations for name in ladder.names):
        yield "relations of hypotheses with a semicolon in their names"
