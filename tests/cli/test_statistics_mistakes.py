"""What compare, years, items, report and the statistics of evaluate refuse: one line each, and nothing written."""

import csv
import io
import re
from pathlib import Path

import pytest

from assay.suites import load_suite
from tests.cli.campaigns import campaign, two_campaigns
from tests.conftest import Refused, Run
from tests.starter import AVERAGE, CAREFUL, LITERAL, STARTER


def part(folder: Path, name: str, path: Path, places: slice) -> str:
    """A table of outputs with some of its lines."""
    header, *lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / name).write_text("".join([header, *lines[places]]), encoding="utf-8")
    return name


class TestRefused:
    @pytest.mark.parametrize("policy", ["fair", "own"])
    def test_systems_that_share_no_items(self, refused: Refused, tmp_path: Path, policy: str) -> None:
        first, second = (
            part(tmp_path, "one.tsv", AVERAGE, slice(0, 40)),
            part(tmp_path, "two.tsv", CAREFUL, slice(40, 94)),
        )
        message = refused("compare", STARTER, first, second, "--policy", policy, "-o", "r.md")
        assert message.startswith("the two systems share no items that count; ")

    @pytest.mark.parametrize("policy", ["fair", "own", "strict"])
    def test_a_campaign_without_overlap(self, refused: Refused, tmp_path: Path, policy: str) -> None:
        first = campaign(tmp_path, "W24", f"A={part(tmp_path, 'one.tsv', AVERAGE, slice(0, 40))}")
        second = campaign(tmp_path, "W25", f"A={part(tmp_path, 'two.tsv', AVERAGE, slice(40, 94))}")
        message = refused("years", STARTER, first, second, "--policy", policy, "-o", "years.md")
        assert re.match(r"no item .* all campaigns \(W24, W25\)", message)

    def test_an_alias_in_a_campaign_file_that_names_nobody(self, refused: Refused, tmp_path: Path) -> None:
        first = campaign(tmp_path, "W24", f"Alpha={LITERAL}")
        second = campaign(tmp_path, "W25", f"Alpha-2={AVERAGE}", more="aliases: {Alpa-2: Alpha}\n")
        message = refused("years", STARTER, first, second, "-o", "years.md")
        assert "no system 'Alpa-2'; did you mean Alpha-2?" in message

    @pytest.mark.parametrize("command", ["years", "report"])
    def test_an_alias_file_that_names_nobody(self, refused: Refused, tmp_path: Path, command: str) -> None:
        (tmp_path / "aliases.yaml").write_text("systems: {Alpa: Beta}\n", encoding="utf-8")
        target = "years.md" if command == "years" else "report"
        message = refused(command, STARTER, *two_campaigns(tmp_path), "--aliases", "aliases.yaml", "-o", target)
        assert message.startswith("no system 'Alpa'; did you mean Alpha?")

    def test_campaigns_in_which_nobody_returns(self, refused: Refused, tmp_path: Path) -> None:
        files = [campaign(tmp_path, "W24", f"A={LITERAL}"), campaign(tmp_path, "W25", f"B={AVERAGE}")]
        assert refused("years", STARTER, *files).startswith(
            "no system takes part in two campaigns under the same name; "
        )
        assert refused("report", STARTER, *files, "-o", "report", "--no-figures").startswith(
            "no system takes part in two campaigns"
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["W24.yaml"], "years needs at least two campaigns; there is only W24"),
            ([str(AVERAGE), str(CAREFUL)], f"{AVERAGE}: years takes campaign files (YAML"),
            (["W24.yaml", "W25.yaml", "--diff", "W24", "W26"], "no campaign 'W26'; did you mean "),
            (["W24.yaml", "W25.yaml", "-o", "years.html"], "years.html: the suffix names no format; "),
            (["W24.yaml", "W25.yaml", "-o", "years"], "years: the suffix names no format; "),
            (["W24.yaml", "W25.yaml", "--systems", "Beta"], "years needs at least two campaigns; there is only W24"),
        ],
    )
    def test_years(self, refused: Refused, tmp_path: Path, arguments: list[str], message: str) -> None:
        two_campaigns(tmp_path)
        assert refused("years", STARTER, *arguments).startswith(message)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ["W24.yaml", "W25.yaml", "--diff", "W24", "W25"],
                "--ageing counts under the policy fair and tests nothing; ",
            ),
            (
                ["W24.yaml", "--test", "ztest", "--seed", "1"],
                "--ageing counts under the policy fair and tests nothing; leave --test, --seed out",
            ),
            ([str(AVERAGE)], f"{AVERAGE}: years takes campaign files (YAML"),
            (["W24.yaml", "-f", "png"], "a picture needs a file: -o ageing.png"),
            (["W24.yaml", "-o", "a.svg"], "a figure of a trend needs two campaigns; there is only W24"),
            (["W24.yaml", "-o", "a.xlsx"], "a.xlsx: the suffix names no format; "),
            (["W24.yaml", "-o", "W24.yaml", "-f", "json"], "W24.yaml is read in this run; "),
            (["W24.yaml", "--systems", "Nobody"], "no system 'Nobody'; there are: Alpha, Beta"),
        ],
    )
    def test_ageing(self, refused: Refused, tmp_path: Path, arguments: list[str], message: str) -> None:
        two_campaigns(tmp_path)
        assert refused("years", STARTER, "--ageing", *arguments).startswith(message)

    def test_formats_that_only_ageing_has(self, refused: Refused, tmp_path: Path) -> None:
        message = refused("years", STARTER, *two_campaigns(tmp_path), "-f", "html")
        assert (
            message
            == "years without --ageing cannot be written as html; choose one of table, markdown, latex, csv, json"
        )

    @pytest.mark.parametrize("alpha", ["0", "1", "-0.05", "1.5", "nan"])
    @pytest.mark.parametrize("command", ["compare", "years", "report"])
    def test_alpha_outside_0_and_1(self, refused: Refused, tmp_path: Path, command: str, alpha: str) -> None:
        outputs: dict[str, list[str | Path]] = {
            "compare": [AVERAGE, CAREFUL, "-o", "r.md"],
            "years": [*two_campaigns(tmp_path), "-o", "r.md"],
            "report": [AVERAGE, "-o", "report"],
        }
        message = refused(command, STARTER, *outputs[command], f"--alpha={alpha}")
        assert "it must lie between 0 and 1" in message

    @pytest.mark.parametrize(
        ("target", "message"),
        [
            ("file.txt", "file.txt: a file stands where a folder is to be written; "),
            ("file.txt/report", "file.txt/report: cannot be written ("),
            ("full", "full: the folder is not empty; "),
            (".", ".: this folder is in use; "),
        ],
    )
    def test_a_folder_that_cannot_be_written(self, refused: Refused, tmp_path: Path, target: str, message: str) -> None:
        (tmp_path / "file.txt").write_text("mine\n", encoding="utf-8")
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "mine.txt").touch()
        assert refused("report", STARTER, AVERAGE, "-o", target, "--no-figures").startswith(message)

    @pytest.mark.parametrize("command", ["compare", "items"])
    def test_a_file_that_cannot_be_written(self, refused: Refused, command: str) -> None:
        assert refused(command, STARTER, AVERAGE, CAREFUL, "-o", "nowhere/r.md").startswith(
            "nowhere/r.md: cannot be written"
        )

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (["nobody\tBLEU\t30"], "no system 'nobody'; there are: average, careful"),
            (["average\tBLEU\tgood"], "scores.tsv:2: 'good' is not a number; "),
            (["careful\tBLEU\t1", "average\tBLEU\t"], "scores.tsv:3: '' is not a number; "),
            (["average\tBLEU\tnan"], "scores.tsv:2: 'nan' is not a number; "),
            (["average\tBLEU\tinf"], "scores.tsv:2: 'inf' is not a number; "),
            (["average\tBLEU\t30", "average\tBLEU\t31"], "scores.tsv:3: 'BLEU' of 'average' stands twice"),
            (["average\tBLEU"], "scores.tsv:2: 2 cells under 3 columns; "),
            ([], "scores.tsv: no scores"),
        ],
    )
    @pytest.mark.parametrize("command", ["evaluate", "report"])
    def test_scores(self, refused: Refused, tmp_path: Path, command: str, lines: list[str], message: str) -> None:
        (tmp_path / "scores.tsv").write_text("\n".join(["system\tname\tvalue", *lines, ""]), encoding="utf-8")
        target = "table.md" if command == "evaluate" else "report"
        found = refused(command, STARTER, AVERAGE, CAREFUL, "--scores", "scores.tsv", "-o", target)
        assert found.startswith(message)

    @pytest.mark.parametrize(
        ("format", "start"), [("json", "no system 'nobody'"), ("html", "scores cannot be written")]
    )
    def test_scores_are_not_passed_over(self, refused: Refused, tmp_path: Path, format: str, start: str) -> None:
        (tmp_path / "scores.tsv").write_text("system\tname\tvalue\nnobody\tBLEU\t30\n", encoding="utf-8")
        message = refused("evaluate", STARTER, AVERAGE, "--scores", "scores.tsv", "-o", f"r.{format}")
        assert message.startswith(start)

    def test_scores_without_the_columns(self, refused: Refused, tmp_path: Path) -> None:
        (tmp_path / "scores.tsv").write_text("system\tBLEU\naverage\t30\n", encoding="utf-8")
        assert refused("evaluate", STARTER, AVERAGE, "--scores", "scores.tsv").startswith(
            "scores.tsv:1: no column 'name'; "
        )

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["compare", STARTER, str(AVERAGE)], "a comparison needs exactly two systems, not 1 (average)"),
            (
                ["compare", STARTER, str(AVERAGE), str(CAREFUL), str(LITERAL)],
                "a comparison needs exactly two systems, not 3",
            ),
            (
                ["compare", STARTER, str(AVERAGE), str(CAREFUL), "--systems", "average"],
                "--systems must name two systems",
            ),
            (
                ["compare", STARTER, str(AVERAGE), str(CAREFUL), "--systems", "average,carful"],
                "no system 'carful'; did you",
            ),
            (["items", STARTER, str(AVERAGE), "-o", "items.json"], "items.json: the suffix names no format; "),
            (["report", STARTER, str(AVERAGE), "-o", "r", "--examples", "Rhyme"], "no phenomenon 'Rhyme'; "),
            (["evaluate", STARTER, str(AVERAGE), "--exclude", "avrage"], "no system 'avrage'; did you mean average?"),
        ],
    )
    def test_names_and_suffixes(self, refused: Refused, arguments: list[str], message: str) -> None:
        assert refused(*arguments).startswith(message)

    @pytest.mark.parametrize("suffix", ["csv", "tex"])
    def test_a_suffix_that_compare_cannot_write(self, refused: Refused, suffix: str) -> None:
        refused("compare", STARTER, AVERAGE, CAREFUL, "-o", f"r.{suffix}")

    @pytest.mark.parametrize("command", ["compare", "items"])
    def test_a_file_that_is_read_is_not_written(self, refused: Refused, tmp_path: Path, command: str) -> None:
        for path in (AVERAGE, CAREFUL):
            rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8")), dialect="excel-tab")
            texts = {row["item"]: row["text"] for row in rows}
            lines = [texts[item.id] + "\n" for item in load_suite(STARTER)]
            (tmp_path / f"{path.stem}.txt").write_text("".join(lines), encoding="utf-8")
        message = refused(command, STARTER, "average.txt", "careful.txt", "-o", "careful.txt")
        assert message.startswith("careful.txt is read in this run; ")

    def test_all_systems_excluded(self, refused: Refused) -> None:
        for command in (["evaluate"], ["report", "-o", "r"]):
            message = refused(*command, STARTER, AVERAGE, "--exclude", "*")
            assert "translated the suite" not in message
            assert "campaign" not in message

    @pytest.mark.parametrize("command", ["compare", "items"])
    def test_a_negative_limit(self, assay: Run, command: str) -> None:
        assert assay(command, STARTER, AVERAGE, CAREFUL, "--limit", "-1", code=2).stdout == ""
