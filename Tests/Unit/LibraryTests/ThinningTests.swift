import Formats
import TestSupport
import Testing

@testable import Library

@Suite("The revisions that are kept")
struct ThinningTests {
    private static let day: Int64 = 86_400

    private func thin(_ revisions: [PatternRevision], at now: Int64) -> [PatternRevision] {
        let dropped = Set(Thinning.dropped(revisions.map { Thinning.Aged($0) }, now: now) { _ in true })
        return revisions.filter { !dropped.contains($0.number) }
    }

    /// Revisions of several years at decreasing distances, up to `end`; later ones have higher numbers.
    private func history(until end: Int64, using random: inout SplitMix) -> [PatternRevision] {
        var times: [Int64] = []
        for span in [600, 3600, Self.day, 40 * Self.day, 1000 * Self.day] {
            for _ in 0..<60 { times.append(end - .random(in: 0...span, using: &random)) }
        }
        return times.sorted().enumerated().map { PatternRevision(number: Int64($0) + 1, saved: $1) }
    }

    @Test("the newest stays, removal is idempotent, and earlier removals do not change later ones")
    func properties() {
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let end: Int64 = 1_700_000_000 + .random(in: 0...Self.day, using: &random)
            let all = history(until: end, using: &random)
            let soon = end + .random(in: 0...Self.day, using: &random)
            let late = soon + .random(in: 0...100 * Self.day, using: &random)
            let (first, direct) = (thin(all, at: soon), thin(all, at: late))
            let then = thin(first, at: late)
            #expect(first.last == all.last, "seed \(seed)")
            #expect(direct.last == all.last, "seed \(seed)")
            #expect(thin(first, at: soon) == first, "seed \(seed)")
            #expect(thin(direct, at: late) == direct, "seed \(seed)")
            #expect(then == direct, "seed \(seed)")
            // Revisions of the last ten minutes stay.
            #expect(all.allSatisfy { soon - $0.saved >= 600 || first.contains($0) }, "seed \(seed)")
        }
    }

    @Test("a clock that steps by years does not age music played a minute ago")
    func step() throws {
        let folder = Folder()
        let library = try Library(path: folder.library, as: .player, timer: ManualTimer().timer)
        func save(_ bpm: Int) {
            var session = session(bpm: bpm)
            session.pattern = 1
            library.keep(state(session), at: .zero)
            library.flush()
        }
        for bpm in 100..<111 { save(bpm) }
        // The clock was ten years behind until now.
        try Database(path: folder.library).run("UPDATE revision SET saved = saved - 315360000")
        save(111)
        #expect(library.lastFailure == nil)
        #expect(try library.revisions(of: 1).count == 12)
        // After a day of playing they are a day old.
        try Database(path: folder.library).run("UPDATE revision SET played = played - 90000")
        save(112)
        #expect(try library.revisions(of: 1).count < 12)
    }

    @Test("years of edits every two seconds leave some hundred revisions, spread over the whole time")
    func years() {
        var kept: [PatternRevision] = []
        var most = 0
        let start: Int64 = 1_700_000_000
        // Three years in which every thirtieth day has half an hour of edits.
        var number: Int64 = 0
        for day in stride(from: Int64(0), to: 3 * 365, by: 30) {
            for edit in Int64(0)..<900 {
                number += 1
                let now = start + day * Self.day + edit * 2
                kept = thin(kept + [PatternRevision(number: number, saved: now)], at: now)
                most = max(most, kept.count)
            }
        }
        #expect(kept.last?.number == number)
        #expect(most < 450, "\(most)")
        #expect((30...450).contains(kept.count))
        let months = Set(kept.map { ($0.saved - start) / (30 * Self.day) })
        #expect(months.count >= 35)
    }

    @Test("a clock that jumps back ages no revision")
    func backwards() {
        let (late, early): (Int64, Int64) = (1_700_000_000, 1_000)
        let revisions = [late, late + 2, late + 4, early, early + 2].enumerated().map {
            PatternRevision(number: Int64($0) + 1, saved: $1)
        }
        #expect(thin(revisions, at: early + 2) == revisions)
    }

    @Test("the most distant times of a file cause no overflow")
    func extremes() {
        let revisions = [DocumentTime.range.lowerBound, DocumentTime.range.upperBound, 0].enumerated().map {
            PatternRevision(number: Int64($0) + 1, saved: $1)
        }
        for now in [DocumentTime.range.lowerBound, 0, DocumentTime.range.upperBound] {
            #expect(thin(revisions, at: now).last == revisions.last)
        }
    }
}
