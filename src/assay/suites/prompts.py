"""What language models are told about an item: its prompt, with places that are filled in when it is sent.

    fill("Translate this menu into {target_language}.", {"target_language": "German"})
    unknown_places("Translate into {target_langauge}.")     # ["{target_langauge}"]

A prompt is plain text. Only these places are filled; other braces, also of unknown names, stay as they are.
"""

import re
from collections.abc import Mapping

from assay.languages import prompt_name

PROMPT_KEYS = ("prompt", "context")
"""What may stand in `suite.yaml`, at the top of a file with items and in an item: the nearest counts."""

NO_PROMPTS = dict.fromkeys(PROMPT_KEYS, "")

PLACES = ("source", "context", "source_language", "target_language")
"""What may stand in braces in the prompt of an item."""

PLACE = re.compile(r"\{([a-z_]+)\}")
"""A name in braces."""


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its places filled in."""
    # In one pass: what is filled in may hold braces itself.
    return PLACE.sub(lambda found: values.get(found[1], found[0]), text)


def language_places(source: str, target: str) -> dict[str, str]:
    """What is filled in for the languages of a pair."""
    return {"source_language": prompt_name(source), "target_language": prompt_name(target)}


def is_filled(text: str, prompt: str) -> bool:
    """Whether a text is a prompt with whatever was filled in at its places."""
    # The pieces between the places, one after the other: quick however many places there are.
    first, *pieces = re.split("|".join(rf"\{{{name}\}}" for name in PLACES), prompt)
    if not pieces:
        return text == prompt
    last = pieces.pop()
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    start, end = len(first), len(text) - len(last)
    for piece in pieces:
        place = text.find(piece, start, end)
        if place < 0:
            return False
        start = place + len(piece)
    return True


def unknown_places(prompt: str) -> list[str]:
    """What looks like a place and is none, each once."""
    return list(dict.fromkeys(found[0] for found in PLACE.finditer(prompt) if found[1] not in PLACES))
