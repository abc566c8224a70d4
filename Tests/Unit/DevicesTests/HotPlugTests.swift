import InputEvents
import CSystem
import EvdevKernel
import Foundation
import Instrument
import Input
import Testing

@testable import Devices

@Suite("Overlays that come, go and fail")
struct HotPlugTests {
    @Test("unplugging cancels every finger; a plugged-in overlay works at once")
    func replug() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4) + finger(1, 6, 8, 9), at: 1000)
        rig.read(at: 1)
        #expect(rig.bench.watched.count == 2, "the folder and the overlay")
        let attachment = rig.devices[0]?.attachment ?? 0
        rig.bench.unplug(0)
        #expect(rig.read(at: 2).map(\.touch.phase) == [.cancel, .cancel])
        #expect(rig.devices[0] == nil)
        #expect(rig.bench.watched.count == 1)
        #expect(evdev_kernel_opened(device) == 0)
        rig.read(at: 3)
        let again = rig.bench.plug(0, .overlay())
        rig.read(at: 4)
        #expect(rig.devices[0]?.attachment ?? 0 > attachment)
        report(again, finger(0, 5, 3, 4), at: 5000)
        rig.read(at: 5)
        #expect(rig.down == [[300, 400]])
        #expect(rig.bench.opened.count == 2)
    }

    @Test("unplugged and plugged in between two passes")
    func quick() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 1000)
        rig.read(at: 1)
        rig.bench.unplug(0)
        let again = rig.bench.plug(0, .overlay())
        report(again, finger(2, 7, 9, 9) + [.key(InputCode.touch, 1)], at: 1500)
        for milliseconds in 2..<5 as Range<Int64> { rig.read(at: milliseconds) }
        #expect(rig.phases == [.down, .cancel, .down])
        #expect(rig.down == [[900, 900]], "a finger that was down before it was found lands")
    }

    @Test("several overlays at once: contacts are separate, and unplugging one leaves the others'")
    func several() {
        let rig = OverlayBench()
        let devices = (0..<3).map { rig.bench.plug($0, .overlay("Overlay \($0)")) }
        rig.read(at: 0)
        for (number, device) in devices.enumerated() {
            report(device, finger(0, 5, Int32(number), 4) + finger(1, 6, Int32(number), 9), at: 1000)
        }
        rig.read(at: 1)
        #expect(rig.down == [[0, 400], [0, 900], [100, 400], [100, 900], [200, 400], [200, 900]])
        rig.bench.unplug(1)
        rig.read(at: 2)
        #expect(rig.down == [[0, 400], [0, 900], [200, 400], [200, 900]])
        for device in [devices[0], devices[2]] { report(device, lift(0) + lift(1), at: 3000) }
        rig.read(at: 3)
        #expect(rig.down == [])
    }

    @Test("excess overlays wait until one is unplugged")
    func many() {
        let rig = OverlayBench()
        for number in 0...TouchOverlays.countMax { rig.bench.plug(number, .overlay("Overlay \(number)")) }
        rig.read(at: 0)
        #expect(rig.devices.count == TouchOverlays.countMax)
        #expect(rig.devices.allSatisfy { $0 != nil })
        #expect(rig.overlays.problem?.contains("one more than the 8 that can be served") == .some(true))
        rig.bench.unplug(3)
        for milliseconds in 1..<4 as Range<Int64> { rig.read(at: milliseconds) }
        #expect(rig.devices.allSatisfy { $0 != nil })
        #expect(rig.overlays.problem == nil)
    }

    @Test("an overlay grabbed by another program is requested once a second, and used when it is free")
    func grabbed() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        evdev_kernel_hold(device, true)
        for milliseconds in stride(from: Int64(0), to: 2000, by: 10) { rig.read(at: milliseconds) }
        #expect(rig.bench.opened.count == 2)
        #expect(evdev_kernel_opened(device) == 0)
        #expect(
            rig.overlays.problem == "Overlay (\(rig.bench.path(0))) is in use by another program: "
                + "stop that program; the overlay is retried")
        evdev_kernel_hold(device, false)
        rig.read(at: 2000)
        #expect(rig.overlays.problem == nil)
        #expect(evdev_kernel_is_grabbed(device))
    }

    @Test("an overlay without read permission is reported once udev has had its time, and used once permitted")
    func permission() {
        let rig = OverlayBench()
        rig.bench.plug(0, .overlay(), errno: EACCES)
        for milliseconds in [0, 1000, 2000] as [Int64] { rig.read(at: milliseconds) }
        #expect(rig.overlays.problem == nil)
        rig.read(at: 3000)
        #expect(
            rig.overlays.problem == "\(rig.bench.path(0)) may not be read (Permission denied): "
                + "add the user to the group input (sudo usermod -aG input USER) and log in again")
        rig.bench.permit(0)
        rig.read(at: 3001)
        #expect(rig.overlays.problem == nil)
        #expect(rig.devices[0] != nil)
    }

    @Test("unreadable devices beside a usable overlay are not a problem")
    func beside() {
        let rig = OverlayBench()
        rig.bench.plug(0, .keyboard, errno: EACCES)
        rig.bench.plug(1, .overlay())
        for milliseconds in [0, 1000, 2000] as [Int64] { rig.read(at: milliseconds) }
        #expect(rig.overlays.problem == nil)
        #expect(rig.bench.opened.count == 2)
    }

    @Test("other devices are opened once, and again if they are plugged in again")
    func once() {
        let rig = OverlayBench([.init(.named("Overlay"))])
        rig.bench.plug(0, .keyboard)
        for milliseconds in stride(from: Int64(0), to: 10_000, by: 100) { rig.read(at: milliseconds) }
        #expect(rig.bench.opened.count == 1)
        rig.bench.permit(0)
        rig.read(at: 10_000)
        #expect(rig.bench.opened.count == 1)
        rig.bench.unplug(0)
        rig.bench.plug(0, .overlay())
        rig.read(at: 10_001)
        #expect(rig.bench.opened.count == 2)
        #expect(rig.devices[0] != nil)
    }

    @Test(
        "every watched descriptor is read, and without a selection nothing is opened", arguments: [0, 1])
    func unread(selections: Int) {
        let rig = OverlayBench(Array(repeating: .init(.any), count: selections))
        rig.bench.plug(0, .keyboard)
        let device = rig.bench.plug(1, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4), at: 500)
        rig.bench.plug(2, .keyboard)
        rig.read(at: 1)
        #expect(rig.bench.watched.count == 1 + selections)
        #expect(rig.bench.watched.allSatisfy { system_wait_readable($0, 0) == 0 })
        #expect(rig.bench.opened.count == 3 * selections)
        rig.bench.unplug(1)
        rig.read(at: 2)
        #expect(rig.bench.watched.allSatisfy { system_wait_readable($0, 0) == 0 })
    }

    @Test("a folder that does not exist yet, or disappears and returns")
    func folder() throws {
        let rig = OverlayBench()
        let folder = rig.bench.folder
        try FileManager.default.removeItem(atPath: folder)
        rig.read(at: 0)
        rig.read(at: 1000)
        for round in 1...3 as ClosedRange<Int64> {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            rig.bench.plug(0, .overlay())
            for part in 0...4 as ClosedRange<Int64> { rig.read(at: 10_000 * round + 250 * part) }
            #expect(rig.devices[0] != nil)
            rig.bench.unplug(0)
            rig.read(at: 10_000 * round + 2000)
            try FileManager.default.removeItem(atPath: folder)
            rig.read(at: 10_000 * round + 3000)
            #expect(rig.devices[0] == nil)
        }
    }

    static let failures: [(result: Int32, isLost: Bool)] = [
        (-EINTR, false), (-EAGAIN, false), (-ENODEV, true), (-EIO, true), (-EBADF, true), (10, true),
    ]

    @Test("a failing read ends the device, or continues", arguments: failures)
    func reading(failure: (result: Int32, isLost: Bool)) {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay())
        rig.read(at: 0)
        report(device, finger(0, 5, 3, 4) + [.key(InputCode.touch, 1)], at: 1000)
        rig.read(at: 1)
        evdev_kernel_fail(device, evdev_kernel_call_read, failure.result, 1)
        report(device, finger(0, nil, 7, 4), at: 2000)
        rig.read(at: 2)
        #expect((rig.devices[0] == nil) == failure.isLost)
        #expect(rig.phases == (failure.isLost ? [.down, .cancel] : [.down]))
        for milliseconds in 3..<6 as Range<Int64> { rig.read(at: milliseconds) }
        #expect(rig.phases == (failure.isLost ? [.down, .cancel, .down] : [.down, .move]))
        #expect(rig.down == [[700, 400]])
    }

    @Test("a device that never stops reporting does not block the loop")
    func oscillating() {
        let rig = OverlayBench()
        let device = rig.bench.plug(0, .overlay(slots: 60))
        _ = rig.port(at: 0).reports
        for count in 1...600 as ClosedRange<Int32> {
            report(device, [.axis(InputCode.positionX, count), .axis(InputCode.positionY, count)], at: 1000)
        }
        #expect(rig.port(at: 1).reports.count == 1024)
        #expect(rig.bench.clock.wakes == 1)
        #expect(rig.port(at: 2).reports.count == 600 * 3 - 1024)
        #expect(rig.bench.clock.wakes == 1)
    }

    @Test("arrivals, removals and problems are logged once each")
    func lines() {
        let rig = OverlayBench()
        var watch = InputWatch("touch")
        #expect(watch.lines(rig.overlays.status, at: .zero).isEmpty)
        rig.bench.plug(0, .overlay("Wide", slots: 1))
        rig.bench.plug(1, .anonymous)
        let held = rig.bench.plug(2, .single)
        evdev_kernel_hold(held, true)
        rig.read(at: 0)
        let title = "(\(rig.bench.folder)/event"
        #expect(
            watch.lines(rig.overlays.status, at: .zero) == [
                "touch: Wide \(title)0), 0-4399 × 0-2399, 1 contact",
                "touch: Anonymous \(title)1), 0-4399 × 0-2399, contacts without slots",
                "touch: Single \(title)2) is in use by another program: stop that program; the overlay is retried",
            ])
        #expect(watch.lines(rig.overlays.status, at: .zero).isEmpty)
        rig.bench.unplug(0)
        evdev_kernel_hold(held, false)
        rig.read(at: 1000)
        rig.read(at: 1001)
        #expect(
            watch.lines(rig.overlays.status, at: .zero) == [
                "touch: Wide \(title)0) is gone", "touch: Single \(title)2), 0-4399 × 0-2399, 1 contact",
            ])
    }

    @Test("a plug loose for an hour does not fill the log, and its final state is logged")
    func loosePlug() {
        let overlay = InputPresence(what: "Wide (event0)", details: "10 contacts", number: 0)
        let forbidden = DeviceFailure("event1 may not be read", fix: "join")
        var watch = InputWatch("touch")
        var lines: [(second: Int, line: String)] = []
        func look(_ second: Int, _ present: [InputPresence], _ problem: DeviceFailure?) {
            let status = InputStatus(present: present, problem: problem)
            let now = Instant(milliseconds: Int64(second) * 1000)
            lines += watch.lines(status, at: now).map { (second, $0) }
        }
        for second in 0..<3600 {
            var plugged = overlay
            plugged.number = second
            look(second, second % 2 == 0 ? [plugged] : [], second % 3 == 0 ? forbidden : nil)
        }
        #expect(
            lines.prefix(4).map(\.line) == [
                "touch: Wide (event0), 10 contacts", "touch: event1 may not be read: join",
                "touch: Wide (event0) is gone",
                "touch: Wide (event0), 10 contacts",
            ])
        // Removal, return and a problem once a minute each.
        #expect(lines.count <= 3 * 60 + 1)
        let last = lines.count
        for second in 3600..<3700 { look(second, [], nil) }
        #expect(lines[last...].map(\.line).last == "touch: Wide (event0) is gone")
        #expect(lines[last...].count <= 2)
    }
}
