"""compare, years, items, report, and the statistics of evaluate, as a user runs them."""

import csv
import io
import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.campaigns import campaign, two_campaigns
from tests.conftest import Run
from tests.starter import AVERAGE, CAREFUL, LITERAL, STARTER
from tests.suites.building import listing


def cells(text: str, label: str) -> list[str]:
    """The cells of a line of a table on the terminal."""
    [line] = [line for line in text.split("\n") if line.startswith(f"{label}  ")]
    return line.removeprefix(label).split()


class TestCompare:
    def test_shows_every_row_with_its_change(self, assay: Run) -> None:
        out = assay("compare", STARTER, AVERAGE, CAREFUL).stdout
        assert out.startswith("careful is better than average: 2 items lost, 20 gained, p < 0.001; best in ")
        assert "\nassay-de-en: average → careful, accuracy in per cent\n" in out
        # 58 and 76 of 83 items; 2 items lost and 20 gained, p = P(X ≥ 20 of 22) = 254/2²² < 0.001
        assert cells(out, "micro-average")[:-1] == ["83", "69.9", "91.6", "+21.7▲", "2", "20", "<0.001"]
        assert cells(out, "Subordination") == ["6", "100.0", "100.0", "+0.0", "0", "0", "1.000", "–"]

    def test_lists_the_items_that_only_one_got_right(self, assay: Run) -> None:
        out = assay("compare", STARTER, AVERAGE, CAREFUL).stdout
        lost, _, gained = out.partition("Only average got these right (2):\n")[2].partition("\nOnly careful got these")
        lost = lost.partition("\n\n")[0]
        assert lost.count("✓ average: ") == lost.count("✗ careful: ") == 2
        assert gained.count("✓ careful: ") == 10
        assert "… and 10 more (--limit 0 shows all)\n" in gained

    @pytest.mark.parametrize(("limit", "shown"), [("0", 20), ("1", 1), ("50", 20)])
    def test_limit(self, assay: Run, limit: str, shown: int) -> None:
        out = assay("compare", STARTER, AVERAGE, CAREFUL, "--limit", limit).stdout
        assert out.count("✓ careful: ") == shown
        assert ("more (--limit 0 shows all)" in out) == (shown < 20)

    def test_markdown_is_for_a_pull_request(self, assay: Run, tmp_path: Path) -> None:
        done = assay("compare", STARTER, AVERAGE, CAREFUL, "-o", "regression.md")
        text = (tmp_path / "regression.md").read_text(encoding="utf-8")
        assert text.startswith("### Assay: average → careful\n")
        assert text.count("<details>") == text.count("</details>") >= 2
        assert "| micro-average | 83 | 69.9 | 91.6 | **+21.7▲** | 2 | 20 |" in text
        assert "| Ambiguity |" not in text  # it did not change significantly
        assert done.stdout.startswith("regression.md: careful is better than average: 2 items lost, 20 gained")

    def test_a_page_with_the_gate_the_answer_and_the_items(self, assay: Run, tmp_path: Path) -> None:
        assay("compare", STARTER, CAREFUL, AVERAGE, "--fail-on-regression", "--limit", "1", "-o", "r.html", code=1)
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        assert re.search(r'<p class="alarm">FAILED: .*20 items lost and 2 gained', page)
        assert '<p class="finding">average is worse than careful: 20 items lost, 2 gained, p &lt; 0.001' in page
        assert "Only careful got these right (20)" in page
        assert re.search(r"<span class=\"quiet\">careful</span> .*<mark>.+</mark>", page)
        assert "At most 1 item is shown in each section" in page
        assert "http" not in page.replace("http-equiv", "")

    def test_json_holds_the_rows_and_the_items(self, assay: Run) -> None:
        data = json.loads(assay("compare", STARTER, AVERAGE, CAREFUL, "-f", "json", "--by", "both").stdout)
        assert (data["first"], data["second"], data["items"]) == ("average", "careful", 83)
        assert (len(data["lost"]), len(data["gained"])) == (2, 20)
        [micro] = [row for row in data["rows"] if row["level"] == "micro"]
        assert (micro["first"], micro["second"]) == (58 / 83, 76 / 83)
        assert micro["p"] == pytest.approx((231 + 22 + 1) / 2**22)  # 20, 21 or 22 of 22 coins
        assert {row["outcome"] for row in data["rows"]} == {"better", "same"}
        assert {"item", "category", "phenomenon", "source", "first", "second"} == set(data["lost"][0])

    @pytest.mark.parametrize(
        ("outputs", "code"), [((CAREFUL, AVERAGE), 1), ((AVERAGE, CAREFUL), 0), ((AVERAGE, LITERAL), 1)]
    )
    def test_fail_on_regression(self, assay: Run, tmp_path: Path, outputs: tuple[Path, Path], code: int) -> None:
        options = ("--fail-on-regression", "--max-undecided", "5", "-o", "r.json")
        assay("compare", STARTER, *outputs, *options, code=code)
        data = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
        assert any(row["outcome"] == "worse" for row in data["rows"]) == (code == 1)
        assert data["correction"] == "holm"

    def test_fail_on_regression_takes_the_correction_given(self, assay: Run) -> None:
        done = assay(
            "compare", STARTER, CAREFUL, AVERAGE, "--fail-on-regression", "--correction", "bh", "--notes", code=1
        )
        assert "|correction:bh|" in done.stdout

    def test_the_gate_says_why_in_one_sentence(self, assay: Run, tmp_path: Path) -> None:
        """What a test of rows cannot see: a third of the outputs is empty."""
        lines = CAREFUL.read_text("utf-8").splitlines()
        broken = [
            f"{line.split(chr(9))[0]}\t" if number and number % 3 == 0 else line for number, line in enumerate(lines)
        ]
        (tmp_path / "broken.tsv").write_text("\n".join(broken) + "\n", encoding="utf-8")
        args = ("compare", STARTER, CAREFUL, "broken.tsv", "--fail-on-regression", "--junit", "gate.xml")
        out = assay(*args, code=1).stdout
        assert re.match(r"FAILED: \d+ outputs are newly missing\.\n! Missing outputs, of \d+: broken \d+\.\n", out)
        assert 'failures="1"' in (tmp_path / "gate.xml").read_text("utf-8")
        (tmp_path / "same.tsv").write_bytes(CAREFUL.read_bytes())
        out = assay("compare", STARTER, CAREFUL, "same.tsv", "--fail-on-regression").stdout
        assert out.startswith("PASSED: ")

    def test_without_it_the_exit_code_is_0(self, assay: Run) -> None:
        assert "|correction:none|" in assay("compare", STARTER, CAREFUL, AVERAGE, "--notes").stdout

    def test_the_same_file_name_is_before_and_after(self, assay: Run, tmp_path: Path) -> None:
        for folder, path in (("old", AVERAGE), ("new", CAREFUL)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "model.tsv").write_bytes(path.read_bytes())
        out = assay("compare", STARTER, "old/model.tsv", "new/model.tsv").stdout
        assert out.startswith("model after is better than model before: ")

    def test_two_of_several_systems(self, assay: Run) -> None:
        out = assay("compare", STARTER, AVERAGE, CAREFUL, LITERAL, "--systems", "literal,careful").stdout
        assert "\ncareful is better than literal: " in out


class TestYears:
    def test_shows_returning_systems_and_the_best_of_each_campaign(self, assay: Run, tmp_path: Path) -> None:
        out = assay("years", STARTER, *two_campaigns(tmp_path)).stdout
        # Of 81 items literal has 33 right, average 57, careful 74; Beta (average) and Gamma (careful) were the best.
        assert cells(out, "micro-average") == ["81", "40.7", "70.4▲", "70.4", "91.4▲"]
        assert "Beta (W24), Gamma (W25)." in out

    def test_differences(self, assay: Run, tmp_path: Path) -> None:
        out = assay("years", STARTER, *two_campaigns(tmp_path), "--diff", "W24", "W25").stdout
        assert cells(out, "micro-average") == ["81", "+29.6▲", "+29.6"]  # (57 − 33)/81

    @pytest.mark.parametrize(
        ("suffix", "start"), [("md", "**assay-de-en"), ("csv", "category,items,Alpha W24"), ("tex", "% Needs")]
    )
    def test_writes_tables(self, assay: Run, tmp_path: Path, suffix: str, start: str) -> None:
        done = assay("years", STARTER, *two_campaigns(tmp_path), "-o", f"years.{suffix}")
        assert done.stdout == f"years.{suffix}: 1 returning systems, 81 items count\n"
        assert (tmp_path / f"years.{suffix}").read_text(encoding="utf-8").startswith(start)

    def test_json(self, assay: Run, tmp_path: Path) -> None:
        data = json.loads(
            assay("years", STARTER, *two_campaigns(tmp_path), "-f", "json", "--correction", "holm").stdout
        )
        assert (data["campaigns"], data["returning"], data["items"]) == (["W24", "W25"], ["Alpha"], 81)
        assert "correction:holm" in data["signature"].split("|")
        micro = next(row for row in data["rows"] if row["level"] == "micro")
        assert [(cell["system"], cell["campaign"], cell["trend"]) for cell in micro["cells"]] == [
            ("Alpha", "W24", ""),
            ("Alpha", "W25", "gain"),
            ("Beta", "W24", ""),
            ("Gamma", "W25", "gain"),
        ]

    def test_aliases_join_systems_that_changed_their_name(self, assay: Run, tmp_path: Path) -> None:
        first = campaign(tmp_path, "W24", f"Alpha={LITERAL}")
        second = campaign(tmp_path, "W25", f"Alpha-2={AVERAGE}")
        (tmp_path / "aliases.yaml").write_text("systems: {Alpha-2: Alpha}\n", encoding="utf-8")
        assert "Alpha W25" in re.sub(
            r"\s+", " ", assay("years", STARTER, first, second, "--aliases", "aliases.yaml", "-f", "markdown").stdout
        )


class TestAgeing:
    def test_answers_first_and_names_the_command_that_mends(self, assay: Run, tmp_path: Path) -> None:
        out = assay("years", STARTER, *two_campaigns(tmp_path), "--ageing").stdout
        answer, table = out.split("\n\n", 1)
        assert answer.startswith("The rules have ")
        assert re.sub(r"\s+", " ", answer).endswith(f"assay warnings {STARTER} W25.yaml -o todo.xlsx")
        assert table.startswith(
            "assay-de-en (de-en): items that count, and outputs that the rules decide in per cent\n"
        )
        assert out.splitlines()[-1].startswith("Signature: assay:")

    def test_the_command_that_it_names_can_be_run(self, assay: Run, tmp_path: Path) -> None:
        answer, _ = assay("years", STARTER, *two_campaigns(tmp_path), "--ageing").stdout.split("\n\n", 1)
        words = shlex.split(re.sub(r"\s+", " ", answer).partition("first: assay ")[2])
        assert assay(*words).stdout.startswith("todo.xlsx: ")

    def test_one_campaign_shows_no_trend(self, assay: Run, tmp_path: Path) -> None:
        first, _ = two_campaigns(tmp_path)
        out = assay("years", STARTER, first, "--ageing").stdout
        assert "one campaign shows no trend" in re.sub(r"\s+", " ", out)
        assert "change" not in out.partition("items  count  rules")[0].splitlines()[-1]

    @pytest.mark.parametrize(
        ("suffix", "start"),
        [
            ("md", b"**The rules have "),
            ("csv", b"level,category,phenomenon,items,campaign,found,"),
            ("tex", b"% Needs"),
            ("html", b"<!DOCTYPE html>"),
            ("json", b"{"),
            ("svg", b"<svg"),
            ("png", b"\x89PNG"),
            ("pdf", b"%PDF"),
        ],
    )
    def test_writes_every_format(self, assay: Run, tmp_path: Path, suffix: str, start: bytes) -> None:
        done = assay("years", STARTER, *two_campaigns(tmp_path), "--ageing", "-o", f"ageing.{suffix}")
        assert done.stdout.startswith(f"ageing.{suffix}: The rules have ")
        assert (tmp_path / f"ageing.{suffix}").read_bytes().startswith(start)

    def test_the_same_by_several_processes(self, assay: Run, tmp_path: Path) -> None:
        given = ["years", STARTER, *two_campaigns(tmp_path), "--ageing", "-f", "json"]
        assert assay(*given, "--jobs", "2").stdout == assay(*given).stdout


class TestItems:
    def test_shows_the_most_doubtful_first(self, assay: Run) -> None:
        out = assay("items", STARTER, AVERAGE, CAREFUL, LITERAL, "-f", "csv", "--limit", "0").stdout
        rows = list(csv.DictReader(io.StringIO(out)))
        assert len(rows) == 81
        known = [float(row["discrimination"]) for row in rows if row["discrimination"]]
        assert known == sorted(known)
        assert all(not row["discrimination"] for row in rows[len(known) :])

    def test_limit_and_notes(self, assay: Run) -> None:
        out = assay("items", STARTER, AVERAGE, CAREFUL, LITERAL, "--limit", "3").stdout
        rows = re.findall(r"^[a-z-]+/\S+ ", out, re.M)
        assert len(rows) == 3
        for word in ("Saturated", "Suspicious", "Contrary"):
            assert f"\n{word}, " in out

    def test_a_file_has_all_items(self, assay: Run, tmp_path: Path) -> None:
        assert (
            assay("items", STARTER, AVERAGE, CAREFUL, "-o", "items.csv", "--limit", "3").stdout
            == "items.csv: 83 items\n"
        )
        assert len((tmp_path / "items.csv").read_text(encoding="utf-8").splitlines()) == 84


class TestReport:
    def test_writes_a_folder_and_says_where_to_begin(self, assay: Run, tmp_path: Path) -> None:
        out = assay("report", STARTER, AVERAGE, CAREFUL, "-o", "report", "--no-figures").stdout
        count = sum(content is not None for content in listing(tmp_path / "report").values())
        assert out == f"report: {count} files; open report/index.html\n"

    def test_several_campaigns(self, assay: Run, tmp_path: Path) -> None:
        assay("report", STARTER, *two_campaigns(tmp_path), "-o", "report", "--no-figures", "--exclude", "Gamma")
        assert {path.name for path in (tmp_path / "report").iterdir()} >= {"w24", "w25", "tables", "index.html"}


class TestEvaluate:
    @pytest.mark.parametrize("test", ["ztest", "mcnemar", "bootstrap", "randomization"])
    def test_every_test_has_its_p_and_its_name_in_the_signature(self, assay: Run, test: str) -> None:
        data = json.loads(
            assay("evaluate", STARTER, AVERAGE, CAREFUL, "--test", test, "--draws", "200", "-f", "json").stdout
        )
        [micro] = [row for row in data["rows"] if row["level"] == "micro"]
        best, other = micro["cells"]
        assert (best["system"], best["p"], best["first_cluster"]) == ("careful", None, True)
        assert other["p"] < 0.05
        assert not other["first_cluster"]
        assert f"test:{test}" in data["signature"].split("|")
        assert ("draws:200" in data["signature"].split("|")) == (test != "ztest")

    def test_the_same_seed_gives_the_same_file(self, assay: Run) -> None:
        arguments = ("evaluate", STARTER, AVERAGE, CAREFUL, "--test", "bootstrap", "--draws", "300", "-f", "json")
        assert assay(*arguments).stdout == assay(*arguments).stdout
        assert assay(*arguments).stdout != assay(*arguments, "--seed", "2").stdout

    @pytest.mark.parametrize("correction", ["holm", "bh"])
    def test_a_correction_can_only_enlarge_clusters(self, assay: Run, correction: str) -> None:
        plain, corrected = (
            json.loads(assay("evaluate", STARTER, AVERAGE, CAREFUL, LITERAL, "--correction", name, "-f", "json").stdout)
            for name in ("none", correction)
        )
        grown = 0
        for before, after in zip(plain["rows"], corrected["rows"], strict=True):
            for one, other in zip(before["cells"], after["cells"], strict=True):
                assert one["first_cluster"] <= other["first_cluster"]
                grown += one["p"] != other["p"]
        assert grown

    def test_scores_stand_under_the_systems_with_correlations(self, assay: Run, tmp_path: Path) -> None:
        (tmp_path / "scores.tsv").write_text(
            "system\tname\tvalue\naverage\tBLEU\t28.5\ncareful\tBLEU\t33\nliteral\tBLEU\t17\n", encoding="utf-8"
        )
        out = assay("evaluate", STARTER, AVERAGE, CAREFUL, LITERAL, "--scores", "scores.tsv").stdout
        assert cells(out, "BLEU") == ["33", "28.5", "17"]
        assert cells(out, "micro-average")[-1] == "1.00"  # the same order of three systems
        assert "Spearman" in out

    def test_exclude(self, assay: Run) -> None:
        data = json.loads(
            assay("evaluate", STARTER, AVERAGE, CAREFUL, LITERAL, "--exclude", "lit*", "-f", "json").stdout
        )
        assert data["columns"] == ["careful", "average"]
        assert data["items"]["counted"] == 83  # as if literal had not been given

    def test_merge_identical(self, assay: Run, tmp_path: Path) -> None:
        (tmp_path / "twin.tsv").write_bytes(AVERAGE.read_bytes())
        arguments = ("evaluate", STARTER, AVERAGE, CAREFUL, "twin.tsv", "-f", "json")
        apart, together = (
            json.loads(assay(*arguments).stdout),
            json.loads(assay(*arguments, "--merge-identical").stdout),
        )
        assert apart["columns"] == ["careful", "average", "twin"]
        assert apart["not_independent"] == [{"systems": ["average", "twin"], "share": 1.0}]
        assert together["columns"] == ["careful", "average = twin"]
        assert "merge:identical" in together["signature"].split("|")
