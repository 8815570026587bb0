"""An mt-metrics-eval tree: the two translations are the systems `hyp-1` and `hyp-2`, the reference is `refA`.

challenge = read(Path("garden"))

sources/de-en.txt   references/de-en.refA.txt   system-outputs/de-en/{hyp-1,hyp-2}.txt   documents/de-en.docs
metadata/de-en.jsonl   human-scores/de-en.verdict.seg.score (open sets: 1 for the correct translation, 0)
"""

from pathlib import Path

from assay.challenge.challenge_set import HYPOTHESES, ChallengeSet
from assay.challenge.files import records
from assay.challenge.files.wmt25 import check_langpair
from assay.errors import BadFile

REFERENCE = "refA"


def read(root: Path, langpair: str = "") -> ChallengeSet:
    """The set of a language pair; without one, the only set of the tree."""
    # The tree may hold several language pairs; the file name in sources/ is the pair.
    pairs = [langpair] if langpair else sorted(file.stem for file in (root / "sources").glob("*.txt"))
    if len(pairs) != 1:
        problem = f"{len(pairs)} language pairs" if pairs else "no files in sources/"
        cure = f"name one of them: {root / 'sources' / pairs[0]}.txt" if pairs else "it holds S-T.txt"
        raise BadFile(root, problem, cure=cure)
    pair = pairs[0]
    outputs = root / "system-outputs" / pair
    for name in HYPOTHESES:
        if not (outputs / f"{name}.txt").is_file():
            raise BadFile(
                outputs / f"{name}.txt",
                "there is no such file",
                cure="a challenge set has the two systems hyp-1 and hyp-2",
            )
    files = {
        "source": root / "sources" / f"{pair}.txt",
        "reference": _reference(root, pair),
        **{name: outputs / f"{name}.txt" for name in HYPOTHESES},
    }
    rows = records.parallel_rows(files, root / "metadata" / f"{pair}.jsonl", labels=_verdicts(root, pair))
    return records.set_from_rows(files["source"], rows, name=root.resolve().name, langpair=pair)


def _reference(root: Path, pair: str) -> Path:
    """refA, or the only reference."""
    usual = root / "references" / f"{pair}.{REFERENCE}.txt"
    found = sorted((root / "references").glob(f"{pair}.*.txt"))
    if usual in found or not found:
        return usual
    if len(found) > 1:
        raise BadFile(root / "references", f"{len(found)} references", cure=f"name the one to take {usual.name}")
    return found[0]


def _verdicts(root: Path, pair: str) -> Path:
    return root / "human-scores" / f"{pair}.verdict.seg.score"


def write(challenge: ChallengeSet, path: Path, *, force: bool) -> list[Path]:
    """Write a tree into a new folder."""
    check_langpair(challenge, path)
    return records.write_folder(path, _files(challenge), force=force)


def _files(challenge: ChallengeSet) -> dict[str, str]:
    """Path in the tree -> text."""
    pair, items = challenge.langpair, challenge.items
    texts = [records.texts_of(item) for item in items]
    names = {
        "source": f"sources/{pair}.txt",
        "reference": f"references/{pair}.{REFERENCE}.txt",
        **{name: f"system-outputs/{pair}/{name}.txt" for name in HYPOTHESES},
    }
    files = {name: "".join(text[field] + "\n" for text in texts) for field, name in names.items()}
    metadata = records.metadata_of(challenge)
    # A document per challenge item, its domain the phenomenon: mt-metrics-eval can then score phenomena by itself.
    files[f"documents/{pair}.docs"] = "".join(
        f"{_word(str(line.get('phenomenon', ''))) or 'challenge'}\t{_word(str(line['id']))}\n" for line in metadata
    )
    # Which translation is right is in the human scores, and not in two places.
    files[f"metadata/{pair}.jsonl"] = "".join(
        records.json_line({name: value for name, value in line.items() if name != "correct"}) for line in metadata
    )
    if not challenge.is_blind:
        files[f"human-scores/{pair}.verdict.seg.score"] = "".join(
            f"{name}\t{int(item.correct == number)}\n" for number, name in enumerate(HYPOTHESES, 1) for item in items
        )
    return files


def _word(label: str) -> str:
    """A name without white space, which would end it."""
    return "_".join(label.split())
