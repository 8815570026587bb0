"""Pages about work."""

from fastapi import APIRouter

router = APIRouter()
