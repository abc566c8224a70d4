import Display
import InputEvents
import Testing

@testable import Instrument

@Suite("The metre's sheet")
struct MetreSheetTests {
    private func player() -> Player {
        var player = Player()
        player.tap(.control(.length), held: 600)
        return player
    }

    private func history(_ player: Player) -> Int { player.instrument.state.session.history.past.count }

    @Test("opens by a hold of 600 ms on the light of the length, which changes nothing")
    func opens() {
        for (held, isOpen) in [(599, false), (600, true)] as [(Int64, Bool)] {
            var player = Player()
            player.tap(.control(.length), held: held, pause: 100)
            #expect((player.instrument.state.view.screen == .metre) == isOpen)
            #expect(player.pattern == Pattern() && history(player) == 0)
            if !isOpen { #expect(player.tooltip == "32 STEPS") }
        }
    }

    @Test("under the rules of the phone the light of the length does nothing")
    func phone() {
        var player = Player.phone
        player.finger(.down, 31, 0)
        player.wait(700)
        player.finger(.move, 25, 0)
        player.finger(.up)
        #expect(player.instrument.state.view.screen == .grid && player.pattern.length == 32 && history(player) == 0)
    }

    @Test("a drag from the light of the length changes it by a step an LED, and is no hold")
    func dial() {
        var player = Player()
        player.finger(.down, 31, 0)
        player.finger(.move, 30, 0)
        #expect(player.pattern.length == 32)
        player.finger(.move, 28, 0)
        #expect(player.pattern.length == 29 && player.tooltip == "29 STEPS")
        player.wait(1000)
        player.finger(.move, 0, 2)
        #expect(player.pattern.length == 1 && player.instrument.state.view.screen == .grid)
        player.finger(.move, 10, 2)
        #expect(player.pattern.length == 11)
        player.finger(.up)
        player.send(.key(.undo))
        #expect(player.pattern.length == 32 && player.tooltip == "UNDO LENGTH")
    }

    @Test("sliding over the beats chooses as many, as one undo step")
    func beats() {
        var player = player()
        player.finger(.down, 6, 8)
        #expect(player.pattern.metre == Metre(beats: 1, steps: 4) && player.tooltip == "1 BEAT")
        for beat in 1..<16 {
            player.finger(.move, Float(6 + 2 * beat), 8)
            #expect(player.pattern.metre.beats == beat + 1)
        }
        player.finger(.move, 43, 12)
        #expect(player.pattern.metre.beats == 16)
        player.finger(.move, 0, 7)
        #expect(player.pattern.metre.beats == 1)
        player.finger(.move, 10, 8)
        player.finger(.up)
        #expect(player.pattern.metre == Metre(beats: 3, steps: 4) && history(player) == 1)
        player.send(.key(.undo))
        #expect(player.pattern.metre == Metre() && player.tooltip == "UNDO METRE")
    }

    @Test(
        "a number of steps acts at release, and sliding off cancels it", arguments: [(6, 2), (15, 3), (24, 4), (33, 6)])
    func steps(column: Int, steps: Int) {
        var player = player()
        player.finger(.down, Float(column + 1), 19)
        #expect(player.pattern.metre == Metre())
        player.finger(.up)
        #expect(player.pattern.metre == Metre(beats: 4, steps: steps))
        player.finger(.down, 25, 19)
        player.finger(.move, 25, 9)
        player.finger(.up)
        #expect(player.pattern.metre == Metre(beats: 4, steps: steps))
    }

    @Test("the lock refuses it")
    func locked() {
        var player = player()
        player.send(.lock(true))
        player.tap(.spot(.metreSteps(2)))
        player.finger(.down, 10, 8)
        player.finger(.up)
        #expect(player.pattern.metre == Metre() && player.tooltip == "LOCKED")
    }

    @Test("shows the bar, the heard step and the chosen number")
    func draws() {
        var player = player()
        player.instrument.state.session.composition.pattern.metre = Metre(beats: 7, steps: 2)
        player.wait(2000)
        for beat in 0..<16 {
            let first = beat == 0 ? Palette.text : beat < 7 ? RGB(0x8a8a8a) : Palette.rail
            #expect(player.led(6 + 2 * beat, 7) == first, "\(beat)")
            #expect(player.led(6 + 2 * beat, 8) == (beat < 7 ? RGB(0x3c3c3c) : .black))
            #expect(player.led(6 + 2 * beat, 9) == .black)
        }
        #expect(player.led(6, 15) == Palette.settings && player.led(24, 15) == .black)
        player.send(.key(.playStop))
        player.send(.step(17, number: 17))
        #expect(player.led(8, 8) == .white)
    }

    @Test(
        "the steps show strong beats, beats and others", arguments: [(3, 4), (7, 2), (4, 6), (6, 2), (4, 4), (16, 2)])
    func markers(beats: Int, steps: Int) {
        var player = Player()
        player.instrument.state.session.composition.pattern.metre = Metre(beats: beats, steps: steps)
        for step in 0..<32 {
            let place = step % (beats * steps)
            let isStrong = place == 0 || [4, 6, 16].contains(beats) && place == beats / 2 * steps
            let colour = RGB(isStrong ? 0x555555 : place % steps == 0 ? 0x333333 : 0x1a1a1a)
            #expect(player.led(Grid.column(ofStep: step), 1) == colour, "step \(step)")
        }
    }

    @Test("− and + of the length go to whole beats of the metre")
    func wholeBeats() {
        var player = Player()
        player.instrument.state.session.composition.pattern.metre = Metre(beats: 2, steps: 6)
        player.tap(.control(.shorter))
        #expect(player.pattern.length == 30)
        player.instrument.state.session.composition.pattern.length = 13
        player.tap(.control(.longer))
        #expect(player.pattern.length == 18)
        player.instrument.state.session.composition.pattern.length = 7
        for _ in 0..<3 { player.tap(.control(.shorter)) }
        #expect(player.pattern.length == 6)
    }

    @Test("with dotted beats a tap of the tempo is a dotted quarter note")
    func tapTempo() {
        for (steps, tempo) in [(2, 60), (3, 90), (4, 120), (6, 180)] {
            var player = Player()
            player.instrument.state.session.composition.pattern.metre = Metre(beats: 4, steps: steps)
            for _ in 0..<4 { player.tap(.control(.tapTempo), held: 50, pause: 450) }
            #expect(player.pattern.tempo == Tempo(tempo))
        }
    }

    @Test("a time signature and a metre are each other's")
    func signatures() throws {
        for beats in Metre.beatsOfBar {
            for steps in Metre.stepsOfBeat {
                let metre = Metre(beats: beats, steps: steps)
                let (count, note) = metre.signature
                #expect(count * 16 == metre.stepsOfBar * note)
                let read = Metre(signature: count, note)
                #expect(read?.stepsOfBar == (read == nil ? nil : metre.stepsOfBar))
            }
        }
        #expect(
            Metre(signature: 6, 8) == Metre(beats: 2, steps: 6) && Metre(signature: 7, 8) == Metre(beats: 7, steps: 2))
        #expect(Metre(signature: 2, 2) == Metre() && Metre(signature: 7, 16) == nil && Metre(signature: 33, 4) == nil)
    }
}
