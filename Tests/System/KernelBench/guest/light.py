"""The light of the LEDs, decoded from the bytes on the wire: a chain of SK9822 by their datasheet.

The bytes are recorded by the module vspi. A frame begins with 32 zero bits, then each LED takes 32 bits,
111 and five of brightness, blue, green, red; the next zero word makes all of them show their words; and every LED
passes its data on half a clock late, so n of them need n / 2 more clocks.
"""

import collections
import os
import struct
import threading
import time

from recording import Recording
from waiting import LIMIT_SECONDS, Failure

COLUMNS, ROWS = 44, 24
LEDS = COLUMNS * ROWS
RECORD = struct.Struct("<IIQQIIIIHHBBBBQ")
MAGIC = 0x49505356
FLAG_FAILED = 16
# Steps of a channel: 31 of the current by 255 of the pulse's width.
STEPS = 31 * 255
# The configured clock of the bench's panel.
HERTZ = 4_000_000

Frame = collections.namedtuple("Frame", "number start end words")


def place(led):
    """Column and row of the LED with this number: rows from the top left, every other one backwards."""
    row, along = divmod(led, COLUMNS)
    return (along if row % 2 == 0 else COLUMNS - 1 - along), row


def led_at(column, row):
    return row * COLUMNS + (column if row % 2 == 0 else COLUMNS - 1 - column)


class Chain:
    """A chain of LEDs: receives bytes with their times, yields the frames shown."""

    def __init__(self, leds=LEDS):
        self.leds = leds
        self.bytes = b""
        self.start = 0
        self.zeros = 0
        self.problems = []
        self.frames = 0

    def lose(self):
        """The message in progress was lost."""
        self.bytes, self.zeros = b"", self.leds

    def take(self, data, start, end):
        shown = []
        if not self.bytes:
            self.start = start
        self.bytes += data
        while True:
            words = self.bytes.lstrip(b"\0")
            self.zeros += len(self.bytes) - len(words)
            if not words:
                self.bytes = b""
                return shown
            if len(words) < 4 * self.leds + 4:
                self.zeros -= len(self.bytes) - len(words)
                return shown
            # The latch and the clocks after the last frame, and the start of this one.
            wanted = 4 if self.frames == 0 else 4 + self.leds // 16 + 4
            if self.zeros < wanted:
                self.problems.append(f"frame {self.frames}: {self.zeros} zero bytes before it instead of {wanted}")
            body, rest = words[:4 * self.leds], words[4 * self.leds:]
            if any(head < 0xE0 for head in body[::4]):
                self.problems.append(f"frame {self.frames}: an LED's word does not begin with 111")
            if rest[:4] != b"\0\0\0\0":
                self.problems.append(f"frame {self.frames}: no zero word after the last LED")
            self.frames += 1
            shown.append(Frame(self.frames, self.start, end, body))
            self.bytes, self.zeros, self.start = rest, 0, start


class Panel:
    """The panel: reads the recording as it arrives."""

    def __init__(self, recording, gamma, brightness):
        self.gamma, self.brightness = gamma, brightness
        self.file = open(recording, "wb")
        self.keeps = True
        self.news = threading.Condition()
        self.expect(1)
        self.frames = collections.deque(maxlen=2000)
        self.first = None
        self.lost = 0
        self.steps = {}
        self.pending = b""
        self.recording = Recording("/dev/vspi-cap", os.O_RDONLY, self._take)

    def expect(self, chains, hertz=(HERTZ,)):
        """From now on the panel has `chains` chains of equal length, one for each chip enable, with clocks of `hertz`."""
        with self.news:
            self.chains = [Chain(LEDS // chains) for _ in range(chains)]
            self.words = [b"\xe0\0\0\0" * (LEDS // chains)] * chains
            self.hertz = set(hertz)
            self.counts = collections.Counter()

    def _take(self, data):
        if self.keeps:
            self.file.write(data)
        self.pending += data
        while len(self.pending) >= RECORD.size:
            fields = RECORD.unpack_from(self.pending)
            assert fields[0] == MAGIC
            size = fields[1]
            if len(self.pending) < RECORD.size + size:
                break
            self._take_message(fields, self.pending[RECORD.size:RECORD.size + size])
            self.pending = self.pending[RECORD.size + size:]

    def _take_message(self, fields, data):
        _, size, start, end, hertz, mode, _, lost, _, _, _, enable, _, flags, _ = fields
        with self.news:
            if enable >= len(self.chains):
                self.chains[0].problems.append(f"a message of {size} bytes came with chip enable {enable}")
                return
            chain = self.chains[enable]
            self.lost = lost
            self.counts[size, hertz, mode, bool(flags & FLAG_FAILED)] += 1
            if flags & FLAG_FAILED:
                chain.lose()
            else:
                for frame in chain.take(data, start, end):
                    self.words[enable] = frame.words
                    self.frames.append(frame._replace(words=b"".join(self.words)))
                self.first = self.first or self.frames and self.frames[0]
            self.news.notify_all()

    def flush(self):
        self.file.flush()

    def forget(self):
        """Discards the recording and its errors: of everything that was sent before this call."""
        self.recording.drain()
        self.expect(1)
        with self.news:
            self.frames.clear()
        self.file.truncate(0)
        self.file.seek(0)

    def stop(self):
        self.recording.stop()
        self.file.close()

    @property
    def messages(self):
        """The messages since `expect`: how many of each size, clock, mode and whether it failed."""
        with self.news:
            return dict(self.counts)

    @property
    def problems(self):
        """Errors in the SK9822's data, or lost data."""
        found = [problem for chain in self.chains for problem in chain.problems]
        settings = {(hertz, mode) for _, hertz, mode, _ in self.messages}
        if settings - {(hertz, 0) for hertz in self.hertz}:
            found.append(f"messages had these clocks and modes: {settings}")
        if self.lost:
            found.append(f"the recording lost {self.lost} messages")
        return found

    @property
    def count(self):
        return sum(chain.frames for chain in self.chains)

    def wait(self, condition, what, seconds=LIMIT_SECONDS, detail=lambda frame: ""):
        """Waits for a frame that satisfies `condition`."""
        end = time.monotonic() + seconds
        with self.news:
            frame = self.frames[-1] if self.frames else None
            while frame is None or not condition(frame):
                if not self.news.wait_for(lambda: self.frames and self.frames[-1] is not frame, end - time.monotonic()):
                    raise Failure(f"{what}: not within {seconds} s{detail(frame)}")
                if time.monotonic() > end:
                    raise Failure(f"{what}: not within {seconds} s{detail(frame)}")
                frame = self.frames[-1]
            return frame

    # Colours

    def _steps(self, value):
        if value not in self.steps:
            self.steps[value] = (value / 255) ** self.gamma * self.brightness * STEPS
        return self.steps[value]

    def shows(self, word, colour):
        """Whether the four bytes of an LED are `colour`, red, green and blue of 0-255 each, to the LED's step."""
        wanted = [self._steps(value) for value in colour]
        step = max(1, -(-int(max(wanted)) // 255))
        shown = [(word[0] & 31) * word[channel] for channel in (3, 2, 1)]
        return all(abs(a - b) <= 1 + step / 2 for a, b in zip(shown, wanted))

    def colour(self, word):
        """The colour of an LED, in CSS notation."""
        def value(channel):
            return round(255 * min(1, (word[0] & 31) * word[channel] / STEPS / self.brightness) ** (1 / self.gamma))
        return "".join(f"{value(channel):02x}" for channel in (3, 2, 1))

    def differences(self, frame, wanted):
        """The differences between `frame` and `wanted`, a colour for each place: lines of text."""
        lines = []
        for (column, row), colour in wanted.items():
            at = 4 * led_at(column, row)
            word = frame.words[at:at + 4]
            if not self.shows(word, colour):
                lines.append(f"column {column}, row {row} shows #{self.colour(word)} instead of #"
                             + "".join(f"{value:02x}" for value in colour))
        return lines

    def wait_for(self, wanted, what, seconds=LIMIT_SECONDS):
        """Waits for a frame that shows `wanted` at each of its places."""
        def detail(frame):
            lines = self.differences(frame, wanted) if frame else ["no frame came"]
            return f"; {len(lines)} LEDs differ: " + "; ".join(lines[:4])
        return self.wait(lambda frame: not self.differences(frame, wanted), what, seconds, detail)

    @staticmethod
    def is_dark(frame):
        return not any(frame.words[channel::4].strip(b"\0") for channel in (1, 2, 3))

    def since(self, time_):
        """The frames that began after `time_`."""
        with self.news:
            return [frame for frame in self.frames if frame.start > time_]

    def wait_dark(self, what, seconds=LIMIT_SECONDS):
        return self.wait(self.is_dark, what, seconds)
