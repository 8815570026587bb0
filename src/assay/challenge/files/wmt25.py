"""WMT25 challenge sets: parallel files `SET.S-T.{src,ref,hyp-1,hyp-2,meta}.txt`.

    challenge = read(Path("garden.de-en.src.txt"))

Assay writes a JSON object a line into `meta`; other `meta` files, and none at all, are accepted.
"""

import re
from contextlib import ExitStack
from pathlib import Path

from assay.challenge.challenge_set import HYPOTHESES, ChallengeSet
from assay.challenge.files import records
from assay.errors import BadFile, BadOption
from assay.files import writing

PARTS = dict(zip(records.TEXTS, ("src", "ref", *HYPOTHESES), strict=True))
"""Field -> what its file is called."""

# Wider than our own pairs: WMT25 has names like `en-ar_EG` and `cs-de_DE`.
_PAIR = r"[^./\s-]+-[^./\s]+"
NAME = re.compile(rf"(?P<stem>(?P<set>[^/]+)\.(?P<langpair>{_PAIR}))\.(?:src|ref|hyp-1|hyp-2|meta)\.txt")


def read(path: Path) -> ChallengeSet:
    """The set that a file belongs to, or the only one of a folder."""
    if path.is_dir():
        stems = sorted({match["stem"] for file in path.iterdir() if (match := NAME.fullmatch(file.name))})
        if not stems:
            raise BadFile(path, "no challenge set in this folder", cure="one has files SET.de-en.src.txt, or sources/")
        if len(stems) > 1:
            raise BadFile(path, f"{len(stems)} sets are here", cure=f"name one of them: {path / stems[0]}.src.txt")
        path = path / f"{stems[0]}.src.txt"
    match = NAME.fullmatch(path.name)
    if match is None:
        raise BadFile(path, "not a file of a WMT25 challenge set", cure="it is called SET.de-en.src.txt or the like")
    files = {field: path.parent / f"{match['stem']}.{part}.txt" for field, part in PARTS.items()}
    rows = records.parallel_rows(files, path.parent / f"{match['stem']}.meta.txt")
    return records.set_from_rows(files["source"], rows, name=match["set"], langpair=match["langpair"])


def write(challenge: ChallengeSet, path: Path, *, force: bool) -> list[Path]:
    """Write a new folder or, if `path` ends in the language pair, files into its folder, which may hold others."""
    check_langpair(challenge, path)
    if path.name.endswith(f".{challenge.langpair}"):
        return _write_parallel(challenge, path, force=force)
    if not NAME.fullmatch(f"{challenge.name}.{challenge.langpair}.src.txt"):
        raise BadOption(
            f"{path}: the set's name {challenge.name!r} cannot name a file; write to FOLDER/NAME.{challenge.langpair}"
        )
    files = _files(challenge, f"{challenge.name}.{challenge.langpair}")
    return records.write_folder(path, files, force=force)


def check_langpair(challenge: ChallengeSet, path: Path) -> None:
    """Refuse a language pair that cannot be part of a file's name."""
    if not re.fullmatch(_PAIR, challenge.langpair):
        raise BadOption(
            f"{path}: the files are named after the language pair, and that of the set is {challenge.langpair!r};"
            " write it as tsv or jsonl"
        )


def parallel_files(stem: Path) -> list[Path]:
    """The files of a set that is written to, or read from, `FOLDER/SET.de-en`."""
    return [stem.with_name(f"{stem.name}.{part}.txt") for part in (*PARTS.values(), "meta")]


def _write_parallel(challenge: ChallengeSet, stem: Path, *, force: bool) -> list[Path]:
    files = {stem.parent / name: text for name, text in _files(challenge, stem.name).items()}
    there = next((file for file in files if file.exists()), None)
    if there is not None and not force:
        raise BadFile(there, "is there already", cure="choose another name or add --force")
    # Each file takes its place when the stack ends, so that an error in any of them leaves all old files.
    with ExitStack() as together:
        for file, text in files.items():
            together.enter_context(writing(file)).write(text)
    return list(files)


def _files(challenge: ChallengeSet, stem: str) -> dict[str, str]:
    """File name -> text."""
    texts = [records.texts_of(item) for item in challenge.items]
    files = {f"{stem}.{part}.txt": "".join(text[field] + "\n" for text in texts) for field, part in PARTS.items()}
    return files | {f"{stem}.meta.txt": "".join(map(records.json_line, records.metadata_of(challenge)))}
