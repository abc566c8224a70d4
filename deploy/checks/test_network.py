"""The installed service's filter of addresses, with systemd as process 1: what the configuration opens reaches a machine of the local
network, and one with a public address only if network.conf allows it; doctor says the same."""

import os
import pathlib
import subprocess
import unittest

from machine import Machine, wait_for
from test_package import PACKAGE, field

CONFIGURATION = """{
  listen: "0.0.0.0:4424",
  walls: [ { address: "10.77.0.2" }, { address: "203.0.113.2" } ],
  lightIn: [ { interface: "cable" } ],
  grid: { interface: "cable" },
  osc: { interface: "cable" },
  sync: { source: "link" },
}
"""
OPTIONS = 'PIXELBOOP_OPTIONS="--panel web --audio none"\n'
# What the other machine does, from its address OWN to the box's BOX; prints whether something came back or arrived.
OTHER = r"""
import socket, sys
own, box, kind = sys.argv[1:]
SECONDS = 2


def text(word):
    return word.encode() + bytes(4 - len(word) % 4)


def osc(address, *values):
    kinds = "," + "".join("i" if isinstance(value, int) else "s" for value in values)
    parts = [value.to_bytes(4, "big") if isinstance(value, int) else text(value) for value in values]
    return text(address) + text(kinds) + b"".join(parts)


def listener(port=0, address=own):
    line = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    line.bind((address, port))
    line.settimeout(SECONDS)
    return line


def answered(line):
    try:
        return bool(line.recv(4096))
    except TimeoutError:
        return False


if kind == "page":
    try:
        with socket.create_connection((box, 4424), timeout=SECONDS, source_address=(own, 0)) as line:
            line.sendall(f"GET / HTTP/1.1\r\nHost: {box}:4424\r\n\r\n".encode())
            print(line.recv(100).startswith(b"HTTP/1.1"))
    except OSError:
        print(False)
elif kind == "osc":
    line = listener()
    line.sendto(osc("/pixelboop/subscribe", line.getsockname()[1]), (box, 4425))
    print(answered(line))
elif kind == "grid":
    line = listener()
    line.sendto(osc("/serialosc/list", "localhost", line.getsockname()[1]), (box, 12002))
    print(answered(line))
elif kind == "light":
    # RGBW, which the box names in its log.
    listener().sendto(bytes([0x41, 0, 0x1b, 1, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]), (box, 4048))
elif kind == "wall":
    print(answered(listener(4048)))
elif kind == "link":
    line = listener(20808, "")
    line.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton("224.76.78.75") + socket.inet_aton(own))
    print(answered(line))
"""
LOCAL = ("10.77.0.2", "10.77.0.1")
PUBLIC = ("203.0.113.2", "203.0.113.1")


class NetworkTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = machine = Machine()
        cls.addClassCleanup(machine.remove)
        machine.run("apt-get", "update", "-qq")
        machine.run("apt-get", "satisfy", "-qq", "-y", "--no-install-recommends", field("Depends"))
        machine.put("/etc/default/pixelboop", OPTIONS)
        machine.put("/etc/pixelboop/config.json5", CONFIGURATION)
        machine.bring(PACKAGE, "/srv/box.deb")
        machine.run("dpkg", "--force-confold", "--install", "/srv/box.deb")
        machine.start()
        # Another machine, by a cable; both have a local and a public address.
        cls.other = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        cls.addClassCleanup(cls.other.wait)
        cls.addClassCleanup(cls.other.kill)
        own = os.readlink("/proc/self/ns/net")
        wait_for("the other machine", lambda: os.readlink(f"/proc/{cls.other.pid}/ns/net") != own)
        subprocess.run(["ip", "link", "add", "cable", "netns", machine.first(), "type", "veth", "peer", "name", "cable", "netns",
                        str(cls.other.pid)], check=True)
        for pid, place in [(machine.first(), 1), (str(cls.other.pid), 0)]:
            for address in [LOCAL[place], PUBLIC[place]]:
                cls.within(pid, "ip", "address", "add", f"{address}/24", "dev", "cable")
            cls.within(pid, "ip", "link", "set", "cable", "up")
            cls.within(pid, "ip", "link", "set", "lo", "up")
        cls.within(machine.first(), "ip", "route", "add", "224.0.0.0/4", "dev", "cable", "src", LOCAL[1])
        machine.run("systemctl", "restart", "pixelboop")

    @staticmethod
    def within(pid, *words):
        return subprocess.run(["nsenter", f"--target={pid}", "--net", *words], check=True, capture_output=True, text=True).stdout

    def arrives(self, kind, addresses):
        own, box = addresses
        said = self.within(self.other.pid, "/usr/bin/python3", "-c", OTHER, own, box, kind).strip()
        if kind == "light":
            wanted = f"{own} sends RGBW"
            return any(wanted in self.journal() or subprocess.run(["sleep", "0.2"], check=True).returncode for _ in range(15))
        return said == "True"

    def journal(self):
        return self.machine.execute("journalctl", "--unit=pixelboop", "--invocation=0", "--output=cat", "--no-pager").stdout or \
            self.machine.execute("journalctl", "--unit=pixelboop", "--output=cat", "--no-pager").stdout

    def test_filter(self):
        wait_for("the page", lambda: self.arrives("page", LOCAL))
        # The box opens its ports within a second.
        wait_for("the ports", lambda: self.arrives("osc", LOCAL))
        for kind in ["osc", "grid", "wall", "link", "light"]:
            self.assertTrue(self.arrives(kind, LOCAL), kind)
        for kind in ["page", "osc", "grid", "wall", "light"]:
            self.assertFalse(self.arrives(kind, PUBLIC), kind)
        report = self.machine.execute("pixelboop", "doctor", "--service").stdout
        self.assertIn("DDP to 203.0.113.2: the service's filter denies packets with 203.0.113.2", report)
        self.assertIn("the service's filter denies packets with 203.0.113.0", report)
        self.assertNotIn("denies packets with 10.77", report)

        # As deploy/README.md has it.
        self.machine.run("install", "-D", "-m", "644", "/usr/share/doc/pixelboop/examples/network.conf", "-t",
                         "/etc/systemd/system/pixelboop.service.d")
        self.machine.run("systemctl", "daemon-reload")
        self.machine.run("systemctl", "restart", "pixelboop")
        wait_for("the page", lambda: self.arrives("page", PUBLIC))
        wait_for("the ports", lambda: self.arrives("osc", PUBLIC))
        for kind in ["page", "osc", "grid", "wall", "light"]:
            self.assertTrue(self.arrives(kind, PUBLIC), kind)
        self.assertNotIn("filter denies", self.machine.execute("pixelboop", "doctor", "--service").stdout)


if __name__ == "__main__":
    unittest.main()
