"""Arrays in, numbers out; no word of the domain. Each module is one family of statistics."""

__all__ = ["agreement", "corrections", "correlation", "paired", "power", "proportions", "resampling"]
