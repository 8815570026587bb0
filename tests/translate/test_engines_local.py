"""Engines on this machine: commands, files, Apertium, and models behind fake libraries.

No model library is installed for the tests: what `transformers` and `ctranslate2` are given and what is made of their
answers is tested with stand-ins, not that the libraries behave like them.
"""

import sys
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from assay.errors import BadOption, MissingExtra, UnknownName
from assay.translate.collect import collect
from assay.translate.engine import ENGINES, Engine, EngineSpec, LanguagePair, Refused, load_engine
from assay.translate.engines.apertium import Apertium
from assay.translate.engines.file import FileEngine
from assay.translate.retry import Limits
from tests.translate.fakes import wait_for_the_end

DE_EN, EN_ES = LanguagePair("de", "en"), LanguagePair("en", "es")


def texts(engine: Engine, *sentences: str) -> list[str]:
    return [answer.text for answer in engine.translate(sentences)]


# How engines are named


def test_the_parts_of_a_spec() -> None:
    spec = EngineSpec(r"mine=openai:model=a=b,base_url=http://localhost:80/v1,stop=x\,y")
    assert (spec.given_name, spec.plugin) == ("mine", "openai")
    assert spec.options == {"model": "a=b", "base_url": "http://localhost:80/v1", "stop": "x,y"}


@pytest.mark.parametrize(
    ("spec", "name", "plugin", "rest"),
    [
        ("apertium", "", "apertium", ""),
        ("apertium:", "", "apertium", ""),
        ("openai:model=x", "", "openai", "model=x"),
        ("my system=cmd:./run --x=1,2:3", "my system", "cmd", "./run --x=1,2:3"),
        ("cmd:./run --x=1", "", "cmd", "./run --x=1"),
    ],
)
def test_names_and_the_rest(spec: str, name: str, plugin: str, rest: str) -> None:
    found = EngineSpec(spec)
    assert (found.given_name, found.plugin, found.rest) == (name, plugin, rest)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("", "no engine is named"),
        ("mine=", "no engine is named"),
        ("apertium:mode", r"option 1 is not KEY=VALUE; a comma in a value is written \\,"),
        ("apertium:mode=eng-spa,secret-thing", "option 2 is not KEY=VALUE"),
        ("apertium:=eng-spa", "option 1 is not KEY=VALUE"),
        ("apertium:mode=a,mode=b", "the option 'mode' is given twice"),
        ("cmd:", "names no command"),
        ("cmd:'./run", "cannot be split into words: no closing quotation"),
        ("file:", "names no file"),
    ],
)
def test_specs_that_are_none(spec: str, message: str) -> None:
    with pytest.raises(BadOption, match=message) as caught:
        load_engine(spec, EN_ES)
    assert "secret-thing" not in str(caught.value)


def test_an_unknown_engine_suggests_names() -> None:
    with pytest.raises(UnknownName, match="no engine 'apertum'; did you mean apertium"):
        load_engine("apertum", EN_ES)


def test_all_engines_are_there() -> None:
    assert {"openai", "deepl", "apertium", "cmd", "file", "transformers", "ctranslate2"} <= set(ENGINES.names)


@pytest.mark.parametrize(
    ("langpair", "pair"),
    [
        ("de-en", DE_EN),
        ("en-pt-BR", LanguagePair("en", "pt-BR")),
        ("zh-Hans-en", LanguagePair("zh-Hans", "en")),
        ("hsb-de", LanguagePair("hsb", "de")),
        ("eng_Latn-zho_Hans", LanguagePair("eng_Latn", "zho_Hans")),
    ],
)
def test_language_pairs(langpair: str, pair: LanguagePair) -> None:
    assert LanguagePair.parse(langpair) == pair


@pytest.mark.parametrize("langpair", ["", "de", "deen", "german-english", "de-en-fr"])
def test_what_is_no_language_pair(langpair: str) -> None:
    with pytest.raises(BadOption, match="two ISO codes are expected"):
        LanguagePair.parse(langpair)


# cmd


def script(folder: Path, text: str) -> str:
    path = folder / "translate.py"
    path.write_text(f"import sys, time\nlines = sys.stdin.read().splitlines()\n{text}\n", encoding="utf-8")
    return f"{sys.executable} {path}"


def test_a_command_gets_a_sentence_a_line_and_answers_each(tmp_path: Path) -> None:
    engine = load_engine("cmd:" + script(tmp_path, "for line in lines: print(line.upper())"), EN_ES)
    assert texts(engine, "One.", "Two\nlines.", "Ünï") == ["ONE.", "TWO LINES.", "ÜNÏ"]
    assert not engine.is_local
    assert engine.parameters["engine"] == "cmd"


def test_empty_lines_of_a_command_are_lines(tmp_path: Path) -> None:
    engine = load_engine("cmd:" + script(tmp_path, "for line in lines: print('')"), EN_ES)
    assert texts(engine, "One.", "Two.") == ["", ""]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("print('one')", "wrote 1 lines for 2; it has to write one for each"),
        ("print('1\\n2\\n3')", "wrote more than 2 lines for 2; it has to write one for each"),
        ("", "wrote 0 lines for 2"),
        ("while True: print('y')", "wrote more than 2 lines for 2"),
        ("while True: print('y' * 2**16, end='')", "wrote more than 8 MB for 2 lines, and was ended"),
        ("sys.stderr.write('a\\n' * 10**6 + 'the last'); sys.exit(3)", "failed with exit code 3: the last"),
        ("sys.exit('no such model')", "failed with exit code 1: no such model"),
        ("import os; os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    ],
)
def test_a_command_that_fails(tmp_path: Path, code: str, message: str) -> None:
    with pytest.raises(Refused, match=message) as caught:
        texts(load_engine("cmd:" + script(tmp_path, code), EN_ES), "One.", "Two.")
    assert caught.value.exit_code == 3


def test_a_command_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"there is no missing-program; give its path, \./missing-program"):
        texts(load_engine("cmd:missing-program", EN_ES), "One.")
    (tmp_path / "plain").write_text("text", encoding="utf-8")
    with pytest.raises(Refused, match="is it executable"):
        texts(load_engine(f"cmd:{tmp_path}/plain", EN_ES), "One.")


def test_a_running_command_ends_when_the_engine_is_closed(tmp_path: Path) -> None:
    engine = load_engine("cmd:" + script(tmp_path, f"open({str(tmp_path / 'up')!r}, 'w'); time.sleep(60)"), EN_ES)
    problems: list[str] = []

    def ask() -> None:
        try:
            engine.translate(["One."])
        except Refused as error:
            problems.append(str(error))

    thread = Thread(target=ask)
    thread.start()
    while not (tmp_path / "up").exists():
        time.sleep(0.01)
    engine.close()
    thread.join(10)
    assert "was killed by SIGKILL" in problems[0]
    with pytest.raises(Refused, match="is stopped"):
        engine.translate(["Two."])


def test_an_edited_file_of_a_command_is_another_parameter(tmp_path: Path) -> None:
    """The program, scripts and `--model=FILE`; the same content elsewhere is the same."""
    model = tmp_path / "model.bin"
    model.write_bytes(b"1")
    spec = f"cmd:{script(tmp_path, 'pass')} --model={model} --beam 5"

    def files() -> list[str]:
        return load_engine(spec, EN_ES).parameters["files"].split()

    first = files()
    assert [name.partition(":")[0] for name in first] == [Path(sys.executable).name, "translate.py", "model.bin"]
    assert first[2] == f"model.bin:{sha256(b'1').hexdigest()[:12]}"
    model.write_bytes(b"2")
    assert files()[:2] == first[:2]
    assert files()[2] != first[2]
    assert "files" not in load_engine("cmd:missing-program", EN_ES).parameters


def test_at_the_time_limit_a_command_ends_with_all_that_it_started(tmp_path: Path) -> None:
    """The first call starts a process that would go on for minutes; the second one answers."""
    path = tmp_path / "slow.sh"
    path.write_text("[ -e $0.pid ] && exec cat\nsleep 300 &\necho $! > $0.pid\nwait\n", encoding="utf-8")
    kept: list[str] = []
    with closing(load_engine(f"cmd:sh {path}", EN_ES)) as engine:
        limits = Limits(timeout=2, backoff=0.01)
        found = collect(engine, ["One."], keep=lambda got: kept.extend(a.text for _, a in got), limits=limits)
        wait_for_the_end(int((tmp_path / "slow.sh.pid").read_text("utf-8")))
    assert (kept, found.stop) == (["One."], "")
    assert found.repeated >= 1


# file


def test_a_file_is_an_engine_without_answers_of_its_own() -> None:
    engine = load_engine("mine=file:outputs/a=b,c.tsv", EN_ES)
    assert isinstance(engine, FileEngine)
    assert engine.path == Path("outputs/a=b,c.tsv")
    with pytest.raises(Refused, match="outputs of items"):
        engine.translate(["One."])


# Apertium; its Debian packages are installed where the tests run


def test_apertium_translates() -> None:
    engine = load_engine("apertium", EN_ES)
    assert texts(engine, "The house is red.", "Two\nlines", "I see the cat.") == [
        "La casa es roja.",
        "Dos líneas",
        "Veo el gato.",
    ]
    assert engine.is_local
    assert engine.parameters["mode"] == "eng-spa"


def test_sentences_do_not_change_each_other() -> None:
    engine = load_engine("apertium", EN_ES)
    sentences = ["He said", "the man [sleeps]", "How old is he?", "A ^b$ {c} \\ / @ <i>d</i> *e", "No end here"]
    assert texts(engine, *sentences) == [texts(engine, sentence)[0] for sentence in sentences]


def test_unknown_words_are_plain_or_marked() -> None:
    assert texts(load_engine("apertium", EN_ES), "The glorp is red.") == ["El glorp es rojo."]
    assert texts(load_engine("apertium:unknown=mark", EN_ES), "The glorp is red.") == ["El *glorp es rojo."]


def test_a_mode_by_name() -> None:
    engine = load_engine("apertium:mode=spa-eng", EN_ES)
    assert isinstance(engine, Apertium)
    assert texts(engine, "La casa es roja.") == ["The house is red."]


def test_modes_that_are_not_there() -> None:
    with pytest.raises(Refused, match=r"no mode for de-cs; there are: .*eng-spa"):
        load_engine("apertium", LanguagePair("de", "cs"))
    with pytest.raises(UnknownName, match="no mode of apertium 'eng-sp'; did you mean eng-spa"):
        load_engine("apertium:mode=eng-sp", EN_ES)
    with pytest.raises(UnknownName, match="no option of apertium 'mod'; did you mean mode"):
        load_engine("apertium:mod=eng-spa", EN_ES)
    with pytest.raises(BadOption, match="unknown=hide is not one of plain, mark"):
        load_engine("apertium:unknown=hide", EN_ES)


def test_without_apertium_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Refused, match="apt-get install apertium"):
        load_engine("apertium", EN_ES)


# Models in folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("config.json", "source.spm", "target.spm"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


class Tokenizer:
    """Words are numbers: their lengths."""

    src_lang = ""

    def __call__(self, sentences: list[str], **options: Any) -> Any:
        ids = [sentence.split() for sentence in sentences]
        return Inputs(input_ids=ids)

    def convert_tokens_to_ids(self, token: str) -> int:
        return len(token)

    def batch_decode(self, found: list[list[str]], *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" " + " ".join(words) for words in found]


class Inputs(dict[str, Any]):
    def to(self, device: str) -> "Inputs":
        assert device == "cpu"
        return self


class Model:
    device = "cpu"
    settings: dict[str, Any]

    def to(self, device: str) -> "Model":
        return self

    def eval(self) -> "Model":
        return self

    def generate(self, *, input_ids: list[list[str]], **settings: Any) -> list[list[str]]:
        self.settings = settings
        return [list(reversed(words)) for words in input_ids]


def test_transformers(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import nullcontext

    tokenizer, model = Tokenizer(), Model()
    offline: list[bool] = []

    def loader(made: Any) -> Any:
        return SimpleNamespace(
            from_pretrained=lambda path, local_files_only: offline.append(local_files_only) or made  # type: ignore[func-returns-value]
        )

    fake = SimpleNamespace(AutoTokenizer=loader(tokenizer), AutoModelForSeq2SeqLM=loader(model))
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(inference_mode=nullcontext))
    engine = load_engine(f"transformers:model={folder},beams=2,source_code=deu_Latn,target_code=eng", DE_EN)
    assert engine.estimate(["eins zwei", "drei"]).tokens == 3
    assert len(offline) == 1  # the tokenizer; a machine that only hands out work need not have room for the model
    assert texts(engine, "eins zwei", "drei") == ["zwei eins", "drei"]
    assert texts(engine, "vier") == ["vier"]
    assert offline == [True, True]
    assert model.settings == {"num_beams": 2, "max_new_tokens": 256, "forced_bos_token_id": 3}
    assert tokenizer.src_lang == "deu_Latn"
    assert engine.is_local
    assert engine.parameters["model"] == folder.name


def test_ctranslate2(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {}

    class Translator:
        def __init__(self, path: str, *, device: str) -> None:
            given.update(path=path, device=device)

        def translate_batch(self, tokens: Any, **settings: Any) -> list[Any]:
            given.update(tokens=tokens, **settings)
            return [SimpleNamespace(hypotheses=[["eng", *reversed(words[:-1])]]) for words in tokens]

    class Pieces:
        def __init__(self, *, model_file: str) -> None:
            given.setdefault("spm", []).append(Path(model_file).name)

        def encode(self, sentence: str, *, out_type: type) -> list[str]:
            return sentence.split()

        def decode(self, words: list[str]) -> str:
            return " ".join(words)

    monkeypatch.setitem(sys.modules, "ctranslate2", SimpleNamespace(Translator=Translator))
    monkeypatch.setitem(sys.modules, "sentencepiece", SimpleNamespace(SentencePieceProcessor=Pieces))
    engine = load_engine(f"ctranslate2:model={folder},target_code=eng", DE_EN)
    assert engine.estimate(["eins zwei", "drei"]).tokens == 5  # with an end each
    assert "path" not in given  # the model is loaded where it is asked
    assert texts(engine, "eins zwei", "drei") == ["zwei eins", "drei"]
    assert given["tokens"] == [["eins", "zwei", "</s>"], ["drei", "</s>"]]
    assert (given["target_prefix"], given["beam_size"]) == ([["eng"], ["eng"]], 4)
    assert given["spm"] == ["source.spm", "target.spm"]
    assert engine.name == folder.name


@pytest.mark.parametrize("engine", ["transformers", "ctranslate2"])
def test_what_a_model_engine_needs(engine: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "transformers", "ctranslate2", "sentencepiece"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'assay-mt\[{engine}\]'"):
        load_engine(f"{engine}:model={folder}", DE_EN)
    with pytest.raises(BadOption, match="model is missing"):
        load_engine(engine, DE_EN)
    with pytest.raises(BadOption, match="there is no folder nowhere; models are not fetched"):
        load_engine(f"{engine}:model=nowhere", DE_EN)


def test_a_model_that_cannot_be_loaded(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any, **options: Any) -> Any:
        raise RuntimeError("no CUDA device\nand a long story")

    fake = SimpleNamespace(
        AutoTokenizer=SimpleNamespace(from_pretrained=lambda path, local_files_only: Tokenizer()),
        AutoModelForSeq2SeqLM=SimpleNamespace(from_pretrained=broken),
    )
    monkeypatch.setitem(sys.modules, "transformers", fake)
    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "ctranslate2", SimpleNamespace(Translator=broken))
    pieces = SimpleNamespace(encode=lambda sentence, out_type: sentence.split())
    monkeypatch.setitem(sys.modules, "sentencepiece", SimpleNamespace(SentencePieceProcessor=lambda model_file: pieces))
    for name in ("transformers", "ctranslate2"):
        with pytest.raises(BadOption, match=rf"^{name}: {folder} cannot be loaded: no CUDA device$"):
            load_engine(f"{name}:model={folder}", DE_EN).translate(["eins"])


def test_ctranslate2_without_pieces(tmp_path: Path) -> None:
    with pytest.raises(BadOption, match=r"source\.spm; name the SentencePiece model with spm=FILE"):
        load_engine(f"ctranslate2:model={tmp_path}", DE_EN)
