"""Files as a browser sends them.

upload("sys.txt", "One.\\n")
zipped("suite.zip", {"my-suite/suite.yaml": "…"})
"""

import io
import zipfile
from collections.abc import Mapping

from assay.workbench.files.archives import Upload


def upload(name: str, content: bytes | str) -> Upload:
    return Upload(name, io.BytesIO(content.encode() if isinstance(content, str) else content))


def zipped(name: str, files: Mapping[str, bytes | str]) -> Upload:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, content in files.items():
            archive.writestr(inside, content)
    packed.seek(0)
    return Upload(name, packed)


# Forty gerunds that the translator renders by a clause and the system by a noun.
RENDERINGS = "construction\tkeyword\tsystem\tkind\trendering\tunknown\tsource\ttext\n" + "".join(
    f"gerund\t{line}:1\t{system}\t{kind}\t{rendering}\t\t>>Reading<< on.\t>>Čte<< dál.\n"
    for line in range(1, 41)
    for system, kind, rendering in (("refA", "translator", "finite clause"), ("A", "system", "noun"))
)
