import InputEvents
import Devices
import Formats
import Instrument
import Runtime

/// The GPIO parts of a running box: buttons, knobs, clock jacks, the LEDs' supply and the status LED.
final class Wiring {
    /// Buttons and knobs; nil if none is wired.
    let controls: GPIOControls?
    /// The pulses' output; nil if none is wired.
    let pulses: PulseLine?
    private let outputs: GPIOOutputs
    private var supply = SupplySequence()
    private var hasFault = false
    private var reported: [String] = []

    /// The parts that `configuration` describes.
    init(_ configuration: Configuration, clock: SystemClock) {
        let settings = configuration.gpio
        let wired = GPIOControls.Wiring(settings)
        controls = wired.isEmpty ? nil : GPIOControls(wired, clock: clock)
        pulses = PulseLine.Wiring(configuration).flatMap { PulseLine($0, clock: clock) }
        outputs = GPIOOutputs(GPIOOutputs.Wiring(settings))
    }

    /// Updates the status LED. Call it in every pass of the loop.
    func pass(at now: Instant) { outputs.showStatus(hasFault: hasFault, at: now) }

    /// Switches the LEDs' supply and level shifter by `SupplySequence`; returns its phase. Call it in every pass of the
    /// loop.
    func switchLEDs(hasFrame: Bool, darkFrames: Int, isGood: Bool, at now: Instant) -> SupplySequence.Phase {
        outputs.request(at: now)
        let lines = outputs.ledLines
        let phase = supply.advance(at: now, lines, hasFrame: hasFrame, darkFrames: darkFrames, isGood: isGood)
        // Lines that are granted again begin with everything off.
        outputs.follow(lines == .missing ? .off : phase, at: now)
        return phase
    }

    /// Why the LEDs' supply is off, in one line; nil while it is on or not switched.
    var supplyProblem: String? { supply.problem }

    /// Logs changes of the lines. Call it about once a second.
    func report(hasFault: Bool, at now: Instant) {
        self.hasFault = hasFault
        // Inputs and outputs may lack the same chip.
        var problems: [String] = []
        for problem in [controls?.problem, outputs.problem, pulses?.problem] {
            if let problem, !problems.contains(problem) { problems.append(problem) }
        }
        guard problems != reported else { return }
        for problem in problems where !reported.contains(problem) { Log.post("gpio: \(problem)") }
        if problems.isEmpty { Log.post("gpio: the lines are there again") }
        reported = problems
    }

    /// Switches everything off.
    func stop(at now: Instant) {
        pulses?.stop()
        outputs.stop(at: now)
    }
}

extension GPIOControls.Wiring {
    init(_ settings: Configuration.GPIOSettings) {
        func button(_ role: Configuration.GPIOSettings.Role) -> GPIOControls.Button? {
            settings[role].map { GPIOControls.Button(GPIOLine($0), isActiveLow: settings.activeLow.contains(role)) }
        }
        func encoder(_ pair: Configuration.GPIOSettings.Encoder?) -> GPIOControls.Encoder? {
            pair.map { GPIOControls.Encoder(a: GPIOLine($0.a), b: GPIOLine($0.b)) }
        }
        func input(_ role: Configuration.GPIOSettings.Role) -> GPIOControls.Input? {
            settings[role].map { GPIOControls.Input(GPIOLine($0), isActiveLow: settings.activeLow.contains(role)) }
        }
        self.init()
        chip = settings.chip
        clockIn = input(.clockIn)
        resetIn = input(.resetIn)
        runIn = input(.runIn)
        fault = input(.fault)
        play = button(.play)
        shift = button(.shift)
        power = button(.power)
        tempo = encoder(settings.tempo)
        volume = encoder(settings.volume)
        debounce = .milliseconds(Int64(settings.debounceMilliseconds))
        transitionsPerDetent = settings.detent
    }
}

extension GPIOOutputs.Wiring {
    init(_ settings: Configuration.GPIOSettings) {
        func output(_ role: Configuration.GPIOSettings.Role) -> GPIOOutputs.Output? {
            settings[role].map { GPIOOutputs.Output(GPIOLine($0), isActiveLow: settings.activeLow.contains(role)) }
        }
        self.init()
        chip = settings.chip
        ledEnable = output(.ledEnable)
        outputEnable = output(.outputEnable)
        statusLED = output(.statusLED)
    }
}

extension PulseLine.Wiring {
    /// The output of the pulses; nil if none is wired.
    init?(_ configuration: Configuration) {
        let settings = configuration.gpio
        guard let line = settings.clockOut else { return nil }
        self.init(
            chip: settings.chip,
            output: GPIOOutputs.Output(GPIOLine(line), isActiveLow: settings.activeLow.contains(.clockOut)))
        length = .milliseconds(Int64(configuration.sync.pulseMilliseconds))
        // Above the sound: an edge takes microseconds, a period milliseconds.
        priority = configuration.audio.priorityAbove
    }
}

extension GPIOLine {
    init(_ line: Configuration.GPIOSettings.Line) {
        self =
            switch line {
            case .number(let number): .number(number)
            case .name(let name): .name(name)
            }
    }
}

extension Configuration.GPIOSettings {
    /// All wired lines.
    package var wired: [GPIOSurvey.Wired] {
        var wired: [GPIOSurvey.Wired] = []
        for role in Role.allCases {
            if let line = self[role] { wired.append((role: role.rawValue, line: GPIOLine(line))) }
        }
        for (name, pair) in [("tempo", tempo), ("volume", volume)] {
            guard let pair else { continue }
            wired.append((role: "\(name)[0]", line: GPIOLine(pair.a)))
            wired.append((role: "\(name)[1]", line: GPIOLine(pair.b)))
        }
        return wired
    }
}

extension Configuration.AudioSettings {
    /// SCHED_FIFO priority of short work that is due on the microsecond, just above the sound's; 0 for none.
    var priorityAbove: Int { priority == 0 ? 0 : min(99, priority + 1) }
}
