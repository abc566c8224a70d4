// The keyboard: functions, the cursor and its finger, and names. The box gives keys their meaning.
"use strict";

const keyNumbers = { space: 0, undo: 1, redo: 2, clear: 3, up: 4, down: 5, spacebar: 6, enter: 7, latch: 8, escape: 9,
  backspace: 10, arrowUp: 11, arrowDown: 12, arrowLeft: 13, arrowRight: 14 };
const keyOfName = { " ": "spacebar", Enter: "enter", Escape: "escape", Backspace: "backspace", Delete: "backspace",
  ArrowUp: "arrowUp", ArrowDown: "arrowDown", ArrowLeft: "arrowLeft", ArrowRight: "arrowRight" };
const heldKeys = new Set(["spacebar", "enter", "backspace"]);
const repeatingKeys = new Set(["backspace", "arrowUp", "arrowDown", "arrowLeft", "arrowRight"]);

// The keys that are down, by the browser's name, with the name that was sent.
const keysDown = new Map();

function sendKey(name, phase = "down") {
  if (!isConnected) return refuseTouch();
  worker.postMessage({ kind: "key", phase: phases[phase], key: keyNumbers[name] });
}

// The function of a key with Ctrl or Cmd.
function commandOf(event) {
  if (event.altKey) return null;
  const letter = event.key.toLowerCase();
  if (letter === "z") return event.shiftKey ? "redo" : "undo";
  return letter === "y" && !event.shiftKey ? "redo" : null;
}

// Whether the key is for the button or link that has the focus.
function isForControl(event) {
  const isControl = event.target instanceof Element && event.target.closest("button, a, #help");
  return isControl && [" ", "Enter", "Tab"].includes(event.key);
}

function withdrawKeys() {
  for (const name of keysDown.values()) sendKey(name, "cancel");
  keysDown.clear();
}

window.addEventListener("keydown", (event) => {
  if (help.open) {
    const isTyped = event.target === helpSearch;
    if (event.key === "F1" || (event.key === "?" && !isTyped)) {
      event.preventDefault();
      closeHelp();
    } else if (!isTyped && /^[^\s]$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // A letter begins a search.
      helpSearch.focus();
    }
    return;
  }
  if (event.key === "F1" || (event.key === "?" && !isNaming)) {
    event.preventDefault();
    openHelp();
    return;
  }
  if (isForControl(event)) return;
  if (event.ctrlKey || event.metaKey) {
    const command = commandOf(event);
    if (!command) return;
    event.preventDefault();
    if (!event.repeat) sendKey(command);
    return;
  }
  const name = keyOfName[event.key];
  if (name) {
    event.preventDefault();
    if (event.repeat && !repeatingKeys.has(name)) return;
    sendKey(name);
    if (heldKeys.has(name)) keysDown.set(event.code, name);
  } else if (!event.altKey && !event.repeat && [...event.key].length === 1) {
    if (isNaming) event.preventDefault();
    if (!isNaming && event.key.toLowerCase() === "l") toggleLegend();
    else if (isConnected) worker.postMessage({ kind: "character", codePoint: event.key.codePointAt(0) });
  }
});

window.addEventListener("keyup", (event) => {
  const name = keysDown.get(event.code);
  if (!name) return;
  keysDown.delete(event.code);
  sendKey(name, "up");
});
