// Files that are dropped on the panel, or chosen in the help: sounds, scales, patterns and MIDI files go into the box's library.
"use strict";

// The box refuses larger ones too, but its answer may not be read while the file is still sent.
const soundSizeMax = 48 * 1024 * 1024;
const documentSizeMax = 1 * 1024 * 1024;
const isDocument = /\.(scl|kbm|json|midi?|rmi)$/i;

const chooser = document.getElementById("file");

const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;

// Sends `file`, dropped at `x` and `y` in units of the panel; returns the box's line about it.
async function sendFile(file, x, y) {
  if (file.size === 0) return `${file.name}: is empty; copy it again`;
  const sizeMax = isDocument.test(file.name) ? documentSizeMax : soundSizeMax;
  if (file.size > sizeMax) return `${file.name}: is larger than ${sizeMax >> 20} MiB`;
  try {
    return await giveFile(file, x, y);
  } catch {
    return `${file.name}: did not reach the box; try again`;
  }
}

// One after the other, as the box takes one at a time.
async function sendFiles(files, x, y) {
  for (const file of files) {
    newsLine.textContent = `${file.name}…`;
    newsLine.textContent = await sendFile(file, x, y);
  }
}

function showTarget(isTarget) { bezel.classList.toggle("target", isTarget); }

// A file that misses the panel must not replace the page.
document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  const isTarget = isConnected && !help.open;
  event.dataTransfer.dropEffect = isTarget ? "copy" : "none";
  showTarget(isTarget);
});
document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) showTarget(false); });
document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  showTarget(false);
  if (isConnected && !help.open) sendFiles([...event.dataTransfer.files], ...place(event));
});

// The same without a mouse. The corner is no pad.
chooser.addEventListener("change", () => {
  const files = [...chooser.files];
  chooser.value = "";
  closeHelp();
  sendFiles(files, 0, 0);
});

// The next touch goes on.
bezel.addEventListener("pointerdown", () => { newsLine.textContent = ""; });
