// Plays a touch script in the box, in WebAssembly, and gives the film: its sound and the frames of its light.
"use strict";

// Kinds of the box's outputs (Sources/Browser/Output.swift), and the columns and rows of its panel.
const outputs = { sound: 2, line: 4, frame: 11 };
const rate = 48000;
// Bytes of a sample of stereo sound, and of a frame's time.
const sampleBytes = 8;
const timeBytes = 8;

const box = load();

async function load() {
  const answer = await fetch("box.wasm");
  if (!answer.ok) throw new Error("the box is missing");
  return WebAssembly.compile(await answer.arrayBuffer());
}

// The film of `script` from `begin` on, in milliseconds: samples of interleaved stereo, and frames with their times.
function film(module, script, begin) {
  const skipped = Math.round(begin * rate / 1000) * sampleBytes;
  const parts = [];
  const frames = [];
  let count = 0;
  let problem = "the script cannot be played";
  const { exports } = new WebAssembly.Instance(module, {
    page: {
      take(kind, at, size) {
        const bytes = new Uint8Array(exports.memory.buffer, at, size);
        if (kind === outputs.sound) {
          if (count + size > skipped) parts.push(bytes.slice(Math.max(0, skipped - count)));
          count += size;
        } else if (kind === outputs.frame) {
          const copy = bytes.slice();
          const time = new DataView(copy.buffer).getFloat64(0, true) - begin;
          // Of the frames before the begin the last one shows.
          if (time <= 0) frames.length = 0;
          frames.push({ time, pixels: copy.subarray(timeBytes) });
        } else if (kind === outputs.line) {
          problem = new TextDecoder().decode(bytes);
        }
      },
    },
  });
  exports.__wasm_call_ctors();
  const at = exports.box_room(script.length);
  new Uint8Array(exports.memory.buffer, at, script.length).set(script);
  if (exports.box_film(script.length) !== 0) throw new Error(problem);
  const sound = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    sound.set(part, place);
    place += part.length;
  }
  return { rate, sound: new Float32Array(sound.buffer), frames };
}

onmessage = async ({ data: { number, script, begin } }) => {
  try {
    const made = film(await box, script, begin);
    postMessage({ number, ...made }, [made.sound.buffer, ...made.frames.map(({ pixels }) => pixels.buffer)]);
  } catch (error) {
    postMessage({ number, problem: error.message });
  }
};
