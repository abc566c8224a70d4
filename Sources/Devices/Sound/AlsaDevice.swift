import AlsaOutput
import Glibc

/// A playback PCM of this machine and its capabilities.
public struct AlsaDevice: Sendable {
    /// ALSA's name of the PCM.
    public var name: String
    /// Description by the driver or ALSA's configuration; may be empty.
    public var description: String
    /// The formats and rates it can play, or why it does not open.
    public var abilities: Result<Abilities, Failure>

    /// Whether it is a hardware device, not a plugin.
    public var isHardware: Bool { name.hasPrefix("hw:") }

    /// Stereo capabilities of a PCM.
    public struct Abilities: Sendable, Equatable {
        /// Supported engine rates, in frames per second.
        public var rates: [Int]
        /// Supported sample formats of the audio thread, by ALSA's names, the preferred one first.
        public var formats: [String]
        /// Minimum period, in frames.
        public var periodMin: Int
    }

    /// The hardware parameters that the audio thread would get from a PCM.
    public struct Agreement: Sendable, Equatable {
        /// Frames per period.
        public var period: Int
        /// Frames in the buffer.
        public var buffer: Int
        /// ALSA's name of the sample format.
        public var format: String
        /// Whether the buffer is memory-mapped.
        public var isMapped: Bool
    }

    /// All playback PCMs: the PCMs of ALSA's configuration, then the cards' hardware devices. Opens each briefly. Calls
    /// `snd_device_name_hint`, `snd_card_next` and `snd_ctl_pcm_next_device`.
    public static func all() -> [AlsaDevice] {
        let names = Names()
        audio_devices_list(Unmanaged.passUnretained(names).toOpaque()) { context, name, description in
            guard let context, let name, let description else { return }
            let names = Unmanaged<Names>.fromOpaque(context).takeUnretainedValue()
            // ALSA's descriptions have two lines; the second is the routing.
            let lines = String(cString: description).split(whereSeparator: \.isNewline)
            names.found.append((String(cString: name), lines.joined(separator: ", ")))
        }
        let closed = closedCards().map { AlsaDevice(name: "hw:\($0)", abilities: .failure(Failure(errno: EACCES))) }
        return closed
            + names.found.map { AlsaDevice(name: $0, description: $1, abilities: probe($0)) }
    }

    /// Numbers of the cards that this user may not open, which ALSA does not list.
    private static func closedCards() -> [Int] {
        let cardsMax = 32
        return (0..<cardsMax).filter { card in
            let node = "/dev/snd/controlC\(card)"
            return access(node, F_OK) == 0 && access(node, R_OK | W_OK) != 0
        }
    }

    init(name: String, description: String = "", abilities: Result<Abilities, Failure>) {
        self.name = name
        self.description = description
        self.abilities = abilities
    }

    /// The failure for ALSA's `errno`. ALSA reports a forbidden card as absent.
    private static func failure(_ errno: Int32) -> Failure {
        Failure(errno: SystemError(errno: errno).isAbsence && !closedCards().isEmpty ? EACCES : errno)
    }

    private final class Names {
        var found: [(name: String, description: String)] = []
    }

    /// Capabilities of the PCM `name`. Calls `snd_pcm_open` and `snd_pcm_hw_params_any`.
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

    /// Opens the PCM `name` briefly with the audio thread's set-up; returns the parameters. Pulses have the channel
    /// `pulseChannel`, 3-32, or none. Calls `snd_pcm_hw_params`.
    public static func agree(
        with name: String, rate: Int, period: Int, periods: Int, pulseChannel: Int? = nil
    ) -> Result<Agreement, Failure> {
        func negotiate(_ channel: Int?, _ settings: inout AudioDeviceSettings) -> Int32 {
            audio_device_negotiate(
                name, UInt32(rate), UInt32(period), UInt32(periods), UInt32(channel ?? 0), &settings)
        }
        var settings = AudioDeviceSettings()
        let error = negotiate(pulseChannel, &settings)
        guard error == 0, let format = settings.format else {
            var failure = failure(-error)
            if let pulseChannel, error == -EINVAL, negotiate(nil, &settings) == 0 {
                failure.missingChannel = pulseChannel
            }
            return .failure(failure)
        }
        return .success(
            Agreement(
                period: Int(settings.period), buffer: Int(settings.buffer), format: String(cString: format),
                isMapped: settings.mapped))
    }
}

extension AlsaDevice {
    /// Why a PCM does not open or cannot play the engine's sound.
    public struct Failure: Error, Hashable, CustomStringConvertible {
        /// The error number.
        public var errno: Int32
        /// The channel of the pulses, if it is all that is missing.
        public var missingChannel: Int?

        /// The failure for `errno`.
        public init(errno: Int32) { self.errno = errno }

        /// Whether another program plays on it.
        public var isBusy: Bool { errno == EBUSY }

        /// The reason.
        public var description: String {
            if let missingChannel { return "it has no channel \(missingChannel) for the pulses" }
            return switch errno {
            case ENOENT, ENODEV, ENXIO: "there is no such device"
            case EBUSY: "it is busy: another program plays on it"
            case EACCES, EPERM: "this user has no permission to open it"
            case EINVAL: "it cannot play stereo at this rate"
            case ETIMEDOUT: "it took no sound for a third of a second"
            default: "\(SystemError(errno: errno))"
            }
        }

        /// The remedy.
        public var fix: String {
            if missingChannel != nil {
                return "choose a device with more channels, or sync.pulse: \"left\", or the line gpio.clockOut"
            }
            return switch errno {
            case EBUSY: "end that program, or choose a device that programs share, such as default"
            case EACCES, EPERM: DeviceFailure.fix(joining: "audio")
            case EINVAL: "choose plughw: instead of hw:, which converts, or another audio.rate"
            default: "set audio.device to one that pixelboop doctor lists"
            }
        }
    }
}
