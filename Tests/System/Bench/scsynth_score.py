"""The notes of a pattern as a score for `scsynth -N`, with synths similar to PixelBoop's: an oscillator, a
low-pass and an envelope for each melodic note, tones and filtered noise for the drums.

The definitions are written in SuperCollider's own file format, version 2 (its help page "Synth Definition File Format"),
so sclang is not needed."""

import struct

SCALAR, CONTROL, AUDIO = 0, 1, 2
MULTIPLY = 2  # BinaryOpUGen
LINEAR, EXPONENTIAL = 1, 2  # shapes of an envelope's stages
FREE_SELF = 2
SECONDS_PER_STEP_AT_1_BPM = 15.0


def text(word):
    return struct.pack(">B", len(word)) + word.encode()


class Definition:
    """A synth definition: unit generators in order, with numbers or outputs of earlier ones as inputs."""

    def __init__(self, name, parameters):
        self.name = name
        self.parameters = parameters
        self.constants = []
        self.units = [("Control", CONTROL, [], [CONTROL] * len(parameters), 0)]

    def parameter(self, name):
        return (0, self.parameters.index(name))

    def add(self, unit, rate, inputs, outputs=1, special=0):
        self.units.append((unit, rate, inputs, [rate] * outputs, special))
        return (len(self.units) - 1, 0)

    def output(self, signal):
        pan = self.add("Pan2", AUDIO, [signal, 0.0, 1.0], outputs=2)
        self.add("Out", AUDIO, [0.0, pan, (pan[0], 1)], outputs=0)

    def envelope(self, start, stages):
        """Runs through (target, seconds, shape) once, and then frees the synth."""
        inputs = [1.0, 1.0, 0.0, 1.0, FREE_SELF, start, len(stages), -99.0, -99.0]
        for target, seconds, shape in stages:
            inputs += [target, seconds, shape, 0.0]
        return self.add("EnvGen", CONTROL, inputs)

    def times(self, signal, gain):
        return self.add("BinaryOpUGen", AUDIO, [signal, gain], special=MULTIPLY)

    def input_bytes(self, value):
        if isinstance(value, tuple):
            return struct.pack(">ii", *value)
        value = float(value)
        if value not in self.constants:
            self.constants.append(value)
        return struct.pack(">ii", -1, self.constants.index(value))

    def bytes(self):
        units = b""
        for name, rate, inputs, outputs, special in self.units:
            units += text(name) + struct.pack(">biih", rate, len(inputs), len(outputs), special)
            units += b"".join(self.input_bytes(value) for value in inputs) + bytes(outputs)
        body = text(self.name)
        body += struct.pack(">i%df" % len(self.constants), len(self.constants), *self.constants)
        count = len(self.parameters)
        body += struct.pack(">i%df" % count, count, *[0.0] * count)
        body += struct.pack(">i", count)
        for index, name in enumerate(self.parameters):
            body += text(name) + struct.pack(">i", index)
        body += struct.pack(">i", len(self.units)) + units + struct.pack(">h", 0)
        return b"SCgf" + struct.pack(">ih", 2, 1) + body


def melodic(name, unit, phase):
    synth = Definition(name, ["freq", "cutoff", "amp", "hold", "release"])
    wave = synth.add(unit, AUDIO, [synth.parameter("freq")] + phase)
    low = synth.add("RLPF", AUDIO, [wave, synth.parameter("cutoff"), 0.89])
    envelope = synth.envelope(0.0, [
        (1.0, 0.01, LINEAR), (1.0, synth.parameter("hold"), LINEAR), (0.01, synth.parameter("release"), EXPONENTIAL),
        (0.0, 0.003, LINEAR)])
    synth.output(synth.times(synth.times(low, envelope), synth.parameter("amp")))
    return synth


def tone():
    synth = Definition("tone", ["from", "to", "sweep", "amp", "decay"])
    pitch = synth.add(
        "XLine", CONTROL, [synth.parameter("from"), synth.parameter("to"), synth.parameter("sweep"), 0.0])
    wave = synth.add("SinOsc", AUDIO, [pitch, 0.0])
    envelope = synth.envelope(1.0, [(0.005, synth.parameter("decay"), EXPONENTIAL), (0.0, 0.003, LINEAR)])
    synth.output(synth.times(synth.times(wave, envelope), synth.parameter("amp")))
    return synth


def noise():
    synth = Definition("noise", ["cutoff", "amp", "decay"])
    high = synth.add("HPF", AUDIO, [synth.add("WhiteNoise", AUDIO, []), synth.parameter("cutoff")])
    envelope = synth.envelope(1.0, [(0.005, synth.parameter("decay"), EXPONENTIAL), (0.0, 0.003, LINEAR)])
    synth.output(synth.times(synth.times(high, envelope), synth.parameter("amp")))
    return synth


DEFINITIONS = [
    melodic("sine", "SinOsc", [0.0]), melodic("triangle", "LFTri", [0.0]), melodic("saw", "Saw", []), tone(), noise(),
]

# Definition, MIDI note of index 0, cut-off.
MELODIC = {"melody": ("sine", 60, 2000), "chords": ("triangle", 48, 1500), "bass": ("saw", 36, 400)}

# Tones: from, to, sweep, gain, decay. Noises: cut-off, gain, decay.
DRUMS = [
    [(150, 30, 0.1, 1.5, 0.3)], [(120, 30, 0.1, 1.5, 0.3)], [(100, 60, 0.15, 1, 0.25)],
    [(1000, 0.8, 0.15), (180, 180, 0.1, 0.5, 0.08)], [(1500, 0.8, 0.15), (200, 200, 0.1, 0.5, 0.08)],
    [(800, 800, 0.1, 0.5, 0.05)], [(1200, 0.6, 0.1)] * 3, [(7000, 0.4, 0.05)], [(6000, 0.35, 0.25)],
    [(4000, 0.5, 0.5)], [(350, 350, 0.1, 0.25, 0.4), (620, 620, 0.1, 0.25, 0.4)],
    [(560, 560, 0.1, 0.25, 0.15), (845, 845, 0.1, 0.25, 0.15)],
]


def padded(data):
    return data + bytes(-len(data) % 4)


def osc_text(word):
    return padded(word.encode() + b"\0")


def message(address, *arguments):
    tags, data = ",", b""
    for argument in arguments:
        if isinstance(argument, bytes):
            tags, data = tags + "b", data + struct.pack(">i", len(argument)) + padded(argument)
        elif isinstance(argument, str):
            tags, data = tags + "s", data + osc_text(argument)
        elif isinstance(argument, int):
            tags, data = tags + "i", data + struct.pack(">i", argument)
        else:
            tags, data = tags + "f", data + struct.pack(">f", argument)
    return osc_text(address) + osc_text(tags) + data


def bundle(seconds, messages):
    data = b"#bundle\0" + struct.pack(">Q", int(seconds * 2**32))
    for one in messages:
        data += struct.pack(">i", len(one)) + one
    return struct.pack(">i", len(data)) + data


def notes(pattern, loops):
    """(seconds, messages) for each step that starts notes."""
    length = pattern["length"]
    step_seconds = SECONDS_PER_STEP_AT_1_BPM / pattern["bpm"]
    for count in range(loops * length):
        step = count % length
        starts = []
        for track, rows in pattern["tracks"].items():
            for note, row in enumerate(rows):
                velocity = row[step]
                if velocity not in (1, 2):
                    continue
                run = 1
                while run < length and row[(step + run) % length] == 3:
                    run += 1
                starts += start(track, note, velocity, max(0.15, 0.95 * run * step_seconds))
        if starts:
            yield count * step_seconds, starts


def start(track, note, velocity, seconds):
    if track in MELODIC:
        name, base, cutoff = MELODIC[track]
        release = min(0.3 * seconds, 0.15)
        hertz = 440.0 * 2 ** ((base + note - 69) / 12)
        return [message("/s_new", name, -1, 0, 0, "freq", hertz, "cutoff", float(cutoff), "amp", 0.1 * velocity,
                        "hold", seconds - release - 0.01, "release", release)]
    messages = []
    for part in DRUMS[note]:
        if len(part) == 5:
            values = dict(zip(("from", "to", "sweep", "amp", "decay"), part))
            name = "tone"
        else:
            values = dict(zip(("cutoff", "amp", "decay"), part))
            name = "noise"
        values["amp"] *= 0.2 * velocity
        pairs = [item for pair in values.items() for item in (pair[0], float(pair[1]))]
        messages.append(message("/s_new", name, -1, 0, 0, *pairs))
    return messages


def score(pattern, loops):
    """The bytes of the whole score, one second longer than the notes."""
    data = bundle(0, [message("/d_recv", definition.bytes()) for definition in DEFINITIONS])
    for seconds, messages in notes(pattern, loops):
        data += bundle(seconds + 0.01, messages)
    end = loops * pattern["length"] * SECONDS_PER_STEP_AT_1_BPM / pattern["bpm"] + 1
    return data + bundle(end, [message("/c_set", 0, 0.0)])
