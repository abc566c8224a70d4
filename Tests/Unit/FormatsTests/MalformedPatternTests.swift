import Documents
import Instrument
import Testing

/// A complete document in the current form, and one in the older form, with every possible key.
private let documents: [String] = {
    let row = "[" + Array(repeating: "0", count: 32).joined(separator: ",") + "]"
    let rows = "[" + Array(repeating: row, count: 12).joined(separator: ",") + "]"
    let rest = #""bpm":120,"length":16,"muted":["bass"],"soloed":"melody","name":"n","createdAt":"a","modifiedAt":"b""#
    let sound = #""sound":{"swing":60,"bass":{"cutoff":30},"delay":{"steps":3}}"#
    let notes = #"{"type":"T","notes":[{"col":4,"row":R,"pitch":60,"velocity":"accent"}]}"#
    let older = [("melody", "2"), ("chords", "8"), ("bass", "14"), ("rhythm", "18")].map { name, row in
        "\"\(name)\":" + notes.replacing("T", with: name).replacing("R", with: row)
    }
    let newer = Track.allCases.map { "\"\($0.name)\":\(rows)" }
    return [
        "{\(rest),\(sound),\"rootNote\":\"C\",\"scale\":\"major\",\"tracks\":{\(newer.joined(separator: ","))}}",
        "{\(rest),\"rootNote\":3,\"scale\":\"pentatonic\",\"tracks\":{\(older.joined(separator: ","))}}",
    ]
}()

private func failure(_ bytes: [UInt8]) -> FormatError? {
    do throws(FormatError) {
        _ = try PatternDocument(parsing: bytes)
        return nil
    } catch {
        return error
    }
}

@Suite("Malformed patterns")
struct MalformedPatternTests {
    /// A value within a document: its path, and the document with another value in its place.
    private struct Spot {
        var path: String
        var value: JSON
        var replacing: (JSON) -> JSON
    }

    private func spots(in json: JSON, at path: String = "", _ around: @escaping (JSON) -> JSON = { $0 }) -> [Spot] {
        var spots = [Spot(path: path, value: json, replacing: around)]
        switch json {
        case .object(let parts):
            for (key, value) in parts {
                spots += self.spots(in: value, at: path.isEmpty ? key : "\(path).\(key)") { other in
                    var changed = parts
                    changed[key] = other
                    return around(.object(changed))
                }
            }
        case .array(let values):
            for (index, value) in values.enumerated() {
                spots += self.spots(in: value, at: "\(path)[\(index)]") { other in
                    var changed = values
                    changed[index] = other
                    return around(.array(changed))
                }
            }
        default: break
        }
        return spots
    }

    /// One value of each kind.
    private static let kinds: [JSON] = [
        .null, .bool(true), .number("1.5"), .string("nothing"), .array([]), .object([:]),
    ]

    /// Optional keys, which may be null.
    private static let nullable = ["soloed", "name", "createdAt", "modifiedAt"]

    private func isSameKind(_ one: JSON, _ other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null), (.bool, .bool), (.string, .string), (.array, .array), (.object, .object): true
        default: false
        }
    }

    @Test("replacing a value by any wrong kind is rejected, with its path", arguments: [0, 1])
    func wrongKinds(which: Int) throws {
        let document = try JSON(parsing: Array(documents[which].utf8))
        #expect(failure(Array(documents[which].utf8)) == nil)
        // One in eight of identical rows is enough.
        let spots = spots(in: document).filter { spot in
            guard let open = spot.path.lastIndex(of: "["), let column = Int(spot.path[open...].dropFirst().dropLast())
            else { return true }
            return column % 8 == 3 || !spot.path.hasPrefix("tracks") || column < 2
        }
        var refused = 0
        for spot in spots {
            for kind in Self.kinds where !isSameKind(kind, spot.value) {
                if kind == .null && Self.nullable.contains(spot.path) { continue }
                let error = failure(Array(spot.replacing(kind).text(pretty: false).utf8))
                guard let error else {
                    // A root may be a number too, and unknown keys of a sound may have any depth.
                    Issue.record("\(spot.path) became \(kind), and was read")
                    continue
                }
                refused += 1
                let isPlaced = error.place == spot.path || error.place.hasPrefix(spot.path)
                #expect(isPlaced, "\(spot.path) became \(kind): \(error)")
            }
        }
        #expect(refused > 150)
    }

    @Test("a document truncated at any byte is rejected, with the position", arguments: [0, 1])
    func cut(which: Int) {
        let bytes = Array(documents[which].utf8)
        for count in 0..<bytes.count {
            guard let error = failure(Array(bytes.prefix(count))) else {
                Issue.record("\(count) bytes were read")
                return
            }
            if !error.place.hasPrefix("line 1, column") { Issue.record("\(count): \(error)") }
        }
    }

    @Test("a value out of range, a ragged row, a missing key and an unknown track are rejected, with their path")
    func values() throws {
        let document = try JSON(parsing: Array(documents[0].utf8))
        let cases: [(path: String, value: JSON)] = [
            ("bpm", .integer(19)), ("bpm", .integer(301)), ("length", .integer(0)), ("length", .integer(129)),
            ("tracks.bass[3][31]", .integer(4)), ("tracks.bass[3][31]", .integer(-1)),
            ("tracks.bass[3]", .array([.integer(0)])), ("tracks.bass", .array([])), ("muted[0]", .string("drums")),
            ("rootNote", .string("H")), ("rootNote", .integer(12)), ("scale", .string("dorian")),
            ("sound.swing", .integer(49)), ("sound.bass.cutoff", .integer(1_000_000)),
        ]
        let all = spots(in: document)
        for (path, value) in cases {
            let spot = try #require(all.first { $0.path == path }, "\(path)")
            let error = failure(Array(spot.replacing(value).text(pretty: false).utf8))
            #expect(error?.place == path, "\(path) \(value): \(String(describing: error))")
        }
        for key in ["bpm", "length", "rootNote", "scale", "tracks"] {
            guard case .object(var parts) = document else { return }
            parts[key] = nil
            let error = failure(Array(JSON.object(parts).text(pretty: false).utf8))
            #expect(error?.place == key)
        }
    }
}
