extension LEDChip {
    /// SK9822 (its datasheet): the wire of APA102, but 5-bit brightness by current, and a frame is shown when the next
    /// word of zeros arrives.
    public static let sk9822 = BrightnessWords.chip("SK9822")
}
