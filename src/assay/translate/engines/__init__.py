"""The built-in engines; each is registered in pyproject.toml as a stranger's would be."""
