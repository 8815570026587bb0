"""`--group mine=qe`, as commands about metrics take it."""

from assay.errors import BadOption


def group_pairs(values: tuple[str, ...]) -> dict[str, str]:
    """`--group mine=qe` -> {"mine": "qe"}."""
    found = {}
    for value in values:
        name, equals, group = value.rpartition("=")
        if not equals:
            raise BadOption(f"{value!r} is not NAME=GROUP")
        found[name] = group
    return found
