"""Words that can stand for each other, as judged texts of other items show it."""

import pytest

from assay.suggest.exchanges import FEWEST_PAIRS, Exchange, Exchanges, exchange_of, tokens
from assay.suggest.proposals import SiblingTexts, propose
from assay.suites import Polarity

LIFT: Exchange = (("elevator",), ("lift",))
RIGHT: Polarity = "pass"
WRONG: Polarity = "fail"


def told(one: str, other: str) -> Exchange | None:
    return exchange_of(tokens(one), tokens(other))


def house(number: int, *, said: tuple[Polarity, Polarity] = (RIGHT, RIGHT)) -> dict[str, Polarity]:
    """An item with one pair that differs in lift or elevator."""
    return {f"The lift to floor {number} is old.": said[0], f"The elevator to floor {number} is old.": said[1]}


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("The lift is old.", "The elevator is old.", LIFT),
        ("The Lift is old.", "The elevator is old.", LIFT),
        ("I just saw it.", "I saw it.", (("just",), ())),
        ("It is old", "It is old.", ((".",), ())),
        ("I'll go.", "I will go.", (("i", "will"), ("i'll",))),
        # Capitals are no words, and four words are too many.
        ("The Lift is old.", "The lift is old.", None),
        ("It is old.", "It has been there for years.", None),
    ],
)
def test_what_tells_two_texts_apart(one: str, other: str, found: Exchange | None) -> None:
    assert told(one, other) == told(other, one) == found


def test_many_pairs_with_one_verdict_make_an_exchange_neutral() -> None:
    items = [house(number) for number in range(FEWEST_PAIRS)]
    assert Exchanges(items).are_neutral(LIFT)
    assert not Exchanges(items[1:]).are_neutral(LIFT)
    # Wrong texts tell as much as right ones.
    assert Exchanges([*items[1:], house(9, said=(WRONG, WRONG))]).are_neutral(LIFT)


def test_one_pair_with_two_verdicts_is_enough_against_it() -> None:
    items = [house(number) for number in range(FEWEST_PAIRS)]
    assert not Exchanges([*items, house(9, said=(RIGHT, WRONG))]).are_neutral(LIFT)


def test_one_item_alone_does_not_show_it() -> None:
    many = {text: said for number in range(2 * FEWEST_PAIRS) for text, said in house(number).items()}
    assert not Exchanges([many]).are_neutral(LIFT)
    assert Exchanges([many, house(99)]).are_neutral(LIFT)


def test_an_item_that_is_left_out_says_nothing() -> None:
    items = [house(number) for number in range(FEWEST_PAIRS)]
    items.append(house(9, said=(RIGHT, WRONG)))
    counted = Exchanges(items)
    assert not counted.are_neutral(LIFT)
    assert counted.without(FEWEST_PAIRS).are_neutral(LIFT)
    assert not counted.without(0).are_neutral(LIFT)


def test_a_proposal_says_of_a_text_that_waits_what_its_like_is() -> None:
    known = SiblingTexts(exchanges=Exchanges([house(number) for number in range(FEWEST_PAIRS)]))
    right, wrong, waits = "Take the lift up!", "Raise the lift up!", "Take the elevator up!"
    (best,) = propose([right], [wrong], "pass", [waits], contrast=known)
    assert (best.rule.value, best.covers, best.others) == ("^Take the (?:elevator|lift) up!$", 1, 1)
    assert propose([right], [wrong], "fail", [waits], contrast=known) == []
    # Words that nobody has seen in each other's place, then a text that follows from both sides.
    assert propose([right], [], "pass", ["Take the stairs up!"], contrast=known) == []
    assert propose([right], ["Take the elevators up!"], "pass", [waits], contrast=known)
    both = SiblingTexts(exchanges=Exchanges([house(number) | goods(number) for number in range(FEWEST_PAIRS)]))
    assert propose([right], ["Take the elevators up!"], "pass", [waits], contrast=both) == []


def goods(number: int) -> dict[str, Polarity]:
    """A pair that differs in the number of elevators."""
    return {f"The elevator no. {number} hums.": RIGHT, f"The elevators no. {number} hums.": RIGHT}
