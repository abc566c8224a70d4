// Modulation of a track: the values of its controls every 64 samples, moved by an LFO and, in each voice, by an
// envelope. The values between are interpolated.

#ifndef PIXELBOOP_SYNTH_MODULATION_H
#define PIXELBOOP_SYNTH_MODULATION_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "../base/elementary.h"
#include "../base/hash.h"
#include "../lanes/lane_math.h"
#include "../lanes/ramp.h"
#include "synth.h"
#include "track_controls.h"

namespace synth {

// A value for each SynthTarget, in its own unit: pitch in octaves, cut-off as the binary logarithm of its share of the
// sample rate, resonance in decibels, volume as a gain, pan from -1 to 1, and the others from 0 to 1.
typedef std::array<float, synth_targets> Parts;

// The values of a track's voices at an update.
struct Tick {
    Parts value;     // at the update's end, without the envelope
    Parts envelope;  // what the modulation envelope adds at its peak
    float decay;     // the envelope's loss in an update, as a part of itself
    bool moves;      // whether any value of the voices changes
};

// Expression of one voice.
struct VoiceExpression {
    double ratio = 1.0;            // factor of the frequency
    float octaves = 0.0f;          // the same in octaves
    float highest_octaves = 4.0f;  // limit of the pitch, its modulation included
    float gain = 1.0f;
    float cutoff = 0.0f;  // octaves by which the low-pass opens

    bool IsNeutral() const
    {
        return octaves == 0.0f && gain == 1.0f && cutoff == 0.0f;
    }
};

class Modulation {
  public:
    explicit Modulation(uint32_t rate) : rate_(rate)
    {
        SetControls(TrackControls());
        Jump();
    }

    // Takes effect at the next update or jump: a new sound comes as thirty commands, and its goals are computed once.
    void SetControls(const TrackControls &controls)
    {
        controls_ = controls;
        is_stale_ = true;
    }

    // Sets every value to where the controls are, for a track that is silent.
    void Jump()
    {
        UpdateGoals();
        tick_.value = goal_;
        tick_.envelope = envelope_goal_;
        Move(1.0f);
    }

    // The same for the values of the voices alone: values of another model have nothing in common with the old values.
    void JumpVoices()
    {
        UpdateGoals();
        for (uint32_t i = 0; i < synth_targets; ++i) {
            if (!IsShared(i)) {
                tick_.value[i] = goal_[i];
                tick_.envelope[i] = envelope_goal_[i];
            }
        }
        Move(0.0f);
    }

    // A note begins: the track's own envelope, for the controls that all voices share, begins again.
    void Trigger()
    {
        level_ = 1.0f;
    }

    // Moves to the next update.
    void Advance()
    {
        UpdateGoals();
        const uint32_t before = phase_;
        phase_ += lfo_increment_;
        if (phase_ < before) {
            periods_ += 1;
        }
        level_ = level_ < 1e-6f ? 0.0f : level_ - level_ * tick_.decay;
        Move(kApproach);
    }

    // Whether a value that all voices share changes.
    bool SharedMoves() const
    {
        return shared_moves_;
    }

    const Tick &Now() const
    {
        return tick_;
    }

    // The value of a control that all voices share, with the track's own envelope, within `low` to `high`.
    float Shared(SynthTarget target, float low, float high) const
    {
        const float value = tick_.value[target] + tick_.envelope[target] * level_;
        return std::min(std::max(value, low), high);
    }

  private:
    // Part of the way to a new value that an update covers: 95 % in 14 ms at 48 kHz, without a step that could be
    // heard.
    static constexpr float kApproach = 0.25f;

    static float Percent(int32_t value)
    {
        return static_cast<float>(value) / 100.0f;
    }

    // The change of `target`, in its unit, at `percent` of depth.
    static float Depth(int32_t target, int32_t percent)
    {
        const float depth = Percent(percent);
        switch (target) {
        case SynthTargetPitch:
            return depth * (depth < 0.0f ? -depth : depth);
        case SynthTargetCutoff:
            return 5.0f * depth;
        case SynthTargetResonance:
            return 24.0f * depth;
        default:
            return depth;
        }
    }

    // Computes the goals and the rates from the controls.
    void UpdateGoals()
    {
        if (!is_stale_) {
            return;
        }
        is_stale_ = false;
        const TrackControls &controls = controls_;
        goal_ = {};
        goal_[SynthTargetCutoff] =
            static_cast<float>(BinaryLogarithm(static_cast<double>(controls.cutoff) / rate_));
        goal_[SynthTargetResonance] = static_cast<float>(controls.resonance);
        goal_[SynthTargetVolume] = static_cast<float>(controls.volume / 100.0 * TrackControls::Gain(controls.level));
        goal_[SynthTargetPan] = Percent(controls.pan);
        goal_[SynthTargetDrive] = Percent(controls.drive);
        goal_[SynthTargetChorus] = Percent(controls.chorus);
        goal_[SynthTargetDelay] = Percent(controls.delay);
        goal_[SynthTargetReverb] = Percent(controls.reverb);
        for (uint32_t i = 0; i < synth_timbres; ++i) {
            goal_[SynthTargetTimbre + i] = Percent(controls.timbre[i]);
        }
        lfo_depth_ = {};
        lfo_depth_[static_cast<uint32_t>(controls.lfo_target)] = Depth(controls.lfo_target, controls.lfo_depth);
        envelope_goal_ = {};
        envelope_goal_[static_cast<uint32_t>(controls.envelope_target)] =
            Depth(controls.envelope_target, controls.envelope_depth);
        lfo_increment_ =
            static_cast<uint32_t>(controls.lfo_rate / 100.0 * kTick / rate_ * 4294967296.0);
        // The envelope falls by 60 dB in its time.
        tick_.decay =
            static_cast<float>(1.0 - Power(1.0 - OneMinusExp(Logarithm(1000.0) / Frames(controls.envelope_decay, rate_)),
                                           kTick));
        const bool has_lfo = controls.lfo_depth != 0;
        const bool has_envelope = controls.envelope_depth != 0;
        const bool lfo_shared = IsShared(static_cast<uint32_t>(controls.lfo_target));
        const bool envelope_shared = IsShared(static_cast<uint32_t>(controls.envelope_target));
        moves_voices_ = (has_lfo && !lfo_shared) || (has_envelope && !envelope_shared);
        moves_shared_ = (has_lfo && lfo_shared) || (has_envelope && envelope_shared);
        voices_settled_ = false;
        shared_settled_ = false;
        only_lfo_moves_ = false;
        tick_.moves = true;
        shared_moves_ = true;
    }

    void Move(float approach)
    {
        if (!tick_.moves && !shared_moves_) {
            return;
        }
        const float lfo = controls_.lfo_depth != 0 ? Lfo() : 0.0f;
        if (only_lfo_moves_) {
            const uint32_t i = static_cast<uint32_t>(controls_.lfo_target);
            Approach(tick_.value[i], goal_[i] + lfo * lfo_depth_[i], approach);
            return;
        }
        // A bit for each value that is not at its goal; without branches, so that eight are computed at a time.
        std::array<uint32_t, synth_targets> moving;
        uint32_t others_move = 0;  // values that the LFO does not move
        for (uint32_t i = 0; i < synth_targets; ++i) {
            const uint32_t value = Approach(tick_.value[i], goal_[i] + lfo * lfo_depth_[i], approach);
            const uint32_t envelope = Approach(tick_.envelope[i], envelope_goal_[i], approach);
            moving[i] = value | envelope;
            others_move |= envelope | (lfo_depth_[i] == 0.0f ? value : 0);
        }
        uint32_t voices_move = 0;
        uint32_t shared_move = 0;
        for (uint32_t i = 0; i < synth_targets; ++i) {
            (IsShared(i) ? shared_move : voices_move) |= moving[i];
        }
        const bool voices_settled = voices_move == 0;
        const bool shared_settled = shared_move == 0;
        // One more update after the last change ends the interpolation.
        only_lfo_moves_ = others_move == 0 && ((voices_settled && voices_settled_) || moves_voices_)
            && ((shared_settled && shared_settled_) || moves_shared_);
        tick_.moves = !voices_settled || !voices_settled_ || moves_voices_;
        shared_moves_ = !shared_settled || !shared_settled_ || moves_shared_;
        voices_settled_ = voices_settled;
        shared_settled_ = shared_settled;
    }

    // Whether all voices of a track share control `target`.
    static constexpr bool IsShared(uint32_t target)
    {
        return target >= SynthTargetVolume && target <= SynthTargetReverb;
    }

    // 0 if `value` is at `goal`, else 1.
    static uint32_t Approach(float &value, float goal, float part)
    {
        const float way = goal - value;
        const float size = way < 0.0f ? -way : way;
        value = size < 1e-4f ? goal : value + part * way;
        return size < 1e-4f ? 0 : 1;
    }

    // The LFO now, -1 to 1.
    float Lfo() const
    {
        const float turn = static_cast<float>(phase_ >> 8) * (1.0f / 16777216.0f);
        switch (controls_.lfo_shape) {
        case SynthLfoTriangle:
            return turn < 0.25f ? 4.0f * turn : turn < 0.75f ? 2.0f - 4.0f * turn : 4.0f * turn - 4.0f;
        case SynthLfoSaw:
            return 1.0f - 2.0f * turn;
        case SynthLfoSquare:
            return turn < 0.5f ? 1.0f : -1.0f;
        case SynthLfoRandom:
            return Random();
        default:
            return SineOfPhase(UintLanes{} + phase_)[0];
        }
    }

    // A value of this period.
    float Random() const
    {
        return static_cast<float>(static_cast<int32_t>(Hash(periods_ + 1))) * (1.0f / 2147483648.0f);
    }

    uint32_t rate_;
    TrackControls controls_;
    bool is_stale_ = false;
    Parts goal_ = {};
    Parts envelope_goal_ = {};
    Parts lfo_depth_ = {};
    Tick tick_ = {};
    uint32_t lfo_increment_ = 0;
    uint32_t phase_ = 0;
    uint32_t periods_ = 0;
    float level_ = 0.0f;  // of the track's own envelope
    bool moves_voices_ = false;  // the LFO or the envelope moves a control of the voices
    bool moves_shared_ = false;  // or a value that all voices share
    bool only_lfo_moves_ = false;  // until the controls change; what else moves is computed elsewhere
    bool voices_settled_ = true;
    bool shared_settled_ = true;
    bool shared_moves_ = true;
};

}  // namespace synth

#endif
