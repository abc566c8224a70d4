extension LEDChip {
    /// SK6812RGBW (its datasheet): SK6812 with a white LED, which shows what the three colours have in common.
    public static let sk6812RGBW = LEDChip(
        "SK6812RGBW", colourOrder: "GRBW", bitsPerChannel: 8, lightSteps: 255,
        resetMicroseconds: PulseTrain.resetMicroseconds, forms: PulseTrain.forms(hasWhite: true))
}
