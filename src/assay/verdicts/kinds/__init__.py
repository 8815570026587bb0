"""The kinds of rules that come with Assay; `assay.suites.kinds` finds them by name."""
