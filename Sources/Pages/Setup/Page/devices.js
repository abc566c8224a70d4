// The setup page's sound and touch: lists the box's devices, sets one, and tries it.
"use strict";

// The devices of each kind as the box listed them; null before.
let listedDevices = null;

const ownKeys = { sound: "audio.device", touch: "touch.device" };
const everyOverlay = { name: "any", title: "Every touch overlay that is plugged in" };

// The name for people of a device that the configuration names.
function deviceTitle(kind, name) {
  const title = [...(listedDevices?.[kind] ?? []), ...(kind === "touch" ? [everyOverlay] : [])].find((device) => device.name === name)?.title;
  if (title) return title;
  return listedDevices ? `${name}, which is not plugged in` : name;
}

function deviceNews(kind) {
  const name = state[kind];
  if (name === null) return `The configuration is your own, and stays as it is: set ${ownKeys[kind]} in it.`;
  if (kind === "sound") return `The box plays through ${deviceTitle(kind, name)}.`;
  return name === everyOverlay.name ? "The box takes every touch overlay that is plugged in." : `The box takes touches of ${deviceTitle(kind, name)}.`;
}

// Keeps the choice while a list changes.
function showDeviceList(kind) {
  const devices = [...(kind === "touch" ? [everyOverlay] : []), ...(listedDevices?.[kind] ?? [])];
  const list = part(`${kind}-devices`);
  const key = JSON.stringify(devices);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  const before = chosen(kind) ?? state[kind];
  list.replaceChildren(...devices.map(({ name, title }) => choice(kind, name, title)));
  const again = [...list.querySelectorAll("input")].find((input) => input.value === before);
  if (again) again.checked = true;
  part(`${kind}-none`).hidden = listedDevices === null || listedDevices[kind].length > 0;
}

function showDevices() {
  for (const kind of ["sound", "touch"]) {
    const isOwn = state[kind] === null;
    // An older service of the card knows no devices.
    part(kind).hidden = state.examples.length === 0 || (isOwn && state.leds !== "own");
    showText(`${kind}-state`, deviceNews(kind));
    part(`${kind}-set`).hidden = isOwn;
    showDeviceList(kind);
  }
}

async function listDevices(kind) {
  const answer = await send("devices", {}, "looking…", "", `${kind}-news`);
  if (!answer) return;
  listedDevices = answer;
  showDevices();
  showText(`${kind}-news`, `${answer[kind].length === 1 ? "One device is" : `${answer[kind].length} devices are`} plugged in.`);
}

for (const kind of ["sound", "touch"]) part(`${kind}-look`).addEventListener("click", () => listDevices(kind));

part("sound-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const name = chosen("sound");
  if (event.submitter === part("sound-tone")) {
    send("tone", { name }, "The box plays a tone…", "The box has played a tone. If you did not hear it, see the cable and the volume, or choose another.",
      "sound-news");
  } else if (await send("sound", { name }, "The box plays a tone, and starts with this device…", "The box plays through this device.", "sound-news")) {
    look();
  }
});

part("touch-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await send("touch", { name: chosen("touch") }, "The box starts with this touch device…", "The box takes touches of this device.", "touch-news")) {
    look();
  }
});

part("touch-test").addEventListener("click", async () => {
  const answer = await send("touches", {}, "Touch the panel now, for eight seconds: the LEDs follow your fingers…", "", "touch-news");
  if (!answer) return;
  const { touches } = answer;
  showText("touch-news", touches === 0 ? "No touch arrived: see the cable of the overlay, or choose another device."
    : touches === 1 ? "One touch arrived." : `${touches} touches arrived.`);
});
