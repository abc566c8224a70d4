import InputEvents
import Testing
import TestSupport

@testable import Pages

private typealias Event = TerminalInput.Event

private func events(_ text: String) -> [Event] {
    var parser = TerminalInput()
    return text.utf8.compactMap { parser.parse($0) }
}

private func press(_ key: Key) -> Event { .key(.press(key)) }
private func typed(_ character: Character) -> Event { .key(.type(character)) }

private let inputs: [(String, [Event])] = [
    (" ", [press(.spaceBar)]),
    ("\r\n\t", [press(.enter), press(.enter), press(.latch)]),
    ("\u{1a}", [press(.undo)]),
    ("\u{19}", [press(.redo)]),
    ("\u{7f}\u{08}\u{1b}[3~", [press(.erase), press(.erase), press(.erase)]),
    (
        "\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D\u{1b}OA\u{1b}OB",
        [
            press(.arrowUp), press(.arrowDown), press(.arrowRight), press(.arrowLeft), press(.arrowUp),
            press(.arrowDown),
        ]
    ),
    ("\u{1b}[1;1A\u{1b}[1;5C\u{1b}[1;2C", [press(.arrowUp), press(.arrowRight)]),
    ("\u{1b}[122;5u\u{1b}[122;6u\u{1b}[90;6u\u{1b}[121;5u", [press(.undo), press(.redo), press(.redo), press(.redo)]),
    ("\u{1b}[122;133u", [press(.undo)]),
    ("\u{1b}[122:90;6u", [press(.redo)]),
    // Kitty's protocol: press, repeat, release.
    ("\u{1b}[13u\u{1b}[13;1:2u\u{1b}[13;1:3u", [press(.enter), .key(.release(.enter))]),
    ("\u{1b}[32;1:1u\u{1b}[32;5:3u", [press(.spaceBar), .key(.release(.spaceBar))]),
    ("\u{1b}[1;1:1C\u{1b}[1;1:2C\u{1b}[1;1:3C", [press(.arrowRight), press(.arrowRight)]),
    ("\u{1b}[3;1:1~\u{1b}[3;1:2~\u{1b}[3;1:3~", [press(.erase), press(.erase), .key(.release(.erase))]),
    ("\u{1b}[27u\u{1b}[27;1:3u\u{1b}[9u", [press(.escape), press(.latch)]),
    ("\u{1b}[97;;97u\u{1b}[49;2;33u\u{1b}[97;1:3u\u{1b}[97;5u\u{1b}[57441;2u", [typed("a"), typed("!")]),
    ("\u{1b}[?27u\u{1b}[?0u", [.reportsReleases]),
    ("\u{1b}[99;5uq\u{03}", [.quit, .quit, .quit]),
    ("z\u{1b}[122u\u{1b}[122;7u", [typed("z"), typed("z")]),
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
    ("\u{1b}x \u{1b}\u{1b}[A", [press(.spaceBar), press(.arrowUp)]),
    ("\u{1b}[" + String(repeating: "1", count: 500) + "A ", [press(.spaceBar)]),
    ("\u{1b}[99999999999999999999;5u ", [press(.spaceBar)]),
    ("é☃ ", [press(.spaceBar)]),
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
        #expect(parser.parse(0x1b) == nil)
        #expect(parser.isInSequence)
        #expect(parser.endSequence() == press(.escape))
        #expect(!parser.isInSequence)
        #expect(parser.parse(UInt8(ascii: "q")) == .quit)
        for byte in "\u{1b}[1".utf8 { _ = parser.parse(byte) }
        #expect(parser.endSequence() == nil)
    }

    @Test("q is a letter while the panel asks for a name")
    func naming() {
        var parser = TerminalInput()
        parser.isNaming = true
        #expect(parser.parse(UInt8(ascii: "q")) == typed("q"))
        #expect(parser.parse(0x03) == .quit)
    }

    @Test("accepts any bytes")
    func noise() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        var parser = TerminalInput()
        for _ in 0..<100_000 {
            let byte = [0x1b, 0x5b, 0x3c, 0x3b, 0x4d, 0x30, UInt8.random(in: 0...255, using: &random)]
                .randomElement(using: &random)
            if let event = parser.parse(byte ?? 0), case .pointer(_, _, let column, let row) = event {
                #expect(column >= 0 && row >= 0, "seed \(seed)")
            }
        }
    }
}
