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
        // The line may be set late in a pass: the time counts from the next one.
        #expect(phase(30, .ready, darkFrames: 0) == .rising)
        #expect(phase(49, .ready, darkFrames: 0) == .rising)
        #expect(phase(50, .ready, darkFrames: 0) == .darkening)
        #expect(phase(60, .ready, darkFrames: 1) == .lit)
        #expect(phase(70, .missing, darkFrames: 1) == .lit)
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

    /// A supply with a fault line, and the box's passes of 10 ms.
    private struct Supply {
        var sequence = SupplySequence()
        /// The phases so far, with the milliseconds at which each began.
        var phases: [(milliseconds: Int64, phase: SupplySequence.Phase)] = []
        /// The problems so far, with the milliseconds at which each began.
        var problems: [(milliseconds: Int64, problem: String?)] = []
        private var now: Int64 = 0
        private var onSince: Int64?
        private var darkFrames = 0

        /// Passes up to `end`; `isFaulty` is the line, by the milliseconds since the supply was switched on, nil while
        /// it is off.
        mutating func run(
            until end: Int64, _ lines: SupplySequence.Lines = .ready, isFaulty: (_ on: Int64?) -> Bool
        ) {
            while now < end {
                let phase = sequence.advance(
                    at: Instant(milliseconds: now), lines, hasFrame: true, darkFrames: darkFrames,
                    isGood: !isFaulty(onSince.map { now - $0 }))
                if phase == .darkening { darkFrames += 1 }
                onSince = phase.hasSupply ? onSince ?? now : nil
                if phases.last?.phase != phase { phases.append((now, phase)) }
                let isNew = problems.last.map { $0.problem != sequence.problem } ?? true
                if isNew { problems.append((now, sequence.problem)) }
                now += 10
            }
        }
    }

    @Test("the fault of a supply that rises, 15 ms, only delays the data")
    func risingFault() {
        var supply = Supply()
        supply.run(until: 5000) { $0.map { $0 < 15 } ?? false }
        #expect(supply.phases.map(\.phase) == [.rising, .darkening, .lit])
        #expect(supply.phases.map(\.milliseconds) == [0, 30, 40])
        var slow = Supply()
        slow.run(until: 5000) { $0.map { $0 < 500 } ?? false }
        #expect(slow.phases.map(\.milliseconds) == [0, 500, 510])
        #expect(slow.problems.count == 1)
    }

    @Test(
        "a supply that never rises gets no data, is switched off after a second and tried every ten, and that is reported"
    )
    func neverRises() {
        var supply = Supply()
        supply.run(until: 25_000) { $0 != nil }
        #expect(supply.phases.map(\.phase) == [.rising, .failed, .rising, .failed, .rising, .failed])
        #expect(supply.phases.map(\.milliseconds) == [0, 1010, 11_020, 12_030, 22_040, 23_050])
        #expect(supply.problems.count == 2 && supply.problems.last?.problem?.contains("stay dark") == .some(true))
        // Once it is mended, the LEDs are lit and the report ends.
        supply.run(until: 40_000) { _ in false }
        #expect(supply.phases.last?.phase == .lit)
        #expect(supply.problems.last?.problem == nil)
    }

    @Test("a supply that fails under light is switched off with its data after ten seconds of limited light")
    func fails() {
        var supply = Supply()
        supply.run(until: 1000) { _ in false }
        supply.run(until: 12_500) { $0 != nil }
        #expect(supply.phases.map(\.phase) == [.rising, .darkening, .lit, .failed])
        #expect(supply.phases.last?.milliseconds == 11_000)
        #expect(supply.problems.last?.problem != nil)
        // A shorter fault ends nothing.
        var other = Supply()
        other.run(until: 1000) { _ in false }
        other.run(until: 10_900) { $0 != nil }
        other.run(until: 30_000) { _ in false }
        #expect(other.phases.last?.phase == .lit && other.phases.count == 3)
    }

    @Test("a fault that stays without the supply is heat: the LEDs are lit, at limited light")
    func heat() {
        var supply = Supply()
        supply.run(until: 60_000) { _ in true }
        #expect(supply.phases.map(\.phase) == [.rising, .darkening, .lit])
        var late = Supply()
        late.run(until: 1000) { _ in false }
        late.run(until: 60_000) { _ in true }
        #expect(late.phases.map(\.phase) == [.rising, .darkening, .lit, .failed, .rising, .darkening, .lit])
        #expect(late.phases.map(\.milliseconds) == [0, 30, 40, 11_000, 12_010, 12_040, 12_050])
        #expect(late.problems.map(\.problem) == [nil])
        // After it has cooled, the next fault is judged anew.
        late.run(until: 61_000) { _ in false }
        late.run(until: 75_000) { $0 != nil }
        #expect(late.phases.last?.phase == .failed)
    }

    @Test("a fault of a supply that is not switched limits the light, and holds nothing dark")
    func unswitchedFault() {
        var supply = Supply()
        supply.run(until: 30_000, .none) { _ in true }
        #expect(supply.phases.map(\.phase) == [.rising, .darkening, .lit])
        #expect(supply.problems.map(\.problem) == [nil])
    }
}
