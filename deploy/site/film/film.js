// Pictures that play: a picture with a touch script has a button. It plays the script in the box, and shows the panel with its
// sound and its fingers. The box is loaded with the first press.
"use strict";

{
  const columns = 44;
  const rows = 24;
  // A finger that stays where it landed for so long holds, in milliseconds.
  const hold = 400;
  // Milliseconds for which a finger's ring is shown after the finger has lifted.
  const fade = 700;
  // A film begins so much before the first finger of its picture, in milliseconds.
  const lead = 400;
  // Milliseconds between two pictures for people who want no motion.
  const slow = 500;
  // Seconds from the press to the sound, and of the sound's end.
  const delay = 0.1;
  const tail = 0.05;
  // Milliseconds to wait for the browser's sound: then the film begins without it.
  const patience = 1000;

  const base = new URL(".", document.currentScript.src);
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");

  // The dialog

  const dialog = document.createElement("dialog");
  dialog.className = "film";
  dialog.setAttribute("aria-labelledby", "film-title");
  dialog.innerHTML = `<p id="film-title"></p><canvas role="img"></canvas><p class="film-bar">
    <button type="button" class="film-play" autofocus></button><button type="button" class="film-close">Close</button>
    <span role="status"></span></p>`;
  const title = dialog.querySelector("#film-title");
  const canvas = dialog.querySelector("canvas");
  const playButton = dialog.querySelector(".film-play");
  const status = dialog.querySelector("[role=status]");
  const lights = new Lights(canvas);
  document.body.append(dialog);

  // The film that is shown: its picture, what the box made of its script, and how to stop it; null while it stands.
  let shown = null;
  let stopFilm = null;

  function show(picture) {
    shown = { picture, script: new URL(picture.dataset.film, location.href).href };
    title.textContent = picture.alt;
    canvas.setAttribute("aria-label", `The panel plays: ${picture.alt}`);
    dialog.showModal();
    layOut();
    play();
  }

  // A whole number of device pixels per LED.
  function layOut() {
    const ratio = devicePixelRatio || 1;
    const room = canvas.parentElement.clientWidth - 2 * parseFloat(getComputedStyle(canvas.parentElement).paddingLeft);
    const height = innerHeight - 180;
    const pitch = Math.max(4, Math.floor(Math.min(room / columns, Math.max(height, 100) / rows) * ratio));
    lights.resize(columns, rows, pitch);
    canvas.style.width = `${columns * pitch / ratio}px`;
    lights.draw(lights.last ?? new Uint8Array(columns * rows * 3));
  }

  // The box

  let worker = null;
  let asked = 0;

  // What the box makes of the script at `address`.
  async function filmOf(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error("its script is missing");
    const script = new Uint8Array(await answer.arrayBuffer());
    const { fingers, begin } = read(new TextDecoder().decode(script));
    worker ??= new Worker(new URL("worker.js", base));
    const number = asked += 1;
    const made = await new Promise((answer) => {
      worker.addEventListener("message", function take({ data }) {
        if (data.number !== number) return;
        worker.removeEventListener("message", take);
        answer(data);
      });
      worker.addEventListener("error", () => answer({ problem: "the box does not start in this browser" }), { once: true });
      worker.postMessage({ number, script, begin });
    });
    if (made.problem) {
      // The next press loads the box again.
      worker?.terminate();
      worker = null;
      throw new Error(made.problem);
    }
    return { ...made, fingers };
  }

  // The paths of the fingers in a script, and the begin of its film, in milliseconds (docs/formats.md, "Touch script").
  function read(text) {
    const lines = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
    const first = lines[0]?.take ? 1000 * lines[0].take.begin / lines[0].take.rate : 0;
    const begin = Math.max(0, first - lead);
    const fingers = [];
    const down = new Map();
    for (const { at, touch, phase, col, row } of lines) {
      if (touch === undefined || at < first) continue;
      const place = { time: at - begin, col, row };
      if (phase === "down") {
        const earlier = fingers.filter(({ places: [{ col: x, row: y }] }) => Math.abs(x - col) + Math.abs(y - row) < 1).length;
        down.set(touch, { places: [place], earlier, end: Infinity });
        fingers.push(down.get(touch));
      } else {
        down.get(touch)?.places.push(place);
        if (phase !== "move" && down.has(touch)) down.get(touch).end = place.time;
      }
    }
    return { fingers, begin };
  }

  // Playing

  let context = null;

  // Starts the sound. Returns the film's clock, in milliseconds, and what ends it. While the browser starts no sound the film is
  // silent; the sound joins it.
  async function start({ sound, rate }) {
    const count = sound.length / 2;
    const buffer = context.createBuffer(2, count, rate);
    for (const side of [0, 1]) {
      const channel = buffer.getChannelData(side);
      for (let frame = 0; frame < count; frame += 1) channel[frame] = sound[2 * frame + side];
    }
    let end = () => {};
    let isEnded = false;
    let clock = null;
    // The sound from `seconds` of the film on.
    const join = (seconds) => {
      const source = new AudioBufferSourceNode(context, { buffer });
      const gain = new GainNode(context);
      source.connect(gain).connect(context.destination);
      const begin = context.currentTime + delay;
      // A film that runs already goes on until the sound begins.
      const from = seconds > 0 ? seconds + delay : 0;
      const last = begin + count / rate - from;
      const over = new Promise((resolve) => { source.addEventListener("ended", resolve, { once: true }); });
      gain.gain.setValueAtTime(1, Math.max(begin, last - tail));
      gain.gain.linearRampToValueAtTime(0, Math.max(begin, last));
      source.start(begin, from);
      clock = () => 1000 * (context.currentTime - begin + from);
      end = () => {
        gain.gain.cancelScheduledValues(0);
        gain.gain.setTargetAtTime(0, context.currentTime, tail / 5);
        source.stop(context.currentTime + tail);
        // Not by the time alone: a browser that is busy would keep the rest of the sound, and play it before the next film.
        over.then(() => setTimeout(() => { if (!stopFilm) context.suspend(); }, 4000 * tail));
      };
    };
    const running = context.resume();
    await Promise.race([running, new Promise((resolve) => { setTimeout(resolve, patience); })]);
    if (context.state === "running") {
      join(0);
    } else {
      const begin = performance.now();
      clock = () => performance.now() - begin;
      running.then(() => { if (!isEnded && clock() < count / rate * 1000) join(clock() / 1000); });
    }
    return {
      clock: () => clock(),
      end() {
        isEnded = true;
        end();
      },
    };
  }

  async function play() {
    const film = shown;
    let isWanted = true;
    let sound = null;
    stopFilm = () => {
      isWanted = false;
      sound?.end();
      stopFilm = null;
      playButton.textContent = "Play again";
    };
    const stop = stopFilm;
    playButton.textContent = "Stop";
    status.textContent = film.made ? "" : "loading the box…";
    try {
      // Within the press: browsers allow no sound otherwise.
      context ??= new AudioContext();
      context.resume();
      film.made ??= await filmOf(film.script);
      if (!isWanted) return;
      sound = await start(film.made);
      if (!isWanted) return sound.end();
      status.textContent = "";
    } catch (error) {
      status.textContent = error.message;
      if (isWanted) stop();
      return;
    }
    const { frames, fingers, sound: samples, rate } = film.made;
    const length = samples.length / 2 / rate * 1000;
    let next = 0;
    let drawn = -Infinity;
    const step = () => {
      if (!isWanted) return;
      const time = sound.clock();
      if (time >= length) return stop();
      if (!stillness.matches || time - drawn >= slow) {
        drawn = time;
        while (next < frames.length && frames[next].time <= time) next += 1;
        if (next > 0) draw(frames[next - 1].pixels, fingers, time);
      }
      requestAnimationFrame(step);
    };
    step();
  }

  function draw(pixels, fingers, time) {
    lights.draw(pixels);
    lights.last = pixels;
    const { picture: pen, pitch } = lights;
    pen.globalCompositeOperation = "source-over";
    pen.globalAlpha = 1;
    pen.strokeStyle = pen.fillStyle = "#fff";
    pen.lineWidth = Math.max(1.5, pitch / 7);
    pen.lineCap = pen.lineJoin = "round";
    for (const { places, earlier, end } of fingers) {
      if (time < places[0].time || time > end + fade) continue;
      const part = time < end ? 1 : stillness.matches ? 1 : 1 - (time - end) / fade;
      const passed = places.filter(({ time: at }) => at <= time);
      const [x, y] = centre(passed[0], pitch);
      const stays = (places[1]?.time ?? Infinity) - places[0].time;
      pen.globalAlpha = part;
      pen.beginPath();
      pen.arc(x, y, pitch * (0.72 + 0.38 * earlier), 0, 2 * Math.PI);
      pen.stroke();
      if (Math.min(time - places[0].time, stays) >= hold) {
        pen.globalAlpha = 0.35 * part;
        pen.fill();
      }
      pen.globalAlpha = 0.75 * part;
      pen.beginPath();
      passed.forEach((place, number) => pen[number === 0 ? "moveTo" : "lineTo"](...centre(place, pitch)));
      pen.stroke();
      pen.beginPath();
      pen.arc(...centre(passed[passed.length - 1], pitch), pitch * 0.4, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  const centre = ({ col, row }, pitch) => [(col + 0.5) * pitch, (row + 0.5) * pitch];

  // What is pressed

  playButton.addEventListener("click", () => { if (stopFilm) stopFilm(); else play(); });
  dialog.querySelector(".film-close").addEventListener("click", () => dialog.close());
  canvas.addEventListener("click", () => playButton.click());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => {
    stopFilm?.();
    lights.last = null;
    shown = null;
  });
  // Keys are for the film, not for the page's search.
  dialog.addEventListener("keydown", (event) => event.stopPropagation());
  window.addEventListener("resize", () => { if (dialog.open) layOut(); });

  for (const picture of document.querySelectorAll("img[data-film]")) {
    const frame = document.createElement("span");
    frame.className = "film-frame";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "film-button";
    button.title = "Play";
    button.setAttribute("aria-label", `Play: ${picture.alt}`);
    picture.replaceWith(frame);
    frame.append(picture, button);
    button.addEventListener("click", () => show(picture));
  }
}
