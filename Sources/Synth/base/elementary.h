// The elementary functions that sound design needs, in double precision from basic arithmetic. The C library's
// functions differ in the last bit between machines; the sound must not. All are constexpr and accurate within a few
// ulp over the given ranges.

#ifndef PIXELBOOP_SYNTH_ELEMENTARY_H
#define PIXELBOOP_SYNTH_ELEMENTARY_H

#include <cstdint>

namespace synth {

constexpr double kPi = 3.14159265358979323846;
constexpr double kLogarithmOf2 = 0.69314718055994530942;

// Sine of `x` in -pi/2...pi/2: Taylor's series to x^23 (the next term is below 1e-21).
constexpr double Sine(double x)
{
    double sum = 1.0;
    for (int n = 22; n >= 2; n -= 2) {
        sum = 1.0 - x * x / (n * (n + 1.0)) * sum;
    }
    return x * sum;
}

// Tangent of `x` in 0..<pi/2.
constexpr double Tangent(double x)
{
    return Sine(x) / Sine(kPi / 2.0 - x);
}

// Natural logarithm of `x` > 0: powers of two are removed exactly, the rest is 2 atanh((x - 1) / (x + 1)).
constexpr double Logarithm(double x)
{
    double result = 0.0;
    for (; x > 1.5; x *= 0.5) {
        result += kLogarithmOf2;
    }
    for (; x < 0.75; x *= 2.0) {
        result -= kLogarithmOf2;
    }
    const double y = (x - 1.0) / (x + 1.0);  // |y| <= 0.2, and 0.2^28 is below 1e-19
    double sum = 0.0;
    for (int n = 27; n >= 1; n -= 2) {
        sum = sum * y * y + 1.0 / n;
    }
    return result + 2.0 * y * sum;
}

constexpr double BinaryLogarithm(double x)
{
    return Logarithm(x) / Logarithm(2.0);
}

// 2 to the power `x` in -30...30: the octaves exactly, the rest by the exponential series (0.35^15 / 15! is below
// 1e-18).
constexpr double PowerOfTwo(double x)
{
    const int32_t octaves = static_cast<int32_t>(x < 0.0 ? x - 0.5 : x + 0.5);
    const double y = (x - octaves) * kLogarithmOf2;
    double sum = 1.0;
    for (int n = 15; n >= 1; --n) {
        sum = 1.0 + y / n * sum;
    }
    return octaves < 0 ? sum / (1u << -octaves) : sum * (1u << octaves);
}

// 1 - exp(-x) for `x` up to 0.5, without the cancellation of the direct formula.
constexpr double OneMinusExp(double x)
{
    double sum = 1.0;
    for (int n = 16; n >= 2; --n) {
        sum = 1.0 - x / n * sum;
    }
    return x * sum;
}

// `base` to an integer power, by squaring.
constexpr double Power(double base, uint32_t exponent)
{
    double result = 1.0;
    for (; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0) {
            result *= base;
        }
        base *= base;
    }
    return result;
}

// Frequency in hertz of MIDI note 0 to 127; A4 (69) is 440.
constexpr double MidiHertz(uint32_t note)
{
    constexpr double kSemitone = 1.05946309435929526456;  // 2^(1/12)
    constexpr double kNote0 = 440.0 / 32.0 / 1.68179283050742908606;  // A4, five octaves and 9 semitones down
    return kNote0 * static_cast<double>(1u << (note / 12)) * Power(kSemitone, note % 12);
}

// A time in milliseconds as frames, rounded.
constexpr uint32_t Frames(double milliseconds, uint32_t rate)
{
    return static_cast<uint32_t>(milliseconds * rate / 1000.0 + 0.5);
}

}  // namespace synth

#endif
