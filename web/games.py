"""The list of games kept, searched by plain GET parameters: names, day, rules, result."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import urlencode

from referee import COLOURS, Occasion, result_read
from web import words
from web.desk import Listed
from web.formats import Format
from web.language import ENGLISH, Tongue

ON_A_PAGE = 100
"""Games listed at once."""
LONGEST_TEXT, LONGEST_PAGE = 100, 6
RESULTS: Mapping[str, Callable[[str], bool]] = {
    "black": lambda result: _first(result) == ["B"],
    "white": lambda result: _first(result) == ["W"],
    "other": lambda result: len(_first(result)) == 1 and _first(result)[0] not in "BW",
    "draw": lambda result: result == "0" or len(_first(result)) > 1,
    "void": lambda result: result == "Void",
    "none": lambda result: not result,
}
"""What a result can be asked to be."""
MESSAGE_KEYS = tuple(f"games.result.{result}" for result in RESULTS)
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True)
class Search:
    """What games are looked for; an empty text asks for nothing. page: which of the pages of what is found, from 1."""

    name: str = ""
    date: str = ""
    rules: str = ""
    result: str = ""
    page: int = 1
    TEXTS: ClassVar = ("name", "date", "rules", "result")

    @classmethod
    def of(cls, asked: Mapping[str, str]) -> Search:
        """What an address asks for; what cannot be understood asks for nothing."""
        name, date, rules, result = (asked.get(key, "").strip()[:LONGEST_TEXT] for key in cls.TEXTS)
        page = asked.get("page", "")
        number = int(page) if page.isascii() and page.isdigit() and len(page) < LONGEST_PAGE else 1
        return cls(name, date, rules, result, number)

    def finds(self, game: Listed) -> bool:
        """Whether it is such a game: every word of the name in its players' names, its event, round or table."""
        told = " ".join((*game.names, game.event, game.round, game.table, game.name)).casefold()
        return (
            all(word in told for word in self.name.casefold().split())
            and day_of(game).startswith(self.date)
            and self.rules in ("", game.rules)
            and (self.result not in RESULTS or RESULTS[self.result](game.result))
        )

    def address(self, page: int) -> str:
        """Where another page of the same is."""
        told = {key: text for key in self.TEXTS if (text := getattr(self, key))}
        return "?" + urlencode({**told, "page": page})


@dataclass(frozen=True)
class Row:
    """A game in the list. players: their names, as far as they are known. about: event, round and table. format: of its
    record."""

    name: str
    date: str
    players: str
    about: str
    rules: str
    result: str
    format: Format


@dataclass(frozen=True)
class Found:
    """A page of what was found. rules: rule sets that occur, by name, with what they are called."""

    rows: tuple[Row, ...]
    total: int
    page: int
    pages: int
    rules: tuple[tuple[str, str], ...]


def found(games: Sequence[Listed], search: Search, say: Tongue = ENGLISH) -> Found:
    """The games that are looked for, in their order, a page of them."""
    fits = [game for game in games if search.finds(game)]
    pages = max(-(-len(fits) // ON_A_PAGE), 1)
    page = min(max(search.page, 1), pages)
    shown = fits[(page - 1) * ON_A_PAGE : page * ON_A_PAGE]
    occur = sorted({game.rules for game in games if game.rules})
    named = tuple((name, words.rules_named(name, say)) for name in occur)
    return Found(tuple(_row(game, say) for game in shown), len(fits), page, pages, named)


def day_of(game: Listed) -> str:
    """The day on which it began, by its record or else by its name; empty where neither says it."""
    in_name = _DAY.search(game.name)
    return game.date or (in_name[0] if in_name else "")


def _first(result: str) -> list[str]:
    """Who came first by a result, by their letters: several who tie; nobody where it does not say."""
    shares = result_read(result)
    if isinstance(shares, dict):
        return [letter for letter, points in shares.items() if points == max(shares.values())]
    return [result[0]] if result[1:2] == "+" else []


def _row(game: Listed, say: Tongue) -> Row:
    players = zip(COLOURS, game.names, strict=False)
    named = [say("games.player", player=words.name(colour, say), name=name) for colour, name in players if name]
    result = words.result_named(game.result, say) if game.result else say("games.result.none")
    return Row(
        game.name,
        day_of(game) or game.name,
        " – ".join(named),
        words.occasion_named(Occasion(game.event, game.round, game.table), say),
        words.rules_named(game.rules, say) if game.rules else "",
        result,
        game.format,
    )
