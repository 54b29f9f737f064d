"""The box's settings: a TOML file, every key of which may be left out."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from referee.errors import RefereeError


class BadSettings(RefereeError):
    """A settings file that cannot be used; one sentence names the section and key and what it may be."""


@dataclass(frozen=True)
class Game:
    """What is played. size: lines a side, worked out when left out. black_side: where Black sits, if it is fixed.

    amendments: the players have agreed on those of the expedited count.
    """

    rules: str = "ultimate"
    size: int | None = None
    komi: float | None = None
    handicap: int = 0
    black_side: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    amendments: bool = False


@dataclass(frozen=True)
class Time:
    """How much time the players have. control: as docs/clocks.md writes it; left out: no clocks.

    procedures: those of a tournament hold.
    """

    control: str | None = None
    procedures: bool = True


@dataclass(frozen=True)
class Table:
    """How turns end. turns: "done" (by the button) or "steady" (when the board lies still).

    steady: seconds for which the table has to lie still before it is read.
    """

    turns: str = "done"
    steady: float = 0.25


@dataclass(frozen=True)
class Camera:
    """Where pictures come from: a camera's number or device, "picamera", a video, a folder, or "virtual:SOCKET"."""

    source: str = "0"
    width: int = 1280
    height: int = 720
    rate: float = 10
    hold: bool = True
    calibration: str | None = None


@dataclass(frozen=True)
class Panel:
    """Lamps and buttons: "gpio", "terminal", "none", or "auto" for what there is."""

    kind: str = "auto"


@dataclass(frozen=True)
class Page:
    """The status page. host: 127.0.0.1 for this machine alone, 0.0.0.0 for everyone in the same network."""

    host: str = "127.0.0.1"
    port: int = 8000
    viewers: int = 20


@dataclass(frozen=True)
class Data:
    """Where journals and game records are kept.

    frames: so many pictures of legal turns, and as many of others. copies: where games are copied to as well.
    """

    folder: str = "~/.local/share/shinpan"
    frames: int = 300
    copies: str | None = None


@dataclass(frozen=True)
class Preset:
    """A match that can be chosen when the box starts. button: which is held then, such as "done 1", if any does."""

    button: str | None = None
    game: Game = field(default_factory=Game)
    time: Time = field(default_factory=Time)


@dataclass(frozen=True)
class Settings:
    """All settings, a section a table of the TOML file."""

    game: Game = field(default_factory=Game)
    time: Time = field(default_factory=Time)
    table: Table = field(default_factory=Table)
    camera: Camera = field(default_factory=Camera)
    panel: Panel = field(default_factory=Panel)
    page: Page = field(default_factory=Page)
    data: Data = field(default_factory=Data)
    presets: dict[str, Preset] = field(default_factory=dict)


BUTTONS = ("done 1", "call 1", "score 1", "done 2", "call 2", "score 2", "pause")
"""How settings name the buttons of sides 1 and 2, and the table's."""
LONGEST_NAME = 40
_ALLOWED: dict[tuple[str, str], tuple[object, ...] | range] = {
    ("game", "size"): range(2, 26),
    ("game", "handicap"): range(362),
    ("game", "black_side"): (1, 2),
    ("table", "turns"): ("done", "steady"),
    ("camera", "width"): range(160, 7681),
    ("camera", "height"): range(120, 4321),
    ("panel", "kind"): ("auto", "gpio", "terminal", "none"),
    ("page", "port"): range(65536),
    ("data", "frames"): range(10001),
    ("page", "viewers"): range(1, 201),
    ("presets", "button"): BUTTONS,
}
_BETWEEN: dict[tuple[str, str], tuple[float, float]] = {
    ("table", "steady"): (0.1, 60),
    ("camera", "rate"): (1, 120),
    ("game", "komi"): (-1000, 1000),
}


def read_settings(path: Path) -> Settings:
    """The settings in a file; raises BadSettings."""
    return settings_of(read_toml(path), str(path))


def read_toml(path: Path) -> dict[str, Any]:
    """The sections of a settings file, whatever is in them; raises BadSettings for what is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSettings(f"{path}: the settings cannot be read ({error.strerror}); check the path.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSettings(f"{path}: the settings are not TOML ({error}); see docs/settings.md.") from error


def settings_of(tables: dict[str, Any], where: str = "settings") -> Settings:
    """The settings in parsed TOML; where: how errors name them."""
    sections = get_type_hints(Settings)
    for name, table in tables.items():
        if name not in sections or not isinstance(table, dict):
            raise BadSettings(f"{where}: there is no section [{name}]; there are {', '.join(sections)}.")
    made = {name: _section(sections[name], name, table, where) for name, table in tables.items() if name != "presets"}
    return Settings(**made, presets=_presets(tables.get("presets", {}), where))


def _presets(tables: dict[str, Any], where: str) -> dict[str, Preset]:
    made = {name: _preset(name, table, where) for name, table in tables.items()}
    held = [preset.button for preset in made.values() if preset.button is not None]
    twice = next((button for button in held if held.count(button) > 1), None)
    if twice is not None:
        raise BadSettings(f"{where}: two of the [presets] have the button {twice!r}; each needs one of its own.")
    return made


def _preset(name: str, table: object, where: str) -> Preset:
    """A preset has the keys of [game] and of [time] and a button; what it leaves out has its usual value."""
    if not isinstance(table, dict):
        raise BadSettings(f"{where}: [presets] {name:.60} must be a section of its own, [presets.{name:.60}].")
    if not name.isprintable() or not 0 < len(name) <= LONGEST_NAME:
        raise BadSettings(f"{where}: a preset's name must be a text in one line of at most {LONGEST_NAME} letters.")
    of_time = {key: value for key, value in table.items() if key in get_type_hints(Time)}
    of_game = {key: value for key, value in table.items() if key not in of_time and key != "button"}
    told = f"presets.{name}"
    _check("presets", {"button": str}, {key: table[key] for key in table if key == "button"}, where, told)
    game = _section(Game, "game", of_game, where, told, ("button", *get_type_hints(Time)))
    return Preset(table.get("button"), game, _section(Time, "time", of_time, where, told))


def _section(
    kind: type, name: str, table: dict[str, Any], where: str, told: str = "", more: tuple[str, ...] = ()
) -> Any:
    """told: what errors call it, where that is not its name. more: the keys that it is said to have besides."""
    _check(name, get_type_hints(kind), table, where, told or name, more)
    return kind(**table)


def _check(
    name: str, types: dict[str, Any], table: dict[str, Any], where: str, told: str, more: tuple[str, ...] = ()
) -> None:
    for key, value in table.items():
        if key not in types:
            raise BadSettings(f"{where}: [{told}] has no {key}; it has {', '.join((*types, *more))}.")
        if not _fits(value, types[key]) or not _allowed(name, key, value):
            raise BadSettings(
                f"{where}: [{told}] {key} cannot be {value!r:.60}; it must be {_wanted(name, key, types)}."
            )


def _fits(value: object, wanted: Any) -> bool:
    kinds = get_args(wanted) if isinstance(wanted, UnionType) else (getattr(wanted, "__origin__", wanted),)
    if isinstance(value, bool):
        return bool in kinds
    return isinstance(value, kinds) or (float in kinds and isinstance(value, int))


def _allowed(name: str, key: str, value: Any) -> bool:
    low, high = _BETWEEN.get((name, key), (value, value))
    plain = isinstance(value, str | dict | bool)
    return value in _ALLOWED.get((name, key), (value,)) and (plain or low <= value <= high)


def _wanted(name: str, key: str, types: dict[str, Any]) -> str:
    allowed = _ALLOWED.get((name, key))
    if isinstance(allowed, range):
        return f"a whole number from {allowed.start} to {allowed.stop - 1}"
    if allowed is not None:
        return " or ".join(str(one) for one in allowed)
    if (name, key) in _BETWEEN:
        return "a number from {:g} to {:g}".format(*_BETWEEN[name, key])
    kinds = get_args(types[key]) if isinstance(types[key], UnionType) else (types[key],)
    return {str: "a text in quotes", int: "a whole number", bool: "true or false"}.get(kinds[0], "a table of names")
