"""Reading SGF: the game on a file's main line, as its author meant it, and what was assumed where that is not told.

The records of shinpan (AP) are read to the letter. In others a komi may be in hundredths, a handicap in words or in
moves, play may go on after passes, and stones may be set up in the middle; `ReadGame.notes` tells each such reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, takewhile
from typing import TypeVar

from referee.game.board import (
    LARGEST_SIDE,
    Board,
    Colour,
    Mask,
    Position,
    board_of,
    empty_position,
    mask_of,
    points_of,
)
from referee.game.diagram import rows_of
from referee.game.errors import BadPoint, BadRecord, BadSetup
from referee.game.penalties import Offence, Penalty
from referee.game.prisoners import Bowls, bowls_of
from referee.game.record import GameRecord, RuleSet
from referee.game.ruling import Reason
from referee.game.turns import (
    OFF_BOARD,
    Delay,
    Draw,
    Exchange,
    Pass,
    Placement,
    Removal,
    Resign,
    Settlement,
    SetUp,
    Turn,
)
from referee.rules.agreements import apply_action
from referee.rules.opening_and_end import TraditionalPoints
from referee.rules.sets import EXCHANGEABLE, resolve_rules, rule_set
from referee.rules.setup import LARGEST_KOMI, Setup
from referee.sgf.charsets import Decoded, decode_record
from referee.sgf.dialects import Komi, read_handicap, read_komi, read_result
from referee.sgf.grammar import Node, main_line, parse_sgf
from referee.sgf.handicap_stones import HANDICAP_TURNS, with_stones_in_turns
from referee.sgf.servers import convert_to_sgf
from referee.sgf.unnamed_rules import take_rules
from referee.time.records import control_of

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_BLACK_AND_WHITE = (Colour.BLACK, Colour.WHITE)
MOST_NODES, LONGEST_LINE = 250_000, 10_000
"""The highest numbers of nodes in a record, with all variations, and of nodes on its main line.

They exist to refuse a file at once and not after minutes. The largest dictionaries of openings have some 100,000 nodes.
"""
_EXCHANGE = re.compile(rb"(?:%s):" % "|".join(EXCHANGEABLE).encode())
"""The beginning of a replaced component of the rule set; no round of a tournament begins like this."""
_LID = re.compile(rb"(BW|WB):([0-9]{1,4})|ultimate:([BW])")
_DELAYS = frozenset(("prisoner", "ultimate"))
_AGREED = re.compile("removed|exchange")
_BLACK_AND_WHITE_MOVES = frozenset(("B", "W"))
_NAME_OF_POINT = re.compile(rb"[A-HJ-Za-hj-z][1-9][0-9]?")
GAP = "GAP"
"""The property of a node with the stones set up after a gap: when it began and ended, or the names of two pictures."""
_SET_UP = frozenset(("AB", "AW", "AE"))
_MOST_HANDICAP = 25
"""More moves of Black in a row are no handicap."""
_OPENING_TURNS = 10
"""Turns in which no handicap stone has been captured yet."""

Value = TypeVar("Value")
Act = Turn | Settlement
_Step = tuple[Node, tuple[Act, ...]]


@dataclass(frozen=True)
class ReadGame:
    """A game read from SGF.

    Attributes:
        setup: the start.
        acts: the turns, with the agreements between them.
        notes: what was assumed, a sentence each.
        result: the result that the record names, as shinpan writes it (`B+` for a win without a margin), or None.
        written_result: the same as it is written, RE.
        territory: the points that the record marks as Black's and White's (TB, TW), dead stones' included.
    """

    setup: Setup
    acts: tuple[Act, ...]
    notes: tuple[str, ...] = ()
    result: str | None = None
    written_result: str = ""
    territory: tuple[Mask, Mask] = (0, 0)


def read_sgf(data: bytes, rules: str | None = None) -> tuple[Setup, tuple[Act, ...]]:
    """Return the start of the first game's main line, and its turns and agreements; see `read_game`."""
    game = read_game(data, rules)
    return game.setup, game.acts


def read_game(data: bytes, rules: str | None = None) -> ReadGame:
    """Read the first game's main line.

    Args:
        data: the file.
        rules: a rule set that replaces the one named in the file. If neither is given, the setup says so
            (`RuleSet.named`).

    Raises BadRecord for a file that is no SGF of Go, BadSetup for an unknown rule set.
    """
    return _Reader(data, rules).build_game()


def read_root(data: bytes) -> dict[str, str]:
    """Return the texts of the first node by property, without parsing the rest; empty for a file that is no SGF."""
    try:
        nodes = parse_sgf(_decode_file(data).text, root_only=True).tree.nodes
    except BadRecord:
        return {}
    return {name: _read_text(nodes[0], name) for name in nodes[0]} if nodes else {}


_VALUE, _TURN = re.compile(rb"\[(?:\\.|[^\]\\])*\]", re.S), re.compile(rb"(?<![A-Z])[BW]\[")
"""A property's value, and a turn's property whose value was taken away."""


def count_turns(data: bytes) -> int:
    """Return how many turns a record without variations has, for a list of many: nothing else of it is read."""
    return len(_TURN.findall(_VALUE.sub(b"[", data)))


class _Reader:
    """A file being read; `notes` grows with what is assumed."""

    def __init__(self, data: bytes, rules: str | None) -> None:
        self.notes: list[str] = []
        self._nodes = self._main_line(data)
        root = self._nodes[0]
        self._board = _read_board(root)
        self._written_komi = None if self._own else self._read_komi(root)
        self._rules = self._rule_set(root, rules)

    def _main_line(self, data: bytes) -> list[Node]:
        """Return the nodes of the main line. Raise BadRecord if it is no SGF, or longer than any game."""
        if data.count(b";") > MOST_NODES:
            raise BadRecord(f"The SGF has more than {MOST_NODES} nodes; give the record of one game.")
        decoded = _decode_file(data)
        parsed = parse_sgf(decoded.text)
        self._own = bool(parsed.tree.nodes) and _read_text(parsed.tree.nodes[0], "AP").startswith("shinpan")
        nodes, line_notes = main_line(parsed.tree, self._own)
        if parsed.faults and not any(nodes):
            raise BadRecord(f"The SGF cannot be read. {parsed.faults[0]}")
        nodes = self._with_handicap_turns(nodes)
        if len(nodes) > LONGEST_LINE:
            raise BadRecord(f"The SGF's main line has {len(nodes)} nodes, and no game has more than {LONGEST_LINE}.")
        nodes = nodes or [Node()]
        self.notes += [*([decoded.assumption] if decoded.assumption else []), *parsed.faults, *line_notes]
        return nodes

    def _with_handicap_turns(self, nodes: list[Node]) -> list[Node]:
        """Return the nodes with the turns in which the handicap stones of a record of shinpan were laid."""
        if not self._own or not nodes or HANDICAP_TURNS not in nodes[0]:
            return nodes
        try:
            root, turns = with_stones_in_turns(nodes[0])
        except BadRecord as error:
            self.notes.append(f"{error} They were taken as set up.")
            return nodes
        begun = [Node(node) for node in (root, *turns)]
        for node in begun:
            node.line = nodes[0].line
        return [*begun, *nodes[1:]]

    def _rule_set(self, root: Node, rules: str | None) -> RuleSet:
        exchanges = [value for value in root.get("RO", []) if _EXCHANGE.match(value)] + root.get("RX", [])
        rules_name = rules or _read_text(root, "RU")
        assumption = resolve_rules(rules_name).assumption if rules_name else ""
        self.notes += [assumption] if assumption else []
        guess = None
        if not rules_name and not self._own and not any(map(_has_private_properties, self._nodes)):
            stones = len(root.get("AB", [])) if "AW" not in root else 0
            handicap = read_handicap(_read_text(root, "HA")) or stones
            guess = take_rules(partial(_read_text, root), self._written_komi, handicap)

        def build_rules(options: Mapping[str, object]) -> RuleSet:
            rules = rule_set(guess.name if guess is not None else rules_name or None, options)
            return rules if guess is None else replace(rules, named=False, because=guess.why)

        base_rules = build_rules({})
        self._to_the_letter = self._own or base_rules.delays is not None
        return self._read_private(lambda: build_rules(dict(map(_parse_option, exchanges))), base_rules)

    def _read_private(self, parse_property: Callable[[], Value], otherwise: Value) -> Value:
        """Return what a property says that shinpan alone writes; where other programs mean another thing by it, that is
        left out and told."""
        try:
            return parse_property()
        except (BadRecord, BadSetup) as error:
            if self._to_the_letter:
                raise
            self.notes.append(f"{error} It was left out.")
            return otherwise

    def build_game(self) -> ReadGame:
        nodes = self._nodes
        first_move = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
        opening = [node for node in nodes[: max(first_move, 1)] if not {"AG", GAP} & node.keys()]
        steps = self._read_steps(nodes)
        nodes = nodes[: len(steps)]
        late = [node for node in nodes[max(first_move, 1) :] if _SET_UP & node.keys() and not {"AG", GAP} & node.keys()]
        setup, passes = self._build_setup(opening, [act for _, acts in steps for act in acts])
        steps = _without_passes(steps, passes)
        acts = tuple(act for _, acts in steps for act in acts)
        if not self._own and (late or sum(isinstance(act, Pass) for act in acts) > 1 or _has_moves_in_a_row(acts)):
            acts = self._play_turns(setup, steps, {id(node) for node in late})
        elif any(GAP in node for node, _ in steps):
            acts = self._play_turns(setup, steps)
        self._check_times(nodes[0])
        result_text = _read_text(nodes[0], "RE")
        return ReadGame(setup, acts, tuple(self.notes), read_result(result_text), result_text, self._read_territory())

    def _read_steps(self, nodes: Sequence[Node]) -> list[_Step]:
        """Return the nodes with their turns, of another program's record up to a turn that cannot be read."""
        steps: list[_Step] = []
        for node in nodes:
            try:
                steps.append((node, _read_acts(node, self._board, self._to_the_letter)))
            except BadRecord as error:
                if self._to_the_letter or not any(acts for _, acts in steps):
                    raise
                self.notes.append(f"{error} The game was read up to there.")
                break
        return steps

    def _read_territory(self) -> tuple[Mask, Mask]:
        territory_node = next((node for node in reversed(self._nodes) if "TB" in node or "TW" in node), Node())
        try:
            black, white = (self._read_area(territory_node, name) for name in ("TB", "TW"))
        except BadRecord:
            return 0, 0
        return black, white

    def _read_area(self, node: Node, name: str) -> Mask:
        area = 0
        for value in node.get(name, []):
            area |= _parse_rectangle(value, self._board) if value.strip() else 0
        return area

    def _check_times(self, root: Node) -> None:
        overtime = _read_text(root, "OT")
        if not overtime and _read_text(root, "TC") and _read_text(root, "TT"):  # Fox
            overtime = f"{_read_text(root, 'TC')}x{_read_text(root, 'TT')} byo-yomi"
        if not overtime and _read_text(root, "LC") and _read_text(root, "LT"):  # Nihon Ki-in
            overtime = f"{_read_text(root, 'LC').removesuffix('回')}x{_read_text(root, 'LT')} byo-yomi"
        try:
            control_of(_read_text(root, "TM"), overtime)
        except BadRecord as error:
            self.notes.append(str(error))

    # The start

    def _build_setup(self, opening: Sequence[Node], acts: Sequence[Act]) -> tuple[Setup, int]:
        """Build the start, and return with it how many passes at the beginning only make room for handicap stones."""
        root, board = self._nodes[0], self._board
        turns = [act for act in acts if isinstance(act, Turn)]
        position = _set_up_stones(opening, board)
        setup = Setup(
            rules=self._rules,
            size=(board.cols, board.rows),
            to_play=_find_first_player(opening, turns),
            komi=self._find_komi(root),
            handicap=self._named_handicap(root) or 0,
            board=rows_of(position) if position.occupied else None,
            bowls=self._read_private(lambda: _parse_bowls(root["LD"]) if "LD" in root else None, None),
            penalties=self._read_private(lambda: tuple(map(_parse_penalty, root.get("PE", []))), ()),
        )
        if self._to_the_letter:
            return setup, 0
        setup, passes = self._with_handicap(setup, position, turns)
        self._check_komi(setup)
        return setup, passes

    def _read_komi(self, root: Node) -> Komi | None:
        """Return the komi of another program's record, None if it has none that can be read."""
        text = _komi_text(root)
        komi = read_komi(text, self._board.points, _read_text(root, "AP")) if text else None
        return komi if komi is not None and abs(komi.points) <= LARGEST_KOMI else None

    def _find_komi(self, root: Node) -> float | None:
        if self._own:
            text = _read_text(root, "KM")
            return _parse_float(text.replace(",", "."), "komi") if text else None
        komi, text = self._written_komi, _komi_text(root)
        if komi is not None:
            self.notes += [komi.assumption] if komi.assumption else []
            return komi.points
        if text and self._rules.delays is not None:
            raise BadRecord(f"The SGF's komi {text[:20]!r} is not a number.")
        if text:
            self.notes.append(f"The komi KM[{text[:20]}] is not a number that a komi can be; the rules' own was taken.")
        return None

    def _check_komi(self, setup: Setup) -> None:
        """Tell the komi that is taken where the record has none."""
        komi = setup.rules.komi_for(setup.handicap)
        if setup.komi is None and komi:
            self.notes.append(f"The SGF has no komi (KM), so {komi:g} was taken, as {setup.rules.name} has it.")

    def _named_handicap(self, root: Node) -> int | None:
        """Return the handicap that HA names, None without one."""
        text = _read_text(root, "HA") or _read_text(root, "HN")
        if not text:
            return None
        handicap = read_handicap(text)
        if handicap is not None:
            return handicap
        if self._to_the_letter:
            raise BadRecord(f"The SGF's handicap {text[:20]!r} is not a whole number.")
        self.notes.append(f"The handicap HA[{text[:20]}] is no number of stones; those on the board were taken for it.")
        return None

    def _with_handicap(self, setup: Setup, position: Position, turns: Sequence[Turn]) -> tuple[Setup, int]:
        """Return the start with the handicap on the board or in the first moves, and the passes between these."""
        black = position.stones_of(Colour.BLACK).bit_count()
        if position.occupied:
            handicap = black if black > 1 or setup.handicap > 1 else setup.handicap
            is_game = bool(turns or setup.handicap) and setup.to_play is not Colour.BLACK
            return (
                self._with_stones(setup, handicap) if is_game and not position.stones_of(Colour.WHITE) else setup
            ), 0
        if setup.to_play is Colour.WHITE and setup.handicap > 1:
            return self._put_on_traditional_points(setup, turns), 0
        if setup.rules.handicap.name != "free":
            return setup, 0
        return self._take_stones_from_turns(setup, turns)

    def _with_stones(self, setup: Setup, stones: int) -> Setup:
        if stones == setup.handicap:
            return setup
        clause = f"says HA[{setup.handicap}]" if "HA" in self._nodes[0] else "names no handicap (HA)"
        up = "one stone" if stones == 1 else f"{stones} stones"
        self.notes.append(
            f"The SGF {clause}, but sets up {up} for Black and begins with White: taken as a handicap of {stones}."
        )
        return replace(setup, handicap=stones)

    def _put_on_traditional_points(self, setup: Setup, turns: Sequence[Turn]) -> Setup:
        """Put the handicap stones, which the record leaves out, on the traditional points if they may be meant."""
        problem = f"The SGF says HA[{setup.handicap}] and begins with White, but sets up no stones (AB)"
        try:
            stones = TraditionalPoints().set_up(setup.handicap, self._board)
        except BadSetup as error:
            return self._without_handicap(setup, problem, str(error).rstrip("."))
        early = mask_of(
            turn.point for turn in turns[:_OPENING_TURNS] if isinstance(turn, Placement) and turn.point != OFF_BOARD
        )
        ways = [
            replace(setup, board=rows_of(empty_position(self._board).with_stones(Colour.BLACK, way)))
            for way in _list_symmetries(stones, self._board)
            if not way & early
        ]
        if not ways:
            return self._without_handicap(setup, problem, "a move is on a traditional point")
        self.notes.append(f"{problem}; they were put on the traditional points.")
        return next((way for way in ways if _is_playable(way, turns)), ways[0])

    def _without_handicap(self, setup: Setup, problem: str, why: str) -> Setup:
        self.notes.append(
            f"{problem}. {why[0].upper()}{why[1:]}, so it was taken as a game without handicap stones; if there were "
            "some, write them into it."
        )
        return replace(setup, handicap=0)

    def _take_stones_from_turns(self, setup: Setup, turns: Sequence[Turn]) -> tuple[Setup, int]:
        """Return the start of a game whose handicap stones are Black's first moves, and the passes between them."""
        stones = sum(1 for _ in takewhile(_is_black_stone, turns))
        passes = _passes_between(turns)
        if stones == len(turns) or stones == setup.handicap:
            return setup, 0
        if stones > _MOST_HANDICAP:
            self.notes.append(
                f"The SGF makes {stones} moves of Black in a row; if they are a position, set it up (AB, AW)."
            )
            return setup, 0
        if stones > 1:
            clause = f"HA[{setup.handicap}]" if "HA" in self._nodes[0] else "no handicap (HA)"
            self.notes.append(
                f"The SGF says {clause}, but Black makes the first {stones} moves: taken as a handicap of {stones}."
            )
            return replace(setup, handicap=stones), 0
        if setup.handicap > 1 and passes + 1 >= setup.handicap:
            self.notes.append(f"White's passes between the {setup.handicap} handicap stones were left out.")
            return setup, setup.handicap - 1
        if setup.handicap > 1:
            self.notes.append(
                f"The SGF says HA[{setup.handicap}], but has no handicap stones: taken as a game without handicap."
            )
            return replace(setup, handicap=0), 0
        return setup, 0

    # The turns

    def _play_turns(self, setup: Setup, steps: Sequence[_Step], late: set[int] | None = None) -> tuple[Act, ...]:
        """Return the turns, and the stones set up where nobody saw how play went on.

        late: of another program's record the nodes that set stones up after the first move: it ends at one that no move
            explains, and is resumed where play goes on after passes. None takes the turns as they are written
        """
        course = _Course(setup.record(), self.notes)
        take = course.add_act if late is None else course.make_act
        for number, (node, acts) in enumerate(steps):
            if GAP in node:
                self._go_on_after_gap(course, steps[number:])
            for act in acts:
                take(act)
            if id(node) in (late or ()) and not course.set_up(
                _apply_setup(node, course.record.position, self._board), node.line
            ):
                break
        course.note_assumptions()
        return tuple(course.acts)

    def _go_on_after_gap(self, course: _Course, steps: Sequence[_Step]) -> None:
        """Set up the stones of the first step. Without PL the next turn shows whose it was."""
        node, number = steps[0][0], course.record.number
        position = _apply_setup(node, course.record.position, self._board)
        turns = [act for _, acts in steps for act in acts if isinstance(act, Placement | Pass | Delay)]
        bowls = _parse_bowls(node["LD"]) if "LD" in node else None
        since, until = (_read_text(Node({GAP: [value]}), GAP) for value in (*node[GAP], b"", b"")[:2])
        course.add_act(SetUp(position.stones, _find_first_player([node], turns), bowls, since, until))
        span = f"from {since} to {until}" if since and until else "for a while"
        self.notes.append(
            f"After turn {number} nobody saw how play went on ({span}): turns and prisoners of that time are missing, "
            "and the game goes on from the stones that lay there then."
        )


class _Course:
    """The course of a game: its record so far, its acts, and what was assumed of them."""

    def __init__(self, record: GameRecord, notes: list[str]) -> None:
        self.record, self.acts, self._notes = record, list[Act](), notes
        self._resumed_turns: list[int] = []
        self._needless = 0
        self._implied_turns: list[int] = []

    def make_act(self, act: Act) -> None:
        """Make a turn or agreement; one that is refused is kept, to be refused again by who judges."""
        if self.record.ended and self.record.result is None and self.record.rules.delays is None:
            if isinstance(act, Pass):
                self._needless += 1
                return
            if isinstance(act, Placement):
                self._resume_play(act.player)
        elif isinstance(act, Placement | Pass) and act.player is not self.record.to_play:
            self._pass_over(act)
        self.add_act(act)

    def add_act(self, act: Act) -> None:
        """Add an act as it is written."""
        self.acts.append(act)
        self.record = apply_action(self.record, act).after or self.record

    def _pass_over(self, act: Placement | Pass) -> None:
        """Make the pass between two moves of one colour, which programs leave out or write as an empty node."""
        implied_pass = Pass(self.record.to_play)
        after = apply_action(self.record, implied_pass).after
        if after is None:
            return
        self.acts.append(implied_pass)
        self.record = after
        self._implied_turns.append(after.number)
        if after.ended and isinstance(act, Placement):
            self._resume_play(act.player)

    def _resume_play(self, player: Colour) -> None:
        last = self.acts[-1] if self.acts else None
        if isinstance(last, Pass) and self.record.rules.ending.can_resume_play:
            next_player = None if self.record.to_play is player else player
            self.acts[-1] = replace(last, resumed=True, then=next_player)
            self.record = self.record.going_on(player)
            self._resumed_turns.append(self.record.number)

    def set_up(self, position: Position, line: int) -> bool:
        """Follow a set-up that changes nothing or corrects the last move; return False for any other."""
        record = self.record
        if position == record.position:
            return True
        last = self.acts[-1] if self.acts else None
        if isinstance(last, Placement) and record.turn == last and record.before is not None:
            if position == record.before.position:
                self._notes.append(f"Turn {record.number} was taken back: line {line} of the SGF takes its stone off.")
                self.acts.pop()
                self.record = record.before
                return True
            new_stone = position.stones_of(last.player) & ~record.before.position.stones_of(last.player)
            new_move = Placement(last.player, new_stone.bit_length() - 1)
            new_record = apply_action(record.before, new_move).after if new_stone.bit_count() == 1 else None
            if new_record is not None and new_record.position == position:
                self._notes.append(
                    f"Turn {record.number} was read as {record.position.board.name(new_move.point)}, "
                    f"to which line {line} of the SGF moves its stone."
                )
                self.acts[-1], self.record = new_move, new_record
                return True
        self._notes.append(
            f"The SGF sets up stones after turn {record.number} (line {line}), which no move explains; "
            "the game was read up to there."
        )
        return False

    def note_assumptions(self) -> None:
        """Note passes that are not written, where play was resumed, and passes that change nothing."""
        if self._implied_turns:
            passes = ", ".join(map(str, self._implied_turns[:5])) + (
                " and later" if len(self._implied_turns) > 5 else ""
            )
            self._notes.append(f"One colour moves twice in a row: turn {passes} was read as a pass of the other.")
        if self._resumed_turns:
            after = ", ".join(map(str, self._resumed_turns[:5])) + (
                " and later" if len(self._resumed_turns) > 5 else ""
            )
            self._notes.append(f"Play goes on after the passes of turn {after}: it was taken as resumed.")
        if self._needless:
            passes = "A pass" if self._needless == 1 else f"Each of the {self._needless} passes"
            self._notes.append(f"{passes} after the end of play changes nothing, and was left out.")


def _decode_file(data: bytes) -> Decoded:
    """Return a record in UTF-8, one of a server's format as SGF."""
    sgf = convert_to_sgf(data)
    return decode_record(data) if sgf is None else Decoded(sgf)


def _komi_text(root: Node) -> str:
    text = _read_text(root, "KM")
    return text if text or _BLACK_AND_WHITE_MOVES & root.keys() else _read_text(root, "KO")  # Nihon Ki-in


def _has_private_properties(node: Node) -> bool:
    """Return True if shinpan wrote a node: a delay, a draw, or what lies in the bowls."""
    has_delay, has_draw = _read_text(node, "DL") in _DELAYS, _read_text(node, "DR") in _BLACK_AND_WHITE
    return has_delay or has_draw or any(map(_LID.fullmatch, node.get("LD", [])))


def _has_moves_in_a_row(acts: Sequence[Act]) -> bool:
    """Return True if one colour moves twice in a row."""
    players = [act.player for act in acts if isinstance(act, Placement | Pass)]
    return any(one is other for one, other in pairwise(players))


def _list_symmetries(stones: Mask, board: Board) -> Iterable[Mask]:
    """Return the stones as they lie for each of the players' seats, and for each side of the board in a mirror."""
    mirror_image = mask_of(
        point - point % board.cols + board.cols - 1 - point % board.cols for point in points_of(stones)
    )
    return dict.fromkeys((stones, board.rotate_mask(stones), mirror_image, board.rotate_mask(mirror_image)))


def _is_playable(setup: Setup, turns: Sequence[Turn]) -> bool:
    """Return True if no turn of a game is on a stone of its own."""
    record = setup.record()
    for turn in turns:
        verdict = apply_action(record, turn)
        if verdict.prohibition is not None and verdict.prohibition.reason is Reason.OCCUPIED:
            return False
        record = verdict.after or record
    return True


def _is_black_stone(turn: Turn) -> bool:
    return isinstance(turn, Placement) and turn.player is Colour.BLACK


def _passes_between(turns: Sequence[Turn]) -> int:
    """Return how many passes of White stand between Black's first stones, one after each."""
    pairs = zip(turns[::2], turns[1::2], strict=False)
    return sum(1 for _ in takewhile(lambda pair: _is_black_stone(pair[0]) and isinstance(pair[1], Pass), pairs))


def _without_passes(steps: list[_Step], passes: int) -> list[_Step]:
    """Return the steps without so many of their first passes."""
    remaining = []
    for node, acts in steps:
        left = tuple(act for act in acts if not (passes and isinstance(act, Pass)))
        passes -= len(acts) - len(left)
        remaining.append((node, left))
    return remaining


def _read_text(node: Node, name: str) -> str:
    """Return the first value of a property as text, empty if it is absent."""
    raw = node.get(name, [b""])[0]
    unescaped = re.sub(rb"(?s)\\(?:\r\n|\n\r|\n|\r|(.))", lambda match: match[1] or b"", raw)
    return re.sub(r"[\t\n\v\f\r]", " ", unescaped.decode("utf-8", "replace")).strip()


def _read_board(root: Node) -> Board:
    if _read_text(root, "GM").lower().lstrip("0") not in ("", "1", "go"):
        raise BadRecord("The SGF is of another game than Go (GM is not 1).")
    sides = re.split(r"\s*[:x*×,]\s*|\s+", (_read_text(root, "SZ") or "19").lower())
    lines = [int(side.partition(".")[0]) for side in sides if re.fullmatch(r"\d{1,2}(?:\.0+)?", side)]
    if len(lines) != len(sides) or len(lines) > 2 or not all(1 <= side <= LARGEST_SIDE for side in lines):
        raise BadRecord(
            f"The SGF's size {_read_text(root, 'SZ')[:20]!r} is none; a side has 1 to {LARGEST_SIDE} lines."
        )
    return board_of(lines[0], lines[-1])


def _parse_penalty(raw: bytes) -> Penalty:
    """Parse a penalty. Raise BadRecord if it is malformed."""
    text = raw.decode("utf-8", "replace").strip()
    match = re.fullmatch(rf"([BW]):([1-9][0-9]{{0,3}}):({'|'.join(Offence)})", text)
    if match is None:
        raise BadRecord(f"The SGF's penalty PE[{text[:20]}] cannot be read.")
    return Penalty(Colour(match[1]), int(match[2]), Offence(match[3]))


def _parse_option(raw: bytes) -> tuple[str, object]:
    piece, _, option = raw.decode("utf-8", "replace").partition(":")
    return piece, _parse_float(option, piece) if re.fullmatch(r"-?[0-9.]+", option) else option


def _parse_float(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise BadRecord(f"The SGF's {what} {text[:20]!r} is not a number.") from error


def _find_first_player(opening: Sequence[Node], turns: Sequence[Turn]) -> Colour | None:
    colours = [_read_text(node, "PL")[:1].upper() for node in opening if "PL" in node]
    if colours and colours[-1] in _BLACK_AND_WHITE:
        return Colour(colours[-1])
    return turns[0].player if turns else None


def _parse_bowls(values: Sequence[bytes]) -> Bowls:
    counts: dict[str, dict[str, int]] = {}
    ultimate: Colour | None = None
    for value in values:
        lid = _LID.fullmatch(value)
        if lid is None:
            raise BadRecord(f"The SGF's bowl LD[{value[:20].decode('ascii', 'replace')}] cannot be read.")
        if lid.group(3):
            ultimate = Colour(lid.group(3).decode())
        else:
            owner, colour = lid.group(1)[:1].decode(), lid.group(1)[1:].decode()
            counts[owner] = {colour: int(lid.group(2))}
    bowls = bowls_of(counts)
    return bowls.with_ultimate(ultimate) if ultimate else bowls


def _set_up_stones(opening: Sequence[Node], board: Board) -> Position:
    position = empty_position(board)
    for node in opening:
        position = _apply_setup(node, position, board)
    return position


def _apply_setup(node: Node, position: Position, board: Board) -> Position:
    """Return the position with a node's stones taken off and put on."""
    stones = 0
    for name, colour in (("AE", None), ("AB", Colour.BLACK), ("AW", Colour.WHITE)):
        mask = 0
        for value in node.get(name, []):
            mask |= _parse_rectangle(value, board) if value.strip() else 0
        if mask & stones:
            raise BadRecord(f"The SGF sets up a black and a white stone at {board.names(mask & stones)[0]}.")
        stones |= mask if colour else 0
        position = position.without_stones(mask)
        position = position.with_stones(colour, mask) if colour else position
    return position


def _parse_rectangle(value: bytes, board: Board) -> Mask:
    """Return the points of `aa` or `aa:cc`."""
    corners = [_parse_coordinates(corner, board) for corner in value.strip().split(b":")]
    (left, right), (top, bottom) = map(sorted, zip(corners[0], corners[-1], strict=True))
    if len(corners) > 2 or right >= board.cols or bottom >= board.rows:
        raise BadRecord(f"The SGF sets a stone beside the board, at [{value[:20].decode('ascii', 'replace')}].")
    return sum((1 << right + 1) - (1 << left) << row * board.cols for row in range(top, bottom + 1))


def _is_behind(value: bytes, board: Board) -> bool:
    """Return True for the point behind the last, which is a pass: ss on 18 lines, as tt on 19."""
    return len(value) == 2 and board.cols == board.rows < len(_LETTERS) and value == _LETTERS[board.cols].encode() * 2


def _parse_coordinates(value: bytes, board: Board) -> tuple[int, int]:
    """Return column and row from the top left; capitals, which no board here reaches, follow the small letters.

    A letter with a number is a point as people and GTP name it.
    """
    if _NAME_OF_POINT.fullmatch(value):
        with suppress(BadPoint):
            point = board.point(value.decode())
            return point % board.cols, point // board.cols
    places = [(_LETTERS + _LETTERS.upper()).find(chr(byte)) for byte in value]
    if len(places) != 2 or min(places) < 0:
        raise BadRecord(f"The SGF's point [{value[:20].decode('ascii', 'replace')}] is none; a point is two letters.")
    return places[0], places[1]


def _read_acts(node: Node, board: Board, to_the_letter: bool) -> tuple[Act, ...]:
    """Return a node's turns or agreement. Raise BadRecord, with the line, for what is none."""
    try:
        return tuple(_parse_acts(node, board, to_the_letter))
    except BadRecord as error:
        raise BadRecord(f"{error} It is in line {node.line}.") from error


def _parse_acts(node: Node, board: Board, to_the_letter: bool) -> Iterator[Turn | Settlement]:
    if "AG" in node and (to_the_letter or _AGREED.match(_read_text(node, "AG"))):
        yield _parse_agreement(node, board)
    for name, values in node.items():
        if name in _BLACK_AND_WHITE:
            yield from (_parse_move(Colour(name), value.strip(), node, board) for value in values)
    for name, kind in (("RS", Resign), ("DR", Draw)):
        if _read_text(node, name) in _BLACK_AND_WHITE:
            yield kind(Colour(_read_text(node, name)))


def _parse_agreement(node: Node, board: Board) -> Settlement:
    """Parse an agreement. Raise BadRecord if it is malformed."""
    exchange = re.fullmatch("exchange:([1-9][0-9]{0,3})", _read_text(node, "AG"))
    if exchange is not None:
        return Exchange(int(exchange.group(1)))
    stones = 0
    for value in (*node["AG"][1:], *node.get("AE", [])):  # Until version 0.2 they stood in AE.
        stones |= _parse_rectangle(value, board)
    if _read_text(node, "AG") != "removed" or not stones:
        raise BadRecord(f"The SGF's agreement AG[{_read_text(node, 'AG')[:20]}] cannot be read.")
    return Removal(stones)


def _parse_move(player: Colour, value: bytes, node: Node, board: Board) -> Turn:
    if "DL" in node:
        return Delay(player, ultimate=_read_text(node, "DL") == "ultimate")
    if (
        value.lower() in (b"", b"pass")
        or (value == b"tt" and max(board.cols, board.rows) <= 19)
        or _is_behind(value, board)
    ):
        resumption = re.fullmatch("resumed:([BW])", _read_text(node, "RP"))
        return Pass(player, resumed="RP" in node, then=Colour(resumption[1]) if resumption else None)
    col, row = _parse_coordinates(value, board)
    on_board = col < board.cols and row < board.rows
    return Placement(player, row * board.cols + col if on_board else OFF_BOARD, stood="KO" in node)
