"""The campaign that the benchmarks run on: WMT21 de-en where it is present, otherwise made from a seed at its size."""

import json
import os
import random
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent

ITEMS, LINES, SYSTEMS = 2767, 9000, 19


class Campaign(NamedTuple):
    """Files of one campaign."""

    name: str
    suite: Path
    source: Path
    outputs: list[Path]


def find(folder: Path) -> Campaign:
    """The real campaign, or one made in `folder`."""
    data = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    if (data / "wmt21").is_dir():
        return Campaign(
            "WMT21 de-en",
            data / "dfki" / "items.de-en.json",
            data / "wmt21" / "sources" / "newstest2021.de-en.src.de",
            sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en")),
        )
    return make(folder)


def every(folder: Path) -> list[Campaign]:
    """WMT21 and WMT22, de-en and en-de; or the one made campaign."""
    data = Path(os.environ.get("ASSAY_DATA", ROOT.parent / "shared" / "data"))
    found = []
    for year in ("wmt21", "wmt22"):
        for pair in ("de-en", "en-de"):
            sources = sorted((data / year / "sources").glob(f"*.{pair}.src.*"))
            outputs = sorted((data / year / "system-outputs").glob(f"*.{pair}.hyp.*"))
            if sources and outputs:
                found.append(Campaign(year, data / "dfki" / f"items.{pair}.json", sources[0], outputs))
    return found or [find(folder)]


def make(folder: Path) -> Campaign:
    """A campaign of that size from a seed: words of chance, rules that ask for one of them."""
    chance = random.Random(1)
    words = ["".join(chance.choices("aeioulnrstdkmgb", k=chance.randint(3, 9))) for _ in range(5000)]

    def sentence() -> str:
        return " ".join(chance.choices(words, k=chance.randint(8, 24))).capitalize() + "."

    sources = [sentence() for _ in range(LINES)]
    items: list[dict[str, Any]] = []
    for number in range(ITEMS):
        right, wrong = chance.sample(words, 2), chance.sample(words, 2)
        items.append(
            {
                "id": f"{number:08}",
                "langpair": "deen",
                "category": f"Category {number % 107 % 14}",
                "phenomenon": f"Phenomenon {number % 107}",
                "source_sentence": sources[number * 3],
                "positive_regex": rf"\b({right[0]}|{right[1]}(s|ed)?)\b",
                "negative_regex": rf"({wrong[0]}|{wrong[1]}) ?",
                "positive_tokens": [sentence() for _ in range(3)],
                "negative_tokens": [sentence() for _ in range(2)],
            }
        )
    suite, source = folder / "items.de-en.json", folder / "source.de"
    suite.write_text(json.dumps({"items": items}), encoding="utf-8")
    source.write_text("\n".join(sources) + "\n", encoding="utf-8")
    texts = [[sentence() for _ in range(4)] for _ in range(LINES)]
    for number, item in enumerate(items):
        word = item["positive_regex"][3:].split("|")[0]
        texts[number * 3][0] = f"{texts[number * 3][0]} {word}"
    outputs = []
    for system in range(SYSTEMS):
        path = folder / f"campaign.hyp.System-{system}.en"
        path.write_text("\n".join(chance.choice(written) for written in texts) + "\n", encoding="utf-8")
        outputs.append(path)
    return Campaign("made-up campaign", suite, source, outputs)
