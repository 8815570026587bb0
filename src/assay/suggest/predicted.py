"""Predictions for an estimate from what a suggester says: a language model, or any other plugin.

    prediction = predicted(texts, judged, run)
    prediction.shares[texts.undecided]      # the chance that each would be judged right

A suggester says of every text what it says of any other: from what is known of the others, never from its own verdict.
"""

import numpy as np
from numpy.typing import NDArray

from assay.prediction import Prediction
from assay.suggest.exam import exact_suggester
from assay.suggest.run import DecidedText, Knowledge, Run, answer
from assay.verdicts import Verdict
from assay.verdicts.written_texts import WrittenTexts

_NEVER_SURE = 0.01
"""A prediction lies so far from 0 and 1: a text that nobody has looked at may be a surprise."""


def predicted(texts: WrittenTexts, judged: NDArray[np.bool_], run: Run) -> Prediction:
    """Predict undecided texts, and the `judged` ones of a sample; what is not suggested gets the rate of the latter."""
    suite, rows = texts.table.suite, texts.table.items[texts.rows].tolist()
    verdicts = list(map(Verdict, texts.verdicts.tolist()))
    is_judged = texts.judged | judged
    decided = [
        DecidedText(place, text, verdict, bool(exact), bool(exact))
        for place, text, verdict, exact in zip(rows, texts.texts, verdicts, is_judged, strict=True)
        if verdict != Verdict.WARNING
    ]
    known = Knowledge(suite, decided, with_suite=False)
    wanted = np.flatnonzero(texts.undecided | judged)
    questions = [known.question(suite.items[rows[place]], texts.texts[place]) for place in wanted.tolist()]
    passes = (texts.verdicts == Verdict.PASS) & judged
    shares = np.full(len(verdicts), (passes.sum() + 0.5) / (judged.sum() + 1))
    for place, found in zip(wanted.tolist(), answer(questions, run).suggestions, strict=True):
        if found is not None:
            shares[place] = found.confidence if found.verdict == Verdict.PASS else 1 - found.confidence
    return Prediction(np.clip(shares, _NEVER_SURE, 1 - _NEVER_SURE), exact_suggester(run.suggester))
