"""Pages about items."""

from fastapi import APIRouter

router = APIRouter()
