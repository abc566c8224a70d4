// The setup page's updates: lists what can be installed, sends files to the box, and shows what an update comes to.
"use strict";

const updateName = /^(pixelboop_.+\.(?:deb|img\.xz))(|\.sha256|\.minisig)$/;
const endings = [".sha256", ".minisig", ""];
const kinds = { package: "package", image: "image of the system" };
// The version before the update that this page saw: after a restart of the machine the box knows of no result. Some browsers keep
// nothing.
const versionBefore = {
  name: "version before the update",
  get() { try { return sessionStorage.getItem(this.name); } catch { return null; } },
  set(version) { try { sessionStorage.setItem(this.name, version); } catch { /* Only the news after a restart needs it. */ } },
  forget() { try { sessionStorage.removeItem(this.name); } catch { /* As above. */ } },
};

// The chosen files, by their names' endings, and the name that they begin with.
let chosenFiles = new Map();
let chosenName = "";
// The request that sends a file.
let upload = null;
let isUpdating = false;
// Whether this page began the update, which takes the focus to its news.
let isOwn = false;
let isRestartExpected = false;
let isLost = false;
let keptFolder = null;

const mebibytes = (bytes) => (bytes / 2 ** 20).toFixed(1);

// The news of the update that runs, or ran last.
function updateNews() {
  const { state: step, text } = state.update ?? {};
  switch (step) {
    case "running":
      return text === "image" ? "The box plays on while the new system is written. Then the machine restarts, and this page comes back."
        : "The new version is being installed. The box restarts.";
    case "done": return sentence(`Installed: ${text}`);
    case "trial": return "The new system is on trial: it is kept once the box is ready.";
    case "failed": return `The update failed: ${sentence(text)}`;
  }
  const before = versionBefore.get();
  if (before === null || state.updateProblem) return "";
  return state.version === before
    ? `The machine has restarted, and version ${before} is still installed.` : `Installed: version ${state.version}.`;
}

function showUpdate() {
  part("update").hidden = state.version === null;
  if (state.version === null) return;
  const isRunning = ["running", "trial"].includes(state.update?.state);
  if (state.update?.state === "running" && !isUpdating) versionBefore.set(state.version);
  if (state.update?.state === "failed") versionBefore.forget();
  isRestartExpected = isRunning || (isRestartExpected && !isLost);
  isLost = false;
  showText("version", state.version);
  part("update-problem").hidden = !state.updateProblem;
  showText("update-problem", state.updateProblem ? withCapital(sentence(state.updateProblem)) : "");
  showText("update-state", updateNews());
  part("update-choices").hidden = isRunning;
  if (isRunning && !isUpdating && isOwn) part("update-title").focus();
  isUpdating = isRunning;
  if (keptFolder !== state.updatesFolder) {
    keptFolder = state.updatesFolder;
    part("folder").value = keptFolder ?? "";
  }
}

// Shows that the box does not answer because of an update; returns whether it does so.
function showRestart() {
  isLost = true;
  if (isRestartExpected) showText("update-state", "The box restarts. This page comes back by itself.");
  return isRestartExpected;
}

// Begins an update; the line `news` has why it cannot.
async function install(place, news) {
  isOwn = await send("update", { place }, "The update begins…", "The update begins.", news) !== null;
  if (isOwn) look();
}

function showUpdates(updates) {
  part("updates").replaceChildren(...updates.map(({ version, kind, place, isOlder }, number) => {
    const entry = document.createElement("li");
    const about = Object.assign(document.createElement("span"),
      { id: `place-${number}`, className: "small", textContent: `${kinds[kind]}: ${place}` });
    const text = `Install ${version}${version === state.version ? " again" : isOlder ? ", which is older" : ""}`;
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.setAttribute("aria-describedby", about.id);
    const question = `${version} is older than the installed ${state.version}. Install it nevertheless?`;
    button.addEventListener("click", () => { if (!isOlder || confirm(question)) install(place, "listed"); });
    entry.append(about, button);
    return entry;
  }));
}

async function listUpdates() {
  const answer = await send("updates", {}, "looking…", "", "listed");
  if (!answer) return;
  showUpdates(answer.updates);
  const where = state.updatesFolder ? "on a stick or in the folder" : "on a stick";
  const found = answer.updates.length === 0 ? `There is no update ${where}.` : "";
  showText("listed", [answer.problem ? sentence(answer.problem) : "", found].join(" ").trim());
}

part("look").addEventListener("click", listUpdates);

part("folder-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const url = part("folder").value.trim();
  if (!(await send("folder", { url }, "setting…", url ? "The box uses this folder." : "The box uses no folder.", "listed"))) return;
  state.updatesFolder = keptFolder = url || null;
  showUpdates([]);
  if (url) listUpdates();
});

// Files that are chosen one by one belong together if their names do.
function choose(files) {
  let problem = "";
  for (const file of files) {
    const [, name, ending] = file.name.match(updateName) ?? [];
    if (name === undefined) {
      problem = `${file.name} is no file of an update. `;
      continue;
    }
    if (name !== chosenName) chosenFiles = new Map();
    chosenName = name;
    chosenFiles.set(ending, file);
  }
  const missing = endings.filter((ending) => !chosenFiles.has(ending)).map((ending) => chosenName + ending);
  part("upload").hidden = missing.length > 0;
  const news = missing.length === 0 ? `${chosenName} is complete.` : `Missing: ${missing.join(", ")}.`;
  showText("chosen", problem + (chosenFiles.size === 0 ? "" : news));
}

function showSending(isSending) {
  part("sending").hidden = !isSending;
  part("upload").hidden = isSending;
  part("offers").hidden = isSending;
  part("files").disabled = isSending;
}

function showProgress(bytes, total) {
  part("progress").value = bytes / total;
  showText("sent", `${mebibytes(bytes)} of ${mebibytes(total)} MiB`);
}

// Sends a file; throws a sentence if that fails.
function sendFile(file, progress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    upload = request;
    request.open("POST", `upload${tokenQuery ? `${tokenQuery}&` : "?"}name=${encodeURIComponent(file.name)}`);
    request.upload.addEventListener("progress", (event) => progress(Math.min(event.loaded, file.size)));
    request.addEventListener("load", () => {
      if (request.status === 200) resolve();
      else reject(sentence(documentOf(request.getResponseHeader("content-type"), request.responseText).error));
    });
    request.addEventListener("error", () => reject("The connection was cut: send it again."));
    request.addEventListener("abort", () => reject("Cancelled."));
    request.send(file);
  });
}

// A large file whose answer is an error would be sent in vain: the box is asked first.
part("upload-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const main = chosenFiles.get("");
  if (upload || !(await send("prepare", { name: main.name, size: main.size }, "asking the box…", "", "chosen"))) return;
  const files = endings.map((ending) => chosenFiles.get(ending));
  const total = files.reduce((sum, file) => sum + file.size, 0);
  let before = 0;
  showSending(true);
  showText("chosen", `Sending ${main.name}…`);
  showProgress(0, total);
  part("cancel").focus();
  try {
    for (const file of files) {
      await sendFile(file, (bytes) => showProgress(before + bytes, total));
      before += file.size;
    }
  } catch (reason) {
    showText("chosen", String(reason));
    fetch(`discard${tokenQuery}`, { method: "POST", body: "{}" }).catch(() => {});
  }
  upload = null;
  const isSent = before === total;
  showSending(false);
  part("upload").focus();
  if (!isSent) return;
  showText("chosen", `${main.name} is sent.`);
  install("upload", "chosen");
});

part("cancel").addEventListener("click", () => upload?.abort());

part("files").addEventListener("change", () => {
  choose(part("files").files);
  // The same file can be chosen again.
  part("files").value = "";
});

// A file that misses the section must not replace the page.
const hasFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
const showTarget = (isOver) => part("target").classList.toggle("over", isOver);

document.addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  const isWelcome = !upload && part("target").checkVisibility();
  event.dataTransfer.dropEffect = isWelcome ? "copy" : "none";
  showTarget(isWelcome);
});
document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) showTarget(false); });
document.addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  showTarget(false);
  if (!upload && part("target").checkVisibility()) choose(event.dataTransfer.files);
});
