#!/bin/sh
# Starts the image of a card in an emulated machine, begins a match through its page, cuts its power in the middle of the
# game, and says whether it came back with it, and how long it took:
#     sh hardware/try_image.sh out/shinpan.img /var/tmp/try
# needs qemu-system-arm (ARCH=amd64: qemu-system-x86), mtools, e2fsprogs, and this checkout's .venv. CUTS: 5. The camera
# and the buttons are not the card's: the table is drawn here, and a numpad of the emulated machine is pressed.
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
IMAGE=$1 WORK=$2 ARCH=${ARCH-arm64} PORT=${PORT-18480}
SECTOR=512
mkdir -p "$WORK"
cp --sparse=always "$IMAGE" "$WORK/card.img"
rm -f "$WORK/console.log" "$WORK/vmlinuz" "$WORK/initrd.img" "$WORK/control"

# The card that the image is written to is larger.
truncate -s 8G "$WORK/card.img"
start_of() { sfdisk -d "$WORK/card.img" | sed -n "s/.*img$1 : start= *\([0-9]*\),.*/\1/p"; }
BOOT="$WORK/card.img@@$(($(start_of 1) * SECTOR))"
mcopy -n -i "$BOOT" '::vmlinuz-*' "$WORK/vmlinuz"
mcopy -n -i "$BOOT" '::initrd.img-*' "$WORK/initrd.img"

# As somebody writes shinpan.txt, with a line that cannot be used: the box has to start all the same and say so.
printf 'name = Table-3\r\nwifi = Club\r\npassword = short\r\n' >"$WORK/shinpan.txt"
mcopy -o -i "$BOOT" "$WORK/shinpan.txt" ::shinpan.txt

# The only change inside: 10.0.2.2 is this machine, as the emulated one sees it.
echo "$PORT" >"$WORK/port"
cat >"$WORK/settings.toml" <<END
[camera]
source = "http://10.0.2.2:$PORT/video"
[panel]
kind = "keys"
[page]
host = "0.0.0.0"
[data]
folder = "/var/lib/shinpan"
END
debugfs -w -f /dev/stdin "$WORK/card.img?offset=$(($(start_of 2) * SECTOR))" >/dev/null 2>&1 <<END
rm /etc/shinpan/settings.toml
write $WORK/settings.toml /etc/shinpan/settings.toml
END

cd "$PROJECT"
.venv/bin/python -m tests.benchmarks.card_boots "$WORK" --arch "$ARCH" --cuts "${CUTS-5}"
grep -ao "shinpan.txt, line 3: [^\r]*" "$WORK/console.log" | tail -n 1
dumpe2fs -h "$WORK/card.img?offset=$(($(start_of 2) * SECTOR))" 2>/dev/null |
    awk '/^Block count/ { n = $3 } /^Block size/ { print "the file system has grown to " n * $3 / 2 ^ 20 " MB" }'
mdir -b -i "$BOOT" ::box.txt
