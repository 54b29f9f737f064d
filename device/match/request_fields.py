"""Validation of an action's fields from the network: each is checked, and unknown ones are refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from referee.codec import parse_act, turn_from_json
from referee.game.board import Board, Colour, Mask
from referee.game.errors import BadPoint, quote_value
from referee.game.messages import Listing, Value, message
from referee.game.turns import Turn
from vision.calibration.model import Calibration, calibration_from
from vision.validation import InvalidValue, explain, parse_value
from web.director.confirmation import LENGTH
from web.errors import BadAct

KINDS = ("place", "delay", "ultimate", "pass", "draw", "resign")
"""The kinds of a player's turn, as the page names them."""

_LABELS = {
    "black": "colour.B",
    "white": "colour.W",
    "handicap": "desk.handicap",
    "komi": "desk.komi",
    "round": "hall.round",
    "table": "hall.table",
}
"""The labels of the fields that people fill in; others are named as programs send them."""
MESSAGE_KEYS = tuple(_LABELS.values())


class Fields:
    """The fields of one object; every method raises BadAct, in a sentence, for an invalid value."""

    def __init__(self, body: Mapping[str, object]) -> None:
        self._body = dict(body)

    def _take_value(self, key: str, kind: Any, wanted: Value, usual: Any = None) -> Any:
        """Take a value of this type; if it is missing, the default, if there is one.

        wanted: the type in words, or the values that it may have
        """
        value = self._body.pop(key, None)
        if value is None and usual is None:
            raise BadAct(message("field.missing", field=_label_field(key)))
        try:
            return usual if value is None else parse_value(key, value, kind)
        except InvalidValue as error:
            raise _invalid_value(key, value, wanted) from error

    def _has_value(self, key: str) -> bool:
        """Return True if there is a value; a key without one says nothing, and is done with."""
        if self._body.get(key) is None:
            self._body.pop(key, None)
        return key in self._body

    def check_done(self) -> None:
        """Raise BadAct if a field is left over."""
        if self._body:
            raise BadAct(message("field.unknown", field=f"{next(iter(self._body))!r:.30}"))

    def take_text(self, key: str, most: int) -> str:
        """Return a text in one line."""
        wanted = message("field.text", most=most)
        value: str = self._take_value(key, Annotated[str, Meta(max_length=most)], wanted)
        if not value.isprintable():
            raise _invalid_value(key, value, wanted)
        return value.strip()

    def take_optional_text(self, key: str, most: int) -> str | None:
        """Return a text in one line; None if it is missing or empty."""
        return (self.take_text(key, most) or None) if self._has_value(key) else None

    def take_line(self, key: str, most: int, usual: str) -> str:
        """Return a text in one line, possibly empty; the default if it is missing."""
        return self.take_text(key, most) if self._has_value(key) else usual

    def take_integer(self, key: str, least: int, most: int, usual: int | None = None) -> int:
        """Return an integer; the default if it is missing."""
        wanted = message("field.whole", least=least, most=most)
        return int(self._take_value(key, Annotated[int, Meta(ge=least, le=most)], wanted, usual))

    def take_number(self, key: str, most: float) -> float | None:
        """Return a number, None if it is missing."""
        return self.take_amount(key, most) if self._has_value(key) else None

    def take_amount(self, key: str, most: float) -> float:
        """Return a number that has to be there."""
        wanted = message("field.number", least=-most, most=most)
        return float(self._take_value(key, Annotated[float, Meta(ge=-most, le=most)], wanted))

    def take_flag(self, key: str, usual: bool = False) -> bool:
        """Return a boolean."""
        return bool(self._take_value(key, bool, message("field.flag"), usual))

    def take_confirmation(self, key: str) -> bool | str:
        """Return a boolean, or the word for what is confirmed; False if it is missing."""
        kind = bool | Annotated[str, Meta(max_length=LENGTH)]
        value: bool | str = self._take_value(key, kind, message("field.flag"), False)
        return value

    def take_one_of(self, key: str, allowed: Sequence[str], usual: str | None = None) -> str:
        """Return one of these words."""
        return str(self._take_value(key, Literal[tuple(allowed)], Listing(tuple(allowed)), usual))

    def take_player(self, key: str, players: Sequence[Colour]) -> Colour:
        """Return one of these players."""
        return Colour(self.take_one_of(key, [player.value for player in players]))

    def optional_player(self, key: str, players: Sequence[Colour]) -> Colour | None:
        """Return one of these players, or None."""
        value = self.take_one_of(key, [*(player.value for player in players), "-"], "-")
        return Colour(value) if value != "-" else None

    def take_object(self, key: str) -> Fields:
        """Return an object's fields."""
        return Fields(self._take_value(key, dict[str, Any], message("field.object")))

    def take_points(self, key: str, board: Board) -> Mask:
        """Return a list of point names as a mask, empty if it is missing."""
        names = self._take_value(key, list[Annotated[str, Meta(max_length=4)]], message("field.points"), [])
        try:
            return board.mask(names)
        except BadPoint as error:
            raise BadAct(message("field.point", cols=board.cols, rows=board.rows)) from error

    def take_turn(self, board: Board, players: Sequence[Colour]) -> Turn:
        """Return one of these players' turn: `player`, `turn` and, for a placement, `point`."""
        player, kind = self.take_player("player", players), self.take_one_of("turn", KINDS)
        point = self.take_text("point", 4) if kind == "place" else self._body.pop("point", None)
        return turn_from_json({"player": player.value, **parse_act(kind, point)}, board, len(players))

    def take_calibration(self) -> Calibration:
        """Return the calibration of board and lids: `size`, `corners` and `lids`."""
        fields = {key: self._body.pop(key, None) for key in ("size", "corners", "lids")}
        with explain(BadAct, "This is no calibration: "):
            return calibration_from({**fields, "lids": fields["lids"] or []})


def _label_field(key: str) -> Value:
    return message(_LABELS[key]) if key in _LABELS else key


def _invalid_value(key: str, value: object, wanted: Value) -> BadAct:
    return BadAct(message("field.invalid", field=_label_field(key), value=quote_value(value), kind=wanted))
