"""What an undecided text is probably worth, from verdicts on others: numbers between 0 and 1, never verdicts."""

from assay.prediction.logistic import chances, fit_logistic
from assay.prediction.model import PREDICTOR, Advice, Adviser, Prediction, Predictor, predict
from assay.prediction.plain import capitals_tell, letters, plain
from assay.prediction.text_pairs import TextPairs, text_pairs

__all__ = [
    "PREDICTOR",
    "Advice",
    "Adviser",
    "Prediction",
    "Predictor",
    "TextPairs",
    "capitals_tell",
    "chances",
    "fit_logistic",
    "letters",
    "plain",
    "predict",
    "text_pairs",
]
