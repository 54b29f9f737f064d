"""Boxes that announce themselves by mDNS, compared with a hall's list: new, moved and missing ones.

The boxes found are only suggested, because anybody in the network can announce anything. A table is followed with the
keys in the list.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock
from urllib.parse import urlsplit

from device.hall.tables import TableEntry
from device.machine.mdns import BOX, KIND, TABLE, own_addresses
from referee import quote_value
from referee.game.errors import RefereeError

LOOKS, ANSWERS = 4.0, 3000
"""Seconds of browsing, and milliseconds to wait for a box's answer."""
MOST = 2000
LACKING = "Looking for boxes needs zeroconf; install it with pip install 'shinpan[hall]'."
NONE = (
    "shinpan: no box was found. Many networks keep devices apart from each other, and a box tells where it is only if"
    " its settings say announced = true in [page]; each desk has its table's lines, in any case."
)


class CannotLook(RefereeError):
    """A failure to look for boxes; one sentence says why."""


@dataclass(frozen=True)
class Found:
    """A box that announces itself.

    box: its public key, as it claims
    table: its table's number, as it claims
    address: the URL of its page
    """

    box: str
    table: str
    address: str


def found_near(host: str) -> list[Found]:
    """Browse the networks on which the wall is served, for LOOKS seconds; return the boxes sorted by table. Raises
    CannotLook."""
    try:
        from zeroconf import Error as Refused
        from zeroconf import ServiceBrowser, Zeroconf
    except ImportError as error:
        raise CannotLook(LACKING) from error
    try:
        with Zeroconf(interfaces=own_addresses(host)) as zeroconf:
            names = _Names()
            ServiceBrowser(zeroconf, KIND, names)  # type: ignore[arg-type]
            time.sleep(LOOKS)
            answers = [zeroconf.get_service_info(KIND, name, ANSWERS) for name in names.so_far()]
            boxes = {one for answer in answers if answer is not None and (one := _parse_answer(answer)) is not None}
    except (OSError, Refused, ValueError) as error:
        raise CannotLook(f"The network cannot be asked for boxes: {error or type(error).__name__}.") from error
    return sorted(boxes, key=lambda one: (len(one.table), one.table, one.address))


class _Names:
    """The set of announced service names."""

    def __init__(self) -> None:
        self._names, self._lock = set[str](), Lock()

    def so_far(self) -> list[str]:
        with self._lock:
            return sorted(self._names)

    def add_service(self, zeroconf: object, kind: str, name: str) -> None:
        """Record a name; zeroconf's listener interface."""
        with self._lock:
            if len(self._names) < MOST:
                self._names.add(name)

    def update_service(self, zeroconf: object, kind: str, name: str) -> None:
        """Do nothing; zeroconf's listener interface."""

    def remove_service(self, zeroconf: object, kind: str, name: str) -> None:
        """Do nothing: a box that is gone will not answer. Zeroconf's listener interface."""


def _parse_answer(answer: object) -> Found | None:
    """Parse a box's answer; return None if it lacks a public key or an address."""
    properties = {key: value for key, value in getattr(answer, "properties", {}).items() if isinstance(value, bytes)}
    box, table = (properties.get(key.encode(), b"").decode("utf-8", "replace") for key in (BOX, TABLE))
    addresses, port = answer.parsed_addresses(), getattr(answer, "port", None)  # type: ignore[attr-defined]
    if re.fullmatch("[0-9a-f]{64}", box) is None or not addresses or not port:
        return None
    return Found(box, table, f"http://{addresses[0]}:{port}/")


def suggest_changes(boxes: Iterable[Found], listed: Iterable[TableEntry]) -> Iterator[str]:
    """Yield a line for each box that was found, and for each box of the list that was not."""
    tables_by_box, found_keys = {table.box: table for table in listed}, set[str]()
    for one in boxes:
        found_keys.add(one.box)
        yield _describe_box(one, tables_by_box.get(one.box))
    for box, table in tables_by_box.items():
        if box not in found_keys:
            yield f"Table {quote_value(table.table)} of the list was not found; it stands there at {table.address}"


def _describe_box(one: Found, listed: TableEntry | None) -> str:
    if listed is None:
        table = f"Table {quote_value(one.table)}" if one.table else "A box without a table's number"
        return f"{table} at {one.address} is not in the list; its desk has its lines: {one.address}director"
    if _is_found_at(listed, one):
        return f"Table {quote_value(listed.table)} at {one.address} is in the list."
    return f"Table {quote_value(listed.table)} stands in the list at {listed.address}, and is found at {one.address}"


def _is_found_at(listed: TableEntry, one: Found) -> bool:
    """Return True if the box is where the list has it; a box announces its plain page alone."""
    if listed.is_encrypted:
        return urlsplit(listed.address).hostname == urlsplit(one.address).hostname
    return listed.address.rstrip("/") == one.address.rstrip("/")
