"""Messages as JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee.game.board import Colour
from referee.game.messages import Duration, Listing, Message, Points, Stones, Value, plain_message

Say = Callable[[Message], str]
"""A function that turns a message into a sentence."""


def message_to_json(message: Message) -> dict[str, object]:
    """Encode a message; its arguments carry their type, except for numbers and texts."""
    body: dict[str, object] = {"key": message.key}
    if message.args:
        body["args"] = {name: _value_to_json(value) for name, value in message.args}
    if message.then:
        body["then"] = [message_to_json(one) for one in message.then]
    return body


def spoken_to_json(message: Message, say: Say | None) -> dict[str, object]:
    """Encode a message to the players as itself, or as its sentence for other programs."""
    return {"text": say(message)} if say else {"message": message_to_json(message)}


def message_from_json(body: Mapping[str, Any]) -> Message:
    """Decode the message in a body."""
    key = str(body["key"])
    args = {str(name): _value_from_json(value) for name, value in dict(body.get("args", {})).items()}
    return Message(key, tuple(sorted(args.items())), tuple(map(message_from_json, body.get("then", ()))))


def read_message(body: Mapping[str, Any]) -> Message:
    """Decode the message of a ruling, an answer or a remark; version 0.1 wrote an English sentence."""
    return message_from_json(body["message"]) if "message" in body else plain_message(str(body["text"]))


def _value_to_json(value: Value) -> object:
    match value:
        case Colour():
            return {"colour": value.value}
        case Points():
            return {"points": list(value.names)}
        case Stones():
            return {"stones": value.count, "colour": value.colour}
        case Duration():
            return {"ms": value.ms}
        case Listing():
            return {"listing": [_value_to_json(one) for one in value.values]}
        case Message():
            return message_to_json(value)
    return value


def _value_from_json(value: Any) -> Value:
    match value:
        case str() | int() | float():
            return value
        case {"points": names}:
            return Points(tuple(map(str, names)))
        case {"stones": count, "colour": colour}:
            return Stones(int(count), Colour(colour) if colour else None)
        case {"colour": colour}:
            return Colour(colour)
        case {"ms": ms}:
            return Duration(int(ms))
        case {"listing": values}:
            return Listing(tuple(map(_value_from_json, values)))
    return message_from_json(value)
