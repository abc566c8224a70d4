"""The first start of a card without a network: its access point, the setup page on a phone, and the network at home. By simulated
radios, in the machine; a browser of this computer plays the phone's."""

import contextlib
import json
import pathlib
import socket
import sys
import urllib.error
import urllib.parse
import urllib.request

from board import FOLDER, MIB, Board, wait_for
from test_card import CardCase, report

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[2] / "Tests/Support/Python"))
from harness.browser import Tab  # noqa: E402 (its folder is known only now)

HOME = b"HOME".hex()
SSID = "PB-000000"
RADIO = "sh /boot/firmware/radio"
OPEN = "/run/pixelboop-setup/access-point"
KEPT = "/data/network/wpa_supplicant.conf"
WRONG, RIGHT = "wrong password", "right password"
JOIN = f"join\nssid {HOME}\npassword {{}}\ncountry DE\nzone Europe/Berlin\npage open\n\n"
# Maximum time of a step of the box, emulated.
SECONDS = 300


def wait_long(what, condition):
    """Asks rarely: a question costs the machine more instructions than its waiting."""
    return wait_for(what, condition, SECONDS, pause=2)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


class PhoneTab(Tab):
    answer_seconds = 120


class SetupTests(CardCase):
    @classmethod
    def setUpClass(cls):
        cls.board = Board("virt", 4096 * MIB)
        cls.addClassCleanup(cls.board.cut)
        for file in (HERE / "radio").iterdir():
            cls.board.put(file.name, file.read_text())
        # For the box at its access point, and at home.
        cls.doors = {8080: free_port(), 8081: free_port()}

    def test_setup(self):
        self.with_a_cable()
        self.opens()
        self.refuses()
        self.wrong_password()
        self.other_failures()
        self.cut_while_joining()
        self.opens_again()
        self.joins()
        self.at_home()
        self.joins_by_itself()
        self.lights()
        self.walks()
        self.devices()
        self.doctor()
        self.reset()

    def start(self):
        doors = "".join(f",hostfwd=tcp:127.0.0.1:{here}-10.0.2.15:{there}" for there, here in self.doors.items())
        self.board.start(network=doors)
        self.assert_plays(self.board)

    # The box

    def is_there(self, path):
        return self.board.run(f"[ -e {path} ] && echo there", status=None) == "there"

    def is_active(self, unit):
        return self.board.run(f"systemctl is-active {unit}", status=None) == "active"

    def journal(self, unit):
        return self.board.run(f"journalctl --boot --no-pager --output cat --unit {unit}")

    def ask(self, request):
        """The answer of root's service, as the page's server gets it."""
        as_box = "setpriv --reuid=pixelboop --regid=pixelboop --clear-groups"
        return self.board.run(f"{as_box} perl -e \"$(cat /boot/firmware/ask)\" <<'END'\n{request}\nEND").splitlines()

    def wait_open(self):
        wait_long("the access point", lambda: self.is_there(OPEN))
        self.assertFalse(self.is_active("pixelboop-wifi"))
        return self.board.run(f"cat {OPEN}")

    def open_for_phone(self):
        """A cable without a network does not keep the access point closed, and the phone joins it."""
        board = self.board
        board.ask_qemu("set_link", name="net", up=False)
        board.run(f"{RADIO} all")
        about = self.wait_open()
        board.run(f"{RADIO} phone {SSID} {self.password()}; {RADIO} door")
        board.ask_qemu("set_link", name="net", up=True)
        return about, self.lease(0)

    def lease(self, network):
        """The phone's addresses in a network."""
        lines = self.board.run(f"{RADIO} lease {network} 2>/dev/null", seconds=SECONDS).splitlines()
        return dict(line.replace("'", "").split("=", 1) for line in lines)

    def password(self):
        """As somebody with the card reads it."""
        lines = self.board.run("cat /boot/firmware/access-point.txt").splitlines()
        self.assertEqual(lines[0], f"Wi-Fi network: {SSID}")
        self.assertRegex(lines[1], r"^Password: [234579ACEFHJKLPRTUXY]{11}$")
        self.assertEqual(len(lines), 2)
        return lines[1].split()[1]

    # The phone's browser

    def get(self, door, path, host):
        """Status and content of a page."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.doors[door]}{path}", headers={"Host": host})
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        try:
            with urllib.request.build_opener(Stay).open(request, timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers.get("Location") or ""
        except OSError:
            return None, ""

    @contextlib.contextmanager
    def browse(self, address):
        """A browser at an address. The machine's addresses are behind the doors."""
        rules = ", ".join(f"MAP {name}:80 127.0.0.1:{self.doors[door]}" for name, door in (
            ("10.42.0.1", 8080), ("check.example", 8080), ("192.168.77.20", 8081)))
        with PhoneTab(f"--host-resolver-rules={rules}") as tab:
            tab.open(address)
            yield tab

    def shows(self, tab, name, words):
        content = f"document.getElementById('{name}')?.innerText ?? ''"
        wait_long(f"{words!r} in #{name}", lambda: words in tab.evaluate(content))

    def fill(self, tab, password):
        tab.evaluate(f"document.querySelector('#networks input[value=\"{HOME}\"]').click()")
        for name, value in [("password", password), ("country", "DE"), ("zone", "Europe/Berlin")]:
            tab.evaluate(f"document.getElementById('{name}').value = {json.dumps(value)}")
        tab.evaluate("document.getElementById('page').checked = true; document.getElementById('join').click()")

    # Steps

    def with_a_cable(self):
        """A cable that brings a network is enough."""
        self.start()
        self.assertFalse(self.is_there(KEPT))
        self.assertEqual(self.board.run("date +%Z"), "UTC")
        self.board.run(f"{RADIO} alone")
        wait_long("the choice", lambda: "stays closed" in self.journal("pixelboop-network"))
        for unit in ["pixelboop-access-point", "pixelboop-wifi", "pixelboop-setup", "pixelboop-addresses"]:
            self.assertFalse(self.is_active(unit), unit)
        self.board.run(f"{RADIO} none")

    def opens(self):
        """The phone gets an address, and every name is the box."""
        board = self.board
        about, lease = self.open_for_phone()
        self.assertEqual(about, f"name {SSID}\npassword {self.password()}")
        self.assertEqual(board.run(f"stat -c '%U:%G %a' {OPEN} /run/pixelboop-setup /data/network/access-point").splitlines(),
                         ["root:pixelboop 640", "root:root 755", "root:root 600"])
        self.assertRegex(board.run("findmnt --noheadings --output OPTIONS /boot/firmware"), "^ro,")
        self.assertRegex(lease["IPV4ADDR"], r"^10\.42\.0\.\d+$")
        self.assertEqual((lease["IPV4GATEWAY"], lease["IPV4DNS0"]), ("10.42.0.1", "10.42.0.1"))
        for name in ["pixelboop", "connectivitycheck.gstatic.com", "captive.apple.com"]:
            self.assertEqual(board.run(f"{RADIO} name {name}"), "code 0, answers 1, 10.42.0.1", name)
        state = self.ask("state\n")
        self.assertEqual(state[:2], ["ok", "access-point open"])
        self.assertIn("zone UTC", state)
        self.assertTrue([line for line in state if line.startswith(f"seen {HOME} ") and line.endswith(" password")], state)
        self.assertEqual(board.run("cat /proc/sys/net/ipv4/conf/all/rp_filter"), "1")
        report("state", "\n".join(state))
        wait_long("the page", lambda: self.get(8080, "/", "10.42.0.1")[0] == 200)
        self.assertEqual(self.get(8080, "/generate_204", "connectivitycheck.gstatic.com"), (302, "http://10.42.0.1/"))
        report("exposure", board.run("systemd-analyze security --no-pager pixelboop-setup pixelboop-addresses | grep Overall; "
                                     "systemctl show --property MemoryCurrent pixelboop-setup"))

    def refuses(self):
        """Only the page's server can ask."""
        self.assertEqual(self.board.run("stat -c '%U %a' /run/pixelboop-setup/socket"), "pixelboop 600")
        self.assertRegex(self.ask("frob\n")[0], "^error ")
        self.assertRegex(self.ask(JOIN.format("short"))[0], "^error ")
        self.assertFalse(self.is_there("/data/network/country"))

    def wrong_password(self):
        """The access point is back, with the reason on the page."""
        with self.browse("http://check.example/generate_204") as tab:
            self.shows(tab, "networks", "HOME")
            self.assertEqual(tab.evaluate("location.href"), "http://10.42.0.1/")
            self.fill(tab, WRONG)
            self.shows(tab, "problem", "HOME does not accept this password")
            tab.screenshot(FOLDER / "setup-problem.png")
        self.assertEqual(self.journal("pixelboop-access-point").count(f"{SSID} is open"), 2)
        self.wait_open()
        self.assertFalse(self.is_there(KEPT))
        self.assertIn("problem HOME does not accept this password", self.ask("state\n"))

    def other_failures(self):
        """Networks out of reach, and without addresses."""
        self.joins_not(b"AWAY", "AWAY is not in reach")
        self.board.run("systemctl stop home-addresses")
        self.joins_not(b"HOME", "HOME gives no address")
        self.assertFalse(self.is_there(KEPT))
        report("attempts", self.journal("pixelboop-network"))

    def joins_not(self, ssid, problem):
        self.assertEqual(self.ask(JOIN.format(RIGHT).replace(HOME, ssid.hex())), ["ok"])
        wait_long("the attempt", lambda: self.is_there("/run/pixelboop-setup/problem"))
        self.wait_open()
        self.assertIn(f"problem {problem}", self.ask("state\n"))

    def cut_while_joining(self):
        """While it waits for an address."""
        self.assertEqual(self.ask(JOIN.format(RIGHT)), ["ok"])
        self.assertIn(f"joining {HOME}", self.ask("state\n"))
        wait_long("the attempt", lambda: self.is_active("pixelboop-wifi"))
        self.board.cut()

    def opens_again(self):
        """A power cut leaves the card as it was before the attempt."""
        board, before = self.board, self.board.read("access-point.txt")
        self.start()
        self.assertFalse(self.is_there(KEPT))
        self.open_for_phone()
        self.assertEqual(board.run("cat /boot/firmware/access-point.txt"), before.strip())

    def joins(self):
        """With the right password the box is at home, and its access point is closed."""
        board = self.board
        wait_long("the page", lambda: self.get(8080, "/", "10.42.0.1")[0] == 200)
        with self.browse("http://10.42.0.1/") as tab:
            self.shows(tab, "networks", "HOME")
            self.fill(tab, RIGHT)
            self.shows(tab, "next-address", "token=")
            type(self).query = urllib.parse.urlsplit(tab.evaluate("document.getElementById('next-address').href")).query
            tab.screenshot(FOLDER / "setup-joined.png")
        wait_long("the network", lambda: self.is_there(KEPT))
        self.assert_at_home()
        self.assertEqual(board.run("date +%Z").rstrip(), board.run("TZ=Europe/Berlin date +%Z").rstrip())
        self.assertEqual(board.run("stat -c '%U:%G %a' " + KEPT), "root:root 600")

    def assert_at_home(self):
        wait_long("the choice", lambda: not self.is_active("pixelboop-access-point") and self.is_active("pixelboop-wifi"))
        wait_long("the address", lambda: "address 192.168.77.20" in self.ask("state\n"))
        state = self.ask("state\n")
        for line in [f"network {HOME}", "country DE", "zone Europe/Berlin", "page open"]:
            self.assertIn(line, state)
        self.assertFalse([line for line in state if line.startswith(("access-point", "problem", "joining"))], state)
        self.assertFalse(self.is_active("pixelboop-addresses"))
        self.assertEqual(self.board.run("cat /proc/sys/net/ipv4/conf/all/rp_filter"), "0")

    def at_home(self):
        """There the page needs its token, also for a visitor with an address like the access point's."""
        self.lease(1)
        wait_long("the page", lambda: self.get(8081, f"/?{self.query}", "192.168.77.20")[0] == 200)
        self.assertEqual(self.get(8081, "/", "192.168.77.20")[0], 403)
        self.assertEqual(self.get(8081, "/?token=" + "x" * 32, "192.168.77.20")[0], 403)
        process = "/proc/$(systemctl show --property MainPID --value pixelboop-setup)"
        self.assertNotIn("trusted", self.board.run(f"tr '\\0' ' ' <{process}/cmdline"))
        with self.browse(f"http://192.168.77.20/?{self.query}") as tab:
            self.shows(tab, "network-state", "The box is set to HOME, at 192.168.77.20.")
        self.board.cut()

    def joins_by_itself(self):
        board = self.board
        self.start()
        board.run(f"{RADIO} all")
        self.assert_at_home()
        board.run(f"{RADIO} phone {SSID} {self.password()}; {RADIO} door")
        self.lease(1)
        wait_long("the page", lambda: self.get(8081, f"/?{self.query}", "192.168.77.20")[0] == 200)
        self.assertEqual(self.get(8081, "/", "192.168.77.20")[0], 403)

    def lights(self):
        """The page chooses the LEDs, and the box plays with them."""
        self.assertEqual(self.ask("leds\nname ws2812b\n"), ["ok"])
        self.board.run("cmp /etc/pixelboop/config.json5 /usr/share/doc/pixelboop/examples/ws2812b.json5")
        self.assertIn("leds ws2812b", self.ask("state\n"))
        self.assertIn("WS2812B", self.journal("pixelboop"))

    def walks(self):
        """Answers about the light make the wiring the configuration's. The machine has no LEDs: the walk's light is shown nowhere."""
        board, walk = self.board, "walk\ntiles 2x2\ncables 2\n"
        self.assertRegex(self.ask(walk)[0], "^error /dev/spidev0.0 does not open")
        wait_long("the box", lambda: self.is_active("pixelboop"))
        script = "/usr/libexec/pixelboop/setup-walk"
        board.run(f"sed 's/--panel spi/--panel none/' {script} >/data/walk; chmod +x /data/walk; mount --bind /data/walk {script}")
        # The box stops, and is back if the walk is left.
        answer = self.ask(walk)
        self.assertEqual(answer[:6], ["ok", "panel 44 24", "leds 264", "tile 0", "tiles 4", "colours red green"])
        self.assertFalse(self.is_active("pixelboop"))
        self.assertEqual(self.ask("leave\n"), ["ok"])
        wait_long("the box", lambda: self.is_active("pixelboop"))
        self.ask(walk)
        answer = self.ask("lit\nplace green red\n")
        while answer[1] != "known":
            place = next(line for line in answer if line.startswith("place "))
            answer = self.ask(f"lit\n{place}\n")
            self.assertEqual(answer[0], "ok")
        board.run(f"umount {script}; rm /data/walk")
        self.assertIn("wiring walked", self.ask("state\n"))
        self.assertTrue(self.is_active("pixelboop"))
        self.assertFalse(self.is_active("pixelboop-setup-walk"))
        report("wiring", board.run("sed -n '/chains/,/^    ],/p' /etc/pixelboop/config.json5"))

    def devices(self):
        """A sound device is listed, heard, and the configuration's. There is no overlay."""
        answer = self.ask("devices\n")
        report("devices", "\n".join(answer))
        name = next(line.split("\t")[0].removeprefix("sound ") for line in answer if line.startswith(("sound hw:", "sound plughw:")))
        self.assertEqual(self.ask(f"tone\nname {name}\n"), ["ok"])
        self.assertEqual(self.ask(f"sound\nname {name}\n"), ["ok"])
        self.assertIn(f"sound {name}", self.ask("state\n"))
        self.assertTrue(self.is_active("pixelboop"))
        self.assertRegex("\n".join(self.ask("touches\n")), "^(error |ok\ntouches 0)")
        wait_long("the box", lambda: self.is_active("pixelboop"))

    def doctor(self):
        """The findings are those about the service: the box runs."""
        lines = self.ask("doctor\n")
        self.assertEqual(lines[0], "ok")
        self.assertTrue([line for line in lines if line.split()[1:2] == ["ok"]], lines)
        report("doctor", "\n".join(lines))

    def reset(self):
        """The access point opens again, with another password."""
        board, before = self.board, self.password()
        report("reset", board.run("pixelboop-reset --yes"))
        self.wait_open()
        self.assertFalse(self.is_there(KEPT))
        self.assertNotEqual(self.password(), before)
        self.assertEqual(self.ask("close\n"), ["ok"])
        wait_long("the end of the access point", lambda: not self.is_there(OPEN))
        wait_long("the end of its services", lambda: not self.is_active("pixelboop-setup"))
        self.assertFalse(self.is_active("pixelboop-wifi"))
        self.assert_read_only(board)
