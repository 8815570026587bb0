"""`assay lint`: check a suite."""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from assay.cli import terminal
from assay.cli.options import inputs_options, split_names
from assay.text import one_line, plural, visible

if TYPE_CHECKING:
    from assay.outputs import Inputs
    from assay.verdicts.lint import LintProblem
    from assay.verdicts.probes import ProbedSuite, ProbeKind


@click.command()
@inputs_options(needs_outputs=False)
@click.option("--strict", is_flag=True, help="Fail on warnings too.")
@click.option("--all", "show_all", is_flag=True, help="Show every problem on a line of its own.")
@click.option("--ignore", metavar="CODE,…", multiple=True, help="Leave these problems out.")
@click.option("--probe", "probes", is_flag=True, help="Also try texts that must not pass, made of the right examples.")
@click.option(
    "--most",
    metavar="KIND=PERCENT,…",
    multiple=True,
    help="How many of the probes may pass.  [default: shuffled=5,negated=10,others=0.3,planted=0]",
)
def lint(
    inputs: "Inputs", strict: bool, show_all: bool, ignore: tuple[str, ...], probes: bool, most: tuple[str, ...]
) -> None:
    """Check a suite: rules that do not compile, can never match, contradict examples or each other, or never fire.

    Problems are shown by kind, a few of each. With OUTPUT the rules are tried on real texts too. With --probe they are
    tried on right examples whose words are shuffled, that have a negation put in, or are those of other items, and on
    the texts of probes.yaml. The exit code is 1 where there are errors (with --strict: or warnings; notes are for a
    person to look at).

    \b
    Examples:
      assay lint de-en
      assay lint my-suite/ outputs/*.tsv --ignore never-fires
      assay lint my-suite/ --probe --strict
    """
    from assay.errors import BadOption, UnknownName
    from assay.verdicts.lint import CODES, lint_files

    ignored = set(split_names(ignore))
    for code in ignored:
        if code not in CODES:
            raise UnknownName("problem code", code, CODES)
    if most and not probes:
        raise BadOption("--most is about probes; add --probe")
    limits = _limits(split_names(most)) if probes else {}
    found = lint_files(inputs, open_progress=terminal.progress)
    if probes and not any(problem.code in ("no-compile", "bad-argument") for problem in found):
        found += _probe(inputs, limits, show_all=show_all)
    problems = [problem for problem in found if problem.code not in ignored]
    if show_all:
        for problem in problems:
            click.echo(f"{problem.place}: {_level(problem)}: {_what(problem)} [{problem.code}]")
    else:
        for code, about in CODES.items():
            found = [problem for problem in problems if problem.code == code]
            if found:
                _show(code, about, found)
    counts = Counter(problem.level for problem in problems)
    notes = f", {plural(counts['note'], 'note')}" if counts["note"] else ""
    click.echo(f"{plural(counts['error'], 'error')}, {plural(counts['warning'], 'warning')}{notes}")
    if counts["error"] or (strict and counts["warning"]):
        sys.exit(1)


def _limits(written: list[str]) -> "dict[ProbeKind, float]":
    """The shares that may pass, as defaults and `--most` have them."""
    from assay.errors import BadOption, UnknownName
    from assay.verdicts.probes import KINDS, LIMITS

    limits = dict(LIMITS)
    for part in written:
        name, _, percent = part.partition("=")
        kind = next((kind for kind in KINDS if kind == name.strip()), None)
        if kind is None:
            raise UnknownName("kind of probe", name, KINDS)
        try:
            limits[kind] = float(percent) / 100
        except ValueError:
            limits[kind] = -1
        if not 0 <= limits[kind] <= 1:
            raise BadOption(f"--most {part}: write a number from 0 to 100, like {kind}=5")
    return limits


def _probe(inputs: "Inputs", limits: "dict[ProbeKind, float]", *, show_all: bool) -> "list[LintProblem]":
    """Show what became of the probes; the problems that they make are returned."""
    from assay.verdicts.lint import probe_problems
    from assay.verdicts.probes import probe
    from assay.verdicts.probes_file import planted_texts

    suite = inputs.load_suite()
    probed = probe(suite, planted=planted_texts(inputs.suite, suite), open_progress=terminal.progress)
    for line in _table(probed, limits, show_all=show_all):
        click.echo(line)
    return list(probe_problems(suite, probed, limits))


def _table(probed: "ProbedSuite", limits: "dict[ProbeKind, float]", *, show_all: bool) -> Iterator[str]:
    """Shares of the suite, of the phenomena in which most pass, and some of the texts."""
    yield f"{'probes':28}{'tried':>8}{'pass':>8}{'share':>9}{'at most':>9}"
    for kind, limit in limits.items():
        count = probed.count(kind)
        if not count.tried:
            yield f"{kind:28}{probed.missing.get(kind, 'none')}"
            continue
        yield _line(kind, count.tried, len(count.passed)) + f"{100 * limit:>7g} %"
        rows = probed.by_phenomenon(kind).items()
        worst = sorted(rows, key=lambda row: -(row[1].share or 0))
        for (_, phenomenon), one in worst if show_all else [row for row in worst if row[1].passed][:FEW]:
            yield _line(f"  {one_line(phenomenon, 25)}", one.tried, len(one.passed))
        for text in count.passed if show_all else count.passed[:FEW]:
            yield f"    {text.item.id}: {visible(one_line(text.text, LONGEST))}"
        if len(count.passed) > FEW and not show_all:
            yield f"    … and {len(count.passed) - FEW:,} more (--all)"
    yield ""


def _line(name: str, tried: int, passed: int) -> str:
    share = 100 * passed / tried
    # The limit of others is 0.3 %: 0.33 must not look like it.
    return f"{name:28}{tried:>8,}{passed:>8,}{share:>7.{1 if share >= 1 else 2}f} %"


FEW = 3
"""Problems of a kind that are shown without --all."""

LONGEST = 240
"""Characters of a problem that are shown without --all: rules of templates are long."""


def _show(code: str, about: str, found: "list[LintProblem]") -> None:
    """A paragraph on the problems of one kind."""
    click.echo(f"{_level(found[0])}: {about} [{code}]" + (f", {len(found):,} times" if len(found) > 1 else ""))
    for problem in found[:FEW]:
        click.echo(f"  {problem.place}: {one_line(_what(problem), LONGEST)}")
    if len(found) > FEW:
        click.echo(f"  … and {len(found) - FEW:,} more (--all)")
    click.echo()


def _what(problem: "LintProblem") -> str:
    # The place of an item without a line number is its id.
    is_named = not problem.item or problem.place.endswith(repr(problem.item))
    return problem.message if is_named else f"{problem.item}: {problem.message}"


def _level(problem: "LintProblem") -> str:
    # Red, yellow and cyan (ANSI).
    return terminal.styled(problem.level, {"error": "31", "warning": "33", "note": "36"}[problem.level])
