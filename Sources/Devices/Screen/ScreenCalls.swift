import CScreen
import Glibc
import InputEvents
import Panel

/// A screen that shows one of two buffers.
struct ScreenSurface: @unchecked Sendable {
    /// The library's handle; nil in a test.
    var handle: OpaquePointer?
    /// The pixels of each buffer, XRGB8888.
    var buffers: [UnsafeMutableBufferPointer<UInt32>]
    /// Pixels from one line of a buffer to the next.
    var stride: Int
}

/// The system calls on screens, one closure each so that a test can make any of them fail.
struct ScreenCalls: Sendable {
    /// The paths of the graphics cards, in the order of their numbers.
    var cards: @Sendable () -> [String]
    /// Opens a card, and becomes its master if there is none; returns a descriptor. EOPNOTSUPP for a card that has no
    /// outputs.
    var open: @Sendable (_ path: String) -> Result<Int32, SystemError>
    /// Whether a descriptor is its card's master.
    var isMaster: @Sendable (_ card: Int32) -> Bool
    /// Reads a card's connectors. With `probes` the screens are asked anew.
    var connectors: @Sendable (_ card: Int32, _ probes: Bool) -> Result<[ScreenConnector], SystemError>
    /// Shows black at a connector, in mode number `mode` of its modes.
    var start:
        @Sendable (_ card: Int32, _ connector: ScreenConnector, _ mode: Int) -> Result<ScreenSurface, SystemError>
    /// Asks for a buffer to be shown.
    var flip: @Sendable (_ surface: ScreenSurface, _ buffer: Int) -> Result<Void, SystemError>
    /// Waits until the buffer is shown; returns whether it was within `timeout`.
    var wait: @Sendable (_ surface: ScreenSurface, _ timeout: Instant.Span) -> Result<Bool, SystemError>
    /// Switches a screen off, or on.
    var blank: @Sendable (_ surface: ScreenSurface, _ isBlank: Bool) -> Result<Void, SystemError>
    /// Shows what was there before, and frees the buffers.
    var end: @Sendable (_ surface: ScreenSurface) -> Void
    /// Closes a descriptor.
    var close: @Sendable (_ descriptor: Int32) -> Void
    /// Opens a descriptor for the kernel's reports that screens have changed.
    var openChanges: @Sendable () -> Result<Int32, SystemError>
    /// Whether there was a report since the last call.
    var hasChanged: @Sendable (_ changes: Int32) -> Bool

    /// The real calls.
    static let linux = ScreenCalls(
        cards: {
            guard case .success(let names) = InputFolderCalls.linux.names(folder) else { return [] }
            return names.filter { $0.hasPrefix("card") && $0.dropFirst(4).allSatisfy(\.isNumber) }
                .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.map { "\(folder)/\($0)" }
        },
        open: { Result(returned: screen_open($0)) },
        isMaster: { screen_is_master($0) },
        connectors: { card, probes in
            var found = Array(repeating: screen_connector(), count: Int(screen_connectors_max))
            return Result(returned: screen_list(card, probes, &found, Int32(found.count))).map { count in
                found.prefix(Int(count)).map { ScreenConnector($0) }
            }
        },
        start: { card, connector, mode in
            let chosen = connector.modes[mode]
            var wanted = screen_mode(
                number: connector.modeNumbers[mode], width: UInt16(clamping: chosen.width),
                height: UInt16(clamping: chosen.height), hertz: UInt16(clamping: chosen.hertz), is_preferred: false)
            guard let handle = screen_start(card, connector.identifier, &wanted) else {
                return .failure(SystemError(errno: errno))
            }
            let stride = Int(screen_stride(handle))
            let buffers = (0..<Int32(screen_buffers)).map { number in
                UnsafeMutableBufferPointer(start: screen_pixels(handle, number), count: stride * chosen.height)
            }
            return .success(ScreenSurface(handle: handle, buffers: buffers, stride: stride))
        },
        flip: { Result(returned: screen_flip($0.handle, Int32($1))).map { _ in } },
        wait: { surface, timeout in
            Result(returned: screen_wait(surface.handle, Int32(clamping: timeout.microseconds / 1000))).map { $0 > 0 }
        },
        blank: { Result(returned: screen_blank($0.handle, $1)).map { _ in } },
        end: { screen_end($0.handle) },
        close: { _ = Glibc.close($0) },
        openChanges: { Result(returned: screen_watch()) },
        hasChanged: { screen_has_changed($0) })

    private static let folder = "/dev/dri"
}
