"""Files in, records out, and back: one module per format, each imported when it is first needed."""

from assay.formats.outputs import load_outputs
from assay.formats.suites import bundled, bundled_outputs, load_suite, save_suite

__all__ = ["bundled", "bundled_outputs", "load_outputs", "load_suite", "save_suite"]
