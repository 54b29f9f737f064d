"""The list of a hall's tables, `tables.toml`: which box is at which table, and the keys that identify it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from msgspec import Meta

from device.settings import BadSettings, Label, Line, read_toml
from referee import quote_value
from vision.input_files import InputFileSpec
from vision.validation import InvalidValue, explain, field_types, parse_dataclass, parse_table

Key = Annotated[str, Meta(pattern=r"\A[0-9a-f]{32,64}\Z", description="the digits and letters on the box's desk")]
Fingerprint = Annotated[
    str, Meta(pattern=r"\A[0-9a-f]{64}\Z", description="the 64 digits and letters on the box's desk")
]
PORTS = {"http": 80, "https": 443}
SECURE = "https"
Place = Annotated[
    str, Meta(min_length=1, max_length=20, description="a table's number or name in quotes, of 1 to 20 letters")
]
Port = Annotated[int, Meta(ge=0, le=65535)]
Late = Annotated[float, Meta(ge=0, le=1440, description="minutes, up to a day")]
MOST_TABLES = 2000
LIST = InputFileSpec("a list of tables as docs/hall.md has it", 1 << 20, BadSettings, is_kept=True)
"""The most tables allowed take half of this size."""
UNIQUE = ("table", "address", "box")
"""Keys that no two tables share."""
PROGRAMS = ("opengotha", "macmahon", "csv", "pairgoth")
"""Keys that name a pairing program."""
_WRITE_RULES = 'write them below a line [round], such as rules = "chinese" (shinpan rules lists all)'
_NO_TABLES = "{path}: it names no table; add each box, whose desk shows its lines: shinpan hall {path} --add -"


@dataclass(frozen=True)
class TableEntry:
    """A table of the list.

    table: its number or name
    address: the URL of its box's page
    box: the box's public key
    secret: the secret shared by box and hall
    fingerprint: of the key of its certificate, for an address over TLS; None for any other
    delay: minutes by which its moves are published late, None for the hall's delay
    public: whether it is published at all
    """

    table: Place
    address: Line
    box: Key
    secret: Key
    delay: Late | None = None
    public: bool = True
    fingerprint: Fingerprint | None = None

    @property
    def listens(self) -> tuple[str, int]:
        """Return host and port of its box; the host is empty if the URL has none."""
        parts = urlsplit(self.address)
        return (parts.hostname or "" if parts.scheme in PORTS else ""), parts.port or PORTS.get(parts.scheme, 0)

    @property
    def is_encrypted(self) -> bool:
        """Return True if its box is reached over TLS."""
        return urlsplit(self.address).scheme == SECURE


@dataclass(frozen=True)
class RoundTerms:
    """The terms of a round's matches, as in [game] and [time] of a box's settings; all can be changed when a round is
    handed out.

    komi: of games without handicap; None for the rules' komi
    """

    rules: Line
    size: Annotated[int, Meta(ge=2, le=25)] | None = None
    komi: Annotated[float, Meta(ge=-1000, le=1000)] | None = None
    control: Line | None = None
    procedures: bool = True
    prisoners: Literal["free", "told", "caution", "two points", "loss"] | None = None
    black_side: Literal[1, 2] | None = None

    def act(self, handicap: int, komi: float | None) -> dict[str, Any]:
        """Return the terms as keys of a `set-up` action.

        handicap: number of stones
        komi: of this game alone, None if it has none of its own
        """
        own = komi if komi is not None or handicap else self.komi
        terms = {"size": self.size, "control": self.control, "black_side": self.black_side, "komi": own}
        terms |= {"prisoners": self.prisoners}
        named_terms = {key: value for key, value in terms.items() if value is not None}
        return {"rules": self.rules, "handicap": handicap, "procedures": self.procedures, **named_terms}


@dataclass(frozen=True)
class PairgothAt:
    """A running Pairgoth.

    address: URL of its pages if it requires a login, else of its API
    tournament: its id there
    login: its sesame, if it requires one
    """

    address: Line
    tournament: Label
    login: Line | None = None


@dataclass(frozen=True)
class HallConfig:
    """The settings of a hall.

    event: name of the event
    host, port: of the wall's page
    folder: where the hall keeps its journal
    opengotha, macmahon, csv: the tournament's file, as that program saves it
    aga: a list of players for the AGA's results
    egd: a tournament table for EGD's
    pairgoth: the running Pairgoth
    delay: minutes by which moves are published late
    public: whether the hall has a gallery
    gallery: the gallery's port
    publish: URL of a NATS server that receives the public news
    mqtt: URL of a broker that receives the state of each table
    ogs: a file with the token for the Online Go Server
    round: the terms of a round; required with a pairing program
    late: minutes after a round began until a table that has not begun is late; 0 for never
    tables: the list
    """

    event: Label = ""
    host: Line = "0.0.0.0"
    port: Port = 8100
    folder: Line = "~/.local/share/shinpan-hall"
    opengotha: Line | None = None
    macmahon: Line | None = None
    csv: Line | None = None
    aga: Line | None = None
    egd: Line | None = None
    pairgoth: PairgothAt | None = None
    delay: Late = 15.0
    public: bool = True
    gallery: Port = 8101
    publish: Line | None = None
    mqtt: Line | None = None
    ogs: Line | None = None
    round: RoundTerms | None = None
    late: Late = 15.0
    tables: tuple[TableEntry, ...] = ()

    def is_public(self, table: TableEntry) -> bool:
        """Return True if this table is published."""
        return self.public and table.public

    def delay_of(self, table: TableEntry) -> float:
        """Return by how many seconds its moves are published late."""
        return 60.0 * (self.delay if table.delay is None else table.delay)


def read_tables(path: Path) -> HallConfig:
    """Read the list in a file; raises BadSettings."""
    return parse_tables(read_toml(path, LIST), path)


def parse_tables(values: dict[str, Any], path: Path) -> HallConfig:
    """Validate what was read from the list at this path; raises BadSettings."""
    listed = values.pop("tables", [])
    if not isinstance(listed, list) or not listed:
        raise BadSettings(_NO_TABLES.format(path=path))
    if len(listed) > MOST_TABLES:
        raise BadSettings(f"{path}: these are {len(listed)} tables; a hall has at most {MOST_TABLES}.")
    tables = tuple(
        parse_table_entry(f"{path}: [[tables]] number {number}", one) for number, one in enumerate(listed, 1)
    )
    for key in UNIQUE:
        _check_apart(path, key, [getattr(table, key) for table in tables])
    kinds = field_types(HallConfig)
    del kinds["tables"], kinds["round"], kinds["pairgoth"]
    with explain(BadSettings, f"{path}: [round] "):
        terms = _parse_round(values.pop("round")) if "round" in values else None
    with explain(BadSettings, f"{path}: [pairgoth] "):
        pairgoth = parse_dataclass(PairgothAt, values.pop("pairgoth")) if "pairgoth" in values else None
    with explain(BadSettings, f"{path}: "):
        return _check_config(HallConfig(**parse_table(values, kinds), pairgoth=pairgoth, round=terms, tables=tables))


def _parse_round(values: object) -> RoundTerms:
    """Parse [round]; raise InvalidValue, and say how rules are written if there are none."""
    if isinstance(values, dict) and "rules" not in values:
        raise InvalidValue(f"names no rules for the rounds; {_WRITE_RULES}")
    return parse_dataclass(RoundTerms, values)


def _check_config(config: HallConfig) -> HallConfig:
    """Return the settings unchanged; raise InvalidValue if they contradict one another.

    That is: two pairing programs, an invalid Pairgoth URL, or a pairing program without rules for its rounds.
    """
    programs = [one for one in PROGRAMS if getattr(config, one) is not None]
    if len(programs) > 1:
        raise InvalidValue(f"names {programs[0]} and {programs[1]}; a hall has one pairing program")
    if config.pairgoth is not None:
        parts = urlsplit(config.pairgoth.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidValue(
                f"[pairgoth] address {quote_value(config.pairgoth.address)} must begin with http:// or https://"
            )
    if programs and config.round is None:
        raise InvalidValue(f"no [round] names the rules of the rounds; {_WRITE_RULES}")
    return config


def parse_table_entry(where: str, values: object) -> TableEntry:
    """Validate a table of the list; where: its name in errors. Raises BadSettings."""
    try:
        table = parse_dataclass(TableEntry, values)
        host, _ = table.listens
    except (InvalidValue, ValueError) as error:
        raise BadSettings(f"{where}: {error}.") from error
    if not host:
        raise BadSettings(
            f"{where}: the address {quote_value(table.address)} must begin with http:// or https:// and name a box."
        )
    if table.is_encrypted and table.fingerprint is None:
        raise BadSettings(
            f"{where}: the address {quote_value(table.address)} needs its fingerprint; "
            "copy all lines of the box's desk."
        )
    return table


def _check_apart(path: Path, key: str, values: list[str]) -> None:
    twice, times = next(iter(Counter(values).most_common(1)), ("", 0))
    if times > 1:
        raise BadSettings(
            f"{path}: two of the [[tables]] have the {key} {quote_value(twice)}; each has one of its own."
        )
