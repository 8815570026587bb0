"""Use cases: what a user wants done, put together from the rooms. Commands and pages call these and nothing deeper."""
