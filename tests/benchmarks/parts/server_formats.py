"""Writers of GIB, NGF and UGF, as the servers write them."""

from __future__ import annotations

Move = tuple[str, int, int]
"""A colour, and column and row from the top left; a column below 0 is a pass."""


def gib(moves: list[Move], handicap: int = 0) -> str:
    head = [
        "\\HS",
        "\\[GAMETYPE=0\\]",
        "\\[GAMEBLACKNAME=Ada (5D)\\]",
        "\\[GAMEWHITENAME=박정환 (9P)\\]",
        "\\[GAMEDATE=2016- 3-19-18-27-50\\]",
        f"\\[GAMEINFOMAIN=GBKIND:3,GTIME:1200-20-3,GRLT:1,ZIPSU:35,DUM:0,GONGJE:{0 if handicap else 65}\\]",
        "\\HE",
        "\\GS",
        "2 1 0",
        f"INI 0 1 {handicap} &4 ",
    ]
    lines = [
        f"STO 0 {number} {1 if colour == 'B' else 2} {column} {row} " if column >= 0 else f"SKI 0 {number}"
        for number, (colour, column, row) in enumerate(moves, 2)
    ]
    return "\r\n".join([*head, *lines, "\\GE", ""])


def ngf(moves: list[Move], handicap: int = 0) -> str:
    head = ["Rating game", "19", "박정환 9P", "Ada 5D", "www", str(handicap), "0", "0" if handicap else "6"]
    head += ["20160319 [18:27]", "5", "White wins by 3.5!", str(len(moves))]
    lines = [
        f"PMAB{colour}{chr(66 + column)}{chr(66 + row)}{chr(66 + column)}{chr(66 + row)}"
        if column >= 0
        else f"PMAB{colour}AAAA"
        for colour, column, row in moves
    ]
    return "\r\n".join([*head, *lines, ""])


def ugf(moves: list[Move], handicap: int = 0, from_bottom: bool = False) -> str:
    kind = "CoordinateType=IGS\n" if from_bottom else ""
    head = f"[Header]\nLang=JP\nTitle=名人戦\nPlace=Pandanet\nDate=2016/03/19\nSize=19\nRule=JPN\n{kind}"
    head += f"Hdcp={handicap},{0 if handicap else 6.5}\nPlayerB=Ada,5d\nPlayerW=박정환,9p\nWinner=W,3.5\n[Data]\n"
    points = [
        f"{chr(65 + column)}{chr(65 + (18 - row if from_bottom else row))}" if column >= 0 else "YA"
        for _, column, row in moves
    ]
    lines = [
        f"{point},{colour}1,{number},9"
        for number, (point, (colour, *_)) in enumerate(zip(points, moves, strict=True), 1)
    ]
    return head + "\n".join(lines) + "\n[Figure]\n"
