// Replays touch scripts in the box for browsers, as the command `replay` does; for node and for browsers.

const kinds = { 2: "sound", 5: "events", 6: "wire", 7: "music", 8: "picture" };

// Replays `script`, bytes, in the box of `module` until `until`, in milliseconds or null, with `loops`. Gives each output to `take`,
// by its kind, and lines to `say`. Returns the box's status, the frames of sound, the milliseconds that it took, and its memory in
// bytes.
export function replay(module, { version, script, until, loops }, take, say) {
  let frames = 0;
  const { exports: box } = new WebAssembly.Instance(module, {
    page: {
      take(number, at, count) {
        const bytes = new Uint8Array(box.memory.buffer, at, count);
        const kind = kinds[number];
        if (!kind) return say(new TextDecoder().decode(bytes));
        if (kind === "sound") frames += count / 8;
        take(kind, bytes);
      },
    },
  });
  box.__wasm_call_ctors();
  const put = (bytes) => {
    const at = box.box_room(bytes.length);
    new Uint8Array(box.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  };
  box.box_version(put(new TextEncoder().encode(version)));
  const begin = performance.now();
  const status = box.box_replay(put(script), until ?? -1, loops ?? 0);
  const milliseconds = Math.round(performance.now() - begin);
  return { status, frames, milliseconds, memory: box.memory.buffer.byteLength };
}
