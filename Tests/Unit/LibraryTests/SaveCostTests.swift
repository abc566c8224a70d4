import Instrument
import TestSupport
import Testing

@testable import Library

@Suite("The cost of a save")
struct SaveCostTests {
    @Test("with a full history is a few pages and one sync, whatever else the library holds")
    func edit() throws {
        let folder = FaultyFolder()
        var random = SplitMix(seed: 4)
        var played = randomSession(depth: History.levels, isWide: false, using: &random)
        played.pattern = 7
        let library = try Library(path: folder.library, timer: ManualTimer().timer)
        library.keep(state(played), at: .zero)
        library.flush()
        let edits = 40
        let (bytes, syncs) = (folder.bytes, folder.syncs)
        for edit in 0..<edits {
            played.history = History(past: played.history.past + [History.Step(played.composition)], future: [])
            played.composition.pattern[.bass, note: edit % 12, step: edit % 32] = .accent
            played.composition.pattern.tempo = Tempo(60 + edit)
            library.keep(state(played), at: .zero)
            library.flush()
        }
        #expect(library.lastFailure == nil)
        let (mean, meanSyncs) = ((folder.bytes - bytes) / edits, (folder.syncs - syncs) / edits)
        print("a save with a full history: \(mean) bytes, \(meanSyncs) syncs")
        // Half of the sound's controls are turned, which is most of a revision.
        #expect(mean <= 45_000)
        #expect(meanSyncs <= 1)
    }
}
