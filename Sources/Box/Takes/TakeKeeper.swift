import Documents
import Instrument
import Runtime
import Synchronization

/// Keeps parts of the sound that an engine remembers as takes, with their touches.
package final class TakeKeeper: Sendable {
    private let folder: TakeFolder
    private let engine: Engine
    private let inputs = Mutex<[TakeSpan: TakeInput]>([:])

    /// A keeper of the output of `engine` in `folder`.
    package init(_ folder: TakeFolder, _ engine: Engine) {
        self.folder = folder
        self.engine = engine
    }

    /// Remembers the input of `span` until the take is kept.
    package func add(_ input: TakeInput?, of span: TakeSpan) { inputs.withLock { $0[span] = input } }

    /// Keeps `span`; returns the message for the panel. The reason for a failure is logged.
    package func keep(_ span: TakeSpan) -> Notice {
        let input = inputs.withLock { $0.removeValue(forKey: span) }
        let script = input.map { self.script(of: $0, span) }
        do {
            let number = try folder.keep(span, rate: engine.rate, script: script, recall: engine.recall)
            Log.post(
                "kept \(folder.path)/\(TakeFolder.name(of: number)); to have it: pixelboop library export-take \(number) -o FILE.wav"
            )
            return .tookTake(number)
        } catch TakeFolder.Refusal.noRoom(let bytes) {
            let size = String((bytes + 50_000) / 100_000, places: 1)
            Log.post(
                "the take is not kept: \(folder.path) has no room for its \(size) MB; pixelboop library remove-take removes old ones"
            )
            return .noRoomForTake
        } catch TakeFolder.Refusal.forgotten {
            Log.post("the take is not kept: its sound is no longer remembered")
        } catch {
            Log.post("the take is not kept: \(error)")
        }
        return .takeFailed
    }

    private func script(of input: TakeInput, _ span: TakeSpan) -> String {
        var document = PatternDocument(pattern: input.session.composition.pattern)
        document.replaceMusic(by: input.session)
        var settings = TakeStart.Settings()
        settings.pages = input.session.pages
        (settings.window, settings.follows) = (input.window, input.follows)
        (settings.keys, settings.fx) = (input.keys, input.fx)
        settings.rules = input.rules
        settings.soundsTaps = input.soundsTaps
        settings.metronome = input.session.metronome
        settings.isRecording = input.isRecording
        settings.quantise = input.session.quantise
        settings.volume = input.volume
        let start = TakeStart(
            document: document, rate: engine.rate, begin: input.begin, frames: span.count, settings: settings)
        return TouchScript.text(start, input.events)
    }
}
