// Replays touch scripts in the box for browsers, as the command `replay` does: node replay.mjs BOX.wasm VERSION FOLDER <JOBS.jsonl
// A job is {"name", "script", "until", "loops"}: a file, the end in milliseconds or null, and the loops. For each it prints a line of
// JSON: its name, its status, its frames, the milliseconds that it took, the bytes of memory, and the SHA-256 of each output.
// Music, events and picture are also written, as FOLDER/NAME.*: they show what differs.
import crypto from "node:crypto";
import fs from "node:fs";
import readline from "node:readline";

const kinds = { 2: "sound", 5: "events", 6: "wire", 7: "music", 8: "picture" };
const [binary, version, folder] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(binary));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { name, script, until, loops } = JSON.parse(line);
  const hashes = {};
  const texts = {};
  for (const kind of Object.values(kinds)) hashes[kind] = crypto.createHash("sha256");
  let frames = 0;
  const { exports: box } = new WebAssembly.Instance(module, {
    page: {
      take(number, at, count) {
        const bytes = new Uint8Array(box.memory.buffer, at, count);
        const kind = kinds[number];
        if (!kind) return void process.stderr.write(`${script}: ${Buffer.from(bytes)}\n`);
        hashes[kind].update(bytes);
        if (kind === "sound") frames += count / 8;
        else if (kind !== "wire") (texts[kind] ??= []).push(Buffer.from(bytes));
      },
    },
  });
  box.__wasm_call_ctors();
  const put = (bytes) => {
    const at = box.box_room(bytes.length);
    new Uint8Array(box.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  };
  box.box_version(put(Buffer.from(version)));
  const begin = performance.now();
  const status = box.box_replay(put(fs.readFileSync(script)), until ?? -1, loops ?? 0);
  const milliseconds = Math.round(performance.now() - begin);
  for (const [kind, parts] of Object.entries(texts)) fs.writeFileSync(`${folder}/${name}.${kind}`, Buffer.concat(parts));
  const sums = Object.fromEntries(Object.entries(hashes).map(([kind, hash]) => [kind, hash.digest("hex")]));
  console.log(JSON.stringify({ name, status, frames, milliseconds, memory: box.memory.buffer.byteLength, ...sums }));
}
