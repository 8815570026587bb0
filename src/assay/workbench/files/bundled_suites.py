"""Use case: the suites that come with Assay, into a database that has none yet.

offered(db)                                       # those that are not there
load_bundled(visit, "de-en", with_outputs=True)   # and what made-up systems wrote for it
"""

from dataclasses import dataclass, replace
from functools import cache

from sqlalchemy import Connection

from assay.errors import UnknownName
from assay.outputs import Inputs
from assay.suites import bundled, bundled_outputs
from assay.workbench.db.hidings import hidden_suites
from assay.workbench.db.suites import suite_names
from assay.workbench.files.importer import Imported, read_inputs
from assay.workbench.visit import Visit
from assay.yaml_nodes import parse

DEMO = "demo"
"""The campaign of the made-up systems."""


@dataclass(frozen=True, slots=True)
class BundledSuite:
    """A suite that comes with Assay: by which name, what it is called, and for how many systems there are outputs."""

    key: str
    name: str
    langpair: str
    systems: int


def offered(db: Connection) -> list[BundledSuite]:
    """Those that the database does not have."""
    known = {*suite_names(db), *(hidden.name for hidden in hidden_suites(db))}
    return [suite for suite in _bundled() if suite.name not in known]


@cache
def _bundled() -> tuple[BundledSuite, ...]:
    """From their headings alone: to read all items takes seconds."""
    heads = ((key, parse(folder / "suite.yaml")) for key, folder in bundled().items())
    return tuple(
        BundledSuite(key, head.text("name"), head.text("langpair"), len(bundled_outputs(key))) for key, head in heads
    )


def load_bundled(visit: Visit, key: str, *, with_outputs: bool) -> Imported:
    """One of them; its files are Assay's own, and need no sandbox."""
    visit.user().need("admin")
    if key not in bundled():
        raise UnknownName("bundled suite", key, bundled())
    outputs = [str(path) for path in bundled_outputs(key)] if with_outputs else []
    ready = read_inputs(Inputs(str(bundled()[key]), outputs, campaign=DEMO if outputs else ""))
    return replace(ready, comment=f"import of {key}").run(visit.state.store, visit.user())
