import Documents
import Input
import InputEvents
import Instrument
import Runtime

/// Repeats a recorded session: every update of the loop that made it, each with its own frame, so that the sound is the
/// same.
final class RecordedSession {
    private let lines: [TouchScript.Line]
    /// Results of requests to the library that the recording has not delivered yet, oldest first.
    private var results: [Instrument.Event] = []

    init(_ script: TouchScript) { lines = script.lines }

    /// Keeps the results of a request until the recording delivers them. Notices are messages only.
    func add(_ events: [Instrument.Event]) { results += events.filter { $0.isResult } }

    /// Repeats the session up to `end`; nil is all of it. Returns the time of the end.
    func play(_ loop: Loop, _ audio: VirtualAudio, until end: Instant?) -> Instant {
        for line in lines {
            if let end, line.at > end { break }
            guard let frame = line.frame, let act = act(of: line) else { continue }
            audio.render(to: frame)
            loop.repeat(LoopUpdate(time: line.at, act: act, frame: frame, place: line.place))
        }
        return end ?? lines.last?.at ?? .zero
    }

    private func act(of line: TouchScript.Line) -> LoopUpdate.Act? {
        switch line.act {
        case .control(let event): return .event(event)
        case .sceneTaken: return .sceneTaken
        case .result: return .event(results.isEmpty ? .tick : results.removeFirst())
        case .midi(let bytes, _):
            var parser = MIDIParser()
            return bytes.compactMap { parser.parse($0) }.first.map { .event(.midi($0)) }
        case .touch, .device: return nil
        }
    }
}
