"""The site of the box for browsers, a static server of it, and what the box itself makes of the same scripts."""

import functools
import glob
import hashlib
import http.server
import json
import os
import pathlib
import subprocess
import threading

from harness import panel
from harness.browser import shows_panel
from harness.results import expect, require
from harness.waiting import wait

ROOT = pathlib.Path(__file__).resolve().parents[4]
SITE = ROOT / ".build/site"
BINARY = SITE / "box.wasm"
# Files of the checks, which the server has beside the site's.
CHECKS = ROOT / "Tests/System/Site"
# Bytes that are read at once.
PART = 1 << 20


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site; below /checks/ the checks' files, and below /scripts/ those of the host's folder."""

    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm", ".jsonl": "text/plain",
                      ".mjs": "text/javascript"}

    def translate_path(self, path):
        for begin, folder in (("/checks/", CHECKS), ("/scripts/", self.server.scripts)):
            if path.startswith(begin) and folder:
                return os.path.join(folder, os.path.basename(path))
        return super().translate_path(path)

    def log_message(self, *_):
        pass


class Host:
    """A static server of the site. `scripts` is a folder that it serves as /scripts/."""

    def __init__(self, scripts=None):
        require(BINARY.exists(), f"{BINARY} is missing: make site")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=SITE))
        self.server.scripts = scripts
        self.address = f"http://localhost:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


# The loudest of the last samples that `ear`, an AnalyserNode, has heard. A context that is suspended is silent: its ear keeps the
# last samples.
LOUDEST = """
(ear) => {
    const samples = new Float32Array(ear.fftSize);
    return () => {
        if (ear.context.state === "suspended") return 0;
        ear.getFloatTimeDomainData(samples);
        return samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    };
}"""

# Hears what reaches the browser's output, 43 ms of it.
EAR = f"""
(() => {{
    const {{ connect }} = AudioNode.prototype;
    AudioNode.prototype.connect = function (target, ...rest) {{
        if (target instanceof AudioDestinationNode) {{
            const ear = new AnalyserNode(this.context, {{ fftSize: 2048 }});
            connect.call(this, ear);
            window.loudest = ({LOUDEST})(ear);
        }}
        return connect.call(this, target, ...rest);
    }};
}})()"""

# The numbers of the LEDs that are lit in a film of the documentation.
LIT = """
(() => {
    const canvas = document.querySelector("dialog.film canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const pitch = canvas.width / 44;
    const lit = [];
    for (let led = 0; led < 44 * 24; led += 1) {
        const x = Math.floor((led % 44 + 0.5) * pitch), y = Math.floor((Math.floor(led / 44) + 0.5) * pitch);
        const from = 4 * (y * canvas.width + x);
        if (Math.max(data[from], data[from + 1], data[from + 2]) > 60) lit.push(led);
    }
    return lit;
})()"""

# Sees and hears films in the page itself, so that a short one is not over before a slow machine has asked twice: `seen.pictures` are
# the numbers of lit LEDs, once for each picture that differs, and `seen.heard` is the time of the first sound after `seen.begin`, in
# milliseconds. Needs `EAR`.
EYE = f"""
(() => {{
    window.seen = {{ pictures: new Set(), begin: performance.now(), heard: null }};
    const {{ draw }} = Lights.prototype;
    let last = "";
    Lights.prototype.draw = function (pixels) {{
        draw.call(this, pixels);
        if (window.loudest?.() > 0.02) seen.heard ??= performance.now();
        const drawn = pixels.join();
        if (drawn === last) return;
        last = drawn;
        const lit = {LIT};
        if (lit.length > 20) seen.pictures.add(lit.join());
    }};
}})()"""


def film_button(picture):
    """The button that plays a picture of the documentation."""
    return f"document.querySelector('img[data-film$=\"/{picture}.jsonl\"]').parentElement.querySelector('button')"


def shows_film(browser, press):
    """Requires that `press` shows a film with sound, with light that changes, and with a button that stops it. A film that has ended
    before all was seen plays again. The browser has `EAR`. Returns the milliseconds from the press to the sound."""
    browser.evaluate(EYE)
    press()
    wait("the film", lambda: browser.evaluate("document.querySelector('dialog.film').open"))
    button = "document.querySelector('.film-play')"

    def plays(condition):
        if browser.evaluate(condition):
            return True
        if browser.evaluate(f"{button}.textContent") == "Play again":
            browser.evaluate(f"{button}.click()")
        return False

    wait("sound", lambda: plays("seen.heard !== null"))
    wait("light that changes", lambda: plays("seen.pictures.size > 1"))
    wait("the button that stops it", lambda: plays(f"{button}.textContent === 'Stop'"))
    return browser.evaluate("seen.heard - seen.begin")


def music(browser):
    """The tune that plays, as a document."""
    return browser.evaluate("music()")


def keeps(browser, address):
    """Requires that a tap is still there after the page was loaded again."""
    before = music(browser)
    browser.tap(panel.note("melody", 2, 5))
    wait("the note", lambda: music(browser)["tracks"] != before["tracks"])
    tracks = music(browser)["tracks"]
    wait("the note in the browser's store", lambda: browser.evaluate("""
        request(database.transaction(storeName).objectStore(storeName).getAll())
            .then((all) => all.map((bytes) => JSON.parse(text(bytes))).find((tune) => tune.music)?.music.tracks)""") == tracks)
    reload(browser, address)
    expect(music(browser)["tracks"], tracks)


def reload(browser, address):
    """Loads the page again; waits for its box."""
    browser.show(address)
    shows_panel(browser)
    wait("the box", lambda: browser.evaluate("typeof music === 'function' && boxNode !== null"))


def version(program):
    return subprocess.run([program, "version"], check=True, capture_output=True, text=True).stdout.split()[1]


def sessions(folder):
    """The recorded sessions of both rules, as jobs: a script in `folder`, its end in milliseconds, and the loops."""
    for file, rules in (("box", "box"), ("sessions", "phone")):
        with open(ROOT / f"Tests/Fixtures/{file}.jsonl", encoding="utf-8") as lines:
            for number, line in enumerate(lines):
                session = json.loads(line)
                script = [{"at": 0, "set": "rules", "value": rules}, *session["script"]]
                path = f"{folder}/{file}-{number}.jsonl"
                with open(path, "w", encoding="utf-8") as output:
                    output.writelines(json.dumps(step) + "\n" for step in script)
                yield {"name": f"{file}-{number}", "script": path, "until": int(session["until"]), "loops": 1}


def require_same(program, job, result, folder):
    """Requires that `result` of `job` has the bits that the box makes of it."""
    require(result["status"] == 0, f"{job['name']} does not run")
    for kind, wanted in replayed(program, job, folder).items():
        require(result.get(kind, digest(b"")) == wanted, f"{kind} of {job['name']} differs: {job['script']}")


def replayed(program, job, folder):
    """The SHA-256 of each output of the box's replay of `job`."""
    names = {kind: f"{folder}/{kind}" for kind in ("sound.wav", "events", "wire", "music", "picture.png")}
    command = [program, "replay", job["script"], "--wav", names["sound.wav"], "--events", names["events"], "--wire", names["wire"],
               "--pattern", names["music"]]
    for option in ("until", "loops"):
        if job.get(option):
            command += [f"--{option}", str(job[option])]
    subprocess.run(command, check=True, capture_output=True)
    wire = b"".join(pathlib.Path(name).read_bytes() for name in sorted(glob.glob(f"{names['wire']}/*.bin")))
    result = {"sound": sound_digest(names["sound.wav"]), "wire": digest(wire)}
    for kind in ("events", "music"):
        result[kind] = digest(pathlib.Path(names[kind]).read_bytes())
    os.remove(names["sound.wav"])
    return result


def digest(data):
    return hashlib.sha256(data).hexdigest()


def sound_digest(path):
    """The SHA-256 of a WAV's samples."""
    hashed = hashlib.sha256()
    with open(path, "rb") as file:
        head = file.read(4096)
        file.seek(head.index(b"data") + 8)
        while part := file.read(PART):
            hashed.update(part)
    return hashed.hexdigest()
