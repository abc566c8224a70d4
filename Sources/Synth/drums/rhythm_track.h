// The rhythm track: its drums, its drive, its channel strip, and their modulation.

#ifndef PIXELBOOP_SYNTH_RHYTHM_TRACK_H
#define PIXELBOOP_SYNTH_RHYTHM_TRACK_H

#include <algorithm>
#include <cstdint>

#include "../effects/drive.h"
#include "../glide.h"
#include "../mix.h"
#include "../models/modulation.h"
#include "../models/ramp.h"
#include "../voicing.h"
#include "drums.h"
#include "strip.h"

namespace synth {

class RhythmTrack {
  public:
    explicit RhythmTrack(uint32_t rate)
        : rate_(rate), drums_(rate), strip_(TrackControls().Voiced(rate)), modulation_(rate),
          fade_frames_(Frames(5.0, rate)), glide_frames_(Frames(kGlideTime, rate))
    {
        SetControls(TrackControls());
    }

    // Sounding drums glide to the controls; a silent track has them at once. Another kit fades the old one's drums out.
    void SetControls(const TrackControls &controls)
    {
        if (controls.model != controls_.model) {
            Fade();
        }
        controls_ = controls;
        modulation_.SetControls(controls);
        strip_.MoveTo(controls.Voiced(rate_), controls.cutoff == kOpenCutoff, Silent() ? 0 : glide_frames_);
    }

    // Starts a drum. Returns the number of voices lost for it.
    uint32_t Start(uint64_t serial, uint32_t drum, uint32_t velocity)
    {
        if (Silent()) {
            modulation_.Jump();
        }
        modulation_.Trigger();
        return drums_.Start(serial, static_cast<uint32_t>(controls_.model), drum, velocity);
    }

    void Fade()
    {
        drums_.Fade(fade_frames_);
    }

    bool Silent() const
    {
        return drums_.Silent() && drive_.AtRest() && strip_.AtRest();
    }

    // Whether `part` is audible.
    bool Has(VoicingPart part) const
    {
        return strip_.Has(part)
            || (Modulates() && (Targets(SynthTargetDelay) || Targets(SynthTargetReverb)));
    }

    // Whether it has to be rendered from update to update.
    bool Updates() const
    {
        return Modulates() || controls_.drive > 0 || before_.from != 1.0f || before_.to != 1.0f;
    }

    void Update()
    {
        modulation_.Advance();
        before_.Arrive();
        after_.Arrive();
        before_.Aim(Drive::Before(modulation_.Shared(SynthTargetDrive, 0.0f, 1.0f)));
        after_.Aim(Drive::After(before_.to, kUsual));
        at_ = 0;
        if (Modulates()) {
            const TrackControls moved = Moved();
            strip_.MoveTo(moved.Voiced(rate_), moved.cutoff == kOpenCutoff, kTick);
        }
    }

    // Adds `frames` samples to `mix` from sample `first` on; if `sends`, also to the effect sends.
    void Render(const float *waves, Mix &mix, uint32_t first, uint32_t frames, bool sends)
    {
        if (Silent()) {
            Rest(frames);
            return;
        }
        drums_.Render(waves, signal_, frames);
        if (Updates()) {
            const bool is_off = before_.from == 1.0f && before_.to == 1.0f;
            drive_.Process(signal_, frames, before_, at_, is_off);
            for (uint32_t i = 0; i < frames && !is_off; ++i) {
                signal_[i] *= after_.At(at_ + i);
            }
            at_ += frames;
        }
        strip_.Add(signal_, mix, first, frames, sends);
    }

    // Advances by `frames` of silence.
    void Rest(uint32_t frames)
    {
        drums_.Rest(frames);
        strip_.Rest(frames);
        at_ += frames;
    }

  private:
    static constexpr float kUsual = 0.2f;  // level of a drum

    bool Modulates() const
    {
        return controls_.lfo_depth > 0 || controls_.envelope_depth != 0;
    }

    bool Targets(SynthTarget target) const
    {
        return controls_.lfo_target == target || controls_.envelope_target == target;
    }

    // The controls where the modulation has moved them.
    TrackControls Moved() const
    {
        TrackControls moved = controls_;
        moved.volume = Percent(SynthTargetVolume, 0.0f, 4.0f);
        moved.level = 0;
        moved.pan = Percent(SynthTargetPan, -1.0f, 1.0f);
        moved.delay = Percent(SynthTargetDelay, 0.0f, 1.0f);
        moved.reverb = Percent(SynthTargetReverb, 0.0f, 1.0f);
        moved.resonance = static_cast<int32_t>(modulation_.Shared(SynthTargetResonance, 0.0f, 24.0f) + 0.5f);
        const float octaves = modulation_.Shared(SynthTargetCutoff, -12.2f, -1.152f);
        const float share = Exp2(FloatLanes{} + octaves)[0];
        moved.cutoff = std::clamp(static_cast<int32_t>(share * static_cast<float>(rate_)), 20, kOpenCutoff);
        return moved;
    }

    int32_t Percent(SynthTarget target, float low, float high) const
    {
        const float value = 100.0f * modulation_.Shared(target, low, high);
        return static_cast<int32_t>(value + (value < 0.0f ? -0.5f : 0.5f));
    }

    const uint32_t rate_;
    Drums drums_;
    Strip strip_;
    Modulation modulation_;
    TrackControls controls_;
    Drive drive_;
    Ramp before_ = {1.0f, 1.0f, 0.0f};
    Ramp after_ = {1.0f, 1.0f, 0.0f};
    uint32_t at_ = 0;  // frames since the last update
    Block signal_;
    const uint32_t fade_frames_;
    const uint32_t glide_frames_;
};

}  // namespace synth

#endif
