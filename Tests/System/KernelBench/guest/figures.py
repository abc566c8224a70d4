"""The figures: time from touch to light and sound, the box's costs, and their stability under load."""

import math
import random
import threading
import time

import devices
import sound
import spec
from light import led_at
from scenarios import Part, no_xrun, without_ghosts
from waiting import check

TOUCHES = 208
# Duration of each measurement of costs, idle and playing.
COST_SECONDS = 20
LOAD_SECONDS, FAST_LOAD_SECONDS = 300, 40
SAMPLE_SECONDS = 5
# Maximum growth of a process after half of its load, in kilobytes: pages of the program are loaded when first executed.
GROWTH_KILOBYTES = 1024


def summary(name, values):
    """Mean and 95th percentile of `values`."""
    ordered = sorted(values)
    return {f"{name}, mean": round(sum(values) / len(values), 2),
            f"{name}, p95": round(ordered[math.ceil(0.95 * len(ordered)) - 1], 2)}


def latency(bench):
    """On every place of melody, then of chords: a finger lands, its LED is lit, and its note sounds; then it lifts."""
    bench.start()
    without_ghosts(bench)
    places = [(spec.column(step), row) for row in (*range(2, 8), 9) for step in range(spec.STEPS)][:TOUCHES]
    to_light, to_sound = [], []
    for column, row in places:
        begin = bench.recorder.wait_silence(0.1, "the last note ends")
        at = 4 * led_at(column, row)
        if bench.panel:
            landed = bench.overlay.down(("finger", column, row))
            # White over what its place shows.
            lit = bench.panel.wait(lambda frame: bench.panel.colour(frame.words[at:at + 4]) > "808080", "the LED under the finger is lit")
            to_light.append((lit.start - landed) / 1e6)
        else:
            landed = bench.overlay.down(("finger", column, row))
            time.sleep(0.06)
        bench.overlay.up("finger")
        heard = bench.recorder.wait_sound(begin, "the note sounds")
        to_sound.append((bench.recorder.time(heard) - landed) / 1e6)
        if bench.recorder.count > 60 * sound.RATE:
            bench.recorder.clear()
    check(len(to_sound) >= 200, f"only {len(to_sound)} touches were taken")
    # A sound before its touch, or the light of another one, would be invalid.
    check(min(to_sound) > 0, f"a touch was heard before it was made: {sorted(to_sound)[:5]} ms")
    check(min(to_light, default=1) > 0, f"a touch was seen before it was made: {sorted(to_light)[:5]} ms")
    bench.stop()
    figures = summary("touch to SPI message, ms", to_light) if to_light else {}
    return {**figures, **summary("touch to first sample, ms", to_sound),
            "of which the sound device's buffer, ms": round(1000 * devices.PERIOD * devices.PERIODS / sound.RATE, 1)}


def costs(bench):
    """Idle, and playing a dense pattern, with the default dithering."""
    begun = bench.start(config=bench.configure(dithers=True))
    figures = {"resident after start, MB": round(begun.resident_kilobytes() / 1024, 1)}

    def measure(word):
        frames, began = bench.panel.count if bench.panel else 0, time.monotonic()
        figures[f"processor {word}, %"] = round(begun.processor_share(COST_SECONDS), 1)
        if bench.panel:
            figures[f"frames a second, {word}"] = round(
                (bench.panel.count - frames) / (time.monotonic() - began), 1)

    measure("idle")
    for track in range(4):
        for row in range(spec.FIRST_ROWS[track], spec.FIRST_ROWS[track] + spec.ROW_COUNTS[track]):
            for step in range(track % 2, spec.STEPS, 2):
                bench.overlay.tap(spec.column(step), row, seconds=0.02)
    bench.keyboard.press()
    begin = bench.recorder.count
    bench.recorder.wait_sound(begin, "it plays")
    measure("playing")
    if bench.panel:
        check(figures["frames a second, playing"] > 10, "the panel gets less than ten frames a second while it plays")
    figures["resident after playing, MB"] = round(begun.resident_kilobytes() / 1024, 1)
    bench.stop()
    return figures


class Hands(threading.Thread):
    """Ten fingers that draw all over the tracks until stopped."""

    REPORTS_A_SECOND = 60

    def __init__(self, overlay, seed):
        super().__init__(daemon=True)
        self.overlay, self.random = overlay, random.Random(seed)
        self.strokes = 0
        self.is_ending = False

    def _stroke(self):
        """A random path: its start, its end, and the number of its reports."""
        track = self.random.randrange(4)
        rows = range(spec.FIRST_ROWS[track], spec.FIRST_ROWS[track] + spec.ROW_COUNTS[track])
        start, end = ((spec.column(self.random.randrange(spec.STEPS)), self.random.choice(rows)) for _ in range(2))
        return start, end, self.random.randint(3, 90)

    def run(self):
        under_way = {}
        due = time.monotonic()
        while not self.is_ending:
            due = max(due + 1 / self.REPORTS_A_SECOND, time.monotonic())
            time.sleep(max(0, due - time.monotonic()))
            moved, ended = [], []
            for finger in range(10):
                if finger not in under_way:
                    start, end, reports = self._stroke()
                    under_way[finger] = start, end, reports, 0
                    self.overlay.down((finger, *start))
                    self.strokes += 1
                    continue
                start, end, reports, done = under_way[finger]
                if done == reports:
                    ended.append(finger)
                    del under_way[finger]
                    continue
                part = (done + 1) / reports
                under_way[finger] = start, end, reports, done + 1
                moved.append((finger, *(a + (b - a) * part for a, b in zip(start, end))))
            if moved:
                self.overlay.move(*moved)
            if ended:
                self.overlay.up(*ended)
        self.overlay.up(*under_way)


def under_load(bench, hands, seconds):
    """The box's costs while `hands` play, and its memory over time."""
    begun, frames = bench.box, bench.panel.count if bench.panel else 0
    began, processor = time.monotonic(), begun.processor_seconds()
    resident = []
    while time.monotonic() - began < seconds:
        time.sleep(SAMPLE_SECONDS)
        check(begun.process.poll() is None, f"the box ended with {begun.process.returncode}: {begun.text()}")
        check(hands.is_alive(), "the fingers stopped")
        resident.append(begun.resident_kilobytes())
        bench.recorder.clear()
    took = time.monotonic() - began
    figures = {"load: strokes": hands.strokes,
               "load: processor, %": round(100 * (begun.processor_seconds() - processor) / took, 1)}
    if bench.panel:
        figures["load: frames a second"] = round((bench.panel.count - frames) / took, 1)
    bench.recorder.wait_sound(0, "it still plays")
    return figures, resident


def load(bench):
    """Ten fingers and the sequencer, with the memory measured throughout."""
    seconds = FAST_LOAD_SECONDS if bench.settings["fast"] else LOAD_SECONDS
    begun = bench.start(config=bench.configure(dithers=True))
    if bench.panel:
        bench.panel.keeps = False
    bench.keyboard.press()
    hands = Hands(bench.overlay, seed=8)
    hands.start()
    try:
        figures, resident = under_load(bench, hands, seconds)
    finally:
        hands.is_ending = True
        hands.join()
        if bench.panel:
            bench.panel.keeps = True
    no_xrun(begun)
    half = resident[len(resident) // 2:]
    figures["load: resident after half, MB"] = round(half[0] / 1024, 1)
    figures["load: resident at the end, MB"] = round(half[-1] / 1024, 1)
    check(half[-1] - half[0] <= GROWTH_KILOBYTES, f"memory grows: {resident} kB, every {SAMPLE_SECONDS} s")
    bench.stop()
    return figures


TABLE = {
    "latency": Part("latency of 208 touches", latency, False, "figures"),
    "costs": Part("costs, idle and playing", costs, False, "figures"),
    "load": Part("ten fingers for minutes, with flat memory", load, False, "figures"),
}
