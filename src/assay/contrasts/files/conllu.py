"""CoNLL-U: dependency trees made elsewhere.

    trees = dict(read(Path("newstest.en.conllu")))  # line of the parallel file, from 0 -> tree

Each sentence is one line of the parallel file, unless comments `# assay_line = N` (from 1) say to which line it
belongs: lines without a tree are then left out, and several sentences may make up one line. Empty nodes (`1.1`) and
the columns DEPS and MISC are ignored, except for `SpaceAfter=No` where there is no `# text`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from assay.contrasts.trees import Token, Tree, features, joined
from assay.errors import BadFile
from assay.files import read_lines
from assay.limits import check_text

COLUMNS = 10

_EMPTY_NODE = re.compile(r"\d+\.\d+")
_RANGE = re.compile(r"(\d+)-(\d+)")
_LONGEST_NUMBER = 9
"""Digits; more would be no line of any file, and Python reads only some thousands."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """The rows of one sentence with their line numbers, and the comments that matter."""

    path: Path
    number: int
    start: int
    comments: dict[str, str]
    rows: list[tuple[int, list[str]]]

    def fail(self, problem: str, *, line: int | None = None, cure: str = "") -> NoReturn:
        name = self.comments.get("sent_id", "")
        named = f"sentence {self.number}" + (f" ({name})" if name else "")
        raise BadFile(self.path, f"{named}: {problem}", line=line or self.start, cure=cure)


def read(path: Path) -> Iterator[tuple[int, Tree]]:
    """(line of the parallel file, from 0; its tree), in the order of the file."""
    waiting: tuple[int, list[Tree]] | None = None
    numbered: bool | None = None
    for sentence in _sentences(path):
        stated = sentence.comments.get("assay_line")
        if numbered not in (None, stated is not None):
            sentence.fail("has no `# assay_line`, or alone has one", cure="number all sentences or none")
        numbered = stated is not None
        line, tree = _line(sentence, stated), _tree(sentence)
        if waiting and line < waiting[0]:
            sentence.fail(f"belongs to line {line + 1}, after line {waiting[0] + 1}", cure="sort by `# assay_line`")
        # Trees are held back until the next sentence turns out to belong to another line.
        if waiting and line == waiting[0]:
            waiting[1].append(tree)
            continue
        if waiting:
            yield waiting[0], _whole(path, waiting[1])
        waiting = (line, [tree])
    if waiting is None:
        raise BadFile(path, "there are no sentences in the file", cure="it should have ten columns, as CoNLL-U has")
    yield waiting[0], _whole(path, waiting[1])


def _whole(path: Path, trees: list[Tree]) -> Tree:
    """The sentences of one line as one tree."""
    if len(trees) == 1:
        return trees[0]
    text = " ".join(tree.text for tree in trees)
    check_text(path, text)
    return joined(trees, text)


def _line(sentence: _Sentence, stated: str | None) -> int:
    if stated is None:
        return sentence.number - 1
    if not _is_number(stated) or int(stated) < 1:
        sentence.fail(f"`# assay_line = {stated}` is not a line number", cure="lines count from 1")
    return int(stated) - 1


def _sentences(path: Path) -> Iterator[_Sentence]:
    number = 0
    comments: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    # One blank line more, since the last sentence of a file need not be followed by one.
    for place, line in enumerate([*read_lines(path), ""], start=1):
        if line.startswith("#"):
            name, equals, value = line[1:].partition("=")
            if equals and name.strip() in ("sent_id", "text", "assay_line"):
                comments[name.strip()] = value.strip()
        elif line.strip():
            rows.append((place, line.split("\t")))
        elif rows:
            number += 1
            yield _Sentence(path, number, rows[0][0], comments, rows)
            comments, rows = {}, []


def _tree(sentence: _Sentence) -> Tree:
    words: list[Token] = []
    surface: list[int] = []
    pieces: list[tuple[str, str]] = []  # surface tokens: form and MISC
    until = 0  # the last word of the multiword token that was begun
    for line, columns in sentence.rows:
        if len(columns) != COLUMNS:
            sentence.fail(f"{len(columns)} columns, not {COLUMNS}", line=line, cure="columns are separated by one tab")
        number, following = columns[0], len(words) + 1
        if _EMPTY_NODE.fullmatch(number):
            continue
        if (span := _RANGE.fullmatch(number)) and _is_number(span[1]) and _is_number(span[2]):
            if int(span[1]) != following or following <= until or int(span[2]) < following:
                sentence.fail(f"the multiword token {number} is out of place", line=line)
            until = int(span[2])
            pieces.append((columns[1], columns[9]))
            continue
        if number != str(following):
            sentence.fail(f"the word is numbered {number!r}, not {following}", line=line)
        if following > until:
            pieces.append((columns[1], columns[9]))
        surface.append(len(pieces) - 1)
        words.append(_word(sentence, line, columns))
    if until > len(words):
        sentence.fail(f"the multiword token ends at word {until}, and there are {len(words)}")
    _check(sentence, words)
    forms = tuple("".join(form.split()) for form, _ in pieces)
    text = sentence.comments.get("text") or _text(pieces)
    # The comment may be short where the words are many.
    for written in (text, "".join(forms)):
        check_text(sentence.path, written, line=sentence.rows[0][0])
    return Tree(tuple(words), text, tuple(surface), forms)


def _word(sentence: _Sentence, line: int, columns: list[str]) -> Token:
    _, form, lemma, upos, xpos, feats, head, deprel, _, _ = columns
    if head == "_":
        sentence.fail(f"the word {form!r} has no head", line=line, cure="parse the file; 0 is the head of a root")
    if not _is_number(head):
        sentence.fail(f"the head of {form!r} is {head!r}, not a number", line=line)
    if feats != "_" and not all("=" in feature for feature in feats.split("|")):
        sentence.fail(f"the features {feats!r} are not Name=Value|…", line=line)
    return Token(
        form=form,
        # An underscore as a word has the lemma `_`, which is not a missing one.
        lemma=form if lemma == form else _value(lemma),
        upos=_value(upos),
        xpos=_value(xpos),
        feats=features(feats),
        head=int(head) - 1,
        deprel=_value(deprel),
    )


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) <= _LONGEST_NUMBER


def _value(column: str) -> str:
    return "" if column == "_" else column


def _check(sentence: _Sentence, words: list[Token]) -> None:
    """Refuse what is not a tree: every head must be a word, with one root that all words lead to."""
    lines = [line for line, columns in sentence.rows if columns[0].isdecimal()]
    for word, line in zip(words, lines, strict=True):
        if word.head >= len(words):
            cure = f"the sentence has {len(words)} words"
            sentence.fail(f"the head of {word.form!r} is {word.head + 1}, which is not there", line=line, cure=cure)
    roots = [place for place, word in enumerate(words) if word.head < 0]
    if not roots:
        sentence.fail("no word is the root", cure="one word has the head 0")
    # With `# assay_line` one line of the parallel file may hold several sentences.
    if len(roots) > 1 and "assay_line" not in sentence.comments:
        named = " and ".join(repr(words[place].form) for place in roots[:2])
        cure = "one word has the head 0; sentences of one line are joined by `# assay_line = N`"
        sentence.fail(f"{len(roots)} words are roots, {named}", line=lines[roots[1]], cure=cure)
    # Words whose heads are known to lead to a root: each path is walked once only.
    safe = {-1}
    for place, line in enumerate(lines):
        path: dict[int, None] = {}  # ordered, and quick to look something up in
        while place not in safe:
            if place in path:
                sentence.fail(f"the heads of {words[place].form!r} lead back to it: a cycle", line=line)
            path[place] = None
            place = words[place].head
        safe.update(path)


def _text(pieces: list[tuple[str, str]]) -> str:
    joined = "".join(form + ("" if "SpaceAfter=No" in misc.split("|") else " ") for form, misc in pieces)
    return joined.strip()
