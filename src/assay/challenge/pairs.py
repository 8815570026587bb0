"""Challenge items out of cases: a pair for each statement that one hypothesis is better than another.

    challenge = pairs_of(cases)         # what accuracy is counted on
    view = scorable(cases)              # what metrics score: every hypothesis once
    cases = cases_of(challenge)         # a set of pairs as cases

A set whose cases are pairs is the same set either way, with the same hash and the same score files.
"""

from assay.challenge.case import Case, CaseSet, Hypothesis, Ladder, PairOrigin, Reference
from assay.challenge.challenge_set import HYPOTHESES, ChallengeItem, ChallengeSet

LEVELS = " :: "
"""Between the narrower labels of a case where they are one phenomenon."""


def cases_of(challenge: ChallengeSet) -> CaseSet:
    """A set of pairs as cases."""
    if challenge.origin is not None:
        return challenge.origin.cases
    cases = tuple(_case_of(item, challenge.langpair) for item in challenge.items)
    return CaseSet(challenge.name, cases, challenge.signature)


def _case_of(item: ChallengeItem, langpair: str) -> Case:
    texts = ((item.first, item.first_systems), (item.second, item.second_systems))
    better = (f"{HYPOTHESES[item.correct - 1]}", f"{HYPOTHESES[2 - item.correct]}") if item.correct else ()
    return Case(
        item.id,
        item.source,
        tuple(Hypothesis(name, *text) for name, text in zip(HYPOTHESES, texts, strict=True)),
        (Reference("reference", item.reference, item.reference_systems),)
        if item.reference or item.reference_systems
        else (),
        (Ladder(tuple((name,) for name in better)),) if better else (),
        item.langpair or langpair,
        (item.category, item.phenomenon) if item.category or item.phenomenon else (),
        item.item,
    )


def pairs_of(cases: CaseSet) -> ChallengeSet:
    """The challenge items that cases say.

    Cases without a relation give none; where no case has one and all have two hypotheses, the set is blind.
    """
    relations = [case.better_pairs() for case in cases.cases]
    blind = not any(relations)
    if blind and all(_is_pair(case) for case in cases.cases):
        relations = [[HYPOTHESES] for _ in cases.cases]
    items: list[ChallengeItem] = []
    places: list[tuple[int, int]] = []
    start = 0
    for case, pairs in zip(cases.cases, relations, strict=True):
        at = {hypothesis.name: place for place, hypothesis in enumerate(case.hypotheses)}
        for better, worse in pairs:
            first, second = sorted((at[better], at[worse]))
            correct = None if blind else 1 if first == at[better] else 2
            identity = case.id if len(pairs) == 1 else f"{case.id}:{better}>{worse}"
            items.append(_item_of(case, (first, second), correct, identity, cases.langpair))
            places.append((start + first, start + second))
        start += len(case.hypotheses)
    plain = all(_is_pair(case) for case in cases.cases) and len(items) == len(cases)
    origin = None if plain else PairOrigin(cases, tuple(places))
    return ChallengeSet(cases.name, cases.langpair, tuple(items), cases.signature, origin)


def _is_pair(case: Case) -> bool:
    return tuple(hypothesis.name for hypothesis in case.hypotheses) == HYPOTHESES


def _item_of(case: Case, places: tuple[int, int], correct: object, identity: str, langpair: str) -> ChallengeItem:
    first, second = (case.hypotheses[place] for place in places)
    reference = case.references[0] if case.references else Reference("", "")
    category, *narrower = case.labels or ("",)
    return ChallengeItem(
        identity,
        case.source,
        reference.text,
        first.text,
        second.text,
        correct,  # type: ignore[arg-type]
        # Pairs of one case share their texts, so they are one observation.
        case.item or (case.id if identity != case.id else ""),
        category,
        LEVELS.join(narrower) if narrower else category,
        reference.systems,
        first.systems,
        second.systems,
        case.langpair if case.langpair != langpair else "",
    )


def left_aside(challenge: ChallengeSet) -> list[str]:
    """What of a set its pairs do not say, in words."""
    if challenge.origin is None:
        return []
    cases = challenge.origin.cases.cases
    silent, equal = sum(not case.relations for case in cases), sum(len(case.equal_pairs()) for case in cases)
    found = [f"{silent:,} of {len(cases):,} challenge items say nothing about their hypotheses"] if silent else []
    return found + ([f"{equal:,} equalities are for assay challenge meta"] if equal else [])


def scorable(cases: CaseSet) -> ChallengeSet:
    """What metrics score: the set of pairs itself, or a challenge item for every hypothesis, which is both its texts.

    A metric scores each distinct segment once, so that a hypothesis costs the same as one of a pair.
    """
    pairs = pairs_of(cases)
    if pairs.origin is None:
        return pairs
    items = tuple(
        ChallengeItem(f"{case.id}:{hypothesis.name}", case.source, case.reference, hypothesis.text, hypothesis.text)
        for case in cases.cases
        for hypothesis in case.hypotheses
    )
    origin = PairOrigin(cases, tuple((place, place) for place in range(len(items))))
    return ChallengeSet(cases.name, cases.langpair, items, cases.signature, origin)
