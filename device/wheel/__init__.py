"""The building of the wheel, which is no part of it. It stands in `device` because a box builds its versions from the
packages alone (`PARTS` in device/machine/versions.py)."""
