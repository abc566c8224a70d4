// All voices: the four tracks with their controls, and the metronome.

#ifndef PIXELBOOP_SYNTH_VOICES_H
#define PIXELBOOP_SYNTH_VOICES_H

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/elementary.h"
#include "base/glide.h"
#include "base/tracks.h"
#include "base/velocity.h"
#include "controls/track_controls.h"
#include "drums/drum_sources.h"
#include "drums/metronome.h"
#include "drums/rhythm_track.h"
#include "expression.h"
#include "lanes/bank.h"
#include "lanes/lanes.h"
#include "lanes/mix.h"
#include "lanes/ramp.h"
#include "lanes/voicing.h"
#include "lanes/waves.h"
#include "models/melodic_source.h"
#include "models/melodic_tracks.h"
#include "models/model_track.h"
#include "samples/pad.h"
#include "samples/samples.h"
#include "sequence/pattern.h"
#include "sequence/tuning.h"

namespace synth {

// Twelve notes of each melodic track, started on every step at 200 BPM, sound for two steps. With no more notes a step,
// voices are stolen only after a change of length, tempo or release. The lanes have room for all of them to fade while
// another step begins.
constexpr uint32_t kMelodicVoices = 72;
constexpr uint32_t kMelodicGroups = 14;

class Voices {
  public:
    static constexpr uint32_t kAllTracks = (1u << kTracks) - 1;

    Voices(uint32_t rate, Samples &samples)
        : rate_(rate),
          melodic_tracks_(rate),
          rhythm_(rate, samples),
          metronome_(rate),
          held_notes_(rate),
          steal_frames_(Frames(160.0 / 48.0, rate)),
          fade_frames_(Frames(5.0, rate)),
          glide_frames_(Frames(kGlideTime, rate))
    {
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            controls_[track].cutoff = MelodicTracks::Cutoff(track);
            voicings_[track].JumpTo(controls_[track].Voiced(rate));
        }
    }

    // Sets the controls of `track`. Sounding voices glide to them; a silent track has them at once.
    void Control(uint32_t track, const TrackControls &controls)
    {
        controls_[track] = controls;
        if (track == kRhythm) {
            rhythm_.SetControls(controls);
            return;
        }
        if (ModelTrack::Plays(controls) || !model_tracks_[track].Silent()) {
            model_tracks_[track].SetControls(controls);
        }
        const Voicing voicing = controls.Voiced(rate_);
        if (melodic_.Silent(track)) {
            voicings_[track].JumpTo(voicing);
        } else {
            voicings_[track].MoveTo(voicing, glide_frames_);
            Glide(track, voicing, glide_frames_);
        }
    }

    // Sets what a drum of the rhythm track plays.
    void SetPad(uint32_t drum, const Pad &pad)
    {
        rhythm_.SetPad(drum, pad);
    }

    // Empties the slot of a sample as soon as no voice plays it.
    void Unload(uint32_t slot)
    {
        rhythm_.Unload(slot);
    }

    // Empties the slots that no voice plays any more.
    void ReleaseSamples()
    {
        rhythm_.ReleaseSamples();
    }

    const TrackControls &Controls(uint32_t track) const
    {
        return controls_[track];
    }

    // Starts a note. Returns the number of voices lost for it.
    uint32_t Start(uint32_t track, uint32_t note, const Hit &hit, double bpm, const Tuning &tuning,
                   const Expression &expression = Expression())
    {
        serial_ += 1;
        if (track == kRhythm) {
            return rhythm_.Start(serial_, note, hit.velocity);
        }
        const double ratio = tuning.Ratio(MelodicTracks::MidiNote(track, note));
        const bool slides = hit.slides && last_[track].serial != 0;
        const Expression begin = slides ? Slide(track, note, ratio, expression) : expression;
        last_[track] = {serial_, note, ratio};
        const SegmentList list = melodic_tracks_.Note(hit, bpm, controls_[track]);
        if (ModelTrack::Plays(controls_[track])) {
            const double hertz = MelodicTracks::Hertz(track, note, ratio);
            const uint32_t strength = hit.velocity >= kLowestAccent ? 2 : 1;
            const ModelNote start = {note, hertz, melodic_tracks_.WaveOf(track), strength, serial_,
                                     Follows(track, hit.steps, bpm), begin.Voice(hertz, rate_)};
            return model_tracks_[track].Start(start, list);
        }
        const VoicingGlide &voicing = voicings_[track];
        MelodicSource::Sound sound = melodic_tracks_.Sound(track, note, ratio * begin.Ratio());
        VoicingGlide own;
        sound.voicing = &voicing;
        if (!begin.SoundsAs(Expression())) {
            own.JumpTo(Expressed(track, begin));
            sound.voicing = &own;
        }
        const uint32_t lost = melodic_.Start(serial_, track, sound, list, steal_frames_);
        if (voicing.Left() > 0) {
            Glide(track, voicing.Target(), voicing.Left());
        }
        return lost;
    }

    // Starts a note that sounds until Release; a drum ends itself. Returns the number of voices lost for it.
    uint32_t Hold(uint32_t track, uint32_t note, uint32_t velocity, double bpm, const Tuning &tuning,
                  const Expression &expression)
    {
        Release(track, note);
        Hit hit;
        hit.velocity = velocity;
        hit.steps = kHeldSteps;
        if (track >= kMelodicTracks) {
            return Start(track, note, hit, bpm, tuning);
        }
        const double ratio = tuning.Ratio(MelodicTracks::MidiNote(track, note));
        const Expression within = expression.Within(MelodicTracks::Hertz(track, note, ratio));
        held_notes_.Begin(track, note, serial_ + 1, ratio, within);
        const uint32_t lost = Start(track, note, hit, bpm, tuning, within);
        held_[track][note] = serial_;
        return lost;
    }

    // Moves a held note to `expression`.
    void Express(uint32_t track, uint32_t note, const Expression &expression)
    {
        if (track < kMelodicTracks && held_[track][note] != 0) {
            const double hertz = MelodicTracks::Hertz(track, note, held_notes_.TuningOf(track, note));
            held_notes_.MoveTo(track, note, expression.Within(hertz));
        }
    }

    // Frames, at most `frames`, that can be rendered together: while expression moves, an update begins a run.
    uint32_t FramesTogether(uint32_t frames) const
    {
        return held_notes_.Moving() ? std::min(frames, to_tick_ == 0 ? kTick : to_tick_) : frames;
    }

    // Ends a held note within the track's release, or 150 ms without one.
    void Release(uint32_t track, uint32_t note)
    {
        if (track >= kMelodicTracks || held_[track][note] == 0) {
            return;
        }
        const int32_t release = controls_[track].release;
        const uint32_t frames = std::max(fade_frames_, Frames(release == 0 ? 150.0 : release, rate_));
        melodic_.FadeVoice(held_[track][note], frames);
        model_tracks_[track].FadeVoice(held_[track][note], frames);
        held_[track][note] = 0;
        ends_[track] = frames_;
    }

    void Click(bool is_bar)
    {
        serial_ += 1;
        metronome_.Click(serial_, is_bar);
    }

    // Fades out the voices on `tracks`, a bit mask.
    void Fade(uint32_t tracks)
    {
        melodic_.Fade(tracks, fade_frames_);
        if ((tracks >> kRhythm & 1) != 0) {
            rhythm_.Fade();
        }
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            if ((tracks >> track & 1) != 0) {
                model_tracks_[track].Fade();
            }
        }
    }

    void FadeClick()
    {
        metronome_.Fade(fade_frames_);
    }

    bool Silent() const
    {
        return melodic_.Silent() && ModelsAreSilent() && rhythm_.Silent() && metronome_.Silent();
    }

    // Advances by `frames` of silence.
    void Rest(uint32_t frames)
    {
        Advance(frames);
        PassUpdates(frames, [&](uint32_t, uint32_t run) {
            for (ModelTrack &track : model_tracks_) {
                track.Rest(run);
            }
        });
        rhythm_.Rest(frames);
    }

    // Renders `frames` into `mix`, and into `parts`: Undivided or Stems.
    template <typename Parts>
    void Render(Mix &mix, uint32_t frames, Parts &parts)
    {
        if (to_tick_ == 0 && held_notes_.Moving()) {
            MoveHeldNotes();
        }
        mix.has_delay = AnyHas(kToDelay);
        mix.has_reverb = AnyHas(kToReverb);
        const bool sends = mix.has_delay || mix.has_reverb;
        // Without updates of its own the rhythm track is rendered at once, which is faster.
        const bool rhythm_updates = rhythm_.Updates();
        parts.Begin(frames);
        RenderMelodic(mix, frames, sends, parts);
        PassUpdates(frames, [&](uint32_t first, uint32_t run) {
            for (ModelTrack &track : model_tracks_) {
                track.Make(waves_.Data(), run, filters_);
            }
            filters_.Run(run);
            for (uint32_t track = 0; track < kMelodicTracks; ++track) {
                parts.AddTrack(track, mix, first, run,
                               [&](Mix &to) { model_tracks_[track].Add(to, first, run); });
            }
            if (rhythm_updates) {
                parts.AddTrack(kRhythm, mix, first, run,
                               [&](Mix &to) { rhythm_.Render(waves_.Data(), to, first, run, sends); });
            }
        });
        Advance(frames);
        if (!rhythm_updates) {
            parts.AddTrack(kRhythm, mix, 0, frames,
                           [&](Mix &to) { rhythm_.Render(waves_.Data(), to, 0, frames, sends); });
        }
        RenderClick(mix, frames);
    }

  private:
    // Length of a held note: three quarters of an hour at the slowest tempo, then it ends itself.
    static constexpr uint32_t kHeldSteps = 3600;
    static constexpr double kSlideTime = 60.0;  // ms

    // Begins the slide of the note that starts now, tuned by `ratio`, from the track's last note, which fades. Returns
    // the expression of its begin.
    Expression Slide(uint32_t track, uint32_t note, double ratio, const Expression &expression)
    {
        constexpr int32_t kSemitone = 10000;  // hundredths of a cent
        const Last &last = last_[track];
        melodic_.FadeVoice(last.serial, fade_frames_);
        model_tracks_[track].FadeVoice(last.serial, fade_frames_);
        Expression begin = expression;
        begin.bend += (static_cast<int32_t>(last.note) - static_cast<int32_t>(note)) * kSemitone;
        begin.bend += static_cast<int32_t>(Expression::kBendsPerOctave * BinaryLogarithm(last.ratio / ratio));
        begin = begin.Within(MelodicTracks::Hertz(track, note, ratio));
        held_notes_.Begin(track, note, serial_, ratio, begin);
        held_notes_.MoveTo(track, note, expression, kSlideTime);
        return begin;
    }

    // The voicing of a note of `track` with `expression`.
    Voicing Expressed(uint32_t track, const Expression &expression) const
    {
        return controls_[track].Voiced(rate_, expression.Gain(), expression.CutoffRatio());
    }

    // Moves the voices of `track` to `voicing`, each with its expression, within `frames`.
    void Glide(uint32_t track, const Voicing &voicing, uint32_t frames)
    {
        melodic_.Glide(track, voicing, frames);
        held_notes_.EachVoiced(track, [&](const HeldNotes::Note &note) {
            melodic_.GlideVoice(note.serial, Expressed(track, note.now), frames);
        });
    }

    // An update of the held notes. The models' update follows.
    void MoveHeldNotes()
    {
        melodic_.EndBends();
        held_notes_.Advance([&](uint32_t track, uint32_t number, const HeldNotes::Note &note, const Expression &before) {
            if (note.now.bend != before.bend) {
                const MelodicSource::Sound sound = melodic_tracks_.Sound(track, number, note.tuning * note.now.Ratio());
                melodic_.BendVoice(note.serial, MelodicSource::Pitch{sound.table, sound.increment});
            }
            if (!note.now.SoundsAs(before)) {
                melodic_.GlideVoice(note.serial, Expressed(track, note.now), kTick);
            }
            const double hertz = MelodicTracks::Hertz(track, number, note.tuning);
            model_tracks_[track].Express(note.serial, note.now.Voice(hertz, rate_));
        });
    }

    bool ModelsAreSilent() const
    {
        for (const ModelTrack &track : model_tracks_) {
            if (!track.Silent()) {
                return false;
            }
        }
        return true;
    }

    // Runs `action` through `frames`, from update to update. A track that neither needs updates nor sounds has none.
    template <typename Action>
    void PassUpdates(uint32_t frames, Action action)
    {
        uint32_t done = 0;
        while (done < frames) {
            if (to_tick_ == 0) {
                Update();
            }
            const uint32_t run = std::min(frames - done, to_tick_);
            action(done, run);
            done += run;
            to_tick_ -= run;
        }
        frames_ += frames;
    }

    void Update()
    {
        for (uint32_t track = 0; track < kMelodicTracks; ++track) {
            if (ModelTrack::Plays(controls_[track]) || !model_tracks_[track].Silent()) {
                model_tracks_[track].Update();
            }
        }
        if (rhythm_.Updates()) {
            rhythm_.Update();
        }
        to_tick_ = kTick;
    }

    // Whether a note of `track` that begins now follows the one before without a pause; notes where it will end itself.
    // The place of the next step may be half a step away: by swing.
    bool Follows(uint32_t track, double steps, double bpm)
    {
        const auto step = static_cast<uint32_t>(rate_ * 15 / bpm);
        const bool follows = frames_ < ends_[track] + step * 11 / 20;
        ends_[track] = frames_ + static_cast<uint64_t>(steps * step);
        return follows;
    }

    bool AnyHas(VoicingPart part) const
    {
        bool any = rhythm_.Has(part);
        for (const VoicingGlide &voicing : voicings_) {
            any = any || voicing.Has(part);
        }
        return any;
    }

    void Advance(uint32_t frames)
    {
        for (VoicingGlide &voicing : voicings_) {
            voicing.Advance(frames);
        }
    }

    // Rendered first: overwrites the mix.
    template <typename Parts>
    void RenderMelodic(Mix &mix, uint32_t frames, bool sends, Parts &parts)
    {
        if (melodic_.Silent()) {
            for (Block *block : {&mix.left, &mix.right, &mix.to_delay, &mix.to_reverb}) {
                std::fill_n(block->begin(), frames, 0.0f);
            }
            return;
        }
        if (parts.Render(melodic_, waves_.Data(), stereo_, frames, sends)) {
            stereo_.Clear(0, frames, sends);
        }
        AddLanes(stereo_.left.data(), mix.left, frames);
        AddLanes(stereo_.right.data(), mix.right, frames);
        if (sends) {
            AddLanes(stereo_.delay.data(), mix.to_delay, frames);
            AddLanes(stereo_.reverb.data(), mix.to_reverb, frames);
        } else {
            std::fill_n(mix.to_delay.begin(), frames, 0.0f);
            std::fill_n(mix.to_reverb.begin(), frames, 0.0f);
        }
        parts.EndMelodic(frames);
    }

    void RenderClick(Mix &mix, uint32_t frames)
    {
        if (metronome_.Silent()) {
            return;
        }
        metronome_.Render(waves_.Data(), mono_, frames);
        AddLanes(mono_.sum.data(), signal_, frames);
        for (uint32_t i = 0; i < frames; ++i) {
            mix.left[i] += signal_[i];
            mix.right[i] += signal_[i];
        }
    }

    const uint32_t rate_;
    const Waves &waves_ = Waves::Shared();
    MelodicTracks melodic_tracks_;
    RhythmTrack rhythm_;
    std::array<TrackControls, kTracks> controls_;

    std::array<ModelTrack, kMelodicTracks> model_tracks_ = {ModelTrack(rate_), ModelTrack(rate_), ModelTrack(rate_)};
    FilterRuns filters_;  // of all three
    std::array<uint64_t, kMelodicTracks> ends_ = {};  // frame at which each track's last note with a model is to end
    uint64_t frames_ = 0;
    uint32_t to_tick_ = kTick;  // frames until the next update
    Bank<MelodicSource, kMelodicVoices, kMelodicGroups> melodic_;
    Metronome metronome_;
    std::array<VoicingGlide, kMelodicTracks> voicings_;
    uint64_t serial_ = 0;  // of the newest note
    std::array<std::array<uint64_t, kMelodicNotes>, kMelodicTracks> held_ = {};  // serial of each held note, or 0

    HeldNotes held_notes_;

    // The newest note of a track.
    struct Last {
        uint64_t serial = 0;  // 0: none yet
        uint32_t note = 0;
        double ratio = 1.0;  // of its tuning
    };
    std::array<Last, kMelodicTracks> last_ = {};

    StereoBus stereo_;
    MonoBus mono_;
    Block signal_;

    const uint32_t steal_frames_;
    const uint32_t fade_frames_;
    const uint32_t glide_frames_;
};

}  // namespace synth

#endif
