"""The card's service behind the setup page, which runs as root: what it accepts, what it refuses, and what it writes. In a folder that
stands for /, with stand-ins for systemctl, hostname, wpa_cli and pixelboop-update."""

import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

DEPLOY = pathlib.Path(__file__).resolve().parents[1]
SCRIPTS = DEPLOY / "image/root/usr/libexec/pixelboop"
HELLO = b"HELLO".hex()
JOIN = {"ssid": HELLO, "password": "a word or two", "country": "DE", "zone": "Europe/Berlin", "page": "closed"}
TIME = {key: JOIN[key] for key in ["country", "zone", "page"]}
CONFIGURATIONS = {"config": "{}\n", "sk9822": "{\n  panel: {\n    chip: 1,\n  },\n}\n", "ws2812b": "{\n  panel: {\n    chip: 2,\n  },\n}\n",
                  "page": "{ listen: 3 }\n"}
# Writes each call down; the box, if asked about, is one process that is ready. The file `active` stands for the update's unit, and the
# process of the file `walk` for the walk's.
SYSTEMCTL = """#!/bin/sh
case $* in
*is-active*setup-update*) [ -e "$PIXELBOOP_ROOT/active" ] && exit 0 || exit 3 ;;
*is-active*setup-walk*) [ -e "$PIXELBOOP_ROOT/walk" ] && kill -0 "$(cat "$PIXELBOOP_ROOT/walk")" 2>/dev/null && exit 0 || exit 3 ;;
*stop*setup-walk*) kill -- "-$(cat "$PIXELBOOP_ROOT/walk")" ;;
esac
echo "$*" >>"$PIXELBOOP_ROOT/calls"
case $* in
*NRestarts*) cat "$PIXELBOOP_ROOT/restarts" ;;
*MainPID*) echo 7 ;;
esac
"""
SYSTEMD_RUN = """#!/bin/sh
[ ! -e "$PIXELBOOP_ROOT/no-unit" ] || exit 1
while [ "$1" != -- ]; do shift; done
printf '%s\n' "$*" >>"$PIXELBOOP_ROOT/calls"
case $* in
*/setup-walk*)
    shift 2
    setsid sh "$PIXELBOOP_ROOT/usr/libexec/pixelboop/setup-walk" "$@" 7>&- 9>&- >/dev/null 2>&1 &
    echo $! >"$PIXELBOOP_ROOT/walk" ;;
esac
"""
# Lists the file `sticks`, and as a folder the file `folder`; installs nothing. The files `status` and `error` are its end.
UPDATE = """#!/bin/sh
case $* in
--list) cat "$PIXELBOOP_ROOT/sticks" 2>/dev/null && exit 0 ;;
"--list "*) echo "$*" >"$PIXELBOOP_ROOT/asked" && cat "$PIXELBOOP_ROOT/folder" 2>/dev/null && exit 0 ;;
*) echo "$*" >"$PIXELBOOP_ROOT/asked" ; [ ! -e "$PIXELBOOP_ROOT/error" ] && echo "pixelboop 1 → 2, 12 s" && exit 0 ;;
esac
cat "$PIXELBOOP_ROOT/error" >&2
exit "$(cat "$PIXELBOOP_ROOT/status" 2>/dev/null || echo 66)"
"""
# Runs the command as this user.
SETPRIV = """#!/bin/sh
while case $1 in --*) true ;; *) false ;; esac; do shift; done
exec "$@"
"""
# Lists the files `sound` and `touch`. Plays if the file `busy` is missing or the box is stopped, and the file `silent` is missing. Its touches
# are the file `touches`. Its panel asks for one place after another, until the last one of the file `walked`; the file `dark` is why it cannot.
PIXELBOOP = """#!/bin/sh
echo "pixelboop $*" >>"$PIXELBOOP_ROOT/calls"
cd "$PIXELBOOP_ROOT"
case $* in
"devices sound --test "*)
    if [ -e silent ]; then cat silent >&2; exit 69; fi
    if [ -e busy ] && ! grep -q '^stop pixelboop$' calls; then echo "pixelboop: $4 does not open: it is busy: another program; end it" >&2; exit 69; fi ;;
"devices sound") cat sound 2>/dev/null ;;
"devices touch") cat touch 2>/dev/null ;;
"panel wiring "*)
    if [ -e dark ]; then cat dark >&2; exit 69; fi
    tile=0
    while [ $tile -lt 2 ]; do
        printf 'tile %s\\ntiles 2\\nplace 7 1\\nplace 40 23\\n\\n' $tile
        while read -r answer && [ "$answer" = "1 1" ]; do printf 'unclear\\n\\n'; done
        case $answer in back) tile=$((tile - 1)) ;; *) tile=$((tile + 1)) ;; esac
    done
    sed 's/^/wiring /' walked; echo ;;
"touch monitor --seconds 8") if [ -e touches ]; then cat touches; else echo "pixelboop: /dev/spidev0.0: is busy" >&2; exit 69; fi ;;
esac
"""
DPKG_QUERY = """#!/bin/sh
echo asked >>"$PIXELBOOP_ROOT/versions"
printf %s '0.1.0~deb13'
"""


class RequestCase(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for folder in ["data/etc", "boot/firmware", "run/pixelboop-setup", "etc/pixelboop", "usr/share/doc/pixelboop/examples",
                       "usr/share/zoneinfo/Europe", "usr/share/pixelboop", "usr/libexec", "bin", "state"]:
            (self.root / folder).mkdir(parents=True)
        (self.root / "usr/libexec/pixelboop").symlink_to(SCRIPTS)
        # The lock of updates, which is in /var/lib.
        text = (DEPLOY / "update/service.sh").read_text()
        self.put("usr/share/pixelboop/service.sh", text.replace("/var/lib/pixelboop-update", str(self.root / "state")))
        self.put("usr/share/pixelboop/config.json5", CONFIGURATIONS["config"])
        self.put("etc/pixelboop/config.json5", CONFIGURATIONS["config"])
        for name in ["sk9822", "ws2812b", "page"]:
            self.put(f"usr/share/doc/pixelboop/examples/{name}.json5", CONFIGURATIONS[name])
        self.put("usr/share/zoneinfo/iso3166.tab", "# of tzdata\nDE\tGermany\nFR\tFrance\n")
        self.put("usr/share/zoneinfo/leapseconds", "# no zone\n")
        self.put("usr/share/zoneinfo/Europe/leapseconds", "# no zone\n")
        for zone in ["UTC", "localtime", "Europe/Berlin"]:
            self.put(f"usr/share/zoneinfo/{zone}", "TZif2")
        self.put("secret/zone", "TZif2")
        self.put("restarts", "0\n")
        for name, script in [("systemctl", SYSTEMCTL), ("hostname", "#!/bin/sh\necho 10.42.0.1 192.168.1.5 169.254.3.4 fe80::1\n"),
                             ("wpa_cli", '#!/bin/sh\ncat "$PIXELBOOP_ROOT/scan" 2>/dev/null\n'), ("systemd-run", SYSTEMD_RUN),
                             ("pixelboop-update", UPDATE), ("setpriv", SETPRIV), ("dpkg-query", DPKG_QUERY), ("pixelboop", PIXELBOOP)]:
            self.put(f"bin/{name}", script)
            (self.root / "bin" / name).chmod(0o755)

    def put(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def read(self, path):
        return (self.root / path).read_text()

    def calls(self):
        return self.read("calls").splitlines() if (self.root / "calls").exists() else []

    def run_script(self, *command, request=b"", status=0):
        done = subprocess.run(
            ["sh", SCRIPTS / command[0], *command[1:]], input=request, capture_output=True, timeout=60, check=False,
            env={"PATH": f"{self.root}/bin:/usr/bin:/bin:/usr/sbin", "PIXELBOOP_ROOT": str(self.root)})
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stdout.decode()

    def send(self, request):
        return self.run_script("setup-requests", request=request)

    def ask(self, command, **values):
        lines = [command, *(f"{key} {value}" for key, value in values.items()), "", ""]
        return self.send("\n".join(lines).encode())

    def files(self):
        """Everything that a request can change."""
        return {str(file.relative_to(self.root)): os.readlink(file) if file.is_symlink() else file.read_bytes()
                for folder in ["data", "boot", "run", "etc", "var", "calls"] for file in (self.root / folder).rglob("*")
                if file.is_symlink() or file.is_file() and file.name != "lock"}

    def assert_refused(self, answer, before, what):
        self.assertRegex(answer, r"\Aerror [^\n]+[^.\n]\n\Z", what)
        self.assertEqual(self.files(), before, what)
        self.assertEqual(self.calls(), [], what)


class RequestTests(RequestCase):
    def test_refusals(self):
        """A wrong request is answered by one sentence, and changes nothing."""
        before = self.files()
        requests = [
            b"", b"\n", b"\n\n", b"state", b"state\n", b"frob\n\n", b"STATE\n\n", b"state \n\n", b"state x\n\n", b"state\nkey value\n\n",
            b"set_network\n\n", b"$(reboot)\n\n", b"close\npage open\n\n", b"join\n\n", b"join\nssid 41\n",
            b"join\n" + b"".join(f"{key} {value}\n".encode() for key, value in JOIN.items()),
            b"time\ncountry DE\ncountry DE\nzone UTC\npage open\n\n", b"time\nssid 41\ncountry DE\nzone UTC\npage open\n\n",
            b"time\n country DE\nzone UTC\npage open\n\n", b"time\n*\n\n", b"time\ncountry DE\nzone UTC\npage open\n" + b"x" * 5000,
            b"time\ncountry DE\nzone UTC\npage open\n" + b"password " + b"x" * 4080 + b"\n\n",
            b"join\nssid 41\npassword " + b"x" * 5000 + b"\n\n", b"\xff\xfe\n\n", b"join\0\n\0\n", b"leds\n\n", b"leds\nname\n\n",
        ]
        for request in requests:
            self.assert_refused(self.send(request), before, request)

    def test_values(self):
        """A value that is out of its range, or brings a line or a path of its own, is refused."""
        before = self.files()
        cases = {
            "ssid": ["", "4", "414", "4g", "41 41", "41\n", "0x41", "41" * 33, '"HELLO"', "é", "*", "-n", "41\r", "41;reboot"],
            "password": ["short", "x" * 64, "0" * 65, "f" * 63 + "g", "pass\tword", "passwort\x7f", "passwörter", "password\r", "password\x01", "\x1b[2Jpassword"],
            "country": ["", "D", "DEU", "de", "XX", "..", "D.", "#", "DE ", " DE", "D\tG", "Ge", "[A", "DE\r"],
            "zone": ["", "Europe", "Europe/", "Europe/Paris", "../../../secret/zone", "/secret/zone", "/usr/share/zoneinfo/UTC", "Europe/../UTC",
                     "Europe/./Berlin", "iso3166.tab", "leapseconds", "Europe/leapseconds", "localtime", "UTC ", "$(id)", "`id`",
                     "-e/x", "Europe/Berlin\r", "*/*"],
            "page": ["", "on", "OPEN", "open ", "closed;", "open\r"],
        }
        for key, values in cases.items():
            for value in values:
                for command, whole in [("join", JOIN), ("time", TIME)]:
                    if key in whole:
                        self.assert_refused(self.ask(command, **{**whole, key: value}), before, (command, key, value))
        for value in ["", "page", "own", "default", "../sk9822", "sk9822.json5", "SK9822", "*", "sk9822 ", "/etc/passwd"]:
            self.assert_refused(self.ask("leds", name=value), before, value)

    def test_injected_lines(self):
        """What would be a second line of the network's file is a key of its own, and unknown."""
        before = self.files()
        for key in ["ssid", "password", "country", "zone"]:
            answer = self.ask("join", **{**JOIN, key: JOIN[key] + "\nctrl_interface=/tmp/open"})
            self.assert_refused(answer, before, key)

    def test_missing_values(self):
        """Only the password may be missing."""
        before = self.files()
        for key in ["ssid", "country", "zone", "page"]:
            rest = {name: value for name, value in JOIN.items() if name != key}
            self.assert_refused(self.ask("join", **rest), before, key)


class ChangeTests(RequestCase):
    def network(self, *lines):
        return "\n".join(["ctrl_interface=/run/wpa_supplicant", "country=DE", "network={", f"    ssid={HELLO}", "    scan_ssid=1",
                          *(f"    {line}" for line in lines), "}", ""])

    def test_join(self):
        """The network is to be tried; country, time zone and page are set."""
        passwords = ["a word or two", " spaces at both ends ", 'a"quote"', "back\\slash\\n", "#$(id)`id`%s", "12345678", "x" * 63, "}\"}{!~#\"#"]
        for password in passwords:
            self.assertEqual(self.ask("join", **{**JOIN, "password": password, "ssid": HELLO.upper()}), "ok\n", password)
            trial = self.root / "run/pixelboop-setup/trial.conf"
            self.assertEqual(trial.read_text(), self.network(f'psk="{password}"', "key_mgmt=WPA-PSK SAE", "ieee80211w=1"))
            self.assertEqual(trial.stat().st_mode & 0o777, 0o600)
            trial.unlink()
        # A key in place of a password, of which WPA3 knows nothing.
        key = "0123456789abcdefABCDEF9876543210" * 2
        self.assertEqual(self.ask("join", **{**JOIN, "password": key}), "ok\n")
        self.assertEqual((self.root / "run/pixelboop-setup/trial.conf").read_text(), self.network(f"psk={key}", "key_mgmt=WPA-PSK"))
        (self.root / "run/pixelboop-setup/trial.conf").unlink()
        self.assertEqual(self.read("data/network/country"), "DE\n")
        self.assertEqual(os.readlink(self.root / "data/etc/localtime"), "/usr/share/zoneinfo/Europe/Berlin")
        self.assertFalse((self.root / "data/network/page").exists())
        self.assertFalse((self.root / "data/network/wpa_supplicant.conf").exists())
        self.assertEqual((self.root / "data/network").stat().st_mode & 0o777, 0o700)
        self.assertEqual(set(self.calls()), {"start --no-block pixelboop-network.timer"})

    def test_open_network(self):
        """Without a password, or with an empty one, the network is an open one."""
        for values in [{**JOIN, "password": ""}, {key: value for key, value in JOIN.items() if key != "password"}]:
            self.assertEqual(self.ask("join", **values), "ok\n")
            trial = self.root / "run/pixelboop-setup/trial.conf"
            self.assertEqual(trial.read_text(), self.network("key_mgmt=NONE"))
            trial.unlink()

    def test_one_attempt_at_a_time(self):
        """While a network is tried, nothing else is changed."""
        self.assertEqual(self.ask("join", **JOIN), "ok\n")
        (self.root / "calls").unlink()
        before = self.files()
        for command, values in [("join", JOIN), ("time", TIME), ("close", {})]:
            self.assert_refused(self.ask(command, **values), before, command)

    def test_network_of_the_card(self):
        """The network of the first partition is not changed."""
        self.put("run/pixelboop-setup/card.conf", 'network={\n\tssid="HELLO"\n}\n')
        before = self.files()
        self.assert_refused(self.ask("join", **JOIN), before, "join")

    def test_time(self):
        """Country, time zone and page are set without a network."""
        self.assertEqual(self.ask("time", country="FR", zone="UTC", page="open"), "ok\n")
        self.assertEqual(self.read("data/network/country"), "FR\n")
        self.assertEqual(os.readlink(self.root / "data/etc/localtime"), "/usr/share/zoneinfo/UTC")
        self.assertTrue((self.root / "data/network/page").exists())
        self.assertEqual(self.ask("time", **TIME), "ok\n")
        self.assertFalse((self.root / "data/network/page").exists())

    def test_close(self):
        """The access point stays closed."""
        self.assertEqual(self.ask("close"), "ok\n")
        self.assertTrue((self.root / "data/network/closed").exists())
        self.assertEqual(self.calls(), ["start --no-block pixelboop-network.timer"])

    def test_full_card(self):
        """What cannot be written is an error, and nothing is tried."""
        self.put("data/network", "in the way\n")
        self.assertEqual(self.ask("join", **JOIN), "error the card cannot be written; see the journal\n")
        self.assertFalse((self.root / "run/pixelboop-setup/trial.conf").exists())
        self.assertEqual(self.calls(), [])

    def test_leds(self):
        """An example becomes the configuration, and the old one is kept."""
        self.assertEqual(self.ask("leds", name="ws2812b"), "ok\n")
        self.assertEqual(self.read("etc/pixelboop/config.json5"), CONFIGURATIONS["ws2812b"])
        replaced = list((self.root / "etc/pixelboop").glob("config.json5.replaced-*"))
        self.assertEqual([file.read_text() for file in replaced], [CONFIGURATIONS["config"]])

    def test_leds_in_another_corner(self):
        """The panel's origin, which the state names; the top left is the example itself again."""
        for corner in ["topRight", "bottomLeft", "bottomRight"]:
            self.assertEqual(self.ask("leds", name="ws2812b", corner=corner), "ok\n")
            self.assertEqual(self.read("etc/pixelboop/config.json5"),
                             f'{{\n  panel: {{\n    origin: "{corner}",\n    chip: 2,\n  }},\n}}\n')
            lines = self.ask("state").splitlines()
            self.assertEqual([line for line in lines if line.startswith(("leds", "corner"))], ["leds ws2812b", f"corner {corner}"])
        self.assertEqual(self.ask("leds", name="ws2812b", corner="topLeft"), "ok\n")
        self.assertEqual(self.read("etc/pixelboop/config.json5"), CONFIGURATIONS["ws2812b"])
        for corner in ["", "left", 'topLeft", gpio: "', "topleft"]:
            self.assertEqual(self.ask("leds", name="sk9822", corner=corner), "error this corner is unknown\n")

    def test_every_example_has_the_parts_to_change(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([DEPLOY / "configurations/make", folder], check=True)
            for file in pathlib.Path(folder).glob("*.json5"):
                if file.name != "page.json5":
                    lines = file.read_text().splitlines()
                    self.assertEqual(lines.count("  panel: {"), 1, file.name)
                    # The lines that a walk replaces.
                    chains = lines.index("    chains: [")
                    self.assertEqual([lines.count("    chains: ["), lines[chains:].count("    ],")], [1, 2], file.name)
                    # The lines that a choice of a device changes.
                    for pattern in [r'  audio: \{ device: "[^"]*",.*\},', r"  touch: \{ .*\},"]:
                        self.assertEqual(sum(bool(re.fullmatch(pattern, line)) for line in lines), 1, file.name)

    def test_leds_that_do_not_start(self):
        """The configuration from before is back."""
        self.put("restarts", "3\n")
        self.assertRegex(self.ask("leds", name="ws2812b"), r"\Aerror the box does not start with these LEDs[^\n]*\n\Z")
        self.assertEqual(self.read("etc/pixelboop/config.json5"), CONFIGURATIONS["config"])


class StateTests(RequestCase):
    EXAMPLES = ["example sk9822", "example ws2812b"]

    def state(self):
        lines = self.ask("state").splitlines()
        self.assertEqual(lines[0], "ok")
        return lines[1:]

    def test_new_card(self):
        self.assertEqual(self.state(), ["address 10.42.0.1", "address 192.168.1.5", "zone UTC", "version 0.1.0~deb13", "leds default",
                                        "sound default", "touch any", *self.EXAMPLES])

    def test_everything(self):
        self.put("run/pixelboop-setup/access-point", "name PB-1A2B3C\npassword 7KXPW3NMQR\n")
        self.put("run/pixelboop-setup/seen", f"seen {HELLO} 72 password\n")
        self.put("run/pixelboop-setup/problem", "Grüße does not accept this password\n")
        self.put("data/network/wpa_supplicant.conf", f"network={{\n    ssid={HELLO}\n}}\n")
        self.put("data/network/country", "DE\n")
        self.put("data/network/page", "")
        (self.root / "data/etc/localtime").symlink_to("/usr/share/zoneinfo/Europe/Berlin")
        self.put("etc/pixelboop/config.json5", CONFIGURATIONS["sk9822"])
        self.put("run/pixelboop-setup/trial.conf", "network={\n    ssid=4142\n}\n")
        self.put("run/pixelboop-setup/update", "failed the file is damaged\n")
        self.put("data/network/updates-folder", "https://example.com/boop\n")
        self.put("state/problem", "0.2.0 did not get ready: 0.1.0 is back\n")
        self.assertEqual(self.state(), [
            "access-point open", "address 192.168.1.5", f"network {HELLO}", "country DE", "zone Europe/Berlin",
            f"seen {HELLO} 72 password", "problem Grüße does not accept this password", "joining 4142", "page open", "version 0.1.0~deb13",
            "update failed the file is damaged", "updates-folder https://example.com/boop",
            "update-problem 0.2.0 did not get ready: 0.1.0 is back", "leds sk9822", "sound default", "touch any",
            *self.EXAMPLES])

    def test_what_is_remembered(self):
        """Version, LEDs and corner are looked up again only if a file that they come from has changed."""
        self.put("var/lib/dpkg/status", "old")
        for _ in range(3):
            self.assertIn("leds default", self.state())
        self.assertEqual(self.read("versions").count("asked"), 1)
        # Beside the comparisons of the first state there is none, even if an example were the same now.
        kept = self.root / "run/pixelboop-setup/known.print_choices"
        self.assertIn("leds default", kept.read_text())
        kept.write_text(kept.read_text().replace("default", "remembered"))
        self.assertIn("leds remembered", self.state())
        self.put("etc/pixelboop/config.json5", CONFIGURATIONS["ws2812b"])
        self.assertIn("leds ws2812b", self.state())
        self.put("usr/share/doc/pixelboop/examples/apa102.json5", "{ new: 1 }\n")
        self.assertIn("leds ws2812b", self.state())
        (self.root / "etc/pixelboop/config.json5").unlink()
        self.assertIn("leds own", self.state())
        self.put("var/lib/dpkg/status", "newer")
        self.assertIn("version 0.1.0~deb13", self.state())
        self.assertEqual(self.read("versions").count("asked"), 2)

    def test_findings(self):
        """What the box's doctor prints, whatever its status is."""
        self.put("bin/pixelboop", '#!/bin/sh\necho "$*"\necho "sound ok none"\nexit 69\n')
        (self.root / "bin/pixelboop").chmod(0o755)
        self.assertEqual(self.ask("doctor"), "ok\ndoctor --service\nsound ok none\n")

    def test_networks_in_reach(self):
        """Without an access point those that Wi-Fi sees now."""
        self.put("scan", "bssid / frequency / signal level / flags / ssid\n02:00:00:00:01:00\t2412\t-75\t[ESS]\tHELLO\n")
        self.put("run/pixelboop-setup/seen", "seen 4142 72 password\n")
        self.assertIn(f"seen {HELLO} 50 open", self.state())
        self.assertNotIn("seen 4142 72 password", self.state())

    def test_network_of_the_card(self):
        """Its file is a person's: the name is in quotes or in hex, with any line ends."""
        self.put("data/network/wpa_supplicant.conf", "network={\n    ssid=4142\n}\n")
        self.put("etc/pixelboop/config.json5", "{ own: 1 }\n")
        for line, hex_name in [('\tssid="HELLO"', HELLO), ("ssid=48454C4c4f", HELLO), ('  ssid="a "b" c"\r', b'a "b" c'.hex()),
                               ('ssid="Grüße"', "Grüße".encode().hex()), ('ssid=P"x"', None), ("", None)]:
            self.put("run/pixelboop-setup/card.conf", f"country=DE\nnetwork={{\n{line}\n}}\n")
            lines = self.state()
            self.assertEqual([entry for entry in lines if entry.startswith("network ")],
                             [f"network {hex_name}"] if hex_name else [], line)
            self.assertIn("origin card", lines)
            self.assertIn("leds own", lines)


class DeviceTests(RequestCase):
    """Sound and touch: on an example that has a line of each, like the package's examples."""
    DAC, CARD = "hw:CARD=sndrpihifiberry,DEV=0", "hw:CARD=Device,DEV=0"
    EXAMPLE = ('// An example.\n{\n  panel: {\n    chip: 1,\n  },\n  touch: { matrix: [1, 0, 0, 0, 1, 0] },\n'
               f'  audio: {{ device: "{DAC}", period: 64, periods: 3 }},\n}}\n')

    def setUp(self):
        super().setUp()
        for name in ["sk9822", "usb-sound"]:
            self.put(f"usr/share/doc/pixelboop/examples/{name}.json5", self.EXAMPLE)
        self.put("etc/pixelboop/config.json5", self.EXAMPLE)
        self.put("sound", f"{self.DAC}\tDAC on the header: HiFi\n{self.CARD}\tUSB: Audio, USB\n")
        self.put("touch", "222a:0001\tFrame\nGoodix Touch.1\tGoodix\n")
        self.ask("devices")
        (self.root / "calls").unlink()

    def state(self):
        lines = self.ask("state").splitlines()
        return [line for line in lines if line.startswith(("leds", "corner", "sound", "touch"))]

    def configuration(self):
        return self.read("etc/pixelboop/config.json5")

    def with_choices(self, corner="", sound="", touch=""):
        text = self.EXAMPLE
        if corner:
            text = text.replace("  panel: {\n", f'  panel: {{\n    origin: "{corner}",\n')
        if sound:
            text = text.replace(f'{{ device: "{self.DAC}", period: 64, periods: 3 }}', f'{{ device: "{sound}" }}')
        if touch:
            text = text.replace("touch: {", f'touch: {{ device: "{touch}",')
        return text

    def test_list(self):
        """What the box's command finds; lines in another form are left out."""
        wrong = ["x", "\ty", "a\tb\tc", 'hw:"0\tx', "hw:$(id)\tx", "-x\ty", " x\ty", "hw:0\\\ty", "hw:0\tx\x1b[2J", "x" * 401 + "\ty", "hw:/dev\tx", "é\tx"]
        self.put("sound", "\n".join([*wrong, f"{self.DAC}\tDAC", f"{self.DAC}\tagain", ""]))
        self.assertEqual(self.ask("devices"), f"ok\nsound {self.DAC}\tDAC\ntouch 222a:0001\tFrame\ntouch Goodix Touch.1\tGoodix\n")
        self.put("sound", "".join(f"hw:{number}\t{'x' * 390}\n" for number in range(100)))
        answer = self.ask("devices")
        self.assertEqual(answer.count("\nsound "), 16)
        self.assertLess(len(answer), 16384)
        for name in ["sound", "touch"]:
            (self.root / name).unlink()
        self.assertEqual(self.ask("devices"), "ok\n")

    def test_wrong_devices(self):
        """Only what is listed is set or opened, of its own kind."""
        before = self.files()
        names = ["", "default", "hw:0", self.CARD + " ", self.CARD[:-1], f"{self.CARD}\tUSB: Audio, USB", "222a:0001", "any", "../x", "*", ".*", "file:/etc/x",
                 'hw:0" }, listen: "0.0.0.0:1']
        for command in ["sound", "tone"]:
            for name in names:
                self.assert_refused(self.ask(command, name=name), before, (command, name))
            self.assert_refused(self.send(f"{command}\nname {self.CARD}\nname {self.DAC}\n\n".encode()), before, command)
            self.assert_refused(self.send(f"{command}\nname {self.CARD}\ncorner topLeft\n\n".encode()), before, command)
        for name in ["", self.CARD, "222a:0002", "ANY", "none", "Frame", "Goodix Touch"]:
            self.assert_refused(self.ask("touch", name=name), before, name)
        for request in [b"devices\nname x\n\n", b"touches\nname x\n\n", b"sound\n\n", b"tone\n\n", b"touch\n\n"]:
            self.assert_refused(self.send(request), before, request)

    def test_sound(self):
        """The tone is played while the box is stopped, and the box starts with the device."""
        self.assertEqual(self.state(), ["leds sk9822", f"sound {self.DAC}", "touch any"])
        self.assertEqual(self.ask("sound", name=self.CARD), "ok\n")
        self.assertEqual(self.configuration(), self.with_choices(sound=self.CARD))
        self.assertEqual(self.calls()[:2], ["stop pixelboop", f"pixelboop devices sound --test {self.CARD}"])
        self.assertIn("start --no-block pixelboop", self.calls())
        self.assertEqual(self.state(), ["leds sk9822", f"sound {self.CARD}", "touch any"])
        # The example's own device keeps the example's period.
        self.assertEqual(self.ask("sound", name=self.DAC), "ok\n")
        self.assertEqual(self.configuration(), self.EXAMPLE)

    def test_sound_that_does_not_open(self):
        self.put("silent", f"pixelboop: a remark\npixelboop: {self.CARD} does not open: there is no such device; plug it in\n")
        before = self.files()
        answer = f"error {self.CARD} does not open: there is no such device; plug it in\n"
        self.assertEqual(self.ask("sound", name=self.CARD), answer)
        self.assertEqual(self.calls(), ["stop pixelboop", f"pixelboop devices sound --test {self.CARD}", "start --no-block pixelboop"])
        (self.root / "calls").unlink()
        self.assertEqual(self.ask("tone", name=self.CARD), answer)
        self.assertEqual(self.calls(), [f"pixelboop devices sound --test {self.CARD}"])
        self.put("silent", "")
        self.assertEqual(self.ask("tone", name=self.CARD), f"error {self.CARD} took too long to open\n")
        self.assertEqual(self.files(), before)

    def test_tone(self):
        """The box plays on, unless it has the device for itself; then it starts again."""
        self.assertEqual(self.ask("tone", name=self.CARD), "ok\n")
        self.assertEqual(self.calls(), [f"pixelboop devices sound --test {self.CARD}"])
        (self.root / "calls").unlink()
        self.put("busy", "")
        self.assertEqual(self.ask("tone", name=self.DAC), "ok\n")
        self.assertEqual(self.calls(), [f"pixelboop devices sound --test {self.DAC}", "stop pixelboop", f"pixelboop devices sound --test {self.DAC}",
                                        "start --no-block pixelboop"])
        self.assertEqual(self.configuration(), self.EXAMPLE)

    def test_touch(self):
        for name in ["222a:0001", "Goodix Touch.1"]:
            self.assertEqual(self.ask("touch", name=name), "ok\n")
            self.assertEqual(self.configuration(), self.with_choices(touch=name))
            self.assertEqual(self.state(), ["leds sk9822", f"sound {self.DAC}", f"touch {name}"])
        self.assertEqual(self.ask("touch", name="any"), "ok\n")
        self.assertEqual(self.configuration(), self.EXAMPLE)

    def test_touches(self):
        """They are counted while the box is stopped."""
        self.put("touches", '{"at": 0, "phase": "down"}\n{"at": 1, "phase": "move"}\n{"at": 2, "phase": "up"}\n{"at": 3, "phase": "down"}\n')
        self.assertEqual(self.ask("touches"), "ok\ntouches 2\n")
        self.assertEqual(self.calls(), ["stop pixelboop", "pixelboop touch monitor --seconds 8", "start --no-block pixelboop"])
        self.put("touches", "")
        self.assertEqual(self.ask("touches"), "ok\ntouches 0\n")
        (self.root / "touches").unlink()
        (self.root / "calls").unlink()
        self.assertEqual(self.ask("touches"), "error /dev/spidev0.0: is busy\n")
        self.assertEqual(self.calls()[-1], "start --no-block pixelboop")

    def test_all_choices(self):
        """Each choice leaves the others as they are."""
        self.ask("sound", name=self.CARD)
        self.ask("touch", name="222a:0001")
        self.assertEqual(self.ask("leds", name="sk9822", corner="topRight"), "ok\n")
        self.assertEqual(self.configuration(), self.with_choices("topRight", self.CARD, "222a:0001"))
        self.assertEqual(self.state(), ["leds sk9822", "corner topRight", f"sound {self.CARD}", "touch 222a:0001"])
        # It is named by its sound device.
        self.ask("leds", name="usb-sound")
        self.assertEqual(self.configuration(), self.with_choices(touch="222a:0001"))

    def test_without_leds(self):
        """The package's configuration takes choices too."""
        self.put("usr/share/pixelboop/config.json5", "// The configuration.\n{\n}\n")
        self.put("etc/pixelboop/config.json5", "// The configuration.\n{\n}\n")
        self.ask("touch", name="222a:0001")
        self.assertEqual(self.ask("sound", name=self.CARD), "ok\n")
        self.assertEqual(self.configuration(), '// The configuration.\n{\n  audio: { device: "%s" },\n  touch: { device: "222a:0001" },\n}\n' % self.CARD)
        self.assertEqual(self.state(), ["leds default", f"sound {self.CARD}", "touch 222a:0001"])

    def test_own_configuration(self):
        """It stays as it is, but its devices can be tried."""
        self.put("etc/pixelboop/config.json5", "{ own: 1 }\n")
        before = self.files()
        self.assert_refused(self.ask("sound", name=self.CARD), before, "sound")
        self.assert_refused(self.ask("touch", name="any"), before, "touch")
        self.assertRegex(self.ask("sound", name=self.CARD), "audio.device")
        self.assertEqual(self.ask("tone", name=self.CARD), "ok\n")
        self.assertEqual(self.state(), ["leds own"])

    def test_update_of_the_examples(self):
        """The configuration is still known, and the next choice is made in the new example."""
        self.ask("sound", name=self.CARD)
        new = self.EXAMPLE.replace("chip: 1", "chip: 7")
        self.put("usr/share/doc/pixelboop/examples/sk9822.json5", new)
        self.assertEqual(self.state(), ["leds sk9822", f"sound {self.CARD}", "touch any"])
        self.ask("sound", name=self.DAC)
        self.assertEqual(self.configuration(), new)
        (self.root / "usr/share/doc/pixelboop/examples/sk9822.json5").unlink()
        (self.root / "usr/share/doc/pixelboop/examples/usb-sound.json5").unlink()
        self.assertRegex(self.ask("touch", name="any"), r"\Aerror this version has no example sk9822")
        self.assertEqual(self.configuration(), new)

    def test_box_that_does_not_start(self):
        """The configuration from before is back, with its choices, however often that happens."""
        self.ask("sound", name=self.CARD)
        before = self.configuration()
        self.put("restarts", "3\n")
        for command, name in [("sound", self.DAC), ("touch", "222a:0001"), ("touch", "Goodix Touch.1")]:
            self.assertRegex(self.ask(command, name=name), r"\Aerror the box does not start with this [a-z]+ device, and has its configuration")
            self.assertEqual(self.configuration(), before)
            self.assertEqual(self.state(), ["leds sk9822", f"sound {self.CARD}", "touch any"])
        self.put("restarts", "0\n")
        self.assertEqual(self.ask("touch", name="222a:0001"), "ok\n")
        self.assertEqual(self.state(), ["leds sk9822", f"sound {self.CARD}", "touch 222a:0001"])

    def test_one_change_at_a_time(self):
        """Also a test of a device waits for its turn."""
        before = self.files()
        with open(self.root / "state/lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            for command, values in [("sound", {"name": self.CARD}), ("tone", {"name": self.CARD}), ("touch", {"name": "any"}), ("touches", {})]:
                self.assert_refused(self.ask(command, **values), before, command)


class WalkTests(RequestCase):
    """The panel's wiring, by questions. The example is the package's."""
    WIRING = """order: "GRB",
chains: [
  {
    device: "/dev/spidev0.0",
    hertz: 4000000,
    tiles: [
      { x: 0, y: 0, columns: 44, rows: 24, first: "bottomRight", along: "columns", serpentine: false },
    ],
  },
],
"""
    ASK = "tiles 2\nplace 7 1\nplace 40 23\n"
    UNIT = "-- /usr/libexec/pixelboop/setup-walk 2x1 1"

    def setUp(self):
        super().setUp()
        subprocess.run([DEPLOY / "configurations/make", self.root / "usr/share/doc/pixelboop/examples"], check=True)
        self.put("walked", self.WIRING)
        example = self.read("usr/share/doc/pixelboop/examples/ws2812b.json5")
        self.put("etc/pixelboop/config.json5", example.replace("  panel: {\n", '  panel: {\n    origin: "topRight",\n'))

    def tearDown(self):
        self.ask("leave")

    def walk(self):
        self.assertEqual(self.ask("walk", tiles="2x1", cables=1), f"ok\ntile 0\n{self.ASK}")

    def choices(self):
        return [line for line in self.ask("state").splitlines() if line.startswith(("leds", "corner", "wiring"))]

    def test_walk(self):
        """The last answer makes the wiring the configuration's, in place of the example's chains and its remark about them."""
        self.walk()
        self.assertEqual(self.calls()[:2], ["stop pixelboop", self.UNIT])
        self.assertEqual(self.ask("lit", place="7 1"), f"ok\ntile 1\n{self.ASK}")
        self.assertEqual(self.ask("lit", place="back"), f"ok\ntile 0\n{self.ASK}")
        self.assertEqual(self.ask("lit", place="1 1"), "error this answer is none of those that were asked for\n")
        self.assertEqual(self.ask("lit", place="40 23"), f"ok\ntile 1\n{self.ASK}")
        self.assertIn("pixelboop panel wiring --service --panel spi --tiles 2x1 --chains 1 --seconds 900", self.calls())
        self.assertEqual(self.choices(), ["leds ws2812b", "corner topRight"])
        self.assertEqual(self.ask("lit", place="7 1"), "ok\nknown\n")
        example = self.read("usr/share/doc/pixelboop/examples/ws2812b.json5")
        chains = "".join(f"    {line}\n" for line in self.WIRING.splitlines())
        wanted = re.sub(r"(?m)^    // Two chains.*\n(    //.*\n)*    chains: \[\n(.*\n)*?    \],\n", lambda _: chains, example, count=1)
        self.assertNotIn(wanted, ["", example])
        self.assertEqual(self.read("etc/pixelboop/config.json5"), wanted)
        self.assertEqual(self.choices(), ["leds ws2812b", "wiring walked"])
        # The same LEDs in another corner keep their order; others have the same wires, and their own order.
        self.ask("leds", name="ws2812b", corner="topRight")
        self.assertIn(chains, self.read("etc/pixelboop/config.json5"))
        self.ask("leds", name="sk9822")
        self.assertIn(chains.split("\n", 1)[1], self.read("etc/pixelboop/config.json5"))
        self.assertNotIn("order:", self.read("etc/pixelboop/config.json5"))
        self.assertEqual(self.choices(), ["leds sk9822", "wiring walked"])

    def test_wrong_values(self):
        before = self.files()
        for tiles, cables in [("", 1), ("0x1", 1), ("1x10", 1), ("2 2", 1), ("2x2x2", 1), ("x", 1), ("2x2;", 1), ("2x2", 0), ("2x2", 9), ("2x2", "")]:
            self.assert_refused(self.ask("walk", tiles=tiles, cables=cables), before, (tiles, cables))
        for place in ["", "a", "1;1", "-1 1", "$(id)", "back 1", "red red", "red green blue", "red 1", "red;green"]:
            self.assert_refused(self.ask("lit", place=place), before, place)

    def test_one_that_has_not_begun(self):
        self.assertEqual(self.ask("lit", place="7 1"), "error the walk has ended; begin it again\n")
        self.assertEqual(self.ask("leave"), "ok\n")
        self.assertEqual(self.calls(), [])

    def test_panel_that_does_not_answer(self):
        self.put("dark", "pixelboop: panel: /dev/spidev0.0 does not open: it is missing\n")
        self.assertEqual(self.ask("walk", tiles="2x1", cables=1), "error panel: /dev/spidev0.0 does not open: it is missing\n")

    def test_unit_that_does_not_begin(self):
        """The box starts again."""
        self.put("no-unit", "")
        self.assertEqual(self.ask("walk", tiles="2x1", cables=1), "error the walk cannot begin; see the journal\n")
        self.assertEqual(self.calls(), ["stop pixelboop", "start --no-block pixelboop"])

    def test_change_meanwhile(self):
        """It ends the walk."""
        self.walk()
        self.assertEqual(self.ask("leds", name="sk9822"), "ok\n")
        self.assertIn("stop pixelboop-setup-walk.service", self.calls())
        self.assertEqual(self.ask("lit", place="7 1"), "error the walk has ended; begin it again\n")

    def test_own_configuration(self):
        self.put("etc/pixelboop/config.json5", "{ volume: 1 }\n")
        self.assertEqual(self.ask("walk", tiles="2x1", cables=1),
                         "error the configuration is your own, and stays as it is; set panel.chains in it\n")

    def test_without_leds(self):
        self.put("etc/pixelboop/config.json5", CONFIGURATIONS["config"])
        self.assertEqual(self.ask("walk", tiles="2x1", cables=1), "error choose the LEDs first\n")

    def test_lines_that_are_no_chains(self):
        """They come from a program of the box's user."""
        before = self.read("etc/pixelboop/config.json5")
        for line in ['order: "GRB",', "], shutdownCommand: [\"id\"],", "      { x: 0, y: 0, columns: 44, rows: 24 }], listen: {},", '    device: "/dev/mem", x: 1,', "    hertz: 1, x: 2,",
                     "  // x"]:
            self.put("walked", self.WIRING + line + "\n")
            self.walk()
            self.ask("lit", place="7 1")
            self.assertEqual(self.ask("lit", place="7 1"), "error the wiring cannot be read; see the journal\n", line)
            self.assertEqual(self.read("etc/pixelboop/config.json5"), before)


class UpdateTests(RequestCase):
    STICK = "/media/pixelboop sda1/pixelboop_0.3.0~deb13_arm64.deb"
    IMAGE = "https://example.com/boop/pixelboop_0.10.0~deb13_arm64.img.xz"

    def setUp(self):
        super().setUp()
        self.put("sticks", f"0.3.0~deb13\tpackage\t{self.STICK}\n")
        self.put("folder", f"0.10.0~deb13\timage\t{self.IMAGE}\n0.3.0~deb13\tpackage\t{self.STICK}\n")

    def upload(self, name="pixelboop_0.4.0~deb13_arm64.deb"):
        for part in ["", ".sha256", ".minisig"]:
            self.put(f"var/lib/pixelboop/upload/{name}{part}", "content")
        return name

    def list(self):
        self.assertEqual(self.ask("folder", url="http://example.com/boop"), "ok\n")
        self.assertRegex(self.ask("updates"), r"\Aok\n")

    def state(self):
        return [line for line in self.ask("state").splitlines() if line.startswith("update")]

    def test_list(self):
        """Sticks, and the folder if there is one: newest first, each once."""
        self.assertEqual(self.ask("updates"), f"ok\nupdate 0.3.0~deb13 package {self.STICK}\n")
        self.assertFalse((self.root / "asked").exists())
        self.assertEqual(self.ask("folder", url="https://example.com/boop"), "ok\n")
        self.assertEqual(self.ask("updates"), f"ok\nupdate 0.10.0~deb13 image {self.IMAGE}\nupdate 0.3.0~deb13 package {self.STICK}\n")
        self.assertEqual(self.read("asked"), "--list https://example.com/boop\n")
        self.put("sticks", "".join(f"{version}\tpackage\t/media/{version}\n" for version in ["1.0~rc1", "1.0", "0.9", "1.0.1"]))
        (self.root / "folder").unlink()
        self.put("error", "pixelboop-update: https://example.com/boop: is not signed by the key of this box\n")
        answer = self.ask("updates").splitlines()
        self.assertEqual([line.split()[1] for line in answer[1:-1]], ["1.0.1", "1.0", "1.0~rc1", "0.9"])
        self.assertEqual(answer[-1], "problem https://example.com/boop: is not signed by the key of this box")
        self.put("error", "")
        self.assertIn("problem the folder does not answer\n", self.ask("updates"))
        (self.root / "sticks").unlink()
        self.assertEqual(self.ask("updates"), "ok\nproblem the folder does not answer\n")
        self.assertEqual([file.name for file in (self.root / "run/pixelboop-setup").iterdir() if file.is_dir()], [])

    def test_names_on_a_stick(self):
        """A line in another form is left out, and the list is bounded."""
        wrong = ["", "x", "1.0\tpackage", "1.0\tpackage\trelative.deb", "1.0\tpackage\t--resume", "1.0\tpackage\tfile:///x.deb",
                 "1.0\tother\t/media/x.deb", "-1\tpackage\t/media/x.deb", "1 0\tpackage\t/media/x.deb", "1.0\tpackage\t/media/\x1b[2J.deb",
                 "1.0\tpackage\t/media/x\ty.deb", "1.0\tpackage\t/media/" + "x" * 600, "1" * 101 + "\tpackage\t/media/x.deb"]
        self.put("sticks", "\n".join([*wrong, "1.0\tpackage\t/media/Gerät \\n $(id)/x.deb", ""]))
        self.assertEqual(self.ask("updates"), "ok\nupdate 1.0 package /media/Gerät \\n $(id)/x.deb\n")
        self.assertEqual(self.ask("update", place="/media/Gerät \\n $(id)/x.deb"), "ok\n")
        self.assertEqual(self.calls(), ["-- /usr/libexec/pixelboop/setup-update /media/Gerät \\n $(id)/x.deb"])
        self.put("sticks", "".join(f"1.{number}\tpackage\t/{'x' * 590}{number}\n" for number in range(100)))
        answer = self.ask("updates")
        self.assertEqual(answer.count("\n"), 21)
        self.assertLess(len(answer), 16384)

    def test_folder(self):
        """The URL is kept, and removed by an empty one. What was listed before counts no more."""
        for url in ["https://example.com/boop/", "http://192.168.1.5:8000/~me/?a=b&c=%20;d#e", "http://[fe80::1]/", "https://x/" + "x" * 390]:
            self.assertEqual(self.ask("folder", url=url), "ok\n", url)
            self.assertEqual(self.read("data/network/updates-folder"), url + "\n")
            self.assertIn(f"updates-folder {url}", self.ask("state").splitlines())
        self.ask("updates")
        for request in [b"folder\nurl \n\n", b"folder\n\n"]:
            self.assertEqual(self.send(request), "ok\n")
            self.assertFalse((self.root / "data/network/updates-folder").exists())
        self.assertRegex(self.ask("update", place=self.IMAGE), r"\Aerror ")
        self.assertEqual(self.calls(), [])

    def test_folder_that_is_none(self):
        before = self.files()
        for url in ["x", "/media/x", "file:///etc", "ftp://x/", "http://", "http:///x", "https:/x", "HTTP://x", "http://a b", "http://a\t", "http://a\r",
                    'http://a"b', "http://a'b", "http://a`id`", "http://a\\b", "http://é", " http://a", "--list", "https://x/" + "x" * 391]:
            self.assert_refused(self.ask("folder", url=url), before, url)
        for request in [b"folder\nurl http://a\nurl http://b\n\n", b"folder\nplace x\n\n", b"folder\nurl http://a\nzone UTC\n\n"]:
            self.assert_refused(self.send(request), before, request)

    def test_update(self):
        """A listed or uploaded update is installed in a unit of its own."""
        self.list()
        self.assertEqual(self.ask("update", place=self.STICK), "ok\n")
        self.put("active", "")
        self.assertEqual(self.state(), ["update running package", "updates-folder http://example.com/boop"])
        (self.root / "active").unlink()
        self.assertEqual(self.ask("update", place=self.IMAGE), "ok\n")
        name = self.upload()
        self.assertEqual(self.ask("update", place="upload"), "ok\n")
        installing = self.root / "var/lib/pixelboop/upload.installing"
        self.assertEqual(self.calls(), [f"-- /usr/libexec/pixelboop/setup-update {place}" for place in
                                        [self.STICK, self.IMAGE, f"{installing}/{name}"]])
        # The next upload is in a folder of its own.
        self.assertEqual(sorted(file.name for file in installing.iterdir()), sorted(name + part for part in ["", ".sha256", ".minisig"]))
        self.assertFalse((self.root / "var/lib/pixelboop/upload").exists())
        name = self.upload("pixelboop_0.5.0_arm64.img.xz")
        self.assertEqual(self.ask("update", place="upload"), "ok\n")
        self.assertEqual(self.calls()[-1], f"-- /usr/libexec/pixelboop/setup-update {installing}/{name}")
        self.assertEqual(len(list(installing.iterdir())), 3)

    def test_wrong_places(self):
        self.list()
        self.upload()
        before = self.files()
        for place in ["", "upload ", "./upload", "/var/lib/pixelboop/upload/pixelboop_0.4.0~deb13_arm64.deb", self.STICK + " ", self.STICK[:-1],
                      self.STICK.upper(), self.STICK.replace("~", "\\x7e"), "package", "0.3.0~deb13", ".*", "/", "--resume",
                      f"0.3.0~deb13\tpackage\t{self.STICK}"]:
            self.assert_refused(self.ask("update", place=place), before, place)
        for request in [b"update\n\n", b"update\nplace upload\nkind image\n\n", b"update\nplace upload\nplace upload\n\n",
                        f"update\nplace {self.STICK}\nname x\n\n".encode(), b"updates\nplace upload\n\n"]:
            self.assert_refused(self.send(request), before, request)

    def test_hostile_upload(self):
        """Links, folders and other names are no upload."""
        folder = self.root / "var/lib/pixelboop/upload"
        self.assert_refused(self.ask("update", place="upload"), self.files(), "no folder")
        self.put("secret/pixelboop_9_arm64.deb", "")
        folder.mkdir(parents=True)
        (folder / "pixelboop_9_arm64.deb").symlink_to(self.root / "secret/pixelboop_9_arm64.deb")
        (folder / "pixelboop_8_arm64.deb").mkdir()
        os.mkfifo(folder / "pixelboop_7_arm64.img.xz")
        for name in ["pixelboop_6 x_arm64.deb", "pixelboop_6\nplace_arm64.deb", "pixelboop_$(id)_arm64.deb", "other.deb", "pixelboop_1_arm64.deb.part",
                     "pixelboop_1_arm64.deb.sha256"]:
            self.put(f"var/lib/pixelboop/upload/{name}", "")
        before = self.files()
        self.assert_refused(self.ask("update", place="upload"), before, "names")
        shutil.rmtree(folder)
        folder.symlink_to(self.root / "secret")
        self.assert_refused(self.ask("update", place="upload"), self.files(), "a link for the folder")

    def test_one_at_a_time(self):
        """A second update is refused while one runs, and so is one while a network is tried."""
        self.list()
        self.upload()
        self.put("active", "")
        before = self.files()
        for place in [self.STICK, "upload"]:
            self.assertEqual(self.ask("update", place=place), "error an update is under way\n")
        (self.root / "active").unlink()
        self.put("run/pixelboop-setup/trial.conf", "")
        self.assertRegex(self.ask("update", place="upload"), r"\Aerror an attempt to join")
        (self.root / "run/pixelboop-setup/trial.conf").unlink()
        self.assertEqual((self.files(), self.calls()), (before, []))

    def test_update_that_cannot_begin(self):
        self.list()
        self.put("no-unit", "")
        self.assertRegex(self.ask("update", place=self.STICK), r"\Aerror the update cannot begin")
        self.assertEqual([line for line in self.state() if line.startswith("update ")], [])

    def test_results(self):
        """The result is kept for the page, and what was uploaded is removed."""
        name = self.upload()
        self.ask("update", place="upload")
        (self.root / "calls").unlink()
        place = str(self.root / "var/lib/pixelboop/upload.installing" / name)
        self.assertEqual(self.run_script("setup-update", place), "pixelboop 1 → 2, 12 s\n")
        self.assertEqual(self.read("asked"), place + "\n")
        self.assertEqual(self.state(), ["update done pixelboop 1 → 2, 12 s"])
        self.assertEqual(self.calls(), [])
        self.assertFalse((self.root / "var/lib/pixelboop/upload.installing").exists())

    def test_failures(self):
        """The reason is the command's last line."""
        self.upload()
        self.ask("update", place="upload")
        (self.root / "calls").unlink()
        for error, status, reason in [("pixelboop-update: a remark\npixelboop-update: x.deb: is damaged\n", 65, "x.deb: is damaged"),
                                      ("", 137, "it ended with status 137")]:
            self.put("error", error)
            self.put("status", f"{status}\n")
            self.run_script("setup-update", "/media/x.deb", status=status)
            self.assertEqual(self.state(), [f"update failed {reason}"])
        self.assertEqual(self.calls(), [])
        self.assertFalse((self.root / "var/lib/pixelboop/upload.installing").exists())

    def test_lost(self):
        """An update whose unit is gone has failed."""
        self.put("run/pixelboop-setup/update", "running image\n")
        self.assertEqual(self.state(), ["update failed it ended without a result; see journalctl -u pixelboop-setup-update.service"])
        self.put("active", "")
        self.assertEqual(self.state(), ["update running image"])

    def test_trial(self):
        """A new system, after the machine's restart: there is no result from before."""
        self.put("state/trial", "b a 1\n")
        self.assertEqual(self.state(), ["update trial"])
        self.put("run/pixelboop-setup/update", "done pixelboop 1 → 2 is in slot b; the machine restarts\n")
        self.assertEqual(self.state(), ["update done pixelboop 1 → 2 is in slot b; the machine restarts"])


class SeenTests(unittest.TestCase):
    def seen(self, *lines):
        text = "bssid / frequency / signal level / flags / ssid\n" + "".join(f"{line}\n" for line in lines)
        return subprocess.run([SCRIPTS / "seen"], input=text.encode(), capture_output=True, check=True).stdout.decode().splitlines()

    def line(self, level, flags, ssid):
        return f"02:00:00:00:01:00\t2412\t{level}\t{flags}\t{ssid}"

    def test_kinds(self):
        for flags, kind in [
                ("[ESS]", "open"), ("[WPS][ESS]", "open"), ("[WPA2-PSK-CCMP][ESS]", "password"), ("[WPA-PSK-TKIP][WPA2-PSK-CCMP][ESS]", "password"),
                ("[WPA2-SAE-CCMP][ESS]", "password"), ("[WPA2-PSK+SAE-CCMP][ESS]", "password"), ("[WPA2-EAP-CCMP][ESS]", "other"),
                ("[WEP][ESS]", "other"), ("[WPA2-OWE-CCMP][ESS]", "other")]:
            self.assertEqual(self.seen(self.line(-50, flags, "HELLO")), [f"seen {HELLO} 100 {kind}"], flags)
        self.assertEqual(self.seen(self.line(-50, "[IBSS]", "HELLO")), [])

    def test_names(self):
        for printed, name in [("HELLO", b"HELLO"), ("a b", b"a b"), (r"Gr\xc3\xbc\xc3\x9fe", "Grüße".encode()), (r"\"\\\n\r\t\e", b'"\\\n\r\t\x1b'),
                              (r"\\x41", rb"\x41"), ("x" * 32, b"x" * 32)]:
            self.assertEqual(self.seen(self.line(-75, "[ESS]", printed)), [f"seen {name.hex()} 50 open"], printed)
        for hidden in ["", r"\x00\x00\x00"]:
            self.assertEqual(self.seen(self.line(-75, "[ESS]", hidden)), [], hidden)

    def test_order(self):
        """Strongest first, each name once, at most 32."""
        self.assertEqual(
            self.seen(self.line(-90, "[ESS]", "A"), self.line(-20, "[WPA2-PSK-CCMP][ESS]", "B"), self.line(-60, "[ESS]", "A"),
                      self.line(-120, "[ESS]", "C")),
            ["seen 42 100 password", "seen 41 80 open", "seen 43 0 open"])
        self.assertEqual(len(self.seen(*(self.line(-60, "[ESS]", f"N{number}") for number in range(40)))), 32)
        self.assertEqual(self.seen(), [])
