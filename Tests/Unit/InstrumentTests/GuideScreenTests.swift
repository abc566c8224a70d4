import Display
import Testing

@testable import Instrument

/// The guide as a screen of the box, with its effects on the box.
@Suite("The guide behind the menu")
struct GuideScreenTests {
    private static let today = 20_717

    /// A library with two patterns of today: 7 in bank A and 8 in bank B.
    static var content: GuideContent {
        let look = GuideContent.Look.thumbnail(GuideThumbnail(Pattern()))
        let channels = "ABCDEFGH".map { GuideContent.Channel(id: String($0), name: String($0)) }
        let placed = [(0, Int64(7), "SEVEN"), (1, 8, "EIGHT")].map { channel, id, title in
            GuideContent.Placed(
                channel: channel, day: today, entry: GuideContent.Entry(id: id, title: title, look: look))
        }
        return GuideContent(
            source: .library, channels: channels, days: today - 66..<today + 1, today: today,
            placed: placed)
    }

    private var content: GuideContent { Self.content }

    private var player: Player { .atLibrary }

    private func jobs(_ player: Player) -> [Instrument.Job] {
        player.effects.compactMap { if case .job(let job) = $0 { job } else { nil } }
    }

    @Test("is opened by the library's icon, and closed by its corner")
    func opens() {
        var player = player
        #expect(player.instrument.state.view.screen == .guide && jobs(player) == [.showLibrary])
        player.tap(.guide(.target(.close)))
        #expect(player.instrument.state.view.screen == .grid)
    }

    @Test("a pattern tapped twice is opened, and its name shows on the grid; undo stops there")
    func open() {
        var player = player
        player.tap(.guide(.cell(1)))
        #expect(player.instrument.state.view.screen == .guide)
        player.tap(.guide(.cell(1)))
        #expect(jobs(player) == [.showLibrary, .open(8)] && player.instrument.state.view.screen == .grid)
        #expect(player.tooltip == "EIGHT" || player.tooltip == nil)
        var session = Session()
        session.composition.pattern.tempo = 77
        session.soloed = .bass
        session.pattern = 8
        player.instrument.state.session.colourMode = .harmonic
        player.send(.opened(session))
        let state = player.instrument.state
        #expect(
            state.session.composition.pattern.tempo == 77 && state.session.soloed == .bass && state.session.pattern == 8
        )
        #expect(state.session.history.past.isEmpty && state.session.colourMode == .harmonic && state.session.isMenuOpen)
    }

    @Test("two taps on one of today's empty cells, or one and the mark, create a pattern")
    func begin() {
        var player = player
        player.tap(.guide(.cell(3)))
        #expect(jobs(player) == [.showLibrary])
        player.tap(.guide(.cell(3)))
        #expect(jobs(player) == [.showLibrary, .begin(bank: 3)] && player.instrument.state.view.screen == .grid)
        var session = Session()
        session.pattern = 12
        player.send(.opened(session))
        #expect(player.instrument.state.session.pattern == 12 && player.pattern.isEmpty)
        var other = self.player
        other.tap(.guide(.cell(2)))
        other.tap(.guide(.target(.mark)))
        #expect(jobs(other) == [.showLibrary, .begin(bank: 2)])
        // No pattern can be created yesterday.
        var late = self.player
        late.tap(.guide(.cell(2, daysAgo: 1)))
        late.tap(.guide(.cell(2, daysAgo: 1)))
        #expect(jobs(late) == [.showLibrary] && late.instrument.state.view.screen == .guide)
    }

    @Test("listings open at the start, and holding the turning button switches to the library and back")
    func sources() {
        var player = Player()
        player.send(.listings)
        #expect(player.instrument.state.view.screen == .guide && jobs(player) == [.showListings])
        player.send(.guide(GuideContent(emptyFrom: .listings, today: Self.today)))
        player.tap(.guide(.target(.turn)), held: 700)
        #expect(jobs(player) == [.showListings, .showLibrary])
        player.send(.guide(content))
        player.tap(.guide(.target(.turn)), held: 700)
        #expect(jobs(player) == [.showListings, .showLibrary, .showListings])
        // A shorter touch turns the guide.
        player.tap(.guide(.target(.turn)))
        #expect(player.instrument.state.shelf.guide.isTurned && jobs(player).count == 3)
        var other = self.player
        other.tap(.guide(.target(.turn)), held: 700)
        #expect(jobs(other) == [.showLibrary])
    }

    @Test("a pattern is named by letters, and the guide returns")
    func rename() {
        var player = player
        player.tap(.guide(.cell(0)))
        player.tap(.guide(.target(.mark)))
        // The card: open, copy, name, delete.
        player.tap(.guide(.target(.action(.rename))))
        guard case .letters = player.instrument.state.view.screen else {
            Issue.record("no letters")
            return
        }
        for _ in 0..<5 { player.tap(.spot(.key(.back))) }
        player.tap(.spot(.key(.letter("Q"))))
        player.tap(.spot(.key(.letter("W"))))
        player.tap(.spot(.done))
        #expect(jobs(player) == [.showLibrary, .rename(7, "QW")] && player.instrument.state.view.screen == .guide)
    }

    @Test("deleting takes a hold; deleting the playing pattern starts another")
    func delete() {
        var player = player
        player.instrument.state.session.pattern = 7
        player.instrument.state.session.composition.pattern[.bass, note: 0, step: 0] = .normal
        player.tap(.guide(.cell(0)))
        player.tap(.guide(.target(.mark)))
        player.tap(.guide(.target(.action(.delete))), held: 600)
        #expect(jobs(player) == [.showLibrary])
        player.tap(.guide(.target(.action(.delete))), held: 1300)
        #expect(jobs(player) == [.showLibrary, .delete(7), .begin(bank: nil)])
        #expect(player.pattern.isEmpty && player.instrument.state.session.pattern == nil)
        player.tap(.guide(.target(.mark)))
        // It was playing: it plays again.
        #expect(jobs(player).suffix(2) == [.restore(7), .open(7)])
    }

    @Test("undo of another deleted pattern changes nothing of the music")
    func deleteOther() {
        var player = player
        player.instrument.state.session.pattern = 8
        player.tap(.guide(.cell(0)))
        player.tap(.guide(.target(.mark)))
        player.tap(.guide(.target(.action(.delete))), held: 1300)
        player.tap(.guide(.target(.mark)))
        #expect(jobs(player) == [.showLibrary, .delete(7), .restore(7)])
    }

    @Test("the transport is started and stopped on it, and the music goes on")
    func play() {
        var player = player
        player.tap(.guide(.target(.play)))
        #expect(player.instrument.state.isPlaying && player.instrument.state.view.screen == .guide)
    }

    @Test("fingers that scroll while another finger closes the guide are released")
    func leave() {
        var player = player
        player.finger(.down, .guide(.cell(1, daysAgo: 1)), contact: 1)
        player.finger(.move, 20, 20, contact: 1)
        player.tap(.guide(.target(.close)))
        player.finger(.move, 20, 5, contact: 1)
        player.finger(.up, contact: 1)
        #expect(player.pattern.isEmpty && player.instrument.state.view.screen == .grid)
    }
}

extension Player {
    /// A player at the guide of the library.
    static var atLibrary: Player {
        var player = Player()
        player.tap(.handle)
        player.tap(.menu(.library))
        player.send(.guide(GuideScreenTests.content))
        player.wait(1000)
        return player
    }
}
