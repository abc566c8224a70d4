// The recipes of the drum kits as tables. Drums are numbered as in docs/spec.md, section 6.
//
// Gains are in units of kDrumVolume. A decay is the time of the exponential fall from the peak to kFloor. Times are in
// milliseconds, frequencies in hertz.

#ifndef PIXELBOOP_SYNTH_DRUM_RECIPES_H
#define PIXELBOOP_SYNTH_DRUM_RECIPES_H

#include <array>
#include <cstddef>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/waves.h"

namespace synth {

// Gain of a hit of velocity 1.
constexpr double kDrumVolume = 0.15;

constexpr uint32_t kSquares = 6;

// An oscillator with falling frequency: from `from` to `knee` in `knee_time`, then to `to` until `sweep`.
struct ToneRecipe {
    uint32_t drum;
    Wave wave;
    double from;
    double to;
    double sweep;
    double gain;
    double decay;
    double knee = 0.0;
    double knee_time = 0.0;  // 0 for no knee
};

// White noise through a filter. It stops after `length`; a shorter length than the decay lets the filter ring out.
struct NoiseRecipe {
    uint32_t drum;
    double delay;
    double length;
    double hertz;
    double q;
    float high_mix;  // 1 high-pass, 0 band-pass, between them a mix of both
    double gain;
    double decay;
    double attack = 0.0;  // linear rise before the decay
};

// Squares through a band-pass or high-pass and then a high-pass.
struct MetalRecipe {
    uint32_t drum;
    std::array<double, kSquares> squares;  // hertz; 0 for none
    double hertz;
    double q;
    float high_mix;    // 1 high-pass, 0 band-pass
    double high_pass;  // hertz of the second filter
    double gain;
    double decay;
};

// The rows of a table of any size.
template <typename Recipe>
class Rows {
  public:
    constexpr Rows() = default;

    template <size_t count>
    constexpr Rows(const std::array<Recipe, count> &rows) : first_(rows.data()), end_(rows.data() + count)
    {
    }

    constexpr const Recipe *begin() const
    {
        return first_;
    }

    constexpr const Recipe *end() const
    {
        return end_;
    }

  private:
    const Recipe *first_ = nullptr;
    const Recipe *end_ = nullptr;
};

struct KitRecipe {
    Rows<ToneRecipe> tones;
    Rows<NoiseRecipe> noises;
    Rows<MetalRecipe> metals;
    bool chokes;  // whether a hit ends the last sound of the same drum, and a closed hat the sound of an open hat
    double gain;  // of the whole kit
};

// The recipes of docs/spec.md, section 6.

inline constexpr std::array<ToneRecipe, 10> kPlainTones = {{
    {0, Wave::sine, 150.0, 30.0, 100.0, 1.5, 300.0},
    {1, Wave::sine, 120.0, 30.0, 100.0, 1.5, 300.0},
    {2, Wave::sine, 100.0, 60.0, 150.0, 1.0, 250.0},
    {3, Wave::sine, 180.0, 180.0, 0.0, 0.5, 80.0},
    {4, Wave::sine, 200.0, 200.0, 0.0, 0.5, 80.0},
    {5, Wave::triangle, 800.0, 800.0, 0.0, 0.5, 50.0},
    {10, Wave::triangle, 350.0, 350.0, 0.0, 0.25, 400.0},
    {10, Wave::sine, 620.0, 620.0, 0.0, 0.25, 400.0},
    {11, Wave::square, 560.0, 560.0, 0.0, 0.25, 150.0},
    {11, Wave::square, 845.0, 845.0, 0.0, 0.25, 150.0},
}};

inline constexpr std::array<NoiseRecipe, 8> kPlainNoises = {{
    {3, 0.0, 150.0, 1000.0, kOneDecibel, 1.0f, 0.8, 150.0},
    {4, 0.0, 150.0, 1500.0, kOneDecibel, 1.0f, 0.8, 150.0},
    {6, 0.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
    {6, 15.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
    {6, 30.0, 20.0, 1200.0, 1.0, 0.0f, 0.6, 100.0},
    {7, 0.0, 50.0, 7000.0, kOneDecibel, 1.0f, 0.4, 50.0},
    {8, 0.0, 300.0, 6000.0, kOneDecibel, 1.0f, 0.35, 250.0},
    {9, 0.0, 600.0, 4000.0, kOneDecibel, 1.0f, 0.5, 500.0},
}};

// The analogue kit, after the machines of 1980. Kick, toms, snares and rimshot are bridged-T resonators hit by a pulse,
// whose pitch is higher while the pulse lasts (Werner, Abel, Smith, "A physically-informed, circuit-bendable, digital
// model of the Roland TR-808 bass drum circuit", DAFx 2014). Hats, cymbals and cowbell filter the same six oscillators;
// four have a fixed frequency, two are trimmed to the cowbell's (the same, "The TR-808 cymbal", ICMC 2014).

constexpr std::array<double, kSquares> kCymbalSquares = {205.3, 304.4, 369.6, 522.7, 540.0, 800.0};

inline constexpr std::array<ToneRecipe, 14> kAnalogueTones = {{
    {0, Wave::sine, 260.0, 49.0, 90.0, 1.23, 620.0, 62.0, 9.0},
    {0, Wave::sine, 2600.0, 500.0, 8.0, 0.49, 18.0},
    {1, Wave::sine, 300.0, 58.0, 60.0, 1.41, 300.0, 76.0, 8.0},
    {1, Wave::sine, 3000.0, 600.0, 8.0, 0.5, 16.0},
    {2, Wave::sine, 190.0, 88.0, 110.0, 0.9, 380.0, 112.0, 10.0},
    {2, Wave::sine, 900.0, 300.0, 8.0, 0.25, 16.0},
    {3, Wave::sine, 238.0, 176.0, 40.0, 0.75, 160.0, 190.0, 6.0},
    {3, Wave::sine, 476.0, 332.0, 20.0, 0.47, 90.0},
    {4, Wave::sine, 300.0, 218.0, 40.0, 0.68, 130.0, 232.0, 6.0},
    {4, Wave::sine, 590.0, 410.0, 20.0, 0.48, 70.0},
    {5, Wave::triangle, 455.0, 455.0, 0.0, 0.58, 30.0},
    {5, Wave::triangle, 1667.0, 1667.0, 0.0, 0.78, 38.0},
    {10, Wave::sine, 3150.0, 3150.0, 0.0, 0.098, 300.0},
    {10, Wave::sine, 4730.0, 4730.0, 0.0, 0.066, 200.0},
}};

inline constexpr std::array<NoiseRecipe, 14> kAnalogueNoises = {{
    {0, 0.0, 8.0, 3000.0, 0.7, 0.0f, 0.41, 8.0},
    {1, 0.0, 8.0, 3500.0, 0.7, 0.0f, 0.35, 8.0},
    {2, 0.0, 110.0, 320.0, 0.7, 0.0f, 0.28, 110.0},
    {3, 0.0, 210.0, 1800.0, 0.6, 0.35f, 1.49, 210.0},
    {4, 0.0, 260.0, 2200.0, 0.6, 0.3f, 1.51, 260.0},
    {5, 0.0, 6.0, 4000.0, 0.8, 1.0f, 0.39, 6.0},
    // The clap's three bursts and its room.
    {6, 0.0, 12.0, 1150.0, 1.4, 0.0f, 3.63, 12.0},
    {6, 10.0, 12.0, 1150.0, 1.4, 0.0f, 3.63, 12.0},
    {6, 20.0, 12.0, 1150.0, 1.4, 0.0f, 3.63, 12.0},
    {6, 30.0, 60.0, 1150.0, 1.4, 0.0f, 4.21, 60.0},
    {6, 30.0, 260.0, 1500.0, 0.8, 0.0f, 0.95, 260.0, 4.0},
    {7, 0.0, 4.0, 8000.0, 0.8, 1.0f, 0.17, 4.0},
    {9, 0.0, 1300.0, 6500.0, 0.8, 1.0f, 0.061, 1300.0},
    {9, 0.0, 30.0, 3000.0, 0.8, 1.0f, 0.18, 30.0},
}};

inline constexpr std::array<MetalRecipe, 7> kAnalogueMetals = {{
    {7, kCymbalSquares, 8500.0, 1.2, 0.0f, 7000.0, 1.34, 60.0},
    {8, kCymbalSquares, 8500.0, 1.2, 0.0f, 7000.0, 0.95, 420.0},
    {9, kCymbalSquares, 3440.0, 1.5, 0.0f, 2500.0, 0.43, 700.0},
    {9, kCymbalSquares, 7100.0, 1.0, 0.0f, 5500.0, 0.74, 1500.0},
    {10, kCymbalSquares, 5200.0, 1.5, 0.0f, 4500.0, 0.58, 700.0},
    {11, {540.0, 800.0, 0.0, 0.0, 0.0, 0.0}, 2640.0, 1.0, 0.0f, 500.0, 0.8, 30.0},
    {11, {540.0, 800.0, 0.0, 0.0, 0.0, 0.0}, 2640.0, 0.7, 0.0f, 500.0, 0.4, 300.0},
}};

// The punchy kit, after the machines of 1983: a faster and wider sweep, clicks, more noise in the snare, brighter
// metal. Its cymbals were samples; denser squares and noise stand for them.

constexpr std::array<double, kSquares> kBrightSquares = {417.3, 587.1, 731.9, 893.7, 1046.4, 1318.2};

inline constexpr std::array<ToneRecipe, 17> kPunchyTones = {{
    {0, Wave::sine, 420.0, 52.0, 70.0, 1.55, 260.0, 110.0, 14.0},
    {0, Wave::triangle, 2400.0, 300.0, 8.0, 0.54, 14.0},
    {1, Wave::sine, 520.0, 62.0, 50.0, 1.58, 180.0, 130.0, 12.0},
    {1, Wave::triangle, 3200.0, 400.0, 6.0, 0.84, 12.0},
    {2, Wave::sine, 260.0, 92.0, 120.0, 0.98, 280.0, 140.0, 18.0},
    {2, Wave::triangle, 390.0, 150.0, 60.0, 0.29, 120.0},
    {3, Wave::sine, 400.0, 185.0, 30.0, 0.92, 120.0, 220.0, 7.0},
    {3, Wave::sine, 620.0, 330.0, 20.0, 0.58, 70.0},
    {4, Wave::sine, 460.0, 215.0, 25.0, 0.97, 100.0, 250.0, 6.0},
    {4, Wave::sine, 710.0, 380.0, 20.0, 0.61, 60.0},
    {5, Wave::triangle, 510.0, 500.0, 5.0, 0.77, 32.0},
    {5, Wave::triangle, 1020.0, 1000.0, 5.0, 0.64, 24.0},
    {5, Wave::sine, 2200.0, 2150.0, 5.0, 0.51, 18.0},
    {10, Wave::sine, 2950.0, 2950.0, 0.0, 0.084, 420.0},
    {10, Wave::sine, 4310.0, 4310.0, 0.0, 0.061, 300.0},
    {11, Wave::square, 587.0, 587.0, 0.0, 0.29, 180.0},
    {11, Wave::square, 873.0, 873.0, 0.0, 0.29, 180.0},
}};

inline constexpr std::array<NoiseRecipe, 17> kPunchyNoises = {{
    {0, 0.0, 6.0, 4000.0, 0.7, 0.0f, 0.78, 6.0},
    {1, 0.0, 6.0, 4500.0, 0.7, 0.0f, 0.84, 6.0},
    {2, 0.0, 40.0, 700.0, 0.7, 0.0f, 0.41, 40.0},
    {3, 0.0, 180.0, 1500.0, 0.6, 0.35f, 1.27, 180.0},
    {3, 0.0, 80.0, 3600.0, 0.8, 0.0f, 0.92, 80.0},
    {4, 0.0, 150.0, 2000.0, 0.6, 0.35f, 1.46, 150.0},
    {4, 0.0, 65.0, 4600.0, 0.8, 0.0f, 0.97, 65.0},
    {5, 0.0, 5.0, 5000.0, 0.8, 1.0f, 0.64, 5.0},
    {6, 0.0, 11.0, 1300.0, 1.2, 0.0f, 2.69, 11.0},
    {6, 9.0, 11.0, 1300.0, 1.2, 0.0f, 2.69, 11.0},
    {6, 19.0, 11.0, 1300.0, 1.2, 0.0f, 2.69, 11.0},
    {6, 28.0, 120.0, 1300.0, 1.2, 0.0f, 2.69, 120.0},
    {6, 28.0, 200.0, 2600.0, 0.7, 0.0f, 0.61, 200.0, 3.0},
    {7, 0.0, 55.0, 9000.0, 0.9, 1.0f, 0.27, 55.0},
    {8, 0.0, 340.0, 8500.0, 0.9, 1.0f, 0.17, 340.0},
    {9, 0.0, 1200.0, 5000.0, 0.7, 1.0f, 0.25, 1200.0},
    {10, 0.0, 500.0, 7000.0, 0.8, 1.0f, 0.061, 500.0},
}};

inline constexpr std::array<MetalRecipe, 4> kPunchyMetals = {{
    {7, kBrightSquares, 9500.0, 1.0, 0.0f, 8000.0, 1.04, 50.0},
    {8, kBrightSquares, 9500.0, 1.0, 0.0f, 7500.0, 0.7, 320.0},
    {9, kBrightSquares, 5200.0, 0.8, 0.0f, 3500.0, 0.43, 1100.0},
    {10, kBrightSquares, 6500.0, 1.2, 0.0f, 4500.0, 0.36, 800.0},
}};

// The acoustic kit: decaying modes with the ratios of Fletcher and Rossing, "The Physics of Musical Instruments", 2nd
// edition, 1998, chapters 2 and 3, and short noise for the stick. Skins: the ideal membrane's 1, 1.59, 2.14, 2.30,
// 2.65, 2.92, higher modes decaying sooner. Rimshot: the free bar's 1, 2.76, 5.40. Cymbals: the free circular plate's
// 1, 1.73, 2.33, 3.91, 4.11, 6.30, as squares, whose harmonics stand for the hundreds of modes above, with noise where
// these are dense.

constexpr std::array<double, kSquares> Plate(double hertz)
{
    return {hertz, 1.73 * hertz, 2.33 * hertz, 3.91 * hertz, 4.11 * hertz, 6.30 * hertz};
}

inline constexpr std::array<ToneRecipe, 35> kAcousticTones = {{
    // The kick's skin is slack and its pitch falls as the stretch relaxes.
    {0, Wave::sine, 92.0, 58.0, 45.0, 1.47, 340.0},
    {0, Wave::sine, 130.0, 92.4, 30.0, 0.45, 150.0},
    {0, Wave::sine, 170.0, 123.8, 20.0, 0.34, 110.0},
    {0, Wave::sine, 300.0, 169.2, 15.0, 0.43, 60.0},
    {0, Wave::sine, 1900.0, 900.0, 6.0, 0.36, 12.0},
    {1, Wave::sine, 104.0, 68.0, 40.0, 1.34, 270.0},
    {1, Wave::sine, 145.0, 108.4, 30.0, 0.45, 120.0},
    {1, Wave::sine, 190.0, 145.2, 20.0, 0.55, 90.0},
    {1, Wave::sine, 2300.0, 1100.0, 6.0, 0.42, 12.0},
    {2, Wave::sine, 112.0, 98.0, 70.0, 0.69, 420.0},
    {2, Wave::sine, 172.0, 156.1, 50.0, 0.41, 260.0},
    {2, Wave::sine, 226.0, 209.3, 40.0, 0.28, 190.0},
    {2, Wave::sine, 240.0, 225.0, 40.0, 0.17, 160.0},
    {2, Wave::sine, 274.0, 260.0, 30.0, 0.13, 120.0},
    {2, Wave::sine, 300.0, 285.9, 30.0, 0.13, 90.0},
    {3, Wave::sine, 205.0, 188.0, 20.0, 0.62, 120.0},
    {3, Wave::sine, 320.0, 299.5, 15.0, 0.43, 90.0},
    {3, Wave::sine, 420.0, 401.4, 15.0, 0.37, 80.0},
    {3, Wave::sine, 510.0, 498.8, 10.0, 0.31, 60.0},
    {4, Wave::sine, 262.0, 242.0, 20.0, 0.59, 100.0},
    {4, Wave::sine, 410.0, 385.5, 15.0, 0.53, 80.0},
    {4, Wave::sine, 535.0, 516.7, 15.0, 0.46, 70.0},
    {4, Wave::sine, 660.0, 642.0, 10.0, 0.33, 50.0},
    {5, Wave::sine, 430.0, 430.0, 0.0, 0.41, 55.0},
    {5, Wave::sine, 1187.0, 1187.0, 0.0, 0.5, 45.0},
    {5, Wave::sine, 2322.0, 2322.0, 0.0, 0.33, 30.0},
    // The bell of the ride.
    {10, Wave::sine, 712.0, 712.0, 0.0, 0.038, 600.0},
    {10, Wave::sine, 2783.0, 2783.0, 0.0, 0.047, 700.0},
    {10, Wave::sine, 4485.0, 4485.0, 0.0, 0.038, 500.0},
    // A cowbell's plates ring in few modes; the two strongest are a fifth apart.
    {11, Wave::sine, 562.0, 562.0, 0.0, 0.25, 230.0},
    {11, Wave::sine, 843.0, 843.0, 0.0, 0.26, 220.0},
    {11, Wave::sine, 1461.0, 1461.0, 0.0, 0.26, 140.0},
    {11, Wave::sine, 2360.0, 2360.0, 0.0, 0.25, 90.0},
    {11, Wave::sine, 3540.0, 3540.0, 0.0, 0.18, 60.0},
    {11, Wave::sine, 4890.0, 4890.0, 0.0, 0.053, 40.0},
}};

inline constexpr std::array<NoiseRecipe, 19> kAcousticNoises = {{
    {0, 0.0, 10.0, 2800.0, 0.7, 0.0f, 0.72, 10.0},
    {1, 0.0, 9.0, 3200.0, 0.7, 0.0f, 0.73, 9.0},
    {2, 0.0, 14.0, 1800.0, 0.7, 0.0f, 0.31, 14.0},
    // The wires, and the stick.
    {3, 0.0, 190.0, 2800.0, 0.6, 0.1f, 1.49, 190.0, 1.0},
    {3, 0.0, 90.0, 5500.0, 0.7, 1.0f, 0.43, 90.0},
    {3, 0.0, 5.0, 1500.0, 0.7, 1.0f, 0.75, 5.0},
    {4, 0.0, 150.0, 3300.0, 0.6, 0.1f, 1.59, 150.0, 1.0},
    {4, 0.0, 70.0, 6500.0, 0.7, 1.0f, 0.46, 70.0},
    {4, 0.0, 5.0, 2000.0, 0.7, 1.0f, 0.79, 5.0},
    {5, 0.0, 6.0, 3000.0, 0.8, 0.0f, 0.58, 6.0},
    // Three hands, not quite together.
    {6, 0.0, 16.0, 1400.0, 0.9, 0.0f, 2.24, 16.0},
    {6, 7.0, 18.0, 1900.0, 0.9, 0.0f, 2.24, 18.0},
    {6, 16.0, 90.0, 1200.0, 0.9, 0.0f, 2.58, 90.0},
    {6, 16.0, 130.0, 2800.0, 0.7, 0.0f, 0.86, 130.0},
    {7, 0.0, 45.0, 7500.0, 0.7, 1.0f, 0.24, 45.0},
    {8, 0.0, 420.0, 6500.0, 0.7, 1.0f, 0.11, 420.0},
    {9, 0.0, 1600.0, 4200.0, 0.6, 1.0f, 0.2, 1600.0, 3.0},
    {10, 0.0, 700.0, 6000.0, 0.7, 1.0f, 0.047, 700.0},
    {10, 0.0, 5.0, 5000.0, 0.7, 1.0f, 0.16, 5.0},
}};

inline constexpr std::array<MetalRecipe, 4> kAcousticMetals = {{
    {7, Plate(340.0), 7800.0, 0.8, 0.0f, 5500.0, 0.63, 55.0},
    {8, Plate(340.0), 7200.0, 0.8, 0.0f, 4500.0, 0.34, 460.0},
    {9, Plate(262.0), 4500.0, 0.6, 0.0f, 1500.0, 0.28, 1300.0},
    {10, Plate(411.0), 5200.0, 0.7, 0.0f, 3000.0, 0.16, 1100.0},
}};

inline constexpr std::array<KitRecipe, 4> kKitRecipes = {{
    {kPlainTones, kPlainNoises, {}, false, 1.0},
    {kAnalogueTones, kAnalogueNoises, kAnalogueMetals, true, 1.0},
    {kPunchyTones, kPunchyNoises, kPunchyMetals, true, 1.0},
    {kAcousticTones, kAcousticNoises, kAcousticMetals, true, 1.0},
}};

// Whether every row is initialised: an array's size may exceed its initialisers.
template <typename Recipe>
constexpr bool IsComplete(const Rows<Recipe> &rows)
{
    for (const Recipe &row : rows) {
        if (row.decay <= 0.0) {
            return false;
        }
    }
    return true;
}

constexpr bool AreComplete()
{
    for (const KitRecipe &kit : kKitRecipes) {
        if (!IsComplete(kit.tones) || !IsComplete(kit.noises) || !IsComplete(kit.metals)) {
            return false;
        }
    }
    return true;
}

static_assert(AreComplete());

}  // namespace synth

#endif
