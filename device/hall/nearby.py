"""Boxes that tell the network where they are, beside a hall's list: what is new, what has moved, what is missing.

What is found is only suggested: anybody in the network can tell anything. A table is followed by the keys in the list.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from threading import Lock

from device.hall.tables import Paired
from device.machine.announced import BOX, KIND, TABLE, own_addresses
from referee import quoted
from referee.errors import RefereeError

LOOKS, ANSWERS = 4.0, 3000
"""Seconds for which it is looked; and milliseconds for which a box's answer is waited for."""
MOST = 2000
LACKING = "Looking for boxes needs zeroconf; install it with pip install 'shinpan[hall]'."
NONE = (
    "shinpan: no box was found. Many networks keep devices apart from each other, and a box tells where it is only if"
    " its settings say announced = true in [page]; each desk has its table's lines, in any case."
)


class CannotLook(RefereeError):
    """Boxes cannot be looked for; one sentence says why."""


@dataclass(frozen=True)
class Found:
    """A box that tells where it is. box: its public key, as it says. address: of its page."""

    box: str
    table: str
    address: str


def found_near(host: str) -> list[Found]:
    """Look a while in the networks in which the wall is served; by table. Raises CannotLook."""
    try:
        from zeroconf import Error as Refused
        from zeroconf import ServiceBrowser, Zeroconf
    except ImportError as error:
        raise CannotLook(LACKING) from error
    try:
        with Zeroconf(interfaces=own_addresses(host)) as asked:
            names = _Names()
            ServiceBrowser(asked, KIND, names)  # type: ignore[arg-type]
            time.sleep(LOOKS)
            answers = [asked.get_service_info(KIND, name, ANSWERS) for name in names.so_far()]
            found = {one for answer in answers if answer is not None and (one := _found(answer)) is not None}
    except (OSError, Refused, ValueError) as error:
        raise CannotLook(f"The network cannot be asked for boxes: {error or type(error).__name__}.") from error
    return sorted(found, key=lambda one: (len(one.table), one.table, one.address))


class _Names:
    """What tells of itself, each once."""

    def __init__(self) -> None:
        self._names, self._lock = set[str](), Lock()

    def so_far(self) -> list[str]:
        with self._lock:
            return sorted(self._names)

    def add_service(self, asked: object, kind: str, name: str) -> None:
        """As the library calls it."""
        with self._lock:
            if len(self._names) < MOST:
                self._names.add(name)

    def update_service(self, asked: object, kind: str, name: str) -> None:
        """As the library calls it."""

    def remove_service(self, asked: object, kind: str, name: str) -> None:
        """As the library calls it; what is gone does not answer."""


def _found(answer: object) -> Found | None:
    """The box that answered; None where it does not say what one says."""
    told = {key: value for key, value in getattr(answer, "properties", {}).items() if isinstance(value, bytes)}
    box, table = (told.get(key.encode(), b"").decode("utf-8", "replace") for key in (BOX, TABLE))
    addresses, port = answer.parsed_addresses(), getattr(answer, "port", None)  # type: ignore[attr-defined]
    if re.fullmatch("[0-9a-f]{64}", box) is None or not addresses or not port:
        return None
    return Found(box, table, f"http://{addresses[0]}:{port}/")


def suggestions(found: Iterable[Found], listed: Iterable[Paired]) -> Iterator[str]:
    """A line for each box that was found, and for each of the list that was not."""
    known, seen = {table.box: table for table in listed}, set[str]()
    for one in found:
        seen.add(one.box)
        yield _beside(one, known.get(one.box))
    for box, table in known.items():
        if box not in seen:
            yield f"Table {quoted(table.table)} of the list was not found; it stands there at {table.address}"


def _beside(one: Found, listed: Paired | None) -> str:
    if listed is None:
        table = f"Table {quoted(one.table)}" if one.table else "A box without a table's number"
        return f"{table} at {one.address} is not in the list; its desk has its lines: {one.address}director"
    if listed.address.rstrip("/") == one.address.rstrip("/"):
        return f"Table {quoted(listed.table)} at {one.address} is in the list."
    return f"Table {quoted(listed.table)} stands in the list at {listed.address}, and is found at {one.address}"
