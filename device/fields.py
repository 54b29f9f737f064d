"""The fields of an act that came over the network: each is checked, and none is left over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from referee.board import Board, Colour, Mask
from referee.errors import BadPoint
from referee.turns import Turn
from referee.wire import act_named, turn_from_json
from vision.calibration import Calibration, calibration_of
from vision.checked import Misfit, checked, misfit
from web.errors import BadAct

KINDS = ("place", "delay", "ultimate", "pass", "draw", "resign")
"""What a player can do, as the page names it."""


class Fields:
    """The fields of one object; every method raises BadAct, in a sentence, for a value that cannot be."""

    def __init__(self, body: Mapping[str, object]) -> None:
        self._body = dict(body)

    def _taken(self, key: str, kind: Any, usual: Any = None) -> Any:
        """A value of this type; the usual one where it is left out, if there is one."""
        value = self._body.pop(key, None)
        if value is None and usual is None:
            raise BadAct(f"This act needs {key}.")
        try:
            return usual if value is None else checked(key, value, kind)
        except Misfit as error:
            raise BadAct(f"{error}.") from error

    def done(self) -> None:
        """Nothing may be left over."""
        if self._body:
            raise BadAct(f"This act has no {next(iter(self._body))!r:.30}.")

    def text(self, key: str, most: int) -> str:
        """A text in one line."""
        kind = Annotated[str, Meta(max_length=most, description=f"a text in one line of at most {most} letters")]
        value: str = self._taken(key, kind)
        if not value.isprintable():
            raise BadAct(f"{misfit(key, value, kind)}.")
        return value.strip()

    def optional_text(self, key: str, most: int) -> str | None:
        """A text in one line; None where it is left out or empty."""
        if self._body.get(key) is None:
            self._body.pop(key, None)
            return None
        return self.text(key, most) or None

    def said(self, key: str, most: int, usual: str) -> str:
        """A text in one line, empty or not; the usual one where it is left out."""
        return self.text(key, most) if self._body.get(key) is not None else usual

    def whole(self, key: str, least: int, most: int, usual: int | None = None) -> int:
        """A whole number; the usual one where it is left out."""
        return int(self._taken(key, Annotated[int, Meta(ge=least, le=most)], usual))

    def number(self, key: str, most: float) -> float | None:
        """A number, None where it is left out."""
        if self._body.get(key) is None:
            self._body.pop(key, None)
            return None
        return float(self._taken(key, Annotated[float, Meta(ge=-most, le=most)]))

    def flag(self, key: str, usual: bool = False) -> bool:
        """True or false."""
        return bool(self._taken(key, bool, usual))

    def one_of(self, key: str, allowed: Sequence[str], usual: str | None = None) -> str:
        """One of these words."""
        return str(self._taken(key, Literal[tuple(allowed)], usual))

    def player(self, key: str, players: Sequence[Colour]) -> Colour:
        """One of these players."""
        return Colour(self.one_of(key, [player.value for player in players]))

    def optional_player(self, key: str, players: Sequence[Colour]) -> Colour | None:
        """One of these players, or nobody."""
        value = self.one_of(key, [*(player.value for player in players), "-"], "-")
        return Colour(value) if value != "-" else None

    def object(self, key: str) -> Fields:
        """An object's fields."""
        return Fields(self._taken(key, Annotated[dict[str, Any], Meta(description="an object")]))

    def points(self, key: str, board: Board) -> Mask:
        """A list of points by name, empty where it is left out."""
        kind = Annotated[list[Annotated[str, Meta(max_length=4)]], Meta(description="a list of points, like D4")]
        names = self._taken(key, kind, [])
        try:
            return board.mask(names)
        except BadPoint as error:
            raise BadAct(str(error)) from error

    def turn(self, board: Board, players: Sequence[Colour]) -> Turn:
        """What one of these players did: `player`, `turn` and, for a placement, `point`."""
        player, kind = self.player("player", players), self.one_of("turn", KINDS)
        point = self.text("point", 4) if kind == "place" else self._body.pop("point", None)
        return turn_from_json({"player": player.value, **act_named(kind, point)}, board, len(players))

    def calibration(self) -> Calibration:
        """Where board and lids lie: `size`, `corners` and `lids`."""
        given = {key: self._body.pop(key, None) for key in ("size", "corners", "lids")}
        try:
            return calibration_of({**given, "lids": given["lids"] or []})
        except Misfit as error:
            raise BadAct(f"This is no calibration: {error}.") from error
