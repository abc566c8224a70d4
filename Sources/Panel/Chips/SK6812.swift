extension LEDChip {
    /// SK6812 (its datasheet): driven as WS2812B is. Its reset is 80 µs, so the 300 µs of WS2812B are more than enough.
    public static let sk6812 = PulseTrain.chip("SK6812", hasWhite: false)
}
