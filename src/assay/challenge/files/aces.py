"""ACES TSV: `source`, `good-translation`, `incorrect-translation`, `reference`, `phenomena`, and `langpair`.

    challenge = read(Path("ACES.tsv"))

No quoting. Assay's own files have further columns, which programs for ACES ignore; with them nothing is lost.
"""

from collections.abc import Iterator
from pathlib import Path

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet
from assay.challenge.files import records
from assay.errors import BadFile
from assay.files import read_text, writing
from assay.json_lines import Fields
from assay.text import fold
from assay.tsv import header_of, plain_rows

GOOD, BAD = "good-translation", "incorrect-translation"
COLUMNS = ("source", GOOD, BAD, "reference", "phenomena")
OWN_COLUMNS = ("id", "correct", "item", "reference-systems", "good-systems", "incorrect-systems", *records.ABOUT)
SEPARATOR = " :: "
"""Between category and phenomenon."""

# ISO 639-2 has `mul` for "multiple languages".
SEVERAL_PAIRS = "mul-mul"


def is_aces(text: str) -> bool:
    """Whether a text is an ACES table, scored or not."""
    return {GOOD, BAD} & set(header_of(text)) != set()


def metrics_in(header: list[str]) -> list[str]:
    """The metrics with both columns, `METRIC-good` and `METRIC-bad`."""
    return [name[:-5] for name in header if name.endswith("-good") and f"{name[:-5]}-bad" in header]


def read(path: Path) -> ChallengeSet:
    """The set in a file. If it has several language pairs, the pair of each row is not kept."""
    text = read_text(path)
    header = header_of(text)
    missing = [name for name in COLUMNS if name not in header]
    if missing:
        raise BadFile(path, f"no column {missing[0]!r}", line=1, cure=f"an ACES file has {', '.join(COLUMNS)}")
    # A file that Assay wrote has its ids and systems; a foreign one gets line numbers as ids.
    own = set(OWN_COLUMNS) <= set(header)
    rows = [
        _own_row(path, line, dict(record)) if own else _foreign_row(path, line, dict(record), number)
        for number, (line, record) in enumerate(
            plain_rows(path, text, may_be_quoted=not own or bool(metrics_in(header))), start=1
        )
    ]
    # Taken out of the rows: a set has one language pair, and `set_from_rows` refuses rows that differ.
    pairs = {str(row.record.pop("langpair", "")) for row in rows} - {""} if not own else set()
    langpair = pairs.pop() if len(pairs) == 1 else SEVERAL_PAIRS if pairs else records.langpair_in(path)
    return records.set_from_rows(path, rows, name=records.name_in(path), langpair=langpair)


def _foreign_row(path: Path, line: int, record: dict[str, str], number: int) -> Fields:
    label = fold(record["phenomena"])
    category, separator, phenomenon = label.partition(SEPARATOR)
    texts = [records.fold_foreign(record[name]) for name in ("source", "reference", GOOD, BAD)]
    row: records.Record = {"id": str(number), "correct": 1, "langpair": record.get("langpair", "").strip()}
    row |= {"category": category, "phenomenon": phenomenon if separator else label}
    return Fields(path, line, row | dict(zip(records.TEXTS, texts, strict=True)))


def _own_row(path: Path, line: int, record: dict[str, str]) -> Fields:
    category, _, phenomenon = record["phenomena"].partition(SEPARATOR)
    right, wrong = ("hyp-2", "hyp-1") if record["correct"].strip() == "2" else ("hyp-1", "hyp-2")
    row: records.Record = {name: record[name] for name in ("id", "item", "source", "reference", *records.ABOUT)}
    row |= {"category": category, "phenomenon": phenomenon, right: record[GOOD], wrong: record[BAD]}
    row |= {f"{right}-systems": records.split_names(record["good-systems"])}
    row |= {f"{wrong}-systems": records.split_names(record["incorrect-systems"])}
    row |= {"reference-systems": records.split_names(record["reference-systems"])}
    fields = Fields(path, line, row | {"correct": record["correct"]})
    if records.correct_of(fields) is None:
        fields.fail("'correct' is empty", "write 1 or 2: which of hyp-1 and hyp-2 is right")
    return fields


def write(challenge: ChallengeSet, path: Path) -> None:
    """Write an open set."""
    with writing(path) as stream:
        stream.write("\t".join((*COLUMNS, *OWN_COLUMNS)) + "\n")
        for cells in _rows(challenge):
            stream.write("\t".join(cells) + "\n")


def _rows(challenge: ChallengeSet) -> Iterator[list[str]]:
    about = records.about(challenge)
    for item in challenge.items:
        # Folded, since the format has no quoting: a tab or newline in a cell would break the row.
        row = {**about, **_cells(item)}
        yield [row[name] if name == "phenomena" else fold(row[name]) for name in (*COLUMNS, *OWN_COLUMNS)]


def _cells(item: ChallengeItem) -> dict[str, str]:
    good, bad = item.first_systems, item.second_systems
    if item.correct == 2:
        good, bad = bad, good
    return {
        "source": item.source,
        GOOD: item.right,
        BAD: item.wrong,
        "reference": item.reference,
        "phenomena": f"{fold(item.category)}{SEPARATOR}{fold(item.phenomenon)}",
        "id": item.id,
        "correct": str(item.correct),
        "item": item.item,
        "reference-systems": records.join_names(list(item.reference_systems)),
        "good-systems": records.join_names(list(good)),
        "incorrect-systems": records.join_names(list(bad)),
    }
