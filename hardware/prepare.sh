#!/bin/sh
# Makes .venv with what is named ("." to run, ".[dev]" to test too), in the versions that are tested together. What a
# bare Debian or Pi OS lacks is looked for before anything is fetched, and installed if that is allowed.
set -eu
cd "$(dirname "$0")/.."
WHAT=$1
PYTHON=.venv/bin/python
HEADLESS=.venv/headless
SABAKI=3.4.7

say() { echo "shinpan: $*" >&2; }
stop() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null; }
# Whoever is no administrator may lack these folders in their PATH.
is_there() { has "$1" || [ -x "/usr/games/$1" ] || [ -x "/usr/sbin/$1" ]; }
can_load() { python3 -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$1" 2>/dev/null; }
is_root() { [ "$(id -u)" = 0 ]; }

as_root() {
    if is_root; then "$@"; else sudo -n "$@"; fi
}

may_install() {
    has apt-get && { is_root || { has sudo && sudo -n true 2>/dev/null; }; }
}

# What is missing: to make .venv, to load OpenCV (unless a build that can be loaded is there), and to run all tests.
look() {
    VENV='' LIBRARIES='' PROGRAMS=''
    $PYTHON -m pip --version >/dev/null 2>&1 || python3 -c 'import ensurepip, venv' 2>/dev/null || VENV=' python3-venv'
    if [ ! -d $HEADLESS ] && ! $PYTHON -c 'import cv2' 2>/dev/null; then
        can_load libGL.so.1 || LIBRARIES="$LIBRARIES libgl1"
        can_load libgthread-2.0.so.0 || LIBRARIES="$LIBRARIES libglib2.0-0"
        can_load libxcb.so.1 || LIBRARIES="$LIBRARIES libxcb1"
    fi
    case $WHAT in *dev*)
        has chromedriver || PROGRAMS=' chromium-driver'
        for program in chromium espeak-ng gnugo mosquitto nats-server shellcheck; do
            is_there $program || PROGRAMS="$PROGRAMS $program"
        done
    esac
    MISSING=$VENV$LIBRARIES$PROGRAMS
}

install_missing() {
    say "these system packages are missing and are installed first:$MISSING"
    as_root apt-get update -qq || return 1
    # shellcheck disable=SC2086  # one word a package
    { LC_ALL=C apt-get install --assume-no $MISSING 2>/dev/null || true; } |
        sed -n 's/^Need to get \(.*\) of archives.*/shinpan: \1 are fetched for them./p' >&2
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $MISSING >/dev/null
}

# The one command with which whoever is allowed to installs what is missing.
by_hand() {
    if is_root; then echo "apt-get install$MISSING"
    elif has sudo; then echo "sudo apt-get install$MISSING"
    else echo "su -c 'apt-get install$MISSING'"
    fi
}

tell_missing() {
    [ -z "$VENV" ] || stop "Python cannot make an environment of its own here; install what is missing: $(by_hand)"
    WITHOUT=
    [ -z "$LIBRARIES" ] || WITHOUT="OpenCV's system libraries are missing here, so its headless build is taken, which sees the same"
    [ -z "$PROGRAMS" ] || WITHOUT="${WITHOUT:+$WITHOUT; }the tests that want$PROGRAMS are skipped"
    say "$WITHOUT; whoever may install them does it with: $(by_hand)"
}

# A package that is called as the declared one and brings the headless build of the same version: pip finds what shinpan
# declares, whatever it is asked for later, and never lays one build over the other.
lay_headless() {
    VERSION=$(sed -n 's/^opencv-python==//p' hardware/constraints.txt)
    mkdir -p $HEADLESS
    cat >$HEADLESS/pyproject.toml <<END
[build-system]
requires = ["setuptools>=69"]
build-backend = "setuptools.build_meta"
[project]
name = "opencv-python"
version = "$VERSION"
dependencies = ["opencv-python-headless==$VERSION"]
[tool.setuptools]
packages = []
END
    # Files of a build that cannot be loaded would be taken away last, from under the other.
    $PYTHON -m pip show -q opencv-python-headless 2>/dev/null || $PYTHON -m pip uninstall -q -y opencv-python 2>/dev/null
}

# Says how much pip fetches, where it is much; hardware/try_run.sh measures it.
announce() {
    [ ! -e .venv/ready-to-test ] || return 0
    case $WHAT$([ ! -e .venv/ready-to-run ] || echo ' later') in
        .) SIZE=110 TIME='2 minutes' ;;
        '.[dev]') SIZE=225 TIME='3 minutes' ;;
        '.[dev] later') SIZE=115 TIME='2 minutes' ;;
        *) return 0 ;;
    esac
    say "about $SIZE MB of Python packages are fetched into .venv here; at 10 Mbit/s that takes $TIME."
}

install_python_packages() {
    set -- -c hardware/constraints.txt -e "$WHAT"
    [ ! -d $HEADLESS ] || set -- "./$HEADLESS" "$@"
    # Tests use a part of it: what they load is compiled then.
    case $WHAT in *dev*) set -- --no-compile "$@" ;; esac
    # Whoever waits sees how far it is; in a record of a run bars are noise.
    if [ ! -t 1 ] || [ -n "${CI-}" ] || [ -z "$SIZE" ]; then set -- -q "$@"; fi
    $PYTHON -m pip install --disable-pip-version-check "$@" ||
        stop "the Python packages could not be installed; check the network and run the same command again."
}

# What only some tests want, and what not every machine can have: a reader of SGF in JavaScript, and packages that are
# built here or have no wheel for every machine. Without them these tests are skipped, and the run says so at its end.
install_extras_of_tests() {
    if has npm && [ ! -d .venv/node_modules/@sabaki/sgf ]; then
        npm install --silent --no-audit --no-fund --prefix .venv "@sabaki/sgf@$SABAKI" >/dev/null 2>&1 || true
    fi
    EXTRAS='rim hearing'
    [ ! -e /dev/uinput ] || EXTRAS="$EXTRAS keys"
    for extra in $EXTRAS; do
        wanted=$(sed -n "s/^$extra = \[\"\(.*\)\"\]$/\1/p" pyproject.toml)
        $PYTHON -m pip install --disable-pip-version-check -q "$wanted" >/dev/null 2>&1 || true
    done
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    stop "Python 3.11 or newer is needed; install it with: sudo apt-get install python3"
look
[ -z "$MISSING" ] || ! may_install || { install_missing || true; look; }
[ -z "$MISSING" ] || tell_missing
$PYTHON -m pip --version >/dev/null 2>&1 || python3 -m venv --clear .venv
if [ -n "$LIBRARIES" ] || [ -d $HEADLESS ]; then lay_headless; fi
SIZE=
announce
install_python_packages
case $WHAT in *dev*) install_extras_of_tests ;; esac
$PYTHON -c 'import cv2' || stop "OpenCV cannot be loaded; the line above says why."
