// The page's worker: the connection to the box, and the picture of its LEDs.
"use strict";

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

// The picture, from the back: the dark diffuser with its cells; each LED's light in its cell, brighter in the middle; and the
// glow on its neighbours.

let pitch = 0;
let picture = null;
let layers = null;
let isScheduled = false;

const nextFrame = self.requestAnimationFrame?.bind(self) ?? ((draw) => setTimeout(draw, 16));

function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  nextFrame(() => {
    isScheduled = false;
    draw();
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
  if (layers && size.pitch === pitch && size.columns === layers.columns && size.rows === layers.rows) return;
  pitch = size.pitch;
  const width = surface.width = size.columns * pitch;
  const height = surface.height = size.rows * pitch;
  picture = surface.getContext("2d", { alpha: false });
  const layer = (w, h) => new OffscreenCanvas(w, h).getContext("2d");
  layers = {
    columns: size.columns,
    rows: size.rows,
    colours: layer(size.columns, size.rows),
    glow: layer(size.columns, size.rows),
    light: layer(width, height),
    cells: layer(width, height),
    image: new ImageData(size.columns, size.rows),
    blurred: new Float32Array(size.columns * size.rows * 3),
  };
  layers.cells.fillStyle = layers.cells.createPattern(cell(), "repeat");
  layers.cells.fillRect(0, 0, width, height);
  layers.mask = layers.light.createPattern(lens(), "repeat");
  schedule();
}

function tile(paint) {
  const context = new OffscreenCanvas(pitch, pitch).getContext("2d");
  paint(context, pitch / 2);
  return context.canvas;
}

// An unlit cell: black plastic, and a round diffuser that reflects a little light from above.
function cell() {
  return tile((context, middle) => {
    context.fillStyle = "#050506";
    context.fillRect(0, 0, pitch, pitch);
    const sheen = context.createRadialGradient(middle, middle * 0.7, 0, middle, middle, middle * 0.9);
    sheen.addColorStop(0, "#101013");
    sheen.addColorStop(0.86, "#0a0a0c");
    sheen.addColorStop(0.93, "#131316");
    sheen.addColorStop(1, "#05050600");
    context.fillStyle = sheen;
    context.beginPath();
    context.arc(middle, middle, middle * 0.9, 0, 2 * Math.PI);
    context.fill();
  });
}

// Transmission of an LED's light across its cell.
function lens() {
  return tile((context, middle) => {
    const shape = context.createRadialGradient(middle, middle, 0, middle, middle, middle * 0.88);
    shape.addColorStop(0, "rgba(0, 0, 0, 1)");
    shape.addColorStop(0.45, "rgba(0, 0, 0, 0.98)");
    shape.addColorStop(0.78, "rgba(0, 0, 0, 0.82)");
    shape.addColorStop(0.92, "rgba(0, 0, 0, 0.5)");
    shape.addColorStop(1, "rgba(0, 0, 0, 0)");
    context.fillStyle = shape;
    context.fillRect(0, 0, pitch, pitch);
  });
}

function draw() {
  if (!layers || pixels.length !== layers.columns * layers.rows * 3) return;
  const { width, height } = surface;
  const { image, colours, glow, light } = layers;
  paint(image.data, (index) => pixels[index]);
  colours.putImageData(image, 0, 0);
  blur();
  paint(image.data, (index) => layers.blurred[index]);
  glow.putImageData(image, 0, 0);

  light.globalCompositeOperation = "copy";
  light.imageSmoothingEnabled = false;
  light.drawImage(colours.canvas, 0, 0, width, height);
  light.globalCompositeOperation = "destination-in";
  light.fillStyle = layers.mask;
  light.fillRect(0, 0, width, height);

  picture.globalAlpha = 1;
  picture.globalCompositeOperation = "copy";
  picture.drawImage(layers.cells.canvas, 0, 0);
  picture.globalCompositeOperation = "source-over";
  picture.drawImage(light.canvas, 0, 0);
  picture.globalCompositeOperation = "lighter";
  picture.imageSmoothingEnabled = true;
  picture.imageSmoothingQuality = "high";
  picture.globalAlpha = 0.42;
  picture.drawImage(glow.canvas, 0, 0, width, height);
}

function paint(target, value) {
  for (let led = 0, from = 0, to = 0; led < layers.columns * layers.rows; led += 1, from += 3, to += 4) {
    target[to] = value(from);
    target[to + 1] = value(from + 1);
    target[to + 2] = value(from + 2);
    target[to + 3] = 255;
  }
}

// The blurred light of all LEDs, without the part common to all LEDs when the panel idles.
const spread = [[0, 0, 0.36], [1, 0, 0.1], [-1, 0, 0.1], [0, 1, 0.1], [0, -1, 0.1], [1, 1, 0.06], [-1, 1, 0.06],
  [1, -1, 0.06], [-1, -1, 0.06]];
const idle = 12;

function blur() {
  const { columns, rows, blurred } = layers;
  blurred.fill(0);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const from = (row * columns + column) * 3;
      if (pixels[from] <= idle && pixels[from + 1] <= idle && pixels[from + 2] <= idle) continue;
      for (const [right, down, part] of spread) {
        const x = column + right;
        const y = row + down;
        if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
        const to = (y * columns + x) * 3;
        blurred[to] += pixels[from] * part;
        blurred[to + 1] += pixels[from + 1] * part;
        blurred[to + 2] += pixels[from + 2] * part;
      }
    }
  }
}

// Without a connection the LEDs are dark.
function dim() {
  pixels = new Uint8Array(columns * rows * 3);
  schedule();
}
