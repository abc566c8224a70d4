// The page's worker: the connection to the box, and the picture of its LEDs.
"use strict";

importScripts("lights.js");

const shortestRetry = 250;
const longestRetry = 2000;
// Time without a message after which the box is lost, and after which a connection that does not open is given up. The box sends
// something every second.
const longestSilence = 3000;
const longestOpening = 5000;
const watchInterval = 250;
// The box's close code: RFC 6455, 7.4.2, and IANA's registry.
const tooMany = 1013;

let surface = null;
let query = "";
// The port of a box within the page; null for a box over the network.
let port = null;
let socket = null;
let retry = shortestRetry;

let columns = 44;
let rows = 24;
let pixels = new Uint8Array(columns * rows * 3);
let newestFrame = 0;
let acknowledgedFrame = 0;
// Arrival of the oldest frame that is not drawn, and the times of the last frames: when drawn, and how long after their arrival.
let arrival = null;
let drawnFrames = [];
const drawnFramesMax = 256;

let soundPort = null;
let isListening = false;

// The connection. `PageMessage` and `BoxMessage` of the box describe the messages.

function connect() {
  const opened = socket = port ? insideSocket() : networkSocket();
  lastHeard = performance.now();
  opened.onmessage = ({ data }) => {
    if (socket !== opened) return;
    lastHeard = performance.now();
    const kind = new Uint8Array(data, 0, 1)[0];
    if (kind === 1) takeFrame(data);
    else if (kind === 2) soundPort?.postMessage(data, [data]);
    else if (kind === 3) takeReport(data);
    else if (kind === 5) takeWords(data);
    else if (kind === 6) takeCrowd(data);
    else if (kind === 0) takeHello(data);
  };
  opened.onclose = ({ code }) => { if (socket === opened) lose(code === tooMany); };
}

function networkSocket() {
  // Beside this script, whatever serves it: a proxy has TLS, and a path of its own.
  const opened = new WebSocket(new URL(`panel${query}`, location.href.replace(/^http/, "ws")), "pixelboop");
  opened.binaryType = "arraybuffer";
  return opened;
}

// The time between two ticks for a box within the page, in milliseconds: they drive it while no sound is played.
const tickInterval = 16;

// A socket to the box within the page. It never closes.
function insideSocket() {
  const opened = { readyState: WebSocket.OPEN, send: (bytes) => port.postMessage(bytes), close() {} };
  port.onmessage = ({ data }) => opened.onmessage({ data });
  setInterval(() => port.postMessage(performance.now()), tickInterval);
  return opened;
}

// Gives the connection up, and tries again after a while. `isFull`: as many pages are open as the box serves.
function lose(isFull = false) {
  const lost = socket;
  socket = null;
  isGreeted = false;
  lost.close();
  postMessage({ kind: "lost", isFull });
  dim();
  setTimeout(connect, retry);
  retry = Math.min(longestRetry, retry * 2);
}

let lastHeard = 0;
let lastWatch = 0;
let isGreeted = false;

setInterval(() => {
  const now = performance.now();
  // After the page itself was asleep, messages may be waiting.
  const wasAsleep = now - lastWatch > 4 * watchInterval;
  lastWatch = now;
  if (!socket || wasAsleep) return;
  if (now - lastHeard > (isGreeted ? longestSilence : longestOpening)) lose();
}, watchInterval);

function send(bytes) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(bytes);
}

function takeHello(data) {
  const view = new DataView(data);
  columns = view.getUint8(2);
  rows = view.getUint8(3);
  pixels = new Uint8Array(columns * rows * 3);
  newestFrame = 0;
  acknowledgedFrame = 0;
  retry = shortestRetry;
  isGreeted = true;
  postMessage({ kind: "hello", columns, rows, rate: view.getUint32(4, true) });
  if (isListening) sendListening();
}

function takeFrame(data) {
  newestFrame = new DataView(data).getUint32(4, true);
  pixels = new Uint8Array(data, 8);
  arrival ??= performance.now();
  schedule();
}

function takeReport(data) {
  const view = new DataView(data);
  postMessage({
    kind: "report",
    amps: view.getFloat32(4, true),
    framesPerSecond: view.getFloat32(8, true),
    wireBytesPerSecond: view.getFloat32(12, true),
  });
}

function takeWords(data) {
  const [word, title = "", place = ""] = new TextDecoder().decode(new Uint8Array(data, 4)).split("\n");
  postMessage({ kind: "words", word, title, place, isNaming: new Uint8Array(data)[1] === 1 });
}

function takeCrowd(data) {
  const [, others, playing] = new Uint8Array(data);
  postMessage({ kind: "crowd", others, playing });
}

// Only drawn frames are acknowledged, and the box sends no more than two frames ahead: a slow or hidden page gets fewer frames,
// not older ones.
function acknowledge() {
  if (acknowledgedFrame === newestFrame) return;
  acknowledgedFrame = newestFrame;
  const message = new DataView(new ArrayBuffer(8));
  message.setUint8(0, 4);
  message.setUint32(4, newestFrame, true);
  send(message.buffer);
}

function sendListening() {
  send(new Uint8Array([3, isListening ? 1 : 0]));
}

onmessage = ({ data }) => {
  switch (data.kind) {
  case "open":
    surface = data.surface;
    query = data.query;
    break;
  case "connect":
    port = data.port;
    connect();
    break;
  case "size":
    resize(data);
    break;
  case "contact": {
    const message = new DataView(new ArrayBuffer(data.heard === null ? 8 : 12));
    message.setUint8(0, 1);
    message.setUint8(1, data.phase);
    message.setUint16(2, data.contact, true);
    message.setUint16(4, data.x, true);
    message.setUint16(6, data.y, true);
    if (data.heard !== null) message.setUint32(8, data.heard, true);
    send(message.buffer);
    break;
  }
  case "key":
    send(new Uint8Array([2, data.phase, data.key]));
    break;
  case "character": {
    const message = new DataView(new ArrayBuffer(8));
    message.setUint8(0, 5);
    message.setUint32(4, data.codePoint, true);
    send(message.buffer);
    break;
  }
  case "sound":
    soundPort = data.port;
    break;
  case "listen":
    if (data.isWanted !== isListening) {
      isListening = data.isWanted;
      sendListening();
    }
    break;
  case "pixels":
    postMessage({ kind: "answer", question: data.question, answer: pixels.slice() });
    break;
  case "drawnFrames":
    postMessage({ kind: "answer", question: data.question, answer: drawnFrames });
    break;
  }
};

// The picture.

let lights = null;
let isScheduled = false;

const nextFrame = self.requestAnimationFrame?.bind(self) ?? ((draw) => setTimeout(draw, 16));

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  nextFrame(() => {
    isScheduled = false;
    lights?.draw(pixels);
    if (arrival !== null) {
      const now = performance.now();
      drawnFrames.push([now, now - arrival]);
      if (drawnFrames.length > drawnFramesMax) drawnFrames.shift();
      arrival = null;
    }
    acknowledge();
  });
}

function resize(size) {
  lights ??= new Lights(surface);
  if (lights.resize(size.columns, size.rows, size.pitch)) schedule();
}

// Without a connection the LEDs are dark.
function dim() {
  pixels = new Uint8Array(columns * rows * 3);
  schedule();
}
