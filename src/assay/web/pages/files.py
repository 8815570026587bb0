"""Pages about files."""

from fastapi import APIRouter

router = APIRouter()
