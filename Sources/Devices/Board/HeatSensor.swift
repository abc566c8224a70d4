/// A temperature sensor of the kernel's hwmon class (Documentation/hwmon/sysfs-interface.rst), by the name of its
/// device.
public struct HeatSensor: Sendable {
    /// Folder of the devices.
    public static let folder = "/sys/class/hwmon"
    private let name: String
    private let folder: String

    /// The kernel gives the lowest free number to each device: hwmon0, hwmon1.
    private static let devicesMax = 32

    /// The sensor of the device `name`, among the sensors in `folder`.
    public init(_ name: String, in folder: String = HeatSensor.folder) {
        self.name = name
        self.folder = folder
    }

    /// The temperature in degrees Celsius, rounded; nil if there is no such device or it does not answer. Some sensors
    /// take a second. Calls `open` and `read`.
    public func celsius() -> Int? {
        for device in Self.devices(in: folder) where device.name == name {
            if let celsius = Self.celsius(of: device.path) { return celsius }
        }
        return nil
    }

    /// Names of the devices in `folder` that have a temperature, in order.
    public static func names(in folder: String = HeatSensor.folder) -> [String] {
        devices(in: folder).filter { celsius(of: $0.path) != nil }.map(\.name).sorted()
    }

    /// The file counts in thousandths of a degree.
    private static func celsius(of path: String) -> Int? {
        String(systemFile: "\(path)/temp1_input").flatMap { Int($0.prefix { $0 != "\n" }) }
            .map { Int((Double($0) / 1000).rounded()) }
    }

    private static func devices(in folder: String) -> [(name: String, path: String)] {
        (0..<devicesMax).compactMap { number in
            let path = "\(folder)/hwmon\(number)"
            return String(systemFile: "\(path)/name").map { (String($0.prefix { $0 != "\n" }), path) }
        }
    }
}
