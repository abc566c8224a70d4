import EvdevKernel
import Glibc
import Input
import Testing

@testable import Devices

@Suite("The survey of input devices")
struct InputSurveyTests {
    @Test("a survey describes every device, and keeps none open")
    func survey() {
        let bench = InputBench()
        let touchpad = FakeDevice.overlay("Touchpad").with { $0.properties = [] }
        let devices = [
            bench.plug(2, .keyboard), bench.plug(10, .overlay("Wide", slots: 60)), bench.plug(3, touchpad),
            bench.plug(4, FakeDevice(name: "Mouse", keys: [0x110, 0x111])), bench.plug(5, .overlay(), errno: EACCES),
            bench.plug(6, .anonymous),
            bench.plug(7, FakeDevice.single.with { $0.axes[0].last = 0 }),
        ]
        let survey = InputSurvey.devices(in: bench.folder, bench.calls)
        #expect(survey.map(\.path) == [2, 3, 4, 5, 6, 7, 10].map(bench.path))
        let details = survey.compactMap { try? $0.details.get() }
        #expect(details.map(\.name) == ["Keyboard", "Touchpad", "Mouse", "Anonymous", "Single", "Wide"])
        #expect(details.allSatisfy { $0.identity == "1234:abcd" })
        let axes = TouchAxes(x: 0...4399, y: 0...2399)
        #expect(details[0].kind == .keyboard)
        #expect(details[1].kind == .touch(TouchTraits(axes: axes, contacts: 10)))
        #expect(details[2].kind == .other)
        #expect(details[3].kind == .overlay(TouchTraits(axes: axes, contacts: nil)))
        if case .unusable(let failure) = details[4].kind {
            #expect(failure.what.hasSuffix("its ABS_X goes from 0 to 0"))
        } else {
            Issue.record("\(details[4].kind)")
        }
        #expect(details[5].kind == .overlay(TouchTraits(axes: axes, contacts: 60)))
        if case .failure(let failure) = survey[3].details {
            #expect(failure.fix.contains("sudo usermod -aG input USER"))
        } else {
            Issue.record("it opened")
        }
        #expect(devices.allSatisfy { evdev_kernel_opened($0) == 0 && !evdev_kernel_is_grabbed($0) })
    }
}
