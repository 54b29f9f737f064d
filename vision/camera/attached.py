"""Cameras that are plugged in or built in, as the operating system knows them: one set of names for all systems."""

from __future__ import annotations

from device.system import system

if system.HAS_LINUX_DEVICES:
    from vision.camera.video4linux import (
        check_device,
        device_name,
        diagnose_silence,
        list_cameras,
        open_device,
        parse_device,
    )
else:
    from vision.camera.numbered import (
        check_device,
        device_name,
        diagnose_silence,
        list_cameras,
        open_device,
        parse_device,
    )

__all__ = ["check_device", "device_name", "diagnose_silence", "list_cameras", "open_device", "parse_device"]
