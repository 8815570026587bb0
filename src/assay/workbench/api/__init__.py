"""The JSON API, one module per subject.

`/api/v1/openapi.json` describes it to programs, docs/reference/api.md to people.
"""

from fastapi import APIRouter, Depends

from assay.workbench.api import items, judgements, people, queue, results, rules, session, suites, systems, work
from assay.workbench.api.request import bearer, keepable, problems

router = APIRouter(
    prefix="/api/v1",
    dependencies=[Depends(keepable)],
    responses=problems(400, 413, 422),
    generate_unique_id_function=lambda route: route.name.strip("_"),
)
router.include_router(session.router)
router.include_router(session.own)
for module in (suites, systems, items, rules, queue, judgements, work, results, people):
    router.include_router(module.router, dependencies=[Depends(bearer)])
router.include_router(people.trail, dependencies=[Depends(bearer)])
router.include_router(suites.last, dependencies=[Depends(bearer)])
