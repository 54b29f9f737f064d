"""`shinpan gtp`: the referee behind the Go Text Protocol 2: it keeps a game and judges it, and never chooses a move.

One command a line in, one answer out: `=` or `?`, the command's number if it had one, the text, and an empty line.
Source: Specification of the Go Text Protocol, version 2, draft 2 (Gunnar Farnebäck), and GNU Go for is_legal and
all_legal.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from itertools import accumulate
from pathlib import Path

import click

from device.cli.console import Assumptions
from device.cli.options import TEXT, Exit, declare_command
from device.match.game_files import SGF, lines_of, may_resume, standard_input
from device.match.unpacking import unpack_record
from device.table.worth import SECONDS, worth_line
from referee.codec import parse_placement
from referee.codec.turns import DELAYS
from referee.game.board import Colour, Mask, Point, empty_position, mask_of
from referee.game.diagram import draw_rows, rows_of
from referee.game.errors import RefereeError
from referee.game.record import GameRecord, RuleSet
from referee.game.regions import whole_chains
from referee.game.turns import Delay, Draw, Exchange, Pass, Removal, Resign, Settlement, Turn
from referee.rules.agreements import apply_action
from referee.rules.legality import judge, legal_placements
from referee.rules.opening_and_end import TraditionalPoints
from referee.rules.sets import DEFAULT, non_default_options, rule_set
from referee.rules.setup import Setup
from referee.score import methods
from referee.sgf.reader import read_game
from web.language import ENGLISH, to_english

_COLOURS = {"b": Colour.BLACK, "black": Colour.BLACK, "w": Colour.WHITE, "white": Colour.WHITE}
OTHER_RULES = "shinpan-rules NAME"
"""The command that names other rules."""


@declare_command(
    "gtp",
    "Speak the Go Text Protocol. The referee keeps and judges a game; it never chooses a move.",
    ("gtp --rules chinese", "keep and judge a game under Chinese rules"),
    ("gtp", "under Ultimate Go, until shinpan-rules names others"),
    ("gtp < game.gtp", "answer the commands in a file"),
)
@click.option("--rules", type=TEXT, metavar="NAME", help=f"The rule set ({DEFAULT} is taken when left out).")
def gtp_command(rules: str | None) -> int:
    """Answer commands from standard input until `quit` or its end."""
    gtp = Gtp(Setup(rule_set(rules)), rules_said=rules is not None)
    for line in lines_of(standard_input()):
        sys.stdout.write(gtp.answer(line.decode("utf-8", "replace")))
        sys.stdout.flush()
        if gtp.over:
            break
    return Exit.DONE


class GtpError(Exception):
    """A command that fails; the message is its answer."""


@dataclass
class Gtp:
    """A game of two players behind the protocol.

    setup: the game's start.
    rules_said: True if a person named the rule set, so that a loaded file does not change it.
    over: True after `quit`.
    record: the game so far.
    dead: the stones named by `shinpan-dead`, for the position as it stands.
    """

    setup: Setup
    rules_said: bool = False
    over: bool = False
    record: GameRecord = field(init=False)
    dead: Mask = 0
    _implied: frozenset[int] = frozenset()
    """The numbers of the passes that nobody sent, between two moves of one colour."""

    def __post_init__(self) -> None:
        self.record = self.setup.record()
        self._reset_assumptions()

    def _reset_assumptions(self, notes: Sequence[str] = ()) -> None:
        self._assumed = Assumptions(self.setup.rules, OTHER_RULES, notes)

    def answer(self, line: str) -> str:
        """Return the whole answer to a line, with the empty line that ends it; nothing for a line without a command."""
        words = _split_words(line)
        number = words.pop(0) if words and words[0].isascii() and words[0].isdigit() else ""
        if not words:
            return ""
        try:
            text, mark = self._run_command(words[0], words[1:]), "="
        except (GtpError, RefereeError) as error:
            text, mark = to_english(error), "?"
        return f"{mark}{number} {text}".rstrip() + "\n\n"

    def _run_command(self, command: str, arguments: list[str]) -> str:
        if command not in COMMANDS:
            raise GtpError("unknown command")
        if command in JUDGING:
            self._assumed.tell()
        before = self.record.position
        answer = COMMANDS[command](self, arguments)
        if self.record.position != before:
            self.dead = 0
        return answer

    # Administration

    def known_command(self, arguments: Sequence[str]) -> str:
        """Return whether there is a command of that name."""
        return "true" if _take_one(arguments) in COMMANDS else "false"

    def quit(self, arguments: Sequence[str]) -> str:
        """End the session."""
        self.over = True
        return ""

    # Game setup

    def boardsize(self, arguments: Sequence[str]) -> str:
        """Begin on an empty board of that many lines, or columns and rows."""
        if not 1 <= len(arguments) <= 2 or not all(re.fullmatch("-?[0-9]+", side) for side in arguments):
            raise GtpError("boardsize not an integer")
        try:
            self._begin_game(replace(self._fresh_setup(), size=(int(arguments[0]), int(arguments[-1]))))
        except (RefereeError, ValueError) as error:  # Python refuses numbers of thousands of digits.
            raise GtpError("unacceptable size") from error
        return ""

    def clear_board(self, arguments: Sequence[str]) -> str:
        """Begin on an empty board, with the same rules and komi."""
        self._begin_game(self._fresh_setup())
        return ""

    def komi(self, arguments: Sequence[str]) -> str:
        """Set the komi; the game so far is judged again, because under Ultimate Go komi stones lie in the bowls."""
        try:
            komi = float(_take_one(arguments))
        except ValueError as error:
            raise GtpError("komi not a float") from error
        if not math.isfinite(komi):
            raise GtpError("komi not a float")
        self._load_game(replace(self.setup, komi=komi), self.record.acts)
        return ""

    def rules(self, arguments: Sequence[str]) -> str:
        """Return the rule set; or set another one, with options as `ko=positional`, on an empty board."""
        if not arguments:
            return _rules_text(self.setup.rules)
        options = dict(_parse_option(argument) for argument in arguments[1:])
        self._begin_game(replace(self._fresh_setup(), rules=rule_set(arguments[0], options), komi=None))
        self.rules_said = True
        self._reset_assumptions()
        return _rules_text(self.setup.rules)

    def loadsgf(self, arguments: Sequence[str]) -> str:
        """Load a game from a file, up to before the turn of that number if one is given."""
        if not 1 <= len(arguments) <= 2 or not all(re.fullmatch("[1-9][0-9]{0,5}", n) for n in arguments[1:]):
            raise GtpError("syntax error")
        most = int(arguments[1]) - 1 if len(arguments) == 2 else math.inf
        try:
            data, assumption = unpack_record(SGF.bytes_of(Path(arguments[0])))
        except RefereeError as error:
            raise GtpError(f"cannot load file: {error}") from error
        try:
            game = read_game(data, self.setup.rules.name if self.rules_said else None)
            self._load_game(game.setup, _take_before(game.acts, most))
        except (GtpError, RefereeError) as error:
            raise GtpError(f"cannot load file: {arguments[0]}: {_format_error(error)}") from error
        self._reset_assumptions([*([assumption] if assumption else []), *game.notes])
        self._assumed.tell()
        return ""

    # Handicap

    def fixed_handicap(self, arguments: Sequence[str]) -> str:
        """Put two to nine handicap stones on the traditional points of an empty board; return them."""
        return self._put_handicap(self._find_traditional(_parse_stones(arguments)))

    def place_free_handicap(self, arguments: Sequence[str]) -> str:
        """Choose handicap stones: the traditional points, at most as many as there are; return them."""
        wanted = _parse_stones(arguments)
        self._check_empty()
        for number in range(min(wanted, MOST_HANDICAP), 1, -1):
            with suppress(GtpError):
                return self._put_handicap(self._find_traditional(number))
        raise GtpError("invalid number of stones")

    def set_free_handicap(self, arguments: Sequence[str]) -> str:
        """Put handicap stones on these points of an empty board."""
        points = [self._parse_point(vertex) for vertex in arguments]
        if len(points) < 2 or len(points) >= self.record.position.board.points:
            raise GtpError("bad vertex list")
        if len(set(points)) < len(points):
            raise GtpError("repeated vertex")
        self._put_handicap(mask_of(points))
        return ""

    def _find_traditional(self, number: int) -> Mask:
        """Return the points of GTP 2, 4.1.1: the third is at the upper left, so they are as White sees the board."""
        board = self.record.position.board
        try:
            stones = board.rotate_mask(TraditionalPoints().set_up(number, board))
        except RefereeError as error:
            raise GtpError("invalid number of stones") from error
        if not stones:
            raise GtpError("invalid number of stones")
        return stones

    def _check_empty(self) -> None:
        if self.record.before is not None or self.record.position.occupied:
            raise GtpError("board not empty")

    def _put_handicap(self, stones: Mask) -> str:
        self._check_empty()
        position = empty_position(self.record.position.board).with_stones(Colour.BLACK, stones)
        fresh = replace(
            self._fresh_setup(), board=tuple(rows_of(position)), to_play=Colour.WHITE, handicap=stones.bit_count()
        )
        try:
            self._begin_game(fresh)
        except RefereeError as error:
            raise GtpError(f"invalid number of stones: {_format_error(error)}") from error
        return " ".join(position.board.names(stones))

    def _parse_point(self, vertex: str) -> Point:
        try:
            return self.record.position.board.point(vertex.upper())
        except (RefereeError, ValueError, KeyError) as error:
            raise GtpError("invalid vertex") from error

    # Time, which a controller keeps itself

    def time_settings(self, arguments: Sequence[str]) -> str:
        """Accept the time control: main time, overtime, and the stones in it."""
        return _accept_arguments(arguments, NUMBER, NUMBER, NUMBER)

    def time_left(self, arguments: Sequence[str]) -> str:
        """Accept a player's remaining time and stones."""
        _parse_colour(arguments[0] if arguments else "")
        return _accept_arguments(arguments[1:], NUMBER, NUMBER)

    def kgs_time_settings(self, arguments: Sequence[str]) -> str:
        """Accept the time control as KGS names it."""
        kinds = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}
        if not arguments or arguments[0].lower() not in kinds:
            raise GtpError("syntax error")
        return _accept_arguments(arguments[1:], *[NUMBER] * kinds[arguments[0].lower()])

    def _fresh_setup(self) -> Setup:
        return replace(self.setup, board=None, bowls=None, to_play=None, handicap=0)

    def _begin_game(self, setup: Setup) -> None:
        self.record, self.setup, self._implied = setup.record(), setup, frozenset()

    def _load_game(self, setup: Setup, acts: Sequence[Turn | Settlement]) -> None:
        self.record, self.setup, self._implied = _play_acts(setup, acts), setup, frozenset()

    # Play

    def play(self, arguments: Sequence[str]) -> str:
        """Play a placement, a pass, or a resignation."""
        colour, vertex = self._parse_move(arguments)
        self._make_turn(self._parse_turn(colour, vertex))
        return ""

    def delay(self, arguments: Sequence[str]) -> str:
        """Play a delay: `shinpan-delay B`, or with `ultimate` under the original rules."""
        kind = arguments[1].lower() if len(arguments) == 2 else "prisoner"
        if not 1 <= len(arguments) <= 2 or kind not in DELAYS:
            raise GtpError("syntax error")
        self._make_turn(Delay(_parse_colour(arguments[0]), ultimate=kind == "ultimate"))
        return ""

    def draw(self, arguments: Sequence[str]) -> str:
        """Play a declared draw."""
        self._make_turn(Draw(_parse_colour(_take_one(arguments))))
        return ""

    def exchange(self, arguments: Sequence[str]) -> str:
        """Enter an agreed exchange: each player returns that many prisoners."""
        if not re.fullmatch("[1-9][0-9]{0,3}", _take_one(arguments)):
            raise GtpError("syntax error")
        self.record = _judge_act(self.record, Exchange(int(arguments[0])))
        return ""

    def remove(self, arguments: Sequence[str]) -> str:
        """Enter an agreed removal of dead stones: `shinpan-remove D4 F6`, each with its chain."""
        if not arguments:
            raise GtpError("syntax error")
        self.record = _judge_act(self.record, Removal(self.record.position.board.mask(arguments)))
        return ""

    def undo(self, arguments: Sequence[str]) -> str:
        """Take the newest turn back, or the newest agreement after it."""
        before = self.record.unsettled or self.record.before
        if before is None:
            raise GtpError("cannot undo")
        if before.number in self._implied and before.before is not None:
            self._implied -= {before.number}
            before = before.before
        self.record = before
        return ""

    def is_legal(self, arguments: Sequence[str]) -> str:
        """Return 1 if this player may make this move now, else 0."""
        colour, vertex = self._parse_move(arguments)
        return "1" if judge(self._find_record_begun_by(colour), self._parse_turn(colour, vertex)).legal else "0"

    def all_legal(self, arguments: Sequence[str]) -> str:
        """Return the points on which this player may place a stone now."""
        record = self._find_record_begun_by(_parse_colour(_take_one(arguments)))
        if record.to_play is not _parse_colour(arguments[0]):
            return ""
        return " ".join(record.position.board.names(legal_placements(record)))

    def _parse_move(self, arguments: Sequence[str]) -> tuple[Colour, str]:
        if len(arguments) != 2:
            raise GtpError("syntax error")
        return _parse_colour(arguments[0]), arguments[1].lower()

    def _parse_turn(self, colour: Colour, vertex: str) -> Turn:
        if vertex in ("pass", "resign"):
            return Pass(colour) if vertex == "pass" else Resign(colour)
        if not re.fullmatch("[a-z][0-9]{1,3}", vertex):
            raise GtpError("invalid vertex")
        return parse_placement(colour, vertex, self.record.position.board)

    def _find_record_begun_by(self, colour: Colour) -> GameRecord:
        """Return the record; before the first turn either player may begin, as in GTP, despite any agreements."""
        record = _resume_play(self.record, colour)
        if record.to_play is colour or record.rules.handicap.find_restriction(record):
            return record
        if record.before is not None or self.setup.handicap:
            return _pass_over(record, colour)
        return _play_acts(replace(self.setup, to_play=colour), record.acts)

    def _make_turn(self, turn: Turn) -> None:
        before, number = self._find_record_begun_by(turn.player), self.record.number
        self.record = _judge_act(before, turn)
        if before.number > number:
            self._implied |= {before.number}
        self.setup = replace(self.setup, to_play=before.start.to_play)

    # State

    def showboard(self, arguments: Sequence[str]) -> str:
        """Return the board with coordinates, the bowls, and the player to move or the result."""
        record = self.record
        going = "ended" if record.ended else f"{record.to_play} to play"
        state = going if record.result is None else ENGLISH.in_sentence(record.result)
        bowls = ", ".join(
            f"{owner}: {' '.join(f'{count} {colour}' for colour, count in bowl.items()) or 'empty'}"
            for owner, bowl in record.bowls.as_dict().items()
        )
        ultimate_owner = record.bowls.ultimate_owner
        lines = [
            *draw_rows(rows_of(record.position)),
            f"bowls {bowls}{f'; ultimate {ultimate_owner}' if ultimate_owner else ''}",
        ]
        return "\n" + "\n".join([*lines, f"turn {record.number}, {state}"])

    def final_score(self, arguments: Sequence[str]) -> str:
        """Return the result; if the game has none yet, count it with no dead stones."""
        if self.record.result is not None:
            return self.record.result
        try:
            return str(methods.count(self.record, methods.Agreed(dead=self.dead)).result)
        except RefereeError as error:
            raise GtpError(f"cannot score: {_format_error(error)}") from error

    def dead_stones(self, arguments: Sequence[str]) -> str:
        """Name the dead stones of the position, each with its chain; none without arguments."""
        position = self.record.position
        stones = mask_of(self._parse_point(vertex) for vertex in arguments)
        if stones & ~position.occupied:
            raise GtpError("no stone there")
        self.dead = whole_chains(position, stones)
        return ""

    def final_status_list(self, arguments: Sequence[str]) -> str:
        """Return the chains that are alive, dead (as `shinpan-dead` named them) or in seki (none), a line each."""
        status, position = _take_one(arguments).lower(), self.record.position
        if status not in ("alive", "dead", "seki"):
            raise GtpError("syntax error")
        wanted = {"alive": position.occupied & ~self.dead, "dead": self.dead, "seki": 0}[status]
        lines = []
        while wanted:
            chain = whole_chains(position, wanted & -wanted)
            lines.append(" ".join(position.board.names(chain)))
            wanted &= ~chain
        return "\n".join(lines)

    def analyse(self, arguments: Sequence[str]) -> str:
        """Return the position's worth, on one line: `shinpan-analyse [SECONDS]`."""
        seconds = _parse_seconds(_take_one(arguments)) if arguments else SECONDS
        return json.dumps(worth_line(self.record, seconds))


MOST_HANDICAP = 9
NUMBER = "[0-9]{1,9}"

Command = Callable[[Gtp, Sequence[str]], str]

COMMANDS: dict[str, Command] = {
    "protocol_version": lambda gtp, arguments: "2",
    "name": lambda gtp, arguments: "shinpan",
    "version": lambda gtp, arguments: _installed_version(),
    "known_command": Gtp.known_command,
    "list_commands": lambda gtp, arguments: "\n".join(COMMANDS),
    "quit": Gtp.quit,
    "boardsize": Gtp.boardsize,
    "clear_board": Gtp.clear_board,
    "komi": Gtp.komi,
    "play": Gtp.play,
    "undo": Gtp.undo,
    "fixed_handicap": Gtp.fixed_handicap,
    "place_free_handicap": Gtp.place_free_handicap,
    "set_free_handicap": Gtp.set_free_handicap,
    "time_settings": Gtp.time_settings,
    "time_left": Gtp.time_left,
    "kgs-time_settings": Gtp.kgs_time_settings,
    "showboard": Gtp.showboard,
    "is_legal": Gtp.is_legal,
    "all_legal": Gtp.all_legal,
    "final_score": Gtp.final_score,
    "final_status_list": Gtp.final_status_list,
    "loadsgf": Gtp.loadsgf,
    "shinpan-analyse": Gtp.analyse,
    "shinpan-dead": Gtp.dead_stones,
    "shinpan-delay": Gtp.delay,
    "shinpan-draw": Gtp.draw,
    "shinpan-exchange": Gtp.exchange,
    "shinpan-remove": Gtp.remove,
    "shinpan-rules": Gtp.rules,
}

JUDGING = frozenset(COMMANDS) & {
    *("play", "is_legal", "all_legal", "final_score", "shinpan-analyse", "shinpan-delay", "shinpan-draw"),
    *("shinpan-exchange", "shinpan-remove"),
}
"""Commands whose answers depend on the rules."""


def _split_words(line: str) -> list[str]:
    """Split a line into words: control characters and # comments are dropped, tabs are spaces."""
    text = line.split("#", 1)[0].replace("\t", " ")
    return "".join(letter for letter in text if letter >= " " and letter != "\x7f").split()


def _accept_arguments(arguments: Sequence[str], *patterns: str) -> str:
    """Return the empty answer if there are exactly such arguments."""
    if len(arguments) != len(patterns) or not all(map(re.fullmatch, patterns, arguments)):
        raise GtpError("syntax error")
    return ""


def _parse_stones(arguments: Sequence[str]) -> int:
    if not re.fullmatch("[0-9]{1,3}", _take_one(arguments)):
        raise GtpError("number of stones not an integer")
    return int(arguments[0])


def _take_one(arguments: Sequence[str]) -> str:
    if len(arguments) != 1:
        raise GtpError("syntax error")
    return arguments[0]


def _parse_seconds(word: str) -> float:
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,3})?", word):
        raise GtpError("syntax error")
    return float(word)


def _parse_colour(word: str) -> Colour:
    if word.lower() not in _COLOURS:
        raise GtpError("invalid color")
    return _COLOURS[word.lower()]


def _parse_option(word: str) -> tuple[str, object]:
    piece, _, name = word.partition("=")
    try:
        return piece, float(name) if piece == "compensation" else name
    except ValueError:
        return piece, name


def _take_before(acts: Sequence[Turn | Settlement], turns: float) -> list[Turn | Settlement]:
    """Return the first `turns` turns, with the agreements before the next."""
    turn_counts = accumulate(not isinstance(act, Settlement) for act in acts)
    return [act for act, number in zip(acts, turn_counts, strict=True) if number <= turns]


def _play_acts(setup: Setup, acts: Sequence[Turn | Settlement]) -> GameRecord:
    """Return the record of a game from this setup after these turns and agreements; raise as `_judge_act` does."""
    record = setup.record()
    for act in acts:
        record = _judge_act(record, act)
    return record


def _resume_play(record: GameRecord, player: Colour) -> GameRecord:
    """Return the record with play resumed if passes have ended it: whoever plays on disagrees with the end."""
    return record.going_on(player) if may_resume(record) else record


def _pass_over(record: GameRecord, player: Colour) -> GameRecord:
    """Return the record after a pass of the other player, who is to move; GTP lets one colour move twice in a row.

    The record itself if the rules have no pass now, so that the move is refused.
    """
    after_pass = apply_action(record, Pass(record.to_play)).after
    return record if after_pass is None else _resume_play(after_pass, player)


def _judge_act(record: GameRecord, act: Turn | Settlement) -> GameRecord:
    """Return the record with this turn or agreement; raise GtpError, with the reason, if it is illegal."""
    if not isinstance(act, Settlement):
        record = _resume_play(record, act.player)
    verdict = apply_action(record, act)
    if verdict.after is None:
        reason = verdict.prohibition.reason.value if verdict.prohibition else ""
        raise GtpError(f"illegal {'agreement' if isinstance(act, Settlement) else 'move'}: {reason}")
    return verdict.after


def _rules_text(rules: RuleSet) -> str:
    pieces = [f"{piece}={name}" for piece, name in non_default_options(rules).items()]
    return " ".join([rules.name, *pieces])


def _format_error(error: Exception) -> str:
    return to_english(error).replace("\n", " ")


def _installed_version() -> str:
    try:
        return version("shinpan")
    except PackageNotFoundError:
        return "0"
