"""Names that stand for nobody in a list of pairings, as people and programs write them: the round is free. Pure."""

from __future__ import annotations

import re
import unicodedata

_FILLERS = {
    "player",
    "spieler",
    "joueur",
    "round",
    "runde",
    "game",
    "point",
    "points",
    "half",
    "full",
    "zero",
    "requested",
}
"""Words that say nothing beside one of the others."""
_NOBODY = frozenset(
    {
        # English, and what programs write in every language.
        *("bye", "byes", "free", "nobody", "none", "no opponent", "no one", "noone", "unpaired", "not paired"),
        *("sits out", "sitting out", "sit out", "rests", "vacant", "empty", "exempt", "forfeit", "walkover", "n a"),
        *("null", "nil", "absent", "skip", "odd man out", "pairing allocated", "not playing"),
        # German, Dutch, and the North.
        *("freilos", "spielfrei", "frei", "kampflos", "kein gegner", "ohne gegner", "niemand", "aussetzer", "pausiert"),
        *("setzt aus", "nicht ausgelost", "nicht gelost", "vrij", "vrijloting", "geen tegenstander"),
        *("frirond", "frirunde", "oversidder", "sitter over", "vapaakierros", "vapaa", "huilaa", "lepovuoro"),
        # The South.
        *("exempte", "exempte e", "libre", "sans adversaire", "personne", "repos", "au repos", "descanso", "descansa"),
        *("exento", "exenta", "sin rival", "sin oponente", "nadie", "libera", "riposo", "riposa", "turno di riposo"),
        *("nessuno", "folga", "isento", "livre", "sem adversario", "ninguem", "liber", "pauza"),
        # The East.
        *("wolny los", "wolne", "pauzuje", "nikt", "volno", "volny los", "volny zreb", "bez soupere"),
        *("bez protivnika", "slobodan", "slobodna", "eronyero", "szabadnap", "pihen", "erejnyero", "bay gecti"),
        *("свободен", "свободна", "баи", "выходнои", "пропуск", "нет соперника", "без пары"),
        *("вільнии", "вихіднии", "свободен кръг", "слободан", "ρεπο"),
        # Japan, China, Korea.
        *(
            "不戦",
            "不戦勝",
            "不戦敗",
            "休み",
            "お休み",
            "休",
            "抜け番",
            "抜番",
            "手空き",
            "手合い無し",
            "手合なし",
            "対戦なし",
        ),
        *("相手なし", "無し", "なし", "シード", "バイ", "轮空", "輪空", "轮休", "輪休", "不战胜", "不戰勝"),
        *("부전승", "부전", "휴식", "없음", "쉼"),
    }
)


def is_nobody(name: str) -> bool:
    """Return True if a name, taken whole, stands for no player: `bye (1)`, `Freilos`, a dash, or nothing."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    if folded.strip() in ("", "0"):
        return True
    words = re.findall(r"[^\W\d_]+", "".join(_strip_accents(letter) for letter in folded))
    if not words:
        return all(unicodedata.category(letter)[0] in "PZC" or letter in "+=<>|~" for letter in folded)
    telling_words = [word for word in words if word not in _FILLERS]
    return " ".join(telling_words) in _NOBODY or " ".join(words) in _NOBODY


def _strip_accents(letter: str) -> str:
    """Return a letter of Latin, Greek or Cyrillic without its accents; any other as it is."""
    if not unicodedata.name(letter, "").startswith(("LATIN", "GREEK", "CYRILLIC")):
        return letter
    return unicodedata.normalize("NFD", letter)[0]
