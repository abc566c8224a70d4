# shellcheck shell=sh disable=SC2154 # for setup-requests, which sets the variables
# Requests about sound and touch devices.

# Prints and keeps the devices of this machine. Their titles are anybody's: a line in another form is left out.
print_devices() {
    work=$(mktemp "$setup/devices.XXXXXX")
    for kind in sound touch; do
        # A card may be slow to open.
        as_box timeout 20 pixelboop devices $kind 2>/dev/null | KIND=$kind awk -F "$(printf '\t')" '
            NF == 2 && $1 ~ /^[A-Za-z0-9][A-Za-z0-9:=,._ -]*$/ && $2 !~ /[[:cntrl:]]/ && length($0) <= 400 && !seen[$1]++ {
                print ENVIRON["KIND"] " " $0
            }' | head -n 16
    done >"$work"
    mv -T "$work" "$setup/devices"
    accept
    cat "$setup/devices"
}

# Refuses a device of the kind $1 that is not listed: nothing of another name is written or opened.
check_device() { is_listed "$1 $chosen" 1 "$setup/devices" || refuse "this device is not in the list; look for devices again"; }

# Plays the tone through the chosen device; `problem` says why it cannot.
play_tone() {
    if error=$(as_box timeout 10 pixelboop devices sound --test "$chosen" 2>&1 >/dev/null); then return 0; fi
    problem=$(printf '%s\n' "$error" | reason)
    problem=${problem:-"$chosen took too long to open"}
    return 1
}

set_sound() {
    check_device sound
    take_box
    read_choices || refuse "the configuration is your own, and stays as it is; set audio.device in it"
    stop_box
    play_tone || refuse "$problem"
    sound=$chosen
    apply_choices "the box does not start with this sound device"
}

# The box plays on, unless it has the device for itself.
play_tone_only() {
    check_device sound
    take_box
    play_tone || {
        case $problem in *"it is busy"*) ;; *) refuse "$problem" ;; esac
        stop_box
        play_tone || refuse "$problem"
    }
    accept
}

set_touch() {
    [ "$chosen" = any ] || check_device touch
    take_box
    read_choices || refuse "the configuration is your own, and stays as it is; set touch.device in it"
    touch=$chosen
    [ "$chosen" != any ] || touch=""
    apply_choices "the box does not start with this touch device"
}

# The box has its overlays for itself, so it is stopped while a command counts touches, and shows them on the panel.
count_touches() {
    take_box
    stop_box
    as_box timeout 20 pixelboop touch monitor --seconds 8 >"$setup/touches" 2>"$setup/touches.error" || {
        problem=$(reason <"$setup/touches.error")
        refuse "${problem:-"touches cannot be read; see the journal"}"
    }
    touches=$(grep -c '"phase": "down"' "$setup/touches") || true
    accept
    printf '%s\n' "touches $touches"
}
