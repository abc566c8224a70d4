// The performance effects: fingers on the whole sound. They follow one another: repeat, reverse, tape, swell, crush,
// filter, gate, throw. An effect that is neither on nor rings costs nothing and changes no bit; the history of the
// sound is written always.

#ifndef PIXELBOOP_SYNTH_FX_H
#define PIXELBOOP_SYNTH_FX_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "../base/elementary.h"
#include "../base/glide.h"
#include "../lanes/mix.h"
#include "../sequence/clock.h"
#include "fx_block.h"
#include "fx_gate.h"
#include "fx_guard.h"
#include "fx_loops.h"
#include "fx_swell.h"
#include "fx_tape.h"
#include "fx_throw.h"
#include "fx_tone.h"
#include "stereo_ring.h"
#include "synth.h"

namespace synth {

class Fx {
  public:
    explicit Fx(uint32_t rate)
        : fade_frames_(Frames(8.0, rate)),
          glide_frames_(Frames(kGlideTime, rate)),
          reverse_max_(4 * rate),
          repeat_max_(rate),
          size_(13 * rate + 2 * kMargin),
          memory_(static_cast<FloatPair *>(std::calloc(size_, sizeof(FloatPair)))),
          history_(memory_.get(), 2 * reverse_max_ + kMargin),
          repeat_(memory_.get() + history_.Capacity(), repeat_max_, Frames(kSeam, rate)),
          reverse_(Frames(kSeam, rate)),
          tape_(memory_.get() + history_.Capacity() + repeat_max_ + kMargin, 2 * rate, fade_frames_),
          swell_(rate),
          crush_(rate),
          filter_(rate),
          gate_(Frames(3.0, rate)),
          throw_(memory_.get() + history_.Capacity() + repeat_max_ + kMargin + 2 * rate, 2 * rate, fade_frames_),
          guard_(rate)
    {
    }

    // Whether there was memory. If not, nothing else may be called.
    bool HasMemory() const
    {
        return memory_ != nullptr;
    }

    // Uses the pages of the memory, which else come with their first use: an audio thread must not wait for them. Call
    // it before the first frame.
    void Touch()
    {
        constexpr uint32_t kPage = 4096 / sizeof(FloatPair);
        for (uint32_t i = 0; i < size_; i += kPage) {
            __atomic_store_n(reinterpret_cast<uint32_t *>(&memory_.get()[i]), 0, __ATOMIC_RELAXED);
        }
    }

    // Begins an effect, moves it or ends it. If it `waits`, BeginWaiting begins it.
    void Set(const SynthFxCommand &command, bool waits, const Clock &clock)
    {
        if (command.fx >= synth_fx_kinds) {
            return;
        }
        const uint32_t bit = 1u << command.fx;
        Finger &finger = fingers_[command.fx];
        if (!command.is_on) {
            on_ &= ~bit;
            waiting_ &= ~bit;
            again_ &= ~bit;
            return;
        }
        finger.x = std::min<uint32_t>(command.x, synth_fx_max);
        finger.y = std::min<uint32_t>(command.y, synth_fx_max);
        if ((on_ & ~again_ & bit) != 0) {
            // From one end to the other the filter passes through eight octaves twice.
            finger.GlideTo(command.fx == SynthFxFilter ? 3 * glide_frames_ : glide_frames_);
            SetDivision(command.fx, clock);
            return;
        }
        on_ &= ~bit;
        again_ &= ~bit;
        waiting_ = waits ? waiting_ | bit : waiting_ & ~bit;
        if (!waits) {
            Begin(command.fx, clock);
        }
    }

    // Begins the effects that wait for a step.
    void BeginWaiting(const Clock &clock)
    {
        const uint32_t waiting = waiting_;
        waiting_ = 0;
        EachOf(waiting, [&](uint32_t fx) { Begin(fx, clock); });
    }

    // Begins the effects that are on again and have faded out. Returns the frames until one has, at most `limit`.
    uint32_t BeginAgain(uint32_t limit, const Clock &clock)
    {
        EachOf(again_, [&](uint32_t fx) {
            if (fingers_[fx].ramp == 0) {
                again_ &= ~(1u << fx);
                Begin(fx, clock);
            } else {
                limit = std::min(limit, fingers_[fx].ramp);
            }
        });
        return limit;
    }

    // Whether silence stays silence.
    bool AtRest() const
    {
        return !IsActive();
    }

    // Whether the reverberation gets something that is not in its send.
    bool FeedsReverb() const
    {
        return ((on_ | fading_) >> SynthFxSwell & 1) != 0;
    }

    // Whether it needs the time.
    bool HasGate() const
    {
        return ((on_ | fading_) >> SynthFxGate & 1) != 0;
    }

    // `frames` of silence.
    void Rest(uint32_t frames)
    {
        history_.WriteZeros(frames);
        while (frames > 0) {
            const uint32_t run = std::min(frames, FxGuard::kUpdate - at_);
            Update();
            Advance(run);
            frames -= run;
        }
    }

    // Processes `frames` of `mix`.
    __attribute__((noinline)) void Process(Mix &mix, uint32_t frames, FxTime time)
    {
        for (uint32_t done = 0; done < frames;) {
            const uint32_t run = FramesTogether(std::min(frames - done, kTick - at_ % kTick));
            Update();
            float *const left = &mix.left[done];
            float *const right = &mix.right[done];
            guard_.dry.Add(left, right, run, at_);
            if (IsActive()) {
                Process(left, right, &mix.to_reverb[done], run, time);
            } else {
                history_.Write(left, right, run);
            }
            Advance(run);
            time.place += run * time.speed;
            done += run;
        }
    }

  private:
    static constexpr double kSeam = 5.0;       // crossfade between two repetitions, in milliseconds
    static constexpr uint32_t kMargin = 1024;  // frames for two of them and a block, at 96 kHz

    struct Free {
        void operator()(FloatPair *memory) const
        {
            std::free(memory);
        }
    };

    // Lengths of the columns in twelfths of a step, of which a whole note has 192.
    static constexpr std::array<uint16_t, 8> kRepeats = {48, 32, 24, 16, 12, 8, 6, 4};
    static constexpr std::array<uint16_t, 8> kReverses = {192, 96, 64, 48, 32, 24, 16, 12};
    static constexpr std::array<uint16_t, 8> kStops = {384, 192, 144, 96, 72, 48, 24, 12};
    static constexpr std::array<uint16_t, 8> kThrows = {144, 96, 72, 48, 36, 24, 18, 12};

    struct Finger {
        uint32_t x = 0;
        uint32_t y = 0;
        uint32_t ramp = 0;  // frames of the fade that lie behind it
        Glide x_glide = Glide(0.0f);
        Glide y_glide = Glide(0.0f);

        uint32_t Column() const
        {
            return x * 8 / (synth_fx_max + 1);
        }

        void GlideTo(uint32_t frames)
        {
            x_glide.MoveTo(static_cast<float>(x) / synth_fx_max, frames);
            y_glide.MoveTo(static_cast<float>(y) / synth_fx_max, frames);
        }
    };

    // Performs `action` with the number of each bit of `set`.
    template <typename Action>
    static void EachOf(uint32_t set, Action action)
    {
        for (; set != 0; set &= set - 1) {
            action(static_cast<uint32_t>(__builtin_ctz(set)));
        }
    }

    // Updates the guard if the next frame is the one for it.
    void Update()
    {
        if (at_ == 0) {
            guard_.Update(IsPlayed(), ((on_ | fading_) >> SynthFxRepeat & 1) != 0 ? repeat_.Frames() : 0);
        }
    }

    void Advance(uint32_t frames)
    {
        at_ = (at_ + frames) % FxGuard::kUpdate;
    }

    // Whether an effect is on or ends.
    bool IsPlayed() const
    {
        return (on_ | fading_) != 0;
    }

    bool IsActive() const
    {
        return IsPlayed() || !throw_.AtRest();
    }

    // The frames until an effect has faded out, at most `limit`.
    uint32_t FramesTogether(uint32_t limit) const
    {
        EachOf(fading_ & (~on_ | again_), [&](uint32_t fx) { limit = std::min(limit, fingers_[fx].ramp); });
        return limit;
    }

    // Begins an effect, or lets it begin when it has faded out.
    void Begin(uint32_t fx, const Clock &clock)
    {
        Finger &finger = fingers_[fx];
        on_ |= 1u << fx;
        if (finger.ramp > 0) {
            again_ |= 1u << fx;
            return;
        }
        finger.GlideTo(0);
        const float x = finger.x_glide.Value();
        const float y = finger.y_glide.Value();
        const uint64_t now = history_.Written();
        switch (fx) {
        case SynthFxRepeat:
            repeat_.Begin(now, Division(fx, clock));
            break;
        case SynthFxReverse:
            reverse_.Begin(now, Division(fx, clock));
            break;
        case SynthFxTape:
            tape_.Begin(Division(fx, clock));
            break;
        case SynthFxSwell:
            swell_.Begin(x, guard_.Power());
            break;
        case SynthFxCrush:
            crush_.Begin(x, y);
            break;
        case SynthFxFilter:
            filter_.Begin(x, y);
            break;
        case SynthFxGate:
            gate_.Begin(clock.UnitsOf(kRepeats[finger.Column()]));
            break;
        default:
            throw_.SetFrames(Division(fx, clock));
            break;
        }
    }

    void SetDivision(uint32_t fx, const Clock &clock)
    {
        switch (fx) {
        case SynthFxRepeat:
            repeat_.SetFrames(Division(fx, clock));
            break;
        case SynthFxReverse:
            reverse_.SetFrames(Division(fx, clock));
            break;
        case SynthFxTape:
            tape_.SetFrames(Division(fx, clock));
            break;
        case SynthFxGate:
            gate_.SetUnits(clock.UnitsOf(kRepeats[fingers_[fx].Column()]));
            break;
        case SynthFxThrow:
            throw_.SetFrames(Division(fx, clock));
            break;
        default:
            break;
        }
    }

    // The division of an effect in frames.
    uint32_t Division(uint32_t fx, const Clock &clock) const
    {
        const uint32_t column = fingers_[fx].Column();
        switch (fx) {
        case SynthFxRepeat:
            return Fitting(clock.FramesOfTwelfths(kRepeats[column]), repeat_max_);
        case SynthFxReverse:
            return Fitting(clock.FramesOfTwelfths(kReverses[column]), reverse_max_);
        case SynthFxTape:
            return Fitting(clock.FramesOfTwelfths(kStops[column]), tape_.FramesMax());
        default:
            return Fitting(clock.FramesOfTwelfths(kThrows[column]), throw_.FramesMax());
        }
    }

    // Halves `frames` until they are at most `most`. A repetition is longer than the fade from one to the next.
    uint32_t Fitting(uint32_t frames, uint32_t most) const
    {
        while (frames > most) {
            frames = (frames + 1) / 2;
        }
        return std::max(frames, 2 * fade_frames_);
    }

    // Processes a run of at most kTick frames while an effect is on or rings.
    void Process(float *left, float *right, float *to_reverb, uint32_t frames, const FxTime &time)
    {
        constexpr std::array<uint8_t, synth_fx_kinds> kOrder = {SynthFxRepeat, SynthFxReverse, SynthFxTape,
                                                                SynthFxSwell,  SynthFxCrush,   SynthFxFilter,
                                                                SynthFxGate,   SynthFxThrow};
        FxBlock block;
        block.left = left;
        block.right = right;
        block.frames = frames;
        block.at = at_ % kTick;
        const bool is_played = IsPlayed();
        std::array<float, kTick> most = {};  // the weights of the effect that weighs most
        for (const uint8_t fx : kOrder) {
            const bool runs = ((on_ | fading_) >> fx & 1) != 0;
            if (runs || (fx == SynthFxThrow && !throw_.AtRest())) {
                Fill(fx, block, most);
                Make(fx, block, to_reverb, time);
                Blend(fx, block, left, right);
            }
            if (fx == SynthFxRepeat) {
                history_.Write(left, right, frames);
            }
        }
        if (!is_played) {
            return;
        }
        guard_.wet.Add(left, right, frames, at_);
        for (uint32_t i = 0; i < frames; ++i) {
            const float gain = 1.0f - most[i] * (1.0f - guard_.Gain(at_ + i));
            left[i] *= gain;
            right[i] *= gain;
        }
    }

    // Fills in the finger's place and the fade.
    void Fill(uint32_t fx, FxBlock &block, std::array<float, kTick> &most)
    {
        Finger &finger = fingers_[fx];
        const bool is_on = ((on_ & ~again_) >> fx & 1) != 0;
        for (uint32_t i = 0; i < block.frames; ++i) {
            if (is_on) {
                finger.ramp = std::min(finger.ramp + 1, fade_frames_);
            } else {
                finger.ramp -= finger.ramp > 0 ? 1 : 0;
            }
            block.x[i] = finger.x_glide.Next();
            block.y[i] = finger.y_glide.Next();
            block.weights[i] = SmoothStep(static_cast<float>(finger.ramp) / static_cast<float>(fade_frames_));
            most[i] = std::max(most[i], block.weights[i]);
        }
        fading_ = finger.ramp > 0 ? fading_ | 1u << fx : fading_ & ~(1u << fx);
    }

    void Make(uint32_t fx, FxBlock &block, float *to_reverb, const FxTime &time)
    {
        switch (fx) {
        case SynthFxRepeat:
            repeat_.Process(block, history_);
            break;
        case SynthFxReverse:
            reverse_.Process(block, history_);
            break;
        case SynthFxTape:
            tape_.Process(block);
            break;
        case SynthFxSwell:
            swell_.Process(block, to_reverb);
            break;
        case SynthFxCrush:
            crush_.Process(block);
            break;
        case SynthFxFilter:
            filter_.Process(block);
            break;
        case SynthFxGate:
            gate_.Process(block, time);
            break;
        default:
            throw_.Process(block);
            break;
        }
    }

    // Mixes the effect with the sound: exactly the one or the other at both ends of the weight.
    static void Blend(uint32_t fx, const FxBlock &block, float *left, float *right)
    {
        const bool is_mixed = fx == SynthFxRepeat || fx == SynthFxReverse;
        for (uint32_t i = 0; i < block.frames; ++i) {
            const float weight = fx == SynthFxThrow ? 1.0f
                                                    : block.weights[i] * (is_mixed ? 0.5f + 0.5f * block.y[i] : 1.0f);
            left[i] = left[i] * (1.0f - weight) + block.wet[i][0] * weight;
            right[i] = right[i] * (1.0f - weight) + block.wet[i][1] * weight;
        }
    }

    const uint32_t fade_frames_;
    const uint32_t glide_frames_;
    const uint32_t reverse_max_;
    const uint32_t repeat_max_;
    const uint32_t size_;  // of the memory, in frames
    std::unique_ptr<FloatPair, Free> memory_;
    StereoRing history_;
    FxRepeat repeat_;
    FxReverse reverse_;
    FxTape tape_;
    FxSwell swell_;
    FxCrush crush_;
    FxFilter filter_;
    FxGate gate_;
    FxThrow throw_;
    FxGuard guard_;
    std::array<Finger, synth_fx_kinds> fingers_;
    uint32_t on_ = 0;       // one bit for each effect, as in all of these
    uint32_t waiting_ = 0;  // for a step
    uint32_t fading_ = 0;   // heard at present
    uint32_t again_ = 0;    // on again before they have faded out
    uint32_t at_ = 0;       // frames since the guard's last update
};

}  // namespace synth

#endif
