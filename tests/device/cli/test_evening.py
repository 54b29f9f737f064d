"""`shinpan watch SOURCE --evening FOLDER`: turn a film of a whole evening into a record of each game, and a report."""

import pytest

from device.cli import evening as command
from tests.support.vision.evening_film import watch

pytestmark = pytest.mark.slow


@pytest.mark.long
def test_a_folder_that_another_program_watches_is_one_sentence(capsys, evening_film, tmp_path):
    evening = command.EveningStore(tmp_path, {})
    status, _, err = watch(capsys, evening_film, "--evening", tmp_path)
    evening.close()
    assert status == 2 and err.count("\n") == 1 and "another program" in err
