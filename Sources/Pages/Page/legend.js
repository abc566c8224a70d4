// The legend: names around the panel, of the top row, the tracks, the scenes and the lights below. The box writes them into the
// page, from the table of the help. A first visitor sees them until the third gesture; then the key L and a button show them.
"use strict";

const legend = document.getElementById("legend");
const legendButton = document.getElementById("legend-button");
const legendEntry = "pixelboop.legend";
const gesturesOfFirstVisit = 3;

// Text in CSS pixels: its part of an LED, its limits, its size where names are turned, and the smallest distance of two names.
const textPart = 0.51;
const [textMin, textMax, textTurned] = [6, 9.5, 7];
const [textGap, textGapTurned] = [3, 2];
// Distance from the LEDs, and from where on there is room for a line that shows which LEDs a name is for.
const [edgeMin, edgeMax, edgeOfTick] = [1, 5, 3];
// With smaller LEDs names above and below them are turned, if the bezel has the room and they are for fewer columns.
const [turnedLED, turnedRoom, turnedColumns] = [12, 30, 3];
// Beside the grid of a wider panel, a menu with fewer columns has bars, whose last two are one above the other.
const iconColumns = 5;

// What is remembered: "on", "off", or null at a first visit. Browsers may refuse a page its storage.
function storedLegend() {
  try { return localStorage.getItem(legendEntry); } catch { return null; }
}

function storeLegend() {
  try { localStorage.setItem(legendEntry, isLegendOn ? "on" : "off"); } catch { /* Then the next visit is a first one. */ }
}

let gesturesLeft = storedLegend() === null ? gesturesOfFirstVisit : 0;
let isLegendOn = storedLegend() !== "off";

// The names, with their LEDs: columns at the edges above and below, rows at the sides.
const legendLabels = [...legend.children].map((text) => {
  const tick = document.createElement("i");
  legend.append(tick);
  const { side, line } = text.dataset;
  const pictures = text.dataset.pictures.split(" ");
  const isOfMenu = pictures.includes("beside") && !pictures.includes("grid");
  const isOfColumns = side === "top" || side === "bottom";
  const range = (isOfColumns ? text.dataset.columns : text.dataset.rows).split(" ").map(Number);
  return { text, tick, side, line: Number(line), isOfColumns, range, pictures, isOfMenu };
});

// The columns beside the sequencer's, which are the right ones of a wider panel.
function columnsBeside() { return columns - Number(legend.dataset.columns); }

// The picture on the panel that has names: the grid, with the menu over it or beside it; null on another screen.
function legendPicture() {
  if (!isConnected) return null;
  return { "": columnsBeside() > 0 ? "beside" : "grid", MENU: "menu" }[words.title] ?? null;
}

function showLegend() {
  legendButton.setAttribute("aria-pressed", String(isLegendOn));
  const picture = legendPicture();
  legend.classList.toggle("shown", isLegendOn && picture !== null);
  // While they fade the names stay.
  if (picture && picture !== legend.dataset.picture) {
    legend.dataset.picture = picture;
    placeLegend();
  }
}

function toggleLegend() {
  isLegendOn = !isLegendOn;
  gesturesLeft = 0;
  storeLegend();
  showLegend();
}

// Moves names apart that are nearer than `gap`, each by half; all stay between `low` and `high`.
function spread(names, { low, high, gap }) {
  for (let round = 0; round < 100; round += 1) {
    let isDone = true;
    const move = (name, way) => {
      if (Math.abs(way) < 0.05) return;
      name.middle += way;
      isDone = false;
    };
    names.forEach((name, number) => {
      move(name, Math.max(0, low + name.size / 2 - name.middle));
      move(name, Math.min(0, high - name.size / 2 - name.middle));
      const next = names[number + 1];
      const overlap = next ? name.middle + name.size / 2 + gap - (next.middle - next.size / 2) : 0;
      if (overlap <= 0) return;
      move(name, -overlap / 2);
      move(next, overlap / 2);
    });
    if (isDone) return;
  }
}

// Finds the places of the names of one edge: where along it, and how far from the LEDs. `edge` has the bezel's room there, the ends
// of the edge, the gap between names, and whether names are turned.
function placeEdge(labels, edge) {
  for (const label of labels) {
    const isTurned = label.isOfColumns ? edge.isNarrow && label.range[1] - label.range[0] + 1 < turnedColumns : true;
    label.turn = isTurned && [...label.text.textContent].length > 1;
    [label.size, label.depth] = label.isOfColumns === label.turn ? [label.height, label.width] : [label.width, label.height];
    label.middle = (label.start + label.end) / 2;
  }
  const lines = [1, 2].map((number) => labels.filter((label) => label.line === number));
  const depths = lines.map((names) => Math.max(0, ...names.map((label) => label.depth)));
  // The same room between LEDs, lines and the bezel's edge.
  const room = (edge.room - depths[0] - depths[1]) / (depths[1] > 0 ? 3 : 2);
  const gap = Math.min(edgeMax, Math.max(edgeMin, room));
  lines.forEach((names, number) => {
    names.sort((one, other) => one.middle - other.middle);
    spread(names, edge);
    for (const label of names) {
      label.distance = gap + (number === 0 ? 0 : depths[0] + gap);
      label.tickDistance = gap < edgeOfTick ? null : label.distance - gap / 2;
    }
  });
}

// Puts `element` at `along` of an edge, `away` from it; returns its width and height if it is `size` along it and `depth` deep.
function put(element, side, seen, along, size, away, depth) {
  const isOfColumns = side === "top" || side === "bottom";
  const isBefore = side === "top" || side === "left";
  const far = isBefore ? seen[side] - away - depth : seen[side] + away;
  const [left, top] = isOfColumns ? [along, far] : [far, along];
  element.style.left = `${left}px`;
  element.style.top = `${top}px`;
  return isOfColumns ? [size, depth] : [depth, size];
}

function placeLegend() {
  const frame = bezel.getBoundingClientRect();
  const within = ({ left, right, top, bottom }) =>
    ({ left: left - frame.left, right: right - frame.left, top: top - frame.top, bottom: bottom - frame.top });
  const [seen, all] = [within(pane.getBoundingClientRect()), within(canvas.getBoundingClientRect())];
  const pitch = (all.right - all.left) / columns;
  if (!(pitch > 0)) return;
  const room = { top: seen.top, bottom: frame.height - seen.bottom, left: seen.left, right: frame.width - seen.right };
  const isNarrow = pitch < turnedLED && Math.min(room.top, room.bottom) >= turnedRoom;
  // One line fits everywhere, and below the LEDs two.
  const fits = Math.min(room.left - 2 * edgeMin, room.right - 2 * edgeMin, room.top - 2 * edgeMin, (room.bottom - 3 * edgeMin) / 2);
  const size = isNarrow ? textTurned : Math.max(textMin, Math.min(textMax, fits, textPart * pitch));
  legend.style.fontSize = `${size}px`;
  const beside = columnsBeside();
  const isSeen = { top: true, bottom: true, left: seen.left - all.left < 1, right: all.right - seen.right < 1 };
  for (const label of legendLabels) {
    const begin = !label.isOfColumns ? all.top : label.isOfMenu ? all.left : all.left + beside * pitch;
    const [low, high] = label.isOfColumns ? [seen.left, seen.right] : [seen.top, seen.bottom];
    const [start, end] = [begin + label.range[0] * pitch, begin + (label.range[1] + 1) * pitch];
    label.start = Math.max(low, start);
    label.end = Math.min(high, end);
    // Of a half of the panel, names of which the larger part is there.
    label.isShown = label.pictures.includes(legend.dataset.picture ?? "grid") && isSeen[label.side]
      && label.end - label.start > (end - start) / 2
      && !(label.isOfMenu && label.isOfColumns && beside > 0 && beside < iconColumns);
    label.text.hidden = label.tick.hidden = !label.isShown;
    label.text.className = "";
  }
  const shown = legendLabels.filter((label) => label.isShown);
  for (const label of shown) [label.width, label.height] = [label.text.offsetWidth, label.text.offsetHeight];
  for (const side of ["top", "bottom", "left", "right"]) {
    const labels = shown.filter((label) => label.side === side);
    if (labels.length === 0) continue;
    const isOfColumns = labels[0].isOfColumns;
    const [gap, high] = [isNarrow ? textGapTurned : textGap, (isOfColumns ? frame.width : frame.height) - 1];
    placeEdge(labels, { room: room[side], isNarrow, gap, low: 1, high });
    for (const label of labels) {
      if (label.turn) label.text.className = side === "right" ? "down" : "up";
      put(label.text, side, seen, label.middle - label.size / 2, label.size, label.distance, label.depth);
      label.tick.hidden = label.tickDistance === null;
      if (label.tick.hidden) continue;
      const inset = Math.min(pitch / 5, 4);
      const [width, height] =
        put(label.tick, side, seen, label.start + inset, label.end - label.start - 2 * inset, label.tickDistance, 1);
      label.tick.style.width = `${width}px`;
      label.tick.style.height = `${height}px`;
    }
  }
}

// A click on the legend hides it, and is no touch of the panel.
legend.addEventListener("pointerdown", (event) => {
  event.stopPropagation();
  event.preventDefault();
  if (isLegendOn) toggleLegend();
  canvas.focus({ preventScroll: true });
});

// A gesture ends when the last finger lifts.
let isGesture = false;
bezel.addEventListener("pointerdown", () => { isGesture = fingers.size > 0; });
bezel.addEventListener("pointercancel", () => { isGesture = fingers.size > 0; });
bezel.addEventListener("pointerup", () => {
  if (!isGesture || fingers.size > 0) return;
  isGesture = false;
  if (gesturesLeft === 0) return;
  gesturesLeft -= 1;
  if (gesturesLeft === 0) toggleLegend();
});

legendButton.addEventListener("click", toggleLegend);
bezel.addEventListener("layout", placeLegend);
showLegend();
