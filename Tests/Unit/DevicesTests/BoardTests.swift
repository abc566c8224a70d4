import Devices
import Foundation
import Panel
import Testing

@Suite("The machine, as doctor sees it")
struct BoardTests {
    /// A machine with these files, by path.
    private func board(_ files: [String: String]) throws -> Board { try withFiles(files) { Board(root: $0) } }

    private func pi(_ model: String, _ firmware: String = "", bufsiz: Int = 4096) throws -> Board {
        try board([
            "proc/device-tree/model": model + "\0", "proc/sys/kernel/osrelease": "6.12.25+rpt-rpi-v8\n",
            "proc/meminfo": "MemTotal:        3884204 kB\nMemFree:  100 kB\n",
            "sys/module/spidev/parameters/bufsiz": "\(bufsiz)\n", "boot/firmware/config.txt": firmware,
        ])
    }

    private let pi4 = "Raspberry Pi 4 Model B Rev 1.4"
    private let steady = "core_freq=500\ncore_freq_min=500\n"

    @Test("reads model, kernel, memory and spidev's limit")
    func facts() throws {
        let board = try pi(pi4)
        #expect(board.model == .some("Raspberry Pi 4 Model B Rev 1.4"))
        #expect(board.kernel == "6.12.25+rpt-rpi-v8")
        #expect(board.megabytes == 3793)
        #expect(board.spiBufferSize == .some(4096))
        let empty = try self.board([:])
        #expect(empty.model == nil && empty.kernel == "?" && empty.megabytes == 0 && empty.spiBufferSize == nil)
    }

    @Test("settings apply under no filter, [all] and the model's own")
    func settings() throws {
        let text = """
            dtparam=spi=on   # the panel
            # dtparam=audio=on
            [pi3]
            core_freq = 250
            [pi4]
            core_freq=500

            [none]
            dtoverlay=disable-bt
            [all]
            dtoverlay=hifiberry-dac
            """
        #expect(try pi(pi4, text).settings.lines == ["dtparam=spi=on", "core_freq=500", "dtoverlay=hifiberry-dac"])
        let three = try pi("Raspberry Pi 3 Model B Plus Rev 1.3", text)
        #expect(three.settings.lines == ["dtparam=spi=on", "core_freq=250", "dtoverlay=hifiberry-dac"])
        #expect(try pi(pi4, text.replacingOccurrences(of: "\n", with: "\r\n")).settings.lines.count == 3)
    }

    @Test("settings of an included file apply in its place")
    func included() throws {
        let text = "os_prefix=a/\r\ninclude a.txt\r\ninclude gone.txt\n[all]\ncore_freq_min=500\n"
        let board = try self.board([
            "proc/device-tree/model": pi4 + "\0", "boot/firmware/config.txt": text,
            "boot/firmware/a.txt": "dtparam=spi=on\n[pi4]\ncore_freq=500\n[pi3]\ncore_freq=250\n",
        ])
        #expect(board.settings.lines == ["os_prefix=a/", "dtparam=spi=on", "core_freq=500", "core_freq_min=500"])
    }

    /// Boards, their settings, and whether the settings fix the clock.
    static let filters: [(board: String, text: String, isHeld: Bool)] = [
        ("Raspberry Pi 3 Model B Rev 1.2", "[pi3]\ncore_freq=250", true),
        ("Raspberry Pi 3 Model B Rev 1.2", "[pi3+]\ncore_freq=250", false),
        ("Raspberry Pi 3 Model A Plus Rev 1.0", "[pi3+]\ncore_freq=250", true),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "[pi3]\r\ncore_freq=250\r\n", true),
        ("Raspberry Pi Zero 2 W Rev 1.0", "[pi0w]\ncore_freq=250", true),
        ("Raspberry Pi 400 Rev 1.0", "[pi4]\ncore_freq=500\n[pi400]\ncore_freq_min=500", true),
        ("Raspberry Pi Compute Module 4 Rev 1.1", "[cm4]\ncore_freq=500\ncore_freq_min=500", true),
        // Filters of different kinds combine, until [all]: the first may match or not.
        ("Raspberry Pi 3 Model B Rev 1.2", "[gpio4=1]\n[pi3]\ncore_freq=250", false),
        ("Raspberry Pi 3 Model B Rev 1.2", "[none]\n[all]\n[pi3]\ncore_freq=250", true),
        ("Raspberry Pi 3 Model B Rev 1.2", "[pi4]\n[pi3]\ncore_freq=250", true),
        // The last one applies.
        ("Raspberry Pi 3 Model B Rev 1.2", "core_freq=250\ncore_freq=400", false),
        ("Raspberry Pi 3 Model B Rev 1.2", "core_freq=400\n[pi3]\ncore_freq=250", true),
    ]

    @Test("filters work as in the firmware", arguments: filters)
    func filtered(filter: (board: String, text: String, isHeld: Bool)) throws {
        let found = remarks(try pi(filter.board, filter.text))
        #expect(found.contains { $0.what.contains("clock is fixed") } == filter.isHeld, "\(filter)")
        #expect(found.contains { $0.what.contains("varies with the core clock") } != filter.isHeld, "\(filter)")
    }

    private func remarks(_ board: Board, _ change: (inout PanelConfiguration) -> Void = { _ in }) -> [Board.Remark] {
        var configuration = PanelConfiguration()
        change(&configuration)
        return board.remarks(on: configuration)
    }

    @Test("the reference build on a Pi 4 is good, and its chain's speed is reported")
    func reference() throws {
        let found = remarks(try pi(pi4, steady))
        #expect(found.allSatisfy { $0.state == .good && $0.fix == nil })
        #expect(found.contains { $0.what.contains("4298 bytes, 8.5 ms: at most 116 frames a second") })
        #expect(found.contains { $0.what.contains("goes out in 2 messages") })
    }

    @Test("problems are reported with their fix")
    func faults() throws {
        let loose = remarks(try pi(pi4, "core_freq=500"))
        #expect(loose.contains { $0.state == .warning && $0.fix?.contains("core_freq_min=500") == true })
        #expect(!loose.contains { $0.fix?.contains("core_freq=500 and") == true })

        #expect(loose.contains { $0.fix?.contains("under [pi4] or [all]") == true })

        let strict = remarks(try pi("Raspberry Pi 3 Model B Plus Rev 1.3")) {
            $0.chip = .ws2812b
            $0.chains[0].hertz = 6_400_000
        }
        #expect(strict.contains { $0.state == .fault && $0.fix?.contains("core_freq=250") == true })
        #expect(strict.contains { $0.state == .fault && $0.fix?.contains("spidev.bufsiz=32768") == true })
        #expect(strict.contains { $0.state == .warning && $0.fix?.contains("two SPI devices") == true })

        let shared = remarks(try pi(pi4, steady + "dtoverlay=hifiberry-dac\n")) {
            $0.chains[0].device = "/dev/spidev1.0"
        }
        #expect(shared.contains { $0.state == .fault && $0.what.contains("share GPIO 18") })

        let slow = remarks(try pi(pi4, steady)) { $0.chains[0].hertz = 1_000_000 }
        #expect(slow.contains { $0.state == .warning && $0.fix?.contains("hertz") == true })

        let audio = remarks(try pi(pi4, steady + "dtparam=audio=on\n"))
        #expect(audio.contains { $0.fix?.contains("dtparam=audio=off") == true })

        let silenced = remarks(try pi(pi4, steady + "dtparam=audio=on\n[all]\ndtparam=audio=off\n"))
        #expect(!silenced.contains { $0.what.contains("sound output") })

        // A computer with such a board's card in it, or files of another machine.
        let desktop = remarks(
            try board(["boot/firmware/config.txt": "dtparam=audio=on\ndtoverlay=hifiberry-dac\n"])
        ) { $0.chains[0].device = "/dev/spidev1.0" }
        #expect(!desktop.contains { $0.fix?.contains("config.txt") == true || $0.what.contains("share GPIO") })

        let small = remarks(try board(["proc/meminfo": "MemTotal: 200000 kB\n"]))
        #expect(small.contains { $0.state == .warning && $0.what.contains("195 MB") })
    }

    @Test("two chains on one bus are told to gate their level shifters; two buses, or one chain, are not")
    func sharedBus() throws {
        func gates(_ devices: [String]) throws -> [Board.Remark] {
            remarks(try pi(pi4, steady)) { configuration in
                configuration.chains = devices.map { .init(device: $0, hertz: 8_000_000, tiles: []) }
            }
            .filter { $0.what.contains("gated by its device's chip enable") }
        }
        let shared = try gates(["/dev/spidev0.0", "/dev/spidev0.1"])
        #expect(shared.map(\.state) == [.good])
        #expect(shared[0].what.hasPrefix("/dev/spidev0.0 and /dev/spidev0.1 share data and clock"))
        #expect(try gates(["/dev/spidev0.0", "/dev/spidev5.0"]).isEmpty)
        #expect(try gates(["/dev/spidev0.0"]).isEmpty)
    }

    private let pi5 = "Raspberry Pi 5 Model B Rev 1.0"

    @Test("a Pi 5's limit for USB is named with the setting, unless the firmware has raised it or will")
    func currentForUSB() throws {
        func limits(_ board: Board) -> [Board.Remark] { remarks(board).filter { $0.what.contains("0.6 A") } }
        let limited = limits(try pi(pi5))
        #expect(limited.map(\.state) == [.warning])
        #expect(limited[0].fix?.contains("write usb_max_current_enable=1 in /boot/firmware/config.txt") == .some(true))
        #expect(limits(try pi("Raspberry Pi Compute Module 5 Rev 1.0")).count == 1)
        #expect(limits(try pi(pi5, "[pi5]\nusb_max_current_enable=1\n")).isEmpty)
        #expect(limits(try pi(pi5, "[pi4]\nusb_max_current_enable=1\n")).count == 1)
        #expect(limits(try pi(pi4, steady)).isEmpty)
        for (value, count) in [("\0\0\0\u{1}", 0), ("\0\0\0\0", 1)] {
            let board = try board([
                "proc/device-tree/model": pi5 + "\0", "proc/device-tree/chosen/power/usb_max_current_enable": value,
            ])
            #expect(limits(board).count == count)
        }
    }

    @Test("a Pi 5 with an I2S card beside LEDs on SPI is warned of the kernel's problems, and advised of USB sound")
    func soundBesideLEDs() throws {
        func problems(_ board: Board, device: String = "/dev/spidev0.0") -> [Board.Remark] {
            remarks(board) { $0.chains[0].device = device }.filter { $0.what.contains("5865 and 7320") }
        }
        let found = problems(try pi(pi5, "dtoverlay=hifiberry-dac\n"))
        #expect(found.map(\.state) == [.warning])
        #expect(found[0].fix?.contains("USB sound card") == .some(true))
        #expect(problems(try pi(pi5)).isEmpty)
        #expect(problems(try pi(pi4, steady + "dtoverlay=hifiberry-dac\n")).isEmpty)
        #expect(problems(try pi(pi5, "dtoverlay=hifiberry-dac\n"), device: "/dev/leds").isEmpty)
    }
}
