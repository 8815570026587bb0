"""A suite as a dataset of the Hugging Face Hub: `data/test.jsonl`, and README.md, which is the card.

The card begins with the metadata that the Hub reads: languages (ISO 639), licence, size, task, files and features.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from assay.bridges.readme import about
from assay.bridges.rows import write_rows, write_text
from assay.languages import base_language, bcp47, language_name, split_pair
from assay.suites import Item, Rule, Suite
from assay.text import slug
from assay.yaml_nodes import Dumper

DATA = "data/test.jsonl"

_LICENCES = (
    "afl-3.0 agpl-3.0 apache-2.0 artistic-2.0 bsd bsd-2-clause bsd-3-clause bsl-1.0 c-uda cc cc-by-2.0 cc-by-2.5 "
    "cc-by-3.0 cc-by-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-nd-3.0 cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 "
    "cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc0-1.0 cdla-permissive-1.0 "
    "cdla-permissive-2.0 cdla-sharing-1.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 gfdl gpl gpl-2.0 gpl-3.0 isc "
    "lgpl lgpl-2.1 lgpl-3.0 mit mpl-2.0 odbl odc-by osl-3.0 pddl unlicense wtfpl zlib"
)
"""Licences that the Hub knows."""

SIZES = {1_000: "n<1K", 10_000: "1K<n<10K", 100_000: "10K<n<100K", 1_000_000: "100K<n<1M"}
"""Fewer items than this -> what the Hub calls it."""

RULE_FIELDS = ("polarity", "kind", "value", "flags")
TEXT_FIELDS = ("id", "category", "phenomenon", "source", "prompt", "context", "tests", "canary")
LIST_FIELDS = ("pass_examples", "fail_examples", "tags")

CARD = """\
---
{metadata}---

# {name}

{about}

Each item is a source text that tests one linguistic phenomenon in translation from {source} to {target}. Its rules
tell right from wrong renderings: `pass` and `fail` rules that are regular expressions (`regex`, with the flag `i` where
case does not matter), strings that a translation contains (`contains`) or is (`exact`). What no rule decides is for a
linguist to judge. Assay (`pip install assay-mt`) applies them, and reports accuracy per phenomenon and category.

| field | |
| --- | --- |
| `id`, `category`, `phenomenon` | the item's name, and its place in the taxonomy |
| `source` | the text to translate |
| `prompt`, `context` | what a language model is told about this very text, and what stands around it; mostly empty |
| `tests` | what the item tests, in a sentence |
| `rules` | `polarity`, `kind`, `value`, `flags` |
| `pass_examples`, `fail_examples` | translations that the rules judge as right, and as wrong |
| `tags` | |
| `canary` | a string by which texts that must not be trained on are found |
"""


def write(suite: Suite, folder: Path) -> None:
    """Fill an empty folder."""
    (folder / DATA).parent.mkdir()
    write_rows((_row(item, suite.canary) for item in suite), folder / DATA)
    source, target = map(language_name, split_pair(suite.langpair))
    metadata = yaml.dump(_metadata(suite), Dumper=Dumper, allow_unicode=True, sort_keys=False, width=2**16)
    card = CARD.format(metadata=metadata, name=suite.name, about=about(suite), source=source, target=target)
    write_text(card, folder / "README.md")


def _row(item: Item, canary: str) -> dict[str, Any]:
    texts = {name: getattr(item, name) for name in TEXT_FIELDS if name != "canary"}
    rules = [_rule_row(rule) for rule in item.rules if not rule.is_blank]
    lists = (item.examples.passing, item.examples.failing, item.tags)
    return {**texts, "canary": canary, "rules": rules, **dict(zip(LIST_FIELDS, map(list, lists), strict=True))}


def _rule_row(rule: Rule) -> dict[str, str]:
    row = {name: str(getattr(rule, name)) for name in RULE_FIELDS}
    # Behind the argument, as in messages: a column of its own would be empty in almost every suite.
    return row | {"value": f"{rule.value} in {rule.scope}"} if rule.scope else row


def _metadata(suite: Suite) -> dict[str, Any]:
    """What the Hub reads."""
    codes = split_pair(suite.langpair)
    languages, variants = list(map(base_language, codes)), list(map(bcp47, codes))
    features: list[dict[str, Any]] = [{"name": name, "dtype": "string"} for name in TEXT_FIELDS]
    features.append({"name": "rules", "list": [{"name": name, "dtype": "string"} for name in RULE_FIELDS]})
    features += [{"name": name, "sequence": "string"} for name in LIST_FIELDS]
    return {
        "pretty_name": suite.name,
        "language": list(dict.fromkeys(languages)),
        # Scripts and regions, which `language` has no room for.
        **({"language_bcp47": variants} if variants != languages else {}),
        **_licence(suite.licence),
        "multilinguality": ["translation"],
        "annotations_creators": ["expert-generated"],
        "size_categories": [next((name for most, name in SIZES.items() if len(suite) < most), "n>1M")],
        "task_categories": ["translation"],
        "tags": ["machine-translation", "test-suite", "linguistic-phenomena"],
        "configs": [{"config_name": "default", "data_files": [{"split": "test", "path": DATA}]}],
        # Said, not left to be guessed: a list that is empty in all items has no type.
        "dataset_info": {"features": features},
    }


def _licence(licence: str) -> dict[str, str]:
    """The licence under the Hub's name; one that the Hub does not know is `other`, with a name of its own."""
    known = re.sub(r"[\s_]+", "-", licence.strip().lower())
    if not known:
        return {"license": "unknown"}
    return {"license": known} if known in _LICENCES.split() else {"license": "other", "license_name": slug(licence)}
