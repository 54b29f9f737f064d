#!/bin/sh
# Makes a Debian or Raspberry Pi OS machine (bookworm or trixie, 64 bits) into a box that referees from power-on.
# Run as root from a copy of the project: sudo sh hardware/install.sh. Safe to run again with another version: the one
# before stays, and sudo shinpan rollback takes it back. Settings and games that are there stay as they are.
# hardware/ASSEMBLY.md tells how to take it off again.
# SHINPAN_FOR=pi: the system is built elsewhere, for a Pi. SHINPAN_REHEARSAL=no: the program is not tried
# here (hardware/image.sh).
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
SYSTEM=$PROJECT/hardware/system
HOME_OF=/opt/shinpan

say() { echo "shinpan: $*" >&2; }
stop() { say "$*"; exit 1; }

is_pi() { [ "${SHINPAN_FOR-}" = pi ] || grep -qs "Raspberry Pi" /proc/device-tree/model; }
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
    # Keyboards whose keys are buttons, and strips of LEDs as lamps.
    if can_have python3-evdev; then set -- "$@" python3-evdev; fi
    if can_have python3-serial; then set -- "$@" python3-serial; fi
    # The lights of the rim.
    if can_have python3-spidev; then set -- "$@" python3-spidev; fi
    # What tells a hall in the same network where the box is.
    if can_have python3-zeroconf; then set -- "$@" python3-zeroconf; fi
    # The voice: what makes it, and what plays it.
    if can_have espeak-ng; then set -- "$@" espeak-ng; fi
    if can_have alsa-utils; then set -- "$@" alsa-utils; fi
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
    for group in gpio spi video input dialout audio; do getent group "$group" >/dev/null || groupadd --system "$group"; done
    getent passwd shinpan >/dev/null ||
        useradd --system --user-group --home-dir /var/lib/shinpan --no-create-home --shell /usr/sbin/nologin shinpan
    usermod --append --groups gpio,spi,video,input,dialout,audio shinpan
    install -d -m 750 -o shinpan -g shinpan /var/lib/shinpan
}

# As `shinpan update` does it: in an environment of its own, tried before it is switched to. Nothing runs from it yet.
install_program() {
    set -- install "$PROJECT"
    [ "${SHINPAN_REHEARSAL-}" != no ] || set -- "$@" --unrehearsed
    python3 -I "$PROJECT/device/machine/versions.py" "$@" ||
        stop "the lines above say why; the program that was there still is. If it was the network, run this again."
    install -m 644 "$PROJECT/docs/panel.md" "$PROJECT/docs/settings.md" "$PROJECT/docs/commands.md" "$HOME_OF/"
    ln -sf "$HOME_OF/current/bin/shinpan" /usr/local/bin/shinpan
}

install_settings() {
    install -d -m 755 /etc/shinpan
    if [ -e /etc/shinpan/settings.toml ]; then say "the settings in /etc/shinpan stay as they are."; return; fi
    install -m 644 "$SYSTEM/settings.toml" /etc/shinpan/settings.toml
    # Where there is no USB camera the Pi's own is meant, if the system can read it; Debian cannot.
    if is_installed python3-picamera2 && ! ls /dev/v4l/by-id/usb-* >/dev/null 2>&1; then
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

OWN="shinpan access point"

# The box opens one of its own where it can join none. Others are left alone.
install_network() {
    command -v nmcli >/dev/null || return 0
    sh "$PROJECT/hardware/own_network.sh"
    install -D -m 644 "$SYSTEM/shinpan-network.service" /etc/systemd/system/shinpan-network.service
    ln -sf ../shinpan-network.service /etc/systemd/system/multi-user.target.wants/shinpan-network.service
}

# Told, but not opened: whoever is setting the box up may be connected by the Wi-Fi that it would leave.
tell_network() {
    nmcli general >/dev/null 2>&1 || return 0
    nmcli connection load /etc/NetworkManager/system-connections/shinpan-access-point.nmconnection || return 0
    say "where no network is in reach the box opens its own, within a minute of being switched on; name and password:"
    nmcli -s -g 802-11-wireless.ssid,802-11-wireless-security.psk connection show "$OWN" >&2
}

start_service() {
    if [ ! -d /run/systemd/system ]; then say "set up; the box starts with the machine."; return; fi
    systemctl daemon-reload
    udevadm control --reload && udevadm trigger --subsystem-match=gpio --subsystem-match=dma_heap --subsystem-match=media --subsystem-match=input
    systemctl try-restart systemd-journald
    journalctl --flush ||
        say "the system's log stays in memory until the next start; from then on it is kept."
    systemctl restart shinpan || {
        python3 -I "$HOME_OF/versions.py" rollback || true
        stop "the new version does not start; see: sudo journalctl -u shinpan -e"
    }
    say "set up and started; the page is at http://$(hostname).local:8000"
    say "the director's PIN is made and told by: sudo shinpan pin"
}

check_machine
install_packages
make_user
install_settings
install_program
install_service
install_network
start_service
tell_network
