import Documents

/// Devices of the machine that the page offers: the setup service's answer to `devices`.
struct SetupDevices: Hashable {
    private struct Device: Hashable {
        /// Its name in the configuration.
        var name: String
        var title: String

        var json: JSON { .object(["name": .string(name), "title": .string(title)]) }
    }

    private var sound: [Device] = []
    private var touch: [Device] = []

    /// The devices in `lines`: a kind, a space, a name, a tab and a title. Lines that are not understood are left out.
    init(_ lines: [Substring]) {
        for line in lines {
            let parts = line.split(separator: "\t", maxSplits: 1)
            let words = parts.first?.split(separator: " ", maxSplits: 1) ?? []
            guard parts.count == 2, words.count == 2 else { continue }
            let device = Device(name: String(words[1]), title: String(parts[1]))
            switch words[0] {
            case "sound": sound.append(device)
            case "touch": touch.append(device)
            default: continue
            }
        }
    }

    /// The devices for the page.
    var json: JSON {
        .object(["sound": .array(sound.map { $0.json }), "touch": .array(touch.map { $0.json })])
    }
}
