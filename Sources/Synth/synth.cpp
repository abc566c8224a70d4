// The C interface.

#include "synth.h"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <utility>

#include "any_engine.h"
#include "controls/control_ranges.h"
#include "models/melodic_tracks.h"

struct Synth {
    std::unique_ptr<AnyEngine> engine;
};

// The engine for this processor.
static AnyEngine *MakeBestEngine(uint32_t rate)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
        return MakeAvx2Engine(rate);
    }
#endif
    return MakeEngine(rate);
}

// The clock requires multiples of 10, the delay lines of the effects at most 96000.
static constexpr std::array<uint32_t, 3> kRates = {44100, 48000, 96000};

uint32_t synth_rate(uint32_t index) SYNTH_NONBLOCKING
{
    return index < kRates.size() ? kRates[index] : 0;
}

SynthRange synth_range(SynthControl control) SYNTH_NONBLOCKING
{
    return synth::RangeOf(control);
}

uint32_t synth_base_note(uint8_t track) SYNTH_NONBLOCKING
{
    return synth::MelodicTracks::BaseNote(track);
}

Synth *synth_create(uint32_t rate)
{
    if (std::find(kRates.begin(), kRates.end(), rate) == kRates.end()) {
        return nullptr;
    }
    std::unique_ptr<AnyEngine> engine(MakeBestEngine(rate));
    return engine == nullptr || !engine->HasMemory() ? nullptr : new (std::nothrow) Synth{std::move(engine)};
}

void synth_destroy(Synth *synth)
{
    delete synth;
}

bool synth_post(Synth *synth, const SynthCommand *commands, uint32_t count) SYNTH_NONBLOCKING
{
    return synth->engine->Post(commands, count);
}

uint32_t synth_read_reports(Synth *synth, SynthReport *reports, uint32_t capacity) SYNTH_NONBLOCKING
{
    return synth->engine->ReadReports(reports, capacity);
}

bool synth_remember(Synth *synth, uint32_t frames, bool touch)
{
    return synth->engine->Remember(frames, touch);
}

bool synth_recall(const Synth *synth, uint64_t frame, int16_t *out, uint32_t frames) SYNTH_NONBLOCKING
{
    return synth->engine->Recall(frame, out, frames);
}

bool synth_load_sample(Synth *synth, uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels, uint32_t rate)
{
    const bool is_valid = slot < synth_samples && count >= 1 && count <= synth_sample_max && channels >= 1 && channels <= 2
        && rate >= synth_sample_rate_min && rate <= synth_sample_rate_max;
    return is_valid && synth->engine->LoadSample(slot, frames, count, channels, rate);
}

bool synth_free_sample(Synth *synth, uint32_t slot)
{
    return slot < synth_samples && synth->engine->FreeSample(slot);
}

void synth_render(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING
{
    synth->engine->Render(out, frames);
}

void synth_render_stems(Synth *synth, float *out, float *stems, uint32_t frames) SYNTH_NONBLOCKING
{
    synth->engine->RenderStems(out, stems, frames);
}

void synth_pass(Synth *synth, uint32_t frames) SYNTH_NONBLOCKING
{
    synth->engine->Pass(frames);
}

void synth_render_pulses(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING
{
    synth->engine->RenderPulses(out, frames);
}

uint32_t synth_latency(const Synth *synth) SYNTH_NONBLOCKING
{
    return synth->engine->Latency();
}

SynthCounters synth_counters(const Synth *synth) SYNTH_NONBLOCKING
{
    return synth->engine->Counters();
}
