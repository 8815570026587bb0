"""Files into the database and out of it: imports, uploads, exports with all history."""
