// From the mix to the output: the two effects, the performance effects, the compressor, the tone, the volume and the
// limiter.

#ifndef PIXELBOOP_SYNTH_MASTER_H
#define PIXELBOOP_SYNTH_MASTER_H

#include <algorithm>
#include <cstdint>

#include "base/elementary.h"
#include "base/glide.h"
#include "effects/compressor.h"
#include "effects/delay.h"
#include "effects/fx.h"
#include "effects/limiter.h"
#include "effects/reverb.h"
#include "effects/tone.h"
#include "lanes/mix.h"
#include "synth.h"

namespace synth {

class Master {
  public:
    explicit Master(uint32_t rate)
        : delay(rate),
          reverb(rate),
          fx(rate),
          compressor(rate),
          tone(rate),
          limiter_(rate),
          glide_frames_(Frames(kGlideTime, rate))
    {
    }

    // Sets the volume; 65536 is 1.
    void SetVolume(uint32_t volume)
    {
        volume_.MoveTo(static_cast<float>(volume) * kVolumeScale, glide_frames_);
    }

    // Sets `control` to `value`, in range. Returns false for a control that is not the master's.
    bool Set(SynthControl control, int32_t value)
    {
        switch (control) {
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
        return delay.AtRest() && reverb.AtRest() && fx.AtRest() && compressor.AtRest() && tone.AtRest()
            && limiter_.AtRest() && !volume_.Moving();
    }

    // Renders `frames` of `mix`, the first of which is number `now` and lies at `time`, to interleaved samples.
    // `parts`, Undivided or Stems, get the mix with both effects.
    template <typename Parts>
    void Render(Mix &mix, float *out, uint32_t frames, uint64_t now, const FxTime &time, Parts &parts)
    {
        const bool has_delay = (mix.has_delay || !delay.AtRest()) && delay.Hear(mix, frames);
        const bool has_reverb = mix.has_reverb || !reverb.AtRest() || fx.FeedsReverb();
        if (has_reverb) {
            reverb.Hear(mix, frames);
        }
        parts.Write(mix, frames);
        fx.Process(mix, frames, time);
        compressor.Process(mix, frames, now);
        const bool has_tone = !tone.IsOff();
        if (has_tone) {
            tone.Load(mix, frames);
        }
        if (has_delay || has_reverb || has_tone) {
            limiter_.Begin(frames);
            If(has_delay, delay, [&](auto &first) {
                If(has_reverb, reverb, [&](auto &second) {
                    If(has_tone, tone, [&](auto &third) { Together(frames, first, second, third, limiter_); });
                });
            });
        }
        if (has_delay) {
            delay.Feed(mix.to_delay, frames);
        }
        if (has_reverb) {
            reverb.Feed(mix.to_reverb, frames);
        }
        if (has_tone) {
            tone.Tilt(mix, frames);
        }
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
    Fx fx;
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

    // An effect that is not needed.
    struct NoEffect {
        struct Recursion {
            explicit Recursion(NoEffect &) {}

            template <bool drops>
            void Step(uint32_t)
            {
            }
            bool IsAudible() const
            {
                return true;
            }
            void Commit() {}
        };
    };

    // Performs `action` with `effect`, or with none.
    template <typename Effect, typename Action>
    static void If(bool is_needed, Effect &effect, Action action)
    {
        if (is_needed) {
            action(effect);
        } else {
            NoEffect none;
            action(none);
        }
    }

    // Steps the recursions of several effects in one loop: while one waits for its last sample, the processor computes
    // the others. To drop inaudible values takes a third of the wait; most samples have none, so it is done only if
    // need be.
    template <typename... Effects>
    static void Together(uint32_t frames, Effects &... effects)
    {
        for (uint32_t first = 0; first < frames; first += kRun) {
            const uint32_t end = std::min(frames, first + kRun);
            if (!Step<false>(first, end, typename Effects::Recursion(effects)...)) {
                Step<true>(first, end, typename Effects::Recursion(effects)...);
            }
        }
    }

    // Steps from sample `first` to before `end`. Returns false, and has no effect, if values have to be dropped.
    // Copies, so that the states are in registers.
    template <bool drops, typename... Recursions>
    static bool Step(uint32_t first, uint32_t end, Recursions... recursions)
    {
        for (uint32_t i = first; i < end; ++i) {
            (recursions.template Step<drops>(i), ...);
        }
        if (!drops && !(recursions.IsAudible() && ...)) {
            return false;
        }
        (recursions.Commit(), ...);
        return true;
    }

    static constexpr uint32_t kRun = 16;  // samples that are stepped again to drop values

    static constexpr float kVolumeScale = kMakeUp / 65536.0f;

    Glide volume_ = Glide(kMakeUp);
    Limiter limiter_;
    uint32_t glide_frames_;
};

}  // namespace synth

#endif
