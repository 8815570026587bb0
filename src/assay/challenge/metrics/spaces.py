"""Languages without spaces between words, for metrics that count words."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.challenge.metric import FunctionMetric
from assay.errors import BadOption
from assay.languages import base_language, language_name

UNSPACED = {"zh", "yue", "wuu", "lzh", "ja", "th", "lo", "km", "my", "bo", "dz"}
"""Languages whose words have no spaces between them."""


def spaced_only(
    factory: Callable[[str], FunctionMetric], option: str, instead: str, languages: Sequence[str]
) -> FunctionMetric:
    """A metric of words between spaces, for these target languages.

    It is refused where none of them has spaces, and says so where some have none.
    """
    made = factory(option)
    unspaced = [language for language in languages if base_language(language) in UNSPACED]
    names = ", ".join(dict.fromkeys(map(language_name, unspaced)))
    said = f"{made.name} counts words between spaces, which {names} does not have"
    if unspaced and len(unspaced) == len(languages):
        raise BadOption(f"{said}; take {instead}")
    return replace(made, note=f"{said}; its scores there mean little") if unspaced else made
