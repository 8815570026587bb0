"""`assay sample`, `assay judge` and `--policy estimate`, as users run them one after the other."""

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from assay.suites import Item, Rule, Suite, save_suite, taxonomy_of
from assay.verdicts.draw import read_draw
from tests.conftest import Refused, Run

ITEMS = 80
FILES = ["A.txt", "B.txt", "C.txt"]
RULES = (Rule("pass", "contains", "right"), Rule("fail", "contains", "wrong"))


def text_of(system: int, item: int) -> str:
    """Every system leaves every third item undecided; C is often wrong elsewhere."""
    if (item + system) % 3 == 0:
        return f"open {item} {'ABC'[system]}"
    return f"wrong {item}" if system == 2 and item % 2 else f"right {item}"


@pytest.fixture
def garden(tmp_path: Path) -> Path:
    """A suite of two categories, and the outputs of three systems; 80 of 240 texts are undecided."""
    items = tuple(Item(f"i-{n}", "AB"[n >= ITEMS // 2], "P", f"Satz {n}.", RULES) for n in range(ITEMS))
    save_suite(Suite("garden", "de-en", items, taxonomy_of(items), "1", "CC0-1.0", ("Ada",)), tmp_path / "garden")
    for system, file in enumerate(FILES):
        lines = [text_of(system, n) for n in range(ITEMS)]
        (tmp_path / file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tmp_path / "garden"


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, dialect="excel-tab"))


def fill(path: Path, verdict: Callable[[int, str], str]) -> list[dict[str, str]]:
    """Fill in the column `verdict` as a linguist would, by the number of a line and its text."""
    found = rows(path)
    for number, row in enumerate(found):
        row["verdict"] = verdict(number, row["text"])
    write(path, found)
    return found


def write(path: Path, found: list[dict[str, str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(found[0]), dialect="excel-tab", lineterminator="\n")
        writer.writeheader()
        writer.writerows(found)


def by_system(_: int, text: str) -> str:
    return "fail" if text.endswith("C") else "p"


@pytest.fixture
def judged(assay: Run, garden: Path, tmp_path: Path) -> Path:
    """The first 40 texts of a draw are judged, in the suite itself."""
    assay("sample", "garden", *FILES, "-n", "40", "-o", "todo.tsv")
    fill(tmp_path / "todo.tsv", by_system)
    assay("judge", "garden", "todo.tsv", "-o", "garden", "--by", "Eva")
    return garden


# sample


def test_the_next_texts_of_a_draw_in_its_order_and_blind(assay: Run, garden: Path, tmp_path: Path) -> None:
    done = assay("sample", "garden", *FILES, "-n", "30", "-o", "todo.tsv")
    assert re.fullmatch(
        r"todo\.tsv: 30 texts to judge, of 80 in a new draw \(garden/draw\.json\)\n"
        r"  30 judgements: about ±\d+\.\d points per system, ±\d+\.\d between two\n",
        done.stdout,
    )
    draw = read_draw(garden / "draw.json")
    assert len(draw.texts) == 80
    found = rows(tmp_path / "todo.tsv")
    assert [(row["item"], row["text"]) for row in found] == [(text.item, text.text) for text in draw.texts[:30]]
    assert {row["draw"] for row in found} == {draw.name}
    assert "systems" not in found[0]
    assert list(found[0])[-3:] == ["verdict", "comment", "draw"]


def test_the_same_command_writes_the_same_and_a_larger_number_goes_on(assay: Run, garden: Path, tmp_path: Path) -> None:
    for name, number in (("one.tsv", "30"), ("two.tsv", "30"), ("more.tsv", "50")):
        assay("sample", "garden", *FILES, "-n", number, "-o", name)
    one, two, more = (rows(tmp_path / name) for name in ("one.tsv", "two.tsv", "more.tsv"))
    assert one == two == more[:30]
    assert len(more) == 50


def test_those_judged_are_not_asked_again(assay: Run, judged: Path, tmp_path: Path) -> None:
    before = (judged / "draw.json").read_bytes()
    done = assay("sample", "garden", *FILES, "-n", "60", "-o", "more.xlsx", "--show-systems")
    assert done.stdout.startswith("more.xlsx: 20 texts to judge; 40 of the draw are judged\n  60 judgements: about ±")
    sheet = openpyxl.load_workbook(tmp_path / "more.xlsx").active
    assert sheet is not None
    lines = [dict(zip(names, line, strict=True)) for names, *found in [list(sheet.values)] for line in found]
    draw = read_draw(judged / "draw.json")
    assert [(line["item"], line["text"]) for line in lines] == [(text.item, text.text) for text in draw.texts[40:60]]
    assert all(str(line["text"]).endswith(str(line["systems"])) for line in lines)
    assert (judged / "draw.json").read_bytes() == before


def test_too_few_for_an_estimate_is_said_before_anybody_judges(assay: Run, garden: Path) -> None:
    done = assay("sample", "garden", *FILES, "-n", "1", "-o", "todo.tsv")
    assert re.search(r"  1 judgement: too few for an estimate, for which this draw needs at least \d+\n$", done.stdout)


def test_all_of_them_leave_nothing_to_estimate(assay: Run, garden: Path) -> None:
    done = assay("sample", "garden", *FILES, "-n", "80", "-o", "todo.tsv")
    assert done.stdout.endswith("  80 judgements: nothing is left to estimate\n")


def test_of_one_system_there_is_no_difference(assay: Run, garden: Path) -> None:
    done = assay("sample", "garden", "A.txt", "-n", "20", "-o", "todo.tsv")
    assert re.search(r"about ±\d+\.\d points per system$", done.stdout)


def test_until_intervals_are_narrow_enough(assay: Run, judged: Path, tmp_path: Path) -> None:
    numbers = []
    for goal in ("±4", "+-2", " 1,0 "):
        done = assay("sample", "garden", *FILES, "--until", goal, "-o", "more.tsv")
        found = re.search(r"  (\d+) judgements: about ±(\d+\.\d) points per system", done.stdout)
        assert found, done.stdout
        assert float(found[2]) <= float(re.sub(r"[^\d.]", "", goal.replace(",", ".")))
        numbers.append(int(found[1]))
    assert numbers == sorted(numbers)
    assert len(rows(tmp_path / "more.tsv")) == numbers[-1] - 40


def test_until_intervals_that_are_narrow_enough_already(assay: Run, judged: Path, tmp_path: Path) -> None:
    done = assay("sample", "garden", *FILES, "--until", "±50", "-o", "more.tsv")
    assert done.stdout.startswith("nothing to judge, more.tsv was not written; 40 of the draw are judged\n")
    assert not (tmp_path / "more.tsv").exists()


def test_until_the_first_cluster_is_fixed(assay: Run, judged: Path) -> None:
    # A and B are the same where they are decided, and nearly so elsewhere: no judgement tells them apart.
    out = assay("sample", "garden", *FILES, "--until", "Clusters fixed", "-o", "more.tsv").stdout
    assert re.search(
        r"  the first cluster of the micro-average is fixed (already|with these), at today's differences: "
        r"[AB] cannot be told apart from [AB] by judging, only with more items\n$",
        out,
    )


def test_a_new_draw_has_another_seed_and_what_was_judged_is_decided(assay: Run, judged: Path, tmp_path: Path) -> None:
    lines = [f"new {n}" if n % 5 == 0 else text_of(1, n) for n in range(ITEMS)]
    (tmp_path / "D.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    assay("sample", "garden", *FILES, "D.txt", "-n", "20", "-o", "more.tsv", "--new")
    draw = read_draw(judged / "draw.json")
    # One more than there are exact rules: 40 judgements.
    assert (draw.seed, draw.systems) == (41, ("A", "B", "C", "D"))
    assert len(draw.texts) == 40 + 16
    assert len(rows(tmp_path / "more.tsv")) == 20


def test_the_draw_of_a_bundled_suite_is_where_one_works(assay: Run, tmp_path: Path) -> None:
    assay("demo")
    outputs = sorted((tmp_path / "assay-demo").glob("*.tsv"))
    assay("sample", "de-en", *outputs, "-n", "10", "-o", "todo.tsv")
    assert read_draw(tmp_path / "de-en.draw.json").suite == "assay-de-en"
    fill(tmp_path / "todo.tsv", lambda number, _: "pass")
    assay("judge", "de-en", "todo.tsv", "-o", "judged")
    assert read_draw(tmp_path / "judged" / "draw.json") == read_draw(tmp_path / "de-en.draw.json")
    assert "stand for the others" in assay("evaluate", "judged", *outputs, "--policy", "estimate").stdout


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ([], "say how many judgements with -n, or what they must be enough for with --until, not both"),
        (["-n", "5", "--until", "±1"], "say how many judgements with -n, or what they must be enough for with --until"),
        (["--until", "soon"], '--until \'soon\': write "±0.5" (points), or "clusters fixed"'),
        (["--until", "±0"], "--until '±0': write"),
        (
            ["--until", "clusters fixed"],
            '--until "clusters fixed" goes by what is judged, and that is too little; have ',
        ),
        (["-n", "81"], "-n 81: only 80 texts can be judged (0 of them are); -n 80 is all there is"),
        (["-n", "9", "--draw", "todo.tsv"], "todo.tsv is to be written twice; choose two names"),
        (["-n", "9", "--draw", "A.txt"], "A.txt is read in this run; write to another file"),
    ],
)
def test_mistakes_before_there_is_a_draw(refused: Refused, garden: Path, options: list[str], problem: str) -> None:
    assert refused("sample", "garden", *FILES, "-o", "todo.tsv", *options).startswith(problem)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["-n", "40"], "-n 40: 40 texts of the draw are judged, and -n counts them; say at least 41, at most 80"),
        (["-n", "81"], "-n 81: only 80 texts can be judged (40 of them are); -n 80 is all there is"),
        (
            ["-n", "50", "--seed", "3"],
            "the draw garden/draw.json has seed 1; leave --seed out, or draw anew: assay sample",
        ),
        (["-n", "5", "--new", "--seed", "1"], "1 is the seed of the draw that is there; a new draw needs another one"),
    ],
)
def test_mistakes_with_a_draw(refused: Refused, judged: Path, options: list[str], problem: str) -> None:
    assert refused("sample", "garden", *FILES, "-o", "more.tsv", *options).startswith(problem)


def test_a_campaign_without_undecided_texts(refused: Refused, garden: Path, tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_text("\n".join(f"right {n}" for n in range(ITEMS)), encoding="utf-8")
    problem = "no text is undecided; there is nothing to sample"
    assert refused("sample", "garden", "D.txt", "-n", "5", "-o", "todo.tsv") == problem


def test_when_all_is_judged_there_is_nothing_to_sample(
    assay: Run, refused: Refused, judged: Path, tmp_path: Path
) -> None:
    assay("sample", "garden", *FILES, "-n", "80", "-o", "more.tsv")
    fill(tmp_path / "more.tsv", by_system)
    assay("judge", "garden", "more.tsv", "-o", "garden")
    problem = "no text is undecided, all 80 of the draw are judged; there is nothing to sample"
    assert refused("sample", "garden", *FILES, "-n", "81", "-o", "todo.tsv") == problem


def test_a_sample_is_no_campaign_of_pearmut(refused: Refused, garden: Path) -> None:
    said = refused("sample", "garden", *FILES, "-n", "5", "-o", "todo.json")
    assert said.startswith("todo.json: a sample is a workbook or a TSV file")


def test_a_seed_that_was_changed_in_the_draw(refused: Refused, judged: Path) -> None:
    draw = judged / "draw.json"
    draw.write_text(draw.read_text(encoding="utf-8").replace('"seed": 1', '"seed": 4'), encoding="utf-8")
    problem = "garden/draw.json: its texts are not in the order of seed 4: seed or sizes were changed; draw anew"
    assert refused("sample", "garden", *FILES, "-n", "50", "-o", "more.tsv").startswith(problem)
    assert refused("evaluate", "garden", *FILES, "--policy", "estimate").startswith(problem)


@pytest.mark.parametrize("lost", [True, False])
def test_a_draw_that_is_lost_or_broken_is_replaced_by_one_with_another_seed(
    assay: Run, refused: Refused, judged: Path, lost: bool
) -> None:
    before = read_draw(judged / "draw.json").seed
    command = ("sample", "garden", *FILES, "-n", "20", "-o", "more.tsv")
    if lost:
        (judged / "draw.json").unlink()
        assay(*command)
    else:
        (judged / "draw.json").write_text("{", encoding="utf-8")
        assert refused(*command).startswith("garden/draw.json:1: broken JSON: ")
        assay(*command, "--new")
    assert read_draw(judged / "draw.json").seed != before


def test_draws_that_follow_each_other_have_different_seeds(assay: Run, garden: Path) -> None:
    seeds = []
    for anew in ([], ["--new"], ["--new"]):
        assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv", *anew)
        seeds.append(read_draw(garden / "draw.json").seed)
    assert seeds[0] != seeds[1] != seeds[2]


# judge


def test_the_draw_goes_along_with_what_was_skipped(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv")
    found = fill(tmp_path / "todo.tsv", lambda number, text: {3: "skip", 4: "S"}.get(number, by_system(number, text)))
    done = assay("judge", "garden", "todo.tsv", "-o", "second")
    assert done.stdout == "second: 18 judgements added, 2 texts skipped\n"
    before, after = read_draw(garden / "draw.json"), read_draw(tmp_path / "second" / "draw.json")
    assert (before.name, before.skipped) == (after.name, frozenset())
    assert after.skipped == {(row["item"], row["text"]) for row in found[3:5]}
    out = assay("sample", "second", *FILES, "-n", "25", "-o", "more.tsv").stdout
    assert out.startswith("more.tsv: 7 texts to judge; 18 of the draw are judged, 2 skipped\n")
    assert not {(row["item"], row["text"]) for row in rows(tmp_path / "more.tsv")} & after.skipped


def test_a_suite_in_one_file_has_its_draw_beside_it(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("suite", "convert", "garden", "-o", "items.json", "--lossy")
    assay("sample", "items.json", *FILES, "-n", "20", "-o", "todo.tsv")
    fill(tmp_path / "todo.tsv", by_system)
    assay("judge", "items.json", "todo.tsv", "-o", "judged.json", "--lossy")
    assert read_draw(tmp_path / "judged.json.draw.json") == read_draw(tmp_path / "items.json.draw.json")


def test_a_draw_elsewhere_is_kept_up_to_date(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv", "--draw", "mine.json")
    assert not (garden / "draw.json").exists()
    fill(tmp_path / "todo.tsv", lambda number, text: "s" if number == 0 else by_system(number, text))
    assay("judge", "garden", "todo.tsv", "-o", "garden", "--draw", "mine.json")
    assert len(read_draw(tmp_path / "mine.json").skipped) == 1
    out = assay("evaluate", "garden", *FILES, "--policy", "estimate", "--draw", "mine.json", "--notes").stdout
    assert "judged:19 of 80, 1 skipped" in out


def test_only_what_stands_before_a_blank_line_carries_weight(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "30", "-o", "todo.tsv")
    found = fill(tmp_path / "todo.tsv", lambda number, text: "" if number == 12 else by_system(number, text))
    done = assay("judge", "garden", "todo.tsv", "-o", "garden")
    assert done.stdout == (
        "garden: 29 judgements added\n"
        "  12 of 29 judgements carry weight in an estimate so far; before the others comes "
        f"{found[12]['item']}: {found[12]['text']}\n"
    )
    # The text that was left out comes first now, and frees the others.
    assay("sample", "garden", *FILES, "-n", "13", "-o", "more.tsv")
    assert [row["text"] for row in fill(tmp_path / "more.tsv", by_system)] == [found[12]["text"]]
    assert assay("judge", "garden", "more.tsv", "-o", "garden").stdout == "garden: 1 judgement added\n"
    out = assay("evaluate", "garden", *FILES, "--policy", "estimate", "--notes").stdout
    assert "judged:30 of 80" in out


def test_lines_may_be_sorted_otherwise(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "30", "-o", "todo.tsv")
    write(tmp_path / "todo.tsv", sorted(fill(tmp_path / "todo.tsv", by_system), key=lambda row: row["text"]))
    assert assay("judge", "garden", "todo.tsv", "-o", "garden").stdout == "garden: 30 judgements added\n"


def test_a_file_of_another_draw(assay: Run, refused: Refused, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv", "--draw", "first.json")
    assay("sample", "garden", *FILES, "-n", "20", "-o", "other.tsv", "--seed", "5")
    fill(tmp_path / "todo.tsv", by_system)
    first, second = read_draw(tmp_path / "first.json").name, read_draw(garden / "draw.json").name
    assert refused("judge", "garden", "todo.tsv", "-o", "judged") == (
        f"todo.tsv: texts of draw {first}, not of garden/draw.json ({second}); name theirs with --draw"
    )
    (garden / "draw.json").unlink()
    assert refused("judge", "garden", "todo.tsv", "-o", "judged") == (
        f"garden/draw.json: there is no draw, and todo.tsv has texts of {first}; name it with --draw"
    )
    mixed = rows(tmp_path / "todo.tsv")
    mixed[4]["draw"] = second
    write(tmp_path / "todo.tsv", mixed)
    assert refused("judge", "garden", "todo.tsv", "-o", "judged", "--draw", "first.json") == (
        f"todo.tsv:6: row 6, column 'draw': texts of two draws, {first} and {second}; take each file back by itself"
    )


def test_a_text_that_is_not_in_the_draw(assay: Run, refused: Refused, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv")
    found = fill(tmp_path / "todo.tsv", by_system)
    found[2]["text"] = "mended"
    write(tmp_path / "todo.tsv", found)
    assert refused("judge", "garden", "todo.tsv", "-o", "judged") == (
        f"todo.tsv:4: item {found[2]['item']!r}: this text is not in the draw garden/draw.json; "
        "leave items and texts as they were"
    )


def test_only_files_of_a_draw_have_skips(assay: Run, refused: Refused, garden: Path, tmp_path: Path) -> None:
    assay("warnings", "garden", *FILES, "-o", "todo.tsv")
    fill(tmp_path / "todo.tsv", lambda number, text: "skip")
    assert refused("judge", "garden", "todo.tsv", "-o", "judged") == (
        "todo.tsv:2: row 2, column 'verdict': 'skip' is no verdict; write pass or fail (or p, f), or leave it blank"
    )
    fill(tmp_path / "todo.tsv", lambda number, text: "pass")
    assert refused("judge", "garden", "todo.tsv", "-o", "judged", "--draw", "x.json") == (
        "todo.tsv has no column 'draw': its texts are of no draw; leave --draw out"
    )


def test_nothing_but_skips_is_taken_too(assay: Run, garden: Path, tmp_path: Path) -> None:
    assay("sample", "garden", *FILES, "-n", "2", "-o", "todo.tsv")
    fill(tmp_path / "todo.tsv", lambda number, text: "skip")
    assert assay("judge", "garden", "todo.tsv", "-o", "garden").stdout == (
        "garden: 0 judgements added, 2 texts skipped\n"
    )
    assert len(read_draw(garden / "draw.json").skipped) == 2


# evaluate, report


def document(assay: Run, *options: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(assay("evaluate", "garden", *FILES, "-f", "json", *options).stdout)
    return found


def test_an_estimate_counts_all_items_and_says_how_sure_it_is(assay: Run, judged: Path) -> None:
    out = assay("evaluate", "garden", *FILES, "--policy", "estimate").stdout
    assert "All 80 items count; 40 of 80 undecided texts were judged and stand for the others (±" in out
    assert re.search(r"^  (.* cannot be told apart from [AB] by judging|[AB] and [AB] would need about )", out, re.M)
    found = document(assay, "--policy", "estimate")
    estimate = found["estimate"]
    assert isinstance(estimate, dict)
    assert {name: estimate[name] for name in ("judged", "undecided", "skipped")} == {
        "judged": 40,
        "undecided": 80,
        "skipped": 0,
    }
    assert [{need["first"], need["second"]} for need in estimate["needs"]] == [{"A", "B"}]


def test_a_leader_who_is_alone_is_certain(assay: Run, judged: Path) -> None:
    out = assay("evaluate", "garden", *FILES, "--policy", "estimate", "--systems", "A,C").stdout
    assert "\n  The leader is certain.\n" in out
    assert "is certain" not in assay("evaluate", "garden", *FILES).stdout


def test_a_report_of_an_estimate(assay: Run, judged: Path, tmp_path: Path) -> None:
    assay("report", "garden", *FILES, "--policy", "estimate", "-o", "report", "--no-figures")
    methods = (tmp_path / "report" / "METHODS.md").read_text("utf-8")
    assert "Of 80 undecided texts 40 were judged by hand, drawn by priority sampling" in methods
    assert "policy:estimate|" in methods


@pytest.mark.parametrize("policy", ["fair", "own", "strict"])
def test_other_policies_do_not_see_the_draw(assay: Run, judged: Path, policy: str) -> None:
    with_draw = document(assay, "--policy", policy)
    (judged / "draw.json").unlink()
    assert document(assay, "--policy", policy) == with_draw
    assert "estimate" not in with_draw
    assert "low_here" not in json.dumps(with_draw)


def test_an_estimate_needs_a_draw_and_judgements(assay: Run, refused: Refused, garden: Path) -> None:
    assert refused("evaluate", "garden", *FILES, "--policy", "estimate") == (
        "garden/draw.json: there is no draw; make one: assay sample garden A.txt B.txt C.txt -n 150 -o todo.xlsx"
    )
    assert refused("evaluate", "nothing", *FILES, "--policy", "estimate").startswith("no suite or file 'nothing'")
    assay("sample", "garden", *FILES, "-n", "20", "-o", "todo.tsv")
    said = refused("evaluate", "garden", *FILES, "--policy", "estimate")
    assert said.startswith(
        "too little is judged for an estimate: 0 of 80 undecided texts in the order of the draw, at "
    )
    assert refused("evaluate", "garden", *FILES, "--draw", "garden/draw.json") == (
        "--draw garden/draw.json is for --policy estimate; policy fair needs no draw"
    )


def test_outputs_that_were_changed(refused: Refused, judged: Path, tmp_path: Path) -> None:
    item, text = next((t.item, t.text) for t in read_draw(judged / "draw.json").texts if t.text.endswith("A"))
    lines = (tmp_path / "A.txt").read_text("utf-8").replace(f"{text}\n", "right again\n")
    (tmp_path / "A.txt").write_text(lines, encoding="utf-8")
    assert refused("evaluate", "garden", *FILES, "--policy", "estimate") == (
        f"a judged text of the draw is no longer there ({item}: {text!r}): outputs were changed; draw anew: "
        "assay sample … --new"
    )


# compare, years


def test_two_systems_are_compared_on_all_items(assay: Run, refused: Refused, judged: Path) -> None:
    found = json.loads(assay("compare", "garden", "C.txt", "A.txt", "--policy", "estimate", "-f", "json").stdout)
    micro = next(row for row in found["rows"] if row["level"] == "micro")
    evaluated = document(assay, "--policy", "estimate", "--systems", "A,C")
    rows = evaluated["rows"]
    assert isinstance(rows, list)
    cells = next(row for row in rows if row["level"] == "micro")["cells"]
    assert (micro["items"], found["items"]) == (80, 80)
    assert (micro["first"], micro["second"]) == (cells[1]["accuracy"], cells[0]["accuracy"])
    assert micro["p"] == pytest.approx(cells[1]["p"])
    # What only one got right is counted where both are decided.
    assert micro["only_second"] == len(found["gained"])
    out = assay("compare", "garden", "C.txt", "A.txt", "--policy", "estimate").stdout
    assert out.startswith("A is better than C: 0 items lost, ")
    assert re.search(r"% of all 80 items, estimated from \d+ judgements of \d+ undecided texts \(\+", out)
    assert (
        "(paired-z, one-tailed, alpha 0.05, "
        in assay("compare", "garden", "C.txt", "A.txt", "--policy", "estimate", "--notes").stdout
    )
    assert refused("compare", "garden", "C.txt", "A.txt", "--policy", "estimate", "--test", "mcnemar") == (
        "policy estimate has a test of its own, paired over items; leave --test out"
    )
    assert refused("compare", "garden", "C.txt", "A.txt", "--policy", "estimate", "--fail-on-regression") == (
        "--fail-on-regression counts verdicts; it takes the policies fair, own and strict"
    )


def test_campaigns_are_compared_on_all_items(assay: Run, judged: Path, tmp_path: Path) -> None:
    for year, files in (("2024", "X=C.txt"), ("2025", "X=A.txt")):
        (tmp_path / f"{year}.yaml").write_text(f'campaign: "{year}"\noutputs: [{files}]\n', encoding="utf-8")
    command = ("garden", "2024.yaml", "2025.yaml", "--policy", "estimate")
    found = json.loads(assay("years", *command, "-f", "json").stdout)
    micro = next(row for row in found["rows"] if row["level"] == "micro")
    compared = json.loads(assay("compare", "garden", "C.txt", "A.txt", "--policy", "estimate", "-f", "json").stdout)
    change = next(row for row in compared["rows"] if row["level"] == "micro")
    assert found["items"] == 80
    assert micro["cells"][1]["change"] == pytest.approx(change["difference"])
    assert micro["cells"][1]["trend"] == "gain"
    assay("report", *command, "-o", "report", "--no-figures")
    assert "policy:estimate" in (tmp_path / "report" / "years.json").read_text("utf-8")


def test_a_suggester_has_a_say_wherever_estimates_are_made(assay: Run, judged: Path) -> None:
    plain = ("--policy", "estimate", "-f", "json")
    without = json.loads(assay("evaluate", "garden", *FILES, *plain).stdout)
    found = json.loads(assay("evaluate", "garden", *FILES, *plain, "--predictor", "nearest").stdout)
    assert without["estimate"]["predictor"] == "nearest-2"
    assert found["estimate"]["predictor"].startswith("nearest-2+nearest#")
    assert f"|predictor:{found['estimate']['predictor']}" in found["signature"]
    pair = json.loads(assay("compare", "garden", *FILES[:2], *plain, "--predictor", "nearest").stdout)
    assert "|predictor:nearest-2+nearest#" in pair["signature"]
    said = assay("sample", "garden", *FILES, "-n", "50", "-o", "more.tsv", "--predictor", "nearest").stdout
    assert said.startswith("more.tsv: 10 texts to judge; 40 of the draw are judged")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (("--predictor", "nearest"), "--predictor is for --policy estimate; policy fair predicts nothing"),
        (("--policy", "estimate", "--predictor", "neerest"), "no suggester 'neerest'; did you mean nearest?"),
        (("--policy", "estimate", "--predictor", "nearest:k=3"), "no option of nearest 'k'"),
        (("--policy", "estimate", "--test", "bootstrap"), "policy estimate has a test of its own"),
    ],
)
def test_mistakes_about_predictors_and_tests(
    refused: Refused, judged: Path, given: tuple[str, ...], problem: str
) -> None:
    assert refused("evaluate", "garden", *FILES, *given).startswith(problem)
