extension Main {
    /// The version of the software, as the packages number it.
    static let versionNumber = "0.1.0"

    static let version = Command(
        "version", usage: "", help: "Prints the version."
    ) { _ in print("pixelboop \(versionNumber)") }
}
