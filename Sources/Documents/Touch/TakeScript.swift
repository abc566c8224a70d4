import InputEvents
import Instrument

/// The box at the start of a take's touches: Play was pressed, and the pattern begins (docs/formats.md, "Touches of a
/// take").
public struct TakeStart: Hashable, Sendable {
    /// The music then.
    public var document: PatternDocument
    /// Sample rate, in frames per second.
    public var rate: Int
    /// The first frame of the take, counted from the pattern's begin, and its number of frames.
    public var begin, frames: Int
    /// The settings that decide what a touch does and how loud it is.
    public var settings: Settings

    /// Seconds before the take, and of it, at most. A box remembers five minutes.
    private static let secondsMax = 3600

    /// Settings of the session that are not in its document.
    public struct Settings: Hashable, Sendable {
        /// The note page of each track.
        public var pages = [0, 0, 0, 0]
        /// The shown window of a pattern longer than 32 steps, within `Instrument.windows`.
        public var window = 0
        /// Whether the window goes with the playhead.
        public var follows = true
        /// The keys and the effects that the panel shows.
        public var keys = PanelKeys(), fx = PanelFX()
        /// The rules of the gestures.
        public var rules = Rules.box
        /// Whether a finger that lands on a step sounds at once.
        public var soundsTaps = true
        /// Whether a click sounds on every beat.
        public var metronome = false
        /// Whether played keys are written to the pattern.
        public var isRecording = false
        /// How far recorded notes are moved to their steps, in per cent.
        public var quantise = Session.quantises.upperBound
        /// Master volume in per cent.
        public var volume = Session.volumes.upperBound

        /// Those of a new box.
        public init() {}
    }

    /// A take of `frames` frames from `begin` on, of `document`.
    public init(document: PatternDocument, rate: Int, begin: Int, frames: Int, settings: Settings) {
        self.document = document
        self.rate = rate
        self.begin = begin
        self.frames = frames
        self.settings = settings
    }

    init(_ field: JSONField) throws(FormatError) {
        try field.only([
            "rate", "begin", "frames", "pages", "window", "follows", "rules", "tap", "metronome", "record", "quantise",
            "volume", "pattern", "keys", "fx",
        ])
        rate = try field.needed("rate").integer(oneOf: TouchScript.rates)
        begin = try field.needed("begin").integer(in: 0...rate * Self.secondsMax)
        frames = try field.needed("frames").integer(in: 0...rate * Self.secondsMax)
        settings = Settings()
        if let pages = try field.part("pages") {
            let tracks = Track.allCases.count
            settings.pages = []
            for page in try pages.list(counts: tracks...tracks) {
                settings.pages.append(try page.integer(in: -64...64))
            }
        }
        if let window = try field.part("window") { settings.window = try window.integer(in: Instrument.windows) }
        if let follows = try field.part("follows") { settings.follows = try follows.bool() }
        if let keys = try field.part("keys") { settings.keys = try PanelKeys(keys) }
        if let fx = try field.part("fx") { settings.fx = try PanelFX(fx) }
        if let rules = try field.part("rules") { settings.rules = try rules.choice() }
        if let isOn = try field.part("tap") { settings.soundsTaps = try isOn.bool() }
        if let isOn = try field.part("metronome") { settings.metronome = try isOn.bool() }
        if let isOn = try field.part("record") { settings.isRecording = try isOn.bool() }
        if let quantise = try field.part("quantise") {
            settings.quantise = try quantise.integer(in: Session.quantises)
        }
        if let volume = try field.part("volume") { settings.volume = try volume.integer(in: Session.volumes) }
        document = try PatternDocument(try field.needed("pattern"))
    }

    /// The first line of the script as text, without the line feed.
    public var text: String {
        var take: [String: JSON] = [
            "rate": .integer(rate), "begin": .integer(begin), "frames": .integer(frames),
            "pages": .array(settings.pages.map { .integer($0) }), "window": .integer(settings.window),
            "follows": .bool(settings.follows), "rules": .string(settings.rules.rawValue),
            "tap": .bool(settings.soundsTaps), "metronome": .bool(settings.metronome),
            "record": .bool(settings.isRecording), "quantise": .integer(settings.quantise),
            "volume": .integer(settings.volume),
            "pattern": document.json,
        ]
        if settings.keys != PanelKeys() { take["keys"] = settings.keys.json }
        if settings.fx != PanelFX() { take["fx"] = settings.fx.json }
        return JSON.object(["take": .object(take)]).text(pretty: false)
    }

    /// The end of the take after the pattern's begin.
    public var end: Instant { Instant(microseconds: Int64(begin + frames) * 1_000_000 / Int64(rate)) }

    /// The session that the touches begin with.
    public var session: Session {
        var session = Session(document)
        session.pages = settings.pages
        session.rules = settings.rules
        session.soundsTaps = settings.soundsTaps
        session.metronome = settings.metronome
        session.quantise = settings.quantise
        session.volume = settings.volume
        return session
    }
}

extension PanelKeys {
    fileprivate init(_ field: JSONField) throws(FormatError) {
        self.init()
        try field.only(["shown", "track", "hold", "twelve"])
        if let isOn = try field.part("shown") { isShown = try isOn.bool() }
        if let track = try field.part("track") { self.track = try track.choice(Track.allCases.map { ($0.name, $0) }) }
        if let isOn = try field.part("hold") { isHolding = try isOn.bool() }
        if let isOn = try field.part("twelve") { hasAllTwelve = try isOn.bool() }
    }

    fileprivate var json: JSON {
        .object([
            "shown": .bool(isShown), "track": .string(track.name), "hold": .bool(isHolding),
            "twelve": .bool(hasAllTwelve),
        ])
    }
}

extension PanelFX {
    fileprivate init(_ field: JSONField) throws(FormatError) {
        self.init()
        try field.only(["open", "step"])
        if let isOn = try field.part("open") { isOpen = try isOn.bool() }
        if let isOn = try field.part("step") { waits = try isOn.bool() }
    }

    fileprivate var json: JSON { .object(["open": .bool(isOpen), "step": .bool(waits)]) }
}

extension TouchScript {
    /// The script of a take that began with `start`, and had these events; each is as late after Play as its time says.
    public static func text(_ start: TakeStart, _ events: [(at: Instant.Span, event: Instrument.Event)]) -> String {
        var lines = [start.text]
        let play = Line(at: .zero, act: .control(.key(.playStop)))
        lines.append(contentsOf: [play.scriptText].compactMap { $0 })
        for (at, event) in events {
            let line = Line(at: .zero + at, act: .control(event))
            if let text = line.scriptText { lines.append(text) }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
