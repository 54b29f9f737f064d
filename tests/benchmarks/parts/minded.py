"""Turns at a drawn table that capture a stone each, put into the lid or not, before a box that minds it.

Three kos on one board are taken in turn, a capture a turn, from a start at which their stones already lie. What the box
gets are pictures and edges; beside it a second box hears the very same and minds nothing, so that whatever differs
between both comes of the reminder: their clocks, sounds, notices and rulings must not.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from device.journal.entries import Terms, as_journaled
from device.journal.replay import Folder
from device.panel.panel import Edge
from device.panel.signals import Sound
from device.simulator.script import Bring, Place, Play, Press, Script, Step, Wait
from device.simulator.stage import Photographer
from device.simulator.table import Performance, SimulatedFrame, StepTruth
from device.table.controller import TableController
from referee.game.board import Colour, Position, mask_of, points_of
from referee.game.diagram import position_of
from referee.game.ruling import Reply
from referee.game.turns import Placement
from referee.inference.missing_prisoners import MissingPrisonerPenalty
from referee.rules.legality import judge, legal_placements
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.table.display_state import Sight, Task
from referee.table.events import Button
from referee.table.table import TableConfig
from referee.time.controls import read_control
from tests.support.simulator.rehearsing import TEMPO, SeenLamps
from vision.camera.frame import Frame
from vision.render.looks import club_look
from vision.render.table import Table
from vision.tracking.tracker import BoardTracker, TrackerConfig

RULES = ("japanese", "chinese", "simple")
"""Rules under which three kos may be taken in turn for ever."""
FOLLOWS = (MissingPrisonerPenalty.TOLD, MissingPrisonerPenalty.CAUTION, MissingPrisonerPenalty.POINTS)
SIZES = (9, 13, 19)
HELD_BY_WHITE, HELD_BY_BLACK = (".XO.", "XO.O", ".XO."), (".XO.", "X.XO", ".XO.")
"""A ko: White's stone in it, or Black's."""
INTO_LID, ON_ITS_WAY = "put into the lid", "dropped into it just after the press"
WAYS = {
    INTO_LID: 0.45,
    ON_ITS_WAY: 0.11,
    "laid beside the lid": 0.11,
    "kept in the hand": 0.11,
    "put back into the bowl": 0.11,
    "put into the opponent's lid": 0.11,
}
"""Fates of a captured stone, and their probabilities."""
PLACES = dict(zip(WAYS, (Place.OWN, Place.HAND, Place.BESIDE, Place.HAND, Place.SUPPLY, Place.OTHER), strict=True))
PUT_RIGHT = 0.5
"""The probability that a stone beside the lid or in the hand is put into the lid during the opponent's turn."""
ALL_ROUND = 4
CONTROL = "20m+5x30s"


@dataclass(frozen=True)
class KoCapture:
    """A turn: the ko that is taken, and what becomes of the stone."""

    player: Colour
    point: int
    way: str

    @property
    def missing(self) -> bool:
        """Return True if the stone is neither in the lid nor on its way there."""
        return self.way not in (INTO_LID, ON_ITS_WAY)


@dataclass
class TurnTally:
    """The outcome of turns, by the fate of the stone: how many there were, were ruled on, and led to a reminder. wrong:
    what may never be."""

    turns: Counter[str] = field(default_factory=Counter)
    ruled: Counter[str] = field(default_factory=Counter)
    reminders: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, other: TurnTally) -> None:
        """Add the outcome of other turns."""
        self.turns += other.turns
        self.ruled += other.ruled
        self.reminders += other.reminders
        self.wrong += other.wrong


class Heard(SeenLamps):
    """Lamps that are seen, and all sounds."""

    def __init__(self) -> None:
        super().__init__()
        self.sounds: list[Sound] = []

    def sound(self, sound: Sound) -> None:
        """One more."""
        self.sounds.append(sound)


class Minding:
    """One table, made from its seed, with both boxes."""

    def __init__(self, folder: Path, seed: int, many: int) -> None:
        self._chance, size = random.Random(f"prisoners {seed}"), SIZES[seed % len(SIZES)]
        self._name, self._rows = f"table {seed}", start(size, self._chance)
        self.turns = tuple(_turns(self._rows, many, self._chance))
        black = self._chance.randint(1, 2)
        steps = ((Wait(4.0),), *self._steps(), (Wait(3.0),))
        self._table = Table(club_look(seed, size, 1280, 720))
        self._photographer = Photographer(self._table)
        setup = Setup(rule_set(RULES[seed % len(RULES)]), size=(size, size), board=self._rows)
        self._panels = Heard(), Heard()
        follows = FOLLOWS[seed // len(RULES) % len(FOLLOWS)], None
        self.boxes = tuple(
            TableController(
                Terms(setup, TableConfig(True, black, control=read_control(CONTROL), prisoners=one)),
                Folder(folder / str(number)),
                panel,
                lambda snapshot: None,
            )
            for number, (one, panel) in enumerate(zip(follows, self._panels, strict=True))
        )
        script = Script(size, seed, black, steps)
        self._performance = Performance(script, self._table, TEMPO, lambda: self._panels[0].lamps)
        self._performance.world.position = position_of(self._rows)
        self._performance.world.lids = [(), ()]
        self._observer, self._frames, self._heard = BoardTracker(TrackerConfig()), 0, 0
        self.minded = TurnTally(turns=Counter(turn.way for turn in self.turns))

    def _steps(self) -> Iterator[Step]:
        """Each turn, after the other has put right what they have in the hand or beside the lid, or has not."""
        open_ = set[Colour]()
        for turn in self.turns:
            for player in sorted(open_ - {turn.player}):
                open_.discard(player)
                yield (Bring(player),)
            play = Play(turn.player, turn.point, to=PLACES[turn.way])
            yield (play, Bring(turn.player, True) if turn.way == ON_ITS_WAY else Press(turn.player, Button.DONE))
            if PLACES[turn.way] in (Place.BESIDE, Place.HAND) and self._chance.random() < PUT_RIGHT and turn.missing:
                open_.add(turn.player)

    def play(self) -> TurnTally:
        """All turns; what came of them."""
        for happening in self._performance.happenings():
            match happening:
                case Edge():
                    for box in self.boxes:
                        box.take_edge(happening)
                case SimulatedFrame():
                    self._see(Frame(self._photographer.picture(happening.scene, self._frames), happening.t))
                    self._frames += 1
                case StepTruth():
                    pass
            self._compare(happening.t)
        self._sum_up()
        for box in self.boxes:
            box.close()
        return self.minded

    def _see(self, frame: Frame) -> None:
        agreed, place = self._observer.see(frame), self._observer.place
        observation = agreed or self._observer.standing
        stored_observation = as_journaled(observation) if observation is not None else None
        for box in self.boxes:
            box.tick(frame.t)
            if place is not None and place != box.place:
                box.handle_positions(place, frame.t)
            box.sight(Sight.SEARCHING if place is None else Sight.SEEN, frame.t)
            if stored_observation is not None:
                box.handle_observation(stored_observation)

    def _compare(self, t: float) -> None:
        """Nothing but a lamp may differ, and what is kept."""
        one, other = (box.snapshot for box in self.boxes)
        pairs = {
            "clocks": (one.game.clocks, other.game.clocks),
            "turns": (one.game.turns, other.game.turns),
            "rulings": (one.game.rulings, other.game.rulings),
            "what is said": (one.notice, other.notice),
            "state": (one.display_state.state, other.display_state.state),
            "sounds": (self._panels[0].sounds, self._panels[1].sounds),
        }
        differ = [what for what, pair in pairs.items() if pair[0] != pair[1]]
        self.minded.wrong += [f"{self._name} at {t:.1f}: other {what}" for what in differ]
        notices = list(reminders(one.game.answers))
        if len(notices) > self._heard:
            task = one.display_state.task_of(notices[-1].player or Colour.BLACK)
            if task is not Task.PRISONERS:
                self.minded.wrong.append(f"{self._name} at {t:.1f}: told, and the lamp is that of {task}")
        self._heard = len(notices)

    def _sum_up(self) -> None:
        game = self.boxes[0].snapshot.game
        numbers = {number_of(reply) for reply in reminders(game.answers)}
        for number, turn in enumerate(self.turns, 1):
            if number > len(game.turns):
                continue
            self.minded.ruled[turn.way] += 1
            self.minded.reminders[turn.way] += number in numbers
            if number in numbers and not turn.missing:
                self.minded.wrong.append(f"{self._name}, turn {number}: told, though it was {turn.way}")


def reminders(answers: Sequence[object]) -> Iterator[Reply]:
    """Return the reminders of captured stones among the answers."""
    return (answer for answer in answers if isinstance(answer, Reply) and answer.quiet)


def number_of(reminder: Reply) -> int:
    """The turn that it tells of."""
    return next(int(str(value)) for part in reminder.message.then for key, value in part.args if key == "turn")


def start(size: int, chance: random.Random) -> tuple[str, ...]:
    """The stones of three kos that touch nowhere, two of them White's, somewhere on the board."""
    rows, kos = [list("." * size) for _ in range(size)], [HELD_BY_WHITE, HELD_BY_WHITE, HELD_BY_BLACK]
    chance.shuffle(kos)
    for (top, left), ko in zip(_places(size, chance), kos, strict=True):
        for down, row in enumerate(ko):
            rows[top + down][left : left + len(row)] = row
    return tuple(map("".join, rows))


def _places(size: int, chance: random.Random) -> Iterator[tuple[int, int]]:
    """Row and column of each: one below the other, or on a small board two side by side above the third."""
    tall, wide = len(HELD_BY_BLACK), len(HELD_BY_BLACK[0])
    band = size // 3
    if band > tall:
        for top in range(0, 3 * band, band):
            yield top + chance.randint(0, band - tall - 1), chance.randint(0, size - wide)
    else:
        below = chance.randint(tall + 1, size - tall)
        yield below, chance.randint(0, size - wide)
        yield chance.randint(0, below - tall - 1), 0
        yield chance.randint(0, below - tall - 1), size - wide


def _turns(rows: tuple[str, ...], many: int, chance: random.Random) -> Iterator[KoCapture]:
    """So many captures, each of a stone in a ko: where one was just taken back another can be."""
    record = Setup(rule_set("japanese"), board=rows).record()
    kos = mask_of(filter(partial(_is_hole, record.position), points_of(record.position.empty)))
    for _ in range(many):
        open_, place = legal_placements(record) & kos, record.position.place
        point = chance.choice([one for one in points_of(open_) if place(record.to_play, one).captured])
        yield KoCapture(record.to_play, point, chance.choices(list(WAYS), list(WAYS.values()))[0])
        after = judge(record, Placement(record.to_play, point)).after
        assert after is not None
        kos |= record.position.occupied & ~after.position.occupied
        record = after


def _is_hole(position: Position, point: int) -> bool:
    """Return True if four stones stand round an empty point."""
    return (position.board.adjacent_to(1 << point) & position.occupied).bit_count() == ALL_ROUND
