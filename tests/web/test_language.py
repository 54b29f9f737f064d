"""The page in every language: no text is missing, none is left over, and values stand where they are given."""

from __future__ import annotations

from dataclasses import replace

import pytest

from referee.game.board import Colour
from referee.game.messages import message, plain_message
from referee.rules.sets import RULESETS
from referee.time.controls import read_control
from tests.support.referee.table import PlayedTable
from tests.support.sentences import texts
from tests.support.web.snapshots import box, resigned_table, superko, take_snapshot, ultimate_game, unfinished_table
from web.app import create_app
from web.language import choose_translator, find_translator
from web.language_traits import CODES, read_traits
from web.page.headline import headline_of
from web.page.labels import LocalisedText
from web.page.model import PageModel


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ((None, "de"), "de"),
        (("de-CH",), "de"),
        (("fr", "DE"), "de"),
        (("ja-JP", "en"), "ja"),
        (("xx",), "en"),
        ((), "en"),
        (("", None), "en"),
    ],
)
def test_the_first_language_that_is_spoken(wanted, code):
    assert choose_translator(wanted).code == code


@pytest.mark.parametrize(
    ("game", "headline", "text"),
    [
        (ultimate_game, "Weiß ist am Zug: setzen, dann DONE drücken.", "Schwarz spielte E4."),
        (
            superko,
            "Schwarz: C8 wegnehmen und Weiß auf B8 zurückstellen.",
            "Schwarz darf nicht auf C8 spielen. Das Brett wäre wieder wie vor dem ersten Zug. "
            "Bitte den Stein zurücknehmen und die geschlagenen Steine wieder aufs Brett stellen.",
        ),
        (
            unfinished_table,
            "Schwarz: C7 und D7 wegnehmen.",
            "Schwarz spielte E7: bitte die geschlagenen Steine auf C7 und D7 abnehmen.",
        ),
        (
            resigned_table,
            "Schwarz gewinnt durch Aufgabe. Beide werden um Zustimmung gebeten.",
            "Weiß gab auf. Das Ergebnis ist B+R.",
        ),
    ],
)
def test_a_game_in_german(game, headline, text):
    snapshot, german = take_snapshot(game()), find_translator("de")
    view = PageModel(snapshot, german)
    assert headline_of(snapshot, german).text == headline
    assert view.finding is not None and view.finding.text == text


def test_what_is_not_known_in_german_stays_as_it_was_said():
    snapshot, german = take_snapshot(ultimate_game()), find_translator("de")
    ruling = replace(snapshot.game.rulings[-1], message=plain_message("Something new."))
    game = replace(snapshot.game, rulings=(*snapshot.game.rulings[:-1], ruling))
    view = PageModel(
        replace(snapshot, game=game, notice=plain_message("Something else."), faults=(plain_message("A cable."),)),
        german,
    )
    assert view.finding is not None and view.finding.text == "Something new."
    assert LocalisedText("Something else.", "en") in view.headline.reasons and view.faults == (
        LocalisedText("A cable.", "en"),
    )


@pytest.mark.parametrize(
    ("code", "label"), [("en", "Illegal: superko"), ("de", "Verboten: Superko"), ("ja", "禁じ手：スーパーコウ")]
)
def test_the_reason_of_a_refusal_is_said_in_the_reader_s_language(code, label):
    finding = PageModel(take_snapshot(superko()), find_translator(code)).finding
    assert finding is not None and finding.label == label


def test_the_reader_chooses_and_the_page_remembers():
    client = create_app(box(ultimate_game()).backend).test_client()
    assert "White: play" in client.get("/").get_data(as_text=True)
    assert "Weiß ist am Zug" in client.get("/", headers={"Accept-Language": "de-AT,en;q=0.5"}).get_data(as_text=True)
    chosen = client.get("/?lang=de")
    assert "HttpOnly" in chosen.headers["Set-Cookie"]
    for address, text in (("/", 'lang="de"'), ("/board.svg", "Go-Brett"), ("/games", "Frühere Partien")):
        assert text in client.get(address).get_data(as_text=True)
    for address, text in (("/?lang=ja", "白の手番："), ("/board.svg", "碁盤、9×9路"), ("/games", "これまでの対局")):
        assert text in client.get(address).get_data(as_text=True)
    assert "White: play" in client.get("/?lang=en").get_data(as_text=True)


def test_other_programs_are_told_in_english():
    client = create_app(box(ultimate_game()).backend).test_client()
    status = client.get("/status.json", headers={"Accept-Language": "de"}).get_json()
    assert status["headline"] == "White: play, then press DONE."


@pytest.mark.parametrize(
    ("code", "draw", "void"),
    [
        ("en", "Black confirms the result: a draw.", "Black confirms the result: void."),
        ("de", "Schwarz bestätigt das Ergebnis Remis.", "Schwarz bestätigt das Ergebnis ungültig."),
        ("ja", "黒が結果「持碁」を確認しました。", "黒が結果「無勝負」を確認しました。"),
    ],
)
def test_a_draw_is_a_word_and_no_nought(code, draw, void):
    say = find_translator(code)
    assert [say("time.verifies", player=Colour.BLACK, result=one) for one in ("0", "Void")] == [draw, void]
    assert say.outcome("0") == say("label.draw") and say.in_sentence("B 5, W 2") == "B 5, W 2"


RESULTS = {
    "en": ("B+R", "W+3.5", "B+0.5", "Result W+T"),
    "de": ("B+R", "W+3,5", "B+0,5", "Ergebnis W+T"),
    "ja": ("黒の中押し勝ち", "白の3.5目勝ち", "黒の半目勝ち", "結果 白の時間切れ勝ち"),
    "zh-Hant": ("黑方中盤勝", "白方勝 3.5 目", "黑方勝半目", "結果 白方超時勝"),
    "zh-Hans": ("黑方中盘胜", "白方胜 3.5 目", "黑方胜半目", "结果 白方超时胜"),
    "ko": ("흑 불계승", "백 3.5집승", "흑 반집승", "결과 백 시간승"),
}


@pytest.mark.parametrize("code", CODES)
def test_results_are_read_as_people_there_write_them(code):
    say, (resigned, points, half, label) = find_translator(code), RESULTS[code]
    assert [say.outcome(one) for one in ("B+R", "W+3.5", "B+0.5")] == [resigned, points, half]
    assert say("label.result", result="W+T") == label
    patterns = say.outcome_patterns()
    assert patterns["W+#"].replace("#", say.value(3.5)) == points and patterns["B+0.5"] == half


CONTROLS = {
    "en": ("30 minutes + 5 × 30 seconds byo-yomi", "10 minutes + 15 seconds a turn", "45 minutes for the whole game"),
    "de": (
        "30 Minuten + 5 × 30 Sekunden Byo-yomi",
        "10 Minuten + 15 Sekunden je Zug",
        "45 Minuten für die ganze Partie",
    ),
    "ja": ("30分＋秒読み30秒×5回", "10分＋1手15秒加算", "45分切れ負け"),
    "zh-Hant": ("每方30分鐘＋讀秒30秒 5 次", "每方10分鐘＋每手15秒", "每方45分鐘，無讀秒"),
    "zh-Hans": ("每方30分钟＋读秒30秒 5 次", "每方10分钟＋每手15秒", "每方45分钟，无读秒"),
    "ko": ("30분 + 초읽기 30초 5회", "10분 + 한 수에 15초", "45분, 초읽기 없음"),
}


@pytest.mark.parametrize("code", CODES)
def test_time_controls_are_read_in_words(code):
    written = ("30m+5x30s", "10m+15s", "45m")
    assert (
        tuple(find_translator(code).sentence(read_control(one).describe_briefly()) for one in written) == CONTROLS[code]
    )


@pytest.mark.parametrize("code", CODES)
def test_the_words_of_a_rule_set_are_those_of_sentences(code):
    words_of_all = "".join(text for forms in texts(code).values() for text in forms)
    for rules, words in read_traits(code).words.items():
        assert rules in RULESETS and [word for word, _ in words if word not in words_of_all] == []


@pytest.mark.parametrize(
    ("rules", "code", "said"),
    [
        ("ing", "zh-Hant", "白方勝 3 點"),
        ("ing", "ko", "백 3점승"),
        ("chinese", "zh-Hant", "白方勝 3 目"),
        ("chinese", "zh-Hans", "白方胜 1又\u20601/2\u00a0子"),
        ("japanese", "zh-Hans", "白方胜 3 目"),
        ("ing", "en", "White wins by 3 points"),
    ],
)
def test_the_rules_that_are_played_choose_the_word_for_points(rules, code, said):
    say = find_translator(code).on(take_snapshot(PlayedTable(("." * 9,) * 9, rules=rules)))
    assert say("result.points", player=Colour.WHITE, n=3.0) == said


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("W+0.5", "白方胜 1/4\u00a0子"),
        ("B+1.5", "黑方胜 3/4\u00a0子"),
        ("B+4", "黑方胜 2\u00a0子"),
        ("W+12.5", "白方胜 6又\u20601/4\u00a0子"),
        ("B+R", find_translator("zh-Hans").outcome("B+R")),
        ("0", "和棋"),
    ],
)
def test_china_counts_margins_in_stones(result, said):
    """A point less for one player is a point more for the other, so that a margin has half as many stones."""
    assert find_translator("zh-Hans").under("chinese").outcome(result) == said


def test_half_of_a_number_is_a_fraction_or_a_decimal():
    say = find_translator("zh-Hans")
    assert [say.value(number, "half") for number in (7.5, 3, 0.5, 8, 0.1)] == [
        "3又\u20603/4",
        "1又\u20601/2",
        "1/4",
        "4",
        "0.05",
    ]


def test_a_pass_is_called_as_the_rules_call_it():
    sentences = {}
    for rules in ("chinese", "ing"):
        say = find_translator("zh-Hans").on(take_snapshot(PlayedTable(("." * 9,) * 9, rules=rules)))
        sentences[rules] = say.sentence(message("legal.pass", player=Colour.BLACK))
    assert sentences == {"chinese": "黑方虚着。", "ing": "黑方虚手。"}


def test_fractions_are_written_as_the_language_writes_them():
    numbers = {code: find_translator(code).value(6.5) for code in CODES}
    assert numbers["de"] == "6,5" and set(numbers.values()) == {"6,5", "6.5"}
    assert find_translator("de").value(6.0) == find_translator("en").value(6.0) == "6"
