import Foundation
import FuzzTargets
import TestSupport
import Testing

@Suite("Untrusted bytes")
struct FuzzTests {
    struct Regression: Sendable, CustomTestStringConvertible {
        var target: FuzzTarget
        var path: String

        var testDescription: String { path }
    }

    /// Inputs found by `make fuzz`.
    static let found: [Regression] = FuzzTarget.allCases.flatMap { target in
        Checkout.files("Tests/Fuzz/regressions/\(target.rawValue)").map {
            Regression(target: target, path: $0)
        }
    }

    @Test("known inputs have no problem", arguments: found)
    func regressions(regression: Regression) throws {
        #expect(regression.target.problem(with: try Checkout.bytes(regression.path)) == nil)
    }

    @Test("there are known inputs")
    func known() {
        #expect(!Self.found.isEmpty)
    }

    @Test("the samples have no problem", arguments: FuzzTarget.allCases)
    func samples(target: FuzzTarget) {
        #expect(!target.samples.isEmpty)
        for sample in target.samples { #expect(target.problem(with: sample) == nil) }
    }

    @Test(
        "randomly mutated samples have no problem", arguments: FuzzTarget.allCases,
        1...10 as ClosedRange<UInt64>)
    func changed(target: FuzzTarget, seed: UInt64) {
        var random = SplitMix(seed: seed)
        // The target `ends` has hundreds of samples, each of whose bytes choose among the same documents.
        for sample in target.samples.shuffled(using: &random).prefix(40) {
            for _ in 0..<(target == .ends ? 1 : 20) {
                var bytes = sample
                for _ in 0..<Int.random(in: 1...8, using: &random) { Self.change(&bytes, &random) }
                #expect(target.problem(with: bytes) == nil, "seed \(seed)")
            }
        }
    }

    private static func change(_ bytes: inout [UInt8], _ random: inout SplitMix) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where at < bytes.count: bytes[at] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(at..<end)
        default: bytes.insert(contentsOf: bytes[at..<end], at: .random(in: 0...bytes.count, using: &random))
        }
    }
}
