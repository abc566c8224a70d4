#include "synth_probe.h"

#include <algorithm>
#include <new>

#include "limiter.h"
#include "oscillator.h"
#include "waves.h"

struct SynthProbeLimiter {
    explicit SynthProbeLimiter(uint32_t rate) : limiter(rate) {}

    synth::Limiter limiter;
};

void synth_probe_oscillator(uint32_t wave, double hertz, uint32_t increment, float *out, uint32_t frames)
{
    static const synth::Waves waves;
    synth::Oscillator oscillator;
    oscillator.Start(0, synth::Waves::Offset(static_cast<synth::Wave>(wave), hertz));
    synth::UintLanes increments = {};
    increments[0] = increment;
    for (uint32_t i = 0; i < frames; ++i) {
        synth::FloatLanes signal;
        oscillator.Next(waves.Data(), increments, signal);
        out[i] = signal[0];
    }
}

SynthProbeLimiter *synth_probe_limiter_create(uint32_t rate)
{
    return new (std::nothrow) SynthProbeLimiter(rate);
}

void synth_probe_limiter_destroy(SynthProbeLimiter *limiter)
{
    delete limiter;
}

void synth_probe_limiter_run(SynthProbeLimiter *limiter, float *frames, uint32_t count)
{
    for (uint32_t done = 0; done < count; done += synth::kBlock) {
        limiter->limiter.Process(frames + 2 * done, std::min(synth::kBlock, count - done));
    }
}

bool synth_probe_limiter_at_rest(const SynthProbeLimiter *limiter)
{
    return limiter->limiter.AtRest();
}

uint32_t synth_probe_limiter_delay(void)
{
    return synth::Limiter::kDelay;
}
