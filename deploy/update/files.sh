# shellcheck shell=sh disable=SC2154 # for pixelboop-update
# Signed files: found on sticks and in folders of the network, copied, and checked. `architecture` and `release` are those of this
# machine, `kinds` the endings of the files that it can install, and `new` the copy's place.

key=/usr/share/pixelboop/update.pub

# The Debian release of version $1, from its suffix; this machine's if there is none.
release_of() {
    case $1 in *~deb*) printf '%s\n' "$1" | sed 's/.*~deb\([0-9]*\).*/\1/' ;; *) printf '%s\n' "$release" ;; esac
}

# Whether $1 is a regular file. A link may lead anywhere, and a pipe would block.
is_file() { [ -f "$1" ] && [ ! -L "$1" ]; }

is_url() { case $1 in http://* | https://*) ;; *) return 1 ;; esac }

kind_of() { case $1 in *.img.xz) echo image ;; *) echo package ;; esac }

# The version in the name of the file $1; nothing if it has another form.
version_of() { printf '%s\n' "${1##*/}" | sed -n "s/^pixelboop_\([0-9A-Za-z.+~-]*\)_$architecture\.\(deb\|img\.xz\)\$/\1/p"; }

# Whether the file named $1 could be installed: it is for this machine's architecture and Debian release.
is_for_this_machine() {
    case $1 in *.img.xz) ending=img.xz ;; *) ending=deb ;; esac
    case " $kinds " in *" $ending "*) ;; *) return 1 ;; esac
    number=$(version_of "$1")
    [ -n "$number" ] && [ "$(release_of "$number")" = "$release" ]
}

# The lines of the standard input, files or addresses, as `VERSION<TAB>package|image<TAB>LINE`: the newest version first, and of one
# version the package, which is smaller; else in their order.
described() {
    while read -r place; do
        printf '%s\t%s\t%s\n' "$(version_of "$place")" "$(kind_of "$place")" "$place"
    done | sort --stable -t "$(printf '\t')" -k 1,1Vr -k 2,2r
}

# The files on mounted sticks that could be installed, by name: nothing in them is read before their signature is verified. Links are
# ignored.
files_on_sticks() {
    for folder in /media/* /media/*/* /run/media/*/* /mnt /mnt/*; do
        if [ -L "$folder" ] || ! mountpoint --quiet "$folder"; then continue; fi
        for place in "$folder" "$folder/pixelboop"; do
            [ ! -L "$place" ] || continue
            for found in "$place/pixelboop_"*; do
                ! is_file "$found" || ! is_for_this_machine "$found" || printf '%s\n' "$found"
            done
        done
    done | xargs -d '\n' --no-run-if-empty ls -t | described
}

# Sets `file` to the one on a stick, if there is only one version.
find_file() {
    found=$(files_on_sticks)
    versions=$(printf '%s\n' "$found" | cut -f 1 | uniq)
    case $versions in
    "") fail 66 "no stick has a pixelboop_VERSION_$architecture.$(printf '%s\n' "$kinds" | sed 's/ / or ./'); plug one in, or name a file" ;;
    *"
"*) fail 64 "there are several versions, $(printf '%s\n' "$versions" | sort -V | paste -s -d ' '): name the file" ;;
    esac
    file=$(printf '%s\n' "$found" | head -n 1 | cut -f 3)
}

# Copies up to $3 bytes of the file $1 to $2. A stick's files may be exchanged at any time, so opening neither follows a link
# nor waits for a pipe.
take() {
    dd if="$1" of="$2" bs=64K count="$3" iflag=count_bytes,fullblock,nofollow,nonblock conv=fsync status=none 2>/dev/null ||
        fail 74 "$1: cannot be copied to $2"
}

# Copies the file, its checksum and its signature: the stick may be pulled, and the checked copy is installed.
take_file() {
    take "$file" "$new" "$(stat --format %s "$file")"
    for part in sha256 minisig; do take "$file.$part" "$new.$part" 4096; done
}

# Fetches the address $1 to the file $2, of at most $3 KiB.
fetch() {
    rm -f "$2"
    # The limit is in blocks of 512 bytes.
    output=$( (ulimit -f $((2 * $3)) && exec /usr/lib/apt/apt-helper -o APT::Sandbox::User=root -o Acquire::Retries=2 \
        -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 download-file "$1" "$2") 2>&1) && [ -s "$2" ] || {
        rm -f "$2"
        reason=$(printf '%s\n' "$output" | sed -n "s|^E: Failed to fetch [^ ]* *||p; s/^E: //p" | head -n 1)
        fail 69 "$1: cannot be fetched${reason:+: $reason}; check the address and the network"
    }
}

# Fetches the file with the address $1, its checksum and its signature, and leaves 64 MiB for the music.
fetch_file() {
    for part in sha256 minisig; do fetch "$1.$part" "$new.$part" 4; done
    free=$(df --output=avail --block-size 1K "${new%/*}" | tail -n 1)
    [ "$free" -gt 65536 ] || fail 74 "${new%/*}: $((free / 1024)) MiB are free, and 64 MiB stay so for the music; remove something"
    largest=$((free - 65536))
    # In KiB: the largest that can be true.
    [ $largest -lt 524288 ] || largest=524288
    fetch "$1" "$new" $largest
    sync "$new" "$new.sha256" "$new.minisig"
}

# The files in the folder with the address $1 that could be installed, by its signed list of checksums, SHA256SUMS. $2 is a folder for it:
# `sums` there is the list.
files_in_folder() {
    folder=${1%/}
    fetch "$folder/SHA256SUMS.minisig" "$2/sums.minisig" 4
    fetch "$folder/SHA256SUMS" "$2/sums" 64
    check_key FILE
    is_signed "$2/sums" "$2/sums.minisig" || fail 65 "$folder/SHA256SUMS: is not signed by the key of this box, $key"
    while read -r _ found; do
        ! is_for_this_machine "$found" || printf '%s\n' "$folder/$found"
    done <"$2/sums" | described
}

# Fails if signatures cannot be verified; $1 is the file that could be installed by hand.
check_key() {
    [ -e $key ] || fail 69 "$key: is missing, and nothing can be checked by it; if you trust the package: apt-get install $1"
    command -v minisign >/dev/null || fail 69 "minisign is missing, and nothing can be checked; with a network: apt-get install minisign"
}

# Whether $2 is the signature of $1 by the installed key.
is_signed() { minisign -V -H -q -p $key -m "$1" -x "$2" >/dev/null 2>&1; }

# Fails if the copy of $1 is damaged, not what the signed list of its folder has, whose checksum is `listed` if there is one, or not signed
# by the installed key.
check_signature() {
    read -r sum _ <"$new.sha256" || true
    list=$1.sha256
    [ -z "${listed:-}" ] || { sum=$listed && list="the folder's SHA256SUMS"; }
    [ "$(sha256sum <"$new")" = "$sum  -" ] || fail 65 "$1: is damaged, as it is not what $list says; copy both again"
    check_key "$1"
    is_signed "$new" "$new.minisig" ||
        fail 65 "$1: is not signed by the key of this box, $key; take a file from where the installed version is from$trust"
}
