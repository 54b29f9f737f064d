"""Audio samples: read from and written as WAV, trimmed and measured."""

from __future__ import annotations

from tests.support.spoken import speaks
from tests.support.web.snapshots import box, superko
from vision.input_files import read_stored
from web.app import create_app
from web.voice.clips import Clips
from web.voice.sound import Sound


def client_of(table, folder):
    return create_app(box(table).backend, clips=Clips(folder, read_stored)).test_client()


def test_a_clip_is_a_wav_file_that_may_be_kept(tmp_path):
    speaks("en")
    client = client_of(superko(), tmp_path)
    (address, *_) = client.get("/voice.json").get_json()["counts"]
    answer = client.get(f"/{address}")
    assert answer.mimetype == "audio/wav" and "max-age" in answer.headers["Cache-Control"]
    assert Sound.parse(answer.data).loudness > 300
