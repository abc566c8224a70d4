// The sound engine: four tracks of a step sequencer, their voices and the master, in fixed memory.
//
// The sample counter is the clock. A step begins on its exact sample; nothing here knows of wall time.
// One thread (the loop) posts commands and takes reports; one thread (audio) renders. They share two
// single-producer single-consumer rings and nothing else. The same commands give the same samples on every
// machine, in every build and at any block size.

#ifndef PIXELBOOP_SYNTH_H
#define PIXELBOOP_SYNTH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __has_attribute
#if __has_attribute(nonblocking)
#define SYNTH_NONBLOCKING __attribute__((nonblocking))
#endif
#endif
#ifndef SYNTH_NONBLOCKING
#define SYNTH_NONBLOCKING
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Tracks in order: melody, chords, bass, rhythm. Notes 0-11 of a melodic track are semitones above the
// track's base note; of the rhythm track, the drums of docs/spec.md, section 6.
// Two patterns are held, each with its tempo and length: one plays, the other waits to take its place.
enum { synth_tracks = 4, synth_notes = 12, synth_steps = 32, synth_patterns = 2 };

// What the loop asks of the engine.
enum SynthCommandKind {
    SynthPlay = 1,    // count `value` beats, at most 8, from the command's frame on, and go on with step 0
    SynthStop = 2,    // stop; sounding notes fade over a few milliseconds
    SynthRow = 3,     // of `pattern`: replace the cells of one note of one track: `track`, `note`, `cells`
    SynthTempo = 4,   // of `pattern`: `value` = whole beats per minute, 60-200; the phase within the step is kept
    SynthLength = 5,  // of `pattern`: `value` = its steps, 1-32
    SynthSilent = 6,  // `value` = bit mask of silent tracks (bit 0 melody); they fade over a few milliseconds
    SynthVolume = 7,  // `value` = master volume in 1/65536, at most 65536; glides
    SynthAudition = 8,  // sound one note now: `track`, `note`, `velocity`, `value` = length in steps
    SynthFade = 9,      // fade every sounding note over a few milliseconds; the sequence goes on
    SynthMetronome = 10,  // `value` = 1: click on every beat, 0: only while counting

    // Which pattern plays. While the transport runs `pattern` begins with its step 0 where the one that plays comes to
    // the named place; the newest of these counts, and naming the one that plays changes nothing then. What sounds
    // rings out. The change is reported with the low 16 bits of `value`. While stopped it is done at once, unreported.
    SynthSwitch = 11,       // at its next bar: the next step that is a multiple of 16, its step 0 included
    SynthSwitchAtEnd = 12,  // at its end: its step 0, but not the one that Play begins with
    SynthStay = 13,         // not at all; SynthStop does that too

    // The controls of `track`. `value` is a whole number (of two's complement), kept within the range named; what
    // sounds glides to it, the shape of notes counts from the next on.
    SynthTrackVolume = 16,     // per cent, 0-200
    SynthTrackPan = 17,        // -100 left, 100 right
    SynthTrackCutoff = 18,     // hertz of the low-pass, 20-20000; the rhythm track's is out of the way at 20000
    SynthTrackResonance = 19,  // decibels at the cut-off, 0-24
    SynthTrackAttack = 20,     // milliseconds, 0-5000; 0 follows the note's length
    SynthTrackDecay = 21,      // milliseconds, 0-5000
    SynthTrackSustain = 22,    // per cent of the peak, 0-100
    SynthTrackRelease = 23,    // milliseconds after the note's time, 0-5000; 0 ends within it
    SynthTrackDelay = 24,      // per cent sent to the delay, 0-100
    SynthTrackReverb = 25,     // per cent sent to the reverberation, 0-100

    SynthSwing = 32,          // per cent of a pair of steps that its first takes, 50-75; from the next pair on
    SynthDelaySteps = 33,     // steps between two repeats, 1-8
    SynthDelayFeedback = 34,  // per cent of a repeat's level that the next has, 0-90
    SynthReverbTime = 35,     // tenths of a second to fall by 60 dB, 3-100
};

// One command. `frame` is the sample, counted from the engine's creation, on which it takes effect; a frame
// already rendered means at once. Frames of successive commands must not decrease.
// `cells` packs 32 steps, two bits each, step 0 lowest: 0 none, 1 normal, 2 accent, 3 sustain.
// Whoever posts may not know yet that the engine has switched: with `waiting` a command that names a pattern is passed
// over if that one plays.
typedef struct SynthCommand {
    uint64_t frame;
    uint64_t cells;
    uint32_t value;
    uint8_t kind;
    uint8_t track;
    uint8_t note;
    uint8_t velocity;
    uint8_t pattern;  // 0 or 1
    uint8_t waiting;  // 1: only while `pattern` does not play
} SynthCommand;

// What the engine tells the loop.
enum SynthReportKind {
    SynthReportStep = 1,  // step `step` begins on `frame`
    SynthReportNote = 2,  // the sequence starts a note on `frame`: `track`, `note`, `velocity`, `steps`, at `step`
    SynthReportCount = 3,  // a beat of the count-in begins on `frame`; `steps` beats are left with it
    SynthReportSwitch = 4,  // the other pattern plays from `frame` on, as the command with this `tag` asked
};

typedef struct SynthReport {
    uint64_t frame;
    uint8_t kind;
    uint8_t step;
    uint8_t track;
    uint8_t note;
    uint8_t velocity;  // 1 normal, 2 accent
    uint8_t steps;     // length of the run, 1-32
    uint16_t tag;
} SynthReport;

// Counters since creation. They only grow.
typedef struct SynthCounters {
    uint64_t frames;            // rendered
    uint64_t commands_refused;  // batches that did not fit the ring
    uint64_t reports_lost;      // reports that did not fit the ring
    uint64_t voices_stolen;
} SynthCounters;

typedef struct Synth Synth;

// The rates that an engine can have, in frames per second, in order; `index` beyond the last gives 0.
uint32_t synth_rate(uint32_t index) SYNTH_NONBLOCKING;

// Makes an engine that renders at `rate` frames per second, one of synth_rate. NULL for another rate or when memory is
// short. Stopped, both patterns empty with 32 steps at 120 BPM, pattern 0 the one that plays, nothing
// silent, volume 1; every control of a track neutral but the low-passes of melody, chords and bass at 2000, 1500 and
// 400 Hz, and the resonance 1 dB; swing 50 per cent, delay 3 steps fed back by 35 per cent, reverberation 2 s.
Synth *synth_create(uint32_t rate);

// Frees the engine. No other thread may be using it.
void synth_destroy(Synth *synth);

// Loop thread. Posts `count` commands, all or none; false (and counted) when the ring has no room for them.
bool synth_post(Synth *synth, const SynthCommand *commands, uint32_t count) SYNTH_NONBLOCKING;

// Loop thread. Moves up to `capacity` reports into `reports`, oldest first; returns how many.
uint32_t synth_take_reports(Synth *synth, SynthReport *reports, uint32_t capacity) SYNTH_NONBLOCKING;

// Audio thread. Renders the next `frames` frames, interleaved left and right, into `out`; full scale is 1.
void synth_render(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING;

// Frames between a command's frame and the sample of the output that first carries it (the limiter's delay).
uint32_t synth_latency(const Synth *synth) SYNTH_NONBLOCKING;

// Any thread. The counters now.
SynthCounters synth_counters(const Synth *synth) SYNTH_NONBLOCKING;

#ifdef __cplusplus
}
#endif

#endif
