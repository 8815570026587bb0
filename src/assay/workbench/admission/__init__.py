"""Who is let in, before any work is done: connections, turns, sessions, and whether the client is still there."""
