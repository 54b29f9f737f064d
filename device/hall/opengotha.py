"""OpenGotha: a tournament file is read, and one is written that OpenGotha merges into its tournament (Games, Import),
with the newly ended games and no others.

Taken from OpenGotha 3.51's own files and source: a game's players are keyed by name and first name without spaces, in
capitals; games that a merged file does not name stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

from device.files import delete_file, write_whole
from device.hall.pairing import OPEN, Ended, Entered, Pairing, Score
from device.hall.safe_xml import tournament_in
from web.hall.tiles import number_in

BY_DEFAULT = "_BYDEF"
DATA_VERSION = "201"
"""OpenGotha's format of today. Without it OpenGotha keys players as it once did: it skips games of players with
hyphens, apostrophes, digits or other scripts in their names, and takes Müller and Muller for one."""
_SCORES = {
    "RESULT_UNKNOWN": Score.OPEN,
    "RESULT_BLACKWINS": Score.BLACK,
    "RESULT_WHITEWINS": Score.WHITE,
    "RESULT_EQUAL": Score.DRAW,
    "RESULT_BOTHWIN": Score.BOTH_WIN,
    "RESULT_BOTHLOSE": Score.BOTH_LOSE,
    "RESULT_BOTHLOOSE": Score.BOTH_LOSE,  # Pairgoth's spelling.
}
_WORDS = {score: word for word, score in reversed(_SCORES.items())}


class OpenGotha:
    """A tournament as OpenGotha saves it.

    tournament: its file, which is only read
    made: the file that OpenGotha merges
    """

    name = "OpenGotha"
    has_forfeits = True

    def __init__(self, tournament: Path, made: Path) -> None:
        self.tournament, self.made = tournament, made

    def pull(self) -> tuple[Pairing, ...]:
        """Return all games of the tournament file; raises BadProgram."""
        _, root = tournament_in(self.tournament, self.name)
        players = list(root.iter("Player"))
        names = {_turkish_key(one): _player_name(one) for one in players} | {
            _player_key(one): _player_name(one) for one in players
        }
        return tuple(_parse_pairing(one.attrib, names) for one in root.iter("Game"))

    def push(self, entries: Sequence[Entered]) -> None:
        """Rewrite the file, or remove it if it has nothing to say; raises BadRecord."""
        if entries:
            write_whole(self.made, self.render_results(entries))
        else:
            delete_file(self.made)

    def render_results(self, entries: Sequence[Entered]) -> bytes:
        """Return the file with these results."""
        return render_merge_file(entries, self._describe_save())

    def _describe_save(self) -> str:
        """Return of which save of the tournament the file with the results is."""
        try:
            saved_at = datetime.fromtimestamp(self.tournament.stat().st_mtime)
        except (OSError, ValueError, OverflowError):
            return ""
        name = self.tournament.name.replace("--", "__").encode("ascii", "replace").decode()
        return f" For {name} as it was saved on {saved_at:%Y-%m-%d at %H:%M:%S}. "


def render_merge_file(entries: Iterable[Entered], moment: str = "") -> bytes:
    """Return the file with these results, for OpenGotha to merge. moment: a comment, of which save it is."""
    root = ElementTree.Element("Tournament", dataVersion=DATA_VERSION)
    if moment:
        root.append(ElementTree.Comment(moment))
    games = ElementTree.SubElement(root, "Games")
    for entry in entries:
        game = entry.pairing
        black, white, handicap, known_colour = game.key
        attributes = {"blackPlayer": black, "whitePlayer": white, "handicap": handicap, "knownColor": known_colour}
        more = {"result": _result_word(entry.ended), "roundNumber": game.round, "tableNumber": game.table}
        ElementTree.SubElement(games, "Game", attributes | more)
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"


def _parse_pairing(game: Mapping[str, str], names: Mapping[str, str]) -> Pairing:
    black, white = game.get("blackPlayer", ""), game.get("whitePlayer", "")
    handicap, known_colour = game.get("handicap", "0"), game.get("knownColor", "true")
    return Pairing(
        game.get("roundNumber", ""),
        game.get("tableNumber", ""),
        names.get(black, black),
        names.get(white, white),
        number_in(handicap),
        ended=_parse_result(game.get("result", "RESULT_UNKNOWN")),
        key=(black, white, handicap, known_colour),
    )


def _player_key(player: ElementTree.Element) -> str:
    return (player.get("name", "") + player.get("firstName", "")).replace(" ", "").upper()


def _turkish_key(player: ElementTree.Element) -> str:
    """Return the key that OpenGotha makes where the computer's language is Turkish: the capital of i has a dot."""
    return (player.get("name", "") + player.get("firstName", "")).replace(" ", "").replace("i", "İ").upper()


def _player_name(player: ElementTree.Element) -> str:
    return f"{player.get('firstName', '')} {player.get('name', '')}".strip()


def _parse_result(word: str) -> Ended:
    """Parse a result; an unknown word counts as a result too, so that it is never overwritten."""
    score = _SCORES.get(word.removesuffix(BY_DEFAULT), Score.VOID)
    return OPEN if score is Score.OPEN else Ended(score, word.endswith(BY_DEFAULT))


def _result_word(ended: Ended) -> str:
    return _WORDS[ended.score] + (BY_DEFAULT if ended.by_default else "")
