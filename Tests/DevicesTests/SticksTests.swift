import Testing

@testable import Devices

@Suite("Sticks that hold patterns")
struct SticksTests {
    private final class Machine {
        var mounts = ""
        var folders: Set<String> = []

        func mount(_ points: String...) {
            mounts = points.enumerated().map { number, point in
                "\(30 + number) 1 8:1 / \(point) rw,relatime shared:1 - vfat /dev/sda1 rw\n"
            }.joined()
        }
    }

    @Test("a stick is told once when it comes, if it has the folder, and again when it comes back")
    func comes() {
        let machine = Machine()
        var sticks = Sticks(mounts: { machine.mounts }, isFolder: { machine.folders.contains($0) })
        machine.folders = ["/media/pi/BLUE/pixelboop", "/pixelboop", "/home/pixelboop"]
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

    @Test(
        "mount points are decoded, and what is no line of mounts is passed over",
        arguments: [
            ("36 35 98:0 /a /media/MY\\040STICK rw - ext3 /dev/root rw", ["/media/MY STICK"]),
            ("36 35 98:0 /a /mnt/a\\134b\\9 rw", ["/mnt/a\\b\\9"]), ("36 35 98:0", []), ("", []),
            ("1 2 3 4 \\", ["\\"]),
        ])
    func decoding(text: String, points: [String]) { #expect(Sticks.points(text) == points) }

    @Test("the machine's own mounts can be read")
    func real() {
        var sticks = Sticks()
        #expect(sticks.look() == sticks.present)
    }
}
