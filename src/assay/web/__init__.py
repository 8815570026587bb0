"""The workbench in a browser: pages and a JSON API, thin over the use cases."""
