"""What waits to be judged: the next text, what is known about it, and what becomes of an answer."""
