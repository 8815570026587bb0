"""A profile with what somebody looks at who did not run it: examples of every rendering, and their trees, drawn.

texts = ProfiledTexts("en-cs", Path("source.txt"), ["A.txt"], ["refA.txt"], parsers, "pharaoh:{system}.links")
found = pictured_profile(texts, Path("renderings.tsv"))
found.parts[0].examples, found.pictures["12:5", "A"]
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from assay.contrasts.annotations import ToolNames
from assay.contrasts.files.renderings import read, write
from assay.contrasts.profile_numbers import profile
from assay.contrasts.renderings import renderings
from assay.contrasts.renderings_profile import ProfiledConstruction, profiled
from assay.contrasts.run import ContrastInputs, prepare
from assay.contrasts.show import pair_of
from assay.contrasts.tree_view import svg
from assay.parallel import ALONE
from assay.progress import OpenProgress, no_progress

MOST_PICTURES: Final = 120
"""Trees that are drawn: of the first examples."""


@dataclass(frozen=True, slots=True)
class ProfiledTexts:
    """Contrasts, texts and tools, as `assay contrasts profile` is given them."""

    contrasts: str
    source: Path
    outputs: Sequence[str]
    references: Sequence[str]
    source_parser: str
    target_parser: str
    aligner: str


@dataclass(frozen=True, slots=True)
class PicturedProfile:
    """The profiles with their examples, and (keyword, system) of examples -> both trees and their links as SVG."""

    parts: list[ProfiledConstruction]
    pictures: Mapping[tuple[str, str], str]


def pictured_profile(texts: ProfiledTexts, file: Path, open_progress: OpenProgress = no_progress) -> PicturedProfile:
    """The profile of texts; writes its renderings to a file."""
    inputs = ContrastInputs(
        texts.contrasts,
        texts.source,
        texts.outputs,
        ToolNames(texts.source_parser, texts.target_parser, texts.aligner),
        references=texts.references,
    )
    with ALONE.open() as executor:
        prepared = prepare(inputs, cache=None, executor=executor, open_progress=open_progress, side_by_side=True)
    found = prepared.annotations
    made = profile(
        renderings(prepared.contrasts, found.sources, found.translations, keywords=found.keywords),
        tools=prepared.tools.signatures,
        effort=found.effort,
        groups=None,
        seed=1,
    )
    write(made.renderings, file)
    parts = profiled(made, read(file))
    examples = dict.fromkeys((line.keyword, line.system) for part in parts for line in part.examples)
    return PicturedProfile(parts, {key: svg(pair_of(prepared, *key)) for key in list(examples)[:MOST_PICTURES]})
