// The setup page's wiring: a tile or an LED lights, and a tap on a picture of the panel says where it is.
"use strict";

const layouts = { "1x1": "one piece", "2x1": "two, side by side", "1x2": "two, one above the other", "2x2": "four" };

// A picture of a panel of tiles such as 2x2.
function layoutPicture(tiles) {
  const [across, down] = tiles.split("x").map(Number);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 44 24");
  picture.setAttribute("aria-hidden", "true");
  const [width, height] = [44 / across, 24 / down];
  for (let tile = 0; tile < across * down; tile += 1) {
    const rect = document.createElementNS(picture.namespaceURI, "rect");
    const [x, y] = [tile % across * width, Math.floor(tile / across) * height];
    for (const [name, value] of Object.entries({ x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1, class: "led" })) {
      rect.setAttribute(name, value);
    }
    picture.append(rect);
  }
  return picture;
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
  const { panel: [columns, rows], leds, tile, tiles, places } = question;
  showText("wiring-news", "");
  showText("walk-state", `Tile ${tile + 1} of ${tiles}: ${leds === 1 ? "one LED lights" : "all of it lights"}. Tap where.`);
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
