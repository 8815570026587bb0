"""Pictures of a sentence pair."""

import re
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from assay.contrasts.tree_view import SentencePair, arc_lanes, branch_lines, html, svg, terminal
from assay.contrasts.trees import Token, Tree
from tests.contrasts.building import links, tree

ENGLISH = tree(
    """
    She     she    PRON  PRP 2 nsubj
    asked   ask    VERB  VBD 0 root  Tense=Past
    him     he     PRON  PRP 2 obj
    to      to     PART  TO  5 mark
    leave   leave  VERB  VB  2 xcomp VerbForm=Inf
    """
)
CZECH = tree(
    """
    Požádala požádat VERB  V 0 root
    ho       on      PRON  P 1 obj
    = aby 2
    a        aby     SCONJ J 5 mark
    by       být     AUX   V 5 aux
    odešel   odejít  VERB  V 1 xcomp
    """
)
PAIR = SentencePair(
    ENGLISH,
    CZECH,
    links("0-0 1-0 2-1 3-2 4-3"),
    keyword=4,
    word=4,
    nodes={1: "gov", 4: "kw"},
    title="sample, sentence 1",
    system="A & B",
    remarks=["class subjunctive, good (pass)"],
)


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any tree or forest, also those whose branches cross."""
    size = draw(st.integers(1, 14))
    order = draw(st.permutations(range(size)))
    heads = {order[0]: -1}
    for place in range(1, size):
        heads[order[place]] = draw(st.sampled_from([-1, *order[:place]]))
    return Tree(tuple(Token(f"w{k}", "", "", "", {}, heads[k], "dep") for k in range(size)))


class TestTerminal:
    def test_branches(self) -> None:
        drawn = [branch + token.form for branch, token in zip(branch_lines(ENGLISH), ENGLISH.tokens, strict=True)]
        assert drawn == [
            " ╭─She",
            "─┼─asked",
            " ├─him",
            " │ ╭─to",
            " ╰─┴─leave",
        ]

    def test_keyword_nodes_and_links_stand_beside_the_words(self) -> None:
        shown = terminal(PAIR).splitlines()
        (keyword,) = [line for line in shown if "leave ◀" in line]
        assert "[kw]" in keyword
        assert keyword.endswith("→ 5 odešel")
        assert [line for line in shown if line.endswith("← 1 She, 2 asked")] != []
        # Both words of aby are linked to what the token is linked to.
        assert sum(line.endswith("← 4 to") for line in shown) == 2
        assert shown[-1] == "class subjunctive, good (pass)"

    def test_a_source_alone(self) -> None:
        shown = terminal(SentencePair(ENGLISH), features=True)
        assert "→" not in shown
        assert "VerbForm=Inf" in shown

    @given(trees())
    def test_every_word_has_its_line(self, drawn: Tree) -> None:
        lines = branch_lines(drawn)
        assert len(lines) == len(drawn)
        for line, token in zip(lines, drawn.tokens, strict=True):
            # Whatever crosses, a word that hangs on another is reached by a stroke, and a lonely root by none.
            assert line.endswith("─") == (token.head >= 0 or bool(drawn.children[drawn.tokens.index(token)]))


class TestPicture:
    def test_it_is_xml_with_all_words(self) -> None:
        root = ElementTree.fromstring(svg(PAIR))
        texts = " ".join(element.get("data-text", "") for element in root.iter())
        for word in ("She", "leave", "odešel", "A & B", "[kw]", "class subjunctive, good (pass)"):
            assert word in texts

    def test_it_grows_with_the_longer_sentence(self) -> None:
        def height(pair: SentencePair) -> int:
            return int(ElementTree.fromstring(svg(pair)).attrib["height"])

        long = Tree(tuple(Token(f"w{k}", "", "", "", {}, k - 1, "dep") for k in range(40)))
        assert height(SentencePair(long, CZECH)) > height(PAIR) + 30 * 20

    def test_markup_in_a_sentence_stays_text(self) -> None:
        bad = Tree((Token("<script>alert(1)</script>", "", "", "", {}, -1, "root"),), "<script>")
        assert "<script" not in svg(SentencePair(bad, title="<script>"))
        assert "<script>alert" not in html([SentencePair(bad, title="<script>", system="<b>")])

    @given(trees())
    def test_no_arc_lies_on_another(self, drawn: Tree) -> None:
        lanes = arc_lanes(drawn)
        spans = [(lane, *sorted((place, drawn.tokens[place].head))) for place, lane in lanes.items()]
        for number, (lane, low, high) in enumerate(spans):
            for other, start, end in spans[number + 1 :]:
                assert other != lane or start >= high or end <= low


def test_a_page_fetches_nothing_and_lists_each_tree_once() -> None:
    page = html([PAIR, PAIR])
    assert not re.search(r'(src|href)="(?!#)', page)
    assert page.count("<svg xmlns=") == 2
    assert page.count("Words: source") == 2  # the heading, and the name of the region
    assert "VerbForm=Inf" in page
