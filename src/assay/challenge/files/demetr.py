"""DEMETR: JSON files with a list of objects, a file for each perturbation; a folder of them is one set.

    cases = read(Path("dataset/critical_id11_gender.json"))

`mt_sent` is hyp-1, `pert_sent`, the same with an error put in, hyp-2, `eng_sent` the reference. Where `pert_check` is
false nothing was put in, and nothing is said about the two. In `base_id35_reference` the second is the reference
itself, and better.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.challenge.case import Case, CaseSet
from assay.challenge.files import case_rows, records
from assay.errors import BadFile
from assay.files import exists, read_text
from assay.json_lines import Fields, parse_json
from assay.languages import NAMES

_TEXTS = {"source": "src_sent", "reference": "eng_sent", "hyp-1": "mt_sent", "hyp-2": "pert_sent"}
_REVERSED = re.compile(r"base_id\d+_reference")
_CODES = {name.lower(): code for code, name in NAMES.items()}


def is_folder(path: Path) -> bool:
    """Whether a folder is DEMETR: it has JSON files and nothing of WMT25."""
    return any(path.glob("*.json")) and not any(path.glob("*.src.txt"))


def read(path: Path) -> CaseSet:
    """The set in a file, or in all files of a folder."""
    files = sorted(path.glob("*.json")) if exists(path) and path.is_dir() else [path]
    rows = [row for file in files for row in _rows(file)]
    name = path.resolve().name if path.is_dir() else records.name_in(path)
    return case_rows.cases_from_rows(path, rows, name=name, langpair="")


def _rows(path: Path) -> list[Fields]:
    found = parse_json(path, read_text(path))
    if not isinstance(found, list) or not all(isinstance(record, dict) and "pert_sent" in record for record in found):
        raise BadFile(
            path, "not a challenge set", cure="a .json file is one of DEMETR: a list of objects with pert_sent"
        )
    # A whole file is one value, so a place in it is the number of the object.
    return [_row(Fields(path, number, record), path.stem) for number, record in enumerate(found, 1)]


def _row(fields: Fields, name: str) -> Fields:
    record = fields.record
    perturbation = str(record.get("pert_name") or name)
    row: dict[str, Any] = {key: records.text_of(fields, theirs) for key, theirs in _TEXTS.items()}
    row |= {"id": f"{perturbation}/{record.get('id', fields.line)}", "langpair": _langpair(record)}
    row |= {"category": str(record.get("severity") or ""), "phenomenon": perturbation}
    # Said of most rows: false where no error could be put in, and the two texts are the same.
    if record.get("pert_check") is not False:
        row["correct"] = 2 if _REVERSED.fullmatch(perturbation) else 1
    taken = {*_TEXTS.values(), "id", "severity", "pert_name"}
    return Fields(fields.path, fields.line, row | {key: value for key, value in record.items() if key not in taken})


def _langpair(record: Mapping[str, object]) -> str:
    """`chinese_simple` -> `zh-en`; empty where the language is not known."""
    name = str(record.get("lang_tag") or "").partition("_")[0].lower()
    return f"{_CODES[name]}-en" if name in _CODES else ""


# Writing -------------------------------------------------------------------------------------------------------------


def losses(cases: CaseSet) -> list[str]:
    """What a DEMETR file cannot hold."""
    found = []
    if any(len(case.hypotheses) != 2 or len(case.better_pairs()) > 1 or case.equal_pairs() for case in cases.cases):
        found.append("challenge items that are not a translation and the same with an error")
    if any(_from(case) != case for case in cases.cases):
        found.append("what has no field there: systems, further references, spans, human scores, documents, labels")
    return found + (["the name of the set and how it was drawn"] if cases.signature else [])


def _from(case: Case) -> Case:
    """The case as it would be read again."""
    record = _record(case)
    return case_rows.case_of(_row(Fields(Path("demetr"), 1, record), ""), "")


def _record(case: Case) -> dict[str, Any]:
    severity, *narrower = case.labels or ("",)
    perturbation = narrower[0] if narrower else severity
    identity = case.id.removeprefix(f"{perturbation}/")
    record: dict[str, Any] = {"id": int(identity) if re.fullmatch(r"0|[1-9]\d{0,8}", identity) else identity}
    by_name = {hypothesis.name: hypothesis.text for hypothesis in case.hypotheses}
    order = next(iter(case.better_pairs()), tuple(by_name))
    if case.better_pairs() and _REVERSED.fullmatch(perturbation):
        order = order[::-1]
    texts = [case.source, case.reference, *(by_name[name] for name in order[:2])]
    record |= dict(zip(("src_sent", "eng_sent", "mt_sent", "pert_sent"), texts, strict=False))
    record |= dict(case.further)
    # Otherwise a pair about which nothing is said would be read as one whose first is better.
    record |= {} if case.better_pairs() else {"pert_check": False}
    return record | {"severity": severity, "pert_name": perturbation}


def text_of(cases: CaseSet) -> str:
    """The text of a file."""
    written = [case for case in cases.cases if len(case.hypotheses) == 2]
    return json.dumps([_record(case) for case in written], ensure_ascii=False, indent=2) + "\n"
