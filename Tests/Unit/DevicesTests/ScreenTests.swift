import Glibc
import InputEvents
import ManualTime
import Panel
import Synchronization
import TestTags
import Testing

@testable import Devices

/// A graphics card whose connectors and failures a test sets.
private final class FakeCard: Sendable {
    struct State: Sendable {
        var connectors: [ScreenConnector]
        var path: String? = "/dev/dri/card0"
        var isMaster = true
        /// Errors of the next calls, by their names; 0 for success.
        var failures: [String: [Int32]] = [:]
        /// Whether a flip ends.
        var flips = true
        var hasChanged = false
        /// The calls, but for readings.
        var log: [String] = []
        var probes: [Bool] = []
        /// The buffer that is shown.
        var front: Int?
        var isOpen = 0
    }

    let state: Mutex<State>
    private let buffers: [Buffer]

    private struct Buffer: @unchecked Sendable {
        let pixels: UnsafeMutableBufferPointer<UInt32>
    }

    static let width = 360
    static let height = 200
    static let stride = 364
    static let mode = ScreenMode(width: width, height: height, hertz: 60, isPreferred: true)

    init(_ connectors: [ScreenConnector]) {
        state = Mutex(State(connectors: connectors))
        buffers = (0..<2).map { _ in
            let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: Self.stride * 400)
            pixels.initialize(repeating: 0)
            return Buffer(pixels: pixels)
        }
    }

    deinit { for buffer in buffers { buffer.pixels.deallocate() } }

    convenience init(millimetres: (Int, Int) = (154, 86)) {
        self.init([
            ScreenConnector("DP-1", identifier: 7, isConnected: false, modes: []),
            ScreenConnector("HDMI-A-1", identifier: 9, isConnected: true, modes: [Self.mode], millimetres: millimetres),
        ])
    }

    private func result(_ call: String, _ log: String? = nil) -> Result<Void, SystemError> {
        state.withLock { state in
            if let log { state.log.append(log) }
            guard var failures = state.failures[call], !failures.isEmpty else { return .success(()) }
            let errno = failures.removeFirst()
            state.failures[call] = failures
            return errno == 0 ? .success(()) : .failure(SystemError(errno: errno))
        }
    }

    func fail(_ call: String, _ errors: Int32...) { state.withLock { $0.failures[call] = errors } }

    /// The middle pixel of the LED at `column`, `row` on the buffer that is shown; nil if nothing is.
    func pixel(_ column: Int, _ row: Int) -> UInt32? {
        guard let front = state.withLock({ $0.front }),
            let layout = ScreenLayout(width: Self.width, height: Self.height, columns: 44)
        else { return nil }
        let corner = layout.corner(column: column, row: row)
        return buffers[front].pixels[(corner.y + 4) * Self.stride + corner.x + 4]
    }

    var log: [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    var calls: ScreenCalls {
        ScreenCalls(
            cards: { [self] in state.withLock { $0.path.map { [$0] } ?? [] } },
            open: { [self] path in
                result("open").map {
                    state.withLock { $0.isOpen += 1 }
                    return 5
                }
            },
            isMaster: { [self] _ in state.withLock { $0.isMaster } },
            connectors: { [self] _, probes in
                result("connectors").map {
                    state.withLock {
                        $0.probes.append(probes)
                        return $0.connectors
                    }
                }
            },
            start: { [self] _, connector, mode in
                result("start", "start \(connector.name) \(connector.modes[mode])").map {
                    for buffer in buffers { buffer.pixels.update(repeating: 0) }
                    return ScreenSurface(buffers: buffers.map(\.pixels), stride: Self.stride)
                }
            },
            flip: { [self] _, buffer in
                result("flip", "flip \(buffer)").map { state.withLock { $0.front = $0.flips ? buffer : $0.front } }
            },
            wait: { [self] _, _ in result("wait").map { state.withLock { $0.flips } } },
            blank: { [self] _, isBlank in result("blank", isBlank ? "off" : "on") },
            end: { [self] _ in
                state.withLock {
                    $0.log.append("end")
                    $0.front = nil
                }
            },
            close: { [self] descriptor in if descriptor == 5 { state.withLock { $0.isOpen -= 1 } } },
            openChanges: { .success(6) },
            hasChanged: { [self] _ in
                state.withLock { state in
                    defer { state.hasChanged = false }
                    return state.hasChanged
                }
            })
    }
}

@Suite("The panel on a screen", .tags(.live))
struct ScreenPanelTests {
    private let time = ManualTime()
    private let second = Instant.Span.milliseconds(1000)

    private func panel(_ card: FakeCard, _ settings: PanelConfiguration.Screen = .init()) throws -> ScreenPanel {
        try #require(ScreenPanel(settings, columns: 44, clock: time, changes: time, calls: card.calls))
    }

    private func picture(_ column: Int, _ row: Int, _ value: UInt8 = 255) -> [UInt8] {
        var picture = [UInt8](repeating: 0, count: 3 * 44 * 24)
        for channel in 0..<3 { picture[3 * (row * 44 + column) + channel] = value }
        return picture
    }

    @Test("each new picture is shown on the other buffer, and an equal one not again")
    func pictures() throws {
        let card = FakeCard()
        let panel = try panel(card)
        defer { panel.stop() }
        try time.pass()
        #expect(card.log == ["start HDMI-A-1 360 × 200 at 60 Hz", "flip 1"])
        #expect(card.pixel(3, 4) == 0)
        panel.show(picture(3, 4))
        try time.pass()
        #expect(card.log == ["flip 0"])
        #expect(card.pixel(3, 4) == 0xfcfcfc)
        panel.show(picture(3, 4))
        try time.pass(second)
        #expect(card.log == [])
        panel.show(picture(5, 4))
        try time.pass()
        #expect(card.log == ["flip 1"])
        #expect(card.pixel(3, 4) == 0)
        #expect(card.pixel(5, 4) == 0xfcfcfc)
        #expect(panel.status.pictures == 3)
        #expect(panel.status.problem == nil)
        #expect(panel.status.fit?.description == "HDMI-A-1, 360 × 200 at 60 Hz, LEDs of 8 pixels, 3.4 mm")
        panel.show([1, 2, 3])
        try time.pass(second)
        #expect(card.log == [])
    }

    @Test("the end restores what was on the screen, and closes the card")
    func end() throws {
        let card = FakeCard()
        let panel = try panel(card)
        try time.pass()
        _ = card.log
        panel.stop()
        #expect(card.log == ["end"])
        #expect(card.state.withLock { $0.isOpen } == 0)
    }

    private static let absences:
        [(prepare: @Sendable (inout FakeCard.State) -> Void, connector: String?, says: String)] = [
            ({ $0.path = nil }, nil, "no graphics card"),
            ({ $0.failures["open"] = [EOPNOTSUPP, EOPNOTSUPP] }, nil, "no graphics card"),
            ({ $0.failures["open"] = [EACCES, EACCES] }, nil, "group video"),
            ({ $0.failures["open"] = [EIO, EIO] }, nil, "/dev/dri/card0 does not open"),
            ({ $0.isMaster = false }, nil, "HDMI-A-1 is used by another program"),
            ({ $0.connectors.removeLast() }, nil, "no screen is connected: connect one"),
            ({ _ in }, "DP-1", "no screen is connected to DP-1"),
            ({ _ in }, "DSI-1", "there is no connector DSI-1: name one of DP-1, HDMI-A-1"),
            ({ $0.connectors[1].modes[0].width = 160 }, nil, "HDMI-A-1 has 160 × 200 pixels, too few for 44 columns"),
            ({ $0.connectors[1].modes = [] }, nil, "HDMI-A-1 has no mode"),
            ({ $0.failures["connectors"] = [EIO, EIO] }, nil, "does not list its screens"),
            ({ $0.failures["start"] = [EBUSY, EBUSY] }, nil, "HDMI-A-1 failed (Device or resource busy)"),
        ]

    @Test("without a screen it says why, looks again every second, and shows the newest picture", arguments: 0..<12)
    func absent(number: Int) throws {
        let (prepare, connector, says) = Self.absences[number]
        let card = FakeCard()
        card.state.withLock { prepare(&$0) }
        var settings = PanelConfiguration.Screen()
        settings.connector = connector
        let panel = try panel(card, settings)
        defer { panel.stop() }
        for step in 0..<10 {
            panel.show(picture(1, 1, UInt8(step)))
            try time.pass(.milliseconds(100))
            #expect(panel.status.problem?.contains(says) == .some(true), "\(panel.status)")
        }
        #expect(card.pixel(1, 1) == nil)
        #expect(card.state.withLock { $0.isOpen } == 0)
        card.state.withLock { state in
            state.path = "/dev/dri/card0"
            state.failures = [:]
            state.isMaster = true
            state.connectors = ["DP-1", "DSI-1", "HDMI-A-1"].enumerated().map { number, name in
                ScreenConnector(name, identifier: UInt32(7 + number), isConnected: true, modes: [FakeCard.mode])
            }
        }
        try time.pass(.milliseconds(1100))
        #expect(panel.status.problem == nil)
        #expect(panel.status.fit?.connector.name == connector ?? "DP-1")
        #expect(card.pixel(1, 1) == 0x08_0808)
    }

    @Test("an unplugged screen is let go, and shown on again when it is back")
    func unplugged() throws {
        let card = FakeCard()
        let panel = try panel(card)
        defer { panel.stop() }
        panel.show(picture(2, 2))
        try time.pass()
        _ = card.log
        let screen = card.state.withLock { $0.connectors[1] }
        card.state.withLock { $0.connectors[1].isConnected = false }
        try time.pass(second)
        #expect(card.log == ["end"])
        #expect(panel.status.problem == "no screen is connected: connect one")
        #expect(panel.touchMatrix != nil)
        card.state.withLock { $0.connectors[1] = screen }
        try time.pass(second)
        #expect(card.log == ["start HDMI-A-1 360 × 200 at 60 Hz", "flip 1"])
        #expect(card.pixel(2, 2) == 0xfcfcfc)
        #expect(panel.status.problem == nil)
    }

    @Test("a screen with another preferred mode is shown on in that")
    func mode() throws {
        let card = FakeCard()
        let panel = try panel(card)
        defer { panel.stop() }
        try time.pass()
        _ = card.log
        let matrix = panel.touchMatrix
        card.state.withLock { state in
            state.hasChanged = true
            state.connectors[1].modes = [ScreenMode(width: 360, height: 240, hertz: 50)]
        }
        try time.pass(second)
        #expect(card.log == ["end", "start HDMI-A-1 360 × 240 at 50 Hz", "flip 1"])
        #expect(panel.touchMatrix != matrix)
        // Screens are asked anew after a report of the kernel, and when one is looked for.
        #expect(card.state.withLock { $0.probes } == [true, true, true])
        try time.pass(second)
        #expect(card.state.withLock { $0.probes.last } == false)
    }

    static let failures: [(call: String, errno: Int32, says: String)] = [
        ("flip", EACCES, "HDMI-A-1 was taken by another program"), ("flip", ENODEV, "HDMI-A-1 failed (No such device)"),
        ("wait", ENODEV, "HDMI-A-1 failed (No such device)"), ("wait", EIO, "HDMI-A-1 failed (Input/output error)"),
    ]

    @Test("a failure is told, and the screen is started anew a second later", arguments: failures)
    func failing(failure: (call: String, errno: Int32, says: String)) throws {
        let card = FakeCard()
        let panel = try panel(card)
        defer { panel.stop() }
        try time.pass()
        _ = card.log
        card.fail(failure.call, failure.errno)
        for step in 1..<10 {
            panel.show(picture(1, 1, UInt8(step)))
            try time.pass(.milliseconds(100))
            #expect(panel.status.problem?.contains(failure.says) == .some(true), "\(panel.status)")
        }
        #expect(card.log == ["flip 0", "end"])
        try time.pass(.milliseconds(200))
        #expect(card.log == ["start HDMI-A-1 360 × 200 at 60 Hz", "flip 1"])
        #expect(card.pixel(1, 1) == 0x08_0808)
        #expect(panel.status.problem == nil)
    }

    @Test("a flip that does not end is a failure")
    func stuck() throws {
        let card = FakeCard()
        let panel = try panel(card)
        defer { panel.stop() }
        try time.pass()
        card.state.withLock { $0.flips = false }
        panel.show(picture(1, 1))
        try time.pass()
        #expect(panel.status.problem?.contains("HDMI-A-1 failed (Connection timed out)") == .some(true))
    }

    @Test("the screen is switched off when the picture has stood still, and on by the next one")
    func idle() throws {
        let card = FakeCard()
        var settings = PanelConfiguration.Screen()
        settings.blankMinutes = 1
        let panel = try panel(card, settings)
        defer { panel.stop() }
        panel.show(picture(1, 1))
        try time.pass(.milliseconds(59_000))
        #expect(card.log.contains("off") == false)
        // The same picture is no change, and one LED pulses while the box rests.
        panel.show(picture(1, 1))
        try time.pass(.milliseconds(500))
        panel.show(picture(1, 1, 200))
        try time.pass(.milliseconds(2500))
        #expect(card.log.filter { !$0.hasPrefix("flip") } == ["off"])
        for value in 0..<10 {
            panel.show(picture(1, 1, UInt8(value)))
            try time.pass(.milliseconds(2000))
        }
        #expect(card.log == [])
        panel.show(picture(2, 1))
        try time.pass()
        #expect(card.log.first == "on")
        #expect(card.pixel(2, 1) == 0xfcfcfc)
        try time.pass(.milliseconds(50_000))
        #expect(card.log == [])
    }

    @Test("a screen that cannot be switched off stays on")
    func unswitchable() throws {
        let card = FakeCard()
        var settings = PanelConfiguration.Screen()
        settings.blankMinutes = 1
        let panel = try panel(card, settings)
        defer { panel.stop() }
        try time.pass()
        card.fail("blank", ENOTSUP)
        try time.pass(.milliseconds(60_000))
        #expect(panel.status.problem == nil)
        panel.show(picture(2, 1))
        try time.pass()
        #expect(card.pixel(2, 1) == 0xfcfcfc)
    }

    @Test("a mounted screen's rotation is added to the configured one")
    func mounting() throws {
        let card = FakeCard([
            ScreenConnector(
                "DSI-1", identifier: 1, isConnected: true, modes: [FakeCard.mode], mounting: .half)
        ])
        var settings = PanelConfiguration.Screen()
        settings.rotation = .threeQuarters
        let panel = try panel(card, settings)
        defer { panel.stop() }
        try time.pass()
        #expect(panel.status.fit?.layout.rotation == .quarter)
        #expect(panel.status.fit?.ledMillimetres == nil)
        #expect(panel.touchMatrix == panel.status.fit?.layout.touchMatrix)
    }
}
