import Documents

/// Calibration matrices for the entries of `touch.overlays`, in a document stored beside the library.
///
/// A matrix applies while the configuration has the same device and matrix as when it was calibrated. A later change of
/// these in the configuration takes precedence.
public struct CalibrationDocument: Hashable, Sendable {
    fileprivate var entries: [Entry] = []

    /// The calibration of one overlay.
    fileprivate struct Entry: Hashable, Sendable {
        /// Index of the entry in `touch.overlays`.
        var overlay: Int
        /// Device in the configuration.
        var device: Configuration.InputDevice
        /// Matrix in the configuration.
        var configured: [Double]
        /// Calibrated matrix.
        var matrix: [Double]

        func applies(to overlay: Configuration.TouchSettings.Overlay) -> Bool {
            overlay.device == device && overlay.settings.matrix == configured
        }
    }

    /// A document without a calibration.
    public init() {}

    /// Reads a document. Throws `FormatError` with the path of the first error.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let root = JSONField(try JSON(parsing: bytes))
        try root.only(["overlays"])
        let numbers = 0...Configuration.TouchSettings.overlaysMax - 1
        for field in try root.needed("overlays").list(counts: 0...numbers.count) {
            try field.only(["overlay", "device", "configured", "matrix"])
            entries.append(
                Entry(
                    overlay: try field.needed("overlay").integer(in: numbers),
                    device: try .init(reading: field.needed("device")),
                    configured: try field.needed("configured").overlayMatrix(),
                    matrix: try field.needed("matrix").overlayMatrix()))
        }
    }

    /// Sets the matrix of the overlay `number` of `touch`, the settings of the configuration.
    public mutating func set(_ matrix: [Double], overlay number: Int, of touch: Configuration.TouchSettings) {
        let overlay = touch.overlays[number]
        entries.removeAll { $0.overlay == number }
        entries.append(
            Entry(
                overlay: number, device: overlay.device, configured: overlay.settings.matrix, matrix: matrix))
    }

    /// The document's text.
    public var text: String {
        let overlays = entries.sorted { $0.overlay < $1.overlay }.map { entry in
            JSON.object([
                "overlay": .integer(entry.overlay), "device": entry.device.json,
                "configured": .numbers(entry.configured), "matrix": .numbers(entry.matrix),
            ])
        }
        return JSON.object(["overlays": .array(overlays)]).text(pretty: true) + "\n"
    }
}

extension Configuration {
    /// This configuration, as read from its file, with the matrices of `document` that apply to it.
    public func calibrated(by document: CalibrationDocument) -> Configuration {
        var result = self
        for entry in document.entries where touch.overlays.indices.contains(entry.overlay) {
            guard entry.applies(to: touch.overlays[entry.overlay]) else { continue }
            result.touch.overlays[entry.overlay].settings.matrix = entry.matrix
        }
        return result
    }
}
