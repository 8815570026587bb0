"""Arrays in, numbers out; no word of the domain."""
