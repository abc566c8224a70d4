import InputEvents
import Instrument
import Runtime
import Testing

@Suite("The order of the LEDs' supply, data and light")
struct SupplySequenceTests {
    @Test("the supply rises for 20 ms and without a fault, then a dark frame is sent, then data and light follow")
    func order() {
        var sequence = SupplySequence()
        var darkFrames = 4
        func phase(_ milliseconds: Int64, hasFrame: Bool = true, isGood: Bool = true) -> SupplySequence.Phase {
            sequence.advance(
                at: Instant(milliseconds: milliseconds), .ready, hasFrame: hasFrame, darkFrames: darkFrames,
                isGood: isGood)
        }
        #expect(phase(0, hasFrame: false) == .off)
        #expect(phase(500, hasFrame: false) == .off)
        #expect(phase(1000) == .rising)
        #expect(phase(1019) == .rising)
        #expect(phase(1020, isGood: false) == .rising)
        #expect(phase(1300, isGood: false) == .rising)
        #expect(phase(1301) == .darkening)
        #expect(phase(1400) == .darkening)
        darkFrames += 1
        #expect(phase(1401) == .lit)
        #expect(phase(1500, isGood: false) == .lit)
    }

    @Test("lines that are lost begin anew, and those that are missing keep no light back")
    func missing() {
        var sequence = SupplySequence()
        func phase(_ milliseconds: Int64, _ lines: SupplySequence.Lines, darkFrames: Int) -> SupplySequence.Phase {
            sequence.advance(
                at: Instant(milliseconds: milliseconds), lines, hasFrame: true, darkFrames: darkFrames, isGood: true)
        }
        #expect(phase(0, .missing, darkFrames: 0) == .lit)
        #expect(phase(10, .ready, darkFrames: 0) == .rising)
        #expect(phase(30, .ready, darkFrames: 0) == .darkening)
        #expect(phase(40, .ready, darkFrames: 1) == .lit)
        #expect(phase(50, .missing, darkFrames: 1) == .lit)
        #expect(phase(1050, .ready, darkFrames: 1) == .rising)
    }

    @Test("a supply that is not switched needs no time, but a dark frame")
    func unswitched() {
        var sequence = SupplySequence()
        var phases: [SupplySequence.Phase] = []
        for darkFrames in [0, 0, 1] {
            phases.append(
                sequence.advance(at: .zero, .none, hasFrame: true, darkFrames: darkFrames, isGood: true))
        }
        #expect(phases == [.rising, .darkening, .lit])
    }
}
