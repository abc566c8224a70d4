import Devices
import Documents
import Drive
import Instrument
import Library
import Panel
import Replay
import Runtime

/// The parts of a box that its loop works with, and whose state its reporter reports.
struct BoxParts {
    let library: Library
    let panel: PanelParts
    let sound: Sound
    let inputs: Inputs

    /// The loop of `instrument` and `engine` with these parts, the events in `messages` and the session `link`. `heat`
    /// limits the panel's light.
    func loop(
        _ instrument: Instrument, _ engine: Engine, _ messages: ControlMailbox, _ link: LinkSession,
        heat: PanelConfiguration.Heat, clock: SystemClock
    ) -> Loop {
        let (view, midi) = (panel.view, panel.midi)
        let output = sound.output
        // Statements, and not one expression of sums: Swift 6.0 needs 16 s to find its types.
        var touch: [any TouchSource] = [view.overlay]
        touch += inputs.touch
        if let launchpads = midi.launchpads { touch.append(launchpads) }
        var controls: [any ControlSource] = [messages, view.keyboard, link]
        controls += inputs.keys
        controls += midi.controls
        if let lines = panel.wiring.controls { controls.append(lines) }
        controls += panel.network.controls
        let loop = Loop(
            instrument: instrument, engine: engine, audio: output, panel: panel.writer, clock: clock,
            touch: touch, controls: controls, pictures: panel.network.pictures, store: library, heat: heat)
        if let pulses = panel.wiring.pulses { loop.onPulse = { pulses.pulse(at: $0) } }
        if midi.isThere { loop.onMIDI = { midi.send($0.bytes, at: output.time(of: $0.frame)) } }
        return loop
    }

    /// Tells `control` the notes, messages and pulses of `loop`.
    func connect(_ loop: Loop, to control: ControlPort, rate: Int) {
        let (output, midi, pulse) = (sound.output, loop.onMIDI, loop.onPulse)
        loop.onNote = { frame, note, step in
            control.add(
                Happening(
                    NoteEvent(note, step: step, at: frame, rate: rate), at: output.time(of: frame), rate: rate))
        }
        loop.onMIDI = { message in
            midi?(message)
            control.add(Happening(message, at: output.time(of: message.frame)))
        }
        loop.onPulse = { time in
            pulse?(time)
            control.add(Happening(.pulse, at: time))
        }
    }
}
