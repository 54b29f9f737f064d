"""Names that stand for nobody, as people and programs write them; and names of people that only look so."""

from __future__ import annotations

import pytest

from device.hall.byes import is_nobody


@pytest.mark.parametrize(
    "name",
    [
        *("", "-", "—", "(-)", "*", "?", "0", "bye", "BYE", "bye (1)", "Bye 2", "BYE-1", "[bye]", "half-point bye"),
        *("Bye Player", "free", "n/a", "No opponent", "not paired", "Freilos", "spielfrei", "kampflos", "Frei (2)"),
        *("exempt", "Exempté", "exempté(e)", "Descansa", "riposo", "folga", "vrij", "frirond", "vapaakierros"),
        *("wolny los", "Volný los", "erőnyerő", "свободен", "бай", "выходной", "不戦", "不戦勝", "（不戦）", "抜け番"),
        *("ﾊﾞｲ", "轮空", "輪空", "부전승"),
    ],
)
def test_it_stands_for_nobody(name):
    assert is_nobody(name) and is_nobody(f" {name} ")


@pytest.mark.parametrize(
    "name",
    [
        "Ada Bye",
        "Bye, Ada",
        "Jan Frei",
        "Freya",
        "12",
        "7",
        "🏆",
        "Li",
        "不戦 太郎",
        "Free Willy",
        "Byers",
        "A",
        "金",
        "空",
    ],
)
def test_it_is_a_person(name):
    assert not is_nobody(name)
