// The engine's interface. The engine is compiled once for every processor of the architecture, and on x86-64 once more
// for processors with AVX2; both give the same samples.

#ifndef PIXELBOOP_SYNTH_ANY_ENGINE_H
#define PIXELBOOP_SYNTH_ANY_ENGINE_H

#include <cstdint>

#include "synth.h"

class AnyEngine {
  public:
    virtual ~AnyEngine() = default;

    // Whether all memory could be allocated. If not, nothing else may be called.
    virtual bool HasMemory() const noexcept = 0;
    virtual bool Post(const SynthCommand *commands, uint32_t count) noexcept SYNTH_NONBLOCKING = 0;
    virtual uint32_t ReadReports(SynthReport *reports, uint32_t capacity) noexcept SYNTH_NONBLOCKING = 0;
    virtual bool Remember(uint32_t frames, bool touch) noexcept = 0;
    virtual bool Recall(uint64_t frame, int16_t *out, uint32_t frames) const noexcept SYNTH_NONBLOCKING = 0;
    virtual bool LoadSample(uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels,
                            uint32_t rate) noexcept = 0;
    virtual bool FreeSample(uint32_t slot) noexcept = 0;
    virtual void Render(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING = 0;
    virtual void RenderStems(float *out, float *stems, uint32_t frames) noexcept SYNTH_NONBLOCKING = 0;
    virtual void Pass(uint32_t frames) noexcept SYNTH_NONBLOCKING = 0;
    virtual void RenderPulses(float *out, uint32_t frames) noexcept SYNTH_NONBLOCKING = 0;
    virtual uint32_t Latency() const noexcept SYNTH_NONBLOCKING = 0;
    virtual SynthCounters Counters() const noexcept SYNTH_NONBLOCKING = 0;
};

// An engine for any processor; null without memory.
AnyEngine *MakeEngine(uint32_t rate);

#ifdef __x86_64__
// An engine for processors with AVX2; null without memory.
AnyEngine *MakeAvx2Engine(uint32_t rate);
#endif

#endif
