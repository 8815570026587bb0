"""What language models are asked: templates, examples, hashes; names of languages; guesses at tokens."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import BadFile
from assay.languages import engine_code, prompt_name
from assay.translate.engine import LanguagePair, PromptedSentence
from assay.translate.prices import Prices, guess_tokens, guess_translation
from assay.translate.prompt import Example, Message, Prompt, read_prompt

PAIR = LanguagePair("en", "cs")


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sentence_is_put_into_the_template() -> None:
    prompt = Prompt("{source_language} to {target_language}: {source}")
    assert prompt.messages("Hi.", PAIR) == [Message("user", "English to Czech: Hi.")]
    swiss = LanguagePair("it", "de_CH")
    assert prompt.messages("Ciao.", swiss) == [Message("user", "Italian to German (Switzerland): Ciao.")]


def test_examples_are_earlier_turns() -> None:
    prompt = Prompt("{source}", system="To {target_language}.", examples=(Example("Yes.", "Ano."),))
    assert prompt.messages("No.", PAIR) == [
        Message("system", "To Czech."),
        Message("user", "Yes."),
        Message("assistant", "Ano."),
        Message("user", "No."),
    ]


@given(st.text())
def test_a_source_is_sent_as_it_is_whatever_is_in_it(source: str) -> None:
    [message] = Prompt('{"text": "{source}"}').messages(source, PAIR)
    assert message.content == '{"text": "' + source + '"}'


def test_braces_of_a_source_are_not_filled() -> None:
    [message] = Prompt("{source}").messages("{target_language} {source}", PAIR)
    assert message.content == "{target_language} {source}"


def test_the_hash_changes_with_everything_that_is_sent() -> None:
    prompts = [
        Prompt(),
        Prompt("{source}"),
        Prompt("{source} "),
        Prompt("{source}", system="a"),
        Prompt("{source}", examples=(Example("a", "b"),)),
        Prompt("{source}", examples=(Example("b", "a"),)),
    ]
    assert len({prompt.hash for prompt in prompts}) == len(prompts)
    assert Prompt("{source}").hash == Prompt("{source}").hash


def test_files(tmp_path: Path) -> None:
    prompt = read_prompt(
        template=write(tmp_path / "prompt.txt", "\ufeffInto {target_language}:\n{source}\n\n"),
        system=write(tmp_path / "system.txt", "Be exact.\n"),
        examples=write(tmp_path / "shots.tsv", "Yes.\tAno.\n\nNo.\tNe.\n"),
    )
    assert prompt == Prompt(
        "Into {target_language}:\n{source}", "Be exact.", (Example("Yes.", "Ano."), Example("No.", "Ne."))
    )
    assert read_prompt(template=None, system=None, examples=None) == Prompt()


@pytest.mark.parametrize(
    ("option", "text", "words"),
    [
        ("template", "Translate!", r"prompt has no \{source\}"),
        ("template", "Translate\n{text}", r"file:2: \{text\} stands for nothing here; there are \{source_language\}"),
        ("template", "", "the file is empty"),
        ("system", "{source}", r"\{source\} stands for nothing here"),
        ("system", "\n", "empty"),
        ("examples", "Yes.\tAno.\nNo. Ne.\n", "file:2: an example is a source, a tab and its translation"),
        ("examples", "Yes.\tAno.\tJo.\n", "file:1: an example"),
        ("examples", "Yes.\t \n", "file:1: an example"),
        ("examples", "\n", "no examples"),
    ],
)
def test_bad_files(tmp_path: Path, option: str, text: str, words: str) -> None:
    path = write(tmp_path / "file", text)
    paths: dict[str, Path | None] = {"template": None, "system": None, "examples": None, option: path}
    with pytest.raises(BadFile, match=words):
        read_prompt(**paths)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such file"):
        read_prompt(template=tmp_path / "prompt.txt", system=None, examples=None)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("de", "German"),
        ("pt-BR", "Brazilian Portuguese"),
        ("de-AT", "German (AT)"),
        ("zh-Hant", "Traditional Chinese"),
        ("tlh", "tlh"),
        ("tlh-XX", "tlh-XX"),
    ],
)
def test_names_of_languages(code: str, name: str) -> None:
    assert prompt_name(code) == name


def test_codes_of_engines() -> None:
    codes = {"zh-hans": "Z1", "zh-hant": "Z2", "zh": "Z1", "pt-pt": "P"}
    found = [engine_code(code, codes) for code in ("zh", "zh-CN", "zh-TW", "zh-Hant", "pt-PT", "pt-BR", "en-GB", "cs")]
    assert found == ["Z1", "Z1", "Z2", "Z2", "P", "pt", "en", "cs"]


def test_tokens_are_guessed_from_characters() -> None:
    assert guess_tokens("Haus") == 1  # 4 Latin characters a token
    assert guess_tokens("Schlüssel") == 3  # 9 / 4
    assert guess_tokens("ключи") == 2  # 5 / 2.5
    assert guess_tokens("钥匙") == 2  # 1 a token
    assert guess_tokens("") == 0
    assert guess_translation("a" * 20, "de") == 5
    assert guess_translation("a" * 20, "ru") == 8
    assert guess_translation("a" * 20, "zh-TW") == 20


def test_costs_are_none_where_no_price_is_known() -> None:
    assert Prices().of_tokens(1000, 1000) is None
    assert Prices(1.0, 2.0).of_tokens(None, 10) is None
    assert Prices().of_characters(["abc"]) is None
    assert Prices(2.5, 10.0).of_tokens(1000, 300) == pytest.approx(0.0055)  # (1000 * 2.5 + 300 * 10) / 1e6
    assert Prices(characters=20.0).of_characters(["abc", "de"]) == pytest.approx(1e-4)  # 5 * 20 / 1e6


class TestAnItemsOwnPrompt:
    """`PromptedSentence`: in place of the template."""

    def asked(self, prompt: str, context: str = "", template: str = "General: {source}") -> str:
        [message] = Prompt(template).messages(PromptedSentence("A {bank}.", prompt, context), PAIR)
        return message.content

    def test_the_source_follows(self) -> None:
        assert self.asked("Be brief, in {target_language} {x}.") == "Be brief, in Czech {x}.\n\nA {bank}."

    def test_unless_it_has_a_place(self) -> None:
        assert self.asked("{source} > {context} > {source_language}", "{source}") == "A {bank}. > {source} > English"

    def test_a_context_without_a_place_stands_before_it(self) -> None:
        assert self.asked("Be brief.", "At the river.") == (
            "Context, not to be translated:\nAt the river.\n\nBe brief.\n\nA {bank}."
        )

    def test_a_context_alone_stands_before_the_template(self) -> None:
        assert self.asked("", "At the river.") == "Context, not to be translated:\nAt the river.\n\nGeneral: A {bank}."
        assert self.asked(" ", " ") == "General: A {bank}.", "blank is none"

    def test_instructions_and_examples_are_as_before(self) -> None:
        prompt = Prompt("General: {source}", "To {target_language}.", (Example("Yes.", "Ano."),))
        assert prompt.messages(PromptedSentence("No.", "Be brief.", ""), PAIR) == [
            Message("system", "To Czech."),
            Message("user", "General: Yes."),
            Message("assistant", "Ano."),
            Message("user", "Be brief.\n\nNo."),
        ]


def test_sentences_with_different_prompts_are_different_sentences() -> None:
    told = [PromptedSentence("A.", *told) for told in (("p", ""), ("", "p"), ("p", "p"))]
    assert len({"A.", *told, *told}) == 4
    assert "A." not in told
    assert told[0] == pickle.loads(pickle.dumps(told[0])) == PromptedSentence("A.", "p", "")
    assert f"{told[0]}" == "A.", "and a text to whoever looks no further"
