/// The settings of a Raspberry Pi's `config.txt` that apply to one model (Raspberry Pi documentation, "Conditional
/// filters").
public struct FirmwareSettings: Hashable, Sendable {
    /// The file's path.
    public static let path = "/boot/firmware/config.txt"

    /// The lines that apply, in order, without white space.
    public let lines: [String]
    /// The model; nil for a model that no filter names.
    let model: Model?

    /// A model that has a filter of its own.
    struct Model: Hashable, Sendable {
        /// Beginning of the model's name in the device tree.
        let name: String
        /// The filters that apply to the model, its own first.
        let filters: [String]
        /// Settings that keep the core clock constant, where the SPI clock is derived from it.
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

    /// The settings of `config.txt` that apply to the board with this device-tree name. `file` reads a file of the
    /// firmware's folder; nil if it is missing, which means no settings.
    ///
    /// A line `include NAME` stands for that file's lines. A filter replaces an earlier one of its kind and combines
    /// with filters of other kinds, until `[all]`. Filters by monitor, GPIO level or serial number cannot be evaluated
    /// here and count as false.
    init(board name: String, file: (String) -> String?) {
        let model = Self.models.first { name.hasPrefix($0.name) }
        self.model = model
        // The files may have been edited on a system with CR LF line ends.
        func content(of name: String) -> [Substring] { (file(name) ?? "").split(whereSeparator: \.isNewline) }
        let all = content(of: "config.txt").flatMap { (line: Substring) -> [Substring] in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.count == 2 && words[0] == "include" ? content(of: String(words[1])) : [line]
        }
        var isModel = true
        var isCertain = true
        var lines: [String] = []
        for line in all {
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

    /// Whether the board is a Raspberry Pi 5 or has its chips.
    var isOfPi5: Bool { model?.filters.contains("pi5") ?? false }

    /// Whether `setting`, such as `dtparam=audio=on`, is in effect: the last line for its name counts.
    func isSet(_ setting: String) -> Bool {
        let name = setting.prefix(through: setting.lastIndex(of: "=") ?? setting.startIndex)
        return lines.last { $0.hasPrefix(name) } == setting
    }
}
