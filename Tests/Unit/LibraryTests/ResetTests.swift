import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("Settings at the first start")
struct ResetTests {
    let folder = Folder()

    @Test("replace the box's, and all music stays")
    func reset() throws {
        var random = SplitMix(seed: 45)
        for _ in 0..<20 {
            let folder = Folder()
            var played = randomSession(depth: 4, using: &random)
            played.pattern = 12
            let before = try {
                let library = try Library(path: folder.library)
                library.keep(state(played), at: .zero)
                library.flush()
                return try LibraryContents(of: library)
            }()
            do { try Library(path: folder.library).resetSettings() }
            let library = try Library(path: folder.library)
            let session = try #require(library.session())
            #expect(try LibraryContents(of: library).tunes == before.tunes)
            // The document's content and the history stay; other settings are the first session's.
            var first = Session.first
            first.takeMusic(of: session)
            first.history = session.history
            #expect(session == first)
            #expect(session.composition.pattern == played.composition.pattern)
            #expect(session.composition.scenes == played.composition.scenes && session.history == played.history)
            #expect(session.sound == played.sound && session.muted == played.muted && session.soloed == played.soloed)
            #expect(session.sceneMode == played.sceneMode && session.pattern == before.session?.pattern)
        }
    }

    @Test("of a library that was never played are not written")
    func new() throws {
        do { try Library(path: folder.library).resetSettings() }
        #expect(try Library(path: folder.library).session() == nil)
    }
}
