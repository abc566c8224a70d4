extension LEDChip {
    /// SK6812 (its datasheet): driven as WS2812B is. Its reset is 80 µs, so the 300 µs of WS2812B are more than enough.
    public static let sk6812 = LEDChip(
        "SK6812", colourOrder: "GRB", bitsPerChannel: 8, lightSteps: 255,
        resetMicroseconds: PulseTrain.resetMicroseconds, forms: PulseTrain.forms(hasWhite: false))
}
