import Display
import InputEvents
import TestSupport
import Testing

@testable import Instrument

/// Patterns of more than 32 steps.
@Suite("Windows of a pattern")
struct WindowTests {
    /// A player of a pattern of `length` steps.
    private func player(_ length: Int) -> Player {
        var player = Player()
        player.instrument.state.session.composition.pattern.length = length
        return player
    }

    private func window(_ player: Player) -> Int { player.instrument.window.index }

    private func column(_ step: Int) -> Float { Float(Grid.column(ofStep: step)) }

    @Test("beyond 32 steps − and + go to whole bars, up to 128")
    func lengths() {
        var player = Player()
        var lengths: [Int] = []
        for _ in 0..<8 {
            player.tap(.control(.longer))
            lengths.append(player.pattern.length)
        }
        #expect(lengths == [48, 64, 80, 96, 112, 128, 128, 128] && player.tooltip == "128 STEPS")
        player.instrument.state.session.composition.pattern.length = 70
        lengths = []
        for _ in 0..<5 {
            player.tap(.control(.shorter))
            lengths.append(player.pattern.length)
        }
        #expect(lengths == [64, 48, 32, 28, 24])
        player.instrument.state.session.composition.pattern.metre = Metre(beats: 3, steps: 4)
        player.instrument.state.session.composition.pattern.length = 36
        lengths = []
        for control in [Control.shorter, .shorter, .longer, .longer, .longer] {
            player.tap(.control(control))
            lengths.append(player.pattern.length)
        }
        #expect(lengths == [32, 28, 32, 36, 48])
    }

    @Test("a tap on the overview shows the window there")
    func tap() {
        var player = player(100)
        // Four steps a column: 8 columns a window.
        for (place, shown, text) in [(23, 2, "65-96"), (8, 1, "33-64"), (0, 0, "1-32"), (24, 3, "97-100")] {
            player.tap(Float(Grid.column(ofStep: place)), 22, pause: 500)
            #expect(window(player) == shown && player.tooltip == text, "\(place)")
        }
        #expect(window(player) == 3)
        for step in 0..<32 {
            #expect((player.led(Grid.column(ofStep: step), 1) != Palette.background) == (step < 4), "\(step)")
        }
        player = Player()
        player.tap(.overview(30))
        #expect(window(player) == 0 && player.tooltip == nil)
    }

    @Test("a tap in a window writes there, and the grid shows what is in it")
    func writing() {
        var player = player(64)
        player.instrument.state.view.window = 1
        player.tap(.step(8, .melody))
        #expect(player.cells(.melody).map { $0.split(separator: "=")[0].split(separator: "@")[1] } == ["40"])
        let lit = player.led(.step(8, .melody))
        player.instrument.state.view.window = 0
        #expect(player.led(.step(8, .melody)) != lit)
    }

    @Test("two fingers on the row of the steps scroll, and a finger that draws goes on in the next window")
    func scroll() {
        var player = player(64)
        player.finger(.down, column(30), 7)
        player.finger(.down, 30, 1, contact: 1)
        player.finger(.down, 20, 1, contact: 2)
        player.finger(.move, 20, 1, contact: 1)
        #expect(window(player) == 0)
        player.finger(.move, 10, 1, contact: 2)
        #expect(window(player) == 1 && player.tooltip == "33-64")
        player.finger(.up, contact: 1)
        player.finger(.up, contact: 2)
        player.wait(300)
        player.finger(.move, column(2), 7)
        player.finger(.up)
        let steps = player.cells(.melody).map { Int($0.split(separator: "=")[0].split(separator: "@")[1]) }
        #expect(steps == [30, 31, 32, 33, 34])
        player.send(.key(.undo))
        #expect(player.cells(.melody).isEmpty)
        // To the right, and not beyond the first.
        for contact in [1, 2] { player.finger(.down, Float(4 + 4 * contact), 1, contact: contact) }
        for contact in [1, 2] { player.finger(.move, Float(30 + 4 * contact), 1, contact: contact) }
        #expect(window(player) == 0)
    }

    @Test("two fingers that scroll back and forth are neither a shake nor taps")
    func scrollIsNoShake() {
        var player = player(64)
        player.tap(.step(3, .bass))
        player.tap(15, 1, pause: 100)
        for contact in [1, 2] { player.finger(.down, Float(12 + 3 * contact), 1, contact: contact) }
        for turn in 0..<8 {
            for contact in [1, 2] {
                player.finger(.move, Float(12 + 3 * contact + (turn % 2 == 0 ? 10 : 0)), 1, contact: contact)
            }
            player.wait(100)
        }
        for contact in [1, 2] { player.finger(.up, contact: contact) }
        #expect(player.cells(.bass).count == 1 && !player.instrument.state.isPlaying)
    }

    @Test("on LANES two fingers on the track's notes scroll, and leave the post where it is")
    func lanesScroll() {
        var player = player(64)
        player.show(.lanes(LanesSheet(of: .melody)))
        player.finger(.down, 38, 22, contact: 1)
        player.finger(.down, 20, 23, contact: 2)
        player.wait(500)
        for (contact, column) in [(1, 28), (2, 10)] { player.finger(.move, Float(column), 22, contact: contact) }
        #expect(window(player) == 1 && player.tooltip == "33-64" && player.pattern.length(of: .melody) == 64)
        for contact in [1, 2] { player.finger(.up, contact: contact) }
        player.tap(column(4), 6)
        #expect(values(player) == [36])
        // Beside the post that is shown a finger moves it.
        player.drag(from: (39, 22), to: (36, 22))
        #expect(player.pattern.length(of: .melody) == 61)
    }

    @Test("the window goes with the playhead until a finger draws, and again after a hold on the overview")
    func follow() {
        var player = player(96)
        player.send(.key(.playStop))
        func hear(_ step: Int) {
            player.send(.step(step, number: step))
            player.wait(100)
        }
        hear(0)
        hear(40)
        #expect(window(player) == 1)
        player.tap(.step(3, .bass))
        hear(64)
        #expect(window(player) == 1)
        player.tap(.overview(10), held: 700)
        #expect(player.tooltip == "FOLLOW" && window(player) == 2)
        hear(0)
        #expect(window(player) == 0)
        player.tap(.overview(10), held: 700)
        #expect(player.tooltip == "STAY")
        hear(70)
        #expect(window(player) == 0)
    }

    @Test("a finger that draws while the pattern grows stays within the steps that it began with")
    func growing() {
        var player = player(32)
        player.finger(.down, column(28), 7)
        player.send(.turn(.length, by: 1))
        player.finger(.down, column(31), 22, contact: 1)
        player.wait(80)
        player.finger(.up, contact: 1)
        #expect(window(player) == 1)
        player.finger(.move, column(5), 7)
        player.finger(.up)
        #expect((0..<128).filter { player.pattern.hasNote(.melody, step: $0) } == [28, 29, 30, 31])
    }

    @Test("a shorter pattern shows its last window")
    func shorter() {
        var player = player(128)
        player.instrument.state.view.window = 3
        player.instrument.state.session.composition.pattern.length = 33
        #expect(window(player) == 1)
        player.instrument.state.session.composition.pattern.length = 32
        #expect(window(player) == 0)
    }

    @Test("the overview has the whole pattern, brighter where it is shown", arguments: [33, 64, 65, 96, 100, 128])
    func overview(length: Int) {
        var player = player(length)
        for step in 0..<length {
            player.instrument.state.session.composition.pattern[.bass, note: step % 12, step: step] = .normal
        }
        let size = (length + 31) / 32
        let colour = Palette.track(.bass, .chromatic)
        for place in 0..<32 {
            let led = player.led(Grid.column(ofStep: place), 22)
            if size * place >= length {
                #expect(led == Palette.background)
            } else if size * place < 32 {
                #expect(led == colour)
            } else {
                #expect(led == Palette.background.blended(towards: colour, Opacity.hiddenWindow))
            }
        }
    }

    @Test("LANES writes and draws the window, and doubles a pattern that fills it")
    func lanes() {
        var player = player(64)
        player.instrument.state.view.window = 1
        player.show(.lanes(LanesSheet(of: .melody)))
        player.finger(.down, column(4), 6)
        player.finger(.up)
        #expect((0..<128).filter { player.pattern.lanes.has(.melody, note: 0, step: $0) } == [36])
        player.instrument.state.session.composition.pattern[.bass, note: 3, step: 63] = .accent
        player.finger(.down, 1, 22, contact: 1)
        player.wait(450)
        player.tap(39, 12)
        player.finger(.up, 1, 22, contact: 1)
        #expect(player.pattern.length == 128)
        #expect(
            player.pattern.lanes.has(.melody, note: 0, step: 100)
                && player.pattern[.bass, note: 3, step: 127] == .accent)
    }

    /// A player on the lanes of the melody, of 64 steps, who hears step 30.
    private func onLanes() -> Player {
        var player = player(64)
        player.show(.lanes(LanesSheet(of: .melody)))
        player.send(.key(.playStop))
        player.send(.step(30, number: 30))
        return player
    }

    private func values(_ player: Player, _ track: Track = .melody) -> [Int] {
        (0..<128).filter { player.pattern.lanes.has(track, note: 0, step: $0) }
    }

    @Test("a finger that draws or taps on LANES stays in its window, which no longer follows the playhead")
    func lanesStay() {
        var player = onLanes()
        player.finger(.down, column(10), 8)
        player.send(.step(33, number: 33))
        player.finger(.move, column(12), 8)
        player.finger(.up)
        player.wait(500)
        player.tap(column(14), 8)
        #expect(values(player) == [10, 11, 12, 14] && window(player) == 0)
    }

    @Test("so does a finger that moves the post, and one that copies a group")
    func lanesPostAndCopy() {
        var player = onLanes()
        player.finger(.down, column(8), 22)
        player.send(.step(33, number: 33))
        player.wait(450)
        #expect(player.pattern.length(of: .melody) == 8)
        player.finger(.up)
        player = onLanes()
        player.instrument.state.session.composition.pattern[.bass, note: 3, step: 2] = .accent
        player.finger(.down, .spot(.track(.bass)), contact: 1)
        player.wait(450)
        player.finger(.down, column(3), 12)
        player.send(.step(33, number: 33))
        player.finger(.move, column(20), 12)
        player.finger(.up)
        #expect(player.cells(.bass) == ["3@2=2", "3@18=2"])
    }

    @Test("a finger that draws stays in its window while another chooses a shorter track")
    func lanesOfAnotherTrack() {
        var player = player(64)
        player.instrument.state.view.window = 1
        player.instrument.state.session.composition.pattern[shape: .bass].length = 16
        player.show(.lanes(LanesSheet(of: .melody)))
        player.finger(.down, column(4), 6)
        player.finger(.down, .spot(.track(.bass)), contact: 1)
        player.finger(.up, contact: 1)
        player.finger(.move, column(5), 6)
        player.finger(.up)
        #expect(values(player) == [36, 37] && values(player, .bass).isEmpty)
    }

    @Test("equal notes are equal patterns, whatever was in other windows before")
    func canonical() {
        var pattern = Pattern()
        pattern[.bass, note: 3, step: 127] = .accent
        pattern[.melody, note: -12, step: 40] = .normal
        #expect(pattern.filledWindows == 4)
        pattern[.bass, note: 3, step: 127] = .empty
        #expect(pattern.filledWindows == 2)
        pattern[.melody, note: -12, step: 40] = .empty
        #expect(pattern == Pattern() && pattern.isEmpty)
    }

    @Test("a move to another key moves every window, as each step alone", arguments: 1...20 as ClosedRange<UInt64>)
    func transposing(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var pattern = Pattern()
        for _ in 0..<400 {
            let (note, step) = (Int.random(in: -12...23, using: &random), Int.random(in: 0..<128, using: &random))
            pattern[.chords, note: note, step: step] = Cell(rawValue: .random(in: 1...3, using: &random)) ?? .normal
        }
        let change = Int.random(in: -6...5, using: &random)
        var moved = pattern
        moved.transpose(pattern, by: change)
        let rank: [Cell: Int] = [.empty: 0, .sustain: 1, .normal: 2, .accent: 3]
        for step in 0..<128 {
            var expected: [Int: Cell] = [:]
            for note in -12...23 {
                let cell = pattern[.chords, note: note, step: step]
                let target = Pattern.fold(note + change, into: -12...23)
                if rank[cell] ?? 0 > rank[expected[target] ?? .empty] ?? 0 { expected[target] = cell }
            }
            for note in -12...23 {
                #expect(moved[.chords, note: note, step: step] == expected[note] ?? .empty, "seed \(seed)")
            }
        }
    }
}
