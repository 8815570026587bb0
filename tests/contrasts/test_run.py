"""Running contrasts on the bundled sample, whose trees, links and verdicts are written by hand."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from assay.contrasts import bundled
from assay.contrasts.annotations import ToolNames
from assay.contrasts.contrast_run import ContrastRun
from assay.contrasts.run import ContrastInputs, find_sentences, load_contrasts, reference_name, run_contrasts
from assay.contrasts.run_files import copy_sample, export_run
from assay.contrasts.show import read_pattern, show_sentence, show_text
from assay.errors import AssayError, BadFile, BadOption, UnknownName, UnpairedFile
from assay.evaluation import evaluate
from assay.outputs import NamedFile, load_outputs
from assay.suites import load_suite

SAMPLE = bundled()["en-cs"].parent / "sample"


@pytest.fixture
def inputs(tmp_path: Path) -> ContrastInputs:
    return copy_sample(tmp_path / "sample")


def run(inputs: ContrastInputs) -> ContrastRun:
    return run_contrasts(inputs, cache=None, policy="own")


def verdicts(found: ContrastRun) -> dict[tuple[str, str], str]:
    return {(judged.item.id, judged.system.name): str(judged.finding.verdict) for judged in found.evaluation.table}


class TestRun:
    def test_the_verdicts_are_those_written_down_from_reading(self, inputs: ContrastInputs) -> None:
        with (SAMPLE / "verdicts.tsv").open(encoding="utf-8", newline="") as stream:
            expected = {
                (row["item"], row["system"]): row["verdict"] for row in csv.DictReader(stream, dialect="excel-tab")
            }
        assert verdicts(run(inputs)) == expected

    def test_the_reference_is_a_system_like_any_other(self, inputs: ContrastInputs) -> None:
        assert set(run(inputs).labels) == {"reference", "free", "average", "literal"}

    def test_by_a_reference_only_what_it_chose_is_expected(self, inputs: ContrastInputs) -> None:
        found = run(replace(inputs, expect="reference:reference"))
        assert found.expectation == "reference:reference"
        own = {verdict for (_, system), verdict in verdicts(found).items() if system == "reference"}
        assert own == {"pass"}
        assert "reference:reference" in found.signature

    def test_by_all_references_what_one_of_them_chose_is_right(self, inputs: ContrastInputs) -> None:
        (free,) = [one for one in inputs.outputs if "free" in str(one)]
        others = tuple(one for one in inputs.outputs if one != free)
        found = run(replace(inputs, expect="references", references=(*inputs.references, free), outputs=others))
        assert found.expectation == "references"
        own = {verdict for (_, system), verdict in verdicts(found).items() if system in ("reference", "free")}
        assert own == {"pass", "warning"}  # of some keywords one of the two is not known
        assert "fail" in verdicts(found).values()

    def test_gold_trees_of_the_reference_say_the_same(self, inputs: ContrastInputs) -> None:
        folder = inputs.source.parent
        gold = f"gold:{folder / 'reference.conllu'},{folder / 'reference.links'}"
        by_gold, by_reference = run(replace(inputs, expect=gold)), run(replace(inputs, expect="reference"))
        assert verdicts(by_gold) == verdicts(by_reference)
        assert by_gold.expectation == "gold:reference"

    def test_only_sentences_with_a_keyword_are_looked_at(self, inputs: ContrastInputs) -> None:
        effort = run(inputs).effort
        assert effort.needed < effort.sentences == 30
        assert effort.target_parsed == 0  # they stand in files

    def test_a_missing_translation_is_unknown(self, inputs: ContrastInputs) -> None:
        path = inputs.source.parent / "free.txt"
        lines = path.read_text("utf-8").split("\n")
        lines[0] = ""
        path.write_text("\n".join(lines), "utf-8")
        assert verdicts(run(inputs))["1:6", "free"] == "warning"

    def test_a_subset_is_counted_apart(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        ids = tmp_path / "ids.txt"
        ids.write_text("# by hand\n1:6\n2   # all keywords of the second sentence\n\n1:1\n", "utf-8")
        found = run(replace(inputs, subsets={"refined": ids}))
        assert list(found.evaluations) == ["refined", "all"]
        assert [item.id for item in found.evaluations["refined"].suite.items] == ["1:6", "2:6"]
        assert found.absent == {"refined": 1}
        assert found.evaluations["refined"].signature != found.evaluation.signature

    @pytest.mark.parametrize(
        ("written", "message"),
        [
            ("999:1", "999:1 is not in the source: there is no sentence 999, the source has 30"),
            ("31", "31 is not in the source: there is no sentence 31"),
            ("1:99", "1:99 is not in the source: the sentence 1 has 9 words"),
        ],
    )
    def test_a_subset_has_ids_of_the_source(
        self, inputs: ContrastInputs, tmp_path: Path, written: str, message: str
    ) -> None:
        ids = tmp_path / "ids.txt"
        ids.write_text(f"1:6\n{written}\n", "utf-8")
        with pytest.raises(BadFile, match=message):
            run(replace(inputs, subsets={"refined": ids}))

    def test_a_refined_suite_is_a_subset(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        from assay.suites import save_suite

        suite = find_sentences("en-cs", "gerund-finite", inputs.source.parent / "source.conllu", limit=2)
        save_suite(suite, tmp_path / "refined")
        found = run(replace(inputs, subsets={"refined": tmp_path / "refined"}))
        assert len(found.evaluations["refined"].suite) == 2

    def test_the_export_gives_the_same_verdicts_by_rules(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        found = run(inputs)
        suite, campaign = export_run(found, tmp_path / "exported")
        loaded = load_suite(suite)
        again = evaluate(loaded, load_outputs(loaded, campaign), policy="own")
        assert {(j.item.id, j.system.name): str(j.finding.verdict) for j in again.table} == verdicts(found)
        notes = {rule.note for item in loaded.items for rule in item.rules}
        assert notes <= {f"class {name}" for name in ("finite", "subjunctive", "infinitive", "nominal")}
        (reference,) = [judged.system for judged in again.table if judged.system.name == "reference"][:1]
        assert reference.metadata == {"group": "reference"}


class TestMistakes:
    def test_a_name_that_nobody_has(self) -> None:
        with pytest.raises(UnknownName, match="did you mean en-cs"):
            load_contrasts("en-sc")

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"expect": "reference:C"}, "no reference 'C'"),
            ({"expect": "reference", "references": ()}, "needs the reference"),
            ({"expect": "gold:trees.conllu"}, "gold:TREES,LINKS"),
            ({"expect": "gold:no.conllu,no.links"}, "no.conllu: there is no such file"),
            ({"expect": "me"}, "is not source, reference:NAME, references or gold"),
            ({"expect": "references:B"}, "for one of them write reference:B"),
        ],
    )
    def test_an_expectation_that_nobody_has(
        self, inputs: ContrastInputs, changes: dict[str, object], message: str
    ) -> None:
        with pytest.raises(AssayError, match=message):
            run(replace(inputs, **changes))  # type: ignore[arg-type]

    def test_a_file_that_is_too_short(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        short = tmp_path / "short.txt"
        short.write_text("Ahoj.\n", "utf-8")
        with pytest.raises(UnpairedFile, match=r"short\.txt:2: 1 lines, but .* has 30"):
            run(replace(inputs, outputs=[str(short)]))

    def test_a_file_that_is_no_text(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        with pytest.raises(BadFile, match="not plain text"):
            run(replace(inputs, outputs=[str(tmp_path / "outputs.tsv")]))

    def test_a_system_that_is_given_twice(self, inputs: ContrastInputs) -> None:
        with pytest.raises(BadOption, match="given twice"):
            run(replace(inputs, outputs=[*inputs.outputs, inputs.outputs[0]]))

    def test_a_source_parser_for_a_system(self, inputs: ContrastInputs) -> None:
        with pytest.raises(BadOption, match="the source has no system"):
            run(replace(inputs, tools=replace(inputs.tools, source_parser="conllu:{system}.conllu")))

    def test_a_subset_of_another_source(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        from assay.suites import save_suite

        suite = find_sentences("en-cs", "gerund", inputs.source.parent / "source.conllu", limit=1)
        (item,) = suite.items
        save_suite(replace(suite, items=(replace(item, source="Another sentence."),)), tmp_path / "other")
        with pytest.raises(BadFile, match="has another sentence than line 1"):
            run(replace(inputs, subsets={"other": tmp_path / "other"}))

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("x:1\n", "ids.txt:1: 'x:1' is not an id"),
            ("# nothing\n", "no ids"),
            ("99:1", "none"),
            ("9" * 5_000, "not an id"),
        ],
    )
    def test_a_subset_that_is_none(self, inputs: ContrastInputs, tmp_path: Path, content: str, message: str) -> None:
        ids = tmp_path / "ids.txt"
        ids.write_text(content, "utf-8")
        with pytest.raises(AssayError, match=message):
            run(replace(inputs, subsets={"refined": ids}))


def test_references_are_named_by_their_files() -> None:
    assert reference_name(NamedFile.parse("generaltest2022.en-cs.ref.B.cs")) == "refB"
    assert reference_name(NamedFile.parse("human=generaltest2022.en-cs.ref.B.cs")) == "human"
    assert reference_name(NamedFile.parse("generaltest2022.en-ru.ref.A.ru.gz")) == "refA"
    assert reference_name(NamedFile.parse("newstest.cs")) == "newstest"


class TestFind:
    def test_the_keyword_is_marked(self, inputs: ContrastInputs) -> None:
        suite = find_sentences("en-cs", "gerund", inputs.source.parent / "source.conllu")
        item = suite.item("1:6")
        assert item.source == "Anna sat by the window reading a letter."
        assert "word 6, “reading”" in item.tests

    def test_a_text_is_parsed_until_enough_is_found(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        trees = f"conllu:{inputs.source.parent / 'source.conllu'}"
        suite = find_sentences("en-cs", "control", inputs.source, parser=trees, limit=3)
        assert len(suite) == 3

    def test_mistakes(self, inputs: ContrastInputs, tmp_path: Path) -> None:
        with pytest.raises(BadOption, match="name a parser with --parser"):
            find_sentences("en-cs", "control", inputs.source)
        with pytest.raises(UnknownName, match="did you mean gerund"):
            find_sentences("en-cs", "gerunds", inputs.source)
        none = tmp_path / "none.conllu"
        none.write_text("1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n\n", "utf-8")
        with pytest.raises(BadOption, match="no sentence has gerund"):
            find_sentences("en-cs", "gerund", none)


class TestShow:
    def test_a_keyword_with_its_verdict(self, inputs: ContrastInputs) -> None:
        (pair,) = show_sentence(inputs, "1:6", systems=["literal"], cache=None)
        assert pair.source.tokens[pair.keyword or 0].form == "reading"
        assert (
            pair.remarks[0] == "keyword 6 “reading”, gerund (free adjunct): gerund-finite, good is finite, subjunctive"
        )
        assert pair.remarks[1].endswith("class nominal (noun), bad (fail)")

    def test_why_it_is_unknown(self, inputs: ContrastInputs) -> None:
        (pair,) = show_sentence(inputs, "Anna sat by the window reading a letter.", systems=["average"], cache=None)
        assert pair.remarks[1] == "unknown: it has no link"

    def test_a_typed_sentence_without_a_translation(self, inputs: ContrastInputs) -> None:
        (pair,) = show_text("en-cs", "They stopped talking.", inputs.tools, cache=None)
        assert pair.target is None
        assert pair.nodes == {2: "kw", 1: "gov"}

    def test_a_pattern_that_fits(self, inputs: ContrastInputs) -> None:
        pattern = "{any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBD}}, {LEFT_ID: kw, REL_OP: '>', RIGHT_ID: s}]]}"
        (pair,) = show_text("en-cs", "They stopped talking.", inputs.tools, pattern=pattern, cache=None)
        assert pair.remarks == ["the pattern fits: kw = 2 stopped, s = 1 They"]

    def test_a_pattern_that_does_not_fit_says_how_far_it_gets(self, inputs: ContrastInputs) -> None:
        nodes = (
            "{RIGHT_ID: kw, RIGHT_ATTRS: {POS: VERB}}, {LEFT_ID: kw, REL_OP: '>', RIGHT_ID: o, RIGHT_ATTRS: {DEP: obj}}"
        )
        (pair,) = show_text("en-cs", "They stopped talking.", inputs.tools, pattern=f"any: [[{nodes}]]", cache=None)
        assert [remark.strip() for remark in pair.remarks[1:]] == [
            "pattern 1, kw: 2 stopped, 3 talking",
            "pattern 1, o: no word",
        ]
        forbidden = "{any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {TAG: VBG}}]], none: [[{RIGHT_ID: kw}]]}"
        (pair,) = show_text("en-cs", "They stopped talking.", inputs.tools, pattern=forbidden, cache=None)
        assert pair.remarks == ["a pattern under `none` forbids what fits: 3 talking"]

    def test_mistakes_name_the_place(self, inputs: ContrastInputs) -> None:
        with pytest.raises(BadOption, match=r"--pattern:1: unknown key 'POZ'; did you mean 'POS'\?"):
            read_pattern("{any: [[{RIGHT_ID: kw, RIGHT_ATTRS: {POZ: VERB}}]]}")
        with pytest.raises(BadFile, match="there is no such file"):
            read_pattern("no.yaml")
        with pytest.raises(BadOption, match="there is no sentence 31"):
            show_sentence(inputs, "31", cache=None)
        with pytest.raises(BadOption, match="there is no word 99"):
            show_sentence(inputs, "1:99", cache=None)
        with pytest.raises(UnknownName, match="no system 'litteral'"):
            show_sentence(inputs, "1", systems=["litteral"], cache=None)
        with pytest.raises(BadOption, match="has no line 'Hello'"):
            show_sentence(inputs, "Hello", cache=None)


def test_a_second_run_parses_and_aligns_nothing(inputs: ContrastInputs, tmp_path: Path) -> None:
    """With a parser that computes; the aligner reads files."""
    pytest.importorskip("ufal.udpipe")
    from tests.contrasts.tiny_model import train

    model = train(tmp_path / "czech-tiny.udpipe")
    text = tmp_path / "a.txt"
    text.write_text("Chce, abych přišel domů.\n" * 30, "utf-8")
    (tmp_path / "a.links").write_text("\n" * 30, "utf-8")
    tools = ToolNames(inputs.tools.source_parser, f"udpipe:{model}", f"pharaoh:{tmp_path / 'a.links'}")
    one = replace(inputs, outputs=[str(text)], references=(), tools=tools)
    cache = tmp_path / "cache"
    efforts = [run_contrasts(one, cache=cache, policy="own", keep_all=True).effort for _ in range(2)]
    assert [effort.target_parsed for effort in efforts] == [1, 0]
