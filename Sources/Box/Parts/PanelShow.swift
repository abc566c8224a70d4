import Documents
import Formats
import InputEvents
import Instrument
import Panel

/// Shows pictures or a walk on the panel until the time or the user ends it.
package final class PanelShow {
    /// The pictures to show.
    package enum Content {
        /// The stops of a walk, each shown for at least `milliseconds`, and none left out.
        case walk(PanelWalk.Path, milliseconds: Int)
        /// These pictures for as long as it goes, or all in turn.
        case pictures([PanelPicture]?)
        case nothing
    }

    private let lights: CommandPanel
    private let end: Instant?

    /// Duration of each picture while they take turns.
    private static let pictureMilliseconds = 3000

    /// A show on the panel that `options` describe; it ends after `seconds`.
    package init(_ options: BoxOptions, seconds: Int?) throws {
        let configuration = try Configuration.load(options.configuration)
        let kind = PanelView.Kind(options.panel, configuration.panel)
        lights = try CommandPanel(kind, configuration, options)
        end = lights.end(after: seconds)
    }

    /// Shows `content` until the time or the user ends it; calls `announce` with the name of each picture.
    package func run(_ content: Content, announce: (String) -> Void) throws {
        switch content {
        case .walk(let path, let milliseconds):
            let walk = PanelWalk(path, of: lights.driver.geometry)
            let duration = Instant.Span.milliseconds(Int64(milliseconds))
            var (index, due) = (-1, lights.clock.now)
            eachFrame { now in
                if now >= due {
                    index += 1
                    // A busy machine shows a stop for longer instead of leaving one out: each is an LED to look at.
                    due = now + duration
                    walk.draw(index, into: &lights.frame)
                    announce("\(walk[index])")
                }
                lights.show(power: 1, at: now)
                return due
            }
        case .pictures(let chosen):
            let pictures = chosen ?? PanelPicture.allCases
            let start = lights.clock.now
            var announced: PanelPicture?
            eachFrame { now in
                let milliseconds = Int((now - start).microseconds / 1000)
                // The steps of power take longer than a turn: alone they continue, among others they restart.
                let picture = pictures[milliseconds / Self.pictureMilliseconds % pictures.count]
                let time = pictures.count == 1 ? milliseconds : milliseconds % Self.pictureMilliseconds
                picture.draw(into: &lights.frame, at: time)
                lights.show(power: picture.powerLimit(at: time), at: now)
                if picture != announced { announce(picture.rawValue) }
                announced = picture
                return now + Instrument.frameInterval
            }
        case .nothing: break
        }
        try lights.stop()
    }

    /// Calls `show` with the present time, and again a frame later or when it says, until the end.
    private func eachFrame(_ show: (Instant) -> Instant) {
        while !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
            let now = lights.clock.now
            let next = show(now)
            lights.clock.wait(until: min(next, now + Instrument.frameInterval))
        }
    }
}
