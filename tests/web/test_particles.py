"""Korean particles after names, numbers and intersections."""

import pytest

from web.particles import choose_particles


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("흑(은/는)", "흑은"),
        ("백(이/가)", "백이"),
        ("이세돌(으로/로)", "이세돌로"),
        ("이세돌(을/를)", "이세돌을"),
        ("신진서(은/는)", "신진서는"),
        ("박정환(으로/로)", "박정환으로"),
        ("D4(을/를)", "D4를"),
        ("Q16(을/를)", "Q16을"),
        ("C8(으로/로)", "C8로"),
        ("16-4(을/를)", "16-4를"),
        ("3-十(을/를)", "3-十을"),
        ("16-四(은/는)", "16-四는"),
        ("K10(과/와)", "K10과"),
        ("7.5(이/가)", "7.5가"),
        ("「돌」(을/를)", "「돌」을"),
        ("Anna(은/는)", "Anna는"),
        ("Kim(이/가)", "Kim이"),
        ("SGF(을/를)", "SGF를"),
        ("PNL(으로/로)", "PNL로"),
        ("Müller(은/는)", "Müller는"),
        ("たけみやまさき(은/는)", "たけみやまさき는"),
        ("武宮(은/는) 柯潔(으로/로)", "武宮은(는) 柯潔(으)로"),
        ("(은/는)", "은(는)"),
        ("B+3.5 (a/b) 돌", "B+3.5 (a/b) 돌"),
        ("백(이/가) D4(을/를) 두었고 흑(은/는)", "백이 D4를 두었고 흑은"),
    ],
)
def test_a_particle_follows_the_last_sound(text: str, chosen: str) -> None:
    assert choose_particles(text) == chosen
