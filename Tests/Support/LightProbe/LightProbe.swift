import Devices
import Display
import Foundation
import InputEvents
import Panel
import Runtime
import TestSupport

/// Sends random pictures to a wall at this machine, and writes each as it should arrive:
/// LightProbe PROTOCOL PORT UNIVERSE COLUMNS ROWS PICTURES SEED FILE
@main
enum LightProbe {
    static func main() throws {
        let words = CommandLine.arguments
        var wall = Wall()
        guard words.count == 9, let transport = LightProtocol(rawValue: words[1]), let columns = Int(words[4]),
            let rows = Int(words[5]), let pictures = Int(words[6]), let seed = UInt64(words[7])
        else {
            print("usage: LightProbe PROTOCOL PORT UNIVERSE COLUMNS ROWS PICTURES SEED FILE")
            exit(64)
        }
        (wall.transport, wall.address, wall.port, wall.universe) = (
            transport, "127.0.0.1", Int(words[2]), Int(words[3])
        )
        (wall.columns, wall.rows) = (columns, rows)
        let panel = PanelConfiguration()
        let clock = try SystemClock()
        guard let sender = try WallSender([wall], panel, name: "LightProbe", clock: clock) else { exit(69) }
        let driver = try PanelDriver(panel)
        var expected = try WallPicture(wall, panelColumns: panel.columns)
        var random = SplitMix(seed: seed)
        var sent: [UInt8] = []
        let interval = Instant.Span(microseconds: 1_000_000 / Int64(transport.rateMax))
        var due = clock.now
        for _ in 0..<pictures {
            let picture = (0..<panel.columns * PanelConfiguration.rows).map { _ in
                RGB(UInt32.random(in: 0...0xff_ffff, using: &random))
            }
            expected.draw(picture)
            sent += expected.bytes
            while clock.now < due { clock.wait(until: due) }
            due = due + interval
            sender.show(picture, by: driver)
        }
        while clock.now < due { clock.wait(until: due) }
        let status = sender.statuses[0]
        sender.stop()
        try Data(sent).write(to: URL(fileURLWithPath: words[8]))
        print("\(status.pictures) pictures, \(status.lost) packets lost, \(status.problem ?? "no problem")")
    }
}
