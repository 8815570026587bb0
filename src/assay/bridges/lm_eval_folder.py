"""A suite as a task of lm-evaluation-harness (https://github.com/EleutherAI/lm-evaluation-harness).

`NAME.yaml` describes the task, and takes items and scores from `task.py` beside it.
"""

import json
import shutil
from pathlib import Path
from typing import Any

from assay.bridges.readme import about
from assay.bridges.rows import ITEMS, SUITE, task_name, task_rows, write_rows, write_text
from assay.suites import Suite, save_suite

TASK = Path(__file__).parent / "tasks" / "lm_eval_task.py"

LONGEST_ANSWER = 1024
"""Tokens; lm-eval cuts answers after 256 where nothing is said."""

YAML = """\
task: {task}
custom_dataset: !function task.dataset
test_split: test
output_type: generate_until
doc_to_text: input
doc_to_target: ""
process_results: !function task.process_results
num_fewshot: 0
generation_kwargs:
  do_sample: false
  temperature: 0.0
  max_gen_toks: {longest}
  until: []
metadata:
  version: {version}
  suite: {suite}
metric_list:
{metrics}"""

METRIC = """\
  - metric: {name}
    aggregation: !function task.mean_of_known
    higher_is_better: {better}
"""

README = """\
# {name}: a task of lm-evaluation-harness

{about}

    pip install lm-eval assay-mt
    lm_eval --include_path . --tasks {task} --model hf --model_args pretrained=MODEL --apply_chat_template

`items.jsonl` is what models are asked, `suite/` has the rules that judge the answers, `task.py` and `{task}.yaml` put
both together. `accuracy` is the mean of the verdicts, 1 for a pass and 0 for a fail; answers that no rule decides are
not in it and counted by `warnings`. Both are given over all items, per category and per phenomenon.
"""


def write(suite: Suite, folder: Path) -> None:
    """Fill an empty folder."""
    rows = task_rows(suite)
    save_suite(suite, folder / SUITE)
    write_rows(rows, folder / ITEMS)
    shutil.copyfile(TASK, folder / "task.py")
    write_text(_yaml(suite, rows), folder / f"{task_name(suite)}.yaml")
    write_text(README.format(name=suite.name, about=about(suite), task=task_name(suite)), folder / "README.md")


def _yaml(suite: Suite, rows: list[dict[str, Any]]) -> str:
    levels = dict.fromkeys(row[level] for level in ("category", "phenomenon") for row in rows)
    # A comma separates the name of a metric from that of a filter in lm-eval's results.
    names = ["", *(f": {level.replace(',', ';')}" for level in levels)]
    return YAML.format(
        task=task_name(suite),
        longest=LONGEST_ANSWER,
        # JSON is YAML, with quotes where they are needed.
        version=json.dumps(suite.version or suite.hash),
        suite=json.dumps(suite.exact_name, ensure_ascii=False),
        metrics="".join(
            METRIC.format(name=json.dumps(f"{measure}{name}", ensure_ascii=False), better=better)
            for measure, better in (("accuracy", "true"), ("warnings", "false"))
            for name in names
        ),
    )
