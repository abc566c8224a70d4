// The box on the audio thread: it renders each block of sound, and takes and gives messages between them.
"use strict";

// Milliseconds without a block of sound after which the worker's ticks drive the box: before the first touch, and while the sound is
// off.
const silence = 100;

registerProcessor("box", class extends AudioWorkletProcessor {
  constructor({ processorOptions: { module, version, demos, documents, seconds, offset, seed } }) {
    super();
    const { exports } = new WebAssembly.Instance(module, { page: { take: (kind, at, count) => this.take(kind, at, count) } });
    this.box = exports;
    this.page = null;
    this.waiting = [];
    this.samples = new Float32Array(exports.memory.buffer);
    // Frames rendered so far, and the offset from the context's time to the box's, in milliseconds.
    this.frames = 0;
    this.offset = null;
    this.isRendering = false;
    this.idle = 0;
    this.tick = null;
    exports.__wasm_call_ctors();
    exports.box_version(this.put(version));
    for (const { name, bytes } of documents) exports.box_stored(name.length, this.put(name, bytes) - name.length);
    for (const script of demos) exports.box_demo(this.put(script));
    exports.box_open(sampleRate, seconds, offset, seed);
    this.port.onmessage = ({ data }) => this.receive(data);
  }

  // Puts bytes into the box's memory, one behind the other; returns their number.
  put(...parts) {
    const count = parts.reduce((sum, part) => sum + part.length, 0);
    // First: the memory may move.
    const at = this.box.box_room(count);
    const room = new Uint8Array(this.box.memory.buffer, at, count);
    let place = 0;
    for (const part of parts) {
      room.set(part, place);
      place += part.length;
    }
    return count;
  }

  // Takes an output of the box: a message goes to the worker, all else to the page.
  take(kind, at, count) {
    const bytes = new Uint8Array(this.box.memory.buffer, at, count).slice();
    if (kind !== 1) this.port.postMessage({ kind, bytes }, [bytes.buffer]);
    else if (this.page) this.page.postMessage(bytes.buffer, [bytes.buffer]);
    else this.waiting.push(bytes.buffer);
  }

  receive(data) {
    if (data.port) {
      this.page = data.port;
      this.page.onmessage = ({ data: message }) => {
        if (typeof message === "number") this.drive(message);
        else this.box.box_receive(this.put(new Uint8Array(message.buffer ?? message)));
      };
      for (const message of this.waiting.splice(0)) this.page.postMessage(message, [message]);
    } else if (data.file) {
      const { name, bytes, column, row } = data.file;
      this.box.box_file(name.length, this.put(name, bytes) - name.length, column, row);
    } else if (data.link) {
      this.box.box_link(this.put(data.link));
    } else if (data.midi) {
      this.box.box_midi(this.put(data.midi), data.from);
    } else if (data.music) {
      this.box.box_music();
    } else if (data.midiFile) {
      this.box.box_midi_file();
    } else if (data.flush) {
      this.box.box_flush();
    } else if (data.keeps !== undefined) {
      this.box.box_keeps(data.keeps ? 1 : 0);
    }
  }

  // While no sound is played the box goes on by the worker's time, in milliseconds.
  drive(time) {
    const elapsed = Math.min(silence, time - (this.tick ?? time));
    this.tick = time;
    this.idle = this.isRendering ? 0 : this.idle + elapsed;
    this.isRendering = false;
    if (this.idle < silence) return;
    const frames = Math.round(elapsed * sampleRate / 1000);
    this.box.box_render(frames);
    this.frames += frames;
  }

  process(inputs, [[left, right]]) {
    this.isRendering = true;
    const at = this.box.box_render(left.length) / 4;
    if (this.samples.buffer !== this.box.memory.buffer) this.samples = new Float32Array(this.box.memory.buffer);
    for (let frame = 0; frame < left.length; frame += 1) {
      left[frame] = this.samples[at + 2 * frame];
      right[frame] = this.samples[at + 2 * frame + 1];
    }
    this.frames += left.length;
    // The time at which the next frame plays, in the context and in the box.
    const from = 1000 * (currentTime + left.length / sampleRate);
    const offset = 1000 * this.frames / sampleRate - from;
    if (this.offset === null || Math.abs(offset - this.offset) >= 0.5) {
      this.offset = offset;
      this.port.postMessage({ report: { from, offset, buffered: 0 } });
    }
    return true;
  }
});
