"""Queries and forms read at once: as parameters of a route, a dozen values take longer than all the database is asked.

asked = from_query(AskedFilters, request)
answer = await from_form(SentRow, request)
"""

from collections.abc import Mapping
from functools import cache
from typing import TypeVar, get_origin

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

Sent = TypeVar("Sent", bound=BaseModel)


def from_query(model: type[Sent], request: Request) -> Sent:
    """What an address asks for; of a name that stands there twice the last value."""
    return _checked(model, dict(request.query_params), "query")


async def from_form(model: type[Sent], request: Request) -> Sent:
    """What a form sends; fields that are lists take all values of their name."""
    async with request.form() as form:
        lists = _lists(model)
        return _checked(model, {name: form.getlist(name) if name in lists else form[name] for name in form}, "body")


@cache
def _lists(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(name for name, field in model.model_fields.items() if get_origin(field.annotation) is list)


def _checked(model: type[Sent], values: Mapping[str, object], where: str) -> Sent:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise RequestValidationError(
            [problem | {"loc": (where, *problem["loc"])} for problem in error.errors()]
        ) from None
