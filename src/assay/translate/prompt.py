"""What a language model is asked: template, examples, instructions, and the hash that names all of it.

    prompt = read_prompt(template=Path("prompt.txt"), system=None, examples=Path("shots.tsv"))
    prompt.messages("Der Schlüssel steckt noch.", pair)

A template is plain text with `{source}`, `{source_language}` and `{target_language}`; other braces stay. Examples are a
TSV file, a source and its translation a line, and are sent as earlier turns of the same conversation. Where an item has
a prompt of its own, that is in the place of the template.
"""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from assay.errors import BadFile
from assay.files import read_text, read_texts
from assay.limits import check_text
from assay.suites.prompts import PLACE, fill, language_places
from assay.translate.engine import LanguagePair, PromptedSentence

TEMPLATE = """\
Translate the following text from {source_language} to {target_language}. Answer with the translation only, without \
quotation marks, notes or explanations.

{source}"""

CONTEXT = """\
Context, not to be translated:
{context}

"""
"""Before a prompt that has no place for the context."""

LANGUAGES = ("source_language", "target_language")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Example:
    """A source and its translation, shown before the question."""

    source: str
    translation: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """How a sentence is put to a language model."""

    template: str = TEMPLATE
    system: str = ""
    examples: tuple[Example, ...] = ()

    @property
    def hash(self) -> str:
        """Twelve digits that change with every character of template, instructions and examples."""
        examples = [(example.source, example.translation) for example in self.examples]
        whole = json.dumps([self.template, self.system, examples], ensure_ascii=False)
        return hashlib.sha256(whole.encode()).hexdigest()[:12]

    def messages(self, source: str, pair: LanguagePair) -> list[Message]:
        """The conversation that asks for one translation."""
        names = language_places(pair.source, pair.target)
        asked = [Message("system", fill(self.system, names))] if self.system else []
        for example in self.examples:
            # In the template: what an item is told is about its own text.
            asked.append(Message("user", fill(self.template, {**names, "source": example.source})))
            asked.append(Message("assistant", example.translation))
        told = (source.prompt, source.context) if isinstance(source, PromptedSentence) else ("", "")
        values = {**names, "source": str(source), "context": told[1]}
        return [*asked, Message("user", fill(self._question(*told), values))]

    def _question(self, prompt: str, context: str) -> str:
        """The template, or an item's own prompt, with places for source and context."""
        template = prompt if prompt.strip() else self.template
        if "{source}" not in template:
            template += "\n\n{source}"
        return template if "{context}" in template or not context.strip() else CONTEXT + template


def read_prompt(*, template: Path | None, system: Path | None, examples: Path | None) -> Prompt:
    """The prompt from its files; where there is none, the built-in template, no instructions, no examples."""
    return Prompt(
        _read(template, (*LANGUAGES, "source")) if template else TEMPLATE,
        _read(system, LANGUAGES) if system else "",
        _read_examples(examples) if examples else (),
    )


def _read(path: Path, allowed: tuple[str, ...]) -> str:
    text = read_text(path).rstrip("\r\n")  # editors end a file with a newline that nobody wrote
    check_text(path, text)
    for found in PLACE.finditer(text):
        if found[1] not in allowed:
            line = text.count("\n", 0, found.start()) + 1
            there = ", ".join(f"{{{name}}}" for name in allowed)
            raise BadFile(path, f"{found[0]} stands for nothing here", line=line, cure=f"there are {there}")
    if "source" in allowed and "{source}" not in text:
        raise BadFile(path, "the prompt has no {source}", cure="write {source} where the sentence belongs")
    if not text.strip():
        raise BadFile(path, "the file is empty")
    return text


def _read_examples(path: Path) -> tuple[Example, ...]:
    found = []
    for number, line in enumerate(read_texts(path), start=1):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != 2 or not all(cell.strip() for cell in cells):
            raise BadFile(path, "an example is a source, a tab and its translation", line=number)
        found.append(Example(cells[0].strip(), cells[1].strip()))
    if not found:
        raise BadFile(path, "there are no examples in it")
    return tuple(found)
