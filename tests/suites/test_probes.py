"""The bundled suites' rules look at grammar: few texts that must not pass do."""

import pytest

from assay.suites import bundled
from assay.verdicts.probes import KINDS, LIMITS, ProbeKind
from tests.suites.checked import linted, probed


@pytest.fixture(scope="module", params=bundled())
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("kind", KINDS)
def test_few_texts_that_must_not_pass_do(name: str, kind: ProbeKind) -> None:
    found = probed(name).count(kind)
    share = found.share
    passed = [f"{one.item.id}: {one.text}" for one in found.passed[:20]]
    assert share is None or share <= LIMITS[kind], f"{share:.2%} of {found.tried:,} pass: {passed}"


def test_no_rule_fails_by_absence(name: str) -> None:
    assert [problem.item for problem in linted(name) if problem.code == "fail-by-absence"] == []
