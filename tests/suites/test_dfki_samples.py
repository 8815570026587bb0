"""The older sample tables: TSV with repeated headers, CSV with a byte order mark and semicolons."""

from dataclasses import replace
from pathlib import Path

import pytest

from assay.errors import BadSuite
from assay.suites import dfki_samples
from assay.suites.load import load_suite, save_suite
from assay.suites.suite import Rule
from tests.suites.building import a_suite, an_item

TSV = (
    "Direction\tCategory\tPhenomenon\tSource\t"
    "Correct Translation\tCorrect Translation\tIncorrect Translation\tIncorrect Translation\n"
    "deen\tAmbiguity\tLexical ambiguity\tDie Bank ist nass.\tThe bench is wet.\t\tThe bank is wet.\tBank is wet.\n"
    "deen\tNegation\tNegation\tEr kommt nicht.\tHe isn't coming.\tHe won't come.\tHe comes.\t\n"
)

CSV = (
    "direction;category;phenomenon;source;correct;correct2;incorrect;incorrect2\r\n"
    'deen;Ambiguity;Lexical ambiguity;"Die Bank; sie ist nass.";The bench.;;The ""bank"".;\r\n'
)


def test_repeated_headers_are_several_translations(tmp_path: Path) -> None:
    (tmp_path / "sample.tsv").write_text(TSV, encoding="utf-8")
    suite = load_suite(tmp_path / "sample.tsv")
    assert (suite.name, suite.langpair, [item.id for item in suite]) == ("sample", "de-en", ["0001", "0002"])
    assert suite.items[0].rules == (
        Rule("pass", "exact", "The bench is wet."),
        Rule("fail", "exact", "The bank is wet."),
        Rule("fail", "exact", "Bank is wet."),
    )
    assert suite.items[1].place == f"{tmp_path / 'sample.tsv'}:3"


def test_a_csv_file_has_a_byte_order_mark_and_semicolons(tmp_path: Path) -> None:
    (tmp_path / "sample.csv").write_text("\ufeff" + CSV.replace('""bank""', "bank"), encoding="utf-8", newline="")
    suite = load_suite(tmp_path / "sample.csv")
    assert suite.items[0].source == "Die Bank; sie ist nass."
    assert [rule.value for rule in suite.items[0].rules] == ["The bench.", "The bank."]


@pytest.mark.parametrize(
    ("name", "pair"),
    [("sample.de-en.tsv", "de-en"), ("wmt.en-cs.v2.tsv", "en-cs"), ("it-de_CH.tsv", "it-de_CH"), ("sample.tsv", "")],
)
def test_without_a_direction_the_file_name_tells_the_pair(tmp_path: Path, name: str, pair: str) -> None:
    (tmp_path / name).write_text("category\tphenomenon\tsource\nA\tB\tEin Satz.\n", encoding="utf-8")
    assert load_suite(tmp_path / name).langpair == pair


@pytest.mark.parametrize("suffix", ["tsv", "csv"])
def test_a_table_written_and_read_is_the_same(tmp_path: Path, suffix: str) -> None:
    suite = a_suite(
        an_item("0001", 'Er sagte: "Nein;\tdoch".', *(Rule("pass", "exact", f"No; {n}\n\r'\"") for n in range(4))),
        an_item("0002", "Zwei.", Rule("fail", "exact", " Two\r")),
    )
    save_suite(suite, tmp_path / f"garden.{suffix}")
    assert load_suite(tmp_path / f"garden.{suffix}") == replace(suite, equal_sources="ids")


def test_a_written_csv_has_the_published_header(tmp_path: Path) -> None:
    save_suite(a_suite(an_item("0001")), tmp_path / "garden.csv")
    first = (tmp_path / "garden.csv").read_bytes().splitlines()[0]
    assert first == "\ufeffdirection;category;phenomenon;source;correct;correct2;incorrect;incorrect2".encode()


def test_a_written_tsv_has_the_published_header(tmp_path: Path) -> None:
    save_suite(a_suite(an_item("0001")), tmp_path / "garden.tsv")
    first = (tmp_path / "garden.tsv").read_text(encoding="utf-8").split("\n")[0].split("\t")
    assert first[4:] == ["Correct Translation"] * 2 + ["Incorrect Translation"] * 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("category\tsource\nA\tB\n", ":1: no column phenomenon"),
        ("category\tphenomenon\tsource\n", ": the suite has no items"),
        ("category\tphenomenon\tsource\nA\tB\tC\tD\n", ":2: 4 cells under 3 columns"),
        ("category\tphenomenon\tsource\nA\tB\tC\n\nA\tB\t \n", ":4: no source in this row"),
        ("direction\tcategory\tphenomenon\tsource\ndeen\tA\tB\tC\nende\tA\tB\tD\n", ": items of several language"),
        ('category\tphenomenon\tsource\nA\tB\t"Ein\nA\tB\tZwei\nA\tB\tDrei\n', ":"),
        ('category\tphenomenon\tsource\nA\tB\t"' + "Ein\n" * 50_000, ":"),
        ('category\tphenomenon\tsource\nA\tB\t"Ja", sagte er.\n', ":2: "),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "sample.tsv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadSuite) as caught:
        dfki_samples.read(file)
    assert str(caught.value).startswith(f"{file}{problem}")


def test_what_a_table_cannot_hold_is_listed() -> None:
    suite = a_suite(an_item("7", "Ein Satz.", Rule("pass", "regex", "x"), Rule("fail", "exact", "y")))
    assert dfki_samples.losses(suite) == ["1 × ids (rows are numbered)", "1 × regex and contains rules"]
    assert dfki_samples.losses(a_suite(an_item("0001", "Ein Satz.", Rule("fail", "exact", "y")))) == []


def test_a_blank_rule_is_kept_or_listed_as_lost(tmp_path: Path) -> None:
    suite = a_suite(an_item("0001", "Ein Satz.", Rule("fail", "exact", ""), Rule("fail", "exact", "y")))
    save_suite(suite, tmp_path / "garden.tsv", lossy=True)
    assert load_suite(tmp_path / "garden.tsv") == suite or dfki_samples.losses(suite)
