"""The to-do file as a campaign of Pearmut (https://github.com/zouharvi/pearmut), and its annotations back.

    write_campaign(tasks, Path("round-1.json"), ["anna", "ben"])     # pearmut add round-1.json
    read_annotations(Path("annotations.json"), suite.positions)

An item is a document with one segment: its undecided texts stand beside each other under the source, under names that
say nothing about their systems. Words that rules matched are marked beforehand. The slider `verdict` has three places,
wrong, cannot tell and right; what a person writes into a text field is the comment.

Annotations are what the dashboard downloads (JSON: campaign -> log), or the log itself (JSONL). Of each person the last
answer to a document counts; a text on which people disagree gets no verdict.
"""

import html
import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from assay.errors import BadFile, BadOption
from assay.files import bare_name, read_text, suffix, writing
from assay.json_lines import parse_json, read_fields
from assay.limits import check_text
from assay.suites import Polarity
from assay.text import is_missing, normalise
from assay.verdicts.judgements import Judgement
from assay.verdicts.match import matches
from assay.verdicts.queue import Task

SUFFIXES: Final = (".json", ".jsonl")
"""Names of campaigns and annotations."""

SLIDER: Final = "verdict"

_VERDICTS: Final[dict[int, Polarity | None]] = {0: "fail", 1: None, 2: "pass"}
"""Places of the slider; in the middle nothing is decided."""

_SEVERITIES: Final[dict[Polarity, str]] = {"fail": "major", "pass": "neutral"}
"""How Pearmut marks the words that a rule matched; in the order in which they are taken where they overlap."""

_INSTRUCTIONS: Final = """\
Is what is tested here translated <b>right</b>? Other mistakes do not count. Move the slider of every translation: \
<b>0</b> wrong, <b>1</b> cannot tell, <b>2</b> right. Marked words are what rules found: <i>major</i> speaks for \
wrong, <i>neutral</i> for right; leave them as they are. Behind the pencil there is room for a comment."""

_MEDIA: Final = ("<audio ", "<video ", "<img ", "<iframe ")
"""What a text begins with that Pearmut shows as HTML instead of letter by letter."""

_RESET: Final = "__RESET__"

_CURE: Final = "take the annotations of a campaign that assay warnings wrote"


# Out -----------------------------------------------------------------------------------------------------------------


def check_annotators(path: Path, annotators: Sequence[str]) -> None:
    """Refuse names that cannot be used, before any work is done."""
    if annotators and suffix(path) != ".json":
        raise BadOption(f"--annotators is for campaigns of Pearmut; write to a .json file, not to {path}")
    for name in annotators:
        # They stand in addresses as they are.
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", name):
            raise BadOption(f"--annotators: {name!r} cannot stand in an address; use letters, digits, - and _")
    if len(set(annotators)) < len(annotators):
        raise BadOption("--annotators: a name stands twice; leave one out")


def write_campaign(tasks: Iterable[Task], path: Path, annotators: Sequence[str] = ()) -> None:
    """Write the campaign; it is named after the file. Items are dealt out to annotators, the most urgent first."""
    documents: dict[str, list[Task]] = {}
    for task in tasks:
        documents.setdefault(task.item.id, []).append(task)
    shares = len(annotators) or 1
    if shares > max(len(documents), 1):
        raise BadOption(f"--annotators: {shares} people for {len(documents)} items; name fewer")
    segments = [[_segment(found)] for found in documents.values()]
    campaign = {
        "campaign_id": Path(bare_name(path)).stem,
        "info": {
            "assignment": "task-based",
            "protocol": "ESA",
            **({"users": list(annotators)} if annotators else {}),
            "sliders": [{"name": SLIDER, "min": 0, "max": 2, "step": 1}],
            "mqm_severities": ["Neutral", "Major"],
            "special_tokens": [],
            "textfield": "hidden",
            "instructions": _INSTRUCTIONS,
        },
        "data": [segments[share::shares] for share in range(shares)],
    }
    with writing(path) as stream:
        json.dump(campaign, stream, ensure_ascii=False, indent=1)
        stream.write("\n")


def _segment(tasks: Sequence[Task]) -> dict[str, Any]:
    """The undecided texts of one item."""
    item = tasks[0].item
    named = {f"text-{number}": task for number, task in enumerate(tasks, start=1)}
    spans = {name: found for name, task in named.items() if (found := _spans(task))}
    told = {"Tests": item.tests, "Question": item.rubric, "Context": item.context, "Prompt": item.prompt}
    lines = [f"<b>{html.escape(item.phenomenon)}</b> ({html.escape(item.category)})"]
    lines += [f"{name}: {html.escape(text)}".replace("\n", "<br>") for name, text in told.items() if text.strip()]
    return {
        "item_id": item.id,
        "instructions": "<br>".join(lines),
        "src": _shown(item.source),
        "tgt": {name: _shown(task.text) for name, task in named.items()},
        **({"error_spans": spans} if spans else {}),
    }


def _shown(text: str) -> str:
    # With a space in front it is text again; what a system wrote must not run in an annotator's browser.
    return f" {text}" if text.startswith(_MEDIA) else text


def _spans(task: Task) -> list[dict[str, Any]]:
    """The words that rules matched, where rules of both polarities did; Pearmut has no spans that overlap."""
    if task.reason != "contradiction":
        return []
    shift = len(_shown(task.text)) - len(task.text)
    evidence, _ = matches(task.item.rules, task.text)
    taken: list[tuple[int, int, str]] = []
    for polarity, severity in _SEVERITIES.items():
        for found in evidence:
            free = all(found.end <= start or end <= found.start for start, end, _ in taken)
            if found.rule.polarity == polarity and found.start < found.end and free:
                taken.append((found.start, found.end, severity))
    return [
        # Pearmut's last character is part of the span.
        {
            "start_i": shift + _units(task.text[:start]),
            "end_i": shift + _units(task.text[:end]) - 1,
            "severity": severity,
            "category": None,
        }
        for start, end, severity in sorted(taken)
    ]


def _units(text: str) -> int:
    """The length of a text as JavaScript counts it: 𝄞 has two."""
    return len(text) + sum(character > "\uffff" for character in text)


# Back ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakenAnnotations:
    """What the annotators of a campaign agree on, and the texts (item, text) on which they do not."""

    judgements: tuple[Judgement, ...]
    disputed: tuple[tuple[str, str], ...]
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Vote:
    """One person's answer to one text; no verdict where the slider stands in the middle."""

    item: str
    text: str
    verdict: Polarity | None
    comment: str
    on: str


@dataclass(frozen=True, slots=True)
class _Entry:
    """One answer of the log: all texts of one document."""

    path: Path
    place: str
    campaign: str
    record: dict[str, Any]

    def fail(self, problem: str, cure: str = _CURE) -> BadFile:
        return BadFile(self.path, f"{self.place}: {problem}", cure=cure)

    def entries(self, key: str) -> list[Any]:
        value = self.record.get(key)
        if not isinstance(value, list):
            raise self.fail(f"{key!r} is {value!r}, not a list")
        return value

    @property
    def who(self) -> str:
        name = self.record.get("user_id")
        if not isinstance(name, str):
            raise self.fail(f"'user_id' is {name!r}, not a name")
        return self.whole(name)

    @property
    def document(self) -> int | str | None:
        """Its place among the person's documents; tutorials and attention checks have names: `welcome_0`."""
        found = self.record.get("item_i")
        if not isinstance(found, int | str | None):
            raise self.fail(f"'item_i' is {found!r}, not a number")
        return found

    def whole(self, text: str) -> str:
        """The text, which can be written again."""
        check_text(self.path, text)
        # JSON may hold one half of a surrogate pair as an escape; UTF-8 cannot.
        if any("\ud800" <= character <= "\udfff" for character in text):
            raise self.fail("a text holds half a character", "write the character itself")
        return text


_Answers = dict[tuple[str, str, int | None], list[_Vote]]
"""Campaign, person and document -> the answer that counts."""


def read_annotations(path: Path, known: Collection[str]) -> TakenAnnotations:
    """The verdicts of a campaign's annotators; `known` are the ids of the suite's items."""
    answers: _Answers = {}
    for entry in _entries(path):
        who, document = entry.who, entry.document
        if entry.record.get("annotation") == _RESET:
            # One without a document is about all that this person did.
            gone = [key for key in answers if key[:2] == (entry.campaign, who) and document in (None, key[2])]
            for key in gone:
                del answers[key]
        # Not the tutorials that somebody added.
        elif not isinstance(document, str):
            answers[entry.campaign, who, document] = list(_votes(entry, known))
    return _settled(answers)


def _settled(answers: _Answers) -> TakenAnnotations:
    texts: dict[tuple[str, str], list[tuple[str, _Vote]]] = {}
    for (_, who, _), votes in answers.items():
        for vote in votes:
            if vote.verdict:
                texts.setdefault((vote.item, vote.text), []).append((who, vote))
    judgements, disputed = [], []
    for (item, text), found in texts.items():
        if len({vote.verdict for _, vote in found}) > 1:
            disputed.append((item, text))
            continue
        last = found[-1][1]
        assert last.verdict is not None
        people = ", ".join(dict.fromkeys(who for who, _ in found))
        comment = "; ".join(dict.fromkeys(vote.comment for _, vote in found if vote.comment))
        judgements.append(Judgement(item, text, last.verdict, people, max(vote.on for _, vote in found), comment))
    annotators = dict.fromkeys(who for found in texts.values() for who, _ in found)
    return TakenAnnotations(tuple(judgements), tuple(disputed), tuple(annotators))


def _votes(entry: _Entry, known: Collection[str]) -> Iterator[_Vote]:
    segments, answered = entry.entries("item"), entry.entries("annotation")
    if len(segments) != len(answered):
        raise entry.fail(f"{len(answered)} answers to {len(segments)} segments")
    on = _day(entry.record.get("actions"))
    for segment, answers in zip(segments, answered, strict=True):
        texts = segment.get("tgt") if isinstance(segment, dict) else None
        item = segment.get("item_id") if isinstance(segment, dict) else None
        if not isinstance(texts, dict) or not isinstance(item, str) or not isinstance(answers, dict):
            raise entry.fail("no answers to the texts of an item")
        if item not in known:
            raise entry.fail(f"no item {item!r} in the suite", "check that suite and file belong together")
        for name, answer in answers.items():
            text = texts.get(name)
            if not isinstance(text, str) or is_missing(normalise(text)):
                raise entry.fail(f"item {item!r}: an answer without a text ({name!r})")
            verdict = _verdict(entry, item, answer)
            # Of the text, and of the whole document.
            said = (answer.get("textfield"), entry.record.get("comment"))
            comment = "; ".join(part.strip() for part in said if isinstance(part, str) and part.strip())
            yield _Vote(item, normalise(entry.whole(text)), verdict, entry.whole(comment), on)


def _verdict(entry: _Entry, item: str, answer: Any) -> Polarity | None:
    sliders = answer.get("sliders") if isinstance(answer, dict) else None
    if not isinstance(sliders, dict) or SLIDER not in sliders:
        raise entry.fail(f"item {item!r}: an answer without the slider {SLIDER!r}")
    place = sliders[SLIDER]
    # None: the document was skipped.
    if place is None:
        return None
    if type(place) is not int or place not in _VERDICTS:
        raise entry.fail(f"item {item!r}: the slider {SLIDER!r} is at {place!r}, not at 0, 1 or 2")
    return _VERDICTS[place]


def _day(actions: Any) -> str:
    """The day of the last action, whose time is in seconds since 1970; empty where there is none."""
    try:
        return datetime.fromtimestamp(float(actions[-1]["time"]), UTC).date().isoformat()
    except (IndexError, KeyError, TypeError, ValueError, OverflowError, OSError):
        return ""


def _entries(path: Path) -> Iterator[_Entry]:
    if suffix(path) == ".jsonl":
        for fields in read_fields(path):
            yield _Entry(path, f"line {fields.line}", "", fields.record)
        return
    whole = parse_json(path, read_text(path), cure="download it again")
    if isinstance(whole, dict) and "campaign_id" in whole:
        raise BadFile(path, "this is a campaign, without answers", cure="download its annotations from Pearmut")
    if not isinstance(whole, dict) or not all(isinstance(log, list) for log in whole.values()):
        raise BadFile(path, "not the annotations of Pearmut", cure=_CURE)
    for campaign, log in whole.items():
        for number, record in enumerate(log, start=1):
            entry = _Entry(path, f"campaign {campaign!r}, answer {number}", campaign, record)
            if not isinstance(record, dict):
                raise entry.fail("not an object")
            yield entry
