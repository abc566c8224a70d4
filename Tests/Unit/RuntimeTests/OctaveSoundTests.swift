import Display
import Documents
import Foundation
import InputEvents
import Instrument
import Replay
import Runtime
import Testing

@Suite("Notes outside the middle octave")
struct OctaveSoundTests {
    @Test("play at their pitch, and the event log has their MIDI note", arguments: [-12, -1, 0, 12, 23])
    func pitch(note: Int) throws {
        var pattern = Pattern()
        pattern[.melody, note: note, step: 0] = .accent
        for step in 1..<16 { pattern[.melody, note: note, step: step] = .sustain }
        var plan = Replay.Plan(TouchScript([]))
        plan.start = PatternDocument(pattern: pattern)
        plan.until = .zero
        plan.loops = 1
        var left: [Float] = []
        var notes: [NoteEvent] = []
        var observers = Replay.Observers()
        observers.sound = { samples in left += stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }
        observers.note = { notes.append($0) }
        _ = try Replay.run(plan, observers)

        #expect(notes.map(\.note) == [note])
        #expect(notes.first?.line.contains(#""note":\#(60 + note)"#) == true, "\(notes.first?.line ?? "none")")
        // The melody is a sine: a rising zero crossing each period.
        let start = try #require(left.firstIndex { $0 != 0 })
        let second = Array(left[start + 4800..<start + 4800 + 48_000])
        let crossings = zip(second, second.dropFirst()).count { $0 < 0 && $1 >= 0 }
        let hertz = 440 * pow(2, Double(60 + note - 69) / 12)
        #expect(abs(Double(crossings) - hertz) <= 1)
    }

    @Test("a screen shows that they are off the page, above and below")
    func hidden() {
        var pattern = Pattern()
        pattern[.chords, note: -12, step: 0] = .normal
        pattern[.bass, note: 23, step: 0] = .normal
        var instrument = Instrument()
        let empty = frame(of: instrument)
        instrument.load(PatternDocument(pattern: pattern))
        let frame = frame(of: instrument)
        func isLit(_ row: Int) -> Bool { frame[2, row] != empty[2, row] }
        #expect(isLit(Track.chords.rows.upperBound - 1) && !isLit(Track.chords.rows.lowerBound))
        #expect(isLit(Track.bass.rows.lowerBound) && !isLit(Track.bass.rows.upperBound - 1))
        #expect(!Track.melody.rows.contains(where: isLit))
    }

    private func frame(of instrument: Instrument) -> Frame {
        var frame = Frame(columns: instrument.columns, rows: Instrument.rows)
        instrument.draw(into: &frame, at: .zero)
        return frame
    }
}
