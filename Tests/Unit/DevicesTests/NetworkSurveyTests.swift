import Glibc
import Panel
import Testing

@testable import Devices

@Suite("Trying network ports")
struct NetworkSurveyTests {
    private let network = FakeUDP()
    private let port = NetworkPort(name: "OSC at eth0", interface: "eth0", number: 4425)

    @Test("a port that opens is closed again; one in use, without an interface or refused has its fix")
    func ports() {
        func survey() -> [NetworkSurvey.Part] { NetworkSurvey.survey([port], network.calls) }
        #expect(survey().map(\.name) == ["OSC at eth0, UDP port 4425"] && survey()[0].failure == nil)
        #expect(network.state.withLock { $0.opened.count == $0.closed })
        network.state.withLock { $0.failure = EADDRINUSE }
        #expect(survey()[0].failure?.isInUse == true)
        #expect(
            survey()[0].failure?.description
                == "OSC at eth0, UDP port 4425: Address already in use: end the program that uses it (ss -ulnp)")
        network.state.withLock { $0.failure = ENODEV }
        #expect(survey()[0].failure?.isInUse == false)
        network.state.withLock { $0.index = 0 }
        #expect(survey()[0].failure?.what == "OSC at eth0, UDP port 4425: there is no network interface eth0")
    }

    @Test("a wall's interface is looked for, if it has one")
    func walls() {
        var (near, far) = (Wall(), Wall())
        (near.address, near.interface, far.address) = ("10.0.0.1", "eth7", "10.0.0.2")
        #expect(NetworkSurvey.survey([near, far], network.calls).allSatisfy { $0.failure == nil })
        network.state.withLock { $0.index = 0 }
        let parts = NetworkSurvey.survey([near, far], network.calls)
        #expect(parts[0].failure?.what == "DDP to 10.0.0.1: there is no network interface eth7")
        #expect(parts[1].failure == nil)
    }
}
