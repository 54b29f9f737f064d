"""Every message of the catalogue with something in each of its places, as it is said aloud."""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from referee.game.board import Colour
from referee.game.messages import Duration, Listing, Message, Points, Stones, Value, message
from tests.support.sentences import slots, texts
from tests.support.wanting import ESPEAK, JTALK, SPHINX, module, wanting
from web.language import find_translator
from web.language_traits import CODES, read_traits
from web.voice.sound import Sound
from web.voice.speech import list_spoken
from web.voice.tts import NoVoice, program_for

# Words in clips, found by a recogniser: PocketSphinx with the English model that it brings.
#
# It is given sentences to choose from and names the one it hears. Words that its dictionary lacks (atari, komi) it
# cannot hear: a sentence with one of them is left out, and so is said how many could be asked for.

RATE = 16000
OTHERS = 9
"""Sentences besides the right one from which it chooses."""
_SPELT = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen twenty"""
_NUMBERS = _SPELT.split()


@cache
def _decoder() -> Any:
    beams = {"beam": 1e-60, "wbeam": 1e-40, "pbeam": 1e-60}
    return module("pocketsphinx", SPHINX).Decoder(loglevel="FATAL", lm=None, **beams)


def words_of(text: str) -> tuple[str, ...] | None:
    """A sentence as the recogniser's dictionary spells it; None where it lacks a word."""
    split = re.sub(r"\b([A-HJ-T])(\d+)\b", lambda match: f"{match[1].lower()}. {match[2]}", text)
    split = re.sub(r"\d+", lambda match: f" {_NUMBERS[int(match[0])]} " if int(match[0]) <= 20 else " ? ", split)
    words = tuple(re.findall(r"[a-z]\.(?= )|[a-z]+(?:'[a-z]+)?|\?", split.lower()))
    are_known = all(_decoder().lookup_word(word) is not None for word in words)
    return words if words and are_known else None


def find_heard(sounds: Sequence[Sound], sentences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The one of these sentences that is heard; () where none is."""
    decoder = _decoder()
    choices = " | ".join(" ".join(words) for words in sentences)
    decoder.add_jsgf_string("choices", f"#JSGF V1.0; grammar choices; public <choice> = {choices};")
    decoder.activate_search("choices")
    decoder.start_utt()
    decoder.process_raw(b"\0\0" * (RATE // 5) + b"".join(map(_at_rate, sounds)) + b"\0\0" * (RATE // 5), full_utt=True)
    decoder.end_utt()
    hypothesis = decoder.hyp()
    return tuple(hypothesis.hypstr.split()) if hypothesis is not None else ()


def _at_rate(sound: Sound) -> bytes:
    """At the model's rate, samples taken from between two."""
    step, samples = sound.rate / RATE, sound.samples
    places = (number * step for number in range(int((len(samples) - 1) / step)))
    parts = ((samples[int(at)], samples[int(at) + 1], at % 1) for at in places)
    return array("h", (round(one + (next_one - one) * share) for one, next_one, share in parts)).tobytes()


def heard_of(sentences: Sequence[tuple[str, Sequence[Sound]]], seed: int = 5) -> tuple[int, int]:
    """Count the sentences that are heard for what they are among `OTHERS` others, and those that were asked for."""
    rng, utterances = random.Random(seed), [(words, sounds) for text, sounds in sentences if (words := words_of(text))]
    right = 0
    for words, sounds in utterances:
        others = rng.sample([other for other, _ in utterances if other != words], min(OTHERS, len(utterances) - 1))
        right += find_heard(sounds, [words, *others]) == words
    return right, len(utterances)


BLACK, WHITE = Colour.BLACK, Colour.WHITE
SAMPLES: dict[str, Value] = {
    **dict.fromkeys(("player", "to_play", "stone", "presser", "loser", "running", "each"), BLACK),
    "other": WHITE,
    **dict.fromkeys(("players", "fallen", "agreed"), Listing((BLACK, WHITE))),
    "others": Listing((WHITE,)),
    "points": Points(("D4", "Q16", "K10")),
    **dict.fromkeys(("point", "move", "place", "one"), "C8"),
    "moves": Points(("D4", "Q16")),
    "stones": Stones(3, WHITE),
    "parts": Listing((message("order.off", points=Points(("C8",))),)),
    "left": message("clock.periods", n=3),
    "beside": message("clock.periods", n=3),
    **dict.fromkeys(("main", "period", "added", "minutes", "late"), Duration(90_000)),
    **dict.fromkeys(("result", "score"), "B+3.5"),
    **dict.fromkeys(("turn", "number", "step", "count", "total", "lines", "side", "last", "size", "first"), 12),
    **dict.fromkeys(("turns", "steps", "entries", "entry", "examples", "lids", "empty", "found", "sum", "played"), 12),
    **dict.fromkeys(("komi", "cost"), 7.5),
    **dict.fromkeys(("time", "since"), "14:30"),
    "rules": "Ultimate Go",
    "why": "both agreed",
    **dict.fromkeys(("who", "by", "black"), "Anna Berg"),
    "white": "Li Wei",
    "file": "games.toml",
}
"""The value in a place of this name; in others a number."""
OF_KEY: dict[str, dict[str, Value]] = {
    "control.ing": {"points": 2},
    **{key: {"other": "D4"} for key in ("dead.sees-own", "dead.sees-other")},
    "director.set-up": {"rules": message("title.japanese")},
    "ing.hot": {"points": Points(("D4", "D5"))},
    "ing.twin-hot": {"fight": message("ing.triple-ko"), "points": Points(("D4", "D5"))},
    **{key: {"points": 2} for key in ("notice.bought", "notice.bought-last", "prisoners.at-count")},
    "notice.other-players": {"players": 2},
    **{key: {"found": Stones(2, WHITE), "left": 13} for key in ("score.area-differs", "score.shared-differ")},
    **{f"rehearsal.{what}": {"turn": 7, "other": "D4"} for what in ("between", "capture")},
    **{f"rehearsal.{what}": {"turn": 7} for what in ("stone", "hand", "put-right")},
    "score.to-fill": {"black": 3, "white": 4, "shared": 2},
    "score.two-players": {"method": "fill-in", "players": 3},
    "stones.alike": {"one": BLACK},
    **{key: {"turn": 14, "since": 38, "first": 11, "last": 14} for key in ("why.path", "why.path-passes")},
    "time.arrived-late": {"penalty": Duration(180_000)},
}
"""The value there in these messages, if another thing has the same name."""
PERSONS: dict[str, dict[str, Value]] = {
    "ja": {**dict.fromkeys(("who", "by", "black"), "田中太郎"), "white": "佐藤花子"}
}
"""Names that a language's voice does not spell."""
ALONE: dict[str, Value] = {"points": Points(("C8",))}
"""The value there if a message is about one."""


def messages(code: str = CODES[0]) -> Iterator[Message]:
    """Each message of the catalogue with its places filled; those that depend on a number for one and for several.
    code: the language that the persons' names are of."""
    translations = [texts(code) for code in CODES]
    for key, forms in sorted(translations[0].items()):
        names = set().union(*(slots(language[key]) for language in translations))
        own = {**PERSONS.get(code, {}), **OF_KEY.get(key, {})}
        filled: dict[str, Value] = {name: own.get(name, SAMPLES.get(name, 7)) for name in names}
        one = {name: value for name, value in ALONE.items() if name in names and own.get(name, value) != 2}
        numbers: tuple[dict[str, Value], ...] = ({**one, "n": 1}, {"n": 3}) if len(forms) > 1 else ({},)
        yield from (message(key, **{**filled, **number}) for number in numbers)


def said(code: str) -> list[str]:
    """Return what is said of all messages in this language, each once."""
    texts_said = (list_spoken(one, find_translator(code))[0] for one in messages(code))
    return list(dict.fromkeys(text for text in texts_said if any(map(str.isalnum, text))))


@cache
def why_not(code: str) -> str:
    """Why a language cannot be spoken here; "" where it can."""
    try:
        program_for(code)
    except NoVoice as error:
        return find_translator(CODES[0]).sentence(error.args[0])
    return ""


def speaks(code: str) -> None:
    """Skips where this language cannot be spoken here."""
    if why_not(code):
        wanting(JTALK if read_traits(code).voice.program == "open-jtalk" else ESPEAK)
