/// The options with which a box is started; nil leaves the choice to the configuration and the machine.
package struct BoxOptions: Hashable, Sendable {
    /// Path of the configuration.
    package var configuration: String?
    /// The output of the panel.
    package var panel: PanelView.Kind?
    /// An ALSA device, the path of a WAVE file, or `none`.
    package var audio: String?
    /// Path of the library.
    package var library: String?
    /// Address and port of the page.
    package var listen: String?
    /// Path of the file with the page's token.
    package var tokenFile: String?

    /// Path of the socket for programs that ask and play the box; nil for none.
    package var control: String?
    /// Path of a recording of the session; nil for none.
    package var record: String?

    /// No options.
    package init() {}
}
