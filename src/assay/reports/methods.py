"""The METHODS paragraph: what was done, in words and numbers that can be pasted into a paper."""

from assay import __version__
from assay.evaluation import Evaluation
from assay.evaluation.estimate import EstimateBasis
from assay.reports.table import campaigns_of

_POLICIES = {
    "fair": "Only items without a warning for any system count, so that all systems are compared on the same items",
    "own": "For each system the items without a warning for it count, so that systems are compared on different items",
    "strict": "All items found count, and every warning counts as incorrect",
    "estimate": "All items found count",
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

_PAIRED = "a one-tailed z-test of the difference, paired item by item, with the variance of what was not judged"

_CORRECTIONS = {
    "none": "No correction for multiple comparisons was applied.",
    "holm": "The comparisons of a row were corrected with Holm's method.",
    "bh": "The comparisons of a row were corrected with the method of Benjamini and Hochberg.",
}


def _estimated(basis: EstimateBasis) -> str:
    """What an estimate was made from."""
    skipped = f" ({basis.skipped:,} could not be judged)" if basis.skipped else ""
    return (
        f"Of {basis.population:,} undecided texts {basis.judged:,} were judged by hand{skipped}, drawn by priority "
        "sampling (Duffield, Lund and Thorup, 2007) with sizes that favour texts which some systems wrote and others "
        "did not. The others were predicted, and each system's predictions corrected by what was judged, so that its "
        "accuracy is estimated without bias."
    )


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
        _estimated(evaluation.basis) if evaluation.basis else "",
        "Accuracy is the share of correct outputs. The micro-average is over all items, the macro-averages are "
        "unweighted means over categories and over phenomena. Intervals are 95 % Wilson score intervals, for the "
        f"macro-averages normal intervals{', with the variance of what was not judged' if evaluation.basis else ''}.",
        f"In each row every system was compared with the best one by "
        f"{_PAIRED if evaluation.basis else _TESTS[settings.test]} "
        f"(alpha = {settings.alpha:g}"
        + (f", {settings.draws:,} draws, seed {settings.seed}" if settings.test != "ztest" else "")
        + "); systems that are not significantly worse form the first cluster. The best system is chosen from the same "
        "data.",
        "The test treats items as independent and systems as unpaired."
        if settings.test == "ztest" and not evaluation.basis
        else "",
        _CORRECTIONS[settings.correction],
        *(f"{left.system.name} was left out ({left.reason.partition(':')[0]})." for left in evaluation.excluded),
        *(
            f"{', '.join(system.name for system in likeness.systems)} share at least {likeness.share:.1%} of their "
            "texts and are not independent."
            for likeness in evaluation.likenesses
        ),
    ]
    return " ".join(filter(None, sentences)) + f"\n\nSignature: `{evaluation.signature}`\n"
