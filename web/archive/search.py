"""The list of archived games, searched by plain GET parameters: names, day, rules, result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from referee import COLOURS, GameInfo, result_read
from web.backend import Listed
from web.bounded_json import parse_count
from web.formats import Format
from web.language import ENGLISH, Translator
from web.page import labels

ON_A_PAGE = 100
"""Games listed on one page."""
LONGEST_TEXT, MOST_PAGES = 100, 99_999
RESULTS: Mapping[str, Callable[[str], bool]] = {
    "black": lambda result: _first_placed(result) == ["B"],
    "white": lambda result: _first_placed(result) == ["W"],
    "other": lambda result: len(_first_placed(result)) == 1 and _first_placed(result)[0] not in "BW",
    "draw": lambda result: result == "0" or len(_first_placed(result)) > 1,
    "void": lambda result: result == "Void",
    "none": lambda result: not result,
}
"""The result filters of the search."""
MESSAGE_KEYS = tuple(f"games.result.{result}" for result in RESULTS)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class Search:
    """A search for games; an empty text does not restrict it. page: the page of the results, from 1."""

    name: str = ""
    date: str = ""
    rules: str = ""
    result: str = ""
    page: int = 1
    TEXTS: ClassVar = ("name", "date", "rules", "result")

    @classmethod
    def of(cls, parameters: Mapping[str, str]) -> Search:
        """Parse a search from query parameters; invalid ones are ignored."""
        name, date, rules, result = (parameters.get(key, "").strip()[:LONGEST_TEXT] for key in cls.TEXTS)
        page = parse_count(parameters.get("page", ""), MOST_PAGES)
        return cls(name, date, rules, result, 1 if page is None else page)

    def is_match(self, game: Listed) -> bool:
        """Return True if the game matches: every word of the name in its players' names, its event, round or table."""
        text = " ".join((*game.names, game.event, game.round, game.table, game.name)).casefold()
        return (
            all(word in text for word in self.name.casefold().split())
            and day_of(game).startswith(self.date)
            and self.rules in ("", game.rules)
            and (self.result not in RESULTS or RESULTS[self.result](game.result))
        )

    def address(self, page: int) -> str:
        """Return the query string of another page of this search."""
        options = {key: text for key in self.TEXTS if (text := getattr(self, key))}
        return "?" + urlencode({**options, "page": page})


@dataclass(frozen=True)
class Row:
    """A game in the list.

    players: their names, as far as they are known.
    about: event, round and table.
    format: of its record.
    stamp: of its record.
    """

    name: str
    date: str
    players: str
    about: str
    rules: str
    result: str
    format: Format
    stamp: str
    length: str


@dataclass(frozen=True)
class Found:
    """A page of search results. rules: the rule sets that occur, as name and title."""

    rows: tuple[Row, ...]
    total: int
    page: int
    pages: int
    rules: tuple[tuple[str, str], ...]


def search_games(games: Sequence[Listed], search: Search, say: Translator = ENGLISH) -> Found:
    """Return one page of the matching games, in their order."""
    fits = [game for game in games if search.is_match(game)]
    pages = max(-(-len(fits) // ON_A_PAGE), 1)
    page = min(max(search.page, 1), pages)
    listed = fits[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    occur = sorted({game.rules for game in games if game.rules})
    rule_titles = tuple((name, labels.rules_title(name, say)) for name in occur)
    return Found(tuple(_build_row(game, say) for game in listed), len(fits), page, pages, rule_titles)


def day_of(game: Listed) -> str:
    """Return the day on which the game began, by its record or else by its name; empty if neither has it."""
    in_name = _DAY.search(game.name)
    return game.date or (in_name[0] if in_name else "")


def _first_placed(result: str) -> list[str]:
    """Return the letters of the first-placed players by a result: several for a tie, none if it is unclear."""
    shares = result_read(result)
    if isinstance(shares, dict):
        return [letter for letter, points in shares.items() if points == max(shares.values())]
    return [result[0]] if result[1:2] == "+" else []


def _build_row(game: Listed, say: Translator) -> Row:
    players = zip(COLOURS, game.names, strict=False)
    people = [
        say("games.player", player=labels.player_name(colour, say), name=name) for colour, name in players if name
    ]
    result = say.under(game.rules).result(game.result) if game.result else say("games.result.none")
    return Row(
        game.name,
        day_of(game),
        " – ".join(people),
        labels.occasion_text(GameInfo(game.event, game.round, game.table), say),
        labels.rules_title(game.rules, say) if game.rules else "",
        result,
        game.format,
        game.stamp,
        say("counted.turns", n=game.turns) if game.turns else "",
    )
