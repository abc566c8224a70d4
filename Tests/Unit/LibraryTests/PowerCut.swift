import Glibc
import SQLiteFaults
import TestSupport

/// The recorded operations on the files of a folder, and the possible contents of a card after a power cut.
final class PowerCutRecording {
    private let recorder: Int32
    private let folder: String
    /// The initial content, which survives.
    private let start: [String: Card.File]

    /// Records the operations in the folder at `path` from now on.
    init(_ path: String) {
        folder = path
        recorder = power_cut_begin(path)
        precondition(recorder >= 0)
        start = names(in: path).filter(Card.holds).reduce(into: [:]) { files, name in
            var status = stat()
            lstat(path + "/" + name, &status)
            files[name] = Card.File(UInt64(status.st_ino), readBytes(path + "/" + name))
        }
    }

    deinit { power_cut_end(recorder) }

    /// Number of events so far.
    var count: Int { Int(power_cut_count(recorder)) }

    /// The card at the start of the recording.
    func card() -> Card { Card(start) }

    /// Applies the event at `index` to `card`.
    func replay(_ index: Int, on card: inout Card) {
        let event = power_cut_event(recorder, Int64(index))
        let name = event.name.map { short(String(cString: $0)) }
        switch UInt32(event.kind) {
        case PowerCutCreate.rawValue: card.create(name ?? "", event.file)
        case PowerCutWrite.rawValue:
            let bytes = Array(UnsafeBufferPointer(start: event.bytes, count: Int(event.size)))
            card.change(event.file, .write(at: Int(event.offset), bytes))
        case PowerCutTruncate.rawValue: card.change(event.file, .truncate(Int(event.size)))
        case PowerCutSync.rawValue: card.synchronise(event.file)
        case PowerCutSyncFolder.rawValue: card.synchroniseNames()
        case PowerCutRename.rawValue:
            card.rename(name ?? "", event.new_name.map { short(String(cString: $0)) } ?? "", event.file)
        default: card.unlink(name ?? "", event.file)
        }
    }

    private func short(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }
}

/// The files of a folder on a card: what certainly survives a power cut, and the operations since.
struct Card {
    /// A change to a file's content.
    enum Change {
        case write(at: Int, [UInt8])
        case truncate(Int)
    }

    /// A file, independent of its name.
    final class File {
        let number: UInt64
        fileprivate var content: [UInt8]
        fileprivate var changes: [Change] = []

        init(_ number: UInt64, _ content: [UInt8]) {
            self.number = number
            self.content = content
        }
    }

    /// A change of the names.
    private enum Naming {
        case create(String, File)
        case rename(String, String, File)
        case unlink(String, File)
    }

    private var names: [String: File]
    private var namings: [Naming] = []
    private var files: [UInt64: File] = [:]

    /// Files of shared memory and locks are meaningless after a power cut.
    static func holds(_ name: String) -> Bool { !name.hasSuffix("-shm") && !name.hasSuffix(".lock") }

    fileprivate init(_ files: [String: File]) {
        // Replaying on one card must not change another.
        names = files.mapValues { File($0.number, $0.content) }
        for file in names.values { self.files[file.number] = file }
    }

    fileprivate mutating func create(_ name: String, _ number: UInt64) {
        let file = File(number, [])
        files[number] = file
        namings.append(.create(name, file))
    }

    fileprivate mutating func change(_ number: UInt64, _ change: Change) { files[number]?.changes.append(change) }

    fileprivate mutating func synchronise(_ number: UInt64) {
        guard let file = files[number] else { return }
        for change in file.changes { change.apply(to: &file.content) }
        file.changes = []
    }

    fileprivate mutating func synchroniseNames() {
        for naming in namings { Self.apply(naming, into: &names) }
        namings = []
    }

    fileprivate mutating func rename(_ name: String, _ next: String, _ number: UInt64) {
        guard let file = files[number] else { return }
        namings.append(.rename(name, next, file))
    }

    fileprivate mutating func unlink(_ name: String, _ number: UInt64) {
        guard let file = files[number] else { return }
        namings.append(.unlink(name, file))
    }

    private static func apply(_ naming: Naming, into names: inout [String: File]) {
        switch naming {
        case .create(let name, let file): names[name] = file
        case .rename(let name, let next, let file):
            if names[name] === file { names[name] = nil }
            names[next] = file
        case .unlink(let name, let file):
            if names[name] === file { names[name] = nil }
        }
    }

    // MARK: What survives

    /// A possible content of the folder after a power cut at this moment. Of the changes that were not synchronised,
    /// none, all, the first ones, or any may survive; the last surviving write may be torn between two sectors.
    func afterCut(using random: inout SplitMix) -> [String: [UInt8]] {
        var names = names
        let kept = Self.survivors(namings.count, using: &random)
        for (naming, survives) in zip(namings, kept) where survives { Self.apply(naming, into: &names) }
        // By file, not by number: a file system gives the number of a file that is gone to the next one.
        var contents: [ObjectIdentifier: [UInt8]] = [:]
        for (_, file) in names.sorted(by: { $0.key < $1.key }) where contents[ObjectIdentifier(file)] == nil {
            contents[ObjectIdentifier(file)] = Self.content(of: file, using: &random)
        }
        return names.compactMapValues { contents[ObjectIdentifier($0)] }
    }

    private static func content(of file: File, using random: inout SplitMix) -> [UInt8] {
        var content = file.content
        guard !file.changes.isEmpty else { return content }
        let sector = Bool.random(using: &random) ? 512 : 4096
        // An unwritten place contains zeros, or data of an older file.
        let filling: UInt8 = Bool.random(using: &random) ? 0 : .random(in: 1...255, using: &random)
        let pieces = file.changes.flatMap { $0.pieces(of: sector) }
        for (piece, survives) in zip(pieces, survivors(pieces.count, using: &random)) where survives {
            piece.apply(to: &content, filling: filling)
        }
        return content
    }

    /// The surviving indices of `count` changes.
    private static func survivors(_ count: Int, using random: inout SplitMix) -> [Bool] {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return Array(repeating: false, count: count)
        case 1: return Array(repeating: true, count: count)
        case 2, 3, 4:
            let first = Int.random(in: 0...count, using: &random)
            return (0..<count).map { $0 < first }
        case 5:
            // All but one.
            let lost = Int.random(in: 0...count, using: &random)
            return (0..<count).map { $0 != lost }
        default:
            return (0..<count).map { _ in Bool.random(using: &random) }
        }
    }
}

extension Card.Change {
    /// The change, split into parts that survive completely or not at all.
    fileprivate func pieces(of sector: Int) -> [Card.Change] {
        guard case .write(let start, let bytes) = self else { return [self] }
        var pieces: [Card.Change] = []
        var place = start
        while place < start + bytes.count {
            let end = min(start + bytes.count, (place / sector + 1) * sector)
            pieces.append(.write(at: place, Array(bytes[place - start..<end - start])))
            place = end
        }
        return pieces
    }

    fileprivate func apply(to content: inout [UInt8], filling: UInt8 = 0) {
        switch self {
        case .truncate(let size): content = Array(content.prefix(size))
        case .write(let start, let bytes):
            if content.count < start { content += Array(repeating: filling, count: start - content.count) }
            let end = min(content.count, start + bytes.count)
            content.replaceSubrange(start..<end, with: bytes)
        }
    }
}
