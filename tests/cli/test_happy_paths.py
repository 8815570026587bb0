"""Every command on the bundled suite, as a user runs it."""

import csv
import gzip
import io
import json
import re
from pathlib import Path

import openpyxl
import pytest

from assay.outputs.sources import source_line
from assay.suites import load_suite
from tests.conftest import Refused, Run
from tests.starter import CAREFUL, LITERAL, OUTPUTS, STARTER, SUITE


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))


def plain_text(path: Path, target: Path) -> Path:
    """A table of outputs as plain lines in suite order."""
    texts = {row["item"]: row["text"] for row in rows(path)}
    target.write_text("".join(texts[item.id] + "\n" for item in SUITE), encoding="utf-8")
    return target


# suite


def test_suite_list_names_the_bundled_suites(assay: Run) -> None:
    number = len(load_suite("de-en"))
    assert re.search(
        rf"^de-en  \S+  {number:,} items, .* outputs of 3 demo systems$", assay("suite", "list").stdout, re.M
    )


def test_suite_sources_are_in_suite_order(assay: Run, tmp_path: Path) -> None:
    done = assay("suite", "sources", STARTER, "-o", "sources.txt")
    assert done.stdout == f"sources.txt: {len(SUITE)} sources\n"
    lines = (tmp_path / "sources.txt").read_text(encoding="utf-8").split("\n")
    assert lines == [*(source_line(item.source) for item in SUITE), ""]


def test_suite_convert_keeps_a_native_suite_as_it_is(assay: Run, tmp_path: Path) -> None:
    assay("suite", "convert", STARTER, "-o", "copy/")
    assert load_suite(tmp_path / "copy") == SUITE


def test_suite_convert_says_what_a_poorer_format_leaves_out(assay: Run, tmp_path: Path) -> None:
    done = assay("suite", "convert", STARTER, "-o", "items.json", "--lossy")
    assert done.stdout.startswith(f"items.json: {len(SUITE)} items\n  left out or changed: ")
    assert len(load_suite(tmp_path / "items.json")) == len(SUITE)


def test_suite_convert_renames(assay: Run, tmp_path: Path) -> None:
    (tmp_path / "aliases.yaml").write_text("categories: {MWE: Multi-word expressions}\n", encoding="utf-8")
    assay("suite", "convert", STARTER, "-o", "copy", "--aliases", "aliases.yaml")
    assert "Multi-word expressions" in load_suite(tmp_path / "copy").taxonomy


def test_suite_stats_counts_items(assay: Run) -> None:
    out = assay("suite", "stats", STARTER).stdout
    assert "Lexical ambiguity" in out
    assert str(len(SUITE)) in out


# evaluate


def test_evaluate_prints_a_table(assay: Run) -> None:
    out = assay("evaluate", STARTER, CAREFUL, LITERAL).stdout
    assert re.search(r"^category +items +careful +literal +mean$", out, re.M)
    assert re.search(r"^micro-average +\d+ +\d", out, re.M)


def test_evaluate_says_what_was_found_before_the_table(assay: Run) -> None:
    out = assay("evaluate", STARTER, CAREFUL, LITERAL).stdout
    assert out.index("careful (") < out.index("FAIL  ") < out.index("accuracy in per cent")
    assert "all of them: assay examples " in out
    assert "Signature: assay:" not in out
    assert "Signature: assay:" in assay("evaluate", STARTER, CAREFUL, LITERAL, "--notes").stdout
    quiet = assay("evaluate", STARTER, CAREFUL, LITERAL, "--quiet").stdout
    assert quiet.startswith("assay-de-en (de-en): accuracy in per cent\n")
    assert quiet.rstrip().split("\n")[-1].startswith("warnings ")


def test_of_one_system_there_are_intervals_and_no_stars(assay: Run) -> None:
    out = assay("evaluate", STARTER, CAREFUL).stdout
    assert re.match(r"careful on assay-de-en: [\d.]+ % right \(95 % interval ", out)
    assert re.search(r"^category +items +careful +95 %$", out, re.M)
    assert "*" not in out


def test_fail_under(assay: Run, tmp_path: Path) -> None:
    out = assay("evaluate", STARTER, CAREFUL, "--fail-under", "50").stdout
    assert out.split("\n")[-2].startswith("PASSED: careful ")
    out = assay("evaluate", STARTER, LITERAL, "--fail-under", "80", "--junit", "gate.xml", code=1).stdout
    assert "FAILED: literal has " in out
    assert '<testcase classname="assay" name="all items">' in (tmp_path / "gate.xml").read_text("utf-8")


# examples


def test_examples_are_grouped_and_marked(assay: Run) -> None:
    out = assay("examples", STARTER, CAREFUL, LITERAL, "--limit", "2").stdout
    assert out.count("FAIL  ") == 2
    assert ">>" in out
    assert out.endswith("; --limit 0 shows all)\n")


@pytest.mark.parametrize(
    ("name", "start"), [("e.md", "**assay-de-en: examples**"), ("e.tex", "% Needs"), ("e.jsonl", '{"item": ')]
)
def test_examples_in_files(assay: Run, tmp_path: Path, name: str, start: str) -> None:
    assay("examples", STARTER, CAREFUL, LITERAL, "-o", name)
    text = (tmp_path / name).read_text("utf-8")
    assert text.startswith(start)
    assert "\ue000" not in text
    assert "57344" not in text


def test_the_formats_tell_the_same_numbers(assay: Run) -> None:
    found = json.loads(assay("evaluate", STARTER, CAREFUL, LITERAL, "-f", "json").stdout)
    micro = next(row for row in found["rows"] if row["level"] == "micro")
    shown = [f"{100 * cell['accuracy']:.1f}" for cell in micro["cells"]]
    assert found["columns"] == ["careful", "literal"]
    table = assay("evaluate", STARTER, CAREFUL, LITERAL).stdout
    markdown = assay("evaluate", STARTER, CAREFUL, LITERAL, "-f", "markdown").stdout
    for text in (table, markdown):
        line = next(line for line in text.split("\n") if "micro-average" in line)
        assert re.findall(r"\d+\.\d", line)[:2] == shown
    lines = list(csv.DictReader(io.StringIO(assay("evaluate", STARTER, CAREFUL, LITERAL, "-f", "csv").stdout)))
    assert [float(line["accuracy"]) for line in lines if line["level"] == "micro"] == [
        cell["accuracy"] for cell in micro["cells"]
    ]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("r.json", "{"),
        ("r.csv", "level,category,"),
        ("r.md", "**careful on assay-de-en"),
        ("r.txt", "careful on assay-de-en"),
    ],
)
def test_the_suffix_tells_the_format(assay: Run, tmp_path: Path, name: str, start: str) -> None:
    done = assay("evaluate", STARTER, CAREFUL, "-o", name)
    assert done.stdout == f"{name}: 1 system, 88 items count\n"
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert text.startswith(start)


def test_a_format_by_name_wins_over_the_suffix(assay: Run, tmp_path: Path) -> None:
    assay("evaluate", STARTER, CAREFUL, "-o", "result.out", "--format", "json")
    assert json.loads((tmp_path / "result.out").read_text(encoding="utf-8"))["suite"]["name"] == "assay-de-en"


@pytest.mark.parametrize(
    ("by", "levels"),
    [("category", {"category"}), ("phenomenon", {"phenomenon"}), ("both", {"category", "phenomenon"})],
)
def test_by_chooses_the_rows(assay: Run, by: str, levels: set[str]) -> None:
    found = json.loads(assay("evaluate", STARTER, CAREFUL, "-f", "json", "--by", by).stdout)
    assert {row["level"] for row in found["rows"]} == levels | {"micro", "category_macro", "phenomenon_macro"}


def test_policies_count_different_items(assay: Run) -> None:
    counted = {}
    for policy in ("fair", "own", "strict"):
        found = json.loads(assay("evaluate", STARTER, CAREFUL, LITERAL, "-f", "json", "--policy", policy).stdout)
        items = found["items"]
        assert items["counted"] + sum(items["excluded"].values()) == items["total"] == len(SUITE)
        assert f"policy:{policy}" in found["signature"]
        counted[policy] = items["counted"]
    assert counted["fair"] < counted["own"] < counted["strict"] == len(SUITE)


@pytest.mark.parametrize(
    ("systems", "columns"),
    [
        (["--systems", "careful"], {"careful"}),
        (["--systems", "car*,lit?ral"], {"careful", "literal"}),
        (["--systems", "careful", "--systems", "average"], {"careful", "average"}),
        (["--systems", "*e*"], {"careful", "literal", "average"}),
    ],
)
def test_systems_are_chosen_by_name_or_pattern(assay: Run, systems: list[str], columns: set[str]) -> None:
    done = assay("evaluate", STARTER, *OUTPUTS, *systems, "-f", "json")
    assert set(json.loads(done.stdout)["columns"]) == columns


def test_a_campaign_names_its_systems(assay: Run) -> None:
    found = json.loads(assay("evaluate", STARTER, CAREFUL, "--campaign", "WMT99", "-f", "json").stdout)
    assert [(system["name"], system["campaign"]) for system in found["systems"]] == [("careful", "WMT99")]


@pytest.mark.parametrize("how", ["option", "argument"])
def test_a_campaign_file_lists_the_outputs(assay: Run, tmp_path: Path, how: str) -> None:
    (tmp_path / "garden.yaml").write_text(
        f"campaign: G\noutputs: [{CAREFUL}, lit={LITERAL}]\naliases: {{careful: best}}\n", encoding="utf-8"
    )
    given = ["--campaign", "garden.yaml"] if how == "option" else ["garden.yaml"]
    found = json.loads(assay("evaluate", STARTER, *given, "-f", "json").stdout)
    assert [(system["name"], system["campaign"]) for system in found["systems"]] == [("best", "G"), ("lit", "G")]


@pytest.mark.parametrize(("argument", "name"), [("-", "stdin"), ("mine=-", "mine")])
def test_a_minus_is_standard_input(assay: Run, tmp_path: Path, argument: str, name: str) -> None:
    text = plain_text(CAREFUL, tmp_path / "careful.txt").read_text(encoding="utf-8")
    found = json.loads(assay("evaluate", STARTER, argument, "-f", "json", stdin=text).stdout)
    expected = json.loads(assay("evaluate", STARTER, f"{name}={CAREFUL}", "-f", "json").stdout)
    assert found == expected


def test_a_byte_order_mark_windows_lines_and_gzip_change_nothing(assay: Run, tmp_path: Path) -> None:
    plain = plain_text(CAREFUL, tmp_path / "careful.txt").read_bytes()
    (tmp_path / "windows.txt").write_bytes(b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n"))
    (tmp_path / "packed.txt.gz").write_bytes(gzip.compress(plain))
    results = [
        json.loads(assay("evaluate", STARTER, f"x={name}", "-f", "json").stdout)
        for name in ("careful.txt", "windows.txt", "packed.txt.gz")
    ]
    assert results[0] == results[1] == results[2]


def test_sources_that_are_not_found_are_counted_and_listed(assay: Run, tmp_path: Path) -> None:
    texts = {row["item"]: row["text"] for row in rows(CAREFUL)}
    found = SUITE.items[3:]
    (tmp_path / "src.de").write_text(
        "Fremd.\n" + "".join(f"{source_line(i.source)}\n" for i in found), encoding="utf-8"
    )
    (tmp_path / "sys.en").write_text("Strange.\n" + "".join(f"{texts[i.id]}\n" for i in found), encoding="utf-8")
    done = assay("evaluate", STARTER, "--source", "src.de", "sys.en", "-f", "json")
    assert json.loads(done.stdout)["items"]["excluded"]["not_in_source"] == 3
    out = assay("evaluate", STARTER, "--source", "src.de", "sys.en", "--notes").stdout
    assert re.search(rf"^3 do not count: .*\({', '.join(i.id for i in SUITE.items[:3])}\)", out, re.MULTILINE)


def test_verdicts_are_a_line_per_item_and_system(assay: Run, tmp_path: Path) -> None:
    assay("evaluate", STARTER, CAREFUL, LITERAL, "--verdicts", "v.tsv", "-o", "r.json")
    found = rows(tmp_path / "v.tsv")
    assert len(found) == 2 * len(SUITE)
    passes = sum(row["verdict"] == "pass" for row in found if row["system"] == "careful")
    summary = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["systems"][0]
    assert (summary["name"], summary["pass"]) == ("careful", passes)


def test_a_runaway_rule_becomes_a_warning_and_the_run_goes_on(assay: Run, tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "suite.yaml").write_text("name: s\nlangpair: de-en\ncategories: {C: {P: ''}}\n", encoding="utf-8")
    (folder / "p.yaml").write_text(
        "category: C\nphenomenon: P\nitems:\n"
        "  - {id: slow, source: Eins., pass: ['(a|aa)+$']}\n"
        "  - {id: quick, source: Zwei., pass: [two]}\n",
        encoding="utf-8",
    )
    (tmp_path / "sys.txt").write_text("a" * 5000 + "b\ntwo\n", encoding="utf-8")
    assay("evaluate", "slow", "sys.txt", "--verdicts", "v.tsv")
    assert [(row["verdict"], row["reason"]) for row in rows(tmp_path / "v.tsv")] == [
        ("warning", "timeout"),
        ("pass", ""),
    ]
    assert "ran past its time limit" in assay("explain", "slow", "sys.txt", "--item", "p/slow").stdout


# explain, warnings, judge, lint, demo


def test_explain_marks_the_words_that_decide(assay: Run) -> None:
    out = assay("explain", STARTER, CAREFUL, LITERAL, "--item", "lexical-ambiguity/strauss").stdout
    assert "Zum Abschied schenkten ihr die Kollegen einen großen Strauß." in out
    assert re.search(r"^PASS  careful\n.*>>bouquet<<.*\n    pass:regex:", out, re.M)
    assert re.search(r"^FAIL  literal\n.*>>ostrich<<.*\n    fail:regex:", out, re.M)


def test_explain_and_examples_show_what_language_models_were_told(assay: Run, tmp_path: Path) -> None:
    folder = tmp_path / "told"
    folder.mkdir()
    (folder / "suite.yaml").write_text("name: t\nlangpair: de-en\ncategories: {C: {P: ''}}\n", encoding="utf-8")
    prompt = "".join(f"      Line {number} of the\u202e prompt.\n" for number in range(10))
    items = f"  - id: one\n    source: Ja.\n    prompt: |\n{prompt}    context: A vow.\n    fail: [No]\n"
    (folder / "p.yaml").write_text(f"category: C\nphenomenon: P\nitems:\n{items}", encoding="utf-8")
    (tmp_path / "sys.txt").write_text("No.\n", encoding="utf-8")
    explained = assay("explain", "told", "sys.txt", "--item", "p/one").stdout.splitlines()
    assert explained[:4] == [
        "Ja.",
        "C › P, p/one",
        r"prompt:  Line 0 of the\u202e prompt.",
        r"         Line 1 of the\u202e prompt.",
    ]
    assert explained[12:14] == ["context: A vow.", ""]
    shown = assay("examples", "told", "sys.txt").stdout.splitlines()
    assert shown[3] == "  p/one"
    assert shown[4].startswith(r"  prompt: Line 0 of the\u202e prompt. Line 1 of ")
    assert shown[4].endswith(r" … ompt. Line 9 of the\u202e prompt.")
    assert shown[5] == "  context: A vow."
    assert "| p/one | prompt | Line 0" in assay("examples", "told", "sys.txt", "-f", "markdown").stdout


def test_explain_shows_outputs_of_a_verdict_and_of_some_systems(assay: Run) -> None:
    out = assay(
        "explain", STARTER, CAREFUL, LITERAL, "--verdict", "fail", "--systems", "literal", "--limit", "2"
    ).stdout
    assert out.count("FAIL  literal") == 2
    assert not re.search(r"PASS|WARNING|careful", out)
    wrong = assay("explain", STARTER, CAREFUL, LITERAL, "--item", "lexical-ambiguity/strauss", "--verdict", "warning")
    assert (wrong.stdout, wrong.stderr) == ("", "no such outputs\n")


def test_warnings_judged_by_a_linguist_are_fewer(assay: Run, tmp_path: Path) -> None:
    def warned(suite: str) -> int:
        found = json.loads(assay("evaluate", suite, CAREFUL, LITERAL, "-f", "json").stdout)
        return sum(int(system["warning"]) - int(system["missing"]) for system in found["systems"])

    done = assay("warnings", STARTER, CAREFUL, LITERAL, "-o", "todo.tsv")
    tasks = rows(tmp_path / "todo.tsv")
    assert done.stdout.startswith(f"todo.tsv: {len(tasks)} texts to judge")
    with (tmp_path / "todo.tsv").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, tasks[0], dialect="excel-tab")
        writer.writeheader()
        writer.writerows(task | {"verdict": "pf"[number % 2], "comment": "seen"} for number, task in enumerate(tasks))
    assert warned(STARTER) > 0
    done = assay("judge", STARTER, "todo.tsv", "-o", "judged", "--by", "Ada")
    assert done.stdout.startswith(f"judged: {len(tasks)} judgements added")
    assert warned("judged") == 0
    settled = [rule for item in load_suite(tmp_path / "judged") for rule in item.rules if rule.by]
    assert {(rule.kind, rule.by, rule.note) for rule in settled} == {("exact", "Ada", "seen")}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", rule.on) for rule in settled)


def test_a_workbook_is_judged_like_a_tsv_file(assay: Run, tmp_path: Path) -> None:
    assert assay("warnings", STARTER, LITERAL, "-o", "todo.xlsx").stdout.startswith("todo.xlsx: ")
    book = openpyxl.load_workbook(tmp_path / "todo.xlsx")
    book.worksheets[0].cell(2, 10, "pass")
    book.save(tmp_path / "todo.xlsx")
    assert assay("judge", STARTER, "todo.xlsx", "-o", "judged").stdout == "judged: 1 judgement added\n"


def test_a_blind_file_that_excel_saved_as_text_is_judged(assay: Run, tmp_path: Path) -> None:
    assay("warnings", STARTER, LITERAL, "-o", "todo.tsv", "--blind")
    head, first, *_ = (tmp_path / "todo.tsv").read_text("utf-8").splitlines()
    assert "systems" not in head.split("\t")
    # The last two columns are verdict and comment; what is blank at the end is left out.
    saved = f"{head}\r\n{first.removesuffix(chr(9))}Pass\r\n"
    (tmp_path / "todo.txt").write_bytes(saved.encode("utf-16"))
    assert assay("judge", STARTER, "todo.txt", "-o", "judged").stdout == "judged: 1 judgement added\n"


def test_lint_finds_nothing_wrong_with_a_bundled_suite(assay: Run) -> None:
    assert assay("lint", STARTER).stdout.splitlines()[-1].startswith("0 errors, ")


@pytest.mark.parametrize(
    ("rule", "options", "code", "says"),
    [
        ("'(broken'", [], 1, "[no-compile]"),
        ("'(broken'", ["--ignore", "no-compile"], 0, "0 errors"),
        ("{contains: so}", [], 0, "[short-string]"),
        ("{contains: so}", ["--strict"], 1, "[short-string]"),
        ("{contains: so}", ["--strict", "--ignore", "short-string"], 0, "0 errors, 0 warnings"),
        ("whole word", ["--strict"], 0, "0 errors, 0 warnings, 1 note"),
        ('"\\bword\\b"', [], 1, "[control-character]"),
        ("'two  spaces'", ["--strict"], 1, "[never-matches]"),
    ],
)
def test_lint_tells_by_its_exit_code(
    assay: Run, tmp_path: Path, rule: str, options: list[str], code: int, says: str
) -> None:
    one_item(tmp_path, rule)
    assert says in assay("lint", "garden", *options, code=code).stdout


def one_item(tmp_path: Path, *rules: str) -> None:
    """The suite `garden`, of one item with these pass rules and no examples."""
    folder = tmp_path / "garden"
    folder.mkdir()
    (folder / "suite.yaml").write_text("name: s\nlangpair: de-en\ncategories: {C: {P: ''}}\n", encoding="utf-8")
    (folder / "p.yaml").write_text(
        f"category: C\nphenomenon: P\nitems:\n  - {{id: a, source: Eins., pass: [{', '.join(rules)}]}}\n",
        encoding="utf-8",
    )


def test_lint_shows_a_few_problems_of_a_kind_and_all_if_asked(assay: Run, tmp_path: Path) -> None:
    one_item(tmp_path, *(f"{{contains: s{number}}}" for number in range(5)))
    assert (
        assay("lint", "garden", "--ignore", "no-examples").stdout
        == """\
warning: a fixed string is so short that it matches by accident [short-string], 5 times
  garden/p.yaml:4: p/a: contains 's0' is so short that it matches by accident
  garden/p.yaml:4: p/a: contains 's1' is so short that it matches by accident
  garden/p.yaml:4: p/a: contains 's2' is so short that it matches by accident
  … and 2 more (--all)

0 errors, 5 warnings
"""
    )
    every = assay("lint", "garden", "--all").stdout.splitlines()
    assert (
        every[4]
        == "garden/p.yaml:4: warning: p/a: contains 's4' is so short that it matches by accident [short-string]"
    )
    assert every[5].startswith("garden: note: no examples test the rules of 1 of 1 items: p/a ")
    assert every[6:] == ["0 errors, 5 warnings, 1 note"]


def test_demo_shows_a_table_and_leaves_outputs_and_a_report(assay: Run, tmp_path: Path) -> None:
    out = assay("demo").stdout
    assert "micro-average" in out
    assert "The outputs were made for this demonstration" in out
    assert {path.name for path in (tmp_path / "assay-demo").iterdir()} == {
        "average.tsv",
        "careful.tsv",
        "literal.tsv",
        "report.html",
        "report.md",
    }
    again = assay("evaluate", "de-en", *sorted((tmp_path / "assay-demo").glob("*.tsv"))).stdout
    # All but the command that shows more, which names the files as they were named.
    assert out.split("(3 of ")[0] == again.split("(3 of ")[0]
    assert out.split("accuracy in per cent")[1].startswith(again.split("accuracy in per cent")[1])


def test_demo_may_be_run_twice(assay: Run, tmp_path: Path) -> None:
    first, second = assay("demo", "-o", "here").stdout, assay("demo", "-o", "here").stdout
    assert first == second
    assert (tmp_path / "here" / "report.md").is_file()


# The command itself


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_shown(assay: Run, option: str) -> None:
    assert re.fullmatch(r"assay \d+\.\d+\.\d+\n", assay(option).stdout)


@pytest.mark.parametrize(
    "command",
    [
        "evaluate",
        "explain",
        "warnings",
        "judge",
        "lint",
        "demo",
        "suite sources",
        "suite convert",
        "suite stats",
    ],
)
def test_help_shows_an_example(assay: Run, command: str) -> None:
    out = assay(*command.split(), "--help").stdout
    assert re.search(rf"Examples?:\n +assay {command}", out)
    assert out == assay(*command.split(), "-h").stdout


@pytest.mark.parametrize("command", [[], ["suite"]])
def test_help_lists_the_commands(assay: Run, command: list[str]) -> None:
    out = assay(*command, "--help").stdout
    assert "Commands:" in out
    assert ("convert" if command else "evaluate") in out


# The screen


def test_in_a_pipe_a_star_marks_the_first_cluster(assay: Run) -> None:
    out = assay("evaluate", STARTER, CAREFUL, LITERAL).stdout
    assert "\x1b" not in out
    assert re.search(r"\d\.\d\*", out)


def test_colours_can_be_forced_and_forbidden(assay: Run) -> None:
    forced = assay("evaluate", STARTER, CAREFUL, LITERAL, FORCE_COLOR="1", NO_COLOR="", TERM="xterm").stdout
    assert "\x1b[1m" in forced
    plain = assay("evaluate", STARTER, CAREFUL, LITERAL).stdout
    assert assay("evaluate", STARTER, CAREFUL, LITERAL, FORCE_COLOR="1", NO_COLOR="1").stdout == plain
    assert assay("evaluate", STARTER, CAREFUL, LITERAL, FORCE_COLOR="1", TERM="dumb").stdout == plain


def test_forced_colours_do_not_get_into_files(assay: Run, tmp_path: Path) -> None:
    assay("evaluate", STARTER, CAREFUL, "-o", "r.txt", FORCE_COLOR="1", NO_COLOR="", TERM="xterm")
    assert b"\x1b" not in (tmp_path / "r.txt").read_bytes()


def test_a_narrow_screen_gets_panels(assay: Run) -> None:
    out = assay("evaluate", STARTER, *OUTPUTS, COLUMNS="60").stdout
    body = [line for line in out.split("\n") if not line.startswith("Signature: ")]
    assert max(map(len, body)) <= 60
    assert sum(line.startswith("micro-average") for line in body) > 1


@pytest.mark.parametrize("columns", ["0", "1", "10", "x", "-5"])
def test_no_width_of_screen_breaks_the_table(assay: Run, columns: str) -> None:
    assert "micro-average" in assay("evaluate", STARTER, CAREFUL, LITERAL, COLUMNS=columns).stdout


def test_the_bundled_suite_is_where_the_list_says() -> None:
    assert (Path(STARTER) / "suite.yaml").is_file()


# A suite of one's own


def test_a_new_suite_passes_the_checks_that_it_comes_with(assay: Run, tmp_path: Path) -> None:
    done = assay("suite", "new", "en-fr", "my-suite/")
    assert done.stdout == "my-suite: 2 worked items to be replaced; check them: assay lint my-suite\n"
    workflow = (tmp_path / "my-suite" / ".github" / "workflows" / "suite.yml").read_text("utf-8")
    checks = re.findall(r"run: assay (.*)", workflow)
    assert checks == ["lint . --strict", "suite stats ."]
    for check in checks:
        assay(*(word.replace(".", "my-suite") for word in check.split()))
    sources = assay("suite", "sources", "my-suite").stdout
    assert sources == "My brother works in Germany.\nShe bought thirteen eggs.\n"


def test_items_are_added_and_what_they_lack_is_said(assay: Run, tmp_path: Path) -> None:
    assay("suite", "new", "en-fr", "my-suite/")
    whole = ("--tests", "Fifteen, not fifty.", "--pass", r"\b(15|quinze)\b", "--fail", r"\b(50|cinquante)\b")
    examples = ("--pass-example", "Il a vu quinze navires.", "--fail-example", "Il a vu 50 navires.")
    source = ("--phenomenon", "Number word", "--source", "He saw fifteen ships.")
    done = assay("suite", "add", "my-suite", *source, *whole, *examples)
    assert done.stdout == "my-suite/names-numbers/number-word.yaml:25: number-word/fifteen added\n"
    done = assay("suite", "add", "my-suite", "--phenomenon", "Country name", "--source", "Greece is hot.")
    assert done.stdout.splitlines() == [
        "my-suite/names-numbers/country-name.yaml:25: country-name/greece added",
        "  warning: the item has no rules; every output becomes a warning [no-rules]",
        "  still missing: what it tests (--tests); a pass rule (--pass); a fail rule (--fail); a right translation "
        "(--pass-example); a wrong translation (--fail-example)",
    ]
    assert len(load_suite(tmp_path / "my-suite")) == 4


def test_an_item_with_a_wrong_rule_is_refused(assay: Run, refused: Refused) -> None:
    assay("suite", "new", "en-fr", "my-suite/")
    add = ("suite", "add", "my-suite", "--phenomenon", "Number word", "--source", "He saw fifteen ships.")
    assert refused(*add, "--pass", "(").startswith("not added: pass:regex:( does not compile: ")
    message = refused(*add, "--fail", "quinze", "--pass-example", "Il a vu quinze navires.")
    assert message.startswith("not added: fail:regex:quinze matches the pass example")


def test_a_new_suite_is_refused_where_something_is_and_where_the_languages_are_none(
    assay: Run, refused: Refused
) -> None:
    assay("suite", "new", "en-fr", "my-suite/")
    message = refused("suite", "new", "en-fr", "my-suite/")
    assert message == "my-suite: the folder is not empty; choose another name, or add items: assay suite add"
    assert refused("suite", "new", "en-xx", "other") == "no language has the code 'xx'; did you mean xh (Xhosa)?"
