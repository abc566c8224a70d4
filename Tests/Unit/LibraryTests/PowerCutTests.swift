import Foundation
import Formats
import Glibc
import Instrument
import LibraryScript
import TestSupport
import Testing

@testable import Library

/// Each scenario's file operations, by SQLite and by the library, are recorded once. Then the power is cut after any of
/// them, some thousand times, and the library is opened on a possible content of the card.
@Suite("A power cut")
struct PowerCutTests {
    /// Number of states of a card to check, in all scenarios together. Each run has another seed.
    private static let cuts = ProcessInfo.processInfo.environment["PIXELBOOP_POWER_CUTS"].flatMap { Int($0) } ?? 600
    /// States of one recording.
    private static let cutsPerRecording = 50

    /// A scenario and the number of its part. The parts are of equal size and run in parallel.
    struct Part: Sendable, CustomTestStringConvertible {
        var kind: PowerCutScenario.Kind
        var number: Int
        var testDescription: String { "\(kind) \(number)" }
    }

    static let parts = PowerCutScenario.Kind.allCases.flatMap { kind in
        (1...kind.parts).map { Part(kind: kind, number: $0) }
    }

    @Test("at any moment loses no synchronised data, and damages nothing", arguments: parts)
    func cut(_ part: Part) throws {
        let kind = part.kind
        let seed = SplitMix.seed
        var random = SplitMix(seed: seed ^ UInt64(kind.rawValue) << 32 ^ UInt64(part.number) << 48)
        let total = (Self.cuts + Self.parts.count - 1) / Self.parts.count
        var (looked, events, outcomes) = (0, 0, [Int: Int]())
        while looked < total {
            let folder = FaultyFolder()
            let scenario = PowerCutScenario(kind, seed: random.next(), folder.path)
            let recording = try scenario.record()
            var card = recording.card()
            var done = 0
            let moments = (0..<min(Self.cutsPerRecording, total - looked)).map { _ in
                Int.random(in: 0...recording.count, using: &random)
            }
            for moment in moments.sorted() {
                while done < moment {
                    recording.replay(done, on: &card)
                    done += 1
                }
                let left = Folder()
                for (name, bytes) in card.afterCut(using: &random) { write(bytes, to: left.path + "/" + name) }
                // The remainder of the file by which several programs share a log is meaningless.
                if Bool.random(using: &random) {
                    write(Array(repeating: 0x5a, count: 32_768), to: left.library + "-shm")
                }
                let comment: Comment = "\(kind), seed \(seed), state \(looked), after \(moment) of \(recording.count)"
                do {
                    let further = try scenario.expect(in: left, after: moment, comment)
                    outcomes[further, default: 0] += 1
                } catch {
                    Issue.record("\(comment): \(error)")
                }
                looked += 1
            }
            events += recording.count
        }
        print(
            "power cut: seed \(seed), \(part.testDescription): \(looked) states of \(events) events, "
                + outcomes.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key) unacknowledged" }
                .joined(separator: ", "))
    }
}

/// Actions of a box on its library.
final class PowerCutScenario {
    enum Kind: Int, CaseIterable {
        case playing, thinning, migration4, migration6, indexes, recovery, scan, restore, backup, removed

        /// Weight of the scenario's states.
        var parts: Int { self == .playing ? 6 : self == .thinning ? 2 : 1 }
    }

    private let kind: Kind
    private var random: SplitMix
    private let folder: String
    private var library: String { folder + "/library.sqlite" }
    private var backup: String { folder + "/backup.sqlite" }

    /// Contents of the library after each action; the first before any action.
    private var states: [LibraryContents] = []
    /// Number of recorded events when each action was acknowledged.
    private var acknowledged: [Int] = []
    /// A damaged file in its damaged form.
    private var damaged: [UInt8]?
    private var recording: PowerCutRecording?

    init(_ kind: Kind, seed: UInt64, _ folder: String) {
        self.kind = kind
        random = SplitMix(seed: seed)
        self.folder = folder
    }

    /// Runs the scenario and records all operations.
    func record() throws -> PowerCutRecording {
        try prepare()
        let recording = PowerCutRecording(folder)
        self.recording = recording
        try act()
        return recording
    }

    /// Records that an action is acknowledged, after which the library contains `contents`.
    private func acknowledge(_ contents: LibraryContents) {
        states.append(contents)
        acknowledged.append(recording?.count ?? 0)
    }

    private func play(_ script: inout LibraryScript, actions: Int, at path: String? = nil) throws {
        let library = try Library(path: path ?? self.library, as: .player, timer: ManualTimer().timer)
        for _ in 0..<actions {
            #expect(library.perform(script.next()))
            if recording != nil { acknowledge(try LibraryContents(of: library)) }
        }
    }

    private func prepare() throws {
        var script = LibraryScript(seed: random.next())
        switch kind {
        case .playing: break
        case .migration6: write(try Fixtures.bytes("libraries/version6.sqlite"), to: library)
        case .thinning:
            try play(&script, actions: 14)
            try Database(path: library).run("UPDATE revision SET saved = saved - 90000, played = played - 90000")
        default: try play(&script, actions: 8)
        }
        if kind != .playing {
            // From another file with the same content, because this one must not be opened.
            let copy = Folder()
            write(readBytes(library), to: copy.library)
            states = [try LibraryContents(of: Library(path: copy.library))]
        } else {
            states = [LibraryContents()]
        }
        acknowledged = [0]
        switch kind {
        case .migration4:
            let copy = Folder()
            write(readBytes(library), to: copy.library)
            try copy.makeVersion4()
            write(readBytes(copy.library), to: library)
            states = [try LibraryContents(of: Library(path: copy.library))]
        case .indexes: try damageIndex()
        case .recovery: try Database(path: library).run("PRAGMA user_version = 99")
        case .scan:
            try Database(path: library).run("PRAGMA journal_mode = DELETE")
            var bytes = readBytes(library)
            bytes.replaceSubrange(0..<512, with: Array(repeating: 0x55, count: 512))
            write(bytes, to: library)
            let copy = Folder()
            write(bytes, to: copy.library)
            states = [try LibraryContents(of: Library(path: copy.library))]
        case .restore, .backup:
            try Library(path: library).backup(to: backup)
            try play(&script, actions: 4)
            let now = try LibraryContents(of: Library(path: library))
            states = kind == .restore ? [now, states[0]] : [states[0], now]
        default: break
        }
        if [.recovery, .scan].contains(kind) { damaged = readBytes(library) }
    }

    /// Flips a bit of an index that opening does not detect, but a check does.
    private func damageIndex() throws {
        let whole = readBytes(library)
        let root = try Database(path: library, isReadOnly: true)
            .run("SELECT rootpage FROM sqlite_schema WHERE name = 'pattern_bank'")
        guard case .integer(let page)? = root.first?.first else { return }
        for place in (Int(page) * 4096 - 40..<Int(page) * 4096) {
            var bytes = whole
            bytes[place] ^= 1
            let copy = Folder()
            write(bytes, to: copy.library)
            guard let library = try? Library(path: copy.library, as: .reader), let problems = try? library.check(),
                !problems.isEmpty
            else { continue }
            return write(bytes, to: self.library)
        }
    }

    private func act() throws {
        var script = LibraryScript(seed: random.next())
        switch kind {
        case .playing:
            for _ in 0..<3 { try play(&script, actions: .random(in: 1...7, using: &random)) }
        case .thinning, .migration4, .migration6, .recovery, .scan: try play(&script, actions: 3)
        case .indexes:
            _ = try Library(path: library).repair()
            acknowledge(states[0])
        case .restore:
            _ = try Library.restore(library, from: backup)
            acknowledged.append(recording?.count ?? 0)
        case .backup:
            try Library(path: library).backup(to: backup)
            acknowledged.append(recording?.count ?? 0)
        case .removed:
            let open = try Library(path: library, as: .player, timer: ManualTimer().timer)
            for suffix in databaseSuffixes { Glibc.unlink(library + suffix) }
            #expect(open.perform(script.next()))
            acknowledge(try LibraryContents(of: open))
        }
    }

    /// Opens the files in `left` after a power cut at `moment` events, and checks that all actions acknowledged by then
    /// are there. Returns the number of further actions.
    func expect(in left: Folder, after moment: Int, _ comment: Comment) throws -> Int {
        let last = (acknowledged.lastIndex { $0 <= moment }) ?? 0
        if kind == .backup { try expectBackup(in: left, last, comment) }
        let wasThere = names(in: left.path).contains("library.sqlite")
        let library = try Library(path: left.library)
        let notices = library.drainNotices()
        let aside = left.databasesAside
        switch kind {
        case .recovery, .scan:
            #expect(notices.count <= 1 && aside.map(readBytes) == [damaged ?? []], comment)
        case .restore: #expect(notices.count <= 1 && aside.isEmpty, comment)
        default: #expect(notices.isEmpty && aside.isEmpty, "\(comment), \(notices)")
        }
        if kind == .indexes, last == 0 { _ = try library.repair() }
        #expect(try library.check() == [], comment)
        let contents = try LibraryContents(of: library)
        // A pattern that was restored is there once that is acknowledged.
        if kind == .removed, last == 0, !wasThere { return 0 }
        if kind == .backup { return contents == states[1] ? last : fail(comment) }
        if contents == states[last] { return 0 }
        return last + 1 < states.count && contents == states[last + 1] ? 1 : fail(comment)
    }

    private func fail(_ comment: Comment) -> Int {
        Issue.record("\(comment): not what was acknowledged")
        return -1
    }

    /// The backup is the complete old one or the complete new one.
    private func expectBackup(in left: Folder, _ last: Int, _ comment: Comment) throws {
        let copy = Folder()
        #expect(try Library.restore(copy.library, from: left.path + "/backup.sqlite") == nil, comment)
        let library = try Library(path: copy.library)
        #expect(library.drainNotices().isEmpty, comment)
        let contents = try LibraryContents(of: library)
        #expect(contents == states[1] || last == 0 && contents == states[0], comment)
    }
}
