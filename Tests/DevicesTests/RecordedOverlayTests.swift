import EvdevKernel
import Foundation
import Overlay
import Testing

@testable import Devices

/// What a real overlay is, and what it reported: a file of evemu's beside the project.
private struct Recording: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var device = FakeDevice(name: "")
    var packets: [[Value]] = []

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../shared/recordings").standardizedFileURL

    static let all: [Recording] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { name in
            let recording = Recording(name)
            return recording.packets.isEmpty ? nil : recording
        }
    }()

    /// Reads a recording, and what the device is from a file of its own where the recording does not say.
    private init(_ name: String) {
        testDescription = name
        read(name)
        if device.axes.isEmpty { read("\(name.prefix { $0 != "." }).desc") }
    }

    private mutating func read(_ name: String) {
        let text = (try? String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
        var packet: [Value] = []
        var places: [String: Int32] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            switch words.first {
            case "N:": device.name = words.dropFirst().joined(separator: " ")
            case "P:": device.properties += bits(words.dropFirst(), "P", &places)
            case "B:" where words[1] == "01": device.keys += bits(words.dropFirst(2), "K", &places)
            case "A:":
                guard let code = UInt16(words[1], radix: 16), let first = Int32(words[2]), let last = Int32(words[3])
                else { continue }
                device.axes.append((code, first, last))
            case "E:":
                guard let type = UInt16(words[2], radix: 16), let code = UInt16(words[3], radix: 16),
                    let value = Int32(words[4])
                else { continue }
                if Value(type: type, code: code, value: value) == .end {
                    packets.append(packet)
                    packet = []
                } else {
                    packet.append(Value(type: type, code: code, value: value))
                }
            default: continue
            }
        }
    }

    /// The numbers of the bits in bytes that several lines give in turn.
    private func bits(_ bytes: ArraySlice<String>, _ kind: String, _ places: inout [String: Int32]) -> [Int32] {
        var numbers: [Int32] = []
        for byte in bytes {
            let place = places[kind, default: 0]
            for bit in 0..<8 as Range<Int32> where (UInt8(byte, radix: 16) ?? 0) & 1 << bit != 0 {
                numbers.append(8 * place + bit)
            }
            places[kind] = place + 1
        }
        return numbers
    }
}

@Suite("Recordings of real overlays, of which the kernel loses reports")
struct RecordedOverlayTests {
    @Test("the recordings are there", .enabled(if: !Recording.all.isEmpty, "no ../shared"))
    func recordings() { #expect(Recording.all.count > 10) }

    @Test("wherever they are lost, fingers land and lift in turn and end where they are", arguments: Recording.all)
    fileprivate func lost(recording: Recording) {
        let whole = Playback(recording.packets, interval: 2, recording.device)
        #expect(whole.overflows == 0)
        #expect(whole.down != nil)
        let values = recording.packets.reduce(0) { $0 + $1.count + 1 }
        for lost in stride(from: 0, to: values, by: max(1, values / 40)) {
            let outcome = Playback(recording.packets, lost: lost, interval: 2, recording.device)
            #expect(outcome.down == whole.down, "value \(lost)")
        }
    }
}
