#!/bin/sh
# Builds the image of a card: Debian with shinpan as install.sh installs it, and what a Raspberry Pi 3 or 4 starts from.
#     sh hardware/image.sh out/shinpan.img
# As root, in a container too: nothing is mounted by a loop device. Needs mmdebstrap, arch-test, dosfstools, mtools, fdisk,
# e2fsprogs, and for another processor than this one qemu-user-static with binfmt_misc; 6 GB, and a network.
#   ARCH    arm64; with amd64 the same system without a Pi's firmware, to compare (hardware/try_image.sh)
#   WHEELS  a folder with Python packages to take instead of asking the network, for which an emulated processor is slow
#   BASE    a tar file: what comes from Debian before shinpan is kept there, and taken from there the next time
set -eu
BEGAN=$(date +%s)
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
IMAGE=$1
ARCH=${ARCH-arm64}
SUITE=trixie
MIRROR=http://deb.debian.org/debian
NAME=shinpan
BOOT_LABEL=SHINPANBOOT ROOT_LABEL=shinpan-root
# Megabytes: two kernels fit into the first; in the second this much stays free until it is grown to the card.
BOOT_SIZE=512 FREE=300
# What starts the machine, finds its networks, grows the card, and lets its owner in. install.sh brings the rest.
PACKAGES=systemd-sysv,udev,dbus,kmod,initramfs-tools,zstd,fdisk,e2fsprogs,python3,python3-venv,ca-certificates
PACKAGES=$PACKAGES,network-manager,wpasupplicant,wireless-regdb,iw,avahi-daemon,systemd-timesyncd,openssh-server,sudo
case $ARCH in
    arm64) PACKAGES=$PACKAGES,linux-image-arm64,raspi-firmware,firmware-brcm80211 ;;
    *) PACKAGES=$PACKAGES,linux-image-$ARCH ;;
esac

# shellcheck source=hardware/bare.sh
. "$PROJECT/hardware/bare.sh"

clean_up() {
    close_bare
    rm -rf --one-file-system "$WORK"
}

check_tools() {
    [ "$(id -u)" = 0 ] || { echo "an image is built by root; run: sudo make image" >&2; exit 1; }
    wanted=
    while read -r program package; do
        command -v "$program" >/dev/null || wanted="$wanted $package"
    done <<END
mmdebstrap mmdebstrap
arch-test arch-test
mkfs.vfat dosfstools
mcopy mtools
sfdisk fdisk
mkfs.ext4 e2fsprogs
END
    if [ "$ARCH" != "$(dpkg --print-architecture)" ] && ! ls /proc/sys/fs/binfmt_misc/qemu-* >/dev/null 2>&1; then
        wanted="$wanted qemu-user-static binfmt-support"
    fi
    [ -z "$wanted" ] || { echo "these are missing: apt-get install$wanted" >&2; exit 1; }
}

# The texts that nobody reads on a box, and sentences of programs in languages that its console cannot show, stay away. The
# root's type is there before the kernel: what is started from then brings the check of it. By itself it asks the disk,
# which there is not yet.
fetch_base() {
    echo FSTYPE=ext4 >"$WORK/root-type"
    set -- --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright'
    mmdebstrap --mode=root --format=tar --architectures="$ARCH" --variant=minbase --components=main,non-free-firmware \
        --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io "$@" --include="$PACKAGES" \
        --essential-hook="copy-in $PROJECT/hardware/card/fstab /etc" \
        --essential-hook="mkdir -p \"\$1/etc/initramfs-tools/conf.d\"" \
        --essential-hook="copy-in $WORK/root-type /etc/initramfs-tools/conf.d" \
        "$SUITE" - "$MIRROR" >"$BASE.new"
    mv "$BASE.new" "$BASE"
}

# With this machine's certificates, because whoever looks into our traffic has one; the image keeps none of them.
install_shinpan() {
    copy_project root/project
    cp /etc/ssl/certs/ca-certificates.crt "$ROOT/root/certificates"
    cp /etc/resolv.conf "$ROOT/etc/resolv.conf"
    set -- HOME=/root PIP_CERT=/root/certificates PIP_NO_CACHE_DIR=1
    if [ -n "${WHEELS-}" ]; then
        mkdir "$ROOT/root/wheels" && cp "$WHEELS"/*.whl "$ROOT/root/wheels/"
        set -- "$@" PIP_NO_INDEX=1 PIP_FIND_LINKS=/root/wheels
    fi
    [ "$ARCH" != arm64 ] || set -- "$@" SHINPAN_FOR=pi
    inside "$@" SHINPAN_REHEARSAL=no sh /root/project/hardware/install.sh
}

install_card() {
    for file in card_start.py own_network.sh; do install -m 644 "$PROJECT/hardware/$file" "$ROOT/opt/shinpan/$file"; done
    install -m 644 "$PROJECT/hardware/card/shinpan-card.service" "$ROOT/etc/systemd/system/"
    inside systemctl enable --quiet shinpan-card.service
    # Nobody can log in until shinpan.txt says so.
    inside systemctl disable --quiet ssh.service
    mkdir -p "$ROOT/boot/firmware"
    install -m 644 "$PROJECT/hardware/card/shinpan.txt" "$ROOT/boot/firmware/"
    echo "$NAME" >"$ROOT/etc/hostname"
    printf '127.0.0.1\tlocalhost\n127.0.1.1\t%s\n::1\tlocalhost\n' "$NAME" >"$ROOT/etc/hosts"
}

# Its own hooks write what a Pi's firmware reads.
install_kernel() {
    inside sh -c 'lsinitramfs /boot/initrd.img-*' | grep -q 'sbin/fsck\.ext4$' || {
        echo "the kernel's first files bring no check of the root file system." >&2
        exit 1
    }
    if [ "$ARCH" != arm64 ]; then cp "$ROOT"/boot/vmlinuz-* "$ROOT"/boot/initrd.img-* "$ROOT/boot/firmware/"; return; fi
    printf 'ROOTPART=LABEL=%s\nCONSOLES=tty0\n' "$ROOT_LABEL" >"$ROOT/etc/default/raspi-firmware"
    inside DEB_MAINT_PARAMS=configure /etc/kernel/postinst.d/z50-raspi-firmware
}

# Keys, names and passwords belong to one card: each makes its own at its first start.
forget() {
    rm -rf "$ROOT"/root/project "$ROOT"/root/wheels "$ROOT"/root/certificates "$ROOT"/root/.cache
    rm -f "$ROOT"/etc/ssh/ssh_host_* "$ROOT"/etc/NetworkManager/system-connections/* "$ROOT"/etc/resolv.conf
    rm -f "$ROOT"/var/lib/dbus/machine-id "$ROOT"/var/lib/systemd/random-seed
    : >"$ROOT/etc/machine-id"
    rm -rf "$ROOT"/var/lib/shinpan/* "$ROOT"/var/lib/shinpan/.[!.]* "$ROOT"/var/backups/shinpan
    rm -rf "$ROOT"/var/cache/apt/*.bin "$ROOT"/var/cache/apt/archives/*.deb "$ROOT"/var/lib/apt/lists/*
    find "$ROOT/var/log" "$ROOT/tmp" "$ROOT/var/tmp" "$ROOT/run" -mindepth 1 -depth -not -type d -delete
}

# The first partition as FAT by mtools, the second from the folder by mkfs.ext4, both laid into one file.
pack() {
    truncate -s "${BOOT_SIZE}M" "$WORK/boot"
    mkfs.vfat -F 32 -n "$BOOT_LABEL" "$WORK/boot" >/dev/null
    mcopy -s -i "$WORK/boot" "$ROOT"/boot/firmware/* ::
    rm -rf "${ROOT:?}"/boot/firmware/*
    size=$(($(du -sm --apparent-size "$ROOT" | cut -f1) * 108 / 100 + FREE))
    truncate -s "${size}M" "$WORK/system"
    mkfs.ext4 -q -L "$ROOT_LABEL" -m 1 -d "$ROOT" "$WORK/system"
    start=$((4 + BOOT_SIZE))
    rm -f "$IMAGE"
    truncate -s "$((start + size + 1))M" "$IMAGE"
    sfdisk -q "$IMAGE" <<END
label: dos
start=4MiB, size=${BOOT_SIZE}MiB, type=c, bootable
start=${start}MiB, size=${size}MiB, type=83
END
    dd if="$WORK/boot" of="$IMAGE" bs=1M seek=4 conv=notrunc,sparse status=none
    dd if="$WORK/system" of="$IMAGE" bs=1M seek="$start" conv=notrunc,sparse status=none
}

check_tools
WORK=$(mktemp -d "${TMPDIR-/var/tmp}/shinpan-image.XXXXXX")
ROOT=$WORK/root
trap clean_up EXIT
BASE=${BASE-$WORK/base.tar}
[ -e "$BASE" ] || fetch_base
mkdir "$ROOT"
tar x -f "$BASE" -C "$ROOT" --numeric-owner --xattrs --xattrs-include='*'
cmp -s "$PROJECT/hardware/card/fstab" "$ROOT/etc/fstab" || { echo "$BASE is of another version; delete it." >&2; exit 1; }
mount_bare
install_shinpan
install_card
install_kernel
close_bare
if mountpoint -q "$ROOT/dev" || mountpoint -q "$ROOT/proc"; then
    echo "a program in $ROOT still runs; end it, and try again." >&2
    exit 1
fi
forget
mkdir -p "$(dirname "$IMAGE")"
pack
echo "$IMAGE: $(du -m --apparent-size "$IMAGE" | cut -f1) MB, of which $(du -m "$IMAGE" | cut -f1) are written;" \
    "$(grep -c '^Package: ' "$ROOT/var/lib/dpkg/status") packages of Debian's; built in $((($(date +%s) - BEGAN) / 60)) minutes."
