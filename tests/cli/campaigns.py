"""Campaign files for commands that compare years.

assay("years", STARTER, *two_campaigns(tmp_path))
"""

from pathlib import Path

from tests.starter import AVERAGE, CAREFUL, LITERAL


def campaign(folder: Path, name: str, *outputs: str, more: str = "") -> str:
    """Writes a campaign file NAME.yaml."""
    listed = ", ".join(outputs)
    (folder / f"{name}.yaml").write_text(f"campaign: {name}\noutputs: [{listed}]\n{more}", encoding="utf-8")
    return f"{name}.yaml"


def two_campaigns(folder: Path) -> list[str]:
    """Alpha gets better from W24 to W25; Beta is the best of the first, Gamma of the second."""
    return [
        campaign(folder, "W24", f"Alpha={LITERAL}", f"Beta={AVERAGE}"),
        campaign(folder, "W25", f"Alpha={AVERAGE}", f"Gamma={CAREFUL}"),
    ]
