"""Setting up a machine: the files agree, and the service is shut in as far as it can be."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from configparser import ConfigParser

import pytest

from device.machine.wifi import OWN, OWN_ADDRESS
from device.settings import Game, read_settings
from hardware.drawings import HERE
from tests.support.device.started import machine
from tests.support.terminal import parse_command_line
from tests.support.wanting import SHELLCHECK, SYSTEMD, program

__all__ = ["machine"]

SYSTEM = HERE / "system"
SCRIPT = (HERE / "install.sh").read_text()
EXPOSED = 2.0
"""The most that systemd may find the service exposed, of 10."""


def service():
    """The service file's sections; a key that stands there several times has all its values."""
    read: dict[str, dict[str, list[str]]] = {}
    section = ""
    for line in (SYSTEM / "shinpan.service").read_text().splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line and not line.startswith("#"):
            key, _, value = line.partition("=")
            read.setdefault(section, {}).setdefault(key, []).append(value)
    return read


def test_the_service_runs_a_command_that_there_is():
    (line,) = service()["Service"]["ExecStart"]
    program, *words = shlex.split(line)
    args = parse_command_line(words)
    assert program == "/opt/shinpan/current/bin/shinpan" and "HOME_OF=/opt/shinpan\n" in SCRIPT
    assert str(args["settings"]) == "/etc/shinpan/settings.toml" and str(args["settings"]) in SCRIPT
    assert args["data"] == "/var/lib/shinpan" and service()["Service"]["StateDirectory"] == ["shinpan"]


def test_the_service_is_watched_and_starts_again():
    unit = service()["Service"]
    assert unit["Type"] == ["notify"] and unit["NotifyAccess"] == ["main"]
    assert 10 <= int(unit["WatchdogSec"][0]) <= 60
    assert unit["Restart"] == ["on-failure"] and service()["Unit"]["StartLimitIntervalSec"] == ["0"]
    assert unit["ExecStopPost"] == ["-+/usr/bin/python3 -I /opt/shinpan/versions.py ended"]


def test_what_is_installed_is_a_version_beside_the_others():
    assert 'set -- install "$PROJECT"\n' in SCRIPT
    assert 'python3 -I "$PROJECT/device/machine/versions.py" "$@"' in SCRIPT
    assert "pip" not in SCRIPT and "-m venv" not in SCRIPT


def test_the_service_has_a_user_of_its_own_who_may_use_camera_and_pins():
    unit = service()["Service"]
    assert unit["User"] == ["shinpan"] and "useradd --system" in SCRIPT
    groups = unit["SupplementaryGroups"][0].split()
    assert f"for group in {' '.join(groups)}; do" in SCRIPT
    allowed = {value.split()[0] for value in unit["DeviceAllow"]}
    assert "DeviceAllow=char-input r\n" in (SYSTEM / "shinpan.service").read_text(), "keyboards are read and no more"
    assert {"char-video4linux", "char-gpiochip", "char-spi"} <= allowed and unit["DevicePolicy"] == ["closed"]


def test_the_shipped_settings_are_valid_and_shown_to_phones():
    settings = read_settings(SYSTEM / "settings.toml")
    assert settings.page.host == "0.0.0.0" and settings.game == Game("ultimate")
    assert f"--data {settings.data.folder}" in service()["Service"]["ExecStart"][0]


def test_every_file_is_installed():
    assert {path.name for path in SYSTEM.iterdir() if f"$SYSTEM/{path.name}" not in SCRIPT} == set()
    targets = re.findall(r'install -D -m 644 "\$SYSTEM/[\w.-]+" (\S+)', SCRIPT)
    assert len(targets) == 6
    removed = (HERE / "ASSEMBLY.md").read_text()
    assert [target for target in targets if target.rstrip(";") not in removed] == []


def test_games_are_copied_to_the_mounted_stick_that_is_writable():
    stick = read_settings(SYSTEM / "settings.toml").data.copies
    mount = (SYSTEM / "media-shinpan.mount").read_text()
    rule = (SYSTEM / "60-shinpan.rules").read_text()
    assert f"Where={stick}\n" in mount and f"-{stick}" in service()["Service"]["ReadWritePaths"]
    assert stick == "/media/shinpan", "systemd wants a mount unit named by its place"
    assert 'ENV{SYSTEMD_WANTS}+="media-shinpan.mount"' in rule
    label = re.search(r'ENV\{ID_FS_LABEL\}=="(\w+)"', rule)[1]
    assert f"What=/dev/disk/by-label/{label}\n" in mount and f"`{label}`" in (HERE / "ASSEMBLY.md").read_text()
    assert f"uid={service()['Service']['User'][0]}," in mount
    assert f"install -d -m 755 {stick}\n" in SCRIPT, "while no stick is there the folder is root's"


def test_systemd_finds_nothing_wrong_with_the_units(tmp_path):
    analyze = program("systemd-analyze", SYSTEMD)
    for name in ("shinpan.service", "media-shinpan.mount", "shinpan-network.service"):
        text = (SYSTEM / name).read_text().replace("/opt/shinpan/current/bin/shinpan", "/bin/true")
        (tmp_path / name).write_text(text)
    command = [analyze, "verify", "--man=no", *map(str, sorted(tmp_path.iterdir()))]
    result = subprocess.run(command, capture_output=True, text=True)
    about_them = [line for line in result.stderr.splitlines() if str(tmp_path) in line or "shinpan" in line]
    assert (result.returncode, about_them) == (0, [])


UNIT = (SYSTEM / "shinpan-network.service").read_text()


@pytest.mark.parametrize(
    ("devices", "opened"),
    [
        ("wlan0:wifi:disconnected", True),
        ("lo:loopback:connected (externally)", True),
        ("eth0:ethernet:unavailable\nwlan0:wifi:connected", False),
        ("eth0:ethernet:connected", False),
    ],
)
def test_the_box_opens_its_own_network_where_no_other_could_be_joined(machine, devices, opened):
    assert "\nAfter=NetworkManager.service\nConditionPathExists=/usr/bin/nmcli\n" in UNIT
    up = f"connection up {OWN}"
    rows = "".join(f"{row.partition(':')[2]}\n" for row in devices.splitlines())
    machine.answers({"-g TYPE,STATE device status": rows, up: ""})
    sleep = machine.program.with_name("sleep")
    sleep.write_text("#!/bin/sh\n")
    sleep.chmod(0o755)
    shell, *words = shlex.split(re.search("^ExecStart=(.*)$", UNIT, re.M)[1].replace("$$", "$"))
    assert subprocess.run([shell, *words]).returncode == 0
    assert (machine.asked[-1] == up) is opened and len(machine.asked) == (31 if opened else 1)


def test_the_own_network_is_made_once_and_not_opened(tmp_path):
    passwords = list[str]()
    for _ in range(2):
        subprocess.run(["sh", HERE / "own_network.sh"], env={"PATH": os.defpath, "ROOT": f"{tmp_path}"}, check=True)
        (path,) = (tmp_path / "etc/NetworkManager/system-connections").iterdir()
        read = ConfigParser()
        read.read(path)
        passwords.append(read["wifi-security"]["psk"])
    assert passwords[0] == passwords[1] and path.stat().st_mode & 0o777 == 0o600
    assert (
        read["connection"]["id"] == OWN and read["connection"]["autoconnect"] == "false" and f'OWN="{OWN}"\n' in SCRIPT
    )
    assert read["ipv4"]["address1"] == f"{OWN_ADDRESS}/24" and re.fullmatch(r"shinpan-\w{4}", read["wifi"]["ssid"])
    assert re.fullmatch(r"\w{4}-\w{4}-\w{4}", read["wifi-security"]["psk"])
    assert f"/{path.name} || return 0" in SCRIPT and 'sh "$PROJECT/hardware/own_network.sh"\n' in SCRIPT
    assert "connection up" not in SCRIPT, "setting up must not take the Wi-Fi away that it is done by"


def test_settings_that_are_there_are_left_alone():
    before, _, after = SCRIPT.partition("if [ -e /etc/shinpan/settings.toml ]")
    assert "settings.toml /etc/shinpan" not in before and 'settings.toml" /etc/shinpan/settings.toml' in after


@pytest.mark.parametrize("name", ["journal.conf", "watchdog.conf"])
def test_the_other_files_have_sections(name):
    read = ConfigParser()
    read.read(SYSTEM / name)
    assert len(read.sections()) == 1


VOLATILE = (
    "etc/systemd/journald.conf",
    "usr/lib/systemd/journald.conf.d/40-rpi-volatile-storage.conf",
    "etc/systemd/journald.conf.d/80-raspi-config-journal-storage.conf",
)
"""Files in which Raspberry Pi OS of May and October 2025 (bookworm, trixie) and raspi-config write Storage=volatile."""


@pytest.mark.parametrize("places", [*((one,) for one in VOLATILE), VOLATILE])
def test_the_systems_log_survives_a_restart_whatever_the_image_says(tmp_path, places):
    for place in places:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("[Journal]\nStorage=volatile\n")
    (target,) = re.findall(r'"\$SYSTEM/journal.conf" /(\S+)', SCRIPT)
    (tmp_path / target).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / target).write_text((SYSTEM / "journal.conf").read_text())
    command = [program("systemd-analyze", SYSTEMD), f"--root={tmp_path}", "cat-config", "systemd/journald.conf"]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.findall("^Storage=(.*)$", read, re.M)[-1] == "persistent", "the last one holds"
    assert re.findall("^SystemMaxUse=(.*)$", read, re.M) == ["100M"]


def test_what_was_logged_before_setting_up_goes_onto_the_card_too():
    assert re.search(r"try-restart systemd-journald\n +journalctl --flush\b", SCRIPT)


def test_the_scripts_are_sound():
    scripts = sorted(HERE.glob("*.sh"))
    for script in scripts:
        subprocess.run(["sh", "-n", script], check=True)
    subprocess.run([program("shellcheck", SHELLCHECK), "-x", *scripts], cwd=HERE.parent, check=True)


@pytest.mark.parametrize("name", ["shinpan", "shinpan-network"])
def test_the_services_are_shut_in(name):
    analyze = program("systemd-analyze", SYSTEMD)
    command = [analyze, "security", "--offline=true", "--no-pager", str(SYSTEM / f"{name}.service")]
    result = subprocess.run(command, capture_output=True, text=True)
    match = re.search(rf"Overall exposure level for {name}\.service: ([\d.]+)", result.stdout)
    assert match is not None, result.stderr
    assert float(match[1]) <= EXPOSED
