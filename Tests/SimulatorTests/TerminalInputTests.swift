import Testing
import TestSupport

@testable import Simulator

private typealias Event = TerminalInput.Event

private func events(_ text: String) -> [Event] {
    var parser = TerminalInput()
    return text.utf8.compactMap { parser.take($0) }
}

private let inputs: [(String, [Event])] = [
    (" ", [.key(.playStop)]),
    ("\u{1a}", [.key(.undo)]),
    ("\u{19}", [.key(.redo)]),
    ("\u{7f}\u{08}\u{1b}[3~", [.key(.clear), .key(.clear), .key(.clear)]),
    ("\u{1b}[A\u{1b}[B\u{1b}OA\u{1b}OB", [.key(.faster), .key(.slower), .key(.faster), .key(.slower)]),
    ("\u{1b}[1;1A\u{1b}[1;5C", [.key(.faster)]),
    ("\u{1b}[122;5u\u{1b}[122;6u\u{1b}[90;6u\u{1b}[121;5u", [.key(.undo), .key(.redo), .key(.redo), .key(.redo)]),
    ("\u{1b}[122;133u", [.key(.undo)]),
    ("\u{1b}[122:90;6u", [.key(.redo)]),
    ("\u{1b}[99;5uq\u{03}", [.quit, .quit, .quit]),
    ("z\u{1b}[122u\u{1b}[122;7u", []),
    ("\u{1b}[<0;1;1M", [.pointer(.press, isRight: false, column: 0, row: 0)]),
    ("\u{1b}[<32;44;12M", [.pointer(.drag, isRight: false, column: 43, row: 11)]),
    ("\u{1b}[<0;300;7m", [.pointer(.release, isRight: false, column: 299, row: 6)]),
    (
        "\u{1b}[<2;5;6M\u{1b}[<34;5;7M\u{1b}[<2;5;7m",
        [
            .pointer(.press, isRight: true, column: 4, row: 5), .pointer(.drag, isRight: true, column: 4, row: 6),
            .pointer(.release, isRight: true, column: 4, row: 6),
        ]
    ),
    ("\u{1b}[<64;5;6M\u{1b}[<1;5;6M\u{1b}[<35;5;6M\u{1b}[<0;0;6M\u{1b}[<0;6M\u{1b}[<;;M", []),
    ("\u{1b}x \u{1b}\u{1b}[A", [.key(.playStop), .key(.faster)]),
    ("\u{1b}[" + String(repeating: "1", count: 500) + "A ", [.key(.playStop)]),
    ("\u{1b}[99999999999999999999;5u ", [.key(.playStop)]),
    ("é☃ ", [.key(.playStop)]),
]

@Suite("The terminal's input")
struct TerminalInputTests {
    @Test("parses a terminal's input into keys and the finger", arguments: inputs)
    fileprivate func table(text: String, expected: [Event]) {
        #expect(events(text) == expected)
    }

    @Test("waits for the rest of a sequence, and can drop it")
    func pieces() {
        var parser = TerminalInput()
        #expect(parser.take(0x1b) == nil)
        #expect(parser.isInSequence)
        parser.forgetSequence()
        #expect(!parser.isInSequence)
        #expect(parser.take(UInt8(ascii: "q")) == .quit)
    }

    @Test("accepts any bytes")
    func noise() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var parser = TerminalInput()
        for _ in 0..<100_000 {
            let byte = [0x1b, 0x5b, 0x3c, 0x3b, 0x4d, 0x30, UInt8.random(in: 0...255, using: &random)]
                .randomElement(using: &random)
            if let event = parser.take(byte ?? 0), case .pointer(_, _, let column, let row) = event {
                #expect(column >= 0 && row >= 0, "seed \(seed)")
            }
        }
    }
}
