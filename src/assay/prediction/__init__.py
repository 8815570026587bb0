"""What an undecided text is probably worth, from verdicts on others: numbers between 0 and 1, never verdicts."""

from assay.prediction.model import Prediction, predict
from assay.prediction.text_pairs import TextPairs, text_pairs

__all__ = ["Prediction", "TextPairs", "predict", "text_pairs"]
