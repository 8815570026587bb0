"""The whole way from files to numbers, against the oracle: on made-up suites, and on the real ones."""

import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.evaluation.evaluation import Evaluation, evaluate
from assay.evaluation.settings import Policy
from assay.outputs import Outputs, load_outputs
from assay.suites import Suite, load_suite
from tests.evaluation import oracle
from tests.evaluation.comparison import assert_same

ALPHAS = (0.01, 0.05, 0.2)

COUNTED: tuple[Policy, ...] = ("fair", "own", "strict")
"""Policies that count; an estimate has tests of its own."""


class Campaign(NamedTuple):
    """A suite and outputs as the files hold them."""

    items: list[dict[str, Any]]
    sources: list[str]
    outputs: dict[str, list[str]]

    def load(self) -> tuple[Suite, Outputs]:
        """Through files, as users do."""
        with TemporaryDirectory() as name:
            folder = Path(name)
            suite, source = folder / "items.json", folder / "test.src.de"
            suite.write_text(json.dumps({"items": self.items}), encoding="utf-8")
            _write(source, self.sources)
            paths = [folder / f"test.hyp.{system}.en" for system in self.outputs]
            for path, lines in zip(paths, self.outputs.values(), strict=True):
                _write(path, lines)
            loaded = load_suite(suite)
            return loaded, load_outputs(loaded, paths, source=source)

    def table(self) -> oracle.Table:
        return oracle.judge_all(self.items, self.sources, {(name, ""): lines for name, lines in self.outputs.items()})


def _write(path: Path, lines: list[str]) -> None:
    path.write_bytes("".join(f"{line}\n" for line in lines).encode())


# Made-up campaigns. Every quirk of real files is in the pools: sentences on several lines and in several items, other
# spaces, other apostrophes, separators that are no line ends, markers, blank rules, exact rules of both polarities.

SENTENCES = [
    "Das Schloss klemmt.",
    "Der Schlüssel passt nicht.",
    "Wer hat's gesehen?",
    "Er rief an.",
    "Nirgends zu finden.",
]
TEXTS = [
    "The lock jams.",
    "The  lock jams. ",
    "The castle jams.",
    "The castle's lock jams.",
    "The castle’s lock jams.",
    "The door jams.",
    "The\u2028lock jams.",
    "The lock\x85jams.",
    "Cafe\u0301 lock",
    "LOCK",
    "",
    " ",
    "####",
    "NO TRANSLATION AVAILABLE",
    "FAILED",
]
RULES = [
    "lock",
    "castle",
    r"\b(lock|bolt)s?\b",
    "castle's",
    "Caf\u00e9",
    "(?i)lock",
    "^The [a-z]+ jams\\.$",
    "",
    " ",
    "door|x*y",
]


def entries(ids: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    def made(names: list[str]) -> st.SearchStrategy[list[dict[str, Any]]]:
        return st.tuples(*map(entry, names)).map(list)

    def entry(name: str) -> st.SearchStrategy[dict[str, Any]]:
        tokens = st.lists(st.sampled_from([*TEXTS, "nothing like it"]), max_size=2)
        return st.fixed_dictionaries(
            {
                "id": st.just(name),
                "langpair": st.just("deen"),
                "category": st.sampled_from(["Ambiguity", "MWE", "Negation"]),
                "phenomenon": st.sampled_from(["Word", "Idiom"]),
                "source_sentence": st.sampled_from([*SENTENCES, SENTENCES[0] + " "]),
                "positive_regex": st.sampled_from([*RULES, None]),
                "negative_regex": st.sampled_from(RULES),
                "positive_tokens": tokens,
                "negative_tokens": tokens,
            }
        )

    return ids.flatmap(made)


@st.composite
def campaigns(draw: st.DrawFn) -> Campaign:
    ids = st.permutations([f"{number:08}" for number in range(1, 13)])
    size = draw(st.integers(1, 12))
    items = draw(entries(ids.map(lambda names: list(names)[:size])))
    # The first line makes sure that one item is found.
    lines = draw(st.lists(st.sampled_from([*SENTENCES[:4], f" {SENTENCES[1]}\t", "Anderes."]), max_size=8))
    sources = [items[0]["source_sentence"], *lines]
    names = ["A", "B", "C", "D"][: draw(st.integers(1, 4))]
    column = st.lists(st.sampled_from(TEXTS), min_size=len(sources), max_size=len(sources))
    return Campaign(items, sources, {name: draw(column) for name in names})


@settings(max_examples=150)
@given(campaigns(), st.sampled_from(ALPHAS), st.booleans())
def test_made_up_campaigns(campaign: Campaign, alpha: float, keep_all: bool) -> None:
    suite, outputs = campaign.load()
    table = campaign.table()
    for policy in COUNTED:
        assert_same(evaluate(suite, outputs, policy=policy, alpha=alpha, keep_all=keep_all), table)


def large(seed: int) -> Campaign:
    """Enough items for significant differences, with systems of different strength and one that did not translate."""
    chance = random.Random(seed)
    size = chance.randint(30, 150)
    items = [
        {
            "id": f"{number:08}",
            "langpair": "deen",
            "category": chance.choice(["Ambiguity", "MWE", "Negation"]),
            "phenomenon": chance.choice(["Word", "Idiom", "Rare" if chance.random() < 0.1 else "Word"]),
            "source_sentence": f"Satz {chance.randint(1, size)}.",
            "positive_regex": "right",
            "negative_regex": "wrong",
            "positive_tokens": [],
            "negative_tokens": [],
        }
        for number in chance.sample(range(10_000), size)
    ]
    sources = [f"Satz {number}." for number in range(1, size + 1)]
    chance.shuffle(sources)
    outputs: dict[str, list[str]] = {}
    for system in range(chance.randint(2, 6)):
        strength, doubt = chance.uniform(0.3, 1), chance.choice([0, 0.02, 0.1])
        outputs[f"S{system}"] = [
            f"{'unclear' if chance.random() < doubt else 'right' if chance.random() < strength else 'wrong'} {number}"
            for number in range(size)
        ]
    outputs["Lazy"] = [chance.choice(["####", "right", "wrong"])] * (size - 2) + ["right 1", "wrong 2"]
    return Campaign(items, sources, outputs)


@pytest.mark.parametrize("seed", range(40))
def test_larger_made_up_campaigns(seed: int) -> None:
    campaign = large(seed)
    suite, outputs = campaign.load()
    table = campaign.table()
    for policy in COUNTED:
        for alpha in ALPHAS:
            assert_same(evaluate(suite, outputs, policy=policy, alpha=alpha), table)
        assert_same(evaluate(suite, outputs, policy=policy, keep_all=True), table)


def test_larger_made_up_campaigns_have_what_they_are_made_for() -> None:
    """Otherwise the comparison above would say little."""
    lazy = worse = dropped = 0
    for seed in range(40):
        evaluation = evaluate(*large(seed).load(), policy="own")
        lazy += [left.system.name for left in evaluation.excluded] == ["Lazy"]
        worse += any(not cell.first_cluster for row in evaluation.averages() for cell in row.cells)
        dropped += bool(evaluation.dropped("phenomenon"))
    assert lazy > 10
    assert worse > 20
    assert dropped > 0


# The real suites and outputs


class Real(NamedTuple):
    suite: Suite
    outputs: Outputs
    table: oracle.Table


STEMS = {"wmt21": "newstest2021", "wmt22": "generaltest2022"}


@pytest.fixture(scope="module", params=["wmt21 de-en", "wmt21 en-de", "wmt22 de-en", "wmt22 en-de"])
def real(request: pytest.FixtureRequest, data: Path) -> Real:
    year, langpair = request.param.split()
    from_language, to_language = langpair.split("-")
    stem = f"{STEMS[year]}.{langpair}"
    source = data / year / "sources" / f"{stem}.src.{from_language}"
    paths = sorted((data / year / "system-outputs").glob(f"{stem}.hyp.*.{to_language}"))
    items = data / "dfki" / f"items.{langpair}.json"
    suite = load_suite(items)
    outputs = load_outputs(suite, paths, source=source, campaign=year)
    written = {
        (path.name.removeprefix(f"{stem}.hyp.").removesuffix(f".{to_language}"), year): _lines(path) for path in paths
    }
    table = oracle.judge_all(json.loads(items.read_text("utf-8"))["items"], _lines(source), written)
    return Real(suite, outputs, table)


def _lines(path: Path) -> list[str]:
    return oracle.split_lines(path.read_bytes().decode("utf-8"))


@pytest.mark.parametrize("policy", COUNTED)
def test_every_number_on_the_real_data(real: Real, policy: Policy) -> None:
    assert_same(evaluate(real.suite, real.outputs, policy=policy), real.table)


def test_every_number_on_the_real_data_with_all_systems(real: Real) -> None:
    assert_same(evaluate(real.suite, real.outputs, policy="own", keep_all=True, alpha=0.01), real.table)


def test_every_verdict_on_the_real_data(real: Real) -> None:
    evaluation: Evaluation = evaluate(real.suite, real.outputs, keep_all=True)
    ours = {
        (line.item.id, line.system.name): (str(line.finding.verdict), line.finding.reason)
        for line in evaluation.verdicts()
    }
    expected = {
        (item["id"], name): (verdict, reason if verdict == "warning" else "")
        for (name, _), verdicts in real.table.verdicts.items()
        for item, (verdict, reason) in zip(real.table.found, verdicts, strict=True)
    }
    assert ours == expected
