"""What the box plays, recorded from the other side of snd-aloop through ALSA's library."""

import array
import ctypes
import errno
import struct
import threading

from waiting import Failure, Stalled, check, nanoseconds, until

RATE = 48000
CAPTURE, INTERLEAVED, FLOAT = 1, 3, 14
PERIOD = 480
# Five seconds, nearly all that snd-aloop has: what the machine stands still for is recorded all the same.
PERIODS = 500
# Below this is silence: the box plays exact zeros, and a note's first samples are above it.
SILENCE = 1e-5
BLOCK = 48


class Recorder:
    """Records until it is stopped: the left side's samples, and the time at which each was played."""

    def __init__(self, device="hw:Loopback,1,0"):
        self.alsa = ctypes.CDLL("libasound.so.2")
        self.pcm = ctypes.c_void_p()
        until(lambda: self.alsa.snd_pcm_open(ctypes.byref(self.pcm), device.encode(), CAPTURE, 0) == 0,
              f"{device} opens")
        self._set_up(device)
        # By itself it starts with a reading of the whole buffer.
        self.alsa.snd_pcm_start(self.pcm)
        self.alsa.snd_pcm_readi.restype = ctypes.c_long
        self.alsa.snd_pcm_avail.restype = ctypes.c_long
        self.samples = array.array("f")
        # Samples up to a moment, and the moment.
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
                # Too late, or the machine stood still for longer than ALSA waits.
                self.alsa.snd_pcm_prepare(self.pcm)
                self.alsa.snd_pcm_start(self.pcm)
                self.overruns += 1
                continue
            now, waiting = nanoseconds(), max(0, self.alsa.snd_pcm_avail(self.pcm))
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
        """Forgets what was recorded."""
        with self.lock:
            recorded = len(self.samples)
            del self.samples[:]
            self.times = [(count - recorded, now) for count, now in self.times[-200:]]

    def time(self, sample):
        """When `sample` was played, in nanoseconds: by the latest of 200 moments, as the loopback moves in jumps."""
        with self.lock:
            near = [pair for pair in self.times if abs(pair[0] - sample) < RATE]
        if not near:
            raise Failure(f"sample {sample} was not recorded")
        # The most that had been played at a time is the nearest to the truth.
        return min(now + (sample - count) * 1e9 / RATE for count, now in near)

    def sounds(self, begin=0, end=None, pause=0.03):
        """Where sounds begin and end, in samples, from `begin` on; silence shorter than `pause` seconds is part of one."""
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
        """Waits for a sound after sample `begin`; where it begins."""
        seen, overruns = begin, self.overruns

        def look():
            nonlocal seen
            if self.overruns != overruns:
                raise Stalled("the machine stood still for longer than is recorded")
            count = self.count // BLOCK * BLOCK
            sounds = self.sounds(seen, count) if count > seen else []
            if not sounds:
                seen = max(seen, count)
            return sounds[0][0] + 1 if sounds else 0
        return until(look, what, detail=lambda: f"; {self.count - begin} samples were recorded") - 1

    def wait_silence(self, seconds, what):
        """Waits until nothing has been played for `seconds`; gives the number of samples until now."""
        def is_silent():
            count = self.count
            return count > seconds * RATE and not self.sounds(count - int(seconds * RATE))
        until(is_silent, what)
        return self.count

    def frequency(self, begin, seconds):
        """Of a sine from sample `begin` on: from its first upward crossing to its last."""
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
        """Writes what was recorded as a WAV file of 32-bit floats."""
        with self.lock:
            data = self.samples.tobytes()
        with open(path, "wb") as file:
            file.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt "
                       + struct.pack("<IHHIIHH", 16, 3, 1, RATE, 4 * RATE, 4, 32) + b"data"
                       + struct.pack("<I", len(data)) + data)
