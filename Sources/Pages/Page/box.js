// The way from the page to its box: a connection over the network. On a site whose page has the box within it, another file of
// this name has these functions.
"use strict";

const scriptFrames = 1024;
const scriptSeconds = 0.09;
const hasWorklet = window.isSecureContext && "AudioWorkletNode" in window;

// The sample rate of a box within the page; 0: the box over the network says its own.
const insideRate = 0;

// Returns the port of a box within the page; the worker connects to a box over the network itself.
function openBox() { return null; }

// Plays the box's sound in `context`. Where browsers bar the AudioWorklet, a script of the page does.
async function connectSound(context) {
  const { port1, port2 } = new MessageChannel();
  await (hasWorklet ? connectWorklet : connectScript)(context, port2);
  worker.postMessage({ kind: "sound", port: port1 }, [port1]);
}

async function connectWorklet(context, port) {
  await context.audioWorklet.addModule("sound.js");
  const node = new AudioWorkletNode(context, "box-sound", { numberOfInputs: 0, outputChannelCount: [2] });
  node.connect(context.destination);
  node.port.onmessage = ({ data }) => addSoundReport(data);
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
  const { sampleRate } = context;
  const buffer = new SoundBuffer(sampleRate, scriptSeconds);
  const times = new BlockTimes(scriptFrames);
  port.onmessage = ({ data }) => buffer.take(data);
  const node = context.createScriptProcessor(scriptFrames, 0, 2);
  node.onaudioprocess = ({ outputBuffer, playbackTime }) => {
    const [left, right] = [outputBuffer.getChannelData(0), outputBuffer.getChannelData(1)];
    buffer.render(left, right);
    const begin = times.begin(Math.round(playbackTime * sampleRate));
    if (buffer.hasMoved(1000 * (begin + scriptFrames) / sampleRate)) addSoundReport(buffer.report);
    for (const sample of left) playedPeak = Math.max(playedPeak, Math.abs(sample));
  };
  node.connect(context.destination);
  // Without a reference the node would be collected.
  context.scriptNode = node;
}

// Gives `file`, dropped at `x` and `y` in units of the panel, to the box; returns its line about it.
async function giveFile(file, x, y) {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries({ name: file.name, x, y })) query.set(name, value);
  const answer = await fetch(`files?${query}`, { method: "POST", body: file });
  return (await answer.text()).trim();
}

// The playing tune as the file `name` of the box.
async function playingTune(name) {
  const answer = await fetch(name + location.search).catch(() => { throw new Error("the box does not answer"); });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  siteAddress = answer.headers.get("x-pixelboop-site");
  return answer;
}

async function music() {
  return (await playingTune("tune.json")).json();
}

async function midiFile() {
  return (await playingTune("tune.mid")).blob();
}

// A tune of a link goes into the library: others may be playing.
function openTune(bytes) {
  return sendFile(new File([bytes], "link.json"), 0, 0);
}

offerMusic();
window.addEventListener("load", () => openLink());
