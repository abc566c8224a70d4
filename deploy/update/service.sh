# Common functions of pixelboop-update, pixelboop-reset and the card's image. `name` is the command's.

state=/var/lib/pixelboop-update
# The library of before an update.
copy=$state/library/library.sqlite
# A card's system that has not been kept yet: see slots.sh there.
trial=$state/trial
configuration=/etc/pixelboop/config.json5

log() { printf '%s\n' "$name: $*" >&2; }

# Prints one line and exits with status $1.
fail() {
    status=$1
    shift
    log "$*"
    exit "$status"
}

only_root() { [ "$(id -u)" = 0 ] || fail 77 "only root may do this; use sudo"; }

# Holds the lock of both commands until the end, including child processes. Waits $1 seconds for it.
take_lock() {
    exec 9>"$state/lock" || fail 73 "$state/lock: cannot be made; see that $state can be written"
    flock --timeout "$1" 9 || fail 69 "another update or reset is under way; wait for its end"
}

# Makes the root file system writable if it is not, until close_root.
open_root() {
    [ ! -w / ] || return 0
    mount -o remount,rw / || return 1
    reopened=yes
}

close_root() {
    [ -n "${reopened:-}" ] || return 0
    mount -o remount,ro / || log "/: stays writable until the next start"
    reopened=""
}

# Replaces $2, which is kept, by $1; `kept` has its new name. The folder of $2 is root's; a link there is replaced, not
# followed.
put_back() {
    if [ -f "$2" ] && [ ! -L "$2" ]; then
        if cmp --quiet "$1" "$2"; then return 0; fi
        replaced=$2.replaced-$(date +%Y%m%d-%H%M%S)
        cp -a --remove-destination "$2" "$replaced"
        kept="${kept:-} $replaced"
    fi
    replacement=$(mktemp "$2.XXXXXX")
    cat "$1" >"$replacement"
    chmod 644 "$replacement"
    sync "$replacement" "$(dirname "$2")"
    mv -T "$replacement" "$2"
}

# Seconds since the machine's start: the time of day may jump.
uptime_seconds() { cut -d . -f 1 /proc/uptime; }

# Runs a command as the service would.
as_box() {
    setpriv --reuid=pixelboop --regid=pixelboop --init-groups env STATE_DIRECTORY=/var/lib/pixelboop \
        PIXELBOOP_CONFIG=$configuration "$@"
}

# Runs `pixelboop library` as the service would: as its user, on its library.
library() {
    # shellcheck disable=SC1091
    options=$(exec 2>/dev/null && PIXELBOOP_OPTIONS="" && . /etc/default/pixelboop && printf '%s\n' "$PIXELBOOP_OPTIONS") || options=""
    last=""
    for word in $options; do
        case $last in --library | --config) set -- "$@" "$last" "$word" ;; esac
        case $word in --library=* | --config=*) set -- "$@" "$word" ;; esac
        last=$word
    done
    as_box pixelboop library "$@"
}

# Replaces the file $1 in $state by the standard input. After a power cut it is the old one or the new one.
keep_state() {
    cat >"$1.new"
    sync "$1.new"
    mv "$1.new" "$1"
    sync "$state"
}

# Copies the library to $copy, for a new version that may change it. The box is stopped. If that fails the box starts again, and $1
# makes what was begun undone.
copy_library() {
    rm -rf "$state/library"
    install -d -o pixelboop -g pixelboop -m 700 "$state/library"
    # 66: there is none yet.
    error=$(library backup "$copy" 2>&1) || [ $? = 66 ] || {
        $1
        systemctl start --no-block pixelboop
        fail 74 "nothing was changed, as the library cannot be copied: $error"
    }
}

# Starts the box, and waits for it.
start_box() {
    # Also resets its restart counter.
    systemctl reset-failed pixelboop 2>/dev/null || true
    systemctl start --no-block pixelboop && await_box
}

# Waits until the box has been ready for five seconds, as one process; fails if it is not within PIXELBOOP_READY_SECONDS (60), or has
# exited three times.
await_box() {
    deadline=$(($(uptime_seconds) + ${PIXELBOOP_READY_SECONDS:-60}))
    pid=0
    since=$(uptime_seconds)
    while [ "$(uptime_seconds)" -lt "$deadline" ]; do
        sleep 0.5
        [ "$(systemctl show --property NRestarts --value pixelboop)" -lt 3 ] || return 1
        now=$(systemctl show --property MainPID --value pixelboop)
        if [ "$now" = "$pid" ] && systemctl is-active --quiet pixelboop; then
            [ "$(uptime_seconds)" -lt $((since + 5)) ] || return 0
        else
            pid=$now
            since=$(uptime_seconds)
        fi
    done
    return 1
}
