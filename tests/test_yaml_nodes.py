"""YAML in which every scalar is a string and every error has a line."""

from pathlib import Path

import pytest
import yaml

from assay import yaml_nodes
from assay.errors import BadFile, BadSuite
from assay.yaml_nodes import YamlNode, parse


def parsed(tmp_path: Path, text: str) -> YamlNode:
    file = tmp_path / "some.yaml"
    file.write_text(text, encoding="utf-8")
    return parse(file)


@pytest.mark.parametrize("word", ["on", "no", "yes", "off", "1.10", "0x1F", "007", "null", "~", "2024-05-01", "1:30"])
def test_scalars_stay_as_written(tmp_path: Path, word: str) -> None:
    root = parsed(tmp_path, f"{word}: {word}\n")
    assert root.text(word) == word


def test_a_line_counts_from_one(tmp_path: Path) -> None:
    root = parsed(tmp_path, "# a comment\n\nname: x\nother:\n  deep: y\n")
    assert root.line == 3
    assert root.fields()["other"].fields()["deep"].line == 5


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("name: a\nname: b\n", 2, "the key 'name' stands twice"),
        ("naem: a\n", 1, "unknown key 'naem'; did you mean 'name'?"),
        ("colour: a\n", 1, "unknown key 'colour'; known keys: name, tags"),
        ("name: a\ntgas:\n  - b\n", 2, "unknown key 'tgas'; did you mean 'tags'?"),
        ("- a\n- b\n", 1, "a mapping (key: value) is expected here"),
        ("just a text\n", 1, "a mapping (key: value) is expected here"),
        ("name:\n  - a\n", 2, "a plain text is expected here"),
        ("[a, b]: c\n", 1, "a plain text is expected here"),
        ("tags: {a: b}\nname: x\n", 1, "a list (- …) is expected here"),
        ("tags: [a]\n", 1, "'name' is missing"),
    ],
)
def test_a_slip_is_named_by_line(tmp_path: Path, text: str, line: int, problem: str) -> None:
    def read(root: YamlNode) -> None:
        root.only("name", "tags")
        root.texts("tags")
        root.text("name")

    root = parsed(tmp_path, text)
    with pytest.raises(BadSuite) as caught:
        read(root)
    assert str(caught.value).startswith(f"{tmp_path / 'some.yaml'}:{line}: {problem}")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("name: [a, b\n", 2),
        ("name: 'a\n", 2),
        ("a: b: c\n", 1),
        ("name: x\n\ttags: y\n", 2),
        ("name: x\n  other: y\n", 2),
        ("a: 1\n---\nb: 2\n", 2),
        ("a: *nobody\n", 1),
        ("name: x\nbell: '\a'\n", 2),
        ("name: x\nnul: \0\n", 2),
    ],
)
def test_broken_yaml_is_named_by_line_in_one_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(BadSuite) as caught:
        parsed(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'some.yaml'}:{line}: not valid YAML")
    assert "\n" not in str(caught.value)


def test_a_file_of_comments_only_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadSuite, match="nothing but comments"):
        parsed(tmp_path, "# to be written\n")


def test_an_empty_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="empty"):
        parsed(tmp_path, "")


@pytest.mark.parametrize(
    ("text", "texts"), [("tags: [a, b]\n", ("a", "b")), ("tags: []\n", ()), ("tags:\n", ()), ("other: x\n", ())]
)
def test_an_absent_list_is_empty(tmp_path: Path, text: str, texts: tuple[str, ...]) -> None:
    assert parsed(tmp_path, text).texts("tags") == texts


@pytest.mark.parametrize(("word", "value"), [("true", True), ("True", True), ("false", False)])
def test_a_flag_is_true_or_false(tmp_path: Path, word: str, value: bool) -> None:
    assert parsed(tmp_path, f"held_out: {word}\n").flag("held_out") is value


@pytest.mark.parametrize("word", ["yes", "1", "''"])
def test_a_flag_is_nothing_else(tmp_path: Path, word: str) -> None:
    with pytest.raises(BadSuite, match=r"some\.yaml:2: 'held_out' is true or false"):
        parsed(tmp_path, f"name: x\nheld_out: {word}\n").flag("held_out")


def test_a_byte_order_mark_and_windows_lines_are_accepted(tmp_path: Path) -> None:
    file = tmp_path / "windows.yaml"
    file.write_bytes(b"\xef\xbb\xbfname: x\r\ntags:\r\n  - a\r\n")
    assert (parse(file).text("name"), parse(file).texts("tags")) == ("x", ("a",))


@pytest.mark.parametrize(
    "deep",
    [
        "a: " + "[" * 100_000,
        "- " * 100_000 + "x",
        "".join(" " * level + "a:\n" for level in range(300)),
        "{a: " * 100_000,
        "? " * 100_000,
    ],
)
def test_nesting_that_would_exhaust_the_stack(tmp_path: Path, deep: str) -> None:
    with pytest.raises(BadSuite, match=r"some.yaml:\d+: nested deeper than 100 levels"):
        parsed(tmp_path, deep)


def test_aliases_that_multiply(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]" for level in range(1, 20)]
    with pytest.raises(BadSuite, match="aliases stand for too much"):
        parsed(tmp_path, "\n".join(lines))


def test_aliases_and_brackets_that_are_harmless(tmp_path: Path) -> None:
    text = "a: &a ['[[[[', {b: c}]\nb: *a\n" + "".join(f"c{number}: 'x [ {{'\n" for number in range(500))
    assert parsed(tmp_path, text).text("c7") == "x [ {"


def test_a_hundred_levels_are_read(tmp_path: Path) -> None:
    node = parsed(tmp_path, "[" * 100 + "x" + "]" * 100)
    for _ in range(100):
        (node,) = node.sequence()
    assert node.value() == "x"


AWKWARD = """\
# A comment
a: &a {id: x, pass: ['\\b{one}', "two"]}
b:
  - *a
  - |
    a block
    of lines
  - ? key
    : &b plain
  - *b
c: []
"""


def places(node: YamlNode) -> list[object]:
    """Line, first and last character and content of everything in a file."""
    told: list[object] = [node.line, node.start, node.end]
    if node.is_text:
        return [*told, node.value()]
    if node.is_mapping:
        return [*told, [(places(key), places(value)) for key, value in node.pairs()]]
    return [*told, [places(entry) for entry in node.sequence()]]


def test_places_are_those_of_the_text(tmp_path: Path) -> None:
    root = parsed(tmp_path, AWKWARD)
    first, block, _, plain = root.fields()["b"].sequence()
    assert AWKWARD[first.start : first.end] == "&a {id: x, pass: ['\\b{one}', \"two\"]}"
    assert first.fields() == root.fields()["a"].fields()
    assert (first.line, block.line, plain.line) == (2, 5, 9)
    assert block.value() == "a block\nof lines\n"
    assert AWKWARD[plain.start : plain.end] == "&b plain"


def test_without_libyaml_everything_is_in_the_same_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = places(parsed(tmp_path, AWKWARD))
    monkeypatch.setattr(yaml_nodes, "Loader", yaml.BaseLoader)
    assert places(parsed(tmp_path, AWKWARD)) == found


def test_the_first_of_aliases_that_multiply_too_much_is_named(tmp_path: Path) -> None:
    # Fourfold on each level: 4 ** 11 is below the limit, 4 ** 12 is not.
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 4)}]" for level in range(1, 16)]
    parsed(tmp_path, "\n".join(lines[:11]))
    with pytest.raises(BadSuite, match=r"some.yaml:12: its aliases stand for too much"):
        parsed(tmp_path, "\n".join(lines))
