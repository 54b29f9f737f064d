"""The box's settings: a TOML file, every key of which is optional."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints

from msgspec import Meta

from referee.game.errors import RefereeError
from vision.input_files import InputFileSpec
from vision.validation import explain, field_types, parse_table, parse_value
from web.language_traits import CODES

LONGEST_LINE = 1000
Line = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_LINE,
        pattern=r"\A[^\x00-\x1f\x7f]*\Z",
        description=f"a text in quotes, in one line of 1 to {LONGEST_LINE} letters",
    ),
]
Lines = Annotated[list[Line], Meta(description="a list of texts in one line each")]
LONGEST_PERSON = 60
Names = Annotated[
    list[Annotated[str, Meta(max_length=LONGEST_PERSON)]],
    Meta(
        min_length=2,
        max_length=6,
        description=f"two names, Black's and White's, or as many as play, of at most {LONGEST_PERSON} letters",
    ),
]
Chips = Annotated[
    list[Annotated[int, Meta(ge=1, le=99)]], Meta(max_length=2, description="a list of at most two chips' numbers")
]
Edge = Literal["top", "right", "bottom", "left"]
EDGES = "as the camera shows them: top, right, bottom or left"
Edges = Annotated[
    list[Edge], Meta(min_length=2, max_length=2, description=f"a list of two edges of the board, {EDGES}")
]
SomeEdges = Annotated[list[Edge], Meta(max_length=2, description=f"a list of edges of the board, {EDGES}")]
LineSteps = Annotated[
    list[Annotated[float, Meta(ge=1, le=20)]],
    Meta(min_length=2, max_length=2, description="two numbers from 1 to 20, for columns and rows"),
]
LightCounts = Annotated[
    list[Annotated[int, Meta(ge=1, le=300)]],
    Meta(min_length=2, max_length=2, description="two whole numbers from 1 to 300"),
]
SpiPort = Annotated[
    str, Meta(pattern=r"\A/dev/spidev\d{1,2}\.\d{1,2}\Z", description='a port of SPI such as "/dev/spidev0.0"')
]
Label = Annotated[str, Meta(max_length=LONGEST_PERSON, description=f"a text of at most {LONGEST_PERSON} letters")]
HeldButton = Literal["done 1", "call 1", "score 1", "done 2", "call 2", "score 2", "pause"]
BUTTONS: tuple[HeldButton, ...] = get_args(HeldButton)
"""The settings' names for the buttons of sides 1 and 2, and for the table's."""


Language = Annotated[
    str,
    Meta(
        pattern=rf"\A({'|'.join(CODES)})\Z",
        description=" or ".join(f'"{code}"' for code in CODES),
    ),
]


class BadSettings(RefereeError):
    """A settings file that cannot be used; one sentence names the section and key and what it may be."""


@dataclass(frozen=True)
class Game:
    """The game to be played.

    rules: None if nobody has named any; the box then says so.
    size: lines a side; found from the board if left out.
    black_side: Black's seat, if it is fixed.
    players: the players' letters, in the order of play.
    amendments: True if the players have agreed on the amendments of the expedited count.
    prisoners: the consequence of captured stones that are not in the lid.
    names: the players'.
    """

    rules: Line | None = None
    size: Annotated[int, Meta(ge=2, le=25)] | None = None
    komi: Annotated[float, Meta(ge=-1000, le=1000)] | None = None
    handicap: Annotated[int, Meta(ge=0, le=361)] = 0
    players: Literal["BW", "BWR", "BWRG", "BWRGY", "BWRGYV"] = "BW"
    black_side: Literal[1, 2, 3, 4, 5, 6] | None = None
    options: dict[str, Any] = field(default_factory=dict)
    amendments: bool = False
    prisoners: Literal["free", "told", "caution", "two points", "loss"] = "free"
    names: Names = field(default_factory=list)


@dataclass(frozen=True)
class MatchSettings:
    """The matches' event, round, table and place, for the page and the game record."""

    event: Label = ""
    round: Label = ""
    table: Label = ""
    place: Label = ""


@dataclass(frozen=True)
class Time:
    """The players' time.

    control: in the notation of docs/clocks.md; no clocks if left out.
    procedures: True if tournament procedures hold.
    """

    control: Line | None = None
    procedures: bool = True


@dataclass(frozen=True)
class Table:
    """The end of turns, and the stones.

    turns: "done" (by the button) or "steady" (when the board lies still).
    steady: seconds for which the table has to lie still before it is read.
    stones: "black and white", or "shown" for stones of other colours, which the players show before the game; those of
        more than two players are always shown.
    coordinates: the way intersections are named to people, as `Coordinates` has them.
    """

    turns: Literal["done", "steady"] = "done"
    steady: Annotated[float, Meta(ge=0.1, le=60)] = 0.25
    stones: Literal["black and white", "shown"] = "black and white"
    coordinates: Literal["A1", "A1-I", "1-1", "japanese"] = "A1"


@dataclass(frozen=True)
class Camera:
    """The source of pictures.

    source: a camera's number, device or URL, "picamera", "phone", a video, a folder, "virtual:SOCKET".
    mains: frequency of the room lighting's mains, in hertz.
    """

    source: Line = "0"
    width: Annotated[int, Meta(ge=160, le=7680)] = 1280
    height: Annotated[int, Meta(ge=120, le=4320)] = 720
    rate: Annotated[float, Meta(ge=1, le=120)] = 10
    hold: bool = True
    mains: Literal[50, 60] = 50
    calibration: Line | None = None


@dataclass(frozen=True)
class PanelSettings:
    """Lamps and buttons.

    kind: "gpio", "keys" of a keyboard, "phone", "terminal", "none", or "auto" for what is there.
    chips: numbers of the additional GPIO chips with the panels of sides 3 and 4, and of 5 and 6.
    lights: the serial port of a LED strip.
    leds: number of LEDs on that strip.
    """

    kind: Literal["auto", "gpio", "keys", "phone", "terminal", "none"] = "auto"
    chips: Chips = field(default_factory=list)
    lights: Line | None = None
    leds: Annotated[int, Meta(ge=3, le=300)] = 9


@dataclass(frozen=True)
class RimSettings:
    """The lights along two edges of the board.

    kind: "spi" for a strip at this port, "drawn" for a simulated table's, or "none".
    edges, backwards, steps, lights: see `Chain`.
    brightness: as a fraction.
    milliamps: the largest current that the strips may draw.
    """

    kind: Literal["none", "spi", "drawn"] = "none"
    port: SpiPort = "/dev/spidev0.0"
    edges: Edges = field(default_factory=lambda: ["top", "right"])
    backwards: SomeEdges = field(default_factory=list)
    steps: LineSteps = field(default_factory=lambda: [3.168, 3.413])
    lights: LightCounts = field(default_factory=lambda: [58, 63])
    brightness: Annotated[float, Meta(ge=0.01, le=1)] = 0.2
    milliamps: Annotated[int, Meta(ge=200, le=8000)] = 400


@dataclass(frozen=True)
class Voice:
    """The box's speech.

    language: no speech if left out.
    volume: percent.
    moves: True to speak every turn.
    device: of ALSA, as aplay -L names them.
    recordings: a folder of recorded clips.
    """

    language: Language | None = None
    volume: Annotated[int, Meta(ge=0, le=100)] = 70
    moves: bool = False
    device: Line = "default"
    recordings: Line | None = None


@dataclass(frozen=True)
class Page:
    """The status page.

    host: 127.0.0.1 for this machine alone, 0.0.0.0 for everyone in the same network.
    names: the box's host names besides its own.
    kept: client addresses with reserved places.
    announced: True to announce the page on the network.
    tls: True to serve the page over TLS too, to everyone in the same network, at tls_port.
    certificate, key: PEM files of a certificate of one's own; the box makes one if they are left out.
    """

    host: Line = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    viewers: Annotated[int, Meta(ge=1, le=200)] = 20
    names: Lines = field(default_factory=list)
    kept: Lines = field(default_factory=list)
    announced: bool = False
    tls: bool = False
    tls_port: Annotated[int, Meta(ge=0, le=65535)] = 8443
    certificate: Line | None = None
    key: Line | None = None


@dataclass(frozen=True)
class Data:
    """The storage of journals and game records.

    frames: number of pictures of legal turns, and the same number of others.
    copies: a second folder to which games are copied.
    """

    folder: Line = "~/.local/share/shinpan"
    frames: Annotated[int, Meta(ge=0, le=10000)] = 300
    copies: Line | None = None


@dataclass(frozen=True)
class Preset:
    """A match that can be chosen when the box starts. button: held to choose it, such as "done 1"; optional."""

    button: HeldButton | None = None
    game: Game = field(default_factory=Game)
    time: Time = field(default_factory=Time)


@dataclass(frozen=True)
class Settings:
    """All settings; each section is a table of the TOML file."""

    game: Game = field(default_factory=Game)
    match: MatchSettings = field(default_factory=MatchSettings)
    time: Time = field(default_factory=Time)
    table: Table = field(default_factory=Table)
    camera: Camera = field(default_factory=Camera)
    panel: PanelSettings = field(default_factory=PanelSettings)
    rim: RimSettings = field(default_factory=RimSettings)
    voice: Voice = field(default_factory=Voice)
    page: Page = field(default_factory=Page)
    data: Data = field(default_factory=Data)
    presets: dict[str, Preset] = field(default_factory=dict)


S = TypeVar("S", Settings, Preset)
OPTIONS = {
    "camera": ("camera", "source"),
    "host": ("page", "host"),
    "port": ("page", "port"),
    "data": ("data", "folder"),
    "time": ("time", "control"),
    "tls": ("page", "tls"),
    "panel": ("panel", "kind"),
    "coordinates": ("table", "coordinates"),
    **{key: ("game", key) for key in ("rules", "size", "komi", "handicap", "names")},
}
"""The section and key that each option of the command line sets."""
LONGEST_NAME = 40
SETTINGS = InputFileSpec("settings as docs/settings.md has them", 1 << 16, BadSettings)
"""Not larger, because the parsing time grows with the square of a key's length."""


def read_settings(path: Path) -> Settings:
    """Read the settings in a file; raise BadSettings."""
    return settings_of(read_toml(path), str(path))


def read_toml(path: Path, kind: InputFileSpec = SETTINGS) -> dict[str, Any]:
    """Read the sections of a file of this kind, unvalidated; raise BadSettings if it is not TOML."""
    return parse_toml(kind.text_of(path), path, kind)


def parse_toml(text: str, path: Path, kind: InputFileSpec = SETTINGS) -> dict[str, Any]:
    """Parse the text of a file of this kind; raise BadSettings if it is not TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise kind.error_for(path, "the settings are nested too deep") from error
    except ValueError as error:
        raise kind.error_for(path, f"the settings are not TOML ({error})") from error


def settings_of(tables: dict[str, Any], where: str = "settings") -> Settings:
    """Build the settings from parsed TOML; where: their name in errors."""
    sections = get_type_hints(Settings)
    for name, table in tables.items():
        if name not in sections or not isinstance(table, dict):
            raise BadSettings(f"{where}: there is no section [{name}]; there are {', '.join(sections)}.")
    section_settings = {
        name: sections[name](**_validate(f"{where}: [{name}]", table, field_types(sections[name])))
        for name, table in tables.items()
        if name != "presets"
    }
    return Settings(**section_settings, presets=_read_presets(tables.get("presets", {}), where))


def override_from_cli(settings: Settings, options: Mapping[str, object], preset: str | None = None) -> Settings:
    """Return the settings, and this preset of theirs, overridden by command-line options. Raises BadSettings.

    options: the options' values by name; None if an option was not given.
    """
    given_values = {option: value for option, value in options.items() if value is not None}
    chosen_preset = settings.presets.get(preset) if preset is not None else None
    if chosen_preset is not None and preset is not None:
        of_match = {option: value for option, value in given_values.items() if OPTIONS[option][0] in ("game", "time")}
        settings = replace(settings, presets={**settings.presets, preset: _override(chosen_preset, of_match)})
    return _override(settings, given_values)


def expand_home(text: str) -> Path:
    """Expand ~ in a path to a home folder; raise BadSettings if there is no user of that name."""
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise BadSettings(f"{text:.60}: nobody here has a home of that name; write the path in full.") from error


def read_section_leniently(path: Path | None, section: str) -> Settings:
    """Read this section of a file that may be invalid; every other setting, and an invalid section, has its default."""
    try:
        tables = read_toml(path) if path is not None else {}
        return settings_of({section: tables[section]} if section in tables else {})
    except BadSettings:
        return Settings()


def _override(settings: S, values: Mapping[str, object]) -> S:
    for option, value in values.items():
        section, key = OPTIONS[option]
        section_settings = getattr(settings, section)
        if value == "":
            raise BadSettings(f"--{option} is empty; leave it out, or say what is meant.")
        with explain(BadSettings):
            parsed = parse_value(f"--{option}", value, field_types(type(section_settings))[key], strict=False)
        settings = replace(settings, **{section: replace(section_settings, **{key: parsed})})
    return settings


def _read_presets(tables: dict[str, Any], where: str) -> dict[str, Preset]:
    presets = {name: _read_preset(name, table, where) for name, table in tables.items()}
    buttons = [preset.button for preset in presets.values() if preset.button is not None]
    twice = next((button for button in buttons if buttons.count(button) > 1), None)
    if twice is not None:
        raise BadSettings(f"{where}: two of the [presets] have the button {twice!r}; each needs one of its own.")
    return presets


def _read_preset(name: str, table: object, where: str) -> Preset:
    """Parse a preset: it has the keys of [game] and of [time] and a button; missing keys have their defaults."""
    if not isinstance(table, dict):
        raise BadSettings(f"{where}: [presets] {name:.60} must be a section of its own, [presets.{name:.60}].")
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise BadSettings(f"{where}: a preset's name must be a text in one line of at most {LONGEST_NAME} letters.")
    of_game, of_time = field_types(Game), field_types(Time)
    values = _validate(f"{where}: [presets.{name}]", table, {**of_game, "button": HeldButton, **of_time})
    game, time = ({key: values[key] for key in kinds if key in values} for kinds in (of_game, of_time))
    return Preset(values.get("button"), Game(**game), Time(**time))


def _validate(where: str, table: dict[str, Any], kinds: dict[str, Any]) -> dict[str, Any]:
    with explain(BadSettings, f"{where} "):
        return parse_table(table, kinds)
