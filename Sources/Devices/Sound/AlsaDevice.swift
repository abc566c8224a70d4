import AlsaOutput
import Glibc

/// A playback PCM of this machine, and what it can do now.
public struct AlsaDevice: Sendable {
    /// ALSA's name of it.
    public var name: String
    /// What it is, in the words of its driver or configuration; may be empty.
    public var description: String
    /// What it can play, or why it does not open.
    public var abilities: Result<Abilities, Failure>

    /// Whether it is a card's own device and not a plugin's.
    public var isHardware: Bool { name.hasPrefix("hw:") }

    /// What a PCM can play in stereo.
    public struct Abilities: Sendable, Equatable {
        /// The engine's rates that it has, in frames a second.
        public var rates: [Int]
        /// The sample formats of the audio thread that it has, by ALSA's names, the preferred one first.
        public var formats: [String]
        /// Frames of its smallest period.
        public var periodMin: Int
    }

    /// What a PCM and the audio thread agree on.
    public struct Agreement: Sendable, Equatable {
        /// Frames a period.
        public var period: Int
        /// Frames of the buffer.
        public var buffer: Int
        /// ALSA's name of the sample format.
        public var format: String
        /// Whether the buffer is mapped into memory and written in place.
        public var isMapped: Bool
    }

    /// All playback PCMs: those that ALSA's configuration lists, then the cards' own. Opens each for a moment. Stands for
    /// `snd_device_name_hint`, `snd_card_next` and `snd_ctl_pcm_next_device`.
    public static func all() -> [AlsaDevice] {
        let names = Names()
        audio_devices_list(Unmanaged.passUnretained(names).toOpaque()) { context, name, description in
            guard let context, let name, let description else { return }
            let names = Unmanaged<Names>.fromOpaque(context).takeUnretainedValue()
            // The configuration of ALSA describes in two lines, of which the second says which way the sound goes.
            let lines = String(cString: description).split(whereSeparator: \.isNewline)
            names.found.append((String(cString: name), lines.joined(separator: ", ")))
        }
        let closed = closedCards().map { AlsaDevice(name: "hw:\($0)", abilities: .failure(Failure(errno: EACCES))) }
        return closed
            + names.found.map { AlsaDevice(name: $0, description: $1, abilities: probe($0)) }
    }

    /// The numbers of the cards that this user may not open. ALSA says of them that there are none.
    private static func closedCards() -> [Int] {
        let cardsMax = 32
        return (0..<cardsMax).filter { card in
            let node = "/dev/snd/controlC\(card)"
            return access(node, F_OK) == 0 && access(node, R_OK | W_OK) != 0
        }
    }

    private init(name: String, description: String = "", abilities: Result<Abilities, Failure>) {
        self.name = name
        self.description = description
        self.abilities = abilities
    }

    /// The failure of a PCM that ALSA did not open with `errno`.
    private static func failure(_ errno: Int32) -> Failure {
        Failure(errno: SystemError(errno: errno).isAbsence && !closedCards().isEmpty ? EACCES : errno)
    }

    private final class Names {
        var found: [(name: String, description: String)] = []
    }

    /// What the PCM `name` can play. Stands for `snd_pcm_open` and `snd_pcm_hw_params_any`.
    public static func probe(_ name: String) -> Result<Abilities, Failure> {
        var abilities = AudioDeviceAbilities()
        let error = audio_device_probe(name, &abilities)
        guard error == 0 else { return .failure(failure(-error)) }
        var rates: [Int] = []
        var formats: [String] = []
        for index in 0..<UInt32.bitWidth {
            let bit = UInt32(1) << UInt32(index)
            if abilities.rates & bit != 0 { rates.append(Int(audio_rate(UInt32(index)))) }
            if abilities.formats & bit != 0, let format = audio_format(UInt32(index)) {
                formats.append(String(cString: format))
            }
        }
        return .success(Abilities(rates: rates, formats: formats, periodMin: Int(abilities.period_min)))
    }

    /// Opens the PCM `name` for a moment, set up as the audio thread sets it up. Stands for `snd_pcm_hw_params`.
    public static func agree(
        with name: String, rate: Int, period: Int, periods: Int
    ) -> Result<Agreement, Failure> {
        var settings = AudioDeviceSettings()
        let error = audio_device_negotiate(name, UInt32(rate), UInt32(period), UInt32(periods), &settings)
        guard error == 0, let format = settings.format else {
            return .failure(failure(-error))
        }
        return .success(
            Agreement(
                period: Int(settings.period), buffer: Int(settings.buffer), format: String(cString: format),
                isMapped: settings.mapped))
    }
}

extension AlsaDevice {
    /// Why a PCM does not open, or does not play what the engine renders.
    public struct Failure: Error, Hashable, CustomStringConvertible {
        /// The error number.
        public var errno: Int32

        /// The failure that `errno` stands for.
        public init(errno: Int32) { self.errno = errno }

        /// The failure in words.
        public var description: String {
            switch errno {
            case ENOENT, ENODEV, ENXIO: "there is no such device"
            case EBUSY: "it is busy: another program plays on it"
            case EACCES, EPERM: "this user has no permission to open it"
            case EINVAL: "it cannot play stereo at this rate"
            case ETIMEDOUT: "it took no sound for a third of a second"
            default: "\(SystemError(errno: errno))"
            }
        }

        /// What to do about it.
        public var fix: String {
            switch errno {
            case EBUSY: "end that program, or choose a device that programs share, such as default"
            case EACCES, EPERM: DeviceFailure.fix(joining: "audio")
            case EINVAL: "choose plughw: instead of hw:, which converts, or another audio.rate"
            default: "set audio.device to one that pixelboop doctor lists"
            }
        }
    }
}
