import Display

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

    /// The colour of its section.
    var accent: RGB {
        switch self {
        case .grid, .settings, .about: Palette.settings
        case .sound: Palette.sound
        case .song: Palette.song
        case .sync: Palette.sync
        case .power: Palette.danger
        case .guide, .letters: Palette.library
        }
    }

    /// Where its top left corner leads.
    var parent: Screen {
        switch self {
        case .grid, .sound, .song, .sync, .settings, .guide: .grid
        case .letters: .guide
        case .about, .power: .settings
        }
    }

    /// What a finger at `position` is on, `position` counted from the left of the 44 columns.
    func spot(at position: Position) -> Spot? {
        switch self {
        case .grid, .guide: return nil
        default: if position.column < 4.5, position.row < 5.5 { return .back }
        }
        switch self {
        case .letters: return LetterSheet.spot(at: position)
        case .power: return PowerSheet.spot(at: position)
        case .grid, .guide, .sound, .song, .sync, .settings, .about: break
        }
        if position.column >= 39.5, position.row < 5.5 { return .play }
        switch self {
        case .sound(let sheet): return sheet.spot(at: position)
        case .song: return SongSheet.spot(at: position)
        case .sync: return SyncSheet.spot(at: position)
        case .settings: return SettingsSheet.spot(at: position)
        case .about: return AboutSheet.spot(at: position)
        case .grid, .guide, .power, .letters: return nil
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
    /// The choice of a track.
    case track(Track)
    /// A fader.
    case fader(Fader)
    /// The letter under a fader.
    case letter(Fader)
    /// A switch.
    case toggle(SettingsSheet.Toggle)
    /// A button of the settings.
    case button(SettingsSheet.Button)
    /// The switch that plays scenes in turn.
    case chain
    /// A button that moves the tempo by one.
    case tempo(SyncSheet.Step)
    /// Tap tempo.
    case tapTempo
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

    /// Whether it acts when a finger that has landed on it lifts from it. The others act while they are touched.
    var actsAtLift: Bool {
        switch self {
        case .fader, .letter, .line, .switchOff, .tempo, .tapTempo: false
        case .menu, .back, .play, .track, .chain, .toggle, .button, .stay, .key, .done: true
        }
    }
}
