"""Connections to the server: how many, and how long each may take to say what it wants.

A connection that has not asked for anything yet, or not again, or not to the end, waits. Where there are too many, of
one address or in all, the one that has waited longest is closed for the new one; so half-open connections, however
many, keep nobody out. A new one is refused only where all others have a request under way. Where the machine has no
more file descriptors, a few that wait are closed, and the log has one line. A client has to read its answer: until then
it is in memory here.

    CalmServer(ServerConfig(app, Connections())).run(sockets=[listener])
"""

import asyncio
import logging
import socket
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any, Final, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

log = logging.getLogger("assay.workbench")

IN_ALL: Final = 2_000
"""Connections at most. One address may have three quarters of them: those of a proxy all come from one."""

LINE: Final = 2_048
ACCEPTED_AT_ONCE: Final = 128
"""New connections that the system keeps until they are accepted, and how many are before requests have their turn."""

HEADER_SECONDS: Final = 10
IDLE_SECONDS: Final = 15
"""How long the header of a request may take; how long a connection is kept that asks for nothing more."""

UNREAD_SECONDS: Final = 10.0
UNREAD_PACE: Final = 4 * 1024
"""How often it is looked whether a client reads its answer, and how many bytes of it a second it has to."""

SPARE_FILES: Final = 200
"""File descriptors that are no connections: the database, uploads, modules."""

TOLD_EVERY: Final = 10.0
CLOSED_AT_ONCE: Final = 20


class Connections:
    """Those of one server."""

    def __init__(self, in_all: int = IN_ALL) -> None:
        self.in_all, self.of_one = in_all, in_all * 3 // 4
        self._open: Counter[str] = Counter()
        # Dictionaries keep their order: the first has waited longest.
        self._waiting: dict[PatientProtocol, None] = {}
        self._waiting_of: defaultdict[str, dict[PatientProtocol, None]] = defaultdict(dict)

    def enter(self, connection: "PatientProtocol") -> bool:
        """Whether there is room for a new connection; one that waits may have to go."""
        address = connection.address
        crowd = self._waiting_of[address] if self._open[address] >= self.of_one else None
        if crowd is None and self._open.total() >= self.in_all:
            crowd = self._waiting
        if crowd is not None and not _close_first(crowd):
            self._tidy(address)
            return False
        self._open[address] += 1
        self.wait(connection)
        return True

    def wait(self, connection: "PatientProtocol") -> None:
        self._waiting[connection] = self._waiting_of[connection.address][connection] = None

    def work(self, connection: "PatientProtocol") -> None:
        self._waiting.pop(connection, None)
        self._waiting_of[connection.address].pop(connection, None)

    def leave(self, connection: "PatientProtocol") -> None:
        self.work(connection)
        self._open[connection.address] -= 1
        self._tidy(connection.address)

    def make_room(self) -> None:
        """Close some that wait."""
        for _ in range(CLOSED_AT_ONCE):
            _close_first(self._waiting)

    def _tidy(self, address: str) -> None:
        if not self._open[address]:
            del self._open[address]
            self._waiting_of.pop(address, None)


def _close_first(crowd: dict["PatientProtocol", None]) -> bool:
    """Close the connection that has waited longest, if there is one."""
    first = next(iter(crowd), None)
    if first is None:
        return False
    first.drop()
    return True


class ServerConfig(uvicorn.Config):
    """What uvicorn is told, and the connections that all its protocols share."""

    def __init__(self, app: Any, connections: Connections) -> None:
        super().__init__(
            app,
            http=PatientProtocol,
            ws="none",
            # Not `warning`: strangers could fill the log with lines about requests that make no sense.
            log_level="error",
            access_log=False,
            server_header=False,
            # So many are accepted at a time, and asyncio complains as often as this when it cannot accept.
            backlog=ACCEPTED_AT_ONCE,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=20,
        )
        self.connections = connections


class PatientProtocol(H11Protocol):
    """uvicorn's, but for an end to its patience."""

    address = ""
    _entered = False
    _late: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    @property
    def _all(self) -> Connections:
        assert isinstance(self.config, ServerConfig)
        return self.config.connections

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        stream = cast(asyncio.Transport, transport)  # a server of streams makes no others
        super().connection_made(stream)
        # Paused as soon as a client does not take all that there is, resumed when it has.
        stream.set_write_buffer_limits(0)
        self.address = self.client[0] if self.client else ""
        self._entered = self._all.enter(self)
        if self._entered:
            self._expect_header()
        else:
            stream.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._header_came()
        self._answer_read()
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.conn.their_state is h11.IDLE and self._late is None:
            self._expect_header()
        super().data_received(data)
        theirs = self.conn.their_state
        if theirs is h11.IDLE:
            return
        self._header_came()
        # Also what is still being sent waits, until the guard has found out who sends it.
        if self._entered and (theirs is not h11.SEND_BODY or self.scope.get("state", {}).get("admitted")):
            self._all.work(self)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._entered and self.conn.their_state is h11.IDLE:
            self._all.wait(self)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reader()

    def resume_writing(self) -> None:
        self._answer_read()
        super().resume_writing()

    def drop(self) -> None:
        """Close it at once: somebody else needs the room, or its time is over."""
        self._header_came()
        self._answer_read()
        self._leave()
        self.transport.abort()

    def _leave(self) -> None:
        if self._entered:
            self._entered = False
            self._all.leave(self)

    def _expect_reader(self) -> None:
        """Look again in a while how much of the answer is left."""
        left = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self._look_at_reader, left)

    def _look_at_reader(self, before: int) -> None:
        # What is paused gets no more to send, so that less is left only where somebody reads.
        if before - self.transport.get_write_buffer_size() < max(1, UNREAD_SECONDS * UNREAD_PACE):
            self.drop()
        else:
            self._expect_reader()

    def _answer_read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _expect_header(self) -> None:
        self._late = self.loop.call_later(HEADER_SECONDS, self.drop)

    def _header_came(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class CalmServer(uvicorn.Server):
    """uvicorn's, but calm where there are no more file descriptors, and quick to end.

    `close` ends what requests wait for: uvicorn waits for them before it ends itself.
    """

    def __init__(self, config: ServerConfig, close: Callable[[], None] = lambda: None) -> None:
        super().__init__(config)
        self._close = close
        self._told = float("-inf")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # Anew, for a longer line than asyncio accepts at a time: whoever finds it full tries again after a second.
        for listener in sockets or ():
            listener.listen(LINE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._close()
        await super().shutdown(sockets)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(self._complain)
        await super().serve(sockets)

    def _complain(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if "socket.accept()" not in context.get("message", ""):
            loop.default_exception_handler(context)
            return
        # asyncio says so once for every connection in the backlog, and tries again after a second.
        if loop.time() - self._told >= TOLD_EVERY:
            self._told = loop.time()
            log.warning("no connection can be accepted now (%s); raise the limit: ulimit -n", context.get("exception"))
            assert isinstance(self.config, ServerConfig)
            self.config.connections.make_room()


def room_for_connections(wanted: int = IN_ALL) -> int:
    """How many of these connections this process can have, after asking for as many file descriptors as it may."""
    try:
        import resource
    except ImportError:  # Windows has no such limit.
        return wanted
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = wanted + SPARE_FILES
    if soft != resource.RLIM_INFINITY and soft < files:
        soft = files if hard == resource.RLIM_INFINITY else min(files, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        return max(8, min(wanted, soft - SPARE_FILES))
    return wanted
