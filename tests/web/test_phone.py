"""The phones' pages as the server makes them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.referee.table import Table
from tests.support.web.showings import box, showing
from web.app import create_app
from web.backend import Backend, PhoneBackend
from web.language import ENGLISH
from web.page.headline import headline_of
from web.phone.views import COOKIE


def desk_with(desk: Backend, **part: object) -> Backend:
    """A backend with a phone of this part, which asks for nothing else."""

    def nothing(*_: object) -> None:
        return None

    phones = PhoneBackend(*(nothing,) * 9)  # type: ignore[arg-type]
    return replace(desk, phones=replace(phones, phone_part=lambda secret: part))


@pytest.mark.parametrize("sides", [[1, 2], [1], [2]])
def test_the_clock_has_a_half_for_each_of_its_sides(sides):
    table = Table(("." * 9,) * 9, rules="new-zealand", refereed=True, black_side=1, control="30m")
    table.look()
    desk = desk_with(box(table).desk, part="clock", sides=sides)
    client = create_app(desk).test_client()
    client.set_cookie(COOKIE, "secret", path="/phone")
    page = client.get("/phone/clock", base_url="https://localhost")
    parts = client.get(f"/phone/clock/{'-'.join(map(str, sides))}/parts", base_url="https://localhost")
    for answer in (page, parts):
        text = answer.get_data(as_text=True)
        assert answer.status_code == 200, text
        assert [side for side in (1, 2) if f'data-live="half{side}"' in text] == sides
        assert text.count('<span class="time">30:00</span>') == len(sides)
        assert text.count(headline_of(showing(table), ENGLISH).text) == len(sides)
