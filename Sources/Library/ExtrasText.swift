import Documents
import Instrument

/// The keys of `PatternExtras` of a composition in one text: a JSON object with the keys of the current pattern under
/// `pattern`, and the keys of the scenes under their numbers. Null if there are none.
enum ExtrasText {
    private static let name = "extras"
    private static let current = "pattern"

    static func value(of composition: Composition) -> Value {
        var parts: [String: JSON] = [:]
        func write(_ pattern: Pattern, as key: String) {
            let written = PatternExtras.written(pattern)
            if !written.isEmpty { parts[key] = .object(written) }
        }
        write(composition.own, as: current)
        for slot in 0..<Scenes.count where slot != composition.scenes.current {
            if let pattern = composition[scene: slot] { write(pattern, as: "\(slot)") }
        }
        return parts.isEmpty ? .null : .text(JSON.object(parts).text(pretty: false))
    }

    /// Adds the keys to the current pattern and the scenes of `composition`.
    static func read(_ fields: inout Fields, into composition: inout Composition) throws {
        guard let text = try fields.orNull({ try $0.text(name) }) else { return }
        guard case .object(let parts)? = try? JSON(parsing: Array(text.utf8)), !parts.isEmpty else {
            throw fields.refused(name, "are no JSON object")
        }
        var patterns = composition.scenes.patterns(playing: composition.pattern)
        func read(_ part: JSON, into pattern: inout Pattern) throws {
            guard case .object(let keys) = part, !keys.isEmpty, keys.keys.allSatisfy(PatternExtras.keys.contains)
            else { throw fields.refused(name, "have other keys") }
            do { try PatternExtras.read(keys, into: &pattern) } catch {
                throw fields.refused(name, "are wrong: \(error)")
            }
        }
        for (key, part) in parts.sorted(by: { $0.key < $1.key }) {
            if key == current {
                try read(part, into: &composition.pattern)
            } else if let slot = Int(key), "\(slot)" == key, patterns.indices.contains(slot),
                var pattern = patterns[slot],
                slot != composition.scenes.current
            {
                try read(part, into: &pattern)
                patterns[slot] = pattern
            } else {
                throw fields.refused(name, "belong to no pattern")
            }
        }
        composition.scenes = Scenes(patterns, current: composition.scenes.current)
    }
}
