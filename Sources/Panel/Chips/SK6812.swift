extension LEDChip {
    /// SK6812 (datasheet): driven like WS2812B. Its reset time is 80 µs, so WS2812B's 300 µs are more than enough.
    public static let sk6812 = PulseTrain.chip("SK6812", hasWhite: false)
}
