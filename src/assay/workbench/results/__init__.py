"""Results of a suite as it stands: tables, comparisons, campaigns, downloads."""
