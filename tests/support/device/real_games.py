"""Real games under three rule sets: every turn legal, and illegal turns put between them refused one by one.

The illegal turns are chosen with sgfmill's own board, which knows nothing of ours. Besides, whole cycles of captures
are played out on an empty part of the board: what closes them is refused under superko and legal where only simple ko
bars repetition.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

from sgfmill.boards import Board as OtherBoard

from device.commands.judge import Judge
from referee.board import Colour, board_of
from referee.diagram import rows_of
from referee.rules.sets import RULESETS
from referee.rules.setup import Setup
from referee.turns import OFF_BOARD, Pass, Placement, Turn
from tests.support.device.cycles import cycle, somewhere
from tests.support.shared import cases

A_GAME = 20
BOARD = board_of(19)
Trial = tuple[Turn, str]


def games() -> list[dict[str, Any]]:
    with cases("real_games.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def point_at(row: int, col: int) -> int:
    """sgfmill counts rows from the bottom."""
    return (18 - row) * 19 + col


def drowning(board: OtherBoard, player: str) -> list[tuple[int, int]]:
    """The empty points where sgfmill takes the player's own stone off."""
    found = []
    for row in range(19):
        for col in range(19):
            if board.get(row, col) is None and all(board.get(*near) for near in around(row, col)):
                after = board.copy()
                after.play(row, col, player)
                if after.get(row, col) is None:
                    found.append((row, col))
    return found


def around(row: int, col: int) -> list[tuple[int, int]]:
    near = [(row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)]
    return [(r, c) for r, c in near if 0 <= r < 19 and 0 <= c < 19]


def trials(
    board: OtherBoard, player: str, ko: tuple[int, int] | None, again: str, chance: random.Random
) -> list[Trial]:
    """Illegal turns that this position has, each with its reason; again: that for taking back a ko."""
    mover, waiting = Colour(player.upper()), Colour("W" if player == "b" else "B")
    stones = [point_at(row, col) for _, (row, col) in board.list_occupied_points()]
    found: list[Trial] = [(Placement(mover, OFF_BOARD), "off-board")]
    found.append((Placement(waiting, chance.randrange(361)), "not-your-turn"))
    found += [(Placement(mover, point), "occupied") for point in chance.sample(stones, min(2, len(stones)))]
    drowned = [(Placement(mover, point_at(*at)), "surrounded") for at in drowning(board, player)]
    found += chance.sample(drowned, min(2, len(drowned)))
    return found + ([(Placement(mover, point_at(*ko)), again)] if ko else [])


def assert_all(rules: str, tally: Counter[str], count: int) -> None:
    """Every game had its illegal turns and at least one cycle, and each reason came up often."""
    rounds = tally.pop(ROUND[rules])
    assert tally.total() == count * A_GAME and rounds >= count, (tally, rounds)
    assert set(tally) == {*REASONS, TAKEN_BACK[rules]} and min(tally.values()) > count / 4, tally


REASONS = ("off-board", "not-your-turn", "occupied", "surrounded", "game-over")
TAKEN_BACK = {"japanese": "ko", "chinese": "ko", "positional": "superko"}
"""Why a ko is not taken back at once."""
ROUND = {"japanese": "cycle let pass", "chinese": "cycle let pass", "positional": "superko by a cycle"}
"""What becomes of the turn that would close a cycle longer than a ko."""


def judged(rules: str, game: dict[str, Any], chance: random.Random) -> Counter[str]:
    """Play a game and try illegal turns on the way; the number refused for each reason."""
    judge = Judge(Setup(RULESETS[rules], komi=game["komi"]).record())
    board, ko, refused = OtherBoard(19), None, Counter[str]()
    moves = game["moves"]
    stops = set(chance.sample(range(len(moves)), min(A_GAME - 2, len(moves))))
    rounds, late = Counter[str](), chance.randrange(len(moves))
    for number, (player, move) in enumerate(moves):
        if number in (0, late // 3, late):
            rounds += cycles(judge, chance)
        left = A_GAME - 2 - refused.total()
        if left and (number in stops or ko):
            assert rows_drawn(board) == rows_of(judge.record.position), f"before {player} {move}"
            choice = trials(board, player.lower(), ko, TAKEN_BACK[rules], chance)
            try_in_vain(judge, *(choice[-1] if ko else chance.choice(choice)), refused)
        play(judge, player, move)
        ko = None if move == "pass" else mirror(board, player.lower(), move)
    end(judge, A_GAME - refused.total(), chance, refused)
    return refused + rounds


def cycles(judge: Judge, chance: random.Random) -> Counter[str]:
    """A cycle, where there is room for one."""
    laid = somewhere(judge.record.position.occupied, chance)
    return Counter([cycle(judge, laid, chance)] if laid is not None else [])


def play(judge: Judge, player: str, move: str) -> None:
    colour = Colour(player)
    reply = judge.reply(Pass(colour) if move == "pass" else Placement(colour, BOARD.point(move)))
    assert reply["legal"], (player, move, reply)


def mirror(board: OtherBoard, player: str, move: str) -> tuple[int, int] | None:
    """Make the move on the other board too; the point where it sees a ko."""
    row, col = divmod(BOARD.point(move), 19)
    found: tuple[int, int] | None = board.play(18 - row, col, player)
    return found


def try_in_vain(judge: Judge, turn: Turn, reason: str, refused: Counter[str]) -> None:
    before = judge.record
    reply = judge.reply(turn)
    assert (reply["legal"], reply["reason"], reply["turn"]) == (False, reason, before.number + 1), (turn, reply)
    assert judge.record is before and reply["captured"] == []
    refused[reason] += 1


def end(judge: Judge, left: int, chance: random.Random, refused: Counter[str]) -> None:
    """End the game by passes and try what is left of the illegal turns after it."""
    while not judge.record.ended:
        judge.reply(Pass(judge.record.to_play))
    for _ in range(left):
        player = chance.choice((Colour.BLACK, Colour.WHITE))
        try_in_vain(
            judge, chance.choice((Placement(player, chance.randrange(361)), Pass(player))), "game-over", refused
        )


def rows_drawn(board: OtherBoard) -> tuple[str, ...]:
    symbols = {None: ".", "b": "X", "w": "O"}
    return tuple("".join(symbols[board.get(row, col)] for col in range(19)) for row in range(18, -1, -1))
