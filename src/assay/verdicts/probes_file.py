"""`probes.yaml` beside `suite.yaml`: item id -> texts that must not pass.

read_probes(Path("my-suite"), suite)        # {"case-government/verliebt": ("Her teacher fell in love with her.",)}
"""

from pathlib import Path

from assay.errors import UnknownName
from assay.files import exists
from assay.suites import Suite, bundled
from assay.suites.native import MANIFEST, PROBES
from assay.yaml_nodes import parse


def read_probes(path: Path, suite: Suite) -> dict[str, tuple[str, ...]]:
    """The texts of a suite's folder, or of the folder that its `suite.yaml` is in; none where there is no such file."""
    file = (path.parent if path.name == MANIFEST else path) / PROBES
    if not file.is_file():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for name, texts in parse(file).fields().items():
        if name not in suite.positions:
            texts.fail(str(UnknownName("item", name, suite.positions)), "correct the id, or remove the entry")
        found[name] = tuple(text.value() for text in texts.sequence())
        for text in texts.sequence():
            if not text.value().strip():
                text.fail("a text is blank", "write what must not pass, or remove it")
    return found


def planted_texts(named: str, suite: Suite) -> dict[str, tuple[str, ...]]:
    """The same for a suite that a user named by its path, or a bundled one by its name."""
    path = Path(named)
    return read_probes(path if exists(path) else bundled().get(named, path), suite)
