import Documents
import Display
import Instrument
import Input
import Panel

/// The user's settings (docs/spec.md, section 10). Each has a default; an unknown key or an invalid value is an error
/// with its path.
public struct Configuration: Hashable, Sendable {
    /// The LED panel.
    public var panel = PanelConfiguration()
    /// Walls of lights on the network that show the panel's picture.
    public var walls: [Wall] = []
    /// Ports at which pictures of other machines arrive.
    public var lightIn: [LightPort] = []
    /// The panel as a grid for programs on the network; nil for none.
    public var grid: GridSettings?
    /// The network at which programs play the box by Open Sound Control; nil for none.
    public var osc: OSCSettings?
    /// The touch overlays.
    public var touch = TouchSettings()
    /// The keyboard.
    public var keyboard = InputDevice.any
    /// Sound.
    public var audio = AudioSettings()
    /// Buttons, knobs and outputs on a GPIO chip.
    public var gpio = GPIOSettings()
    /// The clock that the box follows until the player chooses another, and its pulses.
    public var sync = SyncSettings()
    /// Whether the members of a Link session start and stop together.
    public var linkTransport = false
    /// MIDI ports.
    public var midi = MIDISettings()
    /// The rules of the gestures until the player sets others.
    public var rules = Rules.box
    /// Sources that stop the music at once while the performance lock is on.
    public var stops = StopSources.leaders
    /// The library's file; nil for the state directory of the user or service.
    public var library: String?
    /// Address of the simulated panel's page.
    public var listen = "127.0.0.1:4424"
    /// The address at which a proxy serves the page to others; nil for none.
    public var pageAddress: PublicAddress?
    /// The address of the site to which the page's links to a tune lead; nil for the page's own.
    public var siteAddress: PublicAddress?

    /// The touch overlays.
    public struct TouchSettings: Hashable, Sendable {
        /// The overlays, with their calibration.
        public var overlays = [Overlay()]

        /// One overlay, or several that are alike.
        public struct Overlay: Hashable, Sendable {
            /// The device.
            public var device = InputDevice.any
            /// Calibration and filters.
            public var settings = OverlaySettings()
        }
    }

    /// Where programs play the box by Open Sound Control.
    public struct OSCSettings: Hashable, Sendable {
        /// The network interface at which they reach it.
        public var interface: String
        /// UDP port.
        public var port = 4425
    }

    /// Selects an input device.
    public enum InputDevice: Hashable, Sendable {
        /// All usable devices.
        case any
        /// No device.
        case none
        /// The device with this path, name or hexadecimal `vendor:product`.
        case named(String)
    }

    /// Sound settings.
    public struct AudioSettings: Hashable, Sendable {
        /// ALSA PCM name.
        public var device = "default"
        /// Sample rate, in frames per second: one of `rates`.
        public var rate = 48_000
        /// Frames per period.
        public var period = 128
        /// Periods in the device's buffer.
        public var periods = 3
        /// SCHED_FIFO priority of the audio thread; 0 for ordinary scheduling.
        public var priority = 75
        /// The CPU core of the audio thread, 0-1023; nil for any.
        public var core: Int?
        /// Master volume, 0-1.
        public var volume = 0.8

        /// Supported sample rates, in frames per second.
        public static let rates = TouchScript.rates

        /// Returns why `name` is not a valid ALSA PCM name, with a fix; nil if it is valid.
        public static func problem(withDevice name: String) -> String? {
            let wanted = "should be the name of an ALSA device, such as default or hw:0"
            if name.isEmpty { return "is empty, \(wanted)" }
            if name.utf8.count > deviceBytesMax { return "is longer than \(deviceBytesMax) bytes, \(wanted)" }
            return name.unicodeScalars.contains(where: \.isInvisible)
                ? "contains control or invisible characters, \(wanted)" : nil
        }

        private static let deviceBytesMax = 255
    }

    /// The defaults.
    public init() {}

    /// Reads a JSON5 configuration. Throws `FormatError` with the path and line, or the position, of the first error.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        // A file that is empty or has only comments changes no setting.
        if try JSON.isBlank(bytes, as: .json5) { return }
        let (value, place) = try JSON.placed(parsing: bytes, as: .json5)
        do {
            try read(JSONField(value))
        } catch {
            var error = error
            error.line = place.line(of: error.place, in: bytes)
            throw error
        }
    }

    private mutating func read(_ root: JSONField) throws(FormatError) {
        try root.only([
            "panel", "walls", "lightIn", "grid", "osc", "touch", "keyboard", "audio", "gpio", "midi", "sync", "rules",
            "lock", "library", "listen", "pageAddress", "siteAddress",
        ])
        if let field = try root.part("panel") { try panel.read(field) }
        for field in try root.part("walls")?.list(counts: 0...Wall.countMax) ?? [] {
            walls.append(try Wall(reading: field, panelColumns: panel.columns))
        }
        for field in try root.part("lightIn")?.list(counts: 0...LightPort.countMax) ?? [] {
            lightIn.append(try LightPort(reading: field, panelColumns: panel.columns))
        }
        if let field = try root.part("grid"), field.value != .null { grid = try GridSettings(reading: field) }
        if let field = try root.part("osc"), field.value != .null { osc = try OSCSettings(reading: field) }
        try checkPorts()
        if let field = try root.part("touch") { try touch.read(field) }
        if let field = try root.part("keyboard") { keyboard = try .init(reading: field) }
        if let field = try root.part("audio") { try audio.read(field) }
        if let field = try root.part("gpio") { try gpio.read(field) }
        if let field = try root.part("sync") { try readSync(field) }
        if let field = try root.part("midi") { try midi.read(field) }
        try root.read("rules", into: &rules)
        if let field = try root.part("lock") { try stops.read(field) }
        if let field = try root.part("library") {
            library = try field.stringOrNull()
            if library?.hasPrefix("~") ?? false {
                throw field.refused(
                    "begins with ~, which only a shell understands; should be a whole path, such as /home/me/box.sqlite"
                )
            }
        }
        if let field = try root.part("listen") {
            listen = try field.string()
            if ListenAddress(listen) == nil { throw field.refused(ListenAddress.problem(listen)) }
        }
        pageAddress = try root.part("pageAddress")?.address(such: "https://box.example.org/music/")
        siteAddress = try root.part("siteAddress")?.address(such: "https://example.org/pixelboop/")
    }
}

extension Configuration.TouchSettings {
    fileprivate mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(Overlay.keys + ["overlays"])
        // Settings outside the list are the defaults of all overlays.
        var common = Overlay()
        try common.read(field)
        overlays = [common]
        guard let list = try field.part("overlays"), list.value != .null else { return }
        overlays = []
        for part in try list.list(counts: 1...Self.overlaysMax) {
            try part.only(Overlay.keys)
            var overlay = common
            try overlay.read(part)
            overlays.append(overlay)
        }
    }

    /// Maximum entries of `overlays`.
    static let overlaysMax = 8
}

extension Configuration.TouchSettings.Overlay {
    fileprivate static let keys = ["device", "matrix", "hysteresis", "debounce", "delay", "median", "jitter"]

    fileprivate mutating func read(_ field: JSONField) throws(FormatError) {
        if let part = try field.part("device") { device = try .init(reading: part) }
        if let part = try field.part("matrix") { settings.matrix = try part.overlayMatrix() }
        try field.read("hysteresis", in: 0...0.5, into: &settings.hysteresis)
        if let part = try field.part("debounce") {
            settings.debounce = .milliseconds(Int64(try part.integer(in: 0...100)))
        }
        if let part = try field.part("delay") {
            settings.delay = .milliseconds(Int64(try part.integer(in: 0...200)))
        }
        try field.read("median", into: &settings.hasMedian)
        try field.read("jitter", in: 0...2, into: &settings.jitter)
    }
}

extension JSONField {
    /// The matrix of a touch overlay.
    func overlayMatrix() throws(FormatError) -> [Double] {
        var matrix: [Double] = []
        for element in try list(counts: 6...6) { matrix.append(try element.number(in: -100...100)) }
        if abs(matrix[0] * matrix[4] - matrix[1] * matrix[3]) < 1e-6 {
            throw refused("maps the overlay to a line; its first two columns must not be in proportion")
        }
        return matrix
    }
}

extension Configuration.InputDevice {
    init(reading field: JSONField) throws(FormatError) {
        switch try field.stringOrNull() {
        case nil: self = .any
        case "none": self = .none
        case "": throw field.refused("is empty, should be a path, a name or vendor:product of an input device, or null")
        case let name?: self = .named(name)
        }
    }
}

extension Configuration.AudioSettings {
    fileprivate mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only(["device", "rate", "period", "periods", "priority", "core", "volume"])
        if let part = try field.part("device") {
            device = try part.string()
            if let problem = Self.problem(withDevice: device) { throw part.refused(problem) }
        }
        try field.read("rate", oneOf: Self.rates, into: &rate)
        try field.read("period", in: 16...4096, into: &period)
        try field.read("periods", in: 2...8, into: &periods)
        try field.read("priority", in: 0...99, into: &priority)
        if let part = try field.part("core"), part.value != .null { core = try part.integer(in: 0...1023) }
        try field.read("volume", in: 0...1, into: &volume)
    }
}

extension PanelConfiguration {
    fileprivate mutating func read(_ field: JSONField) throws(FormatError) {
        try field.only([
            "columns", "chip", "order", "brightness", "gamma", "whiteBalance", "dither", "flashGuard", "heat",
            "milliamps",
            "zones", "chains", "origin", "screen",
        ])
        try field.read("columns", oneOf: Frame.panelColumns, into: &columns)
        try field.read("chip", into: &chip)
        // Another width or chip has another default chain.
        self = PanelConfiguration(columns: columns, chip: chip)
        if let part = try field.part("order"), part.value != .null { order = try part.choice() }
        try field.read("brightness", in: 0...1, into: &brightness)
        try field.read("gamma", in: 1...4, into: &gamma)
        if let part = try field.part("whiteBalance") {
            let values = try part.list(counts: 3...3)
            whiteBalance = ChannelValues(
                red: try values[0].number(in: 0...1), green: try values[1].number(in: 0...1),
                blue: try values[2].number(in: 0...1))
        }
        try field.read("origin", into: &origin)
        try field.read("dither", into: &dither)
        try field.read("flashGuard", into: &flashGuard)
        if let part = try field.part("heat") { heat = try Heat(reading: part) }
        if let part = try field.part("screen") { screen = try Screen(reading: part) }
        if let part = try field.part("milliamps") { try readMilliamps(part) }
        if let part = try field.part("chains") {
            chains = []
            for chain in try part.list(counts: 1...8) { chains.append(try Chain(reading: chain, of: chip)) }
        }
        if let part = try field.part("zones") {
            zones = []
            for zone in try part.list(counts: 1...64) { zones.append(try Zone(reading: zone)) }
        } else if let only = zones.indices.first, zones.count == 1 {
            zones[only].count = chains.reduce(0) { $0 + $1.length }
        }
        do {
            _ = try PanelDriver(self)
        } catch {
            throw FormatError("panel.\(error.place)", error.problem)
        }
    }

    private mutating func readMilliamps(_ field: JSONField) throws(FormatError) {
        try field.only(["red", "green", "blue", "white", "standby"])
        try field.read("red", in: 0...200, into: &milliamps.red)
        try field.read("green", in: 0...200, into: &milliamps.green)
        try field.read("blue", in: 0...200, into: &milliamps.blue)
        try field.read("white", in: 0...200, into: &whiteMilliamps)
        try field.read("standby", in: 0...50, into: &standbyMilliamps)
    }
}

extension PanelConfiguration.Heat {
    fileprivate init(reading field: JSONField) throws(FormatError) {
        self.init()
        try field.only(["sensor", "dimFrom", "dimTo"])
        sensor = try field.part("sensor")?.stringOrNull()
        if let sensor, sensor.isEmpty || sensor.contains("/") {
            throw try field.needed("sensor").refused("is \(sensor), should be the name of a sensor, or null")
        }
        try field.read("dimFrom", in: 30...119, into: &dimFrom)
        try field.read("dimTo", in: 31...120, into: &dimTo)
        guard dimFrom < dimTo else {
            throw field.refused("has a dimTo of \(dimTo), should be above dimFrom, \(dimFrom)")
        }
    }
}

extension PanelConfiguration.Screen {
    fileprivate init(reading field: JSONField) throws(FormatError) {
        self.init()
        try field.only(["automatic", "connector", "rotation", "blankMinutes"])
        try field.read("automatic", into: &isAutomatic)
        connector = try field.part("connector")?.stringOrNull()
        if let connector, connector.isEmpty || connector.unicodeScalars.contains(where: \.isInvisible) {
            throw try field.needed("connector").refused("is no name of a connector, such as HDMI-A-1, or null")
        }
        try field.read("rotation", into: &rotation)
        try field.read("blankMinutes", in: 0...1440, into: &blankMinutes)
    }
}

extension PanelConfiguration.Zone {
    fileprivate init(reading field: JSONField) throws(FormatError) {
        try field.only(["amps", "from", "count"])
        self.init(
            amps: try field.needed("amps").number(in: 0...1000),
            from: try field.needed("from").integer(in: 0...100_000),
            count: try field.needed("count").integer(in: 1...100_000))
    }
}

extension PanelConfiguration.Chain {
    fileprivate init(reading field: JSONField, of chip: LEDChip) throws(FormatError) {
        try field.only(["device", "hertz", "tiles"])
        var tiles: [PanelConfiguration.Tile] = []
        for tile in try field.needed("tiles").list(counts: 1...64) { tiles.append(try .init(reading: tile)) }
        self.init(device: try field.needed("device").string(), hertz: 0, tiles: tiles)
        hertz = try field.part("hertz")?.integer(in: 100_000...50_000_000) ?? chip.defaultHertz(leds: length)
    }
}

extension JSONField {
    /// Reads a rotation in degrees, if the key is there.
    fileprivate func read(_ key: String, into rotation: inout PanelConfiguration.Rotation) throws(FormatError) {
        guard let part = try part(key) else { return }
        let degrees = PanelConfiguration.Rotation.allCases.map(\.rawValue)
        rotation = .init(rawValue: try part.integer(oneOf: degrees)) ?? rotation
    }
}

extension PanelConfiguration.Tile {
    /// A tile of a panel, or of a wall with up to `sideMax` columns and rows.
    init(reading field: JSONField, sideMax: Int? = nil) throws(FormatError) {
        try field.only(["x", "y", "columns", "rows", "rotation", "first", "along", "serpentine", "missing"])
        self.init(
            x: try field.needed("x").integer(in: 0...(sideMax ?? 50) - 1),
            y: try field.needed("y").integer(in: 0...(sideMax ?? 24) - 1),
            columns: try field.needed("columns").integer(in: 1...(sideMax ?? 50)),
            rows: try field.needed("rows").integer(in: 1...(sideMax ?? 50)))
        try field.read("rotation", into: &rotation)
        try field.read("first", into: &first)
        try field.read("along", into: &along)
        try field.read("serpentine", into: &serpentine)
        for place in try field.part("missing")?.list() ?? [] {
            let pair = try place.list(counts: 2...2)
            missing.insert(
                .init(
                    column: try pair[0].integer(in: 0...columns - 1), row: try pair[1].integer(in: 0...rows - 1)))
        }
    }
}
