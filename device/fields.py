"""The fields of an act that came over the network: each is checked, and none is left over."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from referee.board import Board, Colour, Mask
from referee.errors import BadPoint
from referee.turns import Turn
from referee.wire import act_named, turn_from_json
from vision.calibration import Calibration, parse_calibration
from web.errors import BadAct

KINDS = ("place", "delay", "ultimate", "pass", "draw", "resign")
"""What a player can do, as the page names it."""


class Fields:
    """The fields of one object; every method raises BadAct, in a sentence, for a value that cannot be."""

    def __init__(self, body: Mapping[str, object]) -> None:
        self._body = dict(body)

    def _take(self, key: str) -> object:
        value = self._body.pop(key, None)
        if value is None:
            raise BadAct(f"This act needs {key}.")
        return value

    def done(self) -> None:
        """Nothing may be left over."""
        if self._body:
            raise BadAct(f"This act has no {next(iter(self._body))!r:.30}.")

    def text(self, key: str, most: int) -> str:
        """A text in one line."""
        value = self._take(key)
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            raise BadAct(f"{key} must be a text in one line of at most {most} letters.")
        return value.strip()

    def optional_text(self, key: str, most: int) -> str | None:
        """A text in one line; None where it is left out or empty."""
        if self._body.get(key) is None:
            self._body.pop(key, None)
            return None
        return self.text(key, most) or None

    def whole(self, key: str, least: int, most: int, usual: int | None = None) -> int:
        """A whole number; the usual one where it is left out."""
        if self._body.get(key) is None and usual is not None:
            self._body.pop(key, None)
            return usual
        value = self._take(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise BadAct(f"{key} must be a whole number from {least} to {most}.")
        return value

    def number(self, key: str, most: float) -> float | None:
        """A number, None where it is left out."""
        value = self._body.pop(key, None)
        if value is None:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not abs(value) <= most:
            raise BadAct(f"{key} must be a number from {-most:g} to {most:g}.")
        return value

    def flag(self, key: str, usual: bool = False) -> bool:
        """True or false."""
        value = self._body.pop(key, usual)
        if not isinstance(value, bool):
            raise BadAct(f"{key} must be true or false.")
        return value

    def one_of(self, key: str, allowed: Sequence[str], usual: str | None = None) -> str:
        """One of these words."""
        value = self._body.pop(key, None) or usual
        if not isinstance(value, str) or value not in allowed:
            raise BadAct(f"{key} must be one of {', '.join(allowed)}.")
        return value

    def player(self, key: str) -> Colour:
        """Black or White."""
        return Colour(self.one_of(key, ["B", "W"]))

    def optional_player(self, key: str) -> Colour | None:
        """Black, White or nobody."""
        return Colour(value) if (value := self.one_of(key, ["B", "W", "-"], "-")) != "-" else None

    def object(self, key: str) -> Fields:
        """An object's fields."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise BadAct(f"{key} must be an object.")
        return Fields(value)

    def points(self, key: str, board: Board) -> Mask:
        """A list of points by name, empty where it is left out."""
        names = self._body.pop(key, None) or []
        if not isinstance(names, list) or not all(isinstance(name, str) and len(name) <= 4 for name in names):
            raise BadAct(f"{key} must be a list of points, like D4.")
        try:
            return board.mask(names)
        except BadPoint as error:
            raise BadAct(str(error)) from error

    def turn(self, board: Board) -> Turn:
        """What a player did: `player`, `turn` and, for a placement, `point`."""
        player, kind = self.player("player"), self.one_of("turn", KINDS)
        point = self.text("point", 4) if kind == "place" else self._body.pop("point", None)
        return turn_from_json({"player": player.value, **act_named(kind, point)}, board)

    def calibration(self) -> Calibration:
        """Where board and lids lie: `size`, `corners` and `lids`."""
        given = {key: self._body.pop(key, None) for key in ("size", "corners", "lids")}
        try:
            return parse_calibration(json.dumps({**given, "lids": given["lids"] or []}, allow_nan=False))
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise BadAct(f"This is no calibration ({error!s:.80}).") from error
