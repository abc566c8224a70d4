extension LEDChip {
    /// SK6812RGBW (its datasheet): SK6812 with a white LED, which shows what the three colours have in common.
    public static let sk6812RGBW = PulseTrain.chip("SK6812RGBW", hasWhite: true)
}
