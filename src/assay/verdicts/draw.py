"""A draw: the order in which undecided texts are judged, so that those judged first are a sample of all.

    draw = new_draw(texts, seed=1)
    write_draw(draw, Path("my-suite/draw.json"))
    sampled = draw.sampled(texts)       # later: what of it was judged, and what each judgement stands for

Sizes, seed and texts are fixed when a draw is made. Only its beginning, as far as all is judged, carries weight: a text
judged out of order is decided and stands for itself alone, and one that a rule decides leaves the draw.
"""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import BadFile, BadOption
from assay.files import exists, read_text, writing
from assay.json_lines import parse_json
from assay.stats.priorities import FEWEST, HEAVIEST, inclusion, permanent_numbers
from assay.suites import Suite, bundled
from assay.text import normalise, plural
from assay.verdicts.judge import RuleJudge
from assay.verdicts.verdict import Verdict
from assay.verdicts.written_texts import WrittenTexts

_BETWEEN = 0.9
"""How much of a size is for telling systems apart. A text that all wrote tells nothing about their differences, though
all about their level: with 1 such texts would never be drawn."""

CURE = "draw anew: assay sample … --new"


@dataclass(frozen=True, slots=True)
class DrawnText:
    """A text of a draw, its size, and its priority among the others."""

    item: str
    text: str
    size: float
    priority: float


@dataclass(frozen=True)
class Sampled:
    """What has become of a draw.

    `judged` are the texts of its beginning that were judged, and `chances` what each undecided or judged text's chance
    was to be among them; texts are numbered as in `WrittenTexts`. `skipped` were looked at and not judged; `next` are
    the texts that wait, in order.
    """

    judged: NDArray[np.intp]
    chances: NDArray[np.float64]
    skipped: int
    next: tuple[DrawnText, ...]
    missing: int
    """How many more judgements it takes until no text stands for too many, and there are not too few."""

    @property
    def is_judged(self) -> NDArray[np.bool_]:
        """Whether each text is one of the judged ones."""
        found = np.zeros(len(self.chances), dtype=np.bool_)
        found[self.judged] = True
        return found

    @property
    def population(self) -> int:
        """How many texts the sample is one of."""
        return len(self.judged) + self.skipped + len(self.next)


@dataclass(frozen=True)
class Draw:
    """The texts that were undecided, in the order in which they are judged."""

    suite: str
    seed: int
    systems: tuple[str, ...]
    texts: tuple[DrawnText, ...]
    skipped: frozenset[tuple[str, str]] = frozenset()
    """Texts (item, text) that somebody looked at and could not judge."""

    @property
    def name(self) -> str:
        """What tells this draw from others, for signatures."""
        told = [(text.item, text.text, text.size) for text in self.texts]
        return f"{self.seed}@{sha256(repr(told).encode(errors='backslashreplace')).hexdigest()[:12]}"

    def sampled(self, texts: WrittenTexts) -> Sampled:
        """What of this draw was judged, by the verdicts as they are now."""
        places, undecided = texts.places(), texts.undecided
        drawn = {(text.item, text.text) for text in self.texts}
        new = [key for key, place in places.items() if undecided[place] and key not in drawn]
        if new:
            item, written = new[0]
            raise BadOption(
                f"{plural(len(new), 'undecided text')} not in the draw ({item}: {written[:40]!r}): there are new "
                f"outputs or rules that no longer decide; {CURE}"
            )
        self._check_outputs(texts, places)
        judged: list[int] = []
        waiting: list[DrawnText] = []
        skipped, sizes = 0, np.zeros(len(texts.texts))
        for text in self.texts:
            place = places.get((text.item, text.text))
            # Gone with its output, or decided by a rule: no part of what is undecided any more.
            if place is None or not (undecided[place] or texts.judged[place]):
                continue
            sizes[place] = text.size
            if undecided[place] and (text.item, text.text) in self.skipped and not waiting:
                skipped += 1
            elif undecided[place]:
                waiting.append(text)
            elif not waiting:
                judged.append(place)
            else:
                # Out of order: decided, and no part of the sample.
                sizes[place] = 0
        threshold = waiting[0].priority if waiting else 0.0
        chances = np.where(sizes > 0, inclusion(sizes, threshold), 1.0)
        if skipped:
            # Those who were not judged are like those who were: the others stand for them too.
            chances = np.where(sizes > 0, chances * (len(judged) / (len(judged) + skipped)), chances)
        # Judged texts too: the smaller one is, the more it stands for.
        heaviest = HEAVIEST * min((float(size) for size in sizes[sizes > 0]), default=inf)
        left = sum(text.priority > heaviest for text in waiting)
        missing = max(left, min(FEWEST - len(judged), len(waiting)))
        return Sampled(np.array(judged, dtype=np.intp), chances, skipped, tuple(waiting), missing)

    def _check_outputs(self, texts: WrittenTexts, places: Collection[tuple[str, str]]) -> None:
        """Refuse outputs that were changed: a judgement of a text that nobody wrote any more stands for nothing.

        Where systems or items are left out their texts go with them, which is no harm: the others are still in order.
        """
        table = texts.table
        if Counter(self.systems) - Counter(system.name for system in table.outputs.systems):
            return
        found = {table.suite.items[position].id for position in table.items.tolist()}
        for text in self.texts:
            if (text.item, text.text) not in places and text.item in found and _is_judged(table.suite, text):
                raise BadOption(
                    f"a judged text of the draw is no longer there ({text.item}: {text.text[:40]!r}): outputs were "
                    f"changed; {CURE}"
                )


def sizes_of(texts: WrittenTexts) -> NDArray[np.float64]:
    """How much there is to learn from each text: most where many systems wrote it and others did not."""
    outputs, systems = texts.outputs_of(), texts.numbers.shape[1]
    return np.asarray(np.sqrt(outputs * (1 - _BETWEEN * outputs / systems)))


def new_draw(texts: WrittenTexts, *, seed: int = 1) -> Draw:
    """All undecided texts, in the order of their priorities."""
    suite, outputs = texts.table.suite, texts.table.outputs
    places = np.flatnonzero(texts.undecided)
    if not len(places):
        raise BadOption("no text is undecided; there is nothing to sample")
    ids = [suite.items[position].id for position in texts.table.items.tolist()]
    names = [(ids[texts.rows[place]], texts.texts[place]) for place in places.tolist()]
    sizes = sizes_of(texts)[places]
    priorities = sizes / permanent_numbers(seed, names)
    order = np.argsort(-priorities, kind="stable").tolist()
    drawn = tuple(DrawnText(names[k][0], names[k][1], float(sizes[k]), float(priorities[k])) for k in order)
    return Draw(suite.name, seed, tuple(system.name for system in outputs.systems), drawn)


def skip(draw: Draw, texts: Collection[tuple[str, str]]) -> Draw:
    """The same draw with more texts that somebody could not judge."""
    return replace(draw, skipped=draw.skipped | frozenset(texts))


def first_waiting(draw: Draw, suite: Suite) -> DrawnText | None:
    """The first text of a draw that a suite does not decide and nobody skipped: judgements before it carry weight.

    Whether somebody still writes a text is for those to know who have the outputs.
    """
    drawn = {text.item for text in draw.texts}
    items = {item.id: item for item in suite.items if item.id in drawn}
    judge = RuleJudge(items.values())
    for text in draw.texts:
        if (text.item, text.text) in draw.skipped or text.item not in items:
            continue
        if judge.judge(items[text.item], text.text).verdict == Verdict.WARNING:
            return text
    return None


def _is_judged(suite: Suite, text: DrawnText) -> bool:
    rules = suite.item(text.item).rules
    return any(rule.kind == "exact" and normalise(rule.value) == text.text for rule in rules)


# Files


def draw_file(suite_path: Path) -> Path:
    """Where the draw of a suite stands: in its folder, or beside its file."""
    if suite_path.name == "suite.yaml":
        return suite_path.with_name("draw.json")
    return suite_path / "draw.json" if suite_path.is_dir() else suite_path.with_name(f"{suite_path.name}.draw.json")


def draw_place(suite: str) -> Path:
    """Where the draw of a suite stands that a user named; that of a bundled suite is in the folder one works in."""
    if not exists(Path(suite)) and suite in bundled():
        return Path(f"{suite}.draw.json")
    return draw_file(Path(suite))


def write_draw(draw: Draw, path: Path) -> None:
    """Write a draw; priorities are worked out from the rest."""
    content = {
        "suite": draw.suite,
        "seed": draw.seed,
        "systems": list(draw.systems),
        "texts": [{"item": text.item, "text": text.text, "size": text.size} for text in draw.texts],
        "skipped": [{"item": item, "text": text} for item, text in sorted(draw.skipped)],
    }
    with writing(path) as stream:
        stream.write(json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def read_draw(path: Path) -> Draw:
    """A draw that was written."""
    data = parse_json(path, read_text(path), cure=CURE)
    # Not isinstance: True is an int to Python.
    if not isinstance(data, dict) or type(data.get("seed")) is not int or not data.get("texts"):
        raise BadFile(path, "this is not a draw", cure=CURE)
    seed, drawn = data["seed"], [_drawn(entry, path) for entry in _entries(data, "texts", path)]
    names = [(item, text) for item, text, _ in drawn]
    if len(set(names)) < len(names):
        raise BadFile(path, "a text stands in it twice", cure=CURE)
    texts = [
        DrawnText(item, text, size, float(size / number))
        for (item, text, size), number in zip(drawn, permanent_numbers(seed, names), strict=True)
    ]
    if any(one.priority < other.priority for one, other in pairwise(texts)):
        problem = f"its texts are not in the order of seed {seed}: seed or sizes were changed"
        raise BadFile(path, problem, cure=CURE)
    skipped = frozenset(_drawn({**entry, "size": 1.0}, path)[:2] for entry in _entries(data, "skipped", path))
    systems = data.get("systems")
    if not isinstance(systems, list):
        raise BadFile(path, "'systems' is not a list of names", cure=CURE)
    return Draw(str(data.get("suite", "")), seed, tuple(map(str, systems)), tuple(texts), skipped)


def _entries(data: dict[str, Any], name: str, path: Path) -> list[dict[str, Any]]:
    found = data.get(name, [])
    if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
        raise BadFile(path, f"'{name}' is not a list of texts", cure=CURE)
    return found


def _drawn(entry: dict[str, Any], path: Path) -> tuple[str, str, float]:
    item, text, size = entry.get("item"), entry.get("text"), entry.get("size")
    if not isinstance(item, str) or not isinstance(text, str) or not isinstance(size, int | float):
        raise BadFile(path, f"not a text of a draw: {str(entry)[:80]}", cure=CURE)
    if not 0 < size < 1e9:  # no number of systems, and still a float
        raise BadFile(path, f"item {item!r}: {size} is no size of a text", cure=CURE)
    return item, text, float(size)
