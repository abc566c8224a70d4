// The box within the page: it runs in the AudioWorklet, and the browser keeps its documents. Over the network another file of this
// name has these functions.
"use strict";

// The sample rate of the box. Browsers convert it to their device's.
const insideRate = 48000;
const databaseName = "pixelboop";
const storeName = "documents";
// The library of the box, and where its parts lie.
const binary = "box.wasm";
const demos = ["night", "house", "sunday"].map((name) => `demos/${name}.jsonl`);
// Kinds of the box's outputs (Sources/Browser/Output.swift).
const outputs = { document: 3, line: 4, music: 7, file: 9, part: 10 };

const beginButton = document.getElementById("begin");

let boxNode = null;
let database = null;

const hasWorklet = window.isSecureContext && "AudioWorkletNode" in window;

// Starts the box before the first touch, so that it sounds at once. Returns the port of its messages.
async function openBox() {
  document.getElementById("takes").hidden = true;
  if (!hasWorklet) {
    stateText.textContent = window.isSecureContext
      ? "this browser is too old for the box: it needs the AudioWorklet (2021 or later)"
      : "the box needs https: open this page by its https address";
    return new MessageChannel().port1;
  }
  const { port1, port2 } = new MessageChannel();
  try {
    const [module, version, scripts, documents] = await Promise.all(
      [loadModule(), load("version.txt"), Promise.all(demos.map(load)), loadDocuments()]);
    boxParts = { module, version, demos: scripts, documents, port: port2 };
    await makeSound(insideRate);
    if (!audio) throw new Error("it has no sound");
    offerMusic();
    await openLink();
  } catch (error) {
    stateText.textContent = `the box does not start in this browser: ${error.message}`;
  }
  return port1;
}

// What the box needs at its start.
let boxParts = null;

async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} is missing`);
  return new Uint8Array(await answer.arrayBuffer());
}

async function loadModule() {
  try {
    return await WebAssembly.compileStreaming(fetch(binary));
  } catch {
    // A host that serves it as another type.
    return WebAssembly.compile(await load(binary));
  }
}

// Runs the box in `context`.
async function connectSound(context) {
  await context.audioWorklet.addModule("worklet.js");
  const { port, ...parts } = boxParts;
  boxNode = new AudioWorkletNode(context, "box", {
    numberOfInputs: 0,
    outputChannelCount: [2],
    processorOptions: {
      ...parts,
      seconds: Date.now() / 1000,
      offset: -60 * new Date().getTimezoneOffset(),
      seed: Math.floor(Math.random() * 2 ** 52),
    },
  });
  boxNode.onprocessorerror = () => { stateText.textContent = "the box has stopped: load the page again"; };
  boxNode.port.onmessage = ({ data }) => receive(data);
  boxNode.port.postMessage({ port }, [port]);
  boxNode.connect(context.destination);
  boxNode.port.postMessage({ keeps: database !== null });
  listenToMIDI();
}

function receive(data) {
  if (data.report) addSoundReport(data.report);
  else if (data.kind === outputs.document) keep(data.bytes);
  else if (data.kind === outputs.file) beginFile(data.bytes);
  else if (data.kind === outputs.part) addPart(data.bytes);
  else if (answers.length > 0) answers.shift()(data);
  else newsLine.textContent = text(data.bytes);
}

// The box answers one after the other.
const answers = [];

function askBox(question, transfer = []) {
  return new Promise((answer) => {
    answers.push(answer);
    boxNode.port.postMessage(question, transfer);
  });
}

const text = (bytes) => new TextDecoder().decode(bytes);

// Documents. One page at a time keeps them.

async function loadDocuments() {
  if (!(await isOnly())) {
    newsLine.textContent = "the box plays in another tab too: this one keeps nothing";
    return [];
  }
  try {
    database = await request(Object.assign(indexedDB.open(databaseName, 1), {
      onupgradeneeded: ({ target }) => target.result.createObjectStore(storeName),
    }));
    navigator.storage?.persist?.().catch(() => {});
    const store = database.transaction(storeName).objectStore(storeName);
    const [names, documents] = await Promise.all([request(store.getAllKeys()), request(store.getAll())]);
    return names.map((name, place) => ({ name: new TextEncoder().encode(name), bytes: documents[place] }));
  } catch {
    // A private window: the box says it on its panel.
    database = null;
    newsLine.textContent = "this browser keeps nothing here: export your tunes";
    return [];
  }
}

// Time for a page that closes to give the documents free, in milliseconds.
const longestHandover = 1000;
// Gives them free.
let releaseDocuments = () => {};

// Whether no other page of the site has the documents. Until this one is left, none gets them.
function isOnly() {
  if (!navigator.locks) return true;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), longestHandover);
  return new Promise((answer) => {
    navigator.locks.request(databaseName, { signal: limit.signal }, () => {
      clearTimeout(timer);
      answer(true);
      return new Promise((release) => { releaseDocuments = release; });
    }).catch(() => answer(false));
  });
}

function request(asked) {
  return new Promise((answer, refuse) => {
    asked.onsuccess = () => answer(asked.result);
    asked.onerror = () => refuse(asked.error);
  });
}

// Keeps a document: its name, a line feed, and its bytes; without any it is removed.
function keep(bytes) {
  if (!database) return;
  const end = bytes.indexOf(10);
  const name = text(bytes.subarray(0, end));
  const transaction = database.transaction(storeName, "readwrite");
  const store = transaction.objectStore(storeName);
  if (end + 1 === bytes.length) store.delete(name); else store.put(bytes.slice(end + 1), name);
  transaction.oncomplete = () => { if (hasNoRoom) boxNode.port.postMessage({ keeps: !(hasNoRoom = false) }); };
  transaction.onabort = () => {
    hasNoRoom = true;
    boxNode.port.postMessage({ keeps: false });
    newsLine.textContent = transaction.error?.name === "QuotaExceededError"
      ? "this browser has no room left: export tunes, and delete them in the guide"
      : "this browser did not keep the last change: export your tunes";
  };
}

// Whether the last document was not kept.
let hasNoRoom = false;

// The page may end: what is not written goes out.
document.addEventListener("visibilitychange", () => { if (document.hidden) boxNode?.port.postMessage({ flush: true }); });
window.addEventListener("pagehide", () => {
  boxNode?.port.postMessage({ flush: true });
  releaseDocuments();
});
// Browsers may keep a page that was left, and show it again: meanwhile another one may have changed the documents.
window.addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); });

// Files

// The browser's own decoder reads more sounds than the box's.
document.getElementById("file").accept += ",.mp3,.m4a,.aac,.webm";

async function giveFile(file, x, y) {
  let bytes = new Uint8Array(await file.arrayBuffer());
  if (!/\.(json|midi?|rmi|scl)$/i.test(file.name) && !isPlainWave(bytes)) {
    try {
      bytes = await decoded(bytes);
    } catch (error) {
      return `${file.name}: ${error instanceof RangeError ? error.message : "this browser cannot read it; save it as 16-bit WAV"}`;
    }
  }
  const name = new TextEncoder().encode(file.name);
  const place = { column: x / unitsPerLED - 0.5, row: y / unitsPerLED - 0.5 };
  return text((await askBox({ file: { name, bytes, ...place } }, [bytes.buffer])).bytes);
}

// RIFF WAVE: a header of 44 bytes, then the samples, 16-bit integers.
const waveHead = 44;
const waveMarks = [[0, "RIFF"], [8, "WAVEfmt \x10\0\0\0\x01\0"], [34, "\x10\0data"]];

// Whether the box reads the sound as it is, to the bit.
function isPlainWave(bytes) {
  return waveMarks.every(([place, mark]) => Array.from(mark).every((letter, at) => bytes[place + at] === letter.charCodeAt(0)));
}

// The sound file in `bytes`, by the browser's own decoder, as a WAV file of 16-bit integers at the box's rate. What is above full
// scale is scaled down by its peak.
async function decoded(bytes) {
  const sound = await new OfflineAudioContext(1, 1, insideRate).decodeAudioData(bytes.buffer);
  const count = sound.numberOfChannels;
  if (count > 2) throw new RangeError(`has ${count} channels; mix it to mono or stereo`);
  const channels = Array.from({ length: count }, (_, channel) => sound.getChannelData(channel));
  const peak = channels.reduce((peak, samples) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), peak), 0);
  const scale = peak > 1 ? 32767 / peak : 32768;
  const wave = new Uint8Array(waveHead + 2 * count * sound.length);
  const view = new DataView(wave.buffer);
  for (const [place, mark] of waveMarks) wave.set(Array.from(mark, (letter) => letter.charCodeAt(0)), place);
  view.setUint32(4, wave.length - 8, true);
  view.setUint16(22, count, true);
  view.setUint32(24, insideRate, true);
  view.setUint32(28, 2 * count * insideRate, true);
  view.setUint16(32, 2 * count, true);
  view.setUint32(40, wave.length - waveHead, true);
  channels.forEach((samples, channel) => {
    for (let frame = 0; frame < samples.length; frame += 1) {
      const sample = Math.max(-32768, Math.min(32767, Math.round(samples[frame] * scale)));
      view.setInt16(waveHead + 2 * (frame * count + channel), sample, true);
    }
  });
  return wave;
}

// The file that comes from the box, a take: its parts so far.
let incoming = null;

function beginFile(bytes) {
  const [name, size] = text(bytes).split("\n");
  incoming = { name, left: Number(size), parts: [] };
}

function addPart(bytes) {
  incoming.parts.push(bytes);
  incoming.left -= bytes.length;
  if (incoming.left === 0) download(incoming.name, incoming.parts, "audio/wav");
}

async function music() {
  return JSON.parse(text((await askBox({ music: true })).bytes));
}

async function midiFile() {
  return (await askBox({ midiFile: true })).bytes;
}

async function openTune(bytes) {
  const { kind, bytes: line } = await askBox({ link: bytes });
  if (kind === outputs.music) offerBegin();
  return text(line);
}

// A tune of a link begins with the first touch: browsers play no sound before.
function offerBegin() {
  newsLine.textContent = "";
  beginButton.textContent = "▶ play this tune";
  beginButton.hidden = false;
  beginButton.focus();
}

beginButton.addEventListener("click", () => {
  beginButton.hidden = true;
  openSound();
  sendKey("space");
  canvas.focus();
});

// MIDI keyboards and clocks, where the browser has Web MIDI and the player allows it.

async function listenToMIDI() {
  const access = await navigator.requestMIDIAccess?.().catch(() => null);
  if (!access) return;
  const ports = new Map();
  const listen = () => {
    for (const input of access.inputs.values()) {
      if (!ports.has(input.id)) ports.set(input.id, ports.size);
      input.onmidimessage = ({ data }) => boxNode.port.postMessage({ midi: data, from: ports.get(input.id) });
    }
  };
  access.onstatechange = ({ port: { id, state } }) => {
    // Keys that it holds are released.
    if (state === "disconnected" && ports.has(id)) boxNode.port.postMessage({ midi: new Uint8Array(), from: ports.get(id) });
    listen();
  };
  listen();
}
