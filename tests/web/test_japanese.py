"""The Japanese sentences: whole, polite, with one term for each thing, and joined as Japanese is written."""

from __future__ import annotations

import re

import pytest

from referee.board import Colour, board_of
from referee.messages import Duration, Listing, Message, Stones, message, points
from referee.time.controls import read_control
from tests.support import sentences
from tests.support.web.showings import (
    box,
    counted,
    fallen,
    passed_out,
    proposed,
    resigned,
    running,
    showing,
    superko,
    ultimate_game,
    unfinished,
)
from web.app import create_app
from web.language import tongue
from web.view import view_of

B, W = Colour.BLACK, Colour.WHITE
JAPANESE = tongue("ja")
BOARD = board_of(7)
ENGLISH, TEXTS = ({key: " ".join(forms) for key, forms in sentences.texts(code).items()} for code in ("en", "ja"))
SCRIPT = "ぁ-んァ-ヶー一-龠"
"""Kana and kanji."""
LATIN = re.compile(
    "[A-T][0-9]+|shinpan|JavaScript|PIN|SGF|SVG|PDF|cairosvg|ZIP|JSON|QR|OBS|kB|Raspberry|Pi|AGA|Kee|Spight|Ultimate|Fundamental|Go|Tab|"
    "Shift|done|call|pause|score|Void|GET|games?|page|names|status|json|sgf|area|ing|ultimate|rules|NAME|new|camera|pin|verify|"
    "apt|install|python3|lgpio|evdev|Debian|OS|pip|keys|panel|learn|input|video|USB|pyserial|serial|lights|MJPEG|RTSP|LAN|PASSWORD|"
    "SPI|spidev|rim|spi|kind|edges|steps|top|right|"
    "picamera2?|system|site|packages|sudo|usermod|aG|USER|application|espeak|ng|alsa|utils|aplay|JTalk|Open|docs|voice|md|WAV|get|L"
)
"""Names, points, and what is typed, pressed or read as it stands."""
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
"""What English calls so has this one term in Japanese."""
NEVER = (
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
)
"""Other words for the same things, and such as no Go player uses."""


def bare(text: str) -> str:
    """A text without what it speaks of."""
    return re.sub(r"\{[^}]*\}", "", text)


def english_in(text: str) -> list[str]:
    """The words in Latin letters that are no names and not to be typed."""
    return [word for word in re.findall(r"[A-Za-z][A-Za-z0-9]+", text) if not LATIN.fullmatch(word)]


def test_nothing_is_left_in_english() -> None:
    words = {key: english_in(bare(text)) for key, text in TEXTS.items() if key != "desk.control.hint"}
    assert {key: found for key, found in words.items() if found} == {}
    latin_alone = {key for key, text in TEXTS.items() if not re.search(f"[{SCRIPT}]", text)}
    assert {key for key in latin_alone if re.search("[A-Za-z]", bare(TEXTS[key]))} == {"title"}


@pytest.mark.parametrize(("english", "japanese"), TERMS.items())
def test_each_thing_has_one_term(english: str, japanese: str) -> None:
    of_it = [key for key, text in ENGLISH.items() if re.search(rf"\b({english})\b", bare(text))]
    of_it = [key for key in of_it if not key.startswith("journal.") and key != "count.press-waits"]
    assert of_it and [key for key in of_it if not re.search(japanese, TEXTS[key])] == []


@pytest.mark.parametrize("word", NEVER)
def test_a_word_that_stays_out(word: str) -> None:
    assert [key for key, text in TEXTS.items() if word in text] == []


def test_sentences_are_polite_and_end_as_japanese_does() -> None:
    whole = {key: text for key, text in TEXTS.items() if ENGLISH[key].endswith(".")}
    assert [key for key, text in whole.items() if not text.endswith(("。", "？"))] == []
    plain = re.compile(r"(?<!で)(?<!ま)(?<!ませ)(だ|する|なる|ある|ない|れる|した|った)。")
    assert [key for key, text in TEXTS.items() if plain.search(re.sub("ました|でした", "です", text))] == []


def test_stops_and_brackets_are_japanese() -> None:
    assert [key for key, text in TEXTS.items() if re.search(f"[{SCRIPT}}}][,;:!?()]|[,;:!?()][{SCRIPT}]", text)] == []


def test_a_button_stands_in_brackets() -> None:
    named = re.compile(r"(?<![「A-Za-z/.-])(done|call|pause|score)(?![」A-Za-z/.-])")
    assert [key for key, text in TEXTS.items() if named.search(bare(text))] == []


def test_a_number_of_things_is_said() -> None:
    """There is one form for any number, so it names the number where the English forms do."""
    spoken = {key for key, forms in sentences.texts("en").items() if len(forms) > 1 and "{n}" in forms[1]}
    assert spoken - {key for key, text in TEXTS.items() if "{n}" in text} == {"page.barred-short"}


@pytest.mark.parametrize(
    ("said", "japanese"),
    [
        (
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
            message("count.proposed", player=B, other=W, named=message("count.dead", points=points(BOARD, range(9)))),
            "黒が整地を提案し、A7、B7、C7、D7、E7、F7、G7、A6とほか1か所を死に石と指定しました。"
            "白は「同意」「不同意」「修正」のどれかで答えてください。",
        ),
        (
            message("lids.wrong", lids=Listing((message("lid.too-few", player=W, stones=Stones(2, B)),))),
            "白の蓋は黒石2子が不足です。直してください。",
        ),
        (
            message("unexplained.gone", stone=B, point="D4"),
            "D4の黒石がなくなりましたが、取った手がありません。戻してください。",
        ),
        (message("complete", turn=3) + message("legal.pass", player=B), "3手目が完了しました。黒がパスしました。"),
        (
            message("can", player=W, acts=Listing(tuple(message(f"can.{act}") for act in ("place", "pass", "resign")))),
            "白は石を打つ、パスする、または投了することができます。",
        ),
        (
            message(
                "order.player",
                player=W,
                parts=Listing(
                    (
                        message("order.off", points=points(BOARD, [5])),
                        message("order.on", stone=B, points=points(BOARD, [9, 10])),
                    )
                ),
            ),
            "白：F7の石を取り上げて、C6とD6に黒石を戻してください。",
        ),
        (message("score.tied-first", players=Listing((B, W))), "黒と白が同点で1位です。"),
    ],
)
def test_sentences_in_japanese(said: Message, japanese: str) -> None:
    assert JAPANESE.sentence(said) == japanese


@pytest.mark.parametrize(
    ("ms", "words"), [(0, "0秒"), (90_500, "1分30.5秒"), (5_400_000, "90分"), (12_600_000, "3時間30分")]
)
def test_lengths_of_time(ms: int, words: str) -> None:
    assert JAPANESE.value(Duration(ms)) == words


@pytest.mark.parametrize(
    ("control", "japanese"),
    [
        ("45m", "持ち時間は各45分の切れ負けです。"),
        ("30m+20/5m", "持ち時間は各30分、その後は5分以内に20手ずつ打ちます。"),
        (
            "30m+5x30s",
            "持ち時間は各30分、その後は1手30秒の秒読みが5回です。秒読みの時間内に打てば回数は減りません。"
            "最後の1回を使い切ると負けです。",
        ),
    ],
)
def test_time_controls_in_japanese(control: str, japanese: str) -> None:
    assert JAPANESE.sentence(read_control(control).words()) == japanese


@pytest.mark.parametrize(
    "made", [running, passed_out, proposed, counted, fallen, superko, unfinished, resigned, ultimate_game]
)
def test_a_whole_page_is_japanese(made) -> None:
    view = view_of(showing(made()), JAPANESE)
    told = [*view.said, *view.faults, *(step.told for step in view.count), *view.headline.reasons]
    assert [one for one in told if one.lang] == []
    page = create_app(box(made()).desk).test_client().get("/?lang=ja").get_data(as_text=True)
    body = page[page.index("<main") : page.index("</main>")]
    assert 'lang="ja"' in page and english_in(" ".join(re.findall(r">([^<>]+)<", body))) == []
    assert not re.search(r"[A-T][0-9]+, ", body)


@pytest.mark.parametrize("address", ["/wall", "/wall?overlay", "/games"])
def test_the_other_pages_are_japanese(address: str) -> None:
    client = create_app(box(superko()).desk).test_client()
    client.get("/?lang=ja")
    page = client.get(address).get_data(as_text=True)
    body = re.sub("(?s)<(script|style).*?</\\1>", "", page[page.index("<body") :])
    found = re.findall(r">([^<>]+)<", body)
    assert 'lang="ja"' in page and re.search(f"[{SCRIPT}]", "".join(found))
    assert [word for word in english_in(" ".join(found)) if word not in ("English", "Deutsch")] == []
