import Formats
import Instrument
import TestSupport
import Testing

@Suite("Byte soup")
struct ByteSoupTests {
    @Test("mutated and random documents are read whole or refused in one line", arguments: 1...40)
    func soup(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let valid: [[UInt8]] = [
            try text(), Array(ConfigurationTests.example.utf8),
            Array(#"{"at": 50, "touch": 0, "phase": "down", "col": 13, "row": 10}"#.utf8),
            Array(#"{"at": 50, "set": "bass.cutoff", "value": 800}"#.utf8),
        ]
        for _ in 0..<60 {
            var bytes = valid.randomElement(using: &random) ?? []
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            case 1: bytes.removeLast(.random(in: 0...bytes.count, using: &random))
            default:
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let tokens = Array("{}[],:\"'-+.eE0123456789\\ntfx/*".utf8) + [0, 0xff, 0xe9]
                    bytes[.random(in: bytes.indices, using: &random)] = tokens.randomElement(using: &random) ?? 0
                }
            }
            let soup = bytes
            let errors = [
                error { () throws(FormatError) in _ = try PatternDocument(parsing: soup) },
                error { () throws(FormatError) in _ = try TouchScript(parsing: soup) },
                error { () throws(FormatError) in _ = try Configuration(parsing: soup) },
            ]
            for error in errors.compactMap(\.self) {
                #expect(!error.description.contains { $0.isNewline }, "seed \(seed): \(error)")
                #expect(error.description.count < 300, "seed \(seed): \(error)")
            }
        }
    }
}
