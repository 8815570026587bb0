"""What an undecided text is probably worth, from verdicts on others: numbers between 0 and 1, never verdicts."""

from assay.prediction.logistic import chances, fit_logistic
from assay.prediction.model import PREDICTOR, Advice, Adviser, Prediction, Predictor, predict
from assay.prediction.plain import capitals_tell, letters, plain
from assay.prediction.spread import spread
from assay.prediction.text_pairs import TextPairs, text_pairs
from assay.prediction.twins import (
    TwinForm,
    TwinForms,
    about_form,
    agreement,
    same_rows,
    twins_agree,
    twins_of,
)

__all__ = [
    "PREDICTOR",
    "Advice",
    "Adviser",
    "Prediction",
    "Predictor",
    "TextPairs",
    "TwinForm",
    "TwinForms",
    "about_form",
    "agreement",
    "capitals_tell",
    "chances",
    "fit_logistic",
    "letters",
    "plain",
    "predict",
    "same_rows",
    "spread",
    "text_pairs",
    "twins_agree",
    "twins_of",
]
