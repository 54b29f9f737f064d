"""The chain of lights: which light is which line's, what it draws, and what an SK9822 makes of the bytes."""

from __future__ import annotations

import random

import pytest

from device.panel.rim import DARK, Frame
from device.panel.rim_driver import BadRim, Chain, current_ma, encode_led_data, limit_current
from tests.support.wording import english

WHITE = (255, 255, 255)


def one_lit(columns: int, rows: int, column: int, row: int) -> Frame:
    return Frame(
        tuple((1, 0, 0) if n == column else DARK for n in range(columns)),
        tuple((0, 1, 0) if n == row else DARK for n in range(rows)),
    )


def decode_colours(data: bytes, lights: int) -> list[tuple[int, ...]]:
    """Return the colours that a chain of SK9822 shows, as its makers' sheet has it: each takes the first 32 bits after
    the 32 zeros that begin with 111, and hands on the rest half a clock later; it shows them at the next 32 zeros."""
    assert data[:4] == bytes(4)
    light_data = [data[4 + 4 * n : 8 + 4 * n] for n in range(lights)]
    assert all(light[0] == 0xFF for light in light_data)
    end = data[4 + 4 * lights :]
    assert end == bytes(len(end)) and len(end) * 8 >= 32 + lights / 2
    return [(light[3], light[2], light[1]) for light in light_data]


@pytest.mark.parametrize(
    ("edges", "backwards", "first"),
    [
        (("top", "right"), (), "columns, the first; rows, the first"),
        (("top", "left"), (), "columns, the last; rows, the first"),
        (("bottom", "right"), (), "columns, the first; rows, the last"),
        (("bottom", "left"), (), "columns, the last; rows, the last"),
        (("right", "top"), (), "rows, the last; columns, the last"),
        (("left", "top"), (), "rows, the last; columns, the first"),
        (("right", "bottom"), (), "rows, the first; columns, the last"),
        (("left", "bottom"), (), "rows, the first; columns, the first"),
        (("top", "right"), ("right",), "columns, the first; rows, the last"),
        (("left", "bottom"), ("left", "bottom"), "rows, the last; columns, the last"),
    ],
)
def test_the_cable_reaches_the_lines_in_the_order_in_which_they_lie(edges, backwards, first):
    """It runs round the corner that both edges share, but where a strip is said to lie the other way round."""
    chain, words = Chain(edges, backwards), []
    for at, name in enumerate(first.split("; ")):
        start = 0 if at == 0 else chain.lights[int(edges[0] in ("left", "right"))]
        for which, line in (("first", 0), ("last", 18)):
            frame = one_lit(19, 19, line, line)
            colour = (1, 0, 0) if name.startswith("columns") else (0, 1, 0)
            if chain.along(frame)[start] == colour:
                words.append(f"{name.split(',')[0]}, the {which}")
    assert "; ".join(words) == first


@pytest.mark.parametrize("lines", [9, 13, 19])
def test_each_line_has_one_light_of_its_own_near_it(lines):
    chain = Chain()
    assert chain.can_show(lines, lines)
    for line in range(lines):
        (column, row) = (n for n, light in enumerate(chain.along(one_lit(lines, lines, line, line))) if light != DARK)
        assert abs(column - line * 22.0 * 0.144) <= 0.51, "half the way to the next light of 144 a metre"
        assert abs(row - 58 - line * 23.7 * 0.144) <= 0.51


def test_strips_that_are_too_short_do_not_fit_and_light_what_they_have():
    chain = Chain(steps=(1, 1), lights=(9, 9))
    assert chain.can_show(9, 9) and not chain.can_show(13, 9)
    assert len(chain.along(one_lit(13, 13, 12, 12))) == 18
    assert Chain(steps=(1, 1), lights=(9, 9)).along(one_lit(9, 9, 8, 0))[8:10] == [(1, 0, 0), (0, 1, 0)]


@pytest.mark.parametrize("edges", [("top", "bottom"), ("left", "left")])
def test_edges_that_share_no_corner_are_refused_in_a_sentence(edges):
    with pytest.raises(BadRim) as refused:
        Chain(edges)
    assert "share a corner" in english(refused.value)


@pytest.mark.parametrize("seed", range(5))
def test_a_chain_shows_what_is_sent(seed):
    rng = random.Random(seed)
    lights = [(rng.randrange(256), rng.randrange(256), rng.randrange(256)) for _ in range(rng.randint(2, 300))]
    assert decode_colours(encode_led_data(lights), len(lights)) == lights


@pytest.mark.parametrize("seed", range(50))
def test_no_frame_draws_more_than_it_may(seed):
    rng = random.Random(seed)
    lights = [tuple(rng.choice((0, rng.randrange(256))) for _ in range(3)) for _ in range(38)]
    frame, most, brightness = Frame(tuple(lights[:19]), tuple(lights[19:])), rng.uniform(130, 3000), rng.random()
    dimmed = limit_current(frame, 121, brightness, most)
    assert current_ma(dimmed, 121) <= most
    assert max(map(max, dimmed.columns)) <= 255 * brightness
    if current_ma(frame, 121) * brightness < most - 121:
        assert current_ma(dimmed, 121) > current_ma(frame, 121) * brightness - 121 - 38 * 3 / 12, (
            "no darker than it has to be"
        )


def test_the_current_is_the_makers():
    every_line = Frame((WHITE,) * 19, (WHITE,) * 19)
    assert current_ma(every_line, 38) == pytest.approx(38 * 60)
    assert current_ma(Frame((DARK,) * 19, (DARK,) * 19), 121) == 121
    assert current_ma(limit_current(every_line, 121, 1.0, 400), 121) == pytest.approx(400, abs=10)
    assert limit_current(every_line, 500, 1.0, 400) == Frame((DARK,) * 19, (DARK,) * 19), "nothing is left for light"
