#compdef pixelboop
# zsh completion of pixelboop. Made by `pixelboop completion`, which `make command-texts` runs.

_pixelboop() {
    local -a commands=(
        'run:Runs the box'
        'replay:Runs a touch script through the whole box on a virtual clock, as fast as possible, and writes the requested files'
        'drive:Boxes on a virtual clock in the hands of another program, for tests'
        'render:Writes a pattern, or the song of its scenes, as sound, MIDI or a picture, by the file'\''s extension'
        'sounds:Writes a phrase with each factory sound and kit as a WAV file: bass-ROUND.wav, rhythm-ANALOG.wav'
        'library:Lists, exports and imports the library'\''s patterns, whether the box runs or not'
        'guide:Runs the box as pixelboop run does, with television listings (XMLTV) in its guide; programmes marked as watched are kept in the library'
        'setup:Serves the setup page to web browsers: Wi-Fi, time zone and LEDs'
        'doctor:Checks what the box needs on this machine, and names each problem and its fix: configuration, sound, library, LED panel, page, touch overlay, GPIO lines'
        'devices:Lists the devices that the configuration can name, one a line: its name, a tab, and what it is'
        'panel:Checks a panel'\''s wiring and power'
        'touch:Shows the touch overlay'\''s reports, or calibrates its position on the panel; Ctrl-C stops it'
        'clock:Follows a clock without playing, and prints once a second how good it is: its tempo, the deviation of its ticks in the last four seconds, root mean square and worst, the change of its tempo since the start in millionths, and the ticks that did not arrive; of a Link session, the number of other members'
        'bench:Measures the CPU time, on one core, of a frame (draw; map, power and encode), of a packet of ten moving fingers from the overlay'\''s reports to the frame handed to the panel'\''s writer, on the grid, the lanes, the keys and the effects, of the slowest sheet'\''s frame, and of the slowest frame while the guide scrolls'
        'completion:Prints the completions of this command line for a shell'
        'manual:Prints the man page, in roff; the package installs it'
        'version:Prints the version'
    )
    local command=run
    if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
        _describe command commands
        return
    fi
    if [[ $words[2] != -* ]]; then
        command=$words[2]
        shift words
        ((CURRENT--))
    fi
    case $command in
        run) _arguments -S \
            '--config[read this configuration]:file:_files' \
            '--panel[drive the LED panel]:value:(spi screen web terminal none)' \
            '--audio[play through this ALSA device; FILE.wav writes a file, none plays nothing]:DEVICE: ' \
            '--library[keep the music in this file]:file:_files' \
            '--listen[serve the page here; port 0 takes a free one]:ADDRESS:PORT: ' \
            '--token-file[file of the page'\''s secret token (default, if ADDRESS is reachable by others: page-token in the library'\''s folder, created if missing)]:file:_files' \
            '--record[record the session, with a copy of the library beside it; replay renders the same sound]:file:_files' \
            '--control[let programs of the same user ask and play the box at this socket: docs/drive.md]:SOCKET: ' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        replay) _arguments -S \
            '--range[largest values of a recording'\''s axes, if it lacks them]:X: ' \
            '--start[start with this pattern instead of an empty one]:file:_files' \
            '--library[start with this library'\''s session, and save changes to it]:file:_files' \
            '--today[today'\''s date in its guide (default: the clock'\''s)]:YYYY-MM-DD: ' \
            '--listings[start on the guide with these television listings]:file:_files' \
            '--until[end at this time (default: two seconds after the last line)]:MS: ' \
            '--loops[then press Play and run the pattern N times]:N: ' \
            '--pattern[write the final pattern]:file:_files' \
            '--events[write the notes started by the sequencer]:file:_files' \
            '--midi[write the MIDI messages that the box sends]:file:_files' \
            '--frame[write the last frame, one pixel per LED]:file:_files' \
            '--picture[write the last frame as a picture of the panel]:file:_files' \
            '--film[write all frames as an animated PNG, up to 25 per second]:file:_files' \
            '--frames[write every frame that the box draws: its time, and three bytes for each LED in base64]:file:_files' \
            '--wire[write the bytes for each LED chain: chain-0.bin and chain-0.jsonl, …]:folder:_files -/' \
            '--wav[write the sound: 48 kHz, 32-bit float, stereo, or with a channel of pulses]:file:_files' \
            '--config[the box of this configuration]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        drive) _arguments -S \
            '--socket[listen at this socket, for its user only, and serve one program after the other]:PATH: ' \
            '--config[accepted, as by every command; has no effect here: a box has its own configuration]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        render) _arguments -S \
            '-o[48 kHz, 32-bit float, stereo; the last notes ring out; levels are comparable between files]:file:_files' \
            '--stems[the parts of the mix, of the same length as F.wav: melody.wav, chords.wav, bass.wav and rhythm.wav, and sends.wav with delay and reverberation; 24-bit, before the master'\''s compressor, tone, volume and limiter; with -o F.wav both are written]:folder:_files -/' \
            '--loops[times that the pattern is played, 1-1000 (default 1); meet: until its tracks, whatever their lengths and divisions, begin together again, at most 1000 times]:N: ' \
            '--song[the song of its scenes, with their repeats, from its start to its end, as sound or MIDI]' \
            '--rate[sample rate: 44100, 48000 or 96000]:HZ: ' \
            '--library[the library whose samples the pads play]:file:_files' \
            '--config[accepted, as by every command; has no effect here]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        sounds) _arguments -S \
            '--rate[sample rate: 44100, 48000 or 96000]:HZ: ' \
            '--config[accepted, as by every command; has no effect here]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        library) _arguments -S \
            '-o[the file to write; its extension selects the format]:file:_files' \
            '--name[the name of the sample, one to eight letters]:NAME: ' \
            '--slices[onsets: cut the sample where sounds begin; or a number of equal steps, 2-128, 16 of them a bar]:CUT: ' \
            '--bank[the bank to list, or to import to (default A)]:A: ' \
            '--revision[an earlier revision, by its number in show]:N: ' \
            '--loops[times that a .mid or .wav plays it, 1-1000 (default 1), or meet: until its tracks meet again]:N: ' \
            '--song[a .mid or .wav of its song]' \
            '--rate[sample rate of a .wav]:HZ: ' \
            '--all[backup: also takes and samples]' \
            '--kit[the kit of this name, for export-sound and remove-sound]' \
            '--json[list, show, presets, tunings, takes, samples, check and what was imported as JSON]' \
            '--library[this library (default: the configuration'\''s, else the system'\''s)]:file:_files' \
            '--config[read this configuration]:file:_files' \
            '--help[Explains the command.]' \
            '1:action:(("list\:lists the patterns by bank; --bank A lists one bank" "show\:describes it and lists its kept revisions" "export\:writes it as a document, MIDI or sound, by the extension\: .json, .mid, .wav; - is a document on standard output" "import\:adds documents and MIDI files, or those of a folder\: all or none. Sound files (.wav, .flac, .ogg, .opus, .aiff) become samples, named by the beginning of the file'\''s name; one that is there is not replaced" "presets\:lists your own sounds and kits" "export-sound\:writes one as a .json file; - is standard output" "import-sound\:adds sounds\: all or none; one of the same name is replaced" "remove-sound\:removes one; patterns that use it keep its values" "tunings\:lists your own tunings\: the cents of the twelve notes above C" "export-tuning\:writes one as a Scala .scl file, and beside it a .kbm if it says where A4 is; - is the scale on standard output" "import-tuning\:adds Scala scales (.scl) of twelve notes and an octave, each with the keyboard mapping (.kbm) of its file'\''s name, if named\: all or none; one of the same name is replaced. The name is the scale'\''s description, or the beginning of the file'\''s name" "remove-tuning\:removes one; patterns that use it keep it" "takes\:lists the takes, and how long another may be\: sound that was kept on the panel" "export-take\:writes one as .wav, or its touches as .jsonl for replay; - is the sound on standard output" "remove-take\:removes one" "samples\:lists the samples, and how much of their room they fill" "export-sample\:writes one as a .wav file; - is standard output" "remove-sample\:removes one" "check\:reads everything; if there are problems, prints them and exits with 65" "repair\:sets a damaged file aside and starts a new one with all readable patterns; stop the box first. The box does this itself when it starts" "backup\:copies the library to a file; in a folder, under a name with the date" "restore\:replaces the library by a backup; stop the box first. The old library is kept beside it" "reset-settings\:resets volume, brightness, hints and the like to the first start'\''s; stop the box first. All music stays"))' \
            '*:file:_files' ;;
        guide) _arguments -S \
            '--list[print the programmes, a JSON object a line: channel, day, start, stop, title, badge, minutes]' \
            '--picture[draw the panel with the guide, one pixel per LED]:file:_files' \
            '--today[today'\''s date in the picture (default: the clock'\''s)]:YYYY-MM-DD: ' \
            '--turned[days across and channels down]' \
            '--config[read this configuration]:file:_files' \
            '--panel[drive the LED panel]:value:(spi screen web terminal none)' \
            '--audio[play through this ALSA device; FILE.wav writes a file, none plays nothing]:DEVICE: ' \
            '--library[keep the music in this file]:file:_files' \
            '--listen[serve the page here; port 0 takes a free one]:ADDRESS:PORT: ' \
            '--token-file[file of the page'\''s secret token (default, if ADDRESS is reachable by others: page-token in the library'\''s folder, created if missing)]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        setup) _arguments -S \
            '--service[the socket of that service]:SOCKET: ' \
            '--listen[serve the page here (default 0.0.0.0:80); port 0 takes a free one]:ADDRESS:PORT: ' \
            '--trusted[visitors of this network, such as 10.42.0.0/24, need no token]:NETWORK: ' \
            '--token-file[file of the page'\''s secret token (default: page-token in the library'\''s folder, created if missing)]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        doctor) _arguments -S \
            '--config[read this configuration]:file:_files' \
            '--service[check as pixelboop.service runs: with its user, groups, limits, environment and options; needs root]' \
            '--json[print one JSON object instead of a table, with the configuration in force]' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        devices) _arguments -S \
            '--test[sound: play a short, quiet tone through this device instead; a running box may keep it busy]:NAME: ' \
            '--config[read this configuration]:file:_files' \
            '--help[Explains the command.]' \
            '1:action:(("sound\:the sound devices, for audio.device" "touch\:the touch devices, for touch.device"))' \
            '*:file:_files' ;;
        panel) _arguments -S \
            '--by[unit of the walk (default leds)]:value:(leds rows columns chains)' \
            '--every[time of each step at least, 10-60000 (default 50 for LEDs, else 500)]:MS: ' \
            '--picture[show only this one: red, green, blue, white, ramps, power, bar]:NAME: ' \
            '--hertz[clock: show this one, without asking; the range is the chip'\''s]:N: ' \
            '--chain[clock: test this chain only, from 0; the others stay dark]:N: ' \
            '--seconds[end after this time, 1-86400]:N: ' \
            '--tiles[wiring: number of tiles across and down, all of one size (default 1x1)]:AxD: ' \
            '--chains[wiring: number of chains with the same number of tiles, 1-8 (default 1)]:N: ' \
            '--service[wiring: ask in lines for the setup service]' \
            '--panel[use the LEDs (default where available), a screen or a simulated panel]:value:(spi screen web terminal)' \
            '--config[read this configuration]:file:_files' \
            '--milliohms[resistance of both rails from one LED to the next, 0.01-1000 (default 4.6)]:N: ' \
            '--supply[power: rating of your supply, 0.1-1000: prints what the zones may draw from it]:AMPS: ' \
            '--json[power as one JSON object instead of a table]' \
            '--listen[serve the page here; port 0 takes a free one]:ADDRESS:PORT: ' \
            '--token-file[file of the page'\''s secret token (default, if ADDRESS is reachable by others: page-token in the library'\''s folder, created if missing)]:file:_files' \
            '--help[Explains the command.]' \
            '1:action:(("walk\:lights the chain'\''s LEDs in order and prints number, chain, tile, column and row\: where the light jumps, the configuration'\''s tiles differ from the wiring and prints the chains to configure" "test\:shows colours, ramps, steps of power and a moving bar, in turn" "clock\:finds the highest SPI clock that the chains take\: shows an even grey, begins at half of the configured clock, and asks whether it is right. Enter raises the clock by a tenth; n and Enter end the test, which prints the highest right clock, and the clock to configure" "off\:darkens the panel, after a box that was killed" "power\:lights nothing; prints the current of each injection zone dark, with a typical pattern and at full white, its limit, its fuse and its feeds, and the supply needed"))' \
            '*:file:_files' ;;
        touch) _arguments -S \
            '--from[read a recording made by evemu-record or libinput record]:file:_files' \
            '--range[largest values of its axes, if it lacks them]:X: ' \
            '--overlay[calibrate entry N of touch.overlays in the configuration, from 0]:N: ' \
            '--panel[draw on the LEDs (default where available), a screen or a simulated panel]:value:(spi screen web terminal)' \
            '--seconds[end after this time, 1-86400]:N: ' \
            '--config[read this configuration and its matrix, and write the new matrix to it]:file:_files' \
            '--listen[serve the page here; port 0 takes a free one]:ADDRESS:PORT: ' \
            '--token-file[file of the page'\''s secret token (default, if ADDRESS is reachable by others: page-token in the library'\''s folder, created if missing)]:file:_files' \
            '--help[Explains the command.]' \
            '1:action:(("monitor\:prints a JSON line per finger event, and draws the fingers on the panel\: {at\: ms, contact\: n, phase\: down|move|up, x\: 0-1, y\: 0-1, col\: c, row\: r}" "calibrate\:lights four targets in turn; tap each. The matrix is kept beside the library, or as root, on a machine with the service, beside the service'\''s\: sudo pixelboop touch calibrate"))' \
            '*:file:_files' ;;
        clock) _arguments -S \
            '--seconds[end after this time, 1-86400]:N: ' \
            '--json[print JSON lines]' \
            '--config[read this configuration]:file:_files' \
            '--help[Explains the command.]' \
            '1:action:(("midi\:MIDI clock of the ports that the configuration allows" "clock\:pulses of the jack at gpio.clockIn" "link\:the Link session on the local network" "out\:the MIDI clock that leaves the box that runs on this machine"))' \
            '*:file:_files' ;;
        bench) _arguments -S \
            '--json[print one JSON object instead of a table]' \
            '--frames[frames to draw and drive, and packets to process, 100-1000000 (default 20000)]:N: ' \
            '--only[measure only these, separated by commas: light, touch, lanes, keys, sound, drive, library]:PARTS: ' \
            '--pattern[measure nothing; write one of the patterns: typical, dense or full]:NAME: ' \
            '-o[output file for --pattern]:file:_files' \
            '--config[read this configuration; the panel'\''s chip and chains affect the figures]:file:_files' \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        completion) _arguments -S \
            '--help[Explains the command.]' \
            '1:action:(("bash\:for bash\: source <(pixelboop completion bash)" "zsh\:for zsh\: save it as _pixelboop in a folder of fpath" "fish\:for fish\: pixelboop completion fish | source"))' \
            '*:file:_files' ;;
        manual) _arguments -S \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
        version) _arguments -S \
            '--help[Explains the command.]' \
            '*:file:_files' ;;
    esac
}
_pixelboop "$@"
