"""Uploads that were read and shown, and not saved yet. They are in the memory of this server, and nowhere else.

    key = pending.put(user, found, force=False)
    pending.take(user, key)     # to save it; or `drop` it

Everybody has one at a time, for a quarter of an hour. A server that is started again has none, and neither has another
one: whoever is sent there with a key is told to send the files again.
"""

from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_urlsafe
from threading import Lock, Timer
from time import monotonic
from typing import Final

from assay.errors import BadOption
from assay.workbench.files.sent_files import ReadFiles
from assay.workbench.people.roles import User

KEPT_SECONDS: Final = 900.0

MOST_PENDING: Final = 8
"""Of everybody together; the oldest goes. An upload in memory is a few times as large as its files."""


@dataclass(frozen=True, slots=True)
class PendingUpload:
    """What was read, whose it is, and until when it is kept."""

    read: ReadFiles
    user_id: int
    force: bool
    until: float


class PendingUploads:
    """See the module."""

    def __init__(self, seconds: float = KEPT_SECONDS, clock: Callable[[], float] = monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._lock = Lock()
        self._kept: dict[str, PendingUpload] = {}

    def keys(self) -> list[str]:
        """Of everything that is kept, the oldest first."""
        with self._lock:
            self._clear()
            return list(self._kept)

    def put(self, user: User, read: ReadFiles, *, force: bool) -> str:
        """Keep an upload, in place of the one that this person had; returns its key."""
        key = token_urlsafe(16)
        with self._lock:
            self._clear(user.id)
            while len(self._kept) >= MOST_PENDING:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = PendingUpload(read, user.id, force, self._clock() + self._seconds)
        # Nobody may ever come again, and it should not stay in memory for that.
        timer = Timer(self._seconds, self._forget, [key])
        timer.daemon = True
        timer.start()
        return key

    def take(self, user: User, key: str) -> PendingUpload:
        """An upload of this person, which is then no longer kept."""
        with self._lock:
            self._clear()
            found = self._kept.get(key)
            if found is None or found.user_id != user.id:
                raise BadOption("this upload is not kept any more; nothing was saved, send the files again")
            return self._kept.pop(key)

    def drop(self, user: User) -> None:
        """Forget what this person sent."""
        with self._lock:
            self._clear(user.id)

    def _forget(self, key: str) -> None:
        with self._lock:
            self._kept.pop(key, None)

    def _clear(self, user_id: int | None = None) -> None:
        """Forget what was kept long enough, and what somebody sent. Under the lock."""
        now = self._clock()
        self._kept = {key: found for key, found in self._kept.items() if found.until > now and found.user_id != user_id}
