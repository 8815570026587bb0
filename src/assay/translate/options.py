"""The options of an engine, as the user wrote them behind its name.

    options = Options("openai", {"model": "qwen3", "temperature": "0.2"})
    options.text("model"), options.number("temperature", 0.0)
    options.finish()

`finish` refuses options that nobody asked for: a misspelt one must not be left out in silence. A key is never an
option, since a command line is kept by the shell and shown by `ps`.
"""

import json
from collections.abc import Mapping
from math import inf, isfinite, nan
from pathlib import Path
from typing import Any, TypeVar, overload

from assay.errors import BadOption, UnknownName

D = TypeVar("D")
"""What stands for an option that was not given: a number, or None."""

KEYS = frozenset(
    {"key", "api_key", "apikey", "auth_key", "token", "access_token", "secret", "password", "authorization"}
)
"""Options that would hold a key."""


class Options:
    """Reads options one by one, each with its default, and knows which were read."""

    def __init__(self, engine: str, given: Mapping[str, str]) -> None:
        self.engine = engine
        self._given = given
        self.known: set[str] = set()
        """Names that were asked for so far."""
        # Also `body.api_key`: what goes into the request as it is.
        for name in given:
            if name.rpartition(".")[2].lower().replace("-", "_") in KEYS:
                raise BadOption(
                    f"{engine}: a key is no option, the shell would keep it ({name}=…); put it into a variable of the "
                    "environment, and name that with key_env=NAME where it is not the usual one"
                )

    def has(self, name: str) -> bool:
        """Whether the user gave this option."""
        self.known.add(name)
        return name in self._given

    @overload
    def text(self, name: str, default: str) -> str: ...

    @overload
    def text(self, name: str, default: None = None) -> str | None: ...

    def text(self, name: str, default: str | None = None) -> str | None:
        """The option as it was written."""
        self.known.add(name)
        value = self._given.get(name, default)
        if value is not None and not value.strip():
            raise BadOption(f"{self.engine}: {name}= is empty; leave it out or give it a value")
        return value

    def needed(self, name: str, example: str) -> str:
        """An option without which there is no engine."""
        value = self.text(name)
        if value is None:
            raise BadOption(f"{self.engine}: {name} is missing; write for example {self.engine}:{name}={example}")
        return value

    def choice(self, name: str, choices: tuple[str, ...]) -> str | None:
        """One of a few words."""
        value = self.text(name)
        if value is not None and value not in choices:
            raise BadOption(f"{self.engine}: {name}={value} is not one of {', '.join(choices)}")
        return value

    def number(self, name: str, default: D, *, low: float = 0.0, high: float = inf) -> float | D:
        """A number from `low` to `high`."""
        value = self.text(name)
        if value is None:
            return default
        try:
            number = float(value)
        except ValueError:
            number = nan
        if not isfinite(number) or not low <= number <= high:
            raise BadOption(f"{self.engine}: {name}={value} is not a number {_range(low, high)}")
        return number

    def whole(self, name: str, default: D, *, low: int = 1, high: float = inf) -> int | D:
        """A whole number from `low` to `high`."""
        value = self.text(name)
        if value is None:
            return default
        # Longer ones are out of every range, and Python reads only some thousands of digits.
        if len(value) > 18 or not value.removeprefix("-").isdecimal() or not low <= int(value) <= high:
            raise BadOption(f"{self.engine}: {name}={value} is not a whole number {_range(low, high)}")
        return int(value)

    def path(self, name: str) -> Path | None:
        """The path of a file."""
        value = self.text(name)
        return None if value is None else Path(value).expanduser()

    def nested(self, name: str) -> dict[str, Any]:
        """All options `NAME.a.b=VALUE` as one JSON object; a value that is not JSON is a string."""
        found: dict[str, Any] = {}
        for option, value in self._given.items():
            if not option.startswith(f"{name}."):
                continue
            self.known.add(option)
            *above, last = option.removeprefix(f"{name}.").split(".")
            # Walk down to the object that holds the value; a value in the way makes `place` None.
            place: Any = found
            for part in above:
                place = place.setdefault(part, {}) if isinstance(place, dict) else None
            if not isinstance(place, dict) or last in place or not all([*above, last]):
                raise BadOption(f"{self.engine}: {option} cannot be set beside the other {name}. options")
            place[last] = _value(value)
        return found

    def finish(self) -> None:
        """Refuse what was not read."""
        for name in self._given:
            if name not in self.known:
                raise UnknownName(f"option of {self.engine}", name, self.known)


def chosen(fields: Mapping[str, str | None]) -> dict[str, str]:
    """The fields that have a text; what the user did not choose is not sent, and is no parameter."""
    return {name: text for name, text in fields.items() if text}


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _range(low: float, high: float) -> str:
    if high == inf:
        return f"of at least {low:g}"
    return f"from {low:g} to {high:g}"
