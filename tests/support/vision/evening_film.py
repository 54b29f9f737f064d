"""A film of an evening: two games on one table, and what is read from it."""

from __future__ import annotations

import cv2

from device.__main__ import main
from referee.game.board import board_of
from referee.sgf.records import read_sgf
from vision.render.looks import club_look
from vision.render.scene import Scene
from vision.render.table import Table

RATE, WIDTH, HEIGHT = 10, 960, 540


STAYS = 9
"""Frames that each position lies there."""


FIRST = ["D4", "F6", "D6", "F4", "E5", "G7"]


SECOND = ["C7", "G3", "C3", "G7", "E6"]


def film_evening(path):
    """Film six moves on 9 lines, the last taken back for another; then five on a board that is empty again."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), RATE, (WIDTH, HEIGHT))
    for size, lines in ((9, [FIRST[:k] for k in range(7)] + 2 * [[*FIRST[:5], "C3"]]), (9, lines_of(SECOND))):
        table = Table(club_look(4, size, WIDTH, HEIGHT))
        for number, line in enumerate(lines):
            pictures = [table.draw(Scene(rows(line, size)), 3 * number + k).pixels for k in range(3)]
            for k in range(STAYS + 10 * (not line)):
                writer.write(pictures[k % 3])
    writer.release()


def lines_of(moves):
    return [moves[:k] for k in range(len(moves) + 1)]


def rows(moves, size):
    board = board_of(size)
    stones = {board.point(move): "XO"[number % 2] for number, move in enumerate(moves)}
    return tuple("".join(stones.get(row * size + col, ".") for col in range(size)) for row in range(size))


def watch(capsys, *args):
    status = main(["watch", *map(str, args)])
    output = capsys.readouterr()
    return status, output.out, output.err


def moves(path):
    setup, turns = read_sgf(path.read_bytes())
    board = setup.record().position.board
    return [board.name(turn.point) for turn in turns]
