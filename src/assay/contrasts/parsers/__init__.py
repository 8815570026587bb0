"""Parsers: text to dependency trees. One module per parser, found through entry points."""
