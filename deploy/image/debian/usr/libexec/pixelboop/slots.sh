# shellcheck shell=sh
# The card's two systems, for its initramfs and its scripts. The slot a or b of a system is the card's second or third partition, with
# Debian, and the folder a or b on the first partition, with its kernel. The first two lines of config.txt there name the slot that
# the firmware starts:
#
#     os_prefix=a/
#     include a.txt
#
# A new system is on trial until its box is ready. The file `trial` has its slot, the slot before it, and the number of its starts.

starts_max=3

# The slot of the system that runs, from the kernel's command line; nothing if it has no slots.
# shellcheck disable=SC2013 # words of one line
slot_of_this_start() {
    for word in $(cat /proc/cmdline); do
        case $word in pixelboop.slot=[ab]) printf '%s\n' "${word#*=}" ;; esac
    done
}

# The partition of slot $2, beside the data partition $1, which is the fourth.
partition_of_slot() {
    case $2 in
    a) printf '%s\n' "${1%4}2" ;;
    b) printf '%s\n' "${1%4}3" ;;
    esac
}

# Counts a start of the system that the file $1 has on trial. Fails if it has had all of its starts, or if this one cannot be counted, as on
# a partition that is full: it would start for ever. Sets `before`, the slot before it.
count_start() {
    read -r tried before starts <"$1" || return 1
    [ "$starts" -lt $starts_max ] || return 1
    { printf '%s\n' "$tried $before $((starts + 1))" >"$1.new" && sync && mv "$1.new" "$1" && sync; } 2>/dev/null || return 1
    read -r _ _ counted <"$1" && [ "$counted" = $((starts + 1)) ]
}

# Whether the file $1 has the system of slot $2 on trial.
is_on_trial() { [ -e "$1" ] && read -r tried _ <"$1" && [ "$tried" = "$2" ]; }

# Makes the firmware start the slot $2 from now on; $1 is the first partition's place, writable. Both lines are in the file's first
# sector, which is written at once: after a power cut it is the old one or the new one. $3 is a temporary file.
choose_slot() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        os_prefix=[ab]/*) line="os_prefix=$2/${line#os_prefix=?/}" ;;
        "include "[ab].txt*) line="include $2.txt${line#include ?.txt}" ;;
        esac
        printf '%s\n' "$line"
    done <"$1/config.txt" >"$3"
    dd if="$3" of="$1/config.txt" bs=512 count=1 conv=notrunc 2>/dev/null && sync
}
