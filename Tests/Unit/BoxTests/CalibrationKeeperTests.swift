import Dispatch
import Formats
import Foundation
import Instrument
import Synchronization
import Testing

@testable import Box

@Suite("Keeping a calibration made on the panel")
final class CalibrationKeeperTests {
    private let folder = NSTemporaryDirectory() + "pixelboop-matrix-\(UUID().uuidString)"
    private let matrix = [0.0, 1, 0, -1, 0, 1]

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Keeps the matrix; returns the events of it, waiting for one if it `fails`.
    private func keep(_ configuration: Configuration, _ file: CalibrationFile) -> [Instrument.Event] {
        let events = Mutex<[Instrument.Event]>([])
        let keeper = CalibrationKeeper(file, configuration) { event in events.withLock { $0.append(event) } }
        keeper.keep(matrix)
        keeper.finish()
        return events.withLock(\.self)
    }

    @Test("the matrix is in the state folder, and the next start uses it")
    func kept() throws {
        let configuration = Configuration()
        let file = CalibrationFile.state(folder: folder)
        #expect(keep(configuration, file) == [])
        #expect(try file.document() != nil)
        #expect(file.calibrated(configuration).touch.overlays[0].settings.matrix == matrix)
    }

    @Test("of several overlays it is not known which was tapped: nothing is kept, and the panel says so")
    func several() throws {
        var configuration = Configuration()
        configuration.touch.overlays.append(configuration.touch.overlays[0])
        let file = CalibrationFile.state(folder: folder)
        #expect(keep(configuration, file) == [.notice(.calibrationNotKept)])
        #expect(try file.document() == nil)
    }

    @Test("a folder that cannot be made is reported on the panel")
    func noFolder() throws {
        try Data().write(to: URL(fileURLWithPath: folder))
        let file = CalibrationFile.state(folder: folder + "/below")
        #expect(keep(Configuration(), file) == [.notice(.calibrationNotKept)])
    }
}
