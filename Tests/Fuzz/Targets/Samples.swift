import InputEvents
import Documents
import Formats
import Instrument
import Input
import Panel

extension FuzzTarget {
    /// Small inputs to mutate.
    public var samples: [[UInt8]] {
        switch self {
        case .reports: Self.recordings.compactMap { Self.reports(in: Array($0.utf8)) }
        case .recording: Self.recordings.map { Array($0.utf8) }
        case .script: Self.scripts.map { Array($0.utf8) }
        case .pattern:
            [
                PatternDocument(pattern: Self.music, muted: TrackSet(.bass)), Self.other,
                PatternDocument(pattern: Self.music, sound: .factory),
            ].map { Array($0.text().utf8) }
        case .sound:
            Track.allCases.flatMap { FactorySounds.list(for: $0).suffix(5) }
                .map { Array(SoundDocument($0).text().utf8) }
        case .scala: Self.scales.map { Array($0.utf8) }
        case .configuration: Self.configurations.map { Array($0.utf8) } + [Array(Self.written.utf8)]
        case .midi: [MIDIFile.bytes(Self.other, loops: 1), MIDIFile.bytes(Self.other, loops: 3), Self.foreign]
        case .stream:
            [
                // Start, ticks of about 120 BPM with a note, and stop.
                [0, 0xfa] + (0..<40).flatMap { _ in [13, 0xf8] as [UInt8] } + [0, 0x90, 0, 60, 0, 100, 0, 0xfc],
                [1, 0xf8, 40, 0xf8, 40, 0xf8, 200, 0xf8, 0, 0xf0, 0, 0x7e, 0, 0xf7, 0, 0xf2, 0, 8, 0, 0, 0, 0xfb],
            ]
        case .listings: Self.schedules.map { Array($0.utf8) }
        case .sample: Self.sounds
        case .light: Self.lights
        case .grid: gridMessages
        case .drive: driveRequests
        case .ends: Self.endSamples
        }
    }

    /// The recording in `bytes` as input of the target `reports`; nil if it is invalid.
    public static func reports(in bytes: [UInt8]) -> [UInt8]? {
        guard let recording = try? TouchRecording(parsing: bytes) else { return nil }
        // The target's first range, to which all others are scaled.
        let axes = recording.axes ?? TouchAxes(x: 0...799, y: 0...479)
        var input = [UInt8](repeating: 0, count: TouchSession.headerSize)
        var last = Instant.zero
        for report in recording.reports {
            let after = (report.time - last).microseconds / 1000
            guard let record = ReportRecord.bytes(of: report, axes, after: after) else { continue }
            input += record
            last = report.time
        }
        return input
    }

    /// Two pictures by each protocol, and the ends of their streams.
    private static let lights: [[UInt8]] = LightProtocol.allCases.enumerated().map { number, transport in
        let count = 3 * 44 * 24
        var packets = LightPackets(
            transport, count: count, universe: transport.firstUniverse, identity: Array(1...16), name: "")
        var sent: [(port: UInt8, packet: [UInt8])] = []
        for value in [9, 8] as [UInt8] {
            packets.write([UInt8](repeating: value, count: count))
            for packet in packets.packets { sent.append((UInt8(number), packet)) }
        }
        packets.end()
        sent.append((UInt8(number), packets.packets[0]))
        return LightSession.bytes(of: sent)
    }

    private static let sounds = [WaveFile.Sample.integer, .float].flatMap { kind in
        (1...2).map { sound(of: kind, channels: $0) }
    }

    /// A WAV file of 200 frames.
    private static func sound(of kind: WaveFile.Sample, channels: Int) -> [UInt8] {
        let size = 200 * channels * kind.size
        let body = (0..<size).map { (place: Int) in UInt8((place * place >> 5) & 63) }
        return WaveFile.header(frames: 200, rate: 44_100, channels: channels, of: kind) + body
    }

    private static let scales = [
        "! a.scl\n!\nJust\n 12\n!\n 16/15\n 9/8\n 6/5\n 5/4\n 4/3\n 45/32\n 3/2\n 8/5\n 5/3\n 9/5\n 15/8\n 2/1\n",
        "\r\n12 notes\r\n90.225 cents\r\n192.18\r\n294.\r\n390.2\r\n498\t! x\r\n",
        "x\n12\n100.\n200.\n300.\n400.\n500.\n600.\n-1.5\n800.\n900.\n1000.\n1100.\n2\n"
            + "\u{0}! map\n12\n0\n127\n62\n69\n442.5\n12\n0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n11\n10\n",
        "x\n12\n100.\n200.\n300.\n400.\n500.\n600.\n700.\n800.\n900.\n1000.\n1100.\n1200.0\n"
            + "\u{0}0\n0\n127\n60\n60\n261.6256\n0\n",
    ]

    private static let schedules = [
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE tv SYSTEM "xmltv.dtd">
        <tv><channel id="a"><display-name lang="en">One</display-name></channel>
        <programme start="20260921203000 +0200" stop="20260921213000 +0200" channel="a"><title lang="en">The Wire</title>
        <episode-num system="xmltv_ns">1.2/9.0/1</episode-num></programme>
        <programme start="202609212359 BST" channel="b"><title>Caf\u{e9} &amp; more</title>
        <episode-num>1x03</episode-num></programme></tv>
        """,
        """
        <!DOCTYPE tv [<!ENTITY a "x"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/hostname">]>
        <tv><programme start="2026" channel="&b;"><title>&b;&c;</title></programme></tv>
        """,
    ]

    private static let recordings = [
        """
        # EVEMU 1.3
        # Input device name: "A"
        #   Event type 3 (EV_ABS)
        #     Event code 53 (ABS_MT_POSITION_X)
        #       Min        0
        #       Max      799
        N: A
        A: 35 0 799 0 0 0
        A: 36 0 479 0 0 0
        E: 0.000001 0003 0039 0007\t# EV_ABS / ABS_MT_TRACKING_ID
        E: 0.000001 0003 0035 0400
        E: 0.000001 0003 0036 0200
        E: 0.000001 0003 002f 0001
        E: 0.000001 0003 0039 0008
        E: 0.000001 0003 0035 0020
        E: 0.000001 0001 014a 0001
        E: 0.000001 0000 0000 0000
        E: 0.016001 0003 0036 0300
        E: 0.016001 0000 0003 0000
        E: 0.016001 0000 0000 0000
        E: 0.420001 0003 0039 -001
        E: 0.420001 0003 002f 0000
        E: 0.420001 0003 0039 -001
        E: 0.420001 0001 014a 0000
        E: 0.420001 0000 0000 0000
        """,
        """
        A: 00 0 799 0 0
        A: 01 0 479 0 0
        E: 0.000001 0003 0035 0400
        E: 0.000001 0003 0036 0200
        E: 0.000001 0003 0037 0002
        E: 0.000001 0000 0002 0000
        E: 0.000001 0003 0035 0100
        E: 0.000001 0003 0036 0100
        E: 0.000001 0003 003b 0001
        E: 0.000001 0000 0002 0000
        E: 0.000001 0000 0000 0000
        E: 0.010001 0000 0002 0000
        E: 0.010001 0000 0000 0000
        """,
        """
        A: 00 0 799 0 0
        A: 01 0 479 0 0
        E: 0.000001 0001 014a 0001
        E: 0.000001 0003 0000 0400
        E: 0.000001 0003 0001 0200
        E: 0.000001 0003 0019 0000
        E: 0.000001 0000 0000 0000
        E: 0.090001 0001 014a 0000
        E: 0.090001 0000 0000 0000
        """,
        """
        version: 1
        ndevices: 2
        system:
          dmi: "unknown" # a comment
        devices:
        - node: /dev/input/event1
          evdev: {name: "Keys", codes: {1: [30]}}
          events:
        - node: /dev/input/event0
          evdev:
            name: 'A'
            codes:
              1: [330]
              3: [0, 1, 53, 54]
            absinfo:
              53: [0, 799, 0, 0, 0]
              54: [0, 479, 0, 0, 0]
          hid: [
            0x05, 0x0d
          ]
          events:
          - evdev:
            - [  0,      0,   3,  57,       7]
            - [  0,      0,   0,   0,       0]
          - evdev:
            - [  0,  11879,   3,  57,      -1]
            - [  0,  11879,   0,   0,       0]
        """,
    ]

    private static let scripts = [
        """
        {"at": 0, "touch": 0, "phase": "down", "col": 4, "row": 3}
        {"at": 50, "touch": 0, "phase": "move", "col": 12.5, "row": 5}
        {"at": 60, "touch": 1, "phase": "down", "col": 5, "row": 10}
        {"at": 80, "touch": 0, "phase": "up", "col": 12.5, "row": 5}
        {"at": 90, "touch": 1, "phase": "cancel", "col": 5, "row": 10}
        """,
        """
        {"at": 0, "set": "rules", "value": "phone"}
        {"at": 0, "set": "tap", "value": false}
        {"at": 0, "key": "space"}
        {"at": 10, "set": "bass.cutoff", "value": 800}

        {"at": 20, "set": "metronome", "value": true}
        {"at": 30, "set": "countIn", "value": 2}
        {"at": 40, "key": "undo"}
        {"at": 350.5, "key": "clear"}
        {"at": 400, "set": "lock", "value": true}
        """,
        """
        {"at": 0, "set": "sync.source", "value": "link"}
        {"at": 5, "link": {"tempo": 120, "beat": 4, "peers": 1, "playing": true}}
        {"at": 10, "touch": 0, "phase": "down", "col": 4, "row": 3, "delay": 20}
        {"at": 20, "remote": "tempo", "value": 120}
        {"at": 30, "remote": "scene", "value": 1}
        {"at": 40, "turn": "tempo", "by": 3}
        {"at": 50, "heat": 40}
        {"at": 60, "set": "brightness", "value": 60}
        {"at": 70, "set": "quantise", "value": 60}
        {"at": 80, "set": "sync.pulseMilliseconds", "value": 15}
        {"at": 90, "set": "sync.pulseLevel", "value": 90}
        {"at": 300, "link": {"tempo": 99.5, "beat": 5}}
        """,
        """
        {"start": {"rate": 48000, "rules": "box", "volume": 80, "sync": {"clockPerQuarter": 2, "pulse": "off", "pulseLevel": 100, \
        "pulseMilliseconds": 15, "pulsesPerQuarter": 2, "source": "internal"}}}
        {"at": 0, "frame": 128, "place": 0}
        {"at": 1, "frame": 128, "key": "space"}
        {"at": 2, "frame": 200, "finger": 0, "phase": "down", "col": 13.5, "row": 10.5, "delay": 1}
        {"at": 3, "frame": 256, "step": 4, "number": 4}
        {"at": 4, "frame": 256, "trackStep": 3, "track": "bass", "begins": 36, "sounds": true}
        {"at": 5, "frame": 300, "round": {"length": 16, "bass": [[0, 3]]}}
        {"at": 6, "frame": 300, "beat": {"begin": 72, "end": 240, "peak": 9000, "endsBar": false, "oldest": 0}}
        {"at": 7, "frame": 300, "count": 3}
        {"at": 8, "frame": 300, "scene": 1}
        {"at": 9, "frame": 300, "lights": [[0, "DDP 60"], [1, "GRID", true]]}
        """,
        #"{"take": {"rate": 48000, "begin": 9600, "frames": 9600, "pages": [0, 0, 0, 0], "quantise": 60, "volume": 80, "pattern": "#
            + PatternDocument(pattern: music).text().split(separator: "\n").joined()
            + "}}\n{\"at\": 0, \"key\": \"space\"}",
    ]

    private static var music: Pattern {
        var pattern = Pattern()
        pattern[.melody, note: 3, step: 5] = .accent
        pattern[.melody, note: 3, step: 6] = .sustain
        pattern[.melody, note: -9, step: 5] = .normal
        pattern[.bass, note: 23, step: 7] = .normal
        return pattern
    }

    private static var other: PatternDocument {
        var document = PatternDocument(pattern: music, soloed: .melody, name: "A \"B\"")
        document.sound[.swing] = 60
        document.unknown = ["tags": .array([.null, .number("1.50")])]
        document.scenes = Scenes([nil, music, Pattern()], current: 2)
        document.parts[.bass] = 1
        return document
    }

    /// A file of another program: type 0, 96 ticks a quarter, running status, a system exclusive message, an unended
    /// note.
    private static let foreign: [UInt8] = {
        let events: [UInt8] = [
            0, 0xff, 0x51, 3, 7, 0xa1, 0x20, 0, 0xff, 0x59, 2, 0xfd, 1, 0, 0xc4, 5, 0, 0x94, 60, 100, 12, 64, 127,
            12, 60, 0, 0, 0xf0, 2, 1, 0xf7, 0, 0x99, 38, 90, 24, 0x89, 38, 0, 0x83, 0x00, 0xff, 0x2f, 0,
        ]
        return Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8)
            + [0, 0, 0, UInt8(events.count)] + events
    }()

    private static let configurations = [
        "// mine\n{ panel: { chip: 'WS2812B', brightness: .5, }, touch: { matrix: [0, -1, 1, 1, 0, 0] } /* b */ }\n",
        "{touch: {device: \"a\", overlays: [{matrix: [1, 0, 0, 0, 1, 0]}, {debounce: 0x14, median: true}]}}",
        "{\r\n\t\"gpio\": { \"play\": 17, \"tempo\": [5, 6], \"activeLow\": [] },\r\n}",
        "{audio: {device: 'hw:0', rate: 96e3}, rules: 'phone', library: null, keyboard: 'none', listen: '[::1]:80'}",
        "// nothing\n",
    ]

    private static var written: String { Configuration().json.text(pretty: true) }
}
