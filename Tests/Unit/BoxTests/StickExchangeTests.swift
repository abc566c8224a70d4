import Documents
import Formats
import Foundation
import Instrument
import Library
import Synchronization
import TestSupport
import Testing

@testable import Box

/// The events that were posted.
private final class EventLog: Sendable {
    let events = Mutex<[Instrument.Event]>([])
}

@Suite("USB sticks")
final class StickExchangeTests {
    private let folder = NSTemporaryDirectory() + "pixelboop-stick-\(UUID().uuidString)"
    private let log = EventLog()

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func stick(_ name: String) throws -> String {
        let path = "\(folder)/\(name)/pixelboop"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    private func exchange() throws -> StickExchange {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let library = try Library(path: folder + "/library.sqlite", as: .player)
        var pattern = Pattern()
        pattern[.bass, note: 3, step: 5] = .accent
        _ = try library.add([Library.Addition(PatternDocument(pattern: pattern), to: .a)])
        return StickExchange(library, takes, samples) { [log] event in log.events.withLock { $0.append(event) } }
    }

    private var takes: TakeFolder { TakeFolder(ofLibrary: folder + "/library.sqlite") }

    private var samples: SampleFolder { SampleFolder(ofLibrary: folder + "/library.sqlite") }

    private var posted: [Instrument.Event] { log.events.withLock(\.self) }

    @Test("a new stick is offered once, and withdrawn when it is pulled")
    func offer() throws {
        let exchange = try exchange()
        let (first, second) = (try stick("first"), try stick("second"))
        exchange.report(new: [], present: [])
        #expect(posted == [])
        exchange.report(new: [first], present: [first])
        exchange.report(new: [], present: [first])
        #expect(posted == [.stick(isThere: true)])
        exchange.report(new: [second], present: [first, second])
        exchange.report(new: [], present: [second])
        #expect(posted == [.stick(isThere: true), .stick(isThere: true)])
        exchange.report(new: [], present: [])
        exchange.report(new: [], present: [])
        #expect(posted == [.stick(isThere: true), .stick(isThere: true), .stick(isThere: false)])
    }

    @Test("without a stick an exchange fails")
    func absent() throws {
        let exchange = try exchange()
        #expect(exchange.exchange(.importPatterns) == .exchangeFailed)
        let path = try stick("gone")
        exchange.report(new: [path], present: [path])
        exchange.report(new: [], present: [])
        #expect(exchange.exchange(.exportPatterns) == .exchangeFailed)
    }

    @Test("exported patterns come back from the stick once")
    func roundTrip() throws {
        let exchange = try exchange()
        let path = try stick("music")
        exchange.report(new: [path], present: [path])
        #expect(exchange.exchange(.exportPatterns) == .exported(1))
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/A")
        #expect(names.count == 1)
        let other = try Library(path: folder + "/other.sqlite", as: .player)
        let second = StickExchange(other, takes, samples) { _ in }
        second.report(new: [path], present: [path])
        #expect(second.exchange(.importPatterns) == .imported(1))
        #expect(second.exchange(.importPatterns) == .imported(0))
    }

    @Test("own sounds go to the stick too, and come back without replacing others of their names")
    func sounds() throws {
        func preset(_ text: String, drive: Int) throws -> SoundPreset {
            var settings = SoundSettings()
            settings[.track(.bass, .drive)] = drive
            return SoundPreset(settings, of: .bass, named: try #require(SoundName(text)))
        }
        let path = try stick("sounds")
        let first = StickExchange(try Library(path: folder + "/first.sqlite", as: .player), takes, samples) { _ in }
        do { try Library(path: folder + "/first.sqlite").keep([preset("A/B", drive: 1), preset("A:B", drive: 2)]) }
        first.report(new: [path], present: [path])
        #expect(first.exchange(.exportPatterns) == .exported(0))
        let other = try Library(path: folder + "/other.sqlite", as: .player)
        try other.keep([preset("A:B", drive: 9)])
        let second = StickExchange(other, takes, samples) { _ in }
        second.report(new: [path], present: [path])
        #expect(second.exchange(.importPatterns) == .imported(0))
        let presets = try other.presets()
        let expected = [try preset("A/B", drive: 1), try preset("A:B", drive: 9)]
        #expect(presets == expected)
    }

    @Test("own tunings go to the stick too, and come back without replacing others of their names")
    func tunings() throws {
        func tuning(_ text: String, _ fifth: Int, a4: Int? = nil) throws -> OwnTuning {
            var cents = Tuning().cents
            cents[7] = fifth
            return OwnTuning(name: try #require(SoundName(text)), cents: cents, a4: a4)
        }
        let path = try stick("tunings")
        let first = StickExchange(try Library(path: folder + "/first.sqlite", as: .player), takes, samples) { _ in }
        let all = [try tuning("A/B", 701_955, a4: 415_300), try tuning("A:B", 696_578), try tuning("WERCK 3", 696_090)]
        do { try Library(path: folder + "/first.sqlite").keep(all) }
        first.report(new: [path], present: [path])
        #expect(first.exchange(.exportPatterns) == .exported(0))
        let names = try FileManager.default.contentsOfDirectory(atPath: path + "/tunings").sorted()
        #expect(names == ["001-A-B.kbm", "001-A-B.scl", "002-A-B.scl", "003-WERCK-3.scl"])
        let other = try Library(path: folder + "/other.sqlite", as: .player)
        try other.keep([try tuning("A:B", 700_001)])
        let second = StickExchange(other, takes, samples) { _ in }
        second.report(new: [path], present: [path])
        #expect(second.exchange(.importPatterns) == .imported(0))
        let tunings = try other.tunings()
        let expected = [all[0], try tuning("A:B", 700_001), all[2]]
        #expect(tunings == expected)
    }

    @Test("samples go to the stick too, and come back without replacing others of their names")
    func sampleFiles() throws {
        func sound(_ value: Int16) -> SampleSound {
            SampleSound(rate: 8000, channels: 1, samples: [Int16](repeating: value, count: 800))
        }
        let (hat, kick) = (try #require(SoundName("A/B")), try #require(SoundName("KICK")))
        let path = try stick("samples")
        let exchange = try exchange()
        try samples.keep(sound(1), as: hat)
        try samples.keep(sound(2), as: kick)
        exchange.report(new: [path], present: [path])
        #expect(exchange.exchange(.exportPatterns) == .exported(1))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path + "/samples").sorted() == [
                "A%2FB.wav", "KICK.wav",
            ])

        // Another's files, and what is no sound, beside them.
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/samples/\(name)"))
        }
        for name in ["long name one.flac", "long name two.FLAC"] { try write(name, Fixtures.bytes("sounds/tone.flac")) }
        try write("damaged.ogg", Array("OggS".utf8))
        try write("notes.txt", Array("nothing".utf8))
        try write(".hidden.wav", WaveFile.bytes(sound(4)))
        let others = SampleFolder(ofLibrary: folder + "/other.sqlite")
        try others.keep(sound(9), as: kick)
        let second = StickExchange(try Library(path: folder + "/other.sqlite", as: .player), takes, others) { _ in }
        second.report(new: [path], present: [path])
        for _ in 1...2 {
            #expect(second.exchange(.importPatterns) != .exchangeFailed)
            #expect(try others.samples().map(\.name.text) == ["A/B", "KICK", "LONG NA2", "LONG NAM"])
            #expect(try others.read(kick) == sound(9) && others.read(hat) == sound(1))
        }
    }

    @Test("scales of others on the stick are named by their files, and one that is no tuning stops the import")
    func scales() throws {
        let path = try stick("scales")
        try FileManager.default.createDirectory(atPath: path + "/tunings", withIntermediateDirectories: true)
        let notes = (1...11).map { "\(100 * $0).0\n" }.joined()
        func write(_ name: String, _ text: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/tunings/\(name)"))
        }
        for name in ["meantone_quarter.SCL", "meantone_third.scl", "meantone_fifth.scl"] {
            try write(name, "A description that is too long\n12\n\(notes)2/1\n")
        }
        try write("alone.kbm", "0\n0\n127\n60\n69\n440\n0\n")
        try write("meantone_third.kbm", "0\n0\n127\n60\n69\n442\n0\n")
        try write("notes.txt", "nothing")
        let library = try Library(path: folder + "/library.sqlite", as: .player)
        let exchange = StickExchange(library, takes, samples) { _ in }
        exchange.report(new: [path], present: [path])
        #expect(exchange.exchange(.importPatterns) == .imported(0))
        let tunings = try library.tunings()
        #expect(tunings.map(\.name.text) == ["MEANTON2", "MEANTON3", "MEANTONE"])
        #expect(tunings.compactMap(\.a4) == [442_000])
        try write("wrong.scl", "19\n19\n")
        #expect(exchange.exchange(.importPatterns) == .exchangeFailed)
    }

    @Test("a link on the stick is not followed, and nothing is imported")
    func link() throws {
        let exchange = try exchange()
        let path = try stick("links")
        try FileManager.default.createSymbolicLink(atPath: path + "/x.json", withDestinationPath: "/etc/hostname")
        exchange.report(new: [path], present: [path])
        #expect(exchange.exchange(.importPatterns) == .exchangeFailed)
    }
}
