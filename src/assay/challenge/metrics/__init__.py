"""The metrics that come with Assay, one module per way of computing; pyproject.toml registers them."""
