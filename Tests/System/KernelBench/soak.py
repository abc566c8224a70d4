"""Hours of playing on the virtual clock of `replay`, determined by a seed, while the memory is measured."""

import json
import random
import re
import subprocess
import time

from waiting import check

HOURS, FAST_HOURS = 10, 0.5
SEED = 8
SAMPLE_SECONDS = 0.5
# As for the box under load: see guest/figures.py.
GROWTH_KILOBYTES = 1024


def script(path, hours):
    """Writes a touch script: Play, and a tap or a drag on the tracks about every two seconds."""
    chance = random.Random(SEED)
    strokes, at, end = 0, 100, int(hours * 3_600_000) - 5000
    with open(path, "w") as file:
        def write(**line):
            file.write(json.dumps(line) + "\n")
        write(at=50, key="space")
        while at < end:
            column, row = chance.randint(4, 38), chance.randint(2, 21)
            write(at=at, touch=0, phase="down", col=column, row=row)
            for _ in range(chance.choice((0, 0, 4, 12))):
                at += chance.randint(10, 60)
                column = min(38, max(4, column + chance.randint(-1, 2)))
                row = min(21, max(2, row + chance.choice((-1, 0, 0, 1))))
                write(at=at, touch=0, phase="move", col=column, row=row)
            at += chance.randint(30, 600)
            write(at=at, touch=0, phase="up", col=column, row=row)
            at += chance.randint(200, 3000)
            strokes += 1
    return strokes


def soak(binary, folder, is_fast):
    """Replays, and checks that the second half needs no more memory than the first."""
    hours = FAST_HOURS if is_fast else HOURS
    path = folder / "soak.jsonl"
    strokes = script(path, hours)
    began = time.monotonic()
    with open(folder / "soak.txt", "wb") as output:
        process = subprocess.Popen(
            [binary, "replay", str(path), "--until", str(int(hours * 3_600_000)), "--events",
             str(folder / "events.jsonl")], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        resident = []
        while process.poll() is None:
            with open(f"/proc/{process.pid}/status") as status:
                found = re.search(r"VmRSS:\s*(\d+)", status.read())
            if found:
                resident.append(int(found.group(1)))
            time.sleep(SAMPLE_SECONDS)
    took = time.monotonic() - began
    check(process.returncode == 0, f"replay ended with {process.returncode}; see {folder}/soak.txt")
    notes, line = 0, "{}"
    with open(folder / "events.jsonl") as events:
        for line in events:
            notes += 1
    last = json.loads(line).get("at", 0)
    check(last > hours * 3_600_000 - 60_000, f"the last note of {hours} hours came at {last} ms")
    # Half a gigabyte.
    (folder / "events.jsonl").unlink()
    half = resident[len(resident) // 2:]
    check(half and half[-1] - half[0] <= GROWTH_KILOBYTES, f"memory grows: {resident} kB, every {SAMPLE_SECONDS} s")
    return {"soak: simulated hours": hours, "soak: strokes": strokes, "soak: notes": notes,
            "soak: times real time": round(hours * 3600 / took),
            "soak: resident after half, MB": round(half[0] / 1024, 1),
            "soak: resident at the end, MB": round(half[-1] / 1024, 1)}
