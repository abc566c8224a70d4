import Documents
import Formats
import Glibc
import Instrument
import Library
import Pages
import Runtime

/// The takes of a library: WAV files in a folder beside it. The library itself is not touched by them.
package struct TakeFolder: Sendable {
    /// A take.
    package struct Take: Hashable, Sendable {
        /// Its number, from 1.
        package var number: Int
        /// Length in frames, and frames per second.
        package var frames, rate: Int
        /// When it was kept, in seconds since 1970.
        package var kept: Int64
        /// Bytes of its file.
        package var size: Int

        /// Its length in seconds, with a tenth.
        package var seconds: String { String(10 * frames / max(1, rate), places: 1) }
    }

    /// Why a take is not kept.
    enum Refusal: Error, Hashable {
        /// It would leave less than `FolderBesideLibrary.roomMin`.
        case noRoom(bytes: Int)
        /// The sound is not remembered any more.
        case forgotten
    }

    private let place: FolderBesideLibrary

    /// The last number.
    static let numberMax = 999_999_999
    /// Frames that are copied at once.
    private static let block = 16_384

    /// The takes of the library at `library`: `box.sqlite` has `box.takes`.
    package init(ofLibrary library: String) { self.init(ofLibrary: library, freeBytes: nil) }

    init(ofLibrary library: String, freeBytes: (@Sendable (String) -> Int?)?) {
        place = FolderBesideLibrary(".takes", ofLibrary: library, freeBytes: freeBytes)
    }

    /// Path of the folder.
    package var path: String { place.path }

    /// File name of the take with this number.
    package static func name(of number: Int) -> String { "take-\(number).wav" }

    /// File name of its touches.
    package static func scriptName(of number: Int) -> String { "take-\(number).jsonl" }

    /// Bytes that takes may still fill; nil if that is unknown.
    package var room: Int? { place.room }

    // MARK: Keeping

    /// Writes the frames of `span`, which `recall` copies, as the next take, and its touches as `script`; returns its
    /// number. Each file is complete or not there, also after a power cut, and the script is there first.
    func keep(
        _ span: TakeSpan, rate: Int, script: String?, recall: (UInt64, UnsafeMutableBufferPointer<Int16>) -> Bool
    ) throws -> Int {
        let size = WaveFile.Sample.integer.headerSize + span.count * 2 * WaveFile.Sample.integer.size
        let folder = try place.made()
        if let room, size > room { throw Refusal.noRoom(bytes: size) }
        let number = Self.next(after: try numbers(in: folder))
        let file = try OutputFile(Self.name(of: number), in: folder)
        file.append(WaveFile.header(frames: span.count, rate: rate, of: .integer))
        let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: 2 * Self.block)
        defer { samples.deallocate() }
        var frame = span.begin
        while frame < span.end {
            let part = UnsafeMutableBufferPointer(rebasing: samples[..<(2 * min(Self.block, Int(span.end - frame)))])
            guard recall(frame, part) else { throw Refusal.forgotten }
            file.append(UnsafeRawBufferPointer(part))
            frame += UInt64(part.count / 2)
        }
        let old = Self.scriptName(of: number)
        if let script {
            try Files.write(Array(script.utf8), to: try OutputFile(old, in: folder), isDurable: true)
        } else {
            folder.remove(old)
        }
        try file.finish(isDurable: true)
        return number
    }

    private func numbers(in folder: Folder) throws -> [Int] {
        try folder.names().compactMap { Self.number(in: $0.text) }
    }

    /// The number after the highest; if that is the last one, the lowest that is free.
    static func next(after numbers: [Int]) -> Int {
        let next = (numbers.max() ?? 0) + 1
        if next <= numberMax { return next }
        let used = Set(numbers)
        return (1...).first { !used.contains($0) } ?? next
    }

    /// The number in a take's file name; nil for another file.
    private static func number(in name: String) -> Int? {
        guard name.hasPrefix("take-"), name.hasSuffix(".wav"), let number = Int(name.dropFirst(5).dropLast(4)) else {
            return nil
        }
        return (1...numberMax).contains(number) && name == Self.name(of: number) ? number : nil
    }

    // MARK: Takes

    /// The takes, by number. Files that are none are left out.
    package func takes() throws -> [Take] {
        guard let folder = try place.open() else { return [] }
        return try numbers(in: folder).sorted().compactMap { number in
            guard let file = folder.file(Self.name(of: number)) else { return nil }
            guard let (frames, rate) = WaveFile.lengthOfTake(file.begin(WaveFile.Sample.integer.headerSize)) else {
                return nil
            }
            return Take(number: number, frames: frames, rate: rate, kept: file.modified, size: file.size)
        }
    }

    /// Copies the sound, or the touches, of the take with this number to `file`.
    package func copy(_ number: Int, script isScript: Bool = false, to file: OutputFile) throws {
        let sound = try open(number)
        let touches = isScript ? Folder(path)?.file(Self.scriptName(of: number)) : nil
        if isScript, touches == nil {
            throw CommandError(
                .noInput, "take \(number) has no touches: they were not remembered any more; export its .wav")
        }
        let source = touches ?? sound
        while let bytes = try source.next() { file.append(bytes) }
        try file.finish()
    }

    /// Name of the folder of takes on a stick.
    static let stickFolder = "takes"

    /// Copies the takes that `target` lacks, with their touches. Takes never change, so one of the same name and length
    /// is the same.
    func copyNew(to target: Folder) throws {
        for take in try takes() {
            if target.file(Self.name(of: take.number))?.size != take.size {
                try copy(take.number, as: take.number, to: target)
            }
        }
    }

    /// Copies the takes that `other` lacks into it, with their touches. One whose number is another take's there gets the
    /// next one.
    func copyAll(to other: TakeFolder) throws {
        let takes = try takes()
        guard !takes.isEmpty else { return }
        let target = try other.place.made()
        var numbers = try other.numbers(in: target)
        let there = try other.takes()
        for take in takes {
            // Under any number: a second time adds nothing.
            let isThere = try there.contains {
                try $0.size == take.size && sounds(take.number, as: $0.number, of: other)
            }
            if isThere { continue }
            let number = numbers.contains(take.number) ? Self.next(after: numbers) : take.number
            numbers.append(number)
            try copy(take.number, as: number, to: target)
        }
    }

    /// Whether a take has the same bytes as the take `number` of `other`, which is as long.
    private func sounds(_ take: Int, as number: Int, of other: TakeFolder) throws -> Bool {
        let (one, two) = (try open(take), try other.open(number))
        while let part = try one.next() {
            if try two.next() != part { return false }
        }
        return true
    }

    /// Copies a take and its touches to `target` as the take `number`.
    private func copy(_ take: Int, as number: Int, to target: Folder) throws {
        if Folder(path)?.file(Self.scriptName(of: take)) != nil {
            try copy(take, script: true, to: try OutputFile(Self.scriptName(of: number), in: target))
        }
        try copy(take, to: try OutputFile(Self.name(of: number), in: target))
    }

    /// Removes the take with this number.
    package func remove(_ number: Int) throws {
        _ = try open(number)
        guard let folder = Folder(path) else { throw Files.cannotRead(path, errno) }
        folder.remove(Self.name(of: number))
        folder.remove(Self.scriptName(of: number))
        _ = folder.synchronise()
    }

    private func open(_ number: Int) throws -> InputFile {
        guard let file = Folder(path)?.file(Self.name(of: number)) else {
            throw CommandError(.noInput, "there is no take \(number); pixelboop library takes shows all of them")
        }
        return file
    }
}

extension TakeFolder: PageDownloads {
    /// The sounds, newest first, each followed by its touches.
    package var files: [(name: String, text: String)] {
        let takes = (try? takes()) ?? []
        return takes.reversed().flatMap { take in
            let sound = (Self.name(of: take.number), "\(take.seconds) s, kept \(DocumentTime.text(take.kept))")
            let script = Self.scriptName(of: take.number)
            return Folder(path)?.file(script) == nil ? [sound] : [sound, (script, "its touches, for replay")]
        }
    }

    package func path(of name: String) -> String? {
        // The list is short, and it has no name from outside the folder.
        files.contains { $0.name == name } ? "\(path)/\(name)" : nil
    }
}
