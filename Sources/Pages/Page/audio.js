// The sound's output. Browsers play none before the first touch. On a page that another machine serves over plain http they bar
// the AudioWorklet: there a script of the page plays, later and less steadily.
"use strict";

const scriptFrames = 1024;
const scriptSeconds = 0.09;

let isSoundWanted = true;
let audio = null;
let isSoundReady = false;
let playedPeak = 0;
// The newest report of the sound's buffer.
let soundReport = { offset: null, buffered: 0 };
const hasWorklet = window.isSecureContext && "AudioWorkletNode" in window;
const canPlay = "AudioContext" in window;

async function connectWorklet(context, port) {
  await context.audioWorklet.addModule("sound.js");
  const node = new AudioWorkletNode(context, "box-sound", { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(context.destination);
  node.port.onmessage = ({ data }) => { soundReport = data; };
  node.port.postMessage(port, [port]);
}

async function connectScript(context, port) {
  await new Promise((loaded, failed) => {
    if (document.getElementById("sound-script")) return loaded();
    const script = document.createElement("script");
    script.id = "sound-script";
    script.src = "sound.js";
    script.onload = loaded;
    script.onerror = failed;
    document.head.append(script);
  });
  const buffer = new SoundBuffer(context.sampleRate, scriptSeconds);
  port.onmessage = ({ data }) => buffer.take(data);
  const node = context.createScriptProcessor(scriptFrames, 0, 2);
  node.onaudioprocess = ({ outputBuffer, playbackTime }) => {
    const [left, right] = [outputBuffer.getChannelData(0), outputBuffer.getChannelData(1)];
    buffer.render(left, right);
    if (buffer.hasMoved(1000 * (playbackTime + outputBuffer.duration))) soundReport = buffer.report;
    for (const sample of left) playedPeak = Math.max(playedPeak, Math.abs(sample));
  };
  node.connect(context.destination);
  // Without a reference the node would be collected.
  context.scriptNode = node;
}

function openSound() {
  if (!isSoundWanted || !canPlay || rate === 0) return;
  if (audio) {
    if (audio.state !== "running") audio.resume().then(showSound);
    return;
  }
  audio = new AudioContext({ sampleRate: rate, latencyHint: "interactive" });
  audio.onstatechange = showSound;
  const context = audio;
  const channel = new MessageChannel();
  (hasWorklet ? connectWorklet : connectScript)(context, channel.port2).then(() => {
    worker.postMessage({ kind: "sound", port: channel.port1 }, [channel.port1]);
    isSoundReady = true;
    return context.resume();
  }).catch(() => {
    // The box disconnected meanwhile: the next touch tries again.
    isSoundReady = false;
    audio = null;
    context.close();
  }).then(showSound);
  showSound();
}

// The time of the audio context that is heard at `time` of the page, in milliseconds.
function heardContextTime(time) {
  const { contextTime = 0, performanceTime = 0 } = audio.getOutputTimestamp?.() ?? {};
  if (performanceTime > 0) return 1000 * contextTime + time - performanceTime;
  return 1000 * (audio.currentTime - (audio.baseLatency || 0) - (audio.outputLatency || 0)) + time - performance.now();
}

// The box's time of the sound that is heard at `time` of the page, in units of 0.1 ms and 24 bits; null without sound. The box
// records a landing there.
function heardStamp(time) {
  if (soundReport.offset === null || audio?.state !== "running") return null;
  return Math.round(10 * (soundReport.offset + heardContextTime(time))) & 0xffffff;
}

// The delay from the arrival of sound to the ear, in milliseconds.
function soundDelay() {
  return Math.round(soundReport.buffered + 1000 * audio.currentTime - heardContextTime(performance.now()));
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
