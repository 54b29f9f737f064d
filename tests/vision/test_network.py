"""The networks' two run-times: they answer alike, and the slower one steps in where the faster is not installed."""

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.wanting import ONNX, module
from vision import network
from vision.board import crossing_net
from vision.errors import UnusableNetwork
from vision.lids import net as lid_net
from vision.network import Network, OnnxNetwork, OpenCvNetwork, has_onnx_runtime, load_network, use_one_thread
from vision.stones import reader

NETS = {
    crossing_net.MODEL: ((3, crossing_net.SIDE, crossing_net.SIDE), ("maps",)),
    reader.SHIPPED: ((3, reader.SIDE, reader.SIDE), ("points", "offsets")),
    lid_net.MODEL: ((lid_net.PLANES, lid_net.SIDE, lid_net.SIDE), ("seen", "counts", "kinds")),
}
"""The shipped networks: the shape of their input, and their outputs."""
ALIKE = 2e-5


@pytest.fixture(params=[OpenCvNetwork, OnnxNetwork])
def runtime(request: pytest.FixtureRequest) -> type[Network]:
    if request.param is OnnxNetwork:
        module("onnxruntime", ONNX)
    kind: type[Network] = request.param
    return kind


@pytest.mark.parametrize("path", NETS, ids=lambda path: path.stem)
def test_both_run_times_answer_alike(path):
    module("onnxruntime", ONNX)
    shape, outputs = NETS[path]
    blob = np.random.default_rng(2).uniform(0, 1, (1, *shape)).astype(np.float32)
    both = [kind(path).compute_outputs(blob, outputs) for kind in (OpenCvNetwork, OnnxNetwork)]
    for one, other, name in zip(*both, outputs, strict=True):
        assert one.dtype == other.dtype == np.float32 and one.shape == other.shape, name
        assert np.ptp(one) > 0 and np.abs(one - other).max() < ALIKE, name


def test_a_network_that_is_cut_off_is_refused(runtime, tmp_path):
    path = tmp_path / "stones.onnx"
    path.write_bytes(reader.SHIPPED.read_bytes()[:1000])
    with pytest.raises(UnusableNetwork, match=r"stones\.onnx: ."):
        runtime(path)


@pytest.mark.parametrize(("installed", "kind"), [(True, OnnxNetwork), (False, OpenCvNetwork)])
def test_the_faster_run_time_is_taken_where_it_is_installed(installed, kind, monkeypatch):
    if installed:
        module("onnxruntime", ONNX)
    monkeypatch.setattr(network, "has_onnx_runtime", lambda: installed)
    assert isinstance(load_network(Path(reader.SHIPPED)), kind)
    assert network.runtime_name().startswith("ONNX Runtime " if installed else "OpenCV ")


@pytest.mark.parametrize("installed", [True, False])
def test_other_threads_are_left_to_networks_that_need_them(installed, monkeypatch):
    monkeypatch.setattr(network, "has_onnx_runtime", lambda: installed)
    before = cv2.getNumThreads()
    cv2.setNumThreads(2)
    try:
        use_one_thread()
        assert cv2.getNumThreads() == (1 if installed else 2)
    finally:
        cv2.setNumThreads(before)


@pytest.mark.slow
def test_nothing_is_kept_for_those_who_made_the_run_time(tmp_path):
    module("onnxruntime", ONNX)
    own_names = {"ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS", "CI", "XDG_CACHE_HOME"}
    variables = {name: value for name, value in os.environ.items() if name not in own_names}
    line = f"from pathlib import Path; from vision.network import *; load_network(Path({str(reader.SHIPPED)!r}))"
    subprocess.run([sys.executable, "-c", line], env={**variables, "HOME": str(tmp_path)}, check=True)
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("state", ["missing", "broken"])
def test_a_run_time_that_cannot_be_loaded_counts_as_none(state, tmp_path, monkeypatch):
    monkeypatch.delitem(sys.modules, "onnxruntime", raising=False)
    if state == "missing":
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
    else:
        (tmp_path / "onnxruntime.py").write_text("raise ImportError('made for another machine')")
        monkeypatch.syspath_prepend(tmp_path)
    has_onnx_runtime.cache_clear()
    try:
        assert not has_onnx_runtime() and isinstance(load_network(reader.SHIPPED), OpenCvNetwork)
    finally:
        has_onnx_runtime.cache_clear()
