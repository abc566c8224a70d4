import InputEvents
import Devices
import Formats
import Instrument
import Input
import Runtime

/// The touch overlays and keyboards that the configuration selects.
final class Inputs {
    /// The touch overlays; empty for none.
    var touch: [any TouchSource] { overlays.map { [$0] } ?? [] }
    /// The keyboards; empty for none.
    var keys: [any ControlSource] { keyboards.map { [$0] } ?? [] }

    private let overlays: TouchOverlays?
    private let keyboards: Keyboards?
    private var overlayWatch = InputWatch("touch")
    private var keyboardWatch = InputWatch("keyboard")

    /// The overlays that `configuration` selects, over the panel of `view`, for a command that takes no keys.
    convenience init(_ configuration: Configuration, over view: PanelView, clock: SystemClock) {
        self.init(configuration, view, clock: clock, hasKeys: false) { _ in true }
    }

    /// The inputs of a box with `view`. A simulated panel has its own touch and keys, so the machine's screen and
    /// keyboard are used only if the configuration names them.
    convenience init(_ configuration: Configuration, beside view: PanelView, clock: SystemClock) {
        self.init(configuration, view, clock: clock, hasKeys: true) { device in
            if case .named = device { return true }
            return !view.kind.isSimulated
        }
    }

    private init(
        _ configuration: Configuration, _ view: PanelView, clock: SystemClock, hasKeys: Bool,
        isMeant: (Configuration.InputDevice) -> Bool
    ) {
        let selections = configuration.touch.overlays.filter { isMeant($0.device) }.compactMap { overlay in
            InputChoice(overlay.device).map { TouchOverlays.Selection($0, settings: overlay.settings) }
        }
        let screen = view.screen
        overlays =
            selections.isEmpty
            ? nil : TouchOverlays(selections, screenMatrix: { screen?.touchMatrix }, clock: clock)
        let choice = hasKeys && isMeant(configuration.keyboard) ? InputChoice(configuration.keyboard) : nil
        keyboards = choice.map { Keyboards($0, clock: clock) }
    }

    /// Logs devices that came and went, and problems.
    func report(at now: Instant) {
        if let overlays { for line in overlayWatch.lines(overlays.status, at: now) { Log.post(line) } }
        guard var status = keyboards?.status else { return }
        // A problem that both share, such as a missing permission, is logged once.
        if status.problem == overlays?.status.problem { status.problem = nil }
        for line in keyboardWatch.lines(status, at: now) { Log.post(line) }
    }

    /// Why a selected device is missing; nil while none is.
    var problem: String? { overlays?.problem ?? keyboards?.problem }

    /// Whether there is no overlay and no known problem with one.
    var isEmpty: Bool { overlays.map { $0.status.present.isEmpty && $0.problem == nil } ?? true }
}

extension InputChoice {
    /// The choice for a setting of the configuration; nil for no device.
    package init?(_ device: Configuration.InputDevice) {
        switch device {
        case .any: self = .any
        case .none: return nil
        case .named(let name): self = .named(name)
        }
    }
}
