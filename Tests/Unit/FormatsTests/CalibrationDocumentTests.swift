import Documents
import Formats
import Testing

@Suite("Calibration documents")
struct CalibrationDocumentTests {
    private let turned: [Double] = [-1, 0, 1, 0, -1, 1]
    private let shifted: [Double] = [1, 0, 0.1, 0, 1, 0]

    private func configuration(_ text: String) throws -> Configuration { try Configuration(parsing: Array(text.utf8)) }

    @Test("a calibration applies while the configuration has the device and matrix with which it was made")
    func applies() throws {
        let before = try configuration("{touch: {device: 'a'}}")
        var document = CalibrationDocument()
        document.set(turned, overlay: 0, of: before.touch)
        #expect(before.calibrated(by: document).touch.overlays[0].settings.matrix == turned)
        for other in ["{touch: {device: 'b'}}", "{touch: {device: 'a', matrix: [1, 0, 0.1, 0, 1, 0]}}"] {
            let changed = try configuration(other)
            #expect(changed.calibrated(by: document) == changed)
        }
        // No other key matters.
        let filtered = try configuration("{touch: {device: 'a', jitter: 0.5}, listen: '127.0.0.1:1'}")
        #expect(filtered.calibrated(by: document).touch.overlays[0].settings.matrix == turned)
    }

    @Test("each overlay has its own, the newest; a removed overlay has none")
    func several() throws {
        let two = try configuration("{touch: {overlays: [{device: 'a'}, {device: 'b'}]}}")
        var document = CalibrationDocument()
        for matrix in [shifted, turned] { document.set(matrix, overlay: 1, of: two.touch) }
        document.set(shifted, overlay: 0, of: two.touch)
        #expect(two.calibrated(by: document).touch.overlays.map(\.settings.matrix) == [shifted, turned])
        let one = try configuration("{touch: {overlays: [{device: 'a'}]}}")
        #expect(one.calibrated(by: document).touch.overlays.map(\.settings.matrix) == [shifted])
    }

    @Test("a written document reads back equal")
    func writing() throws {
        let two = try configuration("{touch: {overlays: [{}, {device: 'b'}, {device: 'none'}]}}")
        var document = CalibrationDocument()
        for number in 0..<3 { document.set([0.1, -1.25, 1e-6, 1, 1.0 / 3, 0], overlay: number, of: two.touch) }
        let again = try CalibrationDocument(parsing: Array(document.text.utf8))
        #expect(again == document && two.calibrated(by: again) == two.calibrated(by: document))
    }

    @Test(
        "an invalid calibration is rejected with its place",
        arguments: [
            ("", "line 1"), ("[]", "is a list, should be an object"), ("{}", "overlays: is missing"),
            (#"{"overlays": [], "more": 1}"#, "more: is not a key"),
            (#"{"overlays": [{"overlay": 8}]}"#, "overlays[0].overlay: is 8, should be a whole number from 0 to 7"),
            (#"{"overlays": [{"overlay": 0, "device": 7}]}"#, "overlays[0].device: is a number"),
            (
                #"{"overlays": [{"overlay": 0, "device": null, "configured": [1, 0, 0, 0, 1, 0], "matrix": [1]}]}"#,
                "overlays[0].matrix: has 1 elements, should have 6"
            ),
            (
                #"{"overlays": [{"overlay": 0, "device": null, "configured": [0, 0, 0, 0, 0, 0], "matrix": [1]}]}"#,
                "overlays[0].configured: maps the overlay to a line"
            ),
        ])
    func refused(text: String, says: String) {
        do throws(FormatError) {
            _ = try CalibrationDocument(parsing: Array(text.utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains(says))
        }
    }
}
