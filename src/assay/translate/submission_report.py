"""What is wrong with what a participant handed in, in words that can be sent to the participant.

Lines are those of the file that was sent out, from 1; nothing here says which of them belong to the suite.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SubmissionLine:
    """A line that shows a problem. `text` is None where there is none."""

    number: int
    source: str
    text: str | None


@dataclass(frozen=True, slots=True)
class SubmissionProblem:
    """Something that is wrong (`is_wrong`), or only looks odd. `lines` are those concerned, `shown` some of them."""

    kind: str
    message: str
    is_wrong: bool = True
    lines: tuple[int, ...] = ()
    shown: tuple[SubmissionLine, ...] = ()


@dataclass(frozen=True)
class SubmissionReport:
    """Of one participant: how many texts were expected and found, and the problems, the worst first."""

    name: str
    file: str
    suite: str
    expected: int
    found: int
    problems: tuple[SubmissionProblem, ...] = ()

    @property
    def wrong(self) -> list[SubmissionProblem]:
        """What has to be repaired."""
        return [problem for problem in self.problems if problem.is_wrong]

    @property
    def odd(self) -> list[SubmissionProblem]:
        """What somebody should look at."""
        return [problem for problem in self.problems if not problem.is_wrong]
