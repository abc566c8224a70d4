# shellcheck shell=sh disable=SC2154 # for setup-requests, which sets the variables
# The choices that make the box's configuration, and the box that starts with it.

list_examples() {
    for file in "$examples"/*.json5; do
        [ -f "$file" ] || continue
        file=${file##*/}
        [ "$file" = page.json5 ] || printf '%s\n' "${file%.json5}"
    done
}

# The configuration is an example's, or the package's, with these choices: the corner of the panel's origin; the panel's chains, in lines
# that `|` divides; a sound device and a touch device. All but the first are empty without a choice. Sets them to the choices of the
# configuration, and `source` to the file that has them; fails if the configuration is not the page's.
read_choices() {
    now=$(sum_of "$configuration")
    # The newer one may be of a configuration that the box did not get ready with.
    for source in "$choices" "$choices.before"; do
        example=default corner=topLeft wiring="" sound="" touch="" sum=""
        [ -s "$source" ] || continue
        while read -r key value; do
            case $key in
            leds) example=$value ;;
            corner) corner=$value ;;
            wiring) wiring=$value ;;
            sound) sound=$value ;;
            touch) touch=$value ;;
            sum) sum=$value ;;
            esac
        done <"$source"
        [ "$sum" != "$now" ] || return 0
    done
    # One of the package, or of a page that did not keep its choices.
    source="" wiring="" sound="" touch=""
    origin=$(sed -n 's/^    origin: "\([a-zA-Z]*\)",$/\1/p' "$configuration" 2>/dev/null | head -n 1)
    for example in $(list_examples) default; do
        corner=topLeft
        [ "$example" = default ] || corner=${origin:-topLeft}
        ! print_configuration | cmp -s - "$configuration" || return 0
    done
    return 1
}

sum_of() { sha256sum <"$1" 2>/dev/null | cut -d ' ' -f 1; }

# Prints the configuration of the choices, which are checked. An example has one line of each part; the package's has none.
print_configuration() {
    set -- -e ""
    if [ "$example" = default ]; then
        [ -z "$sound" ] || set -- "$@" -e "/^}\$/i\\  audio: { device: \"$sound\" },"
        [ -z "$touch" ] || set -- "$@" -e "/^}\$/i\\  touch: { device: \"$touch\" },"
        sed "$@" "$root/usr/share/pixelboop/config.json5"
    else
        [ "$corner" = topLeft ] || set -- "$@" -e "0,/^  panel: {\$/s//&\n    origin: \"$corner\",/"
        # Another device than the example's has the default period: the example's may be too short for it.
        [ -z "$sound" ] || set -- "$@" -e "/device: \"$sound\"/! s/^  audio: {.*\$/  audio: { device: \"$sound\" },/"
        [ -z "$touch" ] || set -- "$@" -e "s/^  touch: {/& device: \"$touch\",/"
        sed "$@" "$examples/$example.json5" | set_wiring
    fi
}

# Replaces the chains of the example on the standard input, and what it says about them, by the chains of `wiring`, if there are
# any.
set_wiring() {
    WIRING=$wiring awk '
        ENVIRON["WIRING"] == "" { print; next }
        /^    \/\// { remark = remark $0 "\n"; next }
        /^    chains: \[$/ {
            count = split(ENVIRON["WIRING"], lines, "|")
            for (line = 1; line <= count; line++) print "    " lines[line]
            is_inside = 1
            remark = ""
        }
        { printf "%s", remark; remark = "" }
        !is_inside { print }
        /^    \],$/ { is_inside = 0 }'
}

keep_choices() {
    if [ -n "$source" ] && [ "$source" != "$choices.before" ]; then keep "$choices.before" <"$source"; fi
    {
        printf 'leds %s\ncorner %s\nwiring %s\n' "$example" "$corner" "$wiring"
        printf 'sound %s\ntouch %s\nsum %s\n' "$sound" "$touch" "$(sum_of "$1")"
    } | keep "$choices"
}

# Nothing else changes the configuration meanwhile, or uses the box.
take_box() {
    hold_box
    end_walk
}

# The same, but a walk goes on.
hold_box() {
    exec 9>"$state/lock"
    flock --timeout 0 9 || refuse "an update, a reset or another change is under way; try again later"
}

stop_box() {
    stopped=yes
    systemctl stop pixelboop >&2
}

# Makes the configuration of the choices, and waits for the box; if it does not get ready, the configuration from before is back and $1
# is the reason.
apply_choices() {
    [ "$example" = default ] || [ -f "$examples/$example.json5" ] ||
        refuse "this version has no example $example; choose the LEDs again"
    before=$setup/config.json5
    cp "$configuration" "$before" 2>/dev/null || cp "$root/usr/share/pixelboop/config.json5" "$before"
    print_configuration >"$setup/chosen.json5"
    # First, so that a power cut in between leaves either configuration known.
    keep_choices "$setup/chosen.json5"
    put_back "$setup/chosen.json5" "$configuration"
    sync "${configuration%/*}"
    stop_box
    if start_box >&2; then
        stopped=""
        accept
        return 0
    fi
    put_back "$before" "$configuration"
    sync "${configuration%/*}"
    systemctl restart --no-block pixelboop >&2
    stopped=""
    refuse "$1, and has its configuration from before"
}

# The choices of the configuration. Of one that is not the page's nothing is known.
print_choices() {
    read_choices || {
        echo "leds own"
        return 0
    }
    printf '%s\n' "leds $example"
    [ "$corner" = topLeft ] || printf '%s\n' "corner $corner"
    [ -z "$wiring" ] || echo "wiring walked"
    device=$(sed -n 's/^  audio: { device: "\([^"]*\)".*/\1/p' "$configuration" 2>/dev/null | head -n 1)
    printf '%s\n' "sound ${device:-default}"
    printf '%s\n' "touch ${touch:-any}"
}
