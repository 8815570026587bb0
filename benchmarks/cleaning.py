"""How often cleaning changes translations that nobody has to clean: outputs and references of WMT21 and WMT22.

    python benchmarks/cleaning.py [FOLDER]

FOLDER (default: $ASSAY_DATA) has wmt21/ and wmt22/, each with sources/, references/ and system-outputs/.
"""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from assay.translate import LanguagePair
from assay.translate.cleanup import clean


def main(folder: Path) -> None:
    """Print the number of texts, of those that cleaning changes, and each of these."""
    texts = changed = 0
    for path in sorted(folder.glob("wmt2*/sources/*")):
        langpair = path.name.split(".")[1]
        pair = LanguagePair.parse(langpair)
        sources = path.read_text(encoding="utf-8").removesuffix("\n").split("\n")
        year = path.parent.parent
        for output in sorted([*year.glob(f"references/*.{langpair}.*"), *year.glob(f"system-outputs/*.{langpair}.*")]):
            lines = output.read_text(encoding="utf-8").removesuffix("\n").split("\n")
            for source, line in zip(sources, lines, strict=True):
                texts += 1
                if cut := clean(line, source, pair).cut:
                    changed += 1
                    print(f"{output.name}: {', '.join(cut)}: {line[:80]}")
    print(f"{texts:,} texts, {changed:,} changed")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("ASSAY_DATA", "data")))
