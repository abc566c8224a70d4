// The page's sound: a buffer of about 50 ms for blocks of 10 ms from the worker. An AudioWorklet plays it; where browsers bar
// that, a script of the page does.
"use strict";

class SoundBuffer {
  constructor(rate, seconds) {
    this.rate = rate;
    this.target = Math.round(rate * seconds);
    this.capacity = Math.round(rate * 0.2) + this.target;
    // Gain change per sample: the sound fades in and out within 5 ms where it starts or runs out.
    this.fade = 1 / (rate * 0.005);
    this.left = new Float32Array(this.capacity);
    this.right = new Float32Array(this.capacity);
    this.read = 0;
    this.fill = 0;
    this.usualFill = this.target;
    this.isPlaying = false;
    this.gain = 0;
    this.lastLeft = 0;
    this.lastRight = 0;
    // The box's time after the newest frame, and the offset last reported with the time from which it holds, in milliseconds; null
    // before the first sound.
    this.end = 0;
    this.offset = null;
    this.from = 0;
    // The offset of the last block, and the time from which it held.
    this.last = { offset: null, from: 0 };
  }

  /// Adds the samples of a message, interleaved stereo.
  take(message) {
    const samples = new Int16Array(message, 4);
    const frames = samples.length / 2;
    // The box's time of the first frame is 24 bits in units of 0.1 ms.
    this.end = (new DataView(message).getUint32(0, true) >>> 8) / 10 + 1000 * frames / this.rate;
    // More than fits is stale: continue with the newest.
    if (this.fill + frames > this.capacity) {
      const drop = this.fill + frames - this.target;
      this.read = (this.read + Math.min(drop, this.fill)) % this.capacity;
      this.fill -= Math.min(drop, this.fill);
    }
    let place = (this.read + this.fill) % this.capacity;
    for (let frame = 0; frame < frames; frame += 1) {
      this.left[place] = samples[frame * 2] / 32768;
      this.right[place] = samples[frame * 2 + 1] / 32768;
      place = place + 1 === this.capacity ? 0 : place + 1;
    }
    this.fill += frames;
  }

  /// Whether the sound has moved since the last report. `next` is the time at which the next frame plays, in milliseconds of the
  /// audio context; the offset is from there to the box's time of that frame. Two blocks have to agree: of those that a page
  /// renders all at once, after it was held up, most are never heard. Silence changes nothing.
  hasMoved(next) {
    if (!this.isPlaying) return false;
    const { last } = this;
    const offset = this.end - 1000 * this.fill / this.rate - next;
    this.last = { offset, from: next };
    const isNear = (other) => other !== null && Math.abs(offset - other) < 0.5;
    if (!isNear(last.offset) || isNear(this.offset)) return false;
    this.offset = offset;
    this.from = last.from;
    return true;
  }

  /// The offset, the time from which it holds, and what is buffered, in milliseconds.
  get report() { return { from: this.from, offset: this.offset, buffered: 1000 * this.fill / this.rate }; }

  advance() {
    if (this.fill === 0) {
      this.isPlaying = false;
      return;
    }
    this.lastLeft = this.left[this.read];
    this.lastRight = this.right[this.read];
    this.read = this.read + 1 === this.capacity ? 0 : this.read + 1;
    this.fill -= 1;
  }

  /// Fills a block of output.
  render(left, right) {
    if (!this.isPlaying && this.fill >= this.target) {
      this.isPlaying = true;
      this.usualFill = this.target;
    }
    // The clocks of the box and of this device differ by a few parts in 100,000: holding or skipping a sample for each 128 now
    // and then keeps them in step.
    this.usualFill += (this.fill - this.usualFill) * Math.min(0.1, 0.002 * left.length / 128);
    const isAhead = this.usualFill < this.target * 0.6;
    const isBehind = this.usualFill > this.target * 1.6;
    for (let frame = 0; frame < left.length; frame += 1) {
      const isMark = frame % 128 === 0;
      if (this.isPlaying && isBehind && isMark) this.advance();
      if (this.isPlaying && !(isAhead && isMark)) this.advance();
      this.gain = Math.min(1, Math.max(0, this.gain + (this.isPlaying ? this.fade : -this.fade)));
      left[frame] = this.lastLeft * this.gain;
      right[frame] = this.lastRight * this.gain;
    }
  }
}

/// The times of blocks of `frames` that a script of the page renders. Chromium and WebKit say a block's time when the page gets to
/// it, late by what it had to do. Blocks follow each other without gaps: all begin as many frames after a multiple of their length
/// as the least late ones.
class BlockTimes {
  constructor(frames) {
    this.frames = frames;
    this.recent = [];
  }

  /// The frame at which a block begins that is said to begin at `frame`.
  begin(frame) {
    const late = (one, other) => ((one - other) % this.frames + this.frames) % this.frames;
    this.recent = [...this.recent, frame].slice(-16);
    const sums = this.recent.map((begin) => this.recent.reduce((sum, other) => sum + late(other, begin), 0));
    return frame - late(frame, this.recent[sums.indexOf(Math.min(...sums))]);
  }
}

if (typeof registerProcessor === "function") {
  registerProcessor("box-sound", class extends AudioWorkletProcessor {
    constructor() {
      super();
      const buffer = this.buffer = new SoundBuffer(sampleRate, 0.05);
      this.port.onmessage = ({ data: port }) => {
        port.onmessage = ({ data }) => buffer.take(data);
      };
    }

    process(inputs, [[left, right]]) {
      this.buffer.render(left, right);
      if (this.buffer.hasMoved(1000 * (currentTime + left.length / sampleRate))) this.port.postMessage(this.buffer.report);
      return true;
    }
  });
}
