"""How many items a paired test needs: by hand, against statsmodels, and by simulating the test at that number."""

import numpy as np
import pytest
from statsmodels.stats.power import normal_sample_size_one_tail

from assay.stats.paired import mcnemar
from assay.stats.power import items_needed


@pytest.mark.parametrize(
    ("first", "second", "needed"),
    [
        # z_0.05 = 1.644854, z_0.8 = 0.841621.
        # 0.20 and 0.10: d = 0.3, δ = 0.1; (1.644854·0.547723 + 0.841621·sqrt(0.3 − 0.01))² / 0.01
        #   = (0.900924 + 0.453225)² / 0.01 = 1.833719/0.01 = 183.37.
        (0.2, 0.1, 184),
        # 0.10 and 0: d = δ = 0.1; (1.644854·0.316228 + 0.841621·sqrt(0.09))² / 0.01 = (0.520149 + 0.252486)² / 0.01
        #   = 0.596965/0.01 = 59.70.
        (0.1, 0, 60),
        # Always and never right: d = δ = 1, the second root is 0; 1.644854² = 2.7055.
        (1, 0, 3),
    ],
)
def test_by_hand(first: float, second: float, needed: int) -> None:
    assert items_needed(first, second) == needed
    assert items_needed(second, first) == needed  # who is better makes no difference


def test_where_the_two_do_not_differ_no_number_suffices() -> None:
    assert items_needed(0.1, 0.1) is None
    assert items_needed(0, 0) is None


@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.8), (0.05, 0.95), (0.2, 0.5)])
@pytest.mark.parametrize(("first", "second"), [(0.2, 0.1), (0.02, 0.01), (0.3, 0.05), (0.4, 0.35)])
def test_equals_statsmodels(first: float, second: float, alpha: float, power: float) -> None:
    # An item is worth +1, −1 or 0: mean δ, variance d under no difference and d − δ² under this one.
    both, difference = first + second, first - second
    expected = normal_sample_size_one_tail(difference, power, alpha, both**0.5, (both - difference**2) ** 0.5)
    assert items_needed(first, second, alpha=alpha, power=power) == int(np.ceil(expected))


@pytest.mark.parametrize(("first", "second", "power"), [(0.2, 0.1, 0.8), (0.15, 0.1, 0.8), (0.2, 0.1, 0.95)])
def test_a_paired_test_on_so_many_items_finds_the_difference_as_often_as_asked(
    first: float, second: float, power: float
) -> None:
    needed = items_needed(first, second, power=power)
    assert needed is not None
    drawn = np.random.default_rng(4).multinomial(needed, [first, second, 1 - first - second], size=20_000)
    wins, losses = drawn[:, 0], drawn[:, 1]
    # The normal test it is made for: standard error of the share 0.003. The exact test finds a little less, since its
    # true level is below 5 %.
    found = ((wins - losses) / np.sqrt(np.maximum(wins + losses, 1)) > 1.644854).mean()
    assert found == pytest.approx(power, abs=0.02)
    exact = (mcnemar(wins, losses) < 0.05).mean()
    assert power - 0.06 < exact < found
