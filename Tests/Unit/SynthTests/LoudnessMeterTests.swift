import Glibc
import SignalAnalysis
import Synth
import Testing

@Suite("Loudness meter")
struct LoudnessMeterTests {
    static let rates = [44_100, 48_000, 96_000]

    /// A 1 kHz sine in both channels.
    private func sine(_ parts: [(level: Double, seconds: Double)], rate: Int) -> [Float] {
        var frame = 0
        return parts.flatMap { part in
            (0..<Int(part.seconds * Double(rate))).map { _ in
                frame += 1
                return Float(pow(10, part.level / 20) * sin(2 * .pi * 1000 * Double(frame) / Double(rate)))
            }
        }
    }

    /// Cases of EBU Tech 3341 (2023), table 1, for two channels: levels in dBFS, the expected loudness and 0.1 LU.
    static let cases: [(expected: Double, parts: [(level: Double, seconds: Double)])] = [
        (-23, [(-23, 20)]),
        (-33, [(-33, 20)]),
        (-23, [(-36, 10), (-23, 60), (-36, 10)]),
        (-23, [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)]),
        (-23, [(-26, 20), (-20, 20.1), (-26, 20)]),
    ]

    @Test("the minimum requirements of EBU Tech 3341", arguments: cases.indices, rates)
    func requirements(number: Int, rate: Int) {
        let tone = sine(Self.cases[number].parts, rate: rate)
        let loudness = integratedLoudness(left: tone, right: tone, rate: rate)
        #expect(abs(loudness - Self.cases[number].expected) < 0.1, "\(loudness) LUFS")
    }

    @Test("one channel is 3 dB softer than two, and silence has no loudness")
    func channels() {
        let tone = sine([(0, 5)], rate: 48_000)
        let silence = [Float](repeating: 0, count: tone.count)
        #expect(abs(integratedLoudness(left: tone, right: silence, rate: 48_000) + 3.01) < 0.02)
        #expect(integratedLoudness(left: silence, right: silence, rate: 48_000) == -.infinity)
    }

    /// Tables 1 and 2 of BS.1770-5, for 48 kHz.
    @Test("the weighting has the recommendation's coefficients")
    func coefficients() {
        let found = [KWeighting.shelf(rate: 48_000), KWeighting.highPass(rate: 48_000)].flatMap { $0.b + $0.a }
        let expected = [
            1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585,
            1, -2, 1, -1.99004745483398, 0.99007225036621,
        ]
        for (found, expected) in zip(found, expected) { #expect(abs(found - expected) < 1e-7) }
    }

    @Test("libebur128 agrees on the sound of the box", arguments: rates)
    func reference(rate: Int) throws {
        let engine = try TestEngine(rate: UInt32(rate))
        engine.post(Session.busy(rate: rate))
        let sound = engine.renderInterleaved(10 * rate)
        let own = integratedLoudness(
            left: stride(from: 0, to: sound.count, by: 2).map { sound[$0] },
            right: stride(from: 1, to: sound.count, by: 2).map { sound[$0] }, rate: rate)
        let reference = try EBUR128().integratedLoudness(of: sound, rate: rate)
        #expect(abs(own - reference) < 0.05, "\(own) LUFS, libebur128 says \(reference)")
    }
}

/// The library libebur128, loaded when a test needs it: so only tests depend on its package.
private struct EBUR128 {
    struct Missing: Error, CustomStringConvertible {
        let description = "libebur128.so.1 is missing: deploy/setup test installs it"
    }

    private typealias Initialise = @convention(c) (UInt32, UInt, Int32) -> OpaquePointer?
    private typealias AddFrames = @convention(c) (OpaquePointer, UnsafePointer<Float>, Int) -> Int32
    private typealias Measure = @convention(c) (OpaquePointer, UnsafeMutablePointer<Double>) -> Int32
    private typealias Destroy = @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Void

    private let library: UnsafeMutableRawPointer

    init() throws {
        guard let library = dlopen("libebur128.so.1", RTLD_NOW) else { throw Missing() }
        self.library = library
    }

    private func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
        guard let symbol = dlsym(library, name) else { throw Missing() }
        return unsafeBitCast(symbol, to: type)
    }

    /// In LUFS; `frames` are interleaved left and right.
    func integratedLoudness(of frames: [Float], rate: Int) throws -> Double {
        let integrated: Int32 = 5  // EBUR128_MODE_I
        let initialise = try function("ebur128_init", as: Initialise.self)
        let destroy = try function("ebur128_destroy", as: Destroy.self)
        var state = initialise(2, UInt(rate), integrated)
        let meter = try #require(state)
        defer { destroy(&state) }
        var loudness = Double.nan
        try #require(function("ebur128_add_frames_float", as: AddFrames.self)(meter, frames, frames.count / 2) == 0)
        try #require(function("ebur128_loudness_global", as: Measure.self)(meter, &loudness) == 0)
        return loudness
    }
}
