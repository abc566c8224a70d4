# shellcheck shell=sh disable=SC2154 # for setup-requests, which sets the variables
# Requests about the network, the country and the time zone.

check_network() {
    case $ssid in
    "" | *[!0-9A-Fa-f]*) refuse "the name of the network is invalid" ;;
    esac
    # 32 bytes.
    if [ ${#ssid} -gt 64 ] || [ $((${#ssid} % 2)) = 1 ]; then refuse "the name of the network is invalid"; fi
    ssid=$(printf %s "$ssid" | tr A-F a-f)
    case $password in
    "") return 0 ;;
    *[!\ -~]*) refuse "the password has characters that a network's password cannot have" ;;
    esac
    # A key is in hex: 256 bits.
    case $password in *[!0-9A-Fa-f]*) ;; *) [ ${#password} != 64 ] || return 0 ;; esac
    if [ ${#password} -lt 8 ] || [ ${#password} -gt 63 ]; then refuse "a network's password has 8 to 63 characters, or is a key of 64 hexadecimal digits"; fi
}

check_time() {
    case $country in
    [A-Z][A-Z]) ;;
    *) refuse "this country is unknown" ;;
    esac
    grep -q "^$country	" "$root$zones/iso3166.tab" || refuse "this country is unknown"
    case $zone in
    [!A-Za-z]* | *[!A-Za-z0-9+_/-]*) refuse "this time zone is unknown" ;;
    UTC | */*) ;;
    *) refuse "this time zone is unknown" ;;
    esac
    [ -f "$root$zones/$zone" ] || refuse "this time zone is unknown"
    # Not one of the lists that are there too.
    [ "$(head -c 4 "$root$zones/$zone")" = TZif ] || refuse "this time zone is unknown"
    case $page in
    open | closed) ;;
    *) refuse "the page is either open or closed" ;;
    esac
}

keep_time() {
    printf '%s\n' "$country" | keep "$saved/country"
    ln -sfT "$zones/$zone" "$localtime.new"
    mv -T "$localtime.new" "$localtime"
    sync "${localtime%/*}"
    case $page in
    open) keep "$saved/page" </dev/null ;;
    closed) discard "$saved/page" ;;
    esac
}

# The network is chosen again two seconds later: the phone gets its answer by the access point that may close.
choose_network() { systemctl start --no-block pixelboop-network.timer; }

set_network() {
    check_network
    check_time
    take_turn
    [ ! -e "$setup/card.conf" ] || refuse "the network is set by wpa_supplicant.conf on the card's first partition"
    keep_time
    {
        printf 'ctrl_interface=/run/wpa_supplicant\ncountry=%s\nnetwork={\n    ssid=%s\n    scan_ssid=1\n' "$country" "$ssid"
        if [ ${#password} = 64 ]; then
            # WPA3 needs the password itself.
            printf '    psk=%s\n    key_mgmt=WPA-PSK\n' "$password"
        elif [ -n "$password" ]; then
            # The last quote of the line ends the password, so it may contain some.
            printf '    psk="%s"\n    key_mgmt=WPA-PSK SAE\n    ieee80211w=1\n' "$password"
        else
            printf '    key_mgmt=NONE\n'
        fi
        echo '}'
    } >"$setup/trial.new"
    rm -f "$setup/problem"
    mv -T "$setup/trial.new" "$setup/trial.conf"
    choose_network || {
        rm -f "$setup/trial.conf"
        refuse "the attempt cannot begin; see the journal"
    }
    accept
}

set_time() {
    check_time
    take_turn
    keep_time
    choose_network
    accept
}

close_access_point() {
    take_turn
    keep "$saved/closed" </dev/null
    choose_network
    accept
}
