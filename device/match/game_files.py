"""Files with a game in them: JSON lines or SGF, on a disk or from standard input."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedReader, BytesIO, RawIOBase
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal, cast

from msgspec import Meta

from device.match.unpacking import LARGEST, is_packed, unpack_record
from referee.codec import settlement_from_json, turn_from_json, turn_to_json
from referee.codec.turns import ACTS, SETTLEMENTS
from referee.game.board import COLOURS, Board, Colour
from referee.game.count_result import result_read
from referee.game.diagram import rows_of
from referee.game.errors import BadRecord, BadSetup, RefereeError, quote_value
from referee.game.game_info import GameInfo
from referee.game.prisoners import Bowls, bowls_of
from referee.game.record import GameRecord
from referee.game.turns import Settlement, Turn
from referee.rules.sets import non_default_options, resolve_rules, rule_set
from referee.rules.setup import Setup
from referee.sgf.charsets import is_utf_16
from referee.sgf.grammar import is_sgf
from referee.sgf.servers import is_of_server
from vision.input_files import InputFileSpec, open_named, os_error_text
from vision.validation import explain, parse_table
from web.language import to_english

INFO = "info"
"""The start's key for the facts about the match."""
RESUME = "resume"
"""The key of a line that says that play went on after passes, and who moved."""


def info_of(
    record: GameRecord, names: tuple[str, ...], game_info: GameInfo, day: str, control: str, seal: str
) -> dict[str, object]:
    """Return the facts about a match besides its turns; unknown ones are left out.

    record: the game, whose result is taken.
    names: the players'.
    game_info: the event, round, table and place.
    day: the day on which it began (ISO 8601).
    control: the time control, as the settings write it.
    seal: the journal's digest.
    """
    info = {
        "names": list(names) if any(names) else None,
        **game_info.to_json(),
        "date": day,
        "control": control,
        "result": result_read(record.result) if record.result is not None else None,
        "seal": seal,
    }
    return {key: value for key, value in info.items() if value}


def game_lines(record: GameRecord, info: Mapping[str, object]) -> bytes:
    """Return the start, and a line per turn, in UTF-8."""
    board = record.position.board
    lines = [_build_start(record) | {INFO: dict(info)}, *(turn_to_json(turn, board) for turn in record.turns)]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def start_of(data: bytes) -> dict[str, Any]:
    """Return the start of such a record; raise BadRecord if there is none."""
    try:
        start = json.loads(data.partition(b"\n")[0])
    except (ValueError, RecursionError) as error:
        raise BadRecord("It does not begin with the start of a game.") from error
    if not isinstance(start, dict) or not isinstance(start.get(INFO, {}), dict):
        raise BadRecord("It does not begin with the start of a game.")
    return start


def _build_start(record: GameRecord) -> dict[str, object]:
    start, board = record.start, record.position.board
    line: dict[str, object] = {
        "rules": record.rules.name,
        "size": [board.cols, board.rows],
        "players": "".join(COLOURS[: record.players]),
        "to_play": start.to_play.value,
        "options": non_default_options(record.rules),
    }
    return line | ({"board": list(rows_of(start.position))} if start.position.occupied else {})


LONGEST_LINE = 1 << 20
LARGEST_SGF = LARGEST
LARGEST_TEXT_BEFORE = 1 << 14
"""Bytes of other text before an SGF game, such as the header of a mail."""
_HEAD = 4096
"""Bytes in which a record of a server shows what it is."""
SGF = InputFileSpec("an SGF file", LARGEST_SGF, BadRecord)
GIVE = "give a file of JSON lines or SGF, or -"

NumberedLines = Iterator[tuple[int, bytes]]


@contextmanager
def opened_game(name: str, note: Callable[[str], None]) -> Iterator[bytes | NumberedLines]:
    """Open a game: yield the whole file if it is a record, else its numbered lines, blank ones included.

    name: a path, or - for standard input.
    note: is given what was assumed of an archive.

    Raises BadRecord, in one sentence that names it, for a file that is neither or cannot be read, and for any
    RefereeError of the caller's block.
    """
    file = _open_game_file(name)
    try:
        with file as stream:
            yield _begin_reading(_unpack_file(stream, note), is_sgf_named=name.lower().endswith(".sgf"))
    except RefereeError as error:
        raise BadRecord(f"{'standard input' if name == '-' else name}: {to_english(error)}") from error


def object_of(line: bytes) -> dict[str, object]:
    """Return the JSON object of a line; raise BadRecord for anything else."""
    text = _decode_lines(line)
    if text is None:
        raise BadRecord("This is not text in UTF-8.")
    return read_object(text)


def _open_game_file(name: str) -> AbstractContextManager[BinaryIO]:
    if name == "-":
        return nullcontext(standard_input())
    try:
        return open_named(Path(name))
    except (OSError, ValueError) as error:
        raise BadRecord(f"{name}: {os_error_text(error)}; {GIVE}.") from error


def _begin_reading(stream: BinaryIO, is_sgf_named: bool) -> bytes | NumberedLines:
    """Return the whole file if it is SGF, also with text before the game, else its numbered lines."""
    file = _decode_utf_16(stream)
    if isinstance(file, BufferedReader) and is_of_server(file.peek(_HEAD)[:_HEAD]):
        return _read_whole(b"", file)
    numbered = enumerate(lines_of(file), 1)
    before: list[tuple[int, bytes]] = []
    for number, line in numbered:
        if line.strip():
            before.append((number, line))
        text = b"".join(one for _, one in before)
        if is_sgf_named or line.startswith(b"(") or is_sgf(text):
            return _read_whole(text, file)
        if line.startswith(b"{") or len(text) > LARGEST_TEXT_BEFORE or (line.strip() and _is_typed(file)):
            break
    _check_first(before[0][1] if before else b"")
    return chain(before, numbered)


def _unpack_file(file: BinaryIO, note: Callable[[str], None]) -> BinaryIO:
    """Return the file that a packed one holds; any other unread."""
    if not isinstance(file, BufferedReader) or not is_packed(file.peek(4)):
        return file
    record, assumption = unpack_record(_read_whole(b"", file))
    if assumption:
        note(assumption)
    return BufferedReader(cast(RawIOBase, BytesIO(record)))


def _is_typed(file: BinaryIO) -> bool:
    """Return True if a person types the file, and waits for an answer to each line."""
    return file.isatty()


def standard_input() -> BinaryIO:
    """Return standard input as bytes; raise BadRecord if it is closed."""
    if sys.stdin is None:
        raise BadRecord("standard input: it is closed; type something, or send it through a pipe.")
    return sys.stdin.buffer


def _decode_utf_16(file: BinaryIO) -> BinaryIO:
    """Decode a file with a UTF-16 byte order mark, whose line ends differ; return any other file unread."""
    if not isinstance(file, BufferedReader) or not is_utf_16(file.peek(2)):
        return file
    try:
        return BytesIO(_read_whole(b"", file).decode("utf-16").encode())
    except UnicodeError as error:
        raise BadRecord("It is not the text in UTF-16 that it begins as; save it as UTF-8.") from error


def _read_whole(first: bytes, file: BinaryIO) -> bytes:
    data = first + file.read(LARGEST_SGF + 1)
    if len(data) > LARGEST_SGF:
        raise BadRecord(f"It is larger than any game record ({LARGEST_SGF >> 20} MiB).")
    return data


def _check_first(first: bytes) -> None:
    """Raise BadRecord for an empty or a binary file; first: its first line that is not blank."""
    if not first:
        raise BadRecord(f"It holds no game; {GIVE}.")
    if not first.startswith(b"(") and (b"\0" in first or _decode_lines(first) is None):
        raise BadRecord(f"It is neither JSON lines nor SGF; {GIVE}.")


def _strip_line(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf").lstrip()


def _decode_lines(line: bytes) -> str | None:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield the file's lines without BOM and leading blanks, each as soon as it is there.

    Of a line that is too long only the beginning, marked so that it is neither JSON nor a command nor blank.
    """
    return map(_strip_line, _read_lines(file))


def _read_lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(LONGEST_LINE):
        sgf = _strip_line(line).startswith(b"(")
        yield line + b"..." if _is_continued(line) and not sgf else line
        while _is_continued(line):
            line = file.readline(LONGEST_LINE)


def _is_continued(line: bytes) -> bool:
    return len(line) == LONGEST_LINE and not line.endswith(b"\n")


_ACT = frozenset(("player", *ACTS, *SETTLEMENTS))
"""The keys of a turn and of an agreement."""
MOST_STONES = 10_000
MOST_BRACKETS = 200
"""A line has far fewer opening brackets; a value nested much deeper could not be quoted in an answer."""

Contents = dict[str, dict[str, int]]
_START: dict[str, Any] = {
    "rules": str,
    "size": Annotated[int | tuple[int, int], Meta(description="a number of lines or [columns, rows]")],
    "players": Literal["BW", "BWR", "BWRG", "BWRGY", "BWRGYV"],
    "to_play": Colour,
    "komi": float,
    "handicap": int,
    "board": Annotated[tuple[str, ...], Meta(description="a list of rows of text")],
    "bowls": Annotated[Contents, Meta(description='like {"B":{"W":1},"W":{"B":1}}')],
    "ultimate": Colour,
    "options": Annotated[dict[str, Any], Meta(description="an object")],
    INFO: Annotated[dict[str, Any], Meta(description="an object")],
}
"""The fields of a start; each rule set decides how many players it allows. The field `info` has no effect."""


def read_object(line: str) -> dict[str, object]:
    """Return the JSON object of a line; raise BadRecord for anything else."""
    if line.count("[") + line.count("{") > MOST_BRACKETS:
        raise BadRecord(
            f"This has more than {MOST_BRACKETS} brackets; a line is one JSON object with a turn or a start."
        )
    try:
        # Numbers of any size are read here: each field has bounds of its own, and a sentence that names it.
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord("This is not JSON; a line is one JSON object.") from error
    if not isinstance(value, dict):
        raise BadRecord(f"This is {quote_value(value)}, not a JSON object.")
    return value


def is_setup(line: Mapping[str, object]) -> bool:
    """Return True if a line is the start of a game, not a turn or a question."""
    return not {"player", "ask", RESUME, *ACTS, *SETTLEMENTS} & line.keys()


def read_setup(line: Mapping[str, object], rules: str | None = None) -> Setup:
    """Parse the start in a first line. Raises BadSetup. rules: replaces the rule set named there."""
    fields = _read_fields(line)
    name, size = rules or fields.get("rules"), fields.get("size")
    if name is None:
        raise BadSetup('The start must name its rules, as {"rules":"ultimate"}.')
    players = fields.get("players", "BW")
    return Setup(
        rules=rule_set(name, fields.get("options", {})),
        size=(size, size) if isinstance(size, int) else size,
        players=players,
        to_play=fields.get("to_play"),
        komi=fields.get("komi"),
        handicap=fields.get("handicap", 0),
        board=fields.get("board"),
        bowls=_build_bowls(players, fields.get("bowls"), fields.get("ultimate")),
    )


def explain_assumed_rules(line: Mapping[str, object], rules: str | None) -> tuple[str, ...]:
    """Return what was assumed of the rules named for a game of lines: a sentence if they stand for others."""
    name = rules or line.get("rules")
    assumption = resolve_rules(name).assumption if isinstance(name, str) else ""
    return (assumption,) if assumption else ()


def _read_fields(line: Mapping[str, object]) -> dict[str, Any]:
    """Return a start's fields, checked by their types."""
    fields = {key: value for key, value in line.items() if value is not None}
    unknown = [key for key in fields if key not in _START]
    if unknown:
        raise BadSetup(f"The start has no {quote_value(unknown[0])}; it has {', '.join(_START)}.")
    with explain(BadSetup, "The start's "):
        return parse_table(fields, _START)


def read_act(line: Mapping[str, object], board: Board, players: int) -> Turn | Settlement:
    """Parse the turn in a line, or the players' agreement; raise BadRecord if it is neither, or says more."""
    unknown = [key for key in line if key not in _ACT]
    if unknown:
        raise BadRecord(f"A turn has no {quote_value(unknown[0])}; it has a player and one of {', '.join(ACTS)}.")
    return settlement_from_json(line, board) if line.keys() & {*SETTLEMENTS} else read_turn(line, board, players)


def may_resume(record: GameRecord) -> bool:
    """Return True if passes have ended play, and the rules let it go on."""
    return record.ended and record.result is None and record.rules.ending.can_resume_play


def resume_play(record: GameRecord, line: Mapping[str, object]) -> GameRecord:
    """Return the record with play resumed by such a line, `{"resume":"B"}`; raise BadRecord where it cannot be."""
    players = [colour.value for colour in COLOURS[: record.players]]
    if line.keys() != {RESUME} or line[RESUME] not in players:
        raise BadRecord(f'A resumption says who moves and nothing else: {{"resume":"{players[0]}"}}.')
    if not may_resume(record):
        raise BadRecord("Passes have not ended play here, so it cannot be resumed.")
    return record.going_on(Colour(str(line[RESUME])))


def read_turn(line: Mapping[str, object], board: Board, players: int) -> Turn:
    """Parse the turn in a line; raise BadRecord if it is none."""
    if line.get("place", "") is None:
        raise BadRecord("null names no point; name it like D4.")
    return turn_from_json(line, board, players)


def _build_bowls(players: str, contents: Contents | None, ultimate: Colour | None) -> Bowls | None:
    """Return the given bowls with the ultimate stone in them; None to start as the rule set does."""
    if ultimate is not None and ultimate not in players:
        raise BadSetup(f"The ultimate stone cannot be {ultimate}'s: the players are {players}.")
    if contents is None:
        if ultimate is not None:
            raise BadSetup("A start with the ultimate stone must say what else lies in the bowls.")
        return None
    for owner, bowl in contents.items():
        for colour, count in bowl.items():
            _check_bowl(players, owner, colour, count)
    bowls = bowls_of(contents, len(players))
    return bowls if ultimate is None else bowls.with_ultimate(ultimate)


def _check_bowl(players: str, owner: str, colour: str, count: int) -> None:
    if len(owner) != 1 or len(colour) != 1 or owner not in players or colour not in players or owner == colour:
        raise BadSetup(f"The bowl of {quote_value(owner)} cannot hold stones of {quote_value(colour)} as prisoners.")
    if not 0 <= count <= MOST_STONES:
        raise BadSetup(f"A bowl cannot hold {quote_value(count)} stones.")
