"""Run the examples of documentation pages and rewrite the outputs that changed.

    python scripts/docs.py docs/tutorial.md README.md

An output with the line `…` stays as it is while it still fits, and is replaced whole when it does not. The same is
done to doctests in Python blocks, and numbers in sentences that are marked with their place in an output are written
anew (tests/page_numbers.py). Read the difference afterwards: a change may be a bug, and the words around it may no
longer fit.
"""

import doctest
import os
import re
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    pages = [Path(argument).resolve() for argument in sys.argv[1:]]
    if not pages:
        sys.exit("usage: python scripts/docs.py PAGE.md…")
    sys.path.insert(0, str(ROOT))
    from tests.page_numbers import renewed
    from tests.test_docs import ENVIRONMENT

    os.environ.update(ENVIRONMENT)
    for page in pages:
        old = page.read_text("utf-8")
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            new = updated(old, page.name)
        try:
            new = renewed(new)
        except LookupError as error:
            print(f"{page.name}: a number in a sentence: {error}")
        if new != old:
            page.write_text(new, "utf-8")


def updated(text: str, page: str) -> str:
    """A page with the outputs that its commands print now; they are run in the current folder."""
    from tests.test_docs import BLOCK, run_python

    names: dict[str, object] = {}

    def again(block: re.Match[str]) -> str:
        if block["kind"] == "console":
            return f"{block['fence']}console\n{rewritten(block['text'], page)}{block['fence']}"
        if ">>>" in block["text"]:
            return f"{block['fence']}python\n{tested(block['text'], names, page)}{block['fence']}"
        try:
            run_python(block["text"], names, page)
        except Exception as error:
            print(f"{page}: a Python block fails: {error}")
        return block[0]

    return BLOCK.sub(again, text)


class Collector(doctest.DocTestRunner):
    """Keeps what each example that fails printed."""

    def __init__(self) -> None:
        super().__init__(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        self.found: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: object, test: object, example: doctest.Example, got: str) -> None:
        self.found.append((example, got))


def tested(text: str, names: dict[str, object], page: str) -> str:
    """A block of doctests with the outputs of now."""
    test = doctest.DocTestParser().get_doctest(text, names, page, page, 0)
    runner = Collector()
    runner.run(test, clear_globs=False, out=print)
    names.update(test.globs)
    lines = text.split("\n")
    for example, got in reversed(runner.found):
        print(f"{page}: changed: {example.source.rstrip()}")
        start = example.lineno + example.source.count("\n")
        lines[start : start + example.want.count("\n")] = got.rstrip("\n").split("\n") if got else []
    return "\n".join(lines)


def rewritten(text: str, page: str) -> str:
    """A console block with the outputs of now."""
    from tests.test_docs import assert_like, commands, output_of

    parts = []
    for example in commands(text):
        found = output_of(example.command)
        try:
            assert_like(found, example.expected, example.command)
            output = example.expected
        except AssertionError:
            print(f"{page}: changed: {example.shown}")
            output = "\n".join(line.rstrip() for line in found.split("\n"))
        parts.append(f"{example.shown}\n" + (f"{output}\n" if output else ""))
    return "".join(parts)


if __name__ == "__main__":
    main()
