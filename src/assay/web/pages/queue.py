"""Pages about queue."""

from fastapi import APIRouter

router = APIRouter()
