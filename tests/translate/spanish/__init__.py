"""A small English-Spanish suite that Apertium gets partly right and partly wrong."""

from pathlib import Path

from assay.suites import load_suite

SPANISH = str(Path(__file__).parent / "en-es")
SUITE = load_suite(SPANISH)
