import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

@Suite("The player's own sounds in the library")
struct PresetTests {
    let folder = Folder()

    private func preset(_ text: String, of track: Track = .bass, drive: Int = 10) throws -> SoundPreset {
        var settings = SoundSettings()
        settings[.track(track, .drive)] = drive
        return SoundPreset(settings, of: track, named: try #require(SoundName(text)))
    }

    private func expect(_ presets: [SoundPreset], in library: Library) throws {
        let found = try library.presets()
        #expect(found == presets)
    }

    @Test("are kept by kind and name, replaced and removed, and survive a restart")
    func kept() throws {
        let (one, other, kit) = (try preset("ONE"), try preset("ONE", drive: 70), try preset("ONE", of: .rhythm))
        do {
            let library = try Library(path: folder.library)
            try expect([], in: library)
            try library.keep([one, kit, try preset("A")])
            try expect([try preset("A"), one, kit], in: library)
            try library.keep([other])
        }
        let library = try Library(path: folder.library)
        try expect([try preset("A"), other, kit], in: library)
        try library.remove(.melodic, one.name)
        #expect(throws: LibraryError.noSound("ONE")) { try library.remove(.melodic, one.name) }
        try expect([try preset("A"), kit], in: library)
        #expect(try library.check() == [])
        #expect(library.drainNotices() == [])
    }

    @Test("requests of the panel return the list")
    func librarian() throws {
        let librarian = Librarian(try Library(path: folder.library))
        let one = try preset("ONE")
        #expect(try librarian.run(.showSounds) == [.sounds([])])
        #expect(try librarian.run(.keepSound(one)) == [.sounds([one])])
        #expect(try librarian.run(.removeSound(.melodic, one.name)) == [.sounds([])])
        #expect(throws: LibraryError.noSound("ONE")) { try librarian.run(.removeSound(.melodic, one.name)) }
    }

    @Test("a new pattern begins with the factory's sounds, and its file says so")
    func begins() throws {
        let library = try Library(path: folder.library)
        #expect(library.sessionToPlay().sound == .factory)
        for bank in [nil, 2] {
            guard case .opened(let session, _)? = try Librarian(library).run(.begin(bank: bank)).first else { continue }
            #expect(session.sound == .factory)
        }
        let number = try #require(try library.patterns().first?.number)
        #expect(try library.document(of: number).sound == .factory)
    }

    private func damage(_ sql: String) throws {
        do { try Library(path: folder.library).keep([try preset("ONE"), try preset("TWO")]) }
        try Database(path: folder.library).run(sql)
    }

    @Test("a wrong checksum is reported, and the sound stays")
    func checksum() throws {
        try damage("UPDATE preset SET sound = replace(sound, '10', '11') WHERE name = 'TWO'")
        let library = try Library(path: folder.library)
        #expect(try library.check() == ["the sound TWO has a wrong checksum"])
        try expect([try preset("ONE"), try preset("TWO", drive: 11)], in: library)
        #expect(library.drainNotices().contains { $0.contains("TWO has a wrong checksum") })
        _ = try library.repair()
        #expect(try library.check() == [])
        #expect(try library.presets().count == 2)
    }

    @Test("an unreadable sound is left out, and removed by a repair")
    func unreadable() throws {
        try damage("UPDATE preset SET sound = 'noise' WHERE name = 'TWO'")
        let library = try Library(path: folder.library)
        try expect([try preset("ONE")], in: library)
        #expect(try library.check().count == 2)
        _ = try library.repair()
        #expect(try library.check() == [])
        try expect([try preset("ONE")], in: library)
    }

    @Test("are recovered by the tables of a damaged file and by a scan of its pages")
    func recovery() throws {
        for isScanned in [false, true] {
            let folder = Folder()
            do { try Library(path: folder.library).keep([try preset("ONE"), try preset("KIT", of: .rhythm)]) }
            try folder.damageLibrary(isScanned: isScanned)
            let library = try Library(path: folder.library)
            try expect([try preset("ONE"), try preset("KIT", of: .rhythm)], in: library)
            #expect(try library.check() == [])
        }
    }

    @Test("are in a backup")
    func backup() throws {
        let backup = folder.path + "/backup.sqlite"
        let library = try Library(path: folder.library)
        try library.keep([try preset("ONE")])
        try library.backup(to: backup)
        let other = Folder()
        _ = try Library.restore(other.library, from: backup)
        try expect([try preset("ONE")], in: try Library(path: other.library))
    }
}
