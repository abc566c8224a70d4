import Box
import Documents
import Instrument

/// The library commands for samples. Samples are files beside the library, so none of them opens it.
struct SampleActions {
    private let folder: SampleFolder
    private let isJSON: Bool

    init(_ arguments: Arguments) throws {
        folder = SampleFolder(ofLibrary: try LibraryActions.path(arguments))
        isJSON = arguments.has("--json")
    }

    func list() throws {
        let (samples, damaged) = try folder.contents()
        for name in damaged { Log.post(folder.problem(of: name)) }
        let size = samples.reduce(0) { $0 + $1.size }
        if isJSON {
            return print(
                JSON.object([
                    "samples": .array(samples.map(\.json)), "room": .integer(max(0, SampleFolder.roomMax - size)),
                ]).text(pretty: true))
        }
        list(samples)
        // Tenths, rounded up: a sample is never nothing.
        let tenths = (10 * size + (1 << 20) - 1) >> 20
        print(
            "\(folder.path): \(String(samples.count, of: "sample")), \(String(tenths, places: 1)) of \(SampleFolder.roomMax >> 20) MB"
        )
    }

    private func list(_ samples: [SampleFolder.Sample]) {
        for sample in samples {
            print(
                sample.name.text.padded(10) + "\(sample.seconds) s".padded(10) + "\(sample.rate) Hz".padded(11)
                    + (sample.channels == 1 ? "mono" : "stereo"))
        }
    }

    /// Imports the sound files at `paths`; one of them as the sample `name`, if given. Returns the kits of their
    /// slices, none without a `cut`.
    func importFiles(_ paths: [String], as name: SoundName?, _ cut: SliceCut?) throws -> [SoundPreset] {
        var sounds = SampleImport()
        for path in paths { try sounds.add(path, as: name) }
        let samples = try sounds.keep(in: folder)
        let kits = try cut.map { cut in try samples.map { try kit($0.name, cut) } } ?? []
        if isJSON {
            print(JSON.array(samples.map(\.json)).text(pretty: true))
        } else {
            list(samples)
        }
        return kits
    }

    /// The kit of the slices of the sample `name`: of its name, or with a number if that is a factory kit's.
    private func kit(_ name: SoundName, _ cut: SliceCut) throws -> SoundPreset {
        var settings = SoundSettings()
        settings.choose(SliceKit(name, try folder.read(name), cut))
        let taken = Set(FactorySounds.list(for: .rhythm).map(\.name))
        return SoundPreset(settings, of: .rhythm, named: name.numbered(notIn: taken))
    }

    func export(_ name: SoundName, to path: String) throws {
        guard path == "-" || !path.hasPrefix(folder.path + "/") else {
            throw CommandError(.usage, "\(path): is in the folder of the samples; name a file elsewhere")
        }
        try folder.copy(name, to: try OutputFile(path))
    }

    func remove(_ name: SoundName) throws { try folder.remove(name) }
}

extension SampleFolder.Sample {
    fileprivate var json: JSON {
        .object([
            "name": .string(name.text), "frames": .integer(frames), "rate": .integer(rate),
            "channels": .integer(channels), "bytes": .integer(size),
        ])
    }
}
