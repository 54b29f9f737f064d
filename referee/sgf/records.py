"""Game records as SGF FF[4], on bytes, by sgfmill's grammar layer (its game objects refuse boards that are not square).

Extensions to SGF: a delay is a pass with DL[prisoner] or DL[ultimate]; a last node with RS[B] or DR[B] says that Black
resigned or declared a draw at their turn; LD gives bowls that differ from the rule set's own at the start (LD[BW:3]:
three white stones in Black's bowl; LD[ultimate:B]: the ultimate stone in Black's bowl); RX gives replaced rules
(RX[ko:simple]; records of version 0.1 have them in RO, which is the round); PE has a player's penalty, for the
opponent, and its offence (PE[B:2:prisoners]); SEAL in the root is the hash of the match's journal up to here, and SUM
that of the rest of the file. KO marks an illegal placement that stood. AG, in a node of its own, is an
agreement of both players: an exchange of prisoners (AG[exchange:2]), or the removal of the stones in the node's AE as
dead (AG[removed]).

A refused turn is a variation beside the turn that was made instead. The comment after the last turn has a node of its
own, with TB and TW, dead stones' points included, and the dead marked by MA.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from itertools import chain

from sgfmill import sgf_grammar

from referee.game.board import LARGEST_SIDE, Board, Colour, Mask, Point, Position, board_of, empty_position, points_of
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord
from referee.game.penalties import Offence, Penalty
from referee.game.prisoners import Bowls, bowls_of
from referee.game.record import GameRecord
from referee.game.turns import OFF_BOARD, Delay, Draw, Exchange, Pass, Placement, Removal, Resign, Settlement, Turn
from referee.rules.sets import EXCHANGEABLE, RULESETS, non_default_options, rule_set
from referee.rules.setup import Setup
from referee.sgf.annotations import NOTHING_TO_NOTE, MoveMark, RefusedMove, SgfAnnotations
from referee.time.records import Times, control_properties, left_properties

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAMES = {Colour.BLACK: "Black", Colour.WHITE: "White"}
_OTHER_NAMES = {"nz": "new-zealand", "new zealand": "new-zealand", "goe": "ing"}
"""Names of rule sets in SGF and other programs."""
_BLACK_AND_WHITE = (Colour.BLACK, Colour.WHITE)
MOST_NODES, LONGEST_LINE = 250_000, 10_000
"""The highest numbers of nodes in a record, with all variations, and of nodes on its main line.

They exist to refuse a file at once and not after minutes. The largest dictionaries of openings have some 100,000 nodes.
"""

_SUM, _WORDS = re.compile(rb"SUM\[([0-9a-f]{16})\]"), frozenset({"C", "N", "SUM"})
_EXCHANGE = re.compile(rb"(?:%s):" % "|".join(EXCHANGEABLE).encode())
"""The beginning of a replaced component of the rule set; no round of a tournament begins like this."""
_ROOT = re.compile(rb"\s*\(\s*(;\s*(?:[A-Z]+\s*(?:\[(?:\\.|[^\\\]])*\]\s*)+)*)", re.DOTALL)
_SEVEN_BITS = re.compile(r"(?i)iso-?2022|hz\b")
"""Charsets that encode everything in bytes below 128."""
_HIGH = re.compile(rb"[\x80-\xff]+")
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
        nodes[number].update(_marked(led_to, board))
    if seal:
        nodes[0]["SEAL"] = [_raw(seal)]
    _mark_resumed(nodes, record)
    if times is not None:
        _add_times(nodes, record.turns, times)
    written: bytes = sgf_grammar.serialise_game_tree(_branched(_with_agreements(nodes, record), notes, board))
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

    Raise BadRecord for a file that is no SGF.
    """
    try:
        tree = sgf_grammar.parse_sgf_game(data)
    except ValueError as error:
        raise BadRecord(f"The SGF cannot be read: {error}.") from error
    left = [tree]
    while left:
        here = left.pop()
        here.sequence = [{name: node[name] for name in node if name not in _WORDS} for node in here.sequence]
        left += here.children
    bare: bytes = sgf_grammar.serialise_game_tree(tree)
    return bare


def read_sgf(data: bytes, rules: str | None = None) -> tuple[Setup, tuple[Turn | Settlement, ...]]:
    """Return the start of the first game's main line, and its turns with the agreements between them.

    Args:
        data: the file.
        rules: a rule set that replaces the one named in the file. If neither is given, the setup says so
            (`RuleSet.named`).

    Raises BadRecord for a file that is no SGF of Go, BadSetup for an unknown rule set.
    """
    nodes = _nodes(data)
    root, board = nodes[0], _board(nodes[0])
    first_move = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    if any({"AB", "AW", "AE"} & node.keys() for node in nodes[first_move:] if "AG" not in node):
        raise BadRecord("The SGF sets up stones after the first move; such a game cannot be judged.")
    opening = [node for node in nodes[: max(first_move, 1)] if "AG" not in node]
    acts = tuple(chain.from_iterable(_acts(node, board) for node in nodes))
    turns = [act for act in acts if not isinstance(act, Exchange | Removal)]
    return _setup(root, opening, board, rules, turns), acts


def read_root(data: bytes) -> dict[str, str]:
    """Return the texts of the first node by property, without parsing the rest; empty for a file that is no SGF."""
    text = _as_utf8(data)
    first = _ROOT.match(text)
    if first is None:
        return {}
    root = sgf_grammar.parse_sgf_game(b"(" + first[1] + b")").sequence[0]
    return {name: _text(root, name) for name in root}


def _nodes(data: bytes) -> list[_Node]:
    """Return the nodes of the first game's main line. Raise BadRecord if it is no SGF, or longer than any game."""
    if data.count(b";") > MOST_NODES:
        raise BadRecord(f"The SGF has more than {MOST_NODES} nodes; give the record of one game.")
    try:
        nodes = list(sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(_as_utf8(data))))
    except ValueError as error:
        raise BadRecord(f"The SGF cannot be read: {error}.") from error
    if len(nodes) > LONGEST_LINE:
        raise BadRecord(f"The SGF's main line has {len(nodes)} nodes, and no game has more than {LONGEST_LINE}.")
    return nodes


def _mark_resumed(nodes: Sequence[_Node], record: GameRecord) -> None:
    """Mark, by a property of our own, the passes that had ended play before it was resumed."""
    for held in record.back():
        if held.resumed and isinstance(held.turn, Pass):
            nodes[held.number]["RP"] = [b"resumed"]


def _branched(
    main_line: Sequence[Sequence[_Node]], notes: SgfAnnotations, board: Board
) -> sgf_grammar.Coarse_game_tree:
    """Return the main line with refused turns as variations, each beside the turn that was made instead."""
    end = _end(notes, board)
    after = _line([end]) if end or notes.tried.get(len(main_line) - 1) else _line([])
    for number in reversed(range(len(main_line))):
        refused = [_line([_refused(tried, board)]) for tried in notes.tried.get(number, ())]
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


def _marked(mark: MoveMark, board: Board) -> _Node:
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


def _refused(tried: RefusedMove, board: Board) -> _Node:
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
    return {"AG": [b"removed"], "AE": _points(settlement.stones, board)}


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
    texts |= {"HA": str(record.handicap)} if record.handicap else {}
    texts |= {name: text for name, text in (("PB", black), ("PW", white), ("RE", record.result or "")) if text}
    texts |= {name: text for name, text in _told(notes).items() if text}
    root = {name: [_raw(text)] for name, text in texts.items()}
    options = non_default_options(record.rules).items()
    fines = [_raw(f"{one.player}:{one.points}:{one.offence}") for one in record.penalties]
    lists = {"RX": [_raw(f"{piece}:{option}") for piece, option in options], "PE": fines, **_start(record)}
    return root | {name: values for name, values in lists.items() if values}


def _is_agreed(record: GameRecord) -> bool:
    """Return True if somebody named the komi, or the rules that it comes with."""
    return record.rules.named or record.komi != record.rules.komi_for(record.handicap)


def _told(notes: SgfAnnotations) -> dict[str, str]:
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
    return lids + ([_raw(f"ultimate:{bowls.told}")] if bowls.told else [])


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


def _as_utf8(data: bytes) -> bytes:
    """Return the file in UTF-8, because in some charsets a bracket's byte is the second half of a letter."""
    charset = re.search(rb"\bCA\s*\[\s*([\w.:-]+)\s*\]", data)
    named = [charset.group(1).decode("ascii", "replace")] if charset else []
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        named = ["utf-16"]
    # A file in a seven-bit charset is valid UTF-8 too.
    first = [name for name in named if _SEVEN_BITS.match(name)]
    for encoding in chain(first, ["utf-8-sig"], named, _unnamed(data)):
        try:
            return data.decode(encoding).encode("utf-8", "replace")
        except (UnicodeError, LookupError):
            continue
    return data


def _unnamed(data: bytes) -> Iterator[str]:
    """Yield the likeliest charsets of a file that names none, first those in which it is SGF.

    The standard's default is Latin-1, but many Chinese files name none either. Their letters are pairs of high bytes,
    except for rare ones.
    """
    runs = [len(run) for run in _HIGH.findall(data)]
    likely = ["latin-1", "gb18030"]
    if sum(run // 2 for run in runs) > sum(run % 2 for run in runs):
        likely.reverse()
    yield from sorted(likely, key=lambda charset: not _is_sgf_in(charset, data))


def _is_sgf_in(charset: str, data: bytes) -> bool:
    try:
        sgf_grammar.parse_sgf_game(data.decode(charset).encode())
    except ValueError:
        return False
    return True


def _text(node: _Node, name: str) -> str:
    """Return the first value of a property as text, empty if it is absent."""
    raw = node.get(name, [b""])[0]
    text: bytes = sgf_grammar.simpletext_value(raw)
    return text.decode("utf-8", "replace").strip()


def _board(root: _Node) -> Board:
    if _text(root, "GM") not in ("", "1"):
        raise BadRecord("The SGF is of another game than Go (GM is not 1).")
    sides = (_text(root, "SZ") or "19").split(":")
    lines = [int(side) for side in sides if re.fullmatch(r"[0-9]{1,2}", side)]
    if len(lines) != len(sides) or len(lines) > 2 or not all(1 <= side <= LARGEST_SIDE for side in lines):
        raise BadRecord(f"The SGF's size {_text(root, 'SZ')[:20]!r} is none; a side has 1 to {LARGEST_SIDE} lines.")
    return board_of(lines[0], lines[-1])


def _setup(root: _Node, opening: Sequence[_Node], board: Board, rules: str | None, turns: Sequence[Turn]) -> Setup:
    """Build the start from the root, the stones on the board before the first move, and the first player."""
    exchanges = [value for value in root.get("RO", []) if _EXCHANGE.match(value)] + root.get("RX", [])
    options = dict(map(_option, exchanges))
    named = rules or _text(root, "RU")
    komi, handicap = _text(root, "KM").replace(",", "."), _text(root, "HA")
    position = _stones(opening, board)
    return Setup(
        rules=rule_set(_rules_called(named) if named else None, options),
        size=(board.cols, board.rows),
        to_play=_to_play(opening, turns),
        komi=_float(komi, "komi") if komi else None,
        handicap=_whole(handicap) if handicap else 0,
        board=rows_of(position) if position.occupied else None,
        bowls=_bowls(root["LD"]) if "LD" in root else None,
        penalties=tuple(map(_penalty, root.get("PE", []))),
    )


def _penalty(raw: bytes) -> Penalty:
    """Parse a penalty. Raise BadRecord if it is malformed."""
    text = raw.decode("utf-8", "replace").strip()
    found = re.fullmatch(rf"([BW]):([1-9][0-9]{{0,3}}):({'|'.join(Offence)})", text)
    if found is None:
        raise BadRecord(f"The SGF's penalty PE[{text[:20]}] cannot be read.")
    return Penalty(Colour(found[1]), int(found[2]), Offence(found[3]))


def _rules_called(named: str) -> str:
    lower = named.lower()
    return lower if lower in RULESETS else _OTHER_NAMES.get(lower, named)


def _option(raw: bytes) -> tuple[str, object]:
    piece, _, option = raw.decode("utf-8", "replace").partition(":")
    return piece, _float(option, piece) if re.fullmatch(r"-?[0-9.]+", option) else option


def _float(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise BadRecord(f"The SGF's {what} {text[:20]!r} is not a number.") from error


def _whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise BadRecord(f"The SGF's handicap {text[:20]!r} is not a whole number.")
    return int(text)


def _to_play(opening: Sequence[_Node], turns: Sequence[Turn]) -> Colour | None:
    said = [_text(node, "PL")[:1].upper() for node in opening if "PL" in node]
    if said and said[-1] in _BLACK_AND_WHITE:
        return Colour(said[-1])
    return turns[0].player if turns else None


def _bowls(values: Sequence[bytes]) -> Bowls:
    counts: dict[str, dict[str, int]] = {}
    ultimate: Colour | None = None
    for value in values:
        lid = re.fullmatch(rb"(BW|WB):([0-9]{1,4})|ultimate:([BW])", value)
        if lid is None:
            raise BadRecord(f"The SGF's bowl LD[{value[:20].decode('ascii', 'replace')}] cannot be read.")
        if lid.group(3):
            ultimate = Colour(lid.group(3).decode())
        else:
            owner, colour = lid.group(1)[:1].decode(), lid.group(1)[1:].decode()
            counts[owner] = {colour: int(lid.group(2))}
    bowls = bowls_of(counts)
    return bowls.with_ultimate(ultimate) if ultimate else bowls


def _stones(opening: Sequence[_Node], board: Board) -> Position:
    position = empty_position(board)
    for node in opening:
        put = 0
        for name, colour in (("AE", None), ("AB", Colour.BLACK), ("AW", Colour.WHITE)):
            mask = 0
            for value in node.get(name, []):
                mask |= _rectangle(value, board)
            if mask & put:
                raise BadRecord(f"The SGF sets up a black and a white stone at {board.names(mask & put)[0]}.")
            put |= mask if colour else 0
            position = position.without(mask)
            position = position.put(colour, mask) if colour else position
    return position


def _rectangle(value: bytes, board: Board) -> Mask:
    """Return the points of `aa` or `aa:cc`."""
    corners = [_coordinates(corner) for corner in value.strip().split(b":")]
    (left, top), (right, bottom) = corners[0], corners[-1]
    if len(corners) > 2 or not (left <= right < board.cols and top <= bottom < board.rows):
        raise BadRecord(f"The SGF sets a stone beside the board, at [{value[:20].decode('ascii', 'replace')}].")
    return sum((1 << right + 1) - (1 << left) << row * board.cols for row in range(top, bottom + 1))


def _coordinates(value: bytes) -> tuple[int, int]:
    """Return column and row from the top left; capitals, which no board here reaches, follow the small letters."""
    places = [(_LETTERS + _LETTERS.upper()).find(chr(byte)) for byte in value]
    if len(places) != 2 or min(places) < 0:
        raise BadRecord(f"The SGF's point [{value[:20].decode('ascii', 'replace')}] is none; a point is two letters.")
    return places[0], places[1]


def _acts(node: _Node, board: Board) -> Iterator[Turn | Settlement]:
    if "AG" in node:
        yield _agreed(node, board)
    for name, values in node.items():
        if name in _BLACK_AND_WHITE:
            yield from (_move(Colour(name), value.strip(), node, board) for value in values)
    for name, kind in (("RS", Resign), ("DR", Draw)):
        if _text(node, name) in _BLACK_AND_WHITE:
            yield kind(Colour(_text(node, name)))


def _agreed(node: _Node, board: Board) -> Settlement:
    """Parse an agreement. Raise BadRecord if it is malformed."""
    exchange = re.fullmatch("exchange:([1-9][0-9]{0,3})", _text(node, "AG"))
    if exchange is not None:
        return Exchange(int(exchange.group(1)))
    stones = 0
    for value in node.get("AE", []):
        stones |= _rectangle(value, board)
    if _text(node, "AG") != "removed" or not stones:
        raise BadRecord(f"The SGF's agreement AG[{_text(node, 'AG')[:20]}] cannot be read.")
    return Removal(stones)


def _move(player: Colour, value: bytes, node: _Node, board: Board) -> Turn:
    if "DL" in node:
        return Delay(player, ultimate=_text(node, "DL") == "ultimate")
    if value == b"" or (value == b"tt" and max(board.cols, board.rows) <= 19):
        return Pass(player, resumed="RP" in node)
    col, row = _coordinates(value)
    on_board = col < board.cols and row < board.rows
    return Placement(player, row * board.cols + col if on_board else OFF_BOARD, stood="KO" in node)
