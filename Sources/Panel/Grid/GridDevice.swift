import Display
import InputEvents

/// The settings of the panel as a grid for programs on the network.
public struct GridSettings: Hashable, Sendable {
    /// The network interface at which programs reach it.
    public var interface: String
    /// The keys and lights.
    public var size = GridDevice.Size.whole
    /// The UDP port of serialosc, by which programs find it; its own is the next.
    public var port = 12_002

    /// A grid at `interface`.
    public init(interface: String) { self.interface = interface }
}

/// The panel as a monome grid, for programs that know the protocol of serialosc
/// (https://monome.org/docs/serialosc/osc/). Answers and keys go to the machine that a message came from, at the port
/// that it names: nobody can have them sent to a third.
public struct GridDevice: Sendable {
    /// The keys and lights that programs see.
    public enum Size: String, CaseIterable, Sendable {
        /// 40 columns and 24 rows, at the right of the panel: fifteen quads.
        case whole = "40x24"
        /// 16 columns and rows, in the middle.
        case square = "16x16"

        var columns: Int { self == .whole ? 40 : 16 }
        var rows: Int { self == .whole ? 24 : 16 }

        /// The type that programs know, by its number of keys.
        public var type: String { "monome \(columns * rows)" }
    }

    /// A message to send.
    public struct Output: Hashable, Sendable {
        /// The IPv4 address, as the sender's was given.
        public var address: UInt32
        /// The UDP port.
        public var port: UInt16
        /// The message.
        public var message: OSCMessage
    }

    /// Whether a program has talked to it.
    public private(set) var isUsed = false
    /// Brightness of each key in the panel's orientation, row by row, 0-15.
    private var levels: [UInt8]
    private let size: Size
    /// The panel's place of the first key.
    private let origin: (column: Int, row: Int)
    private let identity: String
    private let port: UInt16
    /// Where keys go; nil before a program has named its port.
    private var target: (address: UInt32, port: UInt16)?
    private var host = "127.0.0.1"
    private var prefix = "/monome"
    /// Quarter turns: 0-3.
    private var turns = 0
    /// Brightness of all, 0-15.
    private var intensity = 15
    /// The key under each finger.
    private var fingers: [Int: Key] = [:]

    /// The place of a key.
    private struct Key: Hashable, Sendable {
        var column, row: Int

        /// The place after quarter turns to the left of a grid of `columns` and `rows`.
        func turned(_ turns: Int, columns: Int, rows: Int) -> Key {
            switch turns % 4 {
            case 1: Key(column: row, row: columns - 1 - column)
            case 2: Key(column: columns - 1 - column, row: rows - 1 - row)
            case 3: Key(column: rows - 1 - row, row: column)
            default: self
            }
        }
    }

    /// The LEDs' levels at most.
    private static let levelMax = 15
    /// Bytes of a prefix and of a host's name at most.
    private static let textMax = 128

    /// A dark grid on a panel of `panelColumns` of the box with this `name`, that listens at `port`.
    public init(_ size: Size, panelColumns: Int, name: String, port: UInt16) {
        self.size = size
        identity = Self.identity(ofBox: name)
        self.port = port
        levels = [UInt8](repeating: 0, count: size.columns * size.rows)
        origin =
            size == .whole
            ? (panelColumns - size.columns, 0)
            : (panelColumns - (Frame.panelColumns[0] + size.columns) / 2, (Frame.panelRows - size.rows) / 2)
    }

    /// Serial number of the grid of the box with this `name`.
    public static func identity(ofBox name: String) -> String {
        // Programs take a grid whose serial number is m and digits for one with levels; another name gives another
        // number.
        let sum = name.utf8.reduce(0) { (31 * $0 + Int($1)) % 10_000 }
        return "m4424" + String(10_000 + sum).dropFirst()
    }

    // MARK: Messages

    /// Answers a message that came to the port of serialosc.
    public func discover(_ message: OSCMessage, from address: UInt32) -> [Output] {
        guard message.arguments.count == 2, let port = Self.port(message.arguments[1]) else { return [] }
        switch message.address {
        case "/serialosc/list":
            let device = OSCMessage(
                "/serialosc/device", .string(identity), .string(size.type), .int(Int32(self.port)))
            return [Output(address: address, port: port, message: device)]
        default: return []
        }
    }

    /// Receives a message that came to its own port; returns the answers. A message that changes nothing has no answer,
    /// so that two grids cannot keep answering each other.
    public mutating func receive(_ message: OSCMessage, from address: UInt32) -> [Output] {
        if message.address.hasPrefix("/sys/") { return system(message, address) }
        guard message.address.hasPrefix(prefix) else { return [] }
        light(message.address.dropFirst(prefix.count), message.arguments.map { $0.integer })
        return []
    }

    private static func port(_ argument: OSCMessage.Argument) -> UInt16? {
        argument.integer.flatMap { UInt16(exactly: $0) }.flatMap { $0 == 0 ? nil : $0 }
    }

    private mutating func system(_ message: OSCMessage, _ address: UInt32) -> [Output] {
        let words = message.arguments
        switch message.address {
        case "/sys/port":
            guard words.count == 1, let port = Self.port(words[0]) else { return [] }
            let last = target
            guard aim(address, port) else { return [] }
            return (last.map { [tell("port", at: $0)] } ?? []) + tellTarget("port")
        case "/sys/host":
            guard words.count == 1, let name = words[0].text, name.utf8.count <= Self.textMax else { return [] }
            var isOther = name != host
            host = name
            if let target { isOther = aim(address, target.port) || isOther }
            return isOther ? tellTarget("host") : []
        case "/sys/prefix":
            guard words.count == 1, let text = words[0].text, text.utf8.count <= Self.textMax else { return [] }
            let last = prefix
            prefix = text.hasPrefix("/") ? text : "/" + text
            isUsed = true
            return prefix == last ? [] : tellTarget("prefix")
        case "/sys/rotation":
            guard words.count == 1, let degrees = words[0].integer, (0..<360).contains(degrees) else { return [] }
            guard degrees / 90 != turns else { return [] }
            turns = degrees / 90
            return (size.columns == size.rows ? [] : tellTarget("size")) + tellTarget("rotation")
        default:
            return message.address.hasPrefix("/sys/info") ? inform(message, address) : []
        }
    }

    /// The size that programs see.
    private var seen: (columns: Int, rows: Int) {
        turns % 2 == 1 ? (size.rows, size.columns) : (size.columns, size.rows)
    }

    /// Sends keys to `port` at `address` from now on; returns whether they went elsewhere before.
    private mutating func aim(_ address: UInt32, _ port: UInt16) -> Bool {
        isUsed = true
        if let target, target == (address, port) { return false }
        fingers = [:]
        target = (address, port)
        return true
    }

    /// Answers `/sys/info` and `/sys/info/PROPERTY`: to the port named, or else where the keys go.
    private func inform(_ message: OSCMessage, _ address: UInt32) -> [Output] {
        let rest = message.address.dropFirst("/sys/info".count)
        let all = ["id", "size", "host", "port", "prefix", "rotation"]
        let wanted = rest.isEmpty ? all : all.filter { rest == "/" + $0 }
        var place = target
        if let last = message.arguments.last {
            guard message.arguments.count <= 2, let port = Self.port(last) else { return [] }
            place = (address, port)
        }
        guard let place else { return [] }
        return wanted.compactMap { tell($0, at: place) }
    }

    /// The message about a property, to where the keys go; none if they go nowhere.
    private func tellTarget(_ property: String) -> [Output] { target.map { [tell(property, at: $0)] } ?? [] }

    private func tell(_ property: String, at place: (address: UInt32, port: UInt16)) -> Output {
        let values: [OSCMessage.Argument] =
            switch property {
            case "id": [.string(identity)]
            case "size": [.int(Int32(seen.columns)), .int(Int32(seen.rows))]
            case "host": [.string(host)]
            case "port": [.int(Int32(target?.port ?? 0))]
            case "prefix": [.string(prefix)]
            default: [.int(Int32(90 * turns))]
            }
        return Output(address: place.address, port: place.port, message: OSCMessage("/sys/" + property, values))
    }

    // MARK: Lights

    /// Performs the message of a light; what does not fit changes nothing.
    private mutating func light(_ address: Substring, _ values: [Int?]) {
        guard !values.contains(nil) else { return }
        let values = values.compactMap { $0 }
        isUsed = true
        func at(_ place: Int) -> Int { values[place] }
        switch (address, values.count) {
        case ("/grid/led/set", 3): set(at(0), at(1), at(2) == 0 ? 0 : Self.levelMax)
        case ("/grid/led/level/set", 3): set(at(0), at(1), at(2))
        case ("/grid/led/all", 1): setAll(at(0) == 0 ? 0 : Self.levelMax)
        case ("/grid/led/level/all", 1): setAll(at(0))
        case ("/grid/led/intensity", 1): intensity = max(0, min(at(0), Self.levelMax))
        case ("/grid/led/map", 10):
            for (row, bits) in values.dropFirst(2).enumerated() {
                for column in 0..<8 { set(at(0), column, at(1), row, bits >> column & 1 == 0 ? 0 : Self.levelMax) }
            }
        case ("/grid/led/level/map", 66):
            for (place, level) in values.dropFirst(2).enumerated() { set(at(0), place % 8, at(1), place / 8, level) }
        case ("/grid/led/row", 3...), ("/grid/led/col", 3...):
            let isRow = address.hasSuffix("row")
            for (part, bits) in values.dropFirst(2).enumerated() {
                for bit in 0..<8 {
                    let (along, level) = (8 * part + bit, bits >> bit & 1 == 0 ? 0 : Self.levelMax)
                    set(at(0), isRow ? along : 0, at(1), isRow ? 0 : along, level)
                }
            }
        case ("/grid/led/level/row", 3...), ("/grid/led/level/col", 3...):
            let isRow = address.hasSuffix("row")
            for (along, level) in values.dropFirst(2).enumerated() {
                set(at(0), isRow ? along : 0, at(1), isRow ? 0 : along, level)
            }
        default: break
        }
    }

    private mutating func setAll(_ level: Int) {
        for place in levels.indices { levels[place] = UInt8(max(0, min(level, Self.levelMax))) }
    }

    private mutating func set(_ column: Int, _ right: Int, _ row: Int, _ down: Int, _ level: Int) {
        // A message may name any number.
        set(column.addingReportingOverflow(right).partialValue, row.addingReportingOverflow(down).partialValue, level)
    }

    /// Sets the light that a program sees at `column`, `row`.
    private mutating func set(_ column: Int, _ row: Int, _ level: Int) {
        let (columns, rows) = seen
        guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
        let place = Key(column: column, row: row).turned(turns, columns: columns, rows: rows)
        levels[place.row * size.columns + place.column] = UInt8(max(0, min(level, Self.levelMax)))
    }

    /// Draws the grid on the whole panel, which `frame` is, or smaller over `columns` and `rows`: then the means of its
    /// lights.
    public func draw(into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        frame.fill(columns: columns, rows: rows, .black)
        var (left, top, wide, high) = (columns.lowerBound, rows.lowerBound, columns.count, rows.count)
        if wide == frame.columns, high == frame.rows {
            (left, top, wide, high) = (origin.column, origin.row, size.columns, size.rows)
        }
        for y in 0..<high {
            for x in 0..<wide {
                let mean = level(
                    WallPicture.part(x, of: wide, in: size.columns), WallPicture.part(y, of: high, in: size.rows))
                let value = UInt8((255 * mean * Double(intensity) / Double(Self.levelMax * Self.levelMax)).rounded())
                frame[left + x, top + y] = RGB(red: value, green: value, blue: value)
            }
        }
    }

    /// The mean level of the keys in `columns` and `rows`.
    private func level(_ columns: Range<Int>, _ rows: Range<Int>) -> Double {
        var sum = 0
        for row in rows { for column in columns { sum += Int(levels[row * size.columns + column]) } }
        return Double(sum) / Double(columns.count * rows.count)
    }

    // MARK: Keys

    /// A finger is at `column`, `row` of the panel, or has lifted, if that is nil. A finger that slides plays one key
    /// after the other; a key under two fingers is up when both have left it.
    public mutating func touch(_ finger: Int, at place: (column: Float, row: Float)?) -> [Output] {
        let key = place.flatMap { self.key(at: $0) }
        guard key != fingers[finger] else { return [] }
        let last = fingers[finger]
        fingers[finger] = nil
        var outputs: [Output] = []
        if let last, !fingers.values.contains(last) { outputs += press(last, isDown: false) }
        if let key {
            if !fingers.values.contains(key) { outputs += press(key, isDown: true) }
            fingers[finger] = key
        }
        return outputs
    }

    /// Lifts all fingers.
    public mutating func liftAll() -> [Output] { fingers.keys.sorted().flatMap { touch($0, at: nil) } }

    private func key(at place: (column: Float, row: Float)) -> Key? {
        let column = Int(place.column.rounded()) - origin.column
        let row = Int(place.row.rounded()) - origin.row
        guard (0..<size.columns).contains(column), (0..<size.rows).contains(row) else { return nil }
        return Key(column: column, row: row)
    }

    private func press(_ key: Key, isDown: Bool) -> [Output] {
        guard let target else { return [] }
        let seen = key.turned(4 - turns, columns: size.columns, rows: size.rows)
        let message = OSCMessage(
            prefix + "/grid/key", .int(Int32(seen.column)), .int(Int32(seen.row)), .int(isDown ? 1 : 0))
        return [Output(address: target.address, port: target.port, message: message)]
    }
}
