"""Game records as SGF FF[4], on bytes, by sgfmill's grammar layer (its game objects refuse boards that are not square).

Extensions to SGF: a delay is a pass with DL[prisoner] or DL[ultimate]; a last node with RS[B] or DR[B] says that Black
resigned or declared a draw at their turn; LD gives bowls that differ from the rule set's own at the start (LD[BW:3]:
three white stones in Black's bowl; LD[ultimate:B]: the ultimate stone in Black's bowl); RX gives replaced rules
(RX[ko:simple]; records of version 0.1 have them in RO, which is the round); PE has a player's penalty, for the
opponent, and its offence (PE[B:2:prisoners]); SEAL in the root is the hash of the match's journal up to here, and SUM
that of the rest of the file. GAP, in a node that sets up stones (AB, AW, AE, PL) after a turn, has when a gap began and
ended in which nobody saw how play went on. KO marks an illegal placement that stood. AG, in a node of its own, is an
agreement of both players: an exchange of prisoners (AG[exchange:2]), or the removal of stones as dead
(AG[removed][ae][be]; version 0.1 had them in AE, which other programs refuse or misread after the first move). HN[1] is
a handicap of 1, which SGF's own HA does not allow. HB has the turns of handicap stones (`handicap_stones`). `reader`
reads all of it.

A refused turn is a variation beside the turn that was made instead. The comment after the last turn has a node of its
own, with TB and TW, dead stones' points included, and the dead marked by MA.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from sgfmill import sgf_grammar

from referee.game.board import Board, Colour, Mask, Point, points_of
from referee.game.differences import first_difference
from referee.game.errors import BadRecord
from referee.game.prisoners import Bowls
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Resign, Settlement, SetUp, Turn
from referee.rules.sets import non_default_options
from referee.sgf.annotations import NOTHING_TO_NOTE, MoveMark, RefusedMove, SgfAnnotations
from referee.sgf.handicap_stones import count_handicap_turns, with_stones_set_up, words_of
from referee.sgf.reader import GAP
from referee.sgf.reader import count_turns as count_turns
from referee.sgf.reader import read_root as read_root
from referee.sgf.reader import read_sgf as read_sgf
from referee.time.records import Times, control_properties, left_properties

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAMES = {Colour.BLACK: "Black", Colour.WHITE: "White"}
_BLACK_AND_WHITE = (Colour.BLACK, Colour.WHITE)
_SUM, _WORDS = re.compile(rb"SUM\[([0-9a-f]{16})\]"), frozenset({"C", "N", "SUM"})
_Node = dict[str, list[bytes]]
_WIDTH = 79
"""Bytes in a line, where none is longer by itself."""


def write_sgf(
    record: GameRecord,
    black: str = "",
    white: str = "",
    notes: SgfAnnotations = NOTHING_TO_NOTE,
    times: Times | None = None,
    seal: str = "",
) -> bytes:
    """Return the game so far as SGF in UTF-8. The default rules, if nobody named them, are not written.

    Args:
        record: the game; BadRecord is raised for more than two players, for whom SGF has no colours.
        black: Black's name.
        white: White's name.
        notes: the annotations beside the turns.
        times: the time control and the time left after each turn.
        seal: the hash of the journal up to here.
    """
    return SgfWriter().write_record(record, black, white, notes, times, seal)


@dataclass(frozen=True)
class _WrittenTurns:
    """The turns of a record as they were written.

    records, notes, times: what they were written from; of the records, the start and one a turn.
    columns: where in its line each turn's text ends; before them, the root's.
    texts: of each turn; empty for those that lay handicap stones, which the root sets up.
    laid: the number of these.
    """

    records: tuple[GameRecord, ...] = ()
    notes: SgfAnnotations = NOTHING_TO_NOTE
    times: Times | None = None
    columns: tuple[int, ...] = ()
    texts: tuple[bytes, ...] = ()
    laid: int = 0


class SgfWriter:
    """A writer of one game as it goes on: it keeps the text of the turns, and writes those that are new or changed.

    Any thread may use it.
    """

    def __init__(self) -> None:
        self._written = _WrittenTurns()

    def write_record(
        self,
        record: GameRecord,
        black: str = "",
        white: str = "",
        notes: SgfAnnotations = NOTHING_TO_NOTE,
        times: Times | None = None,
        seal: str = "",
    ) -> bytes:
        """Return the same as `write_sgf`."""
        if record.players > 2:
            raise BadRecord("SGF knows black and white alone; keep a game of more players as JSON lines.")
        previous = self._written
        records, common = record.list_records(previous.records)
        root, handicap_turns = _first_node(record, records, black, white, notes, times, seal)
        begin, column = _wrap_pieces(_first_pieces(root, records[handicap_turns], notes), 0)
        self._written = turns = _write_turns(previous, records, common, notes, times, column, handicap_turns)
        end, _ = _wrap_pieces(_last_pieces(record, notes, handicap_turns), turns.columns[-1])
        data = b"".join([begin, *turns.texts, end])
        mark = b"SEAL[%s]" % seal.encode()
        return data.replace(mark, mark + b"SUM[%s]" % _short_hash(data), 1) if seal else data


def _write_turns(
    previous: _WrittenTurns,
    records: tuple[GameRecord, ...],
    common: int,
    notes: SgfAnnotations,
    times: Times | None,
    column: int,
    handicap_turns: int,
) -> _WrittenTurns:
    """Write the turns after those that stand in `previous` as they would be written now.

    records: the start and one a turn, of which the first `common` are those of `previous`. column: where the root ends.
    handicap_turns: the first turns, which lay handicap stones.
    """
    is_begun = previous.columns[:1] == (column,) and previous.laid == handicap_turns
    first = max(1, min(common, *_first_changes(previous, notes, times))) if is_begun else 1
    columns, texts = [column, *previous.columns[1:first]], list(previous.texts[: first - 1])
    for turn_record in records[first:]:
        pieces = _turn_pieces(turn_record, notes, times) if turn_record.number > handicap_turns else ()
        text, column = _wrap_pieces(pieces, columns[-1])
        texts.append(text)
        columns.append(column)
    return _WrittenTurns(records, notes, times, tuple(columns), tuple(texts), handicap_turns)


def _first_changes(previous: _WrittenTurns, notes: SgfAnnotations, times: Times | None) -> Iterator[int]:
    """Yield numbers of turns, before the lowest of which the annotations and the time left are as they were."""
    yield first_difference(previous.notes.comments, notes.comments)
    yield first_difference(previous.notes.names, notes.names)
    yield first_difference(previous.notes.marks, notes.marks)
    yield first_difference(previous.notes.tried, notes.tried)
    if previous.times is None or times is None or previous.times.control != times.control:
        yield sys.maxsize if previous.times is times else 1
    else:
        yield first_difference(previous.times.lefts, times.lefts)


def _wrap_pieces(pieces: Iterable[bytes], column: int) -> tuple[bytes, int]:
    """Return the text with a line's end before each piece that would exceed the line, and the column after it.

    column: where in its line the text begins. So does sgfmill, which writes whole files only.
    """
    text = bytearray()
    for piece in pieces:
        if column + len(piece) > _WIDTH:
            text += b"\n"
            column = 0
        text += piece
        column += len(piece)
    return bytes(text), column


def _first_node(
    record: GameRecord,
    records: Sequence[GameRecord],
    black: str,
    white: str,
    notes: SgfAnnotations,
    times: Times | None,
    seal: str,
) -> tuple[_Node, int]:
    """Return the root, and how many turns lay the handicap stones that it sets up.

    records: the start and one a turn.
    """
    root = _build_root_node(record, black, white, notes) | _note_properties(0, notes, record.position.board)
    if times is not None:
        root |= {name: [_escape_text(text)] for name, text in control_properties(times.control).items()}
    if seal:
        root["SEAL"] = [_escape_text(seal)]
    early = records[1 : 2 * record.handicap] if record.handicap > 1 else ()
    nodes = [_turn_node(turn_record, notes, times) for turn_record in early]
    handicap_turns = count_handicap_turns(root, nodes)
    if not handicap_turns or any(_build_agreement_nodes(turn_record) for turn_record in records[:handicap_turns]):
        return root, 0
    root = with_stones_set_up(root, nodes[:handicap_turns])
    words = words_of(_words_beside(records[: handicap_turns + 1], notes))
    return root | ({"C": [_escape_text(words)]} if words else {}), handicap_turns


def _words_beside(records: Sequence[GameRecord], notes: SgfAnnotations) -> Iterator[tuple[str, str]]:
    """Yield what was said before the game and beside each turn, refused ones too, with the turn's name."""
    yield "", notes.comments.get(0, "")
    for record in records[1:]:
        yield from ((refused_move.name, refused_move.why) for refused_move in notes.tried.get(record.number - 1, ()))
        turn, board = record.turn, record.position.board
        place = board.name(turn.point) if isinstance(turn, Placement) else ""
        yield notes.names.get(record.number, place), notes.comments.get(record.number, "")


def _first_pieces(root: _Node, start: GameRecord, notes: SgfAnnotations) -> Iterator[bytes]:
    """Yield what comes before the first turn that has a node. start: the record then."""
    yield b"("
    yield from _split_nodes([root, *_build_agreement_nodes(start)])
    yield from [b"("] if notes.tried.get(start.number) else []


def _turn_pieces(record: GameRecord, notes: SgfAnnotations, times: Times | None) -> Iterator[bytes]:
    """Yield a turn, the agreements after it, and the beginning of a variation beside which a turn was refused."""
    yield from _split_nodes([_turn_node(record, notes, times), *_build_agreement_nodes(record)])
    yield from [b"("] if notes.tried.get(record.number) else []


def _turn_node(record: GameRecord, notes: SgfAnnotations, times: Times | None) -> _Node:
    turn, number, board = record.turn, record.number, record.position.board
    assert turn is not None
    node = (
        _build_turn_node(turn, board, notes.comments.get(number, ""))
        | _note_properties(number, notes, board)
        | _mark_resumption(record)
    )
    left = times.lefts.get(number) if times is not None else None
    if times is not None and left is not None and turn.player.value in node:
        node |= {name: [_escape_text(text)] for name, text in left_properties(times.control, turn.player, left).items()}
    return node


def _last_pieces(record: GameRecord, notes: SgfAnnotations, handicap_turns: int) -> Iterator[bytes]:
    """Yield the node after the last turn, and refused turns as variations, each beside the turn made instead.

    handicap_turns: the turns of handicap stones, beside which a refused one is told in the root's comment.
    """
    board, end = record.position.board, _build_end_node(notes, record.position.board)
    if end or notes.tried.get(record.number):
        yield from _split_nodes([end])
    for number in sorted((number for number in notes.tried if handicap_turns <= number <= record.number), reverse=True):
        for refused_move in notes.tried[number]:
            yield b")"
            yield b"("
            yield from _split_nodes([_refused_variation(refused_move, board)])
        yield from [b")"] if notes.tried[number] else []
    yield b")"
    yield b"\n"


def _split_nodes(nodes: Iterable[_Node]) -> Iterator[bytes]:
    """Yield nodes in the pieces between which a line may end."""
    for node in nodes:
        yield b";"
        for name in sorted(node, key=lambda name: (name != "FF", name)):
            yield name.encode() + b"".join(b"[%s]" % value for value in node[name])


def _short_hash(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest()[:16].encode()


def is_whole(data: bytes) -> bool:
    """Return True if a record with a seal is byte for byte as it was written."""
    match = _SUM.search(data)
    return match is not None and match[1] == _short_hash(data[: match.start()] + data[match.end() :])


def without_words(data: bytes) -> bytes:
    """Return the record without the program's version, comments and names of turns, which differ between versions.

    What version 0.1 wrote in SGF's own HA and AE, and later ones as moves of a handicap, is where it is written now.

    Raise BadRecord for a file that is no SGF.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord(f"The SGF cannot be read: {error}.") from error
    left = [tree]
    while left:
        subtree = left.pop()
        subtree.sequence = [_without_words(node) for node in subtree.sequence]
        left += subtree.children
    _set_up_stones(tree)
    bare: bytes = sgf_grammar.serialise_game_tree(tree)
    return bare


def _set_up_stones(tree: sgf_grammar.Coarse_game_tree) -> None:
    """Move the handicap stones of a record of our own that has them as moves into its root."""
    root, nodes, subtree = tree.sequence[0], tree.sequence[1:], tree
    if root.get("AP") != [b"shinpan"]:
        return
    while not (handicap_turns := count_handicap_turns(root, nodes)) and subtree.children:
        subtree = subtree.children[0]
        nodes += subtree.sequence
    if handicap_turns:
        tree.sequence, tree.children = (
            [with_stones_set_up(root, nodes[:handicap_turns]), *nodes[handicap_turns:]],
            subtree.children,
        )


def _without_words(node: _Node) -> _Node:
    bare = {name: values for name, values in node.items() if name not in _WORDS}
    if bare.get("AP", [b""])[0].startswith(b"shinpan:"):
        bare["AP"] = [b"shinpan"]
    if bare.get("AG") == [b"removed"] and "AE" in bare:
        bare["AG"] = [b"removed", *bare.pop("AE")]
    if bare.get("HA") == [b"1"]:
        bare["HN"] = bare.pop("HA")
    return bare


def _mark_resumption(record: GameRecord) -> _Node:
    """Return the mark, a property of our own, of a pass that had ended play before it was resumed."""
    if not record.resumed or not isinstance(record.turn, Pass):
        return {}
    natural = record.before is None or record.before.next_to_play is record.to_play
    return {"RP": [b"resumed" if natural else _escape_text(f"resumed:{record.to_play}")]}


def _note_properties(number: int, notes: SgfAnnotations, board: Board) -> _Node:
    """Return a turn's name and evaluation."""
    name, mark = notes.names.get(number), notes.marks.get(number)
    name_property = {"N": [_escape_text(name)]} if name is not None else {}
    return name_property | (_mark_properties(mark, board) if mark is not None else {})


def _mark_properties(mark: MoveMark, board: Board) -> _Node:
    """Return V, BM and TR, as the standard defines them."""
    value = {"V": [_escape_text(_format_number(mark.value))]} if mark.value is not None else {}
    better = {"TR": _point_values(mark.better, board)} if mark.better else {}
    return {**value, **({"BM": [b"1"]} if mark.bad else {}), **better}


def _build_end_node(notes: SgfAnnotations, board: Board) -> _Node:
    """Return the node with the comment after the last turn, the dead stones, and the players' points."""
    layout = notes.layout
    areas = () if layout is None else zip(("TB", "TW", "MA"), (*layout.owned, layout.dead), strict=True)
    node = {name: _point_values(mask, board) for name, mask in areas if mask}
    return node | ({"C": [_escape_text(notes.end)]} if notes.end else {})


def _refused_variation(refused_move: RefusedMove, board: Board) -> _Node:
    on_board = not isinstance(refused_move.turn, Placement) or refused_move.turn.point != OFF_BOARD
    node = _build_turn_node(refused_move.turn, board, "") if on_board else {}
    return node | {"N": [_escape_text(refused_move.name)], "C": [_escape_text(refused_move.why)]}


def _build_agreement_nodes(record: GameRecord) -> list[_Node]:
    """Return a node for each agreement made after a turn, and for the stones set up then."""
    settled_records = [one for one in (record, *record.unsettled_back()) if one.settlement is not None]
    return [
        _build_agreement_node(one, one.settlement) for one in reversed(settled_records) if one.settlement is not None
    ]


def _build_agreement_node(after: GameRecord, settlement: Settlement) -> _Node:
    board = after.position.board
    if isinstance(settlement, SetUp):
        return _build_gap_node(after, settlement)
    if isinstance(settlement, Exchange):
        return {"AG": [_escape_text(f"exchange:{settlement.count}")]}
    # Not in AE, which others refuse after the first move.
    names = ", ".join(board.names(settlement.stones))
    comment = f"Both agreed that these are dead: {names}."
    return {"AG": [b"removed", *_point_values(settlement.stones, board)], "C": [_escape_text(comment)]}


def _build_gap_node(after: GameRecord, gap: SetUp) -> _Node:
    """Return the node that sets up the stones after a gap: those that differ, whose turn it is, and when it was."""
    board, before = after.position.board, after.unsettled
    assert before is not None
    now, earlier = after.position, before.position
    changes = {"AE": earlier.occupied & now.empty}
    changes |= {f"A{colour.value}": now.stones_of(colour) & ~earlier.stones_of(colour) for colour in _BLACK_AND_WHITE}
    node = {name: _point_values(mask, board) for name, mask in changes.items() if mask}
    node |= {GAP: [_escape_text(gap.since), _escape_text(gap.until)]}
    node |= {"PL": [_escape_text(gap.to_play.value)]} if gap.to_play is not None else {}
    node |= {"LD": _lid_values(gap.bowls)} if gap.bowls is not None else {}
    span = f"from {gap.since} to {gap.until}" if gap.since and gap.until else "for a while"
    comment = f"Nobody saw how play went on {span}. The record goes on from the stones that lay there then."
    return node | {"C": [_escape_text(comment)]}


def _build_root_node(record: GameRecord, black: str, white: str, notes: SgfAnnotations) -> _Node:
    board = record.position.board
    size = f"{board.cols}" if board.cols == board.rows else f"{board.cols}:{board.rows}"
    texts = {"FF": "4", "GM": "1", "CA": "UTF-8", "AP": program_name(), "SZ": size}
    texts |= {"RU": record.rules.name} if _has_rules(record) else {}
    texts |= {"KM": _format_number(record.komi)} if _is_agreed(record) else {}
    # FF[4] wants two stones or more in HA.
    texts |= {"HA" if record.handicap > 1 else "HN": str(record.handicap)} if record.handicap else {}
    texts |= {name: text for name, text in (("PB", black), ("PW", white), ("RE", record.result or "")) if text}
    texts |= {name: text for name, text in _game_info_properties(notes).items() if text}
    root = {name: [_escape_text(text)] for name, text in texts.items()}
    options = non_default_options(record.rules).items()
    fines = [_escape_text(f"{one.player}:{one.points}:{one.offence}") for one in record.penalties]
    lists = {
        "RX": [_escape_text(f"{piece}:{option}") for piece, option in options],
        "PE": fines,
        **_build_start_node(record),
    }
    return root | {name: values for name, values in lists.items() if values}


@cache
def program_name() -> str:
    """Return the value of AP: SGFC deletes one without a version."""
    try:
        return f"shinpan:{version('shinpan')}"
    except PackageNotFoundError:
        return "shinpan:0"


def _has_rules(record: GameRecord) -> bool:
    """Return True unless the rules are the default: of our own records without rules it is understood."""
    return record.rules.named or record.rules.because is not None


def _is_agreed(record: GameRecord) -> bool:
    """Return True if somebody named the komi, or the rules that it comes with."""
    return _has_rules(record) or record.komi != record.rules.komi_for(record.handicap)


def _game_info_properties(notes: SgfAnnotations) -> dict[str, str]:
    """Return the game information as SGF properties; SGF has none for the table."""
    part = notes.game_info
    table = f"Table {part.table}" if part.table else ""
    texts = {"DT": notes.date, "EV": part.event, "RO": part.round, "PC": part.place, "GC": table}
    return texts | {"C": notes.comments.get(0, "")}


def _build_start_node(record: GameRecord) -> _Node:
    """Return AB, AW, PL and LD of a start; without values if it is the rule set's own."""
    start, board = record.start, record.position.board
    own = record.rules.bowls.at_start(record.komi, record.handicap, record.players)
    stones = {f"A{colour.value}": _point_values(start.position.stones_of(colour), board) for colour in _BLACK_AND_WHITE}
    is_standard = start.to_play is Colour.BLACK and not start.position.occupied
    to_play = [] if is_standard else [_escape_text(start.to_play.value)]
    return {**stones, "PL": to_play, "LD": [] if start.bowls == own else _lid_values(start.bowls)}


def _point_values(mask: Mask, board: Board) -> list[bytes]:
    return [_sgf_point(point, board) for point in points_of(mask)]


def _sgf_point(point: Point, board: Board) -> bytes:
    row, col = divmod(point, board.cols)
    return (_LETTERS[col] + _LETTERS[row]).encode()


def _lid_values(bowls: Bowls) -> list[bytes]:
    counts = [
        (owner, colour, bowls.count_prisoners(owner, colour))
        for owner in _BLACK_AND_WHITE
        for colour in _BLACK_AND_WHITE
    ]
    lids = [_escape_text(f"{owner}{colour}:{count}") for owner, colour, count in counts if owner is not colour]
    return lids + ([_escape_text(f"ultimate:{bowls.ultimate_owner}")] if bowls.ultimate_owner else [])


def _build_turn_node(turn: Turn, board: Board, comment: str) -> _Node:
    player, name = turn.player.value, _NAMES[turn.player]
    match turn:
        case Placement(point=point, stood=stood):
            node = {player: [_sgf_point(point, board)], **({"KO": [b""]} if stood else {})}
        case Delay(ultimate=ultimate):
            node = {player: [b""], "DL": [b"ultimate" if ultimate else b"prisoner"]}
        case Pass():
            node = {player: [b""]}
        case Draw():
            node, comment = {"DR": [_escape_text(player)]}, comment or f"{name} declares a draw."
        case Resign():
            node, comment = {"RS": [_escape_text(player)]}, comment or f"{name} resigns."
    return node | ({"C": [_escape_text(comment)]} if comment else {})


def _escape_text(text: str) -> bytes:
    escaped: bytes = sgf_grammar.escape_text(text.encode())
    return escaped


def _format_number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)
