"""Records as other programs and people write them: tables by kind, each a value and its right reading."""

from __future__ import annotations

import pytest

from referee.game.board import Colour
from referee.game.errors import BadRecord, BadSetup
from referee.game.record import GameRecord
from referee.rules.agreements import apply_action
from referee.rules.sets import rule_set
from referee.score.methods import count
from referee.sgf.dialects import read_handicap, read_komi, read_result
from referee.sgf.reader import ReadGame, count_turns, read_game, read_root
from referee.time.controls import read_control
from referee.time.records import control_of


def play_to_end(game: ReadGame) -> GameRecord:
    """The game played to its end; a turn that is refused is left out."""
    record = game.setup.record()
    for act in game.acts:
        record = apply_action(record, act).after or record
    return record


def turns(game: ReadGame) -> str:
    """The turns that are legal, as `B C3, W pass`."""
    record, words = game.setup.record(), []
    for act in game.acts:
        after = apply_action(record, act).after
        if after is None or after.turn is None:
            words.append("refused")
            continue
        point = getattr(after.turn, "point", None)
        words.append(f"{after.turn.player} {'pass' if point is None else record.position.board.name(point)}")
        record = after
    return ", ".join(words)


def notes(text: str | bytes) -> str:
    return "\n".join(read_game(text if isinstance(text, bytes) else text.encode()).notes)


CHARSETS = [
    (
        "GB18030",
        ["古力", "柯洁 九段", "聂卫平", "陈耀烨", "黑中盘胜", "野狐围棋", "朱镕基", "第20届农心杯", "淺野", "让二子"],
    ),
    (
        "Shift_JIS",
        [
            "ソ",
            "表示",
            "能登",
            "十段戦",
            "井山裕太",
            "一力遼 先番",
            "ポプラ杯",
            "圭介",
            "予選決勝",
            "ゾーン",
            "ｱｵｷ ﾊﾅｺ",
        ],
    ),
    ("EUC-JP", ["高尾紳路", "本因坊戦", "イ・セドル", "呉清源", "黒番中押し勝ち", "藤沢秀行", "名人戦第一局"]),
    ("Big5", ["功", "許", "蓋", "成功", "周俊勳", "王元均", "謝依旻", "黃翊祖", "中環盃", "黑中盤勝", "林君諺 七段"]),
    ("EUC-KR", ["박정환", "신진서 9단", "이세돌", "최정", "흑 불계승", "제한시간 각 2시간", "조훈현", "결승 3국"]),
    (
        "Windows-1252",
        [
            *(
                "André",
                "Müller",
                "Åsa Ängström",
                "naïve café",
                "ÅÄÖ",
                "Señor Peña",
                "“Nick”",
                "Weiß",
                "Søren Jørgensen",
            ),
            *("François Hélène", "Irène Père", "Noël Benoît", "Kjær Østergård", "Muñoz Ibáñez", "João Simões", "Núñez"),
            *("Guðmundur Þór", "Jérôme Gagné", "Sébastien Lefèvre", "Nicolò Verità", "Björn Öhman", "Ødegård", "Maïté"),
        ],
    ),
    (
        "Windows-1250",
        [
            *(
                "Łukasz Żuławski",
                "Paweł Świątek",
                "Kamiński",
                "Zbigniew Dąbrowski",
                "Michał Wiśniewski",
                "Grzegorz Wąsik",
            ),
            *(
                "Jiří Novák",
                "Petr Dvořáček",
                "Ondřej Krejčí",
                "Jeřábek",
                "Tomáš Nováček",
                "Zdeněk Růžička",
                "Václav Háněl",
            ),
            *("Gergő Szűcs", "Erdős Péter", "Győrgy Kőszegi", "Marušič", "Ďurčanský", "Ľubomír Kováč", "Željko Babić"),
        ],
    ),
]
ENCODINGS = {
    "Shift_JIS": "cp932",
    "Big5": "cp950",
    "EUC-KR": "cp949",
    "EUC-JP": "euc_jp",
    "Windows-1252": "cp1252",
    "Windows-1250": "cp1250",
}
LETTERS = [(charset, text) for charset, texts in CHARSETS for text in texts]


@pytest.mark.parametrize(("charset", "text"), LETTERS)
def test_charsets_that_nobody_named(charset: str, text: str) -> None:
    sgf = f"(;GM[1]SZ[9]RU[AGA]KM[7.5]PB[{text}]PW[x];B[cc]C[{text}];W[dd];B[ee])"
    data = sgf.replace("RU[AGA]", "").encode(ENCODINGS.get(charset, charset))
    game = read_game(data)
    assert read_root(data)["PB"] == text and len(game.acts) == 3
    notes = [note for note in game.notes if "names no charset" in note]
    assert [charset in note for note in notes] == ([] if charset == "Windows-1252" else [True])


@pytest.mark.parametrize(
    ("named", "encoding"),
    [
        *[("gb2312", "gb18030"), ("GBK", "gb18030"), ("Shift-JIS", "cp932"), ("x-sjis", "cp932"), ("Big5", "cp950")],
        *[("EUC-JP", "euc_jp"), ("UTF-8", "utf-8"), ("utf8", "utf-8"), ("UTF-16", "utf-16")],
    ],
)
def test_a_charset_that_is_named_is_taken(named: str, encoding: str) -> None:
    data = f"(;GM[1]CA[{named}]SZ[9]KM[0]PB[石田])".encode(encoding)
    assert read_root(data)["PB"] == "石田" and read_game(data).notes == ()


@pytest.mark.parametrize(
    ("named", "encoding"), [("UTF-8", "gb18030"), ("ISO-8859-1", "gb18030"), ("nonsense", "cp932")]
)
def test_a_charset_that_cannot_be_the_one_named_is_told(named: str, encoding: str) -> None:
    name = {"gb18030": "聂卫平 马晓春", "cp932": "井山裕太"}[encoding]
    data = f"(;GM[1]CA[{named}]SZ[9]KM[0]PB[{name}];B[cc])".encode(encoding)
    assert read_root(data)["PB"] == name and f"CA[{named}]" in notes(data)


KOMI = [
    *[
        ("6.5", 6.5),
        ("6,5", 6.5),
        ("6½", 6.5),
        ("6 ½", 6.5),
        ("½", 0.5),
        ("6 1/2", 6.5),
        ("6目半", 6.5),
        ("六目半", 6.5),
    ],
    *[("7目半", 7.5), ("5.5目", 5.5), ("6집반", 6.5), ("6.5 points", 6.5), ("+6.5", 6.5), ("-5.5", -5.5), (".5", 0.5)],
    *[("6.5 pts", 6.5), ("６.５", 6.5), ("none", 0.0), ("0.00", 0.0), ("375", 7.5), ("650", 6.5), ("750", 7.5)],
    *[
        ("50", 0.5),
        ("550", 5.5),
        ("3.75", 7.5),
        ("2.75", 5.5),
        ("3又3/4子", 7.5),
        ("黑贴3又3/4子", 7.5),
        ("3.75子", 7.5),
    ],
    *[("-650", -6.5), ("much", None), ("", None), ("6.5.5", None), ("nan", None), ("1e3", None), ("800", 8.0)],
    *[("6.5目", 6.5), ("コミ6目半", 6.5), ("40", 40.0), ("7", 7.0)],
]


@pytest.mark.parametrize(("text", "points"), KOMI)
def test_komi(text: str, points: float | None) -> None:
    komi = read_komi(text, 361, "")
    assert (komi.points if komi else None) == points


@pytest.mark.parametrize(
    ("sgf", "komi", "note"),
    [
        ("RU[Chinese]KM[375]AP[foxwq]", 7.5, "hundredths of stones"),
        ("RU[Japanese]KM[650]AP[foxwq]", 6.5, "hundredths"),
        ("RU[Chinese]KM[750]", 7.5, "hundredths"),
        ("RU[Chinese]KM[3.75]", 7.5, "stones"),
        ("RU[Chinese]KM[90.5]", 90.5, "larger than the board"),
        ("RU[Chinese]KM[40.5]", 40.5, "very large"),
        ("RU[Chinese]KM[much]", 7.5, "not a number"),
        ("RU[Chinese]KM[1234567]", 7.5, "not a number"),
        ("RU[Chinese]", 7.5, "no komi"),
        ("RU[Japanese]", 6.5, "no komi"),
        ("RU[Chinese]HA[2]AB[cc][gg]PL[W]", 0, ""),
        ("RU[Chinese]KM[0]", 0, ""),
    ],
)
def test_komi_that_is_assumed_is_told(sgf: str, komi: float, note: str) -> None:
    text = f"(;GM[1]SZ[9]{sgf};W[ee])" if "PL[W]" in sgf else f"(;GM[1]SZ[9]{sgf};B[ee])"
    assert read_game(text.encode()).setup.record().komi == komi
    assert note in notes(text) if note else notes(text) == ""


HANDICAPS = [
    *[
        ("none", 0),
        ("None", 0),
        ("even", 0),
        ("no", 0),
        ("定先", 0),
        ("互先", 0),
        ("先", 0),
        ("分先", 0),
        ("-", 0),
        ("0", 0),
    ],
    *[
        ("2", 2),
        ("2 stones", 2),
        ("H2", 2),
        ("让二子", 2),
        ("受4子", 4),
        ("二子", 2),
        ("二子局", 2),
        ("3.0", 3),
        ("４", 4),
    ],
    *[("4점", 4), ("handicap 3", 3), ("정선", 0), ("2.5", None), ("-2", None), ("many", None), ("three", None)],
]


@pytest.mark.parametrize(("text", "handicap"), HANDICAPS)
def test_handicap(text: str, handicap: int | None) -> None:
    assert read_handicap(text) == handicap


STARTS = [
    ("RU[Chinese]AB[cc][gg];W[ee]", 2, "W E5", "names no handicap"),
    ("RU[Chinese]HA[0]AB[cc][gg][cg];W[ee]", 3, "W E5", "says HA[0]"),
    ("RU[Chinese]HA[2]AB[cc][gg];W[ee]", 2, "W E5", ""),
    ("RU[Chinese]HA[2]AB[cc][gg][cg];W[ee]", 3, "W E5", "says HA[2]"),
    ("RU[Japanese]HA[定先]AB[cc][gg];W[ee]", 2, "W E5", "says HA[0]"),
    ("RU[AGA]AB[cc];W[ee]", 0, "W E5", ""),
    ("RU[Chinese]AB[cc][gg]AW[cg];W[ee]", 0, "W E5", ""),
    ("RU[Chinese]AB[cc][gg];B[ee]", 0, "B E5", ""),
    ("RU[Chinese]HA[2];W[ee]", 2, "W E5", "traditional"),
    ("RU[Japanese]HA[4]PL[W];W[ee]", 4, "W E5", "traditional"),
    ("RU[Chinese]HA[0];B[cc];B[gg];W[ee]", 2, "B C7, B G3, W E5", "first 2 moves"),
    ("RU[Chinese];B[cc];B[gg];B[cg];W[ee]", 3, "B C7, B G3, B C3, W E5", "first 3 moves"),
    ("RU[Chinese]HA[2];B[cc];B[gg];W[ee]", 2, "B C7, B G3, W E5", ""),
    ("RU[Chinese]HA[2];B[cc];W[];B[gg];W[ee]", 2, "B C7, B G3, W E5", "passes between"),
    ("RU[Chinese]HA[3];B[cc];W[tt];B[gg];W[];B[cg];W[ee]", 3, "B C7, B G3, B C3, W E5", "passes between"),
    ("RU[Chinese]HA[3];B[cc];W[ee]", 0, "B C7, W E5", "has no handicap stones"),
    ("RU[Chinese]HA[1];B[cc];W[ee]", 1, "B C7, W E5", ""),
    ("RU[Chinese]HA[many]AB[cc][gg];W[ee]", 2, "W E5", "no number of stones"),
    ("RU[ultimate]AB[cc][gg];W[ee]", 0, "W E5", ""),
    ("AP[shinpan]RU[Chinese]AB[cc][gg];W[ee]", 0, "W E5", ""),
]


@pytest.mark.parametrize(("sgf", "handicap", "made_turns", "note"), STARTS)
def test_handicap_stones(sgf: str, handicap: int, made_turns: str, note: str) -> None:
    text = f"(;GM[1]SZ[9]KM[0]{sgf})"
    game = read_game(text.encode())
    assert (game.setup.record().handicap, turns(game)) == (handicap, made_turns)
    assert note in notes(text) if note else game.notes == ()


@pytest.mark.parametrize(
    "sgf",
    [
        "SZ[9]HA[4];W[cc];B[aa]",
        "SZ[9]HA[9];W[gg]",
        "SZ[9]HA[5];W[ee]",
        "SZ[5]HA[4];W[ee]",
        "HA[10];W[dd]",
        "SZ[6]HA[5];W[cc]",
    ],
)
def test_handicap_stones_that_are_nowhere_refuse_no_game(sgf: str) -> None:
    text = f"(;GM[1]RU[Chinese]KM[0]{sgf})"
    game = read_game(text.encode())
    assert game.setup.record().handicap == 0 and game.acts and "refused" not in turns(game)
    assert "traditional" in notes(text) and "write them into it" in notes(text)


RESULTS = [
    *[("B+R", "B+R"), ("B+Resign", "B+R"), ("W+resign", "W+R"), ("W+Time", "W+T"), ("B+T", "B+T"), ("W+F", "W+F")],
    *[
        ("B+Forfeit", "B+F"),
        ("B+3.5", "B+3.5"),
        ("W+0.50", "W+0.5"),
        ("W+2,5", "W+2.5"),
        ("B+3 1/2", "B+3.5"),
        ("0", "0"),
    ],
    *[
        ("Draw", "0"),
        ("Jigo", "0"),
        ("Void", "Void"),
        ("?", None),
        ("", None),
        ("B+", "B+"),
        ("黑中盘胜", "B+R"),
        ("白胜", "W+"),
    ],
    *[
        ("白中押し勝ち", "W+R"),
        ("黒1目半勝ち", "B+1.5"),
        ("白2目半勝", "W+2.5"),
        ("흑불계승", "B+R"),
        ("백 3집반승", "W+3.5"),
    ],
    *[
        ("Black wins by resignation", "B+R"),
        ("White wins by 3.5", "W+3.5"),
        ("white+time", "W+T"),
        ("黑胜1又3/4子", "B+3.5"),
    ],
    *[("B+1.75", "B+3.5"), ("unfinished", None), ("白超时胜", "W+T"), ("b+r", "B+R"), ("W+R.", "W+R")],
]


@pytest.mark.parametrize(("text", "result"), RESULTS)
def test_result(text: str, result: str | None) -> None:
    assert read_result(text) == result


RULES = [
    *[
        ("Japanese Rules", "japanese"),
        ("japanese", "japanese"),
        ("JAPANESE", "japanese"),
        ("JP", "japanese"),
        ("JA", "japanese"),
    ],
    *[("Japanese 1989", "japanese"), ("Nihon Kiin", "japanese"), ("日本", "japanese"), ("日本ルール", "japanese")],
    *[
        ("Korean", "japanese"),
        ("KOREA", "japanese"),
        ("한국룰", "japanese"),
        ("Chinese rules", "chinese"),
        ("CN", "chinese"),
    ],
    *[("Chinese2002", "chinese"), ("Chinese 2002", "chinese"), ("中国规则", "chinese"), ("China", "chinese")],
    *[("AGA rules", "aga"), ("AGA 1991", "aga"), ("aga", "aga"), ("British", "aga"), ("French", "aga"), ("GOE", "ing")],
    *[
        ("Ing SST", "ing"),
        ("ing", "ing"),
        ("NZ", "new-zealand"),
        ("NewZealand", "new-zealand"),
        ("New_Zealand", "new-zealand"),
    ],
    *[
        ("New Zealand Rules", "new-zealand"),
        ("Tromp-Taylor", "positional"),
        ("tromp taylor", "positional"),
        ("KEE", "kee"),
    ],
    *[("Ultimate Original", "ultimate-original"), (" chinese ", "chinese")],
]


@pytest.mark.parametrize(("name", "rules"), RULES)
def test_rule_names(name: str, rules: str) -> None:
    assert rule_set(name).name == rules
    assert read_game(f"(;GM[1]SZ[9]RU[{name}]KM[0];B[cc])".encode()).setup.rules.name == rules


@pytest.mark.parametrize("name", ["Korean", "Tromp-Taylor", "British"])
def test_rules_that_stand_for_others_are_told(name: str) -> None:
    assert "--rules NAME" in notes(f"(;GM[1]SZ[9]RU[{name}]KM[0];B[cc])")


@pytest.mark.parametrize(
    ("name", "near"), [("Japaneese", "japanese"), ("chinesse rules", "chinese"), ("newzeland", "new-zealand")]
)
def test_unknown_rules_name_the_closest(name: str, near: str) -> None:
    with pytest.raises(BadSetup, match=rf"; {near} may be meant.*--rules NAME"):
        read_game(f"(;GM[1]RU[{name}];B[cc])".encode())


RESUMED = [
    (";B[cc];W[dc];B[];W[];B[dd];W[ec]", "B C3, W D3, B pass, W pass, B D2, W E3", False),
    (";B[cc];W[dc];B[];W[];W[dd];B[cb]", "B C3, W D3, B pass, W pass, W D2, B C4", False),
    (";B[cc];W[dc];B[tt];W[tt];B[dd];W[];B[]", "B C3, W D3, B pass, W pass, B D2, W pass, B pass", True),
    (";B[cc];W[];B[];B[dd];W[ec]", "B C3, W pass, B pass, B D2, W E3", False),
    (";B[cc];W[];B[];W[];B[dd]", "B C3, W pass, B pass, B D2", False),
    (
        ";B[cc];W[];B[];W[dd];B[];W[];B[cb];W[];B[]",
        "B C3, W pass, B pass, W D2, B pass, W pass, B C4, W pass, B pass",
        True,
    ),
    (";B[cc];W[];B[];W[]", "B C3, W pass, B pass", True),
    (";B[cc];W[dc];B[];W[];B[];W[]", "B C3, W D3, B pass, W pass", True),
    (";B[cc];W[];B[dc];W[];B[dd]", "B C3, W pass, B D3, W pass, B D2", False),
    (";B[];W[]", "B pass, W pass", True),
]


@pytest.mark.parametrize("rules", ["Japanese", "Chinese", "NZ", "simple"])
@pytest.mark.parametrize(("sgf", "made_turns", "ended"), RESUMED)
def test_play_that_goes_on_after_passes(rules: str, sgf: str, made_turns: str, ended: bool) -> None:
    game = read_game(f"(;GM[1]SZ[5]RU[{rules}]KM[0.5]{sgf})".encode())
    assert (turns(game), play_to_end(game).ended) == (made_turns, ended)
    if ended:
        assert count(play_to_end(game)).result


def test_under_aga_rules_a_third_pass_may_be_needed() -> None:
    game = read_game(b"(;GM[1]SZ[5]RU[AGA]KM[0.5];B[cc];W[];B[];W[])")
    assert turns(game) == "B C3, W pass, B pass, W pass" and play_to_end(game).ended and game.notes == ()


SET_UP = [
    (";B[cc]AB[cc];W[gc]", "B C7, W G7", ""),
    (";B[cc];AB[cc];W[gc]", "B C7, W G7", ""),
    (";B[cc];AE[aa];W[gc]", "B C7, W G7", ""),
    (";B[cc];W[gc];AB[aa]AW[ii]", "B C7, W G7", "after turn 2"),
    (";B[cc];W[gc];AE[cc];B[cd]", "B C7, W G7", "after turn 2"),
    (";B[cc];AE[cc]AB[dc];W[gc]", "B D7, W G7", "read as D7"),
    (";B[cc];W[gc];AE[gc]AW[gd];B[dd]", "B C7, W G6, B D6", "read as G6"),
    (";B[cc];W[gc];AE[gc];W[gd]", "B C7, W G6", "taken back"),
    (";B[cc];W[];B[];AE[cc]", "B C7, W pass, B pass", "after turn 3"),
    (";B[cc];AW[gc];B[dd]", "B C7", "after turn 1"),
    (";B[cc](;AE[cc]AB[dd]C[what if])(;W[gg];B[gc])", "B C7, W G3, B G7", "no moves"),
    (";B[cc](;W[gg])(;AE[cc])", "B C7, W G3", ""),
    ("(;C[about])(;B[cc];W[gg])", "B C7, W G3", "no moves"),
]


@pytest.mark.parametrize(("sgf", "made_turns", "note"), SET_UP)
def test_set_up_after_the_first_move(sgf: str, made_turns: str, note: str) -> None:
    text = f"(;GM[1]SZ[9]RU[Chinese]KM[0]{sgf})"
    assert turns(read_game(text.encode())) == made_turns
    assert note in notes(text) if note else notes(text) == ""


G = "(;GM[1]SZ[9]RU[Chinese]KM[0]"
BROKEN = [
    (f"From: a@b\nSubject: our game\n\n{G};B[cc];W[gg])", "C7 G3", "before the game"),
    (f"Game saved (by me)\n{G};B[cc];W[gg])", "C7 G3", "before the game"),
    (f"(;-) hello\n{G};B[cc];W[gg])", "C7 G3", "before the game"),
    (f"{G[1:]};B[cc];W[gg])", "C7 G3", "first bracket"),
    (f"{G[1:]};B[cc];W[gg]", "C7 G3", "first bracket"),
    (f"{G};B[cc];W[gg]", "C7 G3", "last bracket"),
    (f"{G};B[cc];W[gg]\n\n", "C7 G3", "last bracket"),
    (f"{G}(;B[cc];W[gg])(;B[dd]", "C7 G3", "last bracket"),
    (f"{G};B[cc];W[gg];B[d", "C7 G3", "does not end"),
    (f"{G};B[cc];W[gg]C[cut of", "C7 G3", "does not end"),
    (f"{G}PB[Foo [3d]]PW[Bar];B[cc];W[gg])", "C7 G3", "line 1, after PB"),
    (f"{G}\nUS[Foo[3d]]\nPB[x];B[cc];W[gg])", "C7 G3", "line 2, after US"),
    (f"{G}PB[[abc] Foo]PW[Bar];B[cc];W[gg])", "C7 G3", "not escaped"),
    (f"{G}PB[Foo :]]PW[Bar];B[cc];W[gg])", "C7 G3", "not escaped"),
    (f"{G};B[cc]C[see [1] and (2); or [3] here];W[gg])", "C7 G3", "not escaped"),
    (f"{G};B[cc]\n-----\n;W[gg])", "C7 G3", "line 2"),
    (f"{G};B[cc]\n; ----\n;W[gg])", "C7 G3", "line 2"),
    (f"{G};B[cc] W1: ;W[gg])", "C7 G3", "between the properties"),
    (f"{G}PB[Foo;B[cc];W[gg])", "C7 G3", "after PB: its last bracket"),
    (f"{G}PB[Foo PW[Bar];B[cc];W[gg])", "C7 G3", "after PB: its last bracket"),
    (f"{G};B[cc]C[good;W[gg];B[])", "C7 G3 -", "after C: its last bracket"),
    (f"{G};B[cc;W[gg])", "C7 G3", "after B: its last bracket"),
    (f"{G};B[cc]C[as in B[dd]];W[gg])", "C7 G3", "not escaped"),
    (f"<html><pre>{G};B[cc];W[gg])</pre></html>", "C7 G3", "before the game"),
    (f"({G};B[cc];W[gg]))", "C7 G3", "before the game"),
    (f"{G};B[cc], W[gg])", "C7 G3", "between the properties"),
    (f"{G};B[cc];W[gg]))", "C7 G3", ""),
    (f"{G};B[cc];W[gg])\nsent by mail", "C7 G3", ""),
    (f"{G};B[cc];W[gg])\n{G};B[aa])", "C7 G3", "more games"),
    ("(;GaMe[1]SiZe[9]RUles[Chinese]KoMi[0];Black[cc];White[gg])", "C7 G3", ""),
    ("(; GM [1] SZ [9] RU [Chinese] KM [0]\n; B [cc]\n; W [gg] )", "C7 G3", ""),
    (f"{G};B[cc];W[gg]AB[]C[x\\]y];B[])", "C7 G3 -", ""),
]


@pytest.mark.parametrize(("text", "points", "note"), BROKEN, ids=range(len(BROKEN)))
def test_broken_files(text: str, points: str, note: str) -> None:
    game = read_game(text.encode())
    made_points = [turn.split()[1].replace("pass", "-") for turn in turns(game).split(", ")]
    assert " ".join(made_points) == points
    assert note in notes(text) if note else game.notes == ()


@pytest.mark.parametrize("size", ["9", "9:9", "9x9", "9*9"])
def test_sizes(size: str) -> None:
    assert read_game(f"(;GM[1]SZ[{size}]RU[Chinese]KM[0];B[PASS])".encode()).setup.size == (9, 9)


def test_a_point_that_is_none_is_told_with_its_line() -> None:
    text = f"{G};B[cc]\n;W[c3x];B[dd])"
    assert turns(read_game(text.encode())) == "B C7"
    assert "[c3x] is none; a point is two letters. It is in line 2. The game was read up to there." in notes(text)
    for same in (text.replace("B[cc]\n", "\n"), text.replace("(;", "(;AP[shinpan]", 1)):
        with pytest.raises(BadRecord, match=r"\[c3x\] is none.*line 2"):
            read_game(same.encode())


@pytest.mark.parametrize("text", [f"{G}" + ";C[[a]x" * 1000 + ")", f"{G}" + ";C[a] ? " * 1000 + ")"])
def test_what_is_broken_everywhere_is_refused_at_once(text: str) -> None:
    with pytest.raises(BadRecord, match="broken in 500 places"):
        read_game(text.encode())


def test_variations_in_variations_are_read_without_an_end() -> None:
    assert turns(read_game(f"{G};B[cc]{'(;C[a](;C[b])' * 4000}".encode())) == "B C7"


def test_names_with_brackets_are_read() -> None:
    assert read_root(f"{G}PB[Foo [3d]]PW[Bar :]];B[cc])".encode())["PB"] == "Foo [3d]"
    assert read_root(f"{G}PB[Foo [3d]]PW[Bar :]];B[cc])".encode())["PW"] == "Bar :]"


CONTROLS = [
    *[
        ("1800", "5x30 byo-yomi", "30m+5x30s"),
        ("1800", "5x30 byo yomi", "30m+5x30s"),
        ("1800", "5x30 byoyomi", "30m+5x30s"),
    ],
    *[("1800", "5*30", "30m+5x30s"), ("1800", "5 x 0:30", "30m+5x30s"), ("1800", "30 sec x 5", "30m+5x30s")],
    *[("1800", "3 periods of 30 seconds", "30m+3x30s"), ("60", "3x20 byo-yomi", "1m+3x20s")],
    *[("1800", "25/600 Canadian", "30m+25/10m"), ("1800", "25/10:00", "30m+25/10m"), ("1800", "10/5m", "30m+10/5m")],
    *[("1800", "25 moves in 10 min", "30m+25/10m"), ("1800", "20 moves per 5 minutes", "30m+20/5m")],
    *[("0", "86400 simple", "0s+1x24h"), ("1800", "30s per move", "30m+1x30s"), ("600", "15 fischer", "10m+15s")],
    *[
        ("600", "fischer 15", "10m+15s"),
        ("600", "+10 increment", "10m+10s"),
        ("1h", "", "60m"),
        ("90 min", "none", "90m"),
    ],
    *[
        ("1:30:00", "", "90m"),
        ("45:00", "", "45m"),
        ("25:00 + 00:30(5) ByoYomi", "", "25m+5x30s"),
        ("2700.0", "", "45m"),
    ],
    *[("10 minutes", "byo-yomi 5x30", "10m+5x30s"), ("3600", "absolute", "60m")],
]


@pytest.mark.parametrize(("tm", "ot", "control"), CONTROLS)
def test_controls(tm: str, ot: str, control: str) -> None:
    assert control_of(tm, ot) == read_control(control)


@pytest.mark.parametrize(
    "times", ["TM[1800]OT[by the moon]", "TM[600]OT[15 Fischer max 900]", "TM[soon]", "TM[60]TC[x]TT[20]"]
)
def test_a_control_that_is_none_of_ours_is_told_and_the_game_read(times: str) -> None:
    text = f"(;GM[1]SZ[9]RU[Chinese]KM[0]{times};B[cc])"
    assert len(read_game(text.encode()).acts) == 1 and notes(text).startswith("The SGF's ")


def test_territory_and_result_are_kept() -> None:
    game = read_game(b"(;GM[1]SZ[5]RU[Japanese]KM[0]RE[B+20.5];B[cc];W[aa];B[];W[]TB[aa:ab]TW[ee])")
    board = game.setup.record().position.board
    assert (game.result, game.written_result) == ("B+20.5", "B+20.5")
    assert [set(board.names(area)) for area in game.territory] == [{"A5", "A4"}, {"E1"}]


def test_times_without_a_limit() -> None:
    assert control_of("unlimited", "") is None and control_of("2h each", "") == read_control("2h")


HEAD = "GM[1]SZ[9]RU[Japanese]KM[0]"
TWO = "B C7, W D6"

STRANGERS = [
    # Where properties stand, and how they are written (Fuego, SGFC, CGoban 1, IGS, OGS).
    ("(;AB[aa]AW[bb]SZ[9]GM[1]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("( GM[1]FF[3]SZ[9]KM[0]RU[Japanese];B[cc];W[dd])", TWO, ""),
    (f"(;{HEAD};B[cc]W[dd];B[ee])", f"{TWO}, B E5", ""),
    (
        f"(;{HEAD}SY[Cgoban 1.9.2];AW[ea][eb]AB[da][db]LB[bd:A]PL[2]C[x](;W[cc];B[dd](;W[ca])(;W[ab])))",
        "W C7, B D6, W C9",
        "",
    ),
    (f"(;FF[3]\nEV[IGS]\nCoPyright[\n  Copyright (c)\n]\n{HEAD}TM[600]\n;B[cc];W[dd])", TWO, ""),
    (f"(;{HEAD};B[cc]C[a: hi\n](;W[dd](;B[ee](;W[ff]))))", f"{TWO}, B E5, W F4", ""),
    ("(;gm[1]sz[9]ru[Japanese]km[0];b[cc];w[dd])", TWO, ""),
    ("(;GaMe[1]SiZe[9]RUles[Japanese]KoMi[0]VieW[];Black[cc];White[dd])", TWO, ""),
    ("( ; GM [1] SZ [9] RU [Japanese] KM [0] ; B [ cc ] ; W\n[dd] )", TWO, ""),
    (f"(;{HEAD};B[cc]MN[1]VW[aa:bb]TR[cc]AR[aa:bb]LN[aa:cc]DD[]PM[1]FG[0:x];W[dd]N[x]DM[1])", TWO, ""),
    (f"(;{HEAD};B[cc]BL[1]OB[2]WT[x]SQ[aa][bb]SL[cc]DI[5k]DP[32]CO[7];W[dd])", TWO, ""),
    (f"(;{HEAD};;B[cc];;;W[dd];)", TWO, ""),
    (f"(;{HEAD}(;B[cc];W[dd])(;B[ee]))", TWO, ""),
    # Ends of lines, escapes, long texts.
    (f"(;{HEAD}\r\nC[a\r\nb]\r\n;B[cc]\r\n;W[dd])\r\n", TWO, ""),
    (f"(;{HEAD}\rC[a\rb]\r;B[cc]\r;W[dd])\r", TWO, ""),
    ("(;GM[1]SZ[9]RU[Japa\\\nnese]KM[0]C[a\\]b\\\\];B[cc];W[dd])", TWO, ""),
    (f"(;{HEAD}LB[aa:x\\:y]C[;B[aa\\]];B[cc];W[dd])", TWO, ""),
    (f"(;{HEAD};B[cc]C[{'long ' * 20000}];W[dd])", TWO, ""),
    (f"\ufeff  \n(;{HEAD};B[cc];W[dd])", TWO, ""),
    # Several games in a file, and what stands around them.
    (f"(;)(;{HEAD};B[cc];W[dd])", TWO, "empty; the first with moves"),
    (f"(;GM[1]FF[4])\n(;GM[1]FF[4]C[x])(;{HEAD};B[cc];W[dd])", TWO, "empty; the first with moves"),
    (f"(;{HEAD};B[cc];W[dd])(;{HEAD};B[ee])", TWO, "more games than one"),
    (f"(;{HEAD}AB[aa])(;{HEAD};B[ee])", "", "more games than one"),
    (f"(;{HEAD};B[cc];W[dd])\n-- \nSent from my phone", TWO, ""),
    (f"<html><body><pre>\n(;{HEAD};B[cc];W[dd])\n</pre></body></html>", TWO, "text before the game"),
    ("{\\rtf1\\ansi " + f"(;{HEAD};B[cc];W[dd])" + "}", TWO, "text before the game"),
    # Game and size.
    ("(;GM[ 1 ]SZ[ 9 ]RU[Japanese]KM[ 0 ];B[cc];W[dd])", TWO, ""),
    ("(;GM[Go]SZ[9]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;GM[01]SZ[09]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[9x9]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[9:9]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[9 X 9]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[9 9]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[9.0]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[９]RU[Japanese]KM[0];B[cc];W[dd])", TWO, ""),
    ("(;SZ[]RU[Japanese]KM[0];B[cc];W[dd])", "B C17, W D16", ""),
    # Passes.
    ("(;SZ[19]RU[Japanese]KM[0];B[cc];W[tt];B[dd])", "B C17, W pass, B D16", ""),
    ("(;SZ[21]RU[Japanese]KM[0];B[cc];W[tt];B[])", "B C19, W U2, B pass", ""),
    (f"(;{HEAD};B[cc];W[PASS];B[dd])", "B C7, W pass, B D6", ""),
    (f"(;{HEAD};B[cc];W[];B[dd];W[tt])", "B C7, W pass, B D6, W pass", ""),
    # Points and set-up.
    (f"(;{HEAD};B[C3];W[d4])", "B C3, W D4", ""),
    (f"(;{HEAD};B[cc];W[dundefined];B[ee])", "B C7", "read up to there"),
    (f"(;{HEAD};B[cc];W[--])", "B C7", "read up to there"),
    (f"(;{HEAD}AB[aa:ac]AW[ca:cc];B[ee])", "B E5", ""),
    (f"(;{HEAD}AB[ac:aa]AW[cc:ca];B[ee])", "B E5", ""),
    (f"(;{HEAD}AB[aa][aa]AW[]AE[];B[ee])", "B E5", ""),
    (f"(;{HEAD}AB[A1][C3];B[ee])", "B E5", ""),
    ("(;AP[GoGui:1.4.9]SZ[9]RU[Chinese]KM[0]HA[2]AB[aa][ba][ca]AW[ga][ha]PL[W];W[cc];B[dd])", "W C7, B D6", ""),
    (f"(;{HEAD}HA[3]AB[aa][ia][ai];W[dd])", "W D6", ""),
    (f"(;{HEAD}HA[2 stones]AB[cc][gg];W[dd])", "W D6", ""),
    (f"(;{HEAD}HA[-1];B[cc];W[dd])", TWO, "no number of stones"),
    # Properties that shinpan means otherwise.
    (f"(;{HEAD}PE[none];B[cc];W[dd])", TWO, "PE[none] cannot be read. It was left out"),
    (f"(;{HEAD}LD[x];B[cc];W[dd])", TWO, "LD[x] cannot be read. It was left out"),
    (f"(;{HEAD}RX[x];B[cc];W[dd])", TWO, "It was left out"),
    (f"(;{HEAD}RO[1:2 (final)];B[cc]AG[x]RP[x];W[dd]KO[])", TWO, ""),
]
"""A record as strangers write it, its legal turns, and words of the notes; "" if there are none."""


@pytest.mark.parametrize(("sgf", "made_turns", "note"), STRANGERS, ids=range(len(STRANGERS)))
def test_strangers(sgf: str, made_turns: str, note: str) -> None:
    assert turns(read_game(sgf.encode())) == made_turns
    assert note in notes(sgf) if note else notes(sgf) == ""


NIHON_KIIN = """(
TE[第1回世界最高棋士決定戦]
RD[2025-06-12]
PC[韓国棋院]
TM[1時間]
LT[30秒]
LC[5回]
KO[黒6目半]
RE[257手完, 黒中押し勝ち]
PB[表能ソ]
BR[九段]
PW[党毅飛]
GK[1]
;B[pd];W[dp];B[cq];W[dq])
"""


def test_a_position_written_as_moves_is_no_handicap() -> None:
    text = f"(;{HEAD}{''.join(f';B[{column}{row}]' for row in 'abc' for column in 'abcdefghi')};W[ee];W[ef])"
    assert read_game(text.encode()).setup.record().handicap == 0
    assert "27 moves of Black in a row" in notes(text)


def test_the_nihon_kiins_records_are_read() -> None:
    data = NIHON_KIIN.replace("\n", "\r\n").encode("cp932")
    game = read_game(data, "japanese")
    assert turns(game) == "B Q16, W D4, B C3, W D3"
    assert (game.setup.record().komi, game.result, read_root(data)["PB"]) == (6.5, "B+R", "表能ソ")
    assert [note for note in game.notes if "Shift_JIS" not in note] == []


@pytest.mark.parametrize(("first", "free"), [("dd", "D4 Q16 Q4"), ("pp", "D4 Q16 D16"), ("dp", "Q16 D16 Q4")])
def test_handicap_stones_that_are_nowhere_lie_where_no_move_contradicts(first: str, free: str) -> None:
    game = read_game(f"(;RU[Japanese]KM[0]HA[3];W[cc];B[qq];W[{first}];B[fc])".encode())
    position = game.setup.record().position
    assert position.stones_of(Colour.BLACK) == position.board.mask(free.split()) and "refused" not in turns(game)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("PK\x03\x04\x14\x00", "an archive, no SGF; unpack it"),
        ("\x1f\x8b\x08\x00", "an archive, no SGF; unpack it"),
        ("%PDF-1.4\n", "a PDF, no SGF; give the record itself"),
        ("<!DOCTYPE html><html>404</html>", "a web page, no SGF"),
        ("()", "This is no SGF"),
        ("(;GM[2]SZ[8];B[cc])", "another game than Go"),
        ("(;GM[1]SZ[0];B[cc])", "size '0' is none"),
        ("(;GM[1]SZ[40];B[cc])", "size '40' is none"),
        ("(;GM[1]SZ[9]AB[tt];B[cc])", "beside the board, at [tt]"),
        ("(;GM[1]SZ[9]AB[aa]AW[aa];B[cc])", "a black and a white stone at A9"),
        ("(;GM[1]SZ[9];B[nowhere])", "[nowhere] is none; a point is two letters. It is in line 1."),
    ],
)
def test_what_is_no_record_is_told_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_game(text.encode("latin-1"))
    assert sentence in str(caught.value) and "\n" not in str(caught.value)


BOTH = "B A9, W B8"


@pytest.mark.parametrize(
    ("text", "made_turns", "is_noted"),
    [
        (r"C[\];B[aa];W[bb])", "W B8", False),
        (r"C[a\]b;B[aa];W[bb])", "W B8", False),
        (r"PB[\[3d\]]PW[\]x];B[aa];W[bb])", BOTH, False),
        (r"C[C:\\];B[aa];W[bb])", BOTH, False),
        (r"C[\]\]\]];B[aa];W[bb])", BOTH, False),
        (r"N[:\]];B[aa];W[bb])", BOTH, False),
        (r"PB[Foo;B[aa];W[bb])", BOTH, True),
        (r";B[aa];W[bb]C[C:\])", BOTH, True),
        (r"C[x\];B[aa]C[y\];W[bb]C[z\])", BOTH, True),
        (r"C[\:\];B[cc]];B[aa];W[bb])", BOTH, True),
    ],
)
def test_a_value_with_escaped_brackets_is_read_to_the_letter(text: str, made_turns: str, is_noted: bool) -> None:
    game = read_game(f"(;SZ[9]RU[Chinese]KM[7]{text}".encode())
    assert turns(game) == made_turns and bool(game.notes) is is_noted


@pytest.mark.parametrize("size", [5, 9, 13, 18, 19, 20])
def test_the_point_behind_the_last_is_a_pass(size: int) -> None:
    behind = "abcdefghijklmnopqrstu"[size] * 2
    game = read_game(f"(;SZ[{size}]RU[Chinese]KM[7];B[aa];W[{behind}];B[bb])".encode())
    assert ["pass" in turn for turn in turns(game).split(", ")] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "made_turns", "passes"),
    [
        (";B[cc];W[gg];;W[cg];B[gc]", "B C7, W G3, B pass, W C3, B G7", "3"),
        (";B[cc];W[gg];W[cg];B[gc];B[aa]", "B C7, W G3, B pass, W C3, B G7, W pass, B A9", "3, 6"),
        (";B[cc];W[];W[cg]", "B C7, W pass, B pass, W C3", "3"),
        (";B[cc];W[gg];;B[gc];;", "B C7, W G3, B G7", ""),
    ],
)
def test_two_moves_of_one_colour_mean_a_pass(text: str, made_turns: str, passes: str) -> None:
    game = read_game(f"(;SZ[9]RU[Japanese]KM[6.5]{text})".encode())
    assert turns(game) == made_turns
    sentence = f"One colour moves twice in a row: turn {passes} was read as a pass of the other."
    assert (sentence in game.notes) is bool(passes)


@pytest.mark.parametrize(
    ("name", "rules", "ko", "suicide", "note"),
    [
        ("chinese-kgs", "chinese", "positional", "none", "ko positional"),
        ("chinese-ogs", "chinese", "positional", "none", "ko positional"),
        ("ko:SIMPLE,score:TERRITORY", "japanese", "simple", "none", "japanese with ko simple"),
        ("koPOSITIONALscoreAREAtaxNONEsui1whb0", "chinese", "positional", "multi", "compensation none"),
        ('{"ko":"SPIGHT","score":"AREA","tax":"ALL"}', "chinese", "spight-situational", "none", "tax on groups"),
        ("stone-scoring", "chinese", "simple", "none", "tax on groups"),
        ("ancient-territory", "japanese", "simple", "none", "tax on groups"),
        ("aga-button", "aga", "situational", "none", "button"),
        ("NEW_ZEALAND", "new-zealand", "situational", "any", ""),
        ("日韩规则", "japanese", "simple", "none", ""),
        ("Japanese (byo-yomi)", "japanese", "simple", "none", ""),
        ("Area", "chinese", "simple", "none", "chinese"),
    ],
)
def test_names_of_rules_mean_ko_and_suicide(name: str, rules: str, ko: str, suicide: str, note: str) -> None:
    game = read_game(f"(;SZ[9]RU[{name}]KM[0];B[cc])".encode())
    read = game.setup.rules
    assert (read.name, read.ko.name, read.suicide.name) == (rules, ko, suicide)
    assert any(note in one for one in game.notes) if note else game.notes == ()


def test_turns_are_counted_without_being_read() -> None:
    record = b"(;FF[4]AB[aa][bb]PB[B[x\\]]C[;B[aa\\];W[bb\\]]BL[20]\n;B[cc]WL[3]C[W[\\]];W[];KO[]\nB[dd])"
    assert count_turns(record) == 3 == len(read_game(record).acts)
