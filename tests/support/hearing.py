"""Words in clips, found by a recogniser: PocketSphinx with the English model that it brings.

It is given sentences to choose from and names the one it hears. Words that its dictionary lacks (atari, komi) it cannot
hear: a sentence with one of them is left out, and so is said how many could be asked for.
"""

from __future__ import annotations

import random
import re
from array import array
from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.support.wanting import SPHINX, module
from web.voice.sound import Sound

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
    split = re.sub(r"\b([A-HJ-T])(\d+)\b", lambda found: f"{found[1].lower()}. {found[2]}", text)
    split = re.sub(r"\d+", lambda found: f" {_NUMBERS[int(found[0])]} " if int(found[0]) <= 20 else " ? ", split)
    words = tuple(re.findall(r"[a-z]\.(?= )|[a-z]+(?:'[a-z]+)?|\?", split.lower()))
    known = all(_decoder().lookup_word(word) is not None for word in words)
    return words if words and known else None


def heard(sounds: Sequence[Sound], sentences: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The one of these sentences that is heard; () where none is."""
    decoder = _decoder()
    choices = " | ".join(" ".join(words) for words in sentences)
    decoder.add_jsgf_string("choices", f"#JSGF V1.0; grammar choices; public <choice> = {choices};")
    decoder.activate_search("choices")
    decoder.start_utt()
    decoder.process_raw(b"\0\0" * (RATE // 5) + b"".join(map(_at_rate, sounds)) + b"\0\0" * (RATE // 5), full_utt=True)
    decoder.end_utt()
    found = decoder.hyp()
    return tuple(found.hypstr.split()) if found is not None else ()


def _at_rate(sound: Sound) -> bytes:
    """At the model's rate, samples taken from between two."""
    step, kept = sound.rate / RATE, sound.samples
    places = (number * step for number in range(int((len(kept) - 1) / step)))
    parts = ((kept[int(at)], kept[int(at) + 1], at % 1) for at in places)
    return array("h", (round(one + (next_one - one) * share) for one, next_one, share in parts)).tobytes()


def heard_of(said: Sequence[tuple[str, Sequence[Sound]]], seed: int = 5) -> tuple[int, int]:
    """Count the sentences that are heard for what they are among `OTHERS` others, and those that were asked for."""
    rng, asked = random.Random(seed), [(words, sounds) for text, sounds in said if (words := words_of(text))]
    right = 0
    for words, sounds in asked:
        others = rng.sample([other for other, _ in asked if other != words], min(OTHERS, len(asked) - 1))
        right += heard(sounds, [words, *others]) == words
    return right, len(asked)
