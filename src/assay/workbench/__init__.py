"""The workbench: a database of suites, and the browser in which linguists judge, edit rules and see results."""
