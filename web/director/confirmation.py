"""The word by which a director confirms one loss, and no other that has taken its place meanwhile."""

from __future__ import annotations

from hashlib import sha256

from referee import Message
from web.language import ENGLISH

LENGTH = 16
HEADER = "X-Sure"
"""The header that gives the word with the sentence that says what would be lost."""


def word_for(loss: Message) -> str:
    """Return the word for this loss."""
    return sha256(ENGLISH.sentence(loss).encode()).hexdigest()[:LENGTH]
