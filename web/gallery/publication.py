"""The public events of a hall: news of a table, each published when it is due, and the resulting exhibition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from threading import Condition
from typing import Any

import msgspec

from referee import result_text
from web.formats import SGF, Format, format_for, format_of
from web.hall.contents import check_board, check_names, check_plain
from web.hall.tiles import by_number
from web.openapi import Status


class FaceNews(msgspec.Struct, frozen=True):
    """A snapshot of a player's clock.

    time: as people read it
    """

    time: str
    running: bool


class ClocksNews(msgspec.Struct, frozen=True):
    """A snapshot of the clocks, by the players' letters."""

    players: dict[str, FaceNews]


class BoardNews(msgspec.Struct, frozen=True, tag="board"):
    """A snapshot of a game: the part of /status.json that becomes public.

    coordinates: how people at the table name points; empty if that is not known
    """

    round: str
    game: str
    players: tuple[str, ...]
    rules: str
    rows: tuple[str, ...]
    last_move: str | None
    turn: int
    to_play: str | None
    result: str | None
    clocks: ClocksNews | None = None
    coordinates: str = ""

    @property
    def mark(self) -> str:
        """Return a hash that is the same for boards that differ only by their clocks."""
        return _short_hash(msgspec.json.encode(msgspec.structs.replace(self, clocks=None)))


class RecordNews(msgspec.Struct, frozen=True, tag="record"):
    """The game's record at one time, in SGF without comments; with more than two players as JSON lines."""

    round: str
    game: str
    sgf: str

    @property
    def format(self) -> Format:
        """Return its format."""
        return format_of(self.sgf.encode())


class ResultNews(msgspec.Struct, frozen=True, tag="result"):
    """A result on which all players have agreed.

    at: the time of day in seconds; 0 if it is not known
    rules: the rule set's name; empty if it is not known
    turns: how many were taken; 0 if that is not known
    """

    round: str
    game: str
    players: tuple[str, ...]
    result: str
    at: float = 0.0
    rules: str = ""
    turns: int = 0


class LastBoardNews(msgspec.Struct, frozen=True, tag="last"):
    """The last position of a finished game; public as late as its moves."""

    game: str
    rows: tuple[str, ...]
    last_move: str | None

    @property
    def mark(self) -> str:
        """Return a hash of the position."""
        return _short_hash(msgspec.json.encode(self))


What = BoardNews | RecordNews | ResultNews | LastBoardNews


class News(msgspec.Struct, frozen=True):
    """A public event.

    number: its index among all of this hall, from 1
    hall: identifies the hall, whatever its name
    event: the tournament
    delay: seconds by which boards and records of this table are delayed
    """

    number: int
    hall: str
    event: str
    table: str
    delay: float
    what: What

    @property
    def id(self) -> str:
        """Return its identity, however often it is sent."""
        return f"{self.hall}-{self.number}"


def board_news(status: Status) -> BoardNews:
    """Return the part of a box's status that may become public once it is due."""
    clocks = status["clocks"]
    faces = (
        {letter: FaceNews(face["time"], face["running"]) for letter, face in clocks["players"].items()}
        if clocks
        else {}
    )
    return BoardNews(
        status["round"],
        status["game"],
        tuple(status["players"]),
        status["rules"],
        tuple(status["rows"]),
        status["last_move"],
        status["turn"],
        status["to_play"],
        None if status["result"] is None else result_text(status["result"]),
        ClocksNews(faces) if faces else None,
        status.get("coordinates", ""),
    )


def result_news(final: Mapping[str, Any], at: float = 0.0) -> ResultNews:
    """Return the public part of a result on which all players have agreed.

    final: with the keys of a Final, and those of a status if the box has it
    at: the time of day in seconds
    """
    length = str(final.get("rules", "")), int(final.get("turn", 0))
    return ResultNews(final["round"], final["game"], tuple(final["players"]), result_text(final["result"]), at, *length)


def last_board_news(final: Mapping[str, Any]) -> LastBoardNews | None:
    """Return the last position of a finished game; None if the box has it no more."""
    return LastBoardNews(final["game"], tuple(final["rows"]), final["last_move"]) if "rows" in final else None


def check_news(news: News) -> None:
    """Check the contents of news from elsewhere; raise ValueError if it holds something that no hall publishes."""
    what = news.what
    values = msgspec.to_builtins(msgspec.structs.replace(what, sgf="") if isinstance(what, RecordNews) else what)
    check_plain((values, news.number, news.hall, news.event, news.table, news.delay))
    if isinstance(what, (BoardNews, LastBoardNews)):
        check_board(what.rows, what.last_move)
    if isinstance(what, BoardNews):
        check_names(what.players, what.clocks.players if what.clocks is not None else ())


def _short_hash(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


@dataclass(frozen=True)
class PublicTable:
    """A table as the public sees it.

    result: that of the game on the board, once it is known
    """

    table: str
    delay: float = 0.0
    board: BoardNews | None = None
    record: RecordNews | None = None
    result: str | None = None

    @property
    def format(self) -> Format:
        """Return the format of the record of the game on the board."""
        return format_for(len(self.board.players)) if self.board is not None else SGF

    @cached_property
    def version(self) -> str:
        """Return a hash that changes whenever the tile may differ; derived from public data only."""
        return _short_hash(msgspec.json.encode((self.table, self.delay, self.board, self.result)))


@dataclass(frozen=True)
class Exhibition:
    """The public state of a hall.

    number: of the newest news in it
    results: by table and game, the oldest first
    last_boards: the last positions of finished games, by table and game
    """

    event: str = ""
    hall: str = ""
    number: int = 0
    tables: Mapping[str, PublicTable] = field(default_factory=dict)
    results: Mapping[tuple[str, str], ResultNews] = field(default_factory=dict)
    last_boards: Mapping[tuple[str, str], LastBoardNews] = field(default_factory=dict)

    def with_news(self, news: News) -> Exhibition:
        """Return the exhibition with one more event; a known one changes nothing.

        Another hall than before starts from scratch: its journal was lost.
        """
        before = self if news.hall == self.hall else Exhibition()
        if news.number <= before.number:
            return self
        results, boards = dict(before.results), before.last_boards
        if isinstance(news.what, ResultNews):
            results[news.table, news.what.game] = news.what
        elif isinstance(news.what, LastBoardNews):
            boards = {**boards, (news.table, news.what.game): news.what}
        table = _table_with(before.tables.get(news.table, PublicTable(news.table)), news, results)
        return Exhibition(news.event, news.hall, news.number, {**before.tables, news.table: table}, results, boards)

    @cached_property
    def marked_boards(self) -> Mapping[str, LastBoardNews]:
        """The last positions by their marks."""
        return {one.mark: one for one in self.last_boards.values()}

    @property
    def in_order(self) -> Sequence[PublicTable]:
        """Return the tables by their numbers."""
        return sorted(self.tables.values(), key=lambda one: by_number(one.table))

    @property
    def delay(self) -> float:
        """Return the longest delay of a board, in seconds."""
        return max((one.delay for one in self.tables.values()), default=0.0)


def _table_with(table: PublicTable, news: News, results: Mapping[tuple[str, str], ResultNews]) -> PublicTable:
    table = replace(table, delay=news.delay)
    if isinstance(news.what, BoardNews):
        table = replace(table, board=news.what)
    elif isinstance(news.what, RecordNews):
        table = replace(table, record=news.what)
    final_result = results.get((table.table, table.board.game)) if table.board is not None else None
    return replace(
        table, result=final_result.result if final_result is not None else table.board.result if table.board else None
    )


class Room:
    """The newest Exhibition, for many readers, thread-safe.

    event: the tournament's name, before there is any news
    """

    def __init__(self, event: str = "") -> None:
        self._condition, self._exhibition = Condition(), Exhibition(event)

    def take(self, news: News) -> None:
        """Publish news."""
        with self._condition:
            after = self._exhibition.with_news(news)
            if after is not self._exhibition:
                self._exhibition = after
                self._condition.notify_all()

    def public_state(self) -> Exhibition:
        """Return the public state."""
        return self._exhibition

    def wait(self, exhibition: Exhibition, timeout: float) -> Exhibition:
        """Return it as soon as it differs from the known one, or after this many seconds."""
        with self._condition:
            self._condition.wait_for(lambda: self._exhibition is not exhibition, timeout)
        return self._exhibition
