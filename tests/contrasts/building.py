"""Trees written as small tables, for tests."""

from assay.contrasts.trees import Links, Token, Tree


def tree(table: str, text: str = "") -> Tree:
    """A tree from rows `form lemma upos xpos head deprel [feats]`; heads count from 1, `_` is empty.

    A row `= aby 2` says that the next two words are written as one.
    """
    tokens: list[Token] = []
    surface: list[int] = []
    forms: list[str] = []
    inside = 0
    for row in filter(None, map(str.split, table.splitlines())):
        if row[0] == "=":
            forms.append(row[1])
            inside = int(row[2])
            continue
        form, lemma, upos, xpos, head, deprel, *feats = row
        pairs = dict(pair.split("=") for pair in feats[0].split("|")) if feats else {}
        tokens.append(Token(form, lemma, upos, xpos.strip("_"), pairs, int(head) - 1, deprel))
        if inside == 0:
            forms.append(form)
        inside = max(inside - 1, 0)
        surface.append(len(forms) - 1)
    return Tree(tuple(tokens), text or " ".join(forms), tuple(surface), tuple(forms))


def links(pharaoh: str) -> Links:
    pairs = (link.split("-") for link in pharaoh.split())
    return frozenset((int(left), int(right)) for left, right in pairs)
