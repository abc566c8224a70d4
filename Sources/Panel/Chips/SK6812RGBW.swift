extension LEDChip {
    /// SK6812RGBW (datasheet): SK6812 with a white LED, which shows the common part of the three colours.
    public static let sk6812RGBW = PulseTrain.chip("SK6812RGBW", hasWhite: true)
}
