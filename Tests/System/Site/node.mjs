// Replays scripts by node: node node.mjs BOX.wasm VERSION FOLDER <JOBS.jsonl
// A job is {"name", "script", "until", "loops"}: a file, the end in milliseconds or null, and the loops. For each it prints a line of
// JSON: its name, what `replay` returns, and the SHA-256 of each output. Music, events and picture are also written, as
// FOLDER/NAME.*: they show what differs.
import crypto from "node:crypto";
import fs from "node:fs";
import readline from "node:readline";
import { replay } from "./replay.mjs";

const [binary, version, folder] = process.argv.slice(2);
const module = new WebAssembly.Module(fs.readFileSync(binary));

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { name, script, until, loops } = JSON.parse(line);
  const hashes = {};
  const texts = {};
  const take = (kind, bytes) => {
    (hashes[kind] ??= crypto.createHash("sha256")).update(bytes);
    if (kind !== "sound" && kind !== "wire") (texts[kind] ??= []).push(Buffer.from(bytes));
  };
  const result = replay(module, { version, script: fs.readFileSync(script), until, loops }, take,
    (text) => process.stderr.write(`${script}: ${text}\n`));
  for (const [kind, parts] of Object.entries(texts)) fs.writeFileSync(`${folder}/${name}.${kind}`, Buffer.concat(parts));
  const sums = Object.fromEntries(Object.entries(hashes).map(([kind, hash]) => [kind, hash.digest("hex")]));
  console.log(JSON.stringify({ name, ...result, ...sums }));
}
