"""Handicap stones that were laid one by one, written as other programs expect them: AB and HA in the root.

Programs that find them as moves of Black report no handicap. The turns themselves, in their order and with all that
stands beside them but words, are values of a private property, HB, a node in each; words go into the root's comment. So
are Ing's, with White's passes between them, of which the position knows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle

from referee.game.errors import BadRecord
from referee.sgf.grammar import parse_sgf

HANDICAP_TURNS = "HB"
_WORDS = frozenset(("C", "N"))
_START = frozenset(("AB", "AW", "AE", "PL"))
_NO_PLAIN_TURN = frozenset(("KO", "DL", "AG", "RS", "DR", "RP", "AE"))
_STONE, _NUMBER, _SIZE = (
    re.compile(rb"[a-z]{2}"),
    re.compile(rb"[0-9]{1,3}"),
    re.compile(rb"([0-9]{1,2})(?::([0-9]{1,2}))?"),
)
_ESCAPED = re.compile(rb"(?s)\\(.)")

Properties = Mapping[str, list[bytes]]


def count_handicap_turns(root: Properties, nodes: Sequence[Properties]) -> int:
    """Return how many nodes after the root only lay its handicap stones, Ing's passes between them included.

    0 as long as a stone is missing, and for a start with stones of its own.
    """
    stones = _read_handicap(root)
    if stones < 2 or _START & root.keys():
        return 0
    for colours, turns in (("B", stones), ("BW", 2 * stones - 1)):
        stone_nodes = nodes[:turns]
        if len(stone_nodes) == turns and all(map(_is_turn, stone_nodes, cycle(colours))):
            points = {node["B"][0] for node in stone_nodes if "B" in node}
            return turns if len(points) == stones else 0
    return 0


def with_stones_set_up(root: Properties, stone_nodes: Sequence[Properties]) -> dict[str, list[bytes]]:
    """Return the root with the stones of these turns on the board; words beside the turns are left out."""
    stones = sorted(node["B"][0] for node in stone_nodes if "B" in node)
    # An evaluation in the root is of the position there.
    evaluation = {name: values for name, values in stone_nodes[-1].items() if name in ("V", "TR")}
    own = {name: values for name, values in root.items() if name not in ("V", "TR")}
    return {**own, **evaluation, "AB": stones, "PL": [b"W"], HANDICAP_TURNS: list(map(_as_text, stone_nodes))}


def with_stones_in_turns(root: Properties) -> tuple[dict[str, list[bytes]], list[dict[str, list[bytes]]]]:
    """Return a root as it was before its handicap stones were set up, and the nodes in which they were laid.

    Raise BadRecord if they are not the stones that the root sets up.
    """
    bare_root = {name: values for name, values in root.items() if name not in ("AB", "PL", HANDICAP_TURNS)}
    text = b"".join(b";" + _ESCAPED.sub(rb"\1", value) for value in root[HANDICAP_TURNS])
    parsed = parse_sgf(b"(%s)" % text)
    nodes = [dict(node) for node in parsed.tree.nodes]
    stones = sorted(value for node in nodes for value in node.get("B", []))
    if parsed.faults or count_handicap_turns(bare_root, nodes) != len(nodes) or stones != sorted(root.get("AB", [])):
        raise BadRecord("The turns of the handicap stones (HB) are not of the stones that the SGF sets up (AB).")
    return bare_root, nodes


def _as_text(node: Properties) -> bytes:
    """Return a node without its words as the text of a value."""
    names = sorted(node.keys() - _WORDS)
    text = b"".join(name.encode() + b"".join(b"[%s]" % value for value in node[name]) for name in names)
    return re.sub(rb"([\\\]])", rb"\\\1", text)


def _is_turn(node: Properties, colour: str) -> bool:
    """Return True for a stone of Black, or a pass of White."""
    if colour not in node or _NO_PLAIN_TURN & node.keys() or len(node[colour]) != 1:
        return False
    return not node["W"][0] if colour == "W" else "W" not in node and _STONE.fullmatch(node["B"][0]) is not None


def _read_handicap(root: Properties) -> int:
    """Return the handicap; 0 for one that fills the board, where the last stone may be suicide."""
    stones, size = _NUMBER.fullmatch(_first_value(root, "HA")), _SIZE.fullmatch(_first_value(root, "SZ") or b"19")
    if stones is None or size is None or int(stones[0]) >= int(size[1]) * int(size[2] or size[1]):
        return 0
    return int(stones[0])


def _first_value(node: Properties, name: str) -> bytes:
    return next(iter(node.get(name, [])), b"")


def words_of(comments: Iterable[tuple[str, str]]) -> str:
    """Return what was said of turns, a name and a text each, as the paragraphs of one comment."""
    return "\n\n".join(f"{name}: {text}" if name else text for name, text in comments if text)
