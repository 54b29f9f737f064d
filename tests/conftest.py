"""The plugins that all tests share: their tiers, and the summary of skipped tests."""

import os

# Threads of OpenBLAS spin while they wait for one another: beside other work they use ten times the processor's time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["tests.support.tiers", "tests.support.wanting"]
