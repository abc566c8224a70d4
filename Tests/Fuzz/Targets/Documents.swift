import InputEvents
import Documents
import Formats
import Instrument
import Input
import Replay

/// The document parsed by `read`; nil if it is rejected, with a valid error.
func read<Document>(_ read: () throws(FormatError) -> Document) throws(Violation) -> Document? {
    var refusal: FormatError?
    do throws(FormatError) { return try read() } catch { refusal = error }
    guard let refusal else { throw Violation(problem: "rejected without an error") }
    try checkRefusal(refusal)
    return nil
}

/// An error gives a reason, and is one short line without control characters.
func checkRefusal(_ refusal: FormatError) throws(Violation) {
    let line = refusal.description
    try require(!refusal.problem.isEmpty, "refused without a reason")
    try require(!line.contains(where: \.isNewline) && line.count < 300, "refused in more than a line: \(line)")
    // The joiners of letters are seen by what they join.
    let acts = line.unicodeScalars.contains {
        [.control, .format].contains($0.properties.generalCategory) && ![0x200c, 0x200d].contains($0.value)
    }
    try require(!acts, "refused in a line that acts on a terminal")
}

func checkRecording(_ bytes: [UInt8]) throws(Violation) {
    _ = TouchRecording.looksLikeRecording(bytes)
    guard let recording = try read({ () throws(FormatError) in try TouchRecording(parsing: bytes) }) else { return }
    var last = Instant.zero
    for report in recording.reports {
        try require(report.time >= last, "\(report) is earlier than \(last)")
        last = report.time
    }
    try require(recording.reports.first?.time ?? .zero == .zero, "the first report is not at zero")
    guard let axes = recording.axes else { return }
    try require(axes.x.lowerBound < axes.x.upperBound && axes.y.lowerBound < axes.y.upperBound, "\(axes) are empty")
    var decoder = OverlayDecoder(TouchDevice(axes: axes), columns: 44, rows: Instrument.rows)
    var numbers = ContactNumbers()
    var fingers: [FingerReport] = []
    for report in recording.reports { decoder.decode(report, &numbers, into: &fingers) }
}

/// Maximum time of a replayed script; each replay runs the whole box.
private let replayEndMax = Instant(milliseconds: 500)
private let replayLinesMax = 200

func checkScript(_ bytes: [UInt8]) throws(Violation) {
    guard let script = try read({ () throws(FormatError) in try TouchScript(parsing: bytes) }) else { return }
    try require(script.lines.map(\.at) == script.lines.map(\.at).sorted(), "the lines are not in order of time")
    guard !script.lines.isEmpty, script.lines.count <= replayLinesMax else { return }
    var plan = Replay.Plan(script)
    plan.until = min(script.end + .milliseconds(100), replayEndMax)
    guard let outcome = try? Replay.run(plan) else { throw Violation(problem: "the default panel is rejected") }
    try checkWritten(outcome.document)
}

func checkPattern(_ bytes: [UInt8]) throws(Violation) {
    guard let document = try read({ () throws(FormatError) in try PatternDocument(parsing: bytes) }) else { return }
    try checkWritten(document)
}

func checkSound(_ bytes: [UInt8]) throws(Violation) {
    guard let document = try read({ () throws(FormatError) in try SoundDocument(parsing: bytes) }) else { return }
    let text = document.text()
    let again = try read { () throws(FormatError) in try SoundDocument(parsing: Array(text.utf8)) }
    try require(again == document, "the sound is another when it is read again: \(text)")
}

/// A tuning of a scale is one of a pattern, and its files are read again as the same tuning.
func checkScala(_ bytes: [UInt8]) throws(Violation) {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let scale = try read { () throws(FormatError) in try ScalaScale(parsing: parts.first ?? []) }
    var mapping: ScalaMapping?
    if parts.count > 1 {
        mapping = try read { () throws(FormatError) in try ScalaMapping(parsing: parts[1]) }
    }
    guard let scale, let name = SoundName("FUZZ") else { return }
    guard let tuning = try read({ () throws(FormatError) in try scale.tuning(named: name, mapping) }) else { return }
    var pattern = Pattern()
    pattern.tuning.choose(tuning)
    try checkWritten(PatternDocument(pattern: pattern))
    let again = try read { () throws(FormatError) in
        var mapping: ScalaMapping?
        if let a4 = tuning.a4 { mapping = try ScalaMapping(parsing: Array(ScalaMapping.text(a4: a4).utf8)) }
        return try ScalaScale(parsing: Array(ScalaScale.text(of: tuning).utf8)).tuning(named: name, mapping)
    }
    try require(again == tuning, "the tuning is another when it is read again: \(tuning.cents)")
}

func checkMIDI(_ bytes: [UInt8]) throws(Violation) {
    guard let found = try read({ () throws(FormatError) in try MIDIImport(parsing: bytes) }) else { return }
    try checkWritten(found.document)
    let notes = Track.allCases.reduce(0) { sum, track in
        sum + track.notes.count { !found.document.pattern.cells(track, note: $0).isEmpty }
    }
    try require(notes > 0 || !found.remarks.isEmpty, "there are notes in the file, and none in the pattern")
    guard notes > 0 else { return }
    let written = MIDIFile.bytes(found.document, loops: 1)
    let again = try read { () throws(FormatError) in try MIDIImport(parsing: written) }
    guard let again else { throw Violation(problem: "the written document is rejected") }
    // The file does not determine the swing without notes on second steps of pairs, nor a last note that wraps around.
    var (one, other) = (found.document, again.document)
    one.sound[.swing] = SoundControl.swing.defaultValue
    other.sound[.swing] = SoundControl.swing.defaultValue
    one.pattern.dropWrapped()
    // Bars that are alike only once the last note wraps around are read as one of them.
    if other.pattern.length < one.pattern.length {
        other.pattern = other.pattern.repeated(to: one.pattern.length)
        other.pattern.dropWrapped()
    }
    try require(one == other, "the pattern is another when it is written and read again: \(one.text()) \(other.text())")
}

extension Pattern {
    /// The pattern with `length` steps, which repeat its own.
    fileprivate func repeated(to length: Int) -> Pattern {
        var long = self
        long.length = length
        for track in Track.allCases {
            for note in track.notes {
                for step in self.length..<length {
                    long[track, note: note, step: step] = self[track, note: note, step: step % self.length]
                }
            }
        }
        return long
    }

    /// Removes runs that wrap around the end.
    fileprivate mutating func dropWrapped() {
        for track in Track.allCases {
            for note in track.notes {
                var step = 0
                while step < length, self[track, note: note, step: step] == .sustain {
                    self[track, note: note, step: step] = .empty
                    step += 1
                }
            }
        }
    }
}

/// Checks that a written document reads back equal.
private func checkWritten(_ document: PatternDocument) throws(Violation) {
    let text = document.text()
    let again = try read { () throws(FormatError) in try PatternDocument(parsing: Array(text.utf8)) }
    try require(again == document, "the document is another when it is read again: \(text)")
}

func checkConfiguration(_ bytes: [UInt8]) throws(Violation) {
    let document = try read { () throws(FormatError) in try JSON(parsing: bytes, as: .json5) }
    let configuration = try read { () throws(FormatError) in try Configuration(parsing: bytes) }
    if let document {
        for pretty in [true, false] {
            let text = Array(document.text(pretty: pretty).utf8)
            let again = try read { () throws(FormatError) in try JSON(parsing: text) }
            try require(again == document, "the JSON is another when it is read again")
        }
    }
    if let configuration {
        let text = Array(configuration.json.text(pretty: true).utf8)
        let again = try read { () throws(FormatError) in try Configuration(parsing: text) }
        try require(again == configuration, "the configuration is another when it is read again")
    }
    for path in [["touch", "matrix"], ["touch", "overlays", "0", "matrix"], ["a"], []] {
        try checkSetting(path, in: bytes, document, isConfiguration: configuration != nil)
    }
}

/// A rotation of the overlay.
private let matrix = JSON.array([0, -1, 1, 1, 0, 0].map { JSON.integer($0) })

private func checkSetting(
    _ path: [String], in bytes: [UInt8], _ document: JSON?, isConfiguration: Bool
) throws(Violation) {
    let set = try read { () throws(FormatError) in try Configuration.setting(path, to: matrix, in: bytes) }
    guard let set else {
        try require(!isConfiguration || path.count > 2, "\(path) of a configuration cannot be set")
        return
    }
    let result = try read { () throws(FormatError) in try JSON(parsing: set, as: .json5) }
    try require(result.flatMap { value(at: path[...], in: $0) } == matrix, "\(path) is not what it was set to")
    let again = try read { () throws(FormatError) in try Configuration.setting(path, to: matrix, in: set) }
    try require(again == set, "\(path) that is set already is set otherwise")
    if isConfiguration, path == ["touch", "matrix"] {
        let configuration = try read { () throws(FormatError) in try Configuration(parsing: set) }
        try require(configuration != nil, "a configuration is none when the matrix is set")
    }
}

private func value(at path: ArraySlice<String>, in document: JSON) -> JSON? {
    guard let name = path.first else { return document }
    switch document {
    case .object(let parts): return parts[name].flatMap { value(at: path.dropFirst(), in: $0) }
    case .array(let elements):
        return Int(name).flatMap { elements.indices.contains($0) ? value(at: path.dropFirst(), in: elements[$0]) : nil }
    default: return nil
    }
}
