import InputEvents
import Testing

@testable import Instrument

@Suite("The help")
struct HelpTests {
    @Test("each gesture makes what the help says, in every track", arguments: Help.gestures.indices)
    func gestures(number: Int) {
        let gesture = Help.gestures[number]
        for track in Track.allCases {
            var player = Player()
            var before = player.cells(track)
            let start = player.now
            for move in gesture.moves(in: track) {
                if move.touch.phase == .down { before = player.cells(track) }
                player.wait(Int64(move.milliseconds) - (player.now - start).microseconds / 1000)
                player.send(.touch(move.touch))
            }
            let result = gesture.results[track.rawValue]
            let name = "\(gesture.finger), \(track.name)"
            #expect(player.cells(track) != before, "\(name)")
            #expect(player.tooltip != nil && (result.word == nil || player.tooltip == result.word), "\(name)")
        }
    }

    @Test("every control of the top row is described once, at its columns")
    func controls() {
        #expect(Help.controls.count == 13)
        let names = Help.controls.map { $0.name }
        #expect(names.contains("Play, columns 0 to 2") && names.contains("Root, columns 11 to 22"))
        #expect(names.contains("Clear, columns 40 to 43") && names.contains("Scale, columns 7 to 9"))
        for control in Control.all {
            let places = Help.controls.filter { entry in
                entry.name.matches(of: /\d+/).compactMap { Int($0.0) }.contains(control.columns.lowerBound)
            }
            if case .root = control { continue }
            if control == .scale(.minor) { continue }
            #expect(places.count == 1, "\(control)")
        }
    }

    @Test("the places in the columns do what the help says")
    func parts() {
        var player = Player()
        player.tap(.mute(.melody))
        #expect(player.instrument.state.session.muted.contains(.melody))
        player.tap(.solo(.chords))
        #expect(player.instrument.state.session.soloed == .chords)
        player.tap(.page(.melody))
        #expect(player.instrument.state.session.pages[0] != 0)
        player.tap(.handle)
        #expect(player.instrument.state.session.isMenuOpen)
        #expect(Help.parts.contains { $0.name == "Scenes, columns 40 to 43" })
        #expect(Help.parts.contains { $0.name == "Steps, columns 4 to 38" })
    }
}
