"""The METHODS paragraph: what was done, in words and numbers that can be pasted into a paper."""

from assay import __version__
from assay.evaluation import Evaluation
from assay.reports.table import campaigns_of

_POLICIES = {
    "fair": "Only items without a warning for any system count, so that all systems are compared on the same items",
    "own": "For each system the items without a warning for it count, so that systems are compared on different items",
    "strict": "All items found count, and every warning counts as incorrect",
}

_TESTS = {
    "ztest": (
        "a one-tailed z-test of two proportions with pooled variance; macro-averages with the variance of a mean of "
        "independent proportions"
    ),
    "mcnemar": "McNemar's exact one-tailed test on the items that both have decided; macro-averages by randomisation",
    "bootstrap": "a one-tailed paired bootstrap over items, stratified by phenomenon",
    "randomization": "one-tailed approximate randomisation that swaps the two systems item by item",
}

_CORRECTIONS = {
    "none": "No correction for multiple comparisons was applied.",
    "holm": "The comparisons of a row were corrected with Holm's method.",
    "bh": "The comparisons of a row were corrected with the method of Benjamini and Hochberg.",
}


def methods(evaluation: Evaluation) -> str:
    """A paragraph in Markdown with the signature below it."""
    suite, settings = evaluation.suite, evaluation.settings
    found, counted = len(evaluation.table.items), evaluation.items_counted
    shares = [summary.warning_share for summary in evaluation.summaries]
    version = f" version {suite.version}" if suite.version else ""
    campaigns = [name for name in campaigns_of(evaluation) if name]
    of = f" of {', '.join(campaigns)}" if campaigns else ""
    sentences = [
        f"We evaluated {len(evaluation.systems)} systems{of} with the test suite {suite.name}{version} "
        f"({suite.langpair}; {len(suite):,} items, {len(suite.phenomena)} phenomena in {len(suite.taxonomy)} "
        f"categories) and Assay {__version__}.",
        f"{found:,} of the items were found in the outputs." if found < len(suite) else "",
        "Each output was judged correct or incorrect by the item's positive and negative rules; where none or both "
        "match, or the output is missing, it is left undecided (a warning).",
        f"{sum(shares) / len(shares):.1%} of the outputs are undecided ({min(shares):.1%} to {max(shares):.1%} per "
        "system).",
        f"{_POLICIES[settings.policy]}: {counted:,} items ({counted / len(suite):.1%} of the suite).",
        "Accuracy is the share of correct outputs. The micro-average is over all items, the macro-averages are "
        "unweighted means over categories and over phenomena. Intervals are 95 % Wilson score intervals, for the "
        "macro-averages normal intervals.",
        f"In each row every system was compared with the best one by {_TESTS[settings.test]} "
        f"(alpha = {settings.alpha:g}"
        + (f", {settings.draws:,} draws, seed {settings.seed}" if settings.test != "ztest" else "")
        + "); systems that are not significantly worse form the first cluster. The best system is chosen from the same "
        "data.",
        "The test treats items as independent and systems as unpaired." if settings.test == "ztest" else "",
        _CORRECTIONS[settings.correction],
        *(f"{left.system.name} was left out ({left.reason.partition(':')[0]})." for left in evaluation.excluded),
        *(
            f"{', '.join(system.name for system in likeness.systems)} share at least {likeness.share:.1%} of their "
            "texts and are not independent."
            for likeness in evaluation.likenesses
        ),
    ]
    return " ".join(filter(None, sentences)) + f"\n\nSignature: `{evaluation.signature}`\n"
