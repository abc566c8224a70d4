"""The box's sound, recorded from the other side of snd-aloop through ALSA's library."""

import array
import ctypes
import errno
import struct
import threading

from waiting import Failure, check, nanoseconds, until

RATE = 48000
CAPTURE, INTERLEAVED, FLOAT = 1, 3, 14
PERIOD = 480
# Five seconds, nearly snd-aloop's maximum: recording survives a stall of the machine.
PERIODS = 500
# Threshold of silence: the box plays exact zeros, and a note's first samples are above it.
SILENCE = 1e-5
BLOCK = 48


class Recorder:
    """Records until stopped: the left channel's samples, and their times."""

    def __init__(self, device="hw:Loopback,1,0"):
        self.alsa = ctypes.CDLL("libasound.so.2")
        self.pcm = ctypes.c_void_p()
        until(lambda: self.alsa.snd_pcm_open(ctypes.byref(self.pcm), device.encode(), CAPTURE, 0) == 0,
              f"{device} opens")
        self._set_up(device)
        # Recording would only start at the first read of the whole buffer.
        self.alsa.snd_pcm_start(self.pcm)
        self.alsa.snd_pcm_readi.restype = ctypes.c_long
        self.alsa.snd_pcm_avail.restype = ctypes.c_long
        self.samples = array.array("f")
        # Numbers of samples, and their times.
        self.times = []
        self.overruns = 0
        self.lock = threading.Lock()
        self.is_ending = False
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _set_up(self, device):
        parameters = ctypes.c_void_p()
        self.alsa.snd_pcm_hw_params_malloc(ctypes.byref(parameters))
        self.alsa.snd_pcm_hw_params_any(self.pcm, parameters)
        for setting, *value in (
                ("access", INTERLEAVED), ("format", FLOAT), ("channels", 2), ("rate", RATE, 0),
                ("period_size", ctypes.c_ulong(PERIOD), 0), ("buffer_size", ctypes.c_ulong(PERIOD * PERIODS))):
            failure = getattr(self.alsa, f"snd_pcm_hw_params_set_{setting}")(self.pcm, parameters, *value)
            check(failure >= 0, f"{device} does not record with {setting} {value[0]}: error {failure}")
        failure = self.alsa.snd_pcm_hw_params(self.pcm, parameters)
        check(failure >= 0, f"{device} does not record: error {failure}")
        self.alsa.snd_pcm_hw_params_free(parameters)

    def _read(self):
        buffer = (ctypes.c_float * (2 * PERIOD))()
        while not self.is_ending:
            count = self.alsa.snd_pcm_readi(self.pcm, buffer, ctypes.c_ulong(PERIOD))
            if count == -errno.ENODEV:
                break
            if count < 0:
                # An overrun, or a stall of the machine longer than ALSA's timeout.
                self.alsa.snd_pcm_prepare(self.pcm)
                self.alsa.snd_pcm_start(self.pcm)
                self.overruns += 1
                continue
            # The time comes after: a reading can be late, which `time` sees, and never early.
            waiting = max(0, self.alsa.snd_pcm_avail(self.pcm))
            now = nanoseconds()
            with self.lock:
                self.samples.extend(buffer[0:2 * count:2])
                self.times.append((len(self.samples) + waiting, now))
        self.alsa.snd_pcm_close(self.pcm)

    def stop(self):
        self.is_ending = True
        self.thread.join()

    @property
    def count(self):
        with self.lock:
            return len(self.samples)

    def clear(self):
        """Discards the recording."""
        with self.lock:
            recorded = len(self.samples)
            del self.samples[:]
            self.times = [(count - recorded, now) for count, now in self.times[-200:]]

    def time(self, sample):
        """The time of `sample` in nanoseconds, by the latest of 200 readings, as the loopback advances in jumps."""
        with self.lock:
            near = [pair for pair in self.times if abs(pair[0] - sample) < RATE]
        if not near:
            raise Failure(f"sample {sample} was not recorded")
        # The reading with the most samples at a time is the most accurate.
        return min(now + (sample - count) * 1e9 / RATE for count, now in near)

    def sounds(self, begin=0, end=None, pause=0.03):
        """Starts and ends of sounds, in samples, from `begin` on; silence shorter than `pause` seconds is part of a
        sound."""
        with self.lock:
            taken = self.samples[begin:end]
        found, quiet = [], int(pause * RATE)
        for at in range(0, len(taken), BLOCK):
            block = taken[at:at + BLOCK]
            if max(block) <= SILENCE and min(block) >= -SILENCE:
                continue
            first = next(index for index, value in enumerate(block) if abs(value) > SILENCE)
            last = len(block) - next(index for index, value in enumerate(reversed(block)) if abs(value) > SILENCE)
            if found and begin + at + first - found[-1][1] < quiet:
                found[-1][1] = begin + at + last
            else:
                found.append([begin + at + first, begin + at + last])
        return [tuple(pair) for pair in found]

    def wait_sound(self, begin, what):
        """Waits for a sound after sample `begin`; returns its start."""
        seen, overruns = begin, self.overruns

        def look():
            nonlocal seen
            check(self.overruns == overruns, "the machine stood still for longer than is recorded")
            count = self.count // BLOCK * BLOCK
            sounds = self.sounds(seen, count) if count > seen else []
            if not sounds:
                seen = max(seen, count)
            return sounds[0][0] + 1 if sounds else 0
        return until(look, what, detail=lambda: f"; {self.count - begin} samples were recorded") - 1

    def wait_silence(self, seconds, what):
        """Waits for silence of `seconds`; returns the number of samples so far."""
        def is_silent():
            count = self.count
            return count > seconds * RATE and not self.sounds(count - int(seconds * RATE))
        until(is_silent, what)
        return self.count

    def frequency(self, begin, seconds):
        """Frequency of a sine from sample `begin` on, between its first and last upward crossing."""
        with self.lock:
            taken = self.samples[begin:begin + int(seconds * RATE)]
        rises = [
            index + taken[index] / (taken[index] - taken[index + 1])
            for index in range(len(taken) - 1) if taken[index] < 0 <= taken[index + 1]]
        return (len(rises) - 1) * RATE / (rises[-1] - rises[0]) if len(rises) > 1 else 0.0

    def peak(self, begin, end):
        with self.lock:
            taken = self.samples[begin:end]
        return max(max(taken), -min(taken)) if taken else 0.0

    def write(self, path):
        """Writes the recording as a WAV file of 32-bit floats."""
        with self.lock:
            data = self.samples.tobytes()
        with open(path, "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
                       + struct.pack("<IHHIIHH", 16, 3, 1, RATE, 4 * RATE, 4, 32) + b"data"
                       + struct.pack("<I", len(data)) + data)
