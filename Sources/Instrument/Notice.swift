/// Something that the box says of itself, in few letters.
public enum Notice: Hashable, Sendable {
    /// What is played is not kept, for there is no room.
    case diskFull
    /// What is played is not kept, for some other reason.
    case notSaved
    /// It is kept again.
    case savedAgain
    /// The library was damaged, and a new one has been begun.
    case libraryDamaged
    /// So many patterns were taken in.
    case imported(Int)
    /// So many patterns were written out.
    case exported(Int)
    /// That did not work.
    case exchangeFailed
    /// The disk or the stick has not answered for a minute; nothing more can be asked of it until it does.
    case busy
    /// Something that was asked of the library did not work.
    case libraryFailed
    /// How the overlay lies on the panel is known.
    case calibrated
    /// It is not: the taps did not fit, or did not come.
    case notCalibrated
    /// It is, but could not be kept for the next time.
    case calibrationNotKept

    /// The words on the panel.
    public var text: String {
        switch self {
        case .diskFull: "DISK FULL"
        case .notSaved: "NOT SAVED"
        case .savedAgain: "SAVED AGAIN"
        case .libraryDamaged: "LIB DAMAGED"
        case .imported(0): "NOTHING NEW"
        case .imported(let count): "\(count) IN"
        case .exported(let count): "\(count) OUT"
        case .exchangeFailed: "USB FAILED"
        case .busy: "STILL BUSY"
        case .libraryFailed: "LIB FAILED"
        case .calibrated: "TOUCH SET"
        case .notCalibrated: "TOUCH NOT SET"
        case .calibrationNotKept: "NOT KEPT"
        }
    }

    /// Whether what is played is in danger from now on, or no longer; nil for neither.
    var warns: Bool? {
        switch self {
        case .diskFull, .notSaved: true
        case .savedAgain: false
        case .libraryDamaged, .imported, .exported, .exchangeFailed, .busy, .libraryFailed, .calibrated, .notCalibrated,
            .calibrationNotKept:
            nil
        }
    }
}
