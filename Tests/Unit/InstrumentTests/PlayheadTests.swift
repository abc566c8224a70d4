import Display
import Testing

@testable import Instrument

@Suite("The playheads of the tracks")
struct PlayheadTests {
    /// A box that plays, with a hit of each track at step 1 and a bass of three steps.
    private func player() -> Player {
        var player = Player()
        for track in Track.allCases {
            player.instrument.state.session.composition.pattern[track, note: 0, step: 1] = .normal
        }
        player.instrument.state.session.composition.pattern[shape: .bass].length = 3
        player.send(.key(.playStop))
        player.wait(3000)
        return player
    }

    /// The steps of `track`'s lowest row that the playhead dims.
    private func steps(_ player: Player, _ track: Track) -> [Int] {
        let row = track.rows.upperBound - 1
        var stopped = player
        stopped.instrument.state.transport.endPlayheads()
        return (0..<Pattern.steps).filter { player.led(column($0), row) != stopped.led(column($0), row) }
    }

    @Test("a track with a shape shows its own step, the others the pattern's; the overview shows it too")
    func own() {
        var player = player()
        #expect(steps(player, .bass) == [])
        player.send(.step(9, number: 9))
        #expect(steps(player, .bass) == [] && steps(player, .melody) == [9])
        player.send(.trackStep(.bass, step: 0, place: 0, sounds: false))
        #expect(steps(player, .bass) == [0] && steps(player, .melody) == [9] && steps(player, .rhythm) == [9])
        let colour = Palette.track(.bass, .chromatic).blended(towards: .white, 0.6)
        #expect(player.led(column(0), 22) == colour && player.led(column(9), 22) == RGB(0x222222))
        // Where both are, the overview shows the pattern's.
        player.send(.trackStep(.bass, step: 2, place: 12 * 2, sounds: false))
        player.send(.step(2, number: 2))
        #expect(player.led(column(2), 22) == RGB(0x222222) && player.led(column(0), 22) != colour)
    }

    @Test("a note of the track flashes with the track's own step, and not if chance or condition leave it out")
    func flash() {
        let row = Track.bass.rows.upperBound - 1
        var player = player()
        let resting = player.led(column(1), row)
        player.send(.step(1, number: 1))
        #expect(player.led(column(1), row) == resting)
        player.send(.trackStep(.bass, step: 1, place: 12 * 1, sounds: false))
        #expect(player.led(column(1), row) == resting.blended(towards: .white, 0.2))
        player.send(.trackStep(.bass, step: 1, place: 12 * 1, sounds: true))
        #expect(player.led(column(1), row) == .white)
        player.wait(100)
        #expect(player.led(column(1), row) == resting.blended(towards: .white, 0.2))
    }

    @Test("the LANES screen shows the step of its track")
    func lanes() {
        var player = player()
        player.instrument.state.view.screen = .lanes(LanesSheet(of: .bass))
        player.send(.step(9, number: 9))
        player.send(.trackStep(.bass, step: 2, place: 12 * 2, sounds: true))
        let heard = (0..<Pattern.steps).filter { player.led(column($0), 1) == Palette.heardStep }
        #expect(heard == [2])
    }

    @Test("with Stop and with another scene the tracks have no step until the next is heard")
    func ends() {
        var player = player()
        player.send(.trackStep(.bass, step: 1, place: 12 * 1, sounds: true))
        player.send(.key(.playStop))
        #expect(player.instrument.state.playhead(of: .bass) == nil)
        // Reports of what was still to be heard.
        player.send(.trackStep(.bass, step: 2, place: 12 * 2, sounds: true))
        #expect(player.instrument.state.playhead(of: .bass) == nil)
    }

    @Test("a played key is recorded at the track's own step, or at its next if that is nearer")
    func recording() {
        var player = Player()
        player.instrument.state.session.composition.pattern[shape: .bass].length = 3
        player.send(.record(true))
        player.send(.key(.playStop))
        func key() {
            player.send(.midi(.noteOn(channel: 2, key: 36, velocity: 64)))
            player.send(.midi(.noteOff(channel: 2, key: 36)))
        }
        player.send(.step(9, number: 0))
        player.send(.trackStep(.bass, step: 0, place: 0, sounds: false))
        player.wait(40)
        key()
        #expect(player.cells(.bass) == ["0@0=1"])
        player.wait(50)
        key()
        player.send(.step(10, number: 1))
        #expect(player.cells(.bass) == ["0@0=1"])
        player.send(.trackStep(.bass, step: 1, place: 12, sounds: false))
        #expect(player.cells(.bass) == ["0@0=1", "0@1=1"])
        // Both in one pass of the pattern: one undo step.
        player.send(.key(.undo))
        #expect(player.cells(.bass) == [])
    }
}
