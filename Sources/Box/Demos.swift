import Instrument
import Library
import Replay

/// Patterns of a box that was never used: scenes 1, 2 and 3 of its first session. Each is a touch script, drawn by the
/// box's own gestures and played with the sounds of a new pattern.
package enum Demos {
    /// A pattern's name, and its script.
    package struct Demo: Sendable {
        package let name: String
        package let script: [UInt8]
    }

    /// The patterns, in order of the scenes.
    package static let all = [
        Demo(name: "night", script: PackageResources.night_jsonl),
        Demo(name: "house", script: PackageResources.house_jsonl),
        Demo(name: "sunday", script: PackageResources.sunday_jsonl),
    ]

    /// The session to play of `library`. In a library that was never used the first session has the patterns as its
    /// scenes.
    static func session(of library: Library) -> Session {
        let session = library.sessionToPlay()
        let isUsed = library.session() != nil || library.lastFailure != nil
        guard !isUsed, (try? library.patterns())?.isEmpty == true else { return session }
        return first(session)
    }

    /// `session` with the patterns as its scenes, of which the first is current.
    package static func first(_ session: Session) -> Session { session.withScenes(drawnBy: all.map(\.script)) }
}
