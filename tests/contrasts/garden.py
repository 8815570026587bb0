"""What mistakes are made with: a suite folder of one file.

garden(tmp_path, "  - {id: a, source: Eins.}\\n")
"""

from pathlib import Path


def garden(tmp_path: Path, items: str, *, manifest: str = "", category: str = "C") -> Path:
    """A suite folder with one file of items."""
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "suite.yaml").write_text(
        manifest or "name: g\nlangpair: de-en\ncategories: {C: {P: ''}}\n", encoding="utf-8"
    )
    (folder / "p.yaml").write_text(f"category: {category}\nphenomenon: P\nitems:\n{items}", encoding="utf-8")
    return folder
