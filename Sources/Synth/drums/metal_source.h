// The metal component of drums: squares of inharmonic frequencies through two filters, eight voices in parallel.

#ifndef PIXELBOOP_SYNTH_METAL_SOURCE_H
#define PIXELBOOP_SYNTH_METAL_SOURCE_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../lanes/filter.h"
#include "../lanes/lanes.h"
#include "../lanes/low_lanes.h"
#include "../lanes/oscillator.h"
#include "../lanes/segment.h"
#include "drum_sources.h"

namespace synth {

// Two filters, a band-pass or high-pass and then a high-pass, of as many voices as `Floats` has lanes.
template <typename Floats>
struct MetalLoop : DrumLoop<Floats> {
    DrumFilter<Floats> first;
    DrumFilter<Floats> second;
    Floats high_mix = {};

    void Next(const float *, const MonoBus &bus, uint32_t frame, Floats &signal)
    {
        Floats squares;
        CopyLanes(bus.waves[frame], squares);
        Floats band;
        Floats low;
        first.Step(squares, band, low);
        band *= 0.5f * first.k;
        signal = band + high_mix * (squares - band - 0.5f * low - band);
        second.Step(signal, band, low);
        signal = signal - 0.5f * second.k * band - 0.5f * low;
    }

    // Copies the voices that both have from `other`.
    template <typename Other>
    void CopyFrom(const MetalLoop<Other> &other)
    {
        first.CopyFrom(other.first);
        second.CopyFrom(other.second);
        CopyLanes(other.high_mix, high_mix);
    }
};

// Six squares through both filters. Each square is made eight samples at a time, so a silent voice costs nothing. Their
// phases differ from hit to hit, as the phases of free-running oscillators do; hits that overlap hear the same
// oscillators.
class MetalSource : public DrumSource {
  public:
    typedef MetalLoop<LowFloats> LowLoop;

    struct Sound {
        uint32_t seed;  // not 0
        std::array<uint32_t, kLanes> table;
        std::array<uint32_t, kLanes> increment;  // 0 for no oscillator
        FilterCoefficients filter;
        float high_mix;  // 1 high-pass, 0 band-pass (gain 1 at its centre)
        FilterCoefficients high_pass;
    };

    MetalLoop<FloatLanes> &Loop()
    {
        return loop_;
    }

    void Start(uint32_t lane, const Sound &sound)
    {
        uint32_t state = sound.seed;
        uint32_t count = 0;
        std::array<Square, kLanes> &squares = squares_[lane];
        for (uint32_t i = 0; i < kLanes; ++i) {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            if (sound.increment[i] != 0) {
                squares[count] = {state, sound.increment[i], sound.table[i]};
                count += 1;
            }
        }
        counts_[lane] = count;
        next_bank_ += 1;
        banks_[lane] = next_bank_;
        for (uint32_t other = 0; other < kLanes; ++other) {
            if (other != lane && banks_[other] != 0 && AreAlike(lane, other)) {
                squares = squares_[other];
                banks_[lane] = banks_[other];
                break;
            }
        }
        SetFilters(lane, sound);
    }

    void Begin(uint32_t, const Segment &) {}

    void Clear(uint32_t lane)
    {
        banks_[lane] = 0;
        SetFilters(lane, {});
    }

    // Makes the squares of `frames` samples from `first` on for the lanes in `lanes`, a bit mask.
    void Prepare(const float *waves, Bus &bus, uint32_t first, uint32_t frames, uint32_t lanes)
    {
        std::array<uint32_t, kLanes> first_alike;
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            const uint32_t lane = Lowest(left);
            first_alike[lane] = lane;
            for (uint32_t before = lanes & ((1u << lane) - 1); before != 0; before &= before - 1) {
                if (banks_[Lowest(before)] == banks_[lane]) {
                    first_alike[lane] = Lowest(before);
                    break;
                }
            }
        }
        std::array<FloatLanes, kLanes> sums = {};
        for (uint32_t done = 0; done < frames; done += kLanes) {
            const uint32_t count = std::min(kLanes, frames - done);
            for (uint32_t left = lanes; left != 0; left &= left - 1) {
                const uint32_t lane = Lowest(left);
                sums[lane] = first_alike[lane] == lane ? Sum(waves, lane, count) : sums[first_alike[lane]];
            }
            Transpose(sums, &bus.waves[first + done]);
        }
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
            squares_[Lowest(left)] = squares_[first_alike[Lowest(left)]];
        }
    }

  private:
    struct Square {
        uint32_t phase;
        uint32_t increment;
        uint32_t table;
    };

    static uint32_t Lowest(uint32_t lanes)
    {
        return static_cast<uint32_t>(__builtin_ctz(lanes));
    }

    // The sum of the squares of `lane`, which it advances by `count` samples.
    FloatLanes Sum(const float *waves, uint32_t lane, uint32_t count)
    {
        FloatLanes sum = {};
        for (uint32_t i = 0; i < counts_[lane]; ++i) {
            Square &square = squares_[lane][i];
            const UintLanes phases = Phases<false>(square.phase, UintLanes{} + square.increment, count);
            FloatLanes samples;
            LookUp<Waves::kIndexBits>(waves, phases, square.table, samples);
            sum += samples;
        }
        return sum;
    }

    // Whether two voices have the same squares, but for their phases.
    bool AreAlike(uint32_t lane, uint32_t other) const
    {
        bool alike = counts_[lane] == counts_[other];
        for (uint32_t i = 0; i < counts_[lane] && alike; ++i) {
            const Square &a = squares_[lane][i];
            const Square &b = squares_[other][i];
            alike = a.increment == b.increment && a.table == b.table;
        }
        return alike;
    }

    void SetFilters(uint32_t lane, const Sound &sound)
    {
        loop_.first.Start(lane, sound.filter);
        loop_.second.Start(lane, sound.high_pass);
        loop_.high_mix[lane] = sound.high_mix;
    }

    MetalLoop<FloatLanes> loop_;
    std::array<uint32_t, kLanes> counts_ = {};  // squares of each voice
    std::array<uint32_t, kLanes> banks_ = {};   // lanes with the same number hear the same squares; 0 for none
    uint32_t next_bank_ = 0;
    std::array<std::array<Square, kLanes>, kLanes> squares_ = {};
};

}  // namespace synth

#endif
