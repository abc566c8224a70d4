import Glibc

/// How a board is while it runs: its temperature, its supply and its disk, from the kernel's files.
public struct BoardHealth: Hashable, Sendable {
    /// The highest temperature of the processor in degrees Celsius; nil without a sensor.
    public var celsius: Int?
    /// Whether the kernel or the firmware slows the processor down because of heat.
    public var isSlowed = false
    /// Whether the supply's voltage is too low now; nil if the board cannot tell.
    public var isUndervolted: Bool?
    /// Free megabytes of the disk with the music; nil if unknown.
    public var freeMegabytes: Int?
    /// The name of each disk that can tell, and how much of its life is used, in per cent, rounded up to tens; above
    /// 100 it is over.
    public var wear: [String: Int] = [:]

    /// A kind of problem of a board.
    public enum Problem: Int, CaseIterable, Sendable {
        /// Its supply is too weak.
        case supply
        /// It is too hot.
        case heat
        /// Its disk is nearly full.
        case room
        /// Its disk is worn out.
        case wear
    }

    /// From this temperature on a Raspberry Pi slows down (Raspberry Pi documentation, "Frequency management and
    /// thermal control").
    public static let celsiusMax = 80
    /// Megabytes that the library needs for years of music.
    public static let megabytesMin = 64
    /// Used life of a disk from which it should be replaced, in per cent.
    public static let wearMax = 90

    /// The board whose file system begins at `root`; `library` is the folder of the music.
    public init(root: String = "", library: String? = nil) {
        func text(_ path: String) -> String? {
            String(systemFile: root + path).map { String($0.prefix { !$0.isNewline }) }
        }
        let zones = (0..<Self.devicesMax).map { "/sys/class/thermal/thermal_zone\($0)/temp" }
        celsius = zones.compactMap { text($0).flatMap { Int($0) } }.max().map { Int((Double($0) / 1000).rounded()) }
        // The kernel of Raspberry Pi OS has the firmware's flags, in hexadecimal digits (documentation of vcgencmd
        // get_throttled).
        let flags = text("/sys/devices/platform/soc/soc:firmware/get_throttled").flatMap { Int($0, radix: 16) }
        let isCooled = (0..<Self.devicesMax).contains { number in
            let device = "/sys/class/thermal/cooling_device\(number)"
            guard let type = text("\(device)/type"), type.contains("cpufreq") else { return false }
            return text("\(device)/cur_state").flatMap { Int($0) } ?? 0 > 0
        }
        isSlowed = isCooled || (flags ?? 0) & Self.heatFlags != 0
        // Debian's kernel has the alarm of drivers/hwmon/raspberrypi-hwmon.c instead, for the last two seconds.
        let alarms = (0..<Self.devicesMax).compactMap { number -> Bool? in
            let device = "/sys/class/hwmon/hwmon\(number)"
            guard text("\(device)/name") == "rpi_volt" else { return nil }
            return text("\(device)/in0_lcrit_alarm").map { $0 != "0" }
        }
        isUndervolted = flags.map { $0 & 1 != 0 } ?? alarms.first
        // Documentation/ABI/testing/sysfs-devices-mmc: two numbers in tens of per cent, of which the higher counts.
        // Cards have none.
        for number in 0..<Self.disksMax {
            let used = text("/sys/block/mmcblk\(number)/device/life_time")?.split(separator: " ")
                .compactMap { Int($0.dropFirst(2), radix: 16) }.max()
            if let used, used > 0 { wear["mmcblk\(number)"] = 10 * used }
        }
        freeMegabytes = library.flatMap(Self.freeMegabytes)
    }

    /// Devices of a kind that are looked at.
    private static let devicesMax = 16
    private static let disksMax = 4
    /// Slowed down now, by the hard or by the soft limit of the temperature.
    private static let heatFlags = 1 << 2 | 1 << 3

    /// Free megabytes for this user on the disk with `path`.
    private static func freeMegabytes(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(clamping: (UInt64(status.f_bavail) * UInt64(status.f_frsize)) >> 20)
    }

    /// The problem of this kind, and what to do; nil if there is none.
    public func message(_ problem: Problem) -> (what: String, fix: String)? {
        switch problem {
        case .supply:
            guard isUndervolted == true else { return nil }
            return ("the board's supply is below 4.63 V", "use a supply of 5.1 V and a short cable")
        case .heat:
            guard isSlowed || celsius ?? 0 >= Self.celsiusMax else { return nil }
            let degrees = celsius.map { "has \($0) °C" } ?? "is too hot"
            return ("the board \(degrees) and slows down", "give it air, or a fan")
        case .room:
            guard let freeMegabytes, freeMegabytes < Self.megabytesMin else { return nil }
            return ("the disk has only \(freeMegabytes) MB left", "remove takes or samples")
        case .wear:
            guard let (disk, used) = wear.sorted(by: { $0.key < $1.key }).first(where: { $0.value > Self.wearMax })
            else { return nil }
            return (
                "the disk \(disk) has used \(used > 100 ? "more than its" : "\(used) % of its") life",
                "make a backup, and replace it"
            )
        }
    }

    /// A line for a report about each part that is well.
    public var remarks: [String] {
        var remarks: [String] = []
        if let celsius, message(.heat) == nil { remarks.append("the board has \(celsius) °C") }
        if isUndervolted == false { remarks.append("the board's supply is strong enough") }
        if let freeMegabytes, message(.room) == nil { remarks.append("the disk has \(freeMegabytes) MB left") }
        for (disk, used) in wear.sorted(by: { $0.key < $1.key }) where used <= Self.wearMax {
            remarks.append("the disk \(disk) has used up to \(used) % of its life")
        }
        return remarks
    }
}
