"""The scenarios: external events, and their required effects."""

import collections
import json
import pathlib
import re
import signal
import subprocess
import threading
import time

import box
import devices
import light
import lines
import sound
import spec
from waiting import check, nanoseconds, until

# Parts with the same boot share one; ../run defines the boots.
Part = collections.namedtuple("Part", "title run needs_modules boot", defaults=["scenarios"])
CLEAR, GHOSTS, TEMPO = (41, 0), (24, 0), (27, 0)
# A finger is a hold after 400 ms.
HOLD_NANOSECONDS = 700_000_000
# Two taps are a double tap within 300 ms.
DOUBLE_NANOSECONDS = 280_000_000
# The rows that words can cover, and a row around them.
WORD_ROWS = {*range(1, 8), *range(15, 22)}
# At 120 BPM.
SAMPLES_PER_STEP = sound.RATE * 60 // 120 // 4


def tap_note(bench, pattern, track, step, note):
    """A tap; returns `pattern` after it."""
    bench.overlay.tap(spec.column(step), spec.row(track, note))
    return spec.tapped(pattern, track, step, note)


def tap_and_see(bench, pattern, track, step, note, what):
    """A tap, and its notes in `pattern` on the LEDs."""
    pattern = tap_note(bench, pattern, track, step, note)
    bench.see(spec.picture(pattern), what)
    return pattern


def hold(bench, places, what):
    """Fingers land at `places` together, light their LEDs, stay until they are holds, and lift."""
    landed = bench.overlay.down(*places)
    bench.see({(column, row): spec.PREVIEW for _, column, row in places if row not in WORD_ROWS}, what)
    until(lambda: nanoseconds() - landed > HOLD_NANOSECONDS, "time passes")
    bench.overlay.up(*(finger for finger, _, _ in places))


def without_ghosts(bench):
    bench.overlay.tap(*GHOSTS)
    bench.see({GHOSTS: (0x22,) * 3}, "a tap on its LED switches the ghosts off")


def no_xrun(begun):
    """The sound has not run dry, which would shift the music."""
    check(not begun.count("^pixelboop: sound: .* xrun"), f"the sound ran dry: {begun.text()}")


def first_touch(bench):
    """Also leaves the library with which the others start."""
    library = bench.folder / "first.sqlite"
    for file in bench.folder.glob("first.sqlite*"):
        file.unlink()
    # A library that was never used begins with the demos.
    box.begin_empty(bench.settings["binary"], bench.folder, library)
    begun = bench.start(library)
    until(lambda: begun.unread_kilobytes() == 0, "the program is in memory before it is played",
          detail=lambda: f": {begun.unread_kilobytes()} kB are not")
    finger = spec.column(9), 14
    hold(bench, [("finger", *finger)], "the LED under the finger is lit")
    bench.see({finger: spec.NOTE_COLOURS[5]}, "the LED shows the accented note")
    bench.wait_kept([spec.tapped({}, spec.BASS, 9, 5, is_held=True)], "the library has the notes")
    bench.stop()
    box.settle(library)
    bench.start(library)
    bench.overlay.tap(*CLEAR, seconds=1.2)
    bench.wait_kept([{}], "Clear empties the library's pattern")
    bench.stop()
    library.rename(bench.used)


STILL = ((0, 0), (0, 0))
# Each shape of SPEC 3: its name, the finger's hold in seconds, its start, and its length in steps and rows, on tracks of six
# rows and of four.
SHAPES = [
    ("tap", 0, ((0, 1), (0, 1)), STILL),
    ("hold", 0.7, ((4, 2), (4, 2)), STILL),
    ("along", 0, ((8, 3), (8, 1)), ((5, 0), (5, 0))),
    ("along, held", 0.7, ((20, 0), (20, 0)), ((-5, 0), (-5, 0))),
    ("up", 0, ((22, 1), (22, 0)), ((0, 3), (0, 2))),
    ("down, held", 0.7, ((23, 5), (23, 3)), ((0, -2), (0, -3))),
    ("line", 0, ((25, 1), (25, 0)), ((6, 4), (4, 3))),
    # It begins on the last one's LED, and crosses it.
    ("along and down", 0, ((31, 5), (29, 3)), ((-5, -1), (-3, -1))),
]

# The same on LEDs that these light.
ON_LIT = [
    ("hold, on a note", 0.7, ((0, 1), (0, 1))),
    ("hold, on an accent", 0.7, ((4, 2), (4, 2))),
    ("tap, on a note", 0, ((8, 3), (8, 1))),
    ("tap, on a sustained note", 0, ((17, 0), (17, 0))),
]


def on_every_track(bench, pattern, name, act):
    """`act` on each track, its effects on the LEDs and in the library; returns the pattern, which `act` changes."""
    for track in range(4):
        pattern = act(track, pattern)
    bench.see(spec.picture(pattern), f"every track shows the gesture {name}")
    bench.wait_kept([pattern], f"the pattern has the gesture {name} on every track")
    return pattern


def shape(bench, hold, starts, lengths):
    """The gesture of a line of `SHAPES`."""
    def act(track, pattern):
        of = 0 if track in (spec.MELODY, spec.CHORDS) else 1
        start = starts[of]
        end = start[0] + lengths[of][0], start[1] + lengths[of][1]
        first, last = ((spec.column(step), spec.panel_row(track, row)) for step, row in (start, end))
        if start == end:
            bench.overlay.tap(*first, seconds=hold or 0.06)
        else:
            bench.overlay.drag([first, last], 0.4, hold)
        return spec.after(pattern, track, start, end, hold > 0)
    return act


def double_tap(bench, step, row):
    """Two taps on an LED."""
    def act(track, pattern):
        place = spec.column(step), spec.panel_row(track, row)
        first, _ = bench.overlay.tap(*place, seconds=0.04)
        time.sleep(0.06)
        second, _ = bench.overlay.tap(*place, seconds=0.04)
        check(second - first < DOUBLE_NANOSECONDS, "the machine stood still between the taps")
        return spec.erased(spec.after(pattern, track, (step, row)), track, step)
    return act


def gestures(bench):
    bench.start()
    without_ghosts(bench)
    pattern = {}
    for name, *gesture in SHAPES:
        pattern = on_every_track(bench, pattern, name, shape(bench, *gesture))
    for name, hold, starts in ON_LIT:
        pattern = on_every_track(bench, pattern, name, shape(bench, hold, starts, STILL))
    on_every_track(bench, pattern, "double tap", double_tap(bench, 23, 1))
    bench.stop()


def play_session(bench, name, recording, config):
    """Plays a recorded session; its pattern is in the library, and if it has a frame, that is on the LEDs."""
    bench.start(bench.library("session"), config)
    bench.overlay.play(recording["script"])
    expected = recording["expect"]
    wanted = {
        (column, row): tuple(bytes.fromhex(colour))
        for row, colours in enumerate(expected.get("frame", []))
        for column, colour in enumerate(colours.split()) if colour != "------"}
    bench.see(wanted, f"{name} ends with its frame")
    octaves = expected.get("octaves", {"middle": expected["tracks"]})
    pattern = {(spec.RHYTHM, note, step): value for note, step, value in expected["tracks"]["rhythm"]}
    for word, lowest in (("low", -12), ("middle", 0), ("high", 12)):
        for track, title in enumerate(spec.TRACKS[:spec.RHYTHM]):
            for note, step, value in octaves.get(word, {}).get(title, []):
                pattern[track, lowest + note, step] = value
    bench.wait_kept([pattern], f"{name} ends with its pattern")
    bench.stop()


# Recorded sessions by the rules they follow: their file, and the indices of short ones, those of the phone with a frame, those
# of the box with notes in several octaves and little dependence on the touches' exact times.
SESSIONS = {"phone": ("sessions.jsonl", (7, 39, 41, 100, 111)), "box": ("box.jsonl", (4, 15, 20, 24, 113, 153))}


def recorded_sessions(bench):
    for rules, (file, numbers) in SESSIONS.items():
        recordings = pathlib.Path(bench.settings["sessions"], file).read_text().splitlines()
        for number in numbers:
            config = bench.configure(rules=rules)
            play_session(bench, f"{file}, session {number},", json.loads(recordings[number]), config)


def landing(bench):
    bench.start()
    place = spec.column(9), spec.row(spec.MELODY, 4)
    begin = bench.recorder.wait_silence(0.5, "silence before the note")
    bench.overlay.down(("finger", *place))
    bench.recorder.wait_sound(begin, "a finger that is down sounds")
    bench.overlay.up("finger")
    # Emulation may take longer than a tap.
    bench.wait_kept([spec.tapped({}, spec.MELODY, 9, 4, is_held) for is_held in (False, True)], "the pattern has its note")
    begin = bench.recorder.wait_silence(0.5, "the note ends")
    bench.overlay.tap(*place)
    bench.wait_kept([{}], "a tap on a lit LED removes its note")
    end = bench.recorder.count + sound.RATE // 2
    until(lambda: bench.recorder.count > end, "half a second is recorded")
    check(not bench.recorder.sounds(begin, end), "a tap on a lit LED sounds")
    bench.stop()


MELODY = [(4 * index, note) for index, note in enumerate((0, 2, 4, 7, 9, 5, 7, 4))]


def play(bench):
    begun = bench.start()
    pattern = {}
    for step, note in MELODY:
        pattern = tap_note(bench, pattern, spec.MELODY, step, note)
    bench.wait_kept([pattern], "the pattern has the melody")
    begin = bench.recorder.wait_silence(0.7, "the last note ends")
    if bench.lines:
        bench.lines.press(lines.PLAY)
    else:
        bench.keyboard.press()
    count = 2 * len(MELODY)
    first = bench.recorder.wait_sound(begin, "Play sounds")
    end = first + (count * 4 - 2) * SAMPLES_PER_STEP
    until(lambda: bench.recorder.count > end, "two loops are recorded")
    bench.keyboard.press()
    bench.recorder.wait_silence(0.7, "Stop ends the sound")
    notes = bench.recorder.sounds(first - 1, end)
    check(len(notes) == count, f"{len(notes)} notes were heard in two loops instead of {count}")
    for index, (start, _) in enumerate(notes):
        wanted = 440 * 2 ** ((60 + MELODY[index % len(MELODY)][1] - 69) / 12)
        heard = bench.recorder.frequency(start + 600, 0.08)
        check(abs(heard / wanted - 1) < 0.01, f"note {index} is of {heard:.1f} Hz instead of {wanted:.1f} Hz")
    gaps = [later[0] - earlier[0] for earlier, later in zip(notes, notes[1:])]
    # A tone is heard a sample or two after its start.
    check(all(abs(gap - 4 * SAMPLES_PER_STEP) <= 2 for gap in gaps), f"notes do not come {4 * SAMPLES_PER_STEP} samples apart: {gaps}")
    no_xrun(begun)
    bench.stop()
    return {"play: notes on their sample": len(gaps)}


def ten_fingers(bench):
    bench.start()
    without_ghosts(bench)
    notes = [(spec.MELODY, 1, 0), (spec.MELODY, 6, 7), (spec.MELODY, 11, 4), (spec.CHORDS, 3, 2), (spec.CHORDS, 18, 9),
             (spec.CHORDS, 27, 0), (spec.BASS, 9, 4), (spec.BASS, 20, 0), (spec.RHYTHM, 13, 3), (spec.RHYTHM, 29, 7)]
    places = [(index, spec.column(step), spec.row(track, note)) for index, (track, step, note) in enumerate(notes)]
    hold(bench, places, "the LEDs under the fingers are lit")
    pattern = {}
    for track, step, note in notes:
        pattern = spec.tapped(pattern, track, step, note, is_held=True)
    bench.see(spec.picture(pattern), "ten fingers make ten gestures")
    bench.wait_kept([pattern], "the pattern has ten gestures")
    bench.stop()


def unplugged(bench):
    begun = bench.start()
    without_ghosts(bench)
    pattern = tap_and_see(bench, {}, spec.CHORDS, 20, 4, "a note before")
    start = spec.column(3), spec.row(spec.BASS, 4)
    bench.overlay.down(("finger", *start))
    bench.see({start: spec.PREVIEW}, "the LED under the finger is lit")
    bench.overlay.move(("finger", start[0] + 4, start[1]))
    bench.unplug_overlay()
    begun.wait_line("^pixelboop: touch: Bench overlay .* is gone")
    # The kernel may lift the fingers of an unplugged device, which completes their gesture; or it may not.
    row = spec.row_of(spec.BASS, 4)
    ends = [pattern, *(spec.after(pattern, spec.BASS, (3, row), (7, row), is_held) for is_held in (False, True))]
    if bench.panel:
        pictures = [spec.picture(end) for end in ends]
        bench.panel.wait(lambda frame: any(not bench.panel.differences(frame, picture) for picture in pictures),
                         "no finger sticks")
    bench.wait_kept(ends, "the pattern has the gesture, or does not")
    pattern = box.session(bench.kept)
    for time_ in (2, 3):
        bench.plug_overlay()
        begun.wait_line("^pixelboop: touch: Bench overlay .*contacts", times=time_)
        pattern = tap_and_see(bench, pattern, spec.RHYTHM, 5 * time_, 3, "a tap after the overlay was plugged in again")
        bench.wait_kept([pattern], "the pattern has the tap")
        if time_ == 2:
            bench.unplug_overlay()
            begun.wait_line("^pixelboop: touch: Bench overlay .* is gone", times=2)
    bench.stop()


def reports_lost(bench):
    begun = bench.start()
    without_ghosts(bench)
    held, other = (spec.column(2), spec.row(spec.CHORDS, 4)), (spec.column(14), spec.row(spec.BASS, 5))
    bench.overlay.down(("held", *held))
    bench.see({held: spec.PREVIEW}, "the LED under the finger is lit")
    # The kernel queues 1024 events of this device; more are lost, with SYN_DROPPED.
    begun.signal(signal.SIGSTOP)
    for report in range(5000):
        bench.overlay.move(("held", held[0] + (0.2 if report % 2 else -0.2), held[1]))
    bench.overlay.up("held")
    bench.overlay.down(("other", *other))
    begun.signal(signal.SIGCONT)
    bench.see({other: spec.PREVIEW}, "the finger that landed unseen is there")
    bench.overlay.up("other")
    chords = [{}, *(spec.tapped({}, spec.CHORDS, 2, 4, is_held) for is_held in (False, True))]
    ends = [spec.tapped(chord, spec.BASS, 14, 5, is_held) for is_held in (False, True) for chord in chords]
    bench.wait_kept(ends, "the finger that lifted unseen has lifted, and the other made its notes")
    pattern = box.session(bench.kept)
    bench.see(spec.picture(pattern), "no finger sticks")
    pattern = tap_and_see(bench, pattern, spec.RHYTHM, 20, 3, "a tap after the flood")
    bench.wait_kept([pattern], "the pattern has the tap")
    bench.stop()


def controls(bench):
    bench.start()
    without_ghosts(bench)
    bench.lines.turn(lines.TEMPO)
    bench.see({TEMPO: spec.hsl(121, 0.7, 0.5)}, "a detent of the tempo's knob makes 121 BPM")
    for _ in range(2):
        bench.lines.turn(lines.TEMPO, clockwise=False)
        time.sleep(0.2)
    bench.see({TEMPO: spec.hsl(119, 0.7, 0.5)}, "two detents back make 119 BPM")
    peaks, pattern = [], {}
    for step in (4, 8):
        begin = bench.recorder.wait_silence(0.5, "silence before the note")
        pattern = tap_note(bench, pattern, spec.MELODY, step, 4)
        first = bench.recorder.wait_sound(begin, "a tap sounds")
        end = bench.recorder.wait_silence(0.5, "the note ends")
        peaks.append(bench.recorder.peak(first, end))
        for _ in range(10):
            bench.lines.turn(lines.VOLUME, clockwise=False)
    check(peaks[1] < 0.9 * peaks[0], f"the volume's knob turned a peak of {peaks[0]:.3f} into {peaks[1]:.3f}")
    bench.see(spec.picture(pattern), "two notes")
    bench.lines.drive(lines.SHIFT, 0)
    time.sleep(0.1)
    bench.lines.press(lines.PLAY)
    bench.lines.drive(lines.SHIFT, 1)
    bench.see(spec.picture(spec.tapped({}, spec.MELODY, 4, 4)), "shift and play undo")
    for colour, word in (((0xFF, 0x44, 0x44), "plays"), ((0x44, 0xFF, 0x44), "stops")):
        bench.lines.press(lines.PLAY)
        bench.see({(2, 0): colour}, f"the play button {word}")
    bench.stop()


def spi_fails(bench):
    begun = bench.start()
    without_ghosts(bench)
    pattern = tap_and_see(bench, {}, spec.CHORDS, 5, 4, "a note before")
    fail_next = pathlib.Path("/sys/module/vspi/parameters/fail_next")
    began = nanoseconds()
    fail_next.write_text("1000000")
    try:
        begun.wait_line("^pixelboop: panel: /dev/spidev0.0 failed")
        pattern = tap_note(bench, pattern, spec.BASS, 9, 4)
        bench.wait_kept([pattern], "the box plays on")
        until(lambda: {value for _, value in bench.lines.since(began, lines.STATUS)} == {0, 1}, "the status LED blinks")
        check(bench.lines.is_on(lines.SUPPLY), "the LEDs' supply went off")
    finally:
        fail_next.write_text("0")
    begun.wait_line("^pixelboop: panel: chain 0 shows again")
    bench.see(spec.picture(pattern), "the panel shows what was done meanwhile")
    tap_and_see(bench, pattern, spec.RHYTHM, 20, 3, "a tap after it")
    bench.stop()


def small_buffer(bench):
    bench.start()
    without_ghosts(bench)
    tap_and_see(bench, {}, spec.CHORDS, 5, 4, "a frame in two messages shows")
    sizes = {size for size, _, _, _ in bench.panel.messages}
    check(sizes == {4096, 202}, f"messages are of {sizes} bytes instead of 4096 and the remaining 202")
    bench.stop()
    bench.panel.forget()
    begun = bench.begin(bench.library(), bench.configure(chip="WS2812B", hertz=6_400_000), ("--panel", "spi"))
    begun.wait_ready()
    begun.wait_line(r"^pixelboop: panel: /dev/spidev0\.0 takes 4096 bytes at once .* add spidev\.bufsiz=32768 to")
    begun.wait_line("^pixelboop: touch: Bench overlay .*contacts")
    bench.wait_kept([{}], "the library is there")
    pattern = tap_note(bench, {}, spec.CHORDS, 5, 4)
    bench.wait_kept([pattern], "the box plays on")
    check(not bench.panel.messages, f"a frame went out in parts: {bench.panel.messages}")
    check(not bench.lines.is_on(lines.SUPPLY), "the LEDs' supply is on without a frame")
    bench.stop()


def hear_tap(bench, step, pattern):
    begin = bench.recorder.wait_silence(0.5, "silence before the note")
    pattern = tap_note(bench, pattern, spec.MELODY, step, 4)
    bench.recorder.wait_sound(begin, "a tap sounds")
    return pattern


def stands_still(bench):
    begun = bench.start()
    pattern = hear_tap(bench, 3, {})
    for step in (9, 17, 25):
        begun.signal(signal.SIGSTOP)
        # Three times the device's buffer.
        time.sleep(3 * devices.PERIOD * devices.PERIODS / sound.RATE)
        begun.signal(signal.SIGCONT)
        pattern = hear_tap(bench, step, pattern)
    # The first line has those of the stops before it.
    begun.wait_line("^pixelboop: sound: [123] xruns?, .* frames .* lost")
    bench.stop()


def sound_gone(bench):
    begun = bench.start()
    pattern = hear_tap(bench, 3, {})
    card = next(devices.ALOOP.glob("snd_aloop.*")).name
    # Unbinding waits for all users of the card.
    going = threading.Thread(target=lambda: (devices.ALOOP / "unbind").write_text(card), daemon=True)
    going.start()
    try:
        begun.wait_line("^pixelboop: sound: the device .* went away")
        bench.recorder.stop()
        until(lambda: not going.is_alive(), "nobody has the card open")
        pattern = tap_note(bench, pattern, spec.MELODY, 9, 7)
        bench.wait_kept([pattern], "the box plays on")
    finally:
        bench.recorder.stop()
        if not going.is_alive():
            (devices.ALOOP / "bind").write_text(card)
            bench.recorder = sound.Recorder()
    begun.wait_line("^pixelboop: sound: the device .* is back")
    hear_tap(bench, 17, pattern)
    bench.stop()


def disk_full(bench):
    disk = bench.folder / "disk"
    disk.mkdir(exist_ok=True)
    devices.command("mount", "-t", "tmpfs", "-o", "size=2m", "disk", str(disk))
    try:
        library = disk / "library.sqlite"
        library.write_bytes(bench.used.read_bytes())
        begun = bench.start(library)
        without_ghosts(bench)
        pattern = tap_and_see(bench, {}, spec.CHORDS, 5, 4, "a note before")
        bench.wait_kept([pattern], "the library has it")
        filler = disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        # The existing pages may still have room: play until they do not.
        notes = [(spec.BASS, step, note) for note in (0, 2, 4, 5) for step in range(32)]
        while not begun.count("^pixelboop: cannot write the library: .*full"):
            check(notes, f"128 changes were written to a full disk; it says: {begun.text()}")
            pattern = tap_note(bench, pattern, *notes.pop(0))
            time.sleep(0.5)
        pattern = tap_and_see(bench, pattern, spec.RHYTHM, 20, 3, "the box plays on")
        filler.unlink()
        begun.wait_line("^pixelboop: the library is written again")
        bench.wait_kept([pattern], "the library has all that was played")
        bench.stop()
        check(box.session(library) == pattern, "the library lost what was played")
    finally:
        bench.box.kill()
        devices.command("umount", str(disk))


NOTE = {(spec.column(5), spec.row(spec.CHORDS, 4)): spec.blend(spec.NOTE_COLOURS[4], 0xBB / 255)}


def wait_lit(bench, began, good=0):
    """Waits until the LEDs have supply and data, and checks the order: the supply, 20 ms and no fault since `good`, a dark
    frame, the level shifter, and only then light."""
    supply, shifter = (
        until(lambda line=line: bench.lines.first(began, line, 1), f"line {line} goes on")
        for line in (lines.SUPPLY, lines.SHIFTER))
    bench.panel.wait(lambda frame: frame.start > shifter and not bench.panel.is_dark(frame), "the panel is lit")
    frames = bench.panel.since(began)
    check(frames[0].end <= supply, "the supply went on before a frame was out")
    check(shifter - supply >= lines.RISE, f"the level shifter went on {(shifter - supply) / 1e6} ms after the supply")
    check(shifter > good, f"the level shifter went on {(good - shifter) / 1e6} ms before the supply was good")
    ready = max(supply + lines.RISE, good)
    between = [frame for frame in frames if frame.start >= ready and frame.end <= shifter]
    check(between, f"no frame was sent between {ready}, when the supply was ready, and the level shifter at {shifter}")
    early = [frame.start for frame in frames if frame.start < shifter and not bench.panel.is_dark(frame)]
    check(not early, f"light was sent at {early[:3]}, before the level shifter went on at {shifter}")


def lit(bench, rises_slowly=False):
    """Starts a box whose supply, if it `rises_slowly`, reports a fault until half a second after it was switched on; waits
    until a note is shown."""
    began = nanoseconds()
    good = 0
    if rises_slowly:
        bench.lines.couple(0)
    begun = bench.begin(bench.library(), None, ("--panel", "spi"))
    if rises_slowly:
        supply = until(lambda: bench.lines.first(began, lines.SUPPLY, 1), "the supply goes on")
        until(lambda: nanoseconds() - supply > 500_000_000, "half a second passes")
        check(bench.lines.first(began, lines.SHIFTER, 1) is None, "the level shifter went on with a faulty supply")
        good = nanoseconds()
        bench.lines.couple(None)
    wait_lit(bench, began, good)
    bench.wait_started(begun)
    shifter = bench.lines.first(began, lines.SHIFTER, 1)
    check(shifter < begun.ready, f"the LEDs got data at {shifter}, after the box was ready at {begun.ready}")
    tap_note(bench, {}, spec.CHORDS, 5, 4)
    bench.see(NOTE, "a note")
    until(lambda: bench.lines.is_on(lines.STATUS), "the status LED is on")
    return begun


def switched_off(bench, began):
    """Checks that the dark frame came before the level shifter was switched off, and that before the supply."""
    dark = bench.panel.wait_dark("the panel goes dark")
    for line in (lines.SHIFTER, lines.SUPPLY, lines.STATUS):
        until(lambda line=line: bench.lines.is_off(line), f"line {line} is low")
    shifter, supply = (bench.lines.first(began, line, 0) for line in (lines.SHIFTER, lines.SUPPLY))
    check(dark.end <= shifter < supply, "the level shifter or the supply went off before the panel was dark: "
          f"dark at {dark.end}, level shifter at {shifter}, supply at {supply}")


def terminated(bench):
    begun = lit(bench, rises_slowly=True)
    began = nanoseconds()
    begun.signal(signal.SIGTERM)
    status = begun.wait_end()
    check(status == 0, f"it ended with {status}")
    switched_off(bench, began)
    check("STOPPING=1" in begun.notifications, "the service manager was not notified of the stop")


def crashed(bench):
    begun = lit(bench)
    began = nanoseconds()
    begun.signal(signal.SIGSEGV)
    status = begun.wait_end()
    check(status == -signal.SIGSEGV, f"it ended with {status}")
    switched_off(bench, began)


def killed(bench):
    begun = lit(bench)
    begun.signal(signal.SIGKILL)
    status = begun.wait_end()
    check(status == -signal.SIGKILL, f"it ended with {status}")
    for line in (lines.SUPPLY, lines.SHIFTER):
        until(lambda line=line: bench.lines.outputs[line] == ("in", 0), f"the kernel lets line {line} go low")


def supply_fails(bench):
    began = nanoseconds()
    bench.lines.couple(0)
    begun = bench.start()
    try:
        begun.wait_line("^pixelboop: the LEDs' supply does not hold its voltage: the LEDs stay dark")
        reported = nanoseconds()
        until(lambda: {value for _, value in bench.lines.since(reported, lines.STATUS)} == {0, 1}, "the status LED blinks")
        until(lambda: len([1 for _, value in bench.lines.since(began, lines.SUPPLY) if value == 1]) > 1,
              "the supply is tried again")
        check(bench.lines.first(began, lines.SHIFTER, 1) is None, "LEDs without supply got data")
        check(all(map(bench.panel.is_dark, bench.panel.since(began))), "light was sent to LEDs without supply")
        pattern = tap_note(bench, {}, spec.CHORDS, 5, 4)
        bench.wait_kept([pattern], "the box plays on")
    finally:
        bench.lines.couple(None)
    bench.see(NOTE, "a mended supply shows the note")
    until(lambda: bench.lines.is_on(lines.SHIFTER), "the level shifter goes on")
    begun.wait_line("^pixelboop: the panel has its full light again")
    bench.stop()


def two_chains(bench):
    bench.panel.expect(2)
    bench.start(config=bench.configure(chains=2))
    without_ghosts(bench)
    pattern = {}
    # A note in the half of each chain.
    for track, note in ((spec.MELODY, 4), (spec.RHYTHM, 3)):
        pattern = tap_note(bench, pattern, track, 9, note)
    bench.see(spec.picture(pattern), "both chains show their half")
    sizes = {size for size, _, _, _ in bench.panel.messages}
    check(sizes == {4 + 4 * 528 + 4 + 33}, f"messages are of {sizes} bytes, not of a chain's 2153")
    check(all(chain.frames > 10 for chain in bench.panel.chains), "a chain got no frames")
    bench.stop()


class PanelTest:
    """A running `pixelboop panel` with these words, as a context."""

    def __init__(self, bench, *words):
        self.bench = bench
        self.log = bench.folder / f"box-panel-{bench.name}.log"
        with open(self.log, "wb") as output:
            self.process = subprocess.Popen(
                [bench.settings["binary"], "panel", *words, "--panel", "spi", "--config", bench.configure()],
                stdin=subprocess.PIPE, stdout=output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def wait_line(self, words):
        until(lambda: words in self.log.read_text(), words, detail=lambda: f"; it says: {self.log.read_text()}")

    def questions(self):
        """The LED, or nothing for all, and the tile of each question about the wiring."""
        return re.findall(r"^(?:LED (\d+)|all) of tile (\d) lights", self.log.read_text(), re.MULTILINE)

    def answer(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def wait_end(self, since, status):
        """Waits for its end; checks that the dark frame, the level shifter and the supply went off in this order."""
        until(lambda: self.process.poll() is not None, "the test ends")
        check(self.process.returncode == status, f"it ended with {self.process.returncode}: {self.log.read_text()}")
        dark = self.bench.panel.wait_dark("the panel goes dark")
        shifter, supply = (
            until(lambda line=line: self.bench.lines.first(since, line, 0), f"line {line} goes off")
            for line in (lines.SHIFTER, lines.SUPPLY))
        check(dark.end <= shifter < supply, f"dark at {dark.end}, level shifter at {shifter}, supply at {supply}")


def clock(bench):
    clocks = 2_000_000, 2_200_000, 2_420_000
    bench.panel.expect(1, clocks)
    began = nanoseconds()
    with PanelTest(bench, "clock") as test:
        for hertz, answer in zip(clocks, (b"\n", b"\n", b"n\n")):
            test.wait_line(f"{hertz / 1e6:.2f} MHz: is every LED the same grey")
            # The same product of brightness and value in every word: one grey.
            bench.panel.wait(
                lambda frame: {
                    (frame.words[at] & 31) * frame.words[at + channel]
                    for at in range(0, len(frame.words), 4) for channel in (1, 2, 3)} == {510}, "an even grey")
            until(lambda: any(at == hertz for _, at, _, _ in bench.panel.messages), f"messages have a clock of {hertz} Hz")
            if hertz == clocks[0]:
                wait_lit(bench, began)
            answered = nanoseconds()
            test.answer(answer)
        test.wait_end(answered, 0)
        test.wait_line("2.20 MHz is right: set hertz: 1700000")


def clock_fault(bench):
    bench.panel.expect(1, (2_000_000,))
    began = nanoseconds()
    with PanelTest(bench, "clock") as test:
        test.wait_line("2.00 MHz: is every LED the same grey")
        wait_lit(bench, began)
        failed = nanoseconds()
        bench.lines.drive(lines.FAULT, 0)
        test.wait_line("the LEDs' supply reports a fault: the light is limited")
        test.wait_end(failed, 69)
    bench.lines.drive(lines.FAULT, 1)


def wiring(bench):
    """Two tiles, wired by columns from their bottom right, the right one first, of LEDs whose data has green first."""
    bench.panel.expect(1)
    began = nanoseconds()

    def place(led):
        tile, number = divmod(led, 528)
        line, step = divmod(number, 24)
        return 43 - 22 * tile - line, step if line % 2 else 23 - step

    def lit(frame):
        return [led for led in range(light.LEDS) if any(frame.words[4 * led + 1:4 * led + 4])]

    def first_colours(frame):
        """The bytes of the first tile that are not 0, behind the brightness: of its first LED, and of its last."""
        words = [frame.words[4 * led + 1:4 * led + 4] for led in (0, 527)]
        return [[byte > 0 for byte in word] for word in words]

    with PanelTest(bench, "wiring", "--tiles", "2x1") as test:
        bench.panel.wait(lambda frame: first_colours(frame) == [[False, True, False], [True, False, False]], "the first tile lights in two colours")
        wait_lit(bench, began)
        test.wait_line("most of tile 0 lights in one colour")
        test.answer(b"green red\n")
        asked = 0
        while True:
            until(lambda: len(test.questions()) > asked or "the wiring is known" in test.log.read_text(), "the next question")
            if len(test.questions()) == asked:
                break
            led, tile = test.questions()[asked]
            leds = [int(led)] if led else list(range(528 * int(tile), 528 * int(tile) + 528))
            bench.panel.wait(lambda frame: lit(frame) == leds, f"LEDs {leds[0]} to {leds[-1]}, and no others, light")
            column, row = place(leds[0]) if led else (33 - 22 * int(tile), 12)
            asked += 1
            answered = nanoseconds()
            test.answer(f"{column} {row}\n".encode())
        test.wait_end(answered, 0)
        test.wait_line('order: "GRB",')
        for x in 22, 0:
            test.wait_line(f'{{ x: {x}, y: 0, columns: 22, rows: 24, first: "bottomRight", along: "columns" }}')


def one_by_one(bench):
    bench.unplug_panel()
    bench.unplug_lines()
    bench.unplug_overlay()
    bench.unplug_sound()
    begun = bench.begin(bench.library(), None, ("--panel", "spi"))
    begun.wait_ready()
    for missing in (r"panel: /dev/spidev0\.0 does not open", "gpio: ", "the ALSA device hw:Loopback,0,0 does not open"):
        begun.wait_line(f"^pixelboop: {missing}")
    bench.plug_lines()
    begun.wait_line("^pixelboop: gpio: the lines are there again")
    check(not bench.lines.is_on(lines.SUPPLY), "the LEDs' supply is on without a panel")
    bench.plug_panel()
    bench.see({(1, 0): (0x44, 0xFF, 0x44)}, "the panel shows")
    until(lambda: bench.lines.is_on(lines.SUPPLY), "the LEDs' supply goes on")
    check(bench.lines.changes[-1][0] > bench.panel.first.end, "the supply went on before a frame was out")
    bench.plug_overlay()
    begun.wait_line("^pixelboop: touch: Bench overlay .*contacts")
    without_ghosts(bench)
    pattern = tap_and_see(bench, {}, spec.CHORDS, 5, 4, "a tap")
    bench.plug_sound()
    begun.wait_line("^pixelboop: sound: the device .* is back")
    pattern = hear_tap(bench, 20, pattern)
    bench.see(spec.picture(pattern), "a tap that is heard")
    bench.wait_kept([pattern], "the library has it all")
    bench.stop()


TABLE = {
    "first-touch": Part("a touch lights its LED, a lift makes its note", first_touch, False),
    "gestures": Part("every gesture shape on every track", gestures, False),
    "sessions": Part("recorded sessions end with their patterns and frames", recorded_sessions, False),
    "landing": Part("a finger sounds as it lands, but not on a lit LED", landing, False),
    "play": Part("Play: the pattern's notes in time", play, False),
    "ten-fingers": Part("ten fingers at once", ten_fingers, False),
    "unplugged": Part("the overlay is unplugged in a gesture, and plugged in again", unplugged, False),
    "reports-lost": Part("a flood of reports: SYN_DROPPED", reports_lost, True),
    "controls": Part("buttons and knobs", controls, True),
    "spi-fails": Part("SPI fails for a while (EIO)", spi_fails, True),
    "small-buffer": Part("spidev's bufsiz is too small", small_buffer, True, "small-buffer"),
    "stands-still": Part("the box stands still, and its sound device runs dry", stands_still, False),
    "sound-gone": Part("the sound device goes and comes back", sound_gone, False),
    "disk-full": Part("the disk is full for a while", disk_full, False),
    "supply-fails": Part("a supply that does not rise: no data, and tried again", supply_fails, True),
    "two-chains": Part("two chains, each with its own chip enable", two_chains, True),
    "clock": Part("the clock test, with supply, data and light in order", clock, True),
    "clock-fault": Part("the clock test ends, dark, at a fault of the supply", clock_fault, True),
    "wiring": Part("the LEDs that the search for the wiring asks for light, and it finds it", wiring, True),
    "terminated": Part("the LEDs' supply, 20 ms and no fault, a dark frame, data, light; SIGTERM: the reverse", terminated, True),
    "crashed": Part("a fault (SIGSEGV): the same", crashed, True),
    "killed": Part("SIGKILL: the kernel lets the supply go", killed, True),
    "one-by-one": Part("started without any device, then they come one by one", one_by_one, True),
}
