"""Metrics for the target language of a set: sacreBLEU's tokenisers, its options, and languages without spaces."""

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from assay.challenge.challenge_set import ChallengeItem, ChallengeSet, Segment
from assay.challenge.metric import FunctionMetric, Metric, fitted, load_metric
from assay.challenge.metrics import bleu
from assay.challenge.score import score, target_languages
from assay.errors import BadOption, MissingExtra
from tests.challenge.challenges import GARDEN

CHINESE = [
    "他的下巴很疼。",
    "他的下巴疼，不是吗?",
    "今天 (2026年) 下雨了, GDP 增长 3.5%!",
    "「今天下雨了」,他說。",
    "",
]
CHARACTERS = st.text(st.sampled_from("他的下巴很疼。，今天 abGDP3.5%ー한글かな"), max_size=20)


def oracle(scorer: Any) -> Callable[[str, str], float]:
    return lambda hypothesis, reference: scorer.sentence_score(hypothesis, [reference]).score


def equal(metric: Metric, expected: Callable[[str, str], float], texts: list[str]) -> bool:
    segments = [Segment("", one, other) for one in texts for other in texts]
    return list(metric.score(segments)) == [expected(segment.hypothesis, segment.reference) for segment in segments]


@given(texts=st.lists(CHARACTERS, min_size=1, max_size=4))
def test_bleu_for_chinese_is_that_of_sacrebleu(texts: list[str]) -> None:
    metric = fitted(load_metric("BLEU"), ["zh_CN"])
    assert equal(metric, oracle(BLEU(effective_order=True, trg_lang="zh")), [*CHINESE, *texts])


def test_the_tokeniser_changes_the_score() -> None:
    pair = [Segment("", CHINESE[0], CHINESE[1])]
    assert list(load_metric("BLEU").score(pair)) == [0]
    assert fitted(load_metric("BLEU"), ["zh"]).score(pair)[0] > 20


@pytest.mark.parametrize(
    ("spec", "scorer"),
    [
        ("BLEU:tokenize=zh", BLEU(effective_order=True, tokenize="zh")),
        ("BLEU:tokenize=intl,lowercase=yes", BLEU(effective_order=True, tokenize="intl", lowercase=True)),
        ("BLEU:tokenize=char", BLEU(effective_order=True, tokenize="char")),
        (
            "BLEU:smooth_method=floor,smooth_value=0.3",
            BLEU(effective_order=True, smooth_method="floor", smooth_value=0.3),
        ),
        ("BLEU:max_ngram_order=2", BLEU(effective_order=True, max_ngram_order=2)),
        ("chrF:word_order=1", CHRF(word_order=1)),
        ("chrF:beta=3,char_order=4", CHRF(beta=3, char_order=4)),
        ("chrF:whitespace=yes,lowercase=yes", CHRF(whitespace=True, lowercase=True)),
        ("chrF++:eps_smoothing=yes", CHRF(word_order=2, eps_smoothing=True)),
        ("TER:case_sensitive=yes", TER(case_sensitive=True)),
        ("TER:no_punct=yes", TER(no_punct=True)),
        ("TER:normalized=yes,asian_support=yes", TER(normalized=True, asian_support=True)),
    ],
)
def test_options_are_those_of_sacrebleu(spec: str, scorer: Any) -> None:
    metric = load_metric(spec)
    texts = [*CHINESE, "The Cat, the cat (the CAT).", "the cat, 3.5 % the Cat!", "a b c d e f g", "e f g a b c d"]
    assert equal(metric, oracle(scorer), texts)
    assert metric.name == spec
    scorer.sentence_score("", [""])
    assert metric.signature.partition("|")[2] == str(scorer.get_signature())


def test_signatures_of_chinese_and_of_several_languages() -> None:
    rest = f"smooth:exp|version:{sacrebleu.__version__}"
    assert fitted(load_metric("BLEU"), ["zh"]).signature == f"BLEU|nrefs:1|case:mixed|eff:yes|tok:zh|{rest}"
    both = fitted(load_metric("BLEU"), ["zh", "de"])
    assert both.signature == f"BLEU|nrefs:1|case:mixed|eff:yes|tok:13a,zh|{rest}"
    # A tokeniser that was asked for stays.
    assert "tok:intl" in fitted(load_metric("BLEU:tokenize=intl"), ["zh"]).signature
    assert load_metric("chrF:beta=3").signature.startswith("chrF3|")


def items(*pairs: tuple[str, str]) -> tuple[ChallengeItem, ...]:
    return tuple(ChallengeItem(f"{n}", "", CHINESE[0], first, second, 1) for n, (first, second) in enumerate(pairs))


def test_the_set_chooses_the_tokeniser() -> None:
    chinese = ChallengeSet("c", "en-zh_CN", items((CHINESE[0], CHINESE[1])))
    assert target_languages(chinese) == ["zh_CN"]
    found = score(chinese, "BLEU")
    expected = oracle(BLEU(effective_order=True, tokenize="zh"))
    assert found.values.tolist() == [[expected(CHINESE[0], CHINESE[0]), expected(CHINESE[1], CHINESE[0])]]
    assert "tok:zh" in found.signature
    assert "tok:13a" in score(replace(chinese, langpair="mul-mul"), "BLEU").signature


class LabelledItem(ChallengeItem):
    """A challenge item that knows its own language pair, as those of mixed sets do."""

    __slots__ = ("langpair",)
    langpair: str


def labelled(item: ChallengeItem, langpair: str) -> LabelledItem:
    found = LabelledItem(item.id, item.source, item.reference, item.first, item.second, item.correct)
    object.__setattr__(found, "langpair", langpair)
    return found


def test_items_of_several_languages_have_their_own_tokenisers() -> None:
    one, other = items((CHINESE[1], CHINESE[2]), (CHINESE[1], CHINESE[2]))
    mixed = ChallengeSet("m", "mul-mul", (labelled(one, "en-zh"), labelled(other, "en-de")))
    found = score(mixed, "BLEU")
    rows = [
        [oracle(BLEU(effective_order=True, tokenize=name))(text, CHINESE[0]) for text in (CHINESE[1], CHINESE[2])]
        for name in ("zh", "13a")
    ]
    assert found.values.tolist() == rows


def note_of(spec: str, languages: list[str]) -> str:
    """What a user has to know of a metric for these languages."""
    metric = fitted(load_metric(spec), languages)
    assert isinstance(metric, FunctionMetric)
    return metric.note


def test_words_need_spaces() -> None:
    for spec, cure in (("TER", "TER:normalized=yes,asian_support=yes or CER"), ("WER", "CER")):
        with pytest.raises(
            BadOption, match=rf"^{spec} counts words between spaces, which Chinese does not have; take {cure}$"
        ):
            fitted(load_metric(spec), ["zh"])
        assert "Thai does not have; its scores there mean little" in note_of(spec, ["th", "de"])
        assert note_of(spec, ["de"]) == ""
    assert note_of("TER:normalized=yes,asian_support=yes", ["zh"]) == ""
    assert "no tokeniser for Thai" in note_of("BLEU", ["th"])


def test_a_tokeniser_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu, "find_spec", lambda name: None if name in ("MeCab", "sentencepiece") else object())
    metric = fitted(load_metric("BLEU"), ["ja"])
    assert "tok:char" in metric.signature
    assert note_of("BLEU", ["ja"]) == (
        "sacreBLEU's tokeniser for Japanese, ja-mecab, is not installed: single characters instead "
        "(pip install 'sacrebleu[ja]')"
    )
    with pytest.raises(MissingExtra, match=r"pip install 'sacrebleu\[ja\]'$"):
        load_metric("BLEU:tokenize=ja-mecab")
    with pytest.raises(MissingExtra, match=r"^the metric spBLEU needs packages .* pip install sentencepiece$"):
        load_metric("spBLEU")


def test_a_model_that_would_have_to_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu, "find_spec", lambda name: object())
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))
    with pytest.raises(
        BadOption, match=rf"^spBLEU needs sacreBLEU's model flores200: put http.* at {tmp_path}/models/"
    ):
        load_metric("spBLEU")
    with pytest.raises(BadOption, match=r"^spBLEU knows no option 'x'; write spBLEU or spBLEU:flores101$"):
        load_metric("spBLEU:x")


def test_metrics_for_some_languages() -> None:
    metric = FunctionMetric("mine", "mine|1", lambda segments: [1.0] * len(segments), languages=("de", "zh_Hans"))
    with pytest.raises(
        BadOption, match=r"^mine is for German, Simplified Chinese, and the set is of English; take a metric"
    ):
        score(GARDEN, metric)
    one, other = items(("a", "b"), ("c", "d"))
    mixed = ChallengeSet("m", "mul-mul", (labelled(one, "en-de_CH"), labelled(other, "en-fr")))
    first, second = score(mixed, metric).values.tolist()
    assert first == [1, 1]
    assert all(map(math.isnan, second))
