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
    from assay.cli.app import run

    run()
