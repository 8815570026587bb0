"""What a database knows of a suite beyond the suite itself: who made what when, and what is no longer there.

Events of texts are apart (`Event`). Everything is in the order in which it came about.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, get_args

from assay.outputs import System
from assay.suites import Item
from assay.verdicts import Verdict
from assay.workbench.people.roles import Role

Seen = Literal["systems", "suggestion", "judgements"]
SEEN: Final[tuple[Seen, ...]] = get_args(Seen)
"""What can be seen of a text before it is judged: who wrote it, a suggestion, what others say."""


@dataclass(frozen=True, slots=True)
class PastPerson:
    """Somebody who had a hand in a suite, as their account stood; passwords are nobody's business."""

    name: str
    role: Role
    active: bool
    settings: Mapping[str, object]
    created: str


@dataclass(frozen=True, slots=True)
class Revision:
    """A saved state of a suite. `heading` is the suite without its items, as the database keeps it."""

    number: int
    by: str
    created: str
    comment: str
    heading: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ItemPlace:
    """The place of an item in the suite; `imported` is its hash in the file that was imported last."""

    item: str
    position: int
    imported: str


@dataclass(frozen=True, slots=True)
class PastVersion:
    """An item as a revision left it. `authors` says of each rule who wrote it and when."""

    revision: int
    item: Item
    removed: bool
    authors: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PastSystem:
    """A system, who brought its outputs, and when."""

    system: System
    by: str
    imported: str


@dataclass(frozen=True, slots=True)
class PastText:
    """A distinct text of an item: what the rules first said of it, and who saw what of it before judging."""

    item: str
    text: str
    first: Verdict
    seen: Mapping[str, tuple[Seen, ...]]


@dataclass(frozen=True, slots=True)
class PastHiding:
    """Somebody hid a system, or the suite where there is none, or brought it back."""

    system: System | None
    by: str
    created: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class PastOutput:
    """What a system wrote for an item that was removed since, or a system that is hidden for any item."""

    system: System
    item: str
    text: str


@dataclass(frozen=True, slots=True)
class PastDraw:
    """A sample of what was undecided in some campaigns: who drew it, and its texts (item, text, size) in order."""

    by: str
    created: str
    seed: int
    campaigns: tuple[str, ...]
    systems: tuple[str, ...]
    texts: tuple[tuple[str, str, float], ...]


@dataclass(frozen=True)
class History:
    """Of one suite. Everybody whose name is in it is among `people`."""

    created: str
    people: tuple[PastPerson, ...]
    revisions: tuple[Revision, ...]
    entries: tuple[ItemPlace, ...]
    versions: tuple[PastVersion, ...]
    deliveries: tuple[PastSystem, ...]
    texts: tuple[PastText, ...]
    outputs: tuple[PastOutput, ...]
    draws: tuple[PastDraw, ...] = ()
    hidings: tuple[PastHiding, ...] = ()

    def names(self) -> Iterator[str]:
        """Everybody who did something, in the order of revisions, rules, outputs, what was seen, draws, hidings."""
        yield from (revision.by for revision in self.revisions)
        yield from (name for version in self.versions for name, _ in version.authors)
        yield from (delivery.by for delivery in self.deliveries)
        yield from (name for text in self.texts for name in text.seen)
        yield from (draw.by for draw in self.draws)
        yield from (hiding.by for hiding in self.hidings)

    def renamed(self, names: Callable[[str], str]) -> "History":
        """The same with other names, and without what else could give people away: folders, their settings."""
        return replace(
            self,
            people=tuple(replace(person, name=names(person.name), settings={}) for person in self.people),
            revisions=tuple(
                replace(revision, by=names(revision.by), comment=without_folder(revision.comment))
                for revision in self.revisions
            ),
            versions=tuple(
                replace(version, authors=tuple((names(name), created) for name, created in version.authors))
                for version in self.versions
            ),
            deliveries=tuple(
                PastSystem(
                    replace(delivery.system, file=last_part(delivery.system.file)),
                    names(delivery.by),
                    delivery.imported,
                )
                for delivery in self.deliveries
            ),
            texts=tuple(
                replace(text, seen=dict(sorted((names(name), what) for name, what in text.seen.items())))
                for text in self.texts
            ),
            draws=tuple(replace(draw, by=names(draw.by)) for draw in self.draws),
            hidings=tuple(replace(hiding, by=names(hiding.by)) for hiding in self.hidings),
        )


def last_part(path: str) -> str:
    """What a file is called, wherever it lies on whosever machine."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2]


def without_folder(comment: str) -> str:
    """`import of /home/anna/de-en` -> `import of de-en`."""
    done, of, path = comment.partition("import of ")
    return f"{of}{last_part(path)}" if of and not done else comment
