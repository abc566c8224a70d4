import Testing

@testable import Devices

/// A registry in memory.
private final class FakeRegistry: ServiceRegistry {
    /// The announced names and interfaces, such as `Box@0`; nil if none are.
    var announced: [String]?
    /// Names that others have.
    var taken: Set<String> = []
    var isRunning = true
    var announcements = 0
    var current = AnnouncementState.announced

    func announce(_ services: [PlacedService]) -> AnnouncementState {
        announcements += 1
        announced = nil
        guard isRunning else { return .unannounced }
        guard taken.isDisjoint(with: services.map(\.service.name)) else { return .nameTaken }
        announced = services.map { "\($0.service.name)@\($0.interface)" }
        current = .announced
        return .announced
    }

    func state() -> AnnouncementState { isRunning ? current : .unannounced }

    func withdraw() { announced = nil }
}

@Suite("Announcing services")
struct AnnouncementTests {
    private let registry = FakeRegistry()
    private let page = NetworkService("Box", type: "_http._tcp", port: 80)
    private let osc = NetworkService("Box", type: "_osc._udp", port: 4425, interface: "eth0")

    @Test("they are announced once, and again after the daemon has gone and come back")
    func daemon() {
        var announcement = Announcement([page, osc], registry) { $0 == "eth0" ? 2 : 0 }
        registry.isRunning = false
        announcement.update()
        #expect(registry.announced == nil)
        registry.isRunning = true
        for _ in 0..<3 { announcement.update() }
        #expect(registry.announced == ["Box@0", "Box@2"] && registry.announcements == 2)
        registry.isRunning = false
        announcement.update()
        registry.isRunning = true
        announcement.update()
        #expect(registry.announced == ["Box@0", "Box@2"])
        registry.current = .unannounced
        announcement.update()
        #expect(registry.announced == ["Box@0", "Box@2"] && registry.announcements == 5)
        announcement.end()
        #expect(registry.announced == nil)
    }

    @Test("one is announced while its interface is there")
    func interface() {
        var (indices, services): ([String: UInt32], [NetworkService]) = ([:], [osc])
        services.append(NetworkService("Wireless", type: "_osc._udp", port: 4426, interface: "wlan0"))
        for (present, wanted) in [
            ([:], nil), (["eth0": 2], ["Box@2"]), (["eth0": 2, "wlan0": 3], ["Box@2", "Wireless@3"]),
            (["eth0": 7, "wlan0": 3], ["Box@7", "Wireless@3"]), ([:], nil),
        ] as [([String: UInt32], [String]?)] {
            indices = present
            var announcement = Announcement(services, registry) { indices[$0] ?? 0 }
            announcement.update()
            #expect(registry.announced == wanted)
            announcement.end()
        }
        var announcement = Announcement([osc], registry) { _ in indices["eth0"] ?? 0 }
        for (index, wanted) in [(4, ["Box@4"]), (nil, nil), (5, ["Box@5"])] as [(UInt32?, [String]?)] {
            indices["eth0"] = index
            announcement.update()
            #expect(registry.announced == wanted)
        }
    }

    @Test("another name is tried if one is taken, at once or later; all are tried again if all are taken")
    func names() {
        registry.taken = ["Box", "Box #2"]
        var announcement = Announcement([page], registry) { _ in 0 }
        announcement.update()
        #expect(registry.announced == ["Box #3@0"])
        registry.current = .nameTaken
        announcement.update()
        #expect(registry.announced == ["Box #4@0"])
        registry.taken = Set(["Box"] + (2...40).map { "Box #\($0)" })
        registry.current = .nameTaken
        announcement.update()
        #expect(registry.announced == nil)
        registry.taken = []
        announcement.update()
        #expect(registry.announced == ["Box@0"])
    }

    @Test("a name is cut to the 63 bytes of a label, with its number")
    func long() {
        let long = NetworkService(String(repeating: "ü", count: 40), type: "_osc._udp", port: 1)
        #expect(long.name.utf8.count == 62)
        #expect(long.numbered(12).name.utf8.count == 62 && long.numbered(12).name.hasSuffix("ü #12"))
    }
}
