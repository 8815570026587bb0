"""The error tree. A user's mistake is an `AssayError`; anything else is a bug and shows its trace.

AssayError                 exit code 2: the message says what is wrong, where, and what to do
├── BadFile                a file cannot be read, parsed or written
│   ├── BadSuite           a suite breaks the rules of its format
│   └── UnpairedFile       outputs that do not fit the suite or its source file
├── BadOption              an option or argument out of range
│   ├── UnknownName        a name that nobody has; the message suggests near ones
│   └── BadLanguage        (languages) a language that nobody has, or no pair of two
├── MissingExtra           a feature whose optional packages are not installed
├── BadDatabase            a database that is missing, foreign, newer or out of reach
├── Overtaken              somebody else was quicker; nothing was changed
├── NotAllowed             the role of a user does not allow this
├── EngineError            exit code 3 (translate/): an MT engine cannot go on; what was collected is kept
├── BadCluster             exit code 3 (parallel/): no scheduler, no workers, other versions
└── Misfit                 exit code 3 (parallel/): a worker whose plugins differ from those of the calling process
"""

from collections.abc import Iterable
from os import PathLike
from typing import Any

from assay.text import one_line


class AssayError(Exception):
    """What went wrong, in one line that a user can act on."""

    exit_code = 2

    def __init__(self, message: str = "", *, longest: int = 300) -> None:
        # Values of files stand in messages: they may be megabytes, hold newlines, or move a terminal's cursor.
        super().__init__(one_line(message, longest))

    def __reduce__(self) -> tuple[Any, ...]:
        # The default would call `BadFile(message)` again, with one argument; an error from a worker must arrive whole.
        return _restore, (type(self), str(self)), self.__dict__


def _restore(kind: type[AssayError], message: str) -> AssayError:
    """An unpickled error; `__init__` is not called, since only the finished message is kept."""
    error = kind.__new__(kind)
    error.args = (message,)
    return error


class BadFile(AssayError):
    """`path[:line]: problem; cure`."""

    def __init__(
        self,
        path: str | PathLike[str],
        problem: str,
        *,
        line: int | None = None,
        cure: str = "",
    ) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {problem}" + (f"; {cure}" if cure else ""))
        self.path = path
        self.line = line


class BadSuite(BadFile):
    """The suite breaks the rules of its format."""


class UnpairedFile(BadFile):
    """Outputs that do not fit the suite or its source file."""


class BadOption(AssayError):
    """An option or argument out of range."""


class UnknownName(BadOption):
    """A name that nobody has."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        # Imported here: difflib is needed for an error message only, and costs start-up time.
        from difflib import get_close_matches

        names = sorted(known)
        near = get_close_matches(name, names)
        if near:
            hint = f"did you mean {', '.join(near)}?"
        elif names:
            # Twenty names still fit a terminal; a list of a thousand items would bury the message.
            hint = f"there are: {', '.join(names[:20])}" + (" …" if len(names) > 20 else "")
        else:
            hint = "there are none"
        super().__init__(f"no {kind} {name!r}; {hint}")


class MissingExtra(AssayError):
    """A feature whose optional packages are not installed."""

    def __init__(self, feature: str, command: str) -> None:
        super().__init__(f"{feature} needs packages that are not installed; run: {command}")


class BadDatabase(AssayError):
    """`database: problem; cure`."""

    def __init__(self, name: str, problem: str, cure: str) -> None:
        super().__init__(f"{name}: {problem}; {cure}")


class Overtaken(AssayError):
    """Somebody else was quicker; nothing was changed."""


class NotAllowed(AssayError):
    """The role of a user does not allow this."""
