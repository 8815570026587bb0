r"""How large a regular expression becomes when its counted repeats are written out.

    pattern_size(r"(?:ab?){1000}")  # -> 3000

`regex` copies what is repeated while it compiles: `(?:ab?ab?ab?ab?){1000000}` took gigabytes. So a pattern is measured
before it is compiled. The measure may be too large, never too small: what cannot be told apart without being a whole
parser (comments, classes within classes, `x` mode) is multiplied as if every repeat stood around everything else.
"""

import re

LARGEST = 100_000
"""Pieces that a pattern may have with its repeats written out; `regex` takes a few hundred bytes for each."""

# In `x` mode blanks may stand within the braces, even between digits.
_COUNT = re.compile(r"\{([\d\s]*)(,[\d\s]*)?\}")

# Where brackets and parentheses may not be what they seem: modes (`x`, `V1`), comments, a bracket within a class.
_UNCLEAR = re.compile(r"\(\?[a-zA-Z0-9-]*[xV]|\(\?\#|\[[^\]]*\[", re.DOTALL)

_PIECE = re.compile(r"(?P<open>\()|(?P<close>\))|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)


def pattern_size(pattern: str) -> int:
    """The number of pieces (characters, classes, groups) when counted repeats are written out; never too small."""
    if _UNCLEAR.search(pattern):
        size = len(pattern)
        for repeat in _COUNT.finditer(pattern):
            size *= _copies(repeat)
        return size
    above: list[int] = []
    size = last = position = 0  # of the innermost open group, and of the piece that a repeat would apply to
    while position < len(pattern):
        count = _COUNT.match(pattern, position)
        if count and (count[1].strip() or count[2]):
            size += last * (_copies(count) - 1)
            last *= _copies(count)
            position = count.end()
            continue
        piece = _PIECE.match(pattern, position)
        assert piece is not None  # its last alternative is any character
        position = piece.end()
        if piece["open"]:
            above.append(size)
            size = last = 0
        elif piece["close"] and above:
            last = size + 1
            size = above.pop() + last
        else:
            last = 1
            size += 1
    return size + sum(above)


def _copies(count: re.Match[str]) -> int:
    # Nine digits are beyond any limit, and thousands of them would be too long for `int`.
    numbers = (re.sub(r"\D", "", text or "").lstrip("0")[:9] for text in count.groups())
    return max(1, *(int(number or 0) for number in numbers))
