"""TER: sacreBLEU's sentence scores, equal to the last bit.

    ter("").score(segments)
    ter("normalized=yes,asian_support=yes").score(segments)

sacreBLEU works out the edit distance of every shift it tries in Python, word by word. Here a word is a letter: the
distance of a shift is one call of rapidfuzz, and the alignment of translation and reference comes from Hyyrö's
bit-parallel algorithm (2003), whose ties are broken as sacreBLEU breaks them. sacreBLEU looks at a beam of the matrix
only; where an optimal alignment could leave that beam, its own function does the work.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric
from assay.challenge.metrics.options import check_modules, flag, named, read_options
from assay.challenge.metrics.spaces import spaced_only

if TYPE_CHECKING:
    from sacrebleu.metrics.ter import TER

KNOWN = dict.fromkeys(("normalized", "no_punct", "asian_support", "case_sensitive"), flag)

# The limits of tercom and sacreBLEU.
LONGEST_SHIFT, FARTHEST_SHIFT, MOST_SHIFTS, BEAM = 10, 50, 1000, 25

MOST_WORDS = 0xD000
"""Distinct words of a pair of texts: each is a letter, and from U+D800 on there are none."""


@dataclass(frozen=True, slots=True)
class TerOptions:
    """The parameters of sacreBLEU's class."""

    normalized: bool = False
    no_punct: bool = False
    asian_support: bool = False
    case_sensitive: bool = False

    @property
    def splits_characters(self) -> bool:
        """Whether Chinese characters are words."""
        return self.normalized and self.asian_support


def ter(option: str) -> FunctionMetric:
    """Translation edit rate; lower is better."""
    check_modules("TER", "sacrebleu", "rapidfuzz")
    options = TerOptions(**read_options("TER", option, KNOWN))
    return FunctionMetric(
        named("TER", option),
        _signature(options),
        partial(_scores, options),
        group="baseline",
        higher_is_better=False,
        parallel=True,
        for_languages=None
        if options.splits_characters
        else partial(spaced_only, ter, option, "TER:normalized=yes,asian_support=yes or CER"),
    )


@cache
def _scorer(options: TerOptions) -> "TER":
    from sacrebleu.metrics.ter import TER

    return TER(**asdict(options))


def _signature(options: TerOptions) -> str:
    scorer = _scorer(options)
    scorer.sentence_score("", [""])  # sacreBLEU knows the number of references only after it has seen some
    return f"TER|{scorer.get_signature()}"


def _scores(options: TerOptions, segments: Sequence[Segment]) -> list[float]:
    scorer = _scorer(options)
    words = lru_cache(maxsize=100)(lambda text: scorer._preprocess_segment(text).split())
    found = []
    for segment in segments:
        reference = words(segment.reference)
        edits = _edits(words(segment.hypothesis), reference)
        score: float = scorer._compute_score_from_stats([edits, len(reference)]).score
        found.append(score)
    return found


def _edits(hypothesis: list[str], reference: list[str]) -> int:
    """Shifts and edits that make the reference of the hypothesis."""
    if not reference:
        return len(hypothesis)
    letters: dict[str, str] = {}
    for word in (*hypothesis, *reference):
        if word not in letters:
            letters[word] = chr(len(letters) + 1)
    if len(letters) < MOST_WORDS:
        there, wanted = ("".join(map(letters.__getitem__, words)) for words in (hypothesis, reference))
        found = _fewest_edits(there, wanted)
        if found is not None:
            return found
    from sacrebleu.metrics.lib_ter import translation_edit_rate

    edits: int = translation_edit_rate(hypothesis, reference)[0]
    return edits


def _fewest_edits(there: str, wanted: str) -> int | None:
    """The same of letters; None where sacreBLEU's beam could change the result."""
    from rapidfuzz.distance import Levenshtein

    distance = Levenshtein.distance(there, wanted)
    if not _in_beam(distance, len(there), len(wanted)):
        return None
    shifts = tried = 0
    # Each shift has to make the distance smaller by one at least, and counts one itself; still as in sacreBLEU.
    while distance:
        gain, shifted, tried = _best_shift(there, wanted, distance, tried)
        if tried >= MOST_SHIFTS or gain <= 0:
            break
        shifts += 1
        there, distance = shifted, distance - gain
    return shifts + distance


def _in_beam(distance: int, there: int, wanted: int) -> bool:
    """Whether all optimal alignments lie within sacreBLEU's beam around the (slanted) diagonal of the matrix.

    A cell (i, j) of one has |j - i| of (distance + difference of lengths) / 2 at most, and the diagonal is within the
    difference of lengths, plus one for rounding, of j = i. Of a reference of fewer words than the beam nothing is cut.
    """
    if wanted < BEAM:
        return True
    apart = abs(there - wanted)
    return (distance + apart) / 2 + apart + 1 < BEAM


def _best_shift(there: str, wanted: str, distance: int, tried: int) -> tuple[int, str, int]:
    """(gain, shifted text, candidates tried so far) of the shift that brings most."""
    from rapidfuzz.distance import Levenshtein

    aligned, wanted_errors, errors = _alignment(there, wanted)
    measure = Levenshtein.distance
    best: tuple[int, int, int, int, str] | None = None
    for start, target, length in _common_runs(there, wanted):
        if not (
            1 in errors[start : start + length]
            and 1 in wanted_errors[target : target + length]
            and not start <= aligned[target] < start + length
        ):
            continue
        before = -1
        for offset in range(target - 1, target + length):
            place = 0 if offset < 0 else aligned[offset] + 1
            if place == before:
                continue
            before = place
            shifted = _shifted(there, start, length, place)
            tried += 1
            candidate = (distance - measure(shifted, wanted), length, -start, -place, shifted)
            if best is None or candidate > best:
                best = candidate
        if tried >= MOST_SHIFTS:
            break
    return (best[0], best[4], tried) if best else (0, there, tried)


def _common_runs(there: str, wanted: str) -> list[tuple[int, int, int]]:
    """(start in the hypothesis, start in the reference, length) of common runs, in sacreBLEU's order."""
    places: dict[str, list[int]] = {}
    for place, letter in enumerate(wanted):
        places.setdefault(letter, []).append(place)
    found = []
    for start, letter in enumerate(there):
        for target in places.get(letter, ()):
            if abs(target - start) > FARTHEST_SHIFT:
                continue
            most = min(LONGEST_SHIFT, len(there) - start, len(wanted) - target)
            length = 1
            found.append((start, target, 1))
            while length < most and there[start + length] == wanted[target + length]:
                length += 1
                found.append((start, target, length))
    return found


def _shifted(there: str, start: int, length: int, place: int) -> str:
    """The run from `start` on moved before `place`, or, where that is inside of it, as far behind it."""
    run = there[start : start + length]
    if place < start:
        return there[:place] + run + there[place:start] + there[start + length :]
    end = place if place > start + length else place + length
    return there[:start] + there[start + length : end] + run + there[end:]


def _alignment(there: str, wanted: str) -> tuple[list[int], list[int], list[int]]:
    """For each word of the reference the place of the hypothesis it is aligned to (that before it, where it is
    missing there), and which words of the reference and of the hypothesis are wrong (1)."""
    rows = _matrix(there, wanted)
    place, target = len(there), len(wanted)
    aligned, wanted_errors, errors = [0] * target, [0] * target, [0] * place
    while place or target:
        diagonal, deletion = rows[place - 1] if place else (0, 0)
        bit = 1 << (target - 1) if target else 0
        same = bool(place and target and there[place - 1] == wanted[target - 1])
        # Match or substitution first, then a superfluous word of the hypothesis, then one that is missing.
        if place and target and (same or not diagonal & bit):
            place, target = place - 1, target - 1
            aligned[target] = place
            errors[place] = wanted_errors[target] = int(not same)
        elif place and (not target or deletion & bit):
            place -= 1
            errors[place] = 1
        else:
            target -= 1
            aligned[target] = place - 1
            wanted_errors[target] = 1
    return aligned, wanted_errors, errors


def _matrix(there: str, wanted: str) -> list[tuple[int, int]]:
    """The matrix of edit distances, a row for each word of the hypothesis, as bits for the words of the reference:
    whether a cell equals the one before it on the diagonal, and whether it is one more than the one above it."""
    masks: dict[str, int] = {}
    for place, letter in enumerate(wanted):
        masks[letter] = masks.get(letter, 0) | 1 << place
    full = (1 << len(wanted)) - 1
    rising, falling = full, 0  # how cells of a row differ from the one to their left
    rows = []
    for letter in there:
        matching = masks.get(letter, 0)
        diagonal = ((((matching & rising) + rising) ^ rising) | matching | falling) & full
        above = falling | (~(diagonal | rising) & full)
        below = diagonal & rising
        rows.append((diagonal, above))
        carried = (above << 1 | 1) & full
        rising = (below << 1 | ~(diagonal | carried)) & full
        falling = diagonal & carried
    return rows
