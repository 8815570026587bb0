"""MT engines as plugins, collecting their answers, checks on what came back."""
