import Documents
import Formats
import Glibc
import Instrument
import Library

/// Reads sound files for one import into the samples of a library: all or none.
package struct SampleImport {
    /// A sound for a sample.
    private struct Addition {
        var sound: SampleSound
        var name: SoundName
        /// Whether it takes the place of a sample of its name.
        var replaces: Bool
    }

    private var additions: [Addition] = []

    /// An import without sounds.
    package init() {}

    /// Name of the sample in the file at `path`: the name in a sample's file name, or the first letters of another's
    /// name.
    static func name(for path: String) throws -> SoundName {
        let file = Files.parts(of: path).name
        let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
        guard let name = SampleFileName.name(of: file) ?? SoundName(shortening: stem) else {
            throw CommandError(.badData, "\(Files.name(path)): has no name that the panel can show; rename it")
        }
        return name
    }

    // MARK: Reading

    /// Reads the sound file at `path`; `-` is standard input.
    package static func read(_ path: String) throws -> SampleSound {
        if path == "-" { return try parse(try Files.read(path, sizeMax: SampleFile.sizeMax), from: path) }
        // A pipe without a writer would block open(2) for ever.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Files.cannotRead(path, errno) }
        guard let file = InputFile(descriptor, of: path) else {
            throw CommandError(
                .noInput,
                "\(path): \(Files.isFolder(path) ? "is a folder; name a file in it" : "is not a regular file; copy it into one")"
            )
        }
        return try read(file, of: path)
    }

    /// Reads the sound file `name` in `folder`.
    static func read(_ name: Folder.Name, in folder: Folder) throws -> SampleSound {
        let path = "\(folder.path)/\(name.text)"
        guard let file = folder.file(name) else {
            throw CommandError(.badData, "\(path): is not a regular file; remove it")
        }
        return try read(file, of: path)
    }

    /// The sound in `bytes`, which came from `path`.
    package static func parse(_ bytes: [UInt8], from path: String) throws -> SampleSound {
        try Files.parse(bytes, from: path) { bytes throws(FormatError) in try SampleFile.sound(in: bytes) }
    }

    private static func read(_ file: InputFile, of path: String) throws -> SampleSound {
        var failure: Int32?
        do throws(FormatError) {
            return try SampleFile.sound(size: file.size) { buffer, place in
                let count = file.read(into: buffer, at: place)
                if count < 0 { failure = errno }
                return count
            }
        } catch {
            if let failure { throw CommandError(.ioError, "\(path): cannot be read: \(Files.reason(failure))") }
            throw CommandError(.badData, "\(path): \(error)")
        }
    }

    // MARK: Adding

    /// Reads the sound file at `path`. It replaces the sample `name`; without a name it gets its file's and replaces
    /// nothing.
    package mutating func add(_ path: String, as name: SoundName? = nil) throws {
        // The name first: a long file may be read in vain.
        let own = try name ?? Self.name(for: path)
        try add(try Self.read(path), from: path, as: own, replaces: name != nil)
    }

    /// Adds `sound`, which came from the file at `path` and gets its name.
    mutating func add(_ sound: SampleSound, from path: String) throws {
        try add(sound, from: path, as: try Self.name(for: path), replaces: false)
    }

    private mutating func add(_ sound: SampleSound, from path: String, as name: SoundName, replaces: Bool) throws {
        guard additions.reduce(sound.size, { $0 + $1.sound.size }) <= SampleFolder.roomMax else {
            throw CommandError(
                .badData, "\(path): with it the sounds are more than \(SampleFolder.roomMax >> 20) MB; import fewer")
        }
        additions.append(Addition(sound: sound, name: name, replaces: replaces))
    }

    /// Keeps the sounds in `folder`; returns the samples that have them. If one cannot be kept, none is.
    package func keep(in folder: SampleFolder) throws -> [SampleFolder.Sample] {
        var names: [SoundName] = []
        var added: [SoundName] = []
        // Also if all are there already.
        try folder.tidy()
        do {
            for addition in additions {
                var name = addition.name
                if !addition.replaces {
                    let found = try Self.place(of: addition, in: folder)
                    name = found.name
                    if found.isThere {
                        names.append(name)
                        continue
                    }
                    added.append(name)
                }
                try folder.keep(addition.sound, as: name)
                names.append(name)
            }
        } catch {
            for name in added { try? folder.remove(name) }
            guard let refusal = error as? SampleFolder.Refusal else { throw error }
            throw CommandError(.cannotCreate, "\(folder.path): \(refusal)")
        }
        let samples = try folder.samples()
        return names.compactMap { name in samples.first { $0.name == name } }
    }

    /// The first of its numbered names that no other sound has, and whether a sample has this very sound already.
    private static func place(
        of addition: Addition, in folder: SampleFolder
    ) throws -> (name: SoundName, isThere: Bool) {
        let (samples, damaged) = try folder.contents()
        for number in 1...99_999 {
            let name = addition.name.numbered(number)
            guard let sample = samples.first(where: { $0.name == name }) else {
                if damaged.contains(name) { continue }
                return (name, false)
            }
            let isAlike = sample.size == addition.sound.size && sample.rate == addition.sound.rate
            if isAlike, try folder.read(name) == addition.sound { return (name, true) }
        }
        throw CommandError(.badData, "\(addition.name.text): all names that begin so are taken; use --name")
    }
}
