"""`assay collect`, as an organiser runs it: out, back, and every way to get it wrong."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.translate.spanish import SPANISH, SUITE
from tests.translate.test_decoys import hand_in

NAMES = ["Anna", "Peter", "London", "Maria", "Oslo"]
DECOYS = [
    f"{NAMES[n % 5]} {'really ' * (n * 7 % 9)}saw {n} old {'houses' if n % 2 else 'ships in the harbour'}."
    for n in range(60)
]
WORDS = {"the": "el", "really": "realmente", "saw": "vio", "old": "viejos", "houses": "casas", "ships": "barcos"}


def spanish(source: str) -> str:
    """A translation that is as long as it should be, and not English."""
    return " ".join(
        WORDS.get(word.lower(), word if word[:1].isupper() or word[0].isdigit() else word[::-1] + "o")
        for word in source.split()
    )


@pytest.fixture
def sent(assay: Run, tmp_path: Path) -> Path:
    """Fifteen sources and sixty decoys, sent as text, with a translation that is in order."""
    (tmp_path / "decoys.txt").write_text("\n".join(DECOYS) + "\n", encoding="utf-8")
    said = assay("collect", "sources", SPANISH, "-o", "sources.txt", "--decoys", "decoys.txt", "--decoy-share", "0.8")
    assert said.stdout == "sources.txt: 75 sources, 60 of them decoys\nsources.map.tsv: the map; do not send it\n"
    lines = (tmp_path / "sources.txt").read_text("utf-8").splitlines()
    (tmp_path / "Mine.txt").write_text("".join(spanish(line) + "\n" for line in lines), encoding="utf-8")
    return tmp_path


def check(assay: Run, *more: str, code: int = 1) -> str:
    return assay("collect", "check", SPANISH, "Mine.txt", "--map", "sources.map.tsv", *more, code=code).stdout


def changed(folder: Path, change: Callable[[list[str]], list[str]]) -> None:
    lines = (folder / "Mine.txt").read_text("utf-8").splitlines()
    (folder / "Mine.txt").write_text("".join(line + "\n" for line in change(lines)), encoding="utf-8")


class TestChecking:
    def test_what_is_in_order(self, assay: Run, sent: Path) -> None:
        assert check(assay, code=0).startswith("Mine: 75 of 75 texts, nothing to repair")

    def test_a_lost_line(self, assay: Run, sent: Path) -> None:
        changed(sent, lambda lines: lines[:30] + lines[31:])
        said = check(assay)
        assert "- 74 lines where 75 were sent: 1 missing" in said
        assert "1 line too far up: a line was lost there" in said

    def test_one_line_too_many(self, assay: Run, sent: Path) -> None:
        changed(sent, lambda lines: [*lines[:30], "Aquí.", *lines[30:]])
        said = check(assay)
        assert "- 75 lines" not in said
        assert "- 76 lines where 75 were sent: 1 too many" in said
        assert "1 line too far down: a line was added there" in said

    def test_a_file_that_was_cut(self, assay: Run, sent: Path) -> None:
        changed(sent, lambda lines: lines[:40])
        said = check(assay)
        assert "- 40 lines where 75 were sent: 35 missing" in said
        assert "too far" not in said

    def test_another_order(self, assay: Run, sent: Path) -> None:
        changed(sent, sorted)
        assert "do not seem to belong to the sources" in check(assay)

    def test_another_encoding(self, assay: Run, sent: Path) -> None:
        text = (sent / "Mine.txt").read_text("utf-8").replace("viejos", "añejos")
        (sent / "Mine.txt").write_bytes(text.encode("latin-1"))
        assert "not UTF-8 (byte 0xf1)" in check(assay)

    def test_characters_that_were_decoded_twice(self, assay: Run, sent: Path) -> None:
        text = (sent / "Mine.txt").read_text("utf-8").replace("viejos", "añejos")
        (sent / "Mine.txt").write_text(text.encode().decode("cp1252"), encoding="utf-8")
        assert "lines with characters that were decoded wrongly" in check(assay)

    def test_decoys_that_are_missing(self, assay: Run, sent: Path) -> None:
        """Those who leave out what they take for decoys are told which lines, not which of them are decoys."""
        changed(sent, lambda lines: ["" if number % 4 else line for number, line in enumerate(lines)])
        said = check(assay)
        assert "- 56 lines without a translation" in said
        assert "decoy" not in said

    def test_the_sources_as_they_were(self, assay: Run, sent: Path) -> None:
        (sent / "Mine.txt").write_bytes((sent / "sources.txt").read_bytes())
        assert "lines are copies of the source" in check(assay)

    def test_one_text_for_all(self, assay: Run, sent: Path) -> None:
        changed(sent, lambda lines: ["No tengo ninguna traducción para esto."] * len(lines))
        assert "- 75 lines have a text that stands for many other sources too" in check(assay)

    def test_a_report_for_each_participant(self, assay: Run, sent: Path) -> None:
        changed(sent, lambda lines: ["", "<b>|x|</b>", *lines[2:]])
        files = ["Mine.txt", "Other=Mine.txt", "--map", "sources.map.tsv"]
        assay("collect", "check", SPANISH, *files, "-o", "reports", "-f", "html", code=1)
        page = (sent / "reports" / "Other.html").read_text("utf-8")
        assert "<h1>Other: 75 of 75 texts, 1 problem" in page
        assert "<b>|x|" not in page
        said = check(assay, "-o", "Mine.md")
        assert said.startswith("Mine.md: Mine: 75 of 75 texts, 1 problem")
        markdown = (sent / "Mine.md").read_text("utf-8")
        assert markdown.startswith("# Mine: 75 of 75 texts, 1 problem")
        assert "| 1 | " in markdown
        assert not [item.id for item in SUITE if item.id in page + markdown]
        refused = assay("collect", "check", SPANISH, *files, "-o", "all.md", code=2).stderr
        assert "name a folder" in refused


class TestTaking:
    @pytest.mark.parametrize("suffix", [".txt", ".xml", ".jsonl"])
    def test_from_the_suite_to_the_table(self, assay: Run, tmp_path: Path, suffix: str) -> None:
        """What comes back through a map gives the very verdicts of outputs in suite order."""
        (tmp_path / "decoys.txt").write_text("\n".join(DECOYS) + "\n", encoding="utf-8")
        assay("collect", "sources", SPANISH, "-o", f"sources{suffix}", "--decoys", "decoys.txt", "--seed", "3")
        hand_in(tmp_path / f"sources{suffix}", tmp_path / f"Mine{suffix}")
        said = assay("collect", "take", SPANISH, f"Mine{suffix}", "--map", "sources.map.tsv", "-o", "out").stdout
        assert said.startswith("out/Mine.tsv: 15 of 15 items\n")
        assay("suite", "sources", SPANISH, "-o", "plain.txt")
        hand_in(tmp_path / "plain.txt", tmp_path / "direct.txt")
        taken, direct = (
            json.loads(assay("evaluate", SPANISH, path, "-f", "json").stdout)
            for path in ("out/campaign.yaml", "Mine=direct.txt")
        )
        assert [row["cells"][0]["correct"] for row in taken["rows"]] == [
            row["cells"][0]["correct"] for row in direct["rows"]
        ]

    def test_without_a_map_the_order_is_that_of_the_suite(self, assay: Run, tmp_path: Path) -> None:
        assay("suite", "sources", SPANISH, "-o", "plain.txt")
        hand_in(tmp_path / "plain.txt", tmp_path / "Mine.txt")
        assay("collect", "take", SPANISH, "Mine.txt", "-o", "out")
        rows = (tmp_path / "out" / "Mine.tsv").read_text("utf-8").splitlines()[1:]
        assert [row.split("\t")[0] for row in rows] == [item.id for item in SUITE]

    def test_a_misfit_is_refused_and_nothing_written(self, assay: Run, sent: Path) -> None:
        (sent / "Good.txt").write_bytes((sent / "Mine.txt").read_bytes())
        changed(sent, lambda lines: lines[1:])
        arguments = ["collect", "take", SPANISH, "Good.txt", "Mine.txt", "--map", "sources.map.tsv", "-o", "out"]
        assert "Mine.txt: 74 lines where 75 were sent; see: assay collect check" in assay(*arguments, code=2).stderr
        assert not (sent / "out").exists()

    def test_an_empty_line_is_a_missing_output(self, assay: Run, sent: Path) -> None:
        numbers = [
            int(row.split("\t")[0]) - 1
            for row in (sent / "sources.map.tsv").read_text("utf-8").splitlines()[1:]
            if row.split("\t")[2]
        ]
        changed(sent, lambda lines: ["" if number == numbers[0] else line for number, line in enumerate(lines)])
        said = assay("collect", "take", SPANISH, "Mine.txt", "--map", "sources.map.tsv", "-o", "out").stdout
        assert "out/Mine.tsv: 14 of 15 items" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["sources", SPANISH, "-o", "s.docx"], "choose one of these suffixes"),
        (["sources", SPANISH, "-o", "s.txt", "--decoy-share", "0.5"], "name a file of sentences with --decoys"),
        (["sources", SPANISH, "-o", "s.txt", "--map", "s.txt"], "written twice"),
        (["check", SPANISH, "none.txt"], "none.txt: there is no such file"),
        (["check", SPANISH, "s.txt", "--map", "none.tsv"], "none.tsv: there is no such file"),
        (["take", SPANISH, "none.txt", "-o", "out"], "none.txt: there is no such file"),
    ],
)
def test_mistakes(assay: Run, arguments: list[str], message: str) -> None:
    assert message in assay("collect", *arguments, code=2).stderr
