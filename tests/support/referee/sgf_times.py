"""The times in a game record, read by sgfmill's own game objects."""

from __future__ import annotations

from sgfmill.sgf import Sgf_game, Tree_node

from referee.time.records import Times, control_of, left_in


def read_times(data: bytes) -> Times | None:
    """The time control of the game's main line and what was left after its turns; None where it names none.

    Raises BadRecord for a time that cannot be read.
    """
    root, *nodes = Sgf_game.from_bytes(data).get_main_sequence()
    control = control_of(_text(root, "TM"), _text(root, "OT"))
    if control is None:
        return None
    turns = [(node, player) for node in nodes for player in "BW" if node.has_property(player)]
    lefts = {
        number: left_in(control, _text(node, f"{player}L"), _text(node, f"O{player}"))
        for number, (node, player) in enumerate(turns, 1)
        if node.has_property(f"{player}L")
    }
    return Times(control, lefts)


def _text(node: Tree_node, name: str) -> str:
    return str(node.get_raw(name).decode()) if node.has_property(name) else ""
