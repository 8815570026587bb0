"""The command `assay`. Nothing heavy is imported before a command needs it."""

import sys

__all__ = ["main", "options", "results", "terminal"]


def main() -> None:
    """Run the command line."""
    # Answered before click is imported.
    if sys.argv[1:] in (["--version"], ["-V"]):
        from assay import __version__

        print(f"assay {__version__}")
        return
    import gc
    import os

    # A suite is many small records that live to the end. With the usual thresholds (700, 10, 10) the collector walks
    # them again and again, for 8 % of an evaluation of WMT21 de-en; with these not once. A server still gets its memory
    # back: all is walked after 2 × 2 collections of what is new.
    gc.set_threshold(100_000, 2, 2)
    # The threads of OpenBLAS, which numpy starts, wait for work by turning idle at full speed, for 2 to this power of
    # cycles: by default for longer than numpy takes to be imported, and in vain.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    from assay.cli.app import run

    run()
