"""Files of contrasts: definitions in YAML, trees in CoNLL-U, word links in Pharaoh's format."""
