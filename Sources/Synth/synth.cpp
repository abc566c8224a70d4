// The C interface.

#include "synth.h"

#include <new>

#include "engine.h"

struct Synth {
    explicit Synth(uint32_t rate) : engine(rate) {}

    synth::Engine engine;
};

Synth *synth_create(uint32_t rate)
{
    if (rate != 44100 && rate != 48000 && rate != 96000) {
        return nullptr;
    }
    return new (std::nothrow) Synth(rate);
}

void synth_destroy(Synth *synth)
{
    delete synth;
}

bool synth_post(Synth *synth, const SynthCommand *commands, uint32_t count) SYNTH_NONBLOCKING
{
    return synth->engine.Post(commands, count);
}

uint32_t synth_take_reports(Synth *synth, SynthReport *reports, uint32_t capacity) SYNTH_NONBLOCKING
{
    return synth->engine.TakeReports(reports, capacity);
}

void synth_render(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING
{
    synth->engine.Render(out, frames);
}

uint32_t synth_latency(const Synth *) SYNTH_NONBLOCKING
{
    return synth::Limiter::kDelay;
}

SynthCounters synth_counters(const Synth *synth) SYNTH_NONBLOCKING
{
    return synth->engine.Counters();
}
