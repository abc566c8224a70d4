import Devices
import Foundation
import Testing

@Suite("How the board is")
struct BoardHealthTests {
    /// The health of a board with these files, by path.
    private func health(_ files: [String: String]) throws -> BoardHealth {
        try withFiles(files) { BoardHealth(root: $0) }
    }

    private static let flags = "sys/devices/platform/soc/soc:firmware/get_throttled"
    private static let (zone, other) = ("sys/class/thermal/thermal_zone0/temp", "sys/class/thermal/thermal_zone3/temp")
    private static let life = "sys/block/mmcblk0/device/life_time"

    /// The files of a board, its problems, and what is well.
    static let table: [(files: [String: String], problems: [String], well: [String])] = [
        ([:], [], []),
        ([zone: "52100\n"], [], ["the board has 52 °C"]),
        ([zone: "52100\n", other: "79499\n"], [], ["the board has 79 °C"]),
        ([zone: "80000\n"], ["the board has 80 °C and slows down"], []),
        ([zone: "rubbish\n"], [], []),
        // The upper bits tell what was since the start.
        ([flags: "50000\n", zone: "60000\n"], [], ["the board has 60 °C", "the board's supply is strong enough"]),
        ([flags: "50005\n"], ["the board's supply is below 4.63 V", "the board is too hot and slows down"], []),
        (
            [flags: "8\n", zone: "61000\n"], ["the board has 61 °C and slows down"],
            ["the board's supply is strong enough"]
        ),
        (
            ["sys/class/hwmon/hwmon1/name": "rpi_volt\n", "sys/class/hwmon/hwmon1/in0_lcrit_alarm": "1\n"],
            ["the board's supply is below 4.63 V"], []
        ),
        (
            ["sys/class/hwmon/hwmon0/name": "rpi_volt\n", "sys/class/hwmon/hwmon0/in0_lcrit_alarm": "0\n"], [],
            ["the board's supply is strong enough"]
        ),
        (
            [
                "sys/class/thermal/cooling_device0/type": "cpufreq-cpu0\n",
                "sys/class/thermal/cooling_device0/cur_state": "2\n", zone: "70000\n",
            ], ["the board has 70 °C and slows down"], []
        ),
        (
            [
                "sys/class/thermal/cooling_device0/type": "gpio-fan\n",
                "sys/class/thermal/cooling_device0/cur_state": "1\n",
            ], [], []
        ),
        ([life: "0x01 0x02\n"], [], ["the disk mmcblk0 has used up to 20 % of its life"]),
        ([life: "0x0a 0x01\n"], ["the disk mmcblk0 has used 100 % of its life"], []),
        ([life: "0x01 0x0b\n"], ["the disk mmcblk0 has used more than its life"], []),
        ([life: "0x00 0x00\n"], [], []),
    ]

    @Test("each board has its problems", arguments: table)
    func boards(files: [String: String], problems: [String], well: [String]) throws {
        let health = try health(files)
        #expect(BoardHealth.Problem.allCases.compactMap { health.message($0)?.what } == problems)
        #expect(health.remarks == well)
    }

    @Test("a disk with less than 64 MB is nearly full")
    func room() {
        var health = BoardHealth(library: NSTemporaryDirectory())
        #expect(health.freeMegabytes ?? 0 > 0)
        health.freeMegabytes = 63
        #expect(health.message(.room)?.what == "the disk has only 63 MB left")
        health.freeMegabytes = 64
        #expect(health.message(.room) == nil && health.remarks.contains("the disk has 64 MB left"))
    }
}
