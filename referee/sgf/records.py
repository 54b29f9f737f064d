"""Game records as SGF FF[4], on bytes, by sgfmill's grammar layer (its game objects refuse boards that are not square).

Extensions to SGF: a delay is a pass with DL[prisoner] or DL[ultimate]; a last node with RS[B] or DR[B] says that Black
resigned or declared a draw at their turn; LD gives bowls that differ from the rule set's own at the start (LD[BW:3]:
three white stones in Black's bowl; LD[ultimate:B]: the ultimate stone in Black's bowl); RX gives replaced rules
(RX[ko:simple]; records of version 0.1 have them in RO, which is the round); PE has a player's penalty, for the
opponent, and its offence (PE[B:2:prisoners]); SEAL in the root is the hash of the match's journal up to here, and SUM
that of the rest of the file. KO marks an illegal placement that stood. AG, in a node of its own, is an
agreement of both players: an exchange of prisoners (AG[exchange:2]), or the removal of stones as dead
(AG[removed][ae][be]; version 0.1 had them in AE, which other programs refuse or misread after the first move). HN[1] is
a handicap of 1, which SGF's own HA does not allow. `reader` reads all of it.

A refused turn is a variation beside the turn that was made instead. The comment after the last turn has a node of its
own, with TB and TW, dead stones' points included, and the dead marked by MA.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from sgfmill import sgf_grammar

from referee.game.board import Board, Colour, Mask, Point, points_of
from referee.game.errors import BadRecord
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Resign, Settlement, Turn
from referee.rules.sets import non_default_options
from referee.sgf.annotations import NOTHING_TO_NOTE, MoveMark, RefusedMove, SgfAnnotations
from referee.sgf.reader import read_root as read_root
from referee.sgf.reader import read_sgf as read_sgf
from referee.time.records import Times, control_properties, left_properties

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAMES = {Colour.BLACK: "Black", Colour.WHITE: "White"}
_BLACK_AND_WHITE = (Colour.BLACK, Colour.WHITE)
_SUM, _WORDS = re.compile(rb"SUM\[([0-9a-f]{16})\]"), frozenset({"C", "N", "SUM"})
_Node = dict[str, list[bytes]]


def write_sgf(
    record: GameRecord,
    black: str = "",
    white: str = "",
    notes: SgfAnnotations = NOTHING_TO_NOTE,
    times: Times | None = None,
    seal: str = "",
) -> bytes:
    """Return the game so far as SGF in UTF-8. Rules that nobody named are not written.

    Args:
        record: the game; BadRecord is raised for more than two players, for whom SGF has no colours.
        black: Black's name.
        white: White's name.
        notes: the annotations beside the turns.
        times: the time control and the time left after each turn.
        seal: the hash of the journal up to here.
    """
    if record.players > 2:
        raise BadRecord("SGF knows black and white alone; keep a game of more players as JSON lines.")
    board = record.position.board
    nodes = [_root(record, black, white, notes)]
    nodes += [_node(turn, board, notes.comments.get(n, "")) for n, turn in enumerate(record.turns, 1)]
    for number, name in notes.names.items():
        nodes[number]["N"] = [_raw(name)]
    for number, led_to in notes.marks.items():
        nodes[number].update(_mark_properties(led_to, board))
    if seal:
        nodes[0]["SEAL"] = [_raw(seal)]
    _mark_resumed(nodes, record)
    if times is not None:
        _add_times(nodes, record.turns, times)
    written: bytes = sgf_grammar.serialise_game_tree(_branch_refused(_with_agreements(nodes, record), notes, board))
    mark = b"SEAL[%s]" % seal.encode()
    return written.replace(mark, mark + b"SUM[%s]" % _sum(written), 1) if seal else written


def _sum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest()[:16].encode()


def is_whole(data: bytes) -> bool:
    """Return True if a record with a seal is byte for byte as it was written."""
    found = _SUM.search(data)
    return found is not None and found[1] == _sum(data[: found.start()] + data[found.end() :])


def without_words(data: bytes) -> bytes:
    """Return the record without comments and names of turns, whose wording differs between versions.

    What version 0.1 wrote in SGF's own HA and AE is where it is written now.

    Raise BadRecord for a file that is no SGF.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord(f"The SGF cannot be read: {error}.") from error
    left = [tree]
    while left:
        here = left.pop()
        here.sequence = [_bare(node) for node in here.sequence]
        left += here.children
    bare: bytes = sgf_grammar.serialise_game_tree(tree)
    return bare


def _bare(node: _Node) -> _Node:
    bare = {name: values for name, values in node.items() if name not in _WORDS}
    if bare.get("AG") == [b"removed"] and "AE" in bare:
        bare["AG"] = [b"removed", *bare.pop("AE")]
    if bare.get("HA") == [b"1"]:
        bare["HN"] = bare.pop("HA")
    return bare


def _mark_resumed(nodes: Sequence[_Node], record: GameRecord) -> None:
    """Mark, by a property of our own, the passes that had ended play before it was resumed."""
    for held in record.back():
        if held.resumed and isinstance(held.turn, Pass):
            natural = held.before is None or held.before.next_to_play is held.to_play
            nodes[held.number]["RP"] = [b"resumed" if natural else _raw(f"resumed:{held.to_play}")]


def _branch_refused(
    main_line: Sequence[Sequence[_Node]], notes: SgfAnnotations, board: Board
) -> sgf_grammar.Coarse_game_tree:
    """Return the main line with refused turns as variations, each beside the turn that was made instead."""
    end = _end(notes, board)
    after = _line([end]) if end or notes.tried.get(len(main_line) - 1) else _line([])
    for number in reversed(range(len(main_line))):
        refused = [_line([_refused_variation(tried, board)]) for tried in notes.tried.get(number, ())]
        here = _line(main_line[number], [after, *refused] if refused else ())
        if not refused:
            here.sequence += after.sequence
            here.children = after.children
        after = here
    return after


def _line(nodes: Sequence[_Node], children: Sequence[object] = ()) -> sgf_grammar.Coarse_game_tree:
    tree = sgf_grammar.Coarse_game_tree()
    tree.sequence, tree.children = list(nodes), list(children)
    return tree


def _mark_properties(mark: MoveMark, board: Board) -> _Node:
    """Return V, BM and TR, as the standard defines them."""
    value = {"V": [_raw(_number(mark.value))]} if mark.value is not None else {}
    better = {"TR": _points(mark.better, board)} if mark.better else {}
    return {**value, **({"BM": [b"1"]} if mark.bad else {}), **better}


def _end(notes: SgfAnnotations, board: Board) -> _Node:
    """Return the node with the comment after the last turn, the dead stones, and the players' points."""
    laid = notes.layout
    marked = () if laid is None else zip(("TB", "TW", "MA"), (*laid.owned, laid.dead), strict=True)
    node = {name: _points(mask, board) for name, mask in marked if mask}
    return node | ({"C": [_raw(notes.end)]} if notes.end else {})


def _refused_variation(tried: RefusedMove, board: Board) -> _Node:
    on_board = not isinstance(tried.turn, Placement) or tried.turn.point != OFF_BOARD
    node = _node(tried.turn, board, "") if on_board else {}
    return node | {"N": [_raw(tried.name)], "C": [_raw(tried.why)]}


def _with_agreements(nodes: Sequence[_Node], record: GameRecord) -> list[list[_Node]]:
    """Return each turn's node, followed by a node for each agreement made after it."""
    following: dict[int, list[_Node]] = {}
    for held in record.back():
        agreed = [one.settlement for one in (held, *held.unsettled_back()) if one.settlement is not None]
        following[held.number] = [_agreement(settlement, record.position.board) for settlement in reversed(agreed)]
    return [[node, *following.get(number, ())] for number, node in enumerate(nodes)]


def _agreement(settlement: Settlement, board: Board) -> _Node:
    if isinstance(settlement, Exchange):
        return {"AG": [_raw(f"exchange:{settlement.count}")]}
    # Not in AE, which others refuse after the first move.
    names = ", ".join(board.names(settlement.stones))
    said = f"Both agreed that these are dead: {names}."
    return {"AG": [b"removed", *_points(settlement.stones, board)], "C": [_raw(said)]}


def _add_times(nodes: Sequence[_Node], turns: Sequence[Turn], times: Times) -> None:
    """Write the time control into the root, and the time left after each turn into its node."""
    root, *moves = nodes
    root.update({name: [_raw(text)] for name, text in control_properties(times.control).items()})
    for number, (node, turn) in enumerate(zip(moves, turns, strict=True), 1):
        left = times.lefts.get(number)
        if left is not None and turn.player.value in node:
            properties = left_properties(times.control, turn.player, left)
            node.update({name: [_raw(text)] for name, text in properties.items()})


def _root(record: GameRecord, black: str, white: str, notes: SgfAnnotations) -> _Node:
    board = record.position.board
    size = f"{board.cols}" if board.cols == board.rows else f"{board.cols}:{board.rows}"
    texts = {"FF": "4", "GM": "1", "CA": "UTF-8", "AP": "shinpan", "SZ": size}
    texts |= {"RU": record.rules.name} if record.rules.named else {}
    texts |= {"KM": _number(record.komi)} if _is_agreed(record) else {}
    # FF[4] wants two stones or more in HA.
    texts |= {"HA" if record.handicap > 1 else "HN": str(record.handicap)} if record.handicap else {}
    texts |= {name: text for name, text in (("PB", black), ("PW", white), ("RE", record.result or "")) if text}
    texts |= {name: text for name, text in _game_info_properties(notes).items() if text}
    root = {name: [_raw(text)] for name, text in texts.items()}
    options = non_default_options(record.rules).items()
    fines = [_raw(f"{one.player}:{one.points}:{one.offence}") for one in record.penalties]
    lists = {"RX": [_raw(f"{piece}:{option}") for piece, option in options], "PE": fines, **_start(record)}
    return root | {name: values for name, values in lists.items() if values}


def _is_agreed(record: GameRecord) -> bool:
    """Return True if somebody named the komi, or the rules that it comes with."""
    return record.rules.named or record.komi != record.rules.komi_for(record.handicap)


def _game_info_properties(notes: SgfAnnotations) -> dict[str, str]:
    """Return the game information as SGF properties; SGF has none for the table."""
    part = notes.game_info
    table = f"Table {part.table}" if part.table else ""
    texts = {"DT": notes.date, "EV": part.event, "RO": part.round, "PC": part.place, "GC": table}
    return texts | {"C": notes.comments.get(0, "")}


def _start(record: GameRecord) -> _Node:
    """Return AB, AW, PL and LD of a start; without values if it is the rule set's own."""
    start, board = record.start, record.position.board
    own = record.rules.bowls.at_start(record.komi, record.handicap, record.players)
    stones = {f"A{colour.value}": _points(start.position.of(colour), board) for colour in _BLACK_AND_WHITE}
    plain = start.to_play is Colour.BLACK and not start.position.occupied
    to_play = [] if plain else [_raw(start.to_play.value)]
    return {**stones, "PL": to_play, "LD": [] if start.bowls == own else _lids(start.bowls)}


def _points(mask: Mask, board: Board) -> list[bytes]:
    return [_at(point, board) for point in points_of(mask)]


def _at(point: Point, board: Board) -> bytes:
    row, col = divmod(point, board.cols)
    return (_LETTERS[col] + _LETTERS[row]).encode()


def _lids(bowls: Bowls) -> list[bytes]:
    counts = [(owner, colour, bowls.count(owner, colour)) for owner in _BLACK_AND_WHITE for colour in _BLACK_AND_WHITE]
    lids = [_raw(f"{owner}{colour}:{count}") for owner, colour, count in counts if owner is not colour]
    return lids + ([_raw(f"ultimate:{bowls.ultimate_owner}")] if bowls.ultimate_owner else [])


def _node(turn: Turn, board: Board, comment: str) -> _Node:
    player, name = turn.player.value, _NAMES[turn.player]
    match turn:
        case Placement(point=point, stood=stood):
            node = {player: [_at(point, board)], **({"KO": [b""]} if stood else {})}
        case Delay(ultimate=ultimate):
            node = {player: [b""], "DL": [b"ultimate" if ultimate else b"prisoner"]}
        case Pass():
            node = {player: [b""]}
        case Draw():
            node, comment = {"DR": [_raw(player)]}, comment or f"{name} declares a draw."
        case Resign():
            node, comment = {"RS": [_raw(player)]}, comment or f"{name} resigns."
    return node | ({"C": [_raw(comment)]} if comment else {})


def _raw(text: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(text.encode())
    return escaped


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
