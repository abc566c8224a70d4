import TestSupport
import Testing

@testable import Instrument

@Suite("Undo, redo and scenes")
struct SceneHistoryTests {
    @Test("undo reverts an edit in any scene, and stays in the playing scene")
    func undo() {
        var player = Player.withScenes([100, 110, 0])
        player.send(.key(.faster))
        player.tapScene(1)
        player.send(.key(.slower))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.scene == 1)
        #expect(player.tempos == [100, 110, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tempos == [105, 110, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tempos == [105, 105, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.tooltip == "REDO BPM")
    }

    @Test("after undo removes the playing scene its pattern plays on outside the scenes; redo restores it")
    func undoneScene() {
        var player = Player.withScenes([100, 0, 0])
        player.holdScene(1, 650)
        player.tapScene(1)
        player.send(.key(.faster))
        player.send(.key(.undo))
        player.send(.key(.undo))
        #expect(player.scene == nil)
        #expect(player.pattern.tempo == 100)
        #expect(player.tempos == [100, 0, 0, 0, 0, 0, 0, 0])
        player.send(.key(.redo))
        #expect(player.scene == 1)
        player.send(.key(.redo))
        #expect(player.tempos == [100, 105, 0, 0, 0, 0, 0, 0])
    }

    @Test("undo of the first copy, and of clearing, restores the previous state")
    func undoneCopy() {
        var player = Player()
        player.holdScene(3, 650)
        player.send(.key(.undo))
        #expect(player.scene == nil)
        #expect(player.instrument.state.session.composition.scenes.isEmpty)
        player.send(.key(.redo))
        #expect(player.scene == 3)
        player.holdScene(3, 1250)
        #expect(player.scene == nil)
        player.send(.key(.undo))
        #expect(player.scene == 3)
        #expect(player.tempos == [0, 0, 0, 120, 0, 0, 0, 0])
    }

    /// Scenes as a list of tempos, enough to distinguish them, with undo as whole copies.
    private struct Model {
        struct Music: Equatable {
            var scenes = [Int](repeating: 0, count: 8)
            var loose = 120
            var scene: Int?

            var played: Int {
                get { scene.map { scenes[$0] } ?? loose }
                set { if let scene { scenes[scene] = newValue } else { loose = newValue } }
            }
        }

        var music = Music()
        var past: [Music] = []
        var future: [Music] = []

        mutating func act(_ change: (inout Music) -> Void) {
            let before = music
            change(&music)
            guard music.scenes != before.scenes || music.played != before.played || music.scene != before.scene else {
                return
            }
            past.append(before)
            if past.count > 50 { past.removeFirst() }
            future = []
        }

        /// `there` as seen from the current scene.
        private func staying(_ there: Music) -> Music {
            var next = there
            if next.scene == music.scene { return next }
            if let scene = music.scene, there.scenes[scene] != 0 {
                next.scene = scene
            } else if music.scene != nil || there.played != music.played {
                next.scene = nil
                next.loose = music.played
            }
            return next
        }

        func looksLike(_ other: Music) -> Bool {
            music.scenes == other.scenes && music.scene == other.scene && music.played == other.played
        }

        mutating func undo() {
            let present = music
            repeat {
                guard let there = past.popLast() else { return }
                future.append(music)
                music = staying(there)
            } while looksLike(present)
        }

        mutating func redo() {
            let present = music
            repeat {
                guard let there = future.popLast() else { return }
                past.append(music)
                music = staying(there)
            } while looksLike(present)
        }
    }

    @Test(
        "no edit is lost or lands in another scene, for any actions in any order",
        arguments: 1...30 as ClosedRange<UInt64>)
    func byChance(number: UInt64) {
        let seed = number &* 0x9e37
        var random = SplitMix(seed: seed)
        var player = Player()
        var model = Model()
        for _ in 0..<150 {
            let slot = Int.random(in: 0..<4, using: &random)
            let isPlaying = player.instrument.state.isPlaying
            let isFilled = model.music.scenes[slot] != 0
            switch Int.random(in: 0..<12, using: &random) {
            case 0...3:
                let step = Bool.random(using: &random) ? 1 : -1
                player.send(.turn(.tempo, by: step))
                // Consecutive turns are one undo step.
                player.wait(2500)
                model.act { $0.played = min(200, max(60, $0.played + step)) }
            case 4, 5:
                player.tapScene(slot)
                // An empty scene is begun with an empty pattern of the same tempo.
                let begins = !isFilled && model.music.scene != nil
                if begins { model.act { $0.scenes[slot] = $0.played } }
                if !isPlaying, isFilled || begins { model.music.scene = slot }
            case 6:
                guard let upcoming = player.instrument.state.upcomingScene else { continue }
                #expect(model.music.scenes[upcoming.slot] != 0, "seed \(seed)")
                player.send(.sceneBegan(upcoming.slot))
                model.music.scene = upcoming.slot
            case 7:
                player.holdScene(slot, 1300)
                model.act {
                    if slot == $0.scene {
                        $0.loose = $0.played
                        $0.scenes[slot] = 0
                        $0.scene = nil
                    } else {
                        $0.scenes[slot] = $0.played
                        if $0.scene == nil { $0.scene = slot }
                    }
                }
            case 8, 9:
                player.send(.key(.undo))
                model.undo()
            case 10:
                player.send(.key(.redo))
                model.redo()
            default:
                player.send(.key(.playStop))
                if Bool.random(using: &random) { player.tap(.chain) }
            }
            #expect(player.tempos == model.music.scenes, "seed \(seed)")
            #expect(player.scene == model.music.scene, "seed \(seed)")
            #expect(player.pattern.tempo == Tempo(model.music.played), "seed \(seed)")
            if player.tempos != model.music.scenes || player.scene != model.music.scene { return }
        }
    }
}
