# shellcheck shell=sh
# What the trials on a bare Debian share. PROJECT: the folder of the project; ROOT: the one that holds the bare system.

# Where arm64 is emulated it is a Pi's processor, and not one that signs each return address, of which a Pi 3 or 4 knows
# nothing and for which an emulator takes five times as long.
[ "$(dpkg --print-architecture)" = arm64 ] || export QEMU_CPU="${QEMU_CPU-cortex-a72}"

# Make the bare system of an architecture and a suite with these packages, unless it is there, and open it.
open_bare() {
    mkdir -p "$(dirname "$ROOT")"
    [ -e "$ROOT/etc/debian_version" ] ||
        debootstrap --arch="$1" --variant=minbase --include="$3" "$2" "$ROOT" >"$ROOT.log"
    trap close_bare EXIT
    mount_bare
    cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
    # Whoever looks into our traffic has a certificate that the bare system does not know.
    cp /etc/ssl/certs/ca-certificates.crt "$ROOT/etc/ssl/certs/ca-certificates.crt"
}

mount_bare() {
    for place in proc sys dev dev/pts; do mount --bind "/$place" "$ROOT/$place"; done
}

close_bare() {
    for place in dev/pts dev sys proc; do umount "$ROOT/$place" 2>/dev/null || true; done
}

# Copy the project to a folder there, without what was made here.
copy_project() {
    rm -rf "${ROOT:?}/$1" && mkdir -p "$ROOT/$1"
    (cd "$PROJECT" && tar c --exclude=.git --exclude=.venv --exclude=out --exclude='.*_cache' .) | tar x -C "$ROOT/$1"
}

inside() {
    chroot "$ROOT" env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 QEMU_CPU="${QEMU_CPU-}" "$@"
}
