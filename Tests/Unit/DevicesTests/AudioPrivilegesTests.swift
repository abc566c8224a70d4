import Devices
import Testing

@Suite("Privileges of the audio thread")
struct AudioPrivilegesTests {
    @Test("refusals are reported, grants are not")
    func refusals() throws {
        let none = try AudioPrivileges(testing: 0, core: nil)
        #expect(none.realTimeRefusal == nil && none.coreRefusal == nil)
        // No policy has a priority of a hundred.
        let refused = try AudioPrivileges(testing: 100, core: 1023)
        let realTime = try #require(refused.realTimeRefusal)
        #expect(realTime.what.hasPrefix("the sound thread runs without real-time priority (Invalid argument)"))
        #expect(realTime.fix.contains("\"@audio - rtprio 95\""))
        #expect(realTime.fix.contains("/etc/security/limits.d/95-pixelboop.conf"))
        #expect(refused.coreRefusal != nil)
        #expect(refused.refusals.count == (refused.memoryLockRefusal == nil ? 2 : 3))
    }
}
