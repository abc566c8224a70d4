// The rhythm track: its drums and samples, its drive, its channel strip, and their modulation.

#ifndef PIXELBOOP_SYNTH_RHYTHM_TRACK_H
#define PIXELBOOP_SYNTH_RHYTHM_TRACK_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/glide.h"
#include "../base/velocity.h"
#include "../controls/modulation.h"
#include "../controls/track_controls.h"
#include "../effects/drive.h"
#include "../lanes/mix.h"
#include "../lanes/ramp.h"
#include "../lanes/voicing.h"
#include "../samples/pad.h"
#include "../samples/sample_voices.h"
#include "../samples/samples.h"
#include "drums.h"
#include "strip.h"

namespace synth {

class RhythmTrack {
  public:
    RhythmTrack(uint32_t rate, Samples &samples)
        : rate_(rate), samples_(samples), drums_(rate), sample_voices_(rate), strip_(TrackControls().Voiced(rate)), modulation_(rate),
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

    // Sets what `drum` plays from its next hit on; a sample that sounds takes over volume and tune.
    void SetPad(uint32_t drum, const Pad &pad)
    {
        pads_[drum] = pad;
        sample_voices_.Follow(drum, pad);
    }

    // Empties a slot as soon as no voice plays it. Its pads play their drums again.
    void Unload(uint32_t slot)
    {
        for (Pad &pad : pads_) {
            pad.slot = pad.slot == slot ? synth_samples : pad.slot;
        }
        sample_voices_.FadeSlot(slot, fade_frames_);
        unloading_ |= 1u << slot;
    }

    // Empties the slots that are to be empty and that no voice plays.
    void ReleaseSamples()
    {
        for (uint32_t slots = unloading_; slots != 0; slots &= slots - 1) {
            const uint32_t slot = static_cast<uint32_t>(__builtin_ctz(slots));
            if (!sample_voices_.Plays(slot)) {
                samples_.Release(slot);
                unloading_ &= ~(1u << slot);
            }
        }
    }

    // Starts a drum. Returns the number of voices lost for it.
    uint32_t Start(uint64_t serial, uint32_t drum, uint32_t velocity)
    {
        if (Silent()) {
            modulation_.Jump();
        }
        modulation_.Trigger();
        const Pad &pad = pads_[drum];
        const Sample *const sample = samples_.At(pad.slot);
        const uint32_t kit = static_cast<uint32_t>(controls_.model);
        const uint32_t group = GroupOf(drum, pad);
        if (sample != nullptr || pad.choke != 0 || drums_.Chokes(kit, drum)) {
            drums_.Choke(group);
            sample_voices_.Choke(group);
        }
        if (sample == nullptr) {
            return drums_.Start(serial, kit, drum, group, pad, velocity);
        }
        if (sample->IsStereo() && !is_stereo_) {
            is_stereo_ = true;
            right_drive_ = drive_;
            strip_.Split();
        }
        return sample_voices_.Start(*sample, drum, pad, group, static_cast<float>(VelocityGain(velocity)));
    }

    void Fade()
    {
        drums_.Fade(kAllGroups, fade_frames_);
        sample_voices_.Fade(kAllGroups, fade_frames_);
    }

    bool Silent() const
    {
        return drums_.Silent() && sample_voices_.Silent() && drive_.AtRest() && right_drive_.AtRest() && strip_.AtRest();
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
        drums_.Render(waves, left_, frames);
        Block &right = is_stereo_ ? right_ : left_;
        if (is_stereo_) {
            std::copy_n(left_.begin(), frames, right_.begin());
        }
        sample_voices_.Add(left_, right, frames);
        if (Updates()) {
            Saturate(drive_, left_, frames);
            if (is_stereo_) {
                Saturate(right_drive_, right_, frames);
            }
            at_ += frames;
        }
        strip_.Add(left_, right, mix, first, frames, sends);
    }

    // Advances by `frames` of silence.
    void Rest(uint32_t frames)
    {
        is_stereo_ = false;
        drums_.Rest(frames);
        strip_.Rest(frames);
        at_ += frames;
    }

  private:
    static constexpr float kUsual = 0.2f;  // level of a drum
    static constexpr uint32_t kClosedHat = 7;
    static constexpr uint32_t kOpenHat = 8;
    // The choke groups: one of each drum, and then the groups of the pads.
    static constexpr uint32_t kAllGroups = (1u << (synth_drums + synth_chokes)) - 1;

    // Both hats are one group.
    static uint32_t GroupOf(uint32_t drum, const Pad &pad)
    {
        if (pad.choke != 0) {
            return synth_drums + pad.choke - 1;
        }
        return drum == kOpenHat ? kClosedHat : drum;
    }

    void Saturate(Drive &drive, Block &signal, uint32_t frames) const
    {
        const bool is_off = before_.from == 1.0f && before_.to == 1.0f;
        drive.Process(signal, frames, before_, at_, is_off);
        for (uint32_t i = 0; i < frames && !is_off; ++i) {
            signal[i] *= after_.At(at_ + i);
        }
    }

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
    Samples &samples_;
    Drums drums_;
    SampleVoices sample_voices_;
    std::array<Pad, synth_drums> pads_ = {};
    uint32_t unloading_ = 0;  // one bit per slot
    bool is_stereo_ = false;  // since a stereo sample began, until all is silent
    Strip strip_;
    Modulation modulation_;
    TrackControls controls_;
    Drive drive_;
    Drive right_drive_;  // at rest until the channels differ
    Ramp before_ = {1.0f, 1.0f, 0.0f};
    Ramp after_ = {1.0f, 1.0f, 0.0f};
    uint32_t at_ = 0;  // frames since the last update
    Block left_;
    Block right_;
    const uint32_t fade_frames_;
    const uint32_t glide_frames_;
};

}  // namespace synth

#endif
