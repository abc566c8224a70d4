import Display
import InputEvents

extension Instrument {
    /// The box itself: its facts, its faults, and the questions that it asks.
    public struct BoxFacts: Sendable {
        /// Version, address and faults of the box.
        public private(set) var facts = Facts()
        /// The facts as lines of the about sheet.
        private(set) var aboutLines: [TextLine] = []
        /// The access point as lines of its sheet; none while it is closed.
        private(set) var accessPointLines: [TextLine] = []
        /// Whether the panel warns that music is not being saved.
        var isWarned = false
        /// The question what to do with a USB stick, while it can be answered.
        var stickPrompt: StickPrompt?
        /// When the box asked whether to switch off; nil if it does not ask.
        private(set) var powerAsked: Instant?

        /// Replaces the facts.
        mutating func replace(with facts: Facts) {
            self.facts = facts
            aboutLines = facts.lines
            accessPointLines = facts.accessPoint?.lines ?? []
        }

        /// Asks at `now` whether to switch off. Returns false if it was asked already: that is the answer.
        mutating func askPower(at now: Instant) -> Bool {
            guard powerAsked == nil else { return false }
            powerAsked = now
            return true
        }

        /// Withdraws the power-off question; returns when it was asked, nil if it was not.
        mutating func withdrawPower() -> Instant? {
            defer { powerAsked = nil }
            return powerAsked
        }

        /// Whether the power-off question has not been answered in time.
        func hasPowerExpired(at now: Instant) -> Bool { powerAsked.map { now - $0 >= Limits.powerAnswer } ?? false }

        /// Withdraws the question about the stick when its time is over.
        mutating func expireStickPrompt(at now: Instant) {
            if let prompt = stickPrompt, now - prompt.since >= StickPrompt.life { stickPrompt = nil }
        }
    }
}
