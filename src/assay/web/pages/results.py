"""Pages about results."""

from fastapi import APIRouter

router = APIRouter()
