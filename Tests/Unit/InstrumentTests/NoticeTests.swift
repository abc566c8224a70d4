import Display
import Testing

@testable import Instrument

@Suite("Notices")
struct NoticeTests {
    @Test("a notice shows on the panel for a while, in up to eleven letters")
    func notices() {
        let notices: [Notice] = [
            .diskFull, .notSaved, .savedAgain, .libraryDamaged, .imported(0), .imported(12), .exported(10_000),
            .exchangeFailed, .busy,
        ]
        for notice in notices {
            var player = Player()
            player.send(.notice(notice))
            #expect(player.tooltip == notice.text && notice.text.count <= 11)
            player.wait(1300)
            #expect(player.tooltip == nil)
        }
    }

    @Test("while the music is not kept the handle's left half pulses amber, and its right half is dark")
    func warning() {
        var player = Player()
        let calm = player.led(0, 1)
        player.send(.notice(.notSaved))
        player.wait(2000)
        let warned = player.led(0, 1)
        #expect(warned != calm && warned.red > warned.blue)
        // The other half is dark, so that the shape differs too.
        #expect(player.led(2, 1) == RGB(0x0a0a0a) && player.led(3, 1) == RGB(0x0a0a0a))
        player.send(.notice(.savedAgain))
        #expect(player.led(0, 1) == calm)
    }

    private func offered() -> Player {
        var player = Player()
        player.send(.stick(isThere: true))
        return player
    }

    @Test(
        "a stick asks a question: the answer under the lifting finger is performed, once",
        arguments: [(12, 15, "take"), (30, 15, "give"), (21, 15, "none"), (12, 9, "none")])
    func answer(column: Int, row: Int, wanted: String) {
        var player = offered()
        player.tap(Float(column), Float(row))
        let effect: Instrument.Effect? =
            wanted == "take" ? .job(.importPatterns) : wanted == "give" ? .job(.exportPatterns) : nil
        #expect(
            player.effects.filter { $0 == .job(.importPatterns) || $0 == .job(.exportPatterns) }
                == (effect.map { [$0] } ?? []))
        #expect((player.instrument.state.box.stickPrompt == nil) == (effect != nil))
        #expect(player.pattern == Pattern())
        player.tap(Float(column), Float(row))
        #expect(
            player.effects.count { $0 == .job(.importPatterns) || $0 == .job(.exportPatterns) }
                == (effect == nil ? 0 : 1))
    }

    @Test("a finger that slides off an answer cancels it")
    func slide() {
        var player = offered()
        player.drag(from: .answer(.take), to: .led(21, 9))
        #expect(player.effects.isEmpty && player.instrument.state.box.stickPrompt != nil)
        player.drag(from: (21, 9), to: (30, 15))
        #expect(player.effects == [.job(.exportPatterns)])
    }

    @Test("a finger beside the question dismisses it and plays on; one that was down before is not disturbed")
    func playOn() {
        var player = Player()
        player.finger(.down, .step(15, .melody))
        player.send(.stick(isThere: true))
        player.finger(.move, 24, 7)
        player.finger(.up)
        #expect(player.pattern != Pattern())
        #expect(player.instrument.state.box.stickPrompt != nil)
        let before = player.pattern
        player.tap(.step(0, .melody))
        #expect(player.pattern != before && player.instrument.state.box.stickPrompt == nil)
    }

    @Test("the question disappears with the stick, or after half a minute")
    func goes() {
        var player = offered()
        player.send(.stick(isThere: false))
        #expect(player.instrument.state.box.stickPrompt == nil)
        player = offered()
        player.wait(29_999)
        #expect(player.instrument.state.box.stickPrompt != nil)
        player.wait(1)
        #expect(player.instrument.state.box.stickPrompt == nil)
    }

    @Test("the question is drawn over the grid, with readable text")
    func drawn() {
        let player = offered()
        let frame = player.frame()
        #expect(frame[7, 3] == .black && frame[36, 20] == .black)
        #expect((9...20).contains { frame[$0, 15] == .white } && (23...34).contains { frame[$0, 15] == .white })
        var touched = player
        touched.finger(.down, .answer(.take))
        #expect(touched.frame()[9, 12] != frame[9, 12] && touched.frame()[23, 12] == frame[23, 12])
    }
}
