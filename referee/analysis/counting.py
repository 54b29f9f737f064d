"""The situation of a two-player game counted by area or territory: everything that its margin depends on."""

from __future__ import annotations

from dataclasses import dataclass

from referee.analysis.moves import Moves
from referee.analysis.situation import BLACK, WHITE, Stones, stone_pair
from referee.analysis.tally import AREA, TERRITORY, Tally
from referee.game.board import Board, Colour, Position
from referee.game.record import GameRecord, Scoring
from referee.game.turns import Placement
from referee.rules.opening_and_end import is_last_a_pass, must_pass
from referee.score.methods import count_prisoners, white_receives

TALLIES: dict[Scoring, Tally] = {Scoring.AREA: AREA, Scoring.TERRITORY: TERRITORY}
KO_RULES = ("simple", "positional", "situational", "natural-situational")
ENDINGS = ("two-passes", "pass-stones")


@dataclass(frozen=True)
class CountedSituation:
    """Everything that the margin depends on.

    Attributes:
        board: the board.
        stones: Black's and White's stones.
        to_play: the player to move.
        tally: the way of counting.
        earlier: the boards that stood before.
        banned: those of them that no move may lead to now.
        superko: no board may ever repeat.
        retaken: the board that retaking a ko would bring back, None if no ko was taken.
        passed: the newest turn was a pass.
        white_last: only White's pass ends the game.
        difference: Black's prisoners less White's, if prisoners count.
        to_white: komi and compensation, in points.
    """

    board: Board
    stones: Stones
    to_play: Colour = BLACK
    tally: Tally = AREA
    earlier: frozenset[Stones] = frozenset()
    banned: frozenset[Stones] = frozenset()
    superko: bool = False
    retaken: Stones | None = None
    passed: bool = False
    white_last: bool = False
    difference: int = 0
    to_white: float = 0

    @property
    def turn(self) -> int:
        """Return 0 if Black is to move, 1 if White is."""
        return (BLACK, WHITE).index(self.to_play)


def counted_situation(record: GameRecord) -> CountedSituation | None:
    """Return the situation of a game whose margin can be computed; None if it cannot.

    It can if area or territory is counted, two passes end play, suicide is illegal, and the ko rule depends on
    positions alone. After the end, and while handicap turns are due, it cannot.
    """
    rules = record.rules
    tally = TALLIES.get(rules.scoring)
    fits = rules.ending.name in ENDINGS and rules.ko.name in KO_RULES and rules.suicide.name == "none"
    due = record.handicap and (rules.handicap.stones_to_place(record) or must_pass(record))
    if tally is None or not fits or record.ended or record.players != 2 or due:
        return None
    now, method = stone_pair(record.position.stones), rules.scoring.value
    earlier = frozenset(stone_pair(one.position.stones) for one in record.iterate_back()) - {now}
    black, white = count_prisoners(record) if tally is TERRITORY else (0, 0)
    return CountedSituation(
        record.position.board,
        now,
        record.to_play,
        tally,
        earlier,
        _ko_bans(record, now, earlier),
        rules.ko.name == "positional",
        _stones_before_newest(record),
        is_last_a_pass(record),
        rules.ending.name == "pass-stones",
        black - white,
        white_receives(record, method),
    )


def _stones_before_newest(record: GameRecord) -> Stones | None:
    """Return the board before the newest turn, if that was a placement."""
    before = record.before
    is_placement = before is not None and isinstance(record.turn, Placement)
    return stone_pair(before.position.stones) if before is not None and is_placement else None


def _ko_bans(record: GameRecord, now: Stones, earlier: frozenset[Stones]) -> frozenset[Stones]:
    board, player = record.position.board, record.to_play
    moves = Moves(board).placements_of(now, (BLACK, WHITE).index(player))
    back = [move for move in moves if move.after in earlier]
    ko = record.rules.ko
    return frozenset(
        move.after
        for move in back
        if ko.find_prohibition(record, Placement(player, move.point), Position(board, move.after)) is not None
    )
