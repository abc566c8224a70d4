import Devices
import Foundation
import Testing

@Suite("The heat sensor")
struct HeatSensorTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hwmon-\(UUID().uuidString)")

    private func add(_ number: Int, _ name: String, _ reading: String?) throws {
        let device = folder.appendingPathComponent("hwmon\(number)")
        try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
        try Data("\(name)\n".utf8).write(to: device.appendingPathComponent("name"))
        if let reading { try Data(reading.utf8).write(to: device.appendingPathComponent("temp1_input")) }
    }

    @Test("the device with its name is read, in degrees; one without a number has no temperature")
    func reading() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try add(0, "cpu_thermal", "61234\n")
        try add(1, "rpi_volt", nil)
        try add(3, "w1_slave_temp", "-1500\n")
        try add(4, "broken", "?\n")
        #expect(HeatSensor("cpu_thermal", in: folder.path).celsius() == 61)
        #expect(HeatSensor("w1_slave_temp", in: folder.path).celsius() == -2)
        for name in ["rpi_volt", "broken", "missing"] {
            #expect(HeatSensor(name, in: folder.path).celsius() == nil)
        }
        #expect(HeatSensor.names(in: folder.path) == ["cpu_thermal", "w1_slave_temp"])
    }
}
