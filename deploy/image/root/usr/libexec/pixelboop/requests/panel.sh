# shellcheck shell=sh disable=SC2154 # for setup-requests, which sets the variables
# Requests about the panel.

set_leds() {
    case $chosen in
    "" | page | default | *[!a-z0-9-]*) refuse "this example is unknown" ;;
    esac
    [ -f "$examples/$chosen.json5" ] || refuse "this example is unknown"
    case $chosen_corner in
    topLeft | topRight | bottomLeft | bottomRight) ;;
    *) refuse "this corner is unknown" ;;
    esac
    take_box
    read_choices || wiring="" sound="" touch="" source=""
    # An example with a sound device in its name is a choice of that one.
    case $chosen in *-sound) sound="" ;; esac
    # The order of the colours is that of the LEDs; their wires are where they were.
    [ "$chosen" = "$example" ] || wiring=${wiring#order: \"???\",|}
    example=$chosen
    corner=$chosen_corner
    apply_choices "the box does not start with these LEDs"
}

# The walk. A unit of its own, setup-walk, lights a tile in two colours, and then a tile or an LED after another. It writes each question to one pipe, in lines and an empty
# one, and reads the answer from another: `panel COLUMNS ROWS`, `leds NUMBER` of those that are lit, `tile NUMBER`, `tiles NUMBER`, and
# for each possible answer `colours MOST FEW` or `place COLUMN ROW`. After an answer that is none of them comes `unclear`, and at the end come
# `wiring LINE`s, or `problem SENTENCE`. Both sides keep the pipes open, so that no line is lost between two requests.

begin_walk() {
    case $tiles in
    [1-9]x[1-9]) ;;
    *) refuse "this number of tiles is unknown" ;;
    esac
    case $cables in
    [1-8]) ;;
    *) refuse "this number of cables is unknown" ;;
    esac
    take_box
    read_choices || refuse "the configuration is your own, and stays as it is; set panel.chains in it"
    [ "$example" != default ] || refuse "choose the LEDs first"
    stop_box
    rm -f "$setup/walk.answers" "$setup/walk.questions"
    mkfifo "$setup/walk.answers" "$setup/walk.questions"
    exec 7<>"$setup/walk.questions"
    systemd-run --quiet --collect --unit=$walk_unit --description="Walk along the panel's LEDs" --service-type=exec \
        --property=Conflicts=pixelboop.service --property=ExecStopPost="/usr/bin/systemctl start --no-block pixelboop" -- \
        /usr/libexec/pixelboop/setup-walk "$tiles" "$cables" >&2 ||
        refuse "the walk cannot begin; see the journal"
    stopped=""
    read_walk
    show_question
}

take_place() {
    case $place in
    back | "red green" | "red blue" | "green red" | "green blue" | "blue red" | "blue green") ;;
    "" | *[!0-9\ ]*) refuse "this place is unknown" ;;
    esac
    hold_box
    is_walking || refuse "the walk has ended; begin it again"
    exec 7<>"$setup/walk.questions"
    printf '%s\n' "$place" 1<>"$setup/walk.answers"
    read_walk
    if ! grep -q '^wiring ' "$setup/walk"; then
        show_question
        return 0
    fi
    read_choices || refuse "the configuration has changed meanwhile, and stays as it is"
    check_wiring || refuse "the wiring cannot be read; see the journal"
    wiring=$(sed -n 's/^wiring //p' "$setup/walk" | paste -s -d '|')
    # The picture is as it was seen.
    corner=topLeft
    end_walk
    apply_choices "the box does not start with this wiring"
    echo known
}

is_walking() { systemctl is-active --quiet $walk_unit; }

end_walk() {
    if is_walking; then systemctl stop $walk_unit >&2; fi
}

leave_walk() {
    take_box
    accept
}

# Reads up to an empty line.
read_walk() {
    timeout 20 sed '/^$/q' <&7 >"$setup/walk" || {
        end_walk
        refuse "the panel does not answer; see the journal"
    }
    problem=$(sed -n 's/^problem //p' "$setup/walk" | head -n 1)
    [ -z "$problem" ] || refuse "$problem"
    ! grep -q '^unclear$' "$setup/walk" || refuse "this answer is none of those that were asked for"
}

show_question() {
    accept
    grep -E '^((panel|leds|tile|tiles|place) [0-9 ]+|colours [a-z]+ [a-z]+)$' "$setup/walk"
}

# Whether the lines are a panel's order and chains, and nothing else: they come from a program of the box's user.
check_wiring() {
    sed -n 's/^wiring //p' "$setup/walk" | awk '
        /^(chains: \[|  \{|    tiles: \[|    \],|  \},|\],)$/ { next }
        NR == 1 && /^order: "[RGB][RGB][RGB]",$/ { next }
        /^    device: "\/dev\/[a-z0-9.]+",$/ || /^    hertz: [0-9]+,$/ { next }
        /^      \{ x: [0-9]+, y: [0-9]+, columns: [0-9]+, rows: [0-9]+(, [a-z]+: ("[a-zA-Z]+"|false))* \},$/ { next }
        { is_wrong = 1 }
        END { exit is_wrong }'
}
