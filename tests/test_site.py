"""The documentation as a site: every page is in it, every link leads somewhere, and nothing comes from another host."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import assay

ROOT = Path(__file__).parent.parent
FETCHED = re.compile(r"""<(?:script|link|img|iframe|source)\b[^>]*\b(?:src|href)=["']?((?:https?:)?//[^"'\s>]+)""")
FETCHED_BY_STYLES = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


def build(folder: Path, config: Path = ROOT / "mkdocs.yml") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "-f", str(config), "-d", str(folder)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it: a link or an anchor that leads nowhere fails it."""
    folder = tmp_path_factory.mktemp("site")
    done = build(folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_in_the_site(site: Path) -> None:
    pages = {page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")}
    assert pages - {page.relative_to(site) for page in site.rglob("*.html")} == set()


def test_nothing_comes_from_another_host(site: Path) -> None:
    found = [
        f"{page.name}: {link}" for page in site.rglob("*.html") for link in FETCHED.findall(page.read_text("utf-8"))
    ]
    styles = [*site.rglob("*.css"), *site.rglob("*.html")]
    found += [f"{file.name}: {link}" for file in styles for link in FETCHED_BY_STYLES.findall(file.read_text("utf-8"))]
    assert found == []


def test_every_name_of_the_package_is_described(site: Path) -> None:
    page = (site / "reference" / "names.html").read_text("utf-8")
    assert [name for name in assay.__all__ if name != "__version__" and f'id="assay.{name}"' not in page] == []


def test_the_search_knows_the_words_of_a_page(site: Path) -> None:
    assert "phenomenon macro-average" in (site / "search" / "search_index.json").read_text("utf-8")


def test_a_link_to_a_missing_heading_fails(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("[there](other.md#nowhere)", "utf-8")
    (tmp_path / "docs" / "other.md").write_text("# Here", "utf-8")
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    validation = settings[settings.index("validation:") : settings.index("nav:\n  - ")]
    (tmp_path / "mkdocs.yml").write_text(f"site_name: Small\nstrict: true\n{validation}", "utf-8")
    done = build(tmp_path / "site", tmp_path / "mkdocs.yml")
    assert done.returncode == 1
    assert "does not contain an anchor '#nowhere'" in done.stderr
