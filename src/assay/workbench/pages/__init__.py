"""The pages, one module per subject."""

from fastapi import APIRouter

from assay.workbench.pages import files, front, items, people, queue, results, work

router = APIRouter()
for module in (front, queue, items, results, work, people, files):
    router.include_router(module.router)
