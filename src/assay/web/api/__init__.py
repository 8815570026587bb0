"""The JSON API, one module per subject."""

from fastapi import APIRouter

router = APIRouter(prefix="/api/v1")
