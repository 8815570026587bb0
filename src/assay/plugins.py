"""Plugins: metrics, MT engines, parsers, aligners, suggesters, found through entry points.

METRICS: Plugins[Factory] = Plugins("metric", "assay.metrics")
METRICS.get("chrF")

The built-in ones are registered in pyproject.toml, in the same way as a stranger's would be.
"""

from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from assay.errors import BadOption, MissingExtra, UnknownName

T = TypeVar("T")


class PluginSpec(str):
    """A plugin as the user names it: `BLEU`, `COMET:model.ckpt`, `mine=cmd:./mine.py`."""

    @property
    def given_name(self) -> str:
        """The name before the `=`; empty where there is none."""
        # `cmd:./mine.py --a=b` has no name: there the `=` belongs to the options behind the colon.
        head, equals, _ = self.partition("=")
        return head.strip() if equals and ":" not in head else ""

    @property
    def plugin(self) -> str:
        return self.described.partition(":")[0].strip()

    @property
    def rest(self) -> str:
        """Everything behind the colon."""
        return self.described.partition(":")[2]

    @property
    def described(self) -> str:
        """The plugin and its options, without the given name."""
        return self.partition("=")[2] if self.given_name else str(self)


class Plugins(Generic[T]):
    """Everything that is installed under one group of entry points."""

    def __init__(self, kind: str, group: str) -> None:
        self.kind = kind
        self.group = group

    @cached_property
    def _found(self) -> dict[str, EntryPoint]:
        found: dict[str, EntryPoint] = {}
        for entry in entry_points(group=self.group):
            # One distribution can be on the path twice (installed, and as a source tree); other code is a conflict.
            known = found.get(entry.name)
            if known is not None and known.value != entry.value:
                raise BadOption(
                    f"two packages offer the {self.kind} {entry.name!r} ({known.value} and {entry.value}); remove one"
                )
            found[entry.name] = entry
        return found

    @property
    def names(self) -> list[str]:
        """The names of all that are installed, sorted."""
        return sorted(self._found, key=str.lower)

    def get(self, name: str) -> T:
        """The plugin with this name; the case of its letters matters only where two names differ in nothing else."""
        same = [known for known in self._found if known.lower() == name.lower()]
        # Exact spelling first; another case only if it is unambiguous.
        chosen = name if name in self._found else same[0] if len(same) == 1 else None
        if chosen is None:
            raise UnknownName(self.kind, name, self._found)
        entry = self._found[chosen]
        try:
            return cast(T, entry.load())
        except ImportError as error:
            # The plugin's own package imports what is missing, so its installation is what to repair.
            package = entry.dist.name if entry.dist else entry.module
            raise MissingExtra(f"the {self.kind} {chosen}", f"pip install --upgrade {package}") from error
