"""About the work itself: how far it is, what it cost, who agrees with whom, who did what."""
