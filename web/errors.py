"""What can go wrong with the page itself; the message is one plain sentence: what, where, and what to do."""

from __future__ import annotations


class WebError(Exception):
    """Something the page cannot do."""


class BadAct(WebError):
    """An act of the director that cannot be done."""


class Unsure(BadAct):
    """An act of the director that is done only by who knows what is lost by it: what that is."""


class CannotServe(WebError):
    """The page cannot be served at the address and port it was given."""
