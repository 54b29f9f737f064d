"""Who may direct: the PIN, sessions, and a limit on failures. Time is passed in."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

LASTS = 12 * 3600.0
"""Seconds without an act after which a session ends."""
LIMITS = ((60.0, 3), (3600.0, 10))
"""Within so many seconds, so many failures at most."""
MOST_SESSIONS = 20


class Refused(Exception):
    """Nobody comes in. late: for there were too many failures; else the PIN is wrong."""

    def __init__(self, late: bool) -> None:
        super().__init__(late)
        self.late = late


@dataclass
class Session:
    """One director's browser. name: the cookie's. token: what each of its acts has to carry besides."""

    name: str
    token: str
    stamp: str | None
    last: float


class Guard:
    """Lets directors in; from any thread. A new PIN ends all sessions and forgets all failures."""

    def __init__(self, pin: Callable[[str], bool], stamp: Callable[[], str | None], clock: Callable[[], float]) -> None:
        self._pin, self._stamp, self._clock = pin, stamp, clock
        self._lock = Lock()
        self._sessions: dict[str, Session] = {}
        self._failures: list[float] = []
        self._of: str | None = None

    def enter(self, pin: str) -> Session:
        """A session for who knows the PIN; raises Refused."""
        with self._lock:
            now, stamp = self._clock(), self._stamp()
            if stamp != self._of:
                self._of, self._failures = stamp, []
            if any(self._failed(now, within) >= most for within, most in LIMITS):
                raise Refused(late=True)
            if stamp is None or not self._pin(pin):
                self._failures = [t for t in self._failures if now - t < LIMITS[-1][0]] + [now]
                raise Refused(late=False)
            return self._opened(now, stamp)

    def session(self, name: str | None) -> Session | None:
        """The session of this name, if it still lasts."""
        with self._lock:
            found, now = self._sessions.get(name or ""), self._clock()
            if found is None or now - found.last > LASTS or found.stamp != self._stamp():
                self._sessions.pop(name or "", None)
                return None
            found.last = now
            return found

    def leave(self, session: Session) -> None:
        """End a session."""
        with self._lock:
            self._sessions.pop(session.name, None)

    def _failed(self, now: float, within: float) -> int:
        return sum(now - t < within for t in self._failures)

    def _opened(self, now: float, stamp: str) -> Session:
        if len(self._sessions) >= MOST_SESSIONS:
            self._sessions.pop(min(self._sessions.values(), key=lambda one: one.last).name)
        session = Session(secrets.token_urlsafe(24), secrets.token_urlsafe(24), stamp, now)
        self._sessions[session.name] = session
        return session


def is_token(session: Session, said: str | None) -> bool:
    """Whether an act carries the session's token."""
    return hmac.compare_digest(session.token, said or "")
