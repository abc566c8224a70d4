import Documents
import Formats
import Instrument
import InputEvents
import Replay

/// What a box is made of: the keys of `new`.
struct BoxRecipe {
    /// The document of the request, for `record`.
    let document: [String: JSON]
    /// The panel, the music and the settings at the start.
    private(set) var plan = Replay.Plan(TouchScript([]))
    /// Seconds of the sound and of the wires that are kept.
    private(set) var keptSeconds = 10.0
    private var libraryPath: String?
    private var listingsPath: String?
    private var today = LocalTime.day(ofDate: "2026-01-01")
    private let facts: Facts

    static let keys = ["config", "start", "library", "listings", "today", "rules", "keep", "takes"]

    /// The recipe in `field`, which has the keys in `common` too, of a box of this `version`.
    init(_ field: JSONField, _ common: [String], version: String) throws(FormatError) {
        try field.only(common + Self.keys)
        document = try field.object().filter { Self.keys.contains($0.key) }
        facts = Facts(version: version)
        if let part = try field.part("config") { try configure(part) }
        if let part = try field.part("start") { plan.start = try part.parsed(PatternDocument.init(parsing:)) }
        if let part = try field.part("rules") { plan.rules = try part.choice() }
        if let part = try field.part("today") {
            today = LocalTime.day(ofDate: try part.string())
            guard today != nil else { throw part.refused("is \(part.shown), should be a date as 2026-03-29") }
        }
        libraryPath = try field.part("library")?.string()
        listingsPath = try field.part("listings")?.string()
        if listingsPath != nil, libraryPath == nil {
            throw FormatError("listings", "are for a library's guide; name the library with library")
        }
        try field.read("keep", in: 0...600, into: &keptSeconds)
        plan.hasLight = keptSeconds > 0
        try field.read("takes", into: &plan.remembersSound)
        plan.initialEvents = [.facts(facts)] + (listingsPath == nil ? [] : [.listings])
    }

    private mutating func configure(_ part: JSONField) throws(FormatError) {
        let configuration = try part.parsed(Configuration.init(parsing:))
        plan.configure(configuration)
        plan.rules = configuration.rules
        plan.rate = configuration.audio.rate
    }

    /// The plan of a new box, and its library, by `files`; of one that begins again after a power cut, with what is
    /// left on the disk of `library`. Throws if a file cannot be read.
    func prepare(
        _ files: any BenchFiles, after library: (any BenchLibrary)? = nil
    ) throws -> (plan: Replay.Plan, library: (any BenchLibrary)?) {
        var plan = plan
        // Its music is in the library since.
        if library != nil { plan.start = nil }
        guard let source = library.map({ LibrarySource.disk($0) }) ?? libraryPath.map({ .file($0) }) else {
            return (plan, nil)
        }
        return try Bench.at("library") {
            let library = try files.useLibrary(source, today: today, listings: listingsPath, in: &plan)
            return (plan, library)
        }
    }

    /// The facts of a box whose library has this `problem`; nil for none.
    func facts(_ problem: String?) -> Facts {
        var facts = facts
        facts.problem = problem
        facts.faults = problem == nil ? [] : .library
        return facts
    }
}

extension Replay.Plan {
    /// The panel of `configuration`, what stops its music from outside, and its MIDI channels and controllers.
    package mutating func configure(_ configuration: Configuration) {
        panel = configuration.panel
        stops = configuration.stops
        (trackChannels, trackControllers) = (configuration.midi.channels, configuration.midi.controllers)
    }
}

extension JSONField {
    /// The document that stands here, read by `parse`; errors have their place in it.
    func parsed<Document>(_ parse: ([UInt8]) throws(FormatError) -> Document) throws(FormatError) -> Document {
        do throws(FormatError) {
            return try parse(value.bytes(pretty: false))
        } catch {
            throw FormatError(error.place.isEmpty ? path : "\(path).\(error.place)", error.problem)
        }
    }
}
