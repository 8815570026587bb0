"""The use case: a suite becomes a folder for another program.

exported = export_suite(load_suite("de-en"), "inspect", Path("de-en-inspect"))
exported.items, exported.held_out
"""

from dataclasses import dataclass, replace
from pathlib import Path

from assay.bridges.rows import task_name
from assay.bridges.targets import TARGETS
from assay.errors import BadOption, UnknownName
from assay.files import writing_folder
from assay.suites import Suite
from assay.text import slug


@dataclass(frozen=True, slots=True)
class ExportedSuite:
    """How many items were exported, how many held-out ones were left out, and the command that uses the folder."""

    items: int
    held_out: int
    run: str


def export_suite(
    suite: Suite, target: str, folder: Path, *, held_out: bool = False, force: bool = False
) -> ExportedSuite:
    """Write a folder for a target; items that are held out only where that is asked for."""
    if target not in TARGETS:
        raise UnknownName("target", target, TARGETS)
    chosen = tuple(item for item in suite if held_out or not item.held_out)
    if not chosen:
        raise BadOption(f"{suite.name}: all {len(suite):,} items are held out; add --held-out to export them")
    # Rows without items would stay empty in every result.
    rows = {(item.category, item.phenomenon) for item in chosen}
    taxonomy = {
        category: kept
        for category, names in suite.taxonomy.items()
        if (kept := {name: text for name, text in names.items() if (category, name) in rows})
    }
    exported = replace(suite, items=chosen, taxonomy=taxonomy)
    with writing_folder(folder, force=force) as place:
        TARGETS[target].writer()(exported, place)
    run = TARGETS[target].run.format(folder=folder, task=task_name(exported), name=slug(suite.name))
    return ExportedSuite(len(chosen), len(suite) - len(chosen), run)
