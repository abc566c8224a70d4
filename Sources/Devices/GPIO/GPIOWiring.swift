import InputEvents
import CGPIO
import Instrument

extension GPIOControls {
    /// The line of each button and encoder.
    public struct Wiring: Hashable, Sendable {
        /// The chip's label, name or path; nil means a Raspberry Pi's header.
        public var chip: String?
        /// Play and stop.
        public var play: Button?
        /// While held, gives the other controls their second function.
        public var shift: Button?
        /// Asks whether to switch off; a hold of ten seconds switches off without asking.
        public var power: Button?
        /// Pulses of another instrument's clock.
        public var clockIn: Input?
        /// Its reset: the next pulse is the first.
        public var resetIn: Input?
        /// Its run line: active while it plays.
        public var runIn: Input?
        /// Fault output of the LEDs' supply.
        public var fault: Input?
        /// Encoder of the tempo.
        public var tempo: Encoder?
        /// Encoder of the volume.
        public var volume: Encoder?
        /// Maximum contact-bounce time of a button.
        public var debounce = Instant.Span.milliseconds(5)
        /// Transitions of an encoder's contacts per detent: 1, 2 or 4.
        public var transitionsPerDetent = 4

        /// Nothing wired.
        public init() {}

        /// Whether nothing is wired.
        public var isEmpty: Bool {
            [play, shift, power].allSatisfy { $0 == nil } && tempo == nil && volume == nil
                && [clockIn, resetIn, runIn, fault].allSatisfy { $0 == nil }
        }
    }

    /// A button.
    public struct Button: Hashable, Sendable {
        /// The button's line.
        public var line: GPIOLine
        /// Whether the button closes to ground, with a pull-up on the line; else to the supply, with a pull-down.
        public var isActiveLow: Bool

        /// A button on `line`.
        public init(_ line: GPIOLine, isActiveLow: Bool = true) {
            self.line = line
            self.isActiveLow = isActiveLow
        }
    }

    /// An input that another instrument drives through a buffer.
    public struct Input: Hashable, Sendable {
        /// The input's line.
        public var line: GPIOLine
        /// Whether a low level is active, as behind an inverting buffer.
        public var isActiveLow: Bool

        /// An input on `line`.
        public init(_ line: GPIOLine, isActiveLow: Bool = false) {
            self.line = line
            self.isActiveLow = isActiveLow
        }
    }

    /// A rotary encoder with two contacts that close to ground.
    public struct Encoder: Hashable, Sendable {
        /// The contact that changes first in a clockwise turn.
        public var a: GPIOLine
        /// The other contact.
        public var b: GPIOLine

        /// An encoder on two lines.
        public init(a: GPIOLine, b: GPIOLine) {
            self.a = a
            self.b = b
        }
    }
}

extension GPIOControls.Wiring {
    /// The wired encoders.
    var knobs: [(knob: Knob, role: String, encoder: GPIOControls.Encoder)] {
        [(.tempo, "tempo", tempo), (.volume, "volume", volume)].compactMap { knob, role, encoder in
            encoder.map { (knob, role, $0) }
        }
    }

    /// The wired lines, and the control on each.
    var specifications: [(input: GPIOControls.Function, specification: GPIOLineSpecification)] {
        // Play and shift act at once. The power button is debounced by the kernel too, so that a spike does not switch
        // off.
        let buttons:
            [(input: GPIOControls.Function, role: String, button: GPIOControls.Button?, debounce: Instant.Span)] =
                [
                    (.play, "play", play, .milliseconds(0)), (.shift, "shift", shift, .milliseconds(0)),
                    (.power, "power", power, debounce),
                ]
        let pressed = buttons.compactMap { input, role, button, debounce in
            button.map { button in
                let bias = button.isActiveLow ? gpio_bias_pull_up : gpio_bias_pull_down
                return (
                    input,
                    GPIOLineSpecification(
                        role: role, line: button.line, isActiveLow: button.isActiveLow, bias: bias, debounce: debounce)
                )
            }
        }
        let turned = knobs.enumerated().flatMap { number, knob in
            [(true, knob.encoder.a), (false, knob.encoder.b)].map { isA, line in
                (
                    GPIOControls.Function.contact(knob: number, isA: isA),
                    GPIOLineSpecification(role: "\(knob.role)[\(isA ? 0 : 1)]", line: line, bias: gpio_bias_pull_up)
                )
            }
        }
        // The kernel's debouncing would delay the edges.
        let driven = [
            (GPIOControls.Function.clock, "clockIn", clockIn), (.reset, "resetIn", resetIn), (.run, "runIn", runIn),
            (.fault, "fault", fault),
        ]
        .compactMap { input, role, wired in
            wired.map { wired in
                // A jack without a plug rests inactive, as does an open fault output.
                let bias = wired.isActiveLow ? gpio_bias_pull_up : gpio_bias_pull_down
                return (
                    input,
                    GPIOLineSpecification(
                        role: role, line: wired.line, isActiveLow: wired.isActiveLow, bias: bias)
                )
            }
        }
        return pressed + turned + driven
    }
}
