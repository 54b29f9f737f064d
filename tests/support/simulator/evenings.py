"""A club evening on one drawn table, as a film: games on boards of several sizes, and what people do besides.

Six games on 9, 13 and 19 lines, in an order drawn by lot. Players think, lean over the board, and take moves back: then
stones are lifted, captured ones are put back, and other moves are played. After a game the board is cleared by handfuls
and another is put there; twice the table is cleared first, covered with a cloth, and used for coffee. All is made from
the seed. What was played, moves taken back left out, is the truth.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import cv2
import numpy as np

from device.simulator.script import Act, Lift, Place, Play, Put, Script, Step, Wait
from device.simulator.table import Happening, Performance, SimulatedFrame, Tempo
from referee.game.board import Colour, Position, points_of
from referee.game.record import GameRecord
from referee.game.turns import Turn
from referee.rules.legality import judge
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from tests.support.negatives.paper import text
from tests.support.simulator.game_scripts import placement
from tests.support.vision.troubles import Cup, LeaningPlayer, Visit, stuff
from vision.camera.frame import Image
from vision.render.looks import club_look
from vision.render.scene import Appearance, Hand, Scene
from vision.render.table import Table

SIZES = (9, 9, 13, 13, 19, 19)
LENGTHS = {9: 28, 13: 44, 19: 60}
"""Moves of a game by the board's size, those taken back left out."""
WIDTH, HEIGHT = 1280, 720
REST = 0.9
"""Seconds without a hand after each move, at least."""
BACK = 12
"""Once in so many moves some are taken back."""
HANDFULS = 7
AFTER = 12.0
"""Seconds that the final position lies there, and afterwards an empty board."""
LEANS = 6.0
COPIES = 4
"""Pictures of one scene with noise of their own, shown in turn."""


@dataclass(frozen=True)
class Plan:
    """A plan to draw an evening. minutes: about how long it lasts. rate: frames a second. games: so many of its six."""

    seed: int
    minutes: float
    rate: float = 10.0
    games: int = 6

    @property
    def sizes(self) -> list[int]:
        """Of the boards, in the order of the evening."""
        return random.Random(f"evening {self.seed}").sample(SIZES, len(SIZES))[: self.games]

    @property
    def spare(self) -> float:
        """Seconds for thought and breaks, beside those in which something happens."""
        moves = sum(LENGTHS[size] for size in self.sizes)
        return max(60.0 * self.minutes - 1.7 * moves - 50 * self.games, 10.0 * self.games)


@dataclass(frozen=True)
class ClubGame:
    """A game with its moves taken back. turns: as they stand in the end. steps: what is done at the table."""

    size: int
    turns: tuple[Turn, ...]
    steps: tuple[Step, ...]


def games_of(plan: Plan) -> list[ClubGame]:
    """Return the games that are played in the evening."""
    return [club_game(size, 10 * plan.seed + number) for number, size in enumerate(plan.sizes)]


def film_evening(plan: Plan, out: Path) -> None:
    """Draw the evening into the video file `out`."""
    writer = cv2.VideoWriter(str(out), cv2.VideoWriter.fourcc(*"mp4v"), plan.rate, (WIDTH, HEIGHT))
    for picture in _evening(plan, games_of(plan)):
        writer.write(picture)
    writer.release()


# The games


def club_game(size: int, seed: int) -> ClubGame:
    """Seeded moves, of which some are taken back for others."""
    chance = random.Random(f"club {size} {seed}")
    record = Setup(rule_set("chinese"), size=(size, size)).record()
    steps: list[Step] = []
    while record.number < LENGTHS[size]:
        turn = placement(record, chance)
        after = judge(record, turn).after
        assert after is not None
        record = after
        steps.append((Play(turn.player, turn.point),))
        if 3 < record.number < LENGTHS[size] - 6 and chance.random() < 1 / BACK:
            before = _earlier(record, chance.choice((1, 1, 2, 2, 3)))
            steps.append(_put_back(record.position, before.position, turn.player))
            record = before
    return ClubGame(size, record.turns, tuple(steps))


def _earlier(record: GameRecord, back: int) -> GameRecord:
    for _ in range(back):
        record = record.taken_back()
    return record


def _put_back(now: Position, before: Position, player: Colour) -> Step:
    """Lift what was placed, and put back what was captured."""
    lifted_points = tuple(points_of(now.occupied & ~before.occupied))
    acts: list[Act] = [Lift(player, lifted_points, Place.SUPPLY)] if lifted_points else []
    for colour in (Colour.BLACK, Colour.WHITE):
        acts += [Put(player, colour, point) for point in points_of(before.stones_of(colour) & ~now.stones_of(colour))]
    return tuple(acts)


# The film


def _evening(plan: Plan, games: Sequence[ClubGame]) -> Iterator[Image]:
    chance = random.Random(f"breaks {plan.seed}")
    coffee = set(chance.sample(range(1, max(2, len(games))), min(2, len(games) - 1)))
    shares = [chance.expovariate(1) for _ in coffee]
    breaks = 0.3 * plan.spare if coffee else 0.0
    thought = (plan.spare - breaks) / len(games)
    for number, game in enumerate(games):
        sitting = _Sitting(plan, number, game)
        if number in coffee:
            yield from sitting.coffee(breaks * shares.pop() / (sum(shares) + 1) if shares else breaks / 2)
        yield from sitting.played(thought)
        yield from sitting.cleared()


class _Sitting:
    """One game at the table, which is the same all evening; the board is another."""

    def __init__(self, plan: Plan, number: int, game: ClubGame) -> None:
        self._plan, self._game = plan, game
        self._chance = random.Random(f"sitting {plan.seed} {number}")
        self._table = Table(look_of(plan.seed, game.size))
        self._script = Script(game.size, plan.seed, 1 + number % 2, game.steps)
        self._kept: tuple[Scene, list[Image]] | None = None
        self._number = count()

    def played(self, thought: float) -> Iterator[Image]:
        """The game, with so many seconds of thought in it."""
        script = self._thoughtful(thought)
        leans, scene = self._leans(script), Scene(("." * self._game.size,) * self._game.size)
        for happening in self._acted(script):
            if isinstance(happening, SimulatedFrame):
                scene = happening.scene
                yield leans.over(self._picture(scene), happening.t)
        self._last = replace(scene, hand=None)
        yield from self._show(self._last, AFTER)

    def _thoughtful(self, thought: float) -> Script:
        """The script with pauses between its steps."""
        weights = [self._chance.expovariate(1) ** 2 for _ in self._game.steps]
        steps: list[Step] = []
        for step, weight in zip(self._game.steps, weights, strict=True):
            seconds = thought * weight / sum(weights)
            steps += [step, (Wait(seconds),)] if seconds > 1 else [step]
        return replace(self._script, steps=tuple(steps))

    def _acted(self, script: Script) -> Iterator[Happening]:
        return Performance(script, self._table, Tempo(self._plan.rate, REST)).happenings()

    def _leans(self, script: Script) -> LeaningPlayer:
        """Somebody leans over the board in some of the longer pauses."""
        visits: list[Visit] = []
        still, since = None, 0.0
        for happening in self._acted(script):
            if not isinstance(happening, SimulatedFrame):
                continue
            if happening.scene != still:
                if happening.t - since > 2 * LEANS and self._chance.random() < 0.4:
                    begin = since + LEANS / 2
                    visits.append(Visit(len(visits), begin, begin + 1, begin + LEANS - 1, begin + LEANS))
                still, since = happening.scene, happening.t
        cloth = stuff(self._plan.seed, (60, 70, 90), 0.3)
        return LeaningPlayer(self._table.view.grid, tuple(visits), cloth)

    def cleared(self) -> Iterator[Image]:
        """The stones are taken off by handfuls, and the empty board lies there for a while."""
        rows, size = [list(row) for row in self._last.rows], self._game.size
        stones = [(r, c) for r in range(size) for c in range(size) if rows[r][c] != "."]
        stones.sort(key=lambda at: at[1] + self._chance.uniform(-2, 2))
        for k in range(HANDFULS):
            for r, c in stones[k::HANDFULS] if k % 2 else stones[k * len(stones) // HANDFULS :][:9]:
                rows[r][c] = "."
            rest = [at for at in stones if rows[at[0]][at[1]] != "."]
            middle = rest[len(rest) // 2] if rest else (size // 2, size // 2)
            scene = replace(self._last, rows=tuple(map("".join, rows)), nudges=())
            hand = Hand((middle[1] / (size - 1), middle[0] / (size - 1)), "bottom", 1.0)
            yield from self._show(replace(scene, hand=hand), 0.6)
            yield from self._show(scene, self._chance.choice((0.2, 0.6, 2.5)))
        yield from self._show(replace(self._last, rows=("." * size,) * size, lids=((), ()), nudges=()), AFTER)

    def coffee(self, seconds: float) -> Iterator[Image]:
        """A cloth over the table, a newspaper, and cups that stand somewhere else every while."""
        covered = self._covered()
        spots = tuple((self._chance.uniform(250, 1000), self._chance.uniform(150, 600)) for _ in range(9))
        cups = [Cup(spots[k::3], 90.0 + 10 * k, every=17.0 + 5 * k) for k in range(3)]
        arm = LeaningPlayer(self._table.view.grid, _reaches(seconds, self._chance), stuff(7, (90, 110, 150), 0.3))
        for frame in range(round(seconds * self._plan.rate)):
            t = frame / self._plan.rate
            picture = covered[frame % COPIES]
            for cup in cups:
                picture = cup.over(picture, t + 30)
            yield arm.over(picture, t)

    def _covered(self) -> list[Image]:
        size, rng = self._game.size, np.random.default_rng([self._plan.seed, self._game.size])
        bare = self._table.draw(Scene(("." * size,) * size)).pixels
        tone = [self._chance.uniform(60, 220) for _ in range(3)]
        tile = stuff(self._plan.seed + 3, tone, 0.1)
        cloth = np.tile(tile, (3, 5, 1))[:HEIGHT, :WIDTH]
        paper = cv2.resize(text(rng), (240, 320), interpolation=cv2.INTER_AREA)
        cloth = np.ascontiguousarray(cloth)
        cloth[200:520, 880:1120] = paper
        edge = np.zeros((HEIGHT, WIDTH, 1), np.uint8)
        cv2.rectangle(edge, (40, 30), (WIDTH - 40, HEIGHT - 30), 1, -1)
        picture = np.where(edge > 0, cloth, bare).astype(np.int16)
        return [
            np.asarray(np.clip(picture + rng.normal(0, 1.5, picture.shape), 0, 255), np.uint8) for _ in range(COPIES)
        ]

    def _show(self, scene: Scene, seconds: float) -> Iterator[Image]:
        for _ in range(max(1, round(seconds * self._plan.rate))):
            yield self._picture(scene)

    def _picture(self, scene: Scene) -> Image:
        if self._kept is None or self._kept[0] != scene:
            self._kept = scene, []
        number, copies = next(self._number), self._kept[1]
        if len(copies) < COPIES:
            copies.append(self._table.draw(scene, number).pixels)
            return copies[-1]
        return copies[number % COPIES]


def look_of(seed: int, size: int) -> Appearance:
    """The evening's table with a board of that size, its points as far apart as on the largest."""
    return replace(club_look(seed, 19, WIDTH, HEIGHT), size=size, wood=club_look(seed + size, 19, WIDTH, HEIGHT).wood)


def _reaches(seconds: float, chance: random.Random) -> tuple[Visit, ...]:
    """Somebody reaches over the table now and then."""
    visits, t = list[Visit](), 2.0
    while t + 6 < seconds:
        visits.append(Visit(len(visits), t, t + 0.6, t + 1.6, t + 2.2))
        t += chance.uniform(8, 60)
    return tuple(visits)
