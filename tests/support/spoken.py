"""Every message of the catalogue with something in each of its places, as it is said aloud."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from referee.board import Colour
from referee.messages import Duration, Listing, Message, Points, Stones, Value, message
from tests.support.sentences import slots, texts
from tests.support.wanting import ESPEAK, JTALK, wanting
from web.language import CODES, tongue
from web.voice.programs import NoVoice, program_for

BLACK, WHITE = Colour.BLACK, Colour.WHITE
SAMPLES: dict[str, Value] = {
    **dict.fromkeys(("player", "to_play", "stone", "presser", "loser", "running", "each"), BLACK),
    "other": WHITE,
    **dict.fromkeys(("players", "others", "fallen", "agreed"), Listing((BLACK, WHITE))),
    "points": Points(("D4", "Q16", "K10")),
    **dict.fromkeys(("point", "move", "place", "one"), "C8"),
    "moves": Points(("D4", "Q16")),
    "stones": Stones(3, WHITE),
    "parts": Listing((message("order.off", points=Points(("C8",))),)),
    "left": message("clock.periods", n=3),
    "beside": message("clock.periods", n=3),
    **dict.fromkeys(("main", "period", "added", "minutes", "late"), Duration(90_000)),
    **dict.fromkeys(("result", "score"), "B+3.5"),
    **dict.fromkeys(("turn", "number", "step", "count", "total", "lines", "side", "last", "size", "first"), 12),
    **dict.fromkeys(("turns", "steps", "entries", "entry", "examples", "lids", "empty", "found", "sum", "played"), 12),
    **dict.fromkeys(("komi", "cost"), 7.5),
    **dict.fromkeys(("time", "since"), "14:30"),
    "rules": "Ultimate Go",
    "why": "both agreed",
    **dict.fromkeys(("black", "white", "who", "by"), "Maria Schneider"),
    "file": "games.toml",
}
"""What stands in a place of this name; in others a number."""


def messages() -> Iterator[Message]:
    """Each message of the catalogue with its places filled; those that depend on a number for one and for several."""
    known = [texts(code) for code in CODES]
    for key, forms in sorted(known[0].items()):
        names = set().union(*(slots(language[key]) for language in known))
        filled: dict[str, Value] = {name: SAMPLES.get(name, 7) for name in names}
        numbers: tuple[dict[str, Value], ...] = ({"n": 1}, {"n": 3}) if len(forms) > 1 else ({},)
        yield from (message(key, **{**filled, **number}) for number in numbers)


def said(code: str) -> list[str]:
    """The sentences of all messages in this language, each once."""
    say = tongue(code)
    return list(dict.fromkeys(text for one in messages() if any(map(str.isalnum, text := say.sentence(one)))))


@cache
def why_not(code: str) -> str:
    """Why a language cannot be spoken here; "" where it can."""
    try:
        program_for(code)
    except NoVoice as error:
        return tongue(CODES[0]).sentence(error.args[0])
    return ""


def speaks(code: str) -> None:
    """Skips where this language cannot be spoken here."""
    if why_not(code):
        wanting(JTALK if code == "ja" else ESPEAK)
