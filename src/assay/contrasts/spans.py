"""Where the surface tokens of a tree stand in a text.

>>> surface_spans(("Don't", "go", "."), "Don't go.")
[(0, 5), (6, 8), (8, 9)]
"""

from collections.abc import Sequence

Span = tuple[int, int]


def surface_spans(forms: Sequence[str], text: str) -> list[Span | None]:
    """Code points [start, end) of each token, in order; None for a token that is not in the text in this spelling.

    White space does not matter: `10000` is found in `10 000`.
    """
    # The text without spaces, and for each of its characters where it was.
    places = [place for place, character in enumerate(text) if not character.isspace()]
    dense = "".join(text[place] for place in places)
    found: list[Span | None] = []
    cursor = 0
    for form in forms:
        # From the cursor on: a token that occurs twice is found in the order of the tree.
        start = dense.find(form, cursor) if form else -1
        if start < 0:
            found.append(None)
            continue
        cursor = start + len(form)
        found.append((places[start], places[cursor - 1] + 1))
    return found
