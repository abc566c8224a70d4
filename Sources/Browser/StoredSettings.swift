import Documents
import InputEvents
import Instrument

/// The settings of a session, and the tune that plays: what a browser keeps beside the tunes. The history is not kept.
enum StoredSettings {
    /// The name of the stored document.
    static let key = "session"

    /// Range of a page of a track, in scale degrees.
    private static let pages = -64...64

    /// The stored document of `session`.
    static func text(_ session: Session) -> String {
        var root: [String: JSON] = [
            "pages": .array(session.pages.map { .integer($0) }),
            "colours": .string(session.colourMode.rawValue), "auditions": .bool(session.auditions),
            "metronome": .bool(session.metronome), "countIn": .integer(session.countIn),
            "quantise": .integer(session.quantise), "locked": .bool(session.isLocked),
            "menu": .bool(session.isMenuOpen), "hints": .integer(session.hintsDue.rawValue),
            "words": .number("\(session.wordCounts.bits)"), "controllers": .string(session.learned.text),
        ]
        root["tune"] = session.pattern.map { .number("\($0)") }
        root["taps"] = session.soundsTaps.map { .bool($0) }
        root["rules"] = session.rules.map { .string($0.rawValue) }
        root["sync"] = session.syncSource.map { .string($0.rawValue) }
        root["volume"] = session.volume.map { .integer($0) }
        root["brightness"] = session.brightness.map { .integer($0) }
        return JSON.object(root).text(pretty: false)
    }

    /// Reads the settings in `bytes` into `session`.
    static func read(_ bytes: [UInt8], into session: inout Session) throws(FormatError) {
        let root = JSONField(try JSON(parsing: bytes))
        if let pages = try root.part("pages") {
            let tracks = Track.allCases.count
            session.pages = []
            for page in try pages.list(counts: tracks...tracks) {
                session.pages.append(try page.integer(in: Self.pages))
            }
        }
        try root.read("colours", into: &session.colourMode)
        try root.read("auditions", into: &session.auditions)
        try root.read("metronome", into: &session.metronome)
        try root.read("countIn", in: Session.countIns, into: &session.countIn)
        try root.read("quantise", in: Session.quantises, into: &session.quantise)
        try root.read("locked", into: &session.isLocked)
        try root.read("menu", into: &session.isMenuOpen)
        if let bits = try root.part("hints") {
            session.hintsDue = HintSet(rawValue: try bits.integer(in: 0...HintSet.all.rawValue))
        }
        if let bits = try root.part("words") {
            session.wordCounts = WordCounts(bits: try bits.integer(in: 0...Int64.max))
        }
        if let text = try root.part("controllers") {
            guard let learned = LearnedControllers(text: try text.string()) else {
                throw text.refused("are not written by this box")
            }
            session.learned = learned
        }
        if let number = try root.part("tune") { session.pattern = try number.integer(in: StoredTune.numbers) }
        if let isOn = try root.part("taps") { session.soundsTaps = try isOn.bool() }
        if let rules = try root.part("rules") { session.rules = try rules.choice() }
        if let source = try root.part("sync") { session.syncSource = try source.choice() }
        if let volume = try root.part("volume") { session.volume = try volume.integer(in: Session.volumes) }
        if let percent = try root.part("brightness") {
            session.brightness = try percent.integer(in: Session.brightnesses)
        }
    }
}
