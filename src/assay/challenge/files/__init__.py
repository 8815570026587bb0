"""Files of challenge sets: sets, scores and reports, Assay's own and those of others."""
