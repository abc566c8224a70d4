import Testing

@testable import Instrument

extension Player {
    /// The row of the bar of scene `slot`.
    static func row(_ slot: Int) -> Float { [2, 4, 7, 9, 12, 14, 17, 19][slot] }

    mutating func tapScene(_ slot: Int) { tap(.scene(slot)) }

    mutating func holdScene(_ slot: Int, _ held: Int64) { tap(.scene(slot), held: held) }

    var scene: Int? { instrument.state.scene }
    var queued: Int? { instrument.state.songPlay.queuedScene }

    /// The tempos of the scenes, 0 for none.
    var tempos: [Int] { (0..<8).map { instrument.state.session.composition[scene: $0]?.tempo.whole ?? 0 } }

    /// A box with scenes of these tempos, 0 for none; the first of them plays.
    static func withScenes(_ tempos: [Int], playing scene: Int? = 0) -> Player {
        var player = Player()
        let patterns = tempos.map { tempo -> Pattern? in
            var pattern = Pattern()
            pattern.tempo = Tempo(tempo)
            return tempo == 0 ? nil : pattern
        }
        let played = scene.flatMap { patterns[$0] } ?? Pattern()
        player.instrument.load(
            Session(Composition(pattern: played, scenes: Scenes(patterns, current: scene))))
        return player
    }
}
