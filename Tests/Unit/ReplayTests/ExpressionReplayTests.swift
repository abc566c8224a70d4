import Documents
import InputEvents
import Instrument
import Replay
import SignalAnalysis
import TestSupport
import Testing

@Suite("Bend and zones of MIDI in a replay")
struct ExpressionReplayTests {
    private func line(_ milliseconds: Double, _ bytes: [UInt8]) -> TouchScript.Line {
        TouchScript.Line(at: Instant(microseconds: Int64(milliseconds * 1000)), act: .midi(bytes, port: nil))
    }

    /// The left channel of `script`, in frames of 48 kHz.
    private func sound(of script: TouchScript, until: Int64) throws -> [Float] {
        var plan = Replay.Plan(script)
        plan.until = Instant(milliseconds: until)
        var left: [Float] = []
        var observers = Replay.Observers()
        observers.sound = { samples in
            for index in stride(from: 0, to: samples.count, by: 2) { left.append(samples[index]) }
        }
        _ = try Replay.run(plan, observers)
        return left
    }

    @Test("the wheel of a script bends a key by two semitones; a zone's by 48")
    func bend() throws {
        let text = """
            {"at":0,"midi":"90 3C 7F"}
            {"at":400,"midi":"E0 7F 7F"}
            {"at":1000,"midi":"80 3C 40 B0 65 00 64 06 06 03"}
            {"at":1500,"midi":"91 30 7F E1 7F 7F"}
            {"at":2500,"midi":"81 30 40"}

            """
        let sound = try sound(of: TouchScript(parsing: Array(text.utf8)), until: 3000)
        let notes: [(Range<Int>, Double)] = [
            (4800..<18_000, 261.6256), (24_000..<46_000, 293.6648), (78_000..<115_000, 2093.0045),
        ]
        for (frames, hertz) in notes {
            let cents = detuning(of: sound[frames], from: hertz, rate: 48_000)
            #expect(abs(cents) < 1, "\(hertz) Hz: \(cents)")
        }
    }

    @Test(
        "no note hangs, and no bend, whatever zones are set, changed and ended under it",
        arguments: 1...20 as ClosedRange<UInt64>)
    func noHangingNote(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var lines: [TouchScript.Line] = []
        var down: Set<[UInt8]> = []
        for number in 0..<400 {
            let at = 5 * Double(number)
            let channel = UInt8.random(in: 0..<16, using: &random)
            let value = UInt8.random(in: 0...127, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2:
                let key = UInt8.random(in: 40...70, using: &random)
                down.insert([0x80 | channel, key, 64])
                lines.append(line(at, [0x90 | channel, key, 100]))
            case 3, 4:
                guard let off = down.sorted(by: { $0.lexicographicallyPrecedes($1) }).randomElement(using: &random)
                else { continue }
                down.remove(off)
                lines.append(line(at, off))
            case 5:
                let manager: UInt8 = Bool.random(using: &random) ? 0 : 15
                let members = UInt8.random(in: 0...20, using: &random)
                lines.append(line(at, [0xb0 | manager, 101, 0, 100, 6, 6, members]))
            case 6: lines.append(line(at, [0xe0 | channel, value, value]))
            case 7: lines.append(line(at, [0xd0 | channel, value]))
            case 8:
                let number = UInt8([6, 38, 64, 64, 98, 99, 100, 101, 121].randomElement(using: &random) ?? 64)
                lines.append(line(at, [0xb0 | channel, number, value]))
            default: lines.append(line(at, [0xa0 | channel, value, value]))
            }
        }
        for off in down { lines.append(line(2100, off)) }
        for channel in 0..<16 as Range<UInt8> { lines.append(line(2200, [0xb0 | channel, 64, 0])) }
        // After them a zone that is ended, and a note that has to be in tune.
        for manager in [0, 15] as [UInt8] {
            lines.append(line(2300, [0xb0 | manager, 101, 0, 100, 6, 6, 3, 6, 0]))
        }
        lines.append(line(2310, [0xe0, 0, 64, 0xd0, 0]))
        lines.append(line(4500, [0x90, 60, 100]))
        let sound = try sound(of: TouchScript(lines), until: 5200)
        #expect(sound[..<100_800].contains { abs($0) > 0.02 })
        #expect(sound[192_000..<216_000].allSatisfy { $0 == 0 }, "seed \(seed): a note hangs")
        let note = sound[(Int(4.6 * 48_000))...]
        #expect(note.contains { abs($0) > 0.02 })
        let key = [261.6256, 130.8128, 65.4064].min { first, second in
            abs(detuning(of: note, from: first, rate: 48_000)) < abs(detuning(of: note, from: second, rate: 48_000))
        }
        #expect(abs(detuning(of: note, from: key ?? 0, rate: 48_000)) < 1, "seed \(seed)")
    }
}
