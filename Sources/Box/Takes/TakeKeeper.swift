import Instrument
import Runtime

/// Keeps parts of the sound that an engine remembers as takes.
package struct TakeKeeper: Sendable {
    private let folder: TakeFolder
    private let engine: Engine

    /// A keeper of the output of `engine` in `folder`.
    package init(_ folder: TakeFolder, _ engine: Engine) {
        self.folder = folder
        self.engine = engine
    }

    /// Keeps `span`; returns the message for the panel. The reason for a failure is logged.
    package func keep(_ span: TakeSpan) -> Notice {
        do {
            let number = try folder.keep(span, rate: engine.rate, recall: engine.recall)
            Log.post("kept \(folder.path)/\(TakeFolder.name(of: number)); to have it: pixelboop library export-take \(number) -o FILE.wav")
            return .tookTake(number)
        } catch TakeFolder.Refusal.noRoom(let bytes) {
            let size = String((bytes + 50_000) / 100_000, places: 1)
            Log.post(
                "the take is not kept: \(folder.path) has no room for its \(size) MB; pixelboop library remove-take removes old ones")
            return .noRoomForTake
        } catch TakeFolder.Refusal.forgotten {
            Log.post("the take is not kept: its sound is no longer remembered")
        } catch {
            Log.post("the take is not kept: \(error)")
        }
        return .takeFailed
    }
}
