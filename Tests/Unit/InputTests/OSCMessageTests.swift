import InputEvents
import TestSupport
import Testing

@Suite("Messages of Open Sound Control")
struct OSCMessageTests {
    private func messages(_ bytes: [UInt8]) -> [OSCMessage] { bytes.withUnsafeBytes { OSCMessage.messages(in: $0) } }

    /// An OSC-string: `text` and one to four zeros, a multiple of four bytes.
    private func string(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        repeat { bytes.append(0) } while !bytes.count.isMultiple(of: 4)
        return bytes
    }

    @Test("the examples of the specification are read and written")
    func examples() {
        // "OSC Message Examples" of the specification.
        let first: [UInt8] = string("/oscillator/4/frequency") + string(",f") + [0x43, 0xdc, 0, 0]
        #expect(messages(first) == [OSCMessage("/oscillator/4/frequency", .float(440))])
        #expect(OSCMessage("/oscillator/4/frequency", .float(440)).bytes == first)
        var second: [UInt8] = string("/foo") + string(",iisff")
        second += [0, 0, 0x03, 0xe8, 0xff, 0xff, 0xff, 0xff]
        second += string("hello")
        second += [0x3f, 0x9d, 0xf3, 0xb6, 0x40, 0xb5, 0xb2, 0x2d]
        let message = OSCMessage("/foo", .int(1000), .int(-1), .string("hello"), .float(1.234), .float(5.678))
        #expect(messages(second) == [message] && message.bytes == second)
    }

    @Test("a bundle is its messages, in order, and bundles in it")
    func bundles() {
        let (one, two) = (OSCMessage("/one", .int(1)), OSCMessage("/two"))
        func bundle(_ elements: [[UInt8]]) -> [UInt8] {
            var bytes = string("#bundle") + [UInt8](repeating: 0, count: 8)
            for element in elements {
                let size: [UInt8] = [0, 0, UInt8(element.count >> 8), UInt8(element.count & 255)]
                bytes += size + element
            }
            return bytes
        }
        #expect(messages(bundle([one.bytes, two.bytes])) == [one, two])
        #expect(messages(bundle([bundle([two.bytes]), one.bytes])) == [two, one])
        let deep = (0..<3).reduce(bundle([one.bytes])) { inner, _ in bundle([inner]) }
        #expect(messages(deep) == [one] && messages(bundle([deep])).isEmpty)
        #expect(messages(bundle([one.bytes]) + [0, 0, 0, 99]) == [one])
    }

    @Test("other types are skipped, and truths are numbers")
    func types() {
        let bytes: [UInt8] = string("/a") + string(",tbTFNi") + [0, 0, 0, 0, 0, 0, 0, 1]
        let rest: [UInt8] = [0, 0, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 7]
        #expect(messages(bytes + rest) == [OSCMessage("/a", .other, .other, .int(1), .int(0), .other, .int(7))])
    }

    @Test("long integers and doubles are numbers; a long one beyond 32 bits is none")
    func longTypes() {
        func message(_ type: String, _ bits: UInt64) -> [OSCMessage.Argument]? {
            let value: [UInt8] = withUnsafeBytes(of: bits.bigEndian, Array.init)
            return messages(string("/a") + string(",\(type)") + value).first?.arguments
        }
        #expect(message("h", 7) == [.int(7)] && message("h", UInt64(bitPattern: -7)) == [.int(-7)])
        #expect(message("h", 1 << 31) == [.other])
        #expect(
            message("d", (0.7).bitPattern) == [.float(0.7)] && message("d", Double.nan.bitPattern)?[0].number == nil)
    }

    @Test("the elements of arrays are arguments; brackets without their pair are malformed")
    func arrays() {
        func message(_ types: String) -> [OSCMessage] {
            let numbers: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 2]
            return messages(string("/a") + string(types) + numbers)
        }
        for types in [",[ii]", ",[i]i", ",i[i]", ",[[i]i]", ",ii[]"] {
            #expect(message(types) == [OSCMessage("/a", .int(1), .int(2))], "\(types)")
        }
        for types in [",[ii", ",ii]", ",i]i["] { #expect(message(types).isEmpty, "\(types)") }
    }

    @Test("what is malformed is no message")
    func malformed() {
        let whole = OSCMessage("/grid/led/set", .int(1), .string("two"), .float(3)).bytes
        for size in 0..<whole.count {
            // Sixteen bytes are the address alone: old senders leave the types out.
            let expected = size == 16 ? [OSCMessage("/grid/led/set")] : []
            #expect(messages(Array(whole.prefix(size))) == expected, "\(size)")
        }
        #expect(messages(string("grid")).isEmpty)
        #expect(messages([0x2f, 0xff, 0, 0]).isEmpty)
        #expect(messages(string("/a") + string(",x")).isEmpty)
        #expect(messages(string("/a") + string(",b") + [0xff, 0xff, 0xff, 0xfc]).isEmpty)
    }

    @Test("random messages come back")
    func random() {
        var random = SplitMix(seed: 3)
        for _ in 0..<1000 {
            var arguments: [OSCMessage.Argument] = []
            for _ in 0..<Int.random(in: 0..<70, using: &random) {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: arguments.append(.int(Int32.random(in: .min ... .max, using: &random)))
                case 1: arguments.append(.float(Float.random(in: -1e9...1e9, using: &random)))
                default: arguments.append(.string(String(repeating: "é", count: Int.random(in: 0..<9, using: &random))))
                }
            }
            let message = OSCMessage("/x", arguments)
            #expect(messages(message.bytes) == [message] && message.bytes.count % 4 == 0)
        }
    }

    @Test("numbers that are none are refused")
    func numbers() {
        #expect(OSCMessage.Argument.float(.nan).integer == nil && OSCMessage.Argument.float(.infinity).number == nil)
        #expect(OSCMessage.Argument.float(1e30).integer == nil && OSCMessage.Argument.float(-2.9).integer == -3)
        #expect(OSCMessage.Argument.float(0.7).integer == 1 && OSCMessage.Argument.float(0.2).integer == 0)
    }
}
