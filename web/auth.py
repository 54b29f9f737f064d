"""The directors' authentication: the PIN, sessions, and a limit on failed logins. Time is passed in."""

from __future__ import annotations

import hmac
import ipaddress
import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass
from threading import Lock
from typing import Any

from web.server.fair_server import ReservedAddresses, address_of, is_loopback

LASTS = 12 * 3600.0
"""Seconds without a request after which a session ends."""
LIMITS = ((60.0, 3), (3600.0, 10))
"""Pairs of a period in seconds and the most failures of one address within it."""
OF_ALL = 100
"""Failures of all addresses within the longest period, after which unknown addresses have to wait too. That slows who
guesses from many; addresses that have logged in, and the box itself, are limited by their own failures only.
"""
MOST_SESSIONS = 20
LOOPBACK = "127.0.0.1"


def client_of(remote: str | None, own_address: str = "") -> str:
    """Return the address by which a client's wrong PINs are counted.

    That is finer than `address_of` where neighbours would lock each other out: link-local and in the network of the
    machine itself, each address counts. This machine is one client, whichever of its loopback addresses it uses.

    remote: the client's
    own_address: the machine's, to which the client came
    """
    address = address_of(remote)
    if is_loopback(address):
        return LOOPBACK
    with suppress(ValueError):
        own = ipaddress.ip_address((remote or "").partition("%")[0])
        is_near = own.is_link_local or address == address_of(own_address)
        if isinstance(own, ipaddress.IPv6Address) and own.ipv4_mapped is None and is_near:
            return str(own)
    return address


class Refused(Exception):
    """A refused login. late: True if there were too many failures; else the PIN is wrong."""

    def __init__(self, late: bool) -> None:
        super().__init__(late)
        self.late = late


@dataclass
class Session:
    """One director's browser session.

    name: the cookie's value.
    token: the CSRF token of each of its actions.
    stamp: of the PIN with which it logged in.
    last: time of its last request, in seconds.
    """

    name: str
    token: str
    stamp: str | None
    last: float


@dataclass(frozen=True)
class Memory:
    """The guard's state, kept beyond its process. text: the state so far; keep: stores a new state."""

    text: str
    keep: Callable[[str], None]


class Guard:
    """The login of directors; thread-safe. A new PIN ends all sessions and forgets all failures.

    pin: returns True for the right PIN.
    stamp: returns a value that changes with the PIN, None while there is none.
    clock: returns the time in seconds.
    known: addresses unaffected by other addresses' failures; every address that logs in is added.
    memory: the state kept beyond the process.
    """

    def __init__(
        self,
        pin: Callable[[str], bool],
        stamp: Callable[[], str | None],
        clock: Callable[[], float],
        known_addresses: ReservedAddresses | None = None,
        memory: Memory | None = None,
    ) -> None:
        self._pin, self._stamp, self._clock, self._known_addresses = (
            pin,
            stamp,
            clock,
            known_addresses or ReservedAddresses(),
        )
        self._lock, self._memory = Lock(), memory
        self._sessions: dict[str, Session] = {}
        self._failures: list[tuple[float, str]] = []
        self._inside: list[str] = []
        self._of: str | None = None
        if memory is not None and memory.text:
            with suppress(ValueError, KeyError, TypeError):
                self._restore_state(json.loads(memory.text))

    def enter(self, pin: str, remote: str | None, own_address: str = "") -> Session:
        """Open a session if the PIN is right; raise Refused otherwise.

        remote: the client's address; here: the machine's own, to which the client came
        """
        with self._lock:
            now, stamp, address = self._clock(), self._stamp(), client_of(remote, own_address)
            if stamp != self._of:
                self._of, self._failures = stamp, []
            # A clock that was set back makes nobody wait longer than the longest period.
            self._failures = [(min(t, now), whose) for t, whose in self._failures if now - t < LIMITS[-1][0]]
            if self._must_wait(now, address):
                raise Refused(late=True)
            if stamp is None or not self._pin(pin):
                self._failures.append((now, address))
                self._store_state()
                raise Refused(late=False)
            for one in (address_of(remote), address):
                self._let_in(one)
            session = self._open_session(now, stamp)
            self._store_state()
            return session

    def session(self, name: str | None) -> Session | None:
        """Return the session of this name, if it has not ended."""
        with self._lock:
            session, now = self._sessions.get(name or ""), self._clock()
            if session is None or now - session.last > LASTS or session.stamp != self._stamp():
                self._sessions.pop(name or "", None)
                return None
            session.last = now
            return session

    def leave(self, session: Session) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session.name, None)
            self._store_state()

    def _let_in(self, address: str) -> None:
        self._known_addresses.add(address)
        self._inside = [*(one for one in self._inside if one != address), address][-2 * MOST_SESSIONS :]

    def _store_state(self) -> None:
        """Store the state: the box restarts the page after a crash, and directors stay logged in."""
        if self._memory is not None:
            sessions = list(map(astuple, self._sessions.values()))
            state = {"of": self._of, "sessions": sessions, "failures": self._failures, "inside": self._inside}
            self._memory.keep(json.dumps(state))

    def _restore_state(self, state: dict[str, Any]) -> None:
        """Restore the state; a session's time restarts, because its last request is not stored."""
        now = self._clock()
        for name, token, stamp, _ in state["sessions"]:
            self._sessions[name] = Session(name, token, stamp, now)
        self._of, self._failures = state["of"], [(t, address) for t, address in state["failures"]]
        for address in state["inside"]:
            self._let_in(address)

    def _must_wait(self, now: float, address: str) -> bool:
        own = [now - t for t, whose in self._failures if whose == address]
        stranger = address not in self._known_addresses and address != LOOPBACK
        return (stranger and len(self._failures) >= OF_ALL) or any(
            sum(ago < period_s for ago in own) >= most for period_s, most in LIMITS
        )

    def _open_session(self, now: float, stamp: str) -> Session:
        if len(self._sessions) >= MOST_SESSIONS:
            self._sessions.pop(min(self._sessions.values(), key=lambda one: one.last).name)
        session = Session(secrets.token_urlsafe(24), secrets.token_urlsafe(24), stamp, now)
        self._sessions[session.name] = session
        return session


def is_token(session: Session, token: str | None) -> bool:
    """Return True if the action carries the session's token."""
    return hmac.compare_digest(session.token.encode(), (token or "").encode("utf-8", "surrogateescape"))
