"""The wheel holds everything but the training, under one name: installed elsewhere, without the source tree and beside
others' packages of our names, it looks at a picture."""

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

OTHERS = ("referee", "vision", "device", "web")
IMPORTS = """
import importlib, pkgutil, sys, shinpan
for module in pkgutil.walk_packages(shinpan.__path__, "shinpan."):
    others = ("shinpan.device.system.windows", "shinpan.device.system.macos")
    if not module.name.endswith("__main__") and module.name not in others:
        importlib.import_module(module.name)
print(len([name for name in sys.modules if name.startswith("shinpan.")]) > 400)
"""


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
    assert "shinpan/vision/models/stones.onnx" in packed and "shinpan/vision/board/detect.py" in packed
    assert {f"shinpan/web/locale/{code}/LC_MESSAGES/shinpan.po" for code in CODES} <= set(packed)
    assert not [name for name in packed if name.startswith(("shinpan/vision/training", "shinpan/device/wheel"))]
    assert {name.partition("/")[0] for name in packed if not name.startswith("shinpan-")} == {"shinpan"}
    subprocess.run([python, "-m", "pip", "install", "-q", "--no-deps", str(wheel)], check=True, capture_output=True)
    site = next((tmp_path / "elsewhere" / "lib").glob("python3*/site-packages"))
    (site / "others.pth").write_text(str(Path(cv2.__file__).parents[1]))
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), board_picture())
    look = [tmp_path / "elsewhere/bin/shinpan", "look", "--json", str(picture)]
    result = subprocess.run(look, cwd=tmp_path, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert '"size": 9' in result.stdout
    for package in OTHERS:
        (site / package).mkdir()
        (site / package / "__init__.py").write_text("raise ImportError('it is not ours')")
    for words in (["-c", IMPORTS], ["-m", "shinpan", "rules"]):
        result = subprocess.run([python, *words], cwd=tmp_path, capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "") and result.stdout
    subprocess.run([python, "-m", "pip", "uninstall", "-q", "-y", "shinpan"], check=True, capture_output=True)
    assert all((site / package / "__init__.py").is_file() for package in OTHERS)
    assert [path for path in (site / "shinpan").rglob("*") if path.suffix == ".py"] == []


@LONG
def test_the_source_archive_builds_the_same_wheel_and_has_no_tests(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir"]
    subprocess.run([*build, str(tmp_path), str(ROOT)], check=True, capture_output=True)
    subprocess.run([*build, str(tmp_path / "folder"), "--wheel", str(ROOT)], check=True, capture_output=True)
    with tarfile.open(next(tmp_path.glob("shinpan-*.tar.gz"))) as archive:
        parts = [name.split("/")[1:] for name in archive.getnames()]
    assert ["web", "openapi.json"] in parts and ["pyproject.toml"] in parts
    assert not [part for part in parts if part[:1] == ["tests"]]
    wheels = [next(folder.glob("*.whl")).read_bytes() for folder in (tmp_path, tmp_path / "folder")]
    assert wheels[0] == wheels[1]
