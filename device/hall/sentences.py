"""Sentences of boxes and of the hall itself, as the hall's journal stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from referee.codec import message_to_json
from referee.game.messages import Message
from web.hall.sentences import BoxSentence, TableUsage, box_sentence
from web.language import ENGLISH


def hall_sentence(content: Message) -> BoxSentence:
    """Return a sentence of the hall itself."""
    return box_sentence(ENGLISH.sentence(content), message_to_json(content), TableUsage())


def sentence_body(sentence: BoxSentence, key: str = "text") -> dict[str, object]:
    """Return a sentence as the journal stores it. key: of its English text"""
    return {key: sentence.text} | (
        {"message": sentence.message, "usage": asdict(sentence.usage)} if sentence.message else {}
    )


def sentence_from(body: Mapping[str, Any], key: str = "text") -> BoxSentence:
    """Return a sentence from the body of an entry."""
    usage = msgspec.convert(body.get("usage", {}), TableUsage)
    return BoxSentence(str(body.get(key, "")), str(body.get("message", "")), usage)
