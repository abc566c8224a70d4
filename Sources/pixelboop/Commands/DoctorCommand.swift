import Devices
import Formats
import FoundationEssentials
import Glibc
import Runtime

extension Main {
    static let doctor = Command(
        "doctor", usage: "[--config FILE] [--json]",
        help: """
            Looks at what the box needs on this machine and says what is wrong and what to do: the configuration, sound, the
            library's place, the LED panel's and the touch overlay's devices, GPIO lines. It plays nothing and changes nothing. Each line
            is ok, a warning (the box runs, with less) or a fault (something that the configuration asks for is not to be
            had); with a fault the exit status is 69.

                --config FILE   read this configuration
                --json          print one JSON object instead of a table, with the configuration in force
            """,
        options: ["--config"], flags: ["--json"]
    ) { arguments in
        let patient = try Patient(arguments)
        let findings = Doctor.checks.flatMap { section, check in
            check(patient).map { (section, $0) }
        }
        if arguments.has("--json") {
            let list = findings.map { JSON.object($1.json.merging(["section": .string($0)]) { $1 }) }
            let report: [String: JSON] = ["configuration": patient.configuration.json, "findings": .array(list)]
            print(JSON.object(report).text(pretty: true))
        } else {
            for (section, finding) in findings {
                print(section.padded(15) + finding.state.rawValue.padded(9) + finding.line)
            }
        }
        let faults = findings.filter { $1.state == .fault }.count
        if faults > 0 {
            throw CommandError(.unavailable, "\(String(faults, of: "fault")); what to do stands beside")
        }
    }
}

/// What one check found.
struct Finding {
    enum State: String {
        case ok, warning, fault
    }

    var state: State
    var what: String
    var fix: String?

    static func ok(_ what: String) -> Finding { Finding(state: .ok, what: what) }

    /// What is missing: a fault where the configuration names it.
    static func missing(isNamed: Bool, _ what: String, fix: String) -> Finding {
        Finding(state: isNamed ? .fault : .warning, what: what, fix: fix)
    }

    static func missing(isNamed: Bool, _ failure: DeviceFailure) -> Finding {
        missing(isNamed: isNamed, failure.what, fix: failure.fix)
    }

    var line: String { fix.map { "\(what): \($0)" } ?? what }

    var json: [String: JSON] {
        ["state": .string(state.rawValue), "what": .string(what), "fix": .orNull(fix)]
    }
}

/// What is looked at.
struct Patient {
    /// Where the configuration was read from; nil for the defaults.
    let path: String?
    let configuration: Configuration
    private let document: JSON

    init(_ arguments: Arguments) throws {
        path = Configuration.path(arguments)
        guard let path else {
            (configuration, document) = (Configuration(), .object([:]))
            return
        }
        (configuration, document) = try Files.document(path, status: .badConfiguration) { bytes throws(FormatError) in
            // A file of comments only is no JSON, and sets nothing.
            (try Configuration(parsing: bytes), (try? JSON(parsing: bytes, as: .json5)) ?? .object([:]))
        }
    }

    /// Whether the configuration's file itself says what stands at `keys`, and not null.
    func names(_ keys: String...) -> Bool {
        var value = document
        for key in keys {
            guard case .object(let parts) = value, let part = parts[key] else { return false }
            value = part
        }
        return value != .null
    }
}

enum Doctor {
    /// Everything that is looked at, in the order in which it is told.
    static let checks: [(section: String, check: @Sendable (Patient) -> [Finding])] = [
        ("configuration", { [.ok($0.path.map { "read from \($0)" } ?? "there is no file: the defaults")] }),
        ("machine", machine),
        ("sound", sound),
        ("sound devices", soundDevices),
        ("sound thread", soundThread),
        ("library", library),
        ("panel", panel),
        ("touch", touch),
        ("keyboard", keyboard),
        ("input devices", inputDevices),
        ("gpio", gpio),
    ]

    // MARK: Sound

    /// Whether the configured device plays, and how late.
    private static func sound(_ patient: Patient) -> [Finding] {
        let settings = patient.configuration.audio
        let agreed = AlsaDevice.agree(
            with: settings.device, rate: settings.rate, period: settings.period, periods: settings.periods)
        switch agreed {
        case .success(let agreement):
            let latency = Engine(rate: settings.rate)?.latency ?? 0
            let late = String((agreement.buffer + latency) * 10_000 / settings.rate, places: 1)
            let way = agreement.isMapped ? "mapped" : "copied"
            return [
                .ok(
                    "\(settings.device) opens: \(settings.rate) Hz, \(agreement.format), \(way), "
                        + "periods of \(agreement.period) frames in a buffer of \(agreement.buffer)"),
                .ok("a touch is heard \(late) ms after it is taken in (buffer and engine)"),
            ]
        case .failure(let failure):
            return [
                .missing(
                    isNamed: patient.names("audio", "device"),
                    "\(settings.device) does not open: \(failure)", fix: failure.fix)
            ]
        }
    }

    /// What there is to choose from. Plugins that have nothing to open are no news.
    private static func soundDevices(_ patient: Patient) -> [Finding] {
        let devices = AlsaDevice.all()
        var findings: [Finding] = []
        if !devices.contains(where: \.isHardware) {
            findings.append(
                .missing(isNamed: false, "there is no sound card", fix: "plug one in, or play through the page"))
        }
        for device in devices {
            let description = device.description.isEmpty ? "" : " (\(device.description))"
            switch device.abilities {
            case .success(let abilities):
                let rates = abilities.rates.map(String.init).joined(separator: ", ")
                let formats = abilities.formats.joined(separator: ", ")
                findings.append(
                    .ok("\(device.name)\(description): \(rates) Hz; \(formats); periods from \(abilities.periodMin)"))
            case .failure(let failure) where device.isHardware || failure.isOfSomethingThere:
                findings.append(
                    .missing(isNamed: false, "\(device.name)\(description): \(failure)", fix: failure.fix))
            case .failure: break
            }
        }
        return findings
    }

    /// What the system grants the audio thread.
    private static func soundThread(_ patient: Patient) -> [Finding] {
        let settings = patient.configuration.audio
        let privileges: AudioPrivileges
        do throws(DeviceError) {
            privileges = try AudioPrivileges(testing: settings.priority, core: settings.core)
        } catch {
            return [Finding(state: .fault, what: "\(error)", fix: "raise the limit of processes (ulimit -u)")]
        }
        let realTime = settings.priority == 0 ? "not asked for" : "SCHED_FIFO \(settings.priority)"
        return [
            finding(privileges.realTimeRefusal, isNamed: false, else: "real-time priority: \(realTime)"),
            finding(privileges.memoryLockRefusal, isNamed: false, else: "its memory is locked"),
            finding(
                privileges.coreRefusal, isNamed: true,
                else: settings.core.map { "it stays on core \($0)" } ?? "it runs on any core"),
        ]
    }

    private static func finding(
        _ refusal: DeviceFailure?, isNamed: Bool, else granted: String
    ) -> Finding {
        refusal.map { .missing(isNamed: isNamed, $0) } ?? .ok(granted)
    }

    // MARK: The library

    /// Whether the library's file can be written, or made. It is neither opened nor made here.
    private static func library(_ patient: Patient) -> [Finding] {
        let path = Libraries.path(patient.configuration)
        let fix = "change its permissions, or set library to a place that this user may write"
        let folder = nearestFolder(of: path)
        let file = access(path, F_OK) == 0 ? [path] : []
        // SQLite keeps its journal beside the file.
        for place in file + [folder] where access(place, R_OK | W_OK) != 0 {
            let reason = Files.reason(errno)
            return [Finding(state: .fault, what: "\(path) cannot be kept: \(place): \(reason)", fix: fix)]
        }
        guard Files.isFolder(folder) else {
            return [Finding(state: .fault, what: "\(path) cannot be kept: \(folder) is not a folder", fix: fix)]
        }
        return [.ok(file.isEmpty ? "\(path) can be made" : "\(path) can be written")]
    }

    /// The folder that `path` is in or, where there is none yet, the nearest thing above it that is there.
    private static func nearestFolder(of path: String) -> String {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while folder.path != "/", access(folder.path, F_OK) != 0 { folder.deleteLastPathComponent() }
        return folder.path
    }

    // MARK: The hardware

    /// The board, its clocks and limits, and how fast the chains are on it.
    private static func machine(_ patient: Patient) -> [Finding] {
        Board().remarks(on: patient.configuration.panel).map { remark in
            Finding(state: Finding.State(remark.state), what: remark.what, fix: remark.fix)
        }
    }

    /// Whether the chains' SPI devices are there and open.
    private static func panel(_ patient: Patient) -> [Finding] {
        patient.configuration.panel.chains.map { chain in
            device(
                chain.device, isNamed: patient.names("panel", "chains"), group: "spi", missing: SPIBus.fixForMissing)
        }
    }

    /// What chips there are, and whether the configured lines are there and free.
    private static func gpio(_ patient: Patient) -> [Finding] {
        let chips = GPIOChip.all().map { chip -> Finding in
            switch chip.lines {
            case .success(let count): .ok("\(chip.path) is \(chip.label), \(count) lines")
            case .failure(let error) where error.isForbidden:
                .missing(isNamed: false, "\(error)", fix: DeviceFailure.fix(joining: "gpio"))
            case .failure(let error): .missing(isNamed: false, "\(error)", fix: "see what else has it")
            }
        }
        let settings = patient.configuration.gpio
        let wired = settings.wired
        guard !wired.isEmpty else { return chips + [.ok("nothing is wired")] }
        do throws(DeviceFailure) {
            var findings = try GPIOSurvey.look(at: wired, chip: settings.chip).map { look in
                switch look.state {
                case .success(nil): Finding.ok("gpio.\(look.line.role): \(look.line.line) is free")
                case .success: Finding.ok("gpio.\(look.line.role): \(look.line.line) is the running box's")
                case .failure(let failure): Finding.missing(isNamed: true, failure)
                }
            }
            if settings.ledEnable != nil, GPIOSurvey.outputsPersist {
                findings.append(
                    .missing(
                        isNamed: false, "killed outright, the box would leave the LEDs' supply on",
                        fix: "add dtparam=strict_gpiod to \(FirmwareSettings.path) and restart"))
            }
            return chips + findings
        } catch {
            return chips + [.missing(isNamed: true, error)]
        }
    }

    /// Whether the character device at `path` opens for reading and writing.
    static func device(_ path: String, isNamed: Bool, group: String, missing: String) -> Finding {
        var status = stat()
        if stat(path, &status) != 0 {
            return .missing(isNamed: isNamed, "\(path): \(Files.reason(errno))", fix: missing)
        }
        guard status.st_mode & S_IFMT == S_IFCHR else {
            return .missing(isNamed: isNamed, "\(path): is not a device", fix: "name a device of this kind")
        }
        let descriptor = open(path, O_RDWR | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let error = errno
            let fix = [EACCES, EPERM].contains(error) ? DeviceFailure.fix(joining: group) : missing
            return .missing(isNamed: isNamed, "\(path): \(Files.reason(error))", fix: fix)
        }
        close(descriptor)
        return .ok("\(path) opens")
    }
}

extension Finding.State {
    fileprivate init(_ state: Board.Remark.State) {
        switch state {
        case .good: self = .ok
        case .warning: self = .warning
        case .fault: self = .fault
        }
    }
}

extension AlsaDevice.Failure {
    /// Whether there is a device, and only this user or this moment is in the way.
    fileprivate var isOfSomethingThere: Bool { [EBUSY, EACCES, EPERM].contains(errno) }
}
