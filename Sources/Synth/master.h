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

    // Whether all input has been output.
    bool AtRest() const
    {
        return delay.AtRest() && reverb.AtRest() && compressor.AtRest() && tone.AtRest() && limiter_.AtRest()
            && !volume_.Moving();
    }

    // Renders `frames` of `mix`, the first of which is number `now`, to interleaved samples.
    void Render(Mix &mix, float *out, uint32_t frames, uint64_t now)
    {
        if (mix.has_delay || !delay.AtRest()) {
            delay.Add(mix, frames);
        }
        if (mix.has_reverb || !reverb.AtRest()) {
            reverb.Add(mix, frames);
        }
        compressor.Process(mix, frames, now);
        tone.Process(mix, frames);
        for (uint32_t i = 0; i < frames; ++i) {
            const float volume = volume_.Next();
            out[2 * i] = mix.left[i] * volume;
            out[2 * i + 1] = mix.right[i] * volume;
        }
        limiter_.Process(out, frames);
    }

    Delay delay;
    Reverb reverb;
    Compressor compressor;
    Tone tone;

  private:
    // Gain at volume 1 (+2.9 dB), fixed so that renders are comparable: a run, triads, a bass line and kick, snare and
    // hat at normal velocity then peak at -6 dB, which keeps their accents below the limiter's ceiling.
    static constexpr float kMakeUp = 1.4f;
    static constexpr float kVolumeScale = kMakeUp / 65536.0f;

    Glide volume_ = Glide(kMakeUp);
    Limiter limiter_;
    uint32_t glide_frames_;
};

}  // namespace synth

#endif
