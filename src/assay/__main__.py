"""`python -m assay` is the same as the command `assay`."""

from assay.cli import main

main()
