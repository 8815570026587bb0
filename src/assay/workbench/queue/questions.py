"""Use case: what annotators of a suite are asked beside the verdict.

ask(store, admin, "assay-de-en", acceptability="5", tags="register: too formal or too casual")
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from assay.errors import BadOption
from assay.workbench.db.database import Store
from assay.workbench.db.suites import find_suite, set_questions
from assay.workbench.people.roles import User
from assay.workbench.reader import Reader
from assay.workbench.snapshot import Snapshot

TAGS: Final = {
    "critical": "critical error outside the phenomenon",
    "hallucination": "content that the source does not have",
    "repetition": "words or phrases over and over",
    "untranslated": "a part left in the source language",
    "added": "added text, such as notes or explanations",
}
"""Tags of every suite; a suite may have its own beside them."""

SCALES: Final = range(2, 8)
"""How many steps the scale of acceptability may have."""

MOST_TAGS: Final = 30


def known_tags(snapshot: Snapshot) -> dict[str, str]:
    """The tags that a judgement may have: the common ones and the suite's own."""
    own: Mapping[str, str] = snapshot.questions.get("tags", {})
    return TAGS | dict(own)


def scale(snapshot: Snapshot) -> int | None:
    """The highest value on the scale of acceptability, where the suite asks for it; the lowest is 1."""
    found = snapshot.questions.get("acceptability")
    return int(found) if found else None


@dataclass(frozen=True, slots=True)
class AskedQuestions:
    """The top of the scale of acceptability, None where nobody is asked; all tags, with what they mean."""

    acceptability: int | None
    tags: Mapping[str, str]


def asked_questions(reader: Reader) -> AskedQuestions:
    """What annotators of a suite are asked."""
    return AskedQuestions(scale(reader.snapshot), known_tags(reader.snapshot))


def ask(store: Store, user: User, suite: str, *, acceptability: str, tags: str) -> dict[str, Any]:
    """Set the scale of acceptability (a number, or nothing) and the suite's own tags, `name: description` a line."""
    user.need("admin")
    questions: dict[str, Any] = {}
    if acceptability.strip():
        steps = int(acceptability) if acceptability.strip().isdecimal() else 0
        if steps not in SCALES:
            raise BadOption(f"the scale has {SCALES[0]} to {SCALES[-1]} steps, not {acceptability.strip()!r}")
        questions["acceptability"] = steps
    own = read_tags(tags)
    if own:
        questions["tags"] = own
    with store.writing() as db:
        set_questions(db, find_suite(db, suite).id, questions)
    return questions


def read_tags(text: str) -> dict[str, str]:
    """Tags from what somebody typed: `name: description`, one a line."""
    found: dict[str, str] = {}
    for line in filter(None, (line.strip() for line in text.splitlines())):
        name, colon, description = (part.strip() for part in line.partition(":"))
        if not colon or not description:
            raise BadOption(f"the tag {line!r} has no description; write it like this: register: too formal")
        if not re.fullmatch(r"[\w-]{1,40}", name):
            raise BadOption(f"{name!r} is no name of a tag; it has letters, digits, - and _, at most 40")
        if name in TAGS:
            raise BadOption(f"every suite has the tag {name!r} already; choose another name")
        if name in found:
            raise BadOption(f"the tag {name!r} stands twice")
        found[name] = description[:500]
    if len(found) > MOST_TAGS:
        raise BadOption(f"{len(found)} tags are too many to choose from; at most {MOST_TAGS}")
    return found
