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
        #expect(Help.controls.count == 15)
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

    @Test("the legend names each control, track and item of the menu once, where it is")
    func legend() {
        func labels(_ picture: Help.Label.Picture, _ side: Help.Label.Side) -> [Help.Label] {
            Help.legend.filter { $0.pictures.contains(picture) && $0.side == side }
        }
        let top = labels(.grid, .top)
        for control in Control.all {
            #expect(top.filter { $0.columns.overlaps(control.columns) }.count == 1, "\(control)")
        }
        #expect(top.map(\.columns.lowerBound) == top.map(\.columns.lowerBound).sorted())
        for track in Track.allCases {
            let label = labels(.grid, .left).first { $0.name == track.name }
            #expect(label.map { $0.rows.lowerBound..<$0.rows.upperBound + 1 } == track.rows)
            #expect(!labels(.menu, .left).contains { $0.name == track.name })
        }
        for item in Menu.Item.allCases {
            let found = (labels(.menu, .left) + labels(.menu, .bottom)).filter { $0.name == item.name.text }
            #expect(found.count == 1, "\(item)")
            for label in found {
                let (column, row) = (label.columns.lowerBound, label.rows.lowerBound)
                var player = Player()
                player.tap(.handle)
                player.send(.key(.arrowRight))
                player.moveCursor(to: column, row)
                #expect(player.instrument.words.place == label.name)
            }
        }
    }

    @Test(
        "names of the legend at one edge and in one line are of different lights",
        arguments: [
            Help.Label.Picture.grid, .menu,
        ])
    func legendPlaces(picture: Help.Label.Picture) {
        let labels = Help.legend.filter { $0.pictures.contains(picture) }
        for (number, label) in labels.enumerated() {
            for other in labels[..<number] where other.side == label.side && other.line == label.line {
                let isAbove = label.side == .top || label.side == .bottom
                let meets = isAbove ? label.columns.overlaps(other.columns) : label.rows.overlaps(other.rows)
                #expect(!meets, "\(label.name), \(other.name)")
            }
        }
    }

    @Test("no name of the legend is of a light that the open menu covers")
    func coveredLegend() {
        var player = Player()
        player.tap(.handle)
        player.send(.key(.arrowRight))
        for label in Help.legend where !label.pictures.contains(.menu) && label.columns.upperBound < Menu.width {
            player.moveCursor(to: label.columns.lowerBound, label.rows.lowerBound)
            let place = player.instrument.words.place
            #expect(place.isEmpty || Menu.Item.allCases.contains { $0.name.text == place }, "\(label.name): \(place)")
        }
    }
}
