"""The tournament table of the European Go Database (`.h9`): a line for each player, with one result a round. Pure.

A result is the opponent's place, `+`, `-` or `=`, and the colour with the handicap: `3+/b4`. Place 0, or a `!` instead
of the `/` or behind, is no game that was played, and is never rated. Whatever else the text has (what follows a
semicolon, the player's number after `|`, spaces, line ends) stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from device.hall.pairing import split_name
from referee.game.messages import message

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
    """A table that no rating list could read; its message says where and what, without a full stop."""


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

    def is_consistent_with(self, other: Cell) -> bool:
        """Return True if nothing that both give is different."""
        same = (self.opponent, self.sign, self.is_marked) == (other.opponent, other.sign, other.is_marked)
        colours = not self.colour or not other.colour or self.colour == other.colour
        return same and colours and (None in (self.handicap, other.handicap) or self.handicap == other.handicap)

    def is_mirror_of(self, other: Cell) -> bool:
        """Return True if this can be the opponent's side of another, whatever the places."""
        # What was not played may be lost or won by both.
        ends = (self.is_marked and other.is_marked) or _OPPOSITE[self.sign] == other.sign
        colours = not self.colour or not other.colour or _COLOURS[self.colour] == other.colour
        return ends and colours and (None in (self.handicap, other.handicap) or self.handicap == other.handicap)


def cell_from(text: str) -> Cell | None:
    """Parse a result; return None for any other word."""
    match = _CELL.fullmatch(text)
    if match is None:
        return None
    colour = (match[4] or "").lower().replace("h", "")
    handicap = int(match[5]) if match[5] else 0 if colour else None
    return Cell(int(match[1]), match[2], colour, handicap, match[3] == "!" or bool(match[6]))


def is_rated(result: str) -> bool:
    """Return True if a result of a table is of a game that was played to a decision."""
    cell = cell_from(result)
    return cell is not None and cell.is_rated


@dataclass(frozen=True)
class _PlayerLine:
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

    def cell(self, index: int) -> str:
        begin, end = self.spans[index]
        return self.body[begin:end]


def _parse_line(number: int, index: int, text: str) -> _PlayerLine | None:
    """Parse a player's line; return None for any other."""
    end = min((offset for offset in (text.find("|"), text.find(";")) if offset >= 0), default=len(text))
    if end > MOST_IN_A_LINE:
        return None
    body = text[:end].removeprefix("\ufeff").rjust(end)
    matches = list(re.finditer(r"\S+", body))
    place = _PLACE.fullmatch(matches[0][0]) if matches else None
    begin = 1 if place is not None else 0
    graded = _find_grade([one[0] for one in matches], begin)
    if graded is None:
        return None
    name, name_end = graded
    first_result = len(matches)
    while first_result > name_end and _CELL.fullmatch(matches[first_result - 1][0]):
        first_result -= 1
    spans = tuple(one.span() for one in matches[first_result:])
    given_place = int(place[1]) if place is not None else 0
    return _PlayerLine(number, index, given_place, split_name(name), text[:end], text[end:], spans)


def _find_grade(tokens: list[str], begin: int) -> tuple[str, int] | None:
    """Return the name before the grade, and how many words there are up to its end; None if there is no grade."""
    for index in range(begin, len(tokens)):
        match = _GRADE.fullmatch(tokens[index])
        name = [*tokens[begin:index], *([match[1]] if match is not None and match[1] else [])]
        if match is not None and name:
            return " ".join(name), index + 1
        is_word = index + 1 < len(tokens) and _GRADE_WORD.fullmatch(tokens[index + 1])
        if name and is_word and re.fullmatch("[0-9]{1,2}", tokens[index]):
            return " ".join(name), index + 2
    return None


class WallList:
    """A table whose results can be changed.

    Players are named by the index of their line, the first is 0; rounds are counted from 1.

    Raises BadTable.
    """

    def __init__(self, text: str) -> None:
        self._parts = _ENDS.split(text)
        self._lines = list[_PlayerLine]()
        for index in range(0, len(self._parts), 2):
            part, number = self._parts[index], index // 2 + 1
            if part.removeprefix("\ufeff").partition(";")[0].strip():
                line = _parse_line(number, index, part)
                if line is None:
                    raise BadTable(message("hall.file.no-player-line", line=number))
                self._lines.append(line)
        if not self._lines:
            raise BadTable(message("hall.file.no-players"))
        self.rounds = min(len(line.spans) for line in self._lines)
        self._lines = [self._align_line(line) for line in self._lines]
        given_places = [line.given for line in self._lines]
        in_order = list(range(1, len(given_places) + 1))
        # Players of equal standing may share a place, or have none; opponents are then counted by lines.
        self._places = given_places if sorted(given_places) == in_order else in_order
        self._index_by_place = {place: index for index, place in enumerate(self._places)}
        names = Counter(line.name for line in self._lines)
        self._names = {line.name: line_index for line_index, line in enumerate(self._lines) if names[line.name] == 1}
        for index in range(len(self._lines)):
            self._check_opponents(index)

    @property
    def text(self) -> str:
        """Return the whole text."""
        parts = list(self._parts)
        for line in self._lines:
            parts[line.index] = line.body + line.tail
        return "".join(parts)

    def line_of(self, name: str) -> int | None:
        """Return the line of the only player with these words; None if there is none, or more than one."""
        return self._names.get(split_name(name))

    def place(self, line: int) -> int:
        """Return by which number opponents name a player."""
        return self._places[line]

    def cell(self, line: int, round_number: int) -> str:
        """Return a player's result of a round; of one that the table lacks, that nothing was played."""
        return self._lines[line].cell(round_number - 1) if round_number <= self.rounds else NOT_PLAYED

    def set(self, line: int, round_number: int, result: str) -> None:
        """Write a player's result of a round, and the rounds up to it for everybody."""
        if round_number > self.rounds:
            self._lines = [_add_rounds(one, round_number - self.rounds) for one in self._lines]
            self.rounds = round_number
        self._lines[line] = _replace_result(self._lines[line], round_number - 1, result)

    def _align_line(self, line: _PlayerLine) -> _PlayerLine:
        """Return a line with as many results as all others; raise BadTable if what it has more are no scores."""
        more = len(line.spans) - self.rounds
        if not all(_SCORE.fullmatch(line.cell(index)) for index in range(more)):
            least = next(one for one in self._lines if len(one.spans) == self.rounds)
            many, other, few = len(line.spans), least.number, self.rounds
            raise BadTable(message("hall.file.results", line=line.number, results=many, other=other, least=few))
        return replace(line, spans=line.spans[more:])

    def _check_opponents(self, index: int) -> None:
        """Raise BadTable if an opponent's line says something else."""
        line = self._lines[index]
        for round_number in range(1, self.rounds + 1):
            text = line.cell(round_number - 1)
            cell = cell_from(text)
            assert cell is not None
            if cell.opponent == 0:
                continue
            if cell.opponent not in self._index_by_place:
                place = cell.opponent
                raise BadTable(
                    message("hall.file.no-place", line=line.number, cell=text, round=round_number, place=place)
                )
            other_index = self._index_by_place[cell.opponent]
            other = self.cell(other_index, round_number)
            back = cell_from(other)
            assert back is not None
            if other_index == index or back.opponent != self._places[index] or not back.is_mirror_of(cell):
                where = self._lines[other_index].number
                raise BadTable(
                    message(
                        "hall.file.contradicts",
                        line=line.number,
                        cell=text,
                        round=round_number,
                        other=where,
                        back=other,
                    )
                )


def _replace_result(line: _PlayerLine, index: int, result: str) -> _PlayerLine:
    """Return a line with another result; the columns stay below one another where there is room before or behind."""
    begin, end = line.spans[index]
    room = begin - (line.spans[index - 1][1] if index else len(line.body[:begin].rstrip())) - 1
    start = begin - max(min(room, len(result) - (end - begin)), 0)
    text = result.rjust(end - start)
    gap = len(line.body[end:]) - len(line.body[end:].lstrip())
    gap_used = max(min(gap - 1, len(text) - (end - start)), 0) if index + 1 < len(line.spans) else 0
    stop = start + len(text)
    body = line.body[:start] + text + line.body[end + gap_used :]
    shift = stop - end - gap_used
    moved_spans = tuple((span_start + shift, span_end + shift) for span_start, span_end in line.spans[index + 1 :])
    return replace(line, body=body, spans=(*line.spans[:index], (stop - len(result), stop), *moved_spans))


def _add_rounds(line: _PlayerLine, more: int) -> _PlayerLine:
    """Return a line with so many rounds more."""
    text = line.body.rstrip()
    body = text + f" {NOT_PLAYED:>{WIDTH}}" * more
    ends = range(len(text) + 1 + WIDTH, len(body) + 1, 1 + WIDTH)
    spans = (*line.spans, *((end - len(NOT_PLAYED), end) for end in ends))
    return replace(line, body=body + line.body[len(text) :], spans=spans)
