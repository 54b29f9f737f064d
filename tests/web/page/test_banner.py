"""The banner holds as many sentences as its one height has room for; the panel below it has the others."""

from __future__ import annotations

import pytest

from web.page.banner import SIZES, fit_banner
from web.page.labels import LocalisedText

LONG = LocalisedText("Reason: " + "a telephone rang, and " * 13)


def test_a_short_order_is_written_large_and_a_longer_one_smaller() -> None:
    sizes = [fit_banner("turn 3", "White: play. " * n, ()).size for n in range(1, 15)]
    assert sizes[0] == SIZES[0].name and sizes == sorted(sizes, key=[one.name for one in SIZES].index)


def test_what_has_no_room_goes_below_in_its_order() -> None:
    short, after = LocalisedText("Black played E4."), LocalisedText("The table is covered.")
    banner = fit_banner("paused", "Please wait.", (short, LONG, after))
    assert (banner.size, banner.reasons, banner.rest) == ("longest", (short,), (LONG, after))


@pytest.mark.parametrize(
    ("first", "more"), [("White: remove C3.", " Then put D4 back." * 12), ("取り除く。", "戻す。" * 60)]
)
def test_of_a_long_order_the_first_sentences_stay(first: str, more: str) -> None:
    banner = fit_banner("refused", first + more, (LONG,))
    assert banner.order.startswith(first) and banner.reasons == () and banner.rest[-1] == LONG
    assert banner.order + " " * more.startswith(" ") + banner.rest[0].text == first + more
