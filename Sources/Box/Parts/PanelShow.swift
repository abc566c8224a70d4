import Documents
import Formats
import InputEvents
import Instrument
import Panel

/// Shows pictures or a walk on the panel until the time or the user ends it.
package final class PanelShow {
    /// The pictures to show.
    package enum Content {
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
        let start = lights.clock.now
        var announced: String?
        if case .nothing = content {
        } else {
            while !lights.stopper.isStopping, end.map({ lights.clock.now < $0 }) ?? true {
                let now = lights.clock.now
                let (words, power) = draw(content, at: Int((now - start).microseconds / 1000))
                lights.show(power: power, at: now)
                if let words, words != announced {
                    announce(words)
                    announced = words
                }
                lights.clock.wait(until: now + Instrument.frameInterval)
            }
        }
        try lights.stop()
    }

    /// Draws the picture at `milliseconds` after the start; returns its name and the share of the power it may use.
    private func draw(_ content: Content, at milliseconds: Int) -> (words: String?, power: Double) {
        switch content {
        case .walk(let path, let every):
            let walk = PanelWalk(path, of: lights.driver.geometry, stopMilliseconds: every)
            walk.draw(into: &lights.frame, at: milliseconds)
            return ("\(walk[walk.index(at: milliseconds)])", 1)
        case .pictures(let chosen):
            let pictures = chosen ?? PanelPicture.allCases
            // The steps of power take longer than a turn: alone they continue, among others they restart.
            let picture = pictures[milliseconds / Self.pictureMilliseconds % pictures.count]
            let time = pictures.count == 1 ? milliseconds : milliseconds % Self.pictureMilliseconds
            picture.draw(into: &lights.frame, at: time)
            return (picture.rawValue, picture.powerLimit(at: time))
        case .nothing: return (nil, 1)
        }
    }
}
