import InputEvents

extension Instrument {
    /// The screen that the panel shows.
    public enum Screen: Hashable, Sendable {
        /// The sequencer.
        case grid
        /// The sound of the tracks.
        case sound(SoundSheet)
        /// The sounds to choose from for a track.
        case presets(PresetSheet)
        /// The pads of the rhythm track.
        case kit(KitSheet)
        /// The samples to choose from for a pad.
        case samples(SampleSheet)
        /// The lanes of a track.
        case lanes(LanesSheet)
        /// How a track runs.
        case track(TrackSheet)
        /// The scenes, and their order in the song.
        case song(SongSheet)
        /// The sound that was just heard.
        case take(TakeSheet)
        /// The tempo.
        case sync
        /// The scale of the pattern.
        case scale
        /// The metre of the pattern.
        case metre
        /// The settings of the box.
        case settings
        /// The second page of the settings.
        case moreSettings
        /// Version, address and state of the box.
        case about(AboutSheet)
        /// Who may show pictures on the panel.
        case lights(LightSheet)
        /// The picture of another machine.
        case picture(PictureSheet)
        /// The power-off question.
        case power
        /// Patterns or TV programmes, by day.
        case guide
        /// A keyboard for a name.
        case letters(LetterSheet)

        /// How a screen uses the panel.
        enum Layout {
            /// The sequencer's grid.
            case grid
            /// The guide, with a header of its own.
            case guide
            /// A sheet.
            case sheet
        }

        /// How the screen uses the panel.
        var layout: Layout {
            switch self {
            case .grid: .grid
            case .guide: .guide
            case .sound, .presets, .kit, .samples, .lanes, .track, .song, .take, .sync, .scale, .metre,
                .settings, .moreSettings, .about, .lights, .picture, .power, .letters:
                .sheet
            }
        }

        /// The track whose sound the screen shows; nil for other screens.
        var soundTrack: Track? {
            switch self {
            case .sound(let sheet): sheet.track
            case .presets(let sheet): sheet.track
            case .kit: .rhythm
            case .grid, .samples, .lanes, .track, .song, .take, .sync, .scale, .metre, .settings, .moreSettings, .about,
                .lights, .picture, .power, .guide, .letters:
                nil
            }
        }

        /// The track whose lanes or steps the screen shows; nil for other screens.
        var laneTrack: Track? {
            switch self {
            case .lanes(let sheet): sheet.track
            case .track(let sheet): sheet.track
            case .grid, .sound, .presets, .kit, .samples, .song, .take, .sync, .scale, .metre, .settings, .moreSettings,
                .about, .lights, .picture, .power, .guide, .letters:
                nil
            }
        }
    }
}

/// A part of the menu or of a sheet that a finger can touch.
enum Spot: Hashable, Sendable {
    /// An icon of the menu.
    case menu(Menu.Item)
    /// The top left corner, which closes a sheet.
    case back
    /// Play and Stop.
    case play
    /// A fader.
    case fader(Fader)
    /// The letter under a fader.
    case letter(Fader)

    /// The light that opens and closes the lanes.
    case lanesLight
    /// FILL: steps with that condition sound while it is held.
    case fill
    /// The switch that keeps the notes of the panel's keys, and that of all twelve notes.
    case holdKeys, twelveKeys
    /// The lanes to choose from.
    case laneChooser
    /// The values of a lane.
    case laneSteps
    /// The steps of a lane's track, and their end.
    case laneOverview
    /// A row of the note page in place of the tracks, from its lowest.
    case laneNote(Int)
    /// The button that empties a lane.
    case clearLane
    /// The button that keeps the round that was heard.
    case keep
    /// The button that shows how the track runs.
    case openTrack
    /// A direction of the steps.
    case direction(TrackShape.Direction)
    /// A voicing of chords.
    case voicing(TrackShape.Voicing)
    /// What a tap on the chords makes.
    case chordKind

    /// The name of the chosen track's sound.
    case soundName
    /// The button that saves a track's sound.
    case saveSound
    /// The button that deletes an own sound.
    case deleteSound
    /// The button that shows the pads of the rhythm track.
    case openPads
    /// A pad, the number of its drum.
    case pad(Int)
    /// The button that removes a sample.
    case removeSample
    /// A track to select.
    case track(Track)
    /// The switch of what plays at the pattern's end.
    case sceneMode
    /// An entry of the song, or the place after the last.
    case songEntry(Int)
    /// The repeats of an entry of the song.
    case songRepeats(Int)
    /// The button that removes an entry of the song.
    case removeEntry
    /// The light that opens the sheet of the take, and saves one when held; the button that opens it.
    case takeLight, openTake
    /// The waveform of the sound that was just heard.
    case takeWave
    /// A number of bars of the take.
    case takeLength(Int)
    /// The button that saves the take.
    case saveTake
    /// The button that cuts the take into slices.
    case slice
    /// A button that changes the tempo by one.
    case tempo(SyncSheet.Step)
    /// Tap tempo.
    case tapTempo
    /// A source of the tempo.
    case source(SyncSource)
    /// The recording of played keys.
    case record
    /// The errors of the source's ticks.
    case syncErrors
    /// The beats of a bar.
    case metreBeats
    /// A number of steps of a beat.
    case metreSteps(Int)
    /// The dial of scales.
    case scaleDial
    /// The note this many semitones above the root.
    case scaleNote(Int)
    /// The frequency of A4.
    case a4
    /// The name of the tuning.
    case tuning
    /// A switch.
    case toggle(SettingsSheet.Toggle)
    /// A button of the settings.
    case button(SettingsSheet.Button)
    /// The switch of the light that goes out to walls.
    case lightOut
    /// A choice of the rules of the gestures.
    case rules(Rules)
    /// The mark of a sheet's pages.
    case pageMark
    /// The ground of a sheet, between its other spots.
    case ground
    /// A line of text, counted from the top.
    case line(Int)
    /// The answer to stay on.
    case stay
    /// The answer to switch off.
    case switchOff
    /// A key of the keyboard.
    case key(LetterSheet.Key)
    /// The button that confirms the name.
    case done
}
