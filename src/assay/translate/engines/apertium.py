"""Apertium, installed on this machine: `apertium`, `apertium:mode=eng-spa,unknown=mark`.

    apertium({}, LanguagePair("en", "es")).translate(["The cat sleeps."])

Debian: apt-get install apertium apertium-eng-spa.
"""

import re
import subprocess
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from shutil import which

from assay.errors import UnknownName
from assay.languages import LanguageCode, base_language
from assay.text import fold
from assay.translate.engine import Answer, Engine, LanguagePair, Refused
from assay.translate.engines.command import LineEngine
from assay.translate.options import Options

PROGRAM = "apertium"
MODES = Path("/usr/share/apertium/modes")

# Languages of Apertium's pairs whose codes differ in ISO 639-1 and 639-3.
_LONG = {
    "af": "afr", "an": "arg", "ar": "ara", "ast": "ast", "be": "bel", "bg": "bul", "br": "bre", "ca": "cat",
    "cy": "cym", "da": "dan", "de": "deu", "en": "eng", "eo": "epo", "es": "spa", "eu": "eus", "fr": "fra",
    "gl": "glg", "hi": "hin", "hr": "hbs_HR", "id": "ind", "is": "isl", "it": "ita", "kk": "kaz", "mk": "mkd",
    "ms": "msa", "mt": "mlt", "nb": "nob", "nl": "nld", "nn": "nno", "oc": "oci", "pl": "pol", "pt": "por",
    "ro": "ron", "ru": "rus", "sc": "srd", "sl": "slv", "sr": "hbs_SR", "sv": "swe", "tr": "tur", "tt": "tat",
    "uk": "ukr", "ur": "urd",
}  # fmt: skip


def apertium(options: Mapping[str, str], pair: LanguagePair) -> Engine:
    """Apertium on this machine: mode=eng-spa, unknown=plain|mark."""
    asked = Options(PROGRAM, options)
    mode, unknown = asked.text("mode"), asked.choice("unknown", ("plain", "mark"))
    asked.finish()
    if which(PROGRAM) is None:
        raise Refused("apertium is not installed; on Debian run: apt-get install apertium apertium-eng-spa")
    modes = sorted(_said("-l").stdout.split())
    if mode is None:
        mode = next((mode for mode in _possible(pair) if mode in modes), None)
        if mode is None:
            there = f"there are: {', '.join(modes)}" if modes else "none is installed"
            raise Refused(f"apertium has no mode for {pair.source}-{pair.target}; {there}")
    elif mode not in modes:
        raise UnknownName("mode of apertium", mode, modes)
    return Apertium(mode, mark_unknown=unknown == "mark")


def _said(option: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([PROGRAM, option], capture_output=True, encoding="utf-8", errors="replace", check=False)


def _possible(pair: LanguagePair) -> list[str]:
    """Names that a mode for this pair may have, the most exact first."""

    def codes(language: str) -> list[str]:
        short, meant = base_language(language), LanguageCode.of(language)
        long = _LONG.get(short, short)
        parts = [part for part in (meant.region, meant.script) if part]
        return [*(f"{code}_{part}" for part in parts for code in (long, short)), long, short]

    return [f"{source}-{target}" for source in codes(pair.source) for target in codes(pair.target)]


class Apertium(LineEngine):
    """One direction of Apertium."""

    name = PROGRAM
    is_local = True

    def __init__(self, mode: str, *, mark_unknown: bool) -> None:
        super().__init__(PROGRAM)
        self.mode = mode
        self.mark_unknown = mark_unknown

    @cached_property
    def parameters(self) -> Mapping[str, str]:
        return {
            "engine": PROGRAM,
            "version": _version(),
            "mode": self.mode,
            "data": _data(self.mode),
            "unknown": "mark" if self.mark_unknown else "plain",
        }

    def translate(self, sentences: Sequence[str]) -> list[Answer]:
        words = [PROGRAM, *([] if self.mark_unknown else ["-u"]), self.mode]
        # A sentence goes on over a single newline; the format `line` of 3.8.3 loses the full stop at the end.
        lines = [line for sentence in sentences for line in (fold(sentence), "")]
        return [Answer(fold(line)) for line in self.run(words, lines, sentences)[::2]]


def _version() -> str:
    said = _said("-V")
    found = re.search(r"\d+(\.\d+)+", said.stdout + said.stderr)
    return found[0] if found else "unknown"


def _data(mode: str) -> str:
    """Twelve hex digits over the mode and the dictionaries it names: Apertium has no version for a direction."""
    pipeline = MODES / f"{mode}.mode"
    if not pipeline.is_file():
        return "unknown"
    text = pipeline.read_text(encoding="utf-8", errors="replace")
    digest = sha256(text.encode())
    for name in re.findall(r"/[^\s'\"]+", text):
        if Path(name).is_file():
            digest.update(Path(name).read_bytes())
    return digest.hexdigest()[:12]
