// The page's sound: an AudioWorklet that gets blocks of 10 ms from the worker and buffers about 50 ms.
"use strict";

const target = Math.round(sampleRate * 0.05);
const capacity = Math.round(sampleRate * 0.2);
// Gain change per sample: the sound fades in and out within 5 ms where it starts or runs out.
const fade = 1 / (sampleRate * 0.005);

class BoxSound extends AudioWorkletProcessor {
  constructor() {
    super();
    this.left = new Float32Array(capacity);
    this.right = new Float32Array(capacity);
    this.read = 0;
    this.fill = 0;
    this.usualFill = target;
    this.isPlaying = false;
    this.gain = 0;
    this.lastLeft = 0;
    this.lastRight = 0;
    this.port.onmessage = ({ data: port }) => {
      port.onmessage = ({ data }) => this.take(new Int16Array(data, 4));
    };
  }

  take(samples) {
    const frames = samples.length / 2;
    // More than fits is stale: continue with the newest.
    if (this.fill + frames > capacity) {
      const drop = this.fill + frames - target;
      this.read = (this.read + Math.min(drop, this.fill)) % capacity;
      this.fill -= Math.min(drop, this.fill);
    }
    let place = (this.read + this.fill) % capacity;
    for (let frame = 0; frame < frames; frame += 1) {
      this.left[place] = samples[frame * 2] / 32768;
      this.right[place] = samples[frame * 2 + 1] / 32768;
      place = place + 1 === capacity ? 0 : place + 1;
    }
    this.fill += frames;
  }

  advance() {
    if (this.fill === 0) {
      this.isPlaying = false;
      return;
    }
    this.lastLeft = this.left[this.read];
    this.lastRight = this.right[this.read];
    this.read = this.read + 1 === capacity ? 0 : this.read + 1;
    this.fill -= 1;
  }

  process(inputs, [[left, right]]) {
    if (!this.isPlaying && this.fill >= target) {
      this.isPlaying = true;
      this.usualFill = target;
    }
    // The clocks of the box and of this device differ by a few parts in 100,000: holding or skipping a sample now and then
    // keeps them in step.
    this.usualFill += (this.fill - this.usualFill) * 0.002;
    const isAhead = this.usualFill < target * 0.6;
    const isBehind = this.usualFill > target * 1.6;
    if (this.isPlaying && isBehind) this.advance();
    for (let frame = 0; frame < left.length; frame += 1) {
      if (this.isPlaying && !(isAhead && frame === 0)) this.advance();
      this.gain = Math.min(1, Math.max(0, this.gain + (this.isPlaying ? fade : -fade)));
      left[frame] = this.lastLeft * this.gain;
      right[frame] = this.lastRight * this.gain;
    }
    return true;
  }
}

registerProcessor("box-sound", BoxSound);
