#!/bin/sh
# Tries the wheel on arm64, a processor that is emulated: fast tests of the referee, the journal and the codec, and one
# photograph by OpenCV's nets and by ONNX Runtime's, whose rows, doubts and lids have to be the ones of this machine:
#     sh hardware/try_arm64.sh /var/tmp/try PHOTO
# As root; needs mmdebstrap, qemu-user-static with binfmt_misc, 1 GB, and this checkout's .venv, so `make test` has to have
# run here. What Debian and pip give is unpacked here, so that nothing is emulated but what is tried.
#   TESTS     other tests than those, as pytest takes them
#   RUNTIME   another version of ONNX Runtime, as pip takes it
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
ROOT=$1/arm64 KEPT=$1 PHOTO=$(realpath "$2")
SUITE=trixie PYTHON_THERE=3.13
TESTS=${TESTS-tests/referee/rules tests/referee/codec tests/device/journal}
PACKAGES=base-files,coreutils,dash,python3,libgl1,libglib2.0-0t64,libxcb1,tzdata
TAKEN=/opt/taken NETS=/opt/nets

# shellcheck source=hardware/bare.sh
. "$PROJECT/hardware/bare.sh"

# Unpack packages as pip chooses them for that system.
fetch() {
    to=$1 && shift
    "$PROJECT/.venv/bin/pip" install -q --disable-pip-version-check --no-compile --target "$ROOT$to" --only-binary :all: \
        --implementation cp --python-version "$PYTHON_THERE" --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_27_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        -c "$PROJECT/hardware/constraints.txt" "$@"
}

there() {
    inside HOME=/root OPENBLAS_NUM_THREADS=1 "$@"
}

# Print the seconds that a command takes beside its name; its output goes to a file.
timed() {
    what=$1 to=$2 began=$(date +%s) && shift 2
    "$@" >"$to" || { tail -n 20 "$to" >&2; echo "$what: failed" >&2; exit 1; }
    echo "$what: $(($(date +%s) - began)) s"
}

look_here() {
    "$PROJECT/.venv/bin/python" -c "$1; from device.__main__ import main; sys.exit(main(['look', '--json', '$PHOTO']))"
}

# Say that two answers are the same but for the name, the time and the last digit of corners, or what differs.
compare() {
    "$PROJECT/.venv/bin/python" - "$@" <<'END'
import json, sys
what, *files = sys.argv[1:]
here, there = (json.load(open(file, encoding="utf-8")) for file in files)
def seen(answer):
    lids = [{name: value for name, value in lid.items() if name != "box"} for lid in answer["lids"]]
    return {"rows": answer["rows"], "doubtful": answer["doubtful"], "lids": lids}
if seen(here) != seen(there):
    sys.exit(f"{what}: not the same\nhere  {seen(here)}\nthere {seen(there)}")
apart = max(abs(a - b) for one, other in zip(here["corners"], there["corners"]) for a, b in zip(one, other))
print(f"{what}: the same rows, doubts and lids; corners differ by {apart:.1f} px at most")
END
}

if ! ls /proc/sys/fs/binfmt_misc/qemu-aarch64 >/dev/null 2>&1; then
    echo "no program for arm64 can run here: mount binfmt_misc, and install qemu-user-static." >&2
    exit 1
fi
mkdir -p "$KEPT"
[ -e "$ROOT/usr/bin/python3" ] ||
    mmdebstrap --quiet --mode=root --architectures=arm64 --variant=extract --include="$PACKAGES" "$SUITE" "$ROOT"
echo 'root:x:0:0:root:/root:/bin/sh' >"$ROOT/etc/passwd"
trap close_bare EXIT
mount_bare
rm -rf "$KEPT/wheel" "${ROOT:?}$TAKEN" "${ROOT:?}$NETS"
"$PROJECT/.venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w "$KEPT/wheel" "$PROJECT"
fetch "$TAKEN" "$KEPT"/wheel/shinpan-*.whl pytest hypothesis
fetch "$NETS" --no-deps "${RUNTIME-onnxruntime}" flatbuffers protobuf packaging
cp "$PHOTO" "$ROOT/var/tmp/photo.jpg"
there PYTHONPATH="$TAKEN" python3 -c "import platform; print('Python', platform.python_version(), platform.machine())"
timed "look by OpenCV" "$KEPT/there-opencv.json" \
    there PYTHONPATH="$TAKEN" python3 -m shinpan look --json /var/tmp/photo.jpg
cd "$PROJECT"
look_here "import sys; sys.modules['onnxruntime'] = None" >"$KEPT/here-opencv.json"
compare "OpenCV" "$KEPT/here-opencv.json" "$KEPT/there-opencv.json"
copy_project root/project
# shellcheck disable=SC2086
timed "tests" "$KEPT/tests.txt" there PYTHONPATH="$TAKEN" sh -c \
    "cd /root/project && exec python3 -m pytest -q --tier check -p no:cacheprovider $TESTS"
tail -n 3 "$KEPT/tests.txt"
timed "look by ONNX Runtime" "$KEPT/there-onnx.json" \
    there PYTHONPATH="$TAKEN:$NETS" python3 -m shinpan look --json /var/tmp/photo.jpg
look_here "import sys, onnxruntime" >"$KEPT/here-onnx.json"
compare "ONNX Runtime" "$KEPT/here-onnx.json" "$KEPT/there-onnx.json"
