// The sound's output. Browsers play none before the first touch.
"use strict";

let isSoundWanted = true;
let audio = null;
let isSoundReady = false;
let playedPeak = 0;
// The reports of the sound's buffer that still tell of sound on its way to the ear, oldest first: each holds from a time of the
// audio context.
let soundReports = [];
const canPlay = "AudioContext" in window;
// Firefox on Linux can hang for ever when it is asked for the output's delay while that plays: its server of sound waits for the page,
// and the page for the server. There the delay that it has with PulseAudio is assumed, in seconds.
const isDelayBarred = /Linux.* Firefox\//.test(navigator.userAgent);
const assumedDelay = 0.033;
// A touch reaches the script at most this long after it happened, in milliseconds.
const longestEventDelay = 1000;

// Makes the output, and connects it to the box; `frames` a second. Browsers play it after the first touch.
function makeSound(frames) {
  audio = new AudioContext({ sampleRate: frames, latencyHint: "interactive" });
  audio.onstatechange = showSound;
  soundReports = [];
  const context = audio;
  return connectSound(context).then(() => {
    isSoundReady = true;
  }).catch(() => {
    // The box disconnected meanwhile: the next touch tries again.
    isSoundReady = false;
    audio = null;
    context.close();
  });
}

function openSound() {
  if (!isSoundWanted || !canPlay || rate === 0) return;
  if (audio) {
    if (audio.state !== "running") audio.resume().then(showSound);
    return;
  }
  makeSound(rate).then(() => audio?.resume()).then(showSound);
  showSound();
}

// The time of the audio context that is heard at `time` of the page, in milliseconds.
function heardContextTime(time) {
  const { contextTime = 0, performanceTime = 0 } = isDelayBarred ? {} : audio.getOutputTimestamp?.() ?? {};
  if (performanceTime > 0) return 1000 * contextTime + time - performanceTime;
  const delay = isDelayBarred ? assumedDelay : (audio.baseLatency || 0) + (audio.outputLatency || 0);
  return 1000 * (audio.currentTime - delay) + time - performance.now();
}

// A report of the buffer: from the time `from` of the audio context on, in milliseconds, a frame's time of the box is `offset` later
// than that of the context, and `buffered` milliseconds of sound wait.
function addSoundReport(report) {
  const heard = heardContextTime(performance.now());
  soundReports.push(report);
  while (soundReports.length > 1 && soundReports[1].from < heard - longestEventDelay) soundReports.shift();
}

// The box's time of the sound that is heard at `time` of the page, in units of 0.1 ms and 24 bits; null without sound. The box
// records a landing there.
function heardStamp(time) {
  if (soundReports.length === 0 || audio?.state !== "running") return null;
  const heard = heardContextTime(time);
  const { offset } = soundReports.filter(({ from }) => from <= heard).pop() ?? soundReports[0];
  return Math.round(10 * (offset + heard)) & 0xffffff;
}

// The delay from the arrival of sound to the ear, in milliseconds.
function soundDelay() {
  const { buffered } = soundReports[soundReports.length - 1] ?? { buffered: 0 };
  return Math.round(buffered + 1000 * audio.currentTime - heardContextTime(performance.now()));
}

function showSound() {
  soundButton.hidden = rate === 0;
  soundButton.disabled = !canPlay;
  const isPlaying = isSoundWanted && isSoundReady && audio?.state === "running";
  soundButton.setAttribute("aria-pressed", String(Boolean(isPlaying)));
  if (!canPlay) soundButton.textContent = "no sound in this browser";
  else if (!isSoundWanted) soundButton.textContent = "sound off";
  else soundButton.textContent = isPlaying ? `sound on, ${soundDelay()} ms` : "touch for sound";
  worker.postMessage({ kind: "listen", isWanted: Boolean(isPlaying) });
}

// Browsers know the device's delay only after a while, and it changes with the device.
setInterval(() => { if (audio?.state === "running") showSound(); }, 2000);

soundButton.addEventListener("click", () => {
  isSoundWanted = audio?.state === "running" ? !isSoundWanted : true;
  if (isSoundWanted) openSound(); else audio?.suspend().then(showSound);
  showSound();
});
// Events that browsers accept as user activation.
for (const name of ["mousedown", "pointerup", "touchend", "keydown"]) {
  window.addEventListener(name, (event) => { if (event.target !== soundButton) openSound(); });
}
