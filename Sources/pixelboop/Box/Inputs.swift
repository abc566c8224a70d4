import Devices
import Formats
import Instrument
import Overlay
import Runtime

/// The touch overlays and the keyboards of this machine, as the configuration selections for them.
final class Inputs {
    /// What is touched.
    var touch: [any TouchSource] { overlays?.sources ?? [] }
    /// What is typed on.
    var keys: [any ControlSource] { keyboards.map { [$0] } ?? [] }

    private let overlays: TouchOverlays?
    private let keyboards: Keyboards?
    private var overlayWatch = InputWatch("touch")
    private var keyboardWatch = InputWatch("keyboard")

    /// The overlays that `configuration` selections for, for a command that takes no keys.
    convenience init(_ configuration: Configuration, clock: SystemClock) {
        self.init(configuration, clock: clock, hasKeys: false) { _ in true }
    }

    /// What belongs to a box whose panel is of `kind`. One with a simulated panel is touched and typed on there: the
    /// screen and the keyboard of the machine are somebody else's, unless the configuration names them.
    convenience init(_ configuration: Configuration, beside kind: View.Kind, clock: SystemClock) {
        self.init(configuration, clock: clock, hasKeys: true) { device in
            if case .named = device { return true }
            return !kind.isSimulated
        }
    }

    private init(
        _ configuration: Configuration, clock: SystemClock, hasKeys: Bool,
        isMeant: (Configuration.InputDevice) -> Bool
    ) {
        let selections = configuration.touch.overlays.filter { isMeant($0.device) }.compactMap { overlay in
            InputChoice(overlay.device).map { TouchOverlays.Selection($0, settings: overlay.settings) }
        }
        overlays = selections.isEmpty ? nil : TouchOverlays(selections, clock: clock)
        let choice = hasKeys && isMeant(configuration.keyboard) ? InputChoice(configuration.keyboard) : nil
        keyboards = choice.map { Keyboards($0, clock: clock) }
    }

    /// Tells what came, what went, and what is wrong.
    func report(at now: Instant) {
        if let overlays { for line in overlayWatch.lines(overlays.status, at: now) { Main.tell(line) } }
        guard var status = keyboards?.status else { return }
        // What keeps both away, such as permission, is told once.
        if status.problem == overlays?.status.problem { status.problem = nil }
        for line in keyboardWatch.lines(status, at: now) { Main.tell(line) }
    }

    /// What stands in the way of something that is wished for; nil while all is well.
    var problem: String? { overlays?.problem ?? keyboards?.problem }

    /// Whether no overlay is there, and nothing is known to stand in the way of one.
    var isEmpty: Bool { overlays.map { $0.status.present.isEmpty && $0.problem == nil } ?? true }
}

extension InputChoice {
    /// What the configuration means; nil for no device.
    init?(_ device: Configuration.InputDevice) {
        switch device {
        case .any: self = .any
        case .none: return nil
        case .named(let name): self = .named(name)
        }
    }
}
