/// What the panel shows.
public enum Screen: Hashable, Sendable {
    /// The sequencer.
    case grid
    /// How the tracks sound.
    case sound(SoundSheet)
    /// The scenes.
    case song
    /// The tempo.
    case sync
    /// The box's own settings.
    case settings
    /// What the box is and how it fares.
    case about(AboutSheet)
    /// The question whether to switch off.
    case power
    /// Patterns, or programmes of television, by day.
    case guide
    /// Letters to name something with.
    case letters(LetterSheet)

    /// The sheet that it is; nil for the grid and the guide, which have the whole panel. It is handed out without an allocation
    /// as long as a sheet is no larger than three words.
    var sheet: (any Sheet)? {
        switch self {
        case .grid, .guide: nil
        case .sound(let sheet): sheet
        case .song: SongSheet()
        case .sync: SyncSheet()
        case .settings: SettingsSheet()
        case .about(let sheet): sheet
        case .power: PowerSheet()
        case .letters(let sheet): sheet
        }
    }
}

/// Something on the menu or on a sheet that a finger can be on.
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

    /// The choice of a track.
    case track(Track)
    /// The switch that plays scenes in turn.
    case chain
    /// A button that moves the tempo by one.
    case tempo(SyncSheet.Step)
    /// Tap tempo.
    case tapTempo
    /// A switch.
    case toggle(SettingsSheet.Toggle)
    /// A button of the settings.
    case button(SettingsSheet.Button)
    /// A line of words, from the top.
    case line(Int)
    /// The answer that the box stays on.
    case stay
    /// The answer that it goes off.
    case switchOff
    /// A key of the letters.
    case key(LetterSheet.Key)
    /// The letters are done.
    case done
}
