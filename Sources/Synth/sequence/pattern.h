// The engine's copy of a pattern. Only commands change it.

#ifndef PIXELBOOP_SYNTH_PATTERN_H
#define PIXELBOOP_SYNTH_PATTERN_H

#include <array>
#include <cstdint>

#include "../base/tracks.h"
#include "lanes.h"
#include "note_lanes.h"
#include "tuning.h"

namespace synth {

class Pattern {
  public:
    // Sets the cells of a note in a window.
    void SetRow(uint32_t track, uint32_t note, uint32_t window, uint64_t cells)
    {
        rows_[track][note][window] = cells;
    }

    void SetLength(uint32_t steps)
    {
        length_ = steps;
    }

    // Sets the tempo, in hundredths of a beat per minute.
    void SetTempo(uint32_t tempo)
    {
        tempo_ = tempo;
    }

    uint32_t Tempo() const
    {
        return tempo_;
    }

    // The step of the pattern at step `number` of its repetitions.
    uint32_t At(uint32_t number) const
    {
        return number % length_;
    }

    // The step after `step`; from a step beyond a shortened end it is the first step.
    uint32_t After(uint32_t step) const
    {
        return After(step, length_);
    }

    // Velocity of the note that starts at `step`; 0 for an empty or sustain cell.
    uint32_t Velocity(uint32_t track, uint32_t note, uint32_t step) const
    {
        const uint32_t cell = Cell(track, note, step);
        return cell == kSustain ? 0 : cell;
    }

    // Whether a note of `track` starts at `step` that is none of `others`, one bit each.
    bool HasNote(uint32_t track, uint32_t step, uint64_t others) const
    {
        for (uint32_t note = 0; note < NoteCount(track); ++note) {
            if (Velocity(track, note, step) != 0 && (others >> note & 1) == 0) {
                return true;
            }
        }
        return false;
    }

    // Length of the note that starts at `step` in steps of its track: itself and the sustain cells that follow,
    // cyclically.
    uint32_t RunLength(uint32_t track, uint32_t note, uint32_t step) const
    {
        const uint32_t length = shapes_[track].length == 0 ? length_ : shapes_[track].length;
        uint32_t run = 1;
        for (uint32_t next = After(step, length); run < length && Cell(track, note, next) == kSustain;
             next = After(next, length)) {
            run += 1;
        }
        return run;
    }

    uint32_t Length() const
    {
        return length_;
    }

    void SetMetre(uint32_t steps_of_beat, uint32_t beats_of_bar)
    {
        steps_of_beat_ = steps_of_beat;
        steps_of_bar_ = steps_of_beat * beats_of_bar;
    }

    uint32_t StepsOfBeat() const
    {
        return steps_of_beat_;
    }

    uint32_t StepsOfBar() const
    {
        return steps_of_bar_;
    }

    void SetSeed(uint32_t seed)
    {
        seed_ = seed;
    }

    // The number that decides the dice of `track`.
    uint32_t Seed(uint32_t track) const
    {
        return shapes_[track].seed == 0 ? seed_ : shapes_[track].seed;
    }

    Lanes &LanesOf(uint32_t track)
    {
        return lanes_[track];
    }

    const Lanes &LanesOf(uint32_t track) const
    {
        return lanes_[track];
    }

    NoteLanes &NotesOf(uint32_t track)
    {
        return notes_[track];
    }

    const NoteLanes &NotesOf(uint32_t track) const
    {
        return notes_[track];
    }

    void SetShape(uint32_t track, const Shape &shape)
    {
        shapes_[track] = shape;
    }

    const Shape &ShapeOf(uint32_t track) const
    {
        return shapes_[track];
    }

    // Whether `track` plays its cells as they stand, a step of its own for each of the pattern; notes may have velocities
    // of their own.
    bool IsPlain(uint32_t track) const
    {
        return lanes_[track].Empty() && notes_[track].IsPlain() && shapes_[track].IsPlain();
    }

    // Plays `track` as `other` does.
    void TakeTrack(uint32_t track, const Pattern &other)
    {
        rows_[track] = other.rows_[track];
        lanes_[track] = other.lanes_[track];
        notes_[track] = other.notes_[track];
        shapes_[track] = other.shapes_[track];
    }

    // Keeps `track` of `other` as it plays there, apart from it.
    void KeepTrack(uint32_t track, const Pattern &other)
    {
        TakeTrack(track, other);
        shapes_[track].seed = other.Seed(track);
        if (shapes_[track].length == 0) {
            shapes_[track].length = other.length_;
        }
        tuning = other.tuning;
    }

    Tuning tuning;

  private:
    static constexpr uint32_t kSustain = 3;

    static uint32_t After(uint32_t step, uint32_t length)
    {
        return step + 1 < length ? step + 1 : 0;
    }

    uint32_t Cell(uint32_t track, uint32_t note, uint32_t step) const
    {
        const uint64_t cells = rows_[track][note][step / synth_window_steps];
        return static_cast<uint32_t>(cells >> (2 * (step % synth_window_steps))) & 3;
    }

    std::array<std::array<std::array<uint64_t, kWindows>, kMelodicNotes>, kTracks> rows_ = {};
    uint32_t length_ = synth_window_steps;
    uint32_t tempo_ = 12000;
    uint32_t steps_of_beat_ = 4;
    uint32_t steps_of_bar_ = 16;
    uint32_t seed_ = 1;
    std::array<Lanes, kTracks> lanes_;
    std::array<NoteLanes, kTracks> notes_;
    std::array<Shape, kTracks> shapes_;
};

}  // namespace synth

#endif
