"""A small suite with outputs for every item, for tests that count: the bundled suites grow."""

from pathlib import Path

from assay.suites import load_suite

FOLDER = Path(__file__).parent
STARTER = str(FOLDER / "de-en")
SUITE = load_suite(STARTER)
AVERAGE, CAREFUL, LITERAL = (FOLDER / "outputs" / f"{name}.tsv" for name in ("average", "careful", "literal"))
OUTPUTS = [AVERAGE, CAREFUL, LITERAL]
