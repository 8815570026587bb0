"""The baseline: join the lines, look up sets, call `search`. No normalisation, no policies, no statistics.

python benchmarks/bare.py re items.json source.txt output.txt …

The engine is `re`, or `regex` where a suite's patterns need it.
"""

import json
import sys
from collections import Counter
from importlib import import_module


def lines(path: str) -> list[str]:
    with open(path, encoding="utf-8", newline="\n") as stream:
        return stream.read().split("\n")


def main() -> None:
    re = import_module(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as stream:
        items = sorted(json.load(stream)["items"], key=lambda item: item["id"])
    where: dict[str, list[int]] = {}
    for number, line in enumerate(lines(sys.argv[3])):
        where.setdefault(line.strip(), []).append(number)
    seen: Counter[str] = Counter()
    found = []
    for item in items:
        source = item["source_sentence"].strip()
        if source in where:
            numbers = where[source]
            place = numbers[min(seen[source], len(numbers) - 1)]
            seen[source] += 1
            found.append(
                (
                    place,
                    set(item["positive_tokens"]),
                    set(item["negative_tokens"]),
                    re.compile(item["positive_regex"]) if item["positive_regex"] else None,
                    re.compile(item["negative_regex"]) if item["negative_regex"] else None,
                )
            )
    for path in sys.argv[4:]:
        texts = lines(path)
        counts: Counter[str] = Counter()
        for place, passing, failing, right, wrong in found:
            text = texts[place]
            if text in passing:
                counts["pass"] += 1
            elif text in failing:
                counts["fail"] += 1
            else:
                good, bad = right and right.search(text), wrong and wrong.search(text)
                counts["warning" if bool(good) == bool(bad) else "pass" if good else "fail"] += 1
        print(path, dict(counts))


if __name__ == "__main__":
    main()
