"""The networks' run-time: ONNX Runtime where it is installed, which takes less than half of the time, else OpenCV.

Both read the same files, and their answers are alike (tests/vision/test_network.py).
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from vision.cost import count_net_run
from vision.errors import UnusableNetwork

Floats = npt.NDArray[np.float32]

ONNX_RUNTIME = "onnxruntime"
FATAL = 4
"""ONNX Runtime's log level that leaves faults to exceptions."""
SILENT = {"ORT_DISABLE_TELEMETRY": "1"}
"""The environment in which ONNX Runtime reports to nobody what it runs, as it does by itself from version 1.29 on."""


class Network(Protocol):
    """A loaded network."""

    def compute_outputs(self, blob: Floats, outputs: tuple[str, ...]) -> list[Floats]:
        """Return the named outputs for an input, shape (1, planes, height, width)."""


class OpenCvNetwork:
    """A network run by OpenCV."""

    def __init__(self, path: Path) -> None:
        self._name = path.stem
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
        except cv2.error as error:
            raise UnusableNetwork(f"{path}: {error.err}") from error

    def compute_outputs(self, blob: Floats, outputs: tuple[str, ...]) -> list[Floats]:
        """Return the named outputs for an input, as `Network` does."""
        count_net_run(self._name)
        self._net.setInput(blob)
        return [np.asarray(output, np.float32) for output in self._net.forward(outputs)]


class OnnxNetwork:
    """A network run by ONNX Runtime on one thread, without an arena, which would keep 15 MB a network.

    Its memory patterns are off too: they ask for all of a run's memory in one piece, which costs 15 MB for the three
    networks and saves no time.
    """

    def __init__(self, path: Path) -> None:
        library = _import_onnx_runtime()
        self._name = path.stem
        options = library.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        options.log_severity_level = FATAL
        try:
            self._session = library.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # The library's errors have no class of their own.
            raise UnusableNetwork(f"{path}: {error}") from error
        self._input = self._session.get_inputs()[0].name

    def compute_outputs(self, blob: Floats, outputs: tuple[str, ...]) -> list[Floats]:
        """Return the named outputs for an input, as `Network` does."""
        count_net_run(self._name)
        return [np.asarray(output, np.float32) for output in self._session.run(outputs, {self._input: blob})]


@cache
def has_onnx_runtime() -> bool:
    """Return True if ONNX Runtime is installed, and made for this machine."""
    try:
        _import_onnx_runtime()
    except ImportError:
        return False
    return True


def _import_onnx_runtime() -> Any:
    os.environ.update(SILENT)
    return import_module(ONNX_RUNTIME)


def load_network(path: Path) -> Network:
    """Load a network from its ONNX file. Raises UnusableNetwork."""
    return OnnxNetwork(path) if has_onnx_runtime() else OpenCvNetwork(path)


def use_one_thread() -> None:
    """Keep OpenCV to one thread where ONNX Runtime, itself on one, runs the networks.

    Its other threads save hardly any time there, and wait for work busily: a tenth of what a look or a table at rest
    takes. OpenCV's own networks do need them.
    """
    if has_onnx_runtime():
        cv2.setNumThreads(1)


def runtime_name() -> str:
    """Return name and version of the run-time in use."""
    if has_onnx_runtime():
        return f"ONNX Runtime {_import_onnx_runtime().__version__}"
    return f"OpenCV {cv2.__version__}"
