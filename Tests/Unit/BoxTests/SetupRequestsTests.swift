import Devices
import Documents
import Foundation
import TestSupport
import Testing

@testable import Box

@Suite("Requests of the setup page")
struct SetupRequestsTests {
    static let requests: [(name: String, body: String, lines: String)] = [
        ("state", "", "state\n\n"), ("close", "{}", "close\n\n"), ("doctor", "{}", "doctor\n\n"),
        ("updates", "{}", "updates\n\n"), ("devices", "{}", "devices\n\n"), ("touches", "{}", "touches\n\n"),
        ("sound", #"{"name":"hw:CARD=Device,DEV=0"}"#, "sound\nname hw:CARD=Device,DEV=0\n\n"),
        ("tone", #"{"name":"default"}"#, "tone\nname default\n\n"),
        ("touch", #"{"name":"any"}"#, "touch\nname any\n\n"),
        ("folder", #"{"url":"https://example.com/a?b"}"#, "folder\nurl https://example.com/a?b\n\n"),
        ("folder", #"{"url":""}"#, "folder\n\n"),
        ("update", #"{"place":"/media/a b/ü.deb"}"#, "update\nplace /media/a b/ü.deb\n\n"),
        ("walk", #"{"tiles":"2x2","cables":"1"}"#, "walk\ntiles 2x2\ncables 1\n\n"),
        ("lit", #"{"place":"7 1"}"#, "lit\nplace 7 1\n\n"), ("leave", "{}", "leave\n\n"),
        ("leds", #"{"name":"sk9822","corner":"topLeft"}"#, "leds\nname sk9822\ncorner topLeft\n\n"),
        (
            "time", #"{"country":"DE","zone":"Europe/Berlin","page":true}"#,
            "time\ncountry DE\nzone Europe/Berlin\npage open\n\n"
        ),
        (
            "join", #"{"ssid":"c3a9","password":" a \"b\" ","country":"DE","zone":"UTC","page":false,"more":1}"#,
            "join\nssid c3a9\npassword  a \"b\" \ncountry DE\nzone UTC\npage closed\n\n"
        ),
        // An open network has no password.
        (
            "join", #"{"ssid":"00","password":"","country":"DE","zone":"UTC","page":true}"#,
            "join\nssid 00\ncountry DE\nzone UTC\npage open\n\n"
        ),
    ]

    @Test("the page's scripts send these requests, and docs/configuration.md names those of the service")
    func names() throws {
        let uploads = UploadFolder(inStateFolder: "/nowhere")
        let requests = SetupRequests(LocalSocket("/nowhere"), uploads: uploads, version: "").requests
        var sent: Set<String> = []
        for path in Checkout.files("Sources/Pages/Setup/Page", ending: ".js") {
            for match in try Checkout.text(path).matches(of: /\b(?:send\(\s*"|fetch\(`)(\w+)/) {
                sent.insert(String(match.1))
            }
        }
        #expect(sent == requests.union(["state"]))
        let page = try Checkout.text("docs/configuration.md")
        let list = try #require(page.firstMatch(of: /A request is a line\s+with its name \(([^)]+)\)/))
        let documented = Set(list.1.matches(of: /`(\w+)`/).map { String($0.1) })
        #expect(documented == sent.subtracting(["prepare", "discard"]))
    }

    @Test("a request is its name, a line for each field, and an empty line", arguments: requests)
    func request(_ request: (name: String, body: String, lines: String)) throws {
        let bytes = try SetupRequests.request(request.name, Array(request.body.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == request.lines)
    }

    @Test(
        "a document without its fields, or with a control character, is refused: a line end would begin another line",
        arguments: [
            ("other", "{}"), ("close", ""), ("close", "[]"), ("close", "{"), ("leds", "{}"), ("leds", #"{"name":7}"#),
            ("leds", #"{"name":"sk9822\nzone UTC","corner":"topLeft"}"#),
            ("leds", #"{"name":"a\u0000","corner":"topLeft"}"#),
            ("leds", #"{"name":"a\u2028\u0085b","corner":"topLeft"}"#), ("leds", #"{"name":"sk9822"}"#),
            ("sound", "{}"), ("tone", #"{"name":"hw:0\nname hw:1"}"#), ("touch", #"{"name":null}"#),
            ("walk", #"{"tiles":"2x2"}"#), ("lit", #"{"place":"1\n1"}"#),
            ("folder", "{}"), ("folder", #"{"url":"http://a\nplace upload"}"#), ("update", #"{"place":1}"#),
            ("update", #"{"place":"upload\u000a"}"#),
            ("time", #"{"country":"DE","zone":"UTC"}"#), ("time", #"{"country":"DE","zone":"UTC","page":"open"}"#),
            ("join", #"{"ssid":"00","password":"x\r","country":"DE","zone":"UTC","page":true}"#),
        ])
    func refused(_ name: String, _ body: String) {
        #expect(throws: (any Error).self) { try SetupRequests.request(name, Array(body.utf8)) }
    }

    @Test("the page gets what the service knows; lines that are not understood are left out")
    func state() throws {
        let lines = """
            access-point open
            address 192.168.1.5
            network 484f4d45
            country DE
            zone Europe/Berlin
            seen 636166c3a9 72 password
            seen ff00 8 open
            seen 00 50 other
            seen 0 50 open
            seen zz 50 open
            seen 41 strong open
            problem HOME does not accept this password
            leds sk9822
            corner topRight
            wiring walked
            sound hw:CARD=Device,DEV=0
            touch 222a:0001
            example apa102
            example sk9822
            version 0.2.0~deb13
            update running
            update failed x.deb: is not signed
            update stopped
            update  \u{20}
            updates-folder https://example.com/boop
            update-problem 0.3.0 did not get ready
            future of it

            """
        let json = SetupState(lines.split(separator: "\n")).json(
            url: "http://b.local/?token=t", countries: ["DE", "FR"], pageVersion: "0.1.0")
        let expected = #"""
            {"accessPoint": true, "corner": "topRight", "wiring": "walked", "addresses": ["192.168.1.5"], "countries": ["DE", "FR"], "country": "DE",
             "examples": ["apa102", "sk9822"], "threeWires": ["ws2812b", "sk6812", "sk6812rgbw"], "joining": null, "leds": "sk9822",
             "sound": "hw:CARD=Device,DEV=0", "touch": "222a:0001",
             "network": {"name": "HOME", "ssid": "484f4d45"},
             "networks": [{"name": "café", "security": "password", "ssid": "636166c3a9", "strength": 72},
              {"name": "�\u0000", "security": "open", "ssid": "ff00", "strength": 8}],
             "pageVersion": "0.1.0", "update": {"state": "failed", "text": "x.deb: is not signed"},
             "updateProblem": "0.3.0 did not get ready", "updatesFolder": "https://example.com/boop",
             "version": "0.2.0~deb13", "origin": null, "page": false, "problem": "HOME does not accept this password",
             "url": "http://b.local/?token=t", "zone": "Europe/Berlin"}
            """#
        let document = try JSON(parsing: Array(expected.utf8))
        #expect(json == document)
    }

    @Test("an update is running, on trial, done or has failed, with its kind or result")
    func updateStates() {
        for (line, state, text) in [
            ("update running image", "running", "image"), ("update running", "running", ""),
            ("update trial", "trial", ""),
            ("update done pixelboop 1 → 2, 12 s", "done", "pixelboop 1 → 2, 12 s"),
        ] {
            let json = SetupState([Substring(line)]).json(url: "", countries: [], pageVersion: "")
            guard case .object(let values) = json else { return #expect(Bool(false)) }
            #expect(values["update"] == .object(["state": .string(state), "text": .string(text)]))
        }
    }

    @Test("the listed updates keep their order, and a place may have spaces")
    func updates() throws {
        let lines = """
            update 0.3.0~deb13 image https://example.com/pixelboop_0.3.0~deb13_arm64.img.xz
            older 0.2.0 package /media/my stick/pixelboop_0.2.0_arm64.deb
            update 0.2.0 other /media/x
            update 0.2.0 package
            future of it
            problem the folder does not answer

            """
        let expected = #"""
            {"problem": "the folder does not answer", "updates": [
              {"version": "0.3.0~deb13", "kind": "image", "isOlder": false,
               "place": "https://example.com/pixelboop_0.3.0~deb13_arm64.img.xz"},
              {"version": "0.2.0", "kind": "package", "isOlder": true,
               "place": "/media/my stick/pixelboop_0.2.0_arm64.deb"}]}
            """#
        let document = try JSON(parsing: Array(expected.utf8))
        #expect(SetupUpdates(lines.split(separator: "\n")).json == document)
        #expect(SetupUpdates([]).json == .object(["updates": .array([]), "problem": .null]))
    }

    @Test("the listed devices keep their order, and a name may have spaces")
    func devices() throws {
        let lines = """
            sound hw:CARD=Device,DEV=0\tUSB: USB Audio, USB Audio
            touch 222a:0001\tILITEK
            touch Goodix Capacitive TouchScreen\tGoodix
            sound default
            sound \tnothing
            future x\ty

            """
        let expected = #"""
            {"sound": [{"name": "hw:CARD=Device,DEV=0", "title": "USB: USB Audio, USB Audio"}],
             "touch": [{"name": "222a:0001", "title": "ILITEK"},
              {"name": "Goodix Capacitive TouchScreen", "title": "Goodix"}]}
            """#
        let document = try JSON(parsing: Array(expected.utf8))
        #expect(SetupDevices(lines.split(separator: "\n")).json == document)
    }

    @Test("a question about the wiring has its colours or places in their order; the end of the walk has none")
    func walk() throws {
        let lines = """
            panel 44 24
            leds 1
            tile 1
            tiles 4
            colours red green
            colours red
            place 7 1
            place 40 23
            place 1
            place x 1
            tiles 4 5
            future 1

            """
        let expected = #"""
            {"isKnown": false, "panel": [44, 24], "leds": 1, "tile": 1, "tiles": 4, "colours": [["red", "green"]],
             "places": [[7, 1], [40, 23]]}
            """#
        let document = try JSON(parsing: Array(expected.utf8))
        #expect(SetupWalk(lines.split(separator: "\n")).json == document)
        let end = #"{"isKnown": true, "panel": [], "leds": 0, "tile": 0, "tiles": 0, "colours": [], "places": []}"#
        let endDocument = try JSON(parsing: Array(end.utf8))
        #expect(SetupWalk(["known"]).json == endDocument)
    }

    @Test(
        "touches are a number; without one there were none",
        arguments: ["touches 3", "touches x", "touches", "other 3"])
    func touches(_ line: String) {
        let count = line == "touches 3" ? 3 : 0
        #expect(SetupRequests.touches([Substring(line)]) == .object(["touches": .integer(count)]))
        #expect(SetupRequests.touches([]) == .object(["touches": .integer(0)]))
    }

    @Test("the doctor's lines become parts, states and texts, and its last line the verdict")
    func findings() throws {
        let lines = """
            configuration  ok       no file; using the defaults
            sound devices  warning  no sound card: plug one in, or play through the page
            panel          fault    /dev/spidev0.0 is not ok
            Runs: page; panel, sound ok

            """
        let expected = #"""
            {"findings": [
              {"part": "configuration", "state": "ok", "text": "no file; using the defaults"},
              {"part": "sound devices", "state": "warning", "text": "no sound card: plug one in, or play through the page"},
              {"part": "panel", "state": "fault", "text": "/dev/spidev0.0 is not ok"}],
             "verdict": "Runs: page; panel, sound ok"}
            """#
        let document = try JSON(parsing: Array(expected.utf8))
        #expect(SetupFindings(lines.split(separator: "\n")).json == document)
    }

    @Test("a state of nothing is a page with nothing")
    func empty() {
        let json = SetupState([]).json(url: "", countries: [], pageVersion: "0.1.0")
        guard case .object(let values) = json else { return #expect(Bool(false)) }
        for key in ["version", "update", "updatesFolder", "updateProblem", "sound", "touch"] {
            #expect(values[key] == .null, "\(key)")
        }
        #expect(values["networks"] == .array([]) && values["accessPoint"] == .bool(false) && values["network"] == .null)
    }
}
