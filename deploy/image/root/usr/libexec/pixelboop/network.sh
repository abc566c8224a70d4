# shellcheck shell=sh disable=SC2034 # for the scripts that read this file
# Common places and functions of the scripts of the card's network. PIXELBOOP_ROOT is a prefix of all paths, for the checks.

root=${PIXELBOOP_ROOT:-}
# What the setup page has set: wpa_supplicant.conf, country, access-point (the password), updates-folder (a URL), choices (of the box's
# configuration) and choices.before, and the empty files closed and page.
saved=$root/data/network
# The first partition: wpa_supplicant.conf, and the empty files access-point and no-access-point.
card=$root/boot/firmware
# The state of this start: access-point, access-point.conf, trial.conf, card.conf (the network on the first partition), seen, problem and
# trusted; updates and devices (what was listed last) and update (the state of the last one).
setup=$root/run/pixelboop-setup
zones=/usr/share/zoneinfo
# The update that the page's server keeps for a visitor, and the same while it is installed. Both are the box's user's.
uploads=$root/var/lib/pixelboop/upload
installing=$root/var/lib/pixelboop/upload.installing

# Replaces the file $1 by the standard input. After a power cut it is the old one or the new one.
keep() {
    [ -d "$saved" ] || { install -d -m 700 "$saved" && sync "$(dirname "$saved")"; } || return 1
    cat >"$1.new" && sync "$1.new" && mv -T "$1.new" "$1" && sync "$(dirname "$1")"
}

# Removes files, durably.
discard() {
    rm -f "$@" && { [ ! -d "$saved" ] || sync "$saved"; }
}

# Says in a file beside $1, a file of the first partition, that it is not used because of $2; nothing withdraws that.
note_card_file() {
    note=$card/${1%.*}.refused.txt
    [ "$(cat "$note" 2>/dev/null)" != "$2" ] || return 0
    mountpoint -q "$card" && mount -o remount,rw "$card" || return 1
    if [ -n "$2" ]; then printf '%s\n' "$2" >"$note"; else rm -f "$note"; fi || true
    sync
    mount -o remount,ro "$card"
}

# Makes the Wi-Fi network on the first partition card.conf, or says there why wpa_supplicant does not take it: then it is as if there were
# none.
take_card_network() {
    install -d -m 755 "$setup"
    rm -f "$setup/card.conf"
    (umask 077 && "$root/usr/libexec/pixelboop/card-file" "$card" wpa_supplicant.conf >"$setup/card.new" 2>/dev/null) || {
        rm -f "$setup/card.new"
        note_card_file wpa_supplicant.conf "" || true
        return 0
    }
    # It reads the file before it looks for the interface, and has no other way to check one.
    problem=$(timeout 10 wpa_supplicant -c "$setup/card.new" -i none 2>&1 | sed -n 's/^Line \([0-9]*\): \(.*\)$/line \1: \2/p; /Failed to read or parse/ s/.*/is no configuration of wpa_supplicant/p' | head -n 1)
    [ -n "$problem" ] || grep -q '^[[:space:]]*network={' "$setup/card.new" || problem="has no network={ … }"
    if [ -n "$problem" ]; then
        rm -f "$setup/card.new"
        log "wpa_supplicant.conf on the card's first partition: $problem"
        note_card_file wpa_supplicant.conf "$problem" || true
        return 0
    fi
    mv -T "$setup/card.new" "$setup/card.conf"
    note_card_file wpa_supplicant.conf "" || true
}

# The last line of the standard input, without the name of the command that failed.
reason() { tail -n 1 | sed 's/^pixelboop\(-update\)\{0,1\}: //'; }

# The network's name in the file $1, in hex. A file of the setup page has it so; the card's has a text in quotes, or hex.
network_of() {
    ssid=$(sed -n 's/^[[:space:]]*ssid=//p' "$1" 2>/dev/null | head -n 1 | tr -d '\r')
    case $ssid in
    '"'*'"')
        ssid=${ssid#?}
        printf %s "${ssid%?}" | od -An -v -tx1 | tr -d ' \n'
        ;;
    *[!0-9A-Fa-f]*) ;;
    *) printf %s "$ssid" | tr A-F a-f ;;
    esac
}
