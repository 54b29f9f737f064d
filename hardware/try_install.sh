#!/bin/sh
# Installs the project on a bare Debian, of another architecture too, and tries it there: install.sh, doctor, look, and a
# game of eleven turns on the drawn table. A check before a release, as root:
#     sh hardware/try_install.sh arm64 trixie /var/tmp/try PHOTO
# needs debootstrap, for a foreign architecture qemu-user-static with binfmt_misc, and 4 GB. WHEELS: a folder with
# packages to take instead of asking the network, for which an emulated processor is slow.
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
ARCH=$1 SUITE=$2 ROOT=$3/$1-$2 PHOTO=$4

# shellcheck source=hardware/bare.sh
. "$PROJECT/hardware/bare.sh"

step() {
    echo "== $*"
    inside HOME=/root "$@"
}

if [ "$ARCH" != "$(dpkg --print-architecture)" ] && ! ls /proc/sys/fs/binfmt_misc/qemu-* >/dev/null 2>&1; then
    echo "no foreign program can run here: mount binfmt_misc, and install qemu-user-static." >&2
    exit 1
fi
open_bare "$ARCH" "$SUITE" ca-certificates
copy_project root/project
cp "$PHOTO" "$ROOT/var/tmp/photo.jpg"
set -- PIP_CERT=/etc/ssl/certs/ca-certificates.crt
if [ -n "${WHEELS-}" ]; then
    mkdir -p "$ROOT/root/wheels" && cp "$WHEELS"/*.whl "$ROOT/root/wheels/"
    set -- "$@" PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels
fi
step env "$@" sh /root/project/hardware/install.sh
# There is no camera; everything else has to be right.
step runuser -u shinpan -- env HOME=/var/lib/shinpan shinpan doctor --beside --settings /etc/shinpan/settings.toml
step shinpan look /var/tmp/photo.jpg
step shinpan demo --rehearsal --port 0 >"$ROOT/var/tmp/demo.log"
tail -n 1 "$ROOT/var/tmp/demo.log"
