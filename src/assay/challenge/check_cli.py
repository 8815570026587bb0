"""`assay challenge check`: what is wrong with a challenge set, as a table or JSON."""

import json
import sys
from pathlib import Path

import click

from assay.challenge.case import CaseSet
from assay.challenge.check import SetFinding, check_set, check_together
from assay.challenge.files.sets import read_cases
from assay.text import plural


def run_check(paths: tuple[Path, ...], *, as_json: bool) -> None:
    """Check sets and say what was found; exit code 1 where there is an error."""
    sets = {str(path): read_cases(path) for path in paths}
    found = {name: check_set(cases) for name, cases in sets.items()}
    together = check_together(sets)
    if as_json:
        click.echo(json.dumps(_document(sets, found, together), ensure_ascii=False, indent=2))
    else:
        for name, cases in sets.items():
            click.echo(f"{name}: {_described(cases)}")
            _show(found[name])
        _show(together)
    every = [finding for findings in found.values() for finding in findings] + together
    errors = sum(finding.level == "error" for finding in every)
    if not as_json:
        click.echo(f"{plural(errors, 'error')}, {plural(len(every) - errors, 'warning')}")
    if errors:
        sys.exit(1)


def _described(cases: CaseSet) -> str:
    pairs = sum(len(case.better_pairs()) for case in cases.cases)
    numbers = [
        plural(len(cases), "challenge item"),
        f"{cases.size:,} hypotheses" if cases.size != 1 else "1 hypothesis",
        plural(pairs, "pair"),
        plural(len({(case.langpair, case.source) for case in cases.cases}), "source"),
        plural(len({case.langpair for case in cases.cases}), "language pair"),
    ]
    return ", ".join(numbers)


def _show(findings: list[SetFinding]) -> None:
    width = max((len(finding.code) for finding in findings), default=0)
    for finding in findings:
        count = f"{finding.count:,} of {finding.total:,}"
        click.echo(f"  {finding.level:7}  {finding.code:{width}}  {count:>17}  {finding.message}")
        if finding.examples:
            click.echo(f"  {'':7}  {'':{width}}  {'':>17}  {', '.join(finding.examples)}")


def _document(
    sets: dict[str, CaseSet], found: dict[str, list[SetFinding]], together: list[SetFinding]
) -> dict[str, object]:
    return {
        "sets": [
            {
                "file": name,
                "name": cases.name,
                "langpair": cases.langpair,
                "size": len(cases),
                "hypotheses": cases.size,
                "findings": [finding.to_dict() for finding in found[name]],
            }
            for name, cases in sets.items()
        ],
        "together": [finding.to_dict() for finding in together],
    }
