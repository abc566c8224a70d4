import Box
import Devices
import Documents
import Formats
import FoundationEssentials
import Glibc
import Library
import Pages
import Runtime

/// The checks of `pixelboop doctor`: each examines one part of the box on this machine. They play nothing and change
/// nothing.
enum Doctor {
    /// All checks, in the order of the report.
    static let checks: [(section: String, check: @Sendable (DoctorSetup) -> [Finding])] = [
        ("configuration", configuration),
        ("service", service),
        ("machine", machine),
        ("sound", sound),
        ("sound devices", soundDevices),
        ("sound thread", soundThread),
        ("library", library),
        ("panel", panel),
        ("screen", screen),
        ("page", page),
        ("touch", touch),
        ("keyboard", keyboard),
        ("input devices", inputDevices),
        ("gpio", gpio),
        ("midi", midi),
        ("network", network),
    ]

    /// Source of the configuration and the calibration.
    private static func configuration(_ setup: DoctorSetup) -> [Finding] {
        [.ok(setup.path.map { "read from \($0)" } ?? "no file; using the defaults")]
            + (setup.calibration.map { [$0] } ?? [])
    }

    /// Whether the checks run as the service and, if not, whether one is installed; and an update that failed.
    private static func service(_ setup: DoctorSetup) -> [Finding] { installed(setup) + failedUpdate }

    /// The update that has put the system from before back, on a card.
    private static var failedUpdate: [Finding] {
        guard let text = try? Files.read("/var/lib/pixelboop-update/problem") else { return [] }
        let problem = String(decoding: text, as: UTF8.self).prefix { !$0.isNewline }
        return [Finding(state: .warning, what: String(problem), fix: "install it again, or another version")]
    }

    private static func installed(_ setup: DoctorSetup) -> [Finding] {
        if let service = setup.service { return [.ok("checked with the user and limits of \(service)")] }
        let folders = ["/etc", "/lib", "/usr/lib"].map { "\($0)/systemd/system/\(Service.unit)" }
        guard folders.contains(where: { access($0, F_OK) == 0 }) else { return [.ok("not installed as a service")] }
        return [.ok("installed; checked as this user (sudo pixelboop doctor --service checks as the service)")]
    }

    // MARK: Sound

    /// Whether the configured device opens, and its latency.
    private static func sound(_ setup: DoctorSetup) -> [Finding] {
        let settings = setup.configuration.audio
        let name: String
        switch setup.options.audio {
        case "none": return [.ok("off by option")]
        case let file? where file.hasSuffix(".wav"): return [.ok("written to \(file)")]
        case let option: name = option ?? settings.device
        }
        let agreed = AlsaDevice.agree(
            with: name, rate: settings.rate, period: settings.period, periods: settings.periods,
            pulseChannel: setup.configuration.sync.pulse.channel)
        switch agreed {
        case .success(let agreement):
            let latency = Engine(rate: settings.rate)?.latency ?? 0
            let late = String((agreement.buffer + latency) * 10_000 / settings.rate, places: 1)
            let way = agreement.isMapped ? "mapped" : "copied"
            return [
                .ok(
                    "\(name) opens: \(settings.rate) Hz, \(agreement.format), \(way), "
                        + "periods of \(agreement.period) frames in a buffer of \(agreement.buffer)"),
                .ok("latency from touch to sound: \(late) ms (buffer and engine)"),
            ]
        case .failure(let failure) where failure.errno == EBUSY && setup.player != nil:
            return [.ok("\(name) is in use by the running box")]
        case .failure(let failure):
            return [
                .missing(
                    isNamed: setup.names("audio", "device") || setup.options.audio != nil,
                    "\(name) does not open: \(failure)", fix: failure.fix)
            ]
        }
    }

    /// The sound devices of this machine. Plugins with nothing to open are left out.
    private static func soundDevices(_ setup: DoctorSetup) -> [Finding] {
        let devices = AlsaDevice.all()
        var findings: [Finding] = []
        if !devices.contains(where: \.isHardware) {
            findings.append(
                .missing(isNamed: false, "no sound card", fix: "plug one in, or play through the page"))
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

    /// The audio thread's privileges.
    private static func soundThread(_ setup: DoctorSetup) -> [Finding] {
        let settings = setup.configuration.audio
        let privileges: AudioPrivileges
        do throws(DeviceError) {
            privileges = try AudioPrivileges(testing: settings.priority, core: settings.core)
        } catch {
            return [Finding(state: .fault, what: "\(error)", fix: "raise the limit of processes (ulimit -u)")]
        }
        let realTime = settings.priority == 0 ? "not requested" : "SCHED_FIFO \(settings.priority)"
        return [
            finding(privileges.realTimeRefusal, isNamed: false, else: "real-time priority: \(realTime)"),
            finding(privileges.memoryLockRefusal, isNamed: false, else: "memory: locked"),
            finding(
                privileges.coreRefusal, isNamed: true,
                else: settings.core.map { "core: \($0)" } ?? "core: any"),
        ]
    }

    private static func finding(
        _ refusal: DeviceFailure?, isNamed: Bool, else granted: String
    ) -> Finding {
        refusal.map { .missing(isNamed: isNamed, $0) } ?? .ok(granted)
    }

    // MARK: The library

    /// Whether the library's file can be written, or created. It is neither opened nor created here.
    private static func library(_ setup: DoctorSetup) -> [Finding] {
        let path = setup.library
        if let problem = Libraries.problem(with: path) { return [Finding(state: .fault, what: problem)] }
        if let player = setup.player { return [.ok("\(path) is in use by the running box (process \(player))")] }
        let fix = "change its permissions, or set library to a path that this user can write"
        let folder = nearestFolder(of: path)
        guard Files.isFileOrNothing(path) else {
            return [Finding(state: .fault, what: "\(path) cannot be written: it is no regular file", fix: fix)]
        }
        let file = access(path, F_OK) == 0 ? [path] : []
        // SQLite keeps its journal beside the file.
        for place in file + [folder] where access(place, R_OK | W_OK) != 0 {
            let reason = Files.reason(errno)
            return [Finding(state: .fault, what: "\(path) cannot be written: \(place): \(reason)", fix: fix)]
        }
        guard Files.isFolder(folder) else {
            return [Finding(state: .fault, what: "\(path) cannot be written: \(folder) is not a folder", fix: fix)]
        }
        return [.ok(file.isEmpty ? "\(path) can be created" : "\(path) can be written")]
    }

    /// The folder of `path` or, if missing, the nearest existing path above it.
    private static func nearestFolder(of path: String) -> String {
        var folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        while folder.path != "/", access(folder.path, F_OK) != 0 { folder.deleteLastPathComponent() }
        return folder.path
    }

    // MARK: The hardware

    /// The board, its clocks and limits, the speed of the chains on it, and how it is now.
    private static func machine(_ setup: DoctorSetup) -> [Finding] {
        let health = BoardHealth(library: nearestFolder(of: setup.library))
        var findings = setup.board.remarks(on: setup.configuration.panel).map(Finding.init)
        findings += health.remarks.map { .ok($0) }
        for problem in BoardHealth.Problem.allCases {
            guard let message = health.message(problem) else { continue }
            findings.append(Finding(state: .warning, what: message.what, fix: message.fix))
        }
        return findings
    }

    /// Whether the chains' SPI devices exist and open, and the heat sensor answers.
    private static func panel(_ setup: DoctorSetup) -> [Finding] {
        guard setup.view != .screen else { return [.ok("no LEDs: the panel is \(setup.view.name)")] }
        let isNamed = setup.names("panel", "chains") || setup.options.panel == .spi
        let chains = setup.configuration.panel.chains.map { chain in
            device(
                chain.device, isNamed: isNamed, group: "spi", missing: SPIBus.fixForMissing)
        }
        return chains + (setup.configuration.panel.heat.sensor.map { [heat($0, setup.board)] } ?? [])
    }

    /// The screen that would show the panel; and what is wrong, if it is to.
    private static func screen(_ setup: DoctorSetup) -> [Finding] {
        let settings = setup.configuration.panel.screen
        let isWanted = setup.view == .screen || settings.isAutomatic && setup.view == .web
        switch ScreenSurvey.look(settings, columns: setup.configuration.panel.columns) {
        case .success(let fit):
            guard setup.view == .screen else { return [.ok("\(fit); not used: the panel is \(setup.view.name)")] }
            // A finger covers a circle of 7 to 10 mm.
            let isSmall = fit.ledMillimetres.map { $0 < 5 } ?? false
            return [.ok(isSmall ? "\(fit): a finger covers several; from 10 inches on it is one" : "\(fit)")]
        case .failure(let failure) where failure.isInUse && setup.player != nil && setup.view == .screen:
            return [.ok("in use by the running box")]
        case .failure(let failure):
            guard isWanted else { return [.ok("none: \(failure.what)")] }
            return [.missing(isNamed: setup.view == .screen || settings.connector != nil, failure)]
        }
    }

    /// Whether the heat sensor called `name` answers.
    private static func heat(_ name: String, _ board: Board) -> Finding {
        if let celsius = HeatSensor(name).celsius() { return .ok("heat sensor \(name): \(celsius) °C") }
        let names = HeatSensor.names()
        return .missing(
            isNamed: true, "the heat sensor \(name) does not answer, so that the light is at half of its limit",
            fix: board.fix(forSensor: name)
                ?? "check its wires and overlay, or name another in panel.heat.sensor"
                + (names.isEmpty ? "" : ": \(names.joined(separator: ", "))"))
    }

    /// Whether the page can be served as configured.
    private static func page(_ setup: DoctorSetup) -> [Finding] {
        let page: PageServer.Configuration
        do {
            page = try PanelView.served(setup.configuration, setup.options)
        } catch {
            return [Finding(state: .fault, what: "\(error)")]
        }
        guard setup.view == .web else { return [.ok("not served: the panel is \(setup.view.name)")] }
        do {
            let url = try page.url()
            let file = TokenFile(setup.options.tokenFile)
            if try file.isNamed || page.isForOthers() { _ = try file.read() }
            if setup.player == nil { try page.check() }
            if let failure = NetworkSurvey.page(at: page.address, setup.filter) {
                return [.missing(isNamed: true, failure)]
            }
            return [.ok(setup.player == nil ? "\(url) can be served" : "\(url) is served by the running box")]
        } catch {
            return [Finding(state: .fault, what: "\(error)")]
        }
    }

    /// Whether the ports at which other machines are heard can be opened, and the interfaces of walls exist.
    private static func network(_ setup: DoctorSetup) -> [Finding] {
        let configuration = setup.configuration
        let ports = NetworkSurvey.ports(
            light: configuration.lightIn, columns: configuration.panel.columns, grid: configuration.grid,
            osc: configuration.osc.map { ($0.interface, $0.port) }, setup.filter)
        let parts = NetworkSurvey.walls(configuration.walls, setup.filter) + ports
        guard !parts.isEmpty else { return [.ok("closed: no walls, lightIn, grid or osc is configured")] }
        let findings = parts.map { part -> Finding in
            guard let failure = part.failure else { return .ok(part.name) }
            if failure.isInUse, setup.player != nil { return .ok("\(part.name), in use by the running box") }
            return .missing(isNamed: true, failure)
        }
        guard configuration.grid != nil || configuration.osc != nil else { return findings }
        return findings + [announcer]
    }

    /// Whether something announces the box's services.
    private static var announcer: Finding {
        switch NetworkSurvey.announcer() {
        case .success(let version): .ok("announced by \(version)")
        case .failure(let failure): .missing(isNamed: false, failure)
        }
    }

    /// The GPIO chips, and whether the configured lines exist and are free.
    private static func gpio(_ setup: DoctorSetup) -> [Finding] {
        let chips = GPIOChip.all().map { chip -> Finding in
            switch chip.lines {
            case .success(let count): .ok("\(chip.path) is \(chip.label), \(count) lines")
            case .failure(let error) where error.isForbidden:
                .missing(isNamed: false, "\(error)", fix: DeviceFailure.fix(joining: "gpio"))
            case .failure(let error): .missing(isNamed: false, "\(error)", fix: "see what else uses it")
            }
        }
        let settings = setup.configuration.gpio
        let wired = settings.wired
        let shared = setup.board.remarks(onLines: headerLines(setup.configuration)).map(Finding.init)
        guard !wired.isEmpty else { return chips + [.ok("no line is configured")] + shared }
        do throws(DeviceFailure) {
            var findings = try GPIOSurvey.look(at: wired, chip: settings.chip).map { look in
                switch look.state {
                case .success(nil): Finding.ok("gpio.\(look.line.role): \(look.line.line) is free")
                case .success: Finding.ok("gpio.\(look.line.role): \(look.line.line) is in use by the running box")
                case .failure(let failure): Finding.missing(isNamed: true, failure)
                }
            }
            if settings.ledEnable != nil, GPIOSurvey.outputsPersist {
                findings.append(
                    .missing(
                        isNamed: false, "if killed, the box would leave the LEDs' supply on",
                        fix: "add dtparam=strict_gpiod to \(FirmwareSettings.path) and restart"))
            }
            return chips + findings + shared
        } catch {
            return chips + [.missing(isNamed: true, error)] + shared
        }
    }

    /// The numbers of the header's lines that `configuration` needs, with its keys.
    private static func headerLines(_ configuration: Configuration) -> [(key: String, number: Int)] {
        let lines = configuration.gpio.chip == nil ? configuration.gpio.wired : []
        let used = lines.compactMap { wired in wired.line.number.map { (key: "gpio.\(wired.role)", number: $0) } }
        // The plate's thermometer, by 1-Wire (hardware/pins.csv).
        let hasPlate = configuration.panel.heat.sensor == "w1_slave_temp"
        return used + (hasPlate ? [(key: "panel.heat.sensor", number: 2)] : [])
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

extension Finding {
    init(_ remark: Board.Remark) {
        switch remark.state {
        case .good: state = .ok
        case .warning: state = .warning
        case .fault: state = .fault
        }
        (what, fix) = (remark.what, remark.fix)
    }
}

extension AlsaDevice.Failure {
    /// Whether the device exists, but is in use or not permitted.
    fileprivate var isOfSomethingThere: Bool { [EBUSY, EACCES, EPERM].contains(errno) }
}
