"""The speech synthesisers: espeak-ng, and Open JTalk for Japanese, whose characters espeak-ng cannot read."""

import pytest

from tests.support.wording import english
from web.voice.tts import NoVoice, program_for


@pytest.mark.parametrize(("code", "words"), [("en", "espeak-ng is not installed"), ("ja", "docs/voice.md")])
def test_a_language_that_no_program_speaks_is_told_in_one_sentence(tmp_path, monkeypatch, code, words):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoVoice) as exc_info:
        program_for(code)
    assert words in english(exc_info.value)
