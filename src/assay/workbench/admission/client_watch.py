"""Looking out for the client of a request while its route is at work.

@router.post("/items/preview", dependencies=WATCHED)
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Final

from fastapi import Depends, Request

from assay.workbench.departure import Departure


def departure_of(request: Request) -> Departure:
    """The departure of a request; nobody looks out for it unless the route is `WATCHED`."""
    if not hasattr(request.state, "departure"):
        request.state.departure = Departure()
    found: Departure = request.state.departure
    return found


async def watched(request: Request) -> AsyncIterator[None]:
    """A dependency of routes that may take long: looks out for the client while they are at work."""
    departure = departure_of(request)

    async def look_out() -> None:
        # FastAPI has read the body by now: the next message can only be that the connection was closed.
        while (await request.receive())["type"] != "http.disconnect":
            pass
        departure.leave()

    looking = asyncio.create_task(look_out())
    try:
        yield
    finally:
        looking.cancel()


WATCHED: Final[list[Any]] = [Depends(watched)]
