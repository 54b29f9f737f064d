"""What is written beside the buttons: their names, which are the same in every language, and what they do."""

from __future__ import annotations

from referee.events import Button
from web.language import Tongue

MESSAGE_KEYS = tuple(f"keys.{button}" for button in Button)


def label_of(button: Button, say: Tongue) -> str:
    """What it does, in a word or two."""
    return say(f"keys.{button}")
