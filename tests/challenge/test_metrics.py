"""The built-in metrics beside sacreBLEU and by hand; a metric that a stranger's package brings."""

import math
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
import sacrebleu
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.challenge.challenge_set import Segment
from assay.challenge.metric import METRICS, FunctionMetric, load_metric
from assay.errors import BadOption, MissingExtra, UnknownName
from assay.plugins import Plugins, PluginSpec

TEXTS = [
    "The bolt on the garden gate has been stuck since the frost.",
    "The latch of the garden gate has been jammed since the frost.",
    "The bolt on the garden gate has been stuck since the frost .",
    "the the the the cat, the cat",
    "the the cat the",
    "He paid $1,250.50 (about 1.100,00 €) - in 1998-99, at 5%!",
    "„Über allen Gipfeln“, sagte sie; ist Ruh’.",
    "Мама мыла раму.",
    "a",
    ".",
    "1.",
    "&quot;AT&amp;T&quot; <skipped> x-\ny",
    "  two  spaces\tand\xa0more\u2028lines \x1c\x1f ",
    "👩‍👩‍👧 e\u0301 é",
    "",
]

ORACLES: dict[str, Callable[[str, list[str]], sacrebleu.metrics.base.Score]] = {
    "BLEU": sacrebleu.sentence_bleu,
    "chrF": sacrebleu.sentence_chrf,
    "chrF++": lambda hypothesis, references: sacrebleu.sentence_chrf(hypothesis, references, word_order=2),
    "TER": sacrebleu.sentence_ter,
}

pieces = st.sampled_from(
    ["the", "The", "cat", "1", "2.5", ".", ",", "-", "x-y", "7-", "&amp;", "ß", "\x1e", "\u3000", "\n", ""]
)
texts = st.one_of(
    st.lists(pieces, max_size=15).map(" ".join),
    st.lists(pieces, max_size=15).map("".join),
    st.text("ab .,1-", max_size=25),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
)


@pytest.mark.parametrize("name", ORACLES)
def test_the_same_as_sacrebleu_on_texts(name: str) -> None:
    segments = [Segment("", hypothesis, reference) for reference in TEXTS for hypothesis in TEXTS]
    expected = [ORACLES[name](segment.hypothesis, [segment.reference]).score for segment in segments]
    assert load_metric(name).score(segments) == expected


@pytest.mark.parametrize("name", ["BLEU", "chrF", "chrF++", "TER"])
@settings(max_examples=400)
@given(pairs=st.lists(st.tuples(texts, texts), min_size=1, max_size=4))
@example(pairs=[("0", "0\x1f")])  # white space for Python, not for fastchrf
@example(pairs=[("x-\ny .", "xy."), ("x-\n.,", "x-\xa0.,")])
def test_the_same_as_sacrebleu_whatever_the_texts(name: str, pairs: list[tuple[str, str]]) -> None:
    segments = [Segment("", *pair) for pair in pairs] + [Segment("", b, a) for a, b in pairs]
    expected = [ORACLES[name](segment.hypothesis, [segment.reference]).score for segment in segments]
    assert load_metric(name).score(segments) == expected


@pytest.mark.parametrize("name", ["BLEU", "chrF", "chrF++", "TER"])
def test_the_same_as_sacrebleu_on_real_outputs(name: str, data: Path) -> None:
    files = sorted((data / "wmt21" / "system-outputs").glob("newstest2021.de-en.hyp.*.en"))[:3]
    columns = [file.read_text(encoding="utf-8").split("\n")[:800] for file in files]
    segments = [Segment("", text, reference) for a, reference, b in zip(*columns, strict=True) for text in (a, b)]
    expected = [ORACLES[name](segment.hypothesis, [segment.reference]).score for segment in segments]
    assert load_metric(name).score(segments) == expected


def test_signatures_are_those_of_sacrebleu() -> None:
    version = sacrebleu.__version__
    assert load_metric("BLEU").signature == f"BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:{version}"
    assert load_metric("chrF").signature == f"chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:{version}"
    assert load_metric("chrF++").signature == f"chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:{version}"
    assert (
        load_metric("TER").signature == f"TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:{version}"
    )


def scored(name: str, *, source: str = "", hypothesis: str, reference: str = "") -> float:
    (score,) = load_metric(name).score([Segment(source, hypothesis, reference)])
    return score


def test_error_rates() -> None:
    # One word of four is another one, one is left out; "ein" -> "an": 2 edits, " Tag" left out: 4, of 15 characters.
    assert scored("WER", hypothesis="das ist an", reference="das ist ein Tag") == 2 / 4
    assert scored("CER", hypothesis="das ist an", reference="das ist ein Tag") == 6 / 15
    assert scored("WER", hypothesis="a b c", reference="d") == 3
    assert scored("CER", hypothesis="", reference="abc") == 1
    assert scored("CER", hypothesis="abc", reference="abc") == 0
    assert math.isnan(scored("WER", hypothesis="a", reference=" "))
    assert math.isnan(scored("CER", hypothesis="a", reference=""))


def test_baselines_that_know_nothing() -> None:
    assert scored("length", hypothesis="Grüße") == 5
    assert scored("length:reference", hypothesis="abcd", reference="ab") == -math.log(2)
    assert scored("length:reference", hypothesis="ab", reference="abcd") == -math.log(2)
    assert scored("length:reference", hypothesis="ab", reference="cd") == 0
    assert math.isnan(scored("length:reference", hypothesis="", reference="cd"))
    assert scored("copy", source="Riegel", hypothesis="Riegel") == 1
    assert scored("copy", source="abcd", hypothesis="abxy") == 0.5
    assert scored("copy", source="abcd", hypothesis="") == 0


@pytest.mark.parametrize(
    ("name", "group", "source", "reference", "higher"),
    [
        ("BLEU", "baseline", False, True, True),
        ("chrF", "baseline", False, True, True),
        ("chrF++", "baseline", False, True, True),
        ("TER", "baseline", False, True, False),
        ("WER", "baseline", False, True, False),
        ("CER", "baseline", False, True, False),
        ("length", "control", False, False, True),
        ("copy", "control", True, False, True),
        ("random", "control", True, False, True),
        ("cmd:./mine.py", "reference-based", True, True, True),
    ],
)
def test_what_metrics_say_of_themselves(name: str, group: str, source: bool, reference: bool, higher: bool) -> None:
    metric = load_metric(name)
    said = (metric.group, metric.needs_source, metric.needs_reference, metric.higher_is_better)
    assert said == (group, source, reference, higher)
    assert metric.signature


def test_metrics_for_several_processes_can_be_sent_to_them() -> None:
    for name in ("BLEU", "chrF++", "TER", "WER", "CER", "length", "copy", "random"):
        metric = load_metric(name)
        assert metric.parallel
        segments = [Segment("ab", "abc", "a b c"), Segment("x", "y", ".")]
        assert pickle.loads(pickle.dumps(metric)).score(segments) == metric.score(segments)


def test_what_the_user_says_goes_first() -> None:
    metric = load_metric("mine=cmd:./mine.py a=b", group="qe", higher_is_better=False)
    assert (metric.name, metric.group, metric.higher_is_better, metric.needs_reference) == ("mine", "qe", False, False)
    assert metric.signature == "cmd:./mine.py a=b|reference:none"
    assert load_metric("cmd:bin/mine.py --fast").name == "mine"


@pytest.mark.parametrize(
    ("spec", "given", "plugin", "option"),
    [
        ("BLEU", "", "BLEU", ""),
        ("COMET:a/model.ckpt", "", "COMET", "a/model.ckpt"),
        ("mine=cmd:./mine.py --a=1", "mine", "cmd", "./mine.py --a=1"),
        ("cmd:./mine.py --a=1", "", "cmd", "./mine.py --a=1"),
        ("da=COMET", "da", "COMET", ""),
    ],
)
def test_how_a_metric_is_named(spec: str, given: str, plugin: str, option: str) -> None:
    asked = PluginSpec(spec)
    assert (asked.given_name, asked.plugin, asked.rest) == (given, plugin, option)


@pytest.mark.parametrize("spec", ["", ":x", "mine="])
def test_no_metric_is_named(spec: str) -> None:
    with pytest.raises(BadOption, match=r"names no metric; write NAME"):
        load_metric(spec)


def test_mistakes_in_naming_a_metric() -> None:
    with pytest.raises(UnknownName, match=r"no metric 'chrFF'; did you mean .*chrF"):
        load_metric("chrFF")
    with pytest.raises(BadOption, match=r"^BLEU:intl: 'intl' is no option; write BLEU:NAME=VALUE, of tokenize, lower"):
        load_metric("BLEU:intl")
    with pytest.raises(BadOption, match=r"^BLEU:tokenize=in: tokenize is one of none, zh, 13a, .*, not 'in'$"):
        load_metric("BLEU:tokenize=in")
    with pytest.raises(UnknownName, match=r"no option of chrF 'words'"):
        load_metric("chrF:words=2")
    with pytest.raises(BadOption, match=r"^chrF:beta=0: beta is a whole number from 1 on, not '0'$"):
        load_metric("chrF:beta=0")
    with pytest.raises(BadOption, match=r"^TER:no_punct=yes,no_punct=no has the option no_punct twice; leave one out$"):
        load_metric("TER:no_punct=yes,no_punct=no")
    with pytest.raises(BadOption, match=r"^CER takes no option, not 'x'; write CER$"):
        load_metric("CER:x")
    with pytest.raises(BadOption, match=r"^random:x: the seed is a whole number; write random or random:7$"):
        load_metric("random:x")
    with pytest.raises(BadOption, match=r"^length knows no option 'ref'; write length or length:reference$"):
        load_metric("length:ref")
    assert load_metric("bleu").name == "BLEU"


@pytest.mark.parametrize(("name", "module"), [("BLEU", "sacrebleu"), ("chrF", "fastchrf"), ("WER", "rapidfuzz")])
def test_a_package_that_is_not_installed(name: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "assay.challenge.metrics.options.find_spec", lambda asked: None if asked == module else object()
    )
    with pytest.raises(MissingExtra, match=rf"^the metric {name} needs packages .* pip install 'assay-mt\[metrics\]'$"):
        load_metric(name)


STRANGER = """
from assay.challenge.metric import FunctionMetric

def vowels(segments):
    return [sum(letter in "aeiou" for letter in segment.hypothesis) for segment in segments]

def factory(option):
    return FunctionMetric("vowels", f"vowels|{option}", vowels, group="qe", needs_reference=False)
"""


def test_a_metric_of_a_strangers_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "strange_metric.py").write_text(STRANGER)
    information = tmp_path / "strange_metric-1.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: strange-metric\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[assay.metrics]\nvowels = strange_metric:factory\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("assay.challenge.metric.METRICS", Plugins("metric", "assay.metrics"))
    metric = load_metric("mine=Vowels:7")
    assert (metric.name, metric.signature, metric.group) == ("mine", "vowels|7", "qe")
    assert list(metric.score([Segment("", "queue", "")])) == [4]


def test_every_registered_metric_has_a_factory() -> None:
    assert {"BLEU", "chrF", "chrF++", "TER", "WER", "CER", "length", "copy", "COMET", "COMETKiwi"} < set(METRICS.names)
    assert all(callable(METRICS.get(name)) for name in METRICS.names)


def test_a_function_is_a_metric() -> None:
    metric = FunctionMetric("one", "one|1", lambda segments: [1.0] * len(segments))
    assert list(metric.score([Segment("", "a", "b")])) == [1.0]
