import Devices
import Documents
import Formats

/// A device that the configuration can name, and its title for people.
package struct DeviceChoice: Hashable, Sendable {
    /// Its name in the configuration.
    package var name: String
    /// Its description, on one line.
    package var title: String

    /// Maximum letters of a title: a device may call itself anything.
    private static let titleMax = 80

    private init(name: String, title: String) {
        self.name = name
        self.title = String(title.filter { !$0.unicodeScalars.contains(where: \.isInvisible) }.prefix(Self.titleMax))
    }

    // MARK: Sound

    /// The sound devices of this machine that can play with `settings`, for `audio.device`.
    package static func sound(_ settings: Configuration.AudioSettings) -> [DeviceChoice] {
        AlsaDevice.all().compactMap { device in
            DeviceChoice(device, rate: settings.rate, configured: settings.device) { path in
                (try? Files.read(path)).map {
                    String(String(decoding: $0, as: UTF8.self).prefix { !$0.isWhitespace })
                }
            }
        }
    }

    /// The choice of a card's `device`, or of the machine's default; nil for another plugin, and for a device that does
    /// not open although it is free. `configured` is the name in the configuration, and `word` reads the first word of
    /// a file of the kernel.
    init?(_ device: AlsaDevice, rate: Int, configured: String, word: (_ path: String) -> String?) {
        /// Whether ALSA has to convert; nil if that is unknown, as the device is busy.
        let converts: Bool?
        switch device.abilities {
        case .success(let abilities): converts = !abilities.rates.contains(rate)
        case .failure(let failure) where failure.isBusy: converts = nil
        // A card that cannot play stereo.
        case .failure: converts = true
        }
        if device.name == "default" {
            guard converts != true else { return nil }
            self.init(name: device.name, title: "The machine's default")
            return
        }
        let numbers = device.name.dropFirst("hw:".count).split(separator: ",")
        guard device.isHardware, numbers.count == 2, numbers.allSatisfy({ Int($0) != nil }),
            let card = word("/proc/asound/card\(numbers[0])/id"), Self.isCard(card)
        else { return nil }
        // By the card's name, as the numbers may change at the next start.
        let place = "CARD=\(card),DEV=\(numbers[1])"
        let converted = "plughw:\(place)"
        // The box itself may play on a busy one.
        let name = converts ?? (configured == converted) ? converted : "hw:\(place)"
        let isUSB = word("/proc/asound/card\(numbers[0])/usbid") != nil
        let kind = isUSB ? "USB" : Self.kinds.first { card.hasPrefix($0.card) }?.title
        let title = device.description.isEmpty ? card : device.description
        self.init(name: name, title: kind.map { "\($0): \(title)" } ?? title)
    }

    /// Kinds of the Raspberry Pi's cards, by the begin of their names.
    private static let kinds: [(card: String, title: String)] = [
        ("sndrpi", "DAC on the header"), ("vc4hdmi", "HDMI"), ("Headphones", "Headphone socket"),
    ]

    /// Whether `text` is the name of a card, which the kernel makes of letters, digits, `_` and `-`.
    private static func isCard(_ text: String) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isWordByte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || "_-".utf8.contains(byte)
    }

    // MARK: Touch

    /// The touch devices of this machine, for `touch.device`.
    package static func touch() -> [DeviceChoice] { touch(InputSurvey.devices()) }

    /// The touch devices among `devices`, each name once.
    static func touch(_ devices: [InputSurvey.Device]) -> [DeviceChoice] {
        var choices: [DeviceChoice] = []
        for device in devices {
            guard case .success(let details) = device.details, let choice = DeviceChoice(details),
                !choices.contains(where: { $0.name == choice.name })
            else { continue }
            choices.append(choice)
        }
        return choices
    }

    private init?(_ details: InputSurvey.Details) {
        let remark: String
        switch details.kind {
        case .overlay: remark = ""
        case .touch: remark = " (not on a screen)"
        case .unusable, .keyboard, .other: return nil
        }
        let hasIdentity = details.vendor != 0 || details.product != 0
        guard hasIdentity || Self.isPlain(details.name) else { return nil }
        self.init(name: hasIdentity ? details.identity : details.name, title: details.name + remark)
    }

    /// Whether the configuration's scripts can take the device's `name` as it is.
    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.first != UInt8(ascii: " ")
            && name.utf8.allSatisfy { isWordByte($0) || " .".utf8.contains($0) }
    }
}
