import AlsaOutput
import Devices
import Glibc
import Testing

@Suite("The list of sound devices")
struct AlsaDeviceTests {
    @Test("a PCM that plays everything reports its rates, formats and smallest period")
    func probe() throws {
        let abilities = try AlsaDevice.probe("null").get()
        #expect(abilities.rates == [44_100, 48_000, 96_000])
        #expect(abilities.formats == ["FLOAT_LE", "S32_LE", "S24_3LE", "S16_LE"])
        #expect(abilities.periodMin >= 1)
    }

    @Test("the null device is listed, and every entry has a name")
    func all() throws {
        let devices = AlsaDevice.all()
        let null = try #require(devices.first { $0.name == "null" })
        #expect(!null.isHardware && !null.description.isEmpty)
        #expect((try? null.abilities.get()) != nil)
        #expect(devices.allSatisfy { !$0.name.isEmpty && !$0.description.contains { $0.isNewline } })
    }

    @Test("the audio thread gets the agreed parameters")
    func agreement() throws {
        let agreement = try AlsaDevice.agree(with: "null", rate: 96_000, period: 64, periods: 4).get()
        #expect(agreement.period == 64 && agreement.buffer == 256)
        #expect(agreement.format == "FLOAT_LE" && agreement.isMapped)
    }

    @Test("the reason that a device does not open is reported with its fix")
    func failures() {
        let missing = AlsaDevice.agree(with: "hw:77", rate: 48_000, period: 128, periods: 3)
        #expect(throws: AlsaDevice.Failure.self) { try missing.get() }
        #expect(throws: AlsaDevice.Failure.self) { try AlsaDevice.probe("no such device").get() }
        guard case .failure(let failure) = missing else { return }
        #expect("\(failure)" == "there is no such device")
        #expect(failure.fix.contains("pixelboop doctor"))
        #expect("\(AlsaDevice.Failure(errno: EBUSY))".contains("busy"))
        #expect("\(AlsaDevice.Failure(errno: EACCES))".contains("permission"))
        #expect(AlsaDevice.Failure(errno: EACCES).fix.contains("group audio"))
        #expect("\(AlsaDevice.Failure(errno: EIO))" == String(cString: strerror(EIO)))
    }
}
