import CMath

/// `base` to the power of `exponent`. Calls `pow`.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
