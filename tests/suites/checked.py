"""What several tests ask of a bundled suite, found once in a process: reading is quick, these take seconds."""

from functools import cache

from assay.suites import bundled, load_suite
from assay.verdicts.lint import LintProblem, lint
from assay.verdicts.probes import ProbedSuite, probe
from assay.verdicts.probes_file import read_probes


@cache
def linted(name: str) -> tuple[LintProblem, ...]:
    """The problems of a bundled suite."""
    return tuple(lint(load_suite(name)))


@cache
def probed(name: str) -> ProbedSuite:
    """A bundled suite with all of its probes tried."""
    suite = load_suite(name)
    return probe(suite, planted=read_probes(bundled()[name], suite))
