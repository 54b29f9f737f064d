"""The sentences in German and Japanese: whole, with one term for each thing, joined as each language is written; and
all that clocks, counts, rulings and the director's acts make the box say is in the catalogues."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given

from device.table.director import TIME_ACTS
from referee.game.board import Colour, Position, board_of
from referee.game.errors import BadCount
from referee.game.messages import Duration, Listing, Message, Stones, Value, message, name_points
from referee.score import area, expedited, fill_in, territory
from referee.time.controls import read_control
from referee.time.timekeeping import handle_step
from tests.support import sentences
from tests.support.device.directed import DirectedTable
from tests.support.referee.positions import random_divided_rows, record_of
from tests.support.referee.time_schedules import random_schedule
from tests.support.scripts import SCRIPT, SCRIPTS, UNLATIN, english_in
from tests.support.tiers import examples, sample, seeds
from tests.support.web.public import BOARD as BOARD_NEWS
from tests.support.web.public import news, room_of
from tests.support.web.snapshots import (
    box,
    counted_table,
    fallen,
    passed_out,
    proposed_table,
    resigned_table,
    running,
    superko,
    take_snapshot,
    ultimate_game,
    unfinished_table,
)
from web.app import create_app
from web.director.views import STEPS
from web.gallery.app import create_gallery_app
from web.language import ENGLISH, find_translator
from web.language_traits import CODES
from web.page.model import PageModel

B, W = Colour.BLACK, Colour.WHITE
TONGUES = {code: find_translator(code) for code in CODES[1:]}
GERMAN = TONGUES["de"]
LANGUAGES = pytest.mark.parametrize("code", TONGUES)
GAMES = pytest.mark.parametrize(
    "game",
    [
        running,
        passed_out,
        proposed_table,
        counted_table,
        fallen,
        superko,
        unfinished_table,
        resigned_table,
        ultimate_game,
    ],
)
BOARD = board_of(7)
NAMES = {language("language") for language in (ENGLISH, *TONGUES.values())}
"""What the languages call themselves."""
TERMS = {
    r"prisoners?": "アゲハマ",
    r"lids?": "蓋",
    r"director": "審判長",
    r"cameras?": "カメラ",
    r"komi": "コミ",
    r"seki": "セキ",
    r"dame": "ダメ",
    r"ko": "コウ",
    r"superko": "スーパーコウ|同形反復",
    r"suicide": "自殺手",
    r"dead": "死に石",
    r"a draw|is drawn": "持碁",
    r"void": "無勝負",
    r"pass(es|ed)?": "パス",
    r"resign(s|ed|ing)?": "投了",
    r"by resignation": "中押し勝ち",
    r"proposes? to score": "整地",
    r"[Uu]ltimate (stone|prisoner)": "究極",
    r"handicap": "置き石|置き碁",
    r"overtime": "秒読み",
    r"journal": "対局記録",
    r"game record": "棋譜",
    r"rulings?": "判定|裁定",
    r"paused?": "中断|止ま|止め|pause",
}
"""The one Japanese term for each of these English ones."""
NEVER = {
    "de": {
        r"Lesung|falsch gelesen": "Erkennung, falsch erkannt",
        r"[Ee]ntscheide?s?\b": "Entscheidung",
        r"[Uu]nentschieden|Jigo": "Remis",
        r"Turnierleitung|\b(die|der) Leitung": "Spielleitung",
        r"Journal|Logbuch": "Protokoll (of a match), Log (of the box)",
        r"Spielbericht": "Partieaufzeichnung",
        r"Kreislauf": "Zyklus",
        r"(Sieg|Verlust|gewinnt) nach Zeit": "auf Zeit",
        r"[Uu]nterschr": "Signatur, signiert",
        r"Platte\b": "Datenträger",
        r"statt dessen|[Zz]ur Zeit\b": "stattdessen, zurzeit",
        r"Kamera gibt\b|gibt (aber )?keine (brauchbaren )?Bilder": "liefert",
        r"\b([Dd]u|[Dd]ich|[Dd]ir|[Dd]einen?|[Ii]hr (seid|habt|zustimmt)|[Ss]eid|[Ee]uch)\b": "nobody is addressed so",
        r"(?<![.:!?] )(?<!^)\bBeide\b": "beide",
    },
    "ja": dict.fromkeys(
        (
            "立会人",
            "審判機",
            "主張",
            "引き分け",
            "捕虜",
            "囚人",
            "劫",
            "死石",
            "フタ",
            "プレイヤー",
            "ターン",
            "ジャッジ",
        ),
        "another word for a thing that has one, or one that no Go player uses",
    ),
    "ko": dict.fromkeys(
        (
            "포로|보류|뜨거운 돌|그려진",
            "투료",
            "코미|세키|다메",
            "플레이어|턴",
            "하십시오",
            "휴대전화|스마트폰",
        ),
        "another word for a thing that has one",
    )
    | {
        "심판(?!장| 기기| 프로그램|을 볼)": "심판장 for the director",
        r"\}(은|는|이|가|을|를|과|와|으로|로)(?![가-힣])": "both forms of the particle: {player}(은/는)",
    },
    "zh-Hant": dict.fromkeys(
        (
            "攝像頭|屏幕|文件夾|服務器|軟件|硬盤|網絡|鼠標|打印|登錄|芯片|質量",
            "停一手|停一著",
            "棄子|俘虜|死石",
            "延手|點算|購時|試演|繪製的",
            "[时对开关过这们个]",
        ),
        "a word or a character of the mainland, or another word for a thing that has one",
    ),
    "zh-Hans": dict.fromkeys(
        (
            "摄影机|荧幕|资料夹|伺服器|软体|硬碟|网路|滑鼠|列印|登入|晶片|程式",
            "停一手|停一着",
            "俘虏|死石",
            "延手|点算|购时|灯号|绘制的",
            "[時對開關過這們個]",
        ),
        "a word or a character of Taiwan, or another word for a thing that has one",
    ),
}
"""Patterns that must not come back, and what is said instead."""


@cache
def texts(code: str) -> dict[str, str]:
    """The texts of a language by key; the forms for one and for several are joined."""
    return {key: "\n".join(forms) for key, forms in sentences.texts(code).items()}


def bare(text: str) -> str:
    """Return a text without its slots."""
    return re.sub(r"\{[^}]*\}", "", text)


def unknown(messages: Iterable[Message]) -> set[Message]:
    """Find the messages that stay English."""
    return {one for one in messages if "plain" in keys(one)}


def keys(argument: Value) -> Iterator[str]:
    """Yield the keys of a message and of every message inside it."""
    match argument:
        case Message(key, args, then):
            yield key
            for inner in (*(value for _, value in args), *then):
                yield from keys(inner)
        case Listing(values):
            for inner in values:
                yield from keys(inner)


# Sentences


@pytest.mark.parametrize(
    ("code", "said", "sentence"),
    [
        (
            "de",
            message(
                "start.missing",
                parts=Listing(
                    (
                        message("start.put-in", stones=Stones(1, W), player=B),
                        message("start.take-out", stones=Stones(3, B), player=W),
                    )
                ),
            ),
            "Vor dem ersten Zug bitte einen weißen Stein in den Deckel von Schwarz legen und 3 schwarze Steine aus dem "
            "Deckel von Weiß nehmen.",
        ),
        (
            "de",
            message(
                "count.proposed", player=B, other=W, named=message("count.dead", points=name_points(BOARD, range(9)))
            ),
            "Schwarz schlägt das Auszählen vor und nennt A7, B7, C7, D7, E7, F7, G7, A6 und 1 weiteren Punkt als tot. "
            "Weiß stimmt zu, lehnt ab oder ändert.",
        ),
        (
            "de",
            message("lids.wrong", lids=message("lid.too-few", player=W, stones=Stones(2))),
            "Im Deckel von Weiß 2 Steine zu wenig. Bitte richtigstellen.",
        ),
        (
            "de",
            message("unexplained.gone", stone=B, point="D4"),
            "Der schwarze Stein auf D4 ist weg, aber kein Zug hat ihn geschlagen: bitte zurückstellen.",
        ),
        ("de", message("complete", turn=3) + message("legal.pass", player=B), "Zug 3 ist vollständig. Schwarz passte."),
        (
            "ja",
            message(
                "start.missing",
                parts=Listing(
                    (
                        message("start.put-in", stones=Stones(1, W), player=B),
                        message("start.take-out", stones=Stones(3, B), player=W),
                    )
                ),
            ),
            "初手の前に、黒の蓋に白石1子を入れて、白の蓋から黒石3子を出してください。",
        ),
        (
            "ja",
            message(
                "count.proposed", player=B, other=W, named=message("count.dead", points=name_points(BOARD, range(9)))
            ),
            "黒が整地を提案し、A7、B7、C7、D7、E7、F7、G7、A6とほか1か所を死に石と指定しました。"
            "白は「同意」「不同意」「修正」のどれかで答えてください。",
        ),
        (
            "ja",
            message("lids.wrong", lids=Listing((message("lid.too-few", player=W, stones=Stones(2, B)),))),
            "白の蓋は黒石2子が不足です。直してください。",
        ),
        (
            "ja",
            message("unexplained.gone", stone=B, point="D4"),
            "D4の黒石がなくなりましたが、取った手がありません。戻してください。",
        ),
        (
            "ja",
            message("complete", turn=3) + message("legal.pass", player=B),
            "3手目が完了しました。黒がパスしました。",
        ),
        (
            "ja",
            message("can", player=W, acts=Listing(tuple(message(f"can.{act}") for act in ("place", "pass", "resign")))),
            "白は石を打つ、パスする、または投了することができます。",
        ),
        (
            "ja",
            message(
                "order.player",
                player=W,
                parts=Listing(
                    (
                        message("order.off", points=name_points(BOARD, [5])),
                        message("order.on", n=2, stone=B, points=name_points(BOARD, [9, 10])),
                    )
                ),
            ),
            "白：F7の石を取り上げて、C6とD6に黒石を戻してください。",
        ),
        ("ja", message("score.tied-first", players=Listing((B, W))), "黒と白が同点で1位です。"),
        (
            "ko",
            message("unexplained.gone", stone=B, point="D4"),
            "D4의 흑돌이 없어졌지만, 따낸 수가 없습니다. 되돌려 놓으세요.",
        ),
        (
            "ko",
            message(
                "count.proposed", player=B, other=W, named=message("count.dead", points=name_points(BOARD, range(9)))
            ),
            "흑이 계가를 제안합니다: 사석 A7, B7, C7, D7, E7, F7, G7, A6, 그 밖 1곳. "
            "백은 동의, 거절, 수정 중 하나로 대답하세요.",
        ),
        ("ko", message("score.dame", player=Colour.VIOLET, point="C3"), "보라가 공배 C3을 메웁니다."),
        ("ko", message("score.dame", player=Colour.RED, point="C2"), "빨강이 공배 C2를 메웁니다."),
    ],
)
def test_a_sentence(code: str, said: Message, sentence: str) -> None:
    assert TONGUES[code].sentence(said) == sentence


@pytest.mark.parametrize(
    ("ms", "german", "japanese"),
    [
        (0, "0 Sekunden", "0秒"),
        (1000, "1 Sekunde", "1秒"),
        (90_500, "1 Minute 30,5 Sekunden", "1分30.5秒"),
        (5_400_000, "90 Minuten", "90分"),
        (12_600_000, "3 Stunden 30 Minuten", "3時間30分"),
    ],
)
def test_lengths_of_time(ms: int, german: str, japanese: str) -> None:
    assert [TONGUES[code].value(Duration(ms)) for code in ("de", "ja")] == [german, japanese]


@pytest.mark.parametrize(
    ("code", "control", "sentence"),
    [
        ("de", "45m", "Jede Seite hat 45 Minuten für die ganze Partie und verliert, wenn die Zeit um ist."),
        ("de", "30m+1/5m", "Jede Seite hat 30 Minuten, danach 5 Minuten für jeden Zug."),
        ("de", "30m+20/5m", "Jede Seite hat 30 Minuten, danach 5 Minuten für je 20 Züge."),
        ("ja", "45m", "持ち時間は各45分の切れ負けです。"),
        ("ja", "30m+20/5m", "持ち時間は各30分、その後は5分以内に20手ずつ打ちます。"),
        (
            "ja",
            "30m+5x30s",
            "持ち時間は各30分、その後は1手30秒の秒読みが5回です。秒読みの時間内に打てば回数は減りません。"
            "最後の1回を使い切ると負けです。",
        ),
    ],
)
def test_time_controls(code: str, control: str, sentence: str) -> None:
    assert TONGUES[code].sentence(read_control(control).describe_fully()) == sentence


@LANGUAGES
def test_a_word_that_stays_out(code: str) -> None:
    words = [
        (key, right)
        for word, right in NEVER.get(code, {}).items()
        for key, text in texts(code).items()
        if re.search(word, text, re.MULTILINE)
    ]
    assert words == []


def test_a_key_or_a_value_that_is_missing_is_an_error() -> None:
    with pytest.raises(KeyError):
        GERMAN.sentence(message("no.such.key"))
    with pytest.raises(KeyError):
        GERMAN.sentence(message("legal.pass"))
    with pytest.raises(KeyError):
        GERMAN.sentence(message("lift", points="D4", n=1) + message("hidden"))


# Japanese


@pytest.mark.parametrize("code", UNLATIN)
def test_nothing_is_left_in_english(code: str) -> None:
    own = texts(code)
    words = {key: english_in(bare(text)) for key, text in own.items() if key != "desk.control.hint"}
    assert {key: english_words for key, english_words in words.items() if english_words} == {}
    latin_alone = {key for key, text in own.items() if not re.search(SCRIPTS, text)}
    assert {key for key in latin_alone if re.search("[A-Za-z]", bare(own[key]))} <= {"title", "phone.figures"}


@pytest.mark.parametrize(("english", "japanese"), TERMS.items())
def test_each_thing_has_one_term(english: str, japanese: str) -> None:
    of_it = [key for key, text in texts("en").items() if re.search(rf"\b({english})\b", bare(text))]
    of_it = [key for key in of_it if not key.startswith("journal.") and key != "count.press-waits"]
    assert of_it and [key for key in of_it if not re.search(japanese, texts("ja")[key])] == []


def test_sentences_are_polite_and_end_as_japanese_does() -> None:
    whole = {key: text for key, text in texts("ja").items() if texts("en")[key].endswith(".")}
    assert [key for key, text in whole.items() if not text.endswith(("。", "？"))] == []
    plain = re.compile(r"(?<!で)(?<!ま)(?<!ませ)(だ|する|なる|ある|ない|れる|した|った)。")
    assert [key for key, text in texts("ja").items() if plain.search(re.sub("ました|でした", "です", text))] == []


def test_stops_and_brackets_are_japanese() -> None:
    mixed = re.compile(f"[{SCRIPT}}}][,;:!?()]|[,;:!?()][{SCRIPT}]")
    assert [key for key, text in texts("ja").items() if mixed.search(text)] == []


def test_a_button_stands_in_brackets() -> None:
    named = re.compile(r"(?<![「A-Za-z/.-])(DONE|CALL|PAUSE|SCORE)(?![」A-Za-z/.-])")
    assert [key for key, text in texts("ja").items() if named.search(bare(text))] == []


def test_a_number_of_things_is_said() -> None:
    """There is one form for any number, so it names the number where the English forms do."""
    spoken = {key for key, forms in sentences.texts("en").items() if len(forms) > 1 and "{n}" in forms[1]}
    assert spoken - {key for key, text in texts("ja").items() if "{n}" in text} == set()


# What is said of time and of counts


def test_all_that_is_said_of_time_is_in_the_catalogues():
    messages = set[Message]()
    for seed in range(60):
        now, steps = random_schedule(seed)
        for step in steps:
            now, answers = handle_step(now, step)
            messages |= {answer.message for answer in answers}
    assert len(messages) > 100 and unknown(messages) == set()
    assert all(language.sentence(one) for language in TONGUES.values() for one in messages)


def random_position(chance: random.Random) -> Position:
    board = board_of(7)
    kinds = [chance.choice("XO..") for _ in range(board.points)]
    black, white = (sum(1 << point for point, kind in enumerate(kinds) if kind == wanted) for wanted in "XO")
    return Position(board, (black, white))


@pytest.mark.parametrize("seed", seeds(8, 100))
def test_every_sentence_of_a_count_is_in_the_catalogues(seed):
    chance = random.Random(seed)
    position, dead = random_position(chance), 0
    for _ in range(chance.randint(0, 3)):
        dead |= position.chain_at(chance.randrange(position.board.points))
    to_white = chance.choice([0, 0.5, 3, 7.5, 40])
    supplies = chance.choice([None, (chance.randint(0, 24), chance.randint(0, 24))])
    counts = [
        area.count(position, dead, to_white),
        territory.count(position, (chance.randint(0, 2), 1), dead, 0, to_white),
        fill_in.count(position, dead, to_white, W, supplies),
    ]
    messages = [step.message for count in counts for step in count.steps]
    assert messages and all(language.sentence(one) for language in TONGUES.values() for one in messages)


@pytest.mark.slow
@examples(3, 100)
@given(rows=random_divided_rows(dame=True))
def test_all_that_is_said_of_an_expedited_count_is_in_the_catalogues(rows):
    with suppress(BadCount):
        count = expedited.count(record_of(rows, B, W))
        messages = [*(step.message for step in count.steps), *count.remarks]
        assert all(language.sentence(one) for language in TONGUES.values() for one in messages)


# What the pages show


@LANGUAGES
@GAMES
def test_a_whole_page_is_in_the_language(game, code):
    view = PageModel(take_snapshot(game()), TONGUES[code])
    sentences = [*view.act_sentences, *view.faults, *(step.sentence for step in view.count), *view.headline.reasons]
    assert [one for one in sentences if one.lang] == []


@pytest.mark.parametrize(("game", "code"), sample([(game, code) for game in GAMES.args[1] for code in UNLATIN], 9))
def test_no_english_is_left_on_a_page(game, code):
    page = create_app(box(game()).backend).test_client().get(f"/?lang={code}").get_data(as_text=True)
    body = page[page.index("<main") : page.index("</main>")]
    assert f'lang="{code}"' in page and english_in(" ".join(re.findall(r">([^<>]+)<", body))) == []
    assert TONGUES[code].space or not re.search(r"[A-T][0-9]+, ", body)


@pytest.mark.parametrize("address", ["/wall", "/wall?overlay", "/games", "/lamps", "/sheet"])
@pytest.mark.parametrize("code", sample(UNLATIN, 2))
def test_no_english_is_left_on_the_other_pages(address: str, code: str) -> None:
    client = create_app(box(proposed_table()).backend).test_client()
    client.get(f"/?lang={code}")
    check_no_english(client.get(address).get_data(as_text=True), code)


@pytest.mark.parametrize("code", sample(UNLATIN, 2))
def test_no_english_is_left_where_a_name_is_removed(tmp_path, code):
    table = DirectedTable(tmp_path)
    client, headers = table.inside()
    client.get(f"/?lang={code}")
    answer = client.post("/director/forget", json={"act": "find", "name": "武宮"}, headers=headers)
    pages = [client.get(f"/director/forget{part}").get_data(as_text=True) for part in ("", "/now")]
    table.close()
    assert answer.status_code == 200
    check_no_english(pages[0], code)
    assert english_in(" ".join(re.findall(r">([^<>]+)<", pages[1]))) == []


@pytest.mark.parametrize("address", ["", "tv", "table/7"])
@pytest.mark.parametrize("code", sample(UNLATIN, 2))
def test_no_english_is_left_in_the_gallery(address: str, code: str) -> None:
    client = create_gallery_app(room_of(news(1, BOARD_NEWS))).test_client()
    check_no_english(client.get(f"/{code}/{address}").get_data(as_text=True).replace("Spring Cup", ""), code)


def check_no_english(page: str, code: str) -> None:
    """Check that a page is in this language, but for the names of others."""
    body = re.sub("(?s)<(script|style).*?</\\1>", "", page[page.index("<body") :])
    texts = re.findall(r">([^<>]+)<", body)
    assert f'lang="{code}"' in page and re.search(SCRIPTS, "".join(texts))
    assert [word for word in english_in(" ".join(texts)) if word not in NAMES] == []


def test_a_count_and_a_fault_are_told_in_german():
    shown_box = box(counted_table(), faults=(message("camera.silent"),))
    page = create_app(shown_box.backend).test_client().get("/?lang=de").get_data(as_text=True)
    for sentence in ("Weiß startet die Uhr. Schwarz ist am Zug.", "Weiß gewinnt mit 12,5 Punkten."):
        assert sentence in page
    assert [fault.text[:18] for fault in PageModel(shown_box.now, find_translator("de")).faults] == [
        "Die Kamera liefert"
    ]
    assert 'lang="en"' not in page[page.index("<main") : page.index("</main>")]


def test_what_the_director_does_is_in_the_catalogues(tmp_path):
    table = DirectedTable(tmp_path, "chinese", "10m+3x30s")
    for act, fields in (
        ("enter", {"player": "B", "turn": "place", "point": "C3", "why": "the camera was covered"}),
        ("take-back", {"turns": 1, "why": "it was D3"}),
        ("pause", {"why": "rain"}),
        ("resume", {}),
        ("report", {"result": "B+3", "why": "counted. By hand."}),
        ("verify", {}),
        ("remark", {"why": "lunch at one"}),
        ("set-up", {"black": "Ōta", "white": "Li", "rules": "japanese", "control": "45m"}),
    ):
        table.act(act, **fields)
        game = table.now.game
        notice = {table.now.notice} if table.now.notice else set()
        assert unknown({one.message for one in (*game.answers, *game.rulings)} | notice) == set()
    table.close()


def test_the_desk_offers_every_act_about_time():
    offered = [act for _, acts in STEPS for act, _ in acts]
    assert len(offered) == len(TIME_ACTS) and set(offered) == set(TIME_ACTS)
