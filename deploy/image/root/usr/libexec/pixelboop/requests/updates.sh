# shellcheck shell=sh disable=SC2154 # for setup-requests, which sets the variables
# Requests about updates.

check_folder() {
    case $url in
    "") return 0 ;;
    http://[!/]* | https://[!/]*) ;;
    *) refuse "the address of the folder should begin with http:// or https://" ;;
    esac
    case $url in
    *[!!-~]* | *[\"\'\`\\]*) refuse "the address of the folder has a space, a quote or a letter that an address cannot have" ;;
    esac
    [ ${#url} -le 400 ] || refuse "the address of the folder is longer than 400 letters"
}

set_folder() {
    check_folder
    take_turn
    if [ -n "$url" ]; then printf '%s\n' "$url" | keep "$saved/updates-folder"; else discard "$saved/updates-folder"; fi
    # It has the old folder's files.
    rm -f "$setup/updates"
    accept
}

# Prints and keeps what can be installed. Names on a stick are anybody's: a line in another form is left out, and an answer is no longer
# than the page's server reads.
print_updates() {
    work=$(mktemp -d "$setup/updates.XXXXXX")
    problem=""
    # Without a file on a stick it fails.
    timeout 10 pixelboop-update --list >"$work/sticks" 2>/dev/null || true
    : >"$work/folder"
    if [ -s "$saved/updates-folder" ]; then
        timeout 40 pixelboop-update --list "$(cat "$saved/updates-folder")" >"$work/folder" 2>"$work/error" || {
            # One that takes too long says nothing.
            problem=$(reason <"$work/error")
            problem=${problem:-"the folder does not answer"}
        }
    fi
    tab=$(printf '\t')
    cat "$work/sticks" "$work/folder" | awk -F "$tab" '
        NF == 3 && $1 ~ /^[0-9][A-Za-z0-9.+~:-]*$/ && ($2 == "package" || $2 == "image") && $3 ~ /^(\/|https?:\/\/)/ &&
            $3 !~ /[[:cntrl:]]/ && length($1) <= 100 && length($3) <= 600 && !seen[$3]++' |
        sort --stable --field-separator "$tab" --key 1,1Vr | head -n 20 >"$work/updates"
    mv -T "$work/updates" "$setup/updates"
    rm -r "$work"
    accept
    own=$(dpkg-query --show --showformat '${Version}' pixelboop 2>/dev/null) || own=""
    while IFS=$tab read -r version kind found; do
        word=update
        ! dpkg --compare-versions "$version" lt "$own" 2>/dev/null || word=older
        printf '%s %s %s %s\n' $word "$version" "$kind" "$found"
    done <"$setup/updates"
    [ -z "$problem" ] || printf 'problem %s\n' "$problem"
}

# Sets `place` to the uploaded file's. Its folder belongs to the box's user, so that nothing but a name is used of it:
# pixelboop-update follows no link, and verifies what it copies.
find_upload() {
    found=""
    for file in "$uploads"/pixelboop_*.deb "$uploads"/pixelboop_*.img.xz; do
        if [ -L "$uploads" ] || [ -L "$file" ] || [ ! -f "$file" ]; then continue; fi
        case ${file##*/} in *[!A-Za-z0-9.+~_-]*) continue ;; esac
        found=${file##*/}
    done
    [ -n "$found" ] || refuse "no update was uploaded"
    place=$installing/$found
}

begin_update() {
    take_turn
    ! systemctl is-active --quiet $update_unit || refuse "an update is under way"
    if [ "$place" = upload ]; then
        find_upload
        # Another upload may begin. As the folder's owner, who could put a link anywhere in it.
        { as_box rm -rf "$installing" && as_box mv -T "$uploads" "$installing"; } ||
            refuse "the upload cannot be read; send it again"
    else
        is_listed "$place" 3 "$setup/updates" || refuse "this update is not in the list; look for updates again"
    fi
    case $place in *.img.xz) kind=image ;; *) kind=package ;; esac
    printf '%s\n' "running $kind" >"$setup/update.new"
    mv -T "$setup/update.new" "$setup/update"
    systemd-run --quiet --collect --unit=$update_unit --description="Update that the setup page has begun" --service-type=exec \
        --expand-environment=no -- /usr/libexec/pixelboop/setup-update "$place" >&2 || {
        rm -f "$setup/update"
        refuse "the update cannot begin; see the journal"
    }
    accept
}

# Whether an update has not ended, but does not run either.
is_lost() {
    case $(cat "$setup/update") in
    running*) ! systemctl is-active --quiet $update_unit ;;
    *) false ;;
    esac
}

print_update() {
    if [ ! -s "$setup/update" ]; then
        # A new system that the machine has started with, and may fall back from.
        [ ! -e "$trial" ] || echo "update trial"
        return 0
    fi
    # A request that has its turn may be about to begin it.
    ! is_lost || lock
    if is_lost; then
        printf '%s\n' "update failed it ended without a result; see journalctl -u $update_unit"
    else
        sed '1 s/^/update /; 1 q' "$setup/update"
    fi
}
