"""Connections to a server that listens: half-open ones keep nobody out, and none waits for ever."""

import asyncio
import errno
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from assay.workbench.admission import connections
from assay.workbench.admission.connections import (
    CalmServer,
    Connections,
    PatientProtocol,
    ServerConfig,
    room_for_connections,
)

WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
MOST = 8

Connect = Callable[[bytes], socket.socket]


LARGE = 32 * 1024**2
"""More than the systems at both ends of a connection keep for it."""

left: "SimpleQueue[str]" = SimpleQueue()
"""Paths of the requests whose client was seen to have left."""


async def hello(scope: Any, receive: Any, send: Any) -> None:
    """Answers everything, once the whole request is there; `/large` at once and `/pieces` bit by bit with a lot."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    if scope["path"] != "/":
        length = str(LARGE).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        pieces = 1 if scope["path"] == "/large" else 64
        for number in range(pieces):
            body = b"x" * (LARGE // pieces)
            await send({"type": "http.response.body", "body": body, "more_body": number + 1 < pieces})
        if scope["path"] == "/pieces" and (await receive())["type"] == "http.disconnect":
            left.put(scope["path"])
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Opens a connection to a server that takes few, and sends something."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = CalmServer(ServerConfig(hello, Connections(in_all=MOST)))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    with ExitStack() as stack:

        def open_(sent: bytes) -> socket.socket:
            made = stack.enter_context(closing(socket.create_connection(listener.getsockname(), timeout=30)))
            made.sendall(sent)
            return made

        yield open_
    server.should_exit = True
    thread.join(30)
    assert not thread.is_alive()


def is_closed(connection: socket.socket) -> bool:
    """Waits until the server closes it, or says something."""
    try:
        return connection.recv(1) == b""
    except ConnectionResetError:
        return True


def answer(connection: socket.socket) -> bytes:
    """Waits for the end of an answer."""
    found = b""
    while not found.endswith(b"hello"):
        more = connection.recv(1000)
        assert more, found
        found += more
    return found


def test_half_open_connections_make_room_for_a_new_one(connect: Connect) -> None:
    half = [connect(HALF) for _ in range(3 * MOST)]
    for _ in range(3):
        assert answer(connect(WHOLE)).startswith(b"HTTP/1.1 200")
    assert is_closed(half[0]), "the one that had waited longest"


def test_connections_that_asked_once_make_room_too(connect: Connect) -> None:
    idle = []
    for _ in range(MOST):
        idle.append(connect(WHOLE))
        answer(idle[-1])
    assert is_closed(idle[0])


def test_bodies_that_do_not_come_make_room_too(connect: Connect) -> None:
    for _ in range(3 * MOST):
        connect(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf")
    assert answer(connect(WHOLE))


def test_the_header_of_a_request_has_to_come(connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEADER_SECONDS", 0)
    assert is_closed(connect(b""))
    assert is_closed(connect(HALF))


def test_a_connection_asks_again_and_again(connect: Connect) -> None:
    connection = connect(WHOLE)
    for _ in range(3):
        answer(connection)
        connection.sendall(WHOLE)
    answer(connection)
    connection.sendall(WHOLE * 2)  # the second before the first is answered
    assert answer(connection).count(b"200 OK") in (1, 2)


def received(connection: socket.socket) -> int:
    """How much of the answer comes until the connection is closed."""
    number = 0
    try:
        while more := len(connection.recv(1024**2)):
            number += more
    except ConnectionResetError:
        pass
    return number


class TestClientsThatDoNotRead:
    def test_the_connection_is_closed(self, connect: Connect, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connections, "UNREAD_SECONDS", 0)
        connection = connect(WHOLE.replace(b"/", b"/pieces", 1))
        assert left.get(timeout=30) == "/pieces", "its turn has ended"
        assert received(connection) < LARGE

    def test_also_after_an_answer_that_was_sent_at_once(
        self, connect: Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(connections, "UNREAD_SECONDS", 0)
        dropped: SimpleQueue[None] = SimpleQueue()
        drop = PatientProtocol.drop

        def told(protocol: PatientProtocol) -> None:
            drop(protocol)
            dropped.put(None)

        monkeypatch.setattr(PatientProtocol, "drop", told)
        connection = connect(WHOLE.replace(b"/", b"/large", 1))
        dropped.get(timeout=30)
        assert received(connection) < LARGE

    @pytest.mark.parametrize("path", [b"/large", b"/pieces"])
    def test_who_reads_gets_all_of_it(self, connect: Connect, path: bytes) -> None:
        connection = connect(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert received(connection) > LARGE


def test_without_file_descriptors_the_log_has_one_line(caplog: pytest.LogCaptureFixture) -> None:
    server = CalmServer(ServerConfig(hello, Connections()))
    loop = asyncio.new_event_loop()
    trouble = {
        "message": "socket.accept() out of system resource",
        "exception": OSError(errno.EMFILE, "Too many files"),
    }
    for _ in range(1000):
        server._complain(loop, trouble)
    loop.close()
    (record,) = caplog.records
    assert "no connection can be accepted now" in record.getMessage()
    assert record.exc_info is None


def test_there_is_room_for_connections_and_for_other_files() -> None:
    import resource

    room = room_for_connections()
    assert 8 <= room <= connections.IN_ALL
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= room


class Listener(socket.socket):
    """A socket that remembers how many it was told to keep waiting."""

    told = 0

    def listen(self, backlog: int = 0, /) -> None:
        self.told = backlog
        super().listen(backlog)


def test_more_wait_to_be_accepted_than_are_accepted_at_once() -> None:
    listener, server = Listener(), CalmServer(ServerConfig(hello, Connections()))
    listener.bind(("127.0.0.1", 0))
    listener.listen(1)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    # Whoever gets an answer knows that the server has started.
    with closing(socket.create_connection(listener.getsockname(), timeout=30)) as connection:
        connection.sendall(WHOLE)
        assert connection.recv(1) == b"H"
    server.should_exit = True
    thread.join(30)
    assert listener.told == connections.LINE > connections.ACCEPTED_AT_ONCE
