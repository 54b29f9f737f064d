"""Settings: every mistake gets a sentence that names section, key and what it may be."""

from __future__ import annotations

import pytest

from device.settings import BadSettings, Settings, read_settings
from device.terms import check_terms
from referee.errors import RefereeError

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
        ("[game]\nkomi = 5000", "a number from -1000 to 1000"),
        ("[table]\nturns = 'never'", "done or steady"),
        ("[table]\nsteady = nan", "a number from 0.1 to 60"),
        ("[panel]\nkind = 3", "auto or gpio or terminal or none"),
        ("[page]\nport = 70000", "a whole number from 0 to 65535"),
        ("[page]\nhost = 8", "a text in quotes"),
        ("[page]\nnames = 'box.example'", "a list of texts"),
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
        ("[" + "a." * 100_000 + "b]", "more than 64 KiB"),
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
    with pytest.raises(BadSettings, match="cannot be read"):
        read_settings(tmp_path / "none.toml")
