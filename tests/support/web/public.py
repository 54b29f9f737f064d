"""Public news, made up."""

from __future__ import annotations

from web.gallery.publication import BoardNews, ClocksNews, FaceNews, News, RecordNews, Room, What

ROWS = (".....", "..X..", "...O.", ".....", ".....")
CLOCKS = ClocksNews({"B": FaceNews("12:34", True), "W": FaceNews("20:00", False)})
BOARD = BoardNews("1", "00001_a", ("Ada", "Ben <b>"), "chinese", ROWS, "C4", 2, "B", None, CLOCKS)
RECORD = RecordNews("1", "00001_a", "(;FF[4]GM[1]SZ[5];B[cb];W[dc])")


def news(number: int, what: What, table: str = "7", hall: str = "hall", delay: float = 900.0) -> News:
    """An event of the Spring Cup."""
    return News(number, hall, "Spring Cup", table, delay, what)


def room_of(*news: News) -> Room:
    """A room in which this was told."""
    room = Room("Spring Cup")
    for one in news:
        room.take(one)
    return room
