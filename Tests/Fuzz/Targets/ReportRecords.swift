import Instrument
import Input

/// Reports in the fuzzer's format: four bytes each, in which most values are meaningful.
enum ReportRecord {
    /// A report of a device.
    case report(type: UInt16, code: UInt16, value: Int32)
    /// Switches to the other device.
    case otherDevice
    /// The device is unplugged and plugged in again.
    case replug
    /// Time passes without reports.
    case wait

    static let size = 4

    private enum Kind {
        case report(UInt16, UInt16)
        case otherDevice, replug, wait
    }

    /// Kinds by the first byte, repeated: ends of packets, slots, contacts and positions are the most frequent.
    private static let kinds: [Kind] = [
        .report(InputCode.synchronisation, InputCode.report), .report(InputCode.absolute, InputCode.slot),
        .report(InputCode.absolute, InputCode.trackingID), .report(InputCode.absolute, InputCode.positionX),
        .report(InputCode.absolute, InputCode.positionY), .report(InputCode.key, InputCode.touch),
        .report(InputCode.synchronisation, InputCode.dropped),
        .report(InputCode.synchronisation, InputCode.contactReport), .report(InputCode.absolute, InputCode.toolType),
        .report(InputCode.absolute, InputCode.contactDistance), .report(InputCode.absolute, InputCode.x),
        .report(InputCode.absolute, InputCode.y), .report(InputCode.absolute, InputCode.distance), .otherDevice,
        .replug, .wait,
    ]

    /// The meaning of the lowest three bits of the second byte for the value, which is in the last two.
    private enum Form: UInt8 {
        case none, zero, one, byte, signed, part, high, contact
    }

    /// The record in `bytes`, with the axes' ranges `axes`, and the milliseconds before it.
    static func parse(_ bytes: ArraySlice<UInt8>, _ axes: TouchAxes) -> (record: ReportRecord, after: Int64) {
        let start = bytes.startIndex
        let number = UInt16(bytes[start + 2]) | UInt16(bytes[start + 3]) << 8
        let after = Int64(bytes[start + 1] >> 3)
        switch kinds[Int(bytes[start]) % kinds.count] {
        case .otherDevice: return (.otherDevice, after)
        case .replug: return (.replug, after)
        case .wait: return (.wait, Int64(number))
        case .report(let type, let code):
            let range = code == InputCode.positionY || code == InputCode.y ? axes.y : axes.x
            let value: Int32 =
                switch Form(rawValue: bytes[start + 1] & 7) ?? .none {
                case .none: -1
                case .zero: 0
                case .one: 1
                case .byte: Int32(number & 0xff)
                case .signed: Int32(Int16(bitPattern: number))
                case .part: part(number, of: range)
                case .high: Int32(bitPattern: UInt32(number) << 16)
                case .contact: Int32(number & 15)
                }
            return (.report(type: type, code: code, value: value), after)
        }
    }

    private static func part(_ number: UInt16, of range: ClosedRange<Int32>) -> Int32 {
        let extent = Int64(range.upperBound) - Int64(range.lowerBound)
        return Int32(Int64(range.lowerBound) + extent * Int64(number) / 0xffff)
    }

    /// The record of `report` as bytes, approximately; nil for a code without a record.
    static func bytes(of report: InputReport, _ axes: TouchAxes, after milliseconds: Int64) -> [UInt8]? {
        let index = kinds.firstIndex { kind in
            guard case .report(let type, let code) = kind else { return false }
            return type == report.type && code == report.code
        }
        guard let index else { return nil }
        let isPlace = [InputCode.positionX, InputCode.positionY, InputCode.x, InputCode.y].contains(report.code)
        let range = report.code == InputCode.positionY || report.code == InputCode.y ? axes.y : axes.x
        let form: Form
        let number: UInt16
        if isPlace, report.type == InputCode.absolute {
            let extent = Int64(range.upperBound) - Int64(range.lowerBound)
            form = .part
            number = UInt16(clamping: (Int64(report.value) - Int64(range.lowerBound)) * 0xffff / extent)
        } else {
            form = report.value == -1 ? .none : .signed
            number = UInt16(truncatingIfNeeded: report.value) & 0x7fff
        }
        let after = UInt8(clamping: min(milliseconds, 31)) << 3
        return [UInt8(index), form.rawValue | after, UInt8(number & 0xff), UInt8(number >> 8)]
    }
}
