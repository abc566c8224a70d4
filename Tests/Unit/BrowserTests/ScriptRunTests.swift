import TestSupport
import Testing

@testable import Browser

@Suite("Films of touch scripts in a browser")
struct ScriptRunTests {
    private static let script = Array(
        """
        {"at": 100, "touch": 0, "phase": "down", "col": 8, "row": 5}
        {"at": 180, "touch": 0, "phase": "up", "col": 8, "row": 5}
        {"at": 500, "key": "space"}
        """.utf8)

    private struct Outputs {
        var sound: [UInt8] = []
        var frames: [(milliseconds: Double, pixels: [UInt8])] = []
        var picture: [UInt8] = []

        mutating func take(_ kind: Output, _ bytes: UnsafeRawBufferPointer) {
            switch kind {
            case .sound: sound += bytes
            case .frame:
                let bits = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[$1]) << (8 * UInt64($1)) }
                frames.append((Double(bitPattern: bits), Array(bytes.dropFirst(8))))
            case .picture: picture = Array(bytes)
            case .message, .document, .line, .event, .wire, .music, .file, .part: break
            }
        }
    }

    @Test("a film has the sound and the last picture of the replay, and each change of the light with its time")
    func film() {
        var film = Outputs()
        var replay = Outputs()
        #expect(ScriptRun.film(Self.script, version: "1") { film.take($0, $1) } == nil)
        let problem = ScriptRun.run(Self.script, version: "1", until: nil, loops: 0) { replay.take($0, $1) }
        #expect(problem == nil)
        let isSame = film.sound == replay.sound
        #expect(isSame)
        #expect(film.frames.count > 20)
        for (before, frame) in zip(film.frames, film.frames.dropFirst()) {
            #expect(before.milliseconds < frame.milliseconds)
            let differs = before.pixels != frame.pixels
            #expect(differs)
        }
        #expect(film.frames.allSatisfy { $0.pixels.count == 44 * 24 * 3 && $0.milliseconds <= 2500 })
        let isLast = film.frames.last?.pixels == replay.picture
        #expect(isLast)
    }

    @Test("a damaged script says what is wrong")
    func damaged() {
        let problem = ScriptRun.film(Array("{\"at\": 1}".utf8), version: "1") { _, _ in }
        #expect(problem == "line 1, touch: is missing")
    }
}
