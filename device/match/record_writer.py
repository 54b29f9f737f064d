"""The game record of a match as a file, with the annotations beside its turns: the one place where they meet.

A table knows nothing of words; whoever holds it, and wants its record, has a writer too.
"""

from __future__ import annotations

from device.match.game_files import game_lines, info_of
from device.match.record_notes import DAY, Annotator
from referee.sgf.records import SgfWriter
from referee.table.table import Table


class RecordWriter:
    """A writer of one match after another as they go on: it keeps the annotations and the text of the same turns.

    Any thread may use it.
    """

    def __init__(self) -> None:
        self._annotator, self._sgf_writer = Annotator(), SgfWriter()

    def write(self, table: Table, seal: str = "") -> bytes:
        """Return the game record in its format: SGF for two players, else JSON lines.

        seal: the journal's digest. Raises BadRecord for a game that SGF cannot hold.
        """
        game, record = table.snapshot, table.record
        if record.players > 2:
            control = game.clocks.control if game.clocks is not None else ""
            info = info_of(record, table.names, table.game_info, table.began[:DAY], control, seal)
            return game_lines(record, info)
        annotations = self._annotator.collect_annotations(game, table.game_info, table.began)
        black, white = table.names[:2]
        return self._sgf_writer.write_record(record, black, white, annotations, table.times, seal)


def write_record(table: Table, seal: str = "") -> bytes:
    """Return the same as a writer of this game alone."""
    return RecordWriter().write(table, seal)
