"""What profiles count and test; docs/reference/contrasts.md has every formula.

found = profile(renderings(contrasts, sources, translations), tools=signatures, effort=effort)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assay.contrasts.annotations import AnnotationEffort
from assay.contrasts.faults import fault_counts
from assay.contrasts.profile import (
    DRAWS,
    FLIPS,
    ConstructionProfile,
    ContrastProfile,
    IntervalNumber,
    Kind,
    RenderingShare,
    TranslationRow,
)
from assay.contrasts.profile_findings import finding
from assay.contrasts.renderings import UNKNOWN, Renderings, RenderingTable, is_reference
from assay.errors import BadOption, UnknownName
from assay.stats.clustered import drawn_sums, sign_flips, unit_sums
from assay.stats.corrections import holm
from assay.stats.proportions import Floats, divide

Z95 = 1.959964


def profile(
    found: Renderings,
    *,
    tools: Mapping[str, str],
    effort: AnnotationEffort,
    groups: Mapping[str, Sequence[str]] | None = None,
    seed: int = 1,
) -> ContrastProfile:
    """Count, compare with the translators, and say how sure that is. `groups` names systems that are taken together."""
    groups = groups or {}
    names = [system.name for system in found.systems]
    people = [is_reference(system) for system in found.systems]
    for group, members in groups.items():
        for member in members:
            if member not in names:
                raise UnknownName("system", member, names)
        if group in names:
            raise BadOption(f"the group {group!r} is called like a system; choose another name")
    places = [(name, [names.index(member) for member in chosen]) for name, chosen in groups.items()]
    made = tuple(construction_profile(table, names, np.array(people), places, seed) for table in found.tables)
    return ContrastProfile(found, made, tools, effort, groups, seed, tuple(fault_counts(found)))


@dataclass(frozen=True, slots=True)
class _Sums:
    """By sentence: how often each column has each rendering, how many of its keywords are known, and the paired
    differences from the translators with their number. The last axis of the first and third are renderings."""

    counts: Floats
    known: Floats
    differences: Floats
    pairs: Floats


def construction_profile(
    table: RenderingTable,
    names: Sequence[str],
    people: NDArray[np.bool_],
    groups: Sequence[tuple[str, list[int]]],
    seed: int,
) -> ConstructionProfile:
    """The profile of one construction; groups are names with the columns of their systems."""
    runs = [table.codes, *([table.again] if table.again is not None else [])]
    used = [place for place in range(len(table.names)) if any((codes == place).any() for codes in runs)]
    in_runs = [_sums(table, codes, used, people, [members for _, members in groups]) for codes in runs]
    sums = in_runs[0]
    kinds: list[Kind] = ["translator" if human else "system" for human in people] + ["group"] * len(groups)
    shares = divide(sums.counts.sum(0), sums.known.sum(0)[:, None])
    drawn = _drawn_shares(in_runs, seed)
    low, high = _percentiles(drawn)
    p = _adjusted(in_runs, kinds, seed)
    difference = divide(sums.differences.sum(0), sums.pairs.sum(0)[:, None])
    distances, yardstick, beyond = _distances(shares, drawn, people)
    counts = sums.counts.sum(0)
    rows = []
    for column, label in enumerate([*names, *(name for name, _ in groups)]):
        members = groups[column - len(names)][1] if column >= len(names) else [column]
        reasons = {reason: int((table.codes[:, members] == -1 - place).sum()) for place, reason in enumerate(UNKNOWN)}
        rows.append(
            TranslationRow(
                label,
                kinds[column],
                int(sums.known[:, column].sum()),
                reasons,
                tuple(
                    RenderingShare(
                        int(counts[column, place]),
                        IntervalNumber(*map(_number, (shares[column, place], low[column, place], high[column, place]))),
                        _number(difference[column, place]),
                        _number(p[column, place]),
                    )
                    for place in range(len(used))
                ),
                distances[column],
                beyond[column],
            )
        )
    made = ConstructionProfile(
        table.construction.name,
        table.construction.description,
        tuple(table.names[place] for place in used),
        len(table),
        len(np.unique(table.lines)),
        tuple(rows),
        yardstick,
    )
    return replace(made, finding=finding(made))


def _sums(
    table: RenderingTable,
    codes: NDArray[np.int8],
    used: Sequence[int],
    people: NDArray[np.bool_],
    groups: Sequence[Sequence[int]],
) -> _Sums:
    clusters = np.unique(table.lines, return_inverse=True)[1]
    chosen = (codes[..., np.newaxis] == np.array(used, dtype=codes.dtype)).astype(np.float64)
    known = (codes >= 0).astype(np.float64)
    differences, pairs = _differences(chosen, known, people)
    for members in groups:
        chosen = np.concatenate([chosen, chosen[:, members].sum(1, keepdims=True)], axis=1)
        known = np.concatenate([known, known[:, members].sum(1, keepdims=True)], axis=1)
        # The mean over its systems: a sentence counts once, however many systems there are.
        differences = np.concatenate([differences, differences[:, members].mean(1, keepdims=True)], axis=1)
        pairs = np.concatenate([pairs, pairs[:, members].mean(1, keepdims=True)], axis=1)

    def by_sentence(values: Floats) -> Floats:
        flat = unit_sums(values.reshape(len(values), -1), clusters, int(clusters.max()) + 1)
        return flat.reshape(len(flat), *values.shape[1:])

    return _Sums(by_sentence(chosen), by_sentence(known), by_sentence(differences), by_sentence(pairs))


def _differences(chosen: Floats, known: Floats, people: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """By keyword and column: the rendering minus the mean of the translators; of a translator, of the others."""
    differences = np.zeros_like(chosen)
    pairs = np.zeros_like(known)
    for column in range(chosen.shape[1]):
        others = np.flatnonzero(people & (np.arange(len(people)) != column))
        if not len(others):
            continue
        number = known[:, others].sum(1)
        both = (known[:, column] > 0) & (number > 0)
        mean = divide(chosen[:, others].sum(1), number[:, None])
        differences[both, column] = chosen[both, column] - mean[both]
        pairs[both, column] = 1
    return differences, pairs


def _drawn_shares(runs: Sequence[_Sums], seed: int) -> Floats:
    """Shares in draws of sentences, by turns in each alignment: draws × columns × renderings."""
    shares = []
    for sums in runs:
        sentences, columns, renderings = sums.counts.shape
        both = np.concatenate([sums.counts.reshape(sentences, -1), sums.known], axis=1)
        drawn = drawn_sums(both, draws=DRAWS, seed=seed)
        counts = drawn[:, : columns * renderings].reshape(len(drawn), columns, renderings)
        shares.append(divide(counts, drawn[:, columns * renderings :, None]))
    for place, other in enumerate(shares):
        shares[0][place :: len(runs)] = other[place :: len(runs)]
    return shares[0]


def _percentiles(drawn: Floats) -> tuple[Floats, Floats]:
    if not drawn.size:
        # No rendering is known of anybody; what percentiles of nothing look like depends on its shape.
        return np.zeros(drawn.shape[1:]), np.zeros(drawn.shape[1:])
    # A draw in which nothing of a column is known has no share; it is left out, as long as there are others.
    with np.errstate(invalid="ignore"):
        empty = np.isnan(drawn).all(axis=0)
        ends = np.nanpercentile(np.where(empty, 0.0, drawn), [2.5, 97.5], axis=0)
    return np.where(empty, np.nan, ends[0]), np.where(empty, np.nan, ends[1])


def _adjusted(runs: Sequence[_Sums], kinds: Sequence[Kind], seed: int) -> Floats:
    """p of every column and rendering, the larger one of two alignments. Systems are one family of tests; groups and
    translators one each."""
    sums = runs[0]
    sentences, columns, renderings = sums.differences.shape
    found = [sign_flips(one.differences.reshape(sentences, -1), draws=FLIPS, seed=seed) for one in runs]
    p: Floats = np.max(found, axis=0).reshape(columns, renderings)
    # Without pairs, or where nobody ever has the rendering, there is nothing to test.
    p[(sums.pairs.sum(0) == 0)[:, None] | ~sums.differences.any(axis=0)] = np.nan
    for kind in set(kinds):
        own = np.array([other == kind for other in kinds])
        p[own] = holm(p[own].reshape(-1)).reshape(p[own].shape)
    return p


def _distances(
    shares: Floats, drawn: Floats, people: NDArray[np.bool_]
) -> tuple[list[IntervalNumber], IntervalNumber, list[bool]]:
    """The distance of each column from the translators, that of the translators, and who is further away than they.

    It is the mean of the distances to each translator, of a translator to each other one: to the mean of two people
    everybody is nearer than to one of them.
    """
    humans = np.flatnonzero(people).tolist()
    values, in_draws = [], []
    for column in range(len(shares)):
        others = [place for place in humans if place != column]
        values.append(_apart(shares[None, column, None], shares[None, others])[0] if others else np.nan)
        in_draws.append(_apart(drawn[:, column, None], drawn[:, others]) if others else np.full(len(drawn), np.nan))
    found = [_around(value, draws) for value, draws in zip(values, in_draws, strict=True)]
    mean = float(np.mean([values[place] for place in humans])) if humans else np.nan
    mean_draws = np.mean([in_draws[place] for place in humans], axis=0) if humans else in_draws[0]
    is_human = [place in humans for place in range(len(shares))]
    beyond = [
        not human and _is_beyond(value - mean, draws - mean_draws)
        for human, value, draws in zip(is_human, values, in_draws, strict=True)
    ]
    return found, _around(mean, mean_draws), beyond


def _apart(one: Floats, others: Floats) -> Floats:
    """Total variation, as a mean over the others; the last axis are renderings."""
    found = 0.5 * np.abs(one - others).sum(-1).mean(-1)
    # Where no rendering is known of anybody, nobody is near to anybody.
    return np.asarray(found if one.shape[-1] else np.full_like(found, np.nan))


def _around(value: float, draws: Floats) -> IntervalNumber:
    """Value ± 1.96 standard errors over the draws.

    Chance makes distances larger, so that percentiles of the draws would lie to the right of the value.
    """
    if np.isnan(value):
        return IntervalNumber(None)
    half = Z95 * _error(draws)
    return IntervalNumber(value, max(value - half, 0.0), min(value + half, 1.0))


def _is_beyond(difference: float, draws: Floats) -> bool:
    # NaN, where there is one translator, is beyond nothing.
    return bool(difference > Z95 * _error(draws) > 0) if not np.isnan(difference) else False


def _error(draws: Floats) -> float:
    """The standard error over draws that are by turns of two alignments.

    Half the square of the difference of two alignments is the variance of one. Where there is one only, the two halves
    differ by nothing but the draws, which is next to nothing.
    """
    first, second = draws[::2], draws[1::2]
    within = (np.nanvar(first) + np.nanvar(second)) / 2
    return float(np.sqrt(within + (np.nanmean(first) - np.nanmean(second)) ** 2 / 2))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
