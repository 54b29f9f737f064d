"""`shinpan analyse`: the worth of every turn of a game: exact, as bounds, or not known."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from device.cli.console import Assumptions, count_in_words, is_interactive, with_progress
from device.cli.judge import Answer, yield_answers
from device.cli.options import FILE, TEXT, Exit, NumberRange, declare_command, json_option, print_note, rules_option
from device.cli.score import play_act
from device.files import check_place, write_whole
from device.match.game_files import RESUME, NumberedLines, opened_game, read_act, resume_play
from device.table.worth import LONGEST, SECONDS, worth_within
from referee.analysis import move_cost
from referee.analysis.figures import NOT_KNOWN, Worth
from referee.codec import cost_to_json, worth_to_json
from referee.game.errors import BadRecord
from referee.game.turns import Settlement, Turn
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.annotations import MoveMark, SgfAnnotations
from referee.sgf.reader import ReadGame
from referee.sgf.records import read_root, read_sgf, write_sgf
from web.language import ENGLISH
from web.page import labels


@declare_command(
    "analyse",
    "Work out what every turn of a game was worth. FILE: as for judge.",
    ("analyse game.sgf", "score, cost, sente level, phase and best moves, turn by turn"),
    ("analyse game.sgf --turn 57 --seconds 60", "of this turn alone, a minute for each situation"),
    ("analyse - --json < game.jsonl", "from standard input, for another program"),
)
@click.argument("file", type=TEXT, metavar="FILE")
@click.option("--turn", metavar="N", type=NumberRange(0, 10_000, int), help="This turn alone; 0 is the start.")
@click.option(
    "--seconds", metavar="S", type=NumberRange(0, LONGEST), default=SECONDS, help=f"For each situation ({SECONDS:g})."
)
@click.option("--sgf", type=FILE, metavar="FILE", help="The game with what was found as comments and marks.")
@rules_option
@json_option
def analyse_command(
    file: str, turn: int | None, seconds: float, sgf: Path | None, rules: str | None, as_json: bool
) -> int:
    """Analyse the whole file; return 0, or 2 if a line could not be read. Raises RefereeError if there is no game."""
    if rules is not None:
        rule_set(rules)
    check_place(sgf, None if file == "-" else file)
    analyst = Analyst(seconds, turn)
    with opened_game(file, print_note) as game:
        source, total = (game, None) if file == "-" else _buffer_game(game, rules)
        replies = _take_until(yield_answers(source, rules, analyst.begin), turn)
        tracked_replies = with_progress(replies, "analysing", total if turn is None else None)
        status = _print_answers(tracked_replies, as_json or not is_interactive())
        if not analyst.has_begun:  # The lines said why.
            return status
        if turn is not None and analyst.record.number < turn:
            raise BadRecord(f"The game has {count_in_words('turns', analyst.record.number)}; --turn cannot be {turn}.")
    if sgf is not None:
        write_whole(sgf, write_sgf(analyst.record, *_read_names(game), analyst.notes))
    return status


def _read_names(game: bytes | NumberedLines) -> tuple[str, str]:
    """Return the players' names, if the file has them."""
    root = read_root(game) if isinstance(game, bytes) else {}
    return root.get("PB", ""), root.get("PW", "")


def _buffer_game(game: bytes | NumberedLines, rules: str | None) -> tuple[bytes | NumberedLines, int]:
    """Return the game, and the largest number of answers to it."""
    if isinstance(game, bytes):
        return game, len(read_sgf(game, rules)[1]) + 1
    lines = [line for line in game if line[1]]
    return iter(lines), len(lines)


def _take_until(replies: Iterable[Answer], turn: int | None) -> Iterator[Answer]:
    """Yield the answers, or only the one about this turn and the errors before it."""
    for answer in replies:
        if turn is None or "error" in answer or answer["turn"] == turn:
            yield answer
        if turn is not None and answer.get("turn") == turn:
            return


def _print_answers(answers: Iterable[Answer], as_json: bool) -> int:
    """Print every answer and return the exit status."""
    unreadable = False
    for answer in answers:
        unreadable |= "error" in answer
        text = answer.pop("text", "")
        if as_json:
            print(json.dumps(answer), flush=True)
        elif "error" in answer:
            print_note(answer["error"])
        else:
            print(text, flush=True)
    return Exit.BAD_USE if unreadable else Exit.DONE


class Analyst:
    """A game analysed turn by turn.

    seconds: time limit for each position.
    only: the one turn to analyse, None for all.
    has_begun: whether there is a game.
    record: the game, absent before it has begun.
    notes: the findings, turn by turn.
    """

    def __init__(self, seconds: float = SECONDS, only: int | None = None) -> None:
        self._seconds, self._only = seconds, only
        self._comments: dict[int, str] = {}
        self._marks: dict[int, MoveMark] = {}
        self._newest: Worth | None = None
        self.has_begun = False

    @property
    def notes(self) -> SgfAnnotations:
        """Return the findings as annotations of a game record."""
        return SgfAnnotations(comments=self._comments, marks=self._marks)

    def begin(self, setup: Setup, notes: Sequence[str]) -> Analyst:
        """Begin the game and return the analyst. notes: what was assumed in reading its file."""
        self.record, self.has_begun = setup.record(), True
        self._notes = Assumptions(setup.rules, notes=notes).tell()
        return self

    def opening(self) -> Answer:
        """Return the worth of the start, with what was assumed of the game."""
        answer = self._answer(None)
        return {**answer, "notes": list(self._notes)} if self._notes else answer

    def answer(self, line: dict[str, object]) -> Answer | None:
        """Return the worth of the position after a line's turn; raise BadRecord for anything else.

        Questions for `judge` are skipped.
        """
        if "ask" in line:
            return None
        if RESUME in line:
            self.record = resume_play(self.record, line)
            return self._answer(None)
        return self.reply(read_act(line, self.record.position.board, self.record.players))

    def reply(self, act: Turn | Settlement) -> Answer | None:
        """Return the worth of the position after this turn, and the turn's cost; None for a turn that is refused."""
        before, self.record = self.record, play_act(self.record, act)
        return None if self.record is before else self._answer(act)

    def close(self, game: ReadGame) -> None:
        """Do nothing: the last turn's worth is the last answer."""

    def _answer(self, act: Turn | Settlement | None) -> Answer:
        record, before = self.record, self._newest
        is_wanted = self._only is None or self._only - 1 <= record.number <= self._only
        self._newest = worth_within(record, self._seconds) if is_wanted else None
        worth = self._newest or NOT_KNOWN
        answer = worth_to_json(worth, record)
        if act is None or isinstance(act, Settlement):
            text = self._add_comment(worth, None)
            return {**answer, "text": f"{record.number:4}. {text}"}
        cost = move_cost.cost_of_turn(act, record.position.board, before, worth)
        mistake = move_cost.find_mistake(record, cost, (before or NOT_KNOWN).optimal or ())
        text = self._add_comment(worth, mistake)
        turn_text = (
            "" if mistake else f"{labels.player_name(act.player)} {labels.turn_text(record.position.board, act)}. "
        )
        return {**answer, "cost": cost_to_json(cost), "text": f"{record.number:4}. {turn_text}{text}"}

    def _add_comment(self, worth: Worth, mistake: move_cost.Mistake | None) -> str:
        """Return the comment on the position, and store it with its mark."""
        record = self.record
        sentences = [] if mistake is None else [ENGLISH.sentence(mistake.message)]
        if record.ended:
            sentences.append(ENGLISH.result(record.result or "") if record.result else "")
        else:
            sentences.append(ENGLISH.sentence(move_cost.standing_message(worth, record.to_play)))
        self._comments[record.number] = text = " ".join(sentences)
        self._marks[record.number] = MoveMark(worth.score, mistake is not None, mistake.better if mistake else 0)
        return text
