"""Signatures, notes, and that every result has what all results have."""

import pickle

import pytest

from assay import __version__
from assay.challenge.accuracy import MetricEvaluation
from assay.contrasts.contrast_run import ContrastRun
from assay.evaluation import Evaluation
from assay.evaluation.comparison import Comparison
from assay.evaluation.rule_age import Ageing
from assay.evaluation.years import Years
from assay.result import Note, Result, Signature, exact_name, plain_notes
from assay.suggest.calibration import Calibration, calibrate
from tests.challenge.measured import FOUR, scored
from tests.contrasts.test_tables import run
from tests.evaluation.tables import drawn
from tests.evaluation.test_comparison import TABLE, compared
from tests.evaluation.test_rule_age import ageing
from tests.evaluation.test_years import TWO, years
from tests.suggest.test_calibration import FAIL, PASS, trial


class TestSignature:
    MADE = Signature.of({"suite": "garden#0123", "correction": "none", "seed": "1"})

    def test_is_the_string_that_is_printed(self) -> None:
        assert f"assay:{__version__}|suite:garden#0123|correction:none|seed:1" == self.MADE
        assert str(self.MADE) == f"{self.MADE}" == self.MADE

    def test_a_changed_field_stays_in_its_place_and_a_new_one_comes_last(self) -> None:
        changed = self.MADE.changed({"correction": "holm", "outputs": "abcd"})
        assert changed == f"assay:{__version__}|suite:garden#0123|correction:holm|seed:1|outputs:abcd"
        assert self.MADE.fields["correction"] == "none"

    def test_a_value_that_looks_like_another_field_is_left_alone(self) -> None:
        made = Signature({"suite": "correction:none", "correction": "none"})
        assert made.changed({"correction": "bh"}) == "suite:correction:none|correction:bh"

    def test_travels_to_other_processes(self) -> None:
        there = pickle.loads(pickle.dumps(self.MADE))
        assert (there, there.fields) == (self.MADE, self.MADE.fields)


def test_a_name_with_what_it_names() -> None:
    assert exact_name("garden", "0123", "1.2") == "garden@1.2#0123"
    assert exact_name("garden", "0123") == "garden#0123"


def test_notes_say_which_of_them_are_signatures() -> None:
    notes = (Note("Signature: no, just prose."), Note.signature("a:1", of="chrF"), Note.signature("b:2"))
    assert list(map(str, notes)) == ["Signature: no, just prose.", "Signature of chrF: a:1", "Signature: b:2"]
    assert plain_notes(notes) == notes[:1]


def results() -> dict[type, Result]:
    """The type checker compares each with the protocol."""
    calibration = calibrate([trial(PASS, PASS, category="A"), trial(PASS, FAIL, category="B")])
    return {
        Evaluation: drawn(TABLE),
        Comparison: compared(TABLE),
        Years: years(TWO),
        Ageing: ageing(),
        MetricEvaluation: scored(FOUR),
        ContrastRun: run(),
        Calibration: calibration,
    }


RESULTS = results()


@pytest.mark.parametrize("kind", RESULTS, ids=lambda kind: kind.__name__)
def test_averages_end_the_rows_and_the_signature_the_notes(kind: type) -> None:
    result = RESULTS[kind]
    assert isinstance(result, kind)
    rows, averages = list(result.rows("category")), list(result.averages())
    assert 0 < len(averages) < len(rows)
    assert rows[-len(averages) :] == averages
    assert len(result.columns) > 0
    assert result.notes("category")[-1] == Note.signature(result.signature)
    assert result.to_dict("category")["signature"] == result.signature
