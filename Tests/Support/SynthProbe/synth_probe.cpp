#include "synth_probe.h"

#include <algorithm>
#include <memory>
#include <new>
#include <type_traits>

#include "drums/metal_source.h"
#include "effects/limiter.h"
#include "engine.h"
#include "lanes/filter.h"
#include "lanes/oscillator.h"
#include "lanes/waves.h"
#include "models/melodic_tracks.h"
#include "sequence/tuning.h"

double synth_probe_hertz(const int32_t *offsets, int32_t reference, uint32_t track, int32_t note)
{
    using namespace synth;
    Tuning tuning;
    for (uint32_t pitch_class = 0; pitch_class < Tuning::kPitchClasses; ++pitch_class) {
        tuning.SetOffset(pitch_class, offsets[pitch_class]);
    }
    tuning.SetReference(reference);
    const uint32_t number = static_cast<uint32_t>(note - synth_lowest_note);
    return MelodicTracks::Hertz(track, number, tuning.Ratio(MelodicTracks::MidiNote(track, number)));
}

template <typename Generator>
static void RenderModel(const synth::VoiceStart &start, const synth::Tick &tick, float *out, uint32_t frames)
{
    auto source = std::make_unique<synth::ModelSource<Generator>>();
    auto memory = std::make_unique<typename Generator::Memory>();
    source->Waves().Use(*memory);
    for (uint32_t lane = 0; lane < synth::kLanes; ++lane) {
        source->Clear(lane);
    }
    source->Start(0, {&start, &tick});
    synth::PreparedWaves signal;
    for (uint32_t done = 0; done < frames; done += synth::kTick) {
        const uint32_t run = std::min(synth::kTick, frames - done);
        source->Update(tick);
        source->Make(synth::Waves::Shared().Data(), 0, signal.data(), run, 1);
        for (uint32_t i = 0; i < run; ++i) {
            source->Loop().filter.Step(signal[i], source->Loop().coefficients.data());
            out[done + i] = signal[i][0];
        }
    }
}

void synth_probe_model(
    uint32_t model, const int32_t *timbre, double hertz, uint32_t rate, float *out, uint32_t frames)
{
    using namespace synth;
    TrackControls controls;
    std::copy_n(timbre, synth_timbres, controls.timbre.begin());
    Modulation modulation(rate);
    modulation.SetControls(controls);
    modulation.Jump();
    const Tick &tick = modulation.Now();
    VoiceStart start = {};
    start.hertz = hertz;
    start.highest_hertz = hertz;
    start.wave = Wave::saw;
    start.parts = tick.value;
    start.rate = rate;
    start.velocity = 1;
    start.seed = 1;
    start.left = 1.0f;
    start.right = 1.0f;
    WithModel(model, [&](auto number) {
        RenderModel<std::tuple_element_t<decltype(number)::value, Models>>(start, tick, out, frames);
    });
}

struct SynthProbeLimiter {
    explicit SynthProbeLimiter(uint32_t rate) : limiter(rate) {}

    synth::Limiter limiter;
};

void synth_probe_oscillator(uint32_t wave, double hertz, uint32_t increment, float *out, uint32_t frames)
{
    const synth::Waves &waves = synth::Waves::Shared();
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

void synth_probe_engine(
    uint32_t rate, const SynthCommand *commands, uint32_t count, float *out, uint32_t frames)
{
    auto engine = std::make_unique<synth::Engine>(rate);
    engine->Post(commands, count);
    engine->Render(out, frames);
}

void synth_probe_metal(const double *hertz, double band, double high, uint32_t rate, float *out, uint32_t frames)
{
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
    auto bus = std::make_unique<synth::MonoBus>();
    const float *waves = synth::Waves::Shared().Data();
    for (uint32_t done = 0; done < frames; done += synth::kTick) {
        const uint32_t run = std::min(synth::kTick, frames - done);
        metal.Prepare(waves, *bus, 0, run, 1);
        for (uint32_t i = 0; i < run; ++i) {
            synth::FloatLanes signal;
            metal.Loop().Next(waves, *bus, i, signal);
            out[done + i] = signal[0];
        }
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
