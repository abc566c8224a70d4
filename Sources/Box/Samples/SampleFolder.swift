import Documents
import Formats
import Glibc
import Instrument
import Library

/// The samples of a library: WAV files of 16-bit integers in a folder beside it. The library itself is not touched by
/// them.
package struct SampleFolder: Sendable {
    /// A sample.
    package struct Sample: Hashable, Sendable {
        /// Its name.
        package var name: SoundName
        /// Length in frames, frames per second, and 1 for mono or 2 for stereo.
        package var frames, rate, channels: Int
        /// Bytes of its samples.
        package var size: Int

        /// Its length in seconds, with hundredths.
        package var seconds: String { SampleSound.seconds(frames, rate: rate) }
    }

    /// Why a sample is not kept.
    package enum Refusal: Error, Hashable, CustomStringConvertible {
        /// All samples would be larger than `SampleFolder.roomMax`.
        case full
        /// The disk would have less than `FolderBesideLibrary.roomMin`.
        case noRoom(bytes: Int)

        /// The problem and what to do, for a message.
        package var description: String {
            switch self {
            case .full:
                "the samples fill \(SampleFolder.roomMax >> 20) MB; pixelboop library remove-sample removes some"
            case .noRoom(let bytes):
                "the disk has no room for \(String((bytes + 50_000) / 100_000, places: 1)) MB more; remove takes or samples"
            }
        }
    }

    /// Maximum bytes of all samples: a box with 512 MB has them in memory.
    package static let roomMax = 64 << 20

    private let place: FolderBesideLibrary

    /// The samples of the library at `library`: `box.sqlite` has `box.samples`.
    package init(ofLibrary library: String) { self.init(ofLibrary: library, freeBytes: nil) }

    init(ofLibrary library: String, freeBytes: (@Sendable (String) -> Int?)?) {
        place = FolderBesideLibrary(".samples", ofLibrary: library, freeBytes: freeBytes)
    }

    /// Path of the folder.
    package var path: String { place.path }

    // MARK: Reading

    /// The samples, and the names of damaged ones, each by name. Other files are left out.
    package func contents() throws -> (samples: [Sample], damaged: [SoundName]) {
        guard let folder = try place.open() else { return ([], []) }
        var (samples, damaged): ([Sample], [SoundName]) = ([], [])
        let names = try folder.names().compactMap { SampleFileName.name(of: $0.text) }
        for name in names.sorted(by: { $0.text < $1.text }) {
            if let sample = sample(name, in: folder) { samples.append(sample) } else { damaged.append(name) }
        }
        return (samples, damaged)
    }

    /// The samples by name, without damaged ones.
    package func samples() throws -> [Sample] { try contents().samples }

    /// The message about the damaged sample `name`.
    package func problem(of name: SoundName) -> String {
        "\(path)/\(SampleFileName.file(of: name)): is a damaged sample; import it again, or remove \(name.text)"
    }

    private func sample(_ name: SoundName, in folder: Folder) -> Sample? {
        let headerSize = WaveFile.Sample.integer.headerSize
        guard let file = folder.file(SampleFileName.file(of: name)) else { return nil }
        guard let (frames, rate, channels) = WaveFile.integers(file.begin(headerSize)) else { return nil }
        let size = frames * channels * WaveFile.Sample.integer.size
        guard frames > 0, file.size == headerSize + size, SampleSound.isSample(frames, rate: rate) else { return nil }
        return Sample(name: name, frames: frames, rate: rate, channels: channels, size: size)
    }

    /// The sound of the sample `name`.
    package func read(_ name: SoundName) throws -> SampleSound {
        let file = SampleFileName.file(of: name)
        guard let folder = try place.open(), folder.file(file) != nil else { throw Self.missing(name.text) }
        let headerSize = WaveFile.Sample.integer.headerSize
        guard sample(name, in: folder) != nil,
            let sound = WaveFile.sound(in: try folder.read(Folder.Name(file), sizeMax: Self.roomMax + headerSize))
        else { throw CommandError(.badData, problem(of: name)) }
        return sound
    }

    private static func missing(_ name: String) -> CommandError {
        CommandError(.noInput, "there is no sample \(name); pixelboop library samples shows all of them")
    }

    // MARK: Changing

    /// Removes what a power cut left of a sample.
    package func tidy() throws { try place.tidy() }

    /// Keeps `sound` as the sample `name`, in place of one of that name. Its file is complete or as it was, also after
    /// a power cut. Throws a `Refusal` if there is no room for it.
    package func keep(_ sound: SampleSound, as name: SoundName) throws {
        guard sound.isSample else {
            throw CommandError(
                .badData, "\(name.text): is no sample: those have at most \(SampleSound.secondsMax) s, and some sound")
        }
        let others = try samples().reduce(0) { $0 + ($1.name == name ? 0 : $1.size) }
        guard others + sound.size <= Self.roomMax else { throw Refusal.full }
        let folder = try place.made()
        let headerSize = WaveFile.Sample.integer.headerSize
        if let room = place.room, headerSize + sound.size > room {
            throw Refusal.noRoom(bytes: headerSize + sound.size)
        }
        try Self.write(sound, to: try OutputFile(SampleFileName.file(of: name), in: folder), isDurable: true)
    }

    /// Writes `sound` as a WAV file.
    private static func write(_ sound: SampleSound, to file: OutputFile, isDurable: Bool = false) throws {
        file.append(
            WaveFile.header(frames: sound.frames, rate: sound.rate, channels: sound.channels, of: .integer))
        sound.samples.withUnsafeBytes { file.append($0) }
        try file.finish(isDurable: isDurable)
    }

    /// Removes the sample `name`, even a damaged one.
    package func remove(_ name: SoundName) throws {
        let file = SampleFileName.file(of: name)
        guard let folder = try place.open(), folder.file(file) != nil else { throw Self.missing(name.text) }
        folder.remove(file)
        _ = folder.synchronise()
    }

    /// Copies the sample `name` to `file`.
    package func copy(_ name: SoundName, to file: OutputFile) throws {
        try Self.write(try read(name), to: file)
    }

    /// The name that `text`, such as a file's without its ending, gives a sample: its first letters, with a number at
    /// their end if one of that name is `taken`. Nil if it has no letter that the panel shows.
    package static func freeName(from text: String, taken: Set<SoundName>) -> SoundName? {
        SoundName(shortening: text).map { $0.numbered(notIn: taken) }
    }

    /// Copies the samples that `other` lacks into it. Another sound of the same name there gets a name with a number: the
    /// patterns that come with these samples name them.
    func copyAll(to other: SampleFolder) throws {
        let own = try samples()
        let there = try other.contents()
        var taken = Set(there.samples.map(\.name)).union(there.damaged).union(own.map(\.name))
        for sample in own {
            let sound = try read(sample.name)
            if there.samples.contains(where: { $0.name == sample.name }) {
                let old = try other.read(sample.name)
                if old == sound { continue }
                let name = sample.name.numbered(notIn: taken)
                taken.insert(name)
                try other.keep(old, as: name)
            }
            try other.keep(sound, as: sample.name)
        }
    }

    // MARK: Sticks

    /// Name of the folder of samples on a stick.
    static let stickFolder = "samples"

    /// Keeps the sounds in the files of `source` that have names of no sample, in the order of their names. Files that
    /// cannot be samples are logged and left out, and the rest if there is no room.
    func keepNew(from source: Folder) throws {
        let (samples, damaged) = try contents()
        let own = Set(samples.map(\.name)).union(damaged)
        var taken: Set<SoundName> = []
        let files = try source.names().filter { !$0.text.hasPrefix(".") && FileKind.of($0.text) == .sound }
        for file in files.sorted(by: { $0.text < $1.text }) {
            do {
                // The names within the folder do not depend on what is here, so a second import adds nothing.
                let name = try SampleImport.name(for: "\(source.path)/\(file.text)").numbered(notIn: taken)
                taken.insert(name)
                if !own.contains(name) { try keep(try SampleImport.read(file, in: source), as: name) }
            } catch let error as CommandError {
                Log.post(error.message)
            } catch let refusal as Refusal {
                return Log.post("\(source.path)/\(file.text): is left out, and those after it: \(refusal)")
            }
        }
    }

    /// Writes the samples into `target`, except samples that are there already.
    func copyNew(to target: Folder) throws {
        for sample in try samples() {
            let name = SampleFileName.file(of: sample.name)
            let bytes = WaveFile.bytes(try read(sample.name))
            if target.file(name)?.size == bytes.count,
                try target.read(Folder.Name(name), sizeMax: bytes.count) == bytes
            {
                continue
            }
            try Files.write(bytes, to: try OutputFile(name, in: target))
        }
    }
}
