import Input
import Panel
import Synchronization
import TestTags
import Testing

@testable import Devices

@Suite("Touches on a screen", .tags(.live))
struct ScreenTouchTests {
    /// 44 × 24 LEDs of ten pixels on 440 × 300, in the middle of its height.
    private static func matrix(_ rotation: PanelConfiguration.Rotation) -> [Double]? {
        ScreenLayout(width: 440, height: 300, columns: 44, rotation: rotation)?.touchMatrix
    }

    @Test("a touch is at the LED under it, in the margin nothing, and follows another mode")
    func touches() {
        let matrix = SharedMatrix(Self.matrix(.none))
        let rig = OverlayBench(screenMatrix: { matrix.value.withLock { $0 } })
        let device = rig.bench.plug(0, .overlay())
        // 4400 × 2400 units: 350 of them are pixel 35, 840 pixel 105, in the row from 100 to 110.
        report(device, [.axis(InputCode.trackingID, 5), .axis(InputCode.positionX, 350)])
        report(device, [.axis(InputCode.positionY, 840), .key(InputCode.touch, 1)])
        rig.read(at: 0)
        #expect(rig.down == [[300, 700]])
        report(device, lift(0), at: 1000)
        rig.read(at: 1)
        #expect(rig.phases == [.down, .up])
        // Six pixels from the top there is no LED.
        report(device, finger(0, 6, 3, 0) + [.key(InputCode.touch, 1)], at: 2000)
        rig.read(at: 2)
        #expect(rig.phases == [.down, .up])
        report(device, lift(0), at: 3000)
        rig.read(at: 3)
        matrix.value.withLock { $0 = Self.matrix(.half) }
        rig.read(at: 4)
        let landing: [Value] = [.axis(InputCode.trackingID, 7), .axis(InputCode.positionX, 350)]
        report(device, landing + [.axis(InputCode.positionY, 840), .key(InputCode.touch, 1)], at: 5000)
        rig.read(at: 5)
        #expect(rig.down == [[4000, 1600]])
    }

    @Test("a finger that is down when the mode changes is cancelled, and lands where it is then")
    func down() {
        let matrix = SharedMatrix(Self.matrix(.none))
        let rig = OverlayBench(screenMatrix: { matrix.value.withLock { $0 } })
        let device = rig.bench.plug(0, .overlay())
        report(device, [.axis(InputCode.trackingID, 5), .axis(InputCode.positionX, 350)])
        report(device, [.axis(InputCode.positionY, 840), .key(InputCode.touch, 1)])
        rig.read(at: 0)
        matrix.value.withLock { $0 = Self.matrix(.half) }
        rig.read(at: 1)
        #expect(rig.phases == [.down, .cancel, .down])
        #expect(rig.down == [[4000, 1600]])
    }

    @Test("an overlay's own matrix is used before the screen's")
    func calibrated() {
        var settings = OverlaySettings()
        settings.matrix = [1, 0, 0, 0, 0.5, 0]
        let rig = OverlayBench([.init(.any, settings: settings)], screenMatrix: { Self.matrix(.none) })
        let device = rig.bench.plug(0, .overlay())
        report(device, [.axis(InputCode.trackingID, 5), .axis(InputCode.positionX, 350)])
        report(device, [.axis(InputCode.positionY, 1700), .key(InputCode.touch, 1)])
        rig.read(at: 0)
        #expect(rig.down == [[300, 800]])
    }
}

private final class SharedMatrix: Sendable {
    let value: Mutex<[Double]?>

    init(_ value: [Double]?) { self.value = Mutex(value) }
}
