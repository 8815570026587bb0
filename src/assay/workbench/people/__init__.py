"""People: accounts, passwords, roles."""
