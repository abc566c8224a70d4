// A melodic track's place in the mix: the drive, the chorus, the gains and the sends of the sum of its voices.

#ifndef PIXELBOOP_SYNTH_TRACK_MIX_H
#define PIXELBOOP_SYNTH_TRACK_MIX_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "../controls/modulation.h"
#include "../effects/chorus.h"
#include "../effects/drive.h"
#include "../lanes/lane_math.h"
#include "../lanes/mix.h"
#include "../lanes/oscillator.h"
#include "../lanes/ramp.h"

namespace synth {

class TrackMix {
  public:
    explicit TrackMix(uint32_t rate) : chorus_(rate) {}

    // Whether silence in gives silence out.
    bool AtRest() const
    {
        return drives_[0].AtRest() && drives_[1].AtRest() && chorus_.AtRest();
    }

    // Whether the right side needs silence to come to rest.
    bool HasRight() const
    {
        return !drives_[1].AtRest();
    }

    // Frames since the last update.
    uint32_t At() const
    {
        return at_;
    }

    // An update: every gain is where it was to arrive. It goes to where the modulation has moved the controls if that
    // differs; `ensemble` is the gain of the ensemble.
    void Update(const Modulation &modulation, float ensemble)
    {
        Arrive();
        if (modulation.SharedMoves() || ensemble_ != ensemble) {
            Aim(modulation, ensemble);
        }
        UpdateChorus();
    }

    // Sets every gain to its goal: only in silence.
    void Jump(const Modulation &modulation, float ensemble)
    {
        ensemble_ = ensemble;
        Aim(modulation, ensemble);
        Arrive();
        UpdateChorus();
    }

    // Adds `frames` samples of the voices' sum to `mix` from its sample `first` on. If not `panned`, `right` is the
    // same as `left` and has no samples of its own. Overwrites both.
    void Add(Block &left, Block &right, bool panned, Mix &mix, uint32_t first, uint32_t frames)
    {
        Saturate(left, right, panned, frames);
        const bool widens = Widen(left, right, panned, frames);
        Place(left, panned || widens ? right : left, mix, first, frames);
        at_ += frames;
    }

    // Advances by `frames` without sound.
    void Rest(uint32_t frames)
    {
        at_ += frames;
        chorus_.Pass(frames);
    }

  private:
    // The gains, which go in straight lines from update to update.
    enum Gain { kToLeft, kToRight, kDelaySend, kReverbSend, kBeforeDrive, kDry, kChorusGain, kEnsembleGain, kGains };

    static constexpr float kUsual = 0.06f;  // level of a note

    // Part of the way to another amount of the ensemble that an update covers.
    static constexpr float kEnsembleApproach = 0.25f;

    void Arrive()
    {
        at_ = 0;
        for (Ramp &ramp : ramps_) {
            ramp.Arrive();
        }
    }

    void UpdateChorus()
    {
        if (Widens()) {
            chorus_.Update();
        }
    }

    bool Widens() const
    {
        return !ramps_[kChorusGain].IsZero() || !ramps_[kEnsembleGain].IsZero();
    }

    void Aim(const Modulation &modulation, float ensemble)
    {
        const float volume = modulation.Shared(SynthTargetVolume, 0.0f, 40.0f);
        const float pan = modulation.Shared(SynthTargetPan, -1.0f, 1.0f);
        // The angle is an eighth of a turn in the middle.
        constexpr uint32_t kQuarter = 1u << 30;
        constexpr float kRootOf2 = 1.41421356f;
        const uint32_t angle = static_cast<uint32_t>((pan + 1.0f) * (kQuarter / 2));
        const FloatLanes sines = SineOfPhase(UintLanes{kQuarter - angle, angle});
        const float before = Drive::Before(modulation.Shared(SynthTargetDrive, 0.0f, 1.0f));
        const float level = volume * Drive::After(before, kUsual);
        const float chorus = 0.8f * modulation.Shared(SynthTargetChorus, 0.0f, 1.0f);
        ensemble_ += kEnsembleApproach * (ensemble - ensemble_);
        const float way = ensemble - ensemble_;
        ensemble_ = way < 1e-4f && way > -1e-4f ? ensemble : ensemble_;
        ramps_[kToLeft].Aim(level * kRootOf2 * sines[0]);
        ramps_[kToRight].Aim(level * kRootOf2 * sines[1]);
        ramps_[kDelaySend].Aim(0.5f * level * modulation.Shared(SynthTargetDelay, 0.0f, 1.0f));
        ramps_[kReverbSend].Aim(0.5f * level * modulation.Shared(SynthTargetReverb, 0.0f, 1.0f));
        ramps_[kBeforeDrive].Aim(before);
        ramps_[kDry].Aim(1.0f - 0.4f * std::max(chorus, ensemble_));
        ramps_[kChorusGain].Aim(chorus);
        ramps_[kEnsembleGain].Aim(ensemble_);
    }

    void Saturate(Block &left, Block &right, bool panned, uint32_t frames)
    {
        const Ramp &before = ramps_[kBeforeDrive];
        const bool is_off = before.from == 1.0f && before.to == 1.0f;
        drives_[0].Process(left, frames, before, at_, is_off);
        if (panned) {
            drives_[1].Process(right, frames, before, at_, is_off);
        }
    }

    // Whether it has made two sides.
    bool Widen(Block &left, Block &right, bool panned, uint32_t frames)
    {
        if (!Widens()) {
            chorus_.Clear();
            chorus_.Pass(frames);
            return false;
        }
        const Ramp dry = ramps_[kDry];
        if (panned) {
            for (uint32_t i = 0; i < frames; ++i) {
                const float gain = dry.At(at_ + i);
                middle_[i] = 0.5f * (left[i] + right[i]);
                left[i] *= gain;
                right[i] *= gain;
            }
        } else {
            for (uint32_t i = 0; i < frames; ++i) {
                const float sample = left[i];
                const float gained = sample * dry.At(at_ + i);
                middle_[i] = sample;
                left[i] = gained;
                right[i] = gained;
            }
        }
        chorus_.Add(middle_, left, right, frames, ramps_[kChorusGain], ramps_[kEnsembleGain], at_);
        return true;
    }

    void Place(const Block &left, const Block &right, Mix &mix, uint32_t first, uint32_t frames) const
    {
        const bool has_delay = !ramps_[kDelaySend].IsZero();
        const bool has_reverb = !ramps_[kReverbSend].IsZero();
        mix.has_delay |= has_delay;
        mix.has_reverb |= has_reverb;
        if (has_delay && has_reverb) {
            Place<true, true>(left, right, mix, first, frames);
        } else if (has_delay) {
            Place<true, false>(left, right, mix, first, frames);
        } else if (has_reverb) {
            Place<false, true>(left, right, mix, first, frames);
        } else {
            Place<false, false>(left, right, mix, first, frames);
        }
    }

    // Adds the samples to the sides and to the sends that are needed, eight at a time.
    template <bool has_delay, bool has_reverb>
    void Place(const Block &left, const Block &right, Mix &mix, uint32_t first, uint32_t frames) const
    {
        uint32_t i = 0;
        for (; i + kLanes <= frames; i += kLanes) {
            const FloatLanes times = __builtin_convertvector(kOffsets + (at_ + i), FloatLanes);
            FloatLanes left_samples;
            FloatLanes right_samples;
            std::memcpy(&left_samples, &left[i], sizeof(left_samples));
            std::memcpy(&right_samples, &right[i], sizeof(right_samples));
            Add(left_samples, ramps_[kToLeft], times, &mix.left[first + i]);
            Add(right_samples, ramps_[kToRight], times, &mix.right[first + i]);
            const FloatLanes both = left_samples + right_samples;
            if (has_delay) {
                Add(both, ramps_[kDelaySend], times, &mix.to_delay[first + i]);
            }
            if (has_reverb) {
                Add(both, ramps_[kReverbSend], times, &mix.to_reverb[first + i]);
            }
        }
        for (; i < frames; ++i) {
            mix.left[first + i] += left[i] * ramps_[kToLeft].At(at_ + i);
            mix.right[first + i] += right[i] * ramps_[kToRight].At(at_ + i);
            if (has_delay) {
                mix.to_delay[first + i] += (left[i] + right[i]) * ramps_[kDelaySend].At(at_ + i);
            }
            if (has_reverb) {
                mix.to_reverb[first + i] += (left[i] + right[i]) * ramps_[kReverbSend].At(at_ + i);
            }
        }
    }

    // Adds eight samples at `times` after the update, with the gain `ramp`.
    static void Add(const FloatLanes &samples, const Ramp &ramp, const FloatLanes &times, float *to)
    {
        FloatLanes sum;
        std::memcpy(&sum, to, sizeof(sum));
        sum += samples * (ramp.from + ramp.slope * times);
        std::memcpy(to, &sum, sizeof(sum));
    }

    std::array<Ramp, kGains> ramps_ = {};
    uint32_t at_ = 0;
    float ensemble_ = 0.0f;  // the ensemble's gain at the next update
    std::array<Drive, 2> drives_;
    Chorus chorus_;
    Block middle_;
};

}  // namespace synth

#endif
