"""Outputs of MT systems: the records, the files they come in, and how they are paired with the items of a suite."""

from assay.outputs.inputs import Inputs, check_output, convert, copy_demo
from assay.outputs.load import load_campaigns, load_outputs
from assay.outputs.outputs import Collector, Outputs, System, duplicate_message
from assay.outputs.submission import NamedFile

__all__ = [
    "Collector",
    "Inputs",
    "NamedFile",
    "Outputs",
    "System",
    "aliases",
    "campaign",
    "check_output",
    "collected",
    "convert",
    "copy_demo",
    "decoys",
    "duplicate_message",
    "load_campaigns",
    "load_outputs",
    "output_folder",
    "parquet",
    "raw_suite",
    "repairs",
    "sources",
    "text_language",
    "unusable",
    "wmt_suite",
    "wmt_suite_check",
    "wmt_xml",
]
