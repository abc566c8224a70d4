#!/usr/bin/python3
"""Checks the page's accessibility with axe-core in a headless Chromium: no violation of any rule, in each state of the page.

    python3 Tests/System/Browser/axe_test.py COMMAND [ARGUMENT ...]

COMMAND serves the page as for panel_test.py. axe-core comes from a package of PyPI with a fixed hash, which is kept in
.build/axe; without it and without network the check is skipped (exit status 77).
"""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile

import websocket

import setup_test
from page_test import Board
from panel_test import Failure, Served, Tab, shows_panel, wait

KEPT = pathlib.Path(__file__).resolve().parents[3] / ".build/axe"
# It contains axe-core 4.x as one file; nothing of the package itself runs.
PACKAGE, FILE = "axe-playwright-python==0.1.8", "axe_playwright_python-0.1.8-py3-none-any.whl"
SHA256 = "fdd263c998388f1a8e67cad02677e612d946248bd44d163be5e8650ea31f95f8"
MEMBER = "axe_playwright_python/axe.min.js"
SKIPPED = 77


def is_right(wheel):
    return wheel.exists() and hashlib.sha256(wheel.read_bytes()).hexdigest() == SHA256


def axe():
    """The source of axe-core; None if it is not to be reached."""
    wheel = KEPT / FILE
    if not is_right(wheel):
        pip = [sys.executable, "-m", "pip"]
        if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode != 0:
            if not shutil.which("pip"):
                return None
            pip = ["pip"]
        KEPT.mkdir(parents=True, exist_ok=True)
        subprocess.run([*pip, "download", "--quiet", "--no-deps", "--disable-pip-version-check", "--only-binary", ":all:",
                        "--dest", str(KEPT), PACKAGE], capture_output=True, check=False, timeout=120)
    if not is_right(wheel):
        return None
    with zipfile.ZipFile(wheel) as package:
        return package.read(MEMBER).decode()


def violations(tab):
    """Each violated rule with the elements that violate it."""
    result = tab.evaluate("axe.run(document, {resultTypes: ['violations']}).then((r) => JSON.stringify({"
                          "passes: r.passes.length, violations: r.violations.map((v) =>"
                          " `${v.id} (${v.impact}): ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`)}))")
    return json.loads(result)


def show_help(tab):
    Board(tab).press("?")
    wait("the help", lambda: tab.evaluate("document.getElementById('help').open"))


def show_film(tab):
    show_help(tab)
    tab.evaluate("document.querySelector('button.film').click()")
    wait("the film", lambda: tab.evaluate("document.querySelector('#film img').naturalWidth > 0"))


def hide_help(tab):
    Board(tab).press("Escape")
    wait("the help is closed", lambda: not tab.evaluate("document.getElementById('help').open"))


def phone(tab):
    tab.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=3, mobile=True)
    wait("the halves", lambda: not tab.evaluate("document.getElementById('halves').hidden"))


def desk(tab):
    tab.call("Emulation.clearDeviceMetricsOverride")
    wait("no halves", lambda: tab.evaluate("document.getElementById('halves').hidden"))


def lose(tab, served):
    os.killpg(served.process.pid, signal.SIGSTOP)
    wait("LOST", lambda: not tab.evaluate("document.getElementById('lost').hidden"))


def check_the_box(tab):
    tab.evaluate("document.getElementById('check').click()")
    wait("the findings", lambda: tab.evaluate("document.querySelectorAll('#findings dt').length > 0"))


def list_updates(tab, service):
    """A list with a long name, on the smallest phone."""
    tab.call("Emulation.setDeviceMetricsOverride", width=320, height=844, deviceScaleFactor=3, mobile=True)
    service.updates = [f"update 0.3.0 image {setup_test.IMAGE}", f"update 0.2.0 package {setup_test.STICK}", "problem the folder does not answer"]
    tab.evaluate("document.getElementById('look').click()")
    wait("the list", lambda: tab.evaluate("document.querySelectorAll('#updates li').length === 2"))


def list_devices(tab, service):
    """Sound and touch devices with long titles, on the smallest phone."""
    tab.call("Emulation.setDeviceMetricsOverride", width=320, height=844, deviceScaleFactor=3, mobile=True)
    service.devices = setup_test.DEVICES
    setup_test.set_devices(service, f"sound {setup_test.CARD}", "touch any")
    wait("the section", lambda: tab.evaluate("document.getElementById('sound').checkVisibility()"))
    tab.evaluate("document.getElementById('sound-look').click()")
    wait("the devices", lambda: tab.evaluate("document.querySelectorAll('#sound-devices input').length === 2"))


def own_configuration(tab, service):
    setup_test.set_devices(service)
    service.state = [line.replace("leds default", "leds own") for line in service.state]
    wait("the key to change", lambda: tab.evaluate("document.getElementById('sound-set').hidden"))


def set_update(tab, service, *lines):
    setup_test.set_update(service, "version 0.1.0", *lines)
    wait("the state", lambda: tab.evaluate("state.update?.state ?? null") == (lines[0].split()[1] if lines else None))


def send_files(tab, service, folder):
    """Three files that take a while."""
    set_update(tab, service)
    tab.call("Network.enable")
    tab.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=1_000_000)
    setup_test.choose(tab, folder, **{setup_test.PACKAGE: 60 << 20, setup_test.PARTS[1]: 1, setup_test.PARTS[2]: 1})
    tab.evaluate("document.getElementById('upload').click()")
    wait("progress", lambda: tab.evaluate("document.getElementById('progress').value") > 0.01)


def count_violations(tab, states):
    """Prints the violations in each state, of which there are a name, its begin and its end; returns their number."""
    failures = 0
    for name, begin, end in states:
        begin()
        found = violations(tab)
        end()
        for line in found["violations"]:
            print(f"FAIL  {name}: {line}", flush=True)
        failures += len(found["violations"])
        if not found["violations"]:
            print(f"ok    {name}: no violation, {found['passes']} rules pass", flush=True)
    return failures


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 64
    source = axe()
    if source is None:
        print("axe-core could not be fetched from the package index, or pip is missing")
        return SKIPPED
    failures = 0
    with tempfile.TemporaryDirectory(prefix="axe-test-", ignore_cleanup_errors=True) as profile:
        served = Served(sys.argv[1:])
        tab = None
        try:
            tab = Tab(profile)
            tab.open(served.address())
            shows_panel(tab)
            tab.evaluate(source)
            print(f"      axe-core {tab.evaluate('axe.version')}", flush=True)
            states = [
                ("connected", lambda: None, lambda: None),
                ("the help open", lambda: show_help(tab), lambda: hide_help(tab)),
                ("a film in the help", lambda: show_film(tab), lambda: hide_help(tab)),
                ("a phone in portrait", lambda: phone(tab), lambda: None),
                ("the help open on a phone", lambda: show_help(tab), lambda: hide_help(tab)),
                ("lost", lambda: (desk(tab), lose(tab, served)), lambda: os.killpg(served.process.pid, signal.SIGCONT)),
            ]
            failures += count_violations(tab, states)
            service = setup_test.Service(profile)
            setup = Served([*setup_test.command(sys.argv[1], service, profile), "--trusted", "127.0.0.0/8"])
            try:
                tab.call("Page.navigate", url=setup.address())
                wait("the networks", lambda: tab.evaluate("document.querySelectorAll('#networks input').length > 0"))
                tab.evaluate(source)
                failures += count_violations(tab, [
                    ("the setup page", lambda: None, lambda: None),
                    ("the setup page on a phone", lambda: tab.call(
                        "Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=3, mobile=True),
                     lambda: None),
                    ("the setup page after a check", lambda: check_the_box(tab), lambda: None),
                    ("sound and touch", lambda: list_devices(tab, service), lambda: None),
                    ("a configuration of one's own", lambda: own_configuration(tab, service), lambda: None),
                    ("updates", lambda: list_updates(tab, service), lambda: None),
                    ("an update that runs", lambda: set_update(tab, service, "update running image"), lambda: None),
                    ("an update that failed", lambda: set_update(
                        tab, service, "update failed it is damaged", "update-problem version 0.2.0 was not ready"), lambda: None),
                    ("files on their way", lambda: send_files(tab, service, profile),
                     lambda: tab.evaluate("document.getElementById('cancel').click()")),
                ])
            finally:
                setup.stop()
        except (Failure, OSError, websocket.WebSocketException) as error:
            failures += 1
            print(f"FAIL  {error}", flush=True)
        finally:
            if tab:
                tab.stop()
            os.killpg(served.process.pid, signal.SIGCONT)
            served.stop()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
