"""Suites: the records of items and rules, and the files they are kept in."""

from assay.suites.load import SCHEMAS, bundled, bundled_outputs, format_of, load_suite, losses, save_suite
from assay.suites.suite import KINDS, POLARITIES, Examples, Item, Kind, Label, Polarity, Rule, Suite, taxonomy_of

__all__ = [
    "KINDS",
    "POLARITIES",
    "SCHEMAS",
    "Examples",
    "Item",
    "Kind",
    "Label",
    "Polarity",
    "Rule",
    "Suite",
    "addition",
    "bundled",
    "bundled_outputs",
    "format_of",
    "groups",
    "load_suite",
    "losses",
    "native",
    "native_layout",
    "native_writer",
    "prompts",
    "save_suite",
    "skeleton",
    "taxonomy_of",
]
