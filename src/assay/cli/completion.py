"""What a shell offers when somebody presses Tab: suites, files, phenomena and categories of the suite that was named.

eval "$(_ASSAY_COMPLETE=bash_source assay)"
"""

import os
import re
from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem


def suites(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Names of bundled suites, and files."""
    from assay.suites import bundled

    return [*_beginning(bundled(), incomplete), *files(context, incomplete)]


def files(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """The shell itself looks for files."""
    return [CompletionItem(incomplete, type="file")]


def phenomena(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Phenomena of the suite that stands on the line."""
    return _beginning((name for names in _taxonomy(context).values() for name in names), incomplete)


def categories(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Categories of the suite that stands on the line."""
    return _beginning(_taxonomy(context), incomplete)


def _taxonomy(context: click.Context) -> dict[str, list[str]]:
    from assay.errors import AssayError
    from assay.suites import load_suite

    # Where the option that is being completed has no value yet, click leaves the arguments where they were.
    named = context.params.get("suite") or next(iter(context.args), None)
    try:
        suite = load_suite(named) if named else None
    except AssayError:
        suite = None  # a message here would spoil the line
    return {name: list(members) for name, members in suite.taxonomy.items()} if suite else {}


def _beginning(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    found = [name for name in names if name.casefold().startswith(incomplete.casefold())]
    # Bash puts the name into the line as it is; other shells quote it themselves.
    if os.environ.get("_ASSAY_COMPLETE", "").startswith("bash"):
        found = [re.sub(r"([^\w./,+:@%-])", r"\\\1", name) for name in found]
    return [CompletionItem(name) for name in found]
