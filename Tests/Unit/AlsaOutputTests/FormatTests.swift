import AlsaFaults
import Glibc
import PcmPlayback
import Testing

/// The samples that a device of one format received.
struct Recording {
    /// ALSA's name of the format, and bytes of a sample.
    struct Format: CustomTestStringConvertible {
        let name: String
        let size: Int
        var testDescription: String { name }
    }

    static let formats = [
        Format(name: "FLOAT_LE", size: 4), Format(name: "S32_LE", size: 4), Format(name: "S24_3LE", size: 3),
        Format(name: "S16_LE", size: 2),
    ]
    static let float = formats[0]
    static let s32 = formats[1]
    static let s24 = formats[2]
    static let s16 = formats[3]

    let playback: PcmPlayback
    let bytes: [UInt8]
    let format: Format

    /// The device's parameters, besides its format.
    struct Device: CustomTestStringConvertible {
        let testDescription: String
        var isUnmapped = false
        var grantedMax = 0
        var isSpread = false
    }

    static let devices = [
        Device(testDescription: "mapped"), Device(testDescription: "copied to", isUnmapped: true),
        Device(testDescription: "mapped, a few frames at a time", grantedMax: 7),
        Device(testDescription: "mapped, with gaps between the frames", isSpread: true),
    ]

    /// Plays interleaved stereo `samples`, a whole number of periods, or with a third signal for `pulseChannel`.
    init(
        _ samples: [Float], as format: Format, on device: Device = devices[0], rate: UInt32 = 48000,
        period: UInt32 = 128, periods: UInt32 = 3, pulseChannel: UInt32 = 0
    ) throws {
        let path = "/tmp/pixelboop-format-\(getpid()).raw"
        defer { unlink(path) }
        self.format = format
        playback = format.name.withCString { name in
            alsa_devices_are(
                AlsaDevicesAre(
                    unmapped: device.isUnmapped, format: name, granted_max: UInt32(device.grantedMax),
                    spread_bytes: device.isSpread ? UInt32(format.size) : 0))
            defer { alsa_devices_are(AlsaDevicesAre()) }
            return pcm_play(
                "faulty:file:FILE=\(path),FORMAT=raw", rate, period, periods, pulseChannel, samples,
                UInt32(samples.count) / (pulseChannel == 0 ? 2 : 3) / period)
        }
        try #require(playback.error == 0)
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&part, 1, part.count, file), count > 0 { content += part[..<count] }
        bytes = content
    }

    /// Bytes of silence in the buffer before the start: all but a period.
    var silence: Int { Int(playback.buffer - playback.period) * 2 * format.size }

    /// The samples after that silence, as integers of the format.
    var integers: [Int] {
        stride(from: silence, to: bytes.count, by: format.size).map { start in
            let raw = bytes[start..<start + format.size].reversed().reduce(0) { $0 << 8 | Int($1) }
            let bits = 8 * format.size
            return raw >= 1 << (bits - 1) ? raw - 1 << bits : raw
        }
    }

    /// All samples of four bytes, with that silence.
    var words: [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { start in
            bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The same as floating point.
    var floats: [Float] { integers.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) } }
}

/// Even numbers in -1...1, the same each time.
private func noise(_ count: Int) -> [Float] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
    }
}

extension FaultyDeviceTests {
    @Suite("Samples at the device")
    struct FormatTests {
        private static let extremes: [Float] = [1, -1, 1.5, -1.5, .infinity, -.infinity, 0.999_999_94, -0.999_999_94]

        @Test("floating point arrives unchanged, mapped or copied", arguments: Recording.devices)
        func float(device: Recording.Device) throws {
            let samples = noise(2 * 128 * 40)
            let recording = try Recording(samples, as: Recording.float, on: device)
            #expect(recording.playback.mapped == !device.isUnmapped)
            #expect(recording.bytes[..<recording.silence].allSatisfy { $0 == 0 })
            #expect(recording.floats == samples)
        }

        @Test("the pulses are on their channel, the others are silent", arguments: 0..<3 as Range<Int>, [3, 4, 8])
        func pulses(index: Int, channel: Int) throws {
            // All but the last, whose gaps are stereo's gaps.
            let device = Recording.devices[index]
            let samples = noise(3 * 128 * 12)
            let recording = try Recording(samples, as: Recording.s32, on: device, pulseChannel: UInt32(channel))
            let plain = try Recording(samples, as: Recording.s32, on: device)
            let begin = Int(recording.playback.buffer - recording.playback.period) * channel * 4
            let whole = recording.words[(begin / 4)...]
            var expected: [UInt32] = []
            for frame in 0..<128 * 12 {
                let signals = plain.words[(plain.silence / 4)...].dropFirst(3 * frame).prefix(3)
                let music = signals.prefix(2)
                expected += music + [UInt32](repeating: 0, count: channel - 3) + signals.suffix(1)
            }
            #expect(Array(whole) == expected)
        }

        @Test("every format gets the same bytes, mapped or copied", arguments: Recording.formats)
        func accesses(format: Recording.Format) throws {
            let samples = noise(2 * 128 * 40)
            let mapped = try Recording(samples, as: format)
            for device in Recording.devices.dropFirst() {
                #expect(try Recording(samples, as: format, on: device).bytes == mapped.bytes)
            }
        }

        @Test("full scale and beyond never wraps", arguments: [Recording.s32, Recording.s24, Recording.s16])
        func fullScale(format: Recording.Format) throws {
            let samples = (0..<2 * 128).map { Self.extremes[$0 % Self.extremes.count] }
            let top = 1 << (8 * format.size - 1) - 1
            // Two steps of 16 bits for the dither and its headroom; a part in 2^24 for values near full scale.
            let slack = max(2, (top >> 23))
            for (sample, integer) in zip(samples, try Recording(samples, as: format).integers) {
                #expect(sample > 0 ? integer >= top - slack : integer <= -top + slack, "\(sample): \(integer)")
            }
            if format.size > 2 {
                let integers = try Recording(samples, as: format).integers
                #expect(Array(integers[..<6]) == [top, -top, top, -top, top, -top])
            }
        }

        @Test("32 and 24 bits are rounded to nearest", arguments: [Recording.s32, Recording.s24])
        func rounding(format: Recording.Format) throws {
            // From a few steps to full scale.
            let scale = Double(1 << (8 * format.size - 1) - 1)
            let samples = noise(2 * 128 * 40).enumerated().map { $1 * Float(exp2(-Double($0 % 32))) }
            for (sample, integer) in zip(samples, try Recording(samples, as: format).integers) {
                let exact = Double(sample) * scale
                #expect(abs(Double(integer) - exact) <= 0.5 + 1e-6, "\(sample)")
            }
        }

        // MARK: Dither

        /// Frames of the dither's tests: a whole number of periods.
        private static let frames = 1 << 16
        /// Periods of the sine in them: 1 kHz.
        private static let cycles = 1365

        /// A sine of `amplitude` 16-bit steps, in both channels.
        private static func sine(_ amplitude: Double) -> [Float] {
            (0..<2 * frames).map { index in
                let phase = 2 * Double.pi * Double(index / 2 * cycles % frames) / Double(frames)
                return Float(amplitude / 32766 * sin(phase))
            }
        }

        /// The power of `error` at the sine's harmonic `number`, scaled so that white noise gives its mean square on
        /// average.
        private static func power(_ error: [Double], harmonic number: Int) -> Double {
            var (real, imaginary) = (0.0, 0.0)
            for (frame, value) in error.enumerated() {
                let phase = 2 * Double.pi * Double(frame * cycles * number % frames) / Double(frames)
                real += value * cos(phase)
                imaginary += value * sin(phase)
            }
            return (real * real + imaginary * imaginary) / Double(error.count)
        }

        /// Noise of a mean square of a quarter is above this at one frequency in 160 000.
        private static let floor = 0.25 * 12

        @Test("at 16 bits the error is noise that does not depend on the signal", arguments: [0, 0.3, 0.5, 2.5])
        func dither(amplitude: Double) throws {
            let samples = Self.sine(amplitude)
            let integers = try Recording(samples, as: Recording.s16).integers
            let errors = zip(samples, integers).map { Double($1) - Double($0) * 32766 }
            let mean = errors.reduce(0, +) / Double(errors.count)
            let square = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
            // Six standard deviations of the estimates. The quarter is a twelfth of rounding and two twelfths of
            // dither.
            #expect(abs(mean) < 0.009)
            #expect(abs(square - 0.25) < 0.006)
            for side in 0...1 {
                let error = stride(from: side, to: errors.count, by: 2).map { errors[$0] }
                for harmonic in 1...9 {
                    #expect(Self.power(error, harmonic: harmonic) < Self.floor, "harmonic \(harmonic)")
                }
            }
            let sides = stride(from: 0, to: errors.count, by: 2).reduce(0) { $0 + errors[$1] * errors[$1 + 1] }
            #expect(abs(sides / Double(Self.frames)) < 0.006)
        }

        @Test("without dither the same sines would have harmonics", arguments: [0.3, 0.5, 2.5])
        func undithered(amplitude: Double) {
            let sine = Self.sine(amplitude).map { Double($0) * 32766 }
            let error = stride(from: 0, to: sine.count, by: 2).map { sine[$0].rounded() - sine[$0] }
            #expect((1...9).contains { Self.power(error, harmonic: $0) > 10 * Self.floor })
        }

        @Test(
            "silence before the start is zeros; the engine's silence is zeros, or dithered",
            arguments: Recording.formats)
        func silence(format: Recording.Format) throws {
            let recording = try Recording([Float](repeating: 0, count: 2 * 128 * 40), as: format)
            #expect(recording.silence == 2 * 128 * 2 * format.size)
            #expect(recording.bytes[..<recording.silence].allSatisfy { $0 == 0 })
            #expect(Set(recording.integers) == (format.size == 2 ? [-1, 0, 1] : [0]))
        }

        @Test(
            "every rate and size is written completely", arguments: [44100, 48000, 96000] as [UInt32],
            [(32, 2), (64, 3), (128, 3), (1024, 8)] as [(UInt32, UInt32)])
        func sizes(rate: UInt32, size: (period: UInt32, periods: UInt32)) throws {
            let samples = noise(2 * Int(size.period) * 20)
            for device in Recording.devices {
                let recording = try Recording(
                    samples, as: Recording.float, on: device, rate: rate, period: size.period, periods: size.periods)
                #expect(recording.playback.period == size.period)
                #expect(recording.playback.buffer == size.period * size.periods)
                #expect(recording.floats == samples)
            }
        }
    }
}
