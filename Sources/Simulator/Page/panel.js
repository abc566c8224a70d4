// The page's main thread: fingers, keys and the status line. The worker has the connection and draws, so nothing here delays
// it.
"use strict";

const contactsMax = 16;
const unitsPerLED = 1024;
const phases = { down: 0, move: 1, up: 2, cancel: 3 };
const keys = { space: 0, undo: 1, redo: 2, clear: 3, up: 4, down: 5 };

const stage = document.getElementById("stage");
const bezel = document.getElementById("bezel");
const canvas = document.getElementById("panel");
const stateText = document.getElementById("state");
const figuresText = document.getElementById("figures");
const soundButton = document.getElementById("sound");

let columns = 44;
let rows = 24;
let figures = null;
let isConnected = false;

// The worker

const worker = new Worker("worker.js");
const questions = new Map();
let questionsAsked = 0;

worker.onmessage = ({ data }) => {
  switch (data.kind) {
  case "hello":
    columns = data.columns;
    rows = data.rows;
    rate = data.rate;
    isConnected = true;
    layOut();
    showState();
    showSound();
    break;
  case "lost":
    isConnected = false;
    figures = null;
    fingers.clear();
    showState();
    break;
  case "report":
    figures = data;
    showState();
    break;
  case "pixels":
    questions.get(data.question)?.(data.pixels);
    questions.delete(data.question);
    break;
  }
};

function sendContact(phase, contact, x, y) {
  worker.postMessage({ kind: "contact", phase: phases[phase], contact, x, y });
}

function sendKey(name) {
  worker.postMessage({ kind: "key", key: keys[name] });
}

// The picture's size: as large as fits, with a whole number of device pixels per LED.

function layOut() {
  const ratio = window.devicePixelRatio || 1;
  const room = getComputedStyle(stage);
  const frame = getComputedStyle(bezel);
  const side = (style, ...names) => names.reduce((sum, name) => sum + parseFloat(style[name]), 0);
  const width = stage.clientWidth - side(room, "paddingLeft", "paddingRight")
    - side(frame, "paddingLeft", "paddingRight");
  const height = stage.clientHeight - side(room, "paddingTop", "paddingBottom")
    - side(frame, "paddingTop", "paddingBottom");
  const pitch = Math.max(2, Math.floor(Math.min(width / columns, height / rows) * ratio));
  canvas.style.width = `${pitch * columns / ratio}px`;
  canvas.style.height = `${pitch * rows / ratio}px`;
  worker.postMessage({ kind: "size", pitch, columns, rows });
}

function watchPixelRatio() {
  const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener("change", () => { layOut(); watchPixelRatio(); }, { once: true });
}

// Fingers. The mouse is one.

const fingers = new Map();

// In units of the panel from its top left corner; a finger on the bezel touches the panel's edge.
function place(event) {
  const box = canvas.getBoundingClientRect();
  const unit = (offset, size, count) =>
    Math.min(count * unitsPerLED - 1, Math.max(0, Math.floor(offset / size * count * unitsPerLED)));
  return [
    unit(event.clientX - box.left, box.width, columns),
    unit(event.clientY - box.top, box.height, rows),
  ];
}

function land(event) {
  if (event.pointerType === "mouse" && event.button !== 0) return;
  const taken = new Set(fingers.values());
  let contact = 0;
  while (taken.has(contact)) contact += 1;
  if (contact >= contactsMax) return;
  event.preventDefault();
  try { bezel.setPointerCapture(event.pointerId); } catch { /* It has already lifted. */ }
  fingers.set(event.pointerId, contact);
  sendContact("down", contact, ...place(event));
}

function move(event) {
  const contact = fingers.get(event.pointerId);
  if (contact === undefined) return;
  const steps = event.getCoalescedEvents?.() ?? [];
  for (const step of steps.length > 0 ? steps : [event]) sendContact("move", contact, ...place(step));
}

function lift(event, phase) {
  const contact = fingers.get(event.pointerId);
  if (contact === undefined) return;
  fingers.delete(event.pointerId);
  sendContact(phase, contact, ...place(event));
}

function withdrawAll() {
  for (const contact of fingers.values()) sendContact("cancel", contact, 0, 0);
  fingers.clear();
}

bezel.addEventListener("pointerdown", land);
bezel.addEventListener("pointermove", move);
bezel.addEventListener("pointerup", (event) => lift(event, "up"));
bezel.addEventListener("pointercancel", (event) => lift(event, "cancel"));
bezel.addEventListener("lostpointercapture", (event) => lift(event, "cancel"));
window.addEventListener("blur", withdrawAll);
window.addEventListener("pagehide", withdrawAll);
document.addEventListener("visibilitychange", () => { if (document.hidden) withdrawAll(); });

// Without a touch listener that is not passive, the browser waits for a scroll or a zoom and holds back other events.
for (const name of ["touchstart", "touchmove"]) {
  stage.addEventListener(name, (event) => event.preventDefault(), { passive: false });
}
for (const name of ["contextmenu", "dragstart", "gesturestart"]) {
  document.addEventListener(name, (event) => event.preventDefault());
}

// Keys

function keyOf(event) {
  if (event.ctrlKey || event.metaKey) {
    if (event.altKey || event.key.toLowerCase() !== "z") return null;
    return event.shiftKey ? "redo" : "undo";
  }
  switch (event.key) {
  case " ": return "space";
  case "Delete": case "Backspace": return "clear";
  case "ArrowUp": return "up";
  case "ArrowDown": return "down";
  default: return null;
  }
}

window.addEventListener("keydown", (event) => {
  if (event.target === soundButton && (event.key === " " || event.key === "Enter")) return;
  const key = keyOf(event);
  if (!key) return;
  event.preventDefault();
  if (!event.repeat || key === "up" || key === "down") sendKey(key);
});

// Sound. Browsers play none before the first touch, and none at all on a page served over plain http by another machine.

let rate = 0;
let isSoundWanted = true;
let audio = null;
let isSoundReady = false;
const canPlay = window.isSecureContext && "AudioWorkletNode" in window;

function openSound() {
  if (!isSoundWanted || !canPlay || rate === 0) return;
  if (audio) {
    if (audio.state !== "running") audio.resume().then(showSound);
    return;
  }
  audio = new AudioContext({ sampleRate: rate, latencyHint: "interactive" });
  audio.onstatechange = showSound;
  const context = audio;
  context.audioWorklet.addModule("sound.js").then(() => {
    const node = new AudioWorkletNode(context, "box-sound", { numberOfInputs: 0, outputChannelCount: [2] });
    node.connect(context.destination);
    const channel = new MessageChannel();
    node.port.postMessage(channel.port2, [channel.port2]);
    worker.postMessage({ kind: "sound", port: channel.port1 }, [channel.port1]);
    isSoundReady = true;
    return context.resume();
  }).catch(() => {
    // The box disconnected meanwhile: the next touch tries again.
    isSoundReady = false;
    audio = null;
    context.close();
  }).then(showSound);
  showSound();
}

function showSound() {
  soundButton.hidden = rate === 0;
  soundButton.disabled = !canPlay;
  const isPlaying = isSoundWanted && isSoundReady && audio?.state === "running";
  soundButton.setAttribute("aria-pressed", String(isPlaying));
  if (!canPlay) {
    soundButton.textContent =
      "no sound: browsers allow it only at 127.0.0.1 or localhost; reach the box through an SSH tunnel";
  } else if (!isSoundWanted) {
    soundButton.textContent = "sound off";
  } else {
    soundButton.textContent = isPlaying ? "sound on" : "touch for sound";
  }
  worker.postMessage({ kind: "listen", isWanted: isPlaying });
}

soundButton.addEventListener("click", () => {
  isSoundWanted = audio?.state === "running" ? !isSoundWanted : true;
  if (isSoundWanted) openSound(); else audio?.suspend().then(showSound);
  showSound();
  soundButton.blur();
});
// Events that browsers accept as user activation.
for (const name of ["mousedown", "pointerup", "touchend", "keydown"]) {
  window.addEventListener(name, (event) => { if (event.target !== soundButton) openSound(); });
}

// The status line

function showState() {
  stateText.classList.toggle("connected", isConnected);
  stateText.textContent = isConnected ? "connected" : "the box does not answer: trying again…";
  figuresText.textContent = isConnected && figures
    ? `${figures.framesPerSecond.toFixed(0)} fps   ${figures.amps.toFixed(2)} A   `
      + `${(figures.wireBytesPerSecond / 1000).toFixed(0)} kB/s`
    : "";
}

// For makers: play the panel and read its LEDs from the browser's console.

window.pixelboop = {
  get columns() { return columns; },
  get rows() { return rows; },
  get connected() { return isConnected; },
  get figures() { return figures; },
  get sound() { return soundButton.hidden ? "elsewhere" : soundButton.textContent; },
  /// Returns a promise of R, G, B of every LED, row by row.
  pixels() {
    questionsAsked += 1;
    const question = questionsAsked;
    return new Promise((answer) => {
      questions.set(question, answer);
      worker.postMessage({ kind: "pixels", question });
    });
  },
  /// Returns a promise of [R, G, B] of one LED.
  async led(column, row) {
    const start = (row * columns + column) * 3;
    return Array.from((await this.pixels()).subarray(start, start + 3));
  },
  /// Returns the centre of an LED in the window, in CSS pixels.
  centre(column, row) {
    const box = canvas.getBoundingClientRect();
    return { x: box.left + (column + 0.5) / columns * box.width, y: box.top + (row + 0.5) / rows * box.height };
  },
  /// Sends a finger event: phase "down", "move", "up" or "cancel"; finger 0, 1, …; LED c spans c - 0.5 to c + 0.5.
  touch(phase, finger, column, row) {
    const unit = (led, count) =>
      Math.min(count * unitsPerLED - 1, Math.max(0, Math.floor((led + 0.5) * unitsPerLED)));
    sendContact(phase, contactsMax + finger, unit(column, columns), unit(row, rows));
  },
  /// Sends a key: "space", "undo", "redo", "clear", "up" or "down".
  press(key) { sendKey(key); },
};

if (typeof canvas.transferControlToOffscreen === "function") {
  const surface = canvas.transferControlToOffscreen();
  worker.postMessage({ kind: "open", surface, query: location.search }, [surface]);
  new ResizeObserver(layOut).observe(stage);
  watchPixelRatio();
} else {
  stateText.textContent = "this browser is too old for the panel: it needs OffscreenCanvas (2023 or later)";
}
