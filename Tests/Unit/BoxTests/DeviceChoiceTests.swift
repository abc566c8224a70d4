import Testing

@testable import Box
@testable import Devices

@Suite("Devices that the configuration can name")
struct DeviceChoiceTests {
    /// The kernel's files of three cards; the third is on USB.
    private static let files = [
        "/proc/asound/card0/id": "vc4hdmi0", "/proc/asound/card1/id": "sndrpihifiberry",
        "/proc/asound/card2/id": "Device", "/proc/asound/card2/usbid": "0d8c:0014", "/proc/asound/card3/id": "a\"b",
    ]

    private static func abilities(_ rates: Int...) -> Result<AlsaDevice.Abilities, AlsaDevice.Failure> {
        .success(AlsaDevice.Abilities(rates: rates, formats: ["S16_LE"], periodMin: 32))
    }

    private func name(
        _ name: String, _ description: String, _ abilities: Result<AlsaDevice.Abilities, AlsaDevice.Failure>,
        configured: String = "default"
    ) -> String? {
        let device = AlsaDevice(name: name, description: description, abilities: abilities)
        let choice = DeviceChoice(device, rate: 48_000, configured: configured) { Self.files[$0] }
        return choice.map { "\($0.name) \($0.title)" }
    }

    @Test("a card is named by its name, and says what it is")
    func cards() {
        let (right, busy) = (Self.abilities(44_100, 48_000), AlsaDevice.Failure(errno: 16))
        #expect(
            name("hw:1,0", "snd_rpi_hifiberry_dac, HiFi", right)
                == "hw:CARD=sndrpihifiberry,DEV=0 DAC on the header: snd_rpi_hifiberry_dac, HiFi")
        #expect(name("hw:2,1", "USB Audio", .failure(busy)) == "hw:CARD=Device,DEV=1 USB: USB Audio")
        #expect(name("hw:0,0", "", right) == "hw:CARD=vc4hdmi0,DEV=0 HDMI: vc4hdmi0")
    }

    @Test("a card that cannot play stereo at the rate is converted for")
    func converted() {
        let rate = Self.abilities(44_100)
        #expect(name("hw:2,0", "USB", rate) == "plughw:CARD=Device,DEV=0 USB: USB")
        #expect(name("hw:2,0", "USB", .failure(.init(errno: 22))) == "plughw:CARD=Device,DEV=0 USB: USB")
        // The box plays on it.
        for configured in ["plughw:CARD=Device,DEV=0", "hw:CARD=Device,DEV=0"] {
            let busy = name("hw:2,0", "USB", .failure(.init(errno: 16)), configured: configured)
            #expect(busy == "\(configured) USB: USB")
        }
    }

    @Test("the default is a choice if it plays; other plugins, and cards without a plain name, are none")
    func others() {
        let right = Self.abilities(48_000)
        #expect(name("default", "", right) == "default The machine's default")
        #expect(name("default", "", .failure(.init(errno: 2))) == nil)
        for other in ["sysdefault:CARD=Device", "hw:7,0", "hw:3,0", "hw:1", "null", "hw:x,0"] {
            #expect(name(other, "", right) == nil, "\(other)")
        }
    }

    @Test("a title has no control characters, and an end")
    func titles() {
        let title = name("hw:2,0", "\u{1B}[2J\tUSB" + String(repeating: "x", count: 200), Self.abilities(48_000))
        #expect(title?.hasPrefix("hw:CARD=Device,DEV=0 USB: [2JUSBxx") == true)
        #expect(title?.count == "hw:CARD=Device,DEV=0 ".count + 80)
    }

    @Test("touch devices are named by their numbers or, without any, by a plain name")
    func touch() {
        func device(_ name: String, _ vendor: UInt16, _ kind: InputSurvey.Kind) -> InputSurvey.Device {
            InputSurvey.Device(
                path: "/dev/input/event0",
                details: .success(InputSurvey.Details(name: name, vendor: vendor, product: vendor, kind: kind)))
        }
        let traits = TouchTraits(axes: .init(x: 0...100, y: 0...100), contacts: 10)
        let choices = DeviceChoice.touch([
            device("Frame", 0x222a, .overlay(traits)), device("Frame again", 0x222a, .overlay(traits)),
            device("Pad", 1, .touch(traits)), device("Goodix Touch.1", 0, .overlay(traits)),
            device("a\"b", 0, .overlay(traits)), device("", 0, .overlay(traits)), device("Keys", 2, .keyboard),
            device("Mouse", 3, .other), device("Pen", 4, .unusable(DeviceFailure("no range", fix: "another"))),
            InputSurvey.Device(path: "/dev/input/event9", details: .failure(DeviceFailure("no", fix: "yes"))),
        ])
        let lines = choices.map { "\($0.name)|\($0.title)" }
        #expect(lines == ["222a:222a|Frame", "0001:0001|Pad (not on a screen)", "Goodix Touch.1|Goodix Touch.1"])
    }

    @Test("the test tone fades in and out, and is quiet")
    func tone() {
        let volumes = stride(from: 0, through: 1600, by: 20).map { TestTone.volume(at: $0) }
        #expect(volumes.first == 0 && volumes.last == 0 && volumes.max() == 60)
        #expect(zip(volumes, volumes.dropFirst()).allSatisfy { abs($0 - $1) <= 3 })
    }
}
