"""Looking into the JSON of a server that may send anything.

field({"choices": [{"message": {}}]}, "choices", 0, "message", "content")   # None
"""

from typing import Any


def field(value: Any, *path: str | int) -> Any:
    """What stands at a path of names and numbers; None where something else stands."""
    for step in path:
        if isinstance(step, str):
            value = value.get(step) if isinstance(value, dict) else None
        else:
            value = value[step] if isinstance(value, list) and len(value) > step else None
    return value


def text_of(content: Any) -> str:
    """A text, or the texts of a list of parts; parts that are no text (reasoning, tools) are left out."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(part["text"] for part in parts if isinstance(field(part, "text"), str))


def whole(value: Any) -> int | None:
    """A count, or None."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def texts(parts: Any, name: str) -> list[Any]:
    """The field `name` of every part of a list; None where a part has none."""
    return [field(part, name) for part in parts] if isinstance(parts, list) else []
