import Glibc
import Synchronization
import Testing

@testable import Devices

@Suite("Sticks with patterns")
struct SticksTests {
    /// A mount table, and the folders of the machine.
    private final class Machine: Sendable {
        struct State {
            var points: [String] = []
            var hasChanged = false
            var folders: Set<String> = []
            var reads = 0
            var closed = 0
        }
        let state = Mutex(State())

        func mount(_ points: String...) {
            state.withLock {
                $0.points = points
                $0.hasChanged = true
            }
        }

        var calls: MountCalls {
            MountCalls(
                open: { .success(1) },
                hasChanged: { _ in
                    .success(
                        self.state.withLock { state in
                            defer { state.hasChanged = false }
                            return state.hasChanged
                        })
                },
                points: { _ in
                    .success(
                        self.state.withLock { state in
                            state.reads += 1
                            return state.points
                        })
                },
                close: { _ in self.state.withLock { $0.closed += 1 } })
        }

        func sticks(_ calls: MountCalls? = nil) -> Sticks {
            Sticks(calls ?? self.calls) { path in self.state.withLock { $0.folders.contains(path) } }
        }
    }

    private let machine = Machine()

    @Test("a stick with the folder is reported once when plugged in, and again when it returns")
    func comes() {
        var sticks = machine.sticks()
        machine.state.withLock { $0.folders = ["/media/pi/BLUE/pixelboop", "/pixelboop", "/home/pixelboop"] }
        machine.mount("/", "/home")
        #expect(sticks.look() == [] && sticks.present == [])
        machine.mount("/", "/home", "/media/pi/BLUE", "/media/pi/RED")
        #expect(sticks.look() == ["/media/pi/BLUE/pixelboop"])
        #expect(sticks.look() == [])
        #expect(sticks.present == ["/media/pi/BLUE/pixelboop"])
        machine.mount("/", "/home")
        #expect(sticks.look() == [] && sticks.present == [])
        machine.mount("/", "/home", "/media/pi/BLUE")
        #expect(sticks.look() == ["/media/pi/BLUE/pixelboop"])
    }

    @Test("the table is read when it has changed, and else not; it is closed in the end")
    func reads() {
        do {
            var sticks = machine.sticks()
            for _ in 0..<5 { _ = sticks.look() }
            #expect(machine.state.withLock { $0.reads } == 1)
            machine.mount("/")
            for _ in 0..<5 { _ = sticks.look() }
            #expect(machine.state.withLock { $0.reads } == 2)
        }
        #expect(machine.state.withLock { $0.closed } == 1)
    }

    /// Errors of the calls to open, to watch and to read the table, and the number of looks until a stick is seen.
    static let faults: [(open: [Int32?], change: [Int32?], read: [Int32?], looks: Int)] = [
        ([], [], [], 1),
        ([EMFILE, ENFILE], [], [], 3),
        ([ENOENT], [], [], 2),
        ([], [EINTR, EAGAIN], [], 1),
        ([], [], [EIO, ENOMEM, EINTR], 4),
        ([EMFILE], [EINTR], [EIO], 3),
    ]

    @Test("a call that fails is made again with the next look, and no stick is lost", arguments: faults)
    func failures(_ fault: (open: [Int32?], change: [Int32?], read: [Int32?], looks: Int)) {
        let real = machine.calls
        let (opens, changes, reads) = (Faults(fault.open), Faults(fault.change), Faults(fault.read))
        var calls = real
        calls.open = { opens.result { real.open() } }
        calls.hasChanged = { table in changes.result { real.hasChanged(table) } }
        calls.points = { table in reads.result { real.points(table) } }
        var sticks = machine.sticks(calls)
        machine.state.withLock { $0.folders = ["/mnt/pixelboop", "/mnt/a/pixelboop"] }
        machine.mount("/", "/mnt/a")
        var looks = 1
        while sticks.look() != ["/mnt/a/pixelboop"], looks < 10 { looks += 1 }
        #expect(looks == fault.looks)
    }

    @Test("a table that can no longer be read leaves the sticks as they were")
    func unreadable() {
        let real = machine.calls
        let reads = Faults([nil, EIO])
        var calls = real
        calls.points = { table in reads.result { real.points(table) } }
        var sticks = machine.sticks(calls)
        machine.state.withLock { $0.folders = ["/mnt/a/pixelboop"] }
        machine.mount("/mnt/a")
        _ = sticks.look()
        machine.mount("/")
        #expect(sticks.look() == [] && sticks.present == ["/mnt/a/pixelboop"])
        #expect(sticks.look() == [] && sticks.present == [])
    }

    private static let longOptions = String(repeating: "x", count: 5000)

    static let tables: [(text: String, points: [String])] = [
        ("/dev/root /media/MY\\040STICK ext3 rw 0 0", ["/media/MY STICK"]),
        ("/dev/root /mnt/a\\134b ext3 rw 0 0", ["/mnt/a\\b"]), ("# a comment", []), ("", []),
        ("a /mnt/a vfat rw 0 0\nb /mnt/b vfat \(longOptions) 0 0\n", ["/mnt/a", "/mnt/b"]),
    ]

    @Test("mount points are decoded, and what is no line of mounts is passed over", arguments: tables)
    func decoding(text: String, points: [String]) throws {
        let path = "/tmp/pixelboop-mounts-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        defer { unlink(path) }
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
        let calls = MountCalls(path: path)
        let table = try calls.open().get()
        defer { calls.close(table) }
        for _ in 0..<2 {
            let found = try calls.points(table).get()
            #expect(found == points)
        }
    }

    @Test(
        "a missing table is an error",
        arguments: [("/nonexistent/mounts", ENOENT), ("/dev/null/mounts", ENOTDIR)])
    func missing(path: String, errno: Int32) {
        guard case .failure(let error) = MountCalls(path: path).open() else {
            Issue.record("it opened")
            return
        }
        #expect(error.errno == errno)
    }

    @Test("the machine's own mounts can be read")
    func real() throws {
        let table = MountTable(.linux)
        let points = try #require(table.changes())
        #expect(points.contains("/"))
        var sticks = Sticks()
        #expect(sticks.look() == sticks.present)
    }
}
