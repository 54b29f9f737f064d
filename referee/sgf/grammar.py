"""The grammar of SGF, read as widely as its meaning is plain: files of other programs and people break it.

Text before and after the game, lines of dashes, brackets in a name that nobody escaped, a last bracket that is missing:
each is read and told, with its line. A bracket ends a value where something follows that can follow a value.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from referee.game.errors import BadRecord

MOST_TOLD, MOST_FAULTS = 5, 500
"""Faults told of one file, the others are counted; and from which on it is no SGF."""
_LONGEST_TEXT = 1 << 16
"""Bytes in which the end of a text with brackets is sought."""

_START = re.compile(rb"\(\s*+(?:;(?=\s*+(?:[A-Za-z]++\s*+\[|[;()]|\Z))|(?=[A-Z]{2}\s*+\[[^\]]*+\]\s*+[A-Z]{2}\s*+\[))")
"""The first bracket of a game. The Nihon Ki-in, and SGF before FF[3], leave its first semicolon out."""
_WITHOUT_BRACKET = re.compile(rb"\s*+;\s*+(?=[A-Z]{1,8}\s*+\[)")
_TOKEN = re.compile(rb"\s*+(?:([;()])|([A-Za-z]++)(?=\s*+\[)|\Z)")
_NEXT_VALUE = re.compile(rb"\s*+(?=\[)")
_VALUE_END = re.compile(rb"(?:[^\]\\]|\\.)*+\]", re.DOTALL)
_INNER = re.compile(rb"(?:[^\[\\]|\\.)*+\[", re.DOTALL)
_FOLLOWS = re.compile(rb"\s*+(?:\[|\(\s*+;|\)|;(?=\s*+(?:[;()]|[A-Z]{1,8}\s*+\[|\Z))|[A-Z]{1,8}\s*+\[|\Z)")
_FOLLOWS_IN_OLD = re.compile(rb"\s*+(?:[\[()]|;|[A-Za-z]++\s*+\[|\Z)")
_OLD = re.compile(rb"\(\s*+;\s*+[A-Z]*+[a-z]")
"""Files before FF[4] may have small letters in the names of properties; they mean nothing."""
_SWALLOWED = re.compile(
    rb"(?<!\\)(?:;\s*+[BW]\[(?:[a-zA-Z]{2})?"
    rb"|\s*+\b(?:P[BWCL]|[BW]R|KM|HA|SZ|R[UEO]|DT|EV|GN|TM|OT|A[BW]|CA|AP|FF|GM)\[[^\[\]]*)\Z"
)
"""A move or another property at the end of a value, whose own last bracket is missing."""
_LONGEST_PROPERTY = 200
_HIDDEN_BRACKET = re.compile(rb"\\\](?=\s*+(?:\)|;\s*+[A-Z]{1,8}\s*+\[|[A-Z]{1,8}\s*+\[|\Z))")
"""An escaped bracket that would end a value, as a program that escapes nothing writes it."""
_POINT = re.compile(rb"\s*(?:[A-Za-z]{2})?\s*")
_JUNK = re.compile(rb"[^\[\];()]*+")
_GOES_ON = re.compile(rb"[;()]|(?<![A-Za-z])[A-Z]{1,8}\s*+\[")
_SMALL = re.compile(rb"[a-z]+")


class Node(dict[str, list[bytes]]):
    """A node's properties, with their values as they are written, and its line in the file."""

    line: int = 0


@dataclass
class Tree:
    """A sequence of nodes, and the variations that follow it. has_moves: one of them all has a move."""

    nodes: list[Node] = field(default_factory=list)
    children: list[Tree] = field(default_factory=list)
    has_moves: bool = False


@dataclass
class Parsed:
    """The first game of a file. faults: a sentence for each place where the file is no SGF."""

    tree: Tree
    faults: list[str]


def is_sgf(text: bytes) -> bool:
    """Return True if a game begins somewhere in the text."""
    return _find_start(text) is not None


def parse_sgf(text: bytes, root_only: bool = False) -> Parsed:
    """Parse the first game in a text in UTF-8. Raise BadRecord if there is none. root_only: stop after its root."""
    parsed = _Parser(text).parse_game(root_only)
    if not parsed.faults or b"\\]" not in text:
        return parsed
    unescaped = _Parser(_HIDDEN_BRACKET.sub(rb"\\\\]", text)).parse_game(root_only)
    if _rate_reading(unescaped.tree) <= _rate_reading(parsed.tree):
        return parsed
    note = "The SGF is broken: backslashes hide the last brackets of values; they were read as if they did not."
    return Parsed(unescaped.tree, [note, *unescaped.faults])


def _rate_reading(top: Tree) -> tuple[int, int, int]:
    """Return how many moves a reading keeps, how many that are none (below zero), and how many values."""
    moves = bad = values = 0
    left = [top]
    while left:
        tree = left.pop()
        move_values = [value for node in tree.nodes for value in _list_moves(node)]
        good = sum(_POINT.fullmatch(value) is not None for value in move_values)
        moves, bad = moves + good, bad + good - len(move_values)
        values += sum(len(texts) for node in tree.nodes for texts in node.values())
        left += tree.children
    return moves, bad, values


def _find_start(text: bytes) -> tuple[int, bool] | None:
    """Return the place where the game begins, and True if its first bracket is there."""
    match = _START.search(text)
    if match is not None:
        return match.start(), True
    begun = _WITHOUT_BRACKET.match(text)
    return None if begun is None else (begun.end(), False)


_OTHERS = (
    (re.compile(rb"PK\x03\x04|\x1f|7z|Rar!"), "an archive; unpack it"),
    (re.compile(rb"%PDF"), "a PDF; give the record itself"),
    (
        re.compile(rb"(?i)\s*<(?:!doctype\s+)?(?:html|\?xml|head|body)"),
        "a web page; give the record itself",
    ),
)
"""Files that people hand in for a record, by their beginning."""


def _why_no_game(text: bytes) -> str:
    """Return the sentence about a file in which no game begins."""
    kind = next((name for pattern, name in _OTHERS if pattern.match(text)), "")
    if not kind:
        return "This is no SGF: a game begins with (; and nothing here does."
    what, _, advice = kind.partition("; ")
    return f"This is {what}, no SGF; {advice or 'save it as SGF with a program that reads both'}."


class _Parser:
    def __init__(self, text: bytes) -> None:
        self._text = text
        self._notes: list[str] = []
        self._follows = _FOLLOWS_IN_OLD if _OLD.search(text[:10_000]) else _FOLLOWS
        self._line_offset, self._line = 0, 1
        self._last = "the beginning"

    def parse_game(self, root_only: bool) -> Parsed:
        begun = _find_start(self._text)
        if begun is None:
            raise BadRecord(_why_no_game(self._text))
        offset, has_bracket = begun
        if not has_bracket:
            self._note_fault(offset, "the first bracket is missing; it was read as if there were one")
        elif self._text[:offset].strip():
            self._note_fault(offset, "there is text before the game; it was left out")
        tree, end = self._parse_tree(offset, has_bracket, root_only)
        if not root_only:
            tree, end = self._first_with_moves(tree, end)
            self._check_rest(end)
        return Parsed(tree, self._list_faults())

    def _first_with_moves(self, first: Tree, end: int) -> tuple[Tree, int]:
        """Return the first game with moves, where the games before it have neither moves nor stones."""
        behind = end
        while (
            not first.has_moves and not _is_set_up(first) and (match := _START.search(self._text, behind)) is not None
        ):
            tree, behind = self._parse_tree(match.start(), True, False)
            if tree.has_moves:
                self._notes.append("The first game of the SGF is empty; the first with moves was read.")
                return tree, behind
        return first, end

    def _list_faults(self) -> list[str]:
        more = len(self._notes) - MOST_TOLD
        return self._notes[:MOST_TOLD] + ([f"The SGF has {more} more such places."] if more > 0 else [])

    def _parse_tree(self, offset: int, has_bracket: bool, root_only: bool) -> tuple[Tree, int]:
        top = Tree()
        stack = [] if has_bracket else [top]
        if not has_bracket:
            top.nodes.append(self._start_node(offset))
        while True:
            token = _TOKEN.match(self._text, offset)
            if token is None:
                offset = self._skip_text(offset)
                continue
            offset, mark, name = token.end(), token[1], token[2]
            if mark == b"(":
                tree = Tree() if stack else top
                if stack:
                    stack[-1].children.append(tree)
                stack.append(tree)
            elif mark == b";":
                if root_only and top.nodes:
                    return top, offset
                stack[-1].nodes.append(self._start_node(offset))
            elif mark == b")":
                stack.pop()
                if not stack:
                    return top, offset
            elif name is not None:
                if not stack[-1].nodes:
                    stack[-1].nodes.append(self._start_node(offset))
                offset = self._parse_property(stack[-1].nodes[-1], name, offset)
                if _is_move(stack[-1].nodes[-1]):
                    _mark_moves(stack)
            else:
                self._note_fault(offset, "the last bracket is missing; the file may be cut off there")
                return top, offset

    def _start_node(self, offset: int) -> Node:
        node = Node()
        node.line = self._line_of(offset)
        return node

    def _line_of(self, offset: int) -> int:
        if offset < self._line_offset:
            return self._text.count(b"\n", 0, offset) + 1
        self._line += self._text.count(b"\n", self._line_offset, offset)
        self._line_offset = offset
        return self._line

    def _note_fault(self, offset: int, what: str) -> None:
        if len(self._notes) == MOST_FAULTS:
            raise BadRecord(f"The SGF cannot be read: it is broken in {MOST_FAULTS} places. {self._notes[0]}")
        self._notes.append(f"The SGF is broken in line {self._line_of(offset)}, after {self._last}: {what}.")

    def _parse_property(self, node: Node, name: bytes, offset: int) -> int:
        capitals = _SMALL.sub(b"", name) or name.upper()
        self._last = capitals.decode()
        values = node.setdefault(self._last, [])
        while (bracket := _NEXT_VALUE.match(self._text, offset)) is not None:
            begun = bracket.end() + 1
            end, after = self._value_end(begun)
            if end < 0:
                self._note_fault(begun, "its value does not end, so it was left out")
                if not values:
                    del node[self._last]
                return len(self._text)
            values.append(_escape_brackets(self._text[begun:end]))
            offset = after
        return offset

    def _value_end(self, begun: int) -> tuple[int, int]:
        """Return the end of a value, -1 if it has none, and the place where to read on."""
        match = _VALUE_END.match(self._text, begun)
        if match is None:
            return -1, -1
        end = match.end() - 1
        # Whoever escapes a bracket closes values too: what follows it belongs to the value.
        escapes = self._text.find(b"\\]", begun, end) >= 0
        overrun = None if escapes else _SWALLOWED.search(self._text, max(begun, end - _LONGEST_PROPERTY), end)
        if overrun is not None:
            self._note_fault(begun, "its last bracket is missing; it was read as if it were there")
            return overrun.start(), overrun.start()
        if not self._follows.match(self._text, end + 1):
            end = self._further_end(begun, end)
        return end, end + 1

    def _further_end(self, begun: int, end: int) -> int:
        """Return the end of a value whose first bracket is followed by what cannot follow a value."""
        inside = _INNER.match(self._text, begun, end) is not None
        junk = _JUNK.match(self._text, end + 1)
        assert junk is not None
        if not inside and self._text[junk.end() : junk.end() + 1] != b"]":
            return end
        longer = self._next_end(end)
        if longer < 0:
            return end
        self._note_fault(end, "a bracket in the text is not escaped; it was read as part of the text")
        return longer

    def _next_end(self, end: int) -> int:
        """Return the place of the next bracket after which something follows that can follow a value, or -1."""
        last = end + _LONGEST_TEXT
        while (match := _VALUE_END.match(self._text, end + 1, last)) is not None:
            end = match.end() - 1
            if self._follows.match(self._text, end + 1):
                return end
        return -1

    def _skip_text(self, offset: int) -> int:
        """Return the place after text that is no part of a game."""
        match = _GOES_ON.search(self._text, offset + 1)
        end = len(self._text) if match is None else match.start()
        blanks = len(self._text[offset:end]) - len(self._text[offset:end].lstrip())
        self._note_fault(offset + blanks, "there is text between the properties; it was left out")
        return end

    def _check_rest(self, end: int) -> None:
        if _START.search(self._text, end):
            self._notes.append("The SGF has more games than one; the first was read.")


def _escape_brackets(value: bytes) -> bytes:
    """Return a value with its brackets escaped where they were not."""
    return re.sub(rb"(?s)(\\.)|\]", lambda match: match[1] or b"\\]", value) if b"]" in value else value


def main_line(tree: Tree, own: bool = False) -> tuple[list[Node], list[str]]:
    """Return the nodes of the main line, the first variation everywhere, and what was decided otherwise.

    A first variation that sets up an example and has no move, beside one with moves, is not the game.
    own: the file was written by shinpan, whose first variation is always the game.
    """
    nodes, notes = list(tree.nodes), []
    begun = any(map(_is_move, nodes))
    while tree.children:
        branch = tree.children[0]
        if not own and not branch.has_moves and (_is_set_up(branch) or not begun):
            branch = next((child for child in tree.children[1:] if child.has_moves), branch)
        if branch is not tree.children[0]:
            line = tree.children[0].nodes[0].line if tree.children[0].nodes else 0
            notes.append(f"The first variation (line {line}) of the SGF has no moves; the next was read as the game.")
        tree = branch
        nodes += tree.nodes
        begun = begun or any(map(_is_move, tree.nodes))
    return nodes, notes


def _list_moves(node: Node) -> list[bytes]:
    return [*node.get("B", []), *node.get("W", [])]


def _is_move(node: Node) -> bool:
    return "B" in node or "W" in node


def _mark_moves(stack: list[Tree]) -> None:
    for tree in reversed(stack):
        if tree.has_moves:
            return
        tree.has_moves = True


def _is_set_up(tree: Tree) -> bool:
    return any({"AB", "AW", "AE"} & node.keys() and "AG" not in node for node in tree.nodes)
