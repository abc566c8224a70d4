import Documents
import InputEvents
import Instrument

extension Session {
    /// The session with the patterns that `scripts` draw, each on an empty panel, as its scenes: the first one is
    /// current. A script that is damaged is left out.
    package func withScenes(drawnBy scripts: [[UInt8]]) -> Session {
        // Optional, as scenes are: an array that is converted is cast dynamically.
        var patterns: [Pattern?] = []
        for script in scripts { if let pattern = try? Pattern(drawnBy: script) { patterns.append(pattern) } }
        guard let pattern = patterns.first ?? nil else { return self }
        var session = self
        session.composition = Composition(pattern: pattern, scenes: Scenes(patterns, current: 0))
        return session
    }
}

extension Pattern {
    /// The pattern that the touches and keys of `script` draw on an empty panel.
    fileprivate init(drawnBy script: [UInt8]) throws(FormatError) {
        var instrument = Instrument()
        for line in try TouchScript(parsing: script).lines {
            switch line.act {
            case .touch(let contact, let phase, let column, let row, _):
                let touch = Touch(contact: contact, phase: phase, column: Float(column), row: Float(row))
                _ = instrument.update(.touch(touch), at: line.at)
            case .control(let event): _ = instrument.update(event, at: line.at)
            // A script that draws has no keyboard, no faults and no recording.
            case .midi, .device, .result, .sceneTaken: break
            }
        }
        self = instrument.state.session.composition.pattern
    }
}
