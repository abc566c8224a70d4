# bash completion of pixelboop. Made by `pixelboop completion`, which `make command-texts` runs.

_pixelboop() {
    local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} command=run place=0 words='' files=''
    if [[ $COMP_CWORD -gt 1 && ${COMP_WORDS[1]} != -* ]]; then
        command=${COMP_WORDS[1]}
        place=$((COMP_CWORD - 1))
    fi
    case $command:$last in
    run:--config) files=-f ;;
    run:--panel) words='spi screen web terminal none' ;;
    run:--audio) return ;;
    run:--library) files=-f ;;
    run:--listen) return ;;
    run:--token-file) files=-f ;;
    run:--record) files=-f ;;
    run:--control) return ;;
    replay:--range) return ;;
    replay:--start) files=-f ;;
    replay:--library) files=-f ;;
    replay:--today) return ;;
    replay:--listings) files=-f ;;
    replay:--until) return ;;
    replay:--loops) return ;;
    replay:--pattern) files=-f ;;
    replay:--events) files=-f ;;
    replay:--midi) files=-f ;;
    replay:--frame) files=-f ;;
    replay:--picture) files=-f ;;
    replay:--film) files=-f ;;
    replay:--frames) files=-f ;;
    replay:--wire) files=-d ;;
    replay:--wav) files=-f ;;
    replay:--config) files=-f ;;
    drive:--socket) return ;;
    drive:--config) files=-f ;;
    render:-o) files=-f ;;
    render:--stems) files=-d ;;
    render:--loops) return ;;
    render:--rate) return ;;
    render:--library) files=-f ;;
    render:--config) files=-f ;;
    sounds:--rate) return ;;
    sounds:--config) files=-f ;;
    library:-o) files=-f ;;
    library:--name) return ;;
    library:--slices) return ;;
    library:--bank) return ;;
    library:--revision) return ;;
    library:--loops) return ;;
    library:--rate) return ;;
    library:--library) files=-f ;;
    library:--config) files=-f ;;
    guide:--picture) files=-f ;;
    guide:--today) return ;;
    guide:--config) files=-f ;;
    guide:--panel) words='spi screen web terminal none' ;;
    guide:--audio) return ;;
    guide:--library) files=-f ;;
    guide:--listen) return ;;
    guide:--token-file) files=-f ;;
    setup:--service) return ;;
    setup:--listen) return ;;
    setup:--trusted) return ;;
    setup:--token-file) files=-f ;;
    doctor:--config) files=-f ;;
    devices:--test) return ;;
    devices:--config) files=-f ;;
    panel:--by) words='leds rows columns chains' ;;
    panel:--every) return ;;
    panel:--picture) return ;;
    panel:--hertz) return ;;
    panel:--chain) return ;;
    panel:--seconds) return ;;
    panel:--tiles) return ;;
    panel:--chains) return ;;
    panel:--panel) words='spi screen web terminal' ;;
    panel:--config) files=-f ;;
    panel:--milliohms) return ;;
    panel:--supply) return ;;
    panel:--listen) return ;;
    panel:--token-file) files=-f ;;
    touch:--from) files=-f ;;
    touch:--range) return ;;
    touch:--overlay) return ;;
    touch:--panel) words='spi screen web terminal' ;;
    touch:--seconds) return ;;
    touch:--config) files=-f ;;
    touch:--listen) return ;;
    touch:--token-file) files=-f ;;
    clock:--seconds) return ;;
    clock:--config) files=-f ;;
    bench:--frames) return ;;
    bench:--only) return ;;
    bench:--pattern) return ;;
    bench:-o) files=-f ;;
    bench:--config) files=-f ;;
    esac
    if [[ -z $words$files && $word == -* ]]; then
        case $command in
        run) words='--config --panel --audio --library --listen --token-file --record --control --help' ;;
        replay) words='--range --start --library --today --listings --until --loops --pattern --events --midi --frame --picture --film --frames --wire --wav --config --help' ;;
        drive) words='--socket --config --help' ;;
        render) words='-o --stems --loops --song --rate --library --config --help' ;;
        sounds) words='--rate --config --help' ;;
        library) words='-o --name --slices --bank --revision --loops --song --rate --all --kit --json --library --config --help' ;;
        guide) words='--list --picture --today --turned --config --panel --audio --library --listen --token-file --help' ;;
        setup) words='--service --listen --trusted --token-file --help' ;;
        doctor) words='--config --service --json --help' ;;
        devices) words='--test --config --help' ;;
        panel) words='--by --every --picture --hertz --chain --seconds --tiles --chains --service --panel --config --milliohms --supply --json --listen --token-file --help' ;;
        touch) words='--from --range --overlay --panel --seconds --config --listen --token-file --help' ;;
        clock) words='--seconds --json --config --help' ;;
        bench) words='--json --frames --only --pattern -o --config --help' ;;
        completion) words='--help' ;;
        manual) words='--help' ;;
        version) words='--help' ;;
        esac
    elif [[ -z $words$files && $COMP_CWORD -eq 1 ]]; then
        words='run replay drive render sounds library guide setup doctor devices panel touch clock bench completion manual version'
    elif [[ -z $words$files && $place -eq 1 ]]; then
        case $command in
        library) words='list show export import presets export-sound import-sound remove-sound tunings export-tuning import-tuning remove-tuning takes export-take remove-take samples export-sample remove-sample check repair backup restore reset-settings' ;;
        devices) words='sound touch' ;;
        panel) words='walk test clock off power' ;;
        touch) words='monitor calibrate' ;;
        clock) words='midi clock link out' ;;
        completion) words='bash zsh fish' ;;
        esac
    fi
    if [[ -n $words ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen "${files:--f}" -- "$word")
        compopt -o filenames
    fi
}
complete -F _pixelboop pixelboop
