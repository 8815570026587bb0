"""A sentence and its translation: both trees, the links, the keyword and what was made of it.

    print(terminal(pair))
    Path("pair.svg").write_text(svg(pair))

Words stand below each other, in their order, so that long sentences fit: on the terminal each tree for itself, in the
picture side by side, with the links between them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from assay.contrasts.trees import Links, Tree
from assay.reports.figures.letters import FONT, outlined, text_width
from assay.reports.table import Table, TableCell, TableRow


@dataclass(frozen=True)
class SentencePair:
    """What is shown. `keyword` and `word` are places in the trees; `nodes` names words of the source by the node of a
    pattern that they are; `remarks` say what was made of it."""

    source: Tree
    target: Tree | None = None
    links: Links = frozenset()
    keyword: int | None = None
    word: int | None = None
    nodes: Mapping[int, str] = field(default_factory=dict)
    title: str = ""
    system: str = ""
    remarks: Sequence[str] = ()


# The terminal


def terminal(pair: SentencePair, *, features: bool = False, strong: tuple[str, str] = ("", "")) -> str:
    """Both trees as text; what stands before and after words that matter is `strong`."""
    lines = [pair.title] if pair.title else []
    lines += ["", "source: " + pair.source.text, "", *_listing(pair, source=True, features=features, strong=strong)]
    if pair.target is not None:
        head = f"{pair.system or 'translation'}: {pair.target.text}"
        lines += ["", head, "", *_listing(pair, source=False, features=features, strong=strong)]
    lines += ["", *pair.remarks] if pair.remarks else []
    return "\n".join(line.rstrip() for line in lines).strip("\n") + "\n"


def _listing(pair: SentencePair, *, source: bool, features: bool, strong: tuple[str, str]) -> Iterator[str]:
    tree = pair.source if source else pair.target
    assert tree is not None
    chosen = pair.keyword if source else pair.word
    branches = branch_lines(tree)
    words = [
        branch + token.form + (" ◀" if place == chosen else "")
        for place, (branch, token) in enumerate(zip(branches, tree.tokens, strict=True))
    ]
    marked = [f"[{pair.nodes[place]}]" if source and place in pair.nodes else "" for place in range(len(tree))]
    relations = [f"{token.upos} {token.xpos}".strip() if source else token.upos for token in tree.tokens]
    widths = [
        max(map(len, column), default=0) for column in (words, marked, relations, [t.deprel for t in tree.tokens])
    ]
    number_width = len(str(len(tree)))
    for place, token in enumerate(tree.tokens):
        columns = (words[place], marked[place], relations[place], token.deprel)
        texts = [text.ljust(width) for text, width in zip(columns, widths, strict=True) if width]
        if place == chosen:
            texts[0] = texts[0].replace(token.form, f"{strong[0]}{token.form}{strong[1]}", 1)
        linked = _linked(pair, place, source=source)
        shown = ("→ " if source else "← ") + ", ".join(linked) if linked else ""
        more = token.morph if features else ""
        yield "  ".join([str(place + 1).rjust(number_width), *texts, shown, more])


def _linked(pair: SentencePair, place: int, *, source: bool) -> list[str]:
    """The words at the other end of a word's links, with their numbers."""
    if pair.target is None:
        return []
    own, other = (pair.source, pair.target) if source else (pair.target, pair.source)
    here = own.surface[place]
    ends = {right if source else left for left, right in pair.links if (left if source else right) == here}
    return [f"{word + 1} {other.tokens[word].form}" for word in range(len(other)) if other.surface[word] in ends]


def branch_lines(tree: Tree) -> list[str]:
    """What stands before each word: the branches of the tree, a lane for every word that has dependents."""
    lanes = _lanes(tree)
    width = max(lanes.values(), default=0) + 1
    grid = [[" "] * (2 * width + 1) for _ in tree.tokens]
    ends = []
    for head, lane in lanes.items():
        top, bottom = _span(tree, head)
        for row in range(top, bottom + 1):
            grid[row][2 * lane + 1] = "│"
    for place, token in enumerate(tree.tokens):
        end = 0
        if token.head >= 0:
            lane = lanes[token.head]
            top, bottom = _span(tree, token.head)
            grid[place][2 * lane + 1] = "╭" if place == top else "╰" if place == bottom else "├"
            end = 2 * lane + 2
        if place in lanes:
            lane = lanes[place]
            top, bottom = _span(tree, place)
            for column in range(end, 2 * lane + 1):
                grid[place][column] = "─" if grid[place][column] == " " else "┼"
            grid[place][2 * lane + 1] = "┬" if place == top else "┴" if place == bottom else "┼"
            end = 2 * lane + 2
        if end:
            grid[place][end] = "─"
        ends.append(end + 1 if end else 1)
    return ["".join(row[:end]) for row, end in zip(grid, ends, strict=True)]


def _span(tree: Tree, head: int) -> tuple[int, int]:
    """The first and last line that a head and its dependents stand on."""
    places = (head, *tree.children[head])
    return min(places), max(places)


def _lanes(tree: Tree) -> dict[int, int]:
    """A lane for each word with dependents, to the right of its head's, where nothing else is in the way."""
    lanes: dict[int, int] = {}
    taken: dict[int, list[tuple[int, int]]] = {}
    waiting = [place for place, token in enumerate(tree.tokens) if token.head < 0]
    for place in waiting:  # grows while it is walked
        waiting += tree.children[place]
        if not tree.children[place]:
            continue
        top, bottom = _span(tree, place)
        head = tree.tokens[place].head
        lane = lanes[head] + 1 if head >= 0 else 0
        while any(start <= bottom and top <= end for start, end in taken.get(lane, ())):
            lane += 1
        lanes[place] = lane
        taken.setdefault(lane, []).append((top, bottom))
    return lanes


# The picture

_ROW, _LANE, _TOP = 24, 13, 58
_TEXT, _SMALL_TEXT = 14, 10.5
_TAG_GAP, _ARC_GAP = 8, 14  # px between a word and its tags, and between these and the arcs
_COLUMN_GAP = 190
_INK, _QUIET, _FAINT, _KEY, _WORD = "#1a1a1a", "#6b6b6b", "#c9c9c9", "#0b6e69", "#c2410c"


def svg(pair: SentencePair) -> str:
    """The trees side by side: arcs at the outer sides, links between the words."""
    sides = [pair.source] + ([pair.target] if pair.target is not None else [])
    texts = [max((_width(pair, tree, place) for place in range(len(tree))), default=0) for tree in sides]
    arcs = [_LANE * (max(arc_lanes(tree).values(), default=0) + 2) for tree in sides]
    left = 20 + arcs[0] + texts[0]
    right = left + _COLUMN_GAP if len(sides) == 2 else left
    width = right + (texts[1] + arcs[1] if len(sides) == 2 else 0) + 20
    rows = max(len(tree) for tree in sides)
    height = _TOP + _ROW * rows + 14 + 18 * len(pair.remarks)
    width = max(width, 40 + text_width(pair.title, _TEXT, bold=True))
    width = max(width, 40 + max((text_width(remark, _TEXT) for remark in pair.remarks), default=0))
    shown = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="{FONT}">',
        f"<title>{escape(pair.title or pair.source.text)}</title>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>',
        _text(pair.title, (20, 24), _INK, bold=True),
        _text("source", (left, 46), _QUIET, anchor="end"),
    ]
    if len(sides) == 2:
        shown.append(_text(pair.system or "translation", (right, 46), _QUIET))
        shown += _link_lines(pair, left + 6, right - 6)
    shown += _side(pair, pair.source, left, source=True)
    if pair.target is not None:
        shown += _side(pair, pair.target, right, source=False)
    for number, remark in enumerate(pair.remarks):
        shown.append(_text(remark, (20, _TOP + _ROW * rows + 16 + 18 * number), _INK))
    return outlined("\n".join([*shown, "</svg>"]) + "\n")


def _text(
    text: str,
    place: tuple[float, float],
    colour: str,
    *,
    size: float = _TEXT,
    bold: bool = False,
    anchor: str = "start",
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}" font-size="{size}"{weight} '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _width(pair: SentencePair, tree: Tree, place: int) -> float:
    """Of a word with its tags and the room beside them; any word may be the marked one, which is bold."""
    tags = text_width(_tags(pair, tree, place), _SMALL_TEXT)
    return text_width(tree.tokens[place].form, _TEXT, bold=True) + _TAG_GAP + tags + _ARC_GAP


def _tags(pair: SentencePair, tree: Tree, place: int) -> str:
    token, node = tree.tokens[place], _node(pair, tree, place)
    return " ".join(filter(None, (token.upos, token.deprel, f"[{node}]" if node else "")))


def _node(pair: SentencePair, tree: Tree, place: int) -> str:
    return pair.nodes.get(place, "") if tree is pair.source else ""


def _middle(place: int) -> float:
    return _TOP + _ROW * place + _ROW / 2


def _side(pair: SentencePair, tree: Tree, edge: float, *, source: bool) -> Iterator[str]:
    """The words of a tree at the edge that is next to the other, and the arcs beyond them."""
    away = -1 if source else 1
    chosen = pair.keyword if source else pair.word
    colour = _KEY if source else _WORD
    arc_edge = edge + away * max((_width(pair, tree, place) for place in range(len(tree))), default=0)
    lanes = arc_lanes(tree)
    for place, token in enumerate(tree.tokens):
        marked = place == chosen
        if token.head >= 0:
            yield _arc(arc_edge, away, (token.head, place), lanes[place], colour if marked else "")
        else:
            yield (f'<circle cx="{arc_edge + away * 7:.1f}" cy="{_middle(place):.1f}" r="3.5" fill="{_INK}"/>')
        yield _word(pair, tree, place, edge, marked=colour if marked else "", source=source)


def _word(pair: SentencePair, tree: Tree, place: int, edge: float, *, marked: str, source: bool) -> str:
    token, y = tree.tokens[place], _middle(place)
    anchor, away = ("end", -1) if source else ("start", 1)
    width = text_width(token.form, _TEXT, bold=bool(marked))
    form = _text(token.form, (edge, y + 5), marked or _INK, bold=bool(marked), anchor=anchor)
    colour = _KEY if _node(pair, tree, place) else _QUIET
    beside = (edge + away * (width + _TAG_GAP), y + 5)
    tags = _text(_tags(pair, tree, place), beside, colour, size=_SMALL_TEXT, anchor=anchor)
    box = ""
    if marked:
        x = edge - width - 4 if source else edge - 4
        place_of = f'x="{x:.1f}" y="{y - 11:.1f}" width="{width + 8:.1f}" height="22" rx="4"'
        box = f'<rect {place_of} fill="{marked}" opacity="0.13"/>'
    return box + form + tags


def _arc(edge: float, away: int, ends: tuple[int, int], lane: int, colour: str) -> str:
    """A bracket from the governor to the dependent, with its tip at the dependent."""
    head, place = ends
    out = edge + away * (_LANE * (lane + 1))
    down = 1 if place > head else -1
    start, end = _middle(head) + 4 * down, _middle(place) - 3 * down
    bend = min(7.0, abs(end - start) / 2)
    ink, width = (colour, 2.2) if colour else (_QUIET, 1.1)
    tip = f"M{edge + away * 6:.1f} {end - 3:.1f}L{edge + away * 1:.1f} {end:.1f}L{edge + away * 6:.1f} {end + 3:.1f}Z"
    return (
        f'<path d="M{edge + away * 2:.1f} {start:.1f}H{out - away * bend:.1f}Q{out:.1f} {start:.1f} {out:.1f} '
        f"{start + down * bend:.1f}V{end - down * bend:.1f}Q{out:.1f} {end:.1f} {out - away * bend:.1f} {end:.1f}"
        f'H{edge + away * 4:.1f}" fill="none" stroke="{ink}" stroke-width="{width}"/><path d="{tip}" fill="{ink}"/>'
    )


def arc_lanes(tree: Tree) -> dict[int, int]:
    """How far out the arc of each dependent runs: short ones inside, none on top of another."""
    arcs = sorted((abs(place - token.head), place) for place, token in enumerate(tree.tokens) if token.head >= 0)
    lanes: dict[int, int] = {}
    taken: list[list[tuple[int, int]]] = []
    for _, place in arcs:
        low, high = sorted((place, tree.tokens[place].head))
        lane = 0
        while lane < len(taken) and any(start < high and low < end for start, end in taken[lane]):
            lane += 1
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        lanes[place] = lane
    return lanes


def _link_lines(pair: SentencePair, left: float, right: float) -> Iterator[str]:
    """Links between words; those of the keyword stand out, and come last so that nothing covers them."""
    assert pair.target is not None
    lines = []
    for word, own in enumerate(pair.source.surface):
        for other, place in enumerate(pair.target.surface):
            if (own, place) in pair.links:
                lines.append((word == pair.keyword, word, other))
    for chosen, word, other in sorted(lines):
        ink, width = (_KEY, 2.4) if chosen else (_FAINT, 1.3)
        yield (
            f'<path d="M{left:.1f} {_middle(word):.1f}C{left + 60:.1f} {_middle(word):.1f} {right - 60:.1f} '
            f'{_middle(other):.1f} {right:.1f} {_middle(other):.1f}" '
            f'fill="none" stroke="{ink}" stroke-width="{width}"/>'
        )


# The page


def html(pairs: Sequence[SentencePair]) -> str:
    """A page with the pictures, and under each the words with all that the parsers say; nothing is fetched."""
    from assay.reports.html import inline_figures, page

    pictures = inline_figures({str(number): svg(pair) for number, pair in enumerate(pairs)})
    trees = {"source": pairs[0].source} | {pair.system: pair.target for pair in pairs if pair.target is not None}
    return page(
        "contrasts/show.html",
        pairs[0].title or pairs[0].source.text,
        pairs=[(pair, picture) for pair, (_, picture) in zip(pairs, pictures, strict=True)],
        tables=[_words(side, tree) for side, tree in trees.items()],
    )


def _words(side: str, tree: Tree) -> Table:
    rows = [
        TableRow("category", str(number), tuple(map(TableCell, _attributes(tree, number - 1))), 0)
        for number in range(1, len(tree) + 1)
    ]
    return Table(f"Words: {side}", "", ("form", "lemma", "POS", "TAG", "MORPH", "head", "DEP"), tuple(rows), ())


def _attributes(tree: Tree, place: int) -> tuple[str, ...]:
    token = tree.tokens[place]
    head = f"{token.head + 1} {tree.tokens[token.head].form}" if token.head >= 0 else "–"
    return (token.form, token.lemma, token.upos, token.xpos, token.morph, head, token.deprel)
