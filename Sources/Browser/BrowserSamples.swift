import Documents
import Instrument
import Runtime

/// The samples of a box in a browser, each a document that the page keeps: a WAV file of 16-bit integers.
package final class BrowserSamples {
    /// Maximum bytes of all samples: the box has them in memory, and the engine again those of the pads.
    package static let roomMax = 32 << 20
    /// Names of their documents begin so; the rest is the sample's.
    private static let prefix = "sample/"

    /// By name.
    private var samples: [(name: SoundName, sound: SampleSound)] = []
    private let keeper: BrowserLibrary.Keeper

    /// The samples among the stored `documents`; those that cannot be read are left out, and `problems` names them.
    /// Changes go to `keeper`.
    package init(
        documents: [(name: String, bytes: [UInt8])], problems: inout [String],
        keeper: @escaping BrowserLibrary.Keeper
    ) {
        self.keeper = keeper
        for (name, bytes) in documents where Self.isSample(name) {
            guard let sound = WaveFile.sound(in: bytes), sound.isSample,
                let sample = SoundName(trimming: name, Self.prefix)
            else {
                problems.append("\(name): is no sample")
                continue
            }
            insert(sound, as: sample)
        }
    }

    /// Whether the document called `name` is a sample.
    package static func isSample(_ name: String) -> Bool { name.hasPrefix(prefix) }

    /// Their names, sorted.
    package var names: [SoundName] { samples.map { $0.name } }

    private func sound(_ name: SoundName) -> SampleSound? { samples.first { $0.name == name }?.sound }

    private func insert(_ sound: SampleSound, as name: SoundName) {
        let place = samples.firstIndex { $0.name.text > name.text } ?? samples.count
        samples.insert((name, sound), at: place)
    }

    // MARK: Changing

    /// Keeps `sound` under a free name that begins with `text`, and cuts it by `cut`.
    package func keep(_ sound: SampleSound, named text: String, _ cut: SliceCut) throws(FormatError) -> SliceKit {
        guard sound.isSample else {
            throw FormatError("", "is no sample: those have at most \(SampleSound.secondsMax) s, and some sound")
        }
        guard let start = SoundName(shortening: text) else {
            throw FormatError("", "has no name that the panel can show; rename it")
        }
        guard samples.reduce(sound.size, { $0 + $1.sound.size }) <= Self.roomMax else {
            throw FormatError("", "the samples fill \(Self.roomMax >> 20) MB; remove some on the PADS sheet")
        }
        let name = start.numbered(notIn: Set(names))
        insert(sound, as: name)
        keeper(Self.prefix + name.text, WaveFile.bytes(sound))
        return SliceKit(name, sound, cut)
    }

    /// Takes in the file `bytes`, which was called `file`. Returns its slices and a line about it; nil for a file that
    /// is no WAV file of 16-bit integers.
    package func importFile(_ bytes: [UInt8], name file: String) throws(FormatError) -> (kit: SliceKit, line: String)? {
        guard let sound = WaveFile.sound(in: bytes) else { return nil }
        let kit = try keep(sound, named: PatternName.ofFile(file), .onsets)
        return (kit, "\(kit.sample.text) is a sample of \(SampleSound.seconds(sound.frames, rate: sound.rate)) s")
    }

    /// Performs `job` with `engine`, and returns its events; nil if it is of no sample.
    package func run(_ job: Instrument.Job, _ engine: Engine) -> [Instrument.Event]? {
        switch job {
        case .showSamples: return [.samples(names)]
        case .loadSample(let name):
            guard let sound = sound(name),
                let slot = engine.load(sound.samples, channels: sound.channels, rate: sound.rate)
            else { return job.refusal }
            return [.sample(LoadedSample(name: name, slot: slot, sound))]
        case .removeSample(let name):
            samples.removeAll { $0.name == name }
            keeper(Self.prefix + name.text, [])
            return [.samples(names)]
        case .slice(let span, let cut):
            guard let heard = engine.recall(span) else { return job.refusal }
            let sound = SampleSound(rate: engine.rate, channels: 2, samples: heard)
            do throws(FormatError) {
                return [.sliced(try keep(sound, named: "LOOP", cut))]
            } catch {
                return [.notice(.noRoomForTake)]
            }
        case .sliceSample(let name, let cut):
            guard let sound = sound(name) else { return job.refusal }
            return [.sliced(SliceKit(name, sound, cut))]
        default: return nil
        }
    }
}
