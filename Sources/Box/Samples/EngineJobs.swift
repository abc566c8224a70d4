import Documents
import Instrument
import Runtime

/// The jobs that need the engine: takes are parts of the sound that it remembers, and samples play from its memory.
package final class EngineJobs: Sendable {
    private let takes: TakeKeeper
    private let samples: SampleFolder
    private let engine: Engine

    /// Jobs of `engine`, with `takes` and `samples` beside its library.
    package init(_ takes: TakeFolder, _ samples: SampleFolder, _ engine: Engine) {
        self.takes = TakeKeeper(takes, engine)
        self.samples = samples
        self.engine = engine
    }

    /// Remembers the input of `span` until the take is kept.
    package func add(_ input: TakeInput?, of span: TakeSpan) { takes.add(input, of: span) }

    /// Does `job`, and returns its events; nil if it does not need the engine. The reason for a failure is logged.
    package func run(_ job: Instrument.Job) -> [Instrument.Event]? {
        do {
            switch job {
            case .keepTake(let span): return [.notice(takes.keep(span))]
            case .showSamples: return [.samples(try samples.samples().map(\.name))]
            case .loadSample(let name): return [.sample(try Self.load(name, of: samples, into: engine))]
            case .removeSample(let name):
                try samples.remove(name)
                return [.samples(try samples.samples().map(\.name))]
            case .slice(let span, let cut): return [.sliced(try keep(try recall(span), named: "LOOP", cut))]
            case .sliceSample(let name, let cut): return [.sliced(SliceKit(name, try samples.read(name), cut))]
            default: return nil
            }
        } catch let refusal as SampleFolder.Refusal {
            Log.post("the sample is not kept: \(refusal)")
            return [.notice(.noRoomForTake)]
        } catch {
            Log.post("\(error)")
            return job.refusal.isEmpty ? [.notice(.libraryFailed)] : job.refusal
        }
    }

    /// Loads the sample `name` of `samples` into the memory of `engine`.
    package static func load(_ name: SoundName, of samples: SampleFolder, into engine: Engine) throws -> LoadedSample {
        let sound = try samples.read(name)
        guard let slot = engine.load(sound.samples, channels: sound.channels, rate: sound.rate) else {
            throw CommandError(
                .unavailable,
                "the sample \(name.text) is not loaded: those of the pads may fill \(Engine.sampleMemory >> 20) MB; choose shorter ones"
            )
        }
        return LoadedSample(name: name, slot: slot, sound)
    }

    /// Keeps `sound` in the library under a free name that begins with `text`, and cuts it.
    private func keep(_ sound: SampleSound, named text: String, _ cut: SliceCut) throws -> SliceKit {
        let taken = Set(try samples.samples().map(\.name))
        guard let name = SampleFolder.freeName(from: text, taken: taken) else {
            throw CommandError(.usage, "\(text): has no letter that the panel has")
        }
        try samples.keep(sound, as: name)
        return SliceKit(name, sound, cut)
    }

    /// The sound of `span`, of which the engine still remembers everything.
    private func recall(_ span: TakeSpan) throws -> SampleSound {
        guard let samples = engine.recall(span) else {
            throw CommandError(.unavailable, "the loop is not cut: its sound is no longer remembered")
        }
        return SampleSound(rate: engine.rate, channels: 2, samples: samples)
    }
}
