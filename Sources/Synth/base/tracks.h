// The numbers of tracks, notes and steps.

#ifndef PIXELBOOP_SYNTH_TRACKS_H
#define PIXELBOOP_SYNTH_TRACKS_H

#include <cstdint>

#include "synth.h"

namespace synth {

constexpr uint32_t kTracks = synth_tracks;
constexpr uint32_t kMelodicTracks = 3;  // the first ones
constexpr uint32_t kRhythm = 3;
constexpr uint32_t kMelodicNotes = synth_highest_note - synth_lowest_note + 1;
constexpr uint32_t kSteps = synth_steps;
constexpr uint32_t kWindows = synth_steps / synth_window_steps;

// Notes of a track. Inside the engine they are counted from 0, the lowest.
constexpr uint32_t NoteCount(uint32_t track)
{
    return track == kRhythm ? synth_drums : kMelodicNotes;
}

// The lowest note of a track, as in commands and reports.
constexpr int32_t LowestNote(uint32_t track)
{
    return track == kRhythm ? 0 : synth_lowest_note;
}

}  // namespace synth

#endif
