import Glibc
import Instrument
import Input
import Runtime

/// The box's touch overlays, which may come and go at any time. Reports wake the loop's thread, which reads them.
/// Overlays are grabbed, so that no other program sees the fingers. A failure is reported and never stops the box.
public final class TouchOverlays: TouchSource {
    /// A selection of overlays and their settings.
    public struct Selection: Hashable, Sendable {
        /// The selected overlays, one or several.
        public var choice: InputChoice
        /// Calibration and filters.
        public var settings: OverlaySettings

        /// The overlays that `choice` selects, with `settings`.
        public init(_ choice: InputChoice, settings: OverlaySettings = OverlaySettings()) {
            self.choice = choice
            self.settings = settings
        }
    }

    /// Maximum number of overlays: a panel has one, a wall of panels a few.
    public static let countMax = 8

    /// `countMax` ports, most without a device.
    public let portCount = countMax

    let finder: InputFinder
    private let ports: [OverlayPort]
    private let clock: any LoopClock

    /// The overlays of `selections`; a device that several select belongs to the first. `clock` is the loop's; reports
    /// wake it. `screenMatrix` is the matrix of overlays without one of their own, if the panel is on a screen.
    public convenience init(
        _ selections: [Selection], screenMatrix: @escaping @Sendable () -> [Double]? = { nil }, clock: SystemClock
    ) {
        self.init(
            selections, screenMatrix: screenMatrix, folder: InputFolder.standard, InputLoop(clock), .linux)
    }

    init(
        _ selections: [Selection], screenMatrix: @escaping @Sendable () -> [Double]? = { nil }, folder: String,
        _ loop: InputLoop, _ calls: InputCalls
    ) {
        let search = InputFinder.Search(
            kind: "touch overlay", choices: selections.map(\.choice), countMax: Self.countMax,
            isWanted: { node, isNamed in isNamed ? node.hasTouch : node.isOverlay },
            prepare: { node throws(DeviceFailure) in try Self.prepare(node) })
        let finder = InputFinder(search, in: folder, loop, calls)
        self.finder = finder
        ports = (0..<Self.countMax).map { _ in
            OverlayPort(finder, selections.map(\.settings), screenMatrix: screenMatrix, loop)
        }
        clock = loop.clock
    }

    /// Looks for devices that came and went, and reads each overlay.
    public func read(into ports: inout [TouchPort]) {
        finder.look(at: clock.now)
        for (index, port) in self.ports.enumerated() { port.read(into: &ports[index]) }
    }

    /// The overlays that are present, and why a selected one is missing.
    public var status: InputStatus { finder.status }

    /// One line that says why an overlay does not work and what to do; nil while all do.
    public var problem: String? { finder.status.problem?.description }

    private static func prepare(_ node: InputNode) throws(DeviceFailure) -> String {
        let traits = try node.touchTraits()
        node.setClock()
        do throws(SystemError) {
            try node.grab()
        } catch {
            throw DeviceFailure(grabbing: node, error)
        }
        return traits.description
    }
}

extension DeviceFailure {
    fileprivate init(grabbing node: InputNode, _ error: SystemError) {
        if error.errno == EBUSY {
            self.init(
                "\(node.title) is in use by another program", fix: "stop that program; the overlay is retried")
        } else {
            self.init("\(node.title) cannot be kept from other programs (\(error))", fix: Self.replug)
        }
    }
}
