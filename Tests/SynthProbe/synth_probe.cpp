#include "synth_probe.h"

#include <algorithm>
#include <new>

#include "filter.h"
#include "limiter.h"
#include "metal_source.h"
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

void synth_probe_metal(const double *hertz, double band, double high, uint32_t rate, float *out, uint32_t frames)
{
    static const synth::Waves waves;
    synth::MetalSource::Sound sound = {};
    sound.seed = 1;
    for (uint32_t square = 0; square < 6; ++square) {
        sound.table[square] = synth::Waves::Offset(synth::Wave::square, hertz[square]);
        sound.increment[square] = static_cast<uint32_t>(synth::PhaseIncrement(hertz[square], rate) + 0.5);
    }
    sound.filter = synth::FilterCoefficients::Make(band, 1.0, rate);
    sound.high_pass = synth::FilterCoefficients::Make(high, 1.0, rate);
    synth::MetalSource metal;
    metal.Start(0, sound);
    for (uint32_t i = 0; i < frames; ++i) {
        synth::FloatLanes signal;
        metal.Next(waves.Data(), signal);
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
