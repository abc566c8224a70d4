extension LEDChip {
    /// SK9822 (datasheet): the wire format of APA102, but 5-bit brightness by current, and a frame is shown when the
    /// next zero word arrives.
    public static let sk9822 = BrightnessWords.chip("SK9822")
}
