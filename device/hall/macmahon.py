"""MacMahon 3 (Gerlach): its tournament file is read, and results go into a copy of it, never into the file itself.

Its XML (typeversion 9) names players by number, and rounds by TournamentRound/RoundNumber; a Pairing's Result is
Black's points first, so that `1-0` means that Black has won.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from device.files import is_stored, read_stored, write_whole
from device.hall.pairing import OPEN, BadProgram, Ended, Entered, Pairing, Score
from device.hall.safe_xml import tournament_file, tournament_in
from referee.game.messages import message
from web.hall.tiles import number_in

_SCORES = {
    "?-?": Score.OPEN,
    "": Score.OPEN,
    "1-0": Score.BLACK,
    "0-1": Score.WHITE,
    "½-½": Score.DRAW,
    "0-0": Score.BOTH_LOSE,
    "1-1": Score.BOTH_WIN,
}
_WORDS = {score: word for word, score in _SCORES.items() if word}
VERSION = "9"


class MacMahon:
    """A tournament as MacMahon 3 saves it.

    tournament: its file, which is only read
    made: the copy with the results
    """

    name = "MacMahon"
    has_forfeits = True

    def __init__(self, tournament: Path, made: Path) -> None:
        self.tournament, self.made = tournament, made

    def pull(self) -> tuple[Pairing, ...]:
        """Return all pairings of two players in the file; raises BadProgram."""
        return tuple(pairing for _, pairing in self._yield_pairings(self._read_root()))

    def push(self, entries: Sequence[Entered]) -> None:
        """Rewrite the copy; raises BadProgram and BadRecord, also if MacMahon has saved into it since."""
        data = self.render_results(entries)
        digests = [sha256(read_stored(self.made)).hexdigest()] if is_stored(self.made) else []
        self._check_ours(digests)
        # The copy that is there counts too, in case the new one cannot be written.
        write_whole(self._digest_file, " ".join([sha256(data).hexdigest(), *digests]).encode())
        write_whole(self.made, data)

    @property
    def _digest_file(self) -> Path:
        """Return the file that tells a copy that was written here from one that MacMahon has saved."""
        return self.made.with_name(f".{self.made.name}.sha256")

    def _check_ours(self, digests: list[str]) -> None:
        if is_stored(self._digest_file) and not set(digests) <= set(read_stored(self._digest_file).decode().split()):
            raise BadProgram(message("hall.macmahon.saved", file=str(self.made)))

    def render_results(self, entries: Sequence[Entered]) -> bytes:
        """Return the current file with these results if it has none; raises BadProgram."""
        root = self._read_root()
        endings = {entry.pairing: entry.ended for entry in entries}
        for element, pairing in self._yield_pairings(root):
            if pairing in endings:
                _set_text(element, "Result", _WORDS[endings[pairing].score])
                if endings[pairing].by_default:
                    _set_text(element, "ResultByReferee", "true")
        return bytes(ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True)) + b"\n"

    def _read_root(self) -> Element:
        _, root = tournament_in(self.tournament, self.name)
        version = root.get("typeversion", "")
        if version != VERSION:
            reason = message("hall.file.version", version=version[:20]) if version else message("hall.file.no-version")
            raise tournament_file("MacMahon 3").error_for(self.tournament, reason)
        return root

    def _yield_pairings(self, root: Element) -> Iterator[tuple[Element, Pairing]]:
        names = {_text_of(one, "Id"): _player_name(one) for one in root.iter("IndividualParticipant")}
        for round_element in root.iter("TournamentRound"):
            for element in round_element.findall("Pairing"):
                if _text_of(element, "PairingWithBye").lower() != "true":
                    yield element, _parse_pairing(_text_of(round_element, "RoundNumber"), element, names)


def _parse_pairing(round_name: str, pairing: Element, names: Mapping[str, str]) -> Pairing:
    black, white, handicap = (_text_of(pairing, one) for one in ("Black", "White", "Handicap"))
    return Pairing(
        round_name,
        _text_of(pairing, "BoardNumber"),
        names.get(black, ""),
        names.get(white, ""),
        number_in(handicap),
        ended=_parse_result(_text_of(pairing, "Result"), _text_of(pairing, "ResultByReferee").lower() == "true"),
        key=(black, white),
    )


def _parse_result(word: str, by_referee: bool) -> Ended:
    """Parse a result; an unknown word counts as a result too, so that it is never overwritten."""
    score = _SCORES.get(word.removesuffix("!"), Score.VOID)
    return OPEN if score is Score.OPEN else Ended(score, by_referee or word.endswith("!"))


def _player_name(participant: Element) -> str:
    player = participant.find("GoPlayer")
    return f"{_text_of(player, 'FirstName')} {_text_of(player, 'Surname')}".strip() if player is not None else ""


def _text_of(element: Element, tag: str) -> str:
    return (element.findtext(tag) or "").strip()


def _set_text(element: Element, tag: str, text: str) -> None:
    child = element.find(tag)
    if child is None:
        child = ElementTree.SubElement(element, tag)
    child.text = text
