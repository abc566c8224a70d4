import Display
import InputEvents
import Instrument

/// Several inputs of pictures as one. The number of a source is its number in its input, times the count of inputs,
/// plus the index of its input.
public final class PictureInputs: PictureInput, @unchecked Sendable {
    private let inputs: [any PictureInput]
    /// The sources of each input, on the loop's thread.
    private var sources: [[LightSource]]

    /// The sources of all `inputs`.
    public init(_ inputs: [any PictureInput]) {
        self.inputs = inputs
        sources = inputs.map { _ in [] }
    }

    /// Appends all sources, if the sources of any input have changed.
    public func read(into events: inout [ControlEvent]) {
        var time: Instant?
        for (place, input) in inputs.enumerated() {
            var own: [ControlEvent] = []
            input.read(into: &own)
            for event in own {
                guard case .lights(let heard) = event.event else { continue }
                time = event.time
                sources[place] = heard.map {
                    LightSource(
                        number: inputs.count * $0.number + place, name: $0.name.text, takesTouches: $0.takesTouches)
                }
            }
        }
        if let time { events.append(ControlEvent(time: time, event: .lights(sources.flatMap { $0 }))) }
    }

    /// Says to each input which of its sources is shown.
    public func follow(_ source: Int?) -> Bool {
        var isNew = false
        for (place, input) in inputs.enumerated() {
            let own = source.flatMap { $0 % inputs.count == place ? $0 / inputs.count : nil }
            isNew = input.follow(own) || isNew
        }
        return isNew
    }

    /// Draws the picture of a source.
    public func draw(_ source: Int, into frame: inout Frame, columns: Range<Int>, rows: Range<Int>) {
        inputs[source % inputs.count].draw(source / inputs.count, into: &frame, columns: columns, rows: rows)
    }

    /// Passes a touch on to the input of a source.
    public func touch(_ source: Int, _ touch: Touch) {
        inputs[source % inputs.count].touch(source / inputs.count, touch)
    }
}
