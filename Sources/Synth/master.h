// From the mix to the output: the two effects, the compressor, the tone, the volume and the limiter.

#ifndef PIXELBOOP_SYNTH_MASTER_H
#define PIXELBOOP_SYNTH_MASTER_H

#include <algorithm>
#include <cstdint>

#include "effects/compressor.h"
#include "effects/delay.h"
#include "effects/limiter.h"
#include "effects/reverb.h"
#include "effects/tone.h"
#include "elementary.h"
#include "glide.h"
#include "mix.h"
#include "synth.h"

namespace synth {

class Master {
  public:
    explicit Master(uint32_t rate)
        : delay(rate), reverb(rate), compressor(rate), tone(rate), limiter_(rate), glide_frames_(Frames(kGlideTime, rate))
    {
    }

    // Sets the volume; 65536 is 1.
    void SetVolume(uint32_t volume)
    {
        volume_.MoveTo(static_cast<float>(volume) * kVolumeScale, glide_frames_);
    }

    // Sets the control of command `kind` to `value`, in range. Returns false if it is none of the master's.
    bool Set(uint8_t kind, int32_t value)
    {
        switch (kind) {
        case SynthDelayFeedback:
            delay.SetFeedback(static_cast<float>(value) / 100.0f);
            return true;
        case SynthDelayWidth:
            delay.SetWidth(static_cast<uint32_t>(value));
            return true;
        case SynthReverbTime:
            reverb.SetTime(value / 10.0);
            return true;
        case SynthCompression:
            compressor.SetAmount(value);
            return true;
        case SynthTone:
            tone.Set(value);
            return true;
        default:
            return false;
        }
    }

    // Whether all input has been output.
    bool AtRest() const
    {
        return delay.AtRest() && reverb.AtRest() && compressor.AtRest() && tone.AtRest() && limiter_.AtRest()
            && !volume_.Moving();
    }

    // Renders `frames` of `mix`, the first of which is number `now`, to interleaved samples.
    void Render(Mix &mix, float *out, uint32_t frames, uint64_t now)
    {
        const bool has_delay = (mix.has_delay || !delay.AtRest()) && delay.Hear(mix, frames);
        const bool has_reverb = mix.has_reverb || !reverb.AtRest();
        if (has_reverb) {
            reverb.Hear(mix, frames);
        }
        compressor.Process(mix, frames, now);
        If(has_delay, [&] { return Delay::Recursion(delay, mix); }, [&](auto &first) {
            If(has_reverb, [&] { return Reverb::Recursion(reverb, mix, frames); }, [&](auto &second) {
                If(!tone.IsOff(), [&] { return Tone::Recursion(tone, mix, frames); }, [&](auto &third) {
                    if (has_delay || has_reverb || !tone.IsOff()) {
                        Together(frames, first, second, third, Limiter::Recursion(limiter_));
                    }
                });
            });
        });
        if (volume_.Moving()) {
            for (uint32_t i = 0; i < frames; ++i) {
                Play(mix, out, i, i + 1, volume_.Next());
            }
        } else {
            Play(mix, out, 0, frames, volume_.Value());
        }
        limiter_.Process(out, frames, compressor.IsOn() ? Limiter::kLowCeiling : Limiter::kCeiling);
    }

    Delay delay;
    Reverb reverb;
    Compressor compressor;
    Tone tone;

  private:
    // Interleaves the samples from `first` to before `end`, at `volume`.
    static void Play(const Mix &mix, float *out, uint32_t first, uint32_t end, float volume)
    {
        for (uint32_t i = first; i < end; ++i) {
            out[2 * i] = mix.left[i] * volume;
            out[2 * i + 1] = mix.right[i] * volume;
        }
    }

    // A recursion that is not needed.
    struct NoRecursion {
        template <bool drops>
        void Step(uint32_t)
        {
        }
        bool IsAudible(uint32_t) const
        {
            return true;
        }
        void Rewind() {}
        void Commit(uint32_t) {}
    };

    // Performs `action` with the recursion that `make` makes, or without one.
    template <typename Make, typename Action>
    static void If(bool is_needed, Make make, Action action)
    {
        if (is_needed) {
            auto recursion = make();
            action(recursion);
        } else {
            NoRecursion recursion;
            action(recursion);
        }
    }

    // Steps several recursions in one loop: while one waits for its last sample, the processor computes the others. Copies, so
    // that their states are in registers. To drop inaudible values takes a third of the wait; there are none in most blocks, so
    // it is done only after a block with some.
    template <typename... Recursions>
    void Together(uint32_t frames, Recursions... recursions)
    {
        bool drops = careful_blocks_ > 0;
        if (!drops) {
            for (uint32_t i = 0; i < frames; ++i) {
                (recursions.template Step<false>(i), ...);
            }
            drops = !(recursions.IsAudible(frames) && ...);
            if (drops) {
                careful_blocks_ = kCarefulBlocks;
                (recursions.Rewind(), ...);
            }
        }
        if (drops) {
            careful_blocks_ -= 1;
            for (uint32_t i = 0; i < frames; ++i) {
                (recursions.template Step<true>(i), ...);
            }
        }
        (recursions.Commit(frames), ...);
    }

    static constexpr uint32_t kCarefulBlocks = 8;

    static constexpr float kVolumeScale = kMakeUp / 65536.0f;

    Glide volume_ = Glide(kMakeUp);
    Limiter limiter_;
    uint32_t glide_frames_;
    uint32_t careful_blocks_ = 0;  // blocks in which inaudible values are to be dropped
};

}  // namespace synth

#endif
