import InputEvents
import Testing

@testable import Pages

/// Keys of a terminal at times in milliseconds.
private final class Typist {
    private(set) var strokes: [KeyStroke] = []
    private var keys = TerminalKeys { _, _ in }

    init(reportsReleases: Bool = false) {
        keys = TerminalKeys { [unowned self] stroke, _ in strokes.append(stroke) }
        keys.reportsReleases = reportsReleases
    }

    func type(_ stroke: KeyStroke, at milliseconds: Int64) {
        end(at: milliseconds)
        keys.handle(stroke, at: Instant(milliseconds: milliseconds))
    }

    func end(at milliseconds: Int64) { keys.endHold(at: Instant(milliseconds: milliseconds)) }
    func timeout(at milliseconds: Int64) -> Int32? { keys.holdTimeout(at: Instant(milliseconds: milliseconds)) }
    func cancelAll() { keys.cancelAll(at: .zero) }
}

@Suite("The keys of a terminal")
struct TerminalKeysTests {
    @Test("without reports of releases, Enter and Space are taps; the others pass unchanged")
    func taps() {
        let typist = Typist()
        for stroke in [KeyStroke.press(.enter), .press(.spaceBar), .press(.latch), .press(.arrowUp), .type("a")] {
            typist.type(stroke, at: 0)
        }
        let expected: [KeyStroke] = [
            .press(.enter), .release(.enter), .press(.spaceBar), .release(.spaceBar), .press(.latch), .press(.arrowUp),
            .type("a"),
        ]
        #expect(typist.strokes == expected)
        #expect(typist.timeout(at: 0) == nil)
    }

    @Test("Delete is held from its first repetition until it pauses for 200 ms")
    func held() {
        let typist = Typist()
        typist.type(.press(.erase), at: 0)
        #expect(typist.strokes == [.press(.erase), .release(.erase)])
        for time in stride(from: 500, through: 1000, by: 33) as StrideThrough<Int64> {
            typist.type(.press(.erase), at: time)
        }
        let repeats = Array(repeating: KeyStroke.press(.erase), count: 16)
        #expect(typist.strokes == [.press(.erase), .release(.erase)] + repeats)
        #expect(typist.timeout(at: 1000) == 195)
        typist.end(at: 1194)
        #expect(typist.strokes.count == 18)
        typist.end(at: 1195)
        #expect(typist.strokes.last == .release(.erase) && typist.timeout(at: 1195) == nil)
        // Two presses in a second are two taps.
        typist.type(.press(.erase), at: 2000)
        #expect(typist.strokes.suffix(2) == [.press(.erase), .release(.erase)])
    }

    @Test("reported releases pass unchanged, and keys that are down at the end are withdrawn")
    func reported() {
        let typist = Typist(reportsReleases: true)
        let strokes: [KeyStroke] = [
            .press(.enter), .press(.arrowLeft), .release(.enter), .press(.erase), .press(.erase),
        ]
        for stroke in strokes { typist.type(stroke, at: 0) }
        typist.end(at: 5000)
        #expect(typist.strokes == strokes)
        typist.cancelAll()
        #expect(typist.strokes == strokes + [.cancel(.erase)])
    }
}
