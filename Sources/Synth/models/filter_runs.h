// The filters and envelopes of many lane groups. Each waits for its last sample; several in one loop keep the processor
// busy while they do.

#ifndef PIXELBOOP_SYNTH_FILTER_RUNS_H
#define PIXELBOOP_SYNTH_FILTER_RUNS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../lanes/envelope.h"
#include "../lanes/lanes.h"
#include "../lanes/low_lanes.h"
#include "model_source.h"

namespace synth {

class FilterRuns {
  public:
    // Lane groups that can wait for Run.
    static constexpr uint32_t kRuns = 48;

    // Filters the samples at `signal` in Run, and multiplies them by `envelope`. If `is_low` only the lower lanes
    // sound: two such groups are filtered as one.
    void Add(ModelLoop<TwoPole> &loop, Envelope &envelope, FloatLanes *signal, uint32_t, bool is_low, bool fading, bool gliding)
    {
        Queue &queue = gliding ? gliding_ : steady_;
        const OneRun<TwoPole> run = {&loop, &envelope, signal, nullptr, fading};
        if (!is_low) {
            queue.Add(run);
        } else if (queue.low.loop == nullptr) {
            queue.low = run;
        } else {
            Pair &pair = pairs_[pair_count_];
            pair_count_ += 1;
            pair.low = queue.low;
            pair.high = run;
            Join(*pair.low.loop, *pair.high.loop, pair.loop);
            Join(*pair.low.envelope, *pair.high.envelope, pair.envelope);
            queue.Add({&pair.loop, &pair.envelope, pair.low.signal, pair.high.signal, pair.low.fading || pair.high.fading});
            queue.low.loop = nullptr;
        }
    }

    // Another filter runs at once.
    template <typename Filter>
    void Add(ModelLoop<Filter> &loop, Envelope &envelope, FloatLanes *signal, uint32_t frames, bool, bool fading, bool gliding)
    {
        RunNow(loop, envelope, signal, frames, fading, gliding);
    }

    // Filters `frames` samples of all that wait. One with moving coefficients needs as many registers as two or three
    // others.
    void Run(uint32_t frames)
    {
        steady_.AddLow();
        gliding_.AddLow();
        const OneRun<TwoPole> *steady = steady_.runs.data();
        const OneRun<TwoPole> *gliding = gliding_.runs.data();
        uint32_t steady_left = steady_.count;
        uint32_t gliding_left = gliding_.count;
        while (steady_left + gliding_left > 0) {
            const uint32_t glides = std::min(gliding_left, steady_left > 0 ? 1u : 2u);
            const uint32_t rests = std::min(steady_left, glides > 0 ? 2u : 3u);
            switch (4 * rests + glides) {
            case 1:
                Together<0, 1>(steady, gliding, frames);
                break;
            case 2:
                Together<0, 2>(steady, gliding, frames);
                break;
            case 4:
                Together<1, 0>(steady, gliding, frames);
                break;
            case 5:
                Together<1, 1>(steady, gliding, frames);
                break;
            case 8:
                Together<2, 0>(steady, gliding, frames);
                break;
            case 9:
                Together<2, 1>(steady, gliding, frames);
                break;
            default:
                Together<3, 0>(steady, gliding, frames);
                break;
            }
            steady += rests;
            steady_left -= rests;
            gliding += glides;
            gliding_left -= glides;
        }
        steady_.count = 0;
        gliding_.count = 0;
        for (uint32_t n = 0; n < pair_count_; ++n) {
            const Pair &pair = pairs_[n];
            Part(pair.loop, *pair.low.loop, *pair.high.loop);
            Part(pair.envelope, *pair.low.envelope, *pair.high.envelope);
        }
        pair_count_ = 0;
    }

    // Filters without waiting.
    template <typename Filter>
    static void RunNow(ModelLoop<Filter> &loop, Envelope &envelope, FloatLanes *signal, uint32_t frames, bool fading,
                       bool gliding)
    {
        const OneRun<Filter> run = {&loop, &envelope, signal, nullptr, fading};
        if (gliding) {
            Together<0, 1>(&run, &run, frames);
        } else {
            Together<1, 0>(&run, &run, frames);
        }
    }

  private:
    // The filters and envelopes of one lane group.
    template <typename Filter>
    struct OneRun {
        ModelLoop<Filter> *loop;
        Envelope *envelope;
        FloatLanes *signal;
        FloatLanes *high;  // the signal whose lower lanes are a pair's upper lanes; null for one group
        bool fading;
    };

    struct Queue {
        std::array<OneRun<TwoPole>, kRuns> runs;
        uint32_t count = 0;
        OneRun<TwoPole> low = {};  // waits for another with only lower lanes; without a loop there is none

        void Add(const OneRun<TwoPole> &run)
        {
            runs[count] = run;
            count += 1;
        }

        void AddLow()
        {
            if (low.loop != nullptr) {
                Add(low);
                low.loop = nullptr;
            }
        }
    };

    // Two lane groups that are filtered as one.
    struct Pair {
        OneRun<TwoPole> low;
        OneRun<TwoPole> high;
        ModelLoop<TwoPole> loop;
        Envelope envelope;
    };

    // Filters with steady coefficients, and with moving ones.
    template <uint32_t steady, uint32_t gliding, typename Filter>
    static void Together(const OneRun<Filter> *rests, const OneRun<Filter> *glides, uint32_t frames)
    {
        bool fading = false;
        bool paired = false;
        for (uint32_t n = 0; n < steady + gliding; ++n) {
            const OneRun<Filter> &run = n < steady ? rests[n] : glides[n - steady];
            fading = fading || run.fading;
            paired = paired || run.high != nullptr;
        }
        // A feature that a run does not need changes no bit of it.
        if (paired) {
            fading ? Together<steady, gliding, true, true>(rests, glides, frames)
                   : Together<steady, gliding, false, true>(rests, glides, frames);
        } else {
            fading ? Together<steady, gliding, true, false>(rests, glides, frames)
                   : Together<steady, gliding, false, false>(rests, glides, frames);
        }
    }

    template <uint32_t steady, uint32_t gliding, bool fading, bool paired, typename Filter>
    static void Together(const OneRun<Filter> *rests, const OneRun<Filter> *glides, uint32_t frames)
    {
        constexpr uint32_t kCount = steady + gliding;
        // Copies of what changes, so that it is in registers; the rest stays in memory, as there are too few of them.
        std::array<OneRun<Filter>, kCount> runs;
        std::array<Filter, kCount> filters;
        std::array<Envelope::State, kCount> envelopes;
        std::array<typename ModelLoop<Filter>::Coefficients, kCount> moving;  // of `gliding`
        // Places of the lower and the upper lanes.
        std::array<float *, kCount> lows;
        std::array<float *, kCount> highs;
        for (uint32_t n = 0; n < kCount; ++n) {
            runs[n] = n < steady ? rests[n] : glides[n - steady];
            filters[n] = runs[n].loop->filter;
            envelopes[n] = runs[n].envelope->Now();
            if (n >= steady) {
                moving[n] = runs[n].loop->coefficients;
            }
            lows[n] = reinterpret_cast<float *>(runs[n].signal);
            highs[n] = runs[n].high == nullptr ? lows[n] + kLanes / 2 : reinterpret_cast<float *>(runs[n].high);
        }
        for (uint32_t i = 0; i < frames; ++i) {
            for (uint32_t n = 0; n < kCount; ++n) {
                FloatLanes signal;
                if (paired) {
                    LowFloats low;
                    LowFloats high;
                    std::memcpy(&low, lows[n] + kLanes * i, sizeof(low));
                    std::memcpy(&high, highs[n] + kLanes * i, sizeof(high));
                    signal = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
                } else {
                    signal = runs[n].signal[i];
                }
                filters[n].Step(signal, n < steady ? runs[n].loop->coefficients.data() : moving[n].data());
                runs[n].envelope->template Apply<fading>(signal, envelopes[n]);
                if (paired) {
                    const LowFloats low = __builtin_shufflevector(signal, signal, 0, 1, 2, 3);
                    const LowFloats high = __builtin_shufflevector(signal, signal, 4, 5, 6, 7);
                    std::memcpy(lows[n] + kLanes * i, &low, sizeof(low));
                    std::memcpy(highs[n] + kLanes * i, &high, sizeof(high));
                } else {
                    runs[n].signal[i] = signal;
                }
                if (n >= steady) {
                    runs[n].loop->Glide(moving[n]);
                }
            }
        }
        for (uint32_t n = 0; n < kCount; ++n) {
            runs[n].loop->filter = filters[n];
            runs[n].envelope->Set(envelopes[n]);
            if (n >= steady) {
                runs[n].loop->coefficients = moving[n];
            }
        }
    }

    Queue steady_;
    Queue gliding_;
    std::array<Pair, kRuns / 2> pairs_;
    uint32_t pair_count_ = 0;
};

}  // namespace synth

#endif
