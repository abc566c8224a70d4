import Documents
import Panel

/// State of networks, time zone, LEDs, devices and updates: the setup service's answer to `state`.
struct SetupState: Hashable {
    /// A Wi-Fi network; its name is bytes, which need not be UTF-8.
    struct Network: Hashable {
        var ssid: [UInt8]

        /// A network by the hexadecimal digits of its name; nil if they are none.
        init?(hex: Substring) {
            guard let bytes = [UInt8](hexDigits: hex), (1...Self.sizeMax).contains(bytes.count) else { return nil }
            ssid = bytes
        }

        /// Maximum bytes of a name (IEEE 802.11-2020, 9.4.2.2).
        private static let sizeMax = 32

        var hex: String { ssid.map { String(Int($0), digits: 2, radix: 16) }.joined() }

        /// The name for people.
        var name: String { String(decoding: ssid, as: UTF8.self) }

        fileprivate var json: [String: JSON] { ["ssid": .string(hex), "name": .string(name)] }
    }

    private struct Seen: Hashable {
        var network: Network
        /// Percent.
        var strength: Int
        var security: String
    }

    /// The last update since the machine's start.
    private struct Update: Hashable {
        /// `running`, `done`, `failed`, or `trial` of a new system.
        var state: String
        /// Its kind, `package` or `image`, while it is running; then its result.
        var text: String
    }

    private var isAccessPointOpen = false
    private var isPageOpen = false
    private var network: Network?
    private var joining: Network?
    private var seen: [Seen] = []
    private var addresses: [String] = []
    private var examples: [String] = []
    private var update: Update?
    /// Values of the words in `keys`, for the page as they are.
    private var words = ["leds": "own", "corner": PanelConfiguration.Corner.topLeft.rawValue]

    /// Words that come once, and their keys in the page's document.
    static let keys = [
        "origin": "origin", "country": "country", "zone": "zone", "problem": "problem", "leds": "leds",
        "corner": "corner", "wiring": "wiring", "sound": "sound", "touch": "touch", "version": "version",
        "updates-folder": "updatesFolder", "update-problem": "updateProblem",
    ]
    static let updateStates: Set<Substring> = ["running", "done", "failed", "trial"]
    /// Securities of networks that the page can join.
    static let securities: Set<Substring> = ["open", "password"]

    /// The state in `lines`. Lines that are not understood are left out: the service may be a newer one.
    init(_ lines: [Substring]) {
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let (word, value) = (String(parts[0]), parts[1])
            switch word {
            case "access-point": isAccessPointOpen = value == "open"
            case "page": isPageOpen = value == "open"
            case "network": network = Network(hex: value)
            case "joining": joining = Network(hex: value)
            case "address": addresses.append(String(value))
            case "example": examples.append(String(value))
            case "seen":
                let fields = value.split(separator: " ")
                guard fields.count == 3, let network = Network(hex: fields[0]), let strength = Int(fields[1]),
                    Self.securities.contains(fields[2])
                else { continue }
                seen.append(Seen(network: network, strength: strength, security: String(fields[2])))
            case "update":
                let fields = value.split(separator: " ", maxSplits: 1)
                guard let state = fields.first, Self.updateStates.contains(state) else { continue }
                update = Update(state: String(state), text: fields.count > 1 ? String(fields[1]) : "")
            case let word where Self.keys[word] != nil: words[word] = String(value)
            default: continue
            }
        }
    }

    /// The state for the page of `pageVersion`, whose address in other networks is `url`, and which offers the
    /// `countries` of these codes.
    func json(url: String, countries: [String], pageVersion: String) -> JSON {
        var values: [String: JSON] = [
            "countries": .array(countries.map { .string($0) }), "pageVersion": .string(pageVersion),
            "accessPoint": .bool(isAccessPointOpen), "page": .bool(isPageOpen), "url": .string(url),
            "network": network.map { .object($0.json) } ?? .null, "joining": joining.map { .object($0.json) } ?? .null,
            "networks": .array(
                seen.map { seen in
                    let more: [String: JSON] = [
                        "strength": .integer(seen.strength), "security": .string(seen.security),
                    ]
                    return .object(seen.network.json.merging(more) { first, _ in first })
                }),
            "addresses": .array(addresses.map { .string($0) }), "examples": .array(examples.map { .string($0) }),
            "threeWires": .array(Self.threeWires.map { .string($0) }),
            "update": update.map { .object(["state": .string($0.state), "text": .string($0.text)]) } ?? .null,
        ]
        for (word, key) in Self.keys { values[key] = .orNull(words[word]) }
        return .object(values)
    }

    /// Names of examples whose chips have no clock line: deploy/configurations/make names an example by its chip, in
    /// small letters.
    private static let threeWires = LEDChip.allCases.filter { !$0.wire.isClocked }.map { $0.rawValue.lowercased() }
}
