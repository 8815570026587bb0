"""The arrows between rooms are those of docs/architecture.md, and no others."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "assay"
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if path.is_dir() and (path / "__init__.py").exists())
PAGE = ROOT / "docs" / "architecture.md"


def allowed() -> dict[str, set[str]]:
    """Room -> the rooms and libraries it may import, read from the table of the page."""
    rows = re.findall(r"^\| `(\w+)/` \|[^|]*\| ([^|]*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {room: set(re.findall(r"[\w.]+", names)) for room, names in rows}


def imported(room: str) -> dict[str, list[str]]:
    """Assay's rooms that a room imports -> where."""
    found: dict[str, list[str]] = {}
    for file in sorted((PACKAGE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Import | ast.ImportFrom):
                continue
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif node.module:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                parts = name.split(".")
                if parts[0] == "assay" and len(parts) > 1 and parts[1] in ROOMS and parts[1] != room:
                    found.setdefault(parts[1], []).append(f"{file.relative_to(ROOT)}:{node.lineno}")
    return found


def test_the_page_describes_every_room() -> None:
    assert ROOMS
    assert set(ROOMS) <= set(allowed())


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_what_the_page_allows(room: str) -> None:
    wrong = {name: places for name, places in imported(room).items() if name not in allowed()[room]}
    assert not wrong


@pytest.mark.parametrize("room", ["model", "stats"])
def test_the_lowest_rooms_import_only_numpy_and_the_standard_library(room: str) -> None:
    import sys

    for file in sorted((PACKAGE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                top = node.module.split(".")[0]
                assert top in {"assay", "numpy", "scipy", *sys.stdlib_module_names}, f"{file}:{node.lineno}"
