import Glibc

// The one file of the pure targets that imports the C library, and only for mathematics; `HouseTests` checks this.

/// `base` to the power of `exponent`. Calls `pow`.
func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
