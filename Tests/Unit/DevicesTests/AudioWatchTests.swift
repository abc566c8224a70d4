import AlsaOutput
import Devices
import Glibc
import InputEvents
import Testing

@Suite("Messages about a playing device")
struct AudioWatchTests {
    private func status(open: Bool, error: Int32 = 0, xruns: UInt64 = 0, frames: UInt64 = 0) -> AudioThreadStatus {
        var status = AudioThreadStatus()
        status.device_open = open
        status.device_error = error
        status.xruns = xruns
        status.xrun_frames = frames
        return status
    }

    private func seconds(_ seconds: Int64) -> Instant { Instant(milliseconds: 1000 * seconds) }

    @Test("its loss is reported once, and its return")
    func presence() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: false), at: seconds(1), timeOfDay: "").isEmpty)
        #expect(watch.lines(status(open: true), at: seconds(2), timeOfDay: "").isEmpty)
        let gone = status(open: false, error: -ENODEV)
        #expect(
            watch.lines(gone, at: seconds(3), timeOfDay: "")
                == ["sound: the device hw:1 went away (there is no such device); it is retried every second"])
        #expect(watch.lines(gone, at: seconds(4), timeOfDay: "").isEmpty)
        let back = status(open: true, error: -ENODEV)
        #expect(watch.lines(back, at: seconds(5), timeOfDay: "") == ["sound: the device hw:1 is back"])
        #expect(watch.lines(back, at: seconds(6), timeOfDay: "").isEmpty)
    }

    @Test("a device that keeps coming and going is reported once a minute")
    func flapping() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        var lines = 0
        for second in 0..<300 {
            let isOpen = second % 2 == 0
            lines +=
                watch.lines(status(open: isOpen, error: -EIO), at: seconds(Int64(second)), timeOfDay: "").count
        }
        #expect(lines == 10)
    }

    @Test("a device missing at the start is reported when it appears")
    func missing() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: true, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: false, error: -ENOENT), at: seconds(1), timeOfDay: "").isEmpty)
        #expect(watch.lines(status(open: true), at: seconds(2), timeOfDay: "") == ["sound: the device hw:1 is back"])
    }

    @Test("new xruns are reported no more than once a minute, with the frames lost since the last line")
    func xruns() {
        var watch = AudioWatch("hw:1", rate: 48_000, isMissing: false, timeOfDay: "12:00:00")
        #expect(watch.lines(status(open: true), at: seconds(1), timeOfDay: "12:00:01").isEmpty)
        #expect(
            watch.lines(status(open: true, xruns: 2, frames: 384), at: seconds(2), timeOfDay: "12:00:02")
                == ["sound: 2 xruns, 384 frames (8 ms) lost since 12:00:00"])
        let more = status(open: true, xruns: 3, frames: 480)
        for second in 3...61 { #expect(watch.lines(more, at: seconds(Int64(second)), timeOfDay: "later").isEmpty) }
        #expect(
            watch.lines(more, at: seconds(62), timeOfDay: "12:01:02")
                == ["sound: 1 xrun, 96 frames (2 ms) lost since 12:00:02"])
        #expect(watch.lines(more, at: seconds(200), timeOfDay: "later").isEmpty)
    }
}
