import Testing

@testable import Instrument

@Suite("The settings sheet")
struct SettingsSheetTests {
    @Test("each switch of the settings toggles its setting, anywhere on it, at lift")
    func switches() {
        var player = atSettings
        for column in [14, 20, 26, 31] as [Float] {
            let before = player.instrument.state
            player.tap(column, 8)
            player.tap(column, 14)
            player.tap(column, 20)
            let after = player.instrument.state
            #expect(
                before.session.auditions != after.session.auditions
                    && before.session.soundsTaps != after.session.soundsTaps)
            #expect(before.session.composition.showsGhosts != after.session.composition.showsGhosts)
        }
        // Undo restores ghosts.
        #expect(player.instrument.state.session.history.past.count == 4)
    }

    @Test("volume, brightness and swing have faders; the brightness is never zero")
    func settingsFaders() {
        var player = atSettings
        for column in [1, 5, 9] as [Float] {
            player.finger(.down, column, 17)
            player.wait(3000)
            player.finger(.up, column, 17)
        }
        let state = player.instrument.state
        #expect(state.volume == 0 && state.brightness == 5 && state.session.sound[.swing] == 50)
        #expect(state.session.brightness == 5)
    }

    @Test("with TAP on a finger sounds when it lands, and not again when it lifts")
    func tapSound() {
        var player = Player()
        player.send(.tapSound(true))
        player.finger(.down, 4, 7)
        #expect(player.effects.count == 1)
        player.finger(.up, 4, 7)
        #expect(player.effects.count == 1)
        player.send(.key(.playStop))
        player.tap(4, 21)
        #expect(player.effects.count == 2)
    }

    @Test("a button starts calibration")
    func calibration() {
        var player = atSettings
        player.tap(35, 9)
        #expect(player.effects == [.calibrate])
    }
}
