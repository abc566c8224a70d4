import Glibc
import InputEvents
import Panel

/// A screen that shows the panel, from its first picture until it fails.
struct ScreenLink {
    /// The screen.
    let fit: ScreenFit
    /// Whether the screen is switched off.
    private(set) var isBlank = false

    private let card: Int32
    private let surface: ScreenSurface
    private let calls: ScreenCalls
    private var painter: ScreenPainter
    /// The buffer that is shown.
    private var front = 0
    /// The picture that is shown; empty before the first.
    private var shown: [UInt8] = []

    /// Time in which a screen shows a picture: at 24 Hz a twentieth of it.
    private static let flipMax = Instant.Span.milliseconds(1000)

    /// Starts to show on the screen that was found. Closes its card if that fails.
    init(_ find: ScreenFinder.Find, _ calls: ScreenCalls) throws(SystemError) {
        (fit, card, self.calls) = (find.fit, find.card, calls)
        switch calls.start(find.card, find.fit.connector, find.fit.modeIndex) {
        case .success(let surface): self.surface = surface
        case .failure(let error):
            calls.close(find.card)
            throw error
        }
        painter = ScreenPainter(find.fit.layout, buffers: surface.buffers.count)
    }

    /// Shows `picture`, three bytes per LED, and returns once it is on the screen; at once if it is there already. A
    /// screen that is off shows nothing before two LEDs change: one pulses while the box rests. Returns the number of
    /// LEDs that have changed, at most 2.
    mutating func show(_ picture: [UInt8]) throws(SystemError) -> Int {
        let changes = changes(to: picture)
        if changes == 0 || isBlank && changes == 1 { return 0 }
        if isBlank { try blank(false) }
        let back = (front + 1) % surface.buffers.count
        _ = painter.draw(picture, on: surface.buffers[back], stride: surface.stride, buffer: back)
        try calls.flip(surface, back).get()
        guard try calls.wait(surface, Self.flipMax).get() else { throw SystemError(errno: ETIMEDOUT) }
        front = back
        shown.removeAll(keepingCapacity: true)
        shown.append(contentsOf: picture)
        return changes
    }

    /// The number of LEDs in which `picture` differs from the one that is shown, at most 2.
    private func changes(to picture: [UInt8]) -> Int {
        guard shown.count == picture.count else { return 2 }
        guard shown != picture else { return 0 }
        let first = picture.indices.first { picture[$0] != shown[$0] } ?? 0
        let next = first / 3 * 3 + 3
        return picture[next...] == shown[next...] ? 1 : 2
    }

    /// Switches the screen off, or on. A screen that cannot be switched stays on.
    mutating func blank(_ isBlank: Bool) throws(SystemError) {
        switch calls.blank(surface, isBlank) {
        case .success: self.isBlank = isBlank
        case .failure(let error) where error.errno == ENOTSUP: return
        case .failure(let error): throw error
        }
    }

    /// Whether the screen is still there, in the same mode. With `probes` it is asked anew.
    func isPresent(probes: Bool) throws(SystemError) -> Bool {
        let now = try calls.connectors(card, probes).get().first { $0.identifier == fit.connector.identifier }
        guard let now, now.isConnected else { return false }
        return ScreenMode.best(of: now.modes).map { now.modes[$0] } == fit.mode
    }

    /// Shows what was on the screen before.
    func end() {
        if isBlank { _ = calls.blank(surface, false) }
        calls.end(surface)
        calls.close(card)
    }
}
