"""The pages, one module per subject."""

from fastapi import APIRouter

from assay.workbench.pages import (
    exchange,
    files,
    front,
    items,
    people,
    queue,
    results,
    wider_rules,
    work,
    written_items,
)

router = APIRouter()
for module in (queue, items, wider_rules, written_items, results, work, front, people, files, exchange):
    # One list of routes: through routers in a router FastAPI looks for the route of a request three times.
    router.routes.extend(module.router.routes)
