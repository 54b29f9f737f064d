"""Settings: every mistake gets a sentence that names section, key and what it may be."""

from __future__ import annotations

import tomllib

import pytest

from device.settings import BadSettings, Settings, override_from_cli, read_settings, settings_of
from device.table.match_config import check_terms, terms_of
from device.table.presets import with_preset
from referee.game.errors import RefereeError
from referee.game.game_info import NO_GAME_INFO, GameInfo

GOOD = """
[game]
rules = "chinese"
size = 13
komi = 5.5
options = {ko = "positional"}
[table]
turns = "steady"
steady = 1
[camera]
source = "/dev/video2"
[page]
host = "0.0.0.0"
port = 0
names = ["table-3.club.example"]
"""


def test_what_is_left_out_has_its_usual_value(tmp_path):
    (tmp_path / "s.toml").write_text(GOOD)
    settings = read_settings(tmp_path / "s.toml")
    assert (settings.game.rules, settings.game.size, settings.game.komi) == ("chinese", 13, 5.5)
    assert settings.game.options == {"ko": "positional"}
    assert (settings.table.turns, settings.table.steady) == ("steady", 1)
    assert (settings.page.names, settings.page.kept) == (["table-3.club.example"], [])
    assert settings.panel == Settings().panel
    (tmp_path / "empty.toml").write_text("")
    assert read_settings(tmp_path / "empty.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[gmae]", "no section [gmae]"),
        ("size = 9", "no section [size]"),
        ("[game]\nsise = 9", "[game] has no sise"),
        ("[game]\nsize = '9'", "a whole number from 2 to 25"),
        ("[game]\nsize = 99", "a whole number from 2 to 25"),
        ("[game]\nsize = true", "a whole number from 2 to 25"),
        ("[game]\nblack_side = 3", "1 or 2"),
        ("[game]\nrules = 'kee'\nplayers = 'BWR'\nblack_side = 4", "1 or 2 or 3"),
        ("[game]\nplayers = 'BWR'", "The players of ultimate are BW, not 'BWR'"),
        ("[game]\nrules = 'kee'\nplayers = 'BRW'", "BW or BWR or BWRG or BWRGY or BWRGYV"),
        ("[game]\nrules = 'kee'\nplayers = 'BWR'\nnames = ['Ann', 'Ben']", "as many names as players: 3 and not 2"),
        ("[game]\nrules = 'kee'\nplayers = 'BWRGYV'\nsize = 5", "no room for the stones of 6 players"),
        ("[table]\nstones = 'shown'", "rules cannot be ultimate with stones that are shown"),
        ("[table]\nstones = 'green'", "black and white or shown"),
        ("[game]\nnames = ['Anna']", "two names, Black's and White's"),
        ("[game]\nnames = ['Anna', '" + "x" * 61 + "']", "two names, Black's and White's"),
        ("[game]\nnames = ['Anna', 'a\u202eb']", "texts in one line"),
        ("[game]\nkomi = 5000", "a number from -1000 to 1000"),
        ("[table]\nturns = 'never'", "done or steady"),
        ("[table]\nsteady = nan", "a number from 0.1 to 60"),
        ("[panel]\nkind = 3", "auto or gpio or keys or phone or terminal or none"),
        ("[page]\nport = 70000", "a whole number from 0 to 65535"),
        ("[page]\nhost = 8", "a text in quotes"),
        ("[page]\nnames = 'box.example'", "a list of texts"),
        ("[match]\nround = 3", "a text of at most 60 letters"),
        (f"[match]\nevent = '{'x' * 61}'", "a text of at most 60 letters"),
        ("[match]\ntable = 'a\u202eb'", "[match] table cannot be kept"),
        ("[page]\nkept = [1]", "a list of texts"),
        ("[game", "not TOML"),
        ('[data]\nfolder = "a\\u0000b"', "folder cannot be"),
        ("[data]\nfolder = '" + "x" * 5000 + "'", "in one line of 1 to 1000 letters"),
        ("[data]\nfolder = ''", "in one line of 1 to 1000 letters"),
        ('[camera]\ncalibration = "a\\nb"', "calibration cannot be"),
        ('[page]\nhost = "a\\n"', "in one line"),
        ('[page]\nnames = ["a\\nb"]', "names cannot be"),
        ('[page]\nkept = ["\\u0000"]', "kept cannot be"),
        ("\x00", "not TOML"),
        ("[" + "a." * 100_000 + "b]", "larger than 64 KiB"),
        ("a = " + "[" * 5000, "nested too deep"),
        ("a = " + "{a=" * 5000, "nested too deep"),
        ("[game]\noptions = {ko = " + "[" * 60 + "]" * 60 + "}", "The option ko cannot be [[["),
        ("[game]\noptions." + "a." * 5000 + "a = 1", "no option 'a'"),
        ("[game]\noptions.ko." + "a." * 5000 + "a = 1", "nested too deep"),
        ("[" + "presets." * 5000 + "a]\nb = 1", "presets"),
        ("[game]\nhandicap = " + "9" * 5000, "not TOML"),
        ("[game]\nhandicap = " + "9" * 4000, "handicap cannot be 9999"),
    ],
)
def test_bad_settings_get_one_sentence(tmp_path, text, said):
    (tmp_path / "s.toml").write_text(text)
    with pytest.raises(RefereeError) as caught:
        check_terms(read_settings(tmp_path / "s.toml"))
    assert said in str(caught.value) and len(str(caught.value)) < 600
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_gets_one_sentence(tmp_path):
    with pytest.raises(BadSettings, match="there is no such file"):
        read_settings(tmp_path / "none.toml")


def sections(text: str) -> Settings:
    return settings_of(tomllib.loads(text))


def test_what_is_said_on_the_command_line_holds_in_place_of_the_settings():
    options = {"rules": "aga", "size": "9", "komi": "-0.5", "handicap": "2", "time": "45m", "names": ("Anna", "Ben")}
    settings = override_from_cli(
        sections(GOOD), {**options, "host": "127.0.0.2", "port": 8001, "camera": "2", "data": None}
    )
    game, page = settings.game, settings.page
    assert (game.rules, game.size, game.komi, game.handicap) == ("aga", 9, -0.5, 2)
    assert game.options == {"ko": "positional"}, "what was not said stays"
    assert (page.host, page.port, page.names) == ("127.0.0.2", 8001, ["table-3.club.example"])
    assert (settings.camera.source, settings.data) == ("2", Settings().data)
    terms = terms_of(settings)
    assert terms.names == ("Anna", "Ben") and terms.config.control is not None


def test_the_matches_are_part_of_something_also_those_of_presets():
    text = '[match]\nevent = " Autumn Open "\nround = "3"\ntable = "12"\nplace = "Jena"\n[presets.blitz]\nsize = 9'
    autumn = GameInfo("Autumn Open", "3", "12", "Jena")
    assert terms_of(sections(text)).game_info == autumn == terms_of(sections(text), "blitz").game_info
    assert terms_of(Settings()).game_info == NO_GAME_INFO


def test_it_holds_in_place_of_a_presets_too_where_that_one_is_asked_for():
    settings = sections('[presets.blitz]\nsize = 9\ncontrol = "3m"\n[presets.long]\nsize = 19')
    new_settings = override_from_cli(settings, {"rules": "japanese", "port": 1}, "blitz")
    blitz = with_preset(new_settings, "blitz")
    assert (blitz.game.rules, blitz.game.size, blitz.time.control, blitz.page.port) == ("japanese", 9, "3m", 1)
    assert new_settings.presets["long"] == settings.presets["long"]
    assert override_from_cli(settings, {"rules": "japanese"}, "no such").presets == settings.presets


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("size", "nine", '--size cannot be "nine"; it must be a whole number from 2 to 25.'),
        ("size", "99", '--size cannot be "99"; it must be a whole number from 2 to 25.'),
        ("komi", "much", '--komi cannot be "much"; it must be a number from -1000 to 1000.'),
        ("komi", "nan", '--komi cannot be "nan"; it must be a number from -1000 to 1000.'),
        ("handicap", "-1", '--handicap cannot be "-1"; it must be a whole number from 0 to 361.'),
        ("port", 70000, "--port cannot be 70000; it must be a whole number from 0 to 65535."),
        ("camera", "", "--camera is empty; leave it out, or say what is meant."),
        ("host", "", "--host is empty; leave it out, or say what is meant."),
        ("names", ("Anna", "x" * 61), "--names cannot be "),
    ],
)
def test_an_option_that_cannot_be_is_told_by_its_name(option, value, said):
    with pytest.raises(BadSettings) as caught:
        override_from_cli(Settings(), {option: value})
    assert str(caught.value).startswith(said)
