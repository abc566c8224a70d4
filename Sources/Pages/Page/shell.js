// Parts of the page around the panel: help, full screen, and the installed page.
"use strict";

const help = document.getElementById("help");
const helpText = document.getElementById("help-text");
const helpSearch = document.getElementById("help-search");
const helpFound = document.getElementById("help-found");
const helpButton = document.getElementById("help-button");
const fullscreenButton = document.getElementById("fullscreen");

function openHelp() {
  if (help.open) return;
  withdrawAll();
  helpSearch.value = "";
  searchHelp();
  help.showModal();
  helpText.scrollTop = 0;
}

// Shows the lines with every word of the search, and the headings and tables that have one.
function searchHelp() {
  const words = helpSearch.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
  let found = 0;
  for (const row of helpText.querySelectorAll("tbody tr")) {
    const line = row.textContent.toLowerCase();
    row.hidden = !words.every((word) => line.includes(word));
    if (!row.hidden) found += 1;
  }
  let heading = null;
  for (const part of helpText.querySelectorAll(":scope > :is(h3, p, table)")) {
    part.hidden = words.length > 0 && !part.querySelector("tbody tr:not([hidden])");
    if (part.tagName === "H3") heading = part;
    else if (!part.hidden && heading) heading.hidden = false;
  }
  helpFound.textContent = words.length === 0 ? "" : found === 0 ? "nothing found" : found === 1 ? "1 line" : `${found} lines`;
}

helpSearch.addEventListener("input", () => {
  searchHelp();
  helpText.scrollTop = 0;
});

// Closing returns the focus to where it was.
function closeHelp() {
  if (help.open) help.close();
}

helpButton.addEventListener("click", openHelp);
document.getElementById("help-close").addEventListener("click", closeHelp);
// A click beside the dialog lands on its backdrop, which counts as the dialog itself.
help.addEventListener("click", (event) => { if (event.target === help) closeHelp(); });

// Films of the gestures: loaded when asked for, one at a time; a still picture for people who want no motion.
const film = document.getElementById("film");

const filmRetry = 250;
const filmTries = 40;

// The box makes a film when it is first asked for, and refuses until it has.
function askForFilm(picture, address) {
  let tries = 0;
  picture.onerror = () => {
    tries += 1;
    if (tries >= filmTries) return;
    setTimeout(() => { if (picture.dataset.film === address) picture.src = `${address}?${tries}`; }, filmRetry);
  };
  picture.dataset.film = address;
  picture.src = address;
}

function showFilm(button) {
  const isShown = button.getAttribute("aria-pressed") === "true";
  for (const other of help.querySelectorAll("button.film")) other.setAttribute("aria-pressed", "false");
  film.hidden = isShown;
  const picture = film.querySelector("img");
  if (isShown) {
    picture.removeAttribute("src");
    delete picture.dataset.film;
    return;
  }
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const gesture = button.closest("tr").firstElementChild.textContent;
  askForFilm(picture, `${isStill ? "still" : "film"}/${button.dataset.film}.png`);
  picture.alt = `The panel: ${gesture}, in each track in turn`;
  film.querySelector("figcaption").textContent = gesture;
  button.setAttribute("aria-pressed", "true");
  film.scrollIntoView({ block: "nearest" });
}

help.addEventListener("click", (event) => {
  const button = event.target.closest?.("button.film");
  if (button) showFilm(button);
});

fullscreenButton.hidden = !document.fullscreenEnabled;
fullscreenButton.addEventListener("click", () => {
  const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  change.catch(() => { fullscreenButton.hidden = true; });
});
document.addEventListener("fullscreenchange", () => {
  fullscreenButton.textContent = document.fullscreenElement ? "leave full screen" : "full screen";
});

// A button that a finger or the mouse pressed gives the keyboard back to the panel.
footer.addEventListener("click", (event) => {
  if (event.detail > 0 && !help.open && event.target.closest("button")) canvas.focus();
});

// Browsers allow it at 127.0.0.1 and localhost only.
if (window.isSecureContext) navigator.serviceWorker?.register("service.js").catch(() => {});
