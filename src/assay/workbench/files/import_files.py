"""Use case: files into a database, an exported folder or what `assay evaluate` reads."""

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from assay.errors import BadDatabase, BadOption
from assay.files import exists
from assay.outputs import Inputs
from assay.replacement import temporary_file
from assay.workbench.db.database import Store
from assay.workbench.db.suites import suite_names
from assay.workbench.files.export import is_export, read_export
from assay.workbench.files.importer import Import, Imported, read_inputs
from assay.workbench.people.credentials import local_user
from assay.workbench.snapshot import Snapshots


def import_files(
    address: str, inputs: Inputs, *, force: bool, tell: Callable[[str], None] = lambda step: None
) -> Imported:
    """Files into a database, which is made where there is none. The suite may be one of the database."""
    if "://" not in address and not exists(Path(address)):
        tell("reading")
        ready = _prepare(None, inputs)
        tell("judging and writing")
        imported = _into_new(Path(address), ready, force=force)
        return imported or _into(address, ready, force=force)
    with closing(Store.ready(address)) as store:
        tell("reading")
        ready = _prepare(store, inputs)
        tell("judging and writing")
        return ready.run(store, local_user(store), force=force)


def _into(address: str, ready: Import, *, force: bool) -> Imported:
    with closing(Store.ready(address)) as store:
        return ready.run(store, local_user(store), force=force)


def _into_new(path: Path, ready: Import, *, force: bool) -> Imported | None:
    """Into a database that gets its name when it is whole: an import that fails leaves none.

    None where that cannot be done: the folder is not there, or somebody else has made the database meanwhile.
    """
    try:
        temporary = temporary_file(path)
    except OSError:
        return None
    try:
        imported = _into(str(temporary), ready, force=force)
        with suppress(OSError):  # also where the file system has no links
            os.link(temporary, path)
            return imported
        return None
    except BadDatabase as error:
        error.args = (str(error).replace(str(temporary), str(path)),)
        raise
    finally:
        for suffix in ("", "-wal", "-shm"):
            temporary.with_name(temporary.name + suffix).unlink(missing_ok=True)


def _prepare(store: Store | None, inputs: Inputs) -> Import:
    if is_export(Path(inputs.suite)):
        if inputs != Inputs(inputs.suite, inputs.outputs[:0]):
            raise BadOption(
                f"{inputs.suite} is an exported folder and brings its own outputs; import others by themselves"
            )
        return read_export(Path(inputs.suite))
    if not inputs.outputs and (inputs.source or inputs.campaign):
        raise BadOption("a source or campaign is given without outputs; name their files too")
    if store is None or exists(Path(inputs.suite)):
        return read_inputs(inputs)
    with store.reading() as db:
        known = suite_names(db)
    return _read_here(store, inputs) if inputs.suite in known else read_inputs(inputs)


def _read_here(store: Store, inputs: Inputs) -> Import:
    """Outputs for a suite of the database."""
    if not inputs.outputs:
        raise BadOption(f"{inputs.suite} is in the database already; name outputs to import, or a suite file")
    suite = Snapshots(store).get(inputs.suite).suite
    return Import(suite, inputs.load_outputs(suite), f"outputs for {inputs.suite}", here=True)
