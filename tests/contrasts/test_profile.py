"""Profiles against people: counted by hand on small tables, tested on made ones whose truth is known."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.expectations import Translation
from assay.contrasts.faults import fault_counts, fault_places
from assay.contrasts.files import renderings as renderings_file
from assay.contrasts.profile import ContrastProfile
from assay.contrasts.profile_examples import examples
from assay.contrasts.profile_numbers import profile
from assay.contrasts.profile_report import render
from assay.contrasts.records import Condition, Construction, Contrasts, Fault, Node
from assay.contrasts.renderings import Renderings, RenderingTable, renderings
from assay.contrasts.run import profile_contrasts
from assay.contrasts.run_files import copy_sample
from assay.errors import BadOption, UnknownName
from assay.outputs import System
from tests.contrasts.building import tree

FINITE, INFINITIVE, NOUN, NO_LINK = 0, 1, 2, -1
NAMES = ("finite clause", "infinitive", "noun")
EFFORT = AnnotationEffort(0, 0, 0, 0, 0, 0, 0, 0, 0)


def made(columns: dict[str, list[int]], lines: list[int] | None = None, faults: tuple[Fault, ...] = ()) -> Renderings:
    """Renderings by column; names that begin with ref are people."""
    codes = np.array(list(columns.values()), np.int8).T
    number = len(codes)
    systems = [System(name, "", {"group": "reference"} if name.startswith("ref") else {}) for name in columns]
    sentence = tree("Reading read VERB VBG 0 root")
    translations = [Translation(system, ["čte"] * number, {}, {}) for system in systems]
    table = RenderingTable(
        Construction("gerund", ()),
        NAMES,
        np.array(lines if lines is not None else range(number)),
        np.zeros(number, np.int64),
        codes,
        np.full(codes.shape, -1, np.int32),
    )
    contrasts = Contrasts("x", "en-cs", {}, (), {}, faults)
    return Renderings(contrasts, dict.fromkeys(range(number), sentence), translations, (table,), {})


def profiled(columns: dict[str, list[int]], **more: object) -> ContrastProfile:
    return profile(made(columns), tools={}, effort=EFFORT, **more)  # type: ignore[arg-type]


def column(finite: int, infinitive: int, noun: int = 0, unknown: int = 0) -> list[int]:
    return [FINITE] * finite + [INFINITIVE] * infinitive + [NOUN] * noun + [NO_LINK] * unknown


class TestNumbers:
    def test_shares_are_of_the_known_renderings(self) -> None:
        (found,) = profiled({"refA": column(6, 2, 2), "A": column(3, 4, 1, 2)}).constructions
        human, system = found.rows
        assert [share.share.value for share in human.shares] == [0.6, 0.2, 0.2]
        assert [share.share.value for share in system.shares] == [3 / 8, 4 / 8, 1 / 8]
        assert (system.known, system.reasons["no_link"], system.total) == (8, 2, 10)

    def test_the_distance_is_what_would_have_to_be_rendered_otherwise(self) -> None:
        (found,) = profiled({"refA": column(6, 2, 2), "A": column(3, 5, 2)}).constructions
        # 0.3 too few finite clauses, 0.3 too many infinitives: three of ten keywords.
        assert found.rows[1].distance.value == pytest.approx(0.3)

    def test_the_yardstick_is_how_far_people_are_from_each_other(self) -> None:
        columns = {"refA": column(6, 4), "refB": column(4, 6), "A": column(6, 4)}
        (found,) = profiled(columns).constructions
        assert found.yardstick.value == pytest.approx(0.2)
        # To refA 0, to refB 0.2.
        assert found.rows[2].distance.value == pytest.approx(0.1)

    def test_with_one_translator_there_is_no_yardstick(self) -> None:
        (found,) = profiled({"refA": column(6, 4), "A": column(4, 6)}).constructions
        assert found.yardstick.value is None
        assert found.rows[0].distance.value is None

    def test_without_people_there_is_nothing_to_compare_with(self) -> None:
        (found,) = profiled({"A": column(6, 4), "B": column(4, 6)}).constructions
        assert all(row.distance.value is None for row in found.rows)
        assert all(share.p is None for row in found.rows for share in row.shares)
        assert "no human translation" in found.finding

    def test_a_group_is_its_systems_taken_together(self) -> None:
        columns = {"refA": column(6, 4), "A": column(4, 6), "B": column(2, 8)}
        (found,) = profiled(columns, groups={"MT": ["A", "B"]}).constructions
        group = found.rows[-1]
        assert (group.label, group.kind, group.known) == ("MT", "group", 20)
        assert group.shares[0].share.value == pytest.approx(0.3)

    def test_a_group_of_nobody_is_an_error(self) -> None:
        with pytest.raises(UnknownName, match="no system 'C'"):
            profiled({"refA": column(6, 4), "A": column(4, 6)}, groups={"MT": ["C"]})

    def test_the_same_seed_gives_the_same_numbers(self) -> None:
        columns = {"refA": column(30, 20), "A": column(20, 30)}
        assert profiled(columns).to_dict() == profiled(columns).to_dict()
        assert profiled(columns).to_dict() != profiled(columns, seed=2).to_dict()


class TestTests:
    def test_a_rendering_that_people_choose_more_often_is_found(self) -> None:
        (found,) = profiled({"refA": column(80, 20), "A": column(40, 60)}).constructions
        finite = found.rows[1].shares[0]
        assert finite.differs == -1
        assert finite.difference == pytest.approx(-0.4)
        assert found.rows[1].shares[1].differs == 1

    def test_equal_translators_are_told_apart_rarely(self) -> None:
        """Systems that choose as the translator does, by chance: of 60 draws Holm finds something in 5 % or so."""
        chance = np.random.default_rng(5)
        found = 0
        for _ in range(60):
            columns = {name: chance.choice(3, size=120, p=[0.5, 0.3, 0.2]).tolist() for name in ("refA", "A", "B")}
            (construction,) = profiled(columns).constructions
            found += any(share.differs for row in construction.of_kind("system") for share in row.shares)
        # At most 8 of 60 has a probability above 99 % at a level of 5 %.
        assert found <= 8

    def test_keywords_of_a_sentence_count_together(self) -> None:
        columns = {"refA": column(12, 0), "A": column(0, 12)}
        apart = profile(made(columns), tools={}, effort=EFFORT).constructions[0].rows[1].shares[0].p
        together = profile(made(columns, lines=[0] * 6 + [1] * 6), tools={}, effort=EFFORT).constructions[0]
        assert apart is not None
        assert apart < 0.05
        # Two sentences: nothing can be significant.
        assert (together.rows[1].shares[0].p or 0) > 0.3

    def test_intervals_hold_the_truth(self) -> None:
        chance = np.random.default_rng(11)
        held = 0
        for _ in range(100):
            columns = {"refA": chance.choice(3, size=150, p=[0.5, 0.3, 0.2]).tolist()}
            share = profiled(columns).constructions[0].rows[0].shares[0].share
            held += (share.low or 0) <= 0.5 <= (share.high or 0)
        assert held >= 88


class TestTwoAlignments:
    def profiled(self, first: dict[str, list[int]], second: dict[str, list[int]]) -> ContrastProfile:
        found = made(first)
        (table,) = found.tables
        again = np.array(list(second.values()), np.int8).T
        return profile(replace(found, tables=(replace(table, again=again),)), tools={}, effort=EFFORT)

    def test_numbers_are_those_of_the_first_and_intervals_of_both(self) -> None:
        (found,) = self.profiled({"refA": column(60, 40)}, {"refA": column(80, 20)}).constructions
        share = found.rows[0].shares[0].share
        assert share.value == 0.6
        assert (share.low or 0) < 0.55
        # 0.8 and a standard error of 0.04: without the second alignment it would end at 0.7.
        assert (share.high or 0) > 0.82

    def test_two_that_agree_say_what_one_says(self) -> None:
        columns = {"refA": column(60, 40), "A": column(40, 60)}
        (one,) = profiled(columns).constructions
        (two,) = self.profiled(columns, columns).constructions
        assert [row.shares for row in one.rows] == [row.shares for row in two.rows]
        assert two.rows[1].distance == one.rows[1].distance

    def test_the_distance_is_as_unsure_as_its_alignments_differ(self) -> None:
        columns, other = {"refA": column(60, 40), "A": column(40, 60)}, {"refA": column(60, 40), "A": column(20, 80)}
        (one,), (two,) = profiled(columns).constructions, self.profiled(columns, other).constructions
        narrow, wide = one.rows[1].distance, two.rows[1].distance
        assert wide.value == narrow.value == pytest.approx(0.2)
        # Half of (0.4 - 0.2)², beside a variance of 0.005 or so of the draws.
        assert (wide.high or 0) - 0.2 > 1.3 * ((narrow.high or 0) - 0.2)

    def test_a_mark_stands_where_both_show_it(self) -> None:
        first = {"refA": column(80, 20), "A": column(40, 60)}
        second = {"refA": column(80, 20), "A": column(80, 20)}
        assert profiled(first).constructions[0].rows[1].shares[0].differs == -1
        found = self.profiled(first, second)
        assert found.constructions[0].rows[1].shares[0].differs == 0
        assert any("two alignments" in str(note) for note in found.notes())
        assert "alignments:2" in str(found.signature)


class TestFindings:
    def test_what_all_systems_do_is_said_in_one_sentence(self) -> None:
        columns = {"refA": column(80, 20), "A": column(40, 60), "B": column(45, 55)}
        (found,) = profiled(columns).constructions
        said = "all 2 systems choose finite clause less often than the translator (refA), 40.0–45.0 % against 80.0 %"
        assert said in found.finding
        assert "(all significant)" in found.finding

    def test_what_one_system_does_names_it(self) -> None:
        columns = {"refA": column(60, 40), "A": column(20, 80), "B": column(61, 39)}
        (found,) = profiled(columns).constructions
        assert "A chooses finite clause less often than the translator (refA)" in found.finding

    def test_nothing_is_said_of_what_may_be_chance(self) -> None:
        columns = {"refA": column(50, 50), "A": column(52, 48)}
        (found,) = profiled(columns).constructions
        assert "no system differs significantly" in found.finding

    def test_nothing_is_said_of_too_few(self) -> None:
        (found,) = profiled({"refA": column(10, 2), "A": column(2, 10)}).constructions
        assert "too few to say anything" in found.finding

    def test_the_distance_is_compared_with_the_yardstick(self) -> None:
        columns = {"refA": column(60, 40), "refB": column(60, 40), "A": column(10, 90)}
        (found,) = profiled(columns).constructions
        assert found.rows[2].beyond
        assert "A is significantly further from the translators than these are from each other" in found.finding


class TestFaults:
    FAULT = Fault("bare", "gerund", ("noun",), ("finite clause",), 0.7)

    def test_it_is_one_where_nearly_all_others_do_otherwise(self) -> None:
        columns = {f"S{number}": [FINITE, FINITE] for number in range(5)} | {"A": [NOUN, NOUN], "B": [FINITE, NOUN]}
        found = made(columns, faults=(self.FAULT,))
        places = fault_places(found, found.tables[0], self.FAULT)
        # In the second keyword A and B have a noun: of the six others of A five are finite, 83 %.
        assert places[:, 5].tolist() == [True, True]
        assert places[:, 6].tolist() == [False, True]

    def test_too_few_others_say_nothing(self) -> None:
        found = made({"S1": [FINITE], "S2": [FINITE], "A": [NOUN]}, faults=(self.FAULT,))
        assert not fault_places(found, found.tables[0], self.FAULT).any()

    def test_patterns_narrow_down_the_word(self) -> None:
        fault = replace(self.FAULT, one_of=((Node("a", (Condition("LOWER", "REGEX", ("ní$",)),)),),))
        found = made({f"S{number}": [FINITE, FINITE] for number in range(5)} | {"A": [NOUN, NOUN]})
        noun = Translation(
            found.translations[5].system,
            [""] * 2,
            {0: tree("čtení čtení NOUN _ 0 root"), 1: tree("akt akt NOUN _ 0 root")},
            {},
        )
        found = replace(found, translations=[*found.translations[:5], noun])
        table = replace(found.tables[0], targets=np.zeros((2, 6), np.int32))
        assert fault_places(found, table, fault)[:, 5].tolist() == [True, False]

    def test_it_is_called_unusual_until_people_have_read_enough_of_them(self, tmp_path: Path) -> None:
        columns = {f"S{number}": [FINITE] for number in range(5)} | {"A": [NOUN]}
        (unread,) = fault_counts(made(columns, faults=(self.FAULT,)))
        assert (unread.word, unread.counts[5].value) == ("unusual", 1.0)
        assert "nobody has read" in unread.trust
        path = tmp_path / "read.tsv"
        path.write_text("fault\tkeyword\tverdict\n" + "bare\t1:1\tfault\n" * 8 + "bare\t2:1\tfine\n" * 2, "utf-8")
        fault = Fault("bare", "gerund", ("noun",), ("finite clause",), 0.7, read=str(path))
        (read,) = fault_counts(made(columns, faults=(fault,)))
        assert (read.word, read.precision.value) == ("fault", 0.8)
        assert "of 10 that were read 8 were faults" in read.trust


class TestOnTheSample:
    @pytest.fixture
    def found(self, tmp_path: Path) -> ContrastProfile:
        return profile_contrasts(copy_sample(tmp_path / "sample"), cache=None)

    def test_people_stand_first(self, found: ContrastProfile) -> None:
        assert found.columns[0] == "reference"
        assert [construction.name for construction in found.constructions] == ["gerund", "control"]

    @pytest.mark.parametrize("format", ["table", "markdown", "latex", "csv", "json", "html"])
    def test_every_format_has_every_translation(self, found: ContrastProfile, format: str) -> None:
        text = render(found, format)
        for name in found.columns:
            assert name in text

    def test_the_json_has_what_the_table_shows(self, found: ContrastProfile) -> None:
        document = json.loads(render(found, "json"))
        assert document["constructions"][0]["rows"][0]["label"] == "reference"
        assert document["signature"] == found.signature

    def test_examples_mark_both_words(self, found: ContrastProfile) -> None:
        first = next(examples(found, 0, rendering="noun", system="literal"))
        assert first.shown.keyword is not None
        assert first.shown.source[slice(*first.shown.keyword)] == "reading"
        assert first.shown.word is not None
        assert first.shown.text[slice(*first.shown.word)] == "čtení"
        assert first.human == "finite clause"

    def test_a_line_that_a_reference_lacks_is_left_out_for_all(self, tmp_path: Path) -> None:
        inputs = copy_sample(tmp_path / "sample")
        whole = profile_contrasts(inputs, cache=None)
        path = tmp_path / "sample" / "reference.txt"
        lines = path.read_text("utf-8").split("\n")
        lines[0] = ""
        path.write_text("\n".join(lines), "utf-8")
        found = profile_contrasts(inputs, cache=None)
        assert found.renderings.absent == {"reference": 1}
        # Nor are they parsed and aligned, where links need no pool to be learnt from.
        assert found.effort.needed == whole.effort.needed
        assert found.effort.pairs_distinct == whole.effort.pairs_distinct - len(found.columns)
        assert 0 not in found.renderings.translations[1].trees
        assert all(row.total < whole.constructions[0].rows[0].total for row in found.constructions[0].rows)
        assert any("reference lacks 1 line" in str(note) for note in found.notes())

    def test_the_file_of_renderings_comes_back(self, found: ContrastProfile, tmp_path: Path) -> None:
        path = tmp_path / "renderings.tsv"
        renderings_file.write(found.renderings, path)
        assert renderings_file.read(path) == list(renderings_file.rendered_keywords(found.renderings))


def test_where_no_line_is_left_the_reference_is_named() -> None:
    gerund = tree("Reading read VERB VBG 0 root")
    contrasts = Contrasts(
        "x", "en-cs", {"gerund": Construction("gerund", ((Node("kw", (Condition("TAG", "==", ("VBG",)),)),),))}, (), {}
    )
    missing = Translation(System("refA", "", {"group": "reference"}), [""], {}, {})
    with pytest.raises(BadOption, match="refA lacks the most"):
        renderings(contrasts, {0: gerund}, [missing])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("format", ["table", "markdown", "csv", "json", "html"])
def test_where_no_rendering_is_known_there_are_no_numbers(tmp_path: Path, format: str) -> None:
    inputs = copy_sample(tmp_path / "sample")
    for path in (tmp_path / "sample").glob("*.links"):
        path.write_text("\n" * path.read_text(encoding="utf-8").count("\n"), encoding="utf-8")
    found = profile_contrasts(inputs, cache=None)
    for one in found.constructions:
        assert one.renderings == ()
        assert "has 0 known renderings only" in one.finding
        assert {(row.known, row.reasons["no_link"], row.distance.value, row.beyond) for row in one.rows} == {
            (0, one.keywords, None, False)
        }
    # The lines of CSV are renderings: there are none.
    assert ("construction" if format == "csv" else "gerund") in render(found, format, width=100, ansi=False)


@pytest.mark.filterwarnings("error")
def test_one_translation_without_a_word(tmp_path: Path) -> None:
    inputs = copy_sample(tmp_path / "sample")
    empty = tmp_path / "sample" / "average.txt"
    empty.write_text("\n" * empty.read_text(encoding="utf-8").count("\n"), encoding="utf-8")
    found = profile_contrasts(replace(inputs, outputs=[str(empty)], references=[]), cache=None)
    for one in found.constructions:
        (row,) = one.rows
        assert (row.known, row.shares, row.reasons["missing"]) == (0, (), one.keywords)
