"""The clock jacks: pulses on a GPIO line lead the box, and its own leave on another."""

import time

import lines
import sound
from midi import line, milliseconds, rms
from scenarios import Part, no_xrun
from waiting import check, nanoseconds, until

# Pulses that go out as sound.
PER_QUARTER, MILLISECONDS = 4, 5
PULSES = 48
# Two a quarter note at 125 BPM, not the pattern's tempo.
PERIOD = 240_000_000
WIDTH = 0.01
# Until the tempo is known, and the pulses that the sound's buffer holds.
SETTLING = 8
# The box stops half a second after the last pulse, and is heard a buffer later.
END = 1_000_000_000


def send_pulses(bench):
    """Pulses at the jack; returns their times."""
    begin = nanoseconds() + PERIOD
    sent = []
    for number in range(PULSES):
        time.sleep(max(0, begin + number * PERIOD - nanoseconds()) / 1e9)
        sent.append(nanoseconds())
        bench.lines.drive(lines.CLOCK_IN, 1)
        time.sleep(WIDTH)
        bench.lines.drive(lines.CLOCK_IN, 0)
    return sent


def follow(bench):
    """The first pulse starts the box, a pause stops it, and its own pulses keep in step."""
    bench.lines.drive(lines.CLOCK_IN, 0)
    bench.start(config=bench.configure(has_jacks=True, more='sync: { source: "clock" },'))
    until(lambda: bench.lines.outputs.get(lines.CLOCK_OUT) == ("out", 0), "the output is low")
    begin = nanoseconds()
    sent = send_pulses(bench)
    over = nanoseconds() + 2 * END
    until(lambda: nanoseconds() > over, "time passes")
    changes = bench.lines.since(begin, lines.CLOCK_OUT)
    bench.stop()
    rises = [at for at, value in changes if value == 1]
    check([value for _, value in changes] == [1, 0] * len(rises), f"the output does not alternate: {changes}")
    check(PULSES - 2 <= len(rises) <= PULSES + 6, f"{PULSES} pulses came in, {len(rises)} went out")
    check(rises[-1] < sent[-1] + END, f"a pulse left {milliseconds(rises[-1] - sent[-1])} ms after the last one came in")
    wanted, _ = line(sent)
    period, _ = line([at for at in rises[SETTLING:] if at < sent[-1]])
    check(abs(period / wanted - 1) < 0.005, f"pulses go out every {milliseconds(period)} ms, and come in every {milliseconds(wanted)} ms")
    # Both are even: the nearest one that came in.
    errors = [at - min(sent, key=lambda time_: abs(time_ - at)) for at in rises[SETTLING:] if at < sent[-1]]
    mean = sum(errors) / len(errors)
    check(abs(mean) < 2e6, f"pulses go out {milliseconds(mean)} ms beside those that come in")
    check(max(abs(error - mean) for error in errors) < 2e6, f"they are not even: {[milliseconds(error) for error in errors]} ms")
    widths = [fall - rise for (rise, _), (fall, _) in zip(changes[::2], changes[1::2])]
    check(10e6 < sum(widths) / len(widths) < 40e6, f"pulses are {milliseconds(sum(widths) / len(widths))} ms long")
    return {"clock jack, in to out, mean, ms": milliseconds(mean),
            "clock jack, in to out, rms about it, ms": milliseconds(rms([error - mean for error in errors])),
            "clock jack, tempo error, %": round(100 * abs(period / wanted - 1), 4)}


def as_sound(bench):
    """Pulses on the left channel reach the sound device on their samples."""
    source = f'sync: {{ pulse: "left", pulsesPerQuarter: {PER_QUARTER}, pulseMilliseconds: {MILLISECONDS} }},'
    begun = bench.start(config=bench.configure(more=source))
    begin = bench.recorder.wait_silence(0.3, "silence before Play")
    bench.keyboard.press()
    until(lambda: bench.recorder.count > begin + 6 * sound.RATE, "six seconds are recorded")
    bench.keyboard.press()
    bench.stop()
    no_xrun(begun)
    with bench.recorder.lock:
        high = [value > 0.5 for value in bench.recorder.samples[begin:]]
    edges = [place for place, (last, now) in enumerate(zip(high, high[1:])) if last != now]
    rises, falls = edges[::2], edges[1::2]
    check(len(rises) >= 4 * PER_QUARTER, f"{len(rises)} pulses in six seconds")
    distances = {later - earlier for earlier, later in zip(rises, rises[1:])}
    check(distances == {sound.RATE * 60 // 120 // PER_QUARTER}, f"pulses are {sorted(distances)} samples apart")
    # Stop may cut the last one.
    widths = {fall - rise for rise, fall in zip(rises[:-1], falls)}
    check(widths == {sound.RATE * MILLISECONDS // 1000}, f"pulses are {sorted(widths)} samples long")
    return {"pulses as sound, each on its sample": len(rises)}


TABLE = {"clock-jack": Part("A clock jack: pulses in and out", follow, True),
         "clock-pulses": Part("Pulses as sound", as_sound, True)}
