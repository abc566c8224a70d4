// Plays the box for browsers as its page does, block by block: node live.mjs BOX.WASM MINUTES SEED DEMO.JSONL …
// A player touches the panel all over. Prints a line of JSON: the milliseconds of a block of 128 frames with its light, half of them,
// 99 of 100 and the longest; the box's memory in bytes after a sixth of the time, and at the end; and the largest sample.

import { readFileSync } from "node:fs";

const [file, minutes, seed, ...demos] = process.argv.slice(2);
const rate = 48000;
const block = 128;
const [columns, rows, unitsPerLED] = [44, 24, 1024];
const fingers = 5;
// Blocks between two touches.
const interval = 20;
const phases = { down: 0, move: 1, up: 2 };

// Numbers from 0 to below 1: a linear congruential generator (Knuth, TAOCP 2, 3.3.4, table 1, line 26).
let state = BigInt(seed);
function random(count) {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(count));
}

const { exports: box } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), {
  page: {
    take(kind, at, count) {
      const bytes = new Uint8Array(box.memory.buffer, at, count);
      // A picture: the page acknowledges it once it is drawn.
      if (kind === 1 && bytes[0] === 1) acknowledged.push([4, 0, 0, 0, ...bytes.slice(4, 8)]);
    },
  },
});
const acknowledged = [];
let pictures = 0;

function put(bytes) {
  const at = box.box_room(bytes.length);
  new Uint8Array(box.memory.buffer, at, bytes.length).set(bytes);
  return bytes.length;
}

function touch(phase, finger, x, y) {
  box.box_receive(put([1, phases[phase], finger, 0, x & 255, x >> 8, y & 255, y >> 8]));
}

box.__wasm_call_ctors();
box.box_version(put(new TextEncoder().encode("live")));
for (const demo of demos) box.box_demo(put(readFileSync(demo)));
box.box_open(rate, 0, 0, Number(seed));

const blocks = Math.round(Number(minutes) * 60 * rate / block);
const times = new Float64Array(blocks);
const down = new Array(fingers).fill(false);
let early = 0;
let peak = 0;
for (let number = 0; number < blocks; number += 1) {
  if (number % interval === 0) {
    const finger = random(fingers);
    const phase = down[finger] ? (random(3) > 0 ? "up" : "move") : "down";
    // One touch of ten is at the edges, which change more than notes.
    const [column, row] = random(10) > 0 ? [4 + random(32), 2 + random(20)] : [random(columns), random(rows)];
    touch(phase, finger, column * unitsPerLED + 512, row * unitsPerLED + 512);
    down[finger] = phase !== "up";
  }
  const begin = performance.now();
  const at = box.box_render(block) / 4;
  times[number] = performance.now() - begin;
  const samples = new Float32Array(box.memory.buffer);
  for (let place = at; place < at + 2 * block; place += 16) peak = Math.max(peak, Math.abs(samples[place]));
  pictures += acknowledged.length;
  for (const message of acknowledged.splice(0)) box.box_receive(put(message));
  if (number === Math.floor(blocks / 6)) early = box.memory.buffer.byteLength;
}
times.sort();
const quantile = (part) => times[Math.min(blocks - 1, Math.floor(part * blocks))];
console.log(JSON.stringify({
  half: quantile(0.5), most: quantile(0.99), longest: quantile(1), early, last: box.memory.buffer.byteLength, peak, pictures,
}));
