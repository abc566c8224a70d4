import Documents
import TestTags
import Testing

@Suite("pixelboop bench", .tags(.live))
struct BenchCommandTests {
    @Test("bench prints its figures, with every median below its maximum")
    func bench() throws {
        let box = try Executable()
        defer { box.remove() }
        let result = try box.run("bench", "--json", "--frames", "100")
        guard case .object(let figures) = try JSON(parsing: Array(result.output)) else { return #expect(Bool(false)) }
        let plain = [
            "drawNanoseconds", "drawLongNanoseconds", "driveNanoseconds", "driveUnclockedNanoseconds",
            "touchNanoseconds", "touchLongNanoseconds", "touchP999Nanoseconds", "touchLanesNanoseconds",
            "touchKeysNanoseconds", "touchEffectsNanoseconds", "soundTypical", "soundTypicalEffects", "soundLanes",
            "soundDense", "soundSamples", "soundFactory", "soundFactoryDense", "sheetNanoseconds", "guideNanoseconds",
            "flashGuardNanoseconds", "flashGuardWorstNanoseconds", "driveNewNanoseconds", "driveStepNanoseconds",
            "driveWatched", "driveUnwatched",
        ]
        #expect(plain.allSatisfy { (figures[$0]?.integer ?? 0) > 0 })
        let times = ["libraryOpenMilliseconds", "libraryListMilliseconds", "libraryGuideMilliseconds"]
        #expect(times.allSatisfy { (figures[$0]?.double ?? 0) > 0 })
        let blocks = ["blocks32", "blocks64", "blocks128", "dearest64", "samples64", "long64", "fx64", "tail"]
        #expect(Set(figures.keys) == Set(plain + times + blocks))
        for name in blocks {
            guard case .object(let times) = figures[name] else { return #expect(Bool(false), "\(name)") }
            let ordered = ["median", "p999", "worst"].compactMap { times["\($0)Microseconds"]?.double }
            #expect(ordered.count == 3 && ordered == ordered.sorted() && ordered[0] > 0, "\(name)")
            #expect((times["deadlineMicroseconds"]?.double ?? 0) > 0)
        }
    }

    @Test("bench writes its patterns, which render", arguments: ["typical", "dense", "full", "long"])
    func benchPattern(name: String) throws {
        let box = try Executable()
        defer { box.remove() }
        let path = box.folder + "/pattern.json"
        #expect(try box.run("bench", "--pattern", name, "-o", path).status == 0)
        let document = try PatternDocument(parsing: bytes(path))
        #expect(document.pattern.tempo == (["full", "long"].contains(name) ? 300 : 120))
        #expect(try box.run("render", path, "-o", box.folder + "/notes.mid").status == 0)
    }
}
