import Documents
import Instrument
import Testing

@Suite("Octaves in pattern documents")
struct OctaveTests {
    /// Notes in all three octaves; two of them have the same pitch class at step 3.
    private static let wide: Pattern = {
        var pattern = Pattern()
        pattern[.melody, note: -12, step: 0] = .accent
        pattern[.melody, note: -5, step: 3] = .sustain
        pattern[.melody, note: 7, step: 3] = .normal
        pattern[.melody, note: 19, step: 4] = .accent
        pattern[.bass, note: 23, step: 31] = .normal
        pattern[.rhythm, note: 3, step: 9] = .accent
        return pattern
    }()

    private func root(_ pattern: Pattern) throws -> [String: JSON] {
        guard case .object(let root) = try JSON(parsing: Array(PatternDocument(pattern: pattern).text().utf8)) else {
            return [:]
        }
        return root
    }

    private func read(_ root: [String: JSON]) throws -> (document: PatternDocument, remarks: [String]) {
        var remarks: [String] = []
        let document = try PatternDocument(
            parsing: Array(JSON.object(root).text(pretty: false).utf8), remarks: &remarks)
        return (document, remarks)
    }

    @Test("every note comes back in its octave, hidden notes and scenes too", arguments: 0..<20 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        let document = PatternDocument(
            pattern: pattern(seed), scenes: Scenes([nil, pattern(seed + 1), pattern(seed + 2)]))
        var remarks: [String] = []
        #expect(try PatternDocument(parsing: Array(document.text().utf8), remarks: &remarks) == document)
        #expect(remarks == [])
    }

    @Test("without notes outside the middle octave there is no key for octaves")
    func narrow() throws {
        #expect(try root(pattern(1))["octaves"] == nil)
        #expect(try root(Self.wide)["octaves"] != nil)
    }

    @Test("octaves hold every melodic track with notes there, also one that stays in the middle")
    func complete() throws {
        var pattern = Self.wide
        pattern[.chords, note: 4, step: 2] = .normal
        guard case .object(let octaves)? = try root(pattern)["octaves"] else {
            throw FormatError("octaves", "is missing")
        }
        let tracks = octaves.mapValues { octave -> [String] in
            if case .object(let tracks) = octave { tracks.keys.sorted() } else { [] }
        }
        #expect(tracks == ["low": ["melody"], "middle": ["chords", "melody"], "high": ["bass", "melody"]])
    }

    @Test("another program reads every note by its pitch class: accent before normal before sustain")
    func folded() throws {
        var root = try root(Self.wide)
        root["octaves"] = nil
        let narrow = try read(root).document.pattern
        var expected = Pattern()
        expected[.melody, note: 0, step: 0] = .accent
        expected[.melody, note: 7, step: 3] = .normal
        expected[.melody, note: 7, step: 4] = .accent
        expected[.bass, note: 11, step: 31] = .normal
        expected[.rhythm, note: 3, step: 9] = .accent
        #expect(narrow == expected)
    }

    @Test("a track that another program has changed counts as it is there; the other tracks keep their octaves")
    func changed() throws {
        var root = try root(Self.wide)
        guard case .object(var tracks)? = root["tracks"] else { throw FormatError("tracks", "is missing") }
        tracks["melody"] = cells { $0[2][5] = .integer(1) }
        root["tracks"] = .object(tracks)
        let (document, remarks) = try read(root)
        #expect(remarks == ["melody was changed by a program that knows one octave: its octaves are left out"])
        #expect(document.pattern[.melody, note: 2, step: 5] == .normal)
        #expect(document.pattern[.melody, note: -12, step: 0] == .empty)
        #expect(document.pattern[.bass, note: 23, step: 31] == .normal)
    }

    static let wrong: [(octaves: String, place: String)] = [
        (#"{"top": {}}"#, "octaves"), (#"{"low": {"rhythm": []}}"#, "octaves.low"),
        (#"{"low": {"melody": []}}"#, "octaves.low.melody"), (#"{"low": 3}"#, "octaves.low"), ("[]", "octaves"),
    ]

    @Test("octaves in another form are refused with their place", arguments: wrong)
    func refused(octaves: String, place: String) throws {
        var root = try root(Self.wide)
        root["octaves"] = try JSON(parsing: Array(octaves.utf8))
        let bytes = Array(JSON.object(root).text(pretty: false).utf8)
        let refusal = error { () throws(FormatError) in _ = try PatternDocument(parsing: bytes) }
        #expect(refusal?.place.hasPrefix(place) == true, "\(refusal?.description ?? "was read")")
    }
}
