"""Pages about people."""

from fastapi import APIRouter

router = APIRouter()
