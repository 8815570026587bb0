"""Sets as others hand them in and release them, with the quirks that their files have; written for these tests."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from assay.challenge.case import ErrorSpan, Ladder
from assay.challenge.challenge_set import MetricScores
from assay.challenge.convert import Additions, convert_file
from assay.challenge.files.scores import read_case_scores, read_scores
from assay.challenge.files.sets import read_cases, read_challenge, write_cases
from assay.challenge.jobs import score_arguments
from assay.errors import BadFile, BadOption
from tests.conftest import Refused, Run


def folder_of(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


# --- WMT25


def wmt25(root: Path, *, hypotheses: int = 3, dash: str = "-", meta: str = "news\tdoc-1\nnews\tdoc-1\n") -> Path:
    texts = {"src": "Eins.\nZwei.\n", "ref": "One.\nTwo.\n", "meta": meta}
    texts |= {f"hyp{dash}{number}": f"one {number}\ntwo {number}\n" for number in range(1, hypotheses + 1)}
    return folder_of(root, {f"drift.de-en_GB.{part}.txt": text for part, text in texts.items()})


@pytest.mark.parametrize("dash", ["-", ""])
@pytest.mark.parametrize("meta", ["news\tdoc-1\nnews\tdoc-2\n", "domain-category\tdoc_id\nnews\tdoc-1\nnews\tdoc-2\n"])
def test_any_number_of_hypotheses_with_a_meta_of_two_columns(tmp_path: Path, dash: str, meta: str) -> None:
    found = read_cases(wmt25(tmp_path, hypotheses=11, dash=dash, meta=meta))
    assert (found.name, found.langpair, len(found)) == ("drift", "de-en_GB", 2)
    assert [hypothesis.name for hypothesis in found.cases[1].hypotheses] == [f"hyp-{n}" for n in range(1, 12)]
    assert [hypothesis.text for hypothesis in found.cases[1].hypotheses] == [f"two {n}" for n in range(1, 12)]
    assert [(case.labels, case.document) for case in found.cases] == [(("news",), "doc-1"), (("news",), "doc-2")]


def test_a_set_without_references_and_one_with_a_single_hypothesis(tmp_path: Path) -> None:
    wmt25(tmp_path, hypotheses=1)
    (tmp_path / "drift.de-en_GB.ref.txt").unlink()
    found = read_cases(tmp_path / "drift.de-en_GB.src.txt")
    assert [len(case.hypotheses) for case in found.cases] == [1, 1]
    assert [case.references for case in found.cases] == [(), ()]
    write_cases(found, tmp_path / "drift.tsv")
    assert read_cases(tmp_path / "drift.tsv") == found
    written = write_cases(found, tmp_path / "again", "wmt25")
    assert [file.name.split(".", 2)[2] for file in written] == ["src.txt", "hyp-1.txt", "meta.txt", "more.jsonl"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("meta", "news\tdoc-1\n", r"meta\.txt: 1 lines where drift\.de-en_GB\.src\.txt has 2; the files of a set are"),
        ("hyp-5", "x\ny\n", r"hyp-4\.txt: there is no such file; number the hypotheses without a gap"),
        ("hyp2", "x\ny\n", r"hyp2\.txt: the same hypothesis as drift\.de-en_GB\.hyp-2\.txt; delete one of the two"),
        ("hyp-3", "x\n", r"hyp-3\.txt: 1 lines where drift\.de-en_GB\.src\.txt has 2"),
    ],
)
def test_files_of_wmt25_that_do_not_fit_are_named(tmp_path: Path, name: str, text: str, problem: str) -> None:
    wmt25(tmp_path)
    (tmp_path / f"drift.de-en_GB.{name}.txt").write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        read_cases(tmp_path)


def test_what_is_written_for_organisers_has_the_form_that_they_read(tmp_path: Path) -> None:
    """As their script reads it: parts of names between dots, two columns, a line of every file for a segment."""
    found = read_cases(wmt25(tmp_path / "in"))
    done = convert_file(tmp_path / "in", tmp_path / "my_set", Additions(name="my.set"), format="wmt25")
    assert (done.lost, done.cases.name) == ([], "my.set")
    folder = tmp_path / "my_set"
    assert {file.name.split(".")[0] for file in folder.iterdir()} == {folder.name}
    assert {file.name.split(".")[1] for file in folder.iterdir()} == {"de-en_GB"}
    with (folder / "my_set.de-en_GB.meta.txt").open(encoding="utf-8") as stream:
        assert [tuple(row) for row in csv.reader(stream, delimiter="\t")] == [("news", "doc-1"), ("news", "doc-1")]
    lines = {file.name.split(".")[2]: file.read_text().count("\n") for file in folder.iterdir()}
    assert lines == dict.fromkeys(("src", "ref", "hyp-1", "hyp-2", "hyp-3", "meta", "more"), 2)
    assert read_cases(folder).cases == found.cases


def test_a_folder_with_several_language_pairs_is_one_set(tmp_path: Path) -> None:
    wmt25(tmp_path / "s", meta=META)
    for file in sorted((tmp_path / "s").iterdir()):
        (tmp_path / "s" / file.name.replace("en_GB", "fr")).write_bytes(file.read_bytes())
    cases = read_cases(tmp_path / "s")
    assert [(case.id, case.langpair) for case in cases.cases] == [
        ("de-en_GB/1", "de-en_GB"),
        ("de-en_GB/2", "de-en_GB"),
        ("de-fr/1", "de-fr"),
        ("de-fr/2", "de-fr"),
    ]
    french = returned(*((segment, number, f"-{score}") for segment, number, score in GROUPED)).replace("en_GB", "fr")
    text = french + returned(*GROUPED).split("\n", 1)[1]
    assert scores(tmp_path / "r", text, tmp_path / "s").values.tolist() == [
        *(1.1, 1.2, 1.3, 2.1, 2.2, 2.3),
        *(-1.1, -1.2, -1.3, -2.1, -2.2, -2.3),
    ]
    with pytest.raises(BadFile, match=":2: the scores are of de-fr, and the set is of de-en_GB"):
        scores(tmp_path / "r", french, tmp_path / "s")


def test_hypotheses_of_a_set_that_is_replaced_do_not_stay_behind(tmp_path: Path) -> None:
    four, two = read_cases(wmt25(tmp_path / "a", hypotheses=4)), read_cases(wmt25(tmp_path / "b", hypotheses=2))
    write_cases(four, tmp_path / "x.de-en_GB", "wmt25")
    write_cases(two, tmp_path / "x.de-en_GB", "wmt25", force=True)
    assert read_cases(tmp_path / "x.de-en_GB.src.txt").cases == two.cases


RETURNED = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"


def returned(*rows: tuple[int, int, str]) -> str:
    """A returned table; rows are (segment, hypothesis, score)."""
    line = "doc-{0}\t{0}\tde\ten_GB\tchallenge_drift\thyp-{1}\tnews\tNaN\t{2}\n"
    return RETURNED + "".join(line.format(*row) for row in rows)


GROUPED = [(segment, hypothesis, f"{segment}.{hypothesis}") for hypothesis in (1, 2, 3) for segment in (1, 2)]
META = "news\tdoc-1\nnews\tdoc-2\n"


def scores(root: Path, text: str, set_: Path, folder: str = "primary") -> MetricScores:
    folder_of(root, {f"{folder}/Mine.tsv": text})
    (found,) = read_case_scores(str(root / folder / "Mine.tsv"), read_cases(set_), lower_is_better=(), groups={})
    return found


@pytest.mark.parametrize("rows", [GROUPED, sorted(GROUPED), GROUPED[::-1]])
def test_returned_scores_in_any_order_of_rows(tmp_path: Path, rows: list[tuple[int, int, str]]) -> None:
    found = scores(tmp_path / "r", returned(*rows), wmt25(tmp_path / "s", meta=META))
    assert (found.name, found.group, found.values.tolist()) == (
        "Mine",
        "reference-based",
        [1.1, 1.2, 1.3, 2.1, 2.2, 2.3],
    )


def test_returned_scores_of_baselines_pairs_and_several_directions(tmp_path: Path) -> None:
    other = returned((1, 1, "9"), (2, 1, "9")).replace("en_GB", "fr").split("\n", 1)[1]
    text = returned(*(row for row in GROUPED if row[1] < 3)) + other
    found = scores(tmp_path / "r", text, wmt25(tmp_path / "s", hypotheses=2, meta=META), "baseline")
    assert (found.group, found.values.tolist()) == ("baseline", [1.1, 1.2, 2.1, 2.2])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (returned(*GROUPED[1:]), r"Mine\.tsv: 1 scores of hyp-1 where 2 are expected"),
        (returned(*GROUPED[:5]), r": 1 scores of hyp-3 where 2 are expected: segment 2 is missing; there must be one"),
        (returned(*GROUPED, GROUPED[0]), ": 3 scores of hyp-1 where 2 are expected: segment 1 twice"),
        (returned(*GROUPED, (1, 4, "1")), ":8: no hypothesis 'hyp-4'; did you mean hyp-3"),
        (returned(*GROUPED).replace("1.1", "inf"), ":2: 'inf' is not a number; write NaN where a metric has no score"),
        (returned(*GROUPED).replace("en_GB", "fr"), ":2: the scores are of de-fr, and the set is of de-en_GB; name"),
        (
            returned(*GROUPED).replace("doc-2", "doc-9"),
            ":3: a score for the document 'doc-9' where challenge item '2' is of 'doc-2'; check that set and scores",
        ),
    ],
)
def test_returned_scores_that_do_not_fit_are_named(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        scores(tmp_path / "r", text, wmt25(tmp_path / "s", meta=META))


def test_a_ladder_makes_accuracy_of_returned_scores(tmp_path: Path) -> None:
    convert_file(wmt25(tmp_path / "s", meta=META), tmp_path / "d.jsonl", Additions(ladder="hyp-3 > hyp-2 > hyp-1"))
    challenge = read_challenge(tmp_path / "d.jsonl")
    folder_of(tmp_path, {"r/Mine.tsv": returned(*GROUPED)})
    (found,) = read_scores(str(tmp_path / "r" / "Mine.tsv"), challenge, lower_is_better=(), groups={})
    assert [item.id for item in challenge.items[:3]] == ["1:hyp-3>hyp-2", "1:hyp-3>hyp-1", "1:hyp-2>hyp-1"]
    # The first of a pair is the one that comes first in the case.
    assert found.values.tolist()[:3] == [[1.2, 1.3], [1.1, 1.3], [1.1, 1.2]]
    with pytest.raises(BadOption, match="challenge item '1': a relation names 'hyp-7'"):
        convert_file(tmp_path / "d.jsonl", tmp_path / "e.jsonl", Additions(ladder="hyp-7 > hyp-1"))
    with pytest.raises(BadOption, match="challenge item '1': the relations contradict"):
        convert_file(tmp_path / "d.jsonl", tmp_path / "e.jsonl", Additions(ladder="hyp-1 > hyp-2"))


def test_the_folder_that_organisers_return_is_read_as_a_whole(tmp_path: Path) -> None:
    files = {
        name: returned(*GROUPED) for name in ("r/baseline/chrF.tsv", "r/primary/Mine.tsv", "r/secondary/Mine-2.tsv")
    }
    folder = folder_of(tmp_path / "4", files) / "r"
    found = [Path(path).relative_to(folder).as_posix() for path in score_arguments([str(folder)])]
    assert found == ["baseline/chrF.tsv", "primary/Mine.tsv", "secondary/Mine-2.tsv"]
    folder_of(folder, {"own.tsv": returned(*GROUPED)})
    assert list(score_arguments([str(folder)])) == [str(folder / "own.tsv")], "its own files come before those below"


TWO_REFERENCES = {
    **{"id": "1", "source": "Eins.", "hyp-1": "First.", "hyp-2": "Second.", "correct": 1},
    **{"reference": "First.", "reference-2": "Second.", "reference-2-name": "refB"},
}


def test_metrics_get_the_reference_that_is_asked_for(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "set.jsonl").write_text(json.dumps(TWO_REFERENCES) + "\n", encoding="utf-8")
    scored = assay("challenge", "score", "set.jsonl", "-m", "chrF", "-m", "length", "-o", "scores").stdout
    assert scored.count("1 source with further references: scored with the first") == 1, "length has no use for them"
    for wanted in ("refB", "2"):
        assay("challenge", "convert", "set.jsonl", "--reference", wanted, "-o", f"{wanted}.jsonl")
        (case,) = read_cases(tmp_path / f"{wanted}.jsonl").cases
        assert [(reference.name, reference.text) for reference in case.references] == [
            ("refB", "Second."),
            ("reference", "First."),
        ]
        assay("challenge", "score", f"{wanted}.jsonl", "-m", "chrF", "-o", f"scores-{wanted}")
        assert "0.0" in assay("challenge", "report", f"{wanted}.jsonl", f"scores-{wanted}", "-f", "csv").stdout
    assert "1.0" in assay("challenge", "report", "set.jsonl", "scores/chrF.tsv", "-f", "csv").stdout


@pytest.mark.parametrize("wanted", ["refC", "0", "3"])
def test_a_reference_that_is_not_there(refused: Refused, tmp_path: Path, wanted: str) -> None:
    (tmp_path / "set.jsonl").write_text(json.dumps(TWO_REFERENCES) + "\n", encoding="utf-8")
    line = refused("challenge", "convert", "set.jsonl", "--reference", wanted, "-o", "other.jsonl")
    assert line == f"the challenge item '1' has no reference {wanted!r}; it has: reference, refB"


def test_human_scores_are_added_and_ranked_by(tmp_path: Path) -> None:
    human = folder_of(tmp_path, {"da.txt": "70 60 60.5\n50 NaN 90\n"}) / "da.txt"
    done = convert_file(
        wmt25(tmp_path / "s"), tmp_path / "d.jsonl", Additions(human=[f"da={human}"], rank_by="da", margin=1)
    )
    assert [[dict(found.human).get("da") for found in case.hypotheses] for case in done.cases.cases] == [
        [70, 60, 60.5],
        [50, None, 90],
    ]
    relations = [[str(ladder) for ladder in case.relations] for case in read_cases(tmp_path / "d.jsonl").cases]
    assert relations == [["hyp-1 > hyp-2", "hyp-1 > hyp-3"], ["hyp-3 > hyp-1"]]


# --- ACES, Span-ACES, HW-TSC


ACES_ROW = {
    "source": "Der Hund bellt.",
    "good-translation": "The dog barks.",
    "incorrect-translation": "The cat barks loudly.",
    "reference": "The dog is barking.",
    "phenomena": "hallucination-real-data-vs-synonym",
    "langpair": "de-en",
}
SPAN_ROW = ACES_ROW | {
    "ID": 17,
    "incorrect-translation-annotated": "The <v>cat</v> barks <v>loudly</v>.",
    "annotation-method": "annotate_word",
}


def test_released_aces_is_jsonl_with_a_language_pair_per_row(tmp_path: Path) -> None:
    rows = [ACES_ROW, ACES_ROW | {"langpair": "fr-en", "phenomena": "antonym-replacement"}]
    file = folder_of(tmp_path, {"challenge_set.jsonl": "\n".join(map(json.dumps, rows))}) / "challenge_set.jsonl"
    found = read_cases(file)
    assert [(case.id, case.langpair, case.labels) for case in found.cases] == [
        ("1", "de-en", ("mistranslation", "hallucination-real-data-vs-synonym")),
        ("2", "fr-en", ("real-world knowledge", "antonym-replacement")),
    ]
    challenge = read_challenge(file)
    assert (challenge.langpair, challenge.items[1].langpair, challenge.items[1].right) == (
        "mul-mul",
        "fr-en",
        "The dog barks.",
    )


@pytest.mark.parametrize("kind", ["jsonl", "tsv"])
def test_span_aces_keeps_spans_ids_and_foreign_labels(tmp_path: Path, kind: str) -> None:
    other = SPAN_ROW | {"ID": 4, "phenomena": "my label", "incorrect-translation-annotated": "Another <v>text</v>."}
    if kind == "jsonl":
        text = "\n".join(map(json.dumps, (SPAN_ROW, other)))
    else:
        text = "\n".join(["\t".join(SPAN_ROW), *("\t".join(map(str, row.values())) for row in (SPAN_ROW, other))])
    file = folder_of(tmp_path, {f"span.{kind}": text}) / f"span.{kind}"
    first, second = read_cases(file).cases
    assert (first.id, first.hypotheses[1].spans) == ("17", (ErrorSpan(4, 7), ErrorSpan(14, 20)))
    assert dict(first.further) == {"annotation-method": "annotate_word"}
    # Some texts with tags are other texts: these are kept as they are, and no spans are made of them.
    assert (second.labels, second.hypotheses[1].spans) == (("my label",), ())
    assert dict(second.further)["incorrect-translation-annotated"] == "Another <v>text</v>."
    convert_file(file, tmp_path / "again.tsv", format="aces")
    assert read_cases(tmp_path / "again.tsv").cases == read_cases(file).cases
    with (tmp_path / "again.tsv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream, dialect="excel-tab", quoting=csv.QUOTE_NONE))
    # What aces-eval looks up by label, and what it groups by.
    assert [(row["phenomena"], row["langpair"]) for row in rows] == [
        ("hallucination-real-data-vs-synonym", "de-en"),
        ("my label", "de-en"),
    ]
    assert rows[0]["incorrect-translation-annotated"] == SPAN_ROW["incorrect-translation-annotated"]


def test_hw_tsc_has_the_column_source_twice(tmp_path: Path) -> None:
    text = (
        "source\tgood-translation\tincorrect-translation\treference\tphenomena\tsource\n"
        '有七只鸟。\t"Seven birds."\t"Nine birds."\tThere are 7 birds.\tNumber(Different Format)\tFlores\n'
    )
    file = folder_of(tmp_path, {"Set.TSV": text}) / "Set.TSV"
    (case,) = read_cases(file).cases
    assert (case.source, case.hypotheses[0].text) == ("有七只鸟。", '"Seven birds."')
    assert (case.labels, case.further) == (("Number(Different Format)",), (("source-2", "Flores"),))
    done = convert_file(file, tmp_path / "hw.jsonl", Additions(name="HW-TSC", langpair="zh-en"))
    assert (done.cases.langpair, read_challenge(tmp_path / "hw.jsonl").langpair) == ("zh-en", "zh-en")


def test_tables_of_wmt22_say_the_language_pair_in_their_own_column(tmp_path: Path) -> None:
    head = "translation-direction\tsource\tgood-translation\tincorrect-translation\treference\tphenomena\n"
    file = folder_of(tmp_path, {"s.tsv": head + "de-en\ta\tb\tc\td\te\n"}) / "s.tsv"
    assert read_challenge(file).langpair == "de-en"


def test_a_label_that_is_none_of_aces_is_its_own_category(tmp_path: Path) -> None:
    rows = [
        ACES_ROW | {"phenomena": label} for label in ("punctuation:deletion_all", "copy-source", "Number", "A :: B")
    ]
    file = folder_of(tmp_path, {"s.jsonl": "\n".join(map(json.dumps, rows))}) / "s.jsonl"
    assert [case.labels for case in read_cases(file).cases] == [
        ("punctuation", "punctuation:deletion_all"),
        ("untranslated", "copy-source"),
        ("Number",),
        ("A", "B"),
    ]


# --- DEMETR


def demetr(identity: int, text: str, wrong: str, **more: object) -> dict[str, object]:
    row = {"id": identity, "src_sent": "Ona śpi.", "eng_sent": "She is asleep.", "mt_sent": text, "pert_sent": wrong}
    row |= {"lang_tag": "polish", "data_source": "WMT", "pert_check": text != wrong, "severity": "critical"}
    return row | {"pert_id": 11, "pert_desc": "another gender", "pert_name": "critical_id11_gender"} | more


DEMETR = [demetr(1, "She sleeps.", "He sleeps."), demetr(2, "It rains.", "It rains.")]
REFERENCE = demetr(1, "She sleeps.", "She is asleep.", severity="base", pert_id=35, pert_name="base_id35_reference")


def test_demetr_leaves_out_what_was_not_perturbed(tmp_path: Path) -> None:
    file = folder_of(tmp_path, {"critical_id11_gender.json": json.dumps(DEMETR)}) / "critical_id11_gender.json"
    first, second = read_cases(file).cases
    assert (first.id, first.langpair, first.labels) == (
        "critical_id11_gender/1",
        "pl-en",
        ("critical", "critical_id11_gender"),
    )
    assert (first.relations, second.relations) == ((Ladder.parse("hyp-1 > hyp-2"),), ())
    assert dict(first.further)["pert_check"] is True
    assert [(item.id, item.right) for item in read_challenge(file).items] == [("critical_id11_gender/1", "She sleeps.")]


def test_demetr_is_a_folder_and_comes_back_as_it_was(tmp_path: Path) -> None:
    files = {"critical_id11_gender.json": json.dumps(DEMETR), "base_id35_reference.json": json.dumps([REFERENCE])}
    found = read_cases(folder_of(tmp_path / "dataset", files))
    assert [str(case.relations[0]) for case in found.cases if case.relations] == ["hyp-2 > hyp-1", "hyp-1 > hyp-2"]
    convert_file(tmp_path / "dataset", tmp_path / "all.json", format="demetr")
    again = json.loads((tmp_path / "all.json").read_text("utf-8"))
    assert again == [REFERENCE, *DEMETR]
    convert_file(tmp_path / "dataset", tmp_path / "all.jsonl")
    assert read_cases(tmp_path / "all.jsonl").cases == found.cases


def test_nothing_is_made_up_where_a_set_says_nothing(tmp_path: Path) -> None:
    cases = read_cases(wmt25(tmp_path / "s", hypotheses=2))
    with pytest.raises(BadOption, match="a DEMETR file says which translation is right"):
        write_cases(cases, tmp_path / "x.json", "demetr", lossy=True)
    with pytest.raises(BadOption, match="an ACES file says which translation is right"):
        write_cases(read_cases(wmt25(tmp_path / "t")), tmp_path / "x.tsv", "aces", lossy=True)
    first, second = cases.cases
    half = replace(cases, cases=(replace(first, relations=(Ladder.parse("hyp-2 > hyp-1"),)), second))
    write_cases(half, tmp_path / "x.json", "demetr", lossy=True)
    again = read_cases(tmp_path / "x.json").cases
    assert [[str(ladder) for ladder in case.relations] for case in again] == [["hyp-1 > hyp-2"], []]
    assert again[0].hypotheses[0].text == first.hypotheses[1].text


def test_what_is_not_demetr_or_has_more_is_named(tmp_path: Path) -> None:
    folder_of(tmp_path, {"x.json": "{}", "y.json": '[{"pert_sent": "x"}]'})
    with pytest.raises(BadFile, match=r"x\.json: not a challenge set; a \.json file is one of DEMETR"):
        read_cases(tmp_path / "x.json")
    with pytest.raises(BadFile, match=r"y\.json:1: 'src_sent' is missing"):
        read_cases(tmp_path / "y.json")
    with pytest.raises(BadOption, match="would be lost: challenge items that are not a translation and the same with"):
        convert_file(wmt25(tmp_path / "s"), tmp_path / "out.json", format="demetr")


# --- mt-metrics-eval


def tree(root: Path) -> Path:
    return folder_of(
        root,
        {
            "sources/en-de.txt": "One.\nTwo.\n",
            "documents/en-de.docs": "news doc1\nnews doc2\n",
            "references/en-de.refA.txt": "Eins.\nZwei.\n",
            "references/en-de.refB.txt": "Ein.\nZwo.\n",
            "system-outputs/en-de/NMT.txt": "Eins!\nZwei!\n",
            "system-outputs/en-de/LLM.txt": "1.\n2.\n",
            "system-outputs/en-de/refB.txt": "Ein.\nZwo.\n",
            "human-scores/en-de.mqm.seg.score": "NMT\t0\nNMT\t-5\nLLM\t-1\nLLM\tNone\n",
            "metric-scores/en-de/BLEU-refA.seg.score": "refB 1\nrefB 2\nLLM 3\nLLM 4\nNMT 5\nNMT 6\n",
        },
    )


def test_a_tree_with_systems_references_and_scores_by_people(tmp_path: Path) -> None:
    found = read_cases(tree(tmp_path / "wmt"))
    assert [hypothesis.name for hypothesis in found.cases[0].hypotheses] == ["LLM", "NMT", "refB"]
    assert [(case.reference, len(case.references), case.labels, case.document) for case in found.cases] == [
        ("Eins.", 2, ("news",), "doc1"),
        ("Zwei.", 2, ("news",), "doc2"),
    ]
    assert [[dict(one.human).get("mqm") for one in case.hypotheses] for case in found.cases] == [
        [-1, 0, None],
        [None, -5, None],
    ]
    metric = tmp_path / "wmt" / "metric-scores" / "en-de" / "BLEU-refA.seg.score"
    (bleu,) = read_case_scores(str(metric), found, lower_is_better=(), groups={})
    assert (bleu.name, bleu.values.tolist()) == ("BLEU", [3, 5, 1, 4, 6, 2])
    convert_file(tmp_path / "wmt", tmp_path / "again", format="mt-metrics-eval", scores=[str(metric)])
    again = read_cases(tmp_path / "again")
    assert again.cases == found.cases
    text = (tmp_path / "again/metric-scores/en-de/BLEU-refA.seg.score").read_text()
    assert text == "LLM\t3.0\nLLM\t4.0\nNMT\t5.0\nNMT\t6.0\nrefB\t1.0\nrefB\t2.0\n"


def test_scores_of_systems_as_wholes_are_not_left_out_in_silence(tmp_path: Path) -> None:
    folder_of(tree(tmp_path / "wmt"), {"human-scores/en-de.mqm.sys.score": "NMT 1\nLLM 2\n"})
    with pytest.raises(BadOption, match=r"would be lost: what is in human-scores/en-de\.mqm\.sys\.score; .* --lossy"):
        convert_file(tmp_path / "wmt", tmp_path / "x.jsonl")
    done = convert_file(tmp_path / "wmt", tmp_path / "x.jsonl", lossy=True)
    assert done.lost == ["what is in human-scores/en-de.mqm.sys.score"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("human-scores/en-de.mqm.seg.score", "XYZ 1\n", r"mqm\.seg\.score:1: no hypothesis 'XYZ'"),
        (
            "human-scores/en-de.mqm.seg.score",
            "NMT 1\n",
            r": 1 scores of NMT where 2 are expected; .* None where there is",
        ),
        ("human-scores/en-de.mqm.seg.score", "NMT 1\nNMT -inf\n", ":2: '-inf' is not a number"),
        ("documents/en-de.docs", "news doc1\n", r"en-de\.docs: 1 lines where en-de\.txt has 2"),
        ("system-outputs/en-de/LLM.txt", "1.\n", r"LLM\.txt: 1 lines where en-de\.txt has 2"),
    ],
)
def test_a_tree_that_does_not_fit_is_named(tmp_path: Path, name: str, text: str, problem: str) -> None:
    folder_of(tree(tmp_path), {name: text})
    with pytest.raises(BadFile, match=problem):
        read_cases(tmp_path)


# --- scores by id


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("1\thyp-1\t1\n1\thyp-1\t2\n", ":3: the score of line 2 once more; give every score once"),
        ("9\thyp-1\t1\n", ":2: the set has no hypothesis 'hyp-1' of '9'; leave out what is not in it"),
        ("1\thyp-1\t1\n", ": 1 of 6 scores, none for 'hyp-2' of '1'; write NaN where a metric has no score"),
    ],
)
def test_scores_by_id_that_do_not_fit_are_named(tmp_path: Path, rows: str, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        scores(tmp_path / "r", "id\thypothesis\tscore\n" + rows, wmt25(tmp_path / "s"))


def test_columns_of_numbers_for_any_number_of_hypotheses(tmp_path: Path) -> None:
    place = wmt25(tmp_path / "s")
    assert scores(tmp_path / "a", "1 2 3\n4 5 6\n", place).values.tolist() == [1, 2, 3, 4, 5, 6]
    assert scores(tmp_path / "b", "1\n4\n2\n5\n3\n6\n", place).values.tolist() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(
        BadFile, match="3 lines, and the set has 2 challenge items of 3 hypotheses; write 3 numbers on 2"
    ):
        scores(tmp_path / "c", "1\n2\n3\n", place)
