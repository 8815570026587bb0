"""What judged texts tell about another one: those of its item nearest to it, and what they suggest.

advise(snapshot, text)         # -> Suggestion("pass", 0.86, "nearest judged text differs in: latch | lock")
advice(snapshot, text)         # -> "pass", to look for such texts
neighbours(snapshot, text)     # the judged texts of its item, the nearest first, with the differing words marked
doubts(snapshot, text)         # -> ("copy of the source",)
ask(snapshot, text, opinions)  # what the suggester says that the server was started with
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Final, Literal, get_args

from assay.errors import AssayError, BadOption
from assay.suggest import Known, Question, suggest
from assay.suggest.likeness import Near, nearest
from assay.suggest.run import VERDICTS
from assay.suites import Polarity
from assay.text import normalise
from assay.translate import LanguagePair
from assay.translate.checks import LONG, SHORT, flags
from assay.verdicts import Verdict
from assay.verdicts.judgements import Event
from assay.workbench.queue.suggester_pool import Opinion, Opinions
from assay.workbench.snapshot import Snapshot, SnapshotText
from assay.workbench.text_view import Mark, TextView, VerdictReason, holding, show_text

NEAREST: Final = 5
"""Judged texts that are shown beside one."""


@dataclass(frozen=True, slots=True)
class ShownSuggestion:
    """A verdict that may be right, with the share of such suggestions that are, and the reason. Never applied."""

    verdict: Polarity
    confidence: float
    reason: str


@dataclass(frozen=True)
class Neighbour:
    """A judged text of the same item, with its judgements that hold.

    Texts of exact rules and examples that no system wrote have the id 0.
    """

    near: Near
    votes: Sequence[Event]
    view: Callable[[], TextView] = field(compare=False, repr=False)

    @cached_property
    def shown(self) -> TextView:
        """How it is shown: the words in which it differs are marked too. Made once, and not while others cannot write:
        it takes longer than to know which texts are the nearest."""
        view = self.view()
        differing: list[Mark] = [(start, end, "differs") for start, end in self.near.marks]
        return replace(view, marks=[*view.marks, *differing])

    @property
    def lacks(self) -> Sequence[tuple[int, str]]:
        """Words of the text that this one has not, and the places before which they would stand."""
        return self.near.compared().gaps


def neighbours(snapshot: Snapshot, text: SnapshotText, most: int = NEAREST) -> list[Neighbour]:
    """The judged texts of the item that are most like a text, nearest first.

    A right and a wrong one where there are any.
    """
    judged, said = _judged(snapshot, text), _written_down(snapshot, text)
    known = _known(judged, said)
    every = nearest(text.value, known, len(known))
    found = every[:most]
    for verdict in (Verdict.PASS, Verdict.FAIL):
        if verdict not in {near.known.verdict for near in found}:
            found += [near for near in every if near.known.verdict == verdict][:1]
    written = {other.value: other for other in judged}
    reasons = {known.text: words for known, words in said}
    made = []
    for near in found:
        other = written.get(near.known.text)
        if other:
            votes = holding(other.settlement) if other.settlement else []
            made.append(Neighbour(near, votes, partial(show_text, snapshot, other)))
        else:
            made.append(Neighbour(near, (), partial(_unwritten, near.known, reasons)))
    return made


def _unwritten(known: Known, reasons: Mapping[str, str]) -> TextView:
    """A text that the item itself says is right or wrong."""
    return TextView(0, known.text, [], str(known.verdict), [VerdictReason(reasons[known.text])], [], 0, None)


def advise(snapshot: Snapshot, text: SnapshotText) -> ShownSuggestion | None:
    """What the judged texts suggest; the verdict on the very text, where there is one, is left out."""
    found = suggest(text.value, _all_known(snapshot, text), snapshot.related(text.place))
    if found is None:
        return None
    return ShownSuggestion("pass" if found.verdict == Verdict.PASS else "fail", found.confidence, found.reason)


Advice = Literal["pass", "fail", "none"]
ADVICE: Final[tuple[Advice, ...]] = get_args(Advice)


def advice(snapshot: Snapshot, text: SnapshotText) -> Advice:
    """What is suggested of a text, kept until a text of its phenomenon changes."""
    item = snapshot.items[text.place]
    known = snapshot.advice.setdefault((item.category, item.phenomenon), {})
    if text.id not in known:
        found = advise(snapshot, text)
        known[text.id] = found.verdict if found else "none"
    return known[text.id]


def doubts(snapshot: Snapshot, text: SnapshotText) -> tuple[str, ...]:
    """What looks wrong about a text whatever its rules say: a copy of the source, another language, a loop, a note.

    It decides nothing.
    """
    try:
        pair = LanguagePair.parse(snapshot.stored.suite.langpair)
    except BadOption:
        return ()
    return _flags(snapshot.items[text.place].source, text.value, pair)


_flags = lru_cache(2000)(flags)
"""A row stands on its card until it is judged."""


UNRELATED: Final = "unrelated to the source"
"""What other systems wrote for the item has nothing in common with it."""

_FEWEST: Final = 3
"""Words of four letters that a text needs, and others of the item, before it counts as unrelated."""

_WORDS: Final = re.compile(r"\w{4,}")


def triage_doubts(snapshot: Snapshot, text: SnapshotText) -> tuple[str, ...]:
    """What looks so wrong that nobody need read it twice, kept as long as the outputs are.

    `doubts`, but for lengths.
    """
    found = snapshot.written.doubts.get(text.id)
    if found is None:
        found = tuple(doubt for doubt in doubts(snapshot, text) if doubt not in (LONG, SHORT))
        if is_unrelated(text.value, [other.value for other in snapshot.texts_at(text.place) if other.id != text.id]):
            found = (*found, UNRELATED)
        snapshot.written.doubts[text.id] = found
    return found


def is_unrelated(text: str, others: Sequence[str]) -> bool:
    """Whether a text has no word in common with others of its item, by the first letters of longer words."""
    stems = _stems(text)
    return len(stems) >= _FEWEST and len(others) >= _FEWEST and not any(stems & _stems(other) for other in others)


def _stems(text: str) -> set[str]:
    return {word[:4] for word in _WORDS.findall(text.casefold())}


def ask(snapshot: Snapshot, text: SnapshotText, opinions: Opinions) -> Opinion:
    """What a second suggester says of a text, so far; that it is seen has been written down before."""
    item, suite = snapshot.items[text.place], snapshot.stored.suite
    known = tuple(_all_known(snapshot, text))
    question = Question(item, text.value, known, suite.taxonomy[item.category][item.phenomenon])
    try:
        return opinions.of(suite.langpair).suggest(question)
    except AssayError as error:
        # A suggester that cannot do this language pair must not keep anybody from judging.
        return Opinion("failed", reason=str(error))


def _judged(snapshot: Snapshot, text: SnapshotText) -> list[SnapshotText]:
    """The other texts of the item that have a verdict."""
    return [other for other in snapshot.texts_at(text.place) if other.id != text.id and other.decided]


def _written_down(snapshot: Snapshot, text: SnapshotText) -> list[tuple[Known, str]]:
    """Texts that the item itself says are right or wrong, but for the text itself, and how it says so."""
    item = snapshot.items[text.place]
    found = [
        (Known(normalise(rule.value), VERDICTS[rule.polarity], True), "exact rule")
        for rule in item.rules
        if rule.kind == "exact"
    ]
    found += [(Known(normalise(example), Verdict.PASS), "example") for example in item.examples.passing]
    found += [(Known(normalise(example), Verdict.FAIL), "example") for example in item.examples.failing]
    return [(known, words) for known, words in found if known.text != text.value]


def _all_known(snapshot: Snapshot, text: SnapshotText) -> list[Known]:
    """Everything with a verdict that is like a text."""
    return _known(_judged(snapshot, text), _written_down(snapshot, text))


def _known(judged: Iterable[SnapshotText], said: Iterable[tuple[Known, str]]) -> list[Known]:
    """What systems wrote goes before what rules say of it."""
    known = {other.value: Known(other.value, other.finding.verdict, other.finding.is_judged) for other in judged}
    for other, _ in said:
        known.setdefault(other.text, other)
    return list(known.values())
