"""Proofs of life and death against a published collection: `python -m tests.benchmarks.regressions FOLDER`.

FOLDER has the regression tests of a Go program in GTP (`*.tst`): lines that set up a position from a game record, and
questions about a chain with the known answer. GNU Go's `regression/` is one (GPL: to measure with, not to copy from).
A chain that can be killed, or saved, by whoever moves first must be proved neither alive nor dead; one that no attack
kills must not be proved dead, and one that no defence saves must not be proved alive. Answers that the collection
itself marks as not reached by its program are asked too. Every proof that an answer contradicts is printed.

With `--scores` whole games whose result is known (`final_score`, Japanese rules) are counted with the proposal instead.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sgfmill import boards, sgf, sgf_moves

from referee.analysis.proposal import Proposal, propose_dead
from referee.game.board import COLUMN_LETTERS, Board, Mask
from referee.score.methods import Agreed, count
from tests.benchmarks.proposals import Game

ASKED = re.compile(r"(\d+) (unconditional_status|dragon_status|owl_attack|owl_defend) ([A-T]\d+)$")
ANSWER = re.compile(r"#\? \[(!?)(.*?)\]")
SET_UP = re.compile(r"loadsgf (\S+)(?: (\d+))?$")
SCORE = re.compile(r"#\? \[([BW]\\\+[0-9.]+)\]")
PLAY = re.compile(r"(?:play )?(black|white|b|w) ([A-T]\d+|pass)$", re.IGNORECASE)


@dataclass(frozen=True)
class Question:
    """A question about a chain.

    name: the file and the number.
    at: a point of the chain.
    may_live: the answer allows that the chain lives whoever moves first.
    may_die: it allows that it dies whoever moves first.
    """

    name: str
    at: str
    may_live: bool
    may_die: bool


@dataclass(frozen=True)
class Case:
    """A position, and the questions about it. stones: of Black and White, by their names."""

    size: int
    stones: tuple[frozenset[str], frozenset[str]]
    questions: tuple[Question, ...]


@dataclass
class _Session:
    """The board while a file of tests is read; each play keeps the board before it, to be undone."""

    folder: Path
    board: boards.Board | None = None
    before: list[boards.Board] = field(default_factory=list)

    def do(self, line: str) -> None:
        """Do a line that changes the board; other lines change nothing."""
        if (match := SET_UP.match(line)) is not None:
            self.board, self.before = _loaded(self.folder / match[1], match[2]), []
        elif self.board is not None and (match := PLAY.match(line)) is not None:
            self.before.append(self.board)
            self.board = self.board.copy()
            if match[2].lower() != "pass":
                row, column = _place(match[2])
                try:
                    self.board.play(row, column, match[1][0].lower())
                except ValueError:  # It follows a move that the program had to find.
                    self.board = None
        elif line == "undo" and self.before:
            self.board = self.before.pop()


def _loaded(path: Path, number: str | None) -> boards.Board | None:
    """Return the position of a record before the move with this number, after all moves without one."""
    try:
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
        board, moves = sgf_moves.get_setup_and_moves(game)
        for colour, at in moves[: int(number) - 1 if number else None]:
            if at is not None:
                board.play(*at, colour)
    except (OSError, ValueError):
        return None
    return board


def _place(name: str) -> tuple[int, int]:
    return int(name[1:]) - 1, COLUMN_LETTERS.index(name[0].upper())


def _name(row: int, column: int) -> str:
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def _question(name: str, kind: str, at: str, negated: str, answer: str) -> Question | None:
    """Return a question with what its answer allows; None if the answer is no plain one."""
    if negated or not answer:
        return None
    if kind.endswith("_status"):
        word = answer.split()[0]
        if word not in ("alive", "dead", "critical"):
            return None
        return Question(name, at, word == "alive", word == "dead")
    if answer == "0":
        return Question(name, at, kind == "owl_attack", kind == "owl_defend")
    if answer[0] in "123" and "|0" not in answer:
        return Question(name, at, kind == "owl_defend", kind == "owl_attack")
    return None


def cases(folder: Path) -> Iterator[Case]:
    """Yield the positions with questions, file by file."""
    for path in sorted(folder.glob("*.tst")):
        yield from _cases_of(path, folder)


def _cases_of(path: Path, folder: Path) -> Iterator[Case]:
    session, by_position = _Session(folder), dict[tuple[int, tuple[frozenset[str], frozenset[str]]], list[Question]]()
    waiting: tuple[str, str, str] | None = None
    for line in path.read_text(errors="replace").splitlines():
        answer = ANSWER.match(line)
        if answer is not None and waiting is not None and session.board is not None:
            question = _question(*waiting, answer[1], answer[2])
            if question is not None:
                by_position.setdefault((session.board.side, _stones_of(session.board)), []).append(question)
        match = ASKED.match(line.strip())
        if line.strip() and not line.startswith("#"):
            waiting = (f"{path.name} {match[1]}", match[2], match[3]) if match is not None else None
        session.do(line.strip())
    for (size, stones), questions in by_position.items():
        yield Case(size, stones, tuple(questions))


def _stones_of(board: boards.Board) -> tuple[frozenset[str], frozenset[str]]:
    placed = [
        (colour, "ABCDEFGHJKLMNOPQRST"[column] + str(row + 1)) for colour, (row, column) in board.list_occupied_points()
    ]
    black, white = (frozenset(at for colour, at in placed if colour == one) for one in "bw")
    return black, white


def finished(folder: Path) -> Iterator[tuple[str, Game]]:
    """Yield each game whose final score is asked, with the name of its record; a game with set-up is left out."""
    for path in sorted(folder.glob("*.tst")):
        record = ""
        for line in path.read_text(errors="replace").splitlines():
            if (match := SET_UP.match(line)) is not None:
                record = "" if match[2] else match[1]
            elif (result := SCORE.match(line)) is not None and record:
                game = _finished(folder / record, result[1].replace("\\", ""))
                if game is not None:
                    yield record, game
                record = ""


def _finished(path: Path, result: str) -> Game | None:
    try:
        game = sgf.Sgf_game.from_bytes(path.read_bytes())
    except (OSError, ValueError):
        return None
    if game.get_root().has_setup_stones():
        return None
    moves = [move for move in (node.get_move() for node in game.get_main_sequence()) if move[0] is not None]
    while moves and moves[-1][1] is None:
        moves.pop()
    named = tuple((colour.upper(), "pass" if at is None else _name(*at)) for colour, at in moves)
    return Game("Japanese", game.get_size(), game.get_komi(), result, named)


def _count_games(folder: Path) -> int:
    met, total = 0, 0
    for name, game in finished(folder):
        record = game.record()
        black, white = record.position.stones[:2]
        result = str(count(record, Agreed(propose_dead(record.position.board, (black, white)).dead)).result)
        total, met = total + 1, met + game.has_result(result)
        if not game.has_result(result):
            print(f"{name}: {result}; known: {game.result}", flush=True)
    print(f"{met} of {total} results met")
    return 0


def _judge(case: Case, tally: Counter[str]) -> None:
    board = Board(case.size, case.size)
    black, white = (sum(1 << board.point(at) for at in own) for own in case.stones)
    proposal = propose_dead(board, (black, white))
    for question in case.questions:
        at = 1 << board.point(question.at)
        chain = next((board.flood(at, own) for own in (black, white) if own & at), 0)
        if chain:
            _compare(question, chain, proposal, tally)


def _compare(question: Question, chain: Mask, proposal: Proposal, tally: Counter[str]) -> None:
    kind = "not dead" if question.may_live else "not alive" if question.may_die else "open"
    tally[f"{kind}: asked"] += 1
    if not chain & proposal.proved:
        return
    is_dead = bool(chain & proposal.dead)
    tally[f"{kind}: proved {'dead' if is_dead else 'alive'}"] += 1
    if not (question.may_die if is_dead else question.may_live):
        tally["contradicted"] += 1
        print(
            f"{question.name} {question.at}: proved {'dead' if is_dead else 'alive'}, and the answer says {kind}",
            flush=True,
        )


def main() -> int:
    """Ask; return 1 if an answer contradicts a proof."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--most", type=int, default=10_000, help="at most so many positions, spread over the files")
    parser.add_argument("--scores", action="store_true", help="count the whole games whose result is known")
    args = parser.parse_args()
    if args.scores:
        return _count_games(args.folder)
    all_cases = list(cases(args.folder))
    step = max(1, len(all_cases) // args.most)
    tally, begun = Counter[str](), time.process_time()
    chosen = all_cases[::step]
    for case in chosen:
        _judge(case, tally)
    spent = time.process_time() - begun
    print(f"{len(chosen)} of {len(all_cases)} positions, {spent / max(len(chosen), 1):.2f} s of processor time each")
    for line, many in sorted(tally.items()):
        print(f"{many:6} {line}")
    return 1 if tally["contradicted"] else 0


if __name__ == "__main__":
    sys.exit(main())
