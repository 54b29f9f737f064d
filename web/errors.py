"""The page's errors; each message is one plain sentence: what, where, and what to do."""

from __future__ import annotations


class WebError(Exception):
    """An operation that the page cannot carry out."""


class BadAct(WebError):
    """A director's action that cannot be carried out."""


class Unsure(BadAct):
    """A director's action that needs a confirmation; the message says what would be lost."""


class NotKept(WebError):
    """Something that the disk refuses; it is not done."""


class Unanswered(WebError):
    """The box does not answer."""


class Failed(WebError):
    """The box failed to answer; its log says why."""


class CannotServe(WebError):
    """An address and port at which the page cannot be served."""
