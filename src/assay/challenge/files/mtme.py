"""An mt-metrics-eval tree: systems are hypotheses, human scores of segments are those of hypotheses.

cases = read(Path("garden"))

sources/de-en.txt   references/de-en.refA.txt   system-outputs/de-en/{hyp-1,hyp-2}.txt   documents/de-en.docs
metadata/de-en.jsonl (Assay's)   human-scores/de-en.mqm.seg.score   metric-scores/de-en/chrF-refA.seg.score

A set of pairs has the systems `hyp-1` and `hyp-2` and the human score `verdict`: 1 for the correct translation, 0.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assay.challenge.case import Case, CaseSet, Ladder, Reference
from assay.challenge.challenge_set import HYPOTHESES, MetricScores
from assay.challenge.files import case_rows, records
from assay.challenge.files.score_columns import read_systems
from assay.challenge.files.wmt25 import check_langpair, check_parallel, not_parallel, parallel_rows
from assay.errors import BadFile, BadOption
from assay.files import exists, read_lines, read_text
from assay.json_lines import Fields

REFERENCE = "refA"
Rest = Callable[[CaseSet], list[records.Record]]

VERDICT = "verdict"
"""The human score of a set of pairs."""


def read(root: Path, langpair: str = "") -> CaseSet:
    """The set of a language pair; without one, the only set of the tree."""
    # The tree may hold several language pairs; the file name in sources/ is the pair.
    pairs = [langpair] if langpair else sorted(file.stem for file in (root / "sources").glob("*.txt"))
    if len(pairs) != 1:
        problem = f"{len(pairs)} language pairs" if pairs else "no files in sources/"
        cure = f"name one of them: {root / 'sources' / pairs[0]}.txt" if pairs else "it holds S-T.txt"
        raise BadFile(root, problem, cure=cure)
    pair = pairs[0]
    known = records.read_metadata(root / "metadata" / f"{pair}.jsonl")
    stated = known[0].record if known else {}
    references, systems = _references(root, pair, stated), _systems(root, pair, stated)
    files = {"source": root / "sources" / f"{pair}.txt"}
    files |= {case_rows.reference_name(place): file for place, file in enumerate(references.values())}
    files |= {f"hyp-{number}": file for number, file in enumerate(systems.values(), 1)}
    rows = [
        _named(row, [*references], [*systems], own=bool(known))
        for row in parallel_rows(files, known=known, metadata=root / "metadata" / "none")
    ]
    cases = case_rows.cases_from_rows(
        files["source"], rows, name=root.resolve().name, langpair=pair, unread=tuple(_unread(root, pair))
    )
    cases = _with_documents(cases, root / "documents" / f"{pair}.docs") if not known else cases
    return _with_human_scores(cases, root, pair)


def _references(root: Path, pair: str, stated: Mapping[str, object]) -> dict[str, Path]:
    """Name -> file, in the order that is stated, or refA first."""
    found = {file.name[len(pair) + 1 : -4]: file for file in sorted((root / "references").glob(f"{pair}.*.txt"))}
    if stated:
        keys = map(case_rows.reference_name, range(len(found)))
        order = [str(stated.get(f"{key}-name") or _plain_reference(place)) for place, key in enumerate(keys)]
        return _in_order(found, order, root / "references", f"{pair}.")
    return dict(sorted(found.items(), key=lambda entry: (entry[0] != REFERENCE, entry[0])))


def _plain_reference(place: int) -> str:
    return f"ref{chr(ord('A') + place)}"


def _in_order(found: Mapping[str, Path], names: Sequence[str], folder: Path, start: str = "") -> dict[str, Path]:
    missing = next((name for name in names if name not in found), None)
    if missing is not None:
        raise BadFile(folder / f"{start}{missing}.txt", "there is no such file", cure="keep the tree as it was written")
    return {name: found[name] for name in names}


def _systems(root: Path, pair: str, stated: Mapping[str, object]) -> dict[str, Path]:
    """Name -> file, in the order that is stated; otherwise `hyp-2` stands before `hyp-10`."""
    folder = root / "system-outputs" / pair
    found = {file.stem: file for file in sorted(folder.glob("*.txt"))}
    if not found:
        raise BadFile(folder, "no outputs of systems", cure="it holds SYSTEM.txt, a line for each challenge item")
    if stated:
        order = [str(stated.get(f"hyp-{number}-name") or f"hyp-{number}") for number in range(1, len(found) + 1)]
        return _in_order(found, order, folder)
    return dict(
        sorted(found.items(), key=lambda entry: (len(entry[0]) if entry[0].startswith("hyp-") else 0, entry[0]))
    )


def _named(row: Fields, references: Sequence[str], systems: Sequence[str], *, own: bool) -> Fields:
    """A row with the names of references and systems, which Assay's own records have where they are no usual ones."""
    if own:
        return row
    names = {f"{case_rows.reference_name(place)}-name": name for place, name in enumerate(references)}
    names |= {f"hyp-{number}-name": name for number, name in enumerate(systems, 1)}
    return replace(row, record=row.record | names)


def _with_documents(cases: CaseSet, path: Path) -> CaseSet:
    """The cases with their domains, which are their labels, and documents."""
    if not exists(path):
        return cases
    lines = read_lines(path)
    if len(lines) != len(cases):
        raise not_parallel(path, len(lines), Path(f"{cases.langpair}.txt"), len(cases))
    found = []
    for number, (case, line) in enumerate(zip(cases.cases, lines, strict=True), 1):
        cells = line.split()
        if len(cells) != 2:
            raise BadFile(path, f"{len(cells)} words", line=number, cure="write DOMAIN and DOCUMENT with a tab between")
        found.append(replace(case, labels=(cells[0],), document=cells[1]))
    return replace(cases, cases=tuple(found))


def _unread(root: Path, pair: str) -> Iterator[str]:
    """Files with scores of more than segments: they belong to no case."""
    for file in sorted((root / "human-scores").glob(f"{pair}.*.score")):
        if not file.name.endswith(".seg.score"):
            yield f"human-scores/{file.name}"


def _with_human_scores(cases: CaseSet, root: Path, pair: str) -> CaseSet:
    scores: list[list[dict[str, float]]] = [[{} for _ in case.hypotheses] for case in cases.cases]
    names = [hypothesis.name for hypothesis in cases.cases[0].hypotheses]
    for file in sorted((root / "human-scores").glob(f"{pair}.*.seg.score")):
        kind = file.name[len(pair) + 1 : -len(".seg.score")]
        columns = read_systems(file, read_text(file), len(cases), names)
        for place, name in enumerate(names):
            for number, score in enumerate(columns.get(name, ())):
                if not math.isnan(score):
                    scores[number][place][kind] = score
    judged = tuple(
        _judged(root, pair, case, found, number)
        for number, (case, found) in enumerate(zip(cases.cases, scores, strict=True), 1)
    )
    return replace(cases, cases=judged)


def _judged(root: Path, pair: str, case: Case, scores: list[dict[str, float]], number: int) -> Case:
    """A case with its human scores; a verdict on a pair is a relation."""
    if any(VERDICT in found for found in scores) and _names(case) == HYPOTHESES and not case.relations:
        first, second = (found.pop(VERDICT, math.nan) for found in scores)
        # Neither smaller nor greater: equal, or NaN.
        if not (first < second or first > second):
            raise BadFile(
                _score_file(root, pair), f"does not say which translation of challenge item {number} is right"
            )
        order = HYPOTHESES if first > second else HYPOTHESES[::-1]
        case = replace(case, relations=(Ladder(tuple((name,) for name in order)),))
    hypotheses = tuple(
        replace(hypothesis, human=tuple(sorted(found.items())))
        for hypothesis, found in zip(case.hypotheses, scores, strict=True)
    )
    return replace(case, hypotheses=hypotheses)


def _names(case: Case) -> tuple[str, ...]:
    return tuple(hypothesis.name for hypothesis in case.hypotheses)


def _score_file(root: Path, pair: str) -> Path:
    return root / "human-scores" / f"{pair}.{VERDICT}.seg.score"


# Writing -------------------------------------------------------------------------------------------------------------


def write(cases: CaseSet, path: Path, rest: Rest, *, force: bool, scores: Sequence[MetricScores] = ()) -> list[Path]:
    """Write a tree into a new folder, with the scores of metrics where they are given.

    `rest` makes the records of what the other files do not hold.
    """
    check_langpair(cases, path)
    check_parallel(cases, path)
    files = _files(_with_all_references(cases), path, rest) | _metric_files(cases, scores)
    return records.write_folder(path, files, force=force)


def _with_all_references(cases: CaseSet) -> CaseSet:
    """Cases whose references have the same names in the same order; those that a case lacks have no text."""
    names = list(dict.fromkeys(found.name for case in cases.cases for found in case.references))
    padded = []
    for case in cases.cases:
        known = {found.name: found for found in case.references}
        padded.append(replace(case, references=tuple(known.get(name, Reference(name, "")) for name in names)))
    return replace(cases, cases=tuple(padded))


def _files(cases: CaseSet, path: Path, rest: Rest) -> dict[str, str]:
    """Path in the tree -> text."""
    pair, systems, references = cases.langpair, _system_names(cases, path), _reference_names(cases, path)
    parts = {f"sources/{pair}.txt": [case.source for case in cases.cases]}
    parts |= {
        f"references/{pair}.{name}.txt": [_text(case.references, place) for case in cases.cases]
        for place, name in enumerate(references)
    }
    parts |= {
        f"system-outputs/{pair}/{name}.txt": [case.hypotheses[place].text for case in cases.cases]
        for place, name in enumerate(systems)
    }
    # A document per challenge item, its domain the phenomenon: mt-metrics-eval can then score phenomena by itself.
    parts[f"documents/{pair}.docs"] = [
        f"{_word(case.labels[-1] if case.labels else '') or 'challenge'}\t{_word(case.document or case.id)}"
        for case in cases.cases
    ]
    files = {name: "".join(f"{line}\n" for line in lines) for name, lines in parts.items()}
    verdicts = all(_is_verdict(case) for case in cases.cases)
    files[f"metadata/{pair}.jsonl"] = "".join(map(records.json_line, _metadata(rest(cases), verdicts=verdicts)))
    return files | _human_files(cases, systems, verdicts=verdicts)


def _is_verdict(case: Case) -> bool:
    """Whether all that is said about the hypotheses of a case is which of two is right."""
    return _names(case) == HYPOTHESES and len(case.relations) == 1 and len(case.better_pairs()) == 1


def _metadata(rows: list[records.Record], *, verdicts: bool) -> Iterator[records.Record]:
    for row in rows:
        # Which translation is right, and what people said, is in the human scores, and not in two places; further
        # references have files of their own.
        yield {
            key: value
            for key, value in row.items()
            if not (
                key == "correct"
                or (key == "relations" and verdicts)
                or (key.startswith("hyp-") and key.endswith("-human"))
                or (key.startswith("reference-") and key[10:].isdigit())
            )
        }


def _human_files(cases: CaseSet, systems: Sequence[str], *, verdicts: bool) -> dict[str, str]:
    kinds = dict.fromkeys(kind for case in cases.cases for found in case.hypotheses for kind, _ in found.human)
    files = {
        f"human-scores/{cases.langpair}.{kind}.seg.score": _blocks(
            systems, [[dict(found.human).get(kind) for found in case.hypotheses] for case in cases.cases]
        )
        for kind in kinds
    }
    if verdicts:
        right = [case.better_pairs()[0][0] for case in cases.cases]
        files[f"human-scores/{cases.langpair}.{VERDICT}.seg.score"] = _blocks(
            systems, [[int(name == best) for name in HYPOTHESES] for best in right]
        )
    return files


def _blocks(systems: Sequence[str], rows: Sequence[Sequence[float | None]]) -> str:
    """A block for each system; `None` where there is no score."""
    return "".join(f"{name}\t{_number(row[place])}\n" for place, name in enumerate(systems) for row in rows)


def _number(score: float | None) -> str:
    return "None" if score is None or math.isnan(score) else repr(score)


def _metric_files(cases: CaseSet, scores: Sequence[MetricScores]) -> dict[str, str]:
    systems = [hypothesis.name for hypothesis in cases.cases[0].hypotheses]
    files = {}
    for metric in scores:
        # The values are of all hypotheses, one after the other.
        rows = metric.values.reshape(len(cases), len(systems)).tolist()
        reference = "src" if metric.group == "qe" else REFERENCE
        files[f"metric-scores/{cases.langpair}/{_word(metric.name)}-{reference}.seg.score"] = _blocks(systems, rows)
    return files


def _system_names(cases: CaseSet, path: Path) -> list[str]:
    names = {_names(case) for case in cases.cases}
    if len(names) > 1:
        raise BadOption(
            f"{path}: systems are files, and challenge items name their hypotheses differently; write jsonl"
        )
    return [_file_word(name, path) for name in names.pop()]


def _file_word(name: str, path: Path) -> str:
    if "/" in name or name != _word(name):
        raise BadOption(f"{path}: the hypothesis {name!r} cannot name a file; write jsonl")
    return name


def _reference_names(cases: CaseSet, path: Path) -> list[str]:
    """Names of files: refA, refB and so on for references that have no names of their own."""
    names = [found.name for found in cases.cases[0].references] or [case_rows.reference_name(0)]
    taken = [
        _plain_reference(place) if name == case_rows.reference_name(place) else _file_word(name, path)
        for place, name in enumerate(names)
    ]
    odd = next((name for name in taken if "." in name or "-" in name), None)
    if odd is not None or len({*taken}) < len(taken):
        raise BadOption(f"{path}: the references {', '.join(names)} cannot name files; rename them, or write jsonl")
    return taken


def _text(references: Sequence[Reference], place: int) -> str:
    return references[place].text if place < len(references) else ""


def _word(label: str) -> str:
    """A name without white space, which would end it."""
    return "_".join(label.split())
