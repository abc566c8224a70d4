import Display
import InputEvents
import Instrument

// The lines of a recorded session (docs/formats.md, "Recorded session"): the lines of a touch script, and lines that
// only a recording has.

/// The box at the start of a recorded session.
public struct RecordedStart: Hashable, Sendable {
    /// Sample rate, in frames per second.
    public var rate: Int
    /// Master volume in per cent, until the player sets one.
    public var volume: Int
    /// The rules of the gestures until the player sets others.
    public var rules: Rules
    /// The settings of the clocks.
    public var sync: SyncSettings
    /// The channels of the tracks on MIDI ports.
    public var trackChannels: TrackChannels
    /// The controllers of the tracks.
    public var trackControllers: TrackControllers
    /// Sources that stop the music at once while the performance lock is on.
    public var stops: StopSources

    /// A box with these settings.
    public init(
        rate: Int, volume: Int, rules: Rules, sync: SyncSettings, trackChannels: TrackChannels = TrackChannels(),
        trackControllers: TrackControllers = TrackControllers(),
        stops: StopSources = .leaders
    ) {
        self.rate = rate
        self.volume = volume
        self.rules = rules
        self.sync = sync
        self.trackChannels = trackChannels
        self.trackControllers = trackControllers
        self.stops = stops
    }

    init(_ field: JSONField) throws(FormatError) {
        try field.only(["rate", "volume", "rules", "sync", "trackChannels", "trackControllers", "lock"])
        rate = try field.needed("rate").integer(oneOf: TouchScript.rates)
        volume = try field.needed("volume").integer(in: Session.volumes)
        rules = try field.needed("rules").choice()
        sync = SyncSettings()
        try sync.read(try field.needed("sync"))
        trackChannels = TrackChannels()
        if let part = try field.part("trackChannels") { try trackChannels.read(part) }
        trackControllers = TrackControllers()
        if let part = try field.part("trackControllers") { try trackControllers.read(part) }
        stops = .leaders
        if let part = try field.part("lock") { try stops.read(part) }
    }

    /// The first line of the recording as text, without the line feed.
    public var text: String {
        let start: [String: JSON] = [
            "rate": .integer(rate), "volume": .integer(volume), "rules": .string(rules.rawValue), "sync": sync.json,
            "trackChannels": trackChannels.json,
            "trackControllers": trackControllers.json, "lock": stops.json,
        ]
        return JSON.object(["start": .object(start)]).text(pretty: false)
    }
}

extension TouchScript.Line {
    /// The last frame that a box at `rate` can have played by the time `at`, in milliseconds: clocks of audio devices
    /// are not off by 1 %, and a box begins to record within seconds.
    static func framesMax(at milliseconds: Double, rate: Int) -> UInt64 {
        UInt64(Double(rate) * (milliseconds / 1000 * 1.01 + 10))
    }

    /// Maximum sources of pictures.
    private static let sourcesMax = 64

    /// The act of a recorded line that has the keys in `common` too.
    static func recordedAct(
        _ field: JSONField, _ common: [String], framesMax: UInt64
    ) throws(FormatError) -> TouchScript.Act {
        let keys = try field.object().keys.filter { !common.contains($0) }
        if keys.isEmpty { return .control(.tick) }
        for word in keys {
            guard let part = try field.part(word) else { continue }
            switch word {
            case "finger":
                try field.only(common + ["finger", "phase", "col", "row", "delay"])
                return .control(
                    .touch(
                        Touch(
                            contact: try part.integer(in: 0...Touch.contactsMax - 1),
                            phase: try field.needed("phase").choice(phases),
                            column: Float(try field.needed("col").number(in: -1000...1000)),
                            row: Float(try field.needed("row").number(in: -1000...1000)), delay: try delay(field))))
            case "step":
                try field.only(common + ["step", "number", "delay"])
                return .control(
                    .step(
                        try part.integer(in: 0...Pattern.lengths.upperBound),
                        number: try field.needed("number").integer(in: 0...Int(clamping: UInt32.max)),
                        delay: try delay(field)))
            case "trackStep":
                try field.only(common + ["trackStep", "track", "begins", "sounds", "delay"])
                return .control(
                    .trackStep(
                        try field.needed("track").choice(tracks), step: try part.integer(in: 0...Pattern.steps - 1),
                        place: try field.needed("begins").integer(in: 0...Int(clamping: UInt32.max)),
                        sounds: try field.needed("sounds").bool(), delay: try delay(field)))
            case "round":
                try field.only(common + ["round"])
                return .control(.round(try round(part)))
            case "beat":
                try field.only(common + ["beat"])
                return .control(.beat(try beat(part, framesMax: framesMax)))
            case "count": return .control(.count(try single(part, word, field, common).integer(in: 0...64)))
            case "scene":
                return .control(.sceneBegan(try single(part, word, field, common).integer(in: 0...Scenes.count - 1)))
            case "parts": return .control(.partsBegan(try Parts(try single(part, word, field, common))))
            case "tune":
                let tags = 0...Instrument.TuneQueue.tags - 1
                return .control(.tuneBegan(tag: try single(part, word, field, common).integer(in: tags)))
            case "lights": return .control(.lights(try sources(try single(part, word, field, common))))
            case "did": return try single(part, word, field, common).choice(deeds)
            default: continue
            }
        }
        return try scriptedAct(field, common)
    }

    /// The part that is alone beside `common`.
    private static func single(
        _ part: JSONField, _ word: String, _ field: JSONField, _ common: [String]
    ) throws(FormatError) -> JSONField {
        try field.only(common + [word])
        return part
    }

    /// A command of a program: `{"remote": "mute", "track": "bass", "value": true}`.
    static func command(
        _ part: JSONField, _ field: JSONField, _ common: [String]
    ) throws(FormatError) -> RemoteCommand {
        try field.only(common + ["remote", "track", "value"])
        switch try part.string() {
        case "play": return .play
        case "stop": return .stop
        case "tempo": return .tempo(try field.needed("value").tempo())
        case "scene": return .scene(try field.needed("value").integer(in: 0...Scenes.count - 1))
        case "part":
            return .part(
                try field.needed("track").choice(tracks), try field.needed("value").integer(in: 0...Scenes.count - 1))
        case "mute": return .mute(try field.needed("track").choice(tracks), try field.needed("value").bool())
        case "toggleMute": return .toggleMute(try field.needed("track").choice(tracks))
        case "solo": return .solo(try field.needed("track").choice(tracks), try field.needed("value").bool())
        default:
            throw part.refused("is \(part.shown), should be play, stop, tempo, scene, part, mute, toggleMute or solo")
        }
    }

    private static func words(of command: RemoteCommand) -> [String: JSON] {
        switch command {
        case .play: ["remote": .string("play")]
        case .stop: ["remote": .string("stop")]
        case .tempo(let tempo): ["remote": .string("tempo"), "value": tempo.json]
        case .scene(let slot): ["remote": .string("scene"), "value": .integer(slot)]
        case .part(let track, let slot):
            ["remote": .string("part"), "track": .string(track.name), "value": .integer(slot)]
        case .mute(let track, let isOn):
            ["remote": .string("mute"), "track": .string(track.name), "value": .bool(isOn)]
        case .toggleMute(let track): ["remote": .string("toggleMute"), "track": .string(track.name)]
        case .solo(let track, let isOn):
            ["remote": .string("solo"), "track": .string(track.name), "value": .bool(isOn)]
        }
    }

    /// The sources of pictures: `[[0, "DDP 60"]]`, with the number and the name of each, and true for one that takes
    /// touches.
    private static func sources(_ field: JSONField) throws(FormatError) -> [LightSource] {
        var sources: [LightSource] = []
        for source in try field.list(counts: 0...sourcesMax) {
            let pair = try source.list(counts: 2...3)
            let takesTouches = pair.count > 2 ? try pair[2].bool() : false
            sources.append(
                LightSource(
                    number: try pair[0].integer(in: 0...Int(Int32.max)), name: try pair[1].string(),
                    takesTouches: takesTouches))
        }
        return sources
    }

    private static func json(of source: LightSource) -> JSON {
        let words: [JSON] = [.integer(source.number), .string(source.name.text)]
        return .array(source.takesTouches ? words + [.bool(true)] : words)
    }

    /// A round that was heard: `{"length": 16, "bass": [[0, 3], [12, 4, 7]]}`, with the place and the step of each step
    /// that sounded, and the note if that has hits of its own.
    private static func round(_ field: JSONField) throws(FormatError) -> HeardRound {
        try field.only(["length"] + Track.allCases.map { $0.name })
        var round = HeardRound(length: try field.needed("length").integer(in: 1...Pattern.steps))
        let places = 0...HeardRound.twelfths * round.length - 1
        for track in Track.allCases {
            guard let part = try field.part(track.name) else { continue }
            for step in try part.list(counts: 1...places.count * (1 + track.notes.count)) {
                let words = try step.list(counts: 2...3)
                round.steps[track.rawValue].append(
                    HeardRound.Step(
                        place: try words[0].integer(in: places), step: try words[1].integer(in: 0...Pattern.steps - 1),
                        note: words.count > 2 ? try words[2].integer(in: track.notes) : nil))
            }
        }
        return round
    }

    /// A beat that was heard: `{"begin": 72, "end": 24072, "peak": 9000, "steps": 4, "endsBar": false, "oldest": 0}`.
    private static func beat(_ field: JSONField, framesMax: UInt64) throws(FormatError) -> HeardBeat {
        try field.only(["begin", "end", "peak", "steps", "endsBar", "oldest"])
        let begin = try field.needed("begin").integer(in: 0...framesMax)
        return HeardBeat(
            begin: begin, end: try field.needed("end").integer(in: begin...framesMax),
            peak: try field.needed("peak").integer(in: 0...32_767),
            steps: try field.part("steps")?.integer(in: 1...Pattern.steps) ?? Metre().steps,
            endsBar: try field.needed("endsBar").bool(),
            oldest: try field.needed("oldest").integer(in: 0...framesMax))
    }

    private static func json(of beat: HeardBeat) -> JSON {
        .object([
            "begin": .frame(beat.begin), "end": .frame(beat.end), "peak": .integer(beat.peak),
            "steps": .integer(beat.steps), "endsBar": .bool(beat.endsBar), "oldest": .frame(beat.oldest),
        ])
    }

    private static func json(of round: HeardRound) -> JSON {
        var words: [String: JSON] = ["length": .integer(round.length)]
        for track in Track.allCases where !round.steps[track.rawValue].isEmpty {
            words[track.name] = .array(
                round.steps[track.rawValue].map { step in
                    let numbers = [step.place, step.step] + (step.note.map { [$0] } ?? [])
                    return JSON.array(numbers.map { JSON.integer($0) })
                })
        }
        return .object(words)
    }

    private static let tracks = Track.allCases.map { (word: $0.name, choice: $0) }
    static let knobs: [(word: String, choice: Knob)] = [
        ("tempo", .tempo), ("length", .length), ("volume", .volume),
    ]

    private static let deeds: [(word: String, choice: TouchScript.Act)] = [
        ("result", .result), ("sceneTaken", .sceneTaken), ("watched", .control(.watched)),
        ("showHints", .control(.showHints)), ("power", .control(.power)), ("powerOff", .control(.powerOff)),
    ]

    /// The line of a recording as text, without the line feed; nil before zero, or without a frame. An event that only
    /// a running box has, such as its address, is written as the time that it took.
    public var text: String? {
        guard let frame, at >= .zero else { return nil }
        var parts: [String: JSON] = [
            "at": .double(Double(at.microseconds) / 1000), "frame": .frame(frame),
        ]
        if let place { parts["place"] = .double(place) }
        parts.merge(words)
        return JSON.object(parts).text(pretty: false)
    }

    /// The line of a script as text, without the line feed; nil for what a script cannot say.
    var scriptText: String? {
        var line = self
        if case .control(.touch(let touch)) = act {
            line.act = .touch(
                contact: touch.contact, touch.phase, column: Double(touch.column), row: Double(touch.row),
                delay: touch.delay)
        }
        let words = line.words
        guard !words.isEmpty else { return nil }
        let at = JSON.double(Double(at.microseconds) / 1000)
        return JSON.object(words.merging(["at": at])).text(pretty: false)
    }

    /// The act's own keys.
    private var words: [String: JSON] {
        if let deed = Self.deeds.first(where: { $0.choice == act }) { return ["did": .string(deed.word)] }
        switch act {
        // A box is recorded by what its devices say, not by what happens to them.
        case .result, .sceneTaken, .device: return [:]
        case .midi(let bytes, let port):
            var words: [String: JSON] = ["midi": .string(String(midi: bytes))]
            if let port { words["port"] = .string(port) }
            return words
        case .touch(let contact, let phase, let column, let row, let delay):
            return [
                "touch": .integer(contact), "phase": .string(phase.rawValue), "col": .double(column),
                "row": .double(row),
            ].merging(Self.words(ofDelay: delay))
        case .control(let event): return Self.words(of: event)
        }
    }

    private static func words(ofDelay delay: Instant.Span) -> [String: JSON] {
        delay == .milliseconds(0) ? [:] : ["delay": .double(Double(delay.microseconds) / 1000)]
    }

    private static func words(of event: Instrument.Event) -> [String: JSON] {
        func set(_ name: String, _ value: JSON) -> [String: JSON] { ["set": .string(name), "value": value] }
        switch event {
        case .touch(let touch):
            return [
                "finger": .integer(touch.contact), "phase": .string(touch.phase.rawValue),
                "col": .double(Double(touch.column)), "row": .double(Double(touch.row)),
            ].merging(words(ofDelay: touch.delay))
        case .key(let key): return ["key": .string(key.rawValue)]
        case .keyUp(let key): return ["key": .string(key.rawValue), "phase": .string("up")]
        case .keyCancel(let key): return ["key": .string(key.rawValue), "phase": .string("cancel")]
        case .type(let character): return ["type": .string(String(character))]
        case .step(let step, let number, let delay):
            return ["step": .integer(step), "number": .integer(number)].merging(words(ofDelay: delay))
        case .trackStep(let track, let step, let place, let sounds, let delay):
            return [
                "trackStep": .integer(step), "track": .string(track.name), "begins": .integer(place),
                "sounds": .bool(sounds),
            ].merging(words(ofDelay: delay))
        case .round(let round): return ["round": json(of: round)]
        case .beat(let beat): return ["beat": json(of: beat)]
        case .sceneBegan(let slot): return ["scene": .integer(slot)]
        case .partsBegan(let parts): return ["parts": parts.json]
        case .tuneBegan(let tag): return ["tune": .integer(tag)]
        case .count(let beats): return ["count": .integer(beats)]
        case .lock(let isOn): return set("lock", .bool(isOn))
        case .audition(let isOn): return set("audition", .bool(isOn))
        case .tapSound(let isOn): return set("tap", .bool(isOn))
        case .rules(let rules): return set("rules", .string(rules.rawValue))
        case .brightness(let percent): return set("brightness", .integer(percent))
        case .metronome(let isOn): return set("metronome", .bool(isOn))
        case .countIn(let bars): return set("countIn", .integer(bars))
        case .quantise(let percent): return set("quantise", .integer(percent))
        case .record(let isOn): return set("record", .bool(isOn))
        case .sound(let control, let value): return set(control.word, .integer(value))
        case .turn(let knob, let count):
            let word = knobs.first { $0.choice == knob }?.word ?? ""
            return ["turn": .string(word), "by": .integer(count)]
        case .stick(let isThere): return ["stick": .bool(isThere)]
        case .remote(let command): return words(of: command)
        case .lights(let sources):
            return ["lights": .array(sources.map(json))]
        case .midi(let message): return ["midi": .string(String(midi: message.bytes))]
        case .edge(let edge): return ["edge": .string(edge.rawValue)]
        case .heat(let celsius): return ["heat": .orNull(celsius)]
        case .fault(let isThere): return ["fault": .bool(isThere)]
        case .link(let state):
            var link: [String: JSON] = [
                "tempo": .double(state.tempo), "beat": .double(state.beat), "peers": .integer(state.peers),
            ]
            if let isPlaying = state.isPlaying { link["playing"] = .bool(isPlaying) }
            if state.quantum != 4 { link["quantum"] = .double(state.quantum) }
            return ["link": .object(link)]
        case .sync(let setting):
            switch setting {
            case .source(let source): return set("sync.source", .string(source.rawValue))
            case .pulse(let output): return set("sync.pulse", output.json)
            case .pulsesPerQuarter(let count): return set("sync.pulsesPerQuarter", .integer(count))
            case .pulseMilliseconds(let length): return set("sync.pulseMilliseconds", .integer(length))
            case .pulseLevel(let level): return set("sync.pulseLevel", .integer(level))
            case .clockPerQuarter(let count): return set("sync.clockPerQuarter", .integer(count))
            }
        case .tuneEnds, .tick, .syncStatus, .watched, .showHints, .power, .powerOff, .facts, .guide, .sounds, .samples,
            .sample,
            .sampleFailed, .sliced, .dropped, .tunings, .opened, .listings, .notice, .transport:
            return [:]
        }
    }
}

extension JSON {
    /// A number of a frame, which may have more bits than `Int` in a browser.
    fileprivate static func frame(_ number: UInt64) -> JSON { .number(String(number)) }
}
