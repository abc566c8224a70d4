import Documents
import InputEvents
import Panel
import Replay
import Testing

@Suite("The light's limit in a replay")
struct LightLimitReplayTests {
    /// A bright screen, on a zone that allows 1.3 A, of which 1.056 A are the dark LEDs'.
    private let screen = #"{"at": 10, "touch": 0, "phase": "down", "col": 10, "row": 23}"#
    private let standby = 1.056
    private let limit = 1.3

    /// The current of the colours in amperes, by the bytes of each frame of `script`, with its time.
    private func currents(
        _ script: String, until end: Int64
    ) throws -> [(milliseconds: Int64, amps: Double)] {
        var plan = Replay.Plan(try TouchScript(parsing: Array((screen + "\n" + script).utf8)))
        plan.panel.zones = [PanelConfiguration.Zone(amps: limit, from: 0, count: 1056)]
        plan.until = Instant(milliseconds: end)
        let panel = plan.panel
        let chip = panel.chip
        var currents: [(milliseconds: Int64, amps: Double)] = []
        var observers = Replay.Observers()
        observers.wire = { message, _, now in
            guard let leds = try? chip.decode(message, leds: 1056, hertz: panel.chains[0].hertz) else { return }
            let milliamps = leds.reduce(0.0) { sum, led in
                let colours =
                    Double(led.red) * panel.milliamps.red + Double(led.green) * panel.milliamps.green
                    + Double(led.blue) * panel.milliamps.blue
                return sum + colours / Double(chip.lightSteps)
            }
            currents.append((now.microseconds / 1000, milliamps / 1000))
        }
        _ = try Replay.run(plan, observers)
        return currents
    }

    /// The current of the last frame at `milliseconds` or before.
    private func current(
        at milliseconds: Int64, in currents: [(milliseconds: Int64, amps: Double)]
    ) throws -> Double {
        try #require(currents.last { $0.milliseconds <= milliseconds }).amps
    }

    @Test("heat takes current from the frames, and cooling gives it back")
    func heat() throws {
        let script = """
            {"at": 2000, "heat": 75}
            {"at": 5000, "heat": 67}
            {"at": 12000, "heat": 40}
            """
        let currents = try currents(script, until: 20_000)
        let room = limit - standby
        let full = try current(at: 1990, in: currents)
        #expect(full > 0.95 * room && full <= room)
        // A tenth at 75 °C, and 58 % at 67 °C, on a line from 60 °C; never above it.
        for frame in currents where (2100..<5000).contains(frame.milliseconds) { #expect(frame.amps <= 0.1 * room) }
        #expect(try current(at: 4990, in: currents) > 0.05 * room)
        for frame in currents where (5100..<12_000).contains(frame.milliseconds) { #expect(frame.amps <= 0.581 * room) }
        #expect(try current(at: 11_990, in: currents) > 0.5 * room)
        #expect(try current(at: 20_000, in: currents) > 0.95 * room)
    }

    @Test("a fault halves the current after 0.1 s and each second, and within a minute of its end it is back")
    func fault() throws {
        let script = """
            {"at": 2000, "fault": true}
            {"at": 7000, "fault": false}
            """
        let currents = try currents(script, until: 70_000)
        let room = limit - standby
        let steps: [(from: Int64, to: Int64, share: Double)] = [
            (2150, 3080, 0.5), (3150, 4080, 0.25), (4150, 5080, 0.125), (5150, 6990, 0.1),
        ]
        for step in steps {
            for frame in currents where (step.from..<step.to).contains(frame.milliseconds) {
                #expect(frame.amps <= step.share * room, "\(frame)")
            }
            #expect(try current(at: step.to, in: currents) > 0.7 * step.share * room)
        }
        let half = try current(at: 31_000, in: currents)
        #expect((0.4 * room...0.6 * room).contains(half))
        #expect(try current(at: 70_000, in: currents) > 0.95 * room)
    }

    @Test("a fault of less than 0.1 s, as while the supply rises, dims nothing", arguments: [15, 50, 99] as [Int64])
    func shortFault(milliseconds: Int64) throws {
        let script = """
            {"at": 2000, "fault": true}
            {"at": \(2000 + milliseconds), "fault": false}
            """
        let room = limit - standby
        for frame in try currents(script, until: 4000) where frame.milliseconds >= 1500 {
            #expect(frame.amps > 0.95 * room, "\(frame)")
        }
    }
}
