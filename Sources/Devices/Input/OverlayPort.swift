import InputEvents
import Instrument
import Input
import Runtime

/// Reads one overlay at a time: the next one takes its place when it is unplugged.
final class OverlayPort {
    private var device: TouchDevice?
    private let finder: InputFinder
    private let settings: [OverlaySettings]
    private let screenMatrix: @Sendable () -> [Double]?
    private let loop: InputLoop
    private var find: InputFinder.Find?
    private var state = OverlayState()
    private var nextCheck = Instant.zero

    /// Maximum reports per pass, so that a stuck device cannot block the loop.
    private static let readingsMax = 1024
    /// Interval at which the device's state is read while fingers are down, so that a lost report cannot leave a finger
    /// down.
    private static let checkInterval = Instant.Span.milliseconds(1000)

    /// A port for an overlay that `finder` finds, with the settings of its choice; without a matrix in these, with that
    /// of the screen, if there is one.
    init(
        _ finder: InputFinder, _ settings: [OverlaySettings], screenMatrix: @escaping @Sendable () -> [Double]?,
        _ loop: InputLoop
    ) {
        self.finder = finder
        self.settings = settings
        self.screenMatrix = screenMatrix
        self.loop = loop
    }

    deinit {
        if let find { loop.forget(find.node.descriptor) }
    }

    /// Reads the device, its reports and, where it is needed, its state.
    func read(into port: inout TouchPort) {
        let now = loop.clock.now
        if let find { read(find, at: now, into: &port) } else { attach(into: &port) }
        port.device = device
    }

    private func read(_ find: InputFinder.Find, at now: Instant, into port: inout TouchPort) {
        if find.isWithdrawn { return lose(find) }
        // The screen has another mode: a new device begins without fingers, so its state is read.
        let settings = settings(of: find)
        guard settings == device?.settings else {
            device?.settings = settings
            state = OverlayState()
            return synchronise(find, .opened, into: &port)
        }
        let node = find.node
        let end = node.read(Self.readingsMax, at: now) { report in
            state.note(report)
            port.reports.append(report)
        }
        switch end {
        case .drained where node.isInDoubt || now >= nextCheck && state.isTouched(node):
            synchronise(find, .inDoubt, into: &port)
        case .drained: break
        // Reports in libevdev's buffer do not end the loop's wait.
        case .bound: loop.clock.wake()
        case .loss: synchronise(find, .reportsLost, into: &port)
        case .failure: lose(find)
        }
    }

    private func attach(into port: inout TouchPort) {
        guard let next = finder.next() else { return }
        guard let traits = try? next.node.touchTraits() else { return finder.lose(next) }
        find = next
        loop.watch(next.node.descriptor)
        device = TouchDevice(axes: traits.axes, settings: settings(of: next), attachment: next.number)
        state = OverlayState()
        synchronise(next, .opened, into: &port)
    }

    private func settings(of find: InputFinder.Find) -> OverlaySettings {
        var settings = settings[find.choice]
        if settings.matrix == OverlaySettings.identity, let matrix = screenMatrix() { settings.matrix = matrix }
        return settings
    }

    /// Reads the device's state.
    private func synchronise(_ find: InputFinder.Find, _ reason: OverlayState.Reason, into port: inout TouchPort) {
        guard (try? find.node.synchronise()) != nil else { return lose(find) }
        let now = loop.clock.now
        nextCheck = now + Self.checkInterval
        port.snapshot = state.snapshot(of: find.node, reason).map { ($0, now) }
    }

    /// Removes the device, and with it its fingers. When a device is unplugged the kernel lifts them first (Linux 6.1).
    private func lose(_ find: InputFinder.Find) {
        loop.forget(find.node.descriptor)
        finder.lose(find)
        self.find = nil
        device = nil
    }
}
