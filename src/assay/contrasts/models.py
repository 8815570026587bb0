"""Models that can be had: what `assay contrasts models` lists and fetches.

    for model in MODELS:
        print(model.name, model.licence)
    fetched = fetch("czech-pdt", Path("models"))
    fetched.path, fetched.sha256, fetched.verified

Checksums are stated where one is known from elsewhere. For the others the one that was computed is written beside the
model, and what is fetched later has to agree with it.
"""

import hashlib
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import Literal
from urllib.error import HTTPError
from urllib.request import urlopen

from assay.errors import AssayError, BadFile, BadOption, UnknownName
from assay.files import write_bytes
from assay.languages import MODEL_NAMES
from assay.progress import Progress

HANDLE = "https://hdl.handle.net/11234/1-3131"
"""The UDPipe 1 models for Universal Dependencies 2.5 (Straka and Straková 2019) at LINDAT/CLARIAH-CZ."""

FILES = "https://lindat.mff.cuni.cz/repository/server/api/core/bitstreams/handle/11234/1-3131"

TREEBANKS = """
afrikaans-afribooms ancient_greek-perseus ancient_greek-proiel arabic-padt armenian-armtdp basque-bdt belarusian-hse
bulgarian-btb catalan-ancora chinese-gsd chinese-gsdsimp classical_chinese-kyoto coptic-scriptorium croatian-set
czech-cac czech-cltt czech-fictree czech-pdt danish-ddt dutch-alpino dutch-lassysmall english-ewt english-gum
english-lines english-partut estonian-edt estonian-ewt finnish-ftb finnish-tdt french-gsd french-partut french-sequoia
french-spoken galician-ctg galician-treegal german-gsd german-hdt gothic-proiel greek-gdt hebrew-htb hindi-hdtb
hungarian-szeged indonesian-gsd irish-idt italian-isdt italian-partut italian-postwita italian-twittiro italian-vit
japanese-gsd korean-gsd korean-kaist latin-ittb latin-perseus latin-proiel latvian-lvtb lithuanian-alksnis
lithuanian-hse maltese-mudt marathi-ufal north_sami-giella norwegian-bokmaal norwegian-nynorsk norwegian-nynorsklia
old_church_slavonic-proiel old_french-srcmf old_russian-torot persian-seraji polish-lfg polish-pdb portuguese-bosque
portuguese-gsd romanian-nonstandard romanian-rrt russian-gsd russian-syntagrus russian-taiga scottish_gaelic-arcosg
serbian-set slovak-snk slovenian-ssj slovenian-sst spanish-ancora spanish-gsd swedish-lines swedish-talbanken tamil-ttb
telugu-mtg turkish-imst ukrainian-iu urdu-udtb uyghur-udt vietnamese-vtb wolof-wtb
"""

MAGIC = b"\x12morphodita_parsito"
"""How every UDPipe 1 model begins."""

TIMEOUT = 60.0
"""Seconds without a byte after which a download is given up."""

CHUNK = 1 << 16
"""Bytes between two calls of the progress callback."""


@dataclass(frozen=True)
class ParserModel:
    """A model, and where it is to be had. Size and checksum are None where nobody has stated them."""

    name: str
    parser: Literal["udpipe", "spacy", "natasha"]
    language: str
    licence: str
    relations: str
    """The annotation scheme of its trees; contrasts are written for UD."""
    url: str
    install: str
    """The command that brings it."""
    size: int | None = None
    sha256: str | None = None


def _udpipe(treebank: str) -> ParserModel:
    # Two projects that pin this file, and have nothing else in common, state the same size and SHA-256.
    known = (
        (16_309_608, "784bd0fa85e3d831fd02a55290d0acfd05c953159dc38cc33d52e1b28add9957")
        if treebank == "english-ewt"
        else (None, None)
    )
    return ParserModel(
        treebank,
        "udpipe",
        MODEL_NAMES[treebank.partition("-")[0]],
        "CC BY-NC-SA 4.0",
        "UD",
        f"{FILES}/{treebank}-ud-2.5-191206.udpipe",
        f"assay contrasts models --fetch {treebank}",
        *known,
    )


def _spacy(name: str, licence: str, relations: str) -> ParserModel:
    url = f"https://github.com/explosion/spacy-models/releases?q={name}"
    return ParserModel(name, "spacy", name[:2], licence, relations, url, f"python -m spacy download {name}")


MODELS: tuple[ParserModel, ...] = (
    *map(_udpipe, TREEBANKS.split()),
    _spacy("de_core_news_sm", "MIT", "TIGER"),
    _spacy("en_core_web_sm", "MIT", "ClearNLP"),
    _spacy("ru_core_news_sm", "MIT", "UD"),
    ParserModel(
        "natasha",
        "natasha",
        "ru",
        "MIT",
        "UD",
        "https://github.com/natasha/natasha",
        "pip install 'assay-mt[natasha]'",
    ),
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """A model that was fetched; `verified` if its checksum was known before, from here or from an earlier fetch."""

    path: Path
    sha256: str
    verified: bool


def fetch(name: str, folder: Path, *, progress: Progress | None = None) -> Fetched:
    """Fetch an official UDPipe model by its name into a folder."""
    model = next((model for model in MODELS if model.name == name.lower()), None)
    if model is None:
        raise UnknownName("model", name, (model.name for model in MODELS))
    if model.parser != "udpipe":
        raise BadOption(f"{name} comes with a package; run: {model.install}")
    return fetch_model(model, folder, progress=progress)


def fetch_model(model: ParserModel, folder: Path, *, progress: Progress | None = None) -> Fetched:
    """Fetch a model; nothing is kept unless all of it has come and its checksum is the one that is known."""
    path = folder / model.url.rpartition("/")[2]
    record = path.with_name(path.name + ".sha256")
    known = model.sha256 or _recorded(record)
    content = _download(model.url, progress)
    found = hashlib.sha256(content).hexdigest()
    if known is not None and found != known:
        raise AssayError(
            f"{model.url}: the SHA-256 is {found}, not {known}; nothing was kept: it is another file than it was, "
            f"or it was changed on its way"
        )
    if not content.startswith(MAGIC):
        raise AssayError(f"{model.url}: what came is not a UDPipe 1 model; nothing was kept, see {HANDLE}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(folder, f"cannot be written ({error.strerror})") from None
    # The model first: a checksum of what was never written would refuse the next one.
    write_bytes(content, path)
    write_bytes(f"{found}  {path.name}\n".encode(), record)
    return Fetched(path, found, known is not None)


def _recorded(record: Path) -> str | None:
    """The checksum of an earlier fetch, as `sha256sum` writes it."""
    try:
        return record.read_text(encoding="utf-8").split()[0]
    except (OSError, IndexError):
        return None


def _download(url: str, progress: Progress | None) -> bytes:
    content = bytearray()
    try:
        with urlopen(url, timeout=TIMEOUT) as answer:
            expected = answer.headers.get("Content-Length")
            while chunk := answer.read(CHUNK):
                content += chunk
                if progress is not None:
                    progress(len(chunk))
    except HTTPError as error:
        with error:
            raise AssayError(f"{url}: the server answers {error.code} {error.reason}; see {HANDLE}") from None
    except (HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise AssayError(f"{url}: cannot be fetched ({reason}); nothing was kept, try again") from None
    if expected is not None and len(content) != int(expected):
        raise AssayError(f"{url}: {len(content):,} of {int(expected):,} bytes came; nothing was kept, try again")
    return bytes(content)
