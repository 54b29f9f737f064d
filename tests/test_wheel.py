"""The wheel holds everything but the training: installed elsewhere, without the source tree, it looks at a picture."""

import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import cv2

from tests.support import ROOT
from tests.support.tiers import LONG
from tests.support.vision.pictures import board_picture
from web.language_traits import CODES


@LONG
def test_the_built_wheel_reads_a_board_and_leaves_training_out(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    venv.create(tmp_path / "elsewhere", system_site_packages=False, with_pip=True)
    python = tmp_path / "elsewhere" / "bin" / "python"
    wheel = next(tmp_path.glob("shinpan-*.whl"))
    packed = zipfile.ZipFile(wheel).namelist()
    assert "vision/models/stones.onnx" in packed and "vision/board/detect.py" in packed
    assert {f"web/locale/{code}/LC_MESSAGES/shinpan.po" for code in CODES} <= set(packed)
    assert not [name for name in packed if name.startswith("vision/training")]
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", str(wheel)], check=True, capture_output=True)
    site = next((tmp_path / "elsewhere" / "lib").glob("python*/site-packages"))
    (site / "others.pth").write_text(str(Path(cv2.__file__).parents[1]))
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), board_picture())
    look = [tmp_path / "elsewhere/bin/shinpan", "look", "--json", str(picture)]
    said = subprocess.run(look, cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert '"size": 9' in said.stdout


@LONG
def test_the_source_archive_builds_the_wheel_and_has_no_tests(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    with tarfile.open(next(tmp_path.glob("shinpan-*.tar.gz"))) as archive:
        parts = [name.split("/")[1:] for name in archive.getnames()]
    assert ["web", "openapi.json"] in parts and ["pyproject.toml"] in parts
    assert not [part for part in parts if part[:1] == ["tests"]]
