"""The list of archived games, searched by plain GET parameters: names, day, rules, result."""

from __future__ import annotations

import pytest

from web.archive.search import ON_A_PAGE, Search, search_games
from web.backend import Listed

GAMES = (
    Listed("00004_2026-05-04T10-00-00", "2026-05-04", "ultimate", ("Ann", "Ben"), "Spring Open", "3", "12", "B+R"),
    Listed("00003_2026-05-03T10-00-00", "2026-05-03", "chinese", ("Änne", "Carl"), "", "", "", "W+0.5"),
    Listed("00002_2026-05-03T09-00-00", "2026-05-03", "chinese", ("Dora", "Ann"), "Spring Open", "Final", "", "0"),
    Listed("00001_1970-01-01T00-00-41", "", "", ("", ""), "", "", "", ""),
)


def names(**fields: str) -> list[int]:
    return [int(game.name[:5]) for game in GAMES if Search.of(fields).is_match(game)]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({}, [4, 3, 2, 1]),
        ({"name": "ann"}, [4, 2]),
        ({"name": "ann spring"}, [4, 2]),
        ({"name": "ÄNNE"}, [3]),
        ({"name": "ann 12"}, [4]),
        ({"date": "2026-05-03"}, [3, 2]),
        ({"date": "1970"}, [1]),
        ({"rules": "chinese", "result": "draw"}, [2]),
        ({"result": "black"}, [4]),
        ({"result": "white"}, [3]),
        ({"result": "none"}, [1]),
        ({"result": "nonsense", "page": "x"}, [4, 3, 2, 1]),
        ({"name": "nobody"}, []),
    ],
)
def test_games_are_searched_by_name_day_rules_and_result(asked, numbers):
    assert names(**asked) == numbers


def test_a_long_list_has_pages():
    games = [Listed(f"{number:05}_2026-01-01T00-00-00") for number in range(250, 0, -1)]
    last = search_games(games, Search(page=3))
    assert (len(last.rows), last.total, last.page, last.pages) == (50, 250, 3, 3)
    assert search_games(games, Search(page=99)).page == 3 and len(search_games(games, Search(page=0)).rows) == ON_A_PAGE
    assert Search("a b", result="draw").address(2) == "?name=a+b&result=draw&page=2"
