import Documents
import Instrument
import TestSupport
import Testing

@testable import Library

@Suite("Scenes in the library")
struct SceneTests {
    let folder = Folder()

    private func kept(seed: UInt64, isWide: Bool = true) -> Session {
        var random = SplitMix(seed: seed)
        var session = randomSession(depth: 5, isWide: isWide, using: &random)
        while session.composition.scenes.isEmpty || session.composition.scenes.current == nil {
            session.composition = randomComposition(isWide: isWide, using: &random)
        }
        for slot in 0..<Scenes.count where !session.composition.scenes.isFilled(slot) {
            session.sounds[own: slot] = nil
        }
        session.pattern = 7
        session.sceneMode = isWide ? .song : .chain
        return session
    }

    private func document(of session: Session) -> PatternDocument {
        var document = PatternDocument(
            pattern: session.composition.own, soloed: session.soloed, scenes: session.composition.scenes,
            parts: session.composition.parts, song: session.composition.song, sceneMode: session.sceneMode)
        document.sounds = session.sounds
        return document
    }

    private func keep(_ session: Session) throws {
        let library = try Library(path: folder.library)
        library.keep(state(session), at: .zero)
        library.flush()
        #expect(library.lastFailure == nil)
    }

    @Test("a pattern's revisions and its document have them, whichever is played", arguments: [1, 2, 3] as [UInt64])
    func revisions(seed: UInt64) throws {
        let session = kept(seed: seed)
        try keep(session)
        let library = try Library(path: folder.library)
        #expect(library.session() == session)
        var document = try library.document(of: 7)
        (document.name, document.createdAt, document.modifiedAt) = (nil, nil, nil)
        #expect(document == self.document(of: session))
        #expect(try library.check() == [])
        // Exported as text, and imported under another number.
        let text = try library.document(of: 7).text()
        let entry = try #require(
            try library.add([.init(try PatternDocument(parsing: Array(text.utf8)), name: nil, to: .c)]).first)
        #expect(try library.document(of: entry.number).text() == text)
        let again = try PatternDocument(parsing: Array(text.utf8))
        #expect(try library.add([.init(again, to: .d)], onlyNew: true) == [])
        // Another current scene alone makes another revision.
        var other = again
        other.scenes = Scenes([Pattern()])
        #expect(try library.add([.init(other, to: .d)], onlyNew: true).count == 1)
    }

    @Test("take no space in a composition without scenes, and an empty row takes none in a scene")
    func room() throws {
        var session = session(bpm: 99)
        try keep(session)
        let column = "SELECT scenes FROM composition WHERE kind = 'current'"
        #expect(try Database(path: folder.library).run(column) == [[.null]])
        var one = Pattern()
        one.tempo = 200
        one.length = 12
        one.tonality = Tonality(root: 11, scale: .penta)
        one[.chords, note: 1, step: 2] = .sustain
        session.composition.scenes = Scenes([nil, nil, one], current: 0)
        try keep(session)
        let bytes: [UInt8] = [0, 4, 200, 12, 11, 2, 0, 32, 0, 0, 0, 0, 0x30, 0, 0, 0, 0, 0, 0, 0]
        #expect(try Database(path: folder.library).run(column) == [[.blob(bytes)]])
    }

    @Test("a song is one text of its entries, null without one; the session and each revision say whether it plays")
    func song() throws {
        var session = session(bpm: 99)
        session.pattern = 7
        session.composition.scenes = Scenes([Pattern(), Pattern()], current: 0)
        try keep(session)
        let column = "SELECT song, plays_song FROM revision ORDER BY id DESC LIMIT 1"
        func read() throws -> [[Value]] { try Database(path: folder.library).run(column) }
        #expect(try read() == [[.null, .null]])
        session.composition.song = Song([Song.Entry(scene: 1, repeats: 8), Song.Entry(scene: 7)])
        session.sceneMode = .song
        try keep(session)
        #expect(try read() == [[.text("1.8 7.1"), .integer(1)]])
        do {
            let library = try Library(path: folder.library)
            #expect(library.session() == session)
            #expect(try library.document(of: 7).song == session.composition.song)
            #expect(try library.document(of: 7).sceneMode == .song)
        }
        // A damaged session takes the music of the revision, with the song.
        try Database(path: folder.library).run("UPDATE composition SET song = '1.1'")
        #expect(try Library(path: folder.library).session()?.composition.song == session.composition.song)
    }

    /// An undo step of version 4: without scenes.
    private func plain(_ composition: Composition) -> History.Step {
        History.Step(Composition(pattern: composition.pattern, showsGhosts: composition.showsGhosts))
    }

    @Test("a file of version 4 keeps its content, and stores scenes from then on")
    func version4() throws {
        var session = kept(seed: 9, isWide: false)
        let withScenes = session
        session.composition.scenes = Scenes()
        session.history = History(
            past: session.history.past.map { plain($0.composition) },
            future: session.history.future.map { plain($0.composition) })
        (session.sceneMode, session.isMenuOpen) = (.one, false)
        (session.soundsTaps, session.brightness, session.hintsDue) = (nil, nil, [])
        session.quantise = 100
        // Version 4 has two colour modes.
        session.colourMode = .harmonic
        (session.syncSource, session.learned) = (nil, LearnedControllers())
        (session.rules, session.wordCounts, session.pages) = (nil, WordCounts(), [0, 0, 0, 0])
        try keep(session)
        try folder.makeVersion4()
        do {
            let library = try Library(path: folder.library)
            #expect(library.notice == nil)
            #expect(library.session() == session)
            #expect(try library.check() == [])
            var document = try library.document(of: 7)
            (document.name, document.createdAt, document.modifiedAt) = (nil, nil, nil)
            #expect(document == self.document(of: session))
        }
        try keep(withScenes)
        #expect(try Library(path: folder.library).session() == withScenes)
    }

    @Test("a damaged file of version 4 is recovered as before")
    func recovered() throws {
        var session = session(bpm: 99)
        session.pattern = 7
        try keep(session)
        try folder.makeVersion4()
        let recovery = Recovery(path: folder.library)
        #expect(recovery.session == session)
        #expect(recovery.patterns.map(\.entry.number) == [7])
        #expect(recovery.patterns.first?.revisions.count == 1)
    }
}
