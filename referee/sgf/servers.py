"""Records in the formats of Go servers, turned into SGF: Tygem's GIB, WBaduk's NGF and Pandanet's UGF.

None of the three is documented; what is read here is what public readers agree on.

- GIB: a head of `\\[NAME=VALUE\\]`, then lines `INI 0 1 HANDICAP`, `STO 0 NUMBER PLAYER X Y` (player 1 is Black; from 0
  at the top left) and `SKI` for a pass. Komi is GONGJE in tenths, the result GRLT with its margin ZIPSU in tenths.
- NGF: twelve lines (title, size, White, Black, site, handicap, .., komi, date, .., result, number of moves), then
  `PM`, two letters of the move's number, the player's letter, and column and row from B at the top left.
- UGF: a file of sections; [Header] has `Hdcp=HANDICAP,KOMI`, `Size`, `PlayerB`, `Rule` and `Winner`, and [Data] a line
  `PD,B1,1,0` a move: the point from A at the top left (from the bottom where CoordinateType is IGS), the player, and
  the number, which is 0 for a handicap stone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from referee.game.board import LARGEST_SIDE, board_of, points_of
from referee.game.errors import BadRecord, BadSetup
from referee.rules.opening_and_end import TraditionalPoints
from referee.sgf.charsets import find_likeliest_encoding
from referee.sgf.dialects import read_result

_GIB = re.compile(rb"\s*(?:\\HS|\\\[GAME|\\\[GIBO)")
_UGF = re.compile(rb"\s*\[(?:Header|Remote|Files)\]", re.IGNORECASE)
_NGF = re.compile(rb"(?:[^\r\n]*\r?\n){6,16}PM[A-Z]{2}[BW][A-Z]{2}")
_GIB_FIELD = re.compile(r"\\\[([A-Z]+)=(.*?)\\\]")
_WITH_RANK = re.compile(r"(.*?)\s*\(([^()]*)\)")
_GIB_RESULTS = {0: "B+{}", 1: "W+{}", 3: "B+R", 4: "W+R", 7: "B+T", 8: "W+T"}
_RULES_OF_UGF = {"jpn": "Japanese", "chn": "Chinese", "aga": "AGA", "kor": "Korean", "ing": "Ing"}

Moves = list[tuple[str, str]]
"""Colour letters and SGF points, empty for a pass."""


def is_of_server(data: bytes) -> bool:
    """Return True for the beginning of a record in GIB, NGF or UGF."""
    return any(kind.match(data) for kind in (_GIB, _UGF, _NGF))


def convert_to_sgf(data: bytes) -> bytes | None:
    """Return a record in GIB, NGF or UGF as SGF in UTF-8; None for anything else. Raise BadRecord without moves."""
    text = data.removeprefix(b"\xef\xbb\xbf")
    if not is_of_server(text):
        return None
    lines = text.decode(find_likeliest_encoding(text), "replace").splitlines()
    if _GIB.match(text):
        return _convert_gib(lines)
    return _convert_ugf(lines) if _UGF.match(text) else _convert_ngf(lines)


def _convert_gib(lines: Iterable[str]) -> bytes:
    fields = dict[str, str]()
    moves: Moves = []
    handicap = 0
    for line in lines:
        match = _GIB_FIELD.search(line)
        words = line.split()
        if match is not None:
            fields.setdefault(match[1], match[2])
        elif words[:1] == ["INI"] and len(words) > 3:
            handicap = _parse_whole(words[3])
        elif words[:1] == ["STO"] and len(words) > 5:
            moves.append(
                ("B" if words[3] == "1" else "W", _sgf_point(_parse_whole(words[4]), _parse_whole(words[5]), 19))
            )
        elif words[:1] == ["SKI"]:
            moves.append((_next_colour(moves, handicap), ""))
    details = fields.get("GAMEINFOMAIN", "")
    komi = re.search(r"GONGJE:(\d+)", details) or re.search(r",G(\d+)", fields.get("GAMETAG", ""))
    root = {
        "AP": "Tygem",
        "SZ": "19",
        "DT": _format_date(fields.get("GAMEDATE", "")),
        "KM": f"{int(komi[1][:6]) / 10:g}" if komi else _number_in(fields.get("GAMECONDITION", "")),
        "RE": _gib_result(details, fields),
        "GN": fields.get("GAMENAME", ""),
        "PC": fields.get("GAMEPLACE", ""),
    }
    for letter, colour in (("B", "BLACK"), ("W", "WHITE")):
        name, rank = fields.get(f"GAME{colour}NAME", ""), fields.get(f"GAME{colour}LEVEL", "")
        name_and_rank = _WITH_RANK.fullmatch(name)
        root |= {
            f"P{letter}": name_and_rank[1] if name_and_rank else name,
            f"{letter}R": name_and_rank[2] if name_and_rank else rank,
        }
    return _build_sgf(root, handicap, 19, moves)


def _gib_result(details: str, fields: dict[str, str]) -> str:
    kind, margin = re.search(r"GRLT:(\d+)", details), re.search(r"ZIPSU:(\d+)", details)
    if kind is None:
        tag = fields.get("GAMETAG", "")
        kind, margin = re.search(r",W(\d+)", tag), re.search(r",Z(\d+)", tag)
    template = _GIB_RESULTS.get(int(kind[1][:6]), "") if kind is not None else ""
    if template:
        return template.format(f"{int(margin[1][:6]) / 10:g}" if margin is not None else "")
    return _result_in_words(fields.get("GAMERESULT", ""))


def _convert_ngf(lines: list[str]) -> bytes:
    head = [line.strip() for line in lines[:12]]
    size, handicap = (_parse_whole(head[line]) if len(head) > line else 0 for line in (1, 5))
    komi = _number_in(head[7]) if len(head) > 7 else ""
    # A whole komi of an even game leaves the half out.
    komi = f"{float(komi) + 0.5:g}" if komi and not handicap and float(komi) % 1 == 0 else komi
    moves: Moves = []
    for line in lines:
        match = re.match(r"\s*PM[A-Z]{2}([BW])([A-Z])([A-Z])", line)
        if match is not None:
            moves.append((match[1], _sgf_point(ord(match[2]) - ord("B"), ord(match[3]) - ord("B"), size)))
    root = {
        "AP": "WBaduk",
        "SZ": str(size),
        "KM": komi,
        "GN": head[0],
        "PW": " ".join(head[2].split()[:1]),
        "PB": " ".join(head[3].split()[:1]),
        "DT": re.sub(r"(\d{4})(\d\d)(\d\d).*", r"\1-\2-\3", head[8]) if len(head) > 8 else "",
        "RE": _result_in_words(head[10]) if len(head) > 10 else "",
    }
    return _build_sgf(root, handicap, size, moves)


def _convert_ugf(lines: Iterable[str]) -> bytes:
    fields = dict[str, str]()
    moves: Moves = []
    stones: list[str] = []
    section = ""
    for line in map(str.strip, lines):
        if line.startswith("[") and line.endswith("]"):
            section = line.lower()
        elif section == "[header]" and "=" in line:
            name, _, value = line.partition("=")
            fields.setdefault(name.strip().lower(), value.strip())
        elif section == "[data]":
            match = re.match(r"([A-Z])([A-Z]),([BW])[^,]*(?:,(\d*))?", line.upper())
            if match is not None:
                size = _parse_whole(fields.get("size", "19"))
                column, row = ord(match[1]) - ord("A"), ord(match[2]) - ord("A")
                row = size - 1 - row if fields.get("coordinatetype", "").lower() == "igs" else row
                point = _sgf_point(column, row, size)
                if match[4] == "0" and match[3] == "B" and not moves and point:
                    stones.append(point)
                else:
                    moves.append((match[3], point))
    handicap, _, komi = fields.get("hdcp", "").partition(",")
    rules = fields.get("rule", "")
    root = {
        "AP": "Pandanet",
        "SZ": fields.get("size", "19"),
        "KM": _number_in(komi),
        "RU": _RULES_OF_UGF.get(rules.lower()[:3], rules),
        "GN": fields.get("title", ""),
        "PC": fields.get("place", ""),
        "DT": _format_date(fields.get("date", "")),
        "RE": _ugf_result(fields.get("winner", "")),
    }
    for letter in "BW":
        name, _, details = fields.get(f"player{letter.lower()}", "").partition(",")
        root |= {f"P{letter}": name, f"{letter}R": details.partition(",")[0]}
    return _build_sgf(root, _parse_whole(handicap), _parse_whole(fields.get("size", "19")), moves, stones)


def _ugf_result(winner: str) -> str:
    """Parse `B,R`, `W,3.5` and the like; C, the Japanese for a win by resignation, is one too."""
    letter, _, margin = winner.upper().partition(",")
    if letter[:1] not in ("B", "W") or not letter:
        return ""
    return f"{letter[:1]}+{'R' if margin.strip()[:1] in ('R', 'C') else _number_in(margin) or margin.strip()[:1]}"


_COLOUR_WORDS = (("B", r"black|흑|黑|黒"), ("W", r"white|백|白"))
_ENDING_WORDS = (("R", r"resign|불계|中盘|中盤|中押|기권"), ("T", r"time|시간|超时|超時|時間"))


def _result_in_words(text: str) -> str:
    """Return a result that is written in words, such as `White wins by resignation`; empty if it is none."""
    if read_result(text) is not None:
        return text
    winners = [letter for letter, words in _COLOUR_WORDS if re.search(words, text.lower())]
    if len(winners) != 1:
        return ""
    ending = next((letter for letter, words in _ENDING_WORDS if re.search(words, text.lower())), "")
    return f"{winners[0]}+{ending or _number_in(text)}"


def _build_sgf(root: dict[str, str], handicap: int, size: int, moves: Moves, stones: list[str] | None = None) -> bytes:
    """Return the SGF of a game; handicap stones that are not named lie on the traditional points."""
    if not 1 <= size <= LARGEST_SIDE:
        raise BadRecord(f"The record's size {size} is none; a side has 1 to {LARGEST_SIDE} lines.")
    if not moves:
        raise BadRecord("The record has no moves, or they cannot be read; save it again with the program it is of.")
    if handicap > 1:
        root["HA"] = str(handicap)
        stones = stones or _traditional_points(handicap, size)
    text = "".join(f"{name}[{_escape_value(value)}]" for name, value in root.items() if value)
    text += "AB" + "".join(f"[{point}]" for point in stones) if stones else ""
    return f"(;GM[1]FF[4]CA[UTF-8]{text}{''.join(f';{colour}[{point}]' for colour, point in moves)})\n".encode()


def _traditional_points(handicap: int, size: int) -> list[str]:
    """Return the traditional points of servers, where the third stone lies at the upper left."""
    board = board_of(size, size)
    try:
        stones = board.rotate_mask(TraditionalPoints().set_up(handicap, board))
    except BadSetup:
        return []
    return [_sgf_point(point % size, point // size, size) for point in points_of(stones)]


def _sgf_point(column: int, row: int, size: int) -> str:
    """Return a point in SGF; empty, a pass, for one beside the board."""
    return f"{chr(97 + column)}{chr(97 + row)}" if 0 <= column < size and 0 <= row < size else ""


def _next_colour(moves: Moves, handicap: int) -> str:
    """Return the colour whose turn it is."""
    first = "W" if handicap > 1 else "B"
    return first if not moves else "W" if moves[-1][0] == "B" else "B"


def _parse_whole(text: str) -> int:
    match = re.match(r"\s*(\d{1,4})", text)
    return int(match[1]) if match else -1


def _number_in(text: str) -> str:
    match = re.search(r"\d{1,4}(?:\.\d+)?", text)
    return match[0] if match else ""


def _format_date(text: str) -> str:
    """Return a date as SGF has it: year, month and day, with noughts."""
    return "-".join(part.zfill(2) for part in re.findall(r"\d+", text)[:3])


def _escape_value(text: str) -> str:
    return re.sub(r"([\\\]])", r"\\\1", text.strip())
