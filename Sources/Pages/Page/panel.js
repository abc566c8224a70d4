// The page's main thread: fingers and the status line. The worker has the connection and draws, so nothing here delays it.
"use strict";

const contactsMax = 16;
const unitsPerLED = 1024;
const phases = { down: 0, move: 1, up: 2, cancel: 3 };

const stage = document.getElementById("stage");
const bezel = document.getElementById("bezel");
const pane = document.getElementById("window");
const canvas = document.getElementById("panel");
const lostText = document.getElementById("lost");
const stateText = document.getElementById("state");
const figuresText = document.getElementById("figures");
const wordsText = document.getElementById("words");
const placeText = document.getElementById("place");
const othersText = document.getElementById("others");
const footer = document.querySelector("footer");
const halves = document.getElementById("halves");
const turnText = document.getElementById("turn");
const soundButton = document.getElementById("sound");

let columns = 44;
let rows = 24;
let figures = null;
let isConnected = false;
// Whether as many pages are open as the box serves.
let isFull = false;
let rate = 0;
// Whether the panel asks for a name: then letter keys type it.
let isNaming = false;
let words = { word: "", title: "", place: "" };

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
    isFull = data.isFull;
    figures = null;
    isNaming = false;
    fingers.clear();
    keysDown.clear();
    showOthers(0, 0);
    showState();
    break;
  case "words":
    showWords(data);
    break;
  case "crowd":
    showOthers(data.others, data.playing);
    break;
  case "report":
    figures = data;
    showState();
    break;
  case "answer":
    questions.get(data.question)?.(data.answer);
    questions.delete(data.question);
    break;
  }
};

function sendContact(phase, contact, x, y, time = performance.now()) {
  const heard = phase === "down" ? heardStamp(time) : null;
  worker.postMessage({ kind: "contact", phase: phases[phase], contact, x, y, heard });
}

// Without the box a touch does nothing, and the page says so.
function refuseTouch() {
  if (!wasConnected) return;
  lostText.textContent = "LOST: the box does not answer, nothing was played";
  bezel.classList.remove("refuses");
  // Reading the width starts the animation again.
  void bezel.offsetWidth;
  bezel.classList.add("refuses");
  refusals += 1;
}

let wasConnected = false;
let refusals = 0;

// The picture's size: as large as fits, with a whole number of device pixels per LED.

// In portrait, half of the columns at twice the size can be shown.

// Below this size, in CSS pixels, the page offers the halves and to turn the phone.
const smallLED = 14;
let half = "";

// The window for which the lines below the panel have their height. Lines that come and go there must not move the panel: until the
// window changes the height only grows.
let steadyWindow = "";

function layOut() {
  const present = `${window.innerWidth} ${window.innerHeight} ${half}`;
  if (present !== steadyWindow) footer.style.minHeight = "";
  steadyWindow = present;
  const ratio = window.devicePixelRatio || 1;
  const room = getComputedStyle(stage);
  const frame = getComputedStyle(bezel);
  const side = (style, ...names) => names.reduce((sum, name) => sum + parseFloat(style[name]), 0);
  const width = stage.clientWidth - side(room, "paddingLeft", "paddingRight")
    - side(frame, "paddingLeft", "paddingRight");
  const height = stage.clientHeight - side(room, "paddingTop", "paddingBottom")
    - side(frame, "paddingTop", "paddingBottom");
  const pitchFor = (shown) => Math.max(2, Math.floor(Math.min(width / shown, height / rows) * ratio));
  const isPortrait = window.innerHeight > window.innerWidth;
  const isSmall = isPortrait && pitchFor(columns) / ratio < smallLED;
  if (!isSmall) half = "";
  halves.hidden = !isSmall;
  turnText.hidden = !isSmall || half !== "";
  for (const button of halves.children) button.setAttribute("aria-pressed", String(button.dataset.half === half));
  const shown = half ? Math.ceil(columns / 2) : columns;
  const pitch = pitchFor(shown);
  pane.style.width = `${pitch * shown / ratio}px`;
  pane.style.height = `${pitch * rows / ratio}px`;
  canvas.style.width = `${pitch * columns / ratio}px`;
  canvas.style.height = `${pitch * rows / ratio}px`;
  canvas.style.marginLeft = half === "right" ? `${-pitch * (columns - shown) / ratio}px` : "0";
  worker.postMessage({ kind: "size", pitch, columns, rows });
  footer.style.minHeight = `${footer.offsetHeight}px`;
  bezel.dispatchEvent(new Event("layout"));
}

halves.addEventListener("click", (event) => {
  const chosen = event.target.dataset.half;
  if (chosen === undefined) return;
  withdrawAll();
  half = chosen;
  layOut();
});

function watchPixelRatio() {
  const query = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener("change", () => { layOut(); watchPixelRatio(); }, { once: true });
}

// Fingers. The mouse is one.

const fingers = new Map();
// Where the panel was when the first finger landed: a line that appears below moves the panel, but no finger on it.
let landing = null;

function rectangles() { return { box: canvas.getBoundingClientRect(), seen: pane.getBoundingClientRect() }; }

// In units of the panel from its top left corner; a finger on the bezel touches the panel's edge.
function place(event) {
  const { box, seen } = fingers.size > 0 ? landing : rectangles();
  const x = Math.min(seen.right - 0.01, Math.max(seen.left, event.clientX));
  const unit = (offset, size, count) =>
    Math.min(count * unitsPerLED - 1, Math.max(0, Math.floor(offset / size * count * unitsPerLED)));
  return [unit(x - box.left, box.width, columns), unit(event.clientY - box.top, box.height, rows)];
}

function land(event) {
  if (event.pointerType === "mouse" && event.button !== 0) return;
  const taken = new Set(fingers.values());
  let contact = 0;
  while (taken.has(contact)) contact += 1;
  if (contact >= contactsMax) return;
  event.preventDefault();
  canvas.focus({ preventScroll: true });
  if (!isConnected) return refuseTouch();
  try { bezel.setPointerCapture(event.pointerId); } catch { /* It has already lifted. */ }
  if (fingers.size === 0) landing = rectangles();
  fingers.set(event.pointerId, contact);
  sendContact("down", contact, ...place(event), event.timeStamp);
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
  sendContact(phase, contact, ...place(event));
  fingers.delete(event.pointerId);
}

function withdrawAll() {
  for (const contact of fingers.values()) sendContact("cancel", contact, 0, 0);
  fingers.clear();
  withdrawKeys();
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
  document.addEventListener(name, (event) => { if (!event.target.closest?.("dialog")) event.preventDefault(); });
}

// The status line

function showState() {
  stateText.classList.toggle("connected", isConnected);
  const text = isConnected ? "connected"
    : isFull ? "the box serves eight pages, and as many are open: close one"
    : wasConnected ? "LOST: trying again…" : "the box does not answer: trying again…";
  // A live region speaks each change.
  if (stateText.textContent !== text) stateText.textContent = text;
  wasConnected ||= isConnected;
  bezel.classList.toggle("lost", wasConnected && !isConnected);
  lostText.hidden = !wasConnected || isConnected;
  if (isConnected) {
    lostText.textContent = "";
    bezel.classList.remove("refuses");
  } else if (wasConnected && lostText.textContent === "") {
    lostText.textContent = "LOST";
  }
  figuresText.textContent = isConnected && figures
    ? `${figures.framesPerSecond.toFixed(0)} fps   ${figures.amps.toFixed(2)} A   `
      + `${(figures.wireBytesPerSecond / 1000).toFixed(0)} kB/s`
    : "";
  showLegend();
}

// The panel's word, or the title of its screen. A live region speaks each change: a title that returns after a word is not new.
function showWords(data) {
  isNaming = data.isNaming;
  const isNewTitle = data.title !== words.title;
  words = data;
  if (data.word) wordsText.textContent = data.word;
  else if (isNewTitle) wordsText.textContent = data.title;
  if (placeText.textContent !== data.place) placeText.textContent = data.place;
  showLegend();
}

function showOthers(others, playing) {
  const count = (number, one, many) => `${number} ${number === 1 ? one : many}`;
  othersText.textContent = others === 0 ? ""
    : count(others, "other page", "other pages") + (playing > 0 ? `, ${playing} playing` : "");
  othersText.classList.toggle("playing", playing > 0);
}

// For makers: play the panel and read its LEDs from the browser's console.

// Returns a promise of the worker's answer.
function ask(kind) {
  questionsAsked += 1;
  const question = questionsAsked;
  return new Promise((answer) => {
    questions.set(question, answer);
    worker.postMessage({ kind, question });
  });
}

window.pixelboop = {
  get columns() { return columns; },
  get rows() { return rows; },
  get connected() { return isConnected; },
  get figures() { return figures; },
  /// The panel's word, the title of its screen, and the name of the place under the cursor.
  get words() { return { word: words.word, title: words.title, place: words.place, isNaming }; },
  /// Touches refused because the box did not answer.
  get refusals() { return refusals; },
  /// The loudest sample played so far by the page's script; 0 while the AudioWorklet plays.
  get peak() { return playedPeak; },
  get sound() { return soundButton.hidden ? "elsewhere" : soundButton.textContent; },
  /// Returns a promise of R, G, B of every LED, row by row.
  pixels() { return ask("pixels"); },
  /// Returns a promise of the last frames: when each was drawn, and how long after its arrival, in milliseconds.
  drawnFrames() { return ask("drawnFrames"); },
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
  /// Sends a key by its word in scripts; phase "down", "up" or "cancel".
  press(key, phase = "down") { sendKey(key, phase); },
};

if (typeof canvas.transferControlToOffscreen === "function") {
  const surface = canvas.transferControlToOffscreen();
  worker.postMessage({ kind: "open", surface, query: location.search }, [surface]);
  // When all scripts are there, which take the worker's messages.
  document.addEventListener("DOMContentLoaded", async () => {
    const port = await openBox();
    worker.postMessage({ kind: "connect", port }, port ? [port] : []);
  });
  document.getElementById("takes").search = location.search;
  new ResizeObserver(layOut).observe(stage);
  watchPixelRatio();
  // A keyboard plays at once; a finger needs no ring round the panel.
  if (!matchMedia("(pointer: coarse)").matches) canvas.focus({ preventScroll: true });
} else {
  stateText.textContent = "this browser is too old for the panel: it needs OffscreenCanvas (2023 or later)";
}
