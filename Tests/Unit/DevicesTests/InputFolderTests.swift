import Glibc
import Testing

@testable import Devices

@Suite("Calls on the folder of the input devices that fail")
struct InputFolderTests {
    /// A call that fails, and the time in milliseconds at which a device plugged in at 1 is found. The box makes a pass
    /// every millisecond, and searches the folder every second while a device is missing.
    struct Fault: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var found: Int64
        var calls: InputFolderCalls

        init(_ name: String, _ errors: [Int32?], found: Int64, _ fail: (inout InputFolderCalls, Faults) -> Void) {
            testDescription = name
            self.found = found
            calls = .linux
            fail(&calls, Faults(errors))
        }
    }

    private static func failOpening(_ calls: inout InputFolderCalls, _ faults: Faults) {
        calls.openChanges = { faults.result { InputFolderCalls.linux.openChanges() } }
    }

    private static func failWatching(_ calls: inout InputFolderCalls, _ faults: Faults) {
        calls.watch = { changes, path in faults.result { InputFolderCalls.linux.watch(changes, path) } }
    }

    private static func failReading(_ calls: inout InputFolderCalls, _ faults: Faults) {
        calls.read = { changes, buffer in faults.result { InputFolderCalls.linux.read(changes, buffer) } }
    }

    private static func failListing(_ calls: inout InputFolderCalls, _ faults: Faults) {
        calls.names = { path in faults.result { InputFolderCalls.linux.names(path) } }
    }

    static let faults = [
        Fault("none", [], found: 2, failOpening),
        Fault("no descriptor left (EMFILE)", [EMFILE], found: 1000, failOpening),
        Fault("no watch left (ENOSPC)", [ENOSPC, ENOSPC], found: 1000, failWatching),
        Fault("a folder that comes later (ENOENT)", [ENOENT], found: 2, failWatching),
        Fault("a signal while reading (EINTR)", [nil, EINTR], found: 3, failReading),
        Fault("nothing to read yet (EAGAIN)", [nil, EAGAIN, EAGAIN], found: 4, failReading),
        Fault("a folder that may not be listed (EACCES)", [nil, EACCES], found: 1002, failListing),
        Fault("a folder that is gone (ENODEV)", [ENODEV, ENODEV], found: 1002, failListing),
    ]

    @Test("delay a device by a second at most", arguments: faults)
    func delay(_ fault: Fault) {
        let rig = OverlayBench([.init(.any)], fault.calls)
        rig.read(at: 0)
        rig.bench.plug(0, .overlay())
        var found: Int64?
        for milliseconds in 2...1100 as ClosedRange<Int64> where found == nil {
            rig.read(at: milliseconds)
            if rig.devices[0] != nil { found = milliseconds }
        }
        #expect(found == fault.found)
    }

    @Test("a watch that succeeds at last reports the next device at once")
    func watchedLater() {
        var calls = InputFolderCalls.linux
        Self.failWatching(&calls, Faults([ENOSPC, ENOSPC]))
        let rig = OverlayBench([.init(.any), .init(.any)], calls)
        rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        rig.read(at: 1000)
        rig.bench.plug(1, .overlay())
        rig.read(at: 1001)
        #expect(rig.devices[1] != nil)
    }

    @Test("a short read is no change, and nothing beyond it is taken")
    func shortRead() {
        var calls = InputFolderCalls.linux
        calls.read = { changes, buffer in
            InputFolderCalls.linux.read(changes, buffer).map { min($0, 7) }
        }
        let rig = OverlayBench([.init(.any)], calls)
        rig.read(at: 0)
        rig.bench.plug(0, .overlay())
        rig.read(at: 2)
        #expect(rig.devices[0] == nil)
        rig.read(at: 1000)
        #expect(rig.devices[0] != nil)
    }

    @Test("a path that does not resolve selects no device", arguments: [ENOENT, EACCES, ELOOP])
    func unresolved(errno: Int32) {
        var calls = InputFolderCalls.linux
        calls.target = { _ in .failure(SystemError(errno: errno)) }
        let rig = OverlayBench([.init(.named("/dev/input/by-id/overlay"))], calls)
        rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        #expect(rig.devices[0] == nil)
        #expect(rig.overlays.problem?.contains("there is no touch overlay /dev/input/by-id/overlay") == .some(true))
    }
}
