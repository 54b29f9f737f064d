#!/bin/sh
# Makes .venv with what is named ("." to run, ".[dev]" to test too), and installs what a bare Debian or Pi OS lacks.
# The versions are those that are tested together.
set -eu
cd "$(dirname "$0")/.."
WHAT=$1

say() { echo "shinpan: $*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then sudo -n "$@"
    else return 1
    fi
}

install_packages() {
    command -v apt-get >/dev/null || return 1
    as_root apt-get update -qq && as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    say "Python 3.11 or newer is needed; install it with: sudo apt-get install python3"; exit 1; }

python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3-venv || {
    say "Python cannot make its own environment yet; run: sudo apt-get install python3-venv"; exit 1; }

[ -x .venv/bin/python ] || python3 -m venv .venv
.venv/bin/python -m pip install -q --disable-pip-version-check -c hardware/constraints.txt -e "$WHAT" || {
    say "the Python packages could not be installed; check the network and run the same command again."; exit 1; }

if ! .venv/bin/python -c 'import cv2' 2>/dev/null; then
    GLIB=$(apt-cache show libglib2.0-0t64 >/dev/null 2>&1 && echo libglib2.0-0t64 || echo libglib2.0-0)
    install_packages libxcb1 libgl1 "$GLIB" || {
        say "OpenCV lacks system libraries; run: sudo apt-get install libxcb1 libgl1 $GLIB"; exit 1; }
    .venv/bin/python -c 'import cv2' || { say "OpenCV still cannot be loaded; the line above says why."; exit 1; }
fi

# The tests open the page in a browser and play against gnugo; where these may not be installed, those tests are skipped.
case $WHAT in *dev*)
    if ! { command -v chromium && command -v chromedriver && { [ -x /usr/games/gnugo ] || command -v gnugo; }; } >/dev/null
    then
        install_packages chromium chromium-driver gnugo ||
            say "some tests will be skipped; to run them all: sudo apt-get install chromium chromium-driver gnugo"
    fi
esac
