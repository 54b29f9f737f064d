"""The types of the page's JSON responses, and the OpenAPI document that describes them.

The addresses, the director's actions, and everything that the types do not name are described by hand in openapi.json;
the schemas of the responses are made from the types when the document is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from referee import REPETITIONS, Actor, Colour, Coordinates, Phase, Reason, Sight, Stage, State, Tone
from referee import Status as Finding
from web.language_traits import ALL

MOST_RULINGS = MOST_ANSWERS = 50
MOST_FINALS = 8
SCHEMA = 1
"""Grows when a key's meaning changes; additional keys are no reason."""
METHODS = ("expedited", "area", "territory", "fill-in")
_COLOURS = [colour.value for colour in Colour]


def _one_of(values: Iterable[str], description: str | None = None) -> Meta:
    return Meta(description=description, extra_json_schema={"enum": [str(value) for value in values]})


def _describe(description: str) -> Meta:
    return Meta(description=description)


Letter = Annotated[str, _one_of(_COLOURS)]
Point = Annotated[
    str, Meta(pattern="^[A-HJ-Z][0-9]{1,2}$", description="As in GTP: a letter without I, rows from 1 at the bottom.")
]
Side = Annotated[int, Meta(extra_json_schema={"enum": [1, 2, 3, 4, 5, 6]}, description="A side of the table.")]
Lamp = Annotated[
    str,
    _one_of(
        Tone,
        "green: play; amber: unfinished or unexplained; red: illegal, or no picture; blue: paused, or the start check; "
        "white: a press, a claim or a result is open, or the director is called; off: nothing to do.",
    ),
]
_KEYS = {"propertyNames": {"enum": _COLOURS}}
Held = Annotated[dict[str, Annotated[int, Meta(ge=0)]], Meta(extra_json_schema=_KEYS)]
Bowls = Annotated[
    dict[str, Held],
    Meta(extra_json_schema=_KEYS, description="Owner to colour to count; the ultimate stone is not counted."),
]
Rows = Annotated[
    list[str],
    _describe(
        "The board, the highest row first: X black, O white, a dot for an empty point; B W R G Y V where more than two "
        "play."
    ),
]
Ultimate = Annotated[Letter | None, _describe("The colour of the ultimate stone, which is its bowl owner's.")]
Who = Annotated[
    Annotated[str, _one_of((*_COLOURS, *Actor))] | None,
    _describe(
        "Who did it: a player; the director, also where they entered it for a player; the box; table: the pause button."
    ),
]
Amount = Annotated[int, Meta(ge=0)]
Outcome = str | dict[str, int]
"""As in SGF; for more than two players each one's points."""


_Passed = TypedDict("_Passed", {"pass": NotRequired[bool]})
"""A key that is a Python keyword."""


SaidMessage = Annotated[
    dict[str, Any],
    _describe("The sentence as its key and arguments, for a hall that words it; they differ between versions."),
]


class Ruling(_Passed):
    """A finding of the referee; at most one of place, delay, pass, draw and resign is there."""

    turn: Annotated[int, _describe("The number of the turn, or the one it would have had.")]
    status: Annotated[str, _one_of(Finding)]
    player: Letter | None
    place: NotRequired[Annotated[str | None, _describe("A stone was placed on this point; null beside the board.")]]
    delay: NotRequired[Annotated[str, _one_of(("prisoner", "ultimate"))]]
    draw: NotRequired[bool]
    resign: NotRequired[bool]
    reason: Annotated[str, _one_of(Reason)] | None
    repeats: Annotated[int | None, _describe("The turn after which the same board stood before; 0 is the start.")]
    captured: list[Point]
    points: Annotated[list[Point], _describe("What is concerned: still there, missing, or unexplained.")]
    text: Annotated[str, _describe("One sentence for the players.")]
    message: NotRequired[SaidMessage]
    order: Annotated[str, _one_of(("uncertain",))] | None


class Turn(TypedDict):
    """An accepted turn."""

    number: int
    player: Letter
    text: Annotated[str, _describe("E5, prisoner returned, pass, draw declared, resigned.")]


class Face(TypedDict):
    """One player's clock."""

    time: Annotated[str, _describe("What is left of the stretch that runs, in minutes and seconds.")]
    text: str
    main: Annotated[Amount, _describe("Milliseconds of main time left.")]
    period: Annotated[Amount, _describe("Milliseconds left of the period in use or next to be used.")]
    periods: Amount
    stones: Annotated[Amount, _describe("Turns to be closed before the period ends.")]
    bought: Amount
    points: Annotated[Amount, _describe("Points to the opponent for time bought.")]
    spent: Annotated[Amount, _describe("Milliseconds used in the game.")]
    overtime: bool
    fallen: bool
    running: bool


class Clocks(TypedDict):
    """The clocks of all players."""

    control: Annotated[str, _describe("As it is written in the settings: 30m+5x30s.")]
    t: Annotated[float, _describe("Seconds on the box's clock, as in /health, at which the clocks showed this.")]
    begun: bool
    halted: Annotated[bool, _describe("They stand while the players agree on a count.")]
    called: Annotated[bool, _describe("They stand for the director.")]
    restored: Annotated[bool, _describe("They stand after a power cut, until the players are ready.")]
    ready: list[Letter]
    absent: list[Letter]
    fallen: Annotated[list[Letter], _describe("Players against whom a win on time may be claimed.")]
    players: Annotated[dict[str, Face], Meta(extra_json_schema=_KEYS)]


class Step(TypedDict):
    """One act of a count."""

    player: Letter | None
    point: Point | None
    text: str


class Count(TypedDict):
    """A count that the players agreed to, step by step."""

    method: Annotated[str, _one_of(METHODS)]
    result: Annotated[Outcome, _describe("As in SGF; of more than two players each one's points.")]
    steps: list[Step]
    order_matters: Annotated[bool, _describe("Filled in another order it could end otherwise.")]
    remarks: list[str]


class ProposedCount(TypedDict):
    """The count that the box proposes once passes have ended play; it counts for nothing until both players agree."""

    dead: list[Point]
    dead_by: Annotated[dict[Point, str], _describe("Of each dead stone `proved` or `likely`.")]
    uncertain: Annotated[list[Point], _describe("Stones of chains that may as well be alive, or dead.")]
    open: Annotated[list[Point], _describe("Points that are still to be played.")]
    territory: Annotated[dict[str, list[Point]], Meta(extra_json_schema=_KEYS)]
    result: Outcome


class Counting(TypedDict):
    """Progress of the game towards its count."""

    stage: Annotated[str, _one_of(Stage)]
    may_propose: list[Letter]
    waits_for: Annotated[Letter | None, _describe("Who has to answer.")]
    dead: Annotated[list[Point], _describe("The stones that were named last.")]
    seki: list[Point]
    territory: Annotated[
        dict[str, list[Point]],
        Meta(
            extra_json_schema=_KEYS,
            description="Whose the points are with what is named or agreed to, those under dead stones too.",
        ),
    ]
    void: Annotated[list[Letter], _describe("Players who agree that the game is void.")]
    count: Count | None
    dead_by: NotRequired[
        Annotated[
            dict[Point, str],
            _describe("Of each stone in `dead`: `proved`, `likely` (by the box), `given` or `agreed`."),
        ]
    ]
    proposed: NotRequired[ProposedCount | None]


class Pause(TypedDict):
    """A pause."""

    by: Who
    why: Annotated[str, _describe("The director's reason; empty where none was given.")]
    since: Annotated[float, _describe("Seconds on the box's clock, as in /health.")]


class Answer(TypedDict):
    """Answer to a player's or the director's word, or to an act about time."""

    text: str
    act: Annotated[str | None, _describe("What was done about time or the result; null for a word about the count.")]
    refused: Annotated[bool, _describe("It has no effect.")]
    author: Who
    message: NotRequired[SaidMessage]


class Game(TypedDict):
    """The game as it stands."""

    rules: str
    rules_named: NotRequired[Annotated[bool, _describe("Somebody named them; else they hold because nobody did.")]]
    size: Annotated[list[int], Meta(min_length=2, max_length=2, description="Columns and rows.")]
    rows: Rows
    bowls: Bowls
    ultimate: Ultimate
    black_side: Annotated[Side | None, _describe("Where Black sits; null while nothing says it.")]
    to_play: Annotated[Letter | None, _describe("null once the game has ended.")]
    turn: Annotated[int, _describe("Accepted turns.")]
    last_move: Annotated[Point | None, _describe("Where the newest turn put a stone; null where it did not.")]
    ended: bool
    result: Annotated[
        Outcome | None,
        _describe(
            "B+R, W+0.5, 0 (a draw), Void; of more than two players each one's points; null while there is none."
        ),
    ]
    result_text: str | None
    rulings: Annotated[list[Ruling], Meta(max_length=MOST_RULINGS, description="The newest first.")]
    moves: Annotated[list[Turn], _describe("The accepted turns, the first one first.")]


class Final(TypedDict):
    """A result that all players agreed to."""

    game: Annotated[str, _describe("The name under which the match is kept.")]
    result: Annotated[Outcome, _describe("As in SGF; of more than two players each one's points.")]
    players: list[str]
    event: str
    round: str
    table: str
    seal: Annotated[str | None, _describe("Stood for the journal then.")]


class Status(Game):
    """The game and the table now."""

    schema: Annotated[int, _describe("Grows when a key means something else than before; further keys may come.")]
    box: Annotated[str, _describe("The box's public key, by which others know it; empty where it has none.")]
    game: Annotated[str, _describe("The name under which the match is kept; empty before its first turn or press.")]
    number: Annotated[int, _describe("Grows with every change.")]
    headline: Annotated[str, _describe("What is going on now and who has to do what.")]
    tone: Lamp
    phase: Annotated[str, _one_of(Phase)]
    sight: Annotated[str, _one_of(Sight)]
    refereed: Annotated[bool, _describe("Whether done closes turns.")]
    state: Annotated[str, _one_of(State, "How the table stands: headline, tone and lamps follow from it.")]
    lamps: Annotated[
        dict[str, Lamp],
        Meta(extra_json_schema=_KEYS, description="What each player has to do, as a lamp's colour; as on the panel."),
    ]
    trouble: Annotated[Ruling | None, _describe("The finding that still has to be put right.")]
    waiting: Annotated[list[Side], _describe("Sides whose press waits for a look at the table.")]
    resigning: Annotated[list[Side], _describe("Sides that are about to resign and have not confirmed.")]
    agreed: Annotated[list[Side], _describe("Sides that agreed to the result.")]
    paused: bool
    called: Annotated[bool, _describe("The director has been called.")]
    pause: Annotated[Pause | None, _describe("Who paused the game; null while it goes on.")]
    clocks: Annotated[Clocks | None, _describe("null where the match has none.")]
    counting: Counting
    answers: Annotated[list[Answer], Meta(max_length=MOST_ANSWERS, description="The newest first.")]
    notice: Annotated[str | None, _describe("What the box has to say about the newest press, or itself.")]
    asks: Annotated[str | None, _describe("What the players are asked to do while the box is rehearsed.")]
    certified: Annotated[str | None, _describe("For what the box was certified today, or that it was not rehearsed.")]
    faults: Annotated[list[str], _describe("What the box lacks, a sentence each.")]
    fault_messages: NotRequired[list[SaidMessage]]
    coordinates: NotRequired[
        Annotated[str, _one_of(Coordinates, "How people at this table name points; all points here are A1.")]
    ]
    seal: Annotated[str | None, _describe("Stands for the journal; null before there is a result.")]
    event: Annotated[
        str, _describe("The tournament or evening; empty where nobody said it, as round, table and players.")
    ]
    round: str
    table: str
    players: Annotated[
        list[str],
        Meta(min_length=2, max_length=6, description="Black's name, White's, and so on in the order of play."),
    ]
    finals: NotRequired[
        Annotated[list[Final], _describe("The last results that were agreed to before this match, the newest first.")]
    ]


class Barred(TypedDict):
    """An empty point that may not be taken."""

    point: Point
    reason: Annotated[str, _one_of(sorted(REPETITIONS))]
    repeats: int | None
    text: str


class Then(TypedDict):
    """The game after a turn."""

    turn: Amount
    player: Annotated[Letter | None, _describe("Who made that turn.")]
    text: Annotated[str | None, _describe("What that turn was.")]
    rows: Rows
    bowls: Bowls
    ultimate: Ultimate
    barred: Annotated[
        list[Barred],
        _describe(
            "The empty points that the player to move may not take now, for the game would repeat; none for earlier "
            "turns."
        ),
    ]


class Health(TypedDict):
    """Health for a monitoring program; other keys besides."""

    ok: Annotated[bool, _describe("Whether all is well.")]


class Games(TypedDict):
    """The names of all games kept."""

    games: list[str]


class Token(TypedDict):
    """Requirements for the requests of the director's acts."""

    token: str


class Challenge(TypedDict):
    """A word for once."""

    challenge: str


class Said(TypedDict):
    """Answer to an act of the director."""

    said: list[str]


class Place(TypedDict):
    """The newest picture's size, and where board and lids lie in it."""

    width: int
    height: int
    size: int | None
    corners: list[list[float]]
    lids: list[list[float]]


class Rules(TypedDict):
    """A rule set to choose."""

    name: str
    title: str
    summary: str
    komi: float


class Control(TypedDict):
    """A time control to choose."""

    control: str
    brief: str
    meaning: str


class Choices(TypedDict):
    """Choices for setting up a match."""

    rules: list[Rules]
    controls: list[Control]


class Spoken(TypedDict):
    """A sentence that can be said. A page says those that it was not told of before."""

    about: Annotated[str, _describe("What it is of; the same is said once.")]
    kind: Annotated[str, _one_of(("count", "ruling", "move"))]
    text: str
    clips: Annotated[list[str], _describe("The addresses of its clips, one after the other.")]


class Voice(TypedDict):
    """All that can be said of the table now, in the reader's language."""

    said: list[Spoken]
    counts: Annotated[list[str], _describe("The addresses of the seconds that are counted, to be fetched before.")]
    silent: Annotated[
        float | None,
        _describe(
            "When the running clock's last ten seconds begin, in seconds on the box's clock; null where none runs."
        ),
    ]


class Lies(TypedDict):
    """Description of one intersection in the reader's language."""

    point: Point
    text: str
    clips: list[str]


class Pairing(TypedDict):
    """A code that was used up."""

    at: Annotated[str, _describe("The path of the page of its part.")]


class _Timed(TypedDict):
    """An answer by which a phone measures the box's clock."""

    t: Annotated[float, _describe("When the request arrived, in seconds on the box's clock.")]
    held: Annotated[float, _describe("Seconds until it was answered.")]
    run: Annotated[str, _describe("This run of the box; its clock is another after a start.")]
    nonce: Annotated[str, _describe("This answer's own; the phone sends back that of the newest which it has.")]


class PhonePicture(_Timed):
    """The box's view of the camera's pictures."""

    rate: Annotated[float, _describe("Pictures a second that the box asks for.")]
    size: Annotated[list[int] | None, _describe("Width and height of the picture that was looked at.")]
    corners: Annotated[list[list[float]], _describe("The board's, in that picture's pixels; empty if none is found.")]
    lids: Annotated[list[list[float]], _describe("Left, top, width and height of each.")]
    good: Annotated[bool, _describe("Nothing is to be done.")]
    say: Annotated[str, _describe("One sentence for whoever puts the phone up.")]
    taken: Annotated[bool, _describe("A picture came with the request.")]


class PhoneContact(_Timed):
    """The box's time and the phone's part."""

    last: Annotated[int, _describe("The number of the last press that was heard; 0 for none.")]
    number: int
    part: Annotated[str, _one_of(("camera", "clock", "side"))]
    sides: list[Side]
    name: Annotated[str, _describe("What the browser calls itself.")]


class PhoneHeard(_Timed):
    """The fate of a press."""

    number: int
    heard: Annotated[
        str,
        _one_of(
            ("taken", "again", "late", "many"),
            "again: its number was heard before, or it bounced; late: it came too late to count; many: the phone "
            "presses too often, so it is not heard.",
        ),
    ]
    said: Annotated[
        str,
        _describe("Why it does not count, or counts from its arrival and not from its touch; empty otherwise."),
    ]


PHONES = (Pairing, PhonePicture, PhoneContact, PhoneHeard)
ANSWERS = (Status, Then, Health, Games, Token, Challenge, Said, Place, Choices, Voice, Lies, *PHONES)
"""The types of the responses; all but Health forbid additional keys."""
ADDRESSES = Path(__file__).parent / "openapi.json"
"""The addresses, described by hand, without the schemas of their answers."""


BOUNDED = frozenset({"lang", "rules", "since", "name", "date", "result"})
"""Query parameters that are refused where the document does not allow them."""
_SENTENCE = {"text/plain": {"schema": {"$ref": "#/components/schemas/Sentence"}}}
_EVERYWHERE = {
    "405": "The address has no such method; Allow says which it has.",
    "501": "The box lacks what it takes: the library for PDFs, or a transfer encoding that it does not know.",
}
_NAMED = re.compile(r'"#/components/schemas/(\w+)"')


@cache
def openapi_document() -> dict[str, Any]:
    """Return the OpenAPI document: the addresses, with the response schemas generated from the types."""
    document: dict[str, Any] = json.loads(ADDRESSES.read_text(encoding="utf-8"))
    _, schemas = msgspec.json.schema_components(ANSWERS, ref_template="#/components/schemas/{name}")
    for name, schema in schemas.items():
        schema["additionalProperties"] = name == Health.__name__
    document["components"]["schemas"] |= schemas
    for operation in (one for methods in document["paths"].values() for one in methods.values()):
        responses = operation["responses"]
        for parameter in operation.get("parameters", []):
            if parameter["name"] == "lang":
                parameter["schema"]["enum"] = list(ALL)
        for code, description in _EVERYWHERE.items():
            responses.setdefault(code, {"description": description, "content": _SENTENCE})
        if any(one["in"] == "query" and one["name"] in BOUNDED for one in operation.get("parameters", [])):
            responses.setdefault("400", {"description": "A parameter is out of its bounds.", "content": _SENTENCE})
    return document


def served_document(addresses: Collection[str]) -> dict[str, Any]:
    """Return the document with these addresses alone, and with what they need."""
    document = openapi_document()
    paths = {path: methods for path, methods in document["paths"].items() if path in addresses}
    schemas = document["components"]["schemas"]
    used, pending = set[str](), _NAMED.findall(json.dumps(paths))
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending += _NAMED.findall(json.dumps(schemas[name]))
    used_schemas = {name: schema for name, schema in schemas.items() if name in used}
    return {**document, "paths": paths, "components": {**document["components"], "schemas": used_schemas}}


def bounds_of(address: str) -> dict[str, dict[str, Any]]:
    """Return the schemas of the bounded query parameters of an address; empty if it has none."""
    parameters = openapi_document()["paths"].get(address, {}).get("get", {}).get("parameters", [])
    return {one["name"]: one["schema"] for one in parameters if one["in"] == "query" and one["name"] in BOUNDED}


def address_of_rule(rule: str) -> str:
    """Return an address of Flask's as the document writes it."""
    return re.sub(r"<(?:int:)?(\w+)>", r"{\1}", rule)
