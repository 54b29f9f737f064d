"""The keymap: which keys are which buttons, learned by pressing and stored in the data folder, or a."""

from __future__ import annotations

import pytest

from device.panel.keymap import BadKeys, read_keys


@pytest.mark.parametrize(
    "text", ["", "[]", '{"keys": 7}', '{"keys": [{"button": "horn", "code": 1, "keyboard": {}}]}', '{"keys": [7]}']
)
def test_a_file_that_says_nothing_of_keys_is_one_sentence(text, tmp_path):
    (tmp_path / "keys.json").write_text(text)
    with pytest.raises(BadKeys) as refused:
        read_keys(tmp_path)
    assert "shinpan panel --learn" in str(refused.value) and "\n" not in str(refused.value)
