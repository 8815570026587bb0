"""The arrows between folders are those of docs/architecture.md: no others, and none that nobody uses."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "assay"
PAGE = ROOT / "docs" / "architecture.md"
FOLDERS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
FILES = sorted(PACKAGE.rglob("*.py"))
BOTTOM = "bottom"
"""The single files of `src/assay/`, which everybody may import, and which import nothing but each other."""


def module_of(file: Path) -> str:
    """`assay.suites.load` for its file; a folder's `__init__` is the folder."""
    parts = ("assay", *file.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


def folder_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in FOLDERS else BOTTOM


class Import(NamedTuple):
    """A name that a module takes from another one; `name` is empty where it takes the module itself."""

    where: str
    importer: str
    module: str
    name: str


def imports_of(file: Path) -> Iterator[Import]:
    """Everything of Assay that a file imports, also inside functions and for types only."""
    importer = module_of(file)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "assay":
            where = f"{file.relative_to(ROOT)}:{node.lineno}"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                if inner in MODULES and alias.name not in names_in(node.module):
                    yield Import(where, importer, inner, "")
                else:
                    yield Import(where, importer, node.module, alias.name)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                assert not alias.name.startswith("assay."), f"{file}:{node.lineno}: write `from assay… import`"


@cache
def names_in(module: str) -> set[str]:
    """What a folder's `__init__` defines or imports itself, as opposed to its modules."""
    found = set()
    for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    return found


IMPORTS = [found for file in FILES for found in imports_of(file)]


@cache
def public_names(folder: str) -> set[str]:
    """The names and modules in `__all__` of a folder."""
    for node in ast.parse((PACKAGE / folder / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


@cache
def drawn() -> dict[str, set[str]]:
    """Folder -> the folders it imports, read from the table of the page."""
    rows = re.findall(r"^\| `(\w+)/` \|[^|]*\| ([^|]*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {folder: set(re.findall(r"[a-z]+", names)) - {"nothing"} for folder, names in rows}


@cache
def used() -> dict[str, dict[str, str]]:
    """Folder -> folder it imports -> the first place where it does."""
    found: dict[str, dict[str, str]] = {folder: {} for folder in FOLDERS}
    for each in IMPORTS:
        importer, imported = folder_of(each.importer), folder_of(each.module)
        if importer not in (imported, BOTTOM) and imported != BOTTOM:
            found[importer].setdefault(imported, each.where)
    return found


def test_the_page_describes_every_folder() -> None:
    assert len(FOLDERS) > 10
    assert set(FOLDERS) == set(drawn())


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_imports_only_what_the_page_allows(folder: str) -> None:
    assert {name: where for name, where in used()[folder].items() if name not in drawn()[folder]} == {}


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_arrow_of_the_page_is_used(folder: str) -> None:
    assert drawn()[folder] - set(used()[folder]) == set()


def test_the_folders_make_no_circle() -> None:
    assert set(TopologicalSorter(drawn()).static_order()) == set(FOLDERS)


def test_the_bottom_imports_only_itself() -> None:
    wrong = [
        each.where
        for each in IMPORTS
        if folder_of(each.importer) == BOTTOM and folder_of(each.module) != BOTTOM and each.importer not in ENTRANCES
    ]
    assert wrong == []


ENTRANCES = ("assay", "assay.__main__")
"""Where users come in: these may name anything."""


def test_modules_make_no_circle_even_through_imports_inside_functions() -> None:
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for each in IMPORTS:
        if each.importer not in ENTRANCES and each.module != each.importer and not is_own_face(each):
            graph[each.importer].add(each.module)
    assert set(TopologicalSorter(graph).static_order()) >= set(MODULES)


def is_own_face(each: Import) -> bool:
    """Whether a folder's `__init__` names one of its own modules, which is what it is for."""
    return each.importer == f"assay.{folder_of(each.importer)}" and folder_of(each.module) == folder_of(each.importer)


def test_what_a_folder_does_not_name_is_its_own() -> None:
    private = []
    for each in IMPORTS:
        folder = folder_of(each.module)
        if folder in (BOTTOM, folder_of(each.importer)) or each.importer in ENTRANCES:
            continue
        parts = each.module.split(".")
        asked_for = parts[2] if len(parts) > 2 else each.name
        if asked_for not in public_names(folder):
            private.append(f"{each.where}: {each.module} {each.name}")
    assert private == []


def test_no_name_of_a_class_stands_twice() -> None:
    homes: dict[str, list[str]] = {}
    for file in FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(f"{file.relative_to(ROOT)}:{node.lineno}")
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


NOUNS = ("pairing", "resampling")
"""What ends in -ing and is a thing: which line belongs to which item, and a family of tests."""


def test_no_file_is_named_after_an_activity() -> None:
    assert [
        str(file.relative_to(PACKAGE)) for file in FILES if file.stem.endswith("ing") if file.stem not in NOUNS
    ] == []


def test_stats_imports_only_numpy_and_the_standard_library() -> None:
    import sys

    for file in sorted((PACKAGE / "stats").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node.module.split(".")[0]
                assert top in {"assay", "numpy", "scipy", *sys.stdlib_module_names}, f"{file}:{node.lineno}"
