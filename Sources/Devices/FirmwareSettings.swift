/// What a Raspberry Pi's firmware is told in `config.txt`, as far as it counts for one model (Raspberry Pi documentation,
/// "Conditional filters").
public struct FirmwareSettings: Hashable, Sendable {
    /// Where they are written.
    public static let path = "/boot/firmware/config.txt"

    /// Those that count, in order, without blanks.
    public let lines: [String]
    /// What the model is; nil for one that no filter means.
    let model: Model?

    /// A model that has a filter of its own.
    struct Model: Hashable, Sendable {
        /// What the device tree's names of such boards begin with.
        let name: String
        /// The filters that it sees, its own first.
        let filters: [String]
        /// What holds the core's clock where that of the SPI is made from it.
        let clock: [String]
    }

    private static let clock250 = ["core_freq=250"]
    private static let clock500 = ["core_freq=500", "core_freq_min=500"]
    private static let models = [
        Model(name: "Raspberry Pi 3 Model A Plus", filters: ["pi3+", "pi3"], clock: clock250),
        Model(name: "Raspberry Pi 3 Model B Plus", filters: ["pi3+", "pi3"], clock: clock250),
        Model(name: "Raspberry Pi 3", filters: ["pi3"], clock: clock250),
        Model(name: "Raspberry Pi Compute Module 3", filters: ["pi3"], clock: clock250),
        Model(name: "Raspberry Pi Zero 2", filters: ["pi02", "pi0w", "pi0"], clock: clock250),
        Model(name: "Raspberry Pi 400", filters: ["pi400", "pi4"], clock: clock500),
        Model(name: "Raspberry Pi 4", filters: ["pi4"], clock: clock500),
        Model(name: "Raspberry Pi Compute Module 4S", filters: ["cm4s", "pi4"], clock: clock500),
        Model(name: "Raspberry Pi Compute Module 4", filters: ["cm4", "pi4"], clock: clock500),
        Model(name: "Raspberry Pi 500", filters: ["pi500", "pi5"], clock: []),
        Model(name: "Raspberry Pi 5", filters: ["pi5"], clock: []),
        Model(name: "Raspberry Pi Compute Module 5", filters: ["cm5", "pi5"], clock: []),
    ]

    /// What `text`, the file's, tells a board that the device tree calls `name`.
    ///
    /// A filter takes the place of another of its kind and adds to those of other kinds, until `[all]`. Of the kinds that
    /// depend on a monitor, a line's level or a serial number it is not known here whether they hold: they are taken not to.
    init(_ text: String, board name: String) {
        let model = Self.models.first { name.hasPrefix($0.name) }
        self.model = model
        var isModel = true
        var isCertain = true
        var lines: [String] = []
        // Every machine can edit the file, those too that end lines by CR LF.
        for line in text.split(whereSeparator: \.isNewline) {
            let setting = line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
            guard setting.hasPrefix("[") else {
                if isModel, isCertain, !setting.isEmpty { lines.append(setting) }
                continue
            }
            switch String(setting.dropFirst().prefix { $0 != "]" }) {
            case "all": (isModel, isCertain) = (true, true)
            case let filter where filter.hasPrefix("pi") || filter.hasPrefix("cm"):
                isModel = model?.filters.contains(filter) ?? false
            default: isCertain = false
            }
        }
        self.lines = lines
    }

    /// Whether `setting`, such as `dtparam=audio=on`, is in force: of several for one name the last is.
    func isSet(_ setting: String) -> Bool {
        let name = setting.prefix(through: setting.lastIndex(of: "=") ?? setting.startIndex)
        return lines.last { $0.hasPrefix(name) } == setting
    }
}
