"""The metrics that come with Assay, one module for what is computed alike; pyproject.toml registers them."""
