"""The tournament table of the European Go Database (`.h9`): a line for each player, with one result a round. Pure.

A result is the opponent's place, `+`, `-` or `=`, and the colour with the handicap: `3+/b4`. Place 0, or a `!` instead
of the `/` or behind, is no game that was played, and is never rated. Whatever else the text has (what follows a
semicolon, the player's number after `|`, spaces, line ends) stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from device.hall.pairing import words

NOT_PLAYED = "0-"
MOST_IN_A_LINE = 2000
"""The maximum length of a player's line, in characters."""
WIDTH = 7
"""Of a column that is added."""
_GRADE = re.compile("([^0-9]*)([0-9]{1,2})([kdp]|kyu|dan|pro)", re.IGNORECASE)
_GRADE_WORD = re.compile("kyu|dan|pro", re.IGNORECASE)
_PLACE = re.compile(r"([0-9]{1,4})\.?")
_CELL = re.compile("([0-9]{1,4})([-+=?])(?:([/!])([bwh]?)([0-9]{0,2})|0)?(!?)", re.IGNORECASE)
_SCORE = re.compile("[0-9]{1,4}=")
_ENDS = re.compile("(\r\n|\n|\r)")
_OPPOSITE = {"+": "-", "-": "+", "=": "=", "?": "?"}
_COLOURS = {"b": "w", "w": "b"}


class BadTable(ValueError):
    """A table that no rating list could read; the text says where and what, without a full stop."""


@dataclass(frozen=True)
class Cell:
    """A result as it stands in a line.

    opponent: the place, 0 for nobody
    sign: of the player's result; `?` if it is open
    colour: `b`, `w`, or empty
    handicap: None if it is not given
    is_marked: it has a `!`
    """

    opponent: int
    sign: str
    colour: str = ""
    handicap: int | None = None
    is_marked: bool = False

    @property
    def is_open(self) -> bool:
        """Return True if a game may still be entered: none was played, and nobody has awarded anything."""
        return self.sign == "?" or (self.opponent == 0 and self.sign != "+" and not self.is_marked)

    @property
    def is_rated(self) -> bool:
        """Return True if this is a game that was played to a decision."""
        return self.opponent > 0 and self.sign != "?" and not self.is_marked

    def agrees_with(self, other: Cell) -> bool:
        """Return True if nothing that both give is different."""
        same = (self.opponent, self.sign, self.is_marked) == (other.opponent, other.sign, other.is_marked)
        colours = not self.colour or not other.colour or self.colour == other.colour
        return same and colours and (None in (self.handicap, other.handicap) or self.handicap == other.handicap)

    def mirrors(self, other: Cell) -> bool:
        """Return True if this can be the opponent's side of another, whatever the places."""
        # What was not played may be lost or won by both.
        ends = (self.is_marked and other.is_marked) or _OPPOSITE[self.sign] == other.sign
        colours = not self.colour or not other.colour or _COLOURS[self.colour] == other.colour
        return ends and colours and (None in (self.handicap, other.handicap) or self.handicap == other.handicap)


def cell_from(text: str) -> Cell | None:
    """Parse a result; return None for any other word."""
    found = _CELL.fullmatch(text)
    if found is None:
        return None
    colour = (found[4] or "").lower().replace("h", "")
    handicap = int(found[5]) if found[5] else 0 if colour else None
    return Cell(int(found[1]), found[2], colour, handicap, found[3] == "!" or bool(found[6]))


def is_rated(result: str) -> bool:
    """Return True if a result of a table is of a game that was played to a decision."""
    cell = cell_from(result)
    return cell is not None and cell.is_rated


@dataclass(frozen=True)
class _Line:
    """A player's line.

    number: of the line in the text, from 1
    index: of the line among the text's parts
    given: the place it is given; 0 if none
    name: the player's words
    body: all before `|` and `;`
    tail: the rest
    spans: of each result in the body
    """

    number: int
    index: int
    given: int
    name: frozenset[str]
    body: str
    tail: str
    spans: tuple[tuple[int, int], ...]

    def cell(self, at: int) -> str:
        begin, end = self.spans[at]
        return self.body[begin:end]


def _line_from(number: int, index: int, text: str) -> _Line | None:
    """Parse a player's line; return None for any other."""
    end = min((at for at in (text.find("|"), text.find(";")) if at >= 0), default=len(text))
    if end > MOST_IN_A_LINE:
        return None
    body = text[:end].removeprefix("\ufeff").rjust(end)
    found = list(re.finditer(r"\S+", body))
    place = _PLACE.fullmatch(found[0][0]) if found else None
    begin = 1 if place is not None else 0
    graded = _grade_in([one[0] for one in found], begin)
    if graded is None:
        return None
    name, after = graded
    first = len(found)
    while first > after and _CELL.fullmatch(found[first - 1][0]):
        first -= 1
    spans = tuple(one.span() for one in found[first:])
    given = int(place[1]) if place is not None else 0
    return _Line(number, index, given, words(name), text[:end], text[end:], spans)


def _grade_in(found: list[str], begin: int) -> tuple[str, int] | None:
    """Return the name before the grade, and how many words there are up to its end; None if there is no grade."""
    for at in range(begin, len(found)):
        graded = _GRADE.fullmatch(found[at])
        name = [*found[begin:at], *([graded[1]] if graded is not None and graded[1] else [])]
        if graded is not None and name:
            return " ".join(name), at + 1
        is_word = at + 1 < len(found) and _GRADE_WORD.fullmatch(found[at + 1])
        if name and is_word and re.fullmatch("[0-9]{1,2}", found[at]):
            return " ".join(name), at + 2
    return None


class WallList:
    """A table whose results can be changed.

    Players are named by the index of their line, the first is 0; rounds are counted from 1.

    Raises BadTable.
    """

    def __init__(self, text: str) -> None:
        self._parts = _ENDS.split(text)
        self._lines = list[_Line]()
        for index in range(0, len(self._parts), 2):
            part, number = self._parts[index], index // 2 + 1
            if part.removeprefix("\ufeff").partition(";")[0].strip():
                line = _line_from(number, index, part)
                if line is None:
                    raise BadTable(
                        f"line {number} is no player's, which has place, name, grade such as 3k, and a result a round"
                    )
                self._lines.append(line)
        if not self._lines:
            raise BadTable("it has no players")
        self.rounds = min(len(line.spans) for line in self._lines)
        self._lines = [self._in_step(line) for line in self._lines]
        given = [line.given for line in self._lines]
        in_order = list(range(1, len(given) + 1))
        # Players of equal standing may share a place, or have none; opponents are then counted by lines.
        self._places = given if sorted(given) == in_order else in_order
        self._at = {place: index for index, place in enumerate(self._places)}
        names = Counter(line.name for line in self._lines)
        self._names = {line.name: at for at, line in enumerate(self._lines) if names[line.name] == 1}
        for index in range(len(self._lines)):
            self._check(index)

    @property
    def text(self) -> str:
        """Return the whole text."""
        parts = list(self._parts)
        for line in self._lines:
            parts[line.index] = line.body + line.tail
        return "".join(parts)

    def line_of(self, name: str) -> int | None:
        """Return the line of the only player with these words; None if there is none, or more than one."""
        return self._names.get(words(name))

    def place(self, line: int) -> int:
        """Return by which number opponents name a player."""
        return self._places[line]

    def cell(self, line: int, played: int) -> str:
        """Return a player's result of a round; of one that the table lacks, that nothing was played."""
        return self._lines[line].cell(played - 1) if played <= self.rounds else NOT_PLAYED

    def set(self, line: int, played: int, result: str) -> None:
        """Write a player's result of a round, and the rounds up to it for everybody."""
        if played > self.rounds:
            self._lines = [_longer(one, played - self.rounds) for one in self._lines]
            self.rounds = played
        self._lines[line] = _changed(self._lines[line], played - 1, result)

    def _in_step(self, line: _Line) -> _Line:
        """Return a line with as many results as all others; raise BadTable if what it has more are no scores."""
        more = len(line.spans) - self.rounds
        if not all(_SCORE.fullmatch(line.cell(at)) for at in range(more)):
            least = next(one for one in self._lines if len(one.spans) == self.rounds)
            raise BadTable(
                f"line {line.number} has {len(line.spans)} results, and line {least.number} has {self.rounds}; "
                "each player has one a round"
            )
        return replace(line, spans=line.spans[more:])

    def _check(self, index: int) -> None:
        """Raise BadTable if an opponent's line says something else."""
        line = self._lines[index]
        for played in range(1, self.rounds + 1):
            text = line.cell(played - 1)
            cell = cell_from(text)
            assert cell is not None
            if cell.opponent == 0:
                continue
            said = f"line {line.number} has {text} in round {played}"
            if cell.opponent not in self._at:
                raise BadTable(f"{said}, and no player has place {cell.opponent}")
            at = self._at[cell.opponent]
            other = self.cell(at, played)
            back = cell_from(other)
            assert back is not None
            if at == index or back.opponent != self._places[index] or not back.mirrors(cell):
                raise BadTable(f"{said}, and line {self._lines[at].number} has {other}")


def _changed(line: _Line, at: int, result: str) -> _Line:
    """Return a line with another result; the columns stay below one another where there is room before or behind."""
    begin, end = line.spans[at]
    room = begin - (line.spans[at - 1][1] if at else len(line.body[:begin].rstrip())) - 1
    start = begin - max(min(room, len(result) - (end - begin)), 0)
    written = result.rjust(end - start)
    gap = len(line.body[end:]) - len(line.body[end:].lstrip())
    taken = max(min(gap - 1, len(written) - (end - start)), 0) if at + 1 < len(line.spans) else 0
    stop = start + len(written)
    body = line.body[:start] + written + line.body[end + taken :]
    by = stop - end - taken
    moved = tuple((first + by, last + by) for first, last in line.spans[at + 1 :])
    return replace(line, body=body, spans=(*line.spans[:at], (stop - len(result), stop), *moved))


def _longer(line: _Line, more: int) -> _Line:
    """Return a line with so many rounds more."""
    used = line.body.rstrip()
    body = used + f" {NOT_PLAYED:>{WIDTH}}" * more
    ends = range(len(used) + 1 + WIDTH, len(body) + 1, 1 + WIDTH)
    spans = (*line.spans, *((end - len(NOT_PLAYED), end) for end in ends))
    return replace(line, body=body + line.body[len(used) :], spans=spans)
