// The setup page's wiring: a tile lights in two colours, and a tap says in which; then a tile or an LED lights, and a tap on a picture of
// the panel says where it is.
"use strict";

const layouts = { "1x1": "one piece", "2x1": "two, side by side", "1x2": "two, one above the other", "2x2": "four" };

// A picture of a panel with rectangles, each in attributes.
function panelPicture(rectangles) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 44 24");
  picture.setAttribute("aria-hidden", "true");
  for (const attributes of rectangles) {
    const rect = document.createElementNS(picture.namespaceURI, "rect");
    for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, value);
    picture.append(rect);
  }
  return picture;
}

// A picture of a panel of tiles such as 2x2.
function layoutPicture(tiles) {
  const [across, down] = tiles.split("x").map(Number);
  const [width, height] = [44 / across, 24 / down];
  return panelPicture(Array.from({ length: across * down }, (_, tile) => (
    { x: tile % across * width + 0.5, y: Math.floor(tile / across) * height + 0.5, width: width - 1, height: height - 1, class: "led" })));
}

// The colours of LEDs: a page's green is darker.
const lights = { red: "#f00", green: "#0f0", blue: "#00f" };

// A button for the colour of most LEDs and that of a few.
function coloursButton([most, few]) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  button.append(panelPicture([{ width: 38, height: 24, fill: lights[most] }, { x: 38, width: 6, height: 24, fill: lights[few] }]),
    `most ${most}, a few ${few}`);
  button.addEventListener("click", () => answerPlace(`${most} ${few}`, "The box looks for the tile…"));
  return button;
}

part("layouts").append(...Object.entries(layouts).map(([tiles, text]) => {
  const label = choice("layout", tiles, text);
  label.append(layoutPicture(tiles));
  return label;
}));

// One piece has one cable.
part("layouts").addEventListener("change", () => {
  const isOne = chosen("layout") === "1x1";
  part("cables").hidden = isOne;
  for (const input of part("cables").querySelectorAll("input")) input.disabled = isOne;
});

function showWiring() {
  part("wiring").hidden = !state.examples.includes(state.leds);
  showText("wiring-state", state.wiring ? "The box has the wiring that was found here."
    : "The box has the wiring of its documentation: four tiles, two cables.");
}

// Shows the question; null ends the walk.
function showQuestion(question) {
  part("wiring-form").hidden = question !== null;
  part("walk").hidden = question === null;
  if (!question) return;
  const { panel: [columns, rows], leds, tile, tiles, colours, places } = question;
  showText("wiring-news", "");
  showText("walk-state", colours.length ? "A tile lights, most of it in one colour and a few LEDs in another. Tap the two."
    : `Tile ${tile + 1} of ${tiles}: ${leds === 1 ? "one LED lights" : "all of it lights"}. Tap where.`);
  part("colours").replaceChildren(...colours.map(coloursButton));
  part("places").hidden = colours.length > 0;
  part("places").style.aspectRatio = `${columns} / ${rows}`;
  part("places").replaceChildren(layoutPicture(chosen("layout")), ...places.map(([column, row]) => {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    button.setAttribute("aria-label", `column ${column + 1}, row ${row + 1}`);
    button.style.left = `${(column + 0.5) / columns * 100}%`;
    button.style.top = `${(row + 0.5) / rows * 100}%`;
    button.addEventListener("click", () => answerPlace(`${column} ${row}`, "The box looks for the next one…"));
    return button;
  }));
  part("walk-state").focus({ preventScroll: true });
}

async function answerPlace(place, meanwhile) {
  const answer = await send("lit", { place }, meanwhile, "", "walk-state");
  if (!answer) return;
  showQuestion(answer.isKnown ? null : answer);
  if (!answer.isKnown) return;
  showText("wiring-news", "The wiring is known, and the box plays with it. Is its picture whole?");
  look();
}

part("wiring-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const request = { tiles: chosen("layout"), cables: chosen("layout") === "1x1" ? "1" : chosen("cables") };
  const answer = await send("walk", request, "The box stops, and lights the first tile…", "", "wiring-news");
  if (answer) showQuestion(answer);
});

part("walk-back").addEventListener("click", () => answerPlace("back", "The box goes back…"));

part("walk-leave").addEventListener("click", async () => {
  await send("leave", {}, "stopping…", "", "walk-state");
  showQuestion(null);
  showText("wiring-news", "The box plays again, with the wiring that it had.");
});
