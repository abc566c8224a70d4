import Panel

/// A look at the screens of this machine, which shows nothing.
public enum ScreenSurvey {
    /// The screen that would show a panel of `columns`, or why there is none. It fails with `isInUse` if another
    /// process shows on it. Calls `open` on the graphics cards, and closes them.
    public static func look(
        _ settings: PanelConfiguration.Screen, columns: Int
    ) -> Result<ScreenFit, DeviceFailure> {
        look(settings, columns: columns, .linux)
    }

    static func look(
        _ settings: PanelConfiguration.Screen, columns: Int, _ calls: ScreenCalls
    ) -> Result<ScreenFit, DeviceFailure> {
        ScreenFinder(settings: settings, columns: columns, calls: calls).find().map { find in
            calls.close(find.card)
            return find.fit
        }
    }
}
