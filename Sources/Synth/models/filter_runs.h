// The filters and envelopes of many lane groups. Each waits for its last sample; several in one loop keep the processor busy
// while they do.

#ifndef PIXELBOOP_SYNTH_FILTER_RUNS_H
#define PIXELBOOP_SYNTH_FILTER_RUNS_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../lanes/envelope.h"
#include "../lanes/lanes.h"
#include "model_source.h"

namespace synth {

class FilterRuns {
  public:
    // Lane groups that can wait for Run.
    static constexpr uint32_t kRuns = 48;

    // Filters the samples at `signal` in Run, and multiplies them by `envelope`.
    void Add(ModelLoop<TwoPole> &loop, Envelope &envelope, FloatLanes *signal, uint32_t, bool fading, bool gliding)
    {
        Queue &queue = gliding ? gliding_ : steady_;
        queue.runs[queue.count] = {&loop, &envelope, signal, fading};
        queue.count += 1;
    }

    // A ladder is filtered at once.
    void Add(ModelLoop<Ladder> &loop, Envelope &envelope, FloatLanes *signal, uint32_t frames, bool fading, bool gliding)
    {
        RunNow(loop, envelope, signal, frames, fading, gliding);
    }

    // Filters `frames` samples of all that wait. One with moving coefficients needs as many registers as two or three others.
    void Run(uint32_t frames)
    {
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
    }

    // Filters without waiting.
    template <typename Filter>
    static void RunNow(ModelLoop<Filter> &loop, Envelope &envelope, FloatLanes *signal, uint32_t frames, bool fading,
                       bool gliding)
    {
        const OneRun<Filter> run = {&loop, &envelope, signal, fading};
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
        bool fading;
    };

    struct Queue {
        std::array<OneRun<TwoPole>, kRuns> runs;
        uint32_t count = 0;
    };

    // Filters with steady coefficients, and with moving ones.
    template <uint32_t steady, uint32_t gliding, typename Filter>
    static void Together(const OneRun<Filter> *rests, const OneRun<Filter> *glides, uint32_t frames)
    {
        bool fading = false;
        for (uint32_t n = 0; n < steady; ++n) {
            fading = fading || rests[n].fading;
        }
        for (uint32_t n = 0; n < gliding; ++n) {
            fading = fading || glides[n].fading;
        }
        // A feature that a run does not need changes no bit of it.
        if (fading) {
            Together<steady, gliding, true>(rests, glides, frames);
        } else {
            Together<steady, gliding, false>(rests, glides, frames);
        }
    }

    template <uint32_t steady, uint32_t gliding, bool fading, typename Filter>
    static void Together(const OneRun<Filter> *rests, const OneRun<Filter> *glides, uint32_t frames)
    {
        constexpr uint32_t kCount = steady + gliding;
        // Copies of what changes, so that it is in registers; the rest stays in memory, as there are too few of them.
        std::array<OneRun<Filter>, kCount> runs;
        std::array<Filter, kCount> filters;
        std::array<Envelope::State, kCount> envelopes;
        for (uint32_t n = 0; n < kCount; ++n) {
            runs[n] = n < steady ? rests[n] : glides[n - steady];
            filters[n] = runs[n].loop->filter;
            envelopes[n] = runs[n].envelope->Now();
        }
        for (uint32_t i = 0; i < frames; ++i) {
            for (uint32_t n = 0; n < kCount; ++n) {
                FloatLanes signal = runs[n].signal[i];
                filters[n].Step(signal, runs[n].loop->coefficients.data());
                runs[n].envelope->template Apply<fading>(signal, envelopes[n]);
                runs[n].signal[i] = signal;
                if (n >= steady) {
                    runs[n].loop->Glide();
                }
            }
        }
        for (uint32_t n = 0; n < kCount; ++n) {
            runs[n].loop->filter = filters[n];
            runs[n].envelope->Set(envelopes[n]);
        }
    }

    Queue steady_;
    Queue gliding_;
};

}  // namespace synth

#endif
