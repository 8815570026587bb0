"""CoNLL-U in and out."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.files.conllu import read
from assay.contrasts.trees import Token, Tree
from assay.errors import BadFile

ABY = """\
# newdoc
# sent_id = s1
# text = Přišel, aby spal.
1	Přišel	přijít	VERB	Vp	Tense=Past|VerbForm=Part	0	root	0:root	SpaceAfter=No
2	,	,	PUNCT	Z:	_	5	punct	_	_
3-4	aby	_	_	_	_	_	_	_	_
3	aby	aby	SCONJ	J,	_	5	mark	_	_
4	by	být	AUX	Vc	Mood=Cnd|VerbForm=Fin	5	aux	_	_
4.1	on	on	PRON	PP	_	_	_	5:nsubj	_
5	spal	spát	VERB	Vp	Gender=Masc|Tense=Past|VerbForm=Part	1	advcl	_	SpaceAfter=No
6	.	.	PUNCT	Z:	_	1	punct	_	_
"""


def row(number: int | str, form: str, head: int | str, misc: str = "_") -> str:
    return f"{number}\t{form}\t{form}\tX\t_\t_\t{head}\tdep\t_\t{misc}\n"


def read_text(folder: Path, text: str) -> dict[int, Tree]:
    file = folder / "some.conllu"
    file.write_text(text, encoding="utf-8")
    return dict(read(file))


def problem(folder: Path, text: str) -> str:
    with pytest.raises(BadFile) as caught:
        read_text(folder, text)
    return str(caught.value).removeprefix(f"{folder / 'some.conllu'}:")


def test_a_sentence_is_a_tree(tmp_path: Path) -> None:
    found = read_text(tmp_path, ABY)[0]
    assert found.text == "Přišel, aby spal."
    assert found.tokens[3] == Token("by", "být", "AUX", "Vc", {"Mood": "Cnd", "VerbForm": "Fin"}, 4, "aux")
    assert [token.head for token in found.tokens] == [-1, 4, 4, 4, 0, 0]
    assert found.surface == (0, 1, 2, 2, 3, 4)
    assert found.surface_forms == ("Přišel", ",", "aby", "spal", ".")


def test_without_a_text_the_tokens_make_it(tmp_path: Path) -> None:
    text = ABY.replace("# text = Přišel, aby spal.\n", "")
    assert read_text(tmp_path, text)[0].text == "Přišel, aby spal."


def test_a_form_with_a_space_is_one_surface_token(tmp_path: Path) -> None:
    found = read_text(tmp_path, row(1, "10 000", 0))[0]
    assert (found.tokens[0].form, found.surface_forms) == ("10 000", ("10000",))


def test_an_underscore_can_be_a_word(tmp_path: Path) -> None:
    word = read_text(tmp_path, row(1, "_", 0))[0].tokens[0]
    assert (word.form, word.lemma, word.upos, word.xpos) == ("_", "_", "X", "")


def test_each_sentence_is_a_line(tmp_path: Path) -> None:
    found = read_text(tmp_path, "\n\n" + row(1, "a", 0) + "\n\n\n# text = b\n" + row(1, "b", 0))
    assert {line: tree.text for line, tree in found.items()} == {0: "a", 1: "b"}


def test_sentences_with_line_numbers_may_leave_lines_out_and_share_them(tmp_path: Path) -> None:
    text = (
        f"# assay_line = 2\n# text = a b\n{row(1, 'a', 2)}{row(2, 'b', 0)}\n"
        f"# assay_line = 4\n# text = Do.\n{row(1, 'c', 0)}\n"
        f"# assay_line = 4\n# text = d e\n{row(1, 'd', 0)}{row('2-3', 'e', '_')}{row(2, 'e', 1)}{row(3, 'f', 2)}"
    )
    found = read_text(tmp_path, text)
    assert list(found) == [1, 3]
    assert found[3].text == "Do. d e"
    assert [token.head for token in found[3].tokens] == [-1, -1, 1, 2]
    assert found[3].surface == (0, 1, 2, 2)
    assert found[3].surface_forms == ("c", "d", "e")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\ta\ta\tX\t_\t_\t0\troot\t_\n", "1: sentence 1: 9 columns, not 10; columns are separated by one tab"),
        (row(1, "a", 0) + "\n" + "2 b b X _ _ 0 root _ _\n", "3: sentence 2: 1 columns, not 10"),
        (row(1, "a", 0) + row(2, "b", "_"), "2: sentence 1: the word 'b' has no head"),
        (row(1, "a", 0) + row(2, "b", "x"), "2: sentence 1: the head of 'b' is 'x', not a number"),
        (row(1, "a", 0) + row(2, "b", -1), "2: sentence 1: the head of 'b' is '-1', not a number"),
        (row(1, "a", 0) + row(2, "b", 3), "2: sentence 1: the head of 'b' is 3, which is not there"),
        (row(1, "a", 2) + row(2, "b", 1), "1: sentence 1: no word is the root; one word has the head 0"),
        (row(1, "a", 0) + row(2, "b", 0), "2: sentence 1: 2 words are roots, 'a' and 'b'; one word has the head 0"),
        (
            "# sent_id = n5\n" + row(1, "a", 0) + row(2, "b", 3) + row(3, "c", 2),
            "3: sentence 1 (n5): the heads of 'b' lead back to it: a cycle",
        ),
        (row(1, "a", 0) + row(2, "b", 2), "2: sentence 1: the heads of 'b' lead back to it: a cycle"),
        (row(1, "a", 0) + row(3, "b", 1), "2: sentence 1: the word is numbered '3', not 2"),
        (row("2-3", "ab", "_") + row(1, "a", 0), "1: sentence 1: the multiword token 2-3 is out of place"),
        (
            row("1-2", "ab", "_") + row(1, "a", 0),
            "1: sentence 1: the multiword token ends at word 2, and there are 1",
        ),
        (row(1, "a", 0).replace("X\t_\t_", "X\t_\tCase"), "1: sentence 1: the features 'Case' are not Name=Value|…"),
        ("# assay_line = 0\n" + row(1, "a", 0), "2: sentence 1: `# assay_line = 0` is not a line number"),
        (
            "# assay_line = 1\n" + row(1, "a", 0) + "\n" + row(1, "b", 0),
            "4: sentence 2: has no `# assay_line`, or alone has one; number all sentences or none",
        ),
        (
            "# assay_line = 2\n" + row(1, "a", 0) + "\n# assay_line = 1\n" + row(1, "b", 0),
            "5: sentence 2: belongs to line 1, after line 2",
        ),
        ("# text = nothing\n", " there are no sentences in the file"),
    ],
)
def test_a_slip_is_named_by_sentence_and_line(tmp_path: Path, text: str, message: str) -> None:
    assert problem(tmp_path, text).startswith(message)


def test_a_numbered_sentence_may_have_several_roots(tmp_path: Path) -> None:
    found = read_text(tmp_path, "# assay_line = 1\n" + row(1, "a", 0) + row(2, "b", 0))
    assert [token.head for token in found[0].tokens] == [-1, -1]


# Anything but white space and controls; a lone underscore means nothing in these columns.
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=6).filter(
    lambda name: name != "_"
)
FEATURES = st.dictionaries(
    st.sampled_from(["Case", "Gender[psor]", "Mood"]), st.sampled_from(["Nom", "Fem,Neut", "1"]), max_size=3
)


@st.composite
def sentences(draw: st.DrawFn) -> Tree:
    """One sentence of one to six words, some of them written together."""
    size = draw(st.integers(1, 6))
    order = draw(st.permutations(range(size)))
    heads = {order[0]: -1} | {order[place]: order[draw(st.integers(0, place - 1))] for place in range(1, size)}
    tokens = tuple(
        Token(draw(NAMES), draw(NAMES), draw(NAMES), draw(NAMES), draw(FEATURES), heads[place], draw(NAMES))
        for place in range(size)
    )
    surface, forms = [0], [tokens[0].form]
    for place in range(1, size):
        if draw(st.booleans()):
            surface.append(surface[-1])
            forms[-1] = draw(NAMES)
        else:
            forms.append(tokens[place].form)
            surface.append(len(forms) - 1)
    return Tree(tokens, " ".join(forms), tuple(surface), tuple(forms))


def joined(first: Tree, second: Tree) -> Tree:
    """Both sentences on one line."""
    return Tree(
        first.tokens + tuple(t._replace(head=t.head + len(first) if t.head >= 0 else -1) for t in second.tokens),
        f"{first.text} {second.text}",
        first.surface + tuple(place + len(first.surface_forms) for place in second.surface),
        first.surface_forms + second.surface_forms,
    )


def written(line: int, sentence: Tree) -> str:
    """A sentence as other tools write it, with the line of the parallel file that it belongs to."""
    lines = [f"# assay_line = {line + 1}", f"# text = {sentence.text}"]
    for place, token in enumerate(sentence.tokens):
        own = sentence.surface[place]
        shared = sentence.surface.count(own)
        if shared > 1 and own not in sentence.surface[:place]:
            lines.append("\t".join((f"{place + 1}-{place + shared}", sentence.surface_forms[own], *"________")))
        feats = "|".join(f"{name}={value}" for name, value in token.feats.items()) or "_"
        columns = (place + 1, token.form, token.lemma, token.upos, token.xpos, feats, token.head + 1, token.deprel)
        lines.append("\t".join((*map(str, columns), "_", "_")))
    return "\n".join([*lines, "", ""])


@given(st.dictionaries(st.integers(0, 9), st.lists(sentences(), min_size=1, max_size=2), min_size=1, max_size=3))
def test_what_is_written_is_read_again(tmp_path_factory: pytest.TempPathFactory, lines: dict[int, list[Tree]]) -> None:
    text = "".join(written(line, sentence) for line in sorted(lines) for sentence in lines[line])
    trees = {line: joined(*several) if len(several) > 1 else several[0] for line, several in lines.items()}
    assert read_text(tmp_path_factory.getbasetemp(), text) == trees


def test_a_sentence_in_which_every_word_hangs_on_the_next_is_read_at_once(tmp_path: Path) -> None:
    """Looking for cycles must not walk a path once for every word on it: this took minutes."""
    words = 20_000
    rows = "".join(row(number, "a", number + 1 if number < words else 0) for number in range(1, words + 1))
    assert len(read_text(tmp_path, rows)[0].tokens) == words


@pytest.mark.parametrize(
    "text",
    [
        row(1, "a", "9" * 5000),
        f"# assay_line = {'9' * 5000}\n" + row(1, "a", 0),
        row(f"{'9' * 5000}-{'9' * 5001}", "a", "_") + row(1, "a", 0),
    ],
)
def test_a_number_that_python_does_not_read_is_refused(tmp_path: Path, text: str) -> None:
    assert len(problem(tmp_path, text)) <= 300
