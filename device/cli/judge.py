"""`shinpan judge`: a game as JSON lines or SGF in, a JSON line per turn out; for a person at a terminal, words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import click

from device.cli.console import Assumptions, count_in_words, is_interactive, turn_line
from device.cli.options import TEXT, Exit, declare_command, json_option, print_note, rules_option
from device.cli.score import compare_result
from device.match.game_files import (
    RESUME,
    NumberedLines,
    explain_assumed_rules,
    is_setup,
    may_resume,
    object_of,
    opened_game,
    read_act,
    read_setup,
    resume_play,
)
from referee.codec import record_to_json
from referee.game.errors import BadRecord, RefereeError
from referee.game.record import GameRecord
from referee.game.turns import Placement, Settlement, Turn
from referee.rules import legality, ruling_messages
from referee.rules.agreements import apply_action
from referee.rules.legality import Verdict
from referee.rules.sets import rule_set
from referee.rules.setup import Setup
from referee.sgf.reader import ReadGame, read_game
from web.language import ENGLISH, to_english
from web.page import labels

Answer = dict[str, object]


@declare_command(
    "judge",
    "Judge a game's turns one by one. FILE: JSON lines or SGF; - is standard input.",
    ("judge game.sgf", "a line a turn: legal or not, and why"),
    ("judge game.jsonl --rules aga --json --explain", "under other rules, for another program, with a sentence a turn"),
    ("judge - --strict < game.jsonl", "from standard input; exit 1 if a turn is refused"),
)
@click.argument("file", type=TEXT, metavar="FILE")
@rules_option
@click.option("--explain", is_flag=True, help="Say in a sentence what decided each turn.")
@click.option("--strict", is_flag=True, help="Exit with 1 where a turn is refused.")
@json_option
def judge_command(file: str, rules: str | None, explain: bool, strict: bool, as_json: bool) -> int:
    """Judge the whole file; return 0, 2 if a line could not be read, with --strict 1 if a turn was refused.

    Raises RefereeError if there is no game.
    """
    if rules is not None:
        rule_set(rules)
    words = is_interactive() and not as_json
    with opened_game(file, print_note) as game:
        return _print_answers(
            yield_answers(game, rules, partial(_build_judge, explain=explain or words)), strict, words
        )


def _print_answers(answers: Iterable[Answer], strict: bool, words: bool) -> int:
    """Print every answer, in words with their number for a person, and return the exit status."""
    turns = refused = 0
    unreadable = False
    for answer in answers:
        if words:
            _print_answer(answer)
        else:
            print(json.dumps(answer), flush=True)
        turns += answer.get("legal") is True and answer["player"] is not None
        refused += answer.get("legal") is False
        unreadable |= "error" in answer
    if words:
        print_note(f"{count_in_words('turns', turns)}, {refused} refused.")
    if unreadable:
        return Exit.BAD_USE
    return Exit.NOT_WELL if strict and refused else Exit.DONE


def _print_answer(answer: Answer) -> None:
    """Print an answer for a person; one to a question stays as it is asked, in JSON."""
    if "error" in answer:
        print_note(answer["error"])
    elif "text" in answer:
        print(turn_line(int(str(answer["turn"])), str(answer["text"]), answer["legal"] is True), flush=True)
    else:
        print(json.dumps(answer), flush=True)


class Answering(Protocol):
    """A game that answers turn by turn; None means no answer."""

    def opening(self) -> Answer | None:
        """Return the answer before the first turn."""

    def reply(self, act: Turn | Settlement) -> Answer | None:
        """Return the answer to a turn, or to an agreement of both players."""

    def answer(self, line: dict[str, object]) -> Answer | None:
        """Return the answer to a line with a turn or a question; raise BadRecord for another."""

    def close(self, game: ReadGame) -> None:
        """Finish after the last turn of a record."""


GameBuilder = Callable[[Setup, Sequence[str]], Answering]
"""Builds the answering game from its setup and the reader's notes."""


def yield_answers(game: bytes | NumberedLines, rules: str | None, build_game: GameBuilder) -> Iterator[Answer]:
    """Yield the answers to a whole game: at its start, and to each line or turn.

    game: the SGF file, or numbered lines.
    rules: the rule set that replaces the file's, None for that.
    build_game: builds the answering game.
    Raises RefereeError if there is no game.
    """
    replies = (
        _answer_sgf(game, rules, build_game) if isinstance(game, bytes) else _answer_lines(game, rules, build_game)
    )
    return (answer for answer in replies if answer is not None)


def _answer_sgf(data: bytes, rules: str | None, build_game: GameBuilder) -> Iterator[Answer | None]:
    game = read_game(data, rules)
    judge = build_game(game.setup, game.notes)
    yield judge.opening()
    for turn in game.acts:
        yield judge.reply(turn)
    judge.close(game)


def _answer_lines(lines: NumberedLines, rules: str | None, build_game: GameBuilder) -> Iterator[Answer | None]:
    judge = None
    for number, raw in lines:
        if not raw:
            continue
        try:
            line = object_of(raw)
            starts = judge is None and is_setup(line)
            if judge is None:
                setup = read_setup(line, rules) if starts else Setup(rule_set(rules))
                judge = build_game(setup, explain_assumed_rules(line if starts else {}, rules))
                yield judge.opening()
            if not starts:
                yield judge.answer(line)
        except RefereeError as error:
            if judge is None and not isinstance(error, BadRecord):
                raise
            yield {"error": f"line {number}: {to_english(error)}"}


def _build_judge(setup: Setup, notes: Sequence[str], explain: bool) -> Judge:
    return Judge(setup.record(), explain, notes)


@dataclass
class Judge:
    """A game judged turn by turn; an illegal turn leaves it unchanged. The first reply lists the assumptions about the
    game.

    record: the game so far.
    explain: True if replies give the reason in words.
    notes: what was assumed in reading its file.
    """

    record: GameRecord
    explain: bool = False
    notes: Sequence[str] = ()

    def __post_init__(self) -> None:
        self._notes_of_reply: dict[str, object] = {}
        self._hinted = False

    def opening(self) -> None:
        """Return no answer, because nothing is judged before the first turn; print what has to be known before it."""
        notes = Assumptions(self.record.rules, notes=self.notes).tell()
        self._notes_of_reply = {"notes": list(notes)} if notes else {}
        outlook = ruling_messages.forced_options_notice(self.record)
        if outlook is not None:
            print_note(ENGLISH.sentence(outlook))

    def answer(self, line: dict[str, object]) -> dict[str, object]:
        """Return the reply to a line with a turn or a question; raise BadRecord for another."""
        if "ask" in line:
            question = line["ask"]
            if not isinstance(question, str) or question not in QUESTIONS:
                raise BadRecord('The questions are {"ask":"legal"} and {"ask":"score"}.')
            return {**QUESTIONS[question](self.record), **self._take_notes()}
        if is_setup(line):
            raise BadRecord("A start can only be the first line; a turn has a player.")
        if RESUME in line:
            self.record = resume_play(self.record, line)
            return self._state_answer(None, Verdict(None, self.record))
        return self.reply(read_act(line, self.record.position.board, self.record.players))

    def close(self, game: ReadGame) -> None:
        """Print how the record's result differs from a count, if it does; it changes nothing."""
        difference = compare_result(self.record, game)
        if difference is not None:
            print_note(difference)

    def reply(self, act: Turn | Settlement) -> dict[str, object]:
        """Judge a turn, or an agreement of both players, keep it if it is legal, and return the state of the game."""
        before, verdict = self.record, apply_action(self.record, act)
        self.record = verdict.after or before
        if not verdict.legal and isinstance(act, Placement) and may_resume(before) and not self._hinted:
            self._hinted = True
            print_note(
                f'Passes ended play after turn {before.number}; if it went on, write {{"resume":"{act.player}"}} there.'
            )
        return self._state_answer(act, verdict, before)

    def _state_answer(
        self, act: Turn | Settlement | None, verdict: Verdict, before: GameRecord | None = None
    ) -> Answer:
        """Return the answer to a turn made in a record, or to a resumption, with the state of the game after it."""
        prohibition, before = verdict.prohibition, before or self.record
        return {
            **_identify_turn(act, before.number),
            "legal": verdict.legal,
            "reason": prohibition.reason.value if prohibition else None,
            "repeats": prohibition.repeats if prohibition else None,
            "captured": self.record.position.board.names(verdict.captured),
            **record_to_json(self.record),
            **({"text": explain_verdict(before, act, verdict)} if self.explain else {}),
            **self._take_notes(),
        }

    def _take_notes(self) -> dict[str, object]:
        """Return the assumptions as a part of the first reply; nothing for the replies after it."""
        notes, self._notes_of_reply = self._notes_of_reply, {}
        return notes


def _identify_turn(act: Turn | Settlement | None, turns: int) -> dict[str, object]:
    """Return the number and player of a turn, an agreement, or None for a resumption, made after that many turns.

    An agreement and a resumption have no player and the number of the turn before them.
    """
    if act is None or isinstance(act, Settlement):
        return {"turn": turns, "player": None}
    return {"turn": turns + 1, "player": act.player.value}


def explain_verdict(record: GameRecord, turn: Turn | Settlement | None, verdict: Verdict) -> str:
    """Return the reason for the verdict on a turn, an agreement or a resumption (None), in words; record: before it."""
    if turn is None:
        return f"Play goes on after the passes. {labels.player_name(record.to_play)} moves."
    if isinstance(turn, Settlement):
        return ENGLISH.sentence(ruling_messages.settlement_message(record, turn, verdict))
    if verdict.prohibition is not None:
        text = ruling_messages.why_refused(record, turn, verdict.prohibition)
        return ENGLISH.sentence(text + ruling_messages.alternatives_message(record, turn, verdict.prohibition))
    return ENGLISH.sentence(ruling_messages.accepted_turn_message(verdict.after or record, verdict.captured))


def open_to(record: GameRecord) -> dict[str, object]:
    """Return the player's legal options."""
    board = record.position.board
    return {
        "player": record.to_play.value,
        "placements": board.names(legality.legal_placements(record)),
        "refused": {board.name(point): reason.value for point, reason in legality.illegal_points(record).items()},
        "delays": list(legality.available_delays(record)),
        "draw": legality.may_draw(record),
        "pass": legality.may_pass(record),
    }


def score_line(record: GameRecord) -> dict[str, object]:
    """Return what the situation is worth, as a line of `shinpan analyse`; few games ask, so it is imported here."""
    from device.table.worth import worth_line

    return worth_line(record)


QUESTIONS = {"legal": open_to, "score": score_line}
"""The questions and the functions that answer them."""
