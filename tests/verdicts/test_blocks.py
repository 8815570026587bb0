"""Judging in blocks gives what judging in one go gives, whoever does it, and a rule is refused in the same words."""

import random
from dataclasses import replace

import numpy as np
import pytest

from assay.errors import BadSuite
from assay.outputs import Collector, Outputs, System
from assay.parallel.processes import ProcessExecutor
from assay.suites import Item, Polarity, Rule, Suite, taxonomy_of
from assay.verdicts import blocks
from assay.verdicts.blocks import judge_texts
from assay.verdicts.findings import Findings, pack
from assay.verdicts.judge import RuleJudge
from assay.verdicts.verdict import Finding, Verdict

POLARITIES: tuple[Polarity, Polarity] = ("pass", "fail")


def campaign(items: int = 40, systems: int = 12) -> tuple[Suite, Outputs]:
    """Items with rules of every kind, and texts that meet all of them: none, one, both polarities, exact ones, …"""
    chance = random.Random(1)
    words = ["lock", "castle", "bolt", "key", "Schloß", "gate", "don’t"]
    made = tuple(
        Item(
            f"item-{number}",
            "category",
            f"phenomenon {number % 3}",
            "Schloss",
            (
                Rule(chance.choice(POLARITIES), "contains", "  "),
                *(Rule(polarity, "regex", rf"\b{chance.choice(words)}\b", "i") for polarity in POLARITIES),
                Rule("fail", "contains", chance.choice(words)),
                *(Rule(polarity, "exact", "the lock key") for polarity in POLARITIES[: number % 3]),
                Rule("pass", "exact", "the castle gate", by="Ada", on="2024-01-01"),
            ),
        )
        for number in range(items)
    )
    suite = Suite("made", "de-en", made, taxonomy_of(made))
    collector = Collector(suite)
    for system in range(systems):
        # Some items have no output; some outputs are empty.
        positions = sorted(chance.sample(range(items - 5), items - 10))
        texts = [" ".join(["the", *chance.sample(words, 2)]) if chance.random() < 0.95 else "" for _ in positions]
        collector.add(System(f"S{system}"), positions=positions, texts=texts)
    return suite, collector.outputs()


@pytest.fixture
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 30)


def one_by_one(suite: Suite, outputs: Outputs) -> list[Finding | None]:
    judge = RuleJudge(suite)
    written = set(outputs.codes.ravel().tolist())
    return [
        judge.judge(suite.items[owner], text) if code in written else None
        for code, (owner, text) in enumerate(zip(outputs.owners.tolist(), outputs.texts, strict=True))
    ]


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_blocks_give_the_findings_of_judging_in_one_go(jobs: int) -> None:
    suite, outputs = campaign()
    for chosen in (outputs, outputs.select([7, 2])):
        expected = one_by_one(suite, chosen)
        steps: list[int] = []
        found = judge_texts(suite, chosen, ProcessExecutor(jobs), progress=steps.append)
        assert list(found) == list(judge_texts(suite, chosen)) == expected
        assert [found[code] for code in range(len(found))] == found[:] == expected
        assert sum(steps) == sum(finding is not None for finding in expected)
        assert len(steps) > 1


def test_the_campaign_has_every_kind_of_finding() -> None:
    suite, outputs = campaign()
    found = [finding for finding in one_by_one(suite, outputs) if finding]
    assert {finding.verdict for finding in found} == set(Verdict)
    assert {finding.reason for finding in found} == {"", "no_match", "contradiction", "missing"}
    assert {len(finding.evidence) for finding in found} == {0, 1, 2}


def test_verdicts_and_missing_outputs_as_arrays() -> None:
    suite, outputs = campaign()
    chosen = outputs.select([0])
    found = judge_texts(suite, chosen)
    expected = one_by_one(suite, chosen)
    assert found.verdicts.tolist() == [finding.verdict if finding else Verdict.WARNING for finding in expected]
    assert found.with_reason("missing").tolist() == [
        finding is not None and finding.reason == "missing" for finding in expected
    ]


def test_more_rules_than_one_number_each() -> None:
    rules = tuple(Rule(polarity, "exact", "the lock") for polarity in ("pass", "fail", "pass", "fail"))
    items = (Item("one", "c", "p", "Schloss", rules),)
    suite = Suite("made", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    collector.add(System("A"), positions=[0], texts=["the lock"])
    found = judge_texts(suite, collector.outputs(), ProcessExecutor())[0]
    assert found is not None
    assert (found.reason, [evidence.rule for evidence in found.evidence]) == ("contradiction", list(rules))


@pytest.mark.usefixtures("_small_blocks")
@pytest.mark.parametrize("place", [0, 20, 39])
def test_a_broken_rule_is_refused_in_the_same_words(place: int) -> None:
    suite, outputs = campaign()
    broken = replace(suite.items[place], rules=(Rule("pass", "regex", "(lock"),), place="suite.yaml:7")
    items = tuple(broken if number == place else item for number, item in enumerate(suite.items))
    suite = replace(suite, items=items)
    with pytest.raises(BadSuite) as in_one_go:
        RuleJudge(suite)
    with pytest.raises(BadSuite) as in_blocks:
        judge_texts(suite, outputs, ProcessExecutor(2))
    assert str(in_blocks.value) == str(in_one_go.value)


def test_a_match_far_behind() -> None:
    items = (Item("one", "c", "p", "Schloss", (Rule("pass", "contains", "lock"),)),)
    suite = Suite("made", "de-en", items, taxonomy_of(items))
    collector = Collector(suite)
    collector.add(System("A"), positions=[0], texts=["the " * 10_000 + "lock"])
    found = judge_texts(suite, collector.outputs())[0]
    assert found is not None
    assert [(evidence.start, evidence.end) for evidence in found.evidence] == [(40_000, 40_004)]


def test_a_million_findings_are_made_from_few_bytes() -> None:
    """Five numbers of two bytes for each text."""
    packed = pack((1, 0, 2, 0, 5) for _ in range(1000))
    assert len(packed.numbers) == 10 * 1000
    assert packed.more == {}
    suite, outputs = campaign()
    codes = np.arange(len(outputs.texts), dtype=np.int32)
    assert len(Findings(suite, outputs, [(codes, pack((1, 0, 2, 0, 5) for _ in codes))])) == len(codes)
