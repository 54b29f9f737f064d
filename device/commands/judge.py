"""`shinpan judge`: a game as JSON lines or SGF in, a JSON line a turn out."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass

from device.gamefile import NumberedLines, object_of, opened_game
from device.games import is_setup, read_act, read_setup
from referee import legality, texts
from referee.errors import BadRecord, RefereeError
from referee.legality import Verdict
from referee.record import GameRecord
from referee.rules.sets import DEFAULT, rule_set
from referee.rules.setup import Setup
from referee.settling import made
from referee.sgf import read_sgf
from referee.turns import Exchange, Removal, Settlement, Turn
from referee.wire import record_to_json
from web.language import ENGLISH, english

UNREADABLE = 2


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `judge` and its options."""
    parser = commands.add_parser("judge", help="judge a game's turns one by one", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="JSON lines or SGF; - reads standard input")
    parser.add_argument("--rules", metavar="NAME", help="rule set, whatever the file says (default: ultimate)")
    parser.add_argument("--explain", action="store_true", help="say in a sentence what decided each turn")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Judge the whole file; 0, or 2 when a line could not be read. Raises RefereeError where there is no game."""
    if args.rules is not None:
        rule_set(args.rules)
    with opened_game(args.file) as game:
        return _judge_sgf(game, args) if isinstance(game, bytes) else _judge_lines(game, args)


def _judge_sgf(data: bytes, args: argparse.Namespace) -> int:
    setup, turns = read_sgf(data, args.rules)
    judge = _begun(setup, args)
    for turn in turns:
        _say(judge.reply(turn))
    return 0


def _judge_lines(lines: NumberedLines, args: argparse.Namespace) -> int:
    judge, status = None, 0
    for number, raw in lines:
        if not raw:
            continue
        try:
            line = object_of(raw)
            if judge is None and is_setup(line):
                judge = _begun(read_setup(line, args.rules), args)
                continue
            judge = judge or _begun(Setup(rule_set(args.rules or DEFAULT)), args)
            _say(judge.answer(line))
        except RefereeError as error:
            if judge is None and not isinstance(error, BadRecord):
                raise
            status = UNREADABLE
            _say({"error": f"line {number}: {english(error)}"})
    return status


def _begun(setup: Setup, args: argparse.Namespace) -> Judge:
    """The game before its first turn; what its first player has to know of the start is said beside the answers."""
    record = setup.record()
    outlook = texts.outlook(record)
    if outlook is not None:
        print(f"shinpan: {ENGLISH.sentence(outlook)}", file=sys.stderr)
    return Judge(record, args.explain)


def _say(line: dict[str, object]) -> None:
    print(json.dumps(line), flush=True)


@dataclass
class Judge:
    """A game being judged turn by turn; an illegal turn leaves it as it is. explain: replies say why, in words."""

    record: GameRecord
    explain: bool = False

    def answer(self, line: dict[str, object]) -> dict[str, object]:
        """The reply to a line with a turn or a question; raises BadRecord for another."""
        if "ask" in line:
            if line["ask"] != "legal":
                raise BadRecord('The only question is {"ask":"legal"}.')
            return open_to(self.record)
        if is_setup(line):
            raise BadRecord("A start can only be the first line; a turn has a player.")
        return self.reply(read_act(line, self.record.position.board, self.record.players))

    def reply(self, act: Turn | Settlement) -> dict[str, object]:
        """Judge a turn, or what both players agreed on, keep it if it is legal, and say how the game stands."""
        before, verdict = self.record, made(self.record, act)
        self.record = verdict.after or before
        prohibition = verdict.prohibition
        return {
            **_whose(act, before.number),
            "legal": verdict.legal,
            "reason": prohibition.reason.value if prohibition else None,
            "repeats": prohibition.repeats if prohibition else None,
            "captured": self.record.position.board.names(verdict.captured),
            **record_to_json(self.record),
            **({"text": explained(before, act, verdict)} if self.explain else {}),
        }


def _whose(act: Turn | Settlement, turns: int) -> dict[str, object]:
    """The number of an act, made after so many turns, and its player; an agreement is nobody's and has the number of
    the turn before it."""
    if isinstance(act, Exchange | Removal):
        return {"turn": turns, "player": None}
    return {"turn": turns + 1, "player": act.player.value}


def explained(record: GameRecord, turn: Turn | Settlement, verdict: Verdict) -> str:
    """What decided a turn or an agreement, in words; record: before it."""
    if isinstance(turn, Exchange | Removal):
        return ENGLISH.sentence(texts.settling(record, turn, verdict))
    if verdict.prohibition is not None:
        said = texts.why_refused(record, turn, verdict.prohibition)
        return ENGLISH.sentence(said + texts.instead(record, turn, verdict.prohibition))
    return ENGLISH.sentence(texts.legal(verdict.after or record, verdict.captured))


def open_to(record: GameRecord) -> dict[str, object]:
    """What the player to move may do."""
    board = record.position.board
    return {
        "player": record.to_play.value,
        "placements": board.names(legality.legal_placements(record)),
        "refused": {board.name(point): reason.value for point, reason in legality.refused(record).items()},
        "delays": list(legality.delays(record)),
        "draw": legality.may_draw(record),
        "pass": legality.may_pass(record),
    }
