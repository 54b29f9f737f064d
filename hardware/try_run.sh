#!/bin/sh
# Sets the project up on a bare Debian as a new user does, and says how long that takes:
#     sh hardware/try_run.sh trixie /var/tmp/try root        until the page of `make run` answers
#     sh hardware/try_run.sh trixie /var/tmp/try root test   until `make test` has ended
#     sh hardware/try_run.sh trixie /var/tmp/try user game   a whole game there as docs/first-evening.md has it; the players
#                                                            are this checkout's, so `make test` has to have run here
# `user` instead of root: one who may install nothing, on a system that has python3-venv besides. As root; needs
# debootstrap, 2 GB (4 to test), and the port 8000 (PORT chooses another). HOLD: seconds for which the page stays.
# What the user sees is kept beside the system, in a file that ends in .seen.
set -eu
PROJECT=$(cd "$(dirname "$0")/.." && pwd)
SUITE=$1 ROOT=$2/$1-$3 WHO=$3 WHAT=${4-run} PORT=${PORT-8000}
SEEN=$ROOT-$WHAT.seen
# shellcheck source=hardware/bare.sh
. "$PROJECT/hardware/bare.sh"

# As on a terminal, so that bars are drawn and kept.
make_there() {
    exec script -qefc "chroot '$ROOT' $AS env -i HOME='$HOME_THERE' PATH=/usr/bin:/bin:/usr/sbin:/sbin TERM=xterm LANG=C.UTF-8 \
        PIP_CERT=/etc/ssl/certs/ca-certificates.crt make -C '$HOME_THERE/shinpan' $*" "$SEEN" >/dev/null 2>&1 </dev/null
}

answers() {
    inside python3 -c "import urllib.request as r; r.urlopen('http://127.0.0.1:$PORT/', timeout=60)" 2>/dev/null
}

until_it_answers() {
    while ! answers; do
        kill -0 "$MADE" 2>/dev/null || { tail -n 5 "$SEEN" >&2; exit 1; }
        sleep 1
    done
}

# The whole game of docs/first-evening.md: its program runs there, the players and their table here. The program's folder is
# one that both see.
play_there() {
    inside sh -c "cd '$HOME_THERE/shinpan' && $AS env HOME='$HOME_THERE' PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
        .venv/bin/pip install -q 'evdev-binary>=1.9'"
    cat >"$ROOT-shinpan" <<END
#!/bin/sh
chmod -R o+rwX '$ROOT/var/tmp/game'
exec chroot --userspec=${AS:+player:player} '$ROOT' env -i -C "\${PWD#'$ROOT'}" HOME='$HOME_THERE' PATH=/usr/bin:/bin \
    TERM=xterm LANG=C.UTF-8 '$HOME_THERE/shinpan/.venv/bin/shinpan' "\$@"
END
    chmod +x "$ROOT-shinpan"
    rm -rf "$ROOT/var/tmp/game" && mkdir "$ROOT/var/tmp/game"
    (cd "$PROJECT" && SHINPAN="$ROOT-shinpan" .venv/bin/python -m pytest -n 0 -p no:cacheprovider \
        --basetemp "$ROOT/var/tmp/game/one" tests/scenarios/test_no_solder.py -k whole_game)
}

# The megabytes of packages that pip says it downloads.
fetched() {
    sed -n 's/.*\(Downloading\|Using cached\) .*whl.* (\([0-9.]*\) \(MB\|kB\)).*/\2 \3/p' "$SEEN" |
        awk '{ sum += $2 == "kB" ? $1 / 1000 : $1 } END { printf "%.0f", sum }'
}

AS='' HOME_THERE=/root BESIDE=
if [ "$WHO" = user ]; then AS='runuser -u player --' HOME_THERE=/home/player BESIDE=,python3-venv; fi
open_bare "$(dpkg --print-architecture)" "$SUITE" "ca-certificates,make,git,python3$BESIDE"
[ "$WHO" = root ] || inside id player >/dev/null 2>&1 || inside useradd -m player
copy_project "$HOME_THERE/shinpan"
[ "$WHO" = root ] || inside chown -R player: "$HOME_THERE/shinpan"
BEGAN=$(date +%s)
if [ "$WHAT" = run ]; then
    make_there run "PORT=$PORT" &
    MADE=$!
    until_it_answers
elif [ "$WHAT" = game ]; then
    (make_there .venv/ready-to-run)
else
    (make_there "$WHAT")
fi
echo "$SUITE, $WHO: make $WHAT took $(($(date +%s) - BEGAN)) s and fetched $(fetched) MB of Python packages." \
    ".venv is $(du -sm "$ROOT$HOME_THERE/shinpan/.venv" | cut -f1) MB."
[ "$WHAT" != game ] || play_there
if [ "$WHAT" = run ]; then
    sleep "${HOLD-0}"
    kill "$MADE"
    wait "$MADE" 2>/dev/null || true
fi
