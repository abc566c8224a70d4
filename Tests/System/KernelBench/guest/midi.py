"""The MIDI scenarios: clocks both ways, keys, floods and unplugged cables; and the figures of MIDI."""

import json
import math
import statistics
import subprocess
import threading
import time

import fingers
import ports
import sound
import spec
from scenarios import MELODY, Part, no_xrun, tap_note
from waiting import check, nanoseconds, until

TICKS_PER_NOTE, TICKS_PER_STEP = 24, 6
KICK = 36
# Steps on which it is recorded.
RECORDED = (4, 10, 21)
# Intervals of the notes of MELODY, which are four steps apart.
NOTES = 24
SECOND = 1e9
# Lateness of a clock's ticks at random, in nanoseconds.
JITTER = 5.6e6
# Of the box: CC 123 on the channels of its tracks.
ALL_NOTES_OFF = [(0xB0 | channel, 123, 0) for channel in (0, 1, 2, 9)]


def line(values):
    """Period and residues of times that should be evenly spaced."""
    count = len(values)
    middle, mean = (count - 1) / 2, sum(values) / count
    slope = (sum((index - middle) * (value - mean) for index, value in enumerate(values))
             / sum((index - middle) ** 2 for index in range(count)))
    return slope, [value - mean - slope * (index - middle) for index, value in enumerate(values)]


def gaps(times):
    return [round((later - earlier) / 1e6) for earlier, later in zip(times, times[1:])]


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def milliseconds(nanoseconds_):
    return round(nanoseconds_ / 1e6, 2)


def virtual(bench):
    """The virtual ports' files and names; loaded once."""
    if not hasattr(bench, "virtual"):
        bench.virtual = ports.load_virtual(bench.modules)
    return bench.virtual


def configured(bench, *names, more="", source=""):
    """A configuration whose box connects to the ports `names`, and follows a MIDI clock if `source` says so."""
    return bench.configure(more=f"midi: {{ ports: {json.dumps(names)}{more} }},{source}")


SLAVE = ' sync: { source: "midi" },'


def connected(bench, *names, **options):
    """A box that is connected to `names`."""
    begun = bench.start(config=configured(bench, *names, **options))
    for name in names:
        begun.wait_line(f"^pixelboop: midi: .*{name}")
    return begun


def write_melody(bench):
    pattern = {}
    for step, note in MELODY:
        pattern = tap_note(bench, pattern, spec.MELODY, step, note)
    bench.wait_kept([pattern], "the pattern has the melody")
    bench.recorder.wait_silence(0.7, "the last note ends")


def clock_out(bench):
    """What `pixelboop clock out` says of the running box, at its end."""
    done = subprocess.run([bench.settings["binary"], "clock", "out", "--seconds", "6", "--json"], capture_output=True, text=True, check=False)
    check(done.returncode == 0 and not done.stderr, f"clock out ends with {done.returncode} and says {done.stderr}")
    reading = json.loads(done.stdout.splitlines()[-1])
    check(reading["state"] == "locked" and reading["lost"] == 0, f"clock out does not follow the box: {reading}")
    check(abs(reading["bpm"] - 120) < 0.1, f"clock out shows {reading['bpm']} BPM")
    check(reading["worstMilliseconds"] < 1, f"a tick is {reading['worstMilliseconds']} ms late")
    return reading


def master(bench):
    """The box is the clock."""
    path, name = virtual(bench)[0]
    begun = connected(bench, name)
    port = ports.Port(path)
    try:
        write_melody(bench)
        port.clear()
        until(lambda: len(port.ticks()) > 96, "the clock ticks while the box is stopped")
        bench.keyboard.press()
        port.wait((0xFA,), "Play sends a start")
        until(lambda: len(port.notes()) > NOTES, "the notes arrive")
        heard = clock_out(bench)
        bench.keyboard.press()
        port.wait((0xFC,), "Stop sends a stop")
        for wanted in ALL_NOTES_OFF:
            port.wait(wanted, "Stop silences all channels")
        taken = list(port.messages)
        no_xrun(begun)
    finally:
        port.close()
    bench.stop()
    content = [message.bytes for message in taken]
    start = content.index((0xFA,))
    check(content[start + 1] == (0xF8,), "the first message after the start is a tick")
    counts, count = [], 0
    for message in content[start:content.index((0xFC,))]:
        count += message == (0xF8,)
        if message[0] == 0x90:
            counts.append(count)
    check(counts[0] == 1, f"the first note comes with tick {counts[0]} instead of the first")
    gaps = {later - earlier for earlier, later in zip(counts, counts[1:])}
    check(gaps == {TICKS_PER_NOTE}, f"notes that are 24 ticks apart are {gaps}")
    check_balance(content)
    # A start begins the ticks anew.
    errors, wanted = [], SECOND * 60 / 120 / 24
    for word, part in (("stopped", taken[:start]), ("playing", taken[start:content.index((0xFC,))])):
        period, beside = line([message.time for message in part if message.bytes == (0xF8,)])
        check(abs(period / wanted - 1) < 0.0005, f"{word}, ticks are {period / 1e6:.4f} ms apart on average")
        check(max(map(abs, beside)) < 1e6, f"{word}, ticks are {[milliseconds(error) for error in beside]} ms beside the even ones")
        errors += beside
    return {"clock out, by pixelboop clock out, ms rms": round(heard["rmsMilliseconds"], 2),
            "clock out, jitter at the port, ms rms": milliseconds(rms(errors)),
            "clock out, worst, ms": milliseconds(max(map(abs, errors))),
            "clock out, ticks": len(errors)}


def check_balance(content, silences=True):
    """Every note that began has ended."""
    held = set()
    for message in content:
        kind, channel = message[0] & 0xF0, message[0] & 0x0F
        if kind == 0x90 and message[2]:
            held.add((channel, message[1]))
        elif kind in (0x80, 0x90):
            held.discard((channel, message[1]))
        elif silences and kind == 0xB0 and message[1] == 123:
            held = {note for note in held if note[0] != channel}
    check(not held, f"notes hang: {sorted(held)}")


def slave(bench):
    """The box follows the clock of a program, whose ticks are late by up to 5.6 ms."""
    path, name = virtual(bench)[0]
    clock, port = ports.Clock("Bench clock"), ports.Port(path)
    try:
        begun = connected(bench, name, "Bench clock", source=SLAVE)
        write_melody(bench)
        port.clear()
        ticks = clock.start(126, JITTER / SECOND)
        until(lambda: len(port.notes()) > NOTES + 8, "the box plays with the clock")
        clock.stop()
        # It locks within two seconds.
        notes = [message.time for message in port.notes()][8:]
        no_xrun(begun)
        bench.recorder.wait_silence(0.7, "the clock's stop ends the music")
    finally:
        clock.close()
        port.close()
    bench.stop()
    period, _ = line(notes)
    sent, _ = line(ticks)
    tempo_error = abs(period / (24 * sent) - 1)
    check(tempo_error < 0.0005, f"notes are {period / 1e6:.2f} ms apart; 24 ticks are {24 * sent / 1e6:.2f}: {gaps(notes)}")
    # The mean lateness of the ticks belongs to the clock.
    errors = [note - (ticks[0] + round((note - ticks[0]) / (24 * sent)) * 24 * sent) - JITTER / 2 for note in notes]
    mean = sum(errors) / len(errors)
    check(abs(mean) < 3e6, f"notes are {mean / 1e6:.1f} ms beside the clock")
    check(max(abs(error - mean) for error in errors) < 2e6, f"notes are not even beside the clock: {[milliseconds(e) for e in errors]} ms")
    return {"clock in to step, mean error, ms": milliseconds(mean),
            "clock in to step, rms about it, ms": milliseconds(rms([error - mean for error in errors])),
            "clock in to step, tempo error, %": round(100 * tempo_error, 4)}


KEYS = [60, 64, 67, 72, 62, 65, 69, 71]


def keys(bench):
    """Keys sound, with the pitch of each, and end."""
    path, name = virtual(bench)[0]
    connected(bench, name)
    port = ports.Port(path)
    late = []
    try:
        for key in KEYS:
            begin = bench.recorder.wait_silence(0.3, "the last note ends")
            pressed = port.write(0x90, key, 100)
            first = bench.recorder.wait_sound(begin, f"key {key} sounds")
            late.append(bench.recorder.time(first) - pressed)
            until(lambda: bench.recorder.count > first + sound.RATE // 5, "a fifth of a second is recorded")
            port.write(0x80, key, 0)
            heard, wanted = bench.recorder.frequency(first + 600, 0.08), 440 * 2 ** ((key - 69) / 12)
            check(abs(heard / wanted - 1) < 0.01, f"key {key} is of {heard:.1f} Hz instead of {wanted:.1f} Hz")
        bench.recorder.wait_silence(0.3, "the last note ends")
    finally:
        port.close()
    bench.stop()
    check(min(late) > 0, "a key was heard before it was pressed")
    return {"note in to sound, ms, mean": milliseconds(sum(late) / len(late)), "note in, notes lost": 0}


def record(bench):
    """Drums that are played to the clock of the box are written at their steps, and come out there."""
    path, name = virtual(bench)[0]
    connected(bench, name)
    port = ports.Port(path)
    try:
        bench.keyboard.press(fingers.KEY_R)
        port.clear()
        bench.keyboard.press()
        port.wait((0xFA,), "Play sends a start")
        # The clock ticks before it too.
        before = [message.bytes for message in port.messages].index((0xFA,))
        pattern = {}
        for step in RECORDED:
            until(lambda: len(port.ticks()) - before > TICKS_PER_STEP * step, f"step {step} begins")
            port.write(0x99, KICK, 80)
            port.write(0x89, KICK, 0)
            pattern = spec.tapped(pattern, spec.RHYTHM, step, 0)
        bench.wait_kept([pattern], "the pattern has the drums that were played")
        until(lambda: len(port.notes()) >= len(RECORDED), "the next pass plays them")
        bench.keyboard.press()
    finally:
        port.close()
    bench.stop()


def cable(bench):
    """The USB cable is pulled while a note sounds here and one there."""
    piano = ports.Piano(bench.modules)
    try:
        begun = connected(bench, ports.PRODUCT)
        begun.wait_line("^pixelboop: midi: Bench piano.*, in with the kernel's time stamps, out")
        begin = bench.recorder.wait_silence(0.3, "silence before the note")
        piano.port.write(0x90, 60, 100)
        bench.recorder.wait_sound(begin, "the key sounds")
        piano.unplug()
        begun.wait_line("^pixelboop: midi: Bench piano.* is gone")
        bench.recorder.wait_silence(0.5, "the note of the unplugged keyboard ends")
        piano.plug()
        begun.wait_line("^pixelboop: midi: Bench piano.*, in with", times=2)
        write_melody(bench)
        bench.keyboard.press()
        until(lambda: len(piano.port.notes()) > 2, "the notes arrive")
        held = piano.port.notes()[-1].bytes
        piano.unplug()
        # The box goes on.
        begin = bench.recorder.count
        bench.recorder.wait_sound(begin, "the box plays on")
        bench.keyboard.press()
        bench.recorder.wait_silence(0.7, "Stop ends the sound")
        piano.plug()
        for wanted in ALL_NOTES_OFF:
            piano.port.wait(wanted, "the port that is back is silenced")
        begin = bench.recorder.wait_silence(0.3, "silence before the note")
        # Its input may open later than its output.
        def plays():
            piano.port.write(0x90, 64, 100)
            piano.port.write(0x80, 64, 0)
            return bench.recorder.sounds(begin, bench.recorder.count)
        until(plays, "a key of the port that is back sounds")
        bench.stop()
        until(lambda: len(piano.port.messages) >= 4, "the box's end reaches the port")
        check_balance([held, *(message.bytes for message in piano.port.messages)])
    finally:
        if piano.port:
            piano.unplug()


def usb(bench):
    """The box is a USB device of a computer. dummy_hcd has no isochronous endpoints, so it carries MIDI only."""
    device = ports.BoxAsDevice(bench.modules)
    check(device.card() is None, "the computer has no such device yet")
    said = device.run("start")
    try:
        check(said == "pixelboop-usb: dummy_udc.0 carries no sound; the box is a device with MIDI only\n", f"it says {said}")
        check(device.run("start") == "", "a second start says nothing")
        card = until(device.card, "the computer finds the device")
        port = ports.Port(f"/dev/snd/midiC{card}D0")
        try:
            connected(bench, "f_midi")
            port.clear()
            until(lambda: len(port.ticks()) > 48, "the clock reaches the computer")
            begin = bench.recorder.wait_silence(0.3, "silence before the note")
            port.write(0x90, 60, 100)
            bench.recorder.wait_sound(begin, "a note of the computer sounds")
            port.write(0x80, 60, 0)
            bench.stop()
        finally:
            port.close()
    finally:
        device.run("stop")
    until(lambda: device.card() is None, "the device is gone")
    device.run("stop")


def exclusive(bench):
    """A system exclusive message without an end holds nothing up."""
    (path, name), (other, second) = virtual(bench)[:2]
    connected(bench, name, second)
    port, keyboard = ports.Port(path), ports.Port(other)
    sending = True

    def send():
        port.write(0xF0)
        while sending:
            port.write(*[0x55] * 64)
            time.sleep(0.005)
    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    try:
        for key in KEYS[:3]:
            begin = bench.recorder.wait_silence(0.3, "the last note ends")
            keyboard.write(0x90, key, 100)
            bench.recorder.wait_sound(begin, "a key of another port sounds")
            if key == KEYS[2]:
                # A piece of the message that played a note while a key is down would leave that behind.
                sending = False
                thread.join()
            keyboard.write(0x80, key, 0)
        begin = bench.recorder.wait_silence(0.3, "the last note ends")
        port.write(0x90, 60, 100)
        bench.recorder.wait_sound(begin, "a key after the message sounds")
        port.write(0x80, 60, 0)
    finally:
        sending = False
        port.close()
        keyboard.close()
    bench.stop()


def flood(bench, port, rate, seconds):
    """Writes aftertouch at `rate` bytes a second; returns the bytes written."""
    written, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        port.write(*[0xD0, 0x40] * 16)
        written += 32
        time.sleep(max(0, began + written / rate - time.monotonic()))
    return written


def floods(bench):
    """The music goes on through a flood at the speed of a DIN cable, and one as fast as USB takes it."""
    path, name = virtual(bench)[0]
    piano, figures = ports.Piano(bench.modules), {}
    try:
        begun = connected(bench, name, ports.PRODUCT)
        port = ports.Port(path)
        write_melody(bench)
        bench.keyboard.press()
        for word, source, rate in (("DIN", port, 3125), ("USB", piano.port, 1e6)):
            until(lambda: port.notes(), "the box plays")
            port.clear()
            since, shown, before = time.monotonic(), bench.panel.count, begun.processor_seconds()
            written = flood(bench, source, rate, 10)
            figures[f"flood at {word} speed, bytes a second"] = written // 10
            figures[f"flood at {word} speed, processor, %"] = round(10 * (begun.processor_seconds() - before), 1)
            figures[f"flood at {word} speed, frames a second"] = round((bench.panel.count - shown) / 10, 1)
            check(bench.panel.count - shown > 50, f"{bench.panel.count - shown} frames were shown in the flood's 10 s")
            notes = [message.time for message in port.notes()]
            # A busy machine takes longer than asked.
            wanted = 2 * (time.monotonic() - since)
            check(abs(len(notes) - wanted) <= 2, f"{len(notes)} notes were played in the flood instead of {wanted:.1f}")
            period, _ = line(notes)
            check(abs(period / SECOND * 2 - 1) < 0.01, f"notes are {period / 1e6:.1f} ms apart instead of 500")
        bench.keyboard.press()
        begin = bench.recorder.wait_silence(0.7, "Stop ends the sound")
        piano.port.write(0x90, 60, 100)
        bench.recorder.wait_sound(begin, "a key after the flood sounds")
        piano.port.write(0x80, 60, 0)
        bench.recorder.wait_silence(0.5, "the note ends")
        no_xrun(begun)
        port.close()
    finally:
        piano.unplug()
    bench.stop()
    return figures


def clocks(bench):
    """Of two clocks the first is followed, then the other."""
    path, name = virtual(bench)[0]
    port, first, other = ports.Port(path), ports.Clock("First clock"), ports.Clock("Other clock")

    def follow(tempo, what):
        count = len(port.notes()) + 8
        until(lambda: len(port.notes()) > count + 12, f"the box plays with the {what} clock")
        times = [message.time for message in port.notes()[count:]]
        # The median: a stall of the machine moves one note by 150 ms.
        period, wanted = statistics.median(gaps(times)), 60_000 / tempo
        check(abs(period / wanted - 1) < 0.01, f"notes are {period} ms apart instead of {wanted:.1f}, as the {what} clock has them: "
              f"{gaps(times)}")
    try:
        begun = connected(bench, name, "First clock", "Other clock", source=SLAVE)
        write_melody(bench)
        port.clear()
        first.start(120)
        until(port.notes, "the box plays")
        other.start(90)
        follow(120, "first")
        first.stop()
        other.stop()
        bench.recorder.wait_silence(0.7, "the first clock's stop stops the box")
        silent = nanoseconds() + 2.5 * SECOND
        until(lambda: nanoseconds() > silent, "the first clock is silent")
        other.start(90)
        follow(90, "other")
        other.stop()
        no_xrun(begun)
    finally:
        for part in (first, other, port):
            part.close()
    bench.stop()


TABLE = {
    "midi-master": Part("MIDI: the box is the clock of a recorder", master, True),
    "midi-slave": Part("MIDI: the box follows an uneven clock", slave, True),
    "midi-keys": Part("MIDI: keys sound", keys, True),
    "midi-record": Part("MIDI: a keyboard is recorded", record, True),
    "midi-cable": Part("MIDI: a USB cable is pulled in mid-note, and plugged in again", cable, True),
    "midi-usb": Part("MIDI: the box is a USB device of a computer", usb, True),
    "midi-exclusive": Part("MIDI: a system exclusive message without an end", exclusive, True),
    "midi-floods": Part("MIDI: floods at DIN and USB speed", floods, True),
    "midi-clocks": Part("MIDI: two clocks", clocks, True),
}
