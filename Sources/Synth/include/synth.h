// The sound engine: four tracks of a step sequencer, their voices and the master, in fixed memory.
//
// The sample counter is the clock. A step begins on its exact sample; the engine does not know wall time. One thread
// (the loop) posts commands and takes reports; another (audio) renders. They share only two single-producer
// single-consumer rings. The same commands give the same samples on every machine, in every build and at any block
// size.

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

// Tracks in order: melody, chords, bass, rhythm. Notes -12 to 23 of a melodic track are semitones above the track's
// base note; on the rhythm track 0-11 are the drums of docs/spec.md, section 6. There are two patterns, each with its
// tempo and length: the current one plays, the other waits. A third one, synth_parts, has tracks that wait to play alone.
enum { synth_tracks = 4, synth_steps = 128, synth_patterns = 2, synth_parts = synth_patterns };

// Numbers in a frame of synth_render_stems: two channels of each track and of the mix.
enum { synth_stem_samples = 2 * (synth_tracks + 1) };

// Steps of a row command, a window of a pattern.
enum { synth_window_steps = 32 };
enum { synth_lowest_note = -12, synth_highest_note = 23, synth_drums = 12 };

// Kinds of commands to the engine. The comment at a kind names the member of its payload, unless it has none.
enum SynthCommandKind : uint8_t {
    SynthPlay = 1,        // `play`: count in from the command's frame on, then begin with step 0
    SynthStop = 2,        // stop; sounding notes fade over a few milliseconds
    SynthRow = 3,         // `row`: replace the cells of one note in a window
    SynthTempo = 4,       // `tempo`: the phase within the step is kept
    SynthLength = 5,      // `length`
    SynthMetre = 21,      // `metre`: beats and bars, for clicks and the count-in
    SynthSilent = 6,      // `silent`: these tracks are silent, and no others; they fade over a few milliseconds
    SynthVolume = 7,      // `volume`: glides
    SynthAudition = 8,    // `audition`: play one note now
    SynthFade = 9,        // fade every sounding note over a few milliseconds; the sequence continues
    SynthMetronome = 10,  // `toggle`: click on every beat, or only in the count-in

    // Pattern switches. While the transport runs, the pattern begins with its step 0 when the current pattern reaches
    // the given step. Only the newest of these commands counts; naming the current pattern cancels a pending switch.
    // Sounding notes ring out. The switch is reported with its tag. While stopped it happens at once, without a report.
    SynthSwitchAtBar = 11,  // `switch_at_bar`: at the next step that is a multiple of `steps`, step 0 included
    SynthSwitchAtEnd = 12,  // `switch_at_end`: at the next step 0, except the step that Play begins with
    SynthStay = 13,         // cancel a pending switch; SynthStop does too
    // `switch_tracks`: tracks of synth_parts replace those of the current pattern at its next bar, after a switch that is
    // due there too. Only the newest of these commands counts. Sounding notes ring out. Reported. Nothing while stopped.
    SynthSwitchTracks = 57,

    // Lanes and shapes: values for single steps of a track, and how it runs through its steps.
    SynthLane = 14,     // `lane`
    SynthShape = 15,    // `shape`
    SynthSeed = 16,     // `seed`
    SynthFill = 17,     // `toggle`: whether steps with the condition `fill` sound; of both patterns
    SynthNoLanes = 18,  // `no_lanes`: remove the values of all lanes, also of notes
    SynthNoteLane = 22,  // `note_lane`: values of one note, in place of the track's

    // Tuning, for the notes that begin from now on. Keys and auditions have the tuning of the current pattern.
    SynthTuning = 19,     // `tuning`
    SynthReference = 20,  // `reference`

    SynthSet = 32,              // `control`: change a control
    SynthTransmitControl = 33,  // `transmit_control`: report the value of a track's control, with SynthTransmit

    // The clock of other instruments. An external source steers the position on a line of straight steps, whole at the
    // beginning of each. The command's frame may be rendered already. The tempos of the patterns are then not used.
    SynthSteer = 40,     // `steer`
    SynthRelease = 41,   // the patterns' tempos are used again, from the current position on
    SynthPlayFrom = 42,  // `play_from`: on a source's line, begin when it reaches a step, with that step of the pattern
    SynthTransmit = 43,  // `toggle`: whether ticks, start, stop, silence and pulses are reported

    // Notes of a keyboard. A held note glides to a new expression within 10 ms. A drum has no expression.
    SynthNoteOn = 48,          // `note_on`: sound one note; a melodic one until its SynthNoteOff
    SynthNoteOff = 49,         // `note_off`: release the held note
    SynthNoteExpression = 50,  // `note_expression`: of the held note

    // The output that synth_remember keeps. It is heard in place of the music, which goes on and is kept.
    SynthHear = 51,       // `hear`: hear what was rendered; fades over 5 ms. A frame that is not kept is ignored
    SynthHearLoop = 52,   // `hear_loop`: frames that repeat when their end is reached
    SynthHearMusic = 55,  // hear the music again; fades over 5 ms

    // The pads of the rhythm track: a drum of the kit, or a part of a sample.
    SynthPad = 53,     // `pad`
    SynthUnload = 54,  // `unload`: empty a slot: its voices fade over a few milliseconds, and its pads play their drums

    // `toggle`: whether SynthSet, SynthPad, SynthSilent and SynthFade wait for the next switch, which then performs
    // them on its frame, before its notes. Those that waited before are forgotten; SynthStop forgets them too.
    SynthAwaitSwitch = 56,

    // `fx`: begin a performance effect, move it, or end it. All of them may be on at once. SynthStop ends none; one
    // that waits for a step begins with SynthStop.
    SynthFx = 58,
};

// Controls of the sound. Values beyond a control's range are clamped to it.
enum SynthControl : uint8_t {
    SynthSwing = 32,          // first step's share of a pair in per cent, 50-75; from the next pair on
    SynthDelaySteps = 33,     // steps between two repeats, 1-8
    SynthDelayFeedback = 34,  // level of a repeat in per cent of the one before, 0-90
    SynthReverbTime = 35,     // tenths of a second to fall by 60 dB, 3-100
    SynthDelayWidth = 36,     // per cent of the way from the middle to the side of each repeat, 0-100
    SynthCompression = 37,    // amount of the master's compressor in per cent, 0-100; 0 is off
    SynthTone = 38,           // tilt of the master's tone, -100 dark, 100 bright; 0 is off

    SynthPulseOutput = 44,        // a SynthPulsePlace, or the output channel of the pulses from 3 on
    SynthPulsesPerQuarter = 45,   // 1, 2, 4, 24 or 48 a quarter note while a pattern plays
    SynthPulseMilliseconds = 46,  // length of a pulse, 1-50
    SynthPulseLevel = 47,         // height of a pulse in per cent of full scale, 0-100

    // The controls of a track. Sounding notes glide to a new value; envelope controls apply from the next note on. A
    // new model fades the sounding notes out over a few milliseconds.
    SynthTrackVolume = 64,     // per cent, 0-200
    SynthTrackPan = 65,        // -100 left, 100 right
    SynthTrackCutoff = 66,     // low-pass in hertz, 20-20000; on the rhythm track 20000 bypasses it
    SynthTrackResonance = 67,  // decibels at the cut-off, 0-24
    SynthTrackAttack = 68,     // milliseconds, 0-5000; 0 follows the note's length
    SynthTrackDecay = 69,      // milliseconds, 0-5000
    SynthTrackSustain = 70,    // per cent of the peak, 0-100
    SynthTrackRelease = 71,    // milliseconds after the note's time, 0-5000; 0 ends within it
    SynthTrackDelay = 72,      // per cent sent to the delay, 0-100
    SynthTrackReverb = 73,     // per cent sent to the reverberation, 0-100

    SynthTrackModel = 74,          // a SynthModel, or a SynthKit on the rhythm track
    SynthTrackLevel = 75,          // the sound's own level in tenths of a decibel, -240 to 240
    SynthTrackUnison = 76,         // detuned copies of each note, 1-4
    SynthTrackDrive = 77,          // per cent, 0-100
    SynthTrackChorus = 78,         // per cent, 0-100
    SynthTrackLfoRate = 79,        // hundredths of a hertz, 2-2000
    SynthTrackLfoShape = 80,       // a SynthLfoShape
    SynthTrackLfoDepth = 81,       // per cent, 0-100
    SynthTrackLfoTarget = 82,      // a SynthTarget
    SynthTrackEnvelopeDepth = 83,  // of the modulation envelope, in per cent, -100 to 100
    SynthTrackEnvelopeTarget = 84,  // a SynthTarget
    SynthTrackEnvelopeDecay = 85,  // milliseconds, 1-5000; from a note's begin on
    SynthTrackTimbre = 86,         // the first of the model's own six controls, 0-100; 87 is the second, 91 the last
};

enum { synth_timbres = 6 };

// Slots for samples, and choke groups of the pads.
enum { synth_samples = 32, synth_chokes = 4 };

// Highest number of frames in a sample, which has room for a minute at the highest rate, and the rates of its frames.
enum { synth_sample_max = 12000000, synth_sample_rate_min = 8000, synth_sample_rate_max = 192000 };

// Values for single steps of a track. A step without a value has `synth_no_value`.
enum SynthLaneKind : uint8_t {
    SynthLaneVelocity = 0,  // MIDI velocity of the step's notes, 1-127; 80 is a normal cell's, 127 an accent's
    SynthLaneChance = 1,    // probability in per cent, 0-100
    SynthLaneWhen = 2,      // a condition: see synth_condition_first
    SynthLaneRatchet = 3,   // hits in the step, 1-8
    SynthLaneRamp = 4,      // hits become softer (-1), stay (0) or become louder (1)
    SynthLaneGate = 5,      // length of a hit in per cent of the track's step, or of its part in a ratchet, 5-400
    SynthLaneShift = 6,     // delay in per cent of the track's step, -50 to 50
    SynthLaneSlide = 7,     // 1: the note glides from the one before within 60 ms, without its attack
    // Changes of a track's control from this step's hits to the hits of the next step, -100 to 100. 100 is five octaves
    // of cut-off, 24 dB of resonance, 100 of the others.
    SynthLaneCutoff = 8,
    SynthLaneResonance = 9,
    SynthLanePan = 10,
    SynthLaneDelay = 11,
    SynthLaneReverb = 12,
    synth_lanes = 13,
};

enum { synth_no_value = -32768 };

// Conditions. Conditions before synth_condition_first are turn a of every b turns: b(b - 1)/2 + a - 1 for b from 2 to
// 8.
enum {
    synth_condition_first = 36,  // in the first turn since Play or since the switch to the pattern
    synth_condition_not_first = 37,
    synth_condition_fill = 38,  // while SynthFill is 1
    synth_condition_not_fill = 39,
    synth_condition_previous = 40,  // if the last condition of the track was met
    synth_condition_not_previous = 41,
};

enum SynthDirection : uint8_t {
    SynthForward = 0,
    SynthBack = 1,
    SynthPendulum = 2,  // both ends sound once
    SynthRandom = 3,
};

// Parts of a step in which a note's length is reported: each division, gate and ratchet is a whole number of them.
enum { synth_step_parts = 1008000 };

// Range of a tempo, in hundredths of a beat per minute.
enum { synth_tempo_min = 2000, synth_tempo_max = 30000 };

// Range of an offset of a tuning: an octave, in thousandths of a cent.
enum { synth_offset_max = 1200000 };

// Range of the frequency of A4, in thousandths of a hertz.
enum { synth_reference_min = 415000, synth_reference_max = 466000 };

// Range of a bend: eight octaves, in hundredths of a cent.
enum { synth_bend_max = 960000 };

// How the notes of a melodic track are made, and what its own controls mean. Drawbars go from 0 to 8.
enum SynthModel {
    SynthPlain = 0,      // the recipe of docs/spec.md, section 6
    SynthAnalogue = 1,   // two oscillators, a sub-oscillator and noise: shape, detune, sub, noise
    SynthPluck = 2,      // a plucked string: brightness, decay, pick
    SynthFm = 3,         // two or four operators: ratio, index, decay, feedback, mix, second ratio
    SynthOrgan = 4,      // drawbars: 16', 5 1/3', 8', 4', 2 2/3', mixture
    SynthStrings = 5,    // a string machine: octave, ensemble, detune
    SynthAcid = 6,       // one oscillator through a four-pole ladder: shape, sub, accent, slide
    SynthWavetable = 7,  // a morphing wave: position, detune, sub
    synth_models = 8,
};

// The drums of the rhythm track.
enum SynthKit {
    SynthKitPlain = 0,     // the recipes of docs/spec.md, section 6
    SynthKitAnalogue = 1,  // resonators and squares, after the machines of 1980
    SynthKitPunchy = 2,    // hard attacks and noise, after the machines of 1983
    SynthKitAcoustic = 3,  // modal: skins, shells and plates
    SynthKitLofi = 4,      // the recipes at 12 bits and a low rate
    synth_kits = 5,
};

// Places of the pulses. On the left channel they replace the sound, which is then mono on the right.
enum SynthPulsePlace {
    SynthPulseOff = 0,
    SynthPulseLeft = 1,
    synth_channels = 32,  // the highest channel
};

enum SynthLfoShape {
    SynthLfoSine = 0,
    SynthLfoTriangle = 1,
    SynthLfoSaw = 2,  // falling
    SynthLfoSquare = 3,
    SynthLfoRandom = 4,  // a new value each period
    synth_lfo_shapes = 5,
};

// Targets of the LFO and of the modulation envelope of a track. At full depth they move the pitch by an octave, as the
// square of the depth; the cut-off by five octaves; any other control over its whole range.
enum SynthTarget {
    SynthTargetPitch = 0,
    SynthTargetCutoff = 1,
    SynthTargetResonance = 2,
    SynthTargetVolume = 3,
    SynthTargetPan = 4,
    SynthTargetDrive = 5,
    SynthTargetChorus = 6,
    SynthTargetDelay = 7,
    SynthTargetReverb = 8,
    SynthTargetTimbre = 9,  // the model's first own control; 10 is the second, 14 the last
    synth_targets = 15,
};

// Performance effects on the whole sound. A division is a part of a whole note, four quarters, at the clock's tempo
// when it is set; `x` chooses one of eight. A division that is longer than the memory is halved until it fits.
enum SynthFxKind : uint8_t {
    SynthFxRepeat = 0,   // what was heard last, again and again: x from 1/4 to 1/32 and triplets, y from half to wholly
    SynthFxFilter = 1,   // x low-pass to the left, high-pass to the right, open in the middle; y resonance
    SynthFxCrush = 2,    // x sample rate, falling to 1 kHz; y bits, falling to few
    SynthFxGate = 3,     // x divisions as SynthFxRepeat, in time with the steps while the transport runs; y depth
    SynthFxReverse = 4,  // the last division, backwards: x from 1/1 to 1/16, y from half to wholly
    SynthFxTape = 5,     // x time in which the tape slows down, from 2/1 to 1/16; y how far, to standstill
    SynthFxThrow = 6,    // a delay: x from 3/4 to 1/16, y level and feedback; its repeats ring out after its end
    SynthFxSwell = 7,    // noise and reverberation that rise: x brightness and speed, y amount; the latter rings out
    synth_fx_kinds = 8,
};

// Range of `x` and `y` of an effect.
enum { synth_fx_max = 1000 };

// Range of values, both ends included.
typedef struct SynthRange {
    int32_t lowest;
    int32_t highest;
} SynthRange;

// Payloads of commands. `track` is 0 to 3, and `note` is as above.

// The pattern of a command. The sender may not yet know that the engine has switched: a command with `waiting` is
// ignored if the pattern is current.
typedef struct SynthPatternNumber {
    uint8_t number;  // 0 or 1, or synth_parts
    bool waiting;
} SynthPatternNumber;

typedef struct SynthPlayCommand {
    uint32_t beats;  // of the count-in, at most 32
} SynthPlayCommand;

typedef struct SynthPlayFromCommand {
    uint32_t step;  // 0-262143
} SynthPlayFromCommand;

typedef struct SynthToggleCommand {
    bool is_on;
} SynthToggleCommand;

typedef struct SynthSilentCommand {
    uint32_t tracks;  // bit mask: bit 0 is the melody
} SynthSilentCommand;

typedef struct SynthVolumeCommand {
    uint32_t volume;  // of the master in 1/65536, at most 65536
} SynthVolumeCommand;

typedef struct SynthControlCommand {
    int32_t value;
    enum SynthControl control;
    uint8_t track;  // of a track's control
} SynthControlCommand;

typedef struct SynthTransmitControlCommand {
    enum SynthControl control;
    uint8_t track;
} SynthTransmitControlCommand;

typedef struct SynthSteerCommand {
    int64_t position;  // on the command's frame, in 2^-32 steps
    uint32_t tempo;    // in 2^-20 beats per minute
} SynthSteerCommand;

typedef struct SynthAuditionCommand {
    uint32_t steps;  // length
    uint8_t track;
    int8_t note;
    uint8_t velocity;  // of a cell: 1 normal, 2 accent
} SynthAuditionCommand;

// Expression of a melodic note. Full pressure doubles the note's amplitude and opens its low-pass by an octave; full
// brightness opens it by two. A bend stops at the MIDI notes 0 and 108.
typedef struct SynthExpression {
    int32_t bend;        // hundredths of a cent, at most synth_bend_max up or down
    int16_t pressure;    // thousandths, 0 to 1000
    int16_t brightness;  // thousandths, -1000 to 1000
} SynthExpression;

typedef struct SynthNoteOnCommand {
    SynthExpression expression;
    uint8_t track;
    int8_t note;
    uint8_t velocity;  // of MIDI, 1-127
} SynthNoteOnCommand;

typedef struct SynthNoteOffCommand {
    uint8_t track;
    int8_t note;
} SynthNoteOffCommand;

typedef struct SynthNoteExpressionCommand {
    SynthExpression expression;
    uint8_t track;
    int8_t note;
} SynthNoteExpressionCommand;

typedef struct SynthHearCommand {
    uint64_t from;  // first frame
} SynthHearCommand;

typedef struct SynthHearLoopCommand {
    uint64_t begin;  // first frame
    uint32_t count;  // frames; 0 for no loop
} SynthHearLoopCommand;

// A pad ends the sample that sounds in its choke group. At volume 100 a sample is as loud as it was recorded. A pad
// whose slot is empty plays its drum. The part plays backwards if its end is before its begin.
typedef struct SynthPadCommand {
    uint32_t begin;  // of the part, in millionths of the sample's length
    uint32_t end;    // of the part, in millionths of the sample's length
    uint8_t drum;
    uint8_t slot;    // of the sample; synth_samples for the drum
    uint8_t volume;  // per cent, 0-200
    int8_t tune;     // semitones, -24 to 24
    uint8_t choke;   // group, 1 to synth_chokes; 0 for the drum's own
} SynthPadCommand;

typedef struct SynthUnloadCommand {
    uint8_t slot;
} SynthUnloadCommand;

typedef struct SynthRowCommand {
    uint64_t cells;  // of a window, two bits each, the first step lowest: 0 none, 1 normal, 2 accent, 3 sustain
    uint8_t track;
    int8_t note;
    uint8_t window;  // 0-3
    SynthPatternNumber pattern;
} SynthRowCommand;

typedef struct SynthTempoCommand {
    uint32_t tempo;  // in hundredths of a beat per minute
    SynthPatternNumber pattern;
} SynthTempoCommand;

typedef struct SynthLengthCommand {
    uint32_t steps;  // 1-128
    SynthPatternNumber pattern;
} SynthLengthCommand;

enum { synth_lane_values = 4 };

typedef struct SynthLaneCommand {
    int16_t values[synth_lane_values];  // at `step` and the next steps; `synth_no_value` for none
    enum SynthLaneKind lane;
    uint8_t track;
    uint8_t step;
    SynthPatternNumber pattern;
} SynthLaneCommand;

// Values of one note in a lane from SynthLaneVelocity to SynthLaneShift.
typedef struct SynthNoteLaneCommand {
    int16_t values[synth_lane_values];  // at `step` and the next steps; `synth_no_value` for none
    enum SynthLaneKind lane;
    uint8_t track;
    int8_t note;
    uint8_t step;
    SynthPatternNumber pattern;
} SynthNoteLaneCommand;

typedef struct SynthNoLanesCommand {
    SynthPatternNumber pattern;
} SynthNoLanesCommand;

typedef struct SynthShapeCommand {
    uint8_t length;    // steps; 0: the pattern's
    uint8_t twelfths;  // duration of a step in twelfths of the pattern's: 3, 6, 8, 12, 18, 24, 48
    enum SynthDirection direction;
    uint8_t track;
    SynthPatternNumber pattern;
    uint16_t seed;  // of the track's dice; 0: the pattern's
} SynthShapeCommand;

typedef struct SynthSeedCommand {
    uint32_t seed;  // decides the dice, 1-65535
    SynthPatternNumber pattern;
} SynthSeedCommand;

enum { synth_tuning_offsets = 2 };

typedef struct SynthTuningCommand {
    // Offsets of `pitch_class` and the next one from equal temperament: thousandths of a cent, at most synth_offset_max
    // up or down.
    int32_t offsets[synth_tuning_offsets];
    uint8_t pitch_class;  // 0-10 from C
    SynthPatternNumber pattern;
} SynthTuningCommand;

typedef struct SynthReferenceCommand {
    int32_t a4;  // frequency of MIDI note 69 in thousandths of a hertz
    SynthPatternNumber pattern;
} SynthReferenceCommand;

typedef struct SynthMetreCommand {
    uint8_t steps;  // of a beat, 1-6
    uint8_t beats;  // of a bar, 1-16
    SynthPatternNumber pattern;
} SynthMetreCommand;

typedef struct SynthSwitchAtBarCommand {
    uint16_t tag;   // returned in the report
    uint8_t steps;  // of a bar, or of a beat, 1-96
    SynthPatternNumber pattern;
    bool ends_parts;  // whether tracks that wait for a bar are forgotten then
} SynthSwitchAtBarCommand;

typedef struct SynthSwitchAtEndCommand {
    uint64_t passes;  // of the current pattern since Play or since its switch, at least, before it ends; 0 is as 1
    uint16_t tag;     // returned in the report
    SynthPatternNumber pattern;
    bool ends_parts;  // whether tracks that wait for a bar are forgotten then
} SynthSwitchAtEndCommand;

typedef struct SynthSwitchTracksCommand {
    uint32_t tag;       // returned in the report
    uint8_t tracks;     // bit mask: bit 0 is the melody; 0 cancels
    uint8_t returning;  // those of them that go on with the pattern; others begin with their first step
    // The number in the last report of tracks that the sender has read; 0 for none. The engine ignores the command if
    // there are more: it may have performed the one before.
    uint8_t reports;
} SynthSwitchTracksCommand;

typedef struct SynthFxCommand {
    enum SynthFxKind fx;
    bool is_on;  // false: it ends within 10 ms; `x`, `y` and `waits` do not count then
    bool waits;  // whether it begins with the next step while the transport runs; at once otherwise
    uint16_t x;  // time, division or frequency, 0-1000, left to right
    uint16_t y;  // amount, 0-1000, bottom to top
} SynthFxCommand;

// The member that the command's kind names.
typedef union SynthCommandPayload {
    SynthPlayCommand play;
    SynthPlayFromCommand play_from;
    SynthToggleCommand toggle;
    SynthSilentCommand silent;
    SynthVolumeCommand volume;
    SynthControlCommand control;
    SynthTransmitControlCommand transmit_control;
    SynthSteerCommand steer;
    SynthAuditionCommand audition;
    SynthNoteOnCommand note_on;
    SynthNoteOffCommand note_off;
    SynthNoteExpressionCommand note_expression;
    SynthHearCommand hear;
    SynthHearLoopCommand hear_loop;
    SynthPadCommand pad;
    SynthUnloadCommand unload;
    SynthRowCommand row;
    SynthTempoCommand tempo;
    SynthLengthCommand length;
    SynthMetreCommand metre;
    SynthLaneCommand lane;
    SynthNoteLaneCommand note_lane;
    SynthNoLanesCommand no_lanes;
    SynthShapeCommand shape;
    SynthSeedCommand seed;
    SynthTuningCommand tuning;
    SynthReferenceCommand reference;
    SynthSwitchAtBarCommand switch_at_bar;
    SynthSwitchAtEndCommand switch_at_end;
    SynthSwitchTracksCommand switch_tracks;
    SynthFxCommand fx;
} SynthCommandPayload;

// One command. `frame` is the sample, counted from the engine's creation, on which it takes effect; a frame that is
// already rendered means at once. Frames of successive commands must not decrease.
typedef struct SynthCommand {
    uint64_t frame;
    SynthCommandPayload payload;
    enum SynthCommandKind kind;
} SynthCommand;

// Kinds of reports to the loop. The comment at a kind names the member of its payload, unless it has none.
enum SynthReportKind : uint8_t {
    SynthReportStep = 1,    // `step`: a step of the pattern begins on the report's frame
    SynthReportNote = 2,    // `note`: the sequence starts a note
    SynthReportCount = 3,   // `count`: a beat of the count-in begins
    SynthReportSwitch = 4,  // `pattern_switch`: the other pattern is current from the frame on

    // With SynthTransmit. On the same frame a start comes before its tick, and a tick before its step.
    SynthReportTick = 5,     // one of 24 a quarter note, also while stopped and in the count-in
    SynthReportStart = 6,    // `start`: the transport begins
    SynthReportStop = 7,     // the transport stops
    SynthReportSilence = 8,  // `silence`: the notes of tracks end
    SynthReportPulse = 9,    // a pulse of analogue clock begins
    SynthReportNoteEnd = 10,  // `note_end`: a note ends, which a hit of a lane or a division began

    // `track_step`: a step of a track with lanes or a shape begins, or in it a note with hits of its own.
    SynthReportTrackStep = 11,

    // `control`, with SynthTransmit: the lanes of a step moved a control, or SynthTransmitControl asked for it.
    SynthReportControl = 12,

    SynthReportTracks = 13,  // `tracks_switch`: tracks of the current pattern are others from the frame on
};

// Payloads of reports. A position is in twelfths of a step since Play or the last switch.

typedef struct SynthStepReport {
    uint32_t position;
    uint8_t step;
} SynthStepReport;

// The note of a report of all notes of a step that have no hits of their own.
enum { synth_all_notes = -128 };

typedef struct SynthTrackStepReport {
    uint32_t position;
    uint8_t step;  // of the track's cells
    uint8_t track;
    bool sounds;  // whether it has notes, and its chance and condition let it sound
    int8_t note;  // synth_all_notes, or a note with hits of its own: `sounds` is then of this one
    bool has_timed;  // whether notes of the step have hits of their own
} SynthTrackStepReport;

typedef struct SynthNoteReport {
    uint32_t length;  // in parts of a step of the pattern: see synth_step_parts
    uint8_t step;     // of the pattern, within which it starts
    uint8_t track;
    int8_t note;
    uint8_t velocity;  // of MIDI: 80 normal, 127 accent
    bool reports_end;  // whether its end is a SynthReportNoteEnd; otherwise it ends with a step, after its whole length
} SynthNoteReport;

typedef struct SynthNoteEndReport {
    uint8_t track;
    int8_t note;
} SynthNoteEndReport;

typedef struct SynthCountReport {
    uint8_t beats;  // left, this one included
} SynthCountReport;

typedef struct SynthControlReport {
    int32_t value;  // as the lanes move it
    enum SynthControl control;
    uint8_t track;
} SynthControlReport;

typedef struct SynthSwitchReport {
    uint16_t tag;  // of the command that switched
} SynthSwitchReport;

typedef struct SynthTracksReport {
    uint32_t tag;     // of the command that switched
    uint8_t reports;  // number of such reports so far, modulo 256
} SynthTracksReport;

typedef struct SynthStartReport {
    uint8_t step;  // of the pattern
} SynthStartReport;

typedef struct SynthSilenceReport {
    uint8_t tracks;  // bit mask: bit 0 is the melody
} SynthSilenceReport;

// The member that the report's kind names.
typedef union SynthReportPayload {
    SynthStepReport step;
    SynthTrackStepReport track_step;
    SynthNoteReport note;
    SynthNoteEndReport note_end;
    SynthCountReport count;
    SynthSwitchReport pattern_switch;
    SynthTracksReport tracks_switch;
    SynthStartReport start;
    SynthSilenceReport silence;
    SynthControlReport control;
} SynthReportPayload;

// One report. `frame` is the sample to which it belongs.
typedef struct SynthReport {
    uint64_t frame;
    SynthReportPayload payload;
    enum SynthReportKind kind;
} SynthReport;

// Counters since creation; they only increase.
typedef struct SynthCounters {
    uint64_t frames;            // rendered
    uint64_t commands_refused;  // batches that did not fit the ring
    uint64_t reports;           // reports that fitted the ring
    uint64_t reports_lost;      // reports that did not
    uint64_t voices_stolen;
} SynthCounters;

typedef struct Synth Synth;

// The supported sample rates in frames per second, ascending; 0 for an `index` beyond the last.
uint32_t synth_rate(uint32_t index) SYNTH_NONBLOCKING;

// Range of the values of `control`; 0 to 0 for another number.
SynthRange synth_range(enum SynthControl control) SYNTH_NONBLOCKING;

// MIDI note of note 0 of `track`; 0 for the rhythm track.
uint32_t synth_base_note(uint8_t track) SYNTH_NONBLOCKING;

// Creates an engine that renders at `rate` frames per second, one of synth_rate. NULL for another rate or without
// memory. It is stopped, with two empty patterns of 32 steps at 120 BPM in equal temperament, A4 at 440 Hz, pattern 0
// current, no silent track and volume 1. Track controls are neutral, except for low-passes of melody, chords and bass
// at 2000, 1500 and 400 Hz and a resonance of 1 dB. Swing is 50 per cent, delay 3 steps with 35 per cent feedback and
// width 50, reverberation 2 s. Every track plays the plain model or kit, without modulation, drive and chorus; the
// compressor and the tone are off, and so are the performance effects.
Synth *synth_create(uint32_t rate);

// Frees the engine. No other thread may use it any more.
void synth_destroy(Synth *synth);

// Loop thread. Posts `count` commands, all or none; returns false, and counts it, if the ring has no room for them.
bool synth_post(Synth *synth, const SynthCommand *commands, uint32_t count) SYNTH_NONBLOCKING;

// Loop thread. Moves up to `capacity` reports into `reports`, oldest first; returns their number.
uint32_t synth_read_reports(Synth *synth, SynthReport *reports, uint32_t capacity) SYNTH_NONBLOCKING;

// Keeps the last `frames` frames of the output from now on, in 16 bits. Call it before the first frame is rendered. The
// pages of this memory, and of the performance effects' memory, come with their first use, or now if `touch`. Returns
// false after the first frame, and without memory.
bool synth_remember(Synth *synth, uint32_t frames, bool touch);

// Any thread. Copies `frames` frames of the output from `frame` on to `out`, left and right interleaved. Returns false,
// with anything in `out`, if they are not all kept.
bool synth_recall(const Synth *synth, uint64_t frame, int16_t *out, uint32_t frames) SYNTH_NONBLOCKING;

// Any one thread. Fills an empty slot with `count` frames of one or two channels, interleaved, which have `rate` frames
// per second: they are converted to the engine's. A pad plays them from the next SynthPad that names the slot on.
// Returns false if a number is out of range, if the slot is not empty, and without memory. The first call takes longer:
// it computes tables.
bool synth_load_sample(Synth *synth, uint32_t slot, const int16_t *frames, uint32_t count, uint32_t channels,
                       uint32_t rate);

// The same thread. Frees the memory of a slot that is empty; returns whether it is.
bool synth_free_sample(Synth *synth, uint32_t slot);

// Audio thread. Renders the next `frames` frames, left and right interleaved, into `out`; full scale is 1.
void synth_render(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING;

// Audio thread. Renders the same samples as synth_render, and writes the parts of the mix to `stems`: synth_stem_samples
// numbers a frame, left and right of melody, chords, bass and rhythm without their sends, then of the mix with delay and
// reverberation. The stems are before the performance effects and the master (compressor, tone, volume, a gain of 2.9
// dB, limiter) and without its latency: frame n of them is frame n + synth_latency of `out`. They may exceed full scale.
// A click is in the mix only; remembered sound and the pulses of a clock are in none.
void synth_render_stems(Synth *synth, float *out, float *stems, uint32_t frames) SYNTH_NONBLOCKING;

// Audio thread. Lets the next `frames` frames pass without their sound, which is much faster: steps, notes and reports are
// those of `synth_render`. Voices that sound stay as they are; samples that a pad plays stay in their slots.
void synth_pass(Synth *synth, uint32_t frames) SYNTH_NONBLOCKING;

// Audio thread. Writes the pulses of the last `frames` frames that were rendered, mono, for an output of their own.
void synth_render_pulses(Synth *synth, float *out, uint32_t frames) SYNTH_NONBLOCKING;

// Latency in frames from a command's frame to the first output sample that contains it (the limiter's delay).
uint32_t synth_latency(const Synth *synth) SYNTH_NONBLOCKING;

// Any thread. The current counters.
SynthCounters synth_counters(const Synth *synth) SYNTH_NONBLOCKING;

#ifdef __cplusplus
}
#endif

#endif
