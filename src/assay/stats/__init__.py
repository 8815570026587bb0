"""Statistics: arrays in, numbers out, and nothing about translation. Each module is one family of methods."""

__all__ = [
    "agreement",
    "clustered",
    "corrections",
    "correlation",
    "design",
    "paired",
    "power",
    "priorities",
    "proportions",
    "resampling",
]
