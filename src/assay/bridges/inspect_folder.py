"""A suite as a task of Inspect (https://inspect.aisi.org.uk): `task.py` with the items and the suite beside it."""

import shutil
from pathlib import Path

from assay.bridges.readme import about
from assay.bridges.rows import ITEMS, SUITE, task_rows, write_rows, write_text
from assay.suites import Suite, save_suite

TASK = Path(__file__).parent / "tasks" / "inspect_task.py"

README = """\
# {name}: a task of Inspect

{about}

    pip install inspect-ai assay-mt
    inspect eval task.py --model openai/gpt-5

`items.jsonl` is what models are asked, `suite/` has the rules that judge the answers, `task.py` puts both together.
The score `verdict` is 1 for a pass and 0 for a fail; answers that no rule decides are unscored there and counted by
`warning`. Both are given over all items, per category and per phenomenon.
"""


def write(suite: Suite, folder: Path) -> None:
    """Fill an empty folder."""
    save_suite(suite, folder / SUITE)
    write_rows(task_rows(suite), folder / ITEMS)
    shutil.copyfile(TASK, folder / "task.py")
    write_text(README.format(name=suite.name, about=about(suite)), folder / "README.md")
