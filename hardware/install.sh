#!/bin/sh
# Makes a Debian or Raspberry Pi OS machine (bookworm or trixie, 64 bits) into a box that referees from power-on.
# Run as root from a copy of the project: sudo sh hardware/install.sh. Safe to run again, and that is how to update.
# Settings and games that are there stay as they are. hardware/ASSEMBLY.md tells how to take it off again.
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
SYSTEM=$PROJECT/hardware/system
HOME_OF=/opt/shinpan
PYTHON=$HOME_OF/venv/bin/python

say() { echo "shinpan: $*" >&2; }
stop() { say "$*"; exit 1; }

is_pi() { grep -qs "Raspberry Pi" /proc/device-tree/model; }
can_have() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }
is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q "ok installed"; }

check_machine() {
    [ "$(id -u)" = 0 ] || stop "this changes the system; run: sudo sh hardware/install.sh"
    command -v apt-get >/dev/null || stop "only Debian and Raspberry Pi OS are known here; docs/commands.md tells how to run it by hand."
    case $(dpkg --print-architecture) in
        arm64 | amd64) ;;
        *) stop "a 64-bit system is needed; write the 64-bit Raspberry Pi OS Lite onto the card." ;;
    esac
}

# Only what is missing, so that running again needs no network for it.
install_packages() {
    set -- python3 python3-venv libgl1 libxcb1
    apt-cache madison libgl1 2>/dev/null | grep -q . || apt-get update -qq
    if can_have libglib2.0-0t64; then set -- "$@" libglib2.0-0t64; else set -- "$@" libglib2.0-0; fi
    if can_have python3-lgpio; then set -- "$@" python3-lgpio; fi
    if is_pi && can_have python3-picamera2; then set -- "$@" python3-picamera2; fi
    # With it NetworkManager gives addresses to phones in the box's own network.
    if command -v nmcli >/dev/null && can_have dnsmasq-base; then set -- "$@" dnsmasq-base; fi
    MISSING=
    for package in "$@"; do is_installed "$package" || MISSING="$MISSING $package"; done
    [ -n "$MISSING" ] || return 0
    say "installing$MISSING"
    apt-get update -qq
    # shellcheck disable=SC2086  # one word a package
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $MISSING >/dev/null ||
        stop "these packages could not be installed:$MISSING; check the network and run this again."
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || stop "Python 3.11 or newer is needed; use Debian bookworm or newer."
}

make_user() {
    for group in gpio video; do getent group "$group" >/dev/null || groupadd --system "$group"; done
    getent passwd shinpan >/dev/null ||
        useradd --system --user-group --home-dir /var/lib/shinpan --no-create-home --shell /usr/sbin/nologin shinpan
    usermod --append --groups gpio,video shinpan
    install -d -m 750 -o shinpan -g shinpan /var/lib/shinpan
}

# The environment sees the system's packages, for a Pi's camera and pins come from there alone. Where the system's camera
# library was built for numpy 1, so must be what we add.
install_program() {
    install -d -m 755 "$HOME_OF"
    [ -x "$PYTHON" ] || python3 -m venv --system-site-packages "$HOME_OF/venv"
    COPY=$(mktemp -d)
    trap 'rm -rf "$COPY"' EXIT
    for part in referee vision device web pyproject.toml README.md LICENSE; do cp -r "$PROJECT/$part" "$COPY/"; done
    : >"$COPY/limits"
    if is_installed python3-picamera2 && /usr/bin/python3 -c 'import numpy, sys; sys.exit(numpy.__version__ >= "2")'; then
        echo "numpy<2" >"$COPY/limits"
    fi
    "$PYTHON" -m pip install -q --disable-pip-version-check --upgrade -c "$COPY/limits" "$COPY" ||
        stop "the Python packages could not be installed; check the network and run this again."
    install -m 644 "$PROJECT/docs/panel.md" "$PROJECT/docs/settings.md" "$PROJECT/docs/commands.md" "$HOME_OF/"
    ln -sf "$HOME_OF/venv/bin/shinpan" /usr/local/bin/shinpan
}

# Raspberry Pi OS has the library for the pins; elsewhere it is had from Python's own packages, for some versions.
install_pins() {
    is_pi || return 0
    "$PYTHON" -c 'import lgpio' 2>/dev/null && return 0
    "$PYTHON" -m pip install -q --disable-pip-version-check --only-binary :all: lgpio ||
        say "lamps and buttons will not work: lgpio is missing here; Raspberry Pi OS has it as python3-lgpio."
}

install_settings() {
    install -d -m 755 /etc/shinpan
    if [ -e /etc/shinpan/settings.toml ]; then say "the settings in /etc/shinpan stay as they are."; return; fi
    install -m 644 "$SYSTEM/settings.toml" /etc/shinpan/settings.toml
    # Where there is no USB camera the Pi's own is meant.
    if is_pi && ! ls /dev/v4l/by-id/usb-* >/dev/null 2>&1; then
        sed -i 's/^source = "0".*/source = "picamera"/' /etc/shinpan/settings.toml
    fi
}

install_service() {
    install -D -m 644 "$SYSTEM/shinpan.service" /etc/systemd/system/shinpan.service
    install -D -m 644 "$SYSTEM/media-shinpan.mount" /etc/systemd/system/media-shinpan.mount
    install -D -m 644 "$SYSTEM/60-shinpan.rules" /etc/udev/rules.d/60-shinpan.rules
    install -D -m 644 "$SYSTEM/journal.conf" /etc/systemd/journald.conf.d/shinpan.conf
    if is_pi; then install -D -m 644 "$SYSTEM/watchdog.conf" /etc/systemd/system.conf.d/shinpan.conf; fi
    # The empty folder stays root's, so that nothing is copied onto the card when no stick is there.
    [ -d /media/shinpan ] || install -d -m 755 /media/shinpan
    install -d /etc/systemd/system/multi-user.target.wants
    ln -sf ../shinpan.service /etc/systemd/system/multi-user.target.wants/shinpan.service
}

# Where NetworkManager keeps the networks: the box opens one of its own where it can join none. Others are left alone.
install_network() {
    command -v nmcli >/dev/null || return 0
    install -D -m 644 "$SYSTEM/shinpan-network.service" /etc/systemd/system/shinpan-network.service
    ln -sf ../shinpan-network.service /etc/systemd/system/multi-user.target.wants/shinpan-network.service
}

# Made now and told, but not opened: whoever is setting the box up may be connected by the Wi-Fi that it would leave.
tell_network() {
    nmcli general >/dev/null 2>&1 || return 0
    say "where no network is in reach the box opens its own, within a minute of being switched on:"
    "$HOME_OF/venv/bin/shinpan" network access-point --settings /etc/shinpan/settings.toml --prepare ||
        say "the lines above say why it cannot; everything else is set up."
}

check_program() {
    runuser -u shinpan -- env HOME=/var/lib/shinpan "$HOME_OF/venv/bin/shinpan" rules >/dev/null ||
        stop "the program does not start; the lines above say why."
}

start_service() {
    if [ ! -d /run/systemd/system ]; then say "set up; the box starts with the machine."; return; fi
    systemctl daemon-reload
    udevadm control --reload && udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap --subsystem-match=media
    systemctl try-restart systemd-journald
    systemctl restart shinpan || stop "the box does not start; see: sudo journalctl -u shinpan -e"
    say "set up and started; the page is at http://$(hostname).local:8000"
    say "the director's PIN is made and told by: sudo shinpan pin"
}

check_machine
install_packages
make_user
install_program
install_pins
install_settings
install_service
install_network
check_program
start_service
tell_network
