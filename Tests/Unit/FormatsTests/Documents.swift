import InputEvents
import Documents
import Formats
import Instrument
import Input
import TestSupport

/// A pattern with notes of all kinds, determined by the seed.
func pattern(_ seed: UInt64) -> Pattern {
    var random = SplitMix(seed: seed)
    var pattern = Pattern()
    pattern.tempo = Tempo(hundredths: .random(in: 2000...30000, using: &random))
    pattern.length = 4 * Int.random(in: 2...8, using: &random)
    // Every fourth pattern has up to four windows, and a metre.
    let isLong = seed % 4 == 2
    if isLong {
        pattern.length = .random(in: Pattern.lengths, using: &random)
        pattern.metre = Metre(
            beats: .random(in: Metre.beatsOfBar, using: &random),
            steps: Metre.stepsOfBeat.randomElement(using: &random) ?? 4)
    }
    pattern.tonality = Tonality(
        root: .random(in: 0..<12, using: &random), scale: Scale.named.randomElement(using: &random) ?? .major)
    if seed % 3 == 0 { pattern.tuning = randomTuning(&random) }
    // Every other pattern has notes outside the middle octave.
    for track in Track.allCases {
        for note in seed % 2 == 0 ? track.notes : 0...Pattern.octave - 1 {
            for step in 0..<(isLong ? Pattern.steps : Pattern.window) {
                let value = UInt8(max(0, Int.random(in: -6...3, using: &random)))
                pattern[track, note: note, step: step] = Cell(rawValue: value) ?? .empty
            }
        }
    }
    return pattern
}

/// A random tuning.
func randomTuning(_ random: inout SplitMix) -> Tuning {
    let cents = (0..<Pattern.octave).map { Int.random(in: Tuning.range(ofPitchClass: $0), using: &random) }
    let name = ["WERCK 3", "A", nil].randomElement(using: &random) ?? nil
    return Tuning(
        cents: Bool.random(using: &random) ? cents : Tuning().cents, name: name.flatMap { SoundName($0) },
        a4: .random(in: Tuning.references, using: &random))
}

/// A document's text with one change.
func text(_ change: (inout [String: JSON]) -> Void = { _ in }) throws -> [UInt8] {
    let whole = PatternDocument(pattern: pattern(7)).text()
    guard case .object(var root) = try JSON(parsing: Array(whole.utf8)) else { return [] }
    change(&root)
    return Array(JSON.object(root).text(pretty: true).utf8)
}

/// `document` as it is read after another program has changed its keys, with the remarks; or the error.
func reading(
    _ document: PatternDocument, _ change: (inout [String: JSON]) -> Void
) throws -> (document: PatternDocument?, remarks: [String], error: FormatError?) {
    guard case .object(var root) = try JSON(parsing: Array(document.text().utf8)) else { return (nil, [], nil) }
    change(&root)
    var remarks: [String] = []
    do throws(FormatError) {
        let bytes = Array(JSON.object(root).text(pretty: false).utf8)
        return (try PatternDocument(parsing: bytes, remarks: &remarks), remarks, nil)
    } catch {
        return (nil, remarks, error)
    }
}

/// The rows of an empty track with a change.
func cells(_ change: (inout [[JSON]]) -> Void) -> JSON {
    var rows = [[JSON]](repeating: Array(repeating: .integer(0), count: 32), count: 12)
    change(&rows)
    return .array(rows.map { .array($0) })
}

/// The error of `body`; nil if there is none.
func error(_ body: () throws(FormatError) -> Void) -> FormatError? {
    do throws(FormatError) {
        try body()
        return nil
    } catch { return error }
}

/// Parses a touch recording.
func recording(_ text: String) throws(FormatError) -> TouchRecording {
    try TouchRecording(parsing: Array(text.utf8))
}

/// The error of `text` as a touch recording; nil if there is none.
func refusal(_ text: String) -> FormatError? {
    do throws(FormatError) {
        _ = try recording(text)
        return nil
    } catch { return error }
}

/// A kernel report, as in a recording.
func report(_ microseconds: Int64, _ type: UInt16, _ code: UInt16, _ value: Int32) -> InputReport {
    InputReport(time: Instant(microseconds: microseconds), type: type, code: code, value: value)
}
