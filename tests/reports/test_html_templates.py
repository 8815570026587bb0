"""Templates: what comes from outside is escaped, whatever it is, and what is missing is an error."""

from pathlib import Path

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

import assay
from assay.reports.html_templates import fill, part

PACKAGE = Path(assay.__file__).parent
PARTS = "reports/parts.html"


def test_everything_is_escaped() -> None:
    made = str(part(PARTS, "note_list")(["<b>\"so\"</b> & 'so'"], 'x" y="z'))
    assert made.startswith('<ul class="notes" id="x&quot; y=&quot;z"><li>')
    assert made.endswith("<li>&lt;b&gt;&quot;so&quot;&lt;/b&gt; &amp; &#x27;so&#x27;</li></ul>")


def test_only_markup_is_taken_as_it_is() -> None:
    made = str(part(PARTS, "figure_section")([("<t>", Markup("<svg/>")), ("u", "<svg/>")]))
    assert "<figcaption>&lt;t&gt;</figcaption><svg/>" in made
    assert "<figcaption>u</figcaption>&lt;svg/&gt;" in made


def test_a_template_that_is_not_given_everything_fails() -> None:
    with pytest.raises(UndefinedError):
        fill("reports/index.html", title="t", sections=[])


def test_no_template_turns_escaping_off() -> None:
    """`safe` and `autoescape` would; trusted texts come as `Markup` from the code."""
    folders = [path for path in PACKAGE.glob("*/templates") if path.parent.name != "workbench"]
    assert {folder.parent.name for folder in folders} >= {"reports", "challenge", "contrasts", "translate"}
    for folder in folders:
        for template in folder.rglob("*.html"):
            source = template.read_text("utf-8")
            assert "autoescape" not in source, template
            assert "safe" not in source, template
