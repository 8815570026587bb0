"""Items and their rules: the list, the page of one, what typed rules would do, saving them."""
