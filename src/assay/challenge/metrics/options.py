"""Options of a metric as a user writes them behind its name: `BLEU:tokenize=zh,lowercase=yes`.

    read_options("BLEU", "tokenize=zh", {"tokenize": one_of(("13a", "zh")), "lowercase": flag})   {"tokenize": "zh"}

Names and meanings of sacreBLEU's metrics are those of its Python classes.
"""

from collections.abc import Callable, Collection, Mapping
from importlib.util import find_spec
from typing import Any

from assay.errors import BadOption, MissingExtra, UnknownName

Reader = Callable[[str], Any]
"""Makes a value of what is written; ValueError says what is wanted instead."""

_FLAGS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def flag(written: str) -> bool:
    """`yes` or `no`."""
    if written.lower() not in _FLAGS:
        raise ValueError("yes or no")
    return _FLAGS[written.lower()]


def whole(least: int) -> Reader:
    """A whole number from `least` on."""

    def read(written: str) -> int:
        if not written.isdecimal() or int(written) < least:
            raise ValueError(f"a whole number from {least} on")
        return int(written)

    return read


def decimal(written: str) -> float:
    """A number that is not negative."""
    try:
        found = float(written)
    except ValueError:
        found = -1.0
    if not 0 <= found < float("inf"):
        raise ValueError("a number that is not negative")
    return found


def one_of(names: Collection[str]) -> Reader:
    """One of some names."""

    def read(written: str) -> str:
        if written not in names:
            raise ValueError(f"one of {', '.join(names)}")
        return written

    return read


def read_options(metric: str, written: str, known: Mapping[str, Reader]) -> dict[str, Any]:
    """The options that are written, by name; BadOption where one is not known or not what it should be."""
    found: dict[str, Any] = {}
    for part in filter(None, written.split(",")):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name not in known and equals:
            raise UnknownName(f"option of {metric}", name, known)
        if not equals:
            raise BadOption(
                f"{metric}:{written}: {part!r} is no option; write {metric}:NAME=VALUE, of {_listed(known)}"
            )
        if name in found:
            raise BadOption(f"{metric}:{written} has the option {name} twice; leave one out")
        try:
            found[name] = known[name](value)
        except ValueError as error:
            raise BadOption(f"{metric}:{part}: {name} is {error}, not {value!r}") from None
    return found


def named(metric: str, written: str) -> str:
    """What a metric with options is called: as it was asked for."""
    return f"{metric}:{written}" if written else metric


def check_modules(name: str, *modules: str) -> None:
    """Refuse a metric whose packages, of the extra `metrics`, are missing."""
    if any(find_spec(module) is None for module in modules):
        raise MissingExtra(f"the metric {name}", "pip install 'assay-mt[metrics]'")


def check_plain(name: str, option: str, *modules: str) -> None:
    """Refuse an option, and missing modules of the extra `metrics`."""
    if option:
        raise BadOption(f"{name} takes no option, not {option!r}; write {name}")
    check_modules(name, *modules)


def _listed(known: Mapping[str, Reader]) -> str:
    return ", ".join(known)
