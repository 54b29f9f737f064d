"""The playing of a script on a simulated table: hands come, move stones, go. The script alone determines the acts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import floor

from device.panel.panel import Edge
from device.simulator.messages import Lamps
from device.simulator.players import SimulatedPlayers
from device.simulator.script import (
    Act,
    Bring,
    Drop,
    Give,
    Lean,
    Lift,
    Place,
    Play,
    Press,
    Push,
    Put,
    Script,
    Wait,
    write_step,
)
from device.simulator.world import World
from referee.game.board import Colour, Point, points_of
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord
from referee.table.events import Button, Pressed
from vision.lids.count import in_reading_order
from vision.render.looks import club_look, with_colours
from vision.render.scene import Hand, Nudge, Scene
from vision.render.table import Table

RATE = 10
"""Default frames a second."""
POSE = 0.1
"""Seconds a hand stays in each of its positions on the way."""
COMING = (0.3, 0.65)
GOING = (0.65, 0.3)
PRESS, HOLD, HELD = 0.15, 2.4, 2.0
"""Seconds a button is down for a press and for a hold, and seconds after which it counts as held."""
SAME = 1e-9
"""Tolerance in seconds for rounding."""
LINGERS = 0.5
"""Seconds for which a hand stays over the lid, after done is pressed, before its stones drop."""
GLANCE = 0.5
"""Seconds between two looks at the lamps."""
GLANCES = 40
"""Number of looks at the lamps for a press to show, before it is made again."""
ARMS = {
    2: ("top", "bottom"),
    3: ("top", "right", "bottom"),
    4: ("top", "right", "bottom", "left"),
    5: ("top", "right", "right", "bottom", "left"),
    6: ("top", "right", "right", "bottom", "left", "left"),
}
"""The side of the board from which the arm of each player comes, by the number of players."""
Target = tuple[float, float]


@dataclass(frozen=True)
class Tempo:
    """The tempo of play.

    rate: frames a second
    rest: seconds between two steps without a hand: time for a person to see that the turn is over, and to think
    """

    rate: float = RATE
    rest: float = 0.8


@dataclass(frozen=True)
class SimulatedFrame:
    """A frame: what the camera sees at t."""

    t: float
    scene: Scene


@dataclass(frozen=True)
class StepTruth:
    """The truth after a step.

    t: seconds
    step: number of steps made
    rows: the position
    lids: as `World.counts`
    presses: edges of the step
    """

    t: float
    step: int
    rows: tuple[str, ...]
    lids: dict[str, dict[str, int]]
    presses: tuple[Edge, ...]


Happening = SimulatedFrame | Edge | StepTruth
"""An event at a table; events are in the order of time."""


def table_of(script: Script, width: int, height: int) -> Table:
    """Build the simulated table for a script; pictures have width x height pixels."""
    look = replace(club_look(script.look, script.size, width, height), fields=script.fields)
    return Table(look if len(script.players) == 2 else with_colours(look, script.look))


class Performance:
    """One run of a script on its table. `happenings` yields all events; `presses` grows as buttons are pressed.

    Time is counted in frames: t of frame n is n / rate. Sides are numbered as in the picture: the upper lid's is 1.

    script: what is played
    table: the simulated table
    tempo: frames and rests
    lamps: returns the lamps that the players see
    spreads: returns the player asked on the page to spread the stones in their lid; they do so, repeatedly, before the
        script goes on
    """

    def __init__(
        self,
        script: Script,
        table: Table,
        tempo: Tempo | None = None,
        lamps: Callable[[], Lamps | None] = lambda: None,
        spreads: Callable[[], Colour | None] = lambda: None,
    ) -> None:
        self._script = script
        self._players, self._spreads = SimulatedPlayers(lamps), spreads
        self._table = table
        self._tempo = tempo or Tempo()
        boxes = [Table.lid_box(table.look, lid) for lid in (0, 1)]
        self._lids = tuple(map(boxes.index, in_reading_order(*boxes)))
        self.world = World.of(script)
        self.presses: list[Pressed] = []
        self._edges: list[Edge] = []
        self._coming: list[Edge] = []
        self._frames = 0

    def happenings(self) -> Iterator[Happening]:
        """Yield all events, to the end of the script; raises BadRecord for an impossible step."""
        yield from self._wait_seconds(2 * self._tempo.rest)
        yield self._report_truth(0)
        for number, step in enumerate(self._script.steps, 1):
            try:
                for act in step:
                    yield from self._obey_lamps(act)
                    yield from self._perform_act(act)
            except BadRecord as error:
                line = write_step(step, self._script.board)
                raise BadRecord(f"step {number} of the script, {line!r}, cannot be made: {error}.") from error
            yield self._report_truth(number)
            yield from self._wait_seconds(self._tempo.rest)
        yield from self._wait_seconds(self._tempo.rest)

    def still(self) -> Iterator[SimulatedFrame]:
        """Yield frames of the final table forever, for after the script."""
        scene = self._build_scene()
        while True:
            self._frames += 1
            yield SimulatedFrame((self._frames - 1) / self._tempo.rate, scene)

    def _report_truth(self, step: int) -> StepTruth:
        edges, self._edges = tuple(self._edges), []
        t = (self._frames - 1) / self._tempo.rate
        return StepTruth(t, step, rows_of(self.world.position), self.world.counts(), edges)

    def _show_scene(self, scene: Scene, seconds: float) -> Iterator[Happening]:
        """Show the scene for so long, at least one frame, with the edges that fall between the frames."""
        for _ in range(max(1, round(seconds * self._tempo.rate))):
            t = self._frames / self._tempo.rate
            while self._coming and self._coming[0].t <= t + SAME:
                yield self._coming.pop(0)
            self._frames += 1
            yield SimulatedFrame(t, scene)

    def _wait_seconds(self, seconds: float) -> Iterator[Happening]:
        yield from self._show_scene(self._build_scene(), seconds)

    def _obey_lamps(self, act: Act) -> Iterator[Happening]:
        """Do what the page and the lamps ask for before the script goes on."""
        while (player := self._spreads()) is not None:
            yield from self._spread_stones(player, self.world.side(player))
            yield from self._wait_seconds(2 * GLANCE)
        side = None if isinstance(act, Wait | Press) else self.world.side(act.player)
        while (action := self._players.next(side)) is not None:
            if action.side is None:
                yield from self._wait_seconds(GLANCE)
                continue
            lamps_before = self._players.lamps()
            if action.spread:
                yield from self._spread_stones(self.world.player(action.side), action.side, 3 - action.side)
            yield from self._press_button(self.world.player(action.side), Button.DONE, False)
            for _ in range(GLANCES):
                if self._players.lamps() != lamps_before:
                    break
                yield from self._wait_seconds(GLANCE)

    def _perform_act(self, act: Act) -> Iterator[Happening]:
        if not isinstance(act, Wait):
            self._players.note_act()
        closer = _player_closing(act)
        if closer is not None:
            self._players.closed(self.world.side(closer))
        match act:
            case Play(player, point, leaving, to):
                yield from self._play_stone(player, point, leaving, to)
            case Bring(player, closing):
                yield from self._gather_stones(player, closing)
            case Put(player, colour, point):
                yield from self._place_stone(player, colour, point)
            case Push(player, point, right, down):
                yield from self._move_hand_in(player, self._target_of(point), None)
                self.world.push(point, right, down)
                yield from self._move_hand_out(player, self._target_of(point))
            case Lift(player, points, to):
                for point in points:
                    yield from self._lift_stone(player, point, to)
                yield from self._move_hand_out(player, self._target_of(points[-1]))
            case Drop(player, colours):
                yield from self._empty_bowls(player, colours)
            case Give(player, colour, to):
                yield from self._give_stone(player, colour, to)
            case Press(player, button, is_held):
                yield from self._press_button(player, button, is_held)
            case Lean(player, point, seconds):
                yield from self._move_hand_in(player, self._target_of(point), None)
                self._push_button(player, Button.DONE, False)
                yield from self._show_scene(
                    self._build_scene(Hand(self._target_of(point), self._arm_side(player), 1.0)), seconds
                )
                yield from self._move_hand_out(player, self._target_of(point))
            case Wait(seconds):
                yield from self._wait_seconds(seconds)

    def _press_button(self, player: Colour, button: Button, is_held: bool) -> Iterator[Happening]:
        yield from self._wait_seconds(POSE)
        lasts = self._push_button(player, button, is_held)
        yield from self._wait_seconds((floor(lasts * self._tempo.rate + SAME) + 2) / self._tempo.rate)

    def _push_button(self, player: Colour, button: Button, is_held: bool) -> float:
        """Press a button now; return the seconds until it comes up."""
        side = 0 if button is Button.PAUSE else self.world.side(player)
        down, lasts = self._frames / self._tempo.rate, HOLD if is_held else PRESS
        self._coming = [Edge(side, button, True, down), Edge(side, button, False, round(down + lasts, 6))]
        self._edges += self._coming
        if side:
            self.presses.append(Pressed(down + (HELD if is_held else lasts), side, button, is_held))
        return lasts

    def _play_stone(self, player: Colour, point: Point, leaving: tuple[Point, ...], to: Place) -> Iterator[Happening]:
        captured = self.world.position.place(player, point).captured
        yield from self._place_stone(player, player, point, stay=True)
        for captured_point in points_of(captured):
            if captured_point not in leaving:
                yield from self._lift_stone(player, captured_point, to)
        yield from self._move_hand_out(player, self._target_of(point))

    def _place_stone(self, player: Colour, colour: Colour, point: Point, stay: bool = False) -> Iterator[Happening]:
        target = self._target_of(point)
        yield from self._move_hand_in(player, target, colour)
        self.world.place(colour, point)
        yield from self._show_hand(player, target, 1.0)
        if not stay:
            yield from self._move_hand_out(player, target)

    def _lift_stone(self, player: Colour, point: Point, to: Place) -> Iterator[Happening]:
        yield from self._show_hand(player, self._target_of(point), 1.0)
        colour = self.world.lift(point)
        yield from self._show_hand(player, self._target_of(point), 0.9, colour)
        yield from self._bring_stone(player, colour, to)

    def _empty_bowls(self, player: Colour, colours: tuple[Colour, ...]) -> Iterator[Happening]:
        """Move one stone after the other out of the bowls, which the camera does not see."""
        own = self.world.side(player)
        target = self._table.lid_point(self._lids[own - 1])
        for colour in colours:
            yield from self._move_hand_in(player, target, colour)
            self.world.drop(own, colour)
            yield from self._show_hand(player, target, 1.0)
        yield from self._move_hand_out(player, target)

    def _give_stone(self, player: Colour, colour: Colour, to: Place) -> Iterator[Happening]:
        own = self.world.side(player)
        target = self._table.lid_point(self._lids[own - 1])
        yield from self._move_hand_in(player, target, None)
        self.world.take(own, colour)
        yield from self._show_hand(player, target, 0.9, colour)
        yield from self._bring_stone(player, colour, to)
        yield from self._move_hand_out(player, target)

    def _spread_stones(self, player: Colour, *sides: int) -> Iterator[Happening]:
        """Spread the stones in the lids of these sides."""
        for side in sides:
            target = self._table.lid_point(self._lids[side - 1])
            yield from self._move_hand_in(player, target, None)
            self.world.spread(side)
            yield from self._show_hand(player, target, 1.0)
            yield from self._move_hand_out(player, target)

    def _bring_stone(self, player: Colour, colour: Colour, to: Place) -> Iterator[Happening]:
        """Move the stone in the hand into a lid or beside it, or out of the picture."""
        if to is Place.HAND:
            self.world.stones_in_hand[player] = (*self.world.stones_in_hand.get(player, ()), colour)
        if to in (Place.SUPPLY, Place.HAND) or not self.world.has_lids:
            return
        if to is Place.BESIDE:
            yield from self._lay_beside(player, colour)
            return
        side = self.world.side(player) if to is Place.OWN else 3 - self.world.side(player)
        target = self._table.lid_point(self._lids[side - 1])
        yield from self._show_hand(player, target, 0.9, colour)
        self.world.drop(side, colour)
        yield from self._show_hand(player, target, 0.9)

    def _lay_beside(self, player: Colour, colour: Colour) -> Iterator[Happening]:
        """Move the stone in the hand onto the table beside the own lid."""
        own = self.world.side(player) - 1
        stone = self._table.beside_lid(self._lids[own], colour, self.world.rng)
        target = self._table.board_point(stone)
        yield from self._show_hand(player, target, 0.9, colour)
        self.world.beside[own] = (*self.world.beside[own], stone)
        yield from self._show_hand(player, target, 0.9)

    def _gather_stones(self, player: Colour, closing: bool) -> Iterator[Happening]:
        """Move the stones beside the own lid, or in the hand, into it."""
        own = self.world.side(player) - 1
        target = self._table.lid_point(self._lids[own])
        loose, self.world.beside[own] = self.world.beside[own], ()
        for stone in loose:
            yield from self._move_hand_in(player, self._table.board_point(stone), None)
        colours = (*self.world.stones_in_hand.pop(player, ()), *(stone.colour for stone in loose))
        for colour in colours:
            yield from self._show_hand(player, target, 0.9, colour)
        if closing:
            self._push_button(player, Button.DONE, False)
            yield from self._show_scene(
                self._build_scene(Hand(target, self._arm_side(player), 0.9, colours[-1])), LINGERS
            )
        for colour in colours:
            self.world.drop(own + 1, colour)
        yield from self._move_hand_out(player, target)

    def _move_hand_in(self, player: Colour, target: Target, holding: Colour | None) -> Iterator[Happening]:
        for reach in (*COMING, 1.0):
            yield from self._show_hand(player, target, reach, holding)

    def _move_hand_out(self, player: Colour, target: Target) -> Iterator[Happening]:
        for reach in GOING:
            yield from self._show_hand(player, target, reach)

    def _show_hand(
        self, player: Colour, target: Target, reach: float, holding: Colour | None = None
    ) -> Iterator[Happening]:
        return self._show_scene(self._build_scene(Hand(target, self._arm_side(player), reach, holding)), POSE)

    def _arm_side(self, player: Colour) -> str:
        return ARMS[len(self.world.players)][self.world.side(player) - 1]

    def _build_scene(self, hand: Hand | None = None) -> Scene:
        one, two = (self.world.lids[self._lids.index(lid)] for lid in (0, 1))
        pushed = self.world.pushed.items()
        nudges = tuple(Nudge(*divmod(point, self.world.board.cols), right, down) for point, (right, down) in pushed)
        return Scene(rows_of(self.world.position), (one, two), hand, nudges, loose=sum(self.world.beside, ()))

    def _target_of(self, point: Point) -> Target:
        row, col = divmod(point, self.world.board.cols)
        return col / (self.world.board.cols - 1), row / (self.world.board.rows - 1)


def _player_closing(act: Act) -> Colour | None:
    """Return the player who presses `done` with this act."""
    match act:
        case Lean(player=player) | Bring(player=player, closing=True) | Press(player, Button.DONE, is_held=False):
            return player
    return None
