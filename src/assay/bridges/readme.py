"""What stands in the README of an exported folder."""

from assay.languages import pair_name
from assay.suites import Suite
from assay.text import plural


def about(suite: Suite) -> str:
    """The suite in a few lines of Markdown: description, size, licence, authors, canary."""
    lines = [suite.description.strip()] if suite.description.strip() else []
    size = f"{plural(len(suite), 'item')} in {plural(len(suite.taxonomy), 'category')}"
    lines.append(f"Test suite {suite.exact_name}, {pair_name(suite.langpair)}: {size}.")
    lines.append(f"Licence: {suite.licence or 'none is named; ask the authors'}.")
    if suite.authors:
        lines.append(f"Authors: {', '.join(suite.authors)}.")
    if suite.canary:
        lines.append(f"Not for training. Canary: `{suite.canary}`")
    return "\n\n".join(lines)
