import CGPIO
import Instrument

extension GPIOControls {
    /// What is wired to which line.
    public struct Wiring: Hashable, Sendable {
        /// The chip's label, name or path; nil for a Raspberry Pi's header.
        public var chip: String?
        /// Play and stop.
        public var play: Button?
        /// Held, gives the others their second meaning.
        public var shift: Button?
        /// Asks whether to switch off; held for ten seconds it does so.
        public var power: Button?
        /// The tempo's knob.
        public var tempo: Encoder?
        /// The volume's knob.
        public var volume: Encoder?
        /// So long the contacts of a button bounce at most.
        public var debounce = Instant.Span.milliseconds(5)
        /// Transitions of a knob's contacts from one detent to the next: 1, 2 or 4.
        public var transitionsPerDetent = 4

        /// Nothing wired.
        public init() {}

        /// Nothing is wired.
        public var isEmpty: Bool { [play, shift, power].allSatisfy { $0 == nil } && tempo == nil && volume == nil }
    }

    /// A button.
    public struct Button: Hashable, Sendable {
        /// Its line.
        public var line: GPIOLine
        /// It closes to ground, and the line is pulled up; else to the supply, and it is pulled down.
        public var isActiveLow: Bool

        /// A button on `line`.
        public init(_ line: GPIOLine, isActiveLow: Bool = true) {
            self.line = line
            self.isActiveLow = isActiveLow
        }
    }

    /// A knob that turns without end, with two contacts that close to ground.
    public struct Encoder: Hashable, Sendable {
        /// The contact that changes first when it is turned clockwise.
        public var a: GPIOLine
        /// The other contact.
        public var b: GPIOLine

        /// A knob on two lines.
        public init(a: GPIOLine, b: GPIOLine) {
            self.a = a
            self.b = b
        }
    }
}

extension GPIOControls.Wiring {
    /// The knobs that are wired.
    var knobs: [(knob: Knob, role: String, encoder: GPIOControls.Encoder)] {
        [(.tempo, "tempo", tempo), (.volume, "volume", volume)].compactMap { knob, role, encoder in
            encoder.map { (knob, role, $0) }
        }
    }

    /// The lines that are wired, and what stands at each.
    var wishes: [(input: GPIOControls.Input, wish: GPIOWish)] {
        // Play and shift are to act at once. What switches the box off may wait to be sure that it is no spike.
        let buttons: [(input: GPIOControls.Input, role: String, button: GPIOControls.Button?, debounce: Instant.Span)] =
            [
                (.play, "play", play, .milliseconds(0)), (.shift, "shift", shift, .milliseconds(0)),
                (.power, "power", power, debounce),
            ]
        let pressed = buttons.compactMap { input, role, button, debounce in
            button.map { button in
                let bias = button.isActiveLow ? gpio_bias_pull_up : gpio_bias_pull_down
                return (
                    input,
                    GPIOWish(
                        role: role, line: button.line, isActiveLow: button.isActiveLow, bias: bias, debounce: debounce)
                )
            }
        }
        let turned = knobs.enumerated().flatMap { number, knob in
            [(true, knob.encoder.a), (false, knob.encoder.b)].map { isA, line in
                (
                    GPIOControls.Input.contact(knob: number, isA: isA),
                    GPIOWish(role: "\(knob.role)[\(isA ? 0 : 1)]", line: line, bias: gpio_bias_pull_up)
                )
            }
        }
        return pressed + turned
    }
}
