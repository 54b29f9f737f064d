"""Results into OpenGotha: a file that OpenGotha merges into its tournament (Games, Import), these games and no others.

A tournament file names the players of each table; a result of a box is entered only where its table, its round and both
names agree with it, and where the tournament has no other result. Read from OpenGotha 3.51's own files and source:
a game's players are keyed by name and first name without spaces, in capitals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from device.settings import BadSettings
from vision.named import NamedFile
from web.hall.tiles import Outcome, Result

FILE = NamedFile("a tournament as OpenGotha saves it", 1 << 25, BadSettings, is_kept=True)
UNKNOWN = "RESULT_UNKNOWN"
BY_DEFAULT = "_BYDEF"


@dataclass(frozen=True)
class Pairing:
    """A game of the tournament. black, white: the players' keys. names: each key's name and first name, in words."""

    round: str
    table: str
    black: str
    white: str
    handicap: str = "0"
    result: str = UNKNOWN
    names: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())


def read_games(path: Path) -> tuple[Pairing, ...]:
    """All games of a tournament file; raises BadSettings."""
    text = FILE.text_of(path)
    try:
        root = ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        raise FILE.refused(path, f"it is no XML ({error})") from error
    if root.tag != "Tournament":
        raise FILE.refused(path, "it holds no tournament")
    words = {_key(one): _words(f"{one.get('name', '')} {one.get('firstName', '')}") for one in root.iter("Player")}
    return tuple(_pairing(one.attrib, words) for one in root.iter("Game"))


def entered(result: Result, games: Iterable[Pairing]) -> tuple[Pairing, str] | Outcome:
    """The game that this is the result of, and OpenGotha's word for it; else why a person has to enter it."""
    game = next((one for one in games if (one.round, one.table) == (result.round, result.table)), None)
    if game is None:
        return Outcome.NO_GAME
    said = (_words(result.black), _words(result.white))
    if said != game.names:
        return Outcome.COLOURS if said == game.names[::-1] else Outcome.NAMES
    word = _word_of(result.result)
    if word is None:
        return Outcome.UNDECIDED
    if game.result not in (UNKNOWN, word):
        return Outcome.DIFFERS
    return game, word


def to_merge(results: Iterable[tuple[Pairing, str]]) -> bytes:
    """The file with these results, for OpenGotha to merge."""
    root = ElementTree.Element("Tournament")
    games = ElementTree.SubElement(root, "Games")
    for game, word in results:
        attributes = {"blackPlayer": game.black, "whitePlayer": game.white, "handicap": game.handicap}
        more = {"knownColor": "true", "result": word, "roundNumber": game.round, "tableNumber": game.table}
        ElementTree.SubElement(games, "Game", attributes | more)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"


def _pairing(game: Mapping[str, str], words: Mapping[str, frozenset[str]]) -> Pairing:
    black, white = game.get("blackPlayer", ""), game.get("whitePlayer", "")
    names = words.get(black, frozenset({black})), words.get(white, frozenset({white}))
    place = game.get("roundNumber", ""), game.get("tableNumber", "")
    return Pairing(*place, black, white, game.get("handicap", "0"), game.get("result", UNKNOWN), names)


def _key(player: ElementTree.Element) -> str:
    return (player.get("name", "") + player.get("firstName", "")).replace(" ", "").upper()


def _words(name: str) -> frozenset[str]:
    """A name's words in any order and case, for some write the family name first."""
    return frozenset(name.replace(",", " ").casefold().split())


def _word_of(result: str) -> str | None:
    if result == "0":
        return "RESULT_EQUAL"
    winner = {"B": "RESULT_BLACKWINS", "W": "RESULT_WHITEWINS"}.get(result.partition("+")[0])
    return None if winner is None else winner + (BY_DEFAULT if result.endswith("+F") else "")
