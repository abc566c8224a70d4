#!/bin/sh
# Taps a note, plays it for two bars, and prints each note that the box starts: tap.sh [PIXELBOOP]
# Speaks the lines of JSON of `pixelboop drive` (docs/drive.md) through two named pipes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkfifo "$folder/requests" "$folder/answers"
"${1:-pixelboop}" drive <"$folder/requests" >"$folder/answers" &
exec 3>"$folder/requests" 4<"$folder/answers"
rm "$folder/requests" "$folder/answers"

# Reads an answer; ends if there is none, or if it has an error.
answer() {
    IFS= read -r line <&4 || { printf '%s\n' "the program has ended" >&2; exit 1; }
    case $line in *'"error"'*) printf '%s\n' "$line" >&2; exit 1 ;; esac
}
ask() { printf '%s\n' "$1" >&3; answer; }

answer
ask '{"do": "new"}'
# The LED of the lowest note of the melody on step 4.
ask '{"do": "find", "track": "melody", "step": 4, "degree": 0}'
place=$(printf '%s\n' "$line" | sed 's/.*"middle" *: *\[ *\([0-9.]*\) *, *\([0-9.]*\).*/"col": \1, "row": \2/')
down='{"touch": 0, "phase": "down", '$place'}'
up='{"after": 60, "touch": 0, "phase": "up", '$place'}'
ask '{"do": "send", "lines": ['"$down, $up"', {"after": 40, "key": "space"}]}'
ask '{"do": "advance", "ms": 4100, "only": ["note"]}'
printf '%s\n' "$line" | tr '}' '\n' | grep '"velocity"' | while IFS= read -r event; do
    # The number behind a key.
    value() { printf '%s\n' "$event" | sed "s/.*\"$1\" *: *\([0-9.]*\).*/\1/"; }
    printf '%s\n' "note $(value note), step $(value step), frame $(value frame)"
done
exec 3>&-
wait
