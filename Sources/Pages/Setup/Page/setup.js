// The setup page: shows the box's state, and sends the player's choices.
"use strict";

const query = new URLSearchParams(location.search).get("token");
const tokenQuery = query === null ? "" : `?token=${encodeURIComponent(query)}`;
const part = (name) => document.getElementById(name);

const stateInterval = 3000;
const lightName = (example) => example === "usb-sound" ? "SK9822, with a USB sound card" : example.toUpperCase();

let state = null;
// Version of the server that this page is from.
let pageVersion = null;
let isLooking = false;
let nextLook = 0;
let isBusy = false;
// The result of the last request; it stays until the next request.
let news = "";

// The countries of these codes, by their names in the phone's language.
function countries(codes) {
  const names = new Intl.DisplayNames(navigator.languages, { type: "region" });
  return codes.map((code) => ({ code, name: names.of(code) })).sort((one, other) => one.name.localeCompare(other.name));
}

function fill(list, options, chosen) {
  list.replaceChildren(...options.map(({ code, name }) => new Option(name, code, false, code === chosen)));
}

// The country of the phone's language is a guess; its time zone is known.
function guessCountry() {
  for (const language of navigator.languages) {
    const region = new Intl.Locale(language).maximize().region;
    if (/^[A-Z]{2}$/.test(region ?? "")) return region;
  }
  return "US";
}

function fillZones() {
  const zones = [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])];
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zones.includes(own)) zones.push(own);
  fill(part("zone"), zones.sort().map((code) => ({ code, name: code.replaceAll("_", " ") })), own);
}

const hex = (text) => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function choice(name, value, text) {
  const label = document.createElement("label");
  label.className = "choice";
  const input = Object.assign(document.createElement("input"), { type: "radio", name, value, required: true });
  const words = document.createElement("span");
  words.textContent = text;
  label.append(input, " ", words);
  return label;
}

const chosen = (name) => document.querySelector(`input[name="${name}"]:checked`)?.value;

// Rebuilds the list only if it changed, as a finger may be on it.
function showNetworks(networks) {
  const list = part("networks");
  const key = JSON.stringify(networks);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const before = chosen("network");
  list.replaceChildren(...networks.map(({ ssid, name, strength, security }) => {
    const label = choice("network", ssid, name + (security === "open" ? " (open)" : ""));
    const percent = document.createElement("span");
    percent.className = "strength";
    percent.textContent = `${strength} %`;
    label.append(percent);
    return label;
  }));
  const again = document.querySelector(`input[name="network"][value="${before ?? state.network?.ssid ?? "none"}"]`);
  if (again) again.checked = true;
}

function showLights() {
  part("lights").hidden = state.examples.length === 0;
  for (const list of document.querySelectorAll("#lights [data-wires]")) {
    const names = state.examples.filter((name) => state.threeWires.includes(name) === (list.dataset.wires === "3"));
    const key = names.join();
    if (list.dataset.key === key) continue;
    list.dataset.key = key;
    list.replaceChildren(...names.map((name) => choice("light", name, lightName(name))));
  }
  part("lights-state").textContent = {
    default: "None chosen yet: the panel stays dark.",
    own: "The box has a configuration of your own. A choice here replaces it; the old one is kept beside it.",
  }[state.leds] ?? `The box is set to ${lightName(state.leds)}.`;
  part("corners").hidden = !state.examples.includes(state.leds);
  showWiring();
}

function showText(name, text) {
  if (part(name).textContent !== text) part(name).textContent = text;
}

const sentence = (text) => text.endsWith(".") ? text : `${text}.`;
const withCapital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

function show() {
  // After an update this page is an old one.
  pageVersion ??= state.pageVersion;
  if (pageVersion !== state.pageVersion) {
    location.reload();
    return;
  }
  part("problem").hidden = !state.problem;
  part("problem").textContent = state.problem ? withCapital(sentence(state.problem)) : "";
  const where = state.addresses.length > 0 ? `, at ${state.addresses.join(" and ")}` : "";
  part("network-state").textContent = state.joining ? `Joining ${state.joining.name}…`
    : state.network ? `The box is set to ${state.network.name}${where}.`
      : `The box has no Wi-Fi yet${where}.`;
  const isFixed = state.origin === "card";
  part("network-form").hidden = isFixed;
  if (isFixed) part("network-state").textContent += " The card's wpa_supplicant.conf says so: change it there.";
  part("close").hidden = !state.accessPoint;
  showNetworks(state.networks);
  showLights();
  showDevices();
  showUpdate();
  // Once: later choices stay.
  if (part("country").options.length === 0) {
    fill(part("country"), countries(state.countries), state.country ?? guessCountry());
    if (state.zone && state.zone !== "UTC") part("zone").value = state.zone;
    if (!state.accessPoint) part("page").checked = state.page;
  }
  showStatus(news || (state.accessPoint ? "connected to the box's own Wi-Fi" : "connected"));
}

function showStatus(text) {
  if (!isBusy && part("status").textContent !== text) part("status").textContent = text;
}

async function look() {
  if (isLooking) return;
  isLooking = true;
  clearTimeout(nextLook);
  try {
    const answer = await fetch(`state${tokenQuery}`);
    if (!answer.ok) throw new Error();
    state = await answer.json();
    show();
  } catch {
    showStatus(showRestart() ? "The box restarts." : "The box does not answer. It may be in another network now.");
  }
  isLooking = false;
  // Nobody sees a hidden page.
  if (!document.hidden) nextLook = setTimeout(look, stateInterval);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) clearTimeout(nextLook); else look();
});

// The document of an answer, or its error's sentence.
const documentOf = (type, text) => type === "application/json" ? JSON.parse(text) : { error: text.trim() };

// Sends a request, and shows `done` in the line `place` once the box did it; returns the answer's document, or null.
async function send(name, body, meanwhile, done, place = "status") {
  isBusy = true;
  const focused = document.activeElement;
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  part(place).textContent = meanwhile;
  let answered = null;
  let result = done;
  try {
    const answer = await fetch(`${name}${tokenQuery}`, { method: "POST", body: JSON.stringify(body) });
    const text = await answer.text();
    const reply = documentOf(answer.headers.get("content-type"), text);
    if (answer.ok) answered = reply; else result = sentence(reply.error);
  } catch {
    result = "The box did not answer: try again.";
  }
  isBusy = false;
  for (const button of document.querySelectorAll("button")) button.disabled = false;
  focused?.focus({ preventScroll: true });
  if (place === "status") news = result;
  part(place).textContent = result;
  part(place).scrollIntoView({ block: "center" });
  return answered;
}

const times = () => ({ country: part("country").value, zone: part("zone").value, page: part("page").checked });

part("network-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const ssid = chosen("network") || hex(part("other").value);
  const name = state.networks.find((network) => network.ssid === ssid)?.name ?? part("other").value;
  const request = { ssid, password: part("password").value, ...times() };
  if (!(await send("join", request, `asking for ${name}…`, `The box leaves its own Wi-Fi, and joins ${name}.`))) return;
  part("next-page").hidden = !request.page;
  part("next-network").textContent = name;
  part("next-address").textContent = state.url;
  part("next-address").href = state.url;
  part("next").hidden = false;
  part("next").scrollIntoView();
});

part("time").addEventListener("click", () => send("time", times(), "setting…", "Country and time zone are set."));

part("close").addEventListener("click", () => send(
  "close", {}, "closing…", "This Wi-Fi closes now, and stays closed. The readme on the card says how to open it again."));

// A picture that appears in another corner is mirrored once more.
for (const button of document.querySelectorAll("#corners button")) {
  button.addEventListener("click", () => {
    const seen = button.dataset.corner;
    if (seen === "topLeft") {
      news = "The panel is right.";
      showStatus(news);
      return;
    }
    const differs = (word) => seen.includes(word) !== state.corner.toLowerCase().includes(word.toLowerCase());
    const corner = `${differs("bottom") ? "bottom" : "top"}${differs("Right") ? "Right" : "Left"}`;
    send("leds", { name: state.leds, corner }, "The box turns the picture…", "The box plays with the picture turned. Is Play top left?");
  });
}

// Missing parts come first.
part("check").addEventListener("click", async () => {
  const answer = await send("doctor", {}, "looking…", "The box has looked at itself.");
  if (!answer) return;
  const order = ["fault", "warning", "ok"];
  const findings = answer.findings.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
  part("verdict").textContent = answer.verdict ?? "";
  part("findings").replaceChildren(...findings.flatMap(({ part: name, state: found, text }) => [
    Object.assign(document.createElement("dt"), { className: found, textContent: name }),
    Object.assign(document.createElement("dd"), { textContent: text }),
  ]));
  part("verdict").scrollIntoView({ block: "center" });
});

part("lights-form").addEventListener("submit", (event) => {
  event.preventDefault();
  send("leds", { name: chosen("light"), corner: "topLeft" }, "The box starts with these lights…",
    "The box plays with these lights. In which corner is Play?");
});

part("other").addEventListener("input", () => {
  document.querySelector('input[name="network"][value=""]').checked = true;
});
part("reveal").addEventListener("change", () => {
  part("password").type = part("reveal").checked ? "text" : "password";
});

fillZones();
// After the other scripts.
document.addEventListener("DOMContentLoaded", look);
