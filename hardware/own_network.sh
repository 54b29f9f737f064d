#!/bin/sh
# Makes the box's own Wi-Fi network, unless there is one: NetworkManager keeps it, and shinpan-network.service opens it
# where no other is in reach. install.sh runs it, and a card at its first start. ROOT: the system, if it is another folder.
set -eu
OWN="shinpan access point"
OWN_FILE=${ROOT-}/etc/NetworkManager/system-connections/shinpan-access-point.nmconnection

# What is read off and typed: no letter looks like another.
letters() { LC_ALL=C tr -dc abcdefghjkmnpqrstuvwxyz23456789 </dev/urandom | head -c 4; }

# Protected management frames are off (1): a Raspberry Pi's own Wi-Fi cannot have them as an access point, and no phone
# gets in. It never opens by itself: NetworkManager would open it before it has looked for the networks it knows.
own_network() {
    cat <<END
[connection]
id=$OWN
uuid=dd99dfe5-94f2-5947-91c2-64146deb4604
type=wifi
autoconnect=false

[wifi]
mode=ap
band=bg
ssid=shinpan-$(letters)

[wifi-security]
key-mgmt=wpa-psk
proto=rsn
pairwise=ccmp
group=ccmp
pmf=1
psk=$(letters)-$(letters)-$(letters)

[ipv4]
method=shared
address1=10.42.0.1/24

[ipv6]
method=disabled
END
}

if [ ! -e "$OWN_FILE" ]; then
    mkdir -p "${OWN_FILE%/*}"
    (umask 077 && own_network >"$OWN_FILE.new" && mv "$OWN_FILE.new" "$OWN_FILE")
fi
