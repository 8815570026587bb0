"""Aligners: links between the words of two trees. One module per aligner, found through entry points."""
