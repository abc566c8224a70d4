/// One report of a keyboard.
public enum KeyStroke: Hashable, Sendable {
    /// A key was pressed, or repeats while it is held.
    case press(Key)
    /// A key was released.
    case release(Key)
    /// A key was withdrawn while it was held: its keyboard vanished. A finger at the cursor makes nothing.
    case cancel(Key)
    /// A character was typed, for a name.
    case type(Character)
}
