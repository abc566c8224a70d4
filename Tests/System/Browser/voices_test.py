#!/usr/bin/python3
"""Compares every voice with its recipe rendered by a browser's Web Audio.

    python3 Tests/System/Browser/voices_test.py .build/release/pixelboop

The prototype's recipes are written for Web Audio, so Chromium's own oscillators, filters and envelopes are an independent
reference. A voice passes within 1.5 dB of level (2.5 dB for noise, which is random in the reference), 25 cents of pitch and
25 % of length; levels are compared after the engine's make-up gain, one number for all voices.
"""

import json
import math
import os
import statistics
import struct
import subprocess
import sys
import tempfile

from panel_test import Failure, Tab

RATE = 48000
SECONDS = 2
TRACKS = {"melody": 60, "chords": 48, "bass": 36, "rhythm": 0}
NOISY = {3, 4, 6, 7, 8, 9}
LEVEL, NOISE_LEVEL, CENTS, LENGTH = 1.5, 2.5, 25, 0.25
WINDOW = 240

# SPEC 6, once per kind of voice. One step at 60 BPM is a quarter of a second.
RECIPES = r"""
(async (voices) => {
  const rate = 48000, step = 0.25;
  const render = async (build) => {
    const context = new OfflineAudioContext(1, 2 * rate, rate);
    build(context);
    return (await context.startRendering()).getChannelData(0);
  };
  const melodic = (type, cutoff, midi, velocity) => (context) => {
    const length = Math.max(0.15, 0.95 * step), release = Math.min(0.3 * length, 0.15);
    const level = 0.08 * velocity, attack = length > 0.2 ? 0.02 : 0.01;
    const source = new OscillatorNode(context, {type, frequency: 440 * 2 ** ((midi - 69) / 12)});
    const filter = new BiquadFilterNode(context, {type: "lowpass", frequency: cutoff});
    const gain = new GainNode(context);
    gain.gain.setValueAtTime(0, 0);
    gain.gain.linearRampToValueAtTime(level, attack);
    gain.gain.setValueAtTime(level, length - release);
    gain.gain.exponentialRampToValueAtTime(0.001, length);
    source.connect(filter).connect(gain).connect(context.destination);
    source.start(0);
    source.stop(length);
  };
  const fade = (context, level, seconds, start = 0) => {
    const gain = new GainNode(context);
    gain.gain.setValueAtTime(level, start);
    gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
    gain.connect(context.destination);
    return gain;
  };
  const tone = (context, type, from, to, glide, level, seconds) => {
    const source = new OscillatorNode(context, {type, frequency: from});
    source.frequency.setValueAtTime(from, 0);
    if (to) source.frequency.exponentialRampToValueAtTime(to, glide);
    source.connect(fade(context, level, seconds));
    source.start(0);
    source.stop(seconds);
  };
  const noise = (context, length, filter, level, seconds, start = 0) => {
    const buffer = new AudioBuffer({length: length * rate, sampleRate: rate});
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
    const source = new AudioBufferSourceNode(context, {buffer});
    source.connect(new BiquadFilterNode(context, filter)).connect(fade(context, level, seconds, start));
    source.start(start);
  };
  const high = (frequency) => ({type: "highpass", frequency});
  const drum = (number, velocity) => (context) => {
    const level = 0.15 * velocity;
    const snare = (cutoff, pitch) => {
      noise(context, 0.15, high(cutoff), 0.8 * level, 0.15);
      tone(context, "sine", pitch, 0, 0, 0.5 * level, 0.08);
    };
    const recipes = [
      () => tone(context, "sine", 150, 30, 0.1, 1.5 * level, 0.3),
      () => tone(context, "sine", 120, 30, 0.1, 1.5 * level, 0.3),
      () => tone(context, "sine", 100, 60, 0.15, level, 0.25),
      () => snare(1000, 180),
      () => snare(1500, 200),
      () => tone(context, "triangle", 800, 0, 0, 0.5 * level, 0.05),
      () => [0, 1, 2].forEach((burst) =>
        noise(context, 0.02, {type: "bandpass", frequency: 1200, Q: 1}, 0.6 * level, 0.1, 0.015 * burst)),
      () => noise(context, 0.05, high(7000), 0.4 * level, 0.05),
      () => noise(context, 0.3, high(6000), 0.35 * level, 0.25),
      () => noise(context, 0.6, high(4000), 0.5 * level, 0.5),
      () => {
        tone(context, "triangle", 350, 0, 0, 0.25 * level, 0.4);
        tone(context, "sine", 620, 0, 0, 0.25 * level, 0.4);
      },
      () => [560, 845].forEach((pitch) => tone(context, "square", pitch, 0, 0, 0.25 * level, 0.15)),
    ];
    recipes[number]();
  };
  const kinds = {melody: ["sine", 2000], chords: ["triangle", 1500], bass: ["sawtooth", 400]};
  const results = [];
  for (const [track, note, velocity, base] of voices) {
    const build = track === "rhythm" ? drum(note, velocity) : melodic(...kinds[track], base + note, velocity);
    results.push(Array.from(await render(build), (sample) => Math.round(sample * 1e7) / 1e7));
  }
  return JSON.stringify(results);
})
"""


def rendered_by_browser(voices):
    arguments = [[track, note, velocity, TRACKS[track]] for track, note, velocity in voices]
    with tempfile.TemporaryDirectory(prefix="voices-test-", ignore_cleanup_errors=True) as profile:
        tab = Tab(profile)
        try:
            tab.open("about:blank")
            tab.socket.settimeout(120)
            answer = tab.call(
                "Runtime.evaluate", expression=f"{RECIPES}({json.dumps(arguments)})", awaitPromise=True, returnByValue=True)
        finally:
            tab.stop()
    if "value" not in answer["result"]:
        raise Failure(f"the browser did not render: {json.dumps(answer)[:300]}")
    return json.loads(answer["result"]["value"])


def rendered_by_engine(executable, voice, folder):
    track, note, velocity = voice
    tracks = {name: [[0] * 32 for _ in range(12)] for name in TRACKS}
    tracks[track][note][0] = velocity
    pattern = os.path.join(folder, "pattern.json")
    sound = os.path.join(folder, "sound.wav")
    with open(pattern, "w") as file:
        json.dump({"bpm": 60, "length": 8, "rootNote": "C", "scale": "major", "tracks": tracks}, file)
    subprocess.run([executable, "render", pattern, "-o", sound], check=True)
    data = open(sound, "rb").read()[58:]
    samples = struct.unpack(f"<{len(data) // 4}f", data)
    return samples[0::2][:RATE * SECONDS]


def level(samples):
    return math.sqrt(sum(sample * sample for sample in samples) / len(samples))


def length(samples):
    """Seconds until it stays 40 dB below its loudest 5 ms."""
    levels = [level(samples[start:start + WINDOW]) for start in range(0, len(samples) - WINDOW, WINDOW)]
    return max(i for i, value in enumerate(levels) if value > 0.01 * max(levels)) * WINDOW / RATE


def pitch(samples):
    """Mean frequency of the rising zero crossings from 10 to 125 ms."""
    samples = samples[480:6000]
    crossings = []
    for index, (before, after) in enumerate(zip(samples, samples[1:])):
        if before < 0 <= after:
            crossings.append(index + before / (before - after))
    return RATE * (len(crossings) - 1) / (crossings[-1] - crossings[0])


def main():
    executable = sys.argv[1]
    voices = [(track, note, velocity) for track in TRACKS for note in range(12)
              for velocity in (1, 2) if track == "rhythm" or note in (0, 5, 11)]
    try:
        references = rendered_by_browser(voices)
    except Failure as failure:
        print(f"FAIL  {failure}")
        return 1
    with tempfile.TemporaryDirectory(prefix="voices-test-") as folder:
        sounds = [rendered_by_engine(executable, voice, folder) for voice in voices]
    differences = [20 * math.log10(level(sound) / level(reference)) for sound, reference in zip(sounds, references)]
    gain = statistics.median(differences)
    failures = 0
    worst = {"tones": 0.0, "noise": 0.0, "cents": 0.0, "length": 0.0}
    for (track, note, velocity), sound, reference, difference in zip(voices, sounds, references, differences):
        is_noise = track == "rhythm" and note in NOISY
        off = abs(difference - gain)
        cents = abs(1200 * math.log2(pitch(sound) / pitch(reference))) if track != "rhythm" else 0
        stretch = abs(length(sound) / length(reference) - 1)
        kind = "noise" if is_noise else "tones"
        worst = {"tones": max(worst["tones"], off if kind == "tones" else 0),
                 "noise": max(worst["noise"], off if kind == "noise" else 0),
                 "cents": max(worst["cents"], cents), "length": max(worst["length"], stretch)}
        if off > (NOISE_LEVEL if is_noise else LEVEL) or cents > CENTS or stretch > LENGTH:
            failures += 1
            print(f"FAIL  {track} {note}, velocity {velocity}: {off:.2f} dB, {cents:.1f} cents, length {stretch:.0%} off")
    print(f"{'FAIL' if failures else 'ok'}    {len(voices)} voices: at most {worst['tones']:.2f} dB "
          f"(noise {worst['noise']:.2f}), {worst['cents']:.2f} cents and {worst['length']:.0%} of length from Web Audio; "
          f"make-up gain {gain:.2f} dB")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
