/// A short message about the box's state, shown on the panel.
public enum Notice: Hashable, Sendable {
    /// Music is not being saved: the disk is full.
    case diskFull
    /// Music is not being saved, for another reason.
    case notSaved
    /// Saving works again.
    case savedAgain
    /// The library was damaged; a new one was created.
    case libraryDamaged
    /// Number of imported patterns.
    case imported(Int)
    /// Number of exported patterns.
    case exported(Int)
    /// The import or export failed.
    case exchangeFailed
    /// The disk or the USB stick has not answered for a minute; further requests are refused until it does.
    case busy
    /// A library request failed.
    case libraryFailed
    /// The take of this number is in the library.
    case tookTake(Int)
    /// A take was not kept: it would fill the disk.
    case noRoomForTake
    /// A take was not kept, for another reason.
    case takeFailed
    /// The touch overlay is calibrated.
    case calibrated
    /// Calibration failed: the taps did not fit, or did not come.
    case notCalibrated
    /// The overlay is calibrated, but the calibration could not be saved.
    case calibrationNotKept

    /// The text on the panel.
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
        case .tookTake(let number): "TAKE \(number)"
        case .noRoomForTake: "NO ROOM"
        case .takeFailed: "TAKE FAILED"
        case .calibrated: "TOUCH SET"
        case .notCalibrated: "TOUCH NOT SET"
        case .calibrationNotKept: "NOT KEPT"
        }
    }

    /// Whether a request to the library has no answer.
    var endsRequests: Bool { self == .libraryFailed || self == .busy }

    /// Whether it ends the saving of a take.
    var endsTake: Bool {
        switch self {
        case .tookTake, .noRoomForTake, .takeFailed, .busy: true
        default: false
        }
    }

    /// Whether the notice sets (true) or clears (false) the warning that music is not being saved; nil for neither.
    var warns: Bool? {
        switch self {
        case .diskFull, .notSaved: true
        case .savedAgain: false
        case .libraryDamaged, .imported, .exported, .exchangeFailed, .busy, .libraryFailed, .tookTake, .noRoomForTake,
            .takeFailed, .calibrated, .notCalibrated, .calibrationNotKept:
            nil
        }
    }
}
